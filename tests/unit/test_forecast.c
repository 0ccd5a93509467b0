/* What a basis will take, and the limit on what it may. */
#include "support/unit_support.h"

enum { N = 90, P = 4 };

/* Columns: any numbers, five values, two values, a constant. */
static double *columns(void)
{
    double *x = unit_normal(3, N * P);
    for (int i = 0; i < N; i++) {
        x[N + i] = i % 5;
        x[2 * N + i] = i % 2;
        x[3 * N + i] = 1.0;
    }
    return x;
}

static rls2_forecast forecast(const char *spec, const double *x)
{
    rls2_rows rows = {.n = N, .p = P, .x = x};
    static const char *const given[] = {"K"};
    rls2_dictionary *dictionary = unit_dictionary_given(spec, P, 1, given);
    rls2_forecast made = {-1.0, -1.0};
    rls2_error err;
    if (rls2_basis_forecast(dictionary, &rows, &made, sizeof made, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    rls2_dictionary_free(dictionary);
    return made;
}

static void assert_forecast(const char *spec, const double *x, double most, double typical)
{
    rls2_forecast made = forecast(spec, x);
    if (made.most != most || made.typical != typical)
        fail_msg("%s: %g and %g, not %g and %g", spec, made.most, made.typical, most, typical);
}

static void forecast__kernels_of_known_rank__counts_their_factors(void **state)
{
    (void)state;
    double *x = columns(), dense = N * (N + 1) / 2 * 8.0;
    assert_forecast("linear", x, 0.0, 0.0);
    assert_forecast("given(K)", x, 0.0, 0.0);
    assert_forecast("linear@x1+x2", x, 2 * N * 8.0, 2 * N * 8.0);
    assert_forecast("poly(2)@x1", x, 3 * N * 8.0, 3 * N * 8.0);
    assert_forecast("poly(2)@x1+x2", x, 6 * N * 8.0, 6 * N * 8.0);
    assert_forecast("rbf(1)@x2", x, 5 * N * 8.0, 5 * N * 8.0);
    assert_forecast("delta@x2+x3+x4", x, 10 * N * 8.0, 10 * N * 8.0);
    assert_forecast("laplace(1)@x1", x, dense, dense);
    assert_forecast("rbf(1)@all", x, dense, dense);
    assert_forecast("rbf(1|2)@x4; spline@x1", x, 2 * N * 8.0 + dense, 2 * N * 8.0 + dense);
    free(x);
}

/* The wider, the fewer columns its factor has. */
static void forecast__gaussians_of_one_column__follow_their_width(void **state)
{
    (void)state;
    double *x = columns(), dense = N * (N + 1) / 2 * 8.0;
    rls2_forecast wide = forecast("rbf(0.001)@x1", x), middle = forecast("rbf(1)@x1", x),
                  narrow = forecast("rbf(1000)@x1", x);
    assert_true(wide.most == dense && narrow.most == dense);
    assert_true(wide.typical >= 5 * N * 8.0 && wide.typical < middle.typical);
    assert_true(middle.typical < dense && narrow.typical == dense);
    free(x);
}

static void forecast__any_dictionary__is_no_less_than_what_is_taken(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "paper", "poly(1..6)@all,each", "rbf(0.01:100:9)@all,each,x2+x3",
        "laplace(1)@each; delta@each,x2+x3; matern(1.5)@each,x1+x2", "spline@x1,x2,x3; linear@all"};
    double *x = columns();
    rls2_rows rows = {.n = N, .p = P, .x = x};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        unit_fixture fixture = unit_fixture_create(specs[i], &rows, NULL);
        assert_true((double)rls2_basis_bytes(fixture.basis) <= forecast(specs[i], x).most);
        unit_fixture_free(&fixture);
    }
    free(x);
}

static void forecast__wrong_arguments__are_refused(void **state)
{
    (void)state;
    double *x = columns();
    rls2_rows rows = {.n = N, .p = P, .x = x};
    rls2_dictionary *dictionary = unit_dictionary("linear", P);
    rls2_forecast made;
    assert_int_equal(rls2_basis_forecast(NULL, &rows, &made, sizeof made, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_basis_forecast(dictionary, NULL, &made, sizeof made, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_basis_forecast(dictionary, &rows, NULL, 1, NULL), RLS2_ERR_ARGUMENT);
    rows.p = 2;
    assert_int_equal(rls2_basis_forecast(dictionary, &rows, &made, sizeof made, NULL),
                     RLS2_ERR_ARGUMENT);
    rls2_dictionary_free(dictionary);
    free(x);
}

static void basis_create__more_memory_than_allowed__stores_less(void **state)
{
    (void)state;
    double *x = columns();
    rls2_rows rows = {.n = N, .p = P, .x = x};
    rls2_dictionary *dictionary = unit_dictionary("linear; laplace(1|2|3)@all", P);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_basis *basis = NULL;
    rls2_error err;
    int64_t dense = N * (N + 1) / 2 * 8;
    for (int64_t stored = 0; stored <= 3; stored++) {
        options.memory = stored * dense + 1;
        assert_int_equal(rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err),
                         RLS2_OK);
        assert_int_equal(rls2_basis_bytes(basis), stored * dense);
        rls2_basis_free(basis);
    }
    options.memory = -1;
    assert_int_equal(rls2_basis_create(dictionary, &rows, &options, NULL, &basis, &err),
                     RLS2_ERR_ARGUMENT);
    rls2_dictionary_free(dictionary);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forecast__kernels_of_known_rank__counts_their_factors),
        cmocka_unit_test(forecast__gaussians_of_one_column__follow_their_width),
        cmocka_unit_test(forecast__any_dictionary__is_no_less_than_what_is_taken),
        cmocka_unit_test(forecast__wrong_arguments__are_refused),
        cmocka_unit_test(basis_create__more_memory_than_allowed__stores_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
