/* Weights of rows: read, counted in preprocessing, and multiplied with those of classes. */
#include "table_fixture.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "table/dataset.h"
#include "support/standardize.h"

static rls2_dataset_options weighted(const char *target)
{
    rls2_dataset_options options = options_for(target);
    options.row_weights = "w";
    return options;
}

static void assert_refused(const char *text, const rls2_dataset_options *options,
                           rls2_status status, const char *message)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create(table, options, &dataset, &err), status);
    assert_string_equal(err.message, message);
    assert_null(dataset);
    rls2_table_free(table);
}

static void assert_weights(const rls2_dataset *data, const double *weights)
{
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++)
        assert_true(rls2_dataset_row_weights(data)[i] == weights[i]);
}

static void assert_close(double a, double b, double tolerance)
{
    if (fabs(a - b) > tolerance * fmax(1.0, fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

/* ---- reading ---- */

static void dataset_create__weights__are_no_input_and_zero_leaves_out(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data = made("a,w,y\n1,2,3\n4,0,5\n6,,7\n8,0.5,9\n,1,2\n,0,\n", &options);
    assert_int_equal(rls2_dataset_rows(data), 2);
    assert_int_equal(rls2_dataset_columns(data), 1);
    assert_int_equal(rls2_dataset_dropped(data), 4);
    assert_int_equal(rls2_dataset_source_row(data, 1), 3);
    assert_weights(data, (double[]){2.0, 0.5});
    assert_y(data, (double[]){3, 9});
    rls2_dataset_free(data);
    options.row_weights = NULL;
    data = made("a,w,y\n1,2,3\n", &options);
    assert_null(rls2_dataset_row_weights(data));
    assert_int_equal(rls2_dataset_columns(data), 2);
    rls2_dataset_free(data);
}

static void dataset_create__row_of_weight_zero__may_have_empty_cells(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    options.missing = RLS2_MISSING_ERROR;
    rls2_dataset *data = made("a,w,y\n1,2,3\n,0,5\n", &options);
    assert_int_equal(rls2_dataset_dropped(data), 1);
    rls2_dataset_free(data);
    assert_refused("a,w,y\n1,2,3\n4,,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'w': the cell is empty");
}

static void dataset_create__unusable_weights__are_refused(void **state)
{
    (void)state;
    static const char *const w[] = {"w"};
    rls2_dataset_options options = weighted("y");
    assert_refused("a,w,y\n1,2,3\n\n4,-0.5,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:4: column 'w': the weight '-0.5' is negative");
    assert_refused("a,w,y\n1,2,3\n,-1,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'w': the weight '-1' is negative");
    assert_refused("a,w,y\n1,2,3\n4,many,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'w': 'many' is not a number");
    assert_refused("a,w,y\n1,p,3\n4,q,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:2: column 'w': 'p' is not a number");
    assert_refused("a,w,y\n1,0,3\n4,-0,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv: no rows are left: each has the weight 0 in column 'w'");
    assert_refused("a,w,y\n1,0,3\n,1,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv: no rows are left: each has an empty cell or the weight 0 in column 'w'");
    assert_refused("a,w,y\n1,1e308,3\n2,1e308,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'w': the sum of the weights overflows");
    options.drop = w;
    options.drop_count = 1;
    assert_refused("a,w,y\n1,1,3\n", &options, RLS2_ERR_ARGUMENT,
                   "t.csv: drop: column 'w' is the one of the weights");
    options = weighted("y");
    options.row_weights = "weight";
    assert_refused("a,weihgt,y\n1,1,3\n", &options, RLS2_ERR_NAME,
                   "t.csv: row_weights: no column 'weight' (did you mean 'weihgt'?)");
}

static void create_like__weights__are_read_where_they_are(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data = made("a,w,y\n1,2,3\n4,1,5\n", &options), *fresh = NULL;
    rls2_table *table = parsed("w,y,a\n3,1,1\n0,2,2\n0.25,3,3\n");
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, NULL), RLS2_OK);
    assert_weights(fresh, (double[]){3.0, 0.25});
    assert_int_equal(rls2_dataset_dropped(fresh), 1);
    rls2_dataset_free(fresh);
    rls2_table_free(table);
    table = parsed("y,a\n1,1\n2,2\n");
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, NULL), RLS2_OK);
    assert_null(rls2_dataset_row_weights(fresh));
    rls2_dataset_free(fresh);
    rls2_table_free(table);
    table = parsed("y,w,a\n1,-1,1\n");
    rls2_error err;
    fresh = NULL;
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv:2: column 'w': the weight '-1' is negative");
    assert_null(fresh);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* Rows to be predicted need no weights, whatever stands in that column. */
