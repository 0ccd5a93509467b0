/* The certificate of any loss from rows, R(d)c and the largest q.  [MATH.md, N1]
 *
 *   primal(c, d, b) = sum_i w_i L(y_i, f_i + b) + lambda/2 c'f,   f = R(d)c
 *   dual(c)         = - sum_i w_i (L*(p_i) - p_i b) - lambda/2 max_k c'R^k c,   p = -lambda c / w
 *
 * where b is 0 in the dual, and 1'c = 0, if the intercept is free. Their difference is a sum of
 * terms that are not negative:
 *
 *   sum_i w_i (L(t_i) + L*(p_i) - p_i t_i) + lambda/2 (max_k c'R^k c - c'f),   t = f + b
 *
 * As plain as certificate.c: the losses are written down once more, in long double. Each term is
 * convex in t, and so at its largest at an end of what rounding of the kernels can make of t. */
#include "solver/certificate_loss.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"

/* c that is farther than this share outside its domain is not there by rounding. */
static const long double REPAIRED = 1e-9L;
/* Rounding of the terms of a row, in units of the last place of a long double. */
static const long double TERM_ROUNDING = 16.0L;

/* ---- losses ---- */

typedef struct range {
    long double low, high;
} range;

/* The domain of the conjugate: the slopes that the loss has. */
static range slopes_of(rls2_loss loss, long double y)
{
    long double a = loss.parameter, most = HUGE_VALL;
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC:
    case RLS2_LOSS_HINGE: return y > 0.0L ? (range){-1.0L, 0.0L} : (range){0.0L, 1.0L};
    case RLS2_LOSS_SQUARED_HINGE: return y > 0.0L ? (range){-most, 0.0L} : (range){0.0L, most};
    case RLS2_LOSS_HUBER: return (range){-a, a};
    case RLS2_LOSS_QUANTILE: return (range){-a, 1.0L - a};
    case RLS2_LOSS_EPSILON:
    case RLS2_LOSS_ABSOLUTE: return (range){-1.0L, 1.0L};
    case RLS2_LOSS_POISSON: return (range){-y, most};
    case RLS2_LOSS_MULTINOMIAL: /* of all outputs of a row: not a function of one t */
    case RLS2_LOSS_SQUARE: break;
    }
    return (range){-most, most};
}

static long double x_log_x(long double x)
{
    return x > 0.0L ? x * logl(x) : 0.0L;
}

static long double value_of(rls2_loss loss, long double y, long double t)
{
    long double r = t - y, size = fabsl(r), a = loss.parameter, left = fmaxl(1.0L - y * t, 0.0L);
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC: return log1pl(expl(-fabsl(y * t))) + fmaxl(-y * t, 0.0L);
    case RLS2_LOSS_HINGE: return left;
    case RLS2_LOSS_SQUARED_HINGE: return 0.5L * left * left;
    case RLS2_LOSS_HUBER: return size <= a ? 0.5L * r * r : a * (size - 0.5L * a);
    case RLS2_LOSS_QUANTILE: return r > 0.0L ? (1.0L - a) * r : -a * r;
    case RLS2_LOSS_EPSILON: return fmaxl(size - a, 0.0L);
    case RLS2_LOSS_ABSOLUTE: return size;
    case RLS2_LOSS_POISSON: return expl(t) - y * t + x_log_x(y) - y;
    case RLS2_LOSS_MULTINOMIAL:
    case RLS2_LOSS_SQUARE: break;
    }
    return 0.5L * r * r;
}

/* L*(p) - p y, so that y cancels in p t - L*(p) where it can; of poisson and logistic L*(p). */
static long double conjugate_of(rls2_loss loss, long double y, long double p)
{
    long double share = fminl(fmaxl(-p * y, 0.0L), 1.0L), rate = fmaxl(p + y, 0.0L);
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC: return x_log_x(share) + x_log_x(1.0L - share);
    case RLS2_LOSS_POISSON: return x_log_x(rate) - rate - x_log_x(y) + y;
    case RLS2_LOSS_HINGE:
    case RLS2_LOSS_QUANTILE:
    case RLS2_LOSS_ABSOLUTE: return 0.0L;
    case RLS2_LOSS_EPSILON: return loss.parameter * fabsl(p);
    case RLS2_LOSS_SQUARED_HINGE:
    case RLS2_LOSS_HUBER:
    case RLS2_LOSS_MULTINOMIAL:
    case RLS2_LOSS_SQUARE: break;
    }
    return 0.5L * p * p;
}

/* L(t) + L*(p) - p t, and what rounding can hide of it. */
static long double young(rls2_loss loss, long double y, long double t, long double p)
{
    int whole = loss.kind == RLS2_LOSS_LOGISTIC || loss.kind == RLS2_LOSS_POISSON;
    long double value = value_of(loss, y, t), dual = conjugate_of(loss, y, p);
    long double product = p * (whole ? t : t - y);
    long double size = value + fabsl(dual) + fabsl(product) + (whole ? fabsl(y * t) + y : 0.0L);
    return fmaxl(value + dual - product, 0.0L) + TERM_ROUNDING * LDBL_EPSILON * size;
}

