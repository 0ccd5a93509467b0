/* What two fits of one random problem have in common: with other threads, in another order,
 * at another scale, by the other solver. */
#include "support/random_case.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>

/* ---- two fits of one problem ---- */

static void assert_same_bits(const random_case *it, const rls2_path *a, const rls2_path *b)
{
    assert_int_equal(rls2_path_count(a), rls2_path_count(b));
    for (int64_t i = 0; i < rls2_path_count(a); i++) {
        const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, i);
        const int64_t *ku, *kv;
        const double *du, *dv;
        int64_t count = rls2_path_kernel_weights(a, i, &ku, &du);
        assert_int_equal(count, rls2_path_kernel_weights(b, i, &kv, &dv));
        assert_memory_equal(ku, kv, (size_t)count * sizeof *ku);
        assert_memory_equal(du, dv, (size_t)count * sizeof *du);
        assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i),
                            (size_t)it->problem.n * sizeof(double));
        assert_memory_equal(&u->objective, &v->objective, sizeof u->objective);
        assert_memory_equal(&u->gap, &v->gap, sizeof u->gap);
        assert_int_equal(u->iterations, v->iterations);
        assert_int_equal(u->outcome, v->outcome);
    }
}

static void check_repetition(const random_case *it, const fitted_path *fitted)
{
    fitted_path second =
        fit_under(&it->problem, &it->basis, ON_THREADS(2), LAMBDAS, it->lambdas, &it->path);
    assert_same_bits(it, fitted->path, second.path);
    fitted_free(&second);
}

static void path_fit__again_with_two_threads__gives_the_same_bits(void **state)
{
    (void)state;
    for_all_cases(check_repetition);
}

static void check_order(const random_case *it, const fitted_path *fitted)
{
    random_case turned = *it;
    for (int i = 0; i < LAMBDAS; i++) turned.lambdas[i] = it->lambdas[(i + 2) % LAMBDAS];
    for (int64_t i = 1; i < LAMBDAS; i++)
        assert_true(rls2_path_at(fitted->path, i)->lambda <=
                    rls2_path_at(fitted->path, i - 1)->lambda);
    fitted_path second = fit_case(&turned);
    assert_same_bits(it, fitted->path, second.path);
    fitted_free(&second);
}

static void path_fit__lambdas_in_any_order__are_taken_descending(void **state)
{
    (void)state;
    for_all_cases(check_order);
}

/* A power of two scales without rounding, so every bit is known. */
static void check_response_scale(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    double *y = numbers(n);
    rls2_error err;
    rls2_path *scaled = NULL;
    for (int64_t i = 0; i < n; i++) y[i] = 0.25 * it->problem.y[i];
    assert_ok(fit_one(fitted->basis, y, LAMBDAS, it->lambdas, &it->path, &scaled, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const double *c = rls2_path_c(fitted->path, i), *cs = rls2_path_c(scaled, i);
        const double *d, *ds;
        int64_t count = rls2_path_kernel_weights(fitted->path, i, NULL, &d);
        assert_int_equal(rls2_path_kernel_weights(scaled, i, NULL, &ds), count);
        assert_memory_equal(d, ds, (size_t)count * sizeof *d);
        for (int64_t j = 0; j < n; j++) assert_true(cs[j] == 0.25 * c[j]);
        assert_true(rls2_path_at(scaled, i)->objective ==
                    0.0625 * rls2_path_at(fitted->path, i)->objective);
    }
    rls2_path_free(scaled);
    free(y);
}

static void path_fit__response_times_a_quarter__scales_c_and_keeps_d(void **state)
{
    (void)state;
    for_all_cases(check_response_scale);
}

static void check_kernel_order(const random_case *it, const fitted_path *fitted)
{
    random_case turned = *it;
    int64_t m = it->problem.m;
    for (int64_t k = 0; k < m; k++) turned.problem.kernels[k] = it->problem.kernels[m - 1 - k];
    fitted_path second = fit_case(&turned);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *u = rls2_path_at(fitted->path, i), *v = rls2_path_at(second.path, i);
        if (u->outcome != RLS2_OUTCOME_CONVERGED || v->outcome != RLS2_OUTCOME_CONVERGED) continue;
        if (!(fabs(u->objective - v->objective) <= 1.1e-6 * u->objective))
            fail_msg("seed %d, lambda %g: %.12g in one order, %.12g in the other", (int)it->seed,
                     u->lambda, u->objective, v->objective);
    }
    fitted_free(&second);
}

static void path_fit__kernels_in_reverse_order__reach_the_same_objective(void **state)
{
    (void)state;
    for_all_cases(check_kernel_order);
}

