/* The rows of two tables below each other. */
#include "table_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "numpy_fixture.h"
#include "table/table.h"

static rls2_table *csv_named(const char *name, const char *text)
{
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse_csv(name, text, (int64_t)strlen(text), &table, NULL),
                     RLS2_OK);
    return table;
}

static rls2_table *libsvm_named(const char *name, const char *text)
{
    rls2_table *table = NULL;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_LIBSVM;
    assert_int_equal(rls2_table_parse(name, text, (int64_t)strlen(text), &options, &table, NULL),
                     RLS2_OK);
    return table;
}

/* 2 x 2: 1, 2.5; -3, NaN. */
static rls2_table *npy_named(const char *name)
{
    static const double numbers[] = {1.0, 2.5, -3.0, NAN};
    rls2_table *table = NULL;
    image file = npy_of("<f8", "(2, 2)", numbers, sizeof numbers);
    rls2_status status =
        rls2_table_parse(name, file.bytes, (int64_t)file.length, NULL, &table, NULL);
    assert_int_equal(status, RLS2_OK);
    return table;
}

/* Frees both. */
static rls2_table *stacked(rls2_table *first, rls2_table *second)
{
    rls2_table *both = NULL;
    rls2_error err = {.message = ""};
    if (rls2_table_stack(first, second, &both, &err) != RLS2_OK) fail_msg("%s", err.message);
    rls2_table_free(first);
    rls2_table_free(second);
    return both;
}

static void assert_place(const rls2_table *table, int64_t row, const char *place)
{
    assert_string_equal(rls2__table_place(table, row).text, place);
}

static void stack__columns_in_another_order__are_found_by_name(void **state)
{
    (void)state;
    rls2_table *both = stacked(csv_named("a.csv", "p,q\n1,x\n\n2,\"y z\"\n"),
                               csv_named("b.csv", "other,q,p\n9,u,3\n8,,4\n"));
    assert_int_equal(rls2_table_rows(both), 4);
    assert_int_equal(rls2_table_columns(both), 2);
    assert_string_equal(rls2_table_column_name(both, 1), "q");
    assert_cell(both, 0, 1, "x");
    assert_cell(both, 1, 1, "y z");
    assert_cell(both, 2, 0, "3");
    assert_cell(both, 2, 1, "u");
    assert_cell(both, 3, 1, "");
    assert_true(rls2_table_value(both, 3, 0) == 4.0);
    assert_int_equal(rls2_table_missing(both, 1), 1);
    assert_int_equal(rls2_table_line(both, 1), 4);
    assert_int_equal(rls2_table_line(both, 3), 3);
    assert_place(both, 1, "a.csv:4");
    assert_place(both, 3, "b.csv:3");
    assert_string_equal(rls2_table_format(both), "CSV");
    rls2_table_free(both);
}

static void stack__kinds__are_counted_over_both(void **state)
{
    (void)state;
    rls2_table *both = stacked(csv_named("a.csv", "p,q\n1,2\n"), csv_named("b.csv", "p,q\nx,3\n"));
    assert_int_equal(rls2_table_is_numeric(both, 0), 0);
    assert_int_equal(rls2_table_is_numeric(both, 1), 1);
    rls2_table_free(both);
}

