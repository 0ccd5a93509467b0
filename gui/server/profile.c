/* Which kernels are selected where along the path, and with what weight; coefficients where all of
 * them are linear. */
#include "gui/server/profile.h"

#include <stdlib.h>

#include "gui/server/result.h"
#include "gui/server/table_columns.h"

/* place[k]: where kernel k stands among those selected at any point, counted from 1; 0 if it never
 * is. Returns how many are. */
static int64_t find_selected(const rls2_path *path, int64_t count, int64_t m, int64_t *place)
{
    int64_t ever = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *kernels;
        int64_t selected = rls2_path_kernel_weights(path, i, &kernels, NULL);
        for (int64_t t = 0; t < selected; t++) place[kernels[t]] = 1;
    }
    for (int64_t k = 0; k < m; k++)
        if (place[k]) place[k] = ++ever;
    return ever;
}

static void fill_weights(const rls2_path *path, int64_t count, const int64_t *place,
                         double *weights)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t *kernels;
        const double *d;
        int64_t selected = rls2_path_kernel_weights(path, i, &kernels, &d);
        for (int64_t t = 0; t < selected; t++) weights[(place[kernels[t]] - 1) * count + i] = d[t];
    }
}

static json_t *number_list(int64_t count, const double *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) json_array_append_new(list, json_finite(values[i]));
    return list;
}

static json_t *kernel_profile(const rls2_fit *fit, int64_t o)
{
    const rls2_path *path = rls2_fit_path(fit, o);
    const rls2_dictionary *dictionary = rls2_fit_dictionary(fit);
    int64_t m = rls2_dictionary_count(dictionary), count = rls2_fit_count(fit);
    json_t *list = json_array();
    int64_t *place = calloc((size_t)m + 1, sizeof *place);
    int64_t ever = place ? find_selected(path, count, m, place) : 0;
    double *weights =
        calloc((size_t)(ever * count) + 1, sizeof *weights); /* count for each kernel */
    if (place && weights) fill_weights(path, count, place, weights);
    for (int64_t k = 0; place && weights && k < m; k++)
        if (place[k])
            json_array_append_new(
                list, json_pack("{s:I, s:o, s:o}", "index", (json_int_t)k, "name",
                                json_words(rls2_dictionary_name(dictionary, k)), "weights",
                                number_list(count, weights + (place[k] - 1) * count)));
    free(weights);
    free(place);
    return list;
}

/* All coefficients of every point of output o, count x p; 0 where they are none: not every kernel
 * is linear. */
static int collect_coefficients(const rls2_fit *fit, int64_t o, double *a, int64_t columns)
{
    for (int64_t i = 0; i < rls2_fit_count(fit); i++) {
        rls2_model *model = NULL;
        if (rls2_fit_model(fit, i, &model, NULL) != RLS2_OK) return 0;
        rls2_status status =
            rls2_model_coefficients(rls2_model_output(model, o), a + i * columns, NULL);
        rls2_model_free(model);
        if (status != RLS2_OK) return 0;
    }
    return 1;
}

static json_t *coefficient_profile(const rls2_fit *fit, int64_t o)
{
    int64_t columns = rls2_dataset_columns(rls2_fit_data(fit)), count = rls2_fit_count(fit);
    double *a = calloc((size_t)(columns * count) + 1, sizeof *a);
    json_t *list = NULL;
    if (a && collect_coefficients(fit, o, a, columns)) list = json_array();
    for (int64_t c = 0; list && c < columns; c++) {
        int any = 0;
        json_t *values = json_array();
        for (int64_t i = 0; i < count; i++) {
            any |= a[i * columns + c] != 0.0;
            json_array_append_new(values, json_finite(a[i * columns + c]));
        }
        json_t *entry =
            json_pack("{s:o, s:o}", "name", json_words(rls2_dataset_names(rls2_fit_data(fit))[c]),
                      "values", values);
        if (any)
            json_array_append_new(list, entry);
        else
            json_decref(entry);
    }
    free(a);
    return list;
}

json_t *result_profile(const outcome *o, const json_t *points)
{
    json_t *lambdas = json_array(), *df = json_array(), *outputs = json_array();
    for (size_t i = 0; i < json_array_size(points); i++) {
        json_array_append(lambdas, json_object_get(json_array_get(points, i), "lambda"));
        json_array_append(df, json_object_get(json_array_get(points, i), "df"));
    }
    for (int64_t out = 0; out < rls2_fit_outputs(o->fit); out++) {
        json_t *entry = json_pack("{s:o, s:o}", "name",
                                  json_words(rls2_dataset_output_name(rls2_fit_data(o->fit), out)),
                                  "kernels", kernel_profile(o->fit, out));
        json_t *coefficients = coefficient_profile(o->fit, out);
        if (coefficients) json_object_set_new(entry, "coefficients", coefficients);
        json_array_append_new(outputs, entry);
    }
    return json_pack("{s:o, s:o, s:o}", "lambdas", lambdas, "df", df, "outputs", outputs);
}
