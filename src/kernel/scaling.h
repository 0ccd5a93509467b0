/* The scalings s_k of the second layer (section 4.3 of the paper). */
#ifndef RLS2_KERNEL_SCALING_H
#define RLS2_KERNEL_SCALING_H

#include "kernel/kernel.h"

/* 1 / s_k before any root is taken: the trace, or the sum of the within-class
 * variances. work: n + transductive n doubles. */
double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work);

/* s_k of that denominator under the rule; may be Inf or NaN for a degenerate kernel. */
double rls2__scaling_of(rls2_scaling rule, double denominator);

/* Sum of the two within-class variances of x (divisors: the class sizes). */
double rls2__within_class_variance(int64_t n, const double *x, const double *labels);

#endif
