/* What must hold of every fit, tried on random problems. */
#include "support/random_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "solver/evaluate.h"
#include "solver/linear.h"
#include "solver/solver.h"

/* Conjugate gradients serve where lambda exceeds ten times |R(d)|, a factor kept from lambda to
 * lambda where kernels are columns. */
static int needs_a_factor(const random_case *it, const fitted_path *fitted, int64_t i)
{
    const int64_t *ks;
    const double *d;
    int64_t count = rls2_path_kernel_weights(fitted->path, i, &ks, &d);
    if (it->path.solver == RLS2_SOLVER_ALTERNATE) return 1;
    return !rls2__is_linear(fitted->basis) &&
           rls2_path_at(fitted->path, i)->lambda <
               10.0 * rls2__combined_norm(fitted->basis, count, ks, d);
}

static void check_numbers(const random_case *it, const fitted_path *fitted)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        const double *c = rls2_path_c(fitted->path, i);
        if (!isfinite(point->objective) || !isfinite(point->gap) || !isfinite(point->residual) ||
            !(point->gap >= -1e-9) || !(point->objective >= 0.0))
            fail_msg("seed %d, lambda %g: objective %g, gap %g, residual %g", (int)it->seed,
                     point->lambda, point->objective, point->gap, point->residual);
        if (point->outcome == RLS2_OUTCOME_CONVERGED)
            assert_true(point->gap <= it->path.gap_tol);
        else
            assert_int_equal(point->outcome, RLS2_OUTCOME_STALLED);
        assert_true(point->iterations >= 1 && point->factorizations >= 0);
        if (needs_a_factor(it, fitted, i)) assert_true(point->factorizations >= 1);
        assert_true(point->priced <= point->offered);
        for (int64_t j = 0; j < it->problem.n; j++) assert_true(isfinite(c[j]));
    }
}

static void path_fit__random_problems__report_finite_numbers(void **state)
{
    (void)state;
    for_all_cases(check_numbers);
}

static void check_weights(const random_case *it, const fitted_path *fitted)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const int64_t *kernels;
        const double *weights;
        int64_t count = rls2_path_kernel_weights(fitted->path, i, &kernels, &weights);
        double sum = 0.0;
        assert_int_equal(count, rls2_path_at(fitted->path, i)->selected);
        assert_in_range(count, 1, it->problem.m);
        for (int64_t t = 0; t < count; t++) {
            assert_true(weights[t] > 0.0);
            assert_true(rls2_basis_scales(fitted->basis)[kernels[t]] >
                        0.0); /* none that was skipped */
            assert_in_range(kernels[t], t == 0 ? 0 : kernels[t - 1] + 1, it->problem.m - 1);
            sum += weights[t];
        }
        if (!(fabs(sum - 1.0) <= 1e-12))
            fail_msg("seed %d: the weights sum to %.17g", (int)it->seed, sum);
    }
}

static void path_weights__random_problems__lie_on_the_simplex(void **state)
{
    (void)state;
    for_all_cases(check_weights);
}

static void check_scales(const random_case *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    const double *s = rls2_basis_scales(fitted->basis);
    int extra = it->basis.transductive != NULL,
        root = it->basis.scaling == RLS2_SCALING_FISHER_SQRT;
    rls2_basis_options uncentred = it->basis;
    uncentred.scaling = RLS2_SCALING_TRACE;
    uncentred.center = 0;
    for (int64_t k = 0; k < problem->m; k++) {
        const plain_kernel *kernel = &problem->kernels[k];
        long double expected = plain_denominator(problem, kernel, &it->basis, extra ? TEST_ROWS : 0,
                                                 extra ? it->test : NULL);
        /* a difference of sums of the size of the trace: rounding is a share of that */
        long double trace = plain_denominator(problem, kernel, &uncentred, 0, NULL);
        double got = root ? 1.0 / (s[k] * s[k]) : 1.0 / s[k];
        if (s[k] == 0.0 && expected > 1e-12L * trace)
            fail_msg("seed %d: kernel %d is skipped", (int)it->seed, (int)k);
        if (s[k] != 0.0 &&
            (!(fabsl(got - expected) <= 1e-12L * (expected + trace)) || !(got > 1e-20L * trace)))
            fail_msg("seed %d, kernel %d: 1/s is %g, not %Lg", (int)it->seed, (int)k, got,
                     expected);
    }
}

static void basis_scales__random_problems__equal_their_definition(void **state)
{
    (void)state;
    for_all_cases(check_scales);
}

/* The bound from kernels and rows, in long double. */
static void check_gap(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double *y = centred(fitted->path, n, it->problem.y), size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        double *d = dense_weights(fitted->path, i, it->problem.m);
        plain_certificate bound =
            plain_certify(&it->problem, R, y, point->lambda, d, rls2_path_c(fitted->path, i));
        double gap = bound.primal > 0.0L ? (double)(bound.gap / bound.primal) : 0.0;
        int fair = point->lambda > EXTREME * size;
        assert_true(gap >= -1e-12);
        assert_true(bound.dual <= bound.primal * (1.0L + 1e-12L));
        if (fair && !(gap <= 1.1 * point->gap + 1e-6 && point->gap <= 1.1 * gap + 1e-6))
            fail_msg("seed %d, lambda %g: gap %g, reported %g", (int)it->seed, point->lambda, gap,
                     point->gap);
        if (fair && !(fabsl(bound.primal - point->objective) <= 1e-7L * bound.primal))
            fail_msg("seed %d, lambda %g: objective %.12Lg, reported %.12g", (int)it->seed,
                     point->lambda, bound.primal, point->objective);
        /* however small lambda is, nothing is claimed that does not hold */
        if (!(gap <= 1.1 * point->gap + (fair ? 1e-6 : 1e-4)))
            fail_msg("seed %d, lambda %g: gap %g, claimed %g", (int)it->seed, point->lambda, gap,
                     point->gap);
        free(d);
    }
    free(R);
    free(y);
}

