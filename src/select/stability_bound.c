/* Bounds of Shah and Samworth (2013).
 *
 * A distribution on 0..N is r-concave, r < 0, if f^r is convex. Of those with a given mean m the
 * one with the largest P(X >= t) has the form
 *
 *   f(i) = c (a + i)^(1/r)  for i = 0..k,   0 <= f(k+1) <= c (a + k + 1)^(1/r),   0 beyond
 *
 * (their appendix). For each k the mean and the sum 1 leave one number free, a: with
 * g(i) = (a + i)^(1/r)
 *
 *   c = (k + 1 - m) / sum_{i<=k} (k + 1 - i) g(i),   P(X >= t) = 1 - c sum_{i<t} g(i)
 *
 * f(k+1) is 0 at a = a_k, where the part up to k has the mean m, and as large as it may be at
 * a_{k+1} < a_k. The best k and a are searched for. For t below 2 m + 1 the bound is 1. */
#include "select/stability_bound.h"

#include <math.h>

#include "base/status.h"
#include "rls2/stability.h"

int64_t rls2__stable_from(double threshold, int64_t halves)
{
    static const double ROUNDING = 1e-9;
    return (int64_t)ceil(threshold * (double)halves - ROUNDING);
}

double rls2__stability_worst(int64_t limit, int64_t inputs, double threshold)
{
    double q = (double)limit;
    return q * q / ((2.0 * threshold - 1.0) * (double)inputs);
}

int64_t rls2__stability_limit(int64_t inputs, double threshold, double errors)
{
    int64_t limit = 1;
    while (limit < inputs && rls2__stability_worst(limit + 1, inputs, threshold) <= errors) limit++;
    return limit;
}

/* ---- r-concave distributions ---- */

/* (a + i)^(1/r) relative to that of i = 0: no power overflows. */
static double weight_of(double a, int64_t i, int fourth)
{
    double ratio = a / (a + (double)i), square = ratio * ratio;
    return fourth ? square * square : square;
}

/* Of c (a + i)^(1/r), i = 0..k. Ascends in a from 0 to k/2. */
static double mean_of(double a, int64_t k, int fourth)
{
    double sum = 0.0, moment = 0.0;
    for (int64_t i = 0; i <= k; i++) {
        double g = weight_of(a, i, fourth);
        sum += g;
        moment += (double)i * g;
    }
    return moment / sum;
}

/* Logarithm of a_k, by bisection below that of an a that is too large. */
static double find_a(double mean, int64_t k, int fourth, double high)
{
    enum { STEPS = 60 };
    static const double LEAST = -60.0;
    double low = LEAST;
    for (int s = 0; s < STEPS; s++) {
        double middle = (low + high) / 2.0;
        if (mean_of(exp(middle), k, fourth) < mean)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double tail_at(double a, double mean, int64_t t, int64_t k, int fourth)
{
    double above = 0.0, all = 0.0;
    for (int64_t i = 0; i <= k; i++) {
        double g = weight_of(a, i, fourth);
        if (i < t) above += g;
        all += (double)(k + 1 - i) * g;
    }
    return 1.0 - ((double)k + 1.0 - mean) * above / all;
}

/* Over a between two values, by their logarithms: the best of a few points, then by thirds. */
static double best_between(double low, double high, double mean, int64_t t, int64_t k, int fourth)
{
    enum { POINTS = 16, STEPS = 40 };
    double step = (high - low) / POINTS, best = 0.0, at = low;
    for (int i = 0; i <= POINTS; i++) {
        double tail = tail_at(exp(low + i * step), mean, t, k, fourth);
        if (tail <= best) continue;
        best = tail;
        at = low + i * step;
    }
    double left = fmax(low, at - step), right = fmin(high, at + step);
    for (int s = 0; s < STEPS; s++) {
        double u = left + (right - left) / 3.0, v = right - (right - left) / 3.0;
        double below = tail_at(exp(u), mean, t, k, fourth);
        double above = tail_at(exp(v), mean, t, k, fourth);
        best = fmax(best, fmax(below, above));
        if (below < above)
            left = u;
        else
            right = v;
    }
    return best;
}

double rls2__concave_tail(double mean, int64_t t, int64_t count, int fourth)
{
    static const double MOST = 40.0; /* of log a: all but uniform */
    int64_t first = (int64_t)ceil(2.0 * mean) + 1;
    double best = 0.0;
    if (t < first || t < 1 || first > count) return 1.0;
    if (!(mean > 0.0)) return 0.0;
    double high = find_a(mean, first, fourth, MOST);
    for (int64_t k = first; k < count; k++) {
        double low = find_a(mean, k + 1, fourth, high);
        if (k >= t - 1) best = fmax(best, best_between(low, high, mean, t, k, fourth));
        high = low;
    }
    return fmin(best, 1.0);
}

double rls2__stability_likely(int64_t pairs, int64_t limit, int64_t inputs, double threshold)
{
    double theta = (double)limit / (double)inputs, p = (double)inputs;
    int64_t least = rls2__stable_from(threshold, 2 * pairs);
    double both = rls2__concave_tail(theta * theta * (double)pairs, least - pairs, pairs, 0);
    double one = rls2__concave_tail(theta * 2.0 * (double)pairs, least, 2 * pairs, 1);
    return fmin(p * fmin(both, one), rls2__stability_worst(limit, inputs, threshold));
}

rls2_status rls2_stability_bounds(int64_t pairs, int64_t limit, int64_t inputs, double threshold,
                                  double *errors, double *likely_errors, rls2_error *err)
{
    if (pairs < 1 || limit < 1 || limit > inputs || !(threshold > 0.5 && threshold <= 1.0))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "no bound for %lld pairs, %lld of %lld inputs and the threshold %g",
                          (long long)pairs, (long long)limit, (long long)inputs, threshold);
    if (pairs > RLS2__MOST_PAIRS)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%lld pairs are too many to bound: the work grows with their square, and "
                          "%d are the most",
                          (long long)pairs, RLS2__MOST_PAIRS);
    if (errors) *errors = rls2__stability_worst(limit, inputs, threshold);
    if (likely_errors) *likely_errors = rls2__stability_likely(pairs, limit, inputs, threshold);
    return RLS2_OK;
}
