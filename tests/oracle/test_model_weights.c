/* A row of weight 3 is three rows: what a model with weights of rows says is what the model of the
 * rows repeated says, and what the formulas say, in long double. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16, COLUMNS = 3, KERNELS = 6, NEW = 5 };
static const double LAMBDA = 0.05;

/* The problem with weights, and the same with each row as often as it weighs. */
typedef struct pair {
    plain_problem problem, repeated;
    double w[ROWS], x[NEW * COLUMNS];
    rls2_rows rows;
    fitted_path fit, fit_repeated;
    rls2_model *model, *model_repeated;
} pair;

static void add_kernels(plain_problem *problem)
{
    problem_add_linear(problem);
    problem_add(problem, RBF, 0.5, 0.0, 0);
    problem_add(problem, SPLINE, 0.0, 0.0, 1);
    problem_add(problem, MATERN, 1.5, 2.0, -1);
}

/* Fits are tight, so that what is left of the difference is rounding. */
static rls2_model *fit_model(const plain_problem *problem, const double *w, fitted_path *fitted)
{
    rls2_basis_options basis;
    rls2_basis_options_init(&basis, sizeof basis);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2_model *model = NULL;
    rls2_error err;
    basis.row_weights = w;
    options.gap_tol = 1e-13;
    options.degrees_of_freedom = RLS2_DF_EACH;
    *fitted = fit(problem, &basis, 1, &LAMBDA, &options);
    assert_ok(model_of_one(fitted->path, 0, &model, &err), &err);
    return model;
}

static int setup(void **state)
{
    rls2__random random;
    pair *it = calloc(1, sizeof *it);
    assert_non_null(it);
    rls2__random_seed(&random, 3);
    it->problem = problem_create(&random, ROWS, COLUMNS);
    int64_t n = 0;
    for (int i = 0; i < ROWS; i++) n += (int64_t)(it->w[i] = 1 + i % 3);
    it->repeated = problem_create(&random, n, COLUMNS);
    int64_t row = 0;
    for (int i = 0; i < ROWS; i++)
        for (int t = 0; t < (int)it->w[i]; t++, row++) {
            it->repeated.y[row] = it->problem.y[i];
            for (int j = 0; j < COLUMNS; j++)
                it->repeated.x[j * n + row] = it->problem.x[j * ROWS + i];
        }
    add_kernels(&it->problem);
    add_kernels(&it->repeated);
    assert_int_equal(it->problem.m, KERNELS);
    for (int i = 0; i < NEW * COLUMNS; i++) it->x[i] = rls2__random_normal(&random);
    it->rows = (rls2_rows){.n = NEW, .p = COLUMNS, .x = it->x};
    it->model = fit_model(&it->problem, it->w, &it->fit);
    it->model_repeated = fit_model(&it->repeated, NULL, &it->fit_repeated);
    assert_true(rls2_model_kernel_count(it->model) > 1);
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    pair *it = *state;
    rls2_model_free(it->model);
    rls2_model_free(it->model_repeated);
    fitted_free(&it->fit);
    fitted_free(&it->fit_repeated);
    problem_free(&it->problem);
    problem_free(&it->repeated);
    free(it);
    return 0;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%.15g is not %.15g", value, expected);
}

static void model__with_weights__keeps_them_and_selects_as_with_rows_repeated(void **state)
{
    const pair *it = *state;
    assert_memory_equal(rls2_model_row_weights(it->model), it->w, sizeof it->w);
    assert_null(rls2_model_row_weights(it->model_repeated));
    assert_int_equal(rls2_model_kernel_count(it->model),
                     rls2_model_kernel_count(it->model_repeated));
    for (int64_t k = 0; k < rls2_model_kernel_count(it->model); k++) {
        assert_int_equal(rls2_model_kernel_index(it->model, k),
                         rls2_model_kernel_index(it->model_repeated, k));
        assert_near(rls2_model_kernel_weight(it->model, k),
                    rls2_model_kernel_weight(it->model_repeated, k), 1e-5);
    }
    assert_near(rls2_model_intercept(it->model), rls2_model_intercept(it->model_repeated), 1e-12);
}

static void model_predict__with_weights__is_that_of_rows_repeated(void **state)
{
    const pair *it = *state;
    double f[NEW], g[NEW];
    rls2_error err;
    assert_ok(rls2_model_predict(it->model, &it->rows, NULL, f, &err), &err);
    assert_ok(rls2_model_predict(it->model_repeated, &it->rows, NULL, g, &err), &err);
    for (int i = 0; i < NEW; i++) assert_near(f[i], g[i], 1e-6);
}

