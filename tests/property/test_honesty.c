/* What must not be claimed: certificates for what was not looked at, confidence where
 * numbers overflow, kernels that were to be left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/problem.h"
#include "support/one_output.h"

enum { N = 30 };

typedef struct given_setting {
    double x[2 * N], y[N], K[N * N];
    const double *given[1];
    rls2_rows rows;
    rls2_dictionary *dictionary;
} given_setting;

static rls2_dictionary *dictionary_of(const char *spec, int64_t columns, int64_t given_count)
{
    static const char *const names[] = {"K"};
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_columns known = {.count = columns, .given_count = given_count, .given_names = names};
    assert_ok(rls2_dictionary_create(spec, &known, &dictionary, &err), &err);
    return dictionary;
}

static void fill_normal(uint64_t seed, int64_t count, double *values)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < count; i++) values[i] = rls2__random_normal(&random);
}

/* ---- certificates ---- */

static void certify__kernel_that_overflows__proves_nothing(void **state)
{
    (void)state;
    double x[2 * N], y[N], c[N];
    const double s[] = {1.0, 1.0}, d[] = {1.0, 0.0};
    rls2_certificate certificate;
    rls2_error err;
    fill_normal(1, N, x);
    fill_normal(2, N, y);
    for (int i = 0; i < N; i++) {
        x[N + i] = i % 2 ? 1e160 : -1e160;
        c[i] = y[i] / 2.0;
    }
    rls2_rows rows = {.n = N, .p = 2, .x = x};
    rls2_dictionary *dictionary = dictionary_of("linear@x1; poly(2,offset=0)@x2", 2, 0);
    assert_int_equal(rls2_certify(dictionary, &rows, s, NULL, y, 1.0, d, c, &certificate,
                                  sizeof certificate, &err),
                     RLS2_ERR_NUMERIC);
    rls2_dictionary_free(dictionary);
}

static void certify__weights_off_the_simplex__are_refused(void **state)
{
    (void)state;
    double x[N], y[N], c[N] = {0};
    const double s = 1.0, wrong[] = {50.0, 0.5, 1.0 + 1e-6};
    rls2_certificate certificate;
    rls2_error err;
    fill_normal(1, N, x);
    fill_normal(2, N, y);
    rls2_rows rows = {.n = N, .p = 1, .x = x};
    rls2_dictionary *dictionary = dictionary_of("linear", 1, 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rls2_certify(dictionary, &rows, &s, NULL, y, 1.0, &wrong[i], c,
                                      &certificate, sizeof certificate, &err),
                         RLS2_ERR_VALUE);
        assert_non_null(strstr(err.message, "sum to"));
    }
    rls2_dictionary_free(dictionary);
}

/* A matrix of rank 3 with noise that the checks let pass: what the solver reports must
 * hold for the matrix as it is. */
static void path_fit__given_matrix_not_quite_definite__reports_a_bound(void **state)
{
    (void)state;
    static const double lambdas[] = {1e-1, 1e-3, 1e-5, 1e-7, 1e-8, 1e-9};
    static given_setting g;
    double z[3 * N], noise[N * N];
    rls2_error err;
    rls2_basis *basis;
    rls2_path *path;
    fill_normal(3, 3 * N, z);
    fill_normal(4, N, g.y);
    fill_normal(5, N * N, noise);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = 1e-10 * (i > j ? noise[j * N + i] : i < j ? noise[i * N + j] : 0.0);
            for (int t = 0; t < 3; t++) sum += z[t * N + i] * z[t * N + j];
            g.K[j * N + i] = sum;
        }
    g.given[0] = g.K;
    g.rows = (rls2_rows){.n = N, .given_count = 1, .given = g.given};
    g.dictionary = dictionary_of("given(K)", 0, 1);
    assert_ok(rls2_basis_create(g.dictionary, &g.rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, g.y, 6, lambdas, NULL, &path, &err), &err);
    for (int64_t i = 0; i < 6; i++) {
        rls2_certificate certificate;
        assert_ok(rls2_path_certify(path, i, &certificate, sizeof certificate, &err), &err);
        assert_true(certificate.relative_gap <= 1.1 * rls2_path_at(path, i)->gap + 1e-7);
    }
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(g.dictionary);
}

static void path_fit__lambda_at_which_c_overflows__stalls_with_gap_one(void **state)
{
    (void)state;
    static const double lambdas[] = {1e300, 1.0, 1e-300};
    double x[N], y[N];
    rls2_error err;
    rls2_basis *basis;
    rls2_path *path;
    fill_normal(1, N, x);
    fill_normal(2, N, y);
    for (int i = 0; i < N; i++) y[i] *= 1e150;
    rls2_rows rows = {.n = N, .p = 1, .x = x};
    rls2_dictionary *dictionary = dictionary_of("linear; rbf(1)", 1, 0);
    assert_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, y, 3, lambdas, NULL, &path, &err), &err);
    assert_int_equal(rls2_path_count(path), 3); /* the first two are not lost */
    assert_int_equal(rls2_path_at(path, 1)->outcome, RLS2_OUTCOME_CONVERGED);
    const rls2_path_point *last = rls2_path_at(path, 2);
    assert_true(isfinite(last->objective) && isfinite(last->gap));
    if (last->outcome == RLS2_OUTCOME_STALLED && last->gap == 1.0)
        for (int i = 0; i < N; i++) assert_true(rls2_path_c(path, 2)[i] == 0.0);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

