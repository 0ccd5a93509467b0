/* Cross-validation of rls2/select.h. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/status.h"
#include "select/cv.h"

const char *rls2_baseline_name(rls2_baseline which)
{
    switch (which) {
    case RLS2_BASELINE_UNIFORM: return "uniform average";
    case RLS2_BASELINE_ALIGNMENT: return "alignment average";
    case RLS2_BASELINE_SINGLE: return "best aligned kernel";
    case RLS2_BASELINE_RIDGE: return "ridge on the inputs";
    case RLS2_BASELINE_CONSTANT: return "constant";
    case RLS2_BASELINE_COUNT: break;
    }
    return NULL;
}

void rls2_cv_free(rls2_cv *cv)
{
    rls2__cv_destroy(cv);
}

int64_t rls2_cv_count(const rls2_cv *cv)
{
    return cv ? cv->count : 0;
}

int64_t rls2_cv_splits(const rls2_cv *cv)
{
    return cv ? cv->splits : 0;
}

int64_t rls2_cv_unconverged(const rls2_cv *cv)
{
    return cv ? cv->unconverged : 0;
}

int64_t rls2_cv_rows(const rls2_cv *cv)
{
    return cv ? cv->rows : 0;
}

int64_t rls2_cv_outputs(const rls2_cv *cv)
{
    return cv ? cv->outputs : 0;
}

rls2_measure rls2_cv_measure(const rls2_cv *cv)
{
    return cv ? cv->measure : RLS2_MEASURE_RMSE;
}

static int has_lambda(const rls2_cv *cv, int64_t i)
{
    return cv && i >= 0 && i < cv->count;
}

const rls2_cv_point *rls2_cv_at(const rls2_cv *cv, int64_t i)
{
    return has_lambda(cv, i) ? &cv->points[i] : NULL;
}

int rls2_cv_is_pooled(const rls2_cv *cv)
{
    return cv && cv->pooled != NULL;
}

double rls2_cv_score(const rls2_cv *cv, int64_t i, int64_t s)
{
    return has_lambda(cv, i) && s >= 0 && s < cv->splits ? cv->scores[i * cv->splits + s]
                                                         : (double)NAN;
}

const rls2_cv_point *rls2_cv_baseline(const rls2_cv *cv, rls2_baseline which)
{
    if (!cv || !rls2_baseline_name(which)) return NULL;
    return isnan(cv->baselines[which].point.cvm) ? NULL : &cv->baselines[which].point;
}

int64_t rls2_cv_min(const rls2_cv *cv)
{
    return cv ? cv->best : -1;
}

int64_t rls2_cv_1se(const rls2_cv *cv)
{
    return cv ? cv->one_se : -1;
}

const double *rls2_cv_predictions(const rls2_cv *cv, int64_t i)
{
    return has_lambda(cv, i) && cv->predictions ? cv->predictions + i * cv->outputs * cv->rows
                                                : NULL;
}

int64_t rls2_cv_interval_count(const rls2_cv *cv)
{
    return cv ? cv->intervals : 0;
}

const rls2_coverage *rls2_cv_coverage(const rls2_cv *cv, int64_t i, int64_t t)
{
    if (!has_lambda(cv, i) || t < 0 || t >= cv->intervals) return NULL;
    return &cv->coverage[i * cv->intervals + t];
}

int64_t rls2_cv_shares(const rls2_cv *cv, int64_t i, int64_t o, const int64_t **kernels,
                       const double **shares)
{
    int known = has_lambda(cv, i) && o >= 0 && o < cv->outputs;
    const rls2__tally *of = known ? cv->shares[o] : NULL;
    if (kernels) *kernels = of ? of->kernels + of->first[i] : NULL;
    if (shares) *shares = of ? of->product + of->first[i] : NULL;
    return of ? of->first[i + 1] - of->first[i] : 0;
}

int rls2_cv_selects(const rls2_cv *cv, int64_t i, int64_t o, int64_t t, int64_t s)
{
    if (t < 0 || t >= rls2_cv_shares(cv, i, o, NULL, NULL)) return 0;
    const rls2__tally *of = cv->shares[o];
    if (s < 0 || s >= of->splits) return 0;
    return rls2__bit_of(of->who + (of->first[i] + t) * rls2__words_of(of->splits), s);
}
