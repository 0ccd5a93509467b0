/* The curve and the two choices on it, as glmnet defines them:
 *
 *   cvm        mean of the splits' values, weighted by their validation rows
 *   cvsd       sqrt( weighted mean of (value - cvm)^2 / (splits - 1) )
 *   lambda.min the largest lambda at the best cvm
 *   lambda.1se the largest lambda whose cvm is worse than the best by at most the cvsd of the best
 *
 * glmnet has one set of folds. Values of repeated folds are not independent: repeating makes cvm
 * steadier but does not make the data more, so cvsd is the mean of the repeats' own. Random splits
 * share rows too: their variance is taken times 1/splits + validation rows / training rows (Nadeau
 * and Bengio). Splits on which the measure is not defined at a lambda do not count there. Where
 * splits are too small for the measure, value and standard error are those of pooled.c. */
#include "select/cv_summary.h"

#include <math.h>

#include "base/invariant.h"
#include "select/cv.h"

/* Weighted sums over splits [begin, end) at one lambda. */
typedef struct sums {
    int64_t used;
    double total, mean, variance, nzero;
} sums;

static sums sum_splits(const rls2_cv *cv, const double *scores, const double *nzero, int64_t i,
                       int64_t begin, int64_t end)
{
    sums t = {0};
    for (int64_t s = begin; s < end; s++) {
        double score = scores[i * cv->splits + s];
        if (isnan(score)) continue;
        t.used++;
        t.total += cv->weights[s];
        t.mean += cv->weights[s] * score;
        t.nzero += nzero ? nzero[i * cv->splits + s] : 0.0;
    }
    rls2__invariant(t.total > 0.0 || t.used == 0);
    t.mean /= t.total;
    t.nzero /= (double)t.used;
    for (int64_t s = begin; s < end; s++) {
        double rest = scores[i * cv->splits + s] - t.mean;
        if (!isnan(rest)) t.variance += cv->weights[s] * rest * rest / t.total;
    }
    return t;
}

/* NaN for a single split. */
static double standard_error(const rls2_cv *cv, const sums *t)
{
    double n = (double)t->used;
    rls2__invariant(!(t->variance < 0.0) && cv->overlap >= 0.0);
    if (t->used < 2) return (double)NAN;
    if (cv->overlap > 0.0) return sqrt(t->variance * n / (n - 1.0) * (1.0 / n + cv->overlap));
    return sqrt(t->variance / (n - 1.0));
}

/* All splits count, whatever their own values. */
static void take_pooled(const rls2_cv *cv, const double *nzero, const double *pooled, int64_t i,
                        rls2_cv_point *point)
{
    point->cvm = pooled[2 * i];
    point->cvsd = pooled[2 * i + 1];
    point->nzero = 0.0;
    for (int64_t s = 0; s < cv->splits; s++)
        point->nzero += nzero[i * cv->splits + s] / (double)cv->splits;
}

/* scores and nzero: count x splits, of the path or of a baseline; pooled: count x 2, or NULL. */
static rls2_cv_point summarize_point(const rls2_cv *cv, const double *scores, const double *nzero,
                                     const double *pooled, int64_t i)
{
    sums all = sum_splits(cv, scores, nzero, i, 0, cv->splits);
    rls2_cv_point point = {.lambda = cv->lambdas[i], .cvm = all.mean, .nzero = all.nzero};
    rls2__invariant(cv->repeat >= 1 && cv->splits % cv->repeat == 0);
    for (int64_t begin = 0; begin < cv->splits; begin += cv->repeat) {
        sums one = sum_splits(cv, scores, nzero, i, begin, begin + cv->repeat);
        point.cvsd += standard_error(cv, &one) * (double)cv->repeat / (double)cv->splits;
    }
    if (pooled) take_pooled(cv, nzero, pooled, i, &point);
    point.cvup = point.cvm + point.cvsd;
    point.cvlo = point.cvm - point.cvsd;
    return point;
}

