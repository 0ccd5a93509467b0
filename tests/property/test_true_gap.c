/* The gap reported is a bound of the true one, also where lambda is so far below the rounding of R
 * that what is left of y - R c - lambda c is rounding alone: it then comes out too small as often
 * as too large. The true gap is that of the (c, d) returned, summed in long double from kernel
 * values. */
#include <float.h>
#include <stdlib.h>

#include "support/problem.h"

enum { N = 24, P = 3, PROBLEMS = 12, LAMBDAS = 4 };

/* Beyond the bound by no more than the rounding of a bound that is computed itself. */
static const double ROUNDED = 1e-6;

/* Kernels have the trace 1. */
static const double tiny[LAMBDAS] = {1e-10, 1e-18, 1e-24, 1e-28};
static const double usual[LAMBDAS] = {0.1, 1e-2, 1e-3, 1e-4};

/* Two Gaussian kernels, the second one wider, and those of single columns. */
static plain_problem make_problem(uint64_t seed, int columns)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, N, P);
    problem_add(&problem, RBF, 3.0, 0.0, -1);
    problem_add(&problem, RBF, 1.0, 0.0, -1);
    for (int j = 0; j < columns; j++) problem_add(&problem, RBF, 0.5, 0.0, j);
    return problem;
}

static void assert_bounds(const plain_problem *problem, const fitted_path *fitted)
{
    double *y = centred(fitted->path, problem->n, problem->y);
    long double *R = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    for (int64_t i = 0; i < rls2_path_count(fitted->path); i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        double *d = dense_weights(fitted->path, i, problem->m);
        plain_certificate is =
            plain_certify(problem, R, y, point->lambda, d, rls2_path_c(fitted->path, i));
        double truth = (double)(is.gap / is.primal);
        if (!(truth <= point->gap * (1.0 + ROUNDED)))
            fail_msg("lambda %g: the gap is %g, and %g was said", point->lambda, truth, point->gap);
        free(d);
    }
    free(R);
    free(y);
}

static void check_problems(rls2_solver solver, const double *lambdas, int columns)
{
    if (LDBL_MANT_DIG <= DBL_MANT_DIG) skip(); /* nothing to compare with */
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        plain_problem problem = make_problem(seed, columns);
        rls2_basis_options options;
        rls2_basis_options_init(&options, sizeof options);
        rls2_path_options how;
        rls2_path_options_init(&how, sizeof how);
        options.rank_tol = 0.0; /* triangles */
        how.solver = solver;
        how.max_iter = 50;
        fitted_path fitted = fit(&problem, &options, LAMBDAS, lambdas, &how);
        assert_bounds(&problem, &fitted);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

static void path_fit__lambda_far_below_rounding__reports_a_bound(void **state)
{
    (void)state;
    check_problems(RLS2_SOLVER_NEWTON, tiny, 0);
}

static void path_fit__the_same_by_alternation__reports_a_bound(void **state)
{
    (void)state;
    check_problems(RLS2_SOLVER_ALTERNATE, tiny, 0);
}

/* Its rule leaves a residual, which is the larger part of the gap. */
static void path_fit__alternation_that_ends_early__reports_a_bound(void **state)
{
    (void)state;
    check_problems(RLS2_SOLVER_ALTERNATE, usual, P);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__lambda_far_below_rounding__reports_a_bound),
        cmocka_unit_test(path_fit__alternation_that_ends_early__reports_a_bound),
        cmocka_unit_test(path_fit__the_same_by_alternation__reports_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
