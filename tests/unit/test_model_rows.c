/* What a model says about rows, where something could be lost: in the last block of many rows,
 * between classes that are level, and where lambda is below the rounding of the kernels. */
#include <math.h>
#include <stdlib.h>

#include "model/blocks.h"
#include "rls2/rls2.h"
#include "support/control.h"
#include "support/problem.h"
#include "support/one_output.h"

enum { N = 20, P = 2 };

/* A model of one Gaussian kernel at one lambda. */
static rls2_model *make_model_of(const double *x, double lambda)
{
    double y[N];
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_model *model;
    rls2_rows rows = {.n = N, .p = P, .x = x};
    rls2_columns columns = {.count = P};
    for (int i = 0; i < N; i++) y[i] = sin(3.0 * x[i]) + x[N + i];
    assert_ok(rls2_dictionary_create("rbf(1)", &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &rows, NULL, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, y, 1, &lambda, NULL, &path, &err), &err);
    assert_ok(model_of_one(path, 0, &model, &err), &err);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return model;
}

static double *random_numbers(uint64_t seed, int64_t count)
{
    rls2__random random;
    double *x = numbers(count);
    rls2__random_seed(&random, seed);
    for (int64_t i = 0; i < count; i++) x[i] = rls2__random_normal(&random);
    return x;
}

/* One row more, and one fewer, than blocks hold. */
static void model_predict__rows_that_fill_no_block__are_predicted_as_each_alone(void **state)
{
    (void)state;
    rls2_error err;
    double *x = random_numbers(1, N * P), one[P], alone;
    rls2_model *model = make_model_of(x, 0.1);
    int64_t height = rls2__block_height(1 << 20, P);
    for (int64_t n = 2 * height - 1; n <= 2 * height + 1; n++) {
        double *fresh = random_numbers(2, n * P), *f = numbers(n);
        const int64_t asked[] = {0, height - 1, height, n - 1};
        rls2_rows rows = {.n = n, .p = P, .x = fresh}, single = {.n = 1, .p = P, .x = one};
        for (int64_t i = 0; i < n; i++) f[i] = (double)NAN;
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        for (int t = 0; t < 4; t++) {
            for (int j = 0; j < P; j++) one[j] = fresh[j * n + asked[t]];
            assert_ok(rls2_model_predict(model, &single, NULL, &alone, &err), &err);
            assert_true(f[asked[t]] == alone);
        }
        free(fresh);
        free(f);
    }
    rls2_model_free(model);
    free(x);
}

/* At the training rows the variance is next to nothing: a difference that rounds to below zero. */
static void model_variance__tiny_lambda__is_never_negative(void **state)
{
    (void)state;
    static const double lambdas[] = {1e-12, 1e-14, 1e-16, 1e-18};
    rls2_error err;
    double *x = random_numbers(3, N * P), variance[N];
    rls2_rows rows = {.n = N, .p = P, .x = x};
    for (int l = 0; l < 4; l++) {
        rls2_model *model = make_model_of(x, lambdas[l]);
        assert_ok(rls2_model_variance(model, &rows, variance, &err), &err);
        for (int i = 0; i < N; i++) assert_true(variance[i] >= 0.0 && variance[i] < 1e-6);
        rls2_model_free(model);
    }
    free(x);
}

/* Ten rows, each there twice, are of rank ten however small lambda is. */
static void model_degrees_of_freedom__lambda_below_rounding__is_the_rank(void **state)
{
    (void)state;
    rls2_error err;
    double x[N * P], df;
    for (int i = 0; i < N; i++) {
        x[i] = 4.0 * (i % 10);
        x[N + i] = 0.0;
    }
    rls2_model *model = make_model_of(x, 1e-25);
    assert_ok(rls2_model_degrees_of_freedom(model, &df, &err), &err);
    if (!(fabs(df - 10.0) < 2.0)) fail_msg("%g degrees of freedom", df);
    rls2_model_free(model);
}

static void decide__outputs_that_are_level__are_the_first_of_them(void **state)
{
    (void)state;
    /* rows: all level; the last two; the first and the last; one that is no number */
    static const double f[3][4] = {
        {1.0, 0.0, 2.0, 1.0}, {1.0, 5.0, -1.0, (double)NAN}, {1.0, 5.0, 2.0, 9.0}};
    static const int64_t expected[] = {0, 1, 0, -1};
    int64_t classes[4];
    rls2_decide(3, 4, f[0], classes);
    for (int i = 0; i < 4; i++) assert_int_equal(classes[i], expected[i]);
}

/* ---- stopping ---- */

static int stop_at_once(void *user, const rls2_progress *at)
{
    int64_t *calls = user;
    assert_string_equal(at->stage, "rows");
    (*calls)++;
    return 1;
}

/* So many rows that the callback is asked long before the last of them. */
static void model_predict__stopped__is_cancelled_and_writes_nothing(void **state)
{
    (void)state;
    enum { MANY = 1 << 22 };
    rls2_error err;
    double *x = random_numbers(1, N * P), *fresh = numbers((int64_t)MANY * P), *f = numbers(MANY);
    rls2_model *model = make_model_of(x, 0.1);
    rls2_rows rows = {.n = MANY, .p = P, .x = fresh};
    for (int64_t i = 0; i < (int64_t)MANY * P; i++) fresh[i] = 0.0;
    for (int threads = 1; threads <= 2; threads++) {
        int64_t calls = 0;
        f[0] = f[MANY - 1] = -7.0;
        assert_int_equal(
            rls2_model_predict(model, &rows, WATCHED_BY(stop_at_once, &calls, threads), f, &err),
            RLS2_ERR_CANCELLED);
        assert_int_equal(calls, 1);
        assert_true(f[0] == -7.0 && f[MANY - 1] == -7.0);
        assert_int_equal(rls2_model_contributions(
                             model, &rows, WATCHED_BY(stop_at_once, &calls, threads), f, &err),
                         RLS2_ERR_CANCELLED);
        assert_true(f[0] == -7.0 && f[MANY - 1] == -7.0);
    }
    rls2_model_free(model);
    free(x);
    free(fresh);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_predict__rows_that_fill_no_block__are_predicted_as_each_alone),
        cmocka_unit_test(model_variance__tiny_lambda__is_never_negative),
        cmocka_unit_test(model_degrees_of_freedom__lambda_below_rounding__is_the_rank),
        cmocka_unit_test(decide__outputs_that_are_level__are_the_first_of_them),
        cmocka_unit_test(model_predict__stopped__is_cancelled_and_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
