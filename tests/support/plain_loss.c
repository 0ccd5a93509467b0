/* Losses by definition. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>

const rls2_loss EVERY_LOSS[LOSSES] = {
    {RLS2_LOSS_SQUARE, 0.0},        {RLS2_LOSS_LOGISTIC, 0.0}, {RLS2_LOSS_HINGE, 0.0},
    {RLS2_LOSS_SQUARED_HINGE, 0.0}, {RLS2_LOSS_HUBER, 0.5},    {RLS2_LOSS_QUANTILE, 0.3},
    {RLS2_LOSS_EPSILON, 0.2},       {RLS2_LOSS_ABSOLUTE, 0.0}, {RLS2_LOSS_POISSON, 0.0},
};

static long double x_log_x(long double x)
{
    return x > 0.0L ? x * logl(x) : 0.0L;
}

long double plain_loss(rls2_loss loss, long double y, long double t)
{
    long double r = y - t, a = loss.parameter, margin = 1.0L - y * t;
    switch (loss.kind) {
    case RLS2_LOSS_SQUARE: return 0.5L * r * r;
    case RLS2_LOSS_LOGISTIC:
        return y * t > 0.0L ? log1pl(expl(-y * t)) : log1pl(expl(y * t)) - y * t;
    case RLS2_LOSS_HINGE: return fmaxl(margin, 0.0L);
    case RLS2_LOSS_SQUARED_HINGE: return margin > 0.0L ? 0.5L * margin * margin : 0.0L;
    case RLS2_LOSS_HUBER: return fabsl(r) <= a ? 0.5L * r * r : a * fabsl(r) - 0.5L * a * a;
    case RLS2_LOSS_QUANTILE: return r > 0.0L ? a * r : (a - 1.0L) * r;
    case RLS2_LOSS_EPSILON: return fmaxl(fabsl(r) - a, 0.0L);
    case RLS2_LOSS_ABSOLUTE: return fabsl(r);
    case RLS2_LOSS_MULTINOMIAL: break; /* not of one output */
    case RLS2_LOSS_POISSON: return expl(t) - y * t + x_log_x(y) - y;
    }
    return NAN;
}

/* The ends of the domain. */
static void domain(rls2_loss loss, long double y, long double *low, long double *high)
{
    long double a = loss.parameter, inf = INFINITY;
    int margin = loss.kind == RLS2_LOSS_LOGISTIC || loss.kind == RLS2_LOSS_HINGE;
    long double most = margin ? 1.0L : inf;
    *low = -inf, *high = inf;
    if (margin || loss.kind == RLS2_LOSS_SQUARED_HINGE) {
        *low = y > 0.0L ? -most : 0.0L;
        *high = y > 0.0L ? 0.0L : most;
    }
    if (loss.kind == RLS2_LOSS_HUBER) *low = -a, *high = a;
    if (loss.kind == RLS2_LOSS_QUANTILE) *low = -a, *high = 1.0L - a;
    if (loss.kind == RLS2_LOSS_EPSILON || loss.kind == RLS2_LOSS_ABSOLUTE) *low = -1.0L, *high = 1;
    if (loss.kind == RLS2_LOSS_POISSON) *low = -y;
}

long double plain_conjugate(rls2_loss loss, long double y, long double p)
{
    long double low, high, share = -p * y, rate = p + y;
    domain(loss, y, &low, &high);
    if (p < low || p > high) return INFINITY;
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC: return x_log_x(share) + x_log_x(1.0L - share);
    case RLS2_LOSS_HINGE: return -share; /* y p, and y is its own inverse */
    case RLS2_LOSS_SQUARED_HINGE:
    case RLS2_LOSS_SQUARE:
    case RLS2_LOSS_HUBER: return y * p + 0.5L * p * p;
    case RLS2_LOSS_EPSILON: return y * p + loss.parameter * fabsl(p);
    case RLS2_LOSS_QUANTILE:
    case RLS2_LOSS_ABSOLUTE: return y * p;
    case RLS2_LOSS_MULTINOMIAL: break; /* not of one output */
    case RLS2_LOSS_POISSON: return x_log_x(rate) - rate - x_log_x(y) + y;
    }
    return NAN;
}

/* The multiplier of a row, on the edge of the domain where rounding left it beyond. */
static long double multiplier(rls2_loss loss, long double y, long double p)
{
    long double low, high;
    domain(loss, y, &low, &high);
    long double inside = fminl(fmaxl(p, low), high);
    if (fabsl(p - inside) > 1e-9L * fmaxl(1.0L, fabsl(p)))
        fail_msg("a multiplier %Lg is outside its domain", p);
    return inside;
}

plain_bounds plain_loss_bounds(const plain_problem *problem, const long double *R, rls2_loss loss,
                               const double *y, const double *w, double lambda, const double *d,
                               const double *c, double b)
{
    int64_t n = problem->n;
    plain_bounds bounds = {0.0L, 0.0L};
    long double largest = 0.0L, fc = 0.0L;
    long double *f = calloc((size_t)n, sizeof *f);
    assert_non_null(f);
    for (int64_t k = 0; k < problem->m; k++) {
        long double q = 0.0L;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                long double entry = R[(k * n + j) * n + i];
                q += entry * c[i] * c[j];
                f[i] += d[k] * entry * c[j];
            }
        largest = fmaxl(largest, q);
    }
    for (int64_t i = 0; i < n; i++) {
        long double weight = w ? w[i] : 1.0L;
        long double p = multiplier(loss, y[i], -(long double)lambda * c[i] / weight);
        bounds.primal += weight * plain_loss(loss, y[i], f[i] + b);
        /* a fixed intercept is part of what is known of t */
        bounds.dual -= weight * (plain_conjugate(loss, y[i], p) - p * b);
        fc += f[i] * c[i];
    }
    bounds.primal += 0.5L * lambda * fc;
    bounds.dual -= 0.5L * lambda * largest;
    free(f);
    return bounds;
}

double *plain_responses(rls2_loss loss, int64_t n, const double *y)
{
    double *out = numbers(n);
    for (int64_t i = 0; i < n; i++)
        out[i] = rls2_loss_takes_labels(loss)   ? (y[i] > 0.2 ? 1.0 : -1.0)
                 : rls2_loss_takes_counts(loss) ? floor(exp(0.7 * y[i]) + 0.5)
                                                : y[i];
    return out;
}