static void view__without_targets__does_not_look_at_weights(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data = made("a,w,y\n1,2,3\n4,1,5\n", &options), *fresh = NULL;
    rls2_table *table = parsed("w,y,a\n-3,1,1\n0,2,2\n,3,3\ntext,4,4\n");
    rls2__view_rules rules = {.skip_target = 1};
    assert_int_equal(
        rls2__dataset_like(table, data->encoder, &data->preparation, rules, &fresh, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_rows(fresh), 4);
    assert_null(rls2_dataset_row_weights(fresh));
    assert_null(rls2_dataset_y(fresh));
    rls2_dataset_free(fresh);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

static void fingerprint__weights__tell_rows_apart(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y"), plain = options_for("y");
    rls2_dataset *a = made("a,w,y\n1,1,3\n4,1,5\n", &options),
                 *b = made("a,w,y\n1,2,3\n4,1,5\n", &options);
    rls2_dataset *c = made("a,y\n1,3\n4,5\n", &plain);
    assert_true(rls2_dataset_fingerprint(a) != rls2_dataset_fingerprint(b));
    assert_true(rls2_dataset_fingerprint(a) != rls2_dataset_fingerprint(c));
    rls2_dataset_free(a);
    rls2_dataset_free(b);
    rls2_dataset_free(c);
}

/* ---- preprocessing ---- */

static void standardize__weights__count_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    /* 1, 1, 1, 5: mean 2, deviation sqrt((3 + 9) / 3) = 2 */
    rls2_dataset *data = made("a,c,w,y\n1,7,3,0\n5,7,1,0\n", &options);
    standardize(data);
    assert_close(rls2_dataset_means(data)[0], 2.0, 1e-15);
    assert_close(rls2_dataset_deviations(data)[0], 2.0, 1e-15);
    assert_close(rls2_dataset_x(data)[0], -0.5, 1e-15);
    assert_close(rls2_dataset_x(data)[1], 1.5, 1e-15);
    assert_true(rls2_dataset_deviations(data)[1] == 0.0);
    rls2_dataset_free(data);
}

/* Shares instead of counts: an error that says so, instead of columns of zeros. */
static void preprocess__weights_of_one_row_or_less__are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sum; /* NULL: taken */
    } cases[] = {{"a,w,y\n1,0.5,0\n3,0.5,0\n", "sum to 1:"},
                 {"a,w,y\n1,0.25,0\n3,0.25,0\n", "sum to 0.5:"},
                 {"a,w,y\n1,1e-310,0\n3,1e-310,0\n", "sum to 2e-310:"},
                 {"a,w,y\n1,0.5,0\n3,0.5000000001,0\n", "sum to 1:"},
                 {"a,w,y\n1,0.5,0\n3,0.50001,0\n", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rls2_dataset_options options = weighted("y");
        rls2_dataset *data = made(cases[k].text, &options);
        rls2_error err = {0};
        assert_int_equal(rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE,
                                                 RLS2_NORMALIZE_STANDARDIZE, NULL, &err),
                         cases[k].sum ? RLS2_ERR_VALUE : RLS2_OK);
        if (cases[k].sum) {
            assert_non_null(strstr(err.message, cases[k].sum));
            assert_non_null(strstr(err.message, "divide them by their mean"));
            assert_true(rls2_dataset_x(data)[0] == 1.0); /* nothing has changed, */
            /* and means have no such divisor */
            assert_int_equal(rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE,
                                                     RLS2_NORMALIZE_CENTER, NULL, &err),
                             RLS2_OK);
        }
        rls2_dataset_free(data);
    }
}

/* What differs weighs nothing against the rest: no squares are left to divide by. */
static void preprocess__weights_far_apart__give_zeros_not_nan(void **state)
{
    (void)state;
    for (int rule = RLS2_NORMALIZE_STANDARDIZE; rule <= RLS2_NORMALIZE_UNIT; rule++) {
        rls2_dataset_options options = weighted("y");
        rls2_dataset *data = made("a,w,y\n0,1e300,0\n2,1e-300,0\n", &options);
        assert_int_equal(
            rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, (rls2_normalize)rule, NULL, NULL),
            RLS2_OK);
        assert_true(rls2_dataset_deviations(data)[0] == 0.0);
        assert_true(rls2_dataset_x(data)[0] == 0.0 && rls2_dataset_x(data)[1] == 0.0);
        rls2_dataset_free(data);
    }
}

