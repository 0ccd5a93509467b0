/* Random problems, a few hundred of them: all kinds of kernels and scalings, equal kernels,
 * equal rows, constant columns, one row, one kernel, responses of zeros or of one value,
 * lambda from 1e-12 to 1e12. */
#ifndef RLS2_TESTS_SUPPORT_RANDOM_CASE_H
#define RLS2_TESTS_SUPPORT_RANDOM_CASE_H

#include "support/problem.h"

enum { CASES = 400, LAMBDAS = 6, TEST_ROWS = 5 };

/* Below this share of the largest trace, c grows so large that rounding (and what
 * low-rank factors leave out) can be seen in the gap. */
extern const double EXTREME;

typedef struct random_case {
    uint64_t seed;
    plain_problem problem;
    double *labels;
    double *test;
    rls2_rows test_rows;
    rls2_basis_options basis;
    rls2_path_options path;
    double lambdas[LAMBDAS];
} random_case;

fitted_path fit_case(const random_case *it);

/* Calls check(case, fit) for every case that has a kernel to learn from. */
void for_all_cases(void (*check)(const random_case *, const fitted_path *));

/* Of all R^k; R as from plain_matrices. */
double largest_trace(const plain_problem *problem, const long double *R);

#endif
