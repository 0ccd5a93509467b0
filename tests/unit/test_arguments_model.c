/* Wrong arguments to the functions of models: the status, the words, and that nothing is
 * written. */
#include "support/arguments.h"
#include "support/one_output.h"

#include <math.h>
#include <string.h>

static void model_create__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_model *model = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path", model_of_one(NULL, 0, &model, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument model is NULL",
                   model_of_one(good.path, 0, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point 1 on a path of 1",
                   model_of_one(good.path, 1, &model, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point -1 on a path of 1",
                   model_of_one(good.path, -1, &model, err));
    assert_ptr_equal(model, UNTOUCHED);
}

typedef rls2_status (*row_function)(const rls2_model *, const rls2_rows *, const rls2_control *,
                                    double *, rls2_error *);
static const row_function row_functions[] = {rls2_model_predict, rls2_model_contributions,
                                             rls2_model_layer1};

/* All functions that take a model and rows. */
static void assert_rows_refused(const rls2_model *model, const rls2_rows *rows, rls2_status status,
                                const char *part)
{
    double out[ROOM];
    for (int i = 0; i < ROOM; i++) out[i] = UNWRITTEN;
    for (size_t i = 0; i < COUNT(row_functions); i++)
        ASSERT_REFUSED(status, part, row_functions[i](model, rows, NULL, out, err));
    ASSERT_REFUSED(status, part, rls2_model_variance(model, rows, out, err));
    ASSERT_REFUSED(status, part,
                   rls2_model_learned_kernel(model, rows, &good.rows, NULL, out, err));
    ASSERT_REFUSED(status, part,
                   rls2_model_learned_kernel(model, &good.rows, rows, NULL, out, err));
    assert_unwritten(ROOM, out);
}

static void check_new_rows(const rls2_rows *rows, rls2_status status, const char *part)
{
    assert_rows_refused(good.model, rows, status, part);
}

static void model_predict__wrong_rows__are_refused(void **state)
{
    (void)state;
    for_wrong_rows(check_new_rows);
}

static void model_predict__wrong_given_matrix__is_refused(void **state)
{
    (void)state;
    double K[N * N];
    const double *list[] = {K}, *hole[] = {NULL};
    rls2_rows rows = good.rows;
    memcpy(K, good.given, sizeof K);
    K[2 * N + 1] = nan_value;
    rows.given = list;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_VALUE,
                        "kernel 'given(K)', entry (2, 3): ");
    rows.given = hole;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
    rows.given = NULL;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
    rows = good.rows;
    rows.given_count = 0;
    assert_rows_refused(good.given_model, &rows, RLS2_ERR_ARGUMENT,
                        "the matrix of kernel 'given(K)' is not there");
}

