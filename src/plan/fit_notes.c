/* Notes about the point that was chosen. */
#include "plan/fit_notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "select/cv.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* ---- degrees of freedom ---- */

/* From here on the training rows are reproduced, whatever they say. */
static const double NEARLY_ALL = 0.9;

static void note_interpolation(rls2_fit *fit)
{
    int64_t n = rls2_plan_row_count(fit->plan);
    double most = 0.0;
    for (int64_t o = 0; fit->made.paths && o < fit->made.outputs; o++) {
        const rls2_path_point *point = rls2_path_at(fit->made.paths[o], fit->chosen);
        if (point && point->df > most) most = point->df;
    }
    if (!(most > NEARLY_ALL * (double)n)) return;
    rls2__plan_say(fit->plan,
                   "%.4g degrees of freedom on %s: the model nearly reproduces its training rows, "
                   "so that scores on them say nothing; %s",
                   most, rls2__count_of(n, "row").text,
                   fit->cv ? "see those of left-out rows"
                           : "rows have to be left out to know more");
}

/* ---- too good to be true ---- */

/* Of left-out rows, what is left of the variance of output o; NaN where that is not known. */
static double unexplained(const rls2_fit *fit, const rls2_dataset *data, int64_t o)
{
    int64_t n = rls2_dataset_rows(data), count = 0;
    const double *f = rls2_cv_predictions(fit->cv, fit->chosen), *y = rls2_dataset_y(data);
    double mean = 0.0, rest = 0.0, all = 0.0;
    if (!f || !y) return (double)NAN;
    f += o * n;
    y += o * n;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(f[i])) mean += (y[i] - mean) / (double)++count;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(f[i])) continue;
        rest += (y[i] - f[i]) * (y[i] - f[i]);
        all += (y[i] - mean) * (y[i] - mean);
    }
    return rest / all;
}

/* Parts of a sum that is the target give it away together, where none of them does alone. One
 * input is a law, not a leak. */
static void note_exactness(rls2_fit *fit)
{
    enum { LEAST_ROWS = 20 };
    const double nearly_nothing = 1e-4;
    rls2_plan *plan = fit->plan;
    const rls2_dataset *data = plan->choosing_data ? plan->choosing_data : rls2_fit_data(fit);
    if (!fit->cv || rls2_dataset_is_classification(data) || rls2_dataset_rows(data) < LEAST_ROWS ||
        rls2_dataset_input_count(data) < 2)
        return;
    for (int64_t o = 0; o < fit->made.outputs; o++) {
        if (!(unexplained(fit, data, o) < nearly_nothing)) continue;
        rls2__plan_say(plan,
                       "left-out rows are predicted almost exactly: are columns parts of '%.60s', "
                       "or made of it? %s leaves them out",
                       rls2_dataset_output_name(data, o), NAME("drop"));
    }
}

/* ---- classes ---- */

/* A class that is predicted for less than this share of its rows is as good as never predicted. */
static const double HARDLY_EVER = 0.1;

/* What was predicted of rows whose class is known. */
typedef struct predicted {
    const rls2_dataset *data;
    int64_t outputs;
    int64_t count;     /* classes */
    const double *f;   /* rows x outputs; NaN where a row was not predicted */
    int64_t *said;     /* rows: class, -1 where it was not */
    int64_t *is, *are; /* classes: rows of it, and rows that it is predicted for */
    int64_t rows;      /* that were predicted */
    const char *which; /* "left-out", "training" */
} predicted;

static int count_classes(predicted *p)
{
    int64_t n = rls2_dataset_rows(p->data);
    const int64_t *classes = rls2_dataset_classes(p->data);
    p->said = rls2__alloc(n, sizeof *p->said);
    p->is = rls2__alloc_zero(p->count, sizeof *p->is);
    p->are = rls2__alloc_zero(p->count, sizeof *p->are);
    if (!p->said || !p->is || !p->are) return 0;
    rls2_decide(p->outputs, n, p->f, p->said);
    for (int64_t i = 0; i < n; i++) {
        if (p->said[i] < 0) continue;
        p->rows++;
        p->is[classes[i]]++;
        p->are[p->said[i]]++;
    }
    return 1;
}

/* Of a row, with its class: 1 for the second of two. */
typedef struct scored {
    double f;
    int64_t is;
} scored;

static int ascending(const void *a, const void *b)
{
    double u = ((const scored *)a)->f, v = ((const scored *)b)->f;
    return u < v ? -1 : u > v;
}

/* The threshold halfway between two scores with the best balanced accuracy, which is returned; NaN
 * where there is no memory. */
