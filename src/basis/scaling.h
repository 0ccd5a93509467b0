/* The scalings s_k of the second layer (section 4.3 of the paper).
 *
 * Where rows have weights, every sum over rows is a weighted one and every count of rows a sum of
 * weights. */
#ifndef RLS2_BASIS_SCALING_H
#define RLS2_BASIS_SCALING_H

#include "kernel/kernel.h"

/* 1 / s_k before any root is taken: the trace, or the sum of the within-class
 * variances; NaN where the columns are beyond the range that can be computed with. work: n +
 * transductive n doubles. */
double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work);

/* s_k of that denominator under the rule; may be Inf or NaN for a degenerate kernel. */
double rls2__scaling_of(rls2_scaling rule, double denominator);

/* Sum of the two within-class variances of x (divisors: the class sizes); that of a class without
 * rows is 0. weights may be NULL. */
double rls2__within_class_variance(int64_t n, const double *x, const double *labels,
                                   const double *weights);
/* Sum of squares about the mean. */
double rls2__centred_squares(int64_t n, const double *x, const double *weights);

/* The same of the features of a symmetric matrix K: sum of K_ii / l - sum of K_ij / l^2 over the
 * rows of each class, and tr K - (1/l) sum of K_ij. column(from, j, out) gives column j from its
 * diagonal down; work: n doubles. *scale is the size of the sums whose difference that is. */
typedef void (*rls2__column_fn)(const void *from, int64_t j, double *out);
double rls2__matrix_within_class_variance(int64_t n, rls2__column_fn column, const void *from,
                                          const double *labels, const double *weights, double *work,
                                          double *scale);
double rls2__matrix_centred_trace(int64_t n, rls2__column_fn column, const void *from,
                                  const double *weights, double *work, double *scale);
/* Has a difference of sums of the size `scale` lost digits? rls2__scaling_denominator keeps them.
 */
int rls2__is_nearly_constant(double difference, double scale);

#endif
