/* New rows made like the training data. */
#include "table_fixture.h"

#include <float.h>
#include <math.h>
#include "support/standardize.h"

/* Rows of the text like those of the training data. */
static rls2_dataset *made_like(const char *text, const rls2_dataset *training)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create_like(table, training, &dataset, &err);
    rls2_table_free(table);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return dataset;
}

static void assert_like_refused(const char *text, const rls2_dataset *training, rls2_status status,
                                const char *message)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create_like(table, training, &dataset, &err), status);
    assert_string_equal(err.message, message);
    assert_int_equal(err.status, status);
    assert_null(dataset);
    assert_int_equal(rls2_dataset_create_like(table, training, &dataset, NULL), status);
    rls2_table_free(table);
}

/* ---- the training table itself ---- */

static void assert_same_bits(const double *a, const double *b, int64_t count)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_dataset(const rls2_dataset *a, const rls2_dataset *b)
{
    int64_t n = rls2_dataset_rows(a), p = rls2_dataset_columns(a);
    assert_int_equal(rls2_dataset_rows(b), n);
    assert_int_equal(rls2_dataset_columns(b), p);
    assert_int_equal(rls2_dataset_dropped(b), rls2_dataset_dropped(a));
    for (int64_t j = 0; j < p; j++)
        assert_string_equal(rls2_dataset_names(b)[j], rls2_dataset_names(a)[j]);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(rls2_dataset_source_row(b, i), rls2_dataset_source_row(a, i));
    assert_same_bits(rls2_dataset_x(a), rls2_dataset_x(b), n * p);
    assert_same_bits(rls2_dataset_y(a), rls2_dataset_y(b), n);
    assert_int_equal(rls2_dataset_is_classification(b), rls2_dataset_is_classification(a));
    assert_int_equal(rls2_dataset_class_count(b), rls2_dataset_class_count(a));
    for (int64_t k = 0; k < rls2_dataset_class_count(a); k++)
        assert_string_equal(rls2_dataset_class_label(b, k), rls2_dataset_class_label(a, k));
    assert_int_equal(!rls2_dataset_means(b), !rls2_dataset_means(a));
    if (!rls2_dataset_means(a)) return;
    assert_same_bits(rls2_dataset_means(a), rls2_dataset_means(b), p);
    assert_same_bits(rls2_dataset_deviations(a), rls2_dataset_deviations(b), p);
}

/* As made, standardised, and standardised again. */
static void assert_reproduced(const char *text, const rls2_dataset_options *options)
{
    rls2_dataset *training = made(text, options);
    for (int standardized = 0; standardized < 3; standardized++) {
        if (standardized) standardize(training);
        rls2_dataset *same = made_like(text, training);
        assert_same_dataset(training, same);
        rls2_dataset_free(same);
    }
    rls2_dataset_free(training);
}

static const char mixed_text[] = "motor,size,colour,id,grade,price\n"
                                 "E,0.1,red,r1,1,10.5\n"
                                 "B,,red,r2,2.0,11\n"
                                 "E,0.3,green,r3,2,-0.0\n"
                                 "C,1e-3,blue,r4,1.0,1e300\n"
                                 "B,7,green,r5,1,\n"
                                 "D,1e9,red,,2,12\n";

static void dataset_create_like__training_table__reproduces_regression(void **state)
{
    (void)state;
    const char *drop[] = {"id"}, *categorical[] = {"grade"};
    rls2_dataset_options options = options_for("price");
    options.drop = drop;
    options.drop_count = 1;
    assert_reproduced(mixed_text, &options);
    options.categorical = categorical;
    options.categorical_count = 1;
    assert_reproduced(mixed_text, &options);
    options.reference = 1;
    assert_reproduced(mixed_text, &options);
}

static void dataset_create_like__training_table__reproduces_classes(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("grade");
    options.classify = 1;
    assert_reproduced(mixed_text, &options);
    options = options_for("y");
    assert_reproduced("a,y\n1,yes\n2.5,no\n,no\n4,yes\n", &options);
    options.classify = 1;
    assert_reproduced("a,y\n1,10\n2.5,9\n,x\n4,10\n", &options);
    assert_reproduced("a,y\n1,0\n2.5,-0.0\n3,1\n4,1.0\n", &options);
}

