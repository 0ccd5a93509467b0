/* Data sets: what is made of a table. */
#include "table_fixture.h"

#include <float.h>
#include <math.h>
#include "support/standardize.h"

/* ---- columns and rows ---- */

static void dataset_options_default__is_as_documented(void **state)
{
    (void)state;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    assert_null(options.target);
    assert_int_equal(options.drop_count, 0);
    assert_int_equal(options.categorical_count, 0);
    assert_int_equal(options.missing, RLS2_MISSING_DROP);
    assert_int_equal(options.classify, -1);
    assert_int_equal(options.reference, 0);
}

static void dataset_create__numbers__are_column_major(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y,b\n1,10,0.1\n2,20,-2e3\n3,30,.5\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 3);
    assert_int_equal(rls2_dataset_columns(dataset), 2);
    assert_column(dataset, 0, "a", (double[]){1, 2, 3});
    assert_column(dataset, 1, "b", (double[]){0.1, -2e3, 0.5});
    assert_y(dataset, (double[]){10, 20, 30});
    assert_int_equal(rls2_dataset_is_classification(dataset), 0);
    assert_null(rls2_dataset_class_label(dataset, 1));
    assert_int_equal(rls2_dataset_dropped(dataset), 0);
    rls2_dataset_free(dataset);
}

static void dataset_inputs__numbers_and_text__are_told_with_their_columns(void **state)
{
    (void)state;
    int64_t first = -1;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y,b,c\n1,10,u,5\n2,20,v,6\n3,30,u,7\n", &options);
    assert_int_equal(rls2_dataset_input_count(dataset), 3);
    assert_string_equal(rls2_dataset_input_name(dataset, 1), "b");
    assert_int_equal(rls2_dataset_input_kind(dataset, 0), RLS2_COLUMN_NUMBERS);
    assert_int_equal(rls2_dataset_input_kind(dataset, 1), RLS2_COLUMN_TEXT);
    assert_int_equal(rls2_dataset_input_columns(dataset, 1, &first), 2);
    assert_int_equal(first, 1);
    assert_int_equal(rls2_dataset_input_columns(dataset, 2, &first), 1);
    assert_int_equal(first, 3);
    assert_null(rls2_dataset_input_name(dataset, 3));
    assert_int_equal(rls2_dataset_input_columns(dataset, -1, NULL), 0);
    assert_int_equal(rls2_dataset_input_count(NULL), 0);
    rls2_dataset_free(dataset);
}

static void dataset_create__dropped_columns__are_left_out(void **state)
{
    (void)state;
    const char *drop[] = {"id", "b", "id"};
    rls2_dataset_options options = options_for("y");
    options.drop = drop;
    options.drop_count = 3;
    rls2_dataset *dataset = made("id,a,b,y\nr1,1,,3\n7,2,5,4\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 2); /* the empty cell of b does not matter */
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    assert_column(dataset, 0, "a", (double[]){1, 2});
    rls2_dataset_free(dataset);
}

static void dataset_create__target_only__has_no_inputs(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("y\n1\n2\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 0);
    assert_non_null(rls2_dataset_x(dataset));
    assert_non_null(rls2_dataset_names(dataset));
    assert_y(dataset, (double[]){1, 2});
    standardize(dataset);
    rls2_dataset_free(dataset);
}

static void dataset_create__missing_cells__drop_their_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,1\n,2\n3,\n4,4\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 2);
    assert_int_equal(rls2_dataset_dropped(dataset), 2);
    assert_int_equal(rls2_dataset_source_row(dataset, 0), 0);
    assert_int_equal(rls2_dataset_source_row(dataset, 1), 3);
    assert_int_equal(rls2_dataset_source_row(dataset, 2), -1);
    assert_int_equal(rls2_dataset_source_row(dataset, -1), -1);
    assert_column(dataset, 0, "a", (double[]){1, 4});
    rls2_dataset_free(dataset);
}

static void dataset_create__text_columns__become_indicators(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,a,s,y\nE,1,u,1\nB,2,v,2\nE,3,v,3\nC,4,u,4\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 6);
    assert_column(dataset, 0, "m=E", (double[]){1, 0, 1, 0});
    assert_column(dataset, 1, "m=B", (double[]){0, 1, 0, 0});
    assert_column(dataset, 2, "m=C", (double[]){0, 0, 0, 1});
    assert_column(dataset, 3, "a", (double[]){1, 2, 3, 4});
    assert_column(dataset, 4, "s=u", (double[]){1, 0, 0, 1});
    assert_column(dataset, 5, "s=v", (double[]){0, 1, 1, 0});
    rls2_dataset_free(dataset);
}

