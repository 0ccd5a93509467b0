/* Paths of linear kernels of one column, which have a method of their own: random problems with
 * equal, opposite, dependent, constant and sparse columns, fewer rows than columns and more,
 * weights of rows, lambdas from 1e-12 to 1e12. */
#include "support/problem.h"

#include <math.h>
#include <stdlib.h>

#include "la/la.h"
#include "solver/linear.h"
#include "solver/newton.h"
#include "solver/path.h"
#include "solver/solver.h"

enum { CASES = 150, POINTS = 14 };

static double lambda_of(int64_t i)
{
    return pow(10.0, 12.0 - 24.0 * (double)i / (POINTS - 1));
}

/* Some columns are made of others. */
static void spoil_columns(plain_problem *problem, rls2__random *random)
{
    int64_t n = problem->n;
    for (int64_t k = 1; k < problem->p; k++) {
        double *column = problem->x + k * n, *before = column - n,
               chance = rls2__random_uniform(random);
        for (int64_t i = 0; i < n; i++) {
            if (chance < 0.1)
                column[i] = before[i];
            else if (chance < 0.2)
                column[i] = -3.0 * before[i];
            else if (chance < 0.3 && k > 1)
                column[i] = before[i] + 0.5 * before[i - n];
            else if (chance < 0.35)
                column[i] = 2.0;
            else if (chance < 0.6 && i % 9 != k % 9)
                column[i] = 0.0;
        }
    }
}

typedef struct linear_case {
    uint64_t seed;
    plain_problem problem;
    double *weights;
    fitted_path fitted;
} linear_case;

/* A gap so near to rounding that a point may end as stalled. */
static int wants_much(uint64_t seed)
{
    return seed % 7 == 0;
}

static linear_case case_create(uint64_t seed)
{
    rls2__random random;
    linear_case it = {.seed = seed};
    double lambdas[POINTS];
    rls2_basis_options basis;
    rls2_basis_options_init(&basis, sizeof basis);
    rls2_path_options path;
    rls2_path_options_init(&path, sizeof path);
    rls2__random_seed(&random, seed);
    int64_t n = 1 + rls2__random_below(&random, 40), p = 1 + rls2__random_below(&random, 80);
    it.problem = problem_create(&random, n, p);
    spoil_columns(&it.problem, &random);
    problem_add_linear(&it.problem);
    it.weights = numbers(n);
    for (int64_t i = 0; i < n; i++) it.weights[i] = 1.0 + (double)rls2__random_below(&random, 3);
    for (int64_t i = 0; i < POINTS; i++) lambdas[i] = lambda_of(i);
    basis.skip_degenerate = 1;
    basis.scaling = seed % 2 ? RLS2_SCALING_TRACE : RLS2_SCALING_NONE;
    if (seed % 3 == 0) basis.row_weights = it.weights;
    path.degrees_of_freedom = RLS2_DF_EACH;
    if (wants_much(seed)) path.gap_tol = 3e-15;
    path.intercept = seed % 5 ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
    it.fitted = fit(&it.problem, &basis, POINTS, lambdas, &path);
    assert_true(rls2__is_linear(it.fitted.basis));
    return it;
}

static void for_all(void (*check)(const linear_case *it, int64_t i))
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        linear_case it = case_create(seed);
        for (int64_t i = 0; i < POINTS; i++) check(&it, i);
        fitted_free(&it.fitted);
        free(it.weights);
        problem_free(&it.problem);
    }
}

/* Recomputed from the rows. Where lambda is above rounding the path gets where it should; below,
 * the gap says how far. */
static void check_certificate(const linear_case *it, int64_t i)
{
    rls2_error err;
    rls2_certificate certificate;
    const rls2_path_point *point = rls2_path_at(it->fitted.path, i);
    assert_ok(rls2_path_certify(it->fitted.path, i, &certificate, sizeof certificate, &err), &err);
    if (point->lambda >= 1e-6 && !wants_much(it->seed))
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
    if (point->outcome == RLS2_OUTCOME_CONVERGED && !(point->gap <= 1e-6))
        fail_msg("seed %d, lambda %g: gap %g", (int)it->seed, point->lambda, point->gap);
    if (point->lambda >= 1e-6 && !(point->gap <= 1e-6))
        fail_msg("seed %d, lambda %g: gap %g", (int)it->seed, point->lambda, point->gap);
    if (!(certificate.relative_gap <= point->gap + 1e-12 + 1e-15 / point->lambda))
        fail_msg("seed %d, lambda %g: gap %g, but %g by the data", (int)it->seed, point->lambda,
                 point->gap, certificate.relative_gap);
}

static void linear_path__random_problems__are_certified(void **state)
{
    (void)state;
    for_all(check_certificate);
}