static void dataset_create_like__hard_columns__reproduces_them(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_reproduced("huge,tiny,offset,subnormal,wide,constant,y\n"
                      "1e308,1e-200,1000000000.1,4.9e-324,1e-300,7,1\n"
                      "-1.7e308,2e-200,1000000000.2,1e-322,1,7,2\n"
                      "1.7e308,-1e-200,1000000000.3,5e-323,1e300,7,3\n"
                      "0,4e-200,1000000000.7,0,-1e300,7,4\n",
                      &options);
    assert_reproduced("y\n1\n2\n", &options); /* no inputs */
    assert_reproduced("a,y\n3,5\n", &options);
}

/* ---- columns ---- */

static const char motor_text[] = "motor,a,y\nE,1,10\nB,2,20\nC,3,30\nA,4,40\n";

static void dataset_create_like__other_order_of_values__keeps_indicators(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made(motor_text, &options);
    rls2_dataset *dataset = made_like("motor,a,y\nA,5,1\nC,6,2\n", training);
    assert_int_equal(rls2_dataset_columns(dataset), 5);
    assert_column(dataset, 0, "motor=E", (double[]){0, 0});
    assert_column(dataset, 1, "motor=B", (double[]){0, 0});
    assert_column(dataset, 2, "motor=C", (double[]){0, 1});
    assert_column(dataset, 3, "motor=A", (double[]){1, 0});
    assert_column(dataset, 4, "a", (double[]){5, 6});
    assert_y(dataset, (double[]){1, 2});
    rls2_dataset_free(dataset);
    rls2_dataset_free(training);
}

static void dataset_create_like__reordered_and_extra_columns__are_found_by_name(void **state)
{
    (void)state;
    const char *drop[] = {"id"};
    rls2_dataset_options options = options_for("y");
    options.drop = drop;
    options.drop_count = 1;
    rls2_dataset *training = made("id,motor,a,b,y\n1,E,1,5,10\n2,B,2,6,20\n", &options);
    rls2_dataset *dataset = made_like("b,y,note,a,motor\n8,1,,3,B\n9,2,x,4,E\n", training);
    assert_int_equal(rls2_dataset_rows(dataset),
                     2); /* the empty cell of an extra column does not matter */
    assert_int_equal(rls2_dataset_columns(dataset), 4);
    assert_column(dataset, 0, "motor=E", (double[]){0, 1});
    assert_column(dataset, 1, "motor=B", (double[]){1, 0});
    assert_column(dataset, 2, "a", (double[]){3, 4});
    assert_column(dataset, 3, "b", (double[]){8, 9});
    assert_y(dataset, (double[]){1, 2});
    rls2_dataset_free(dataset);
    rls2_dataset_free(training);
}

static void dataset_create_like__missing_column__suggests_a_name(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made(motor_text, &options);
    assert_like_refused("motors,a,y\nE,1,1\n", training, RLS2_ERR_NAME,
                        "t.csv: no column 'motor' (did you mean 'motors'?)");
    assert_like_refused("motor,weight\nE,1\n", training, RLS2_ERR_NAME, "t.csv: no column 'a'");
    rls2_dataset_free(training);
}

static void dataset_create_like__no_target__has_no_y(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made("a,y\n1,no\n2,yes\n", &options);
    rls2_dataset *dataset = made_like("a\n7\n", training);
    assert_null(rls2_dataset_y(dataset));
    assert_column(dataset, 0, "a", (double[]){7});
    assert_int_equal(rls2_dataset_is_classification(dataset), 1);
    assert_string_equal(rls2_dataset_class_label(dataset, 0), "no");
    assert_string_equal(rls2_dataset_class_label(dataset, 1), "yes");
    rls2_dataset_free(dataset);
    rls2_dataset_free(training);
}

/* ---- cells ---- */

static void dataset_create_like__word_in_numeric_column__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made("rm,y\n1,1\n2,2\n", &options);
    assert_like_refused("rm,y\n1,1\nabc,2\n", training, RLS2_ERR_VALUE,
                        "t.csv:3: column 'rm': 'abc' is not a number");
    assert_like_refused("rm\nx\ny\nz\n", training, RLS2_ERR_VALUE,
                        "t.csv:2: column 'rm': 'x' is not a number");
    assert_like_refused("y,rm\nhigh,1\n", training, RLS2_ERR_VALUE,
                        "t.csv:2: column 'y': 'high' is not a number");
    rls2_dataset_free(training);
}