/* ---- c where it bounds anything ---- */

static long double weight_of(const double *w, int64_t i)
{
    return w ? w[i] : 1.0L;
}

/* How far c_i may still move in the direction of the sign. */
static long double room_left(const rls2__certified_loss *of, const double *w, const double *y,
                             double lambda, const long double *c, int64_t i, long double sign)
{
    range at = slopes_of(of->loss, y[i]);
    long double end = sign > 0.0L ? -at.low : at.high; /* of lambda |c| / w on that side */
    return weight_of(w, i) * end / lambda - sign * c[i];
}

/* The sum goes to one row, that with the most room for it. */
static int balance(const rls2__certified_loss *of, int64_t n, const double *w, const double *y,
                   double lambda, long double *c)
{
    long double sum = 0.0L, size = 0.0L, most = -1.0L;
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += c[i];
        size += fabsl(c[i]);
    }
    if (!(fabsl(sum) <= REPAIRED * size)) return 0;
    for (int64_t i = 0; i < n; i++) {
        long double left = room_left(of, w, y, lambda, c, i, sum > 0.0L ? -1.0L : 1.0L);
        if (!(left > most)) continue;
        most = left;
        at = i;
    }
    c[at] -= sum;
    return most >= fabsl(sum);
}

int rls2__certified_repair(const rls2__certified_loss *of, int64_t n, const double *w,
                           const double *y, double lambda, long double *c)
{
    for (int64_t i = 0; i < n; i++) {
        range at = slopes_of(of->loss, y[i]);
        long double unit = weight_of(w, i) / lambda, size = fabsl(c[i]);
        long double inside = fminl(fmaxl(c[i], -unit * at.high), -unit * at.low);
        if (!(fabsl(c[i] - inside) <= REPAIRED * fmaxl(size, fabsl(inside)))) {
            /* next to an end of 0 rounding is a share of the other one */
            long double other = fmaxl(fabsl(at.low), fabsl(at.high));
            if (!isfinite(other) || !(fabsl(c[i] - inside) <= REPAIRED * unit * other)) return 0;
        }
        c[i] = inside;
    }
    return !of->is_free || balance(of, n, w, y, lambda, c);
}

/* ---- the certificate ---- */

/* Sums over rows, of what rounding can make of t the worst. */
typedef struct sums {
    long double loss, lowest, young, farthest, size;
} sums;

static void add_row(const rls2__certified_loss *of, long double weight, long double y,
                    long double t, long double off, long double p, sums *to)
{
    range at = slopes_of(of->loss, y);
    long double inside = fminl(fmaxl(p, at.low), at.high); /* where it is but for rounding */
    long double value = value_of(of->loss, y, t);
    long double most = fmaxl(value_of(of->loss, y, t - off), value_of(of->loss, y, t + off));
    to->loss += weight * value;
    /* a convex function is nowhere in between below this */
    to->lowest += weight * fmaxl(2.0L * value - fmaxl(most, value), 0.0L);
    to->young += weight * young(of->loss, y, t, inside);
    to->farthest +=
        weight * fmaxl(young(of->loss, y, t - off, inside), young(of->loss, y, t + off, inside));
}

void rls2__certified_conclude(const rls2__certified_loss *of, int64_t n, const double *w,
                              const double *y, double lambda, const long double *c,
                              const rls2__certified_findings *found, rls2_certificate *certificate)
{
    const rls2__certified_product *f = &found->fit;
    long double b = of->intercept, cf = 0.0L, cf_off = 0.0L, size = 0.0L;
    sums all = {0};
    for (int64_t i = 0; i < n; i++) {
        long double weight = weight_of(w, i);
        add_row(of, weight, y[i], f->v[i] + b, f->off[i], -(long double)lambda * c[i] / weight,
                &all);
        cf += c[i] * f->v[i];
        cf_off += fabsl(c[i]) * f->off[i];
        size += fabsl(c[i]);
    }
    long double primal = all.loss + 0.5L * lambda * cf;
    long double gap = all.farthest + 0.5L * lambda * (fmaxl(found->bound - cf, 0.0L) + cf_off);
    if (of->is_free) gap += lambda * (long double)n * LDBL_EPSILON * size * fabsl(b);
    long double lowest = all.lowest + 0.5L * lambda * (cf - cf_off);
    rls2__invariant(found->bound >= found->max_q && found->max_q >= 0.0L && !(gap < 0.0L));
    certificate->primal = (double)primal;
    certificate->dual = (double)(lowest - gap);
    certificate->gap = (double)gap;
    certificate->relative_gap = lowest > 0.0L ? (double)(gap / lowest) : HUGE_VAL;
    if (primal == 0.0L && size == 0.0L) certificate->relative_gap = 0.0;
    certificate->residual = primal > 0.0L ? (double)sqrtl(all.young / primal) : 0.0;
    certificate->max_q = (double)found->max_q;
}

void rls2__certified_refuse(rls2_certificate *certificate)
{
    certificate->dual = -HUGE_VAL;
    certificate->gap = certificate->relative_gap = HUGE_VAL;
}
