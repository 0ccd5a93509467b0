/* What the training rows of a model count, as far as the model knows. */
#include "cli/use/show_weights.h"

#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/output.h"
#include "cli/use/show_command.h"
#include "cli/use/show_outputs.h"

/* ---- collecting ---- */

/* The class of row i: y is n x outputs, of one output negative and positive, of several positive
 * for one of them. */
static int64_t class_of_row(const rls2_model *model, const double *y, int64_t i)
{
    int64_t n = rls2_model_rows(model), outputs = rls2_model_outputs(model), k = 0;
    if (outputs == 1) return y[i] > 0.0;
    while (k + 1 < outputs && !(y[k * n + i] > 0.0)) k++;
    return k;
}

/* Weights multiplied from the same numbers may differ in the last digits. */
static int is_other(double a, double b)
{
    return fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b));
}

double *class_weights_collect(const rls2_model *model, const double *y)
{
    const double *w = rls2_model_row_weights(model);
    int64_t classes = rls2_model_class_count(model), outputs = rls2_model_outputs(model);
    if (!w || rls2_model_row_weights_column(model) || classes != (outputs == 1 ? 2 : outputs))
        return NULL;
    double *found = calloc((size_t)classes, sizeof *found);
    for (int64_t i = 0; found && i < rls2_model_rows(model); i++) {
        int64_t k = class_of_row(model, y, i);
        if (found[k] == 0.0) found[k] = w[i];
        if (!is_other(found[k], w[i])) continue;
        free(found); /* not by class, after all */
        return NULL;
    }
    return found;
}

static double sum_of_weights(const rls2_model *model)
{
    const double *w = rls2_model_row_weights(model);
    double sum = 0.0;
    for (int64_t i = 0; i < rls2_model_rows(model); i++) sum += w[i];
    return sum;
}

/* The least weight above `last`; HUGE_VAL if there is none. */
static double next_weight(const rls2_model *model, double last)
{
    const double *w = rls2_model_row_weights(model);
    double next = HUGE_VAL;
    for (int64_t i = 0; i < rls2_model_rows(model); i++)
        if (w[i] > last && is_other(w[i], last)) next = fmin(next, w[i]);
    return next;
}

/* ---- text ---- */

static void fill_number(filler *at, double value, const char *behind)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    fill_text(at, "", text, behind);
}

static void fill_class_weights(filler *at, const summary *sum)
{
    int64_t classes = rls2_model_class_count(sum->model);
    fill_text(at, "", "each row", "");
    for (int64_t k = 0; k < classes; k++) {
        fill_text(at, "of '", rls2_model_class_label(sum->model, k), k == 0 ? "' counts" : "'");
        fill_number(at, sum->class_weights[k], k == 0 ? " times," : k + 1 < classes ? "," : "");
    }
}

/* The classes of the rows are not in the model; where y cannot be told from the solution, neither
 * are they known. */
static void fill_different(filler *at, const rls2_model *model)
{
    enum { MOST = 12 };
    int shown = 0;
    double next = next_weight(model, 0.0), after;
    fill_text(at, "", "rows of different classes count differently:", "");
    for (; next < HUGE_VAL && shown < MOST; next = after, shown++) {
        after = next_weight(model, next);
        fill_number(at, next, after < HUGE_VAL ? "," : " times");
    }
    if (next < HUGE_VAL) fill_text(at, "", "...", "");
}

void show_weights(FILE *file, const summary *sum)
{
    const rls2_model *model = sum->model;
    const char *column = rls2_model_row_weights_column(model);
    if (!rls2_model_row_weights(model)) return;
    char total[48];
    filler at = filler_start(file, "row weights");
    int by_class = !column && rls2_model_is_classification(model);
    snprintf(total, sizeof total, "sum %.6g", sum_of_weights(model));
    if (column) fill_text(&at, "column '", column, "',");
    if (by_class) fill_text(&at, "", "by class,", "");
    fill_text(&at, "", total, by_class ? ":" : "");
    if (by_class && sum->class_weights)
        fill_class_weights(&at, sum);
    else if (by_class)
        fill_different(&at, model);
    fputc('\n', file);
}

/* ---- JSON ---- */

void json_weights(json *j, const summary *sum)
{
    const rls2_model *model = sum->model;
    if (!rls2_model_row_weights(model)) return;
    json_object(j, "weights");
    json_text(j, "column", rls2_model_row_weights_column(model));
    json_number(j, "sum", sum_of_weights(model));
    if (sum->class_weights) {
        json_object(j, "classes");
        for (int64_t k = 0; k < rls2_model_class_count(model); k++)
            json_number(j, rls2_model_class_label(model, k), sum->class_weights[k]);
        json_end_object(j);
    }
    json_end_object(j);
}
