/* The scalings s_k of the second layer (section 4.3 of the paper).
 *
 * Where rows have weights, every sum over rows is a weighted one and every count of rows a sum of
 * weights. */
#ifndef RLS2_BASIS_SCALING_H
#define RLS2_BASIS_SCALING_H

#include "kernel/kernel.h"

/* 1 / s_k before any root is taken: the trace, or the sum of the within-class
 * variances; NaN where the columns are beyond the range that can be computed with. For kernels that
 * are not rls2__is_of_pairs. work: n + transductive n doubles. */
double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work);
/* The trace, of transductive rows too. */
double rls2__scaling_trace(const rls2__kernel *kernel, const rls2_rows *train,
                           const rls2_basis_options *options, double *work);
/* Are the columns within that range? */
int rls2__is_scaled_in_range(const rls2__kernel *kernel, const rls2_rows *train,
                             const rls2_basis_options *options);

/* s_k of that denominator under the rule; may be Inf or NaN for a degenerate kernel. */
double rls2__scaling_of(rls2_scaling rule, double denominator);

/* Sum of the two within-class variances of x (divisors: the class sizes); that of a class without
 * rows is 0. weights may be NULL. */
double rls2__within_class_variance(int64_t n, const double *x, const double *labels,
                                   const double *weights);
/* Sum of squares about the mean. */
double rls2__centred_squares(int64_t n, const double *x, const double *weights);

/* Has a difference of sums of the size `scale` lost digits? */
int rls2__is_nearly_constant(double difference, double scale);
/* What is left of it: 0 where it is no more than their rounding, as of a kernel that is constant on
 * the rows. */
double rls2__above_rounding(double difference, double scale);

#endif