static void stack__error_in_a_row__names_its_file(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = NULL;
    rls2_error err;
    rls2_table *both =
        stacked(csv_named("a.csv", "p,y\n1,2\n2,3\n"), csv_named("b.csv", "p,y\n1,2\nabc,3\n"));
    assert_int_equal(rls2_dataset_create(both, &options, &data, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "b.csv:3: column 'p': 'abc' is not a number");
    static const int64_t rows[] = {3, 0};
    rls2_table *some = NULL;
    assert_int_equal(rls2_table_take(both, 2, rows, &some, NULL), RLS2_OK);
    rls2_table_free(both);
    assert_place(some, 0, "b.csv:3");
    assert_place(some, 1, "a.csv:2");
    assert_cell(some, 0, 0, "abc");
    rls2_table *more = stacked(csv_named("c.csv", "p,y\n5,6\n"), some); /* of three files */
    assert_place(more, 0, "c.csv:2");
    assert_place(more, 1, "b.csv:3");
    assert_place(more, 2, "a.csv:2");
    rls2_table_free(more);
}

static void stack__texts_above_numbers__write_them_out(void **state)
{
    (void)state;
    rls2_table *both = stacked(csv_named("a.csv", "x2,x1\n4,t\n"), npy_named("b.npy"));
    assert_cell(both, 0, 1, "t");
    assert_cell(both, 1, 0, "2.5");
    assert_cell(both, 2, 1, "-3");
    assert_cell(both, 2, 0, "");
    assert_true(isnan(rls2_table_value(both, 2, 0)));
    assert_int_equal(rls2_table_missing(both, 0), 1);
    assert_place(both, 0, "a.csv:2");
    assert_place(both, 2, "b.npy: row 2");
    rls2_table_free(both);
    both = stacked(npy_named("b.npy"), csv_named("a.csv", "x2,x1\n4,t\n"));
    assert_cell(both, 0, 1, "2.5");
    assert_cell(both, 2, 0, "t");
    assert_place(both, 1, "b.npy: row 2");
    assert_place(both, 2, "a.csv:2");
    rls2_table_free(both);
}

static void stack__numbers_alone__stay_numbers(void **state)
{
    (void)state;
    rls2_table *both = stacked(npy_named("b.npy"), npy_named("c.npy"));
    assert_null(both->pool);
    assert_true(rls2_table_value(both, 3, 0) == -3.0);
    assert_int_equal(rls2_table_missing(both, 1), 2);
    assert_place(both, 3, "c.npy: row 2");
    rls2_table_free(both);
}

/* Columns beyond the last of a file that leaves zeros out are zero. */
static void stack__sparse_below_wider__fills_with_zeros(void **state)
{
    (void)state;
    rls2_table *both =
        stacked(libsvm_named("a.svm", "1 1:5 3:7\n"), libsvm_named("b.svm", "2 2:3\n"));
    assert_int_equal(rls2_table_columns(both), 4);
    assert_true(rls2_table_value(both, 1, 1) == 3.0);
    assert_true(rls2_table_value(both, 1, 2) == 0.0);
    assert_true(rls2_table_value(both, 1, 3) == 2.0);
    assert_string_equal(rls2_table_target(both), "y");
    assert_place(both, 1, "b.svm:1");
    rls2_table_free(both);
    both = stacked(csv_named("a.csv", "x1,x2,x3,y\n1,2,3,4\n"), libsvm_named("b.svm", "2 2:3\n"));
    assert_cell(both, 1, 2, "0");
    assert_true(rls2_table_value(both, 1, 2) == 0.0);
    rls2_table_free(both);
}

static void stack__column_that_lacks__is_named(void **state)
{
    (void)state;
    rls2_table *a = csv_named("a.csv", "price,q\n1,2\n"), *b = csv_named("b.csv", "q,prize\n1,2\n");
    rls2_table *both = NULL;
    rls2_error err;
    assert_int_equal(rls2_table_stack(a, b, &both, &err), RLS2_ERR_NAME);
    assert_string_equal(err.message, "b.csv: no column 'price' (did you mean 'prize'?)");
    assert_null(both);
    assert_int_equal(rls2_table_stack(NULL, b, &both, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_table_stack(a, NULL, &both, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_table_stack(a, b, NULL, &err), RLS2_ERR_ARGUMENT);
    rls2_table_free(a);
    rls2_table_free(b);
}

static void stack__a_table_with_itself__doubles_it(void **state)
{
    (void)state;
    rls2_table *a = csv_named("a.csv", "p\nu\nv\n"), *both = NULL;
    assert_int_equal(rls2_table_stack(a, a, &both, NULL), RLS2_OK);
    rls2_table_free(a);
    assert_cell(both, 0, 0, "u");
    assert_cell(both, 3, 0, "v");
    assert_place(both, 3, "a.csv:3");
    rls2_table_free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack__columns_in_another_order__are_found_by_name),
        cmocka_unit_test(stack__kinds__are_counted_over_both),
        cmocka_unit_test(stack__error_in_a_row__names_its_file),
        cmocka_unit_test(stack__texts_above_numbers__write_them_out),
        cmocka_unit_test(stack__numbers_alone__stay_numbers),
        cmocka_unit_test(stack__sparse_below_wider__fills_with_zeros),
        cmocka_unit_test(stack__column_that_lacks__is_named),
        cmocka_unit_test(stack__a_table_with_itself__doubles_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
