/* Probabilities of classes: rls2_loss_probabilities of rls2/loss.h. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/status.h"
#include "rls2/loss.h"

/* Nobody is sure, whatever rounding says. */
static double inside(double p)
{
    return fmin(fmax(p, DBL_MIN), 1.0 - DBL_EPSILON);
}

static void of_two(int64_t n, const double *f, double *p)
{
    const rls2_loss logistic = {RLS2_LOSS_LOGISTIC, 0.0};
    for (int64_t i = 0; i < n; i++) {
        p[i] = inside(rls2_loss_mean(logistic, -f[i]));
        p[n + i] = inside(rls2_loss_mean(logistic, f[i]));
    }
}

/* The log of the probability of label 1: where all are tiny their ratios are still known. */
static double log_odds_share(double t)
{
    return t >= 0.0 ? -log1p(exp(-t)) : t - log1p(exp(t));
}

/* exp(t_o) over their sum, of one row in steps of n. */
static void normalize(int64_t outputs, int64_t n, double *t)
{
    double largest = -HUGE_VAL, sum = 0.0;
    for (int64_t o = 0; o < outputs; o++) largest = fmax(largest, t[o * n]);
    for (int64_t o = 0; o < outputs; o++) sum += t[o * n] = exp(t[o * n] - largest);
    for (int64_t o = 0; o < outputs; o++) t[o * n] = inside(t[o * n] / sum);
}

static rls2_status check(rls2_loss loss, int64_t outputs, int64_t n, const double *f,
                         const double *p, rls2_error *err)
{
    char text[40];
    if (loss.kind != RLS2_LOSS_LOGISTIC && loss.kind != RLS2_LOSS_MULTINOMIAL)
        return rls2__fail(err, RLS2_ERR_VALUE, "the %s loss knows no probabilities",
                          rls2_loss_text(loss, text, sizeof text));
    int64_t least = loss.kind == RLS2_LOSS_MULTINOMIAL ? 2 : 1;
    if (outputs < least || n < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "there are %" PRId64 " outputs of %" PRId64
                          " rows; the %s loss needs at least %" PRId64,
                          outputs, n, rls2_loss_text(loss, text, sizeof text), least);
    if (!f || !p) return rls2__fail_null(err, f ? "p" : "f");
    for (int64_t i = 0; i < n * outputs; i++)
        if (!isfinite(f[i]))
            return rls2__fail(err, RLS2_ERR_VALUE, "f[%" PRId64 "] is %g", i, f[i]);
    return RLS2_OK;
}

rls2_status rls2_loss_probabilities(rls2_loss loss, int64_t outputs, int64_t n, const double *f,
                                    double *p, rls2_error *err)
{
    rls2_status status = check(loss, outputs, n, f, p, err);
    if (status != RLS2_OK) return status;
    if (outputs == 1) {
        of_two(n, f, p);
        return RLS2_OK;
    }
    for (int64_t i = 0; i < n * outputs; i++)
        p[i] = loss.kind == RLS2_LOSS_LOGISTIC ? log_odds_share(f[i]) : f[i];
    for (int64_t i = 0; i < n; i++) normalize(outputs, n, p + i);
    return RLS2_OK;
}
