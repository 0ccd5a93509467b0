/* Large lambda (LEM5), the linear case solved in its other form (LEM6, E16, E17), and
 * degrees of freedom (E14). */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>

/* ---- LEM5 ---- */

static int64_t most_aligned(const plain_problem *problem, const long double *R, const double *y)
{
    int64_t n = problem->n, best = 0;
    long double largest = -1.0L;
    for (int64_t k = 0; k < problem->m; k++) {
        long double sum = 0.0L;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) sum += y[i] * R[(k * n + j) * n + i] * y[j];
        if (sum > largest) largest = sum, best = k;
    }
    return best;
}

static void path_fit__large_lambda__selects_the_most_aligned_kernel(void **state)
{
    (void)state;
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++)
        for (uint64_t seed = 1; seed <= 30; seed++) {
            const double lambda = 1e10;
            const int64_t *kernels;
            const double *weights;
            rls2__random random;
            rls2__random_seed(&random, seed);
            plain_problem problem = problem_create(&random, 15, 5);
            problem_add_linear(&problem);
            for (int64_t j = 0; j < 5; j++) problem_add(&problem, RBF, 0.5, 0.0, j);
            problem_add(&problem, POLY, 2.0, 1.0, -1);
            rls2_path_options options;
            rls2_path_options_init(&options, sizeof options);
            options.solver = (rls2_solver)solver;
            fitted_path fitted = fit(&problem, NULL, 1, &lambda, &options);
            long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
            double *y = centred(fitted.path, problem.n, problem.y);
            assert_int_equal(rls2_path_kernel_weights(fitted.path, 0, &kernels, &weights), 1);
            assert_int_equal(kernels[0], most_aligned(&problem, R, y));
            assert_true(weights[0] == 1.0);
            for (int64_t i = 0; i < problem.n; i++) /* c -> y / lambda */
                assert_true(fabs(rls2_path_c(fitted.path, 0)[i] * lambda - y[i]) <=
                            1e-8 * (1.0 + fabs(y[i])));
            free(R);
            free(y);
            fitted_free(&fitted);
            problem_free(&problem);
        }
}

/* ---- LEM6, E14 ---- */

/* H~ = H G, G = diag(s_k d_k) over the selected features. */
typedef struct primal {
    int64_t n, count;
    long double *H;
    long double *gamma;
} primal;

static primal scaled_features(const plain_problem *problem, const fitted_path *fitted, int64_t i)
{
    const int64_t *kernels;
    const double *d;
    int64_t n = problem->n, count = rls2_path_kernel_weights(fitted->path, i, &kernels, &d);
    primal it = {n, count, malloc((size_t)(n * count) * sizeof(long double)),
                 malloc((size_t)count * sizeof(long double))};
    assert_non_null(it.H);
    assert_non_null(it.gamma);
    for (int64_t t = 0; t < count; t++) {
        it.gamma[t] = (long double)d[t] * rls2_basis_scales(fitted->basis)[kernels[t]];
        for (int64_t j = 0; j < n; j++)
            it.H[t * n + j] = it.gamma[t] * problem->x[problem->kernels[kernels[t]].column * n + j];
    }
    return it;
}

/* z <- (H~'H~ + lambda G)^-1 z */
static void ridge_solve(const primal *it, double lambda, long double *z)
{
    int64_t w = it->count;
    long double *A = calloc((size_t)(w * w), sizeof *A);
    assert_non_null(A);
    for (int64_t a = 0; a < w; a++)
        for (int64_t b = 0; b < w; b++) {
            for (int64_t j = 0; j < it->n; j++)
                A[b * w + a] += it->H[a * it->n + j] * it->H[b * it->n + j];
            if (a == b) A[b * w + a] += lambda * it->gamma[a];
        }
    plain_solve(w, A, z);
    free(A);
}

static void primal_free(primal *it)
{
    free(it->H);
    free(it->gamma);
}

/* tr H~ (H~'H~ + lambda G)^-1 H~' */
static double primal_df(const primal *it, double lambda)
{
    long double total = 0.0L, *z = malloc((size_t)it->count * sizeof *z);
    assert_non_null(z);
    for (int64_t j = 0; j < it->n; j++) {
        for (int64_t t = 0; t < it->count; t++) z[t] = it->H[t * it->n + j];
        ridge_solve(it, lambda, z);
        for (int64_t t = 0; t < it->count; t++) total += it->H[t * it->n + j] * z[t];
    }
    free(z);
    return (double)total;
}

static plain_problem linear_problem(uint64_t seed, int64_t n, int64_t p)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, n, p);
    problem_add_linear(&problem);
    return problem;
}

