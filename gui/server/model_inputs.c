/* Which inputs kernels look at, and the levels of those that are categories. */
#include "gui/server/model_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "gui/server/table_columns.h"

/* Marks the inputs that these columns are made from. */
static void mark_inputs(const rls2_model *model, int64_t count, const int64_t *columns, char *used)
{
    for (int64_t j = 0; j < count; j++) {
        int64_t input = rls2_model_input_of(model, columns[j]);
        if (input >= 0) used[input] = 1;
    }
}

json_t *kernel_inputs(const rls2_model *model, int64_t number)
{
    const int64_t *columns;
    int64_t inputs = rls2_model_input_count(model),
            count = rls2_dictionary_kernel_columns(rls2_model_dictionary(model), number, &columns);
    json_t *list = json_array();
    char *used = calloc((size_t)inputs + 1, 1);
    if (used) mark_inputs(model, count, columns, used);
    for (int64_t i = 0; used && i < inputs; i++)
        if (used[i]) json_array_append_new(list, json_words(rls2_model_input_name(model, i)));
    free(used);
    return list;
}

const char *input_level(const rls2_model *model, int64_t input, int64_t i)
{
    int64_t first, width = rls2_model_input_columns(model, input, &first);
    size_t skip = strlen(rls2_model_input_name(model, input)) + 1;
    return i < width ? rls2_model_column_names(model)[first + i] + skip : NULL;
}

static json_t *level_list(const rls2_model *model, int64_t input)
{
    const char *level;
    json_t *list = json_array();
    for (int64_t i = 0; (level = input_level(model, input, i)); i++)
        json_array_append_new(list, json_words(level));
    return list;
}

static json_t *describe(const rls2_model *model, int64_t input)
{
    rls2_column_kind kind = rls2_model_input_kind(model, input);
    json_t *about =
        json_pack("{s:I, s:o, s:s}", "index", (json_int_t)input, "name",
                  json_words(rls2_model_input_name(model, input)), "kind", columns_kind(kind));
    if (about && kind == RLS2_COLUMN_TEXT)
        json_object_set_new(about, "levels", level_list(model, input));
    return about;
}

json_t *model_inputs(const rls2_model *model)
{
    int64_t count = rls2_model_input_count(model);
    json_t *list = json_array();
    char *used = calloc((size_t)count + 1, 1);
    for (int64_t k = 0; used && k < rls2_model_kernel_count(model); k++) {
        const int64_t *columns;
        int64_t width = rls2_model_kernel_columns(model, k, &columns);
        mark_inputs(model, width, columns, used);
    }
    for (int64_t i = 0; used && i < count; i++)
        if (used[i]) json_array_append_new(list, describe(model, i));
    free(used);
    return list;
}
