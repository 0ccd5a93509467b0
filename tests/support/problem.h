/* Problems whose every number can be computed a second time, slowly and plainly.
 *
 * A problem is a list of kernels with the dictionary text that asks for them. The
 * functions here evaluate kernels, scalings, objective and bounds from their
 * definitions, in long double and without a line of the library, so that what the
 * library returns can be held against something else. */
#ifndef RLS2_TESTS_SUPPORT_PROBLEM_H
#define RLS2_TESTS_SUPPORT_PROBLEM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "experiments/paper_sets.h"
#include "rls2/rls2.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZERS 1
#endif
#endif
#ifndef UNDER_SANITIZERS
#define UNDER_SANITIZERS 0
#endif

/* ---- memory and status ---- */

/* Never NULL: a test without memory fails. Release with free(). */
double *numbers(int64_t count);
/* Fails the test with the library's own message. */
void assert_ok(rls2_status status, const rls2_error *err);

/* ---- problems ---- */

typedef enum kernel_kind { LINEAR, POLY, RBF, LAPLACE, MATERN, SPLINE, DELTA, GIVEN } kernel_kind;

typedef struct plain_kernel {
    kernel_kind kind;
    double a;       /* degree, gamma, nu */
    double b;       /* offset, length */
    int64_t column; /* its only column, or -1 for all of them; for GIVEN the matrix */
} plain_kernel;

enum { MAX_KERNELS = 256, MAX_GIVEN = 2, SPEC_ROOM = 16384 };

typedef struct plain_problem {
    int64_t n, p, m;
    double *x; /* n x p */
    double *y; /* n */
    int64_t given_count;
    double *given[MAX_GIVEN]; /* n x n each */
    plain_kernel kernels[MAX_KERNELS];
} plain_problem;

/* Standard normal inputs and a response that depends on some of them; no kernels. */
plain_problem problem_create(rls2__random *random, int64_t n, int64_t p);
void problem_free(plain_problem *problem);

/* Appends one kernel; column -1 means all columns. */
void problem_add(plain_problem *problem, kernel_kind kind, double a, double b, int64_t column);
/* Appends `count` kernels drawn from all kinds, and a copy of an earlier one now and then. */
void problem_add_random(plain_problem *problem, rls2__random *random, int64_t count);
/* linear@each */
void problem_add_linear(plain_problem *problem);

/* The dictionary text of its kernels, in their order. */
void problem_spec(const plain_problem *problem, char spec[SPEC_ROOM]);
rls2_rows problem_rows(const plain_problem *problem);

/* ---- a fit by the library ---- */

typedef struct fitted_path {
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
} fitted_path;

/* Options may be NULL. */
fitted_path fit(const plain_problem *problem, const rls2_basis_options *basis_options,
                int64_t count, const double *lambdas, const rls2_path_options *path_options);
/* With a control for the basis. */
fitted_path fit_under(const plain_problem *problem, const rls2_basis_options *basis_options,
                      const rls2_control *control, int64_t count, const double *lambdas,
                      const rls2_path_options *path_options);
void fitted_free(fitted_path *fitted);

/* d of point i, one value per kernel. Release with free(). */
double *dense_weights(const rls2_path *path, int64_t i, int64_t m);
/* y less the intercept of the path. Release with free(). */
double *centred(const rls2_path *path, int64_t n, const double *y);

/* ---- the same by definition ---- */

/* K(x_i, z_j) of rows i of x (n x p) and j of z (nz x p). The spline's range is that
 * of the problem's rows. For GIVEN both must be the problem's rows. */
long double plain_value(const plain_problem *problem, const plain_kernel *kernel, int64_t n,
                        const double *x, int64_t i, int64_t nz, const double *z, int64_t j);

/* What the rule divides by: s_k is 1 / this, or its root for FISHER_SQRT. `test`
 * (count x p) are the transductive rows, or NULL. */
long double plain_denominator(const plain_problem *problem, const plain_kernel *kernel,
                              const rls2_basis_options *options, int64_t count, const double *test);

/* All R^k = s_k K_k(X, X), m matrices of n x n. Release with free(). */
long double *plain_matrices(const plain_problem *problem, const double *s);

/* R(d) = sum_k d_k R^k, n x n. Release with free(). */
long double *plain_combination(const plain_problem *problem, const long double *R, const double *d);

typedef struct plain_certificate {
    long double primal, dual,
        gap;              /* gap without cancellation: 1/2 |r|^2 + lambda/2 (max q - c'Rc) */
    long double residual; /* |r| / |y| */
    int64_t largest;      /* the kernel of max q */
} plain_certificate;

/* R as from plain_matrices; y is the response less the intercept. */
plain_certificate plain_certify(const plain_problem *problem, const long double *R, const double *y,
                                double lambda, const double *d, const double *c);

/* Solves A x = b by elimination with pivots; A (n x n, column-major) and b are
 * destroyed, x is left in b. */
void plain_solve(int64_t n, long double *A, long double *b);

/* P(d) = lambda/2 y'(R(d) + lambda I)^-1 y. */
long double plain_objective(const plain_problem *problem, const long double *R, const double *y,
                            double lambda, const double *d);

/* ---- data sets ---- */

typedef struct data_split {
    int64_t n, n_test, p;
    double *x, *y, *x_test, *y_test;
    rls2_rows train, test;
} data_split;

/* A random split of the set's rows, `share` of them for training. */
data_split split_rows(const rls2_dataset *data, double share, uint64_t seed);
void split_free(data_split *split);

#endif
