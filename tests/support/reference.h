/* The truth about a claimed solution, computed from the raw data in long double.
 *
 * Nothing of the library is used: kernel values, scalings, objective and duality gap follow
 * their definitions in docs/MATH.md. Where long double has 64 bits of mantissa and exponents to
 * 10^4932, numbers from 1e-300 to 1e300 can be squared and multiplied freely, and what is left
 * of rounding is bounded and told (`error`), so that a verdict against a claim never rests on
 * it. */
#ifndef RLS2_TESTS_SUPPORT_REFERENCE_H
#define RLS2_TESTS_SUPPORT_REFERENCE_H

#include <stdint.h>

#include "rls2/rls2.h"

typedef enum reference_kind {
    REFERENCE_LINEAR,
    REFERENCE_POLY,    /* a degree, b offset, scale */
    REFERENCE_RBF,     /* a gamma */
    REFERENCE_LAPLACE, /* a gamma */
    REFERENCE_MATERN,  /* a nu, b length */
    REFERENCE_SPLINE,
    REFERENCE_DELTA,
    REFERENCE_GIVEN /* first: which matrix */
} reference_kind;

typedef struct reference_kernel {
    reference_kind kind;
    double a, b, scale;
    int64_t first, last; /* its columns, both included */
    double lo, hi;       /* SPLINE: range of the column, by reference_fit */
} reference_kernel;

/* Everything is borrowed. */
typedef struct reference_data {
    int64_t n, p, m;
    const double *x;            /* n x p */
    const double *const *given; /* n x n each; what counts is the symmetric part */
    const reference_kernel *kernels;
    const double *weights; /* of the rows, or NULL */
} reference_data;

/* The range of a spline, over the rows it is to be learned from. */
void reference_fit(int64_t n, const double *x, reference_kernel *kernel);

/* All K_k(X, X), m matrices of n x n, not scaled; NULL where there is no memory. Release with
 * free(). */
long double *reference_matrices(const reference_data *data);

/* What the rule divides by, without a difference that cancels: s_k is 1 / this, or 1 / its root
 * for FISHER_SQRT. *size is what it would be if rows had nothing in common: the sum of the
 * diagonal, in the units of the result. */
long double reference_denominator(const reference_data *data, int64_t k, rls2_scaling rule,
                                  int center, const double *labels, long double *size);

typedef struct reference_truth {
    long double primal, dual;
    long double gap;   /* primal - dual, by G2: nothing cancels */
    long double error; /* at most so far are primal and gap from those of exact arithmetic */
    int64_t largest;   /* the kernel of max_k c'R^k c, -1 if there is none */
} reference_truth;

/* Of (c, d) with R^k = s_k K_k; y is the response and b its intercept, taken off here. */
reference_truth reference_judge(const reference_data *data, const long double *K, const double *s,
                                const double *y, double b, double lambda, const long double *d,
                                const long double *c);

/* A good d, found by the slowest of methods, and the truth about it: its primal is an upper
 * bound of the minimum, whatever the method did. From d, which is changed, `steps` times: c =
 * (R(d) + lambda W^-1)^-1 y by elimination, then d_k in proportion to d_k sqrt(c'R^k c), which
 * is the best for the parts f_k = d_k R^k c and never worse (G6). primal is NaN where
 * elimination fails. */
reference_truth reference_descend(const reference_data *data, const long double *K, const double *s,
                                  const double *y, double b, double lambda, int steps,
                                  long double *d);

#endif
