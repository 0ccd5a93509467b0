/* Problems in the corners: responses of zeros, one row, equal kernels, numbers that
 * overflow, a gap that rises on the way. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small inputs make the linear kernel and the rbf differ in scale: the gap then goes up
 * and down on the way to the optimum, while the objective falls all the time. */
static void path_fit__gap_that_rises_on_the_way__goes_on_to_the_optimum(void **state)
{
    (void)state;
    int64_t stalled = 0;
    for (uint64_t seed = 3000; seed < 3400; seed++) {
        rls2__random random;
        const double lambda = 2.5e-6;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 3, 1);
        for (int64_t i = 0; i < 3; i++) problem.x[i] *= 0.01;
        problem_add(&problem, LINEAR, 0.0, 0.0, 0);
        problem_add(&problem, RBF, 2.0, 0.0, 0);
        fitted_path fitted = fit(&problem, NULL, 1, &lambda, NULL);
        stalled += rls2_path_at(fitted.path, 0)->outcome != RLS2_OUTCOME_CONVERGED;
        fitted_free(&fitted);
        problem_free(&problem);
    }
    assert_int_equal(stalled, 0);
}

static void path_fit__response_of_zeros__has_objective_and_gap_zero(void **state)
{
    (void)state;
    rls2__random random;
    const double lambdas[] = {1e12, 1.0, 1e-12};
    rls2__random_seed(&random, 1);
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
        plain_problem problem = problem_create(&random, 10, 3);
        memset(problem.y, 0, 10 * sizeof(double));
        problem_add_linear(&problem);
        problem_add(&problem, RBF, 1.0, 0.0, -1);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.solver = (rls2_solver)solver;
        fitted_path fitted = fit(&problem, NULL, 3, lambdas, &options);
        for (int64_t i = 0; i < 3; i++) {
            assert_true(rls2_path_at(fitted.path, i)->objective == 0.0);
            assert_true(rls2_path_at(fitted.path, i)->gap == 0.0);
            assert_int_equal(rls2_path_at(fitted.path, i)->outcome, RLS2_OUTCOME_CONVERGED);
            for (int64_t j = 0; j < 10; j++) assert_true(rls2_path_c(fitted.path, i)[j] == 0.0);
        }
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* One row: R^k is a number, the largest is best, and c = y / (R + lambda). */
static void path_fit__one_row__is_solved_in_closed_form(void **state)
{
    (void)state;
    const double lambdas[] = {1e12, 2.0, 1e-12};
    double x[] = {2.0}, y[] = {3.0};
    plain_problem problem = {.n = 1, .p = 1, .x = x, .y = y};
    problem_add(&problem, RBF, 1.0, 0.0, 0);    /* 1 */
    problem_add(&problem, LINEAR, 0.0, 0.0, 0); /* 4 */
    problem_add(&problem, POLY, 2.0, 1.0, 0);   /* 25 */
    rls2_basis_options basis;
    rls2_basis_options_init(&basis, sizeof basis);
    basis.scaling = RLS2_SCALING_NONE;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_NONE;
    fitted_path fitted = fit(&problem, &basis, 3, lambdas, &options);
    for (int64_t i = 0; i < 3; i++) {
        double *d = dense_weights(fitted.path, i, 3);
        double expected = 3.0 / (25.0 + lambdas[i]);
        assert_int_equal(rls2_path_at(fitted.path, i)->outcome, RLS2_OUTCOME_CONVERGED);
        assert_true(fabs(d[2] - 1.0) < 1e-6);
        assert_true(fabs(rls2_path_c(fitted.path, i)[0] - expected) <= 1e-6 * expected);
        free(d);
    }
    fitted_free(&fitted);
}

/* Equal kernels share one weight, however it is divided. */
static void path_fit__every_kernel_twice__reaches_the_objective_of_once(void **state)
{
    (void)state;
    for (uint64_t seed = 4000; seed < 4030; seed++) {
        rls2__random random;
        const double lambdas[] = {1.0, 1e-2, 1e-5};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 20, 3);
        problem_add_random(&problem, &random, 6);
        fitted_path once = fit(&problem, NULL, 3, lambdas, NULL);
        for (int64_t k = 0; k < 6; k++) {
            plain_kernel kernel = problem.kernels[k];
            problem_add(&problem, kernel.kind, kernel.a, kernel.b, kernel.column);
        }
        fitted_path twice = fit(&problem, NULL, 3, lambdas, NULL);
        for (int64_t i = 0; i < 3; i++) {
            double a = rls2_path_at(once.path, i)->objective,
                   b = rls2_path_at(twice.path, i)->objective;
            assert_int_equal(rls2_path_at(twice.path, i)->outcome, RLS2_OUTCOME_CONVERGED);
            assert_true(fabs(a - b) <= 1.1e-6 * a);
        }
        fitted_free(&once);
        fitted_free(&twice);
        problem_free(&problem);
    }
}

