/* Polynomials of one column as sums of powers.
 *
 * (offset + scale x z)^degree = sum_e factor_e x^e z^e, so that sums over training rows are taken
 * once for all rows that are predicted: that costs the sum of their numbers, not the product. */
#ifndef RLS2_KERNEL_POWERS_H
#define RLS2_KERNEL_POWERS_H

#include "kernel/kernel.h"

enum { RLS2__POWERS_DEGREE = 4 }; /* at most */

/* Is the kernel one, and are there so many training rows that it pays? */
int rls2__powers_pay(const rls2__kernel *kernel, int64_t rows);
/* factor_0 .. factor_degree; returns the degree. */
int rls2__powers_factors(const rls2__kernel *kernel, long double *factors);
/* sum[i] = sum_j c_j K(a_i, b_j) for the n rows of a from `first` on. */
void rls2__powers_expand(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                         const rls2_rows *b, const double *c, double *sum);

#endif
