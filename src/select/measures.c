/* How good predictions are. Public functions of rls2/select.h: there is nothing internal to them.
 *
 * A row whose prediction or response is not a number is neither right nor wrong: no count of the
 * confusion has it, and every measure is NaN. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/suggest.h"
#include "dictionary/dictionary_parse.h"
#include "dictionary/dictionary_text.h"
#include "model/decide.h"
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
    [RLS2_MEASURE_LOG_LOSS] = {"log-loss", 0, 1},
    [RLS2_MEASURE_BRIER] = {"brier", 0, 1},
    [RLS2_MEASURE_PINBALL] = {"pinball", 0, 0},
    [RLS2_MEASURE_DEVIANCE] = {"deviance", 0, 0},
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

rls2_measure rls2_measure_default(int classification, int64_t outputs)
{
    if (classification) return RLS2_MEASURE_ACCURACY;
    return outputs > 1 ? RLS2_MEASURE_R2 : RLS2_MEASURE_RMSE;
}

rls2_measure rls2_measure_default_for(rls2_loss loss, int classification, int64_t outputs)
{
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC:
    case RLS2_LOSS_MULTINOMIAL: return RLS2_MEASURE_LOG_LOSS;
    case RLS2_LOSS_QUANTILE: return RLS2_MEASURE_PINBALL;
    case RLS2_LOSS_POISSON: return RLS2_MEASURE_DEVIANCE;
    case RLS2_LOSS_HUBER:
    case RLS2_LOSS_EPSILON:
    case RLS2_LOSS_ABSOLUTE: return RLS2_MEASURE_MAE;
    default: return rls2_measure_default(classification, outputs);
    }
}

int rls2_measure_fits(rls2_measure measure, rls2_loss loss)
{
    if (measure == RLS2_MEASURE_LOG_LOSS || measure == RLS2_MEASURE_BRIER)
        return rls2_loss_has_probabilities(loss);
    if (measure == RLS2_MEASURE_PINBALL) return loss.kind == RLS2_LOSS_QUANTILE;
    if (measure == RLS2_MEASURE_DEVIANCE) return loss.kind == RLS2_LOSS_POISSON;
    return is_known(measure);
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
    return rls2__fail(
        err, RLS2_ERR_NAME, "unknown measure '%s'%s", rls2__clip(name, length).text,
        near.best ? rls2__suggestion_text(&near).text
                  : "; there are rmse, mse, mae, r2, accuracy, balanced-accuracy, auc, errors, "
                    "log-loss, brier, pinball, deviance");
}

rls2_status rls2_measure_find(const char *name, rls2_measure *measure, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (!measure) return rls2__fail_null(err, "measure");
    for (int i = 0; i < MEASURES; i++) {
        if (strcmp(name, measures[i].name) != 0) continue;
        *measure = (rls2_measure)i;
        return RLS2_OK;
    }
    return unknown_measure(name, err);
}

/* NULL: each row counts once. */
static double weight_of(const double *w, int64_t i)
{
    return w ? w[i] : 1.0;
}

static double sum_weights(int64_t n, const double *w)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += weight_of(w, i);
    return sum;
}

/* ---- errors in numbers ---- */

static double squared_errors(int64_t n, const double *f, const double *y, const double *w)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += weight_of(w, i) * ((y[i] - f[i]) * (y[i] - f[i]));
    return sum;
}

static double absolute_errors(int64_t n, const double *f, const double *y, const double *w)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += weight_of(w, i) * fabs(y[i] - f[i]);
    return sum;
}

/* Compared, not computed: the mean of equal numbers may round to another one. */
static int is_constant(int64_t n, const double *y)
{
    for (int64_t i = 1; i < n; i++)
        if (y[i] != y[0]) return 0;
    return 1;
}

static double r_squared(int64_t n, const double *f, const double *y, const double *w)
{
    double mean = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) mean += weight_of(w, i) * y[i];
    mean /= sum_weights(n, w);
    for (int64_t i = 0; i < n; i++) total += weight_of(w, i) * ((y[i] - mean) * (y[i] - mean));
    if (is_constant(n, y) || !(isfinite(total) && total > 0.0)) return (double)NAN;
    return 1.0 - squared_errors(n, f, y, w) / total;
}

/* Of one response. */
static double number_value(rls2_measure measure, int64_t n, const double *f, const double *y,
                           const double *w)
{
    if (measure == RLS2_MEASURE_R2) return r_squared(n, f, y, w);
    if (measure == RLS2_MEASURE_MAE) return absolute_errors(n, f, y, w) / sum_weights(n, w);
    double mse = squared_errors(n, f, y, w) / sum_weights(n, w);
    return measure == RLS2_MEASURE_RMSE ? sqrt(mse) : mse;
}

/* ---- classes ---- */

/* Two classes are one output, more have one each. */
static int64_t class_count(int64_t outputs)
{
    return outputs == 1 ? 2 : outputs;
}