/* 0.1 has no exact mean in binary: what rounding leaves of its variance is no scale. */
static void basis_create__constant_column_without_variance__is_refused(void **state)
{
    (void)state;
    double x[7], labels[] = {1, 1, 1, -1, -1, -1, -1};
    for (int i = 0; i < 7; i++) x[i] = 0.1;
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    rls2_columns columns = {.count = 1};
    rls2_rows rows = {.n = 7, .p = 1, .x = x};
    assert_ok(rls2_dictionary_create("linear", &columns, &dictionary, &err), &err);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.labels = labels;
    for (int rule = 0; rule < 3; rule++) {
        rls2_basis *basis = NULL;
        options.center = rule == 0;
        options.scaling = rule == 0   ? RLS2_SCALING_TRACE
                          : rule == 1 ? RLS2_SCALING_FISHER
                                      : RLS2_SCALING_FISHER_SQRT;
        rls2_status status = rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err);
        if (status == RLS2_OK) print_error("rule %d: s is %g\n", rule, rls2_basis_scales(basis)[0]);
        rls2_basis_free(basis);
        assert_int_equal(status, RLS2_ERR_VALUE);
    }
    rls2_dictionary_free(dictionary);
}

/* Squares that overflow must not end as a gap of zero. */
static void path_fit__response_too_large_to_square__claims_nothing_false(void **state)
{
    (void)state;
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
        rls2__random random;
        const double lambda = 1.0;
        rls2_error err;
        rls2_path *path = NULL;
        rls2__random_seed(&random, 5);
        plain_problem problem = problem_create(&random, 6, 2);
        problem_add_linear(&problem);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.solver = (rls2_solver)solver;
        fitted_path fitted = fit(&problem, NULL, 1, &lambda, &options);
        for (int64_t i = 0; i < 6; i++) problem.y[i] *= 1e200;
        rls2_status status = fit_one(fitted.basis, problem.y, 1, &lambda, &options, &path, &err);
        if (status == RLS2_OK) {
            assert_true(isfinite(rls2_path_at(path, 0)->objective));
            assert_true(isfinite(rls2_path_at(path, 0)->gap));
        } else {
            assert_int_equal(status, RLS2_ERR_VALUE);
        }
        rls2_path_free(path);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* In every shape a kernel may be stored in: one column has a low rank, two have not. */
static void basis_create__kernel_that_overflows__is_refused(void **state)
{
    (void)state;
    double x[24];
    rls2_error err;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int i = 0; i < 24; i++) x[i] = 1e120 * (double)(i - 12);
    for (int64_t p = 1; p <= 2; p++) {
        rls2_dictionary *dictionary = NULL;
        rls2_columns columns = {.count = p};
        rls2_rows rows = {.n = 12, .p = p, .x = x};
        assert_ok(rls2_dictionary_create("rbf(1); poly(3)", &columns, &dictionary, &err), &err);
        for (int scaling = RLS2_SCALING_NONE; scaling <= RLS2_SCALING_TRACE; scaling++) {
            rls2_basis *basis = NULL;
            options.scaling = (rls2_scaling)scaling;
            rls2_status status = rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err);
            rls2_basis_free(basis);
            assert_int_equal(status, RLS2_ERR_VALUE);
            assert_non_null(strstr(err.message, "poly(3)@all"));
        }
        rls2_dictionary_free(dictionary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__gap_that_rises_on_the_way__goes_on_to_the_optimum),
        cmocka_unit_test(path_fit__response_of_zeros__has_objective_and_gap_zero),
        cmocka_unit_test(path_fit__one_row__is_solved_in_closed_form),
        cmocka_unit_test(path_fit__every_kernel_twice__reaches_the_objective_of_once),
        cmocka_unit_test(basis_create__constant_column_without_variance__is_refused),
        cmocka_unit_test(path_fit__response_too_large_to_square__claims_nothing_false),
        cmocka_unit_test(basis_create__kernel_that_overflows__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