static double best_threshold(const predicted *p, double *threshold)
{
    int64_t n = rls2_dataset_rows(p->data), count = 0, below[2] = {0, 0};
    double best = 0.5;
    scored *list = rls2__alloc(n, sizeof *list);
    if (!list) return (double)NAN;
    for (int64_t i = 0; i < n; i++)
        if (p->said[i] >= 0) list[count++] = (scored){p->f[i], rls2_dataset_classes(p->data)[i]};
    qsort(list, (size_t)count, sizeof *list, ascending);
    for (int64_t i = 0; i + 1 < count; i++) {
        below[list[i].is]++;
        if (!(list[i].f < list[i + 1].f)) continue;
        double low = (double)below[0] / (double)p->is[0],
               high = 1.0 - (double)below[1] / (double)p->is[1];
        if (!((low + high) / 2.0 > best)) continue;
        best = (low + high) / 2.0;
        *threshold = list[i].f / 2.0 + list[i + 1].f / 2.0;
    }
    rls2__free(list);
    return best;
}

static void note_threshold(rls2_plan *plan, const predicted *p)
{
    double threshold = 0.0, accuracy = best_threshold(p, &threshold);
    char option[48] = "";
    /* by chance alone the best of all thresholds is better than 0.5 */
    double chance = sqrt(0.0625 / (double)p->is[0] + 0.0625 / (double)p->is[1]);
    if (!(accuracy > 0.5 + 2.0 * chance)) return;
    if (plan->voice == RLS2_VOICE_COMMAND)
        snprintf(option, sizeof option, " (predict --threshold %.3g)", threshold);
    rls2__plan_say(plan,
                   "with '%.60s' from a score of %.3g on%s the balanced accuracy of %s rows would "
                   "be %.3f",
                   rls2_dataset_class_label(p->data, 1), threshold, option, p->which, accuracy);
}

static void note_help(rls2_plan *plan)
{
    char weights[64] = "";
    if (!plan->asked.class_weights)
        snprintf(weights, sizeof weights, "%s balanced and ", NAME("class-weights"));
    rls2__plan_say(plan, "%s%s balanced-accuracy (or auc) let rare classes count", weights,
                   NAME("measure"));
}

/* Of two classes the one that is hardly ever predicted; -1: none. */
static int64_t forgotten(const predicted *p)
{
    for (int64_t k = 0; k < 2; k++)
        if (p->is[k] > 0 && p->is[1 - k] > 0 && (double)p->are[k] < HARDLY_EVER * (double)p->is[k])
            return k;
    return -1;
}

static void note_two(rls2_plan *plan, const predicted *p)
{
    int64_t k = forgotten(p);
    if (k < 0) return;
    if (p->are[k] == 0)
        rls2__plan_say(plan,
                       "warning: every one of the %" PRId64
                       " %s rows is predicted as '%.60s', though %" PRId64 " are '%.60s'",
                       p->rows, p->which, rls2_dataset_class_label(p->data, 1 - k), p->is[k],
                       rls2_dataset_class_label(p->data, k));
    else
        rls2__plan_say(
            plan,
            "warning: %" PRId64 " of the %" PRId64 " %s rows are predicted as '%.60s', though "
            "%" PRId64 " are",
            p->are[k], p->rows, p->which, rls2_dataset_class_label(p->data, k), p->is[k]);
    note_help(plan);
    note_threshold(plan, p);
}

/* More than two: all rows as one of them. */
static void note_several(rls2_plan *plan, const predicted *p)
{
    for (int64_t k = 0; k < p->count; k++) {
        if (p->are[k] < p->rows || p->is[k] == p->rows) continue;
        rls2__plan_say(plan,
                       "warning: every one of the %" PRId64
                       " %s rows is predicted as '%.60s', though %" PRId64 " are of other classes",
                       p->rows, p->which, rls2_dataset_class_label(p->data, k), p->rows - p->is[k]);
        note_help(plan);
    }
}

/* Left-out rows, where there were any; else those of a model that was made. NULL: none. */
static double *find_predictions(rls2_fit *fit, predicted *p)
{
    const rls2_plan *plan = fit->plan;
    double *own = NULL;
    if (fit->cv) {
        p->data = plan->choosing_data ? plan->choosing_data : rls2_fit_data(fit);
        p->f = rls2_cv_predictions(fit->cv, fit->chosen);
        p->which = "left-out";
    } else if (fit->model) {
        p->data = rls2_fit_data(fit);
        own = rls2__alloc(rls2__mul(rls2_dataset_rows(p->data), fit->made.outputs), sizeof *own);
        if (own && rls2_fit_predict(fit, fit->chosen, RLS2_PART_TRAINING, own, NULL) == RLS2_OK)
            p->f = own;
        p->which = "training";
    }
    return own;
}

static void note_classes(rls2_fit *fit)
{
    predicted p = {.outputs = rls2_fit_outputs(fit)};
    if (!rls2_dataset_is_classification(rls2_fit_data(fit))) return;
    double *own = find_predictions(fit, &p);
    p.count = p.data ? rls2_dataset_class_count(p.data) : 0;
    if (p.f && count_classes(&p) && p.rows > 0) {
        if (p.count == 2) note_two(fit->plan, &p);
        if (p.count > 2) note_several(fit->plan, &p);
    }
    rls2__free(p.said);
    rls2__free(p.is);
    rls2__free(p.are);
    rls2__free(own);
}

void rls2__fit_note(rls2_fit *fit)
{
    if (fit->chosen < 0) return;
    note_interpolation(fit);
    note_exactness(fit);
    note_classes(fit);
}