static void dataset_create_like__numbers_in_text_column__are_text(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_ERROR; /* strict */
    rls2_dataset *training = made("m,y\n32/60,1\n470v,2\n7,3\n", &options);
    rls2_dataset *dataset = made_like("m\n7\n7\n", training);
    assert_column(dataset, 2, "m=7", (double[]){1, 1});
    rls2_dataset_free(dataset);
    assert_like_refused(
        "m\n7\n7.0\n", training, RLS2_ERR_VALUE,
        "t.csv:3: column 'm': '7.0' was not among the training values (32/60, 470v, 7)");
    rls2_dataset_free(training);
}

/* Where missing cells are dropped or imputed it is zero in all indicators, and counted. */
static void dataset_create_like__unseen_value__is_none_of_the_categories(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    for (int missing = RLS2_MISSING_DROP; missing <= RLS2_MISSING_IMPUTE; missing++) {
        options.missing = (rls2_missing)missing;
        rls2_dataset *training = made("m,y\nZ,\nB,2\nA,3\n", &options); /* Z is left out */
        rls2_dataset *dataset = made_like("m,y\nZ,1\nA,1\nQ,\n", training);
        assert_int_equal(rls2_dataset_rows(dataset), 2);
        assert_column(dataset, 0, "m=B", (double[]){0, 0});
        assert_column(dataset, 1, "m=A", (double[]){0, 1});
        assert_int_equal(rls2_dataset_unseen(dataset), 1);
        assert_int_equal(rls2_dataset_unseen(training), 0);
        rls2_dataset_free(dataset);
        rls2_dataset_free(training);
    }
    assert_int_equal(rls2_dataset_unseen(NULL), 0);
}

static void dataset_create_like__strict_unseen_value__lists_training_values(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_ERROR;
    rls2_dataset *training = made(motor_text, &options);
    assert_like_refused(
        "a,motor\n1,E\n2,Z\n", training, RLS2_ERR_VALUE,
        "t.csv:3: column 'motor': 'Z' was not among the training values (E, B, C, ...)");
    rls2_dataset_free(training);
}

static void dataset_create_like__reference__knows_the_value_left_out(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.reference = 1;
    options.missing = RLS2_MISSING_ERROR;
    rls2_dataset *training = made("m,s,y\nE,u,1\nB,v,2\nC,v,3\n", &options);
    rls2_dataset *dataset = made_like("s,m\nv,C\nu,B\n", training);
    assert_int_equal(rls2_dataset_columns(dataset), 4);
    assert_column(dataset, 0, "m=E", (double[]){0, 0});
    assert_column(dataset, 1, "m=B", (double[]){0, 1});
    assert_column(dataset, 2, "s=u", (double[]){0, 1});
    assert_column(dataset, 3, "s=v", (double[]){1, 0});
    rls2_dataset_free(dataset);
    assert_like_refused("s,m\nv,D\n", training, RLS2_ERR_VALUE,
                        "t.csv:2: column 'm': 'D' was not among the training values (E, B, C)");
    rls2_dataset_free(training);
}

static void dataset_create_like__labels__keep_their_signs(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made("a,y\n1,no\n2,yes\n", &options);
    rls2_dataset *dataset =
        made_like("a,y\n1,yes\n2,yes\n", training); /* one class is enough here */
    assert_y(dataset, (double[]){1, 1});
    rls2_dataset_free(dataset);
    assert_like_refused("a,y\n1,no\n2,maybe\n", training, RLS2_ERR_VALUE,
                        "t.csv:3: column 'y': 'maybe' was not among the training values (no, yes)");
    rls2_dataset_free(training);
}

