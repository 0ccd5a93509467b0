/* Dictionaries from texts, and the names of their kernels. */
#include "py_core.h"

#include <stdlib.h>

/* The columns of the groups lie behind them; NULL with MemoryError. */
static rls2_group *make_groups(int64_t count, const char *const *names, const char *const *texts,
                               int64_t p, const char *const *columns)
{
    size_t each = sizeof(rls2_group) + (size_t)p * sizeof(int64_t);
    rls2_group *groups = calloc((size_t)count + 1, each);
    if (!groups) {
        PyErr_NoMemory();
        return NULL;
    }
    int64_t *numbers = (int64_t *)(void *)(groups + count + 1);
    for (int64_t g = 0; g < count; g++, numbers += p) {
        groups[g] = (rls2_group){.name = names[g], .columns = numbers};
        for (int64_t j = 0; j < p; j++)
            if (rls2_group_has(texts[g], columns[j])) numbers[groups[g].count++] = j;
    }
    return groups;
}

rls2_dictionary *dictionary_make(const core_state *state, const char *spec, int64_t count,
                                 const char *const *names, int64_t group_count,
                                 const char *const *group_names, const char *const *group_columns,
                                 int64_t given_count, const char *const *given_names)
{
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    rls2_group *groups = make_groups(group_count, group_names, group_columns, count, names);
    if (!groups) return NULL;
    rls2_columns columns = {.count = count,
                            .names = names,
                            .group_count = group_count,
                            .groups = groups,
                            .given_count = given_count,
                            .given_names = given_names};
    if (rls2_dictionary_create(spec, &columns, &dictionary, &err) != RLS2_OK)
        raise_library(state, &err);
    free(groups);
    return dictionary;
}

int recipe_dictionary(const core_state *state, const recipe_holder *r, const rls2_dataset *data,
                      rls2_dictionary **dictionary)
{
    const rls2_recipe *recipe = &r->recipe;
    *dictionary =
        dictionary_make(state, recipe->kernels, rls2_dataset_columns(data),
                        rls2_dataset_names(data), recipe->group_count, recipe->group_names,
                        recipe->group_columns, recipe->given_count, recipe->given_names);
    return *dictionary ? 0 : -1;
}

static const char *kernel_name(const void *dictionary, int64_t k)
{
    return rls2_dictionary_name(dictionary, k);
}

PyObject *dictionary_names_list(const rls2_dictionary *dictionary)
{
    return list_of_texts(dictionary ? rls2_dictionary_size(dictionary) : 0, kernel_name,
                         dictionary);
}
