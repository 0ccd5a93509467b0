/* Wrong arguments to the functions of paths, lambdas and certificates: the status, the
 * words, and that nothing is written. */
#include "support/arguments.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <string.h>

/* ---- paths ---- */

static void assert_fit_refused(const rls2_basis *basis, const double *y, int64_t count,
                               const double *lambdas, const rls2_path_options *options,
                               rls2_status status, const char *part)
{
    rls2_path *path = UNTOUCHED;
    ASSERT_REFUSED(status, part, fit_one(basis, y, count, lambdas, options, &path, err));
    assert_ptr_equal(path, UNTOUCHED);
}

static void path_fit__null_arguments__are_refused(void **state)
{
    (void)state;
    assert_fit_refused(NULL, good.y, 1, one_lambda, NULL, RLS2_ERR_ARGUMENT, "the basis is NULL");
    assert_fit_refused(good.basis, NULL, 1, one_lambda, NULL, RLS2_ERR_ARGUMENT, "y is NULL");
    assert_fit_refused(good.basis, good.y, 1, NULL, NULL, RLS2_ERR_ARGUMENT,
                       "argument lambdas is NULL");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument paths is NULL",
                   fit_one(good.basis, good.y, 1, one_lambda, NULL, NULL, err));
}

static void path_fit__wrong_numbers__are_refused(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *part;
    } wrong[] = {{0.0, "lambdas[1] is 0;"},
                 {-1.0, "lambdas[1] is -1;"},
                 {(double)NAN, "lambdas[1] is "},
                 {(double)INFINITY, "lambdas[1] is inf;"}};
    double y[N];
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const double lambdas[] = {1.0, wrong[i].value, 2.0};
        assert_fit_refused(good.basis, good.y, 3, lambdas, NULL, RLS2_ERR_VALUE, wrong[i].part);
    }
    assert_fit_refused(good.basis, good.y, 0, one_lambda, NULL, RLS2_ERR_ARGUMENT,
                       "there are 0 values of lambda");
    assert_fit_refused(good.basis, good.y, -3, one_lambda, NULL, RLS2_ERR_ARGUMENT,
                       "there are -3 values of lambda");
    assert_fit_refused(good.basis, good.y, HUGE_SIZE, one_lambda, NULL, RLS2_ERR_MEMORY,
                       "2305843009213693951");
    memcpy(y, good.y, sizeof y);
    y[N - 1] = nan_value;
    assert_fit_refused(good.basis, y, 1, one_lambda, NULL, RLS2_ERR_VALUE, "y[5] is ");
    y[N - 1] = -infinite;
    assert_fit_refused(good.basis, y, 1, one_lambda, NULL, RLS2_ERR_VALUE, "y[5] is -inf");
}

static void path_fit__wrong_options__are_refused(void **state)
{
    (void)state;
    rls2_path_options fine;
    rls2_path_options_init(&fine, sizeof fine);
    rls2_path_options options[15];
    static const char *const parts[] = {"unknown solver 7",
                                        "unknown intercept rule 7",
                                        "gap_tol is 0;",
                                        "gap_tol is -1;",
                                        "gap_tol is ",
                                        "delta is 0;",
                                        "delta is -1;",
                                        "delta is ",
                                        "max_iter is 0;",
                                        "max_iter is -1;",
                                        "memory is -1",
                                        "unknown solver -1",
                                        "unknown intercept rule -1",
                                        "unknown degrees_of_freedom 3",
                                        "unknown degrees_of_freedom -1"};
    for (size_t i = 0; i < COUNT(options); i++) options[i] = fine;
    options[0].solver = (rls2_solver)7;
    options[1].intercept = (rls2_intercept)7;
    options[2].gap_tol = 0.0;
    options[3].gap_tol = -1.0;
    options[4].gap_tol = nan_value;
    options[5].delta = 0.0;
    options[6].delta = -1.0;
    options[7].delta = nan_value;
    options[8].max_iter = 0;
    options[9].max_iter = -1;
    options[10].memory = -1;
    options[11].solver = (rls2_solver)-1;
    options[12].intercept = (rls2_intercept)-1;
    options[13].degrees_of_freedom = (rls2_df)3;
    options[14].degrees_of_freedom = (rls2_df)-1;
    for (size_t i = 0; i < COUNT(options); i++)
        assert_fit_refused(good.basis, good.y, 1, one_lambda, &options[i], RLS2_ERR_ARGUMENT,
                           parts[i]);
}