static void model_functions__null_arguments__are_refused(void **state)
{
    (void)state;
    double out[ROOM];
    for (int i = 0; i < ROOM; i++) out[i] = UNWRITTEN;
    assert_rows_refused(NULL, &good.rows, RLS2_ERR_ARGUMENT, "argument model is NULL");
    for (size_t i = 0; i < COUNT(row_functions); i++)
        ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                       row_functions[i](good.model, &good.rows, NULL, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                   rls2_model_learned_kernel(good.model, &good.rows, &good.rows, NULL, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_coefficients(NULL, out, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                   rls2_model_coefficients(good.model, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_degrees_of_freedom(NULL, out, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "result is NULL",
                   rls2_model_degrees_of_freedom(good.model, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "model", rls2_model_layer2(NULL, 1, out, out, err));
    assert_unwritten(ROOM, out);
}

static void assert_variance_refused(const double *const *diagonals, rls2_status status,
                                    const char *part)
{
    double out[N] = {UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN};
    rls2_rows rows = good.rows;
    rows.given_diagonal = diagonals;
    ASSERT_REFUSED(status, part, rls2_model_variance(good.given_model, &rows, out, err));
    assert_unwritten(N, out);
}

static void model_variance__wrong_diagonal__is_refused(void **state)
{
    (void)state;
    double spoilt[N];
    const double *list[] = {spoilt}, *hole[] = {NULL};
    assert_variance_refused(NULL, RLS2_ERR_ARGUMENT,
                            "the diagonal of kernel 'given(K)' is not there");
    assert_variance_refused(hole, RLS2_ERR_ARGUMENT,
                            "the diagonal of kernel 'given(K)' is not there");
    memcpy(spoilt, good.diagonal, sizeof spoilt);
    spoilt[3] = infinite;
    assert_variance_refused(list, RLS2_ERR_VALUE, "[3] is inf");
    spoilt[3] = nan_value;
    assert_variance_refused(list, RLS2_ERR_VALUE, "[3] is ");
}

static void model_coefficients__model_not_linear__is_refused(void **state)
{
    (void)state;
    double a[P] = {UNWRITTEN, UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "not linear: it uses kernel 'given(K)'",
                   rls2_model_coefficients(good.given_model, a, err));
    assert_unwritten(P, a);
}

static void model_layer2__wrong_arguments__are_refused(void **state)
{
    (void)state;
    double f[2] = {UNWRITTEN, UNWRITTEN}, z[ROOM] = {0};
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "z is NULL", rls2_model_layer2(good.model, 2, NULL, f, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "the argument for the result is NULL",
                   rls2_model_layer2(good.model, 2, z, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "count", rls2_model_layer2(good.model, -1, z, f, err));
    z[2] = nan_value;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "z[2] is ", rls2_model_layer2(good.model, 2, z, f, err));
    assert_unwritten(2, f);
}

static void model_layer2__count_that_overflows__is_refused(void **state)
{
    (void)state;
    double f = UNWRITTEN, z = 0.0;
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "2305843009213693951",
                   rls2_model_layer2(good.model, HUGE_SIZE, &z, &f, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "9223372036854775807",
                   rls2_model_layer2(good.model, INT64_MAX, &z, &f, err));
    assert_unwritten(1, &f);
}

static void model_accessors__no_model__say_so(void **state)
{
    (void)state;
    rls2_model_free(NULL);
    assert_int_equal(rls2_model_kernel_count(NULL), 0);
    assert_int_equal(rls2_model_rows(NULL), 0);
    assert_int_equal(rls2_model_columns(NULL), 0);
    assert_true(isnan(rls2_model_lambda(NULL)));
    assert_true(isnan(rls2_model_intercept(NULL)));
    assert_null(rls2_model_kernel_name(NULL, 0));
    assert_true(isnan(rls2_model_kernel_weight(NULL, 0)));
    assert_true(isnan(rls2_model_scale(NULL, 0)));
    assert_true(isnan(rls2_model_w(NULL, 0)));
    assert_null(rls2_model_c(NULL));
}

static void model_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    const int64_t outside[] = {-1, rls2_model_kernel_count(good.model), INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_model_kernel_name(good.model, outside[i]));
        assert_true(isnan(rls2_model_kernel_weight(good.model, outside[i])));
        assert_true(isnan(rls2_model_scale(good.model, outside[i])));
        assert_true(isnan(rls2_model_w(good.model, outside[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_create__wrong_arguments__are_refused),
        cmocka_unit_test(model_predict__wrong_rows__are_refused),
        cmocka_unit_test(model_predict__wrong_given_matrix__is_refused),
        cmocka_unit_test(model_functions__null_arguments__are_refused),
        cmocka_unit_test(model_variance__wrong_diagonal__is_refused),
        cmocka_unit_test(model_coefficients__model_not_linear__is_refused),
        cmocka_unit_test(model_layer2__wrong_arguments__are_refused),
        cmocka_unit_test(model_layer2__count_that_overflows__is_refused),
        cmocka_unit_test(model_accessors__no_model__say_so),
        cmocka_unit_test(model_accessors__out_of_range__say_so),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