static void assert_dual_is_primal(int64_t n, int64_t p, uint64_t seed)
{
    enum { COUNT = 5, NEW = 6 };
    const double lambdas[COUNT] = {10.0, 1.0, 0.1, 0.01, 1e-3};
    plain_problem problem = linear_problem(seed, n, p);
    double *x = numbers(NEW * p), f[NEW], *a = numbers(p);
    rls2_rows rows = {.n = NEW, .p = p, .x = x};
    fitted_path fitted = fit(&problem, NULL, COUNT, lambdas, NULL);
    double *y = centred(fitted.path, n, problem.y);
    for (int64_t i = 0; i < NEW * p; i++) x[i] = sin((double)(3 * i + 1));
    for (int64_t i = 0; i < COUNT; i++) {
        rls2_error err;
        rls2_model *model = NULL;
        primal it = scaled_features(&problem, &fitted, i);
        const int64_t *kernels;
        long double *z = calloc((size_t)it.count, sizeof *z);
        assert_non_null(z);
        rls2_path_kernel_weights(fitted.path, i, &kernels, NULL);
        for (int64_t t = 0; t < it.count; t++)
            for (int64_t j = 0; j < n; j++) z[t] += it.H[t * n + j] * y[j];
        ridge_solve(&it, lambdas[i], z);
        assert_ok(model_of_one(fitted.path, i, &model, &err), &err);
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        assert_ok(rls2_model_coefficients(model, a, &err), &err);
        for (int64_t r = 0; r < NEW; r++) {
            long double expected = rls2_path_intercept(fitted.path);
            for (int64_t t = 0; t < it.count; t++)
                expected += it.gamma[t] * z[t] * x[kernels[t] * NEW + r];
            assert_true(fabsl(f[r] - expected) <= 1e-8L * (1.0L + fabsl(expected)));
        }
        for (int64_t t = 0; t < it.count; t++)
            assert_true(fabsl(a[kernels[t]] - it.gamma[t] * z[t]) <=
                        1e-8L * (1.0L + fabsl(it.gamma[t] * z[t])));
        rls2_model_free(model);
        primal_free(&it);
        free(z);
    }
    free(x);
    free(y);
    free(a);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void model_predict__linear_kernels__equals_the_scaled_ridge_solution(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_dual_is_primal(40, 10, seed);
        assert_dual_is_primal(12, 40, seed);
    }
}

static void assert_df_is_primal(int64_t n, int64_t p, uint64_t seed)
{
    enum { COUNT = 6 };
    const double lambdas[COUNT] = {1e8, 10.0, 1.0, 0.1, 0.01, 1e-4};
    plain_problem problem = linear_problem(seed, n, p);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.degrees_of_freedom = RLS2_DF_EACH;
    fitted_path fitted = fit(&problem, NULL, COUNT, lambdas, &options);
    for (int64_t i = 0; i < COUNT; i++) {
        rls2_error err;
        rls2_model *model = NULL;
        double df = NAN, reported = rls2_path_at(fitted.path, i)->df;
        primal it = scaled_features(&problem, &fitted, i);
        double expected = primal_df(&it, lambdas[i]);
        assert_ok(model_of_one(fitted.path, i, &model, &err), &err);
        assert_ok(rls2_model_degrees_of_freedom(model, &df, &err), &err);
        if (!(fabs(df - expected) <= 1e-7 * expected) ||
            !(fabs(reported - expected) <= 1e-7 * expected))
            fail_msg("%d x %d, lambda %g: df %.12g, model's %.12g, path's %.12g", (int)n, (int)p,
                     lambdas[i], expected, df, reported);
        assert_true(df >= 0.0 && df <= (double)(p < n ? p : n));
        rls2_model_free(model);
        primal_free(&it);
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

static void model_degrees_of_freedom__linear_kernels__equals_the_primal_formula(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        assert_df_is_primal(30, 8, seed);
        assert_df_is_primal(10, 30, seed);
    }
}

/* Any basis: tr R (R + lambda I)^-1 column by column. */
static void path_at__df_asked_for_any_kernels__is_the_trace_of_the_smoother(void **state)
{
    (void)state;
    const double lambdas[] = {1e4, 1.0, 1e-2, 1e-5};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 14, 3);
        problem_add_random(&problem, &random, 8);
        int64_t n = problem.n;
        for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
            rls2_path_options options;
            rls2_path_options_init(&options, sizeof options);
            options.degrees_of_freedom = RLS2_DF_EACH;
            options.solver = (rls2_solver)solver;
            fitted_path fitted = fit(&problem, NULL, 4, lambdas, &options);
            long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
            for (int64_t i = 0; i < 4; i++) {
                double *d = dense_weights(fitted.path, i, problem.m);
                long double *S = plain_combination(&problem, R, d), total = 0.0L;
                for (int64_t j = 0; j < n; j++) {
                    long double *M = plain_combination(&problem, R, d), b[14];
                    for (int64_t r = 0; r < n; r++) {
                        M[r * n + r] += lambdas[i];
                        b[r] = S[j * n + r];
                    }
                    plain_solve(n, M, b);
                    total += b[j];
                    free(M);
                }
                double df = rls2_path_at(fitted.path, i)->df;
                if (!(fabsl(df - total) <= 1e-8L * (total + 1e-4L)))
                    fail_msg("seed %d, lambda %g: df %.12g, not %.12Lg", (int)seed, lambdas[i], df,
                             total);
                assert_true(df >= 0.0 && df <= (double)n);
                free(S);
                free(d);
            }
            free(R);
            fitted_free(&fitted);
        }
        problem_free(&problem);
    }
}

static void path_at__df_not_asked__is_nan(void **state)
{
    (void)state;
    const double lambda = 1.0;
    plain_problem problem = linear_problem(1, 10, 3);
    fitted_path fitted = fit(&problem, NULL, 1, &lambda, NULL);
    assert_true(isnan(rls2_path_at(fitted.path, 0)->df));
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__large_lambda__selects_the_most_aligned_kernel),
        cmocka_unit_test(model_predict__linear_kernels__equals_the_scaled_ridge_solution),
        cmocka_unit_test(model_degrees_of_freedom__linear_kernels__equals_the_primal_formula),
        cmocka_unit_test(path_at__df_asked_for_any_kernels__is_the_trace_of_the_smoother),
        cmocka_unit_test(path_at__df_not_asked__is_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