static void dataset_create_like__numeric_labels__are_compared_by_value(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.classify = 1;
    rls2_dataset *training = made("a,y\n1,0\n2,1.0\n", &options);
    rls2_dataset *dataset = made_like("a,y\n1,1\n2,-0.0\n3,1e0\n", training);
    assert_y(dataset, (double[]){1, -1, 1});
    assert_string_equal(rls2_dataset_class_label(dataset, 1), "1.0");
    rls2_dataset_free(dataset);
    assert_like_refused("a,y\n1,1\n2,2\n", training, RLS2_ERR_VALUE,
                        "t.csv:3: column 'y': '2' was not among the training values (0, 1.0)");
    assert_like_refused("a,y\n1,one\n", training, RLS2_ERR_VALUE,
                        "t.csv:2: column 'y': 'one' was not among the training values (0, 1.0)");
    rls2_dataset_free(training);
}

/* ---- missing cells ---- */

static void dataset_create_like__missing_cells__drop_their_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made(motor_text, &options);
    rls2_dataset *dataset = made_like("y,a,motor\n1,1,E\n2,,E\n,3,E\n4,4,\n5,5,B\n", training);
    assert_int_equal(rls2_dataset_rows(dataset), 2);
    assert_int_equal(rls2_dataset_dropped(dataset), 3);
    assert_int_equal(rls2_dataset_source_row(dataset, 1), 4);
    assert_y(dataset, (double[]){1, 5});
    rls2_dataset_free(dataset);
    assert_like_refused("a,motor\n,E\n1,\n", training, RLS2_ERR_VALUE,
                        "t.csv: every row has an empty cell, the first in column 'a' on line 2");
    rls2_dataset_free(training);
}

static void dataset_create_like__missing_cell_not_allowed__names_it(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_ERROR;
    rls2_dataset *training = made("a,b,y\n1,1,1\n2,3,4\n", &options);
    assert_like_refused("b,a\n1,2\n3,\n", training, RLS2_ERR_VALUE,
                        "t.csv:3: column 'a': the cell is empty");
    assert_like_refused("b,a,y\n1,2,\n", training, RLS2_ERR_VALUE,
                        "t.csv:2: column 'y': the cell is empty");
    rls2_dataset *dataset = made_like("c,b,a\n,1,2\n", training);
    assert_int_equal(rls2_dataset_rows(dataset), 1);
    rls2_dataset_free(dataset);
    rls2_dataset_free(training);
}

/* ---- standardisation ---- */

static void dataset_create_like__standardized__uses_training_moments(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made("a,c,y\n1,5,1\n2,5,2\n3,5,3\n", &options);
    rls2_dataset *before = made_like("a,c,y\n4,6,7\n", training);
    standardize(training);
    rls2_dataset *after = made_like("a,c,y\n4,6,7\n-1,5,8\n", training);
    assert_column(before, 0, "a", (double[]){4});
    assert_column(before, 1, "c", (double[]){6});
    assert_null(rls2_dataset_means(before));
    assert_null(rls2_dataset_deviations(before));
    assert_column(after, 0, "a", (double[]){2, -3});
    assert_column(after, 1, "c", (double[]){0, 0}); /* constant in training */
    assert_y(after, (double[]){7, 8});
    assert_true(rls2_dataset_means(after)[0] == 2.0 && rls2_dataset_means(after)[1] == 5.0);
    assert_true(rls2_dataset_deviations(after)[0] == 1.0 &&
                rls2_dataset_deviations(after)[1] == 0.0);
    assert_int_equal(standardize(after), RLS2_ERR_ARGUMENT); /* is already */
    assert_column(after, 0, "a", (double[]){2, -3});
    rls2_dataset_free(before);
    rls2_dataset_free(after);
    rls2_dataset_free(training);
}

static void dataset_standardize__twice__changes_nothing(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *once = made("a,y\n0.1,1\n0.7,2\n0.3,3\n", &options);
    rls2_dataset *twice = made("a,y\n0.1,1\n0.7,2\n0.3,3\n", &options);
    assert_null(rls2_dataset_means(once));
    assert_null(rls2_dataset_deviations(once));
    standardize(once);
    standardize(twice);
    assert_int_equal(standardize(twice), RLS2_ERR_ARGUMENT);
    assert_same_dataset(once, twice);
    assert_true(fabs(rls2_dataset_means(twice)[0] - 1.1 / 3) < 1e-15);
    assert_true(fabs(rls2_dataset_deviations(twice)[0] - sqrt(0.28 / 3)) < 1e-15);
    rls2_dataset_free(once);
    rls2_dataset_free(twice);
}

