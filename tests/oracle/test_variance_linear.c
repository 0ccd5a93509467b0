/* Variances and degrees of freedom of linear models of many rows, by the definition in long double
 * and by eigenvalues. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/variance_linear.h"
#include "support/one_output.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { N = 260, P = 4, ROWS = 6 };

/* k(x,x) - k'(R + lambda W^-1)^-1 k for the first rows of the problem, W = I or `weights`. */
static void plain_variances(const plain_problem *problem, const long double *K,
                            const double *weights, double lambda, long double *variance)
{
    for (int64_t t = 0; t < ROWS; t++) {
        long double *M = malloc(N * N * sizeof *M), b[N];
        assert_non_null(M);
        memcpy(M, K, N * N * sizeof *M);
        for (int64_t i = 0; i < N; i++) {
            M[i * N + i] += weights ? (long double)lambda / weights[i] : (long double)lambda;
            b[i] = K[t * N + i];
        }
        plain_solve(problem->n, M, b);
        variance[t] = K[t * N + t];
        for (int64_t i = 0; i < N; i++) variance[t] -= K[t * N + i] * b[i];
        free(M);
    }
}

static double plain_df(const long double *K, const double *weights, double lambda)
{
    double *R = unit_room(N * N), df = 0.0;
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++)
            R[j * N + i] =
                (double)K[j * N + i] * (weights ? sqrt(weights[i]) * sqrt(weights[j]) : 1.0);
    double *e = unit_eigenvalues(N, R);
    for (int64_t i = 0; i < N; i++) df += fmax(e[i], 0.0) / (fmax(e[i], 0.0) + lambda);
    free(R);
    free(e);
    return df;
}

static void assert_by_definition(const double *weights, double lambda)
{
    rls2_error err;
    rls2__random random;
    rls2_model *model;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = weights;
    rls2__random_seed(&random, 21);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    fitted_path fitted = fit(&problem, &options, 1, &lambda, NULL);
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    assert_true(rls2__model_is_linear(model));
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis)), want[ROWS];
    double *d = dense_weights(fitted.path, 0, problem.m), got[ROWS], df;
    long double *K = plain_combination(&problem, R, d);
    plain_variances(&problem, K, weights, lambda, want);
    rls2_rows rows = problem_rows(&problem);
    rows.ldx = N;
    rows.n = ROWS;
    assert_ok(rls2_model_variance(model, &rows, got, &err), &err);
    for (int64_t t = 0; t < ROWS; t++) assert_near(got[t], (double)want[t], 1e-9 * got[t]);
    assert_ok(rls2_model_factorize(model, &err), &err);
    double again[ROWS];
    assert_ok(rls2_model_variance(model, &rows, again, &err), &err);
    assert_memory_equal(again, got, sizeof got);
    assert_ok(rls2_model_degrees_of_freedom(model, &df, &err), &err);
    /* that of the eigenvalues has the rounding of those that are zero over lambda */
    assert_near(df, plain_df(K, weights, lambda), 1e-9 + 1e-14 / lambda);
    rls2_model_free(model);
    free(R);
    free(K);
    free(d);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void model_variance__linear_model_of_many_rows__equals_the_definition(void **state)
{
    (void)state;
    assert_by_definition(NULL, 1e-2);
    assert_by_definition(NULL, 1e-6);
}

static void model_variance__linear_model_with_weights__equals_the_definition(void **state)
{
    double weights[N];
    (void)state;
    for (int64_t i = 0; i < N; i++) weights[i] = 0.5 + (double)(i % 7);
    assert_by_definition(weights, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_variance__linear_model_of_many_rows__equals_the_definition),
        cmocka_unit_test(model_variance__linear_model_with_weights__equals_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
