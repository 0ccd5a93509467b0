/* Some rows of a table as a table, and what can be asked of cells and columns: of tables with texts
 * and of tables of numbers alone. */
#include "table_fixture.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "table/table.h"

/* A table as a reader of binary files makes it: columns x1, x2 and y. */
static rls2_table *numbers_only(int64_t rows, const double *values)
{
    rls2_table *table = rls2__table_create("t.npy");
    assert_non_null(table);
    assert_int_equal(rls2__table_reserve(table, rows, 3, NULL), RLS2_OK);
    assert_int_equal(rls2__table_name_columns(table, 0, 2, "x", 0, NULL), RLS2_OK);
    assert_int_equal(rls2__table_name_columns(table, 2, 1, "y", 1, NULL), RLS2_OK);
    memcpy(table->value, values, (size_t)rows * 3 * sizeof *values);
    table->format = RLS2_FORMAT_NPY;
    table->first_target = 2;
    table->target_count = 1;
    rls2__table_count_kinds(table);
    return table;
}

static rls2_table *taken(const rls2_table *table, int64_t count, const int64_t *rows)
{
    rls2_table *some = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_table_take(table, count, rows, &some, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return some;
}

/* ---- taking ---- */

static void take__rows_in_any_order__keep_cells_lines_and_names(void **state)
{
    (void)state;
    static const int64_t rows[] = {2, 0, 2};
    rls2_table *table = parsed("a,\"b \"\n1,x\n\n2,\n3,\"y\nz\"\n");
    rls2_table *some = taken(table, 3, rows);
    rls2_table_free(table); /* the texts are shared and stay */
    assert_int_equal(rls2_table_rows(some), 3);
    assert_int_equal(rls2_table_columns(some), 2);
    assert_string_equal(rls2_table_column_name(some, 1), "b ");
    assert_cell(some, 0, 1, "y\nz");
    assert_cell(some, 1, 1, "x");
    assert_cell(some, 2, 0, "3");
    assert_true(rls2_table_value(some, 1, 0) == 1.0);
    assert_int_equal(rls2_table_line(some, 0), 5);
    assert_int_equal(rls2_table_line(some, 1), 2);
    assert_string_equal(rls2_table_format(some), "CSV");
    rls2_table_free(some);
}

static void take__of_taken_rows__outlives_both(void **state)
{
    (void)state;
    static const int64_t first[] = {1, 2}, second[] = {1};
    rls2_table *table = parsed("a\np\nq\nr\n"), *some = taken(table, 2, first),
               *one = taken(some, 1, second);
    rls2_table_free(some);
    rls2_table_free(table);
    assert_cell(one, 0, 0, "r");
    assert_int_equal(rls2_table_line(one, 0), 4);
    rls2_table_free(one);
}

static void take__kinds__are_counted_anew(void **state)
{
    (void)state;
    static const int64_t rows[] = {0, 2};
    rls2_table *table = parsed("a,b\n1,2\nx,\n3,\n"), *some = taken(table, 2, rows);
    assert_int_equal(rls2_table_is_numeric(table, 0), 0);
    assert_int_equal(rls2_table_is_numeric(some, 0), 1);
    assert_int_equal(rls2_table_missing(table, 1), 2);
    assert_int_equal(rls2_table_missing(some, 1), 1);
    rls2_table_free(some);
    rls2_table_free(table);
}

static void take__numbers_without_texts__keep_their_row_numbers(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4, NAN, 6, 7, 8, 9};
    static const int64_t rows[] = {1};
    rls2_table *table = numbers_only(3, values), *some = taken(table, 1, rows);
    rls2_table_free(table);
    assert_true(rls2_table_value(some, 0, 0) == 4.0);
    assert_true(isnan(rls2_table_value(some, 0, 1)));
    assert_int_equal(rls2_table_missing(some, 1), 1);
    assert_int_equal(rls2_table_line(some, 0), 2);
    assert_string_equal(rls2__table_place(some, 0).text, "t.npy: row 2");
    assert_string_equal(rls2_table_target(some), "y");
    assert_null(rls2_table_marker(some));
    assert_cell(some, 0, 0, "");
    rls2_table_free(some);
}