static void dataset_deviations__extreme_columns__are_finite_and_positive(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("huge,tiny,y\n1.7e308,0,1\n-1.7e308,4.9e-324,2\n"
                                 "-1.7e308,0,3\n1.7e308,0,4\n",
                                 &options);
    standardize(dataset);
    assert_true(rls2_dataset_means(dataset)[0] == 0.0);
    assert_true(rls2_dataset_deviations(dataset)[0] == DBL_MAX);
    assert_true(rls2_dataset_deviations(dataset)[1] == DBL_TRUE_MIN);
    rls2_dataset_free(dataset);
}

static void dataset_create_like__value_overflows__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made("m,a,y\nu,1e-100,1\nv,2e-100,2\n", &options);
    rls2_dataset *dataset = made_like("a,m\n1e300,u\n", training);
    assert_column(dataset, 2, "a", (double[]){1e300});
    rls2_dataset_free(dataset);
    standardize(training);
    assert_like_refused("a,m\n1,u\n-1e300,u\n", training, RLS2_ERR_VALUE,
                        "t.csv:3: column 'a': '-1e300' is too far from the training values");
    rls2_dataset_free(training);
}

/* ---- life ---- */

static void dataset_create_like__training_gone__stands_alone(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made(motor_text, &options); /* the training table is gone as well */
    standardize(training);
    rls2_dataset *first = made_like(motor_text, training);
    assert_same_dataset(training, first);
    rls2_dataset_free(training);
    rls2_dataset *second = made_like(motor_text, first); /* like what was made like another */
    assert_same_dataset(first, second);
    rls2_dataset_free(first);
    assert_string_equal(rls2_dataset_names(second)[3], "motor=A");
    rls2_dataset_free(second);
}

static void dataset_create_like__null_arguments__are_named(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *training = made(motor_text, &options), *dataset = NULL;
    rls2_table *table = parsed(motor_text);
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create_like(NULL, training, &dataset, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
    assert_int_equal(rls2_dataset_create_like(table, NULL, &dataset, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument training is NULL");
    assert_int_equal(rls2_dataset_create_like(table, training, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument dataset is NULL");
    assert_int_equal(rls2_dataset_create_like(NULL, training, &dataset, NULL), RLS2_ERR_ARGUMENT);
    assert_null(dataset);
    rls2_table_free(table);
    rls2_dataset_free(training);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create_like__training_table__reproduces_regression),
        cmocka_unit_test(dataset_create_like__training_table__reproduces_classes),
        cmocka_unit_test(dataset_create_like__hard_columns__reproduces_them),
        cmocka_unit_test(dataset_create_like__other_order_of_values__keeps_indicators),
        cmocka_unit_test(dataset_create_like__reordered_and_extra_columns__are_found_by_name),
        cmocka_unit_test(dataset_create_like__missing_column__suggests_a_name),
        cmocka_unit_test(dataset_create_like__no_target__has_no_y),
        cmocka_unit_test(dataset_create_like__word_in_numeric_column__names_the_cell),
        cmocka_unit_test(dataset_create_like__numbers_in_text_column__are_text),
        cmocka_unit_test(dataset_create_like__unseen_value__is_none_of_the_categories),
        cmocka_unit_test(dataset_create_like__strict_unseen_value__lists_training_values),
        cmocka_unit_test(dataset_create_like__reference__knows_the_value_left_out),
        cmocka_unit_test(dataset_create_like__labels__keep_their_signs),
        cmocka_unit_test(dataset_create_like__numeric_labels__are_compared_by_value),
        cmocka_unit_test(dataset_create_like__missing_cells__drop_their_rows),
        cmocka_unit_test(dataset_create_like__missing_cell_not_allowed__names_it),
        cmocka_unit_test(dataset_create_like__standardized__uses_training_moments),
        cmocka_unit_test(dataset_standardize__twice__changes_nothing),
        cmocka_unit_test(dataset_deviations__extreme_columns__are_finite_and_positive),
        cmocka_unit_test(dataset_create_like__value_overflows__names_the_cell),
        cmocka_unit_test(dataset_create_like__training_gone__stands_alone),
        cmocka_unit_test(dataset_create_like__null_arguments__are_named),
    };
    return cmocka_run_group_tests_name("dataset_like", tests, NULL, NULL);
}
