/* The rows of a run as the model of one lambda sees them: what they are, what it says of them, and
 * of classes how probable each is. */
#include <math.h>
#include <stdlib.h>

#include "gui/server/detail.h"
#include "gui/server/model_description.h"
#include "gui/server/scores.h"
#include "gui/server/table_columns.h"

typedef struct part {
    const char *name, *value; /* "train" and "fitted" */
    int64_t n, outputs;
    double *f;             /* n x outputs, on the scale of the loss */
    const double *y;       /* n x outputs */
    const double *weights; /* n; NULL: each row counts once */
} part;

/* ---- lists ---- */

/* A list for each class; NULL where the loss knows none. */
static json_t *probabilities_of(const rls2_model *model, const part *p)
{
    int64_t classes = rls2_model_class_count(model);
    if (!rls2_loss_has_probabilities(rls2_model_loss(model)) || classes < 2) return NULL;
    double *each = calloc((size_t)(p->n * classes) + 1, sizeof *each);
    json_t *list = each && rls2_model_probabilities(model, p->n, p->f, each, NULL) == RLS2_OK
                       ? json_columns(p->n, p->n, classes, each)
                       : NULL;
    free(each);
    return list;
}

/* f is on the scale of the response afterwards. */
static void add_part(const rls2_model *model, json_t *detail, json_t *confusion, const part *p)
{
    json_t *probabilities = probabilities_of(model, p);
    if (confusion)
        json_object_set_new(confusion, p->name, json_confusion(p->outputs, p->n, p->f, p->y));
    rls2_model_respond(model, p->n, p->f);
    json_t *rows = json_pack("{s:o, s:o}", "actual", json_columns(p->n, p->n, p->outputs, p->y),
                             p->value, json_columns(p->n, p->n, p->outputs, p->f));
    if (probabilities) json_object_set_new(rows, "probabilities", probabilities);
    if (p->weights) json_object_set_new(rows, "weights", json_numbers(p->n, p->weights));
    json_object_set_new(detail, p->name, rows);
}

/* ---- which rows they are ---- */

/* Where a row of the table of a part stands in the file it is of, from 1. */
static int64_t number_of(const rls2_plan *plan, rls2_part of, int64_t row)
{
    const int64_t *rows;
    int64_t own = rls2_plan_rows(plan, of, &rows);
    return (row < own ? rows[row] : row) + 1;
}

/* Adds them to the rows of that name. */
static void add_numbers(const rls2_plan *plan, rls2_part of, const rls2_dataset *data,
                        const char *name, json_t *detail)
{
    json_t *numbers = json_array();
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++)
        json_array_append_new(numbers,
                              json_integer(number_of(plan, of, rls2_dataset_source_row(data, i))));
    json_object_set_new(json_object_get(detail, name), "rows", numbers);
}

/* Of those that some split left out: validation rows, which stand below the training rows, or
 * training rows. */
static json_t *left_out_numbers(const rls2_plan *plan, const double *f)
{
    const rls2_dataset *data = rls2_plan_split_data(plan);
    int apart = rls2_plan_table(plan, RLS2_PART_VALIDATION) != NULL;
    int64_t above = apart ? rls2_table_rows(rls2_plan_table(plan, RLS2_PART_TRAINING)) : 0;
    json_t *numbers = json_array();
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) {
        int64_t row = rls2_dataset_source_row(data, i);
        rls2_part of = apart && row >= above ? RLS2_PART_VALIDATION : RLS2_PART_TRAINING;
        if (of == RLS2_PART_VALIDATION) row -= above;
        if (!isnan(f[i])) json_array_append_new(numbers, json_integer(number_of(plan, of, row)));
    }
    return numbers;
}

/* ---- training rows and test rows ---- */