static void dataset_create__value_in_dropped_rows_only__has_no_indicator(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,y\nZ,\nB,2\nA,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 2);
    assert_column(dataset, 0, "m=B", (double[]){1, 0});
    assert_column(dataset, 1, "m=A", (double[]){0, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__reference__drops_last_indicator_of_first_text_column(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.reference = 1;
    rls2_dataset *dataset = made("a,m,s,y\n1,E,u,1\n2,B,v,2\n3,C,v,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 5);
    assert_column(dataset, 1, "m=E", (double[]){1, 0, 0});
    assert_column(dataset, 2, "m=B", (double[]){0, 1, 0});
    assert_column(dataset, 3, "s=u", (double[]){1, 0, 0});
    assert_column(dataset, 4, "s=v", (double[]){0, 1, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__reference_with_one_value__leaves_no_indicator(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.reference = 1;
    rls2_dataset *dataset = made("m,a,y\nE,5,1\nE,6,2\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    assert_column(dataset, 0, "a", (double[]){5, 6});
    rls2_dataset_free(dataset);
}

static void dataset_create__categorical__takes_numbers_as_text(void **state)
{
    (void)state;
    const char *categorical[] = {"origin", "mixed"};
    rls2_dataset_options options = options_for("y");
    options.categorical = categorical;
    options.categorical_count = 2;
    rls2_dataset *dataset = made("origin,mixed,y\n3,1,1\n1,x,2\n3,1,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 4);
    assert_column(dataset, 0, "origin=3", (double[]){1, 0, 1});
    assert_column(dataset, 1, "origin=1", (double[]){0, 1, 0});
    assert_column(dataset, 2, "mixed=1", (double[]){1, 0, 1});
    assert_column(dataset, 3, "mixed=x", (double[]){0, 1, 0});
    rls2_dataset_free(dataset);
}

static void dataset_create__categorical_and_dropped__is_dropped(void **state)
{
    (void)state;
    const char *both[] = {"a"};
    rls2_dataset_options options = options_for("y");
    options.categorical = options.drop = both;
    options.categorical_count = options.drop_count = 1;
    rls2_dataset *dataset = made("a,b,y\n1,2,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    rls2_dataset_free(dataset);
}

static void dataset_create__mostly_text_column__is_text(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,y\n32/60,1\n470v,2\n7,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 3);
    assert_column(dataset, 2, "m=7", (double[]){0, 0, 1});
    rls2_dataset_free(dataset);
}

/* ---- classes ---- */

static void assert_classes(const char *text, int classify, const char *negative,
                           const char *positive, const double *y)
{
    rls2_dataset_options options = options_for("y");
    options.classify = classify;
    rls2_dataset *dataset = made(text, &options);
    assert_int_equal(rls2_dataset_is_classification(dataset), 1);
    assert_string_equal(rls2_dataset_class_label(dataset, 0), negative);
    assert_string_equal(rls2_dataset_class_label(dataset, 1), positive);
    assert_null(rls2_dataset_class_label(dataset, 2));
    assert_y(dataset, y);
    rls2_dataset_free(dataset);
}

static void dataset_create__text_target__becomes_signs_in_sorted_order(void **state)
{
    (void)state;
    assert_classes("a,y\n1,g\n2,b\n3,g\n", -1, "b", "g", (double[]){1, -1, 1});
    assert_classes("a,y\n1,M\n2,R\n3,M\n", 1, "M", "R", (double[]){-1, 1, -1});
}

static void dataset_create__numeric_classes__are_sorted_by_value(void **state)
{
    (void)state;
    assert_classes("a,y\n1,10\n2,9\n3,10\n", 1, "9", "10", (double[]){1, -1, 1});
    assert_classes("a,y\n1,-1\n2,-2\n", 1, "-2", "-1", (double[]){1, -1});
    assert_classes("a,y\n1,10\n2,9\n,x\n", 1, "9", "10",
                   (double[]){1, -1}); /* a text column at that */
}

static void dataset_create__numeric_classes_written_differently__are_one(void **state)
{
    (void)state;
    assert_classes("a,y\n1,1.0\n2,0\n3,1\n4,-0.0\n", 1, "0", "1.0", (double[]){1, -1, 1, -1});
}

static void dataset_create__two_valued_numbers__are_regression_by_default(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,0\n2,1\n", &options);
    assert_int_equal(rls2_dataset_is_classification(dataset), 0);
    assert_y(dataset, (double[]){0, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__class_in_dropped_rows_only__does_not_count(void **state)
{
    (void)state;
    assert_classes("a,y\n1,p\n,q\n3,r\n", -1, "p", "r", (double[]){-1, 1});
}

/* ---- standardisation ---- */

/* The mean and the standard deviation of a column, in long double. */
static void moments(const rls2_dataset *dataset, int64_t column, long double *mean,
                    long double *deviation)
{
    int64_t n = rls2_dataset_rows(dataset);
    const double *x = rls2_dataset_x(dataset) + column * n;
    long double sum = 0.0L, squares = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    *mean = sum / (long double)n;
    for (int64_t i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    *deviation = sqrtl(squares / (long double)(n - 1));
}

static void dataset_standardize__known_column__gives_known_values(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,5\n2,6\n3,7\n", &options);
    standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){-1, 0, 1});
    assert_y(dataset, (double[]){5, 6, 7});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__constant_column__becomes_zero(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,b,y\n0.1,1,5\n0.1,2,6\n0.1,3,7\n", &options);
    standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){0, 0, 0});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__one_row__becomes_zero(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n3,5\n", &options);
    standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){0});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__hard_columns__have_mean_zero_and_deviation_one(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("huge,tiny,offset,subnormal,wide,y\n"
                                 "1e308,1e-200,1000000000.1,4.9e-324,1e-300,1\n"
                                 "-1.7e308,2e-200,1000000000.2,1e-322,1,2\n"
                                 "1.7e308,-1e-200,1000000000.3,5e-323,1e300,3\n"
                                 "0,4e-200,1000000000.7,0,-1e300,4\n",
                                 &options);
    standardize(dataset);
    for (int64_t j = 0; j < rls2_dataset_columns(dataset); j++) {
        long double mean, deviation;
        moments(dataset, j, &mean, &deviation);
        assert_true(fabsl(mean) < 4 * (long double)DBL_EPSILON);
        assert_true(fabsl(deviation - 1) < 4 * (long double)DBL_EPSILON);
    }
    rls2_dataset_free(dataset);
}

static void dataset_standardize__neighbouring_doubles__are_not_constant(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,1\n1.0000000000000002,2\n", &options);
    standardize(dataset);
    assert_true(fabs(rls2_dataset_x(dataset)[0] + sqrt(0.5)) < 1e-15);
    assert_true(fabs(rls2_dataset_x(dataset)[1] - sqrt(0.5)) < 1e-15);
    rls2_dataset_free(dataset);
}

static void dataset_create__no_target__takes_all_columns_as_inputs(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for(NULL);
    rls2_dataset *dataset = made("a,b\n1,p\n2,q\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 3);
    assert_null(rls2_dataset_y(dataset));
    assert_false(rls2_dataset_is_classification(dataset));
    rls2_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__no_target__takes_all_columns_as_inputs),
        cmocka_unit_test(dataset_options_default__is_as_documented),
        cmocka_unit_test(dataset_create__numbers__are_column_major),
        cmocka_unit_test(dataset_inputs__numbers_and_text__are_told_with_their_columns),
        cmocka_unit_test(dataset_create__dropped_columns__are_left_out),
        cmocka_unit_test(dataset_create__target_only__has_no_inputs),
        cmocka_unit_test(dataset_create__missing_cells__drop_their_rows),
        cmocka_unit_test(dataset_create__text_columns__become_indicators),
        cmocka_unit_test(dataset_create__value_in_dropped_rows_only__has_no_indicator),
        cmocka_unit_test(dataset_create__reference__drops_last_indicator_of_first_text_column),
        cmocka_unit_test(dataset_create__reference_with_one_value__leaves_no_indicator),
        cmocka_unit_test(dataset_create__categorical__takes_numbers_as_text),
        cmocka_unit_test(dataset_create__categorical_and_dropped__is_dropped),
        cmocka_unit_test(dataset_create__mostly_text_column__is_text),
        cmocka_unit_test(dataset_create__text_target__becomes_signs_in_sorted_order),
        cmocka_unit_test(dataset_create__numeric_classes__are_sorted_by_value),
        cmocka_unit_test(dataset_create__numeric_classes_written_differently__are_one),
        cmocka_unit_test(dataset_create__two_valued_numbers__are_regression_by_default),
        cmocka_unit_test(dataset_create__class_in_dropped_rows_only__does_not_count),
        cmocka_unit_test(dataset_standardize__known_column__gives_known_values),
        cmocka_unit_test(dataset_standardize__constant_column__becomes_zero),
        cmocka_unit_test(dataset_standardize__one_row__becomes_zero),
        cmocka_unit_test(dataset_standardize__hard_columns__have_mean_zero_and_deviation_one),
        cmocka_unit_test(dataset_standardize__neighbouring_doubles__are_not_constant),
    };
    return cmocka_run_group_tests_name("dataset", tests, NULL, NULL);
}
