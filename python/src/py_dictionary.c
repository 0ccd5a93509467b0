/* What is asked about dictionaries. */
#include "py_core.h"

static const char *kernel_name(const void *dictionary, int64_t k)
{
    return rls2_dictionary_name(dictionary, k);
}

PyObject *dictionary_names_list(const rls2_dictionary *dictionary)
{
    return list_of_texts(rls2_dictionary_count(dictionary), kernel_name, dictionary);
}

int text_is_linear(const char *kernels)
{
    rls2_columns columns = {.count = 1};
    rls2_dictionary *dictionary = NULL;
    if (rls2_dictionary_create(kernels, &columns, &dictionary, NULL) != RLS2_OK) return 0;
    int linear = rls2_dictionary_is_linear(dictionary);
    rls2_dictionary_free(dictionary);
    return linear;
}
