/* The curve and the two choices on it, as glmnet defines them:
 *
 *   cvm        mean of the splits' values, weighted by their validation rows
 *   cvsd       sqrt( weighted mean of (value - cvm)^2 / (splits - 1) )
 *   lambda.min the largest lambda at the best cvm
 *   lambda.1se the largest lambda whose cvm is not worse than the best by more than the cvsd of the best */
#include <math.h>

#include "select/cv.h"

/* scores and nzero: splits x count, of the path or of a baseline. */
static rls2_cv_point summarize_point(const rls2_cv *cv, const double *scores, const double *nzero, int64_t i)
{
    double total = 0.0, sum = 0.0, squares = 0.0, selected = 0.0;
    int64_t used = 0;
    for (int64_t s = 0; s < cv->splits; s++) {
        double weight = cv->weights[s];
        if (!(weight > 0.0)) continue;
        used++;
        total += weight;
        sum += weight * scores[s * cv->count + i];
        selected += nzero[s * cv->count + i];
    }
    rls2_cv_point point = {.lambda = cv->lambdas[i], .cvm = sum / total, .nzero = selected / (double)used};
    for (int64_t s = 0; s < cv->splits; s++) {
        double rest = scores[s * cv->count + i] - point.cvm;
        if (cv->weights[s] > 0.0) squares += cv->weights[s] * rest * rest;
    }
    point.cvsd = sqrt(squares / total / (double)(used - 1)); /* NaN for a single split */
    point.cvup = point.cvm + point.cvsd;
    point.cvlo = point.cvm - point.cvsd;
    return point;
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
        rls2_cv_point point = summarize_point(cv, baseline->scores, baseline->nzero, i);
        if (isnan(point.cvm)) continue;
        if (isnan(baseline->point.cvm) || loss(cv, point.cvm, baseline->point.cvm) < 0.0)
            baseline->point = point;
    }
}

void rls2__cv_summarize(rls2_cv *cv)
{
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) summarize_baseline(cv, &cv->baselines[b]);
    cv->best = cv->one_se = -1;
    for (int64_t i = 0; i < cv->count; i++) {
        cv->points[i] = summarize_point(cv, cv->scores, cv->nzero, i);
        double cvm = cv->points[i].cvm;
        if (isnan(cvm)) continue;
        if (cv->best < 0 || loss(cv, cvm, cv->points[cv->best].cvm) < 0.0) cv->best = i;
    }
    if (cv->best < 0) return;
    const rls2_cv_point *best = &cv->points[cv->best];
    double allowed = isnan(best->cvsd) ? 0.0 : best->cvsd;
    for (int64_t i = 0; i <= cv->best && cv->one_se < 0; i++)
        if (loss(cv, cv->points[i].cvm, best->cvm) <= allowed) cv->one_se = i;
}
