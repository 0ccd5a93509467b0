/* GET /api/runs/ID/effect/I/J: what input J adds to the prediction: along its numbers or dates, or
 * for each of its levels. It is the sum over the kernels that look at this input alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/detail.h"
#include "gui/server/model_inputs.h"
#include "gui/server/routes.h"
#include "gui/server/table_columns.h"

enum { CURVE_POINTS = 200, MOST_ROWS = 1000 };

typedef struct effect {
    const rls2_model *model; /* one output */
    const rls2_dataset *data;
    int64_t input, first, width; /* its columns of x */
    double *least, *most;        /* width: of these columns in the training rows */
    int64_t n;                   /* training rows */
    int64_t count;               /* places where it is looked at */
    double *x;                   /* count x columns of the model; zero beside the input's own */
    double *f;                   /* count: what is added there */
} effect;

static json_t *unavailable(const char *why)
{
    return json_pack("{s:s}", "unavailable", why);
}

/* ---- columns ---- */

/* The training values of column j of the input, as the model sees them. */
static const double *values_of(const effect *e, int64_t j)
{
    return rls2_dataset_x(e->data) + (e->first + j) * e->n;
}

static int find_ranges(effect *e, fault *f)
{
    e->least = calloc((size_t)e->width + 1, sizeof *e->least);
    e->most = calloc((size_t)e->width + 1, sizeof *e->most);
    if (!e->least || !e->most) return fault_memory(f);
    for (int64_t j = 0; j < e->width; j++) {
        const double *values = values_of(e, j);
        e->least[j] = e->most[j] = values[0];
        for (int64_t i = 1; i < e->n; i++) {
            e->least[j] = fmin(e->least[j], values[i]);
            e->most[j] = fmax(e->most[j], values[i]);
        }
    }
    return 0;
}

static double *column_of(const effect *e, int64_t j)
{
    return e->x + (e->first + j) * e->count;
}

/* In the units of the table. */
static double original(const effect *e, int64_t j, double value)
{
    const double *means = rls2_dataset_means(e->data), *by = rls2_dataset_deviations(e->data);
    return value * (by ? by[e->first + j] : 1.0) + (means ? means[e->first + j] : 0.0);
}

/* An indicator is set where it has its larger value. */
static void set_indicators(const effect *e, int64_t from, int64_t set, int64_t row)
{
    for (int64_t j = from; j < e->width; j++)
        column_of(e, j)[row] = j == set ? e->most[j] : e->least[j];
}

static int64_t count_set(const effect *e, int64_t j)
{
    const double *values = values_of(e, j);
    int64_t count = 0;
    for (int64_t i = 0; i < e->n; i++) count += values[i] == e->most[j] && e->most[j] > e->least[j];
    return count;
}

/* ---- what is added ---- */

static int is_own(const effect *e, int64_t k)
{
    const int64_t *columns;
    int64_t count = rls2_model_kernel_columns(e->model, k, &columns);
    for (int64_t j = 0; j < count; j++)
        if (columns[j] < e->first || columns[j] >= e->first + e->width) return 0;
    return count > 0;
}

static int64_t count_own(const effect *e)
{
    int64_t count = 0;
    for (int64_t k = 0; k < rls2_model_kernel_count(e->model); k++) count += is_own(e, k);
    return count;
}

static int reserve(effect *e, int64_t count, fault *f)
{
    e->count = count;
    e->x = calloc((size_t)(count * rls2_model_columns(e->model)) + 1, sizeof *e->x);
    e->f = calloc((size_t)count + 1, sizeof *e->f);
    return e->x && e->f ? 0 : fault_memory(f);
}

static int add_up(effect *e, fault *f)
{
    rls2_error err;
    int64_t kernels = rls2_model_kernel_count(e->model);
    rls2_rows rows = {.n = e->count, .p = rls2_model_columns(e->model), .x = e->x};
    double *parts = calloc((size_t)(kernels * e->count) + 1, sizeof *parts);
    int code = parts ? 0 : fault_memory(f);
    if (!code && rls2_model_contributions(e->model, &rows, NULL, parts, &err) != RLS2_OK)
        code = fault_of(f, NULL, &err);
    for (int64_t k = 0; !code && k < kernels; k++)
        for (int64_t i = 0; is_own(e, k) && i < e->count; i++) e->f[i] += parts[k * e->count + i];
    free(parts);
    return code;
}

/* ---- numbers: a curve ---- */

static json_t *values_list(const effect *e, int64_t n, const double *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++)
        json_array_append_new(list, json_finite(original(e, 0, values[i])));
    return list;
}

static json_t *added_list(const effect *e)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < e->count; i++) json_array_append_new(list, json_finite(e->f[i]));
    return list;
}

