/* Widths belong to sets of columns: kernels that learn on the same columns have the same. */
#include "dictionary/dictionary_widths.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"

static int has_columns(const rls2__width_set *set, const rls2__kernel *kernel)
{
    if (set->count != kernel->column_count) return 0;
    return set->columns == kernel->columns ||
           memcmp(set->columns, kernel->columns, (size_t)set->count * sizeof *set->columns) == 0;
}

/* The number of sets where there is none yet. */
static int64_t set_of(const rls2_dictionary *dictionary, const rls2__kernel *kernel)
{
    int64_t g = 0;
    while (g < dictionary->set_count && !has_columns(&dictionary->sets[g], kernel)) g++;
    return g;
}

rls2_status rls2__dictionary_find_sets(rls2_dictionary *dictionary)
{
    int learns = 0;
    for (int64_t k = 0; k < dictionary->m; k++) learns |= dictionary->kernels[k].learns;
    if (!learns) return RLS2_OK;
    dictionary->sets = rls2__alloc_zero(RLS2__MOST_WIDTH_SETS, sizeof *dictionary->sets);
    if (!dictionary->sets) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < dictionary->m; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        if (!kernel->learns || set_of(dictionary, kernel) < dictionary->set_count) continue;
        if (dictionary->set_count == RLS2__MOST_WIDTH_SETS) return RLS2_ERR_VALUE;
        dictionary->sets[dictionary->set_count++] =
            (rls2__width_set){.count = kernel->column_count, .columns = kernel->columns};
    }
    return RLS2_OK;
}

int64_t rls2__dictionary_width_count(const rls2_dictionary *dictionary)
{
    int64_t count = 0;
    for (int64_t g = 0; g < dictionary->set_count; g++) count += dictionary->sets[g].count;
    return count;
}

int64_t rls2__dictionary_unlearned(const rls2_dictionary *dictionary)
{
    for (int64_t k = 0; k < dictionary->m && dictionary->set_count > 0; k++)
        if (dictionary->kernels[k].learns && !dictionary->kernels[k].widths) return k;
    return -1;
}

/* Copies of what differs; NULL when out of memory. */
static rls2_dictionary *copy_of(const rls2_dictionary *dictionary)
{
    rls2_dictionary *copy = rls2__alloc_zero(1, sizeof *copy);
    if (!copy) return NULL;
    *copy = *dictionary;
    atomic_init(&copy->owners, 1);
    copy->arena = NULL;
    copy->origin = rls2__dictionary_share(dictionary);
    copy->kernels = rls2__alloc(copy->m, sizeof *copy->kernels);
    copy->sets = rls2__alloc(copy->set_count, sizeof *copy->sets);
    copy->widths = rls2__alloc(rls2__dictionary_width_count(dictionary), sizeof *copy->widths);
    if (copy->kernels && copy->sets && copy->widths) return copy;
    rls2_dictionary_free(copy);
    return NULL;
}

rls2_status rls2__dictionary_with_widths(const rls2_dictionary *dictionary, const double *widths,
                                         rls2_dictionary **learned)
{
    rls2_dictionary *copy = copy_of(dictionary);
    if (!copy) return RLS2_ERR_MEMORY;
    const double *next = copy->widths;
    memcpy(copy->widths, widths,
           (size_t)rls2__dictionary_width_count(dictionary) * sizeof *copy->widths);
    for (int64_t g = 0; g < copy->set_count; g++) {
        copy->sets[g] = dictionary->sets[g];
        copy->sets[g].widths = next;
        next += copy->sets[g].count;
    }
    for (int64_t k = 0; k < copy->m; k++) {
        copy->kernels[k] = dictionary->kernels[k];
        if (copy->kernels[k].learns)
            copy->kernels[k].widths = copy->sets[set_of(copy, &copy->kernels[k])].widths;
    }
    *learned = copy;
    return RLS2_OK;
}
