/* The public functions of dictionaries. */
#include "dictionary/dictionary_parse.h"

#include "base/invariant.h"

rls2_status rls2_dictionary_create(const char *spec, const rls2_columns *columns,
                                   rls2_dictionary **dictionary, rls2_error *err)
{
    if (!dictionary) return rls2__fail_null(err, "dictionary");
    if (!spec) return rls2__fail_null(err, "spec");
    return rls2__dictionary_build(spec, columns, &rls2__dictionary_limits_default, dictionary, err);
}

rls2_dictionary *rls2__dictionary_share(const rls2_dictionary *dictionary)
{
    rls2_dictionary *shared =
        (rls2_dictionary *)dictionary; /* only the count of its owners changes */
    rls2__invariant(atomic_load(&shared->owners) > 0);
    atomic_fetch_add(&shared->owners, 1);
    return shared;
}

void rls2_dictionary_free(rls2_dictionary *dictionary)
{
    if (!dictionary || atomic_fetch_sub(&dictionary->owners, 1) > 1) return;
    rls2__free(dictionary->kernels);
    rls2__free(dictionary->widths);
    rls2__free(dictionary->sets);
    rls2__arena_free(dictionary->arena);
    rls2_dictionary_free(dictionary->origin);
    rls2__free(dictionary);
}

int64_t rls2_dictionary_count(const rls2_dictionary *dictionary)
{
    return dictionary ? dictionary->m : 0;
}

const char *rls2_dictionary_name(const rls2_dictionary *dictionary, int64_t k)
{
    return dictionary && k >= 0 && k < dictionary->m ? dictionary->kernels[k].name : NULL;
}

int64_t rls2_dictionary_kernel_columns(const rls2_dictionary *dictionary, int64_t k,
                                       const int64_t **columns)
{
    int known = dictionary && k >= 0 && k < dictionary->m;
    const rls2__kernel *kernel = known ? &dictionary->kernels[k] : NULL;
    if (columns) *columns = kernel ? kernel->columns : NULL;
    return kernel ? kernel->column_count : 0;
}

int64_t rls2_dictionary_kernel_widths(const rls2_dictionary *dictionary, int64_t k,
                                      const double **widths)
{
    int known = dictionary && k >= 0 && k < dictionary->m;
    const double *found = known ? dictionary->kernels[k].widths : NULL;
    if (widths) *widths = found;
    return found ? dictionary->kernels[k].column_count : 0;
}

int rls2_dictionary_learns(const rls2_dictionary *dictionary)
{
    return dictionary && dictionary->set_count > 0;
}

int64_t rls2_dictionary_columns(const rls2_dictionary *dictionary)
{
    return dictionary ? dictionary->columns : 0;
}

int64_t rls2_dictionary_group_count(const rls2_dictionary *dictionary)
{
    return dictionary ? dictionary->group_count : 0;
}

const rls2_group *rls2_dictionary_group(const rls2_dictionary *dictionary, int64_t g)
{
    return dictionary && g >= 0 && g < dictionary->group_count ? &dictionary->groups[g] : NULL;
}

int rls2_dictionary_is_linear(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; dictionary && k < dictionary->m; k++)
        if (dictionary->kernels[k].kind != RLS2__KERNEL_LINEAR) return 0;
    return dictionary != NULL;
}