static void take__wrong_arguments__are_refused(void **state)
{
    (void)state;
    static const int64_t below[] = {0, -1}, above[] = {1};
    rls2_table *table = parsed("a\n1\n"), *some = NULL;
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_table_take(NULL, 1, above, &some, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
    assert_int_equal(rls2_table_take(table, 1, above, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument taken is NULL");
    assert_int_equal(rls2_table_take(table, 0, above, &some, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "count is 0, not at least 1");
    assert_int_equal(rls2_table_take(table, 1, NULL, &some, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument rows is NULL");
    assert_int_equal(rls2_table_take(table, 2, below, &some, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "rows[1] is -1, not within 0..0");
    assert_int_equal(rls2_table_take(table, 1, above, &some, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "rows[0] is 1, not within 0..0");
    assert_null(some);
    rls2_table_free(table);
}

/* ---- asking ---- */

static void distinct__numbers_and_texts__are_counted_by_value(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b\n1,x\n1.0,x\n-0,\n0,y\n1e0,3ff0000000000000\n,1\n");
    assert_int_equal(rls2_table_distinct(table, 0, 100), 2);
    assert_int_equal(rls2_table_distinct(table, 1, 100), 4);
    assert_int_equal(rls2_table_distinct(table, 1, 2), 2);
    assert_int_equal(rls2_table_distinct(table, 1, 0), 0);
    assert_int_equal(rls2_table_distinct(table, 2, 5), 0);
    assert_int_equal(rls2_table_distinct(NULL, 0, 5), 0);
    rls2_table_free(table);
}

static void holds__numbers_by_value__texts_by_text(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 0.1};
    rls2_table *table = parsed("a,b\n1.50,x\n,1.5y\n"), *numbers = numbers_only(1, values);
    assert_int_equal(rls2_table_holds(table, 0, 0, "1.5"), 1);
    assert_int_equal(rls2_table_holds(table, 0, 0, "15e-1"), 1);
    assert_int_equal(rls2_table_holds(table, 0, 0, "1.6"), 0);
    assert_int_equal(rls2_table_holds(table, 0, 0, "x"), 0);
    assert_int_equal(rls2_table_holds(table, 0, 1, "x"), 1);
    assert_int_equal(rls2_table_holds(table, 1, 1, "1.5"), 0);
    assert_int_equal(rls2_table_holds(table, 1, 0, ""), 1);
    assert_int_equal(rls2_table_holds(table, 2, 0, ""), 0);
    assert_int_equal(rls2_table_holds(table, 0, 0, NULL), 0);
    assert_int_equal(rls2_table_holds(numbers, 0, 2, "0.10"), 1);
    assert_int_equal(rls2_table_holds(numbers, 0, 2, "0.1000001"), 0);
    rls2_table_free(table);
    rls2_table_free(numbers);
}

static void text__any_number__is_short_and_reads_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1.0, "1"},
                 {-2.5, "-2.5"},
                 {0.1, "0.1"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {-0.0, "0"},
                 {1e22, "1e+22"},
                 {5e-324, "4.94065645841247e-324"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {123456.0, "123456"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double values[] = {cases[i].value, NAN, 0};
        char buffer[RLS2__NUMBER_TEXT];
        rls2_table *table = numbers_only(1, values);
        assert_string_equal(rls2__table_text(table, 0, 0, buffer), cases[i].text);
        assert_true(strtod(buffer, NULL) == cases[i].value);
        assert_string_equal(rls2__table_text(table, 0, 1, buffer), "");
        rls2_table_free(table);
    }
}

static void text__locale_with_comma__still_has_a_point(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
        print_message("no locale with a decimal comma is installed here\n");
        skip();
    }
    char buffer[RLS2__NUMBER_TEXT];
    rls2_table *table = numbers_only(1, (const double[]){0.30000000000000004, -2.5e-7, 0});
    rls2__table_text(table, 0, 0, buffer);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(buffer, "0.30000000000000004");
    rls2_table_free(table);
}

static void accessors__no_table_or_out_of_range__say_so(void **state)
{
    (void)state;
    rls2_table *table = parsed("a\n1\n");
    assert_int_equal(rls2_table_missing(NULL, 0), 0);
    assert_int_equal(rls2_table_missing(table, 1), 0);
    assert_true(isnan(rls2_table_value(NULL, 0, 0)));
    assert_true(isnan(rls2_table_value(table, 1, 0)));
    assert_int_equal(rls2_table_line(NULL, 0), -1);
    assert_int_equal(rls2_table_line(table, 1), -1);
    assert_null(rls2_table_target(NULL));
    assert_null(rls2_table_target(table));
    assert_null(rls2_table_marker(NULL));
    assert_int_equal(rls2_table_is_precomputed(NULL), 0);
    assert_int_equal(rls2_table_is_precomputed(table), 0);
    assert_null(rls2_table_format(NULL));
    rls2_table_free(table);
}

/* ---- data sets of numbers without texts ---- */

static void dataset__classes_of_numbers__have_short_labels(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 1, 3, 4, -1, 5, 6, 1};
    rls2_table *table = numbers_only(3, values);
    rls2_dataset *dataset = NULL;
    rls2_dataset_options options = options_for("y");
    options.classify = 1;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_string_equal(rls2_dataset_class_label(dataset, 0), "-1");
    assert_string_equal(rls2_dataset_class_label(dataset, 1), "1");
    assert_y(dataset, (const double[]){1, -1, 1});
    assert_column(dataset, 1, "x2", (const double[]){2, 4, 6});
    rls2_dataset_free(dataset);
    rls2_table_free(table);
}

static void dataset__categorical_numbers__become_indicators(void **state)
{
    (void)state;
    static const double values[] = {0.1, 2, 1, 3, 4, -1, 0.1, 6, 1};
    static const char *const names[] = {"x1"};
    rls2_table *table = numbers_only(3, values), *other = NULL;
    rls2_dataset *dataset = NULL, *like = NULL;
    rls2_error err = {.message = ""};
    rls2_dataset_options options = options_for("y");
    options.categorical = names;
    options.categorical_count = 1;
    options.missing = RLS2_MISSING_ERROR;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_column(dataset, 0, "x1=0.1", (const double[]){1, 0, 1});
    assert_column(dataset, 1, "x1=3", (const double[]){0, 1, 0});
    other = numbers_only(1, (const double[]){7, 1, 1});
    assert_int_equal(rls2_dataset_create_like(other, dataset, &like, &err), RLS2_ERR_VALUE);
    assert_string_equal(
        err.message, "t.npy: row 1: column 'x1': '7' was not among the training values (0.1, 3)");
    rls2_dataset_free(dataset);
    rls2_table_free(table);
    rls2_table_free(other);
}

static void dataset__missing_number__is_named_by_its_row(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4, NAN, 6};
    rls2_table *table = numbers_only(2, values);
    rls2_dataset *dataset = NULL;
    rls2_error err = {.message = ""};
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_ERROR;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.npy: row 2: column 'x2': the cell is empty");
    options.missing = RLS2_MISSING_DROP;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, &err), RLS2_OK);
    assert_int_equal(rls2_dataset_dropped(dataset), 1);
    rls2_dataset_free(dataset);
    rls2_table *empty = taken(table, 1, (const int64_t[]){1});
    assert_int_equal(rls2_dataset_create(empty, &options, &dataset, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message,
                        "t.npy: every row has an empty cell, the first in column 'x2' in row 2");
    rls2_table_free(empty);
    rls2_table_free(table);
}

/* ---- narrower sparse tables ---- */

static void dataset_like__sparse_table_without_last_columns__has_zeros(void **state)
{
    (void)state;
    static const char *const names[] = {"x3"};
    rls2_table *table = parsed("x1,x2,x3,y\n1,2,3,4\n5,6,0,9\n");
    rls2_table *narrow = numbers_only(2, (const double[]){1, 2, 3, 4, 5, 6});
    rls2_dataset *dataset = NULL, *like = NULL;
    rls2_error err = {.message = ""};
    rls2_dataset_options options = options_for("y");
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create_like(narrow, dataset, &like, &err), RLS2_ERR_NAME);
    narrow->sparse = 1;
    assert_int_equal(rls2_dataset_create_like(narrow, dataset, &like, &err), RLS2_OK);
    assert_column(like, 2, "x3", (const double[]){0, 0});
    assert_column(like, 1, "x2", (const double[]){2, 5});
    rls2_dataset_free(like);
    rls2_dataset_free(dataset);
    options.categorical = names; /* its values are 3 and 0 */
    options.categorical_count = 1;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create_like(narrow, dataset, &like, &err), RLS2_OK);
    assert_column(like, 3, "x3=0", (const double[]){1, 1});
    rls2_dataset_free(like);
    rls2_dataset_free(dataset);
    rls2_table_free(table);
    rls2_table_free(narrow);
}

static void dataset_like__sparse_table_without_other_columns__is_refused(void **state)
{
    (void)state;
    static const char *const headers[] = {"x1,z,y\n1,2,3\n", "x1,x0,y\n1,2,3\n",
                                          "x1,x02,y\n1,2,3\n", "x4x,y\n1,2\n"};
    rls2_table *narrow = numbers_only(2, (const double[]){1, 2, 3, 4, 5, 6});
    narrow->sparse = 1;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        rls2_dataset_options options = options_for("y");
        rls2_dataset *dataset = made(headers[i], &options), *like = NULL;
        assert_int_equal(rls2_dataset_create_like(narrow, dataset, &like, NULL), RLS2_ERR_NAME);
        rls2_dataset_free(dataset);
    }
    rls2_table_free(narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(take__rows_in_any_order__keep_cells_lines_and_names),
        cmocka_unit_test(take__of_taken_rows__outlives_both),
        cmocka_unit_test(take__kinds__are_counted_anew),
        cmocka_unit_test(take__numbers_without_texts__keep_their_row_numbers),
        cmocka_unit_test(take__wrong_arguments__are_refused),
        cmocka_unit_test(distinct__numbers_and_texts__are_counted_by_value),
        cmocka_unit_test(holds__numbers_by_value__texts_by_text),
        cmocka_unit_test(text__any_number__is_short_and_reads_back),
        cmocka_unit_test(text__locale_with_comma__still_has_a_point),
        cmocka_unit_test(accessors__no_table_or_out_of_range__say_so),
        cmocka_unit_test(dataset__classes_of_numbers__have_short_labels),
        cmocka_unit_test(dataset__categorical_numbers__become_indicators),
        cmocka_unit_test(dataset__missing_number__is_named_by_its_row),
        cmocka_unit_test(dataset_like__sparse_table_without_last_columns__has_zeros),
        cmocka_unit_test(dataset_like__sparse_table_without_other_columns__is_refused),
    };
    return cmocka_run_group_tests_name("take", tests, NULL, NULL);
}
