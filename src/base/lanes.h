/* An inner product in parts that the compiler can vectorise.
 *
 * The parts are added in a fixed order at the end, so that every instruction set gives the same
 * bits. To be used in functions that RLS2__CLONES compiles. Below a few hundred rows a BLAS call
 * for each short product would cost more than the product. */
#ifndef RLS2_BASE_LANES_H
#define RLS2_BASE_LANES_H

#include <stdint.h>

enum { RLS2__LANES = 16 };

static inline double rls2__add_lanes(const double *part)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int l = 0; l < RLS2__LANES; l += 4)
        for (int k = 0; k < 4; k++) sum[k] += part[l + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static inline double rls2__lanes_dot(int64_t n, const double *x, const double *y)
{
    double part[RLS2__LANES] = {0.0}, rest = 0.0;
    int64_t i = 0;
    for (; i + RLS2__LANES <= n; i += RLS2__LANES)
        for (int l = 0; l < RLS2__LANES; l++) part[l] += x[i + l] * y[i + l];
    for (; i < n; i++) rest += x[i] * y[i];
    return rls2__add_lanes(part) + rest;
}

#endif
