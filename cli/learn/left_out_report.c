/* Predictions of left-out rows as JSON, from which 'rls2 plot' draws how good classes and their
 * probabilities are. */
#include "cli/learn/left_out_report.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 100000 };

/* The rows that some split left out: the first so many of `rows`. NULL when out of memory. */
static int64_t *predicted_rows(const rls2_cv *cv, const double *f, int64_t *count)
{
    int64_t n = rls2_cv_rows(cv), *rows = calloc((size_t)n + 1, sizeof *rows);
    *count = 0;
    for (int64_t i = 0; rows && i < n; i++)
        if (!isnan(f[i])) rows[(*count)++] = i;
    return rows;
}

static void json_values(json *j, const char *key, int64_t count, const int64_t *rows,
                        const double *values)
{
    json_array(j, key);
    for (int64_t t = 0; t < count; t++) json_number(j, NULL, values[rows[t]]);
    json_end_array(j);
}

static void json_labels(json *j, const rls2_dataset *data)
{
    json_array(j, "classes");
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++)
        json_text(j, NULL, rls2_dataset_class_label(data, k));
    json_end_array(j);
}

/* The number of the class in that list. */
static void json_observed(json *j, const rls2_dataset *data, int64_t count, const int64_t *rows)
{
    json_array(j, "class");
    for (int64_t t = 0; t < count; t++) json_integer(j, NULL, rls2_dataset_classes(data)[rows[t]]);
    json_end_array(j);
}

/* One list for each class. */
static void json_probabilities(json *j, rls2_loss loss, const rls2_cv *cv, const double *f,
                               int64_t count, const int64_t *rows)
{
    int64_t outputs = rls2_cv_outputs(cv), classes = outputs > 1 ? outputs : 2;
    double *said = calloc((size_t)(count * outputs) + 1, sizeof *said),
           *p = calloc((size_t)(count * classes) + 1, sizeof *p);
    for (int64_t t = 0; said && t < count * outputs; t++)
        said[t] = f[t / count * rls2_cv_rows(cv) + rows[t % count]];
    if (said && p && rls2_loss_probabilities(loss, outputs, count, said, p, NULL) == RLS2_OK) {
        json_array(j, "probabilities");
        for (int64_t k = 0; k < classes; k++) {
            json_array(j, NULL);
            for (int64_t t = 0; t < count; t++) json_number(j, NULL, p[k * count + t]);
            json_end_array(j);
        }
        json_end_array(j);
    }
    free(said);
    free(p);
}

void json_left_out_rows(json *j, const settings *s, const rls2_cv *cv)
{
    const rls2_dataset *data = rls2_plan_split_data(s->plan);
    const double *f = rls2_cv_predictions(cv, rls2_cv_min(cv)), *w = rls2_dataset_row_weights(data);
    int64_t n = rls2_cv_rows(cv), count = 0;
    if (!f || n > MOST_ROWS || !rls2_dataset_is_classification(data)) return;
    int64_t *rows = predicted_rows(cv, f, &count);
    if (rows && count > 0) {
        json_object(j, "left_out");
        json_number(j, "lambda", rls2_cv_at(cv, rls2_cv_min(cv))->lambda);
        json_labels(j, data);
        json_observed(j, data, count, rows);
        if (w) json_values(j, "weights", count, rows, w);
        json_array(j, "scores");
        for (int64_t o = 0; o < rls2_cv_outputs(cv); o++)
            json_values(j, NULL, count, rows, f + o * n);
        json_end_array(j);
        if (rls2_loss_has_probabilities(rls2_plan_loss(s->plan)))
            json_probabilities(j, rls2_plan_loss(s->plan), cv, f, count, rows);
        json_end_object(j);
    }
    free(rows);
}
