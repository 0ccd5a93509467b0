/* Finds the targets in a table, and scores. A label that is none of the classes is wrong by
 * accuracy, and not counted by other measures: as 'rls2 predict' does. */
#include "gui/server/row_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/model_description.h"
#include "gui/server/scores.h"
#include "gui/server/table_columns.h"

typedef struct truth {
    const rls2_model *model;
    const rls2_table *table;
    const seen *s;
    int64_t targets;
    int64_t *column; /* of each target */
    double *y;       /* n x outputs; NaN where it is not known */
    int64_t strangers;
} truth;

static const char *target_name(const truth *t, int64_t i)
{
    return model_has_targets(t->model) ? rls2_model_output_name(t->model, i)
                                       : rls2_model_target(t->model);
}

/* 1 where the table has every target. */
static int find_columns(const truth *t)
{
    for (int64_t i = 0; i < t->targets; i++) {
        const char *name = target_name(t, i);
        t->column[i] = name ? rls2_table_find(t->table, name) : -1;
        if (t->column[i] < 0) return 0;
    }
    return 1;
}

static int is_missing(const truth *t, int64_t row)
{
    return !*rls2_table_cell(t->table, row, t->column[0]) &&
           isnan(rls2_table_value(t->table, row, t->column[0]));
}

/* +1 in the output of its class and -1 in others. */
static void take_class(truth *t, int64_t i, int64_t row)
{
    int64_t class = -1, count = rls2_model_class_count(t->model);
    if (is_missing(t, row)) return;
    for (int64_t k = 0; k < count && class < 0; k++)
        if (rls2_table_holds(t->table, row, t->column[0], rls2_model_class_label(t->model, k)))
            class = k;
    t->strangers += class < 0;
    for (int64_t o = 0; class >= 0 && o < t->s->outputs; o++)
        t->y[o * t->s->n + i] = class == (t->s->outputs == 1 ? 1 : o) ? 1.0 : -1.0;
}

static void take_numbers(truth *t, int64_t i, int64_t row)
{
    for (int64_t o = 0; o < t->s->outputs; o++) {
        int64_t at = t->targets > 1 ? o : 0;
        t->y[o * t->s->n + i] = rls2_model_target_value(t->model, at, t->table, row, t->column[at]);
    }
}

static void take_all(truth *t)
{
    for (int64_t i = 0; i < t->s->n * t->s->outputs; i++) t->y[i] = (double)NAN;
    for (int64_t i = 0; i < t->s->n; i++) {
        int64_t row = rls2_dataset_source_row(t->s->data, i);
        if (t->s->classes)
            take_class(t, i, row);
        else
            take_numbers(t, i, row);
    }
}

static int is_known(const truth *t, int64_t i)
{
    for (int64_t o = 0; o < t->s->outputs; o++)
        if (isnan(t->y[o * t->s->n + i])) return 0;
    return 1;
}

/* The known rows alone, of predictions and truth: how many. */
static int64_t keep_known(const truth *t, double *f, double *y)
{
    int64_t known = 0, at = 0, n = t->s->n;
    for (int64_t i = 0; i < n; i++) known += is_known(t, i);
    for (int64_t o = 0; o < t->s->outputs; o++)
        for (int64_t i = 0; i < n; i++)
            if (is_known(t, i)) {
                f[at] = t->s->said[o * n + i];
                y[at++] = t->y[o * n + i];
            }
    return known;
}

static void count_strangers(const truth *t, int64_t known, json_t *scores)
{
    const json_t *accuracy = json_object_get(scores, "accuracy"),
                 *errors = json_object_get(scores, "errors");
    double all = (double)(known + t->strangers), share = (double)known / all;
    if (t->strangers == 0) return;
    if (json_is_number(accuracy))
        json_object_set_new(scores, "accuracy", json_real(json_number_value(accuracy) * share));
    if (json_is_number(errors))
        json_object_set_new(scores, "errors",
                            json_real(json_number_value(errors) + (double)t->strangers));
}

static void add_score(const truth *t, const rls2_loss *losses, const double *f, const double *y,
                      int64_t known, json_t *answer)
{
    int classes = t->s->classes != NULL;
    rls2_measure measure = rls2_measure_default_for(losses[0], classes, t->s->outputs);
    scored_rows rows = {
        .classes = classes, .outputs = t->s->outputs, .n = known, .losses = losses, .f = f, .y = y};
    json_t *scores = json_scores(&rows);
    count_strangers(t, known, scores);
    json_object_set_new(answer, "score",
                        json_pack("{s:s, s:b, s:o, s:I, s:I}", "measure",
                                  rls2_measure_name(measure), "rises", rls2_measure_rises(measure),
                                  "scores", scores, "rows", (json_int_t)(known + t->strangers),
                                  "strangers", (json_int_t)t->strangers));
    if (classes)
        json_object_set_new(answer, "confusion",
                            json_pack("{s:o, s:o}", "classes", model_labels(t->model), "counts",
                                      json_confusion(t->s->outputs, known, f, y)));
}

static int score(const truth *t, json_t *answer, fault *f)
{
    size_t values = (size_t)(t->s->n * t->s->outputs);
    double *both = calloc(2 * values + 1, sizeof *both);
    rls2_loss *losses = calloc((size_t)t->s->outputs + 1, sizeof *losses);
    int code = both && losses ? 0 : fault_memory(f);
    for (int64_t o = 0; !code && o < t->s->outputs; o++)
        losses[o] = rls2_model_loss(rls2_model_output(t->model, o));
    if (!code) {
        int64_t known = keep_known(t, both, both + values);
        if (known > 0) add_score(t, losses, both, both + values, known, answer);
    }
    free(both);
    free(losses);
    return code;
}

int add_truth(const rls2_model *model, const rls2_table *table, const seen *s, int64_t shown,
              json_t *answer, fault *f)
{
    truth t = {.model = model, .table = table, .s = s};
    t.targets = model_has_targets(model) ? s->outputs : 1;
    t.column = calloc((size_t)t.targets + 1, sizeof *t.column);
    t.y = calloc((size_t)(s->n * s->outputs) + 1, sizeof *t.y);
    int code = t.column && t.y ? 0 : fault_memory(f);
    if (!code && find_columns(&t)) {
        take_all(&t);
        json_object_set_new(answer, "actual", json_columns(shown, s->n, s->outputs, t.y));
        code = score(&t, answer, f);
    }
    free(t.column);
    free(t.y);
    return code;
}