static void path_fit__random_problems__report_the_gap_there_is(void **state)
{
    (void)state;
    for_all_cases(check_gap);
}

static void check_convergence(const random_case *it, const fitted_path *fitted)
{
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        if (point->lambda > EXTREME * size && point->outcome != RLS2_OUTCOME_CONVERGED)
            fail_msg("seed %d, lambda %g, %.1e of the trace: outcome %d, gap %g", (int)it->seed,
                     point->lambda, point->lambda / size, point->outcome, point->gap);
    }
    free(R);
}

static void path_fit__lambda_above_1e_8_of_the_trace__converges(void **state)
{
    (void)state;
    for_all_cases(check_convergence);
}

static void check_certificate(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double *y = centred(fitted->path, n, it->problem.y), size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        rls2_error err;
        rls2_certificate got;
        double lambda = rls2_path_at(fitted->path, i)->lambda;
        double *d = dense_weights(fitted->path, i, it->problem.m);
        assert_ok(rls2_path_certify(fitted->path, i, &got, sizeof got, &err), &err);
        plain_certificate bound =
            plain_certify(&it->problem, R, y, lambda, d, rls2_path_c(fitted->path, i));
        long double primal = bound.primal;
        long double allowed =
            100.0L * DBL_EPSILON * size / lambda; /* for the rounding of kernels */
        assert_true(isfinite(got.primal) && isfinite(got.dual) && isfinite(got.gap) &&
                    isfinite(got.relative_gap));
        assert_true(got.max_kernel >= 0 && got.max_kernel < it->problem.m);
        if (lambda > EXTREME * size &&
            (!(fabsl(got.primal - primal) <= 1e-7L * primal) ||
             !(fabsl(got.dual - bound.dual) <= (1e-7L + allowed) * primal) ||
             !(got.gap >= bound.gap - 1e-7L * primal) ||
             !(got.gap <= bound.gap + (1e-7L + allowed) * primal) ||
             !(got.dual <= got.primal + 1e-9 * fabs(got.primal))))
            fail_msg("seed %d, lambda %g: primal %g, dual %g, gap %g, not %Lg, %Lg, %Lg",
                     (int)it->seed, lambda, got.primal, got.dual, got.gap, primal, bound.dual,
                     bound.gap);
        free(d);
    }
    free(R);
    free(y);
}

static void path_certify__random_problems__equals_the_definition(void **state)
{
    (void)state;
    for_all_cases(check_certificate);
}

/* tr R (R + lambda I)^-1 by elimination. */
static long double plain_df(int64_t n, const long double *R, double lambda)
{
    long double trace = 0.0L, *M = malloc((size_t)(n * n) * sizeof *M),
                *b = malloc((size_t)n * sizeof *b);
    assert_non_null(M);
    assert_non_null(b);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t t = 0; t < n * n; t++) M[t] = R[t] + (t % (n + 1) == 0 ? lambda : 0.0);
        for (int64_t t = 0; t < n; t++) b[t] = R[j * n + t];
        plain_solve(n, M, b);
        trace += b[j];
    }
    free(M), free(b);
    return trace;
}

/* Where the last point is not the best one, what is handed out is of the best, and the next lambda
 * begins there. */
static void path_fit__few_iterations__numbers_are_of_the_answer(void **state)
{
    (void)state;
    enum { COUNT = 4 };
    static const double lambdas[COUNT] = {1.0, 1e-2, 1e-4, 1e-6};
    for (uint64_t seed = 1; seed <= 160; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 15, 4);
        problem_add_random(&problem, &random, 40);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        rls2_basis_options basis;
        rls2_basis_options_init(&basis, sizeof basis);
        options.max_iter = 1 + (int64_t)(seed % 4);
        options.degrees_of_freedom = RLS2_DF_EACH;
        basis.skip_degenerate = 1;
        fitted_path fitted = fit(&problem, &basis, COUNT, lambdas, &options);
        long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
        for (int64_t i = 0; i < COUNT; i++) {
            const rls2_path_point *point = rls2_path_at(fitted.path, i);
            double *d = dense_weights(fitted.path, i, problem.m);
            long double *combined = plain_combination(&problem, R, d);
            long double df = plain_df(problem.n, combined, point->lambda);
            if (!(fabsl(df - point->df) <= 1e-8L))
                fail_msg("seed %d, lambda %g: df %.10g, by definition %.10Lg", (int)seed,
                         point->lambda, point->df, df);
            if (!(point->residual <= 1e-10))
                fail_msg("seed %d, lambda %g: residual %g", (int)seed, point->lambda,
                         point->residual);
            free(combined), free(d);
        }
        free(R);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__random_problems__report_finite_numbers),
        cmocka_unit_test(path_weights__random_problems__lie_on_the_simplex),
        cmocka_unit_test(basis_scales__random_problems__equal_their_definition),
        cmocka_unit_test(path_fit__random_problems__report_the_gap_there_is),
        cmocka_unit_test(path_fit__lambda_above_1e_8_of_the_trace__converges),
        cmocka_unit_test(path_certify__random_problems__equals_the_definition),
        cmocka_unit_test(path_fit__few_iterations__numbers_are_of_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