/* ---- several responses ---- */

static void assert_outputs_refused(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                   int64_t count, const double *lambdas, int threads,
                                   rls2_status status, const char *part)
{
    rls2_path *paths[2] = {UNTOUCHED, UNTOUCHED};
    ASSERT_REFUSED(
        status, part,
        rls2_path_fit(outputs, bases, y, count, lambdas, NULL, ON_THREADS(threads), paths, err));
    assert_true(paths[0] == UNTOUCHED && paths[1] == UNTOUCHED);
}

static void path_fit_outputs__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const int64_t part[] = {0, 2, 4};
    const rls2_basis *same[] = {good.basis, good.basis}, *hole[] = {good.basis, NULL},
                     *none[] = {NULL, NULL};
    rls2_basis *smaller = NULL;
    double y[2 * N], spoilt[2 * N], grid[2] = {UNWRITTEN, UNWRITTEN};
    const double negative = -1.0;
    assert_int_equal(rls2_basis_take(good.basis, 3, part, NULL, NULL, &smaller, NULL), RLS2_OK);
    const rls2_basis *mixed[] = {good.basis, smaller};
    for (int i = 0; i < 2 * N; i++) y[i] = spoilt[i] = good.y[i % N];
    spoilt[N + 2] = nan_value;
    assert_outputs_refused(0, same, y, 1, one_lambda, 1, RLS2_ERR_ARGUMENT,
                           "there are 0 responses");
    assert_outputs_refused(HUGE_SIZE, same, y, 1, one_lambda, 1, RLS2_ERR_MEMORY,
                           "2305843009213693951");
    assert_outputs_refused(2, NULL, y, 1, one_lambda, 1, RLS2_ERR_ARGUMENT,
                           "argument bases is NULL");
    assert_outputs_refused(2, none, y, 1, one_lambda, 1, RLS2_ERR_ARGUMENT, "the basis is NULL");
    assert_outputs_refused(2, hole, y, 1, one_lambda, 1, RLS2_ERR_ARGUMENT,
                           "response 2 of 2: the basis is NULL");
    assert_outputs_refused(2, mixed, y, 1, one_lambda, 1, RLS2_ERR_ARGUMENT,
                           "the basis of response 2 has 3 rows, that of the first 6");
    assert_outputs_refused(2, same, NULL, 1, one_lambda, 1, RLS2_ERR_ARGUMENT, "y is NULL");
    assert_outputs_refused(2, same, spoilt, 1, one_lambda, 1, RLS2_ERR_VALUE,
                           "response 2 of 2: y[2] is ");
    assert_outputs_refused(2, same, y, 0, one_lambda, 1, RLS2_ERR_ARGUMENT,
                           "there are 0 values of lambda");
    assert_outputs_refused(2, same, y, 1, NULL, 1, RLS2_ERR_ARGUMENT, "argument lambdas is NULL");
    assert_outputs_refused(2, same, y, 1, &negative, 1, RLS2_ERR_VALUE, "lambdas[0] is -1;");
    assert_outputs_refused(2, same, y, 1, one_lambda, -1, RLS2_ERR_ARGUMENT, "threads is -1");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument paths is NULL",
                   rls2_path_fit(2, same, y, 1, one_lambda, NULL, ON_THREADS(1), NULL, err));
    ASSERT_REFUSED(RLS2_ERR_VALUE, "response 2 of 2: y[2] is ",
                   rls2_lambda_default(2, same, spoilt, RLS2_INTERCEPT_MEAN, 0.1, 2, grid, err));
    ASSERT_REFUSED(RLS2_ERR_VALUE, "the ratio of ",
                   rls2_lambda_default(2, same, y, RLS2_INTERCEPT_MEAN, 0.0, 2, grid, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "not 0",
                   rls2_lambda_default(2, same, y, RLS2_INTERCEPT_MEAN, 0.1, 0, grid, err));
    assert_unwritten(2, grid);
    rls2_basis_free(smaller);
}

static void assert_finite_path(const rls2_path *path, double lambda)
{
    const double *weights, *c = rls2_path_c(path, 0);
    const rls2_path_point *point = rls2_path_at(path, 0);
    int64_t count = rls2_path_kernel_weights(path, 0, NULL, &weights);
    double total = 0.0;
    assert_true(point->lambda == lambda);
    assert_true(isfinite(point->objective) && isfinite(point->gap) && isfinite(point->residual));
    assert_true(count > 0);
    for (int64_t k = 0; k < count; k++) total += weights[k];
    assert_true(fabs(total - 1.0) < 1e-9);
    for (int i = 0; i < N; i++) assert_true(isfinite(c[i]));
}