/* With fewer linear kernels than rows d is unique. */
static void path_fit__columns_in_reverse_order__permute_the_weights(void **state)
{
    (void)state;
    for (uint64_t seed = 2000; seed < 2020; seed++) {
        rls2__random random;
        const double lambdas[] = {1.0, 0.03};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 30, 8);
        problem_add_linear(&problem);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.gap_tol = 1e-12;
        fitted_path forward = fit(&problem, NULL, 2, lambdas, &options);
        for (int64_t j = 0; j < 8; j++) problem.kernels[j].column = 7 - j;
        fitted_path backward = fit(&problem, NULL, 2, lambdas, &options);
        for (int64_t i = 0; i < 2; i++) {
            double *d = dense_weights(forward.path, i, 8), *e = dense_weights(backward.path, i, 8);
            for (int64_t j = 0; j < 8; j++) assert_true(fabs(d[j] - e[7 - j]) < 1e-5);
            free(d);
            free(e);
        }
        fitted_free(&forward);
        fitted_free(&backward);
        problem_free(&problem);
    }
}

/* ---- the two solvers ---- */

static void check_solvers(const random_case *it, const fitted_path *fitted)
{
    random_case other = *it;
    other.path.solver = RLS2_SOLVER_ALTERNATE;
    other.path.delta = 1e-10;
    other.path.max_iter = 100;
    fitted_path second = fit_case(&other);
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double size = largest_trace(&it->problem, R);
    free(R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *u = rls2_path_at(fitted->path, i), *v = rls2_path_at(second.path, i);
        /* as seen in the objective */
        double rounding = (u->lambda > EXTREME * size ? 1e-9 : 1e-4) * v->objective + 1e-300;
        assert_true(isfinite(v->objective) && isfinite(v->gap) && v->gap >= -1e-9);
        if (u->gap > 1.0 || v->gap > 1.0) continue; /* a bound below zero says nothing */
        if (!(v->objective >= u->objective * (1.0 - u->gap) - rounding) ||
            !(u->objective >= v->objective * (1.0 - v->gap) - rounding))
            fail_msg("seed %d, lambda %g: newton %.12g (gap %g), alternate %.12g (gap %g)",
                     (int)it->seed, u->lambda, u->objective, u->gap, v->objective, v->gap);
    }
    fitted_free(&second);
}

static void path_fit__newton_and_alternate__respect_each_others_bounds(void **state)
{
    (void)state;
    for_all_cases(check_solvers);
}

/* On problems without equal kernels, both run to the end: the solvers share little
 * but the linear algebra. */
static void path_fit__newton_and_alternate__agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1000; seed < 1040; seed++) {
        rls2__random random;
        const double lambdas[] = {10.0, 0.1, 1e-3};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 25, 4);
        problem_add_linear(&problem);
        for (int64_t j = 0; j < 4; j++) problem_add(&problem, RBF, 0.5, 0.0, j);
        problem_add(&problem, POLY, 2.0, 1.0, -1);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        fitted_path newton = fit(&problem, NULL, 3, lambdas, &options);
        options.solver = RLS2_SOLVER_ALTERNATE;
        options.delta = 1e-10;
        options.max_iter = 5000;
        fitted_path alternate = fit(&problem, NULL, 3, lambdas, &options);
        for (int64_t i = 0; i < 3; i++) {
            const rls2_path_point *u = rls2_path_at(newton.path, i),
                                  *v = rls2_path_at(alternate.path, i);
            if (!(v->residual <= 1e-8) ||
                !(fabs(u->objective - v->objective) <= 1e-4 * u->objective))
                fail_msg("seed %d, lambda %g: newton %.12g, alternate %.12g after %d iterations, "
                         "residual %g",
                         (int)seed, u->lambda, u->objective, v->objective, (int)v->iterations,
                         v->residual);
        }
        fitted_free(&newton);
        fitted_free(&alternate);
        problem_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__again_with_two_threads__gives_the_same_bits),
        cmocka_unit_test(path_fit__lambdas_in_any_order__are_taken_descending),
        cmocka_unit_test(path_fit__response_times_a_quarter__scales_c_and_keeps_d),
        cmocka_unit_test(path_fit__kernels_in_reverse_order__reach_the_same_objective),
        cmocka_unit_test(path_fit__newton_and_alternate__respect_each_others_bounds),
        cmocka_unit_test(path_fit__newton_and_alternate__agree),
        cmocka_unit_test(path_fit__columns_in_reverse_order__permute_the_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