static int along_numbers(effect *e, json_t **json, fault *f)
{
    int code = reserve(e, CURVE_POINTS, f);
    for (int64_t i = 0; !code && i < CURVE_POINTS; i++) {
        double share = (double)i / (double)(CURVE_POINTS - 1);
        column_of(e, 0)[i] = e->least[0] + (e->most[0] - e->least[0]) * share;
        set_indicators(e, 1, -1, i);
    }
    if (!code) code = add_up(e, f);
    if (!code)
        *json = json_pack("{s:o, s:o, s:o}", "x", values_list(e, e->count, column_of(e, 0)), "f",
                          added_list(e), "rug", values_list(e, e->n, values_of(e, 0)));
    return code;
}

/* ---- dates: the training rows, as month and weekday change with the day ---- */

static int along_dates(effect *e, json_t **json, fault *f)
{
    int64_t step = (e->n + MOST_ROWS - 1) / MOST_ROWS;
    int code = reserve(e, (e->n + step - 1) / step, f);
    if (code) return code;
    for (int64_t j = 0; j < e->width; j++) {
        const double *values = values_of(e, j);
        for (int64_t i = 0; i < e->count; i++) column_of(e, j)[i] = values[i * step];
    }
    code = add_up(e, f);
    json_t *rows = json_array();
    for (int64_t i = 0; !code && i < e->count; i++)
        json_array_append_new(rows,
                              json_pack("[o, o]", json_finite(original(e, 0, column_of(e, 0)[i])),
                                        json_finite(e->f[i])));
    *json = json_pack("{s:o}", "dates", rows);
    return code;
}

/* ---- categories: a number for each level ---- */

static int for_levels(effect *e, json_t **json, fault *f)
{
    int code = reserve(e, e->width, f);
    if (code) return code;
    for (int64_t i = 0; i < e->count; i++) set_indicators(e, 0, i, i);
    code = add_up(e, f);
    json_t *levels = json_array();
    for (int64_t i = 0; !code && i < e->count; i++)
        json_array_append_new(levels,
                              json_pack("{s:o, s:o, s:I}", "name",
                                        json_words(input_level(e->model, e->input, i)), "f",
                                        json_finite(e->f[i]), "rows", (json_int_t)count_set(e, i)));
    *json = json_pack("{s:o}", "levels", levels);
    return code;
}

/* ---- all of it ---- */

static int look(effect *e, json_t **json, fault *f)
{
    rls2_column_kind kind = rls2_model_input_kind(e->model, e->input);
    if (rls2_model_example_rule(e->model) != RLS2_NORMALIZE_NONE)
        *json = unavailable("rows are preprocessed, so that each input changes all columns");
    else if (count_own(e) == 0)
        *json = unavailable("no kernel looks at this input alone");
    else if (kind == RLS2_COLUMN_TEXT)
        return for_levels(e, json, f);
    else if (kind == RLS2_COLUMN_DATES)
        return along_dates(e, json, f);
    else
        return along_numbers(e, json, f);
    return 0;
}

static int draw(const rls2_model *model, const rls2_dataset *data, int64_t input, json_t **json,
                fault *f)
{
    effect e = {.model = model, .data = data, .input = input, .n = rls2_dataset_rows(data)};
    e.width = rls2_model_input_columns(model, input, &e.first);
    if (e.width == 0)
        return fault_say(f, HTTP_NONE, NULL, "the model has no input number %lld",
                         (long long)input);
    int code = find_ranges(&e, f);
    if (!code) code = look(&e, json, f);
    if (!code && *json) {
        json_object_set_new(*json, "name", json_words(rls2_model_input_name(model, input)));
        json_object_set_new(*json, "kernels", json_integer(count_own(&e)));
    }
    free(e.least);
    free(e.most);
    free(e.x);
    free(e.f);
    return code;
}

/* The rows it was trained on, made as the model makes them. */
static int training_rows(const rls2_model *model, const run_plan *p, rls2_dataset **data, fault *f)
{
    rls2_error err;
    return rls2_model_encode(model, rls2_plan_table(p->plan, RLS2_PART_TRAINING),
                             RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, data, &err) == RLS2_OK
               ? 0
               : fault_of(f, NULL, &err);
}

int run_effect(request *r, reply *answer, fault *f)
{
    run_plan p = {0};
    run *found = NULL;
    cached *model = NULL;
    const rls2_model *one = NULL;
    rls2_dataset *data = NULL;
    int code = detail_run(r, &found, f);
    if (!code) code = detail_model(r->state, found, request_index(r, 1), &model, f);
    if (!code) code = detail_output(r, model->value, &one, f);
    if (!code) code = detail_plan(r->state, found, &p, f);
    if (!code) code = training_rows(one, &p, &data, f);
    if (!code) code = draw(one, data, request_index(r, 2), &answer->json, f);
    rls2_dataset_free(data);
    run_plan_release(&p);
    cache_return(r->state->models, model);
    run_release(r->state, found);
    return code;
}