static void
path_fit__numbers_near_the_ends_of_the_range__are_refused_or_give_finite_results(void **state)
{
    (void)state;
    static const double scales[] = {1e-320, 1e-200, 1e-100, 1.0, 1e100, 1e150, 1e160, 1e200, 1e307};
    for (size_t i = 0; i < COUNT(scales) * COUNT(scales) * 2; i++) {
        double y[N], lambda = scales[i / 2 % COUNT(scales)], scale = scales[i / 2 / COUNT(scales)];
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        rls2_path *path = NULL;
        rls2_error err = {.message = ""};
        options.solver = i % 2 ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
        for (int j = 0; j < N; j++) y[j] = scale * good.y[j];
        rls2_status status = fit_one(good.basis, y, 1, &lambda, &options, &path, &err);
        if (status == RLS2_OK)
            assert_finite_path(path, lambda);
        else
            assert_true(strlen(err.message) > 0);
        rls2_path_free(path);
    }
}

static void path_accessors__no_path__say_so(void **state)
{
    (void)state;
    const int64_t *kernels = UNTOUCHED;
    const double *weights = UNTOUCHED;
    rls2_path_free(NULL);
    assert_int_equal(rls2_path_count(NULL), 0);
    assert_int_equal(rls2_path_cancelled(NULL), 0);
    assert_null(rls2_path_at(NULL, 0));
    assert_null(rls2_path_c(NULL, 0));
    assert_int_equal(rls2_path_kernel_weights(NULL, 0, &kernels, &weights), 0);
    assert_null(kernels);
    assert_null(weights);
    assert_true(isnan(rls2_path_intercept(NULL)));
}

static void path_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_path_at(good.path, outside[i]));
        assert_null(rls2_path_c(good.path, outside[i]));
        assert_int_equal(rls2_path_kernel_weights(good.path, outside[i], NULL, NULL), 0);
    }
    assert_true(rls2_path_kernel_weights(good.path, 0, NULL, NULL) > 0);
}

/* ---- lambdas ---- */

static void assert_grid_refused(double lo, double hi, int64_t count, rls2_status status,
                                const char *part)
{
    double grid[3] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(status, part, rls2_lambda_grid(lo, hi, count, grid, err));
    assert_unwritten(3, grid);
}

static void lambda_grid__wrong_arguments__are_refused(void **state)
{
    (void)state;
    assert_grid_refused(1.0, 2.0, 0, RLS2_ERR_ARGUMENT, "not 0");
    assert_grid_refused(1.0, 2.0, -1, RLS2_ERR_ARGUMENT, "not -1");
    assert_grid_refused(1.0, 2.0, HUGE_SIZE, RLS2_ERR_MEMORY, "2305843009213693951");
    assert_grid_refused(0.0, 2.0, 3, RLS2_ERR_VALUE, "from 0 to 2");
    assert_grid_refused(-1.0, 2.0, 3, RLS2_ERR_VALUE, "from -1 to 2");
    assert_grid_refused(3.0, 2.0, 3, RLS2_ERR_VALUE, "from 3 to 2");
    assert_grid_refused(nan_value, 2.0, 3, RLS2_ERR_VALUE, " to 2");
    assert_grid_refused(1.0, nan_value, 3, RLS2_ERR_VALUE, "from 1 to ");
    assert_grid_refused(1.0, infinite, 3, RLS2_ERR_VALUE, "from 1 to inf");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "needs a place", rls2_lambda_grid(1.0, 2.0, 3, NULL, err));
}

static void assert_default_refused(const rls2_basis *basis, const double *y, int intercept,
                                   double ratio, int64_t count, rls2_status status,
                                   const char *part)
{
    double grid[3] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(status, part,
                   grid_of_one(basis, y, (rls2_intercept)intercept, ratio, count, grid, err));
    assert_unwritten(3, grid);
}