/* Is row i of class k? No row is whose y is not a number. */
static int is_of(int64_t outputs, int64_t n, const double *y, int64_t k, int64_t i)
{
    return outputs > 1 ? y[k * n + i] > 0.0 : k == 1 ? y[i] > 0.0 : y[i] <= 0.0;
}

static int64_t class_of(int64_t outputs, int64_t n, const double *y, int64_t i)
{
    for (int64_t k = 0; k < class_count(outputs); k++)
        if (is_of(outputs, n, y, k, i)) return k;
    return -1;
}

void rls2_confusion(int64_t outputs, int64_t n, const double *f, const double *y, int64_t *counts)
{
    if (!counts || outputs < 1) return;
    int64_t classes = class_count(outputs);
    memset(counts, 0, (size_t)(classes * classes) * sizeof counts[0]);
    if (!f || !y) return;
    for (int64_t i = 0; i < n; i++) {
        int64_t is = class_of(outputs, n, y, i), said = rls2__decide_row(outputs, n, f, i);
        if (is >= 0 && said >= 0) counts[is * classes + said]++;
    }
}

/* Sums of the weights of rows, of one class or of all. */
typedef struct tally {
    double right, wrong;
} tally;

static void tally_row(tally *t, int is_right, double weight)
{
    if (is_right)
        t->right += weight;
    else
        t->wrong += weight;
}

static tally tally_class(int64_t outputs, int64_t n, const double *f, const double *y,
                         const double *w, int64_t k)
{
    tally t = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++)
        if (is_of(outputs, n, y, k, i))
            tally_row(&t, rls2__decide_row(outputs, n, f, i) == k, weight_of(w, i));
    return t;
}

static tally tally_all(int64_t outputs, int64_t n, const double *f, const double *y,
                       const double *w)
{
    tally t = {0.0, 0.0};
    for (int64_t i = 0; i < n; i++)
        tally_row(&t, is_of(outputs, n, y, rls2__decide_row(outputs, n, f, i), i), weight_of(w, i));
    return t;
}

/* Of the classes that occur. */
static double balanced_accuracy(int64_t outputs, int64_t n, const double *f, const double *y,
                                const double *w)
{
    double sum = 0.0, occurring = 0.0;
    for (int64_t k = 0; k < class_count(outputs); k++) {
        tally t = tally_class(outputs, n, f, y, w, k);
        if (!(t.right + t.wrong > 0.0)) continue;
        sum += t.right / (t.right + t.wrong);
        occurring++;
    }
    return sum / occurring;
}

/* ---- the area under the ROC curve ---- */

typedef struct scored {
    double f, weight;
    int is_positive;
} scored;

static int by_score(const void *a, const void *b)
{
    double x = ((const scored *)a)->f, y = ((const scored *)b)->f;
    return x < y ? -1 : x > y;
}

/* Pairs of a positive and a negative row in which the positive has the larger f, ties half, each
 * counted with the product of the weights; from rows in ascending order of f. Without weights
 * halves add up without rounding, so the order within ties does not matter. */
static double sorted_wins(int64_t n, const scored *rows)
{
    double wins = 0.0, below = 0.0;
    for (int64_t i = 0; i < n;) {
        double positives = 0.0, negatives = 0.0, f = rows[i].f;
        for (; i < n && rows[i].f == f; i++) {
            if (rows[i].is_positive)
                positives += rows[i].weight;
            else
                negatives += rows[i].weight;
        }
        wins += positives * (below + 0.5 * negatives);
        below += negatives;
    }
    return wins;
}

/* The same without a copy of the rows to sort: slow, for when memory is short. */
static double counted_wins(int64_t n, const double *f, const double *y, const double *w)
{
    double wins = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!(y[i] > 0.0)) continue;
        for (int64_t j = 0; j < n; j++) {
            double win = f[i] > f[j] ? 1.0 : f[i] == f[j] ? 0.5 : 0.0;
            if (!(y[j] > 0.0)) wins += weight_of(w, i) * weight_of(w, j) * win;
        }
    }
    return wins;
}

/* Rows with y > 0 against all others. */
static double area(int64_t n, const double *f, const double *y, const double *w)
{
    double negatives = 0.0, positives = 0.0, wins;
    for (int64_t i = 0; i < n; i++) {
        if (y[i] > 0.0)
            positives += weight_of(w, i);
        else
            negatives += weight_of(w, i);
    }
    if (!(negatives > 0.0 && positives > 0.0)) return (double)NAN;
    scored *rows = rls2__alloc(n, sizeof *rows);
    if (rows) {
        for (int64_t i = 0; i < n; i++) rows[i] = (scored){f[i], weight_of(w, i), y[i] > 0.0};
        qsort(rows, (size_t)n, sizeof *rows, by_score);
        wins = sorted_wins(n, rows);
        rls2__free(rows);
    } else {
        wins = counted_wins(n, f, y, w);
    }
    return wins / (negatives * positives);
}

