/* Columns of x: pooled categories, dates and their parts, numbers in local form. */
#include "table_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "table/dataset.h"
#include "table/table.h"

static rls2_dataset *made_of(rls2_table *table, const rls2_dataset_options *options)
{
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create(table, options, &dataset, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return dataset;
}

static rls2_dataset *like(const char *text, const rls2_dataset *training)
{
    rls2_table *table = parsed(text);
    rls2_dataset *fresh = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create_like(table, training, &fresh, &err);
    rls2_table_free(table);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return fresh;
}

/* ---- pooling ---- */

static void dataset_create__rare_categories__share_a_column(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.rare = 2;
    rls2_dataset *data = made("a,y\np,1\nu,2\nq,3\nv,4\nu,5\nv,6\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 3);
    assert_column(data, 0, "a=u", (double[]){0, 1, 0, 0, 1, 0});
    assert_column(data, 1, "a=v", (double[]){0, 0, 0, 1, 0, 1});
    assert_column(data, 2, "a=other", (double[]){1, 0, 1, 0, 0, 0});
    assert_int_equal(rls2_dataset_unseen(data), 0);
    rls2_dataset *fresh = like("a\nq\nz\nu\n", data); /* z is unseen, q is not */
    assert_column(fresh, 2, "a=other", (double[]){1, 1, 0});
    assert_int_equal(rls2_dataset_unseen(fresh), 1);
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

/* Pooling one would only take its name from it. */
static void dataset_create__one_rare_category__keeps_its_column(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.rare = 2;
    rls2_dataset *data = made("a,y\np,1\nu,2\nu,5\n", &options);
    assert_column(data, 0, "a=p", (double[]){1, 0, 0});
    rls2_dataset_free(data);
}

static void dataset_create__category_called_other__is_pooled_too(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.rare = 2;
    rls2_dataset *data = made("a,y\nother,1\nother,2\nq,3\nu,4\nu,5\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 2);
    assert_column(data, 0, "a=u", (double[]){0, 0, 0, 1, 1});
    assert_column(data, 1, "a=other", (double[]){1, 1, 1, 0, 0});
    rls2_dataset_free(data);
}

static void dataset_create__reference__is_the_last_of_its_own(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.rare = 2;
    options.reference = 1;
    rls2_dataset *data = made("a,y\nu,1\nu,2\nq,3\nv,4\nv,5\np,6\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 2);
    assert_column(data, 0, "a=u", (double[]){1, 1, 0, 0, 0, 0});
    assert_column(data, 1, "a=other", (double[]){0, 0, 1, 0, 0, 1});
    rls2_dataset_free(data);
}

/* `count` categories c1, c2, ..., of which number k has rows(k) rows. */
static rls2_dataset *of_categories(int count, int (*rows)(int))
{
    char *text = malloc(1 << 20), *at = text;
    assert_non_null(text);
    at += sprintf(at, "a,y\n");
    for (int k = 1; k <= count; k++)
        for (int i = 0; i < rows(k); i++) at += sprintf(at, "c%d,%d\n", k, i);
    rls2_dataset_options options = options_for("y");
    options.rare = -1;
    rls2_dataset *data = made(text, &options);
    free(text);
    return data;
}

static int one_row(int k)
{
    (void)k;
    return 1;
}

static int two_or_three(int k)
{
    return k % 2 ? 2 : 3;
}

static int five(int k)
{
    return k == 150 ? 6 : 5;
}

static void dataset_create__pooling_by_itself__starts_beyond_20(void **state)
{
    (void)state;
    rls2_dataset *data = of_categories(20, one_row);
    assert_int_equal(rls2_dataset_columns(data), 20);
    rls2_dataset_free(data);
    data = of_categories(22, two_or_three);
    assert_int_equal(rls2_dataset_columns(data), 12); /* those of 3 rows, and the others */
    assert_string_equal(rls2_dataset_names(data)[0], "a=c2");
    assert_string_equal(rls2_dataset_names(data)[11], "a=other");
    rls2_dataset_free(data);
}

/* The most frequent, then the first to appear, in order of appearance. */
static void dataset_create__pooling_by_itself__keeps_100(void **state)
{
    (void)state;
    rls2_dataset *data = of_categories(150, five);
    assert_int_equal(rls2_dataset_columns(data), 101);
    assert_string_equal(rls2_dataset_names(data)[98], "a=c99");
    assert_string_equal(rls2_dataset_names(data)[99], "a=c150");
    assert_string_equal(rls2_dataset_names(data)[100], "a=other");
    rls2_dataset_free(data);
}

static int mostly_few(int k)
{
    return k <= 10 ? 100 : 4;
}

/* 1040 rows: one in 200 is 5. */
static void dataset_create__pooling_by_itself__wants_one_row_in_200(void **state)
{
    (void)state;
    rls2_dataset *data = of_categories(20, mostly_few);
    assert_int_equal(rls2_dataset_columns(data), 20);
    rls2_dataset_free(data);
    data = of_categories(21, mostly_few);
    assert_int_equal(rls2_dataset_columns(data), 11);
    rls2_dataset_free(data);
}

static int four(int k)
{
    (void)k;
    return 4;
}

/* 1000 rows: one in 200 is 5, which no category has. */
static void dataset_create__pooling_by_itself__spares_a_column_of_rare_ones(void **state)
{
    (void)state;
    rls2_dataset *data = of_categories(250, four);
    assert_int_equal(rls2_dataset_columns(data), 101);
    rls2_dataset_free(data);
}

static void dataset_create__negative_count__is_refused(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table = parsed("a,y\n1,2\n");
    rls2_dataset *data = NULL;
    rls2_error err;
    options.rare = -2;
    assert_int_equal(rls2_dataset_create(table, &options, &data, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "rare is -2, not -1 or a count");
    rls2_table_free(table);
}

/* ---- dates ---- */

/* A table whose column `column` holds dates in that order, as its reader would have found. */
static rls2_table *dated(const char *text, int64_t column, rls2__date_order order, int has_time)
{
    rls2_table *table = parsed(text);
    rls2__style style = {.kind = RLS2__STYLE_DATE, .order = order, .has_time = has_time};
    table->styles[column] = style;
    table->numbers[column] = table->texts[column] = 0;
    for (int64_t i = 0; i < table->rows; i++) {
        double *value = &table->value[i * table->columns + column];
        table->numbers[column] +=
            rls2__style_read(&style, rls2_table_cell(table, i, column), value);
    }
    return table;
}

static void dataset_create__dates__are_days_and_parts(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table =
        dated("d,y\n2001-01-31,1\n2001-02-01,2\n2001-12-01,3\n", 0, RLS2__DATE_YMD, 0);
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_input_kind(data, 0), RLS2_COLUMN_DATES);
    assert_int_equal(rls2_dataset_columns(data), 3); /* one year, no hours */
    assert_column(data, 0, "d", (double[]){11353, 11354, 11657});
    assert_column(data, 1, "d.month", (double[]){1, 2, 12});
    assert_column(data, 2, "d.weekday", (double[]){3, 4, 6});
    rls2_table_free(table);
    rls2_dataset_free(data);
}

static void dataset_create__times__have_hours(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table =
        dated("d,y\n2001-01-31 06:00,1\n2002-01-30 18:30,2\n", 0, RLS2__DATE_YMD, 1);
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_columns(data), 3); /* both in January, both Wednesdays */
    assert_string_equal(rls2_dataset_names(data)[1], "d.year");
    assert_string_equal(rls2_dataset_names(data)[2], "d.hour");
    assert_true(rls2_dataset_x(data)[0] == 11353.25);
    assert_true(fabs(rls2_dataset_x(data)[5] - 18.5) < 1e-6);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* A column of the table that is there already has the name. */
static void dataset_create__part_of_that_name__is_not_made_again(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table = dated("d,d.month,y\n2001-01-31,1,1\n2001-02-01,2,2\n2001-12-01,12,3\n", 0,
                              RLS2__DATE_YMD, 0);
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_columns(data), 3);
    assert_string_equal(rls2_dataset_names(data)[1], "d.weekday");
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* The median day and its parts: never half a day. */
static void dataset_create__missing_date__is_the_median_day(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_IMPUTE;
    rls2_table *table = dated("d,y\n31/01/2001,1\n,2\n01/03/2001,3\n02/02/2001,4\n05/02/2001,5\n",
                              0, RLS2__DATE_DMY, 0);
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_columns(data), 4);
    assert_column(data, 0, "d", (double[]){11353, 11356, 11382, 11355, 11358});
    assert_column(data, 1, "d.month", (double[]){1, 2, 3, 2, 2});
    assert_column(data, 2, "d.weekday", (double[]){3, 6, 4, 5, 1});
    assert_column(data, 3, "d=missing", (double[]){0, 1, 0, 0, 0});
    /* a piece of a stream, of which nobody found how it is written */
    rls2_dataset *fresh = like("d\n01/03/2001\n\n", data);
    assert_column(fresh, 0, "d", (double[]){11382, 11356});
    assert_column(fresh, 1, "d.month", (double[]){3, 2});
    rls2_dataset_free(fresh);
    rls2_table *wrong = parsed("d\n13/13/2001\n");
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create_like(wrong, data, &fresh, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv:2: column 'd': '13/13/2001' is not a date");
    rls2_table_free(wrong);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

static void dataset_create__categorical_dates__are_text(void **state)
{
    (void)state;
    static const char *const names[] = {"d"};
    rls2_dataset_options options = options_for("y");
    options.categorical = names;
    options.categorical_count = 1;
    rls2_table *table = dated("d,y\n2001-01-31,1\n2001-02-01,2\n", 0, RLS2__DATE_YMD, 0);
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_input_kind(data, 0), RLS2_COLUMN_TEXT);
    assert_column(data, 0, "d=2001-01-31", (double[]){1, 0});
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* ---- numbers in local form ---- */

static void create_like__separated_thousands__are_read_as_in_training(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_IMPUTE;
    rls2_table *table = parsed("a,y\n\"1,232\",1\n\"2,000\",2\n7,3\n");
    rls2__style style = {.kind = RLS2__STYLE_DECORATED, .decimal = '.', .thousands = ','};
    table->styles[0] = style;
    table->texts[0] = 0;
    table->numbers[0] = 3;
    for (int64_t i = 0; i < 3; i++)
        assert_true(rls2__style_read(&style, rls2_table_cell(table, i, 0),
                                     &table->value[i * table->columns]));
    rls2_dataset *data = made_of(table, &options);
    assert_column(data, 0, "a", (double[]){1232, 2000, 7});
    rls2_table *more = parsed("a\n\"5,001\"\n?\n3.5\n");
    more->weak_words = 1;
    rls2_dataset *fresh = NULL;
    assert_int_equal(rls2_dataset_create_like(more, data, &fresh, NULL), RLS2_OK);
    assert_column(fresh, 0, "a", (double[]){5001, 1232, 3.5});
    assert_int_equal(rls2_dataset_imputed(fresh), 1);
    rls2_dataset_free(fresh);
    rls2_table_free(more);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

static void dataset_create__row_names__are_no_input(void **state)
{
    (void)state;
    static const char *const names[] = {"row"};
    rls2_dataset_options options = options_for("y");
    rls2_table *table = parsed("row,a,y\nr1,1,1\nr2,2,2\n");
    table->row_names = 0;
    rls2_dataset *data = made_of(table, &options);
    assert_int_equal(rls2_dataset_columns(data), 1);
    rls2_dataset_free(data);
    options.categorical = names;
    options.categorical_count = 1;
    data = made_of(table, &options);
    assert_int_equal(rls2_dataset_columns(data), 3);
    rls2_dataset_free(data);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__rare_categories__share_a_column),
        cmocka_unit_test(dataset_create__one_rare_category__keeps_its_column),
        cmocka_unit_test(dataset_create__category_called_other__is_pooled_too),
        cmocka_unit_test(dataset_create__reference__is_the_last_of_its_own),
        cmocka_unit_test(dataset_create__pooling_by_itself__starts_beyond_20),
        cmocka_unit_test(dataset_create__pooling_by_itself__keeps_100),
        cmocka_unit_test(dataset_create__pooling_by_itself__wants_one_row_in_200),
        cmocka_unit_test(dataset_create__pooling_by_itself__spares_a_column_of_rare_ones),
        cmocka_unit_test(dataset_create__negative_count__is_refused),
        cmocka_unit_test(dataset_create__dates__are_days_and_parts),
        cmocka_unit_test(dataset_create__times__have_hours),
        cmocka_unit_test(dataset_create__part_of_that_name__is_not_made_again),
        cmocka_unit_test(dataset_create__missing_date__is_the_median_day),
        cmocka_unit_test(dataset_create__categorical_dates__are_text),
        cmocka_unit_test(create_like__separated_thousands__are_read_as_in_training),
        cmocka_unit_test(dataset_create__row_names__are_no_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
