/* How good predictions are. Public functions of rls2/select.h: there is nothing internal to them.
 *
 * A row whose prediction or response is not a number is neither right nor wrong: no count of the confusion has
 * it, and every measure is NaN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "kernel/dictionary_parse.h"
#include "rls2/select.h"

static const struct {
    const char *name;
    int rises;
    int is_for_classes;
} measures[] = {
    [RLS2_MEASURE_RMSE] = {"rmse", 0, 0},
    [RLS2_MEASURE_MSE] = {"mse", 0, 0},
    [RLS2_MEASURE_MAE] = {"mae", 0, 0},
    [RLS2_MEASURE_R2] = {"r2", 1, 0},
    [RLS2_MEASURE_ACCURACY] = {"accuracy", 1, 1},
    [RLS2_MEASURE_BALANCED_ACCURACY] = {"balanced-accuracy", 1, 1},
    [RLS2_MEASURE_AUC] = {"auc", 1, 1},
    [RLS2_MEASURE_ERRORS] = {"errors", 0, 1},
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static int is_known(rls2_measure measure)
{
    return (int)measure >= 0 && (int)measure < MEASURES;
}

const char *rls2_measure_name(rls2_measure measure)
{
    return is_known(measure) ? measures[measure].name : NULL;
}

int rls2_measure_rises(rls2_measure measure)
{
    return is_known(measure) && measures[measure].rises;
}

int rls2_measure_is_for_classes(rls2_measure measure)
{
    return is_known(measure) && measures[measure].is_for_classes;
}

static rls2_status unknown_measure(const char *name, rls2_error *err)
{
    int64_t length = (int64_t)strlen(name);
    rls2__suggestion near = rls2__suggestion_start(name, length);
    for (int i = 0; i < MEASURES; i++) rls2__suggestion_try(&near, measures[i].name);
    return rls2__fail(err, RLS2_ERR_NAME, "unknown measure '%s'%s", rls2__clip(name, length).text,
                      near.best ? rls2__suggestion_text(&near).text
                                : "; there are rmse, mse, mae, r2, accuracy, balanced-accuracy, auc, errors");
}

rls2_status rls2_measure_find(const char *name, rls2_measure *measure, rls2_error *err)
{
    if (!name) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the name of the measure is NULL");
    if (!measure) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the measure is NULL");
    for (int i = 0; i < MEASURES; i++) {
        if (strcmp(name, measures[i].name) != 0) continue;
        *measure = (rls2_measure)i;
        return RLS2_OK;
    }
    return unknown_measure(name, err);
}

/* ---- errors in numbers ---- */

static double squared_errors(int64_t n, const double *f, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (y[i] - f[i]) * (y[i] - f[i]);
    return sum;
}

static double absolute_errors(int64_t n, const double *f, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += fabs(y[i] - f[i]);
    return sum;
}

/* Compared, not computed: the mean of equal numbers may round to another one. */
static int is_constant(int64_t n, const double *y)
{
    for (int64_t i = 1; i < n; i++)
        if (y[i] != y[0]) return 0;
    return 1;
}

static double r_squared(int64_t n, const double *f, const double *y)
{
    double mean = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) mean += y[i];
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++) total += (y[i] - mean) * (y[i] - mean);
    if (is_constant(n, y) || !(isfinite(total) && total > 0.0)) return (double)NAN;
    return 1.0 - squared_errors(n, f, y) / total;
}

/* ---- two classes ---- */

void rls2_confusion(int64_t outputs, int64_t n, const double *f, const double *y, int64_t *counts)
{
    if (!counts || outputs != 1) return;
    memset(counts, 0, 4 * sizeof counts[0]);
    if (!f || !y) return;
    for (int64_t i = 0; i < n; i++)
        if (!isnan(f[i]) && !isnan(y[i])) counts[2 * (y[i] > 0.0) + (f[i] >= 0.0)]++;
}

/* Of the classes that occur. */
static double balanced_accuracy(const int64_t counts[4])
{
    int64_t negatives = counts[0] + counts[1], positives = counts[2] + counts[3];
    double right_negatives = negatives > 0 ? (double)counts[0] / (double)negatives : 0.0;
    double right_positives = positives > 0 ? (double)counts[3] / (double)positives : 0.0;
    return (right_negatives + right_positives) / ((negatives > 0) + (positives > 0));
}

typedef struct scored {
    double f;
    int is_positive;
} scored;

static int by_score(const void *a, const void *b)
{
    double x = ((const scored *)a)->f, y = ((const scored *)b)->f;
    return x < y ? -1 : x > y;
}

/* Pairs of a positive and a negative row in which the positive has the larger f, ties half, from rows in
 * ascending order of f. Halves add up without rounding, so the order within ties does not matter. */
static double sorted_wins(int64_t n, const scored *rows)
{
    double wins = 0.0, below = 0.0;
    for (int64_t i = 0; i < n;) {
        double positives = 0.0, negatives = 0.0, f = rows[i].f;
        for (; i < n && rows[i].f == f; i++) {
            if (rows[i].is_positive)
                positives++;
            else
                negatives++;
        }
        wins += positives * (below + 0.5 * negatives);
        below += negatives;
    }
    return wins;
}

/* The same without a copy of the rows to sort: slow, for when memory is short. */
static double counted_wins(int64_t n, const double *f, const double *y)
{
    double wins = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!(y[i] > 0.0)) continue;
        for (int64_t j = 0; j < n; j++)
            if (!(y[j] > 0.0)) wins += f[i] > f[j] ? 1.0 : f[i] == f[j] ? 0.5 : 0.0;
    }
    return wins;
}

static double auc(int64_t n, const double *f, const double *y, const int64_t counts[4])
{
    double negatives = (double)(counts[0] + counts[1]), positives = (double)(counts[2] + counts[3]), wins;
    if (!(negatives > 0.0 && positives > 0.0)) return (double)NAN;
    scored *rows = rls2__alloc(n, sizeof *rows);
    if (rows) {
        for (int64_t i = 0; i < n; i++) rows[i] = (scored){f[i], y[i] > 0.0};
        qsort(rows, (size_t)n, sizeof *rows, by_score);
        wins = sorted_wins(n, rows);
        rls2__free(rows);
    } else {
        wins = counted_wins(n, f, y);
    }
    return wins / (negatives * positives);
}

static double class_value(rls2_measure measure, int64_t n, const double *f, const double *y)
{
    int64_t counts[4];
    rls2_confusion(1, n, f, y, counts);
    int64_t wrong = counts[1] + counts[2], right = counts[0] + counts[3];
    if (right + wrong != n) return (double)NAN;
    if (measure == RLS2_MEASURE_ERRORS) return (double)wrong;
    if (measure == RLS2_MEASURE_ACCURACY) return (double)right / (double)n;
    if (measure == RLS2_MEASURE_BALANCED_ACCURACY) return balanced_accuracy(counts);
    return auc(n, f, y, counts);
}

double rls2_measure_value(rls2_measure measure, int64_t outputs, int64_t n, const double *f, const double *y,
                          const double *w)
{
    if (!is_known(measure) || n < 1 || !f || !y || outputs != 1 || w) return (double)NAN;
    if (rls2_measure_is_for_classes(measure)) return class_value(measure, n, f, y);
    if (measure == RLS2_MEASURE_R2) return r_squared(n, f, y);
    if (measure == RLS2_MEASURE_MAE) return absolute_errors(n, f, y) / (double)n;
    double mse = squared_errors(n, f, y) / (double)n;
    return measure == RLS2_MEASURE_RMSE ? sqrt(mse) : mse;
}