/* The mean over the classes for which it is defined; NaN where it is for none. */
static double mean_area(int64_t outputs, int64_t n, const double *f, const double *y,
                        const double *w)
{
    double sum = 0.0, defined = 0.0;
    for (int64_t o = 0; o < outputs; o++) {
        double value = area(n, f + o * n, y + o * n, w);
        if (isnan(value)) continue;
        sum += value;
        defined++;
    }
    return sum / defined;
}

/* ---- probabilities ---- */

/* Of row i; p is n x classes. */
static double row_error(rls2_measure measure, int64_t outputs, int64_t n, const double *p,
                        const double *y, int64_t i)
{
    int64_t classes = class_count(outputs), is = class_of(outputs, n, y, i);
    double sum = 0.0;
    if (is < 0) return (double)NAN;
    if (measure == RLS2_MEASURE_LOG_LOSS) return -log(p[is * n + i]);
    for (int64_t k = outputs == 1; k < classes; k++) {
        double miss = p[k * n + i] - (k == is);
        sum += miss * miss;
    }
    return sum;
}

static double probability_value(rls2_measure measure, rls2_loss loss, int64_t outputs, int64_t n,
                                const double *f, const double *y, const double *w)
{
    double *p = rls2__alloc(rls2__mul(n, class_count(outputs)), sizeof *p), sum = 0.0;
    if (!p || rls2_loss_probabilities(loss, outputs, n, f, p, NULL) != RLS2_OK) sum = (double)NAN;
    for (int64_t i = 0; i < n && !isnan(sum); i++)
        sum += weight_of(w, i) * row_error(measure, outputs, n, p, y, i);
    rls2__free(p);
    return sum / sum_weights(n, w);
}

/* ---- all of them ---- */

static double class_value(rls2_measure measure, const rls2_loss *losses, int64_t outputs, int64_t n,
                          const double *f, const double *y, const double *w)
{
    for (int64_t i = 0; i < outputs * n; i++)
        if (isnan(f[i]) || isnan(y[i])) return (double)NAN;
    if (measure == RLS2_MEASURE_LOG_LOSS || measure == RLS2_MEASURE_BRIER)
        return probability_value(measure, losses[0], outputs, n, f, y, w);
    if (measure == RLS2_MEASURE_AUC) return mean_area(outputs, n, f, y, w);
    if (measure == RLS2_MEASURE_BALANCED_ACCURACY) return balanced_accuracy(outputs, n, f, y, w);
    tally t = tally_all(outputs, n, f, y, w);
    return measure == RLS2_MEASURE_ERRORS ? t.wrong : t.right / (t.right + t.wrong);
}

/* Of one response. */
static double mean_loss(rls2_loss loss, int64_t n, const double *f, const double *y,
                        const double *w)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += weight_of(w, i) * rls2_loss_value(loss, y[i], f[i]);
    return sum / sum_weights(n, w);
}

/* f as it is held against y; NULL where there is no memory. */
static double *means_of(rls2_loss loss, int64_t n, const double *f)
{
    double *means = rls2__alloc(n, sizeof *means);
    for (int64_t i = 0; means && i < n; i++) means[i] = rls2_loss_mean(loss, f[i]);
    return means;
}

static double output_value(rls2_measure measure, rls2_loss loss, int64_t n, const double *f,
                           const double *y, const double *w)
{
    if (measure == RLS2_MEASURE_PINBALL) return mean_loss(loss, n, f, y, w);
    if (measure == RLS2_MEASURE_DEVIANCE) return 2.0 * mean_loss(loss, n, f, y, w);
    if (loss.kind != RLS2_LOSS_POISSON) return number_value(measure, n, f, y, w);
    double *means = means_of(loss, n, f);
    double value = means ? number_value(measure, n, means, y, w) : (double)NAN;
    rls2__free(means);
    return value;
}

double rls2_measure_value_of(rls2_measure measure, const rls2_loss *losses, int64_t outputs,
                             int64_t n, const double *f, const double *y, const double *w)
{
    const rls2_loss square = {RLS2_LOSS_SQUARE, 0.0};
    if (!is_known(measure) || outputs < 1 || n < 1 || !f || !y) return (double)NAN;
    for (int64_t o = 0; o < outputs; o++)
        if (!rls2_measure_fits(measure, losses ? losses[o] : square)) return (double)NAN;
    if (rls2_measure_is_for_classes(measure))
        return class_value(measure, losses, outputs, n, f, y, w);
    double sum = 0.0, defined = 0.0;
    for (int64_t o = 0; o < outputs; o++) {
        if (outputs > 1 && measure == RLS2_MEASURE_R2 && is_constant(n, y + o * n)) continue;
        sum += output_value(measure, losses ? losses[o] : square, n, f + o * n, y + o * n, w);
        defined++;
    }
    return sum / defined; /* NaN where no response has an R2 */
}

double rls2_measure_value(rls2_measure measure, int64_t outputs, int64_t n, const double *f,
                          const double *y, const double *w)
{
    return rls2_measure_value_of(measure, NULL, outputs, n, f, y, w);
}
