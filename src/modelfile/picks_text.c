/* Bits as texts of 0 and 1. */
#include "modelfile/picks_text.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "modelfile/pack_description.h"

json_t *rls2__describe_selected(const rls2__picks *picks)
{
    int64_t words = rls2__words_of(picks->trials);
    char *text = rls2__alloc_zero(rls2__add(picks->trials, 1), 1);
    json_t *array = json_array();
    int fits = text != NULL;
    for (int64_t k = 0; k < picks->count && fits; k++) {
        for (int64_t t = 0; t < picks->trials; t++)
            text[t] = rls2__bit_of(picks->bits + k * words, t) ? '1' : '0';
        fits = rls2__json_append(array, json_string(text));
    }
    rls2__free(text);
    if (fits) return array;
    json_decref(array);
    return NULL;
}

/* Bits from a text of so many signs; 0 where it is another text. */
static int read_text(const json_t *from, int64_t trials, uint64_t *bits)
{
    const char *text = json_string_value(from);
    if (!text || (int64_t)json_string_length(from) != trials || !strchr(text, '1')) return 0;
    for (int64_t t = 0; t < trials; t++) {
        if (text[t] != '0' && text[t] != '1') return 0;
        if (text[t] == '1') rls2__bit_set(bits, t);
    }
    return 1;
}

static int read_kernel(const json_t *from, int64_t last, int64_t m, int64_t *kernel)
{
    *kernel = json_is_integer(from) ? json_integer_value(from) : -1;
    return *kernel > last && *kernel < m;
}

rls2_status rls2__read_picks(rls2__describer *r, const json_t *from, int64_t m, int64_t trials,
                             rls2__picks *picks)
{
    const json_t *kernels = rls2__field_array(r, from, "kernels");
    const json_t *selected = rls2__field_array(r, from, "selected");
    int64_t count = (int64_t)json_array_size(kernels), last = -1;
    if (r->status != RLS2_OK) return r->status;
    /* texts of so many signs are in the file: no file reserves more than it holds */
    int fits = trials > 0 && count == (int64_t)json_array_size(selected);
    for (int64_t k = 0; k < count && fits; k++)
        fits = (int64_t)json_string_length(json_array_get(selected, (size_t)k)) == trials;
    if (fits && rls2__picks_reserve(picks, trials, count) != RLS2_OK)
        return rls2__fail_memory(r->container->err, "what trials selected");
    for (int64_t k = 0; k < count && fits; k++) {
        fits = read_kernel(json_array_get(kernels, (size_t)k), last, m, &picks->kernels[k]) &&
               read_text(json_array_get(selected, (size_t)k), trials,
                         picks->bits + k * rls2__words_of(trials));
        last = picks->kernels[k];
    }
    if (fits) return RLS2_OK;
    return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                "what trials selected does not fit the dictionary and the trials");
}