/* ---- models ---- */

static void model__row_so_far_out_that_numbers_overflow__is_refused(void **state)
{
    (void)state;
    const double lambda = 0.1, far[] = {2.0, 1e40, 1e120};
    double x[N], y[N], out[9];
    rls2_error err;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
    fill_normal(1, N, x);
    for (int i = 0; i < N; i++) y[i] = x[i] * x[i] * x[i];
    rls2_rows rows = {.n = N, .p = 1, .x = x}, new_rows = {.n = 3, .p = 1, .x = far};
    rls2_dictionary *dictionary = dictionary_of("poly(3)", 1, 0);
    assert_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, y, 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &model, &err), &err);
    for (int i = 0; i < 9; i++) out[i] = 7.0;
    assert_int_equal(rls2_model_predict(model, &new_rows, NULL, out, &err), RLS2_ERR_VALUE);
    assert_int_equal(rls2_model_contributions(model, &new_rows, NULL, out, &err), RLS2_ERR_VALUE);
    assert_int_equal(rls2_model_variance(model, &new_rows, out, &err), RLS2_ERR_VALUE);
    assert_int_equal(rls2_model_layer1(model, &new_rows, NULL, out, &err), RLS2_ERR_VALUE);
    assert_int_equal(rls2_model_learned_kernel(model, &new_rows, &new_rows, NULL, out, &err),
                     RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "row 3") ? err.message : strstr(err.message, "row 2"));
    for (int i = 0; i < 9; i++) assert_true(out[i] == 7.0);
    rls2_model_free(model);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

/* ---- skipped kernels ---- */

static void basis_create__skipped_kernel_that_overflows__is_a_zero_kernel(void **state)
{
    (void)state;
    double x[2 * N];
    rls2_error err;
    rls2_basis *basis;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    fill_normal(1, 2 * N, x);
    for (int i = 0; i < N; i++) x[N + i] = 1e20 * (i + 1);
    rls2_rows rows = {.n = N, .p = 2, .x = x};
    rls2_dictionary *dictionary = dictionary_of("linear@x1; poly(20)@x2", 2, 0);
    assert_ok(rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err), &err);
    assert_true(rls2_basis_scales(basis)[1] == 0.0);
    assert_int_equal(rls2_basis_rank(basis, 1), 0);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

static void path_fit__skipped_kernels__are_selected_by_neither_solver(void **state)
{
    (void)state;
    static const double lambdas[] = {1e3, 1.0, 1e-1, 1e-2, 1e-3, 1e-5};
    rls2_basis_options basis_options;
    rls2_basis_options_init(&basis_options, sizeof basis_options);
    rls2_path_options path_options;
    rls2_path_options_init(&path_options, sizeof path_options);
    basis_options.skip_degenerate = 1;
    path_options.intercept = RLS2_INTERCEPT_NONE;
    rls2_dictionary *dictionary = dictionary_of("linear; rbf(1)@x1; poly(2)@x2", 3, 0);
    for (uint64_t seed = 0; seed < 300; seed++) {
        double x[3 * 8], y[8];
        rls2_error err;
        rls2_basis *basis;
        rls2_path *path;
        fill_normal(seed, 3 * 8, x);
        fill_normal(seed + 1000, 8, y);
        for (int i = 0; i < 8; i++) x[2 * 8 + i] = 0.0; /* linear@x3 is skipped */
        rls2_rows rows = {.n = 8, .p = 3, .x = x};
        assert_ok(rls2_basis_create(dictionary, &rows, &basis_options, NULL, &basis, &err), &err);
        for (int solver = 0; solver < 2; solver++) {
            path_options.solver = solver ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
            assert_ok(fit_one(basis, y, 6, lambdas, &path_options, &path, &err), &err);
            for (int64_t i = 0; i < rls2_path_count(path); i++) {
                const int64_t *kernels;
                int64_t count = rls2_path_kernel_weights(path, i, &kernels, NULL);
                for (int64_t t = 0; t < count; t++) assert_int_not_equal(kernels[t], 2);
            }
            rls2_path_free(path);
        }
        rls2_basis_free(basis);
    }
    rls2_dictionary_free(dictionary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certify__kernel_that_overflows__proves_nothing),
        cmocka_unit_test(certify__weights_off_the_simplex__are_refused),
        cmocka_unit_test(path_fit__given_matrix_not_quite_definite__reports_a_bound),
        cmocka_unit_test(path_fit__lambda_at_which_c_overflows__stalls_with_gap_one),
        cmocka_unit_test(model__row_so_far_out_that_numbers_overflow__is_refused),
        cmocka_unit_test(basis_create__skipped_kernel_that_overflows__is_a_zero_kernel),
        cmocka_unit_test(path_fit__skipped_kernels__are_selected_by_neither_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
