/* Values of kernels, many at a time. Every value is multiplied by s at the end. */
#ifndef RLS2_KERNEL_MAPS_H
#define RLS2_KERNEL_MAPS_H

#include "kernel/kernel.h"

/* What the root of the sum over columns is multiplied by. */
double rls2__matern_factor(const rls2__kernel *kernel);

/* to[i] = s times the kernel at from[i], the sum over columns that rls2__kernel_sums makes. `to`
 * may be `from`. */
void rls2__kernel_map(const rls2__kernel *kernel, int64_t n, const double *from, double s,
                      double *to);

/* to[i] = s times the kernel of x[i] and z, for a kernel of one column other than spline or given:
 * the same bits as by way of the sums, in one pass. */
void rls2__kernel_map_pairs(const rls2__kernel *kernel, int64_t n, const double *x, double z,
                            double s, double *to);

#endif