/* Splits of further repeats leave out rows that were left out before. */
rls2_cv_point rls2__cv_summarize_scores(const rls2_cv *cv, const double *scores)
{
    double none = 0.0;
    rls2_cv first = *cv;
    first.splits = cv->repeat;
    first.lambdas = &none;
    return summarize_point(&first, scores, NULL, NULL, 0);
}

/* How much worse a is than b. */
static double loss(const rls2_cv *cv, double a, double b)
{
    return rls2_measure_rises(cv->measure) ? b - a : a - b;
}

static void summarize_baseline(const rls2_cv *cv, rls2__cv_baseline *baseline)
{
    baseline->point.cvm = (double)NAN;
    for (int64_t i = 0; baseline->scores && i < cv->count; i++) {
        rls2_cv_point point =
            summarize_point(cv, baseline->scores, baseline->nzero, baseline->pooled, i);
        if (!isfinite(point.cvm)) continue;
        if (isnan(baseline->point.cvm) || loss(cv, point.cvm, baseline->point.cvm) < 0.0)
            baseline->point = point;
    }
}

void rls2__cv_summarize(rls2_cv *cv)
{
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) summarize_baseline(cv, &cv->baselines[b]);
    cv->baselines[RLS2_BASELINE_CONSTANT].point.lambda = (double)NAN; /* any */
    cv->best = cv->one_se = -1;
    for (int64_t i = 0; i < cv->count; i++) {
        cv->points[i] = summarize_point(cv, cv->scores, cv->nzero, cv->pooled, i);
        double cvm = cv->points[i].cvm;
        if (!isfinite(cvm)) continue;
        if (cv->best < 0 || loss(cv, cvm, cv->points[cv->best].cvm) < 0.0) cv->best = i;
    }
    if (cv->best < 0) return;
    cv->one_se = cv->best;
    const rls2_cv_point *best = &cv->points[cv->best];
    double allowed = isnan(best->cvsd) ? 0.0 : best->cvsd;
    for (int64_t i = cv->best - 1; i >= 0; i--)
        if (loss(cv, cv->points[i].cvm, best->cvm) <= allowed) cv->one_se = i;
    rls2__invariant(0 <= cv->one_se && cv->one_se <= cv->best && cv->best < cv->count);
    rls2__invariant(cv->points[cv->one_se].lambda >= cv->points[cv->best].lambda);
}

/* ---- whether further lambdas are of use ---- */

/* Of the first splits, by their weights; NaN where one of them has no score. */
static double mean_score(const rls2_cv *cv, int64_t splits, int64_t i)
{
    double sum = 0.0, total = 0.0;
    for (int64_t s = 0; s < splits; s++) {
        sum += cv->weights[s] * cv->scores[i * cv->splits + s];
        total += cv->weights[s];
    }
    return sum / total;
}

/* By how much lambda i is worse than j is more than the standard error of that; splits count alike.
 */
static int is_worse(const rls2_cv *cv, int64_t splits, int64_t i, int64_t j)
{
    double sum = 0.0, squares = 0.0, n = (double)splits;
    for (int64_t s = 0; s < splits; s++) {
        double more = loss(cv, cv->scores[i * cv->splits + s], cv->scores[j * cv->splits + s]);
        sum += more;
        squares += more * more;
    }
    double variance = fmax(0.0, squares - sum * sum / n) / (n - 1.0);
    return splits > 1 && sum / n > sqrt(variance / n);
}

int rls2__curve_has_turned(const rls2_cv *cv, int64_t splits, int64_t margin)
{
    int64_t best = 0, last = cv->count - 1;
    double least = cv->count > 0 ? mean_score(cv, splits, 0) : (double)NAN;
    for (int64_t i = 1; i < cv->count && !isnan(least); i++) {
        double score = mean_score(cv, splits, i);
        if (!isnan(score) && loss(cv, score, least) >= 0.0) continue;
        best = i;
        least = score;
    }
    if (isnan(least) || 2 * (last - best) < margin) return 0;
    return last - best >= margin || is_worse(cv, splits, last, best);
}
