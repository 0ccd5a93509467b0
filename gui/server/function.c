/* GET /api/runs/ID/function/I/K: what one kernel adds to the prediction, as a curve over its
 * column, or for the training rows where it looks at several. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/detail.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

enum { CURVE_POINTS = 200, MOST_ROWS = 1000 };

static json_t *numbers(int64_t n, const double *values, double by, double plus)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++) json_array_append_new(list, json_finite(values[i] * by + plus));
    return list;
}

static json_t *unavailable(const char *why)
{
    return json_pack("{s:s}", "unavailable", why);
}

/* Which of the selected kernels has that number in the dictionary; -1 if none. */
static int64_t find_kernel(const rls2_model *model, int64_t number)
{
    for (int64_t k = 0; k < rls2_model_kernel_count(model); k++)
        if (rls2_model_kernel_index(model, k) == number) return k;
    return -1;
}

/* What kernel k adds for each of the rows, in `f`, which has room for all kernels. */
static int contribution(const rls2_model *model, const rls2_rows *rows, int64_t k, double *f,
                        fault *f_out)
{
    rls2_error err;
    if (rls2_model_contributions(model, rows, NULL, f, &err) != RLS2_OK)
        return fault_of(f_out, NULL, &err);
    memmove(f, f + k * rows->n, (size_t)rows->n * sizeof *f);
    return 0;
}

/* ---- one column ---- */

static void spread(const double *values, int64_t n, double *grid)
{
    double least = values[0], most = values[0];
    for (int64_t i = 1; i < n; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    for (int i = 0; i < CURVE_POINTS; i++)
        grid[i] = least + (most - least) * (double)i / (double)(CURVE_POINTS - 1);
}

/* Of a block that knows missing cells the column that tells them: none is. */
static void show_present(const rls2_model *model, const rls2_model_block *block, int64_t column,
                         double *x)
{
    int64_t flag = block->knots > 0 && block->column_count > 1 ? block->columns[1] : column;
    const double *flags = rls2_model_training_column(model, flag);
    for (int64_t i = 0; i < CURVE_POINTS && flag != column && flags; i++)
        x[flag * CURVE_POINTS + i] = flags[block->first];
}

static int curve(const rls2_model *model, const rls2_dataset *data, int64_t k, int64_t column,
                 json_t **json, fault *f)
{
    int64_t p = rls2_model_columns(model), n = rls2_model_points(model);
    const double *values = rls2_model_training_column(model, column);
    const rls2_model_block *block = rls2_model_block_at(model, rls2_model_kernel_block(model, k));
    if (values && block) { /* of a compact model the points of this kernel */
        values += block->first;
        n = block->count;
    }
    const double *means = rls2_dataset_means(data), *divisors = rls2_dataset_deviations(data);
    double by = divisors ? divisors[column] : 1.0, plus = means ? means[column] : 0.0;
    double *x = calloc((size_t)(p * CURVE_POINTS) + 1, sizeof *x);
    double *added =
        calloc((size_t)(rls2_model_kernel_count(model) * CURVE_POINTS) + 1, sizeof *added);
    int code = x && added ? 0 : fault_memory(f);
    if (!code && values) {
        rls2_rows rows = {.n = CURVE_POINTS, .p = p, .x = x};
        spread(values, n, x + column * CURVE_POINTS);
        if (block) show_present(model, block, column, x);
        code = contribution(model, &rows, k, added, f);
        if (!code)
            *json = json_pack("{s:o, s:b, s:o, s:o, s:o}", "column",
                              json_words(rls2_model_column_names(model)[column]), "original",
                              rls2_dataset_example_rule(data) == RLS2_NORMALIZE_NONE, "x",
                              numbers(CURVE_POINTS, x + column * CURVE_POINTS, by, plus), "f",
                              numbers(CURVE_POINTS, added, 1.0, 0.0), "rug",
                              numbers(n, values, by, plus));
    } else if (!code) {
        *json = unavailable("the model does not keep this column");
    }
    free(x);
    free(added);
    return code;
}

/* ---- several columns ---- */

static json_t *column_names(const rls2_model *model, int64_t count, const int64_t *columns)
{
    json_t *list = json_array();
    for (int64_t j = 0; j < count; j++)
        json_array_append_new(list, json_words(rls2_model_column_names(model)[columns[j]]));
    return list;
}

static json_t *pairs(int64_t n, const double *fitted, const double *added)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++)
        json_array_append_new(list,
                              json_pack("[o, o]", json_finite(fitted[i]), json_finite(added[i])));
    return list;
}

/* [prediction, what the kernel adds] of the training rows, the first of very many. */
static int scatter(const rls2_model *model, const rls2_dataset *data, int64_t k, int64_t count,
                   const int64_t *columns, json_t **json, fault *f)
{
    rls2_error err;
    int64_t all = rls2_dataset_rows(data), n = all < MOST_ROWS ? all : MOST_ROWS;
    rls2_rows rows = {
        .n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data), .ldx = all};
    double *added = calloc((size_t)(rls2_model_kernel_count(model) * n) + 1, sizeof *added);
    double *fitted = calloc((size_t)n + 1, sizeof *fitted);
    int code = added && fitted ? contribution(model, &rows, k, added, f) : fault_memory(f);
    if (!code && rls2_model_predict(model, &rows, NULL, fitted, &err) != RLS2_OK)
        code = fault_of(f, NULL, &err);
    if (!code)
        *json = json_pack("{s:o, s:o}", "columns", column_names(model, count, columns), "rows",
                          pairs(n, fitted, added));
    free(added);
    free(fitted);
    return code;
}

/* ---- all of it ---- */

static int draw(const rls2_model *model, const rls2_plan *plan, int64_t number, json_t **json,
                fault *f)
{
    rls2_error err;
    rls2_dataset *data = NULL;
    const int64_t *columns;
    int64_t k = find_kernel(model, number);
    if (k < 0) {
        *json = unavailable("the kernel is not selected at this lambda");
        return 0;
    }
    int64_t count = rls2_model_kernel_columns(model, k, &columns);
    if (rls2_model_encode(model, rls2_plan_table(plan, RLS2_PART_TRAINING), RLS2_MISSING_AS_TRAINED,
                          RLS2_RESPONSE_READ, &data, &err) != RLS2_OK)
        return fault_of(f, NULL, &err);
    int code = count == 1 ? curve(model, data, k, columns[0], json, f)
                          : scatter(model, data, k, count, columns, json, f);
    rls2_dataset_free(data);
    return code;
}

int run_function(request *r, reply *answer, fault *f)
{
    run_plan p = {0};
    run *found = NULL;
    cached *model = NULL;
    const rls2_model *one = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = detail_model(r->state, found, request_index(r, 1), &model, f);
    if (!code) code = detail_output(r, model->value, &one, f);
    if (!code) code = detail_plan(r->state, found, &p, f);
    if (!code) {
        const rls2_dictionary *dictionary = rls2_model_dictionary(one);
        const char *name = request_index(r, 2) < rls2_dictionary_count(dictionary)
                               ? rls2_dictionary_name(dictionary, request_index(r, 2))
                               : NULL;
        code = name ? draw(one, p.plan, request_index(r, 2), &answer->json, f)
                    : fault_say(f, HTTP_NONE, NULL, "the dictionary has no kernel number %s",
                                r->parameter[2]);
        if (!code) json_object_set_new(answer->json, "name", json_words(name));
    }
    run_plan_release(&p);
    cache_return(r->state->models, model);
    run_release(r->state, found);
    return code;
}