/* Rows of a table as the model sees them, and what it says about them. */
static int add_predicted(const rls2_model *model, const rls2_table *table, const char *name,
                         json_t *detail, json_t *confusion, rls2_dataset **data, fault *f)
{
    rls2_error err;
    if (rls2_model_encode(model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, data, &err) !=
        RLS2_OK)
        return fault_of(f, NULL, &err);
    rls2_rows rows = {.n = rls2_dataset_rows(*data),
                      .p = rls2_dataset_columns(*data),
                      .x = rls2_dataset_x(*data)};
    part p = {.name = name,
              .value = "fitted",
              .n = rows.n,
              .outputs = rls2_model_outputs(model),
              .y = rls2_dataset_y(*data),
              .weights = rls2_dataset_row_weights(*data)};
    p.f = calloc((size_t)(p.n * p.outputs) + 1, sizeof *p.f);
    if (!p.f) return fault_memory(f);
    rls2_status status = rls2_model_predict(model, &rows, NULL, p.f, &err);
    if (status == RLS2_OK) add_part(model, detail, confusion, &p);
    free(p.f);
    return status == RLS2_OK ? 0 : fault_of(f, NULL, &err);
}

/* ---- rows left out ---- */

/* `to` = the rows of `from` that some split left out, each of `count` columns of n; returns how
 * many. */
static int64_t keep_left_out(int64_t n, int64_t count, const double *f, const double *from,
                             double *to)
{
    int64_t kept = 0, t = 0;
    for (int64_t i = 0; i < n; i++) kept += !isnan(f[i]);
    for (int64_t o = 0; o < count; o++)
        for (int64_t i = 0; i < n; i++)
            if (!isnan(f[i])) to[t++] = from[o * n + i];
    return kept;
}

static int add_left_out(state *s, const run *found, const run_plan *plan, int64_t i,
                        const rls2_model *model, json_t *detail, json_t *confusion, fault *f)
{
    const rls2_dataset *data = rls2_plan_split_data(plan->plan);
    const double *weights = rls2_dataset_row_weights(data);
    int64_t n = rls2_dataset_rows(data), outputs = run_plan_outputs(plan), size = n * outputs;
    double *said = NULL;
    int code = detail_left_out(s, found, i, n, outputs, &said, f);
    double *kept = said ? calloc((size_t)(2 * size + n) + 1, sizeof *kept) : NULL;
    if (!code && said && !kept) code = fault_memory(f);
    if (!code && said) {
        part left = {.name = "left_out", .value = "predicted", .outputs = outputs, .f = kept};
        left.n = keep_left_out(n, outputs, said, said, kept);
        keep_left_out(n, outputs, said, rls2_dataset_y(data), kept + size);
        if (weights) keep_left_out(n, 1, said, weights, kept + 2 * size);
        left.y = kept + size;
        left.weights = weights ? kept + 2 * size : NULL;
        add_part(model, detail, confusion, &left);
        json_object_set_new(json_object_get(detail, "left_out"), "rows",
                            left_out_numbers(plan->plan, said));
    }
    free(kept);
    free(said);
    return code;
}

/* ---- all of them ---- */

int detail_rows(state *s, const run *found, const run_plan *p, int64_t i, const rls2_model *model,
                json_t *detail, rls2_dataset **train, fault *f)
{
    rls2_dataset *test = NULL;
    json_t *confusion = rls2_model_is_classification(model)
                            ? json_pack("{s:o}", "classes", model_labels(model))
                            : NULL;
    const rls2_table *train_table = rls2_plan_table(p->plan, RLS2_PART_TRAINING),
                     *test_table = rls2_plan_table(p->plan, RLS2_PART_TEST);
    int code = add_predicted(model, train_table, "train", detail, confusion, train, f);
    if (!code) add_numbers(p->plan, RLS2_PART_TRAINING, *train, "train", detail);
    if (!code && test_table)
        code = add_predicted(model, test_table, "test", detail, confusion, &test, f);
    if (!code && test_table) add_numbers(p->plan, RLS2_PART_TEST, test, "test", detail);
    if (!code) code = add_left_out(s, found, p, i, model, detail, confusion, f);
    if (!code && confusion) json_object_set(detail, "confusion", confusion);
    json_decref(confusion);
    rls2_dataset_free(test);
    return code;
}
