/* Moments of training rows, and polynomials in the rows that are predicted. */
#include "kernel/powers.h"

#include <math.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/lanes.h"
#include "base/many_rows.h"

int rls2__powers_pay(const rls2__kernel *kernel, int64_t rows)
{
    return kernel->kind == RLS2__KERNEL_POLY && kernel->column_count == 1 &&
           kernel->param[0] <= RLS2__POWERS_DEGREE && rows >= RLS2__MANY_ROWS;
}

int rls2__powers_factors(const rls2__kernel *kernel, long double *factors)
{
    int degree = (int)kernel->param[0];
    long double choices = 1.0L; /* degree over e */
    rls2__invariant(degree >= 1 && degree <= RLS2__POWERS_DEGREE);
    for (int e = 0; e <= degree; e++) {
        factors[e] = choices * powl(kernel->param[1], degree - e) * powl(kernel->param[2], e);
        choices = choices * (degree - e) / (e + 1);
    }
    return degree;
}

/* moments[e] = sum_j c_j z_j^e, in parts that are added in a fixed order. */
RLS2__CLONES
static void add_moments(int64_t n, const double *z, const double *c, int degree, double *moments)
{
    double part[RLS2__POWERS_DEGREE + 1][RLS2__LANES] = {{0.0}};
    int64_t j = 0;
    for (; j + RLS2__LANES <= n; j += RLS2__LANES) {
        double power[RLS2__LANES];
        for (int l = 0; l < RLS2__LANES; l++) power[l] = c[j + l];
        for (int e = 0; e <= degree; e++)
            for (int l = 0; l < RLS2__LANES; l++) {
                part[e][l] += power[l];
                power[l] *= z[j + l];
            }
    }
    for (int e = 0; e <= degree; e++) moments[e] = rls2__add_lanes(part[e]);
    for (; j < n; j++) {
        double power = c[j];
        for (int e = 0; e <= degree; e++, power *= z[j]) moments[e] += power;
    }
}

RLS2__CLONES
static void evaluate(int64_t n, const double *x, int degree, const double *coefficients,
                     double *restrict sum)
{
    for (int64_t i = 0; i < n; i++) sum[i] = coefficients[degree];
    for (int e = degree - 1; e >= 0; e--)
        for (int64_t i = 0; i < n; i++) sum[i] = sum[i] * x[i] + coefficients[e];
}

void rls2__powers_expand(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                         const rls2_rows *b, const double *c, double *sum)
{
    long double factors[RLS2__POWERS_DEGREE + 1];
    double moments[RLS2__POWERS_DEGREE + 1];
    int degree = rls2__powers_factors(kernel, factors);
    int64_t column = kernel->columns[0];
    rls2__invariant(first >= 0 && first + n <= a->n);
    add_moments(b->n, b->x + column * (b->ldx ? b->ldx : b->n), c, degree, moments);
    for (int e = 0; e <= degree; e++) moments[e] = (double)(factors[e] * moments[e]);
    evaluate(n, a->x + column * (a->ldx ? a->ldx : a->n) + first, degree, moments, sum);
}