/* So many rows that the deviation is that of a population. */
static void standardize__huge_weights_and_numbers__stay_in_range(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data = made("a,b,w,y\n1e300,1e-300,8e307,0\n3e300,3e-300,8e307,0\n", &options);
    standardize(data);
    assert_close(rls2_dataset_means(data)[0] / 2e300, 1.0, 1e-15);
    assert_close(rls2_dataset_deviations(data)[0] / 1e300, 1.0, 1e-15);
    assert_close(rls2_dataset_deviations(data)[1] / 1e-300, 1.0, 1e-15);
    for (int i = 0; i < 4; i++) assert_close(rls2_dataset_x(data)[i], i % 2 ? 1.0 : -1.0, 1e-15);
    rls2_dataset_free(data);
    data = made("a,w,y\n3,8e307,0\n4,8e307,0\n", &options);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT, NULL, NULL),
        RLS2_OK);
    assert_close(rls2_dataset_deviations(data)[0] / (5.0 * sqrt(8e307)), 1.0, 1e-15);
    rls2_dataset_free(data);
}

/* Rows of `also` count by their own weights, and as one each where they have none. */
static void preprocess__also__counts_with_its_own_weights(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,w,y\n10,4,0\n", "a,y\n10,0\n10,0\n"};
    static const double means[] = {(2 * 1 + 2 * 3 + 4 * 10) / 8.0, (2 * 1 + 2 * 3 + 2 * 10) / 6.0};
    for (int k = 0; k < 2; k++) {
        rls2_dataset_options options = weighted("y");
        rls2_dataset *data = made("a,w,y\n1,2,0\n3,2,0\n", &options), *also = NULL;
        rls2_table *table = parsed(texts[k]);
        assert_int_equal(rls2_dataset_create_like(table, data, &also, NULL), RLS2_OK);
        assert_int_equal(
            rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, also, NULL),
            RLS2_OK);
        assert_close(rls2_dataset_means(data)[0], means[k], 1e-15);
        assert_close(rls2_dataset_x(also)[0], 10.0 - means[k], 1e-15);
        rls2_table_free(table);
        rls2_dataset_free(also);
        rls2_dataset_free(data);
    }
}

/* Examples are measured over their columns, which no weight concerns. */
static void preprocess__examples__are_not_weighted(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data = made("a,b,w,y\n3,4,9,0\n", &options);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_NONE, NULL, NULL),
        RLS2_OK);
    assert_close(rls2_dataset_x(data)[0], 0.6, 1e-15);
    assert_close(rls2_dataset_x(data)[1], 0.8, 1e-15);
    rls2_dataset_free(data);
}

/* ---- weights to fit with ---- */

static void assert_fit_weights(const rls2_dataset *data, const char *classes,
                               const double *expected)
{
    double w[16];
    rls2_error err = {0};
    if (rls2_dataset_fit_weights(data, classes, w, &err) != RLS2_OK) fail_msg("%s", err.message);
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) assert_close(w[i], expected[i], 1e-15);
}

static void assert_fit_refused(const rls2_dataset *data, const char *classes, rls2_status status,
                               const char *message)
{
    double w[16] = {0};
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_fit_weights(data, classes, w, &err), status);
    assert_string_equal(err.message, message);
    assert_true(w[0] == 0.0);
}

static void fit_weights__without_classes__are_those_of_the_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y"), plain = options_for("y");
    rls2_dataset *data = made("a,w,y\n1,2,3\n4,0.5,5\n", &options);
    assert_fit_weights(data, NULL, (double[]){2.0, 0.5});
    assert_fit_refused(data, "balanced", RLS2_ERR_ARGUMENT,
                       "class weights: the rows have no classes");
    rls2_dataset_free(data);
    data = made("a,y\n1,3\n4,5\n", &plain);
    assert_fit_weights(data, NULL, (double[]){1.0, 1.0});
    assert_int_equal(rls2_dataset_fit_weights(NULL, NULL, (double[]){0}, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dataset_fit_weights(data, NULL, NULL, NULL), RLS2_ERR_ARGUMENT);
    rls2_dataset_free(data);
}

