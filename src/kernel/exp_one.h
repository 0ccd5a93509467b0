/* exp(x) = 2^k exp(r), k = round(x / ln 2), |r| <= ln 2 / 2.
 *
 * Without branches, calls or tables, so that the compiler vectorises any loop around it
 * for any instruction set. k is rounded by adding 1.5 * 2^52, which leaves it in the low
 * bits of the sum; r is formed with ln 2 in two pieces, the first with enough
 * trailing zeros that k * hi is exact. The Taylor polynomial of degree 13 has a
 * relative error of 4e-18 on the interval. */
#ifndef RLS2_KERNEL_EXP_ONE_H
#define RLS2_KERNEL_EXP_ONE_H

#include <stdint.h>
#include <string.h>

#define RLS2__EXP_LOWEST (-707.0) /* 2^-1020: k stays a normal exponent */

static inline double rls2__exp_reduced(double r)
{
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    /* 1 + (r + r^2 p): the small terms first, for the last bit */
    return 1.0 + (r + r * r * p);
}

/* For RLS2__EXP_LOWEST <= v <= 0. */
static inline double rls2__exp_kept(double v)
{
    const double shift = 0x1.8p52;
    double t = v * 0x1.71547652b82fep0 + shift;
    double k = t - shift;
    double r = (v - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    int64_t bits;
    memcpy(&bits, &t, sizeof bits);
    bits = (int64_t)(((uint64_t)bits + 1023) << 52);
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale * rls2__exp_reduced(r);
}

/* For x <= 0, the only case kernels need. Relative error below 2 units in the last place; results
 * below exp(-707), about 9e-308, become 0. */
static inline double rls2__exp_one(double x)
{
    double y = rls2__exp_kept(x < RLS2__EXP_LOWEST ? RLS2__EXP_LOWEST : x);
    return x < RLS2__EXP_LOWEST ? 0.0 : y;
}

#endif