static void check_weights(const linear_case *it, int64_t i)
{
    const int64_t *ks;
    const double *d;
    double sum = 0.0;
    int64_t count = rls2_path_kernel_weights(it->fitted.path, i, &ks, &d);
    const rls2_path_point *point = rls2_path_at(it->fitted.path, i);
    assert_int_equal(count, point->selected);
    assert_in_range(count, 1, it->problem.p);
    for (int64_t t = 0; t < count; t++) {
        assert_true(d[t] > 0.0 && (t == 0 || ks[t] > ks[t - 1]));
        assert_true(rls2_basis_scales(it->fitted.basis)[ks[t]] > 0.0);
        sum += d[t];
    }
    assert_true(fabs(sum - 1.0) <= 1e-12);
    assert_true(point->df >= 0.0 &&
                point->df <= (double)(it->problem.n < count ? it->problem.n : count) + 1e-9);
}

static void linear_path__random_problems__lie_on_the_simplex(void **state)
{
    (void)state;
    for_all(check_weights);
}

static rls2_status no_tick(const rls2__problem *problem, double lambda, double gap)
{
    (void)problem, (void)lambda, (void)gap;
    return RLS2_OK;
}

/* Newton's method, which the path would take for other kernels, on the same point. */
static void check_newton(const linear_case *it, int64_t i)
{
    const rls2_path *path = it->fitted.path;
    const rls2_path_point *point = rls2_path_at(path, i);
    const double *y = rls2__path_response(path);
    if (point->lambda < 1e-6 || point->lambda > 1e6 || it->seed % 4) return;
    rls2__method method;
    rls2__answer answer;
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    rls2__problem problem = {.basis = it->fitted.basis,
                             .y = y,
                             .y_norm = rls2__la_norm(it->problem.n, y),
                             .exact_norm = HUGE_VAL, /* claims the least of the objective */
                             .effort = &effort,
                             .path = path,
                             .tick = no_tick};
    rls2_path_options_init(&problem.options, sizeof problem.options);
    problem.options.degrees_of_freedom = RLS2_DF_EACH;
    assert_int_equal(rls2__newton_create(&problem, &method), RLS2_OK);
    assert_int_equal(method.solve(method.state, point->lambda, 1e-9, &answer), RLS2_OK);
    double between = fabs(answer.point.objective - point->objective) / (point->objective + 1e-300);
    if (!(between <= 1.1e-6))
        fail_msg("seed %d, lambda %g: objective %.17g, Newton's %.17g", (int)it->seed,
                 point->lambda, point->objective, answer.point.objective);
    method.free(method.state);
}

static void linear_path__random_problems__has_the_objective_of_newton(void **state)
{
    (void)state;
    for_all(check_newton);
}

/* df by definition, of the weights the path returns. */
static void linear_path__degrees_of_freedom__are_the_trace(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        linear_case it = case_create(3 * seed + 1);
        long double *R = plain_matrices(&it.problem, rls2_basis_scales(it.fitted.basis));
        int64_t n = it.problem.n;
        for (int64_t i = 4; i < 9; i++) {
            double lambda = lambda_of(i), *d = dense_weights(it.fitted.path, i, it.problem.m);
            long double *M = plain_combination(&it.problem, R, d), trace = 0.0L,
                        *b = calloc((size_t)n, sizeof *b);
            for (int64_t j = 0; j < n; j++) {
                long double *copy = malloc((size_t)(n * n) * sizeof *copy);
                assert_non_null(copy);
                for (int64_t t = 0; t < n * n; t++)
                    copy[t] = M[t] + (t % (n + 1) == 0 ? lambda : 0.0L);
                for (int64_t t = 0; t < n; t++) b[t] = M[j * n + t];
                plain_solve(n, copy, b);
                trace += b[j];
                free(copy);
            }
            assert_true(fabsl(trace - rls2_path_at(it.fitted.path, i)->df) <= 1e-6L);
            free(M), free(b), free(d);
        }
        free(R);
        fitted_free(&it.fitted);
        free(it.weights);
        problem_free(&it.problem);
    }
}

/* Many more rows than columns: no matrix of rows by rows is made. */
static void linear_path__many_rows__needs_no_square_of_them(void **state)
{
    (void)state;
    rls2__random random;
    const double lambdas[] = {1.0, 1e-2, 1e-4};
    rls2__random_seed(&random, 9);
    plain_problem problem = problem_create(&random, 60000, 5); /* a square would take 29 GB */
    problem_add_linear(&problem);
    fitted_path fitted = fit(&problem, NULL, 3, lambdas, NULL);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(rls2_path_at(fitted.path, i)->outcome, RLS2_OUTCOME_CONVERGED);
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_path__random_problems__are_certified),
        cmocka_unit_test(linear_path__random_problems__lie_on_the_simplex),
        cmocka_unit_test(linear_path__random_problems__has_the_objective_of_newton),
        cmocka_unit_test(linear_path__degrees_of_freedom__are_the_trace),
        cmocka_unit_test(linear_path__many_rows__needs_no_square_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