static void lambda_default__wrong_arguments__are_refused(void **state)
{
    (void)state;
    const double spoilt[N] = {0.0, 0.0, nan_value};
    assert_default_refused(NULL, good.y, 1, 1e-3, 3, RLS2_ERR_ARGUMENT, "the basis is NULL");
    assert_default_refused(good.basis, NULL, 1, 1e-3, 3, RLS2_ERR_ARGUMENT, "y is NULL");
    assert_default_refused(good.basis, spoilt, 1, 1e-3, 3, RLS2_ERR_VALUE, "y[2] is ");
    assert_default_refused(good.basis, good.y, 5, 1e-3, 3, RLS2_ERR_ARGUMENT,
                           "unknown intercept rule 5");
    assert_default_refused(good.basis, good.y, 1, 0.0, 3, RLS2_ERR_VALUE, "lambda is 0;");
    assert_default_refused(good.basis, good.y, 1, 1.5, 3, RLS2_ERR_VALUE, "lambda is 1.5;");
    assert_default_refused(good.basis, good.y, 1, nan_value, 3, RLS2_ERR_VALUE, "the ratio of ");
    assert_default_refused(good.basis, good.y, 1, 1e-3, 0, RLS2_ERR_ARGUMENT, "not 0");
    assert_default_refused(good.basis, good.y, 1, 1e-3, -7, RLS2_ERR_ARGUMENT, "not -7");
    assert_default_refused(good.basis, good.y, 1, 1e-3, HUGE_SIZE, RLS2_ERR_MEMORY,
                           "2305843009213693951");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "place",
                   grid_of_one(good.basis, good.y, RLS2_INTERCEPT_MEAN, 1e-3, 3, NULL, err));
}

/* ---- certificates ---- */

typedef struct certify_arguments {
    const rls2_dictionary *dictionary;
    const rls2_rows *train;
    const double *s, *y;
    double lambda;
    const double *d, *c;
} certify_arguments;

static certify_arguments good_certify(void)
{
    return (certify_arguments){good.dictionary,          &good.rows, good.s, good.y, 0.1, good.d,
                               rls2_path_c(good.path, 0)};
}

static void assert_certify_refused(certify_arguments a, rls2_status status, const char *part)
{
    rls2_certificate got, blank;
    memset(&got, 0x5a, sizeof got);
    memset(&blank, 0x5a, sizeof blank);
    ASSERT_REFUSED(status, part,
                   rls2_certify(a.dictionary, a.train, a.s, NULL, a.y, a.lambda, a.d, a.c, &got,
                                sizeof got, err));
    assert_memory_equal(&got, &blank, sizeof got);
}

static void certify__good_arguments__are_taken(void **state)
{
    (void)state;
    certify_arguments a = good_certify();
    rls2_certificate got;
    assert_int_equal(rls2_certify(a.dictionary, a.train, a.s, NULL, a.y, a.lambda, a.d, a.c, &got,
                                  sizeof got, NULL),
                     RLS2_OK);
}

static void certify__null_arguments__are_refused(void **state)
{
    (void)state;
    certify_arguments cases[6];
    static const char *const parts[] = {"argument dictionary is NULL",
                                        ": NULL",
                                        "the scalings is NULL",
                                        "y is NULL",
                                        "d is NULL",
                                        "c is NULL"};
    for (size_t i = 0; i < COUNT(cases); i++) cases[i] = good_certify();
    cases[0].dictionary = NULL;
    cases[1].train = NULL;
    cases[2].s = NULL;
    cases[3].y = NULL;
    cases[4].d = NULL;
    cases[5].c = NULL;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_certify_refused(cases[i], RLS2_ERR_ARGUMENT, parts[i]);
    certify_arguments a = good_certify();
    ASSERT_REFUSED(
        RLS2_ERR_ARGUMENT, "argument certificate is NULL",
        rls2_certify(a.dictionary, a.train, a.s, NULL, a.y, a.lambda, a.d, a.c, NULL, 1, err));
}

/* One value of each vector, and lambda. */
static void certify__wrong_numbers__are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        double spoilt[ROOM] = {0};
        certify_arguments cases[5];
        static const char *const parts[] = {"the scalings[1] is ", "y[1] is ", "d[1] is ",
                                            "c[1] is ", "lambda is "};
        spoilt[1] = wrong[i];
        for (size_t k = 0; k < COUNT(cases); k++) cases[k] = good_certify();
        cases[0].s = cases[1].y = cases[2].d = cases[3].c = spoilt;
        cases[4].lambda = wrong[i];
        for (size_t k = 0; k < COUNT(cases); k++)
            assert_certify_refused(cases[k], RLS2_ERR_VALUE, parts[k]);
    }
}

