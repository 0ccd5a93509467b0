/* Contributions of kernels, summed over those that look at the same inputs: an indicator of a
 * category is not an input of its own. */
#include "gui/server/row_parts.h"

#include <stdlib.h>

#include "gui/server/model_inputs.h"
#include "gui/server/scores.h"
#include "gui/server/table_columns.h"

int64_t row_parts_width(const rls2_model *model)
{
    int64_t width = 0;
    for (int64_t o = 0; o < rls2_model_outputs(model); o++)
        width +=
            rls2_model_kernel_count(rls2_model_output(model, o)) + rls2_model_member_count(model);
    return width;
}

/* The place of a list of inputs among those that were met, added where it is new; -1 when out of
 * memory. Takes the list over. */
static int64_t place_of(json_t *met, json_t *inputs)
{
    size_t count = json_array_size(met), i = 0;
    while (i < count && !json_equal(json_array_get(met, i), inputs)) i++;
    if (i < count)
        json_decref(inputs);
    else if (json_array_append_new(met, inputs) != 0)
        return -1;
    return (int64_t)i;
}

static void add_column(int64_t n, const double *from, double *to)
{
    for (int64_t i = 0; i < n; i++) to[i] += from[i];
}

/* Sums the columns of f, one for each kernel, to those of the places of their inputs. */
static int sum_kernels(const rls2_model *one, int64_t n, const double *f, json_t *met, double *sums)
{
    for (int64_t k = 0; k < rls2_model_kernel_count(one); k++) {
        int64_t place = place_of(met, kernel_inputs(one, rls2_model_kernel_index(one, k)));
        if (place < 0) return 0;
        add_column(n, f + k * n, sums + place * n);
    }
    return 1;
}

static json_t *kernel_parts(const rls2_model *one, int64_t n, const double *f, double *sums)
{
    json_t *met = json_array(), *list = json_array();
    size_t count = sum_kernels(one, n, f, met, sums) ? json_array_size(met) : 0;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:O, s:o}", "inputs", json_array_get(met, i),
                                              "values", json_numbers(n, sums + (int64_t)i * n)));
    json_decref(met);
    return list;
}

static void add_members(const rls2_model *one, int64_t n, const double *f, json_t *list)
{
    for (int64_t m = 0; m < rls2_model_member_count(one); m++) {
        if (!(rls2_model_member_weight(one, m) > 0.0)) continue;
        json_array_append_new(list, json_pack("{s:o, s:o}", "member",
                                              json_words(rls2_model_member_name(one, m)), "values",
                                              json_numbers(n, f + m * n)));
    }
}

static int output_parts(const rls2_model *one, const rls2_rows *rows, json_t **made, fault *f)
{
    rls2_error err;
    int64_t kernels = rls2_model_kernel_count(one), members = rls2_model_member_count(one);
    size_t most = (size_t)(rows->n * (kernels > members ? kernels : members));
    double *values = calloc(most + 1, sizeof *values), *sums = calloc(most + 1, sizeof *sums);
    int code = values && sums ? 0 : fault_memory(f);
    json_t *list = NULL;
    if (!code && kernels > 0 && rls2_model_contributions(one, rows, NULL, values, &err) != RLS2_OK)
        code = fault_of(f, NULL, &err);
    if (!code) list = kernel_parts(one, rows->n, values, sums);
    if (!code && members > 0 &&
        rls2_model_member_contributions(one, rows, NULL, values, &err) != RLS2_OK)
        code = fault_of(f, NULL, &err);
    if (!code && members > 0) add_members(one, rows->n, values, list);
    free(values);
    free(sums);
    if (!code)
        *made = list;
    else
        json_decref(list);
    return code;
}

int row_parts(const rls2_model *model, const rls2_rows *rows, json_t **parts, fault *f)
{
    json_t *all = json_array();
    int code = all ? 0 : fault_memory(f);
    for (int64_t o = 0; !code && o < rls2_model_outputs(model); o++) {
        const rls2_model *one = rls2_model_output(model, o);
        json_t *list = NULL;
        code = output_parts(one, rows, &list, f);
        if (!code)
            json_array_append_new(all,
                                  json_pack("{s:o, s:o, s:o}", "name",
                                            json_words(rls2_model_output_name(model, o)), "base",
                                            json_finite(rls2_model_base(one)), "parts", list));
    }
    if (!code)
        *parts = all;
    else
        json_decref(all);
    return code;
}
