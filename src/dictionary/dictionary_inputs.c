/* From the columns of a kernel to its inputs. */
#include "dictionary/dictionary_inputs.h"

static int is_among(int count, const int64_t *found, int64_t input)
{
    for (int t = 0; t < count; t++)
        if (found[t] == input) return 1;
    return 0;
}

int rls2__kernel_inputs(const rls2_dictionary *dictionary, int64_t k, const int64_t *input_of,
                        int64_t inputs, int64_t *found)
{
    const int64_t *columns;
    int64_t count = rls2_dictionary_kernel_columns(dictionary, k, &columns);
    int distinct = 0;
    for (int64_t j = 0; j < count; j++) {
        if (is_among(distinct, found, input_of[columns[j]])) continue;
        if (distinct == RLS2__FEW_INPUTS) return 0;
        found[distinct++] = input_of[columns[j]];
    }
    return distinct > 1 && distinct == inputs ? 0 : distinct;
}
