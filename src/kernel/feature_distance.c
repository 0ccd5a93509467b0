/* |phi(x) - phi(z)|^2 = K(x, x) + K(z, z) - 2 K(x, z), from the difference of the rows.
 *
 * Where a kernel hardly varies over the rows this difference of numbers of the size of K has no
 * digits left; a form of its own for each kind keeps them all. One pair at a time: it is asked for
 * where the quick way fails, no more. */
#include "kernel/feature_distance.h"

#include <math.h>

#include "kernel/maps.h"

static double value_at(const rls2_rows *rows, int64_t column, int64_t i)
{
    return rows->x[column * (rows->ldx ? rows->ldx : rows->n) + i];
}

/* Sums over the columns of a kernel, d = x - z. */
typedef struct pair {
    double squared;  /* d'd, or the sum of w d^2 */
    double absolute; /* sum of |d| */
    double xx, zz, xz;
    double zd; /* z'd */
    double sd; /* (x + z)'d = x'x - z'z */
    int equal;
} pair;

static pair sum_over_columns(const rls2__kernel *kernel, const rls2_rows *a, int64_t i,
                             const rls2_rows *b, int64_t j)
{
    pair p = {.equal = 1};
    for (int64_t t = 0; t < kernel->column_count; t++) {
        double x = value_at(a, kernel->columns[t], i), z = value_at(b, kernel->columns[t], j),
               d = x - z;
        p.squared += kernel->widths ? d * d * kernel->widths[t] : d * d;
        p.absolute += fabs(d);
        p.xx += x * x;
        p.zz += z * z;
        p.xz += x * z;
        p.zd += z * d;
        p.sd += (x + z) * d;
        p.equal &= x == z;
    }
    return p;
}

/* u^p + v^p - 2 w^p with u = o + s x'x, v = o + s z'z, w = o + s x'z, as divided differences:
 *   s d'd h(u, w) + s^2 (z'd) (x'x - z'z) h(u, v, w),
 * where h of two numbers is the sum of their products of degree p - 1, and of three that of degree
 * p - 2. */
static double poly_distance(const double *param, const pair *p)
{
    double offset = param[1], s = param[2];
    double u = offset + s * p->xx, v = offset + s * p->zz, w = offset + s * p->xz;
    double two = 1.0, three = 0.0, power = 1.0;
    for (int degree = 2; degree <= (int)param[0]; degree++) {
        three = two + v * three; /* of degree - 2, from `two` of degree - 2 */
        power *= w;
        two = u * two + power;
    }
    return s * p->squared * two + s * p->zd * (s * p->sd) * three;
}

/* e^t less the first `from` terms of its series, for 0 <= t <= 1. */
static double tail_of_exp(double t, int from)
{
    double term = 1.0, sum = 0.0;
    for (int k = 1; k < from; k++) term *= t / k;
    for (int k = from; k < from + 20; k++) {
        term *= t / k;
        sum += term;
    }
    return sum;
}

/* 1 - (1 + t) e^-t and 1 - (1 + t + t^2/3) e^-t are e^-t times what the series of e^t has more. */
static double matern_deficit(double nu, double t)
{
    if (nu < 1.0) return -expm1(-t);
    if (nu < 2.0) return t <= 1.0 ? exp(-t) * tail_of_exp(t, 2) : 1.0 - (1.0 + t) * exp(-t);
    if (t <= 1.0) return exp(-t) * (t * t / 6.0 + tail_of_exp(t, 3));
    return t < 1e100 ? 1.0 - (1.0 + t + t * t / 3.0) * exp(-t) : 1.0;
}

static double cut(double u)
{
    return fmin(fmax(u, 0.0), 1.0);
}

/* (u - v)^2 + the integral over [0, 1] of ((u - t)_+ - (v - t)_+)^2, u the larger. */
static double spline_distance(const double *param, double x, double z)
{
    double width = param[1] - param[0];
    if (!(width > 0.0)) return 0.0;
    double high = (fmax(x, z) - param[0]) / width, low = (fmin(x, z) - param[0]) / width;
    double step = fabs(x - z) / width, from = cut(low), to = cut(high);
    double left = from == low ? step : high - from, right = high - to;
    return step * step * (1.0 + from) +
           (left - right) * (left * left + left * right + right * right) / 3.0;
}

static double given_distance(const rls2__kernel *kernel, const rls2_rows *rows, int64_t i,
                             int64_t j)
{
    const double *K = rows->given[kernel->given];
    int64_t n = rows->n, row = i > j ? i : j, column = i > j ? j : i;
    double between = K[column * n + row];
    return (K[i * n + i] - between) +
           (K[j * n + j] - between); /* exact where the values are near */
}

double rls2__feature_distance(const rls2__kernel *kernel, const rls2_rows *a, int64_t i,
                              const rls2_rows *b, int64_t j)
{
    if (kernel->kind == RLS2__KERNEL_GIVEN) return given_distance(kernel, a, i, j);
    if (kernel->kind == RLS2__KERNEL_SPLINE)
        return spline_distance(kernel->param, value_at(a, kernel->columns[0], i),
                               value_at(b, kernel->columns[0], j));
    const double *param = kernel->param;
    pair p = sum_over_columns(kernel, a, i, b, j);
    switch (kernel->kind) {
    case RLS2__KERNEL_POLY: return poly_distance(param, &p);
    case RLS2__KERNEL_RBF: return -2.0 * expm1(-param[0] * p.squared);
    case RLS2__KERNEL_LAPLACE: return -2.0 * expm1(-param[0] * p.absolute);
    case RLS2__KERNEL_MATERN:
        return 2.0 * matern_deficit(param[0], rls2__matern_factor(kernel) * sqrt(p.squared));
    case RLS2__KERNEL_DELTA: return p.equal ? 0.0 : 2.0;
    case RLS2__KERNEL_LINEAR:
    case RLS2__KERNEL_SPLINE:
    case RLS2__KERNEL_GIVEN: break;
    }
    return p.squared;
}
