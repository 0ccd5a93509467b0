/* The rows of a run as the model of one lambda sees them: what they are, what it says of them, and
 * of classes how probable each is. */
#include <math.h>
#include <stdlib.h>

#include "gui/server/detail.h"
#include "gui/server/table_columns.h"

typedef struct part {
    const char *name, *value; /* "train" and "fitted" */
    int64_t n, outputs;
    double *f;             /* n x outputs, on the scale of the loss */
    const double *y;       /* n x outputs */
    const double *weights; /* n; NULL: each row counts once */
} part;

/* ---- lists ---- */

static json_t *numbers(int64_t n, const double *values)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n; i++) json_array_append_new(list, json_finite(values[i]));
    return list;
}

/* A list for each column. */
static json_t *columns_of(int64_t n, int64_t count, const double *values)
{
    json_t *all = json_array();
    for (int64_t o = 0; o < count; o++) json_array_append_new(all, numbers(n, values + o * n));
    return all;
}

static json_t *confusion_of(const part *p)
{
    int64_t classes = p->outputs > 1 ? p->outputs : 2;
    int64_t *counts = calloc((size_t)(classes * classes) + 1, sizeof *counts);
    json_t *table = json_array();
    if (counts) rls2_confusion(p->outputs, p->n, p->f, p->y, counts);
    for (int64_t a = 0; counts && a < classes; a++) {
        json_t *row = json_array();
        for (int64_t b = 0; b < classes; b++)
            json_array_append_new(row, json_integer(counts[a * classes + b]));
        json_array_append_new(table, row);
    }
    free(counts);
    return table;
}

/* A list for each class; NULL where the loss knows none. */
static json_t *probabilities_of(const rls2_model *model, const part *p)
{
    int64_t classes = rls2_model_class_count(model);
    if (!rls2_loss_has_probabilities(rls2_model_loss(model)) || classes < 2) return NULL;
    double *each = calloc((size_t)(p->n * classes) + 1, sizeof *each);
    json_t *list = each && rls2_model_probabilities(model, p->n, p->f, each, NULL) == RLS2_OK
                       ? columns_of(p->n, classes, each)
                       : NULL;
    free(each);
    return list;
}

/* f is on the scale of the response afterwards. */
static void add_part(const rls2_model *model, json_t *detail, json_t *confusion, const part *p)
{
    json_t *probabilities = probabilities_of(model, p);
    if (confusion) json_object_set_new(confusion, p->name, confusion_of(p));
    rls2_model_respond(model, p->n, p->f);
    json_t *rows = json_pack("{s:o, s:o}", "actual", columns_of(p->n, p->outputs, p->y), p->value,
                             columns_of(p->n, p->outputs, p->f));
    if (probabilities) json_object_set_new(rows, "probabilities", probabilities);
    if (p->weights) json_object_set_new(rows, "weights", numbers(p->n, p->weights));
    json_object_set_new(detail, p->name, rows);
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
    }
    free(kept);
    free(said);
    return code;
}

/* ---- all of them ---- */

static json_t *labels_of(const rls2_model *model)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < rls2_model_class_count(model); k++)
        json_array_append_new(list, json_words(rls2_model_class_label(model, k)));
    return list;
}

int detail_rows(state *s, const run *found, const run_plan *p, int64_t i, const rls2_model *model,
                json_t *detail, rls2_dataset **train, fault *f)
{
    rls2_dataset *test = NULL;
    json_t *confusion = rls2_model_is_classification(model)
                            ? json_pack("{s:o}", "classes", labels_of(model))
                            : NULL;
    const rls2_table *train_table = rls2_plan_table(p->plan, RLS2_PART_TRAINING),
                     *test_table = rls2_plan_table(p->plan, RLS2_PART_TEST);
    int code = add_predicted(model, train_table, "train", detail, confusion, train, f);
    if (!code && test_table)
        code = add_predicted(model, test_table, "test", detail, confusion, &test, f);
    if (!code) code = add_left_out(s, found, p, i, model, detail, confusion, f);
    if (!code && confusion) json_object_set(detail, "confusion", confusion);
    json_decref(confusion);
    rls2_dataset_free(test);
    return code;
}