static void certify__wrong_weights_of_rows__are_refused(void **state)
{
    (void)state;
    double weights[N] = {1.0, 2.0, 1.0, 0.0, 1.0, 1.0};
    certify_arguments a = good_certify();
    rls2_certificate got;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "row_weights[3] is 0;",
                   rls2_certify(a.dictionary, a.train, a.s, weights, a.y, a.lambda, a.d, a.c, &got,
                                sizeof got, err));
    weights[3] = nan_value;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "row_weights[3] is ",
                   rls2_certify(a.dictionary, a.train, a.s, weights, a.y, a.lambda, a.d, a.c, &got,
                                sizeof got, err));
}

static void certify__negative_numbers__are_refused(void **state)
{
    (void)state;
    double negative[ROOM] = {1.0, 1.0, -0.5};
    certify_arguments a = good_certify();
    a.d = negative;
    assert_certify_refused(a, RLS2_ERR_VALUE, "kernel 'linear@c' has weight -0.5");
    a = good_certify();
    a.s = negative;
    assert_certify_refused(a, RLS2_ERR_VALUE, "scaling -0.5");
    a = good_certify();
    a.lambda = 0.0;
    assert_certify_refused(a, RLS2_ERR_VALUE, "is 0;");
    a.lambda = -2.0;
    assert_certify_refused(a, RLS2_ERR_VALUE, "is -2;");
}

/* A bound that is not a number bounds nothing. */
static void certify__numbers_that_overflow__do_not_pass_for_an_optimum(void **state)
{
    (void)state;
    double large[ROOM] = {1e308, 1e308, 1e308};
    certify_arguments cases[4];
    for (size_t i = 0; i < COUNT(cases); i++) cases[i] = good_certify();
    cases[0].s = cases[1].y = cases[2].d = cases[3].c = large;
    for (size_t i = 0; i < COUNT(cases); i++) {
        certify_arguments a = cases[i];
        rls2_certificate got = {0};
        rls2_status status = rls2_certify(a.dictionary, a.train, a.s, NULL, a.y, a.lambda, a.d, a.c,
                                          &got, sizeof got, NULL);
        if (status != RLS2_OK || (isfinite(got.primal) && isfinite(got.gap))) continue;
        assert_false(got.relative_gap <= 1.0);
    }
}

static void check_certified_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    certify_arguments a = good_certify();
    a.train = rows;
    assert_certify_refused(a, status, part);
}

static void certify__wrong_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_certified_rows);
}

static void path_certify__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_certificate got, blank;
    memset(&got, 0x5a, sizeof got);
    memset(&blank, 0x5a, sizeof blank);
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path", rls2_path_certify(NULL, 0, &got, sizeof got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point 1",
                   rls2_path_certify(good.path, 1, &got, sizeof got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point -1",
                   rls2_path_certify(good.path, -1, &got, sizeof got, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument certificate is NULL",
                   rls2_path_certify(good.path, 0, NULL, 1, err));
    assert_memory_equal(&got, &blank, sizeof got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__null_arguments__are_refused),
        cmocka_unit_test(path_fit__wrong_numbers__are_refused),
        cmocka_unit_test(path_fit__wrong_options__are_refused),
        cmocka_unit_test(path_fit_outputs__wrong_arguments__are_refused),
        cmocka_unit_test(
            path_fit__numbers_near_the_ends_of_the_range__are_refused_or_give_finite_results),
        cmocka_unit_test(path_accessors__no_path__say_so),
        cmocka_unit_test(path_accessors__out_of_range__say_so),
        cmocka_unit_test(lambda_grid__wrong_arguments__are_refused),
        cmocka_unit_test(lambda_default__wrong_arguments__are_refused),
        cmocka_unit_test(certify__good_arguments__are_taken),
        cmocka_unit_test(certify__null_arguments__are_refused),
        cmocka_unit_test(certify__wrong_numbers__are_refused),
        cmocka_unit_test(certify__wrong_weights_of_rows__are_refused),
        cmocka_unit_test(certify__negative_numbers__are_refused),
        cmocka_unit_test(certify__numbers_that_overflow__do_not_pass_for_an_optimum),
        cmocka_unit_test(certify__wrong_rows__are_refused),
        cmocka_unit_test(path_certify__wrong_arguments__are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