static void model_variance__with_weights__is_that_of_rows_repeated(void **state)
{
    const pair *it = *state;
    double f[NEW], g[NEW], kept[NEW];
    rls2_error err;
    assert_ok(rls2_model_variance(it->model, &it->rows, f, &err), &err);
    assert_ok(rls2_model_variance(it->model_repeated, &it->rows, g, &err), &err);
    for (int i = 0; i < NEW; i++) assert_near(f[i], g[i], 1e-6);
    assert_ok(rls2_model_factorize(it->model, &err), &err);
    assert_ok(rls2_model_variance(it->model, &it->rows, kept, &err), &err);
    assert_memory_equal(kept, f, sizeof f);
}

/* sum_k d_k s_k K_k */
static long double learned(const pair *it, int64_t n, const double *x, int64_t i, int64_t nz,
                           const double *z, int64_t j)
{
    long double sum = 0.0L;
    for (int64_t k = 0; k < rls2_model_kernel_count(it->model); k++)
        sum +=
            (long double)rls2_model_kernel_weight(it->model, k) * rls2_model_scale(it->model, k) *
            plain_value(&it->problem, &it->problem.kernels[rls2_model_kernel_index(it->model, k)],
                        n, x, i, nz, z, j);
    return sum;
}

/* k(x,x) - k'(R + lambda W^-1)^-1 k. */
static void model_variance__with_weights__is_its_definition(void **state)
{
    const pair *it = *state;
    double f[NEW];
    rls2_error err;
    assert_ok(rls2_model_variance(it->model, &it->rows, f, &err), &err);
    for (int t = 0; t < NEW; t++) {
        long double A[ROWS * ROWS], b[ROWS], k[ROWS],
            rest = learned(it, NEW, it->x, t, NEW, it->x, t);
        for (int j = 0; j < ROWS; j++) {
            k[j] = b[j] = learned(it, NEW, it->x, t, ROWS, it->problem.x, j);
            for (int i = 0; i < ROWS; i++)
                A[j * ROWS + i] = learned(it, ROWS, it->problem.x, i, ROWS, it->problem.x, j) +
                                  (i == j ? (long double)LAMBDA / it->w[i] : 0.0L);
        }
        plain_solve(ROWS, A, b);
        for (int j = 0; j < ROWS; j++) rest -= k[j] * b[j];
        assert_near(f[t], (double)rest, 1e-9);
    }
}

static void
model_degrees_of_freedom__with_weights__is_that_of_rows_repeated_and_of_the_path(void **state)
{
    const pair *it = *state;
    double df, repeated;
    rls2_error err;
    assert_ok(rls2_model_degrees_of_freedom(it->model, &df, &err), &err);
    assert_ok(rls2_model_degrees_of_freedom(it->model_repeated, &repeated, &err), &err);
    assert_near(df, repeated, 1e-6);
    assert_near(df, rls2_model_point(it->model)->df, 1e-9);
    assert_true(df > 1.0 && df < ROWS);
}

static void model_shares__with_weights__are_those_of_rows_repeated(void **state)
{
    const pair *it = *state;
    double share[KERNELS], repeated[KERNELS];
    rls2_error err;
    assert_ok(rls2_model_shares(it->model, NULL, share, NULL, &err), &err);
    assert_ok(rls2_model_shares(it->model_repeated, NULL, repeated, NULL, &err), &err);
    for (int64_t k = 0; k < rls2_model_kernel_count(it->model); k++)
        assert_near(share[k], repeated[k], 1e-5);
}

static void model_certify__with_weights__bounds_the_problem_of_rows_repeated(void **state)
{
    const pair *it = *state;
    rls2_certificate a, b;
    rls2_rows train = problem_rows(&it->problem), repeated = problem_rows(&it->repeated);
    rls2_error err;
    assert_ok(rls2_model_certify(it->model, &train, it->problem.y, &a, sizeof a, &err), &err);
    assert_ok(rls2_model_certify(it->model_repeated, &repeated, it->repeated.y, &b, sizeof b, &err),
              &err);
    assert_near(a.primal, b.primal, 1e-9);
    assert_near(a.primal, rls2_model_point(it->model)->objective, 1e-9);
    assert_true(a.relative_gap < 1e-9);
}

#define WITH_PAIR(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PAIR(model__with_weights__keeps_them_and_selects_as_with_rows_repeated),
        WITH_PAIR(model_predict__with_weights__is_that_of_rows_repeated),
        WITH_PAIR(model_variance__with_weights__is_that_of_rows_repeated),
        WITH_PAIR(model_variance__with_weights__is_its_definition),
        WITH_PAIR(model_degrees_of_freedom__with_weights__is_that_of_rows_repeated_and_of_the_path),
        WITH_PAIR(model_shares__with_weights__are_those_of_rows_repeated),
        WITH_PAIR(model_certify__with_weights__bounds_the_problem_of_rows_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