static void fit_weights__balanced__give_each_class_the_same_sum(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y"), plain = options_for("y");
    rls2_dataset *data = made("a,y\n1,p\n2,p\n3,p\n4,q\n", &plain);
    assert_fit_weights(data, "balanced", (double[]){4.0 / 6.0, 4.0 / 6.0, 4.0 / 6.0, 2.0});
    rls2_dataset_free(data);
    /* sums 6 and 2 of 8: p counts 8 / (2 * 6), q 8 / (2 * 2) */
    data = made("a,w,y\n1,5,p\n2,1,p\n3,2,q\n", &options);
    assert_fit_weights(data, "balanced", (double[]){5 * 8.0 / 12, 8.0 / 12, 2 * 2.0});
    /* only the classes that occur in new rows count there */
    rls2_table *table = parsed("a,y\n1,p\n2,p\n");
    rls2_dataset *fresh = NULL;
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, NULL), RLS2_OK);
    assert_fit_weights(fresh, "balanced", (double[]){1.0, 1.0});
    rls2_dataset_free(fresh);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

static void fit_weights__list__is_read_by_the_labels(void **state)
{
    (void)state;
    rls2_dataset_options options = weighted("y");
    rls2_dataset *data =
        made("a,w,y\n1,5,a\n2,1,\"a=1,b\"\n3,2,b\n4,1,a\n5,1,b\n6,1,\"a=1,b\"\n", &options);
    assert_fit_weights(data, "b=3", (double[]){5, 1, 6, 1, 3, 1});
    assert_fit_weights(data, "a=2,b=0.5", (double[]){10, 1, 1, 2, 0.5, 1});
    assert_fit_weights(data, "a=1,b=4",
                       (double[]){5, 4, 2, 1, 1, 4}); /* the longest label is meant */
    assert_fit_weights(data, "b=4, a=2,a=1,b=1e1", (double[]){10, 10, 8, 2, 4, 10});
    rls2_dataset_free(data);
    options = options_for("y");
    options.classify = 1;
    data = made("a,y\n1,1.0\n2,2\n", &options);
    assert_fit_weights(data, "1=3,2.0=4", (double[]){3, 4});
    rls2_dataset_free(data);
}

static void fit_weights__faulty_list__says_what_is_wrong(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,green\n2,red\n", &options);
    assert_fit_refused(data, "gren=2", RLS2_ERR_NAME,
                       "class weights: no class 'gren' (did you mean 'green'?)");
    assert_fit_refused(data, "green=2,red", RLS2_ERR_SYNTAX,
                       "class weights: 'red' is not 'label=number'");
    assert_fit_refused(data, "green=2,", RLS2_ERR_SYNTAX,
                       "class weights: nothing follows the last comma");
    assert_fit_refused(data, "", RLS2_ERR_SYNTAX, "class weights: '' is not 'label=number'");
    assert_fit_refused(data, "green=", RLS2_ERR_SYNTAX,
                       "class weights: '' of class 'green' is not a number");
    assert_fit_refused(data, "green=inf", RLS2_ERR_SYNTAX,
                       "class weights: 'inf' of class 'green' is not a number");
    assert_fit_refused(data, "green=0", RLS2_ERR_VALUE,
                       "class weights: '0' of class 'green' is not positive");
    assert_fit_refused(data, "green=-1", RLS2_ERR_VALUE,
                       "class weights: '-1' of class 'green' is not positive");
    assert_fit_refused(data, "green=1,green=1", RLS2_ERR_ARGUMENT,
                       "class weights: class 'green' is named twice");
    rls2_dataset_free(data);
    options.row_weights = "w";
    data = made("a,w,y\n1,1e300,p\n2,1,q\n", &options);
    assert_fit_refused(data, "p=1e300", RLS2_ERR_VALUE, "the weight of row 1 is out of range: inf");
    rls2_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__weights__are_no_input_and_zero_leaves_out),
        cmocka_unit_test(dataset_create__row_of_weight_zero__may_have_empty_cells),
        cmocka_unit_test(dataset_create__unusable_weights__are_refused),
        cmocka_unit_test(create_like__weights__are_read_where_they_are),
        cmocka_unit_test(view__without_targets__does_not_look_at_weights),
        cmocka_unit_test(fingerprint__weights__tell_rows_apart),
        cmocka_unit_test(standardize__weights__count_rows),
        cmocka_unit_test(preprocess__weights_of_one_row_or_less__are_refused),
        cmocka_unit_test(preprocess__weights_far_apart__give_zeros_not_nan),
        cmocka_unit_test(standardize__huge_weights_and_numbers__stay_in_range),
        cmocka_unit_test(preprocess__also__counts_with_its_own_weights),
        cmocka_unit_test(preprocess__examples__are_not_weighted),
        cmocka_unit_test(fit_weights__without_classes__are_those_of_the_rows),
        cmocka_unit_test(fit_weights__balanced__give_each_class_the_same_sum),
        cmocka_unit_test(fit_weights__list__is_read_by_the_labels),
        cmocka_unit_test(fit_weights__faulty_list__says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
