/* Missing cells: what takes their place. */
#include "table_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "table/dataset.h"

static rls2_dataset_options imputing(void)
{
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_IMPUTE;
    return options;
}

/* A row made like those of the data set. */
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

/* ---- training rows ---- */

static void dataset_create__missing_number__is_the_median_and_marked(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,b,y\n1,5,1\n,6,2\n7,,3\n3,8,4\n9,9,5\n", &options);
    assert_int_equal(rls2_dataset_rows(data), 5);
    assert_int_equal(rls2_dataset_columns(data), 4);
    assert_column(data, 0, "a", (double[]){1, 5, 7, 3, 9});
    assert_column(data, 1, "a=missing", (double[]){0, 1, 0, 0, 0});
    assert_column(data, 2, "b", (double[]){5, 6, 7, 8, 9});
    assert_column(data, 3, "b=missing", (double[]){0, 0, 1, 0, 0});
    assert_int_equal(rls2_dataset_imputed(data), 2);
    assert_int_equal(rls2_dataset_dropped(data), 0);
    int64_t first = -1;
    assert_int_equal(rls2_dataset_input_columns(data, 1, &first), 2);
    assert_int_equal(first, 2);
    rls2_dataset_free(data);
}

static void dataset_create__missing_text__is_the_most_frequent_and_marked(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,y\nu,1\nv,2\n,3\nw,4\nv,5\n,6\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 4);
    assert_column(data, 0, "a=u", (double[]){1, 0, 0, 0, 0, 0});
    assert_column(data, 1, "a=v", (double[]){0, 1, 1, 0, 1, 1});
    assert_column(data, 2, "a=w", (double[]){0, 0, 0, 1, 0, 0});
    assert_column(data, 3, "a=missing", (double[]){0, 0, 1, 0, 0, 1});
    rls2_dataset_free(data);
}

/* The first of several; and the reference, which has no column, where it is the most frequent. */
static void dataset_create__modes__may_tie_or_be_the_reference(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *tied = made("a,y\nu,1\nv,2\n,3\nv,4\nu,5\n", &options);
    assert_column(tied, 0, "a=u", (double[]){1, 0, 1, 0, 1});
    rls2_dataset_free(tied);
    options.reference = 1;
    rls2_dataset *reference = made("a,y\nu,1\nv,2\n,3\nv,4\n", &options);
    assert_int_equal(rls2_dataset_columns(reference), 2);
    assert_column(reference, 0, "a=u", (double[]){1, 0, 0, 0});
    assert_column(reference, 1, "a=missing", (double[]){0, 0, 1, 0});
    rls2_dataset_free(reference);
}

static void dataset_create__rows_without_target_or_weight__are_left_out(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    options.row_weights = "w";
    rls2_dataset *data = made("a,w,y\n1,1,1\n2,1,\n30,,3\n,1,4\n5,1,5\n", &options);
    assert_int_equal(rls2_dataset_rows(data), 3);
    assert_int_equal(rls2_dataset_dropped(data), 2);
    assert_column(data, 0, "a", (double[]){1, 3, 5});
    rls2_dataset_free(data);
}

static void dataset_create__empty_column__has_no_columns(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,e,y\n1,,1\n2,,2\n3,,3\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 1);
    assert_int_equal(rls2_dataset_input_count(data), 2);
    rls2_dataset_free(data);
}

static void dataset_create__category_called_missing__needs_no_second(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,y\nmissing,1\nv,2\n,3\nv,4\n", &options);
    assert_int_equal(rls2_dataset_columns(data), 2);
    assert_column(data, 1, "a=v", (double[]){0, 1, 1, 1});
    rls2_dataset_free(data);
}

static void dataset_create__nothing_missing__is_as_without_imputing(void **state)
{
    (void)state;
    const char *text = "a,b,y\n1,u,1\n2,v,2\n3,u,3\n";
    rls2_dataset_options options = imputing(), plain = options_for("y");
    rls2_dataset *data = made(text, &options), *other = made(text, &plain);
    assert_true(rls2_dataset_fingerprint(data) == rls2_dataset_fingerprint(other));
    rls2_dataset_free(data);
    rls2_dataset_free(other);
}

/* It is emptied where a table of numbers is read; a piece of one may have nothing else. */
static void create_like__word_that_training_rows_emptied__is_missing(void **state)
{
    (void)state;
    static const char *const codes[] = {"a"};
    rls2_dataset_options options = imputing();
    options.categorical = codes;
    options.categorical_count = 1;
    rls2_dataset *data = made("a,y\n1,1\n2,2\n2,3\n-,4\n", &options);
    rls2_dataset *row = like("a\n-\n", data);
    assert_column(row, 0, "a=1", (double[]){0});
    assert_column(row, 1, "a=2", (double[]){1});
    assert_column(row, 2, "a=missing", (double[]){1});
    assert_int_equal(rls2_dataset_imputed(row), 1);
    assert_int_equal(rls2_dataset_unseen(row), 0);
    rls2_dataset_free(row);
    rls2_dataset_free(data);
}

static void create_like__word_among_the_categories__is_one(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,y\nu,1\n-,2\nv,3\n", &options);
    rls2_dataset *row = like("a\n-\n", data);
    assert_column(row, 1, "a=-", (double[]){1});
    assert_int_equal(rls2_dataset_imputed(row), 0);
    rls2_dataset_free(row);
    rls2_dataset_free(data);
}

/* ---- medians ---- */

static int ascending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* As the books have it: sorted, the middle one, or the mean of the two. */
static double sorted_median(double *x, int64_t n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

/* Whole weights are rows that stand there several times. */
static void fills__random_columns__have_their_median(void **state)
{
    (void)state;
    enum { MOST = 40 };
    rls2__random random;
    rls2__random_seed(&random, 3);
    for (int trial = 0; trial < 400; trial++) {
        int n = 1 + (int)rls2__random_below(&random, MOST), weighted = trial % 2, count = 0;
        double numbers[MOST], weights[MOST], y[MOST], repeated[4 * MOST];
        for (int i = 0; i < n; i++) {
            weights[i] = 1 + (double)rls2__random_below(&random, 4);
            numbers[i] =
                trial % 3 ? rls2__random_normal(&random) : (double)rls2__random_below(&random, 5);
            y[i] = i;
            for (int w = 0; w < (weighted ? (int)weights[i] : 1); w++)
                repeated[count++] = numbers[i];
        }
        const rls2_column columns[] = {{.name = "a", .numbers = numbers, .stride = 1},
                                       {.name = "w", .numbers = weights, .stride = 1},
                                       {.name = "y", .numbers = y, .stride = 1}};
        rls2_table *table = NULL;
        rls2_dataset *data = NULL;
        rls2_dataset_options options = options_for("y");
        if (weighted) options.row_weights = "w";
        assert_int_equal(rls2_table_create("t", n, 3, columns, &table, NULL), RLS2_OK);
        assert_int_equal(rls2_dataset_create(table, &options, &data, NULL), RLS2_OK);
        assert_true(data->preparation.has_fills);
        assert_true(data->preparation.fills[0] == sorted_median(repeated, count));
        rls2_dataset_free(data);
        rls2_table_free(table);
    }
}

static void fills__huge_numbers__do_not_overflow(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,y\n1.5e308,1\n1.7e308,2\n,3\n", &options);
    assert_true(rls2_dataset_x(data)[2] == 0.5 * 1.5e308 + 0.5 * 1.7e308);
    rls2_dataset_free(data);
}

/* A row of weight 3 is three rows, for modes too. */
static void fills__weights__count_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    options.row_weights = "w";
    rls2_dataset *data = made("a,b,w,y\n1,u,1,1\n2,u,1,2\n9,v,3,3\n,,1,4\n", &options);
    assert_column(data, 0, "a", (double[]){1, 2, 9, 9});
    assert_column(data, 3, "b=v", (double[]){0, 0, 1, 1});
    rls2_dataset_free(data);
}

/* ---- new rows ---- */

static void create_like__missing_cells__get_what_training_rows_said(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,b,c,y\n1,u,1,1\n,v,2,2\n7,,3,3\n3,v,4,4\n", &options);
    rls2_dataset *fresh = like("c,b,a\n,u,100\n9,,\n", data);
    assert_int_equal(rls2_dataset_rows(fresh), 2);
    assert_int_equal(rls2_dataset_imputed(fresh), 3);
    assert_column(fresh, 0, "a", (double[]){100, 3});
    assert_column(fresh, 1, "a=missing", (double[]){0, 1});
    assert_column(fresh, 2, "b=u", (double[]){1, 0});
    assert_column(fresh, 3, "b=v", (double[]){0, 1});
    assert_column(fresh, 4, "b=missing", (double[]){0, 1});
    assert_column(fresh, 5, "c", (double[]){2.5, 9}); /* no empty cell in training: no column */
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void create_like__standardised__imputes_first(void **state)
{
    (void)state;
    rls2_dataset_options options = imputing();
    rls2_dataset *data = made("a,y\n1,1\n,2\n7,3\n3,4\n", &options);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL, NULL),
        RLS2_OK);
    rls2_dataset *fresh = like("a\n\n3\n", data);
    assert_true(rls2_dataset_means(data)[0] == 3.5);
    assert_true(rls2_dataset_x(fresh)[0] == rls2_dataset_x(data)[1]);
    assert_true(rls2_dataset_x(fresh)[1] == rls2_dataset_x(data)[3]);
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void dataset_create__unknown_rule__is_refused(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table = parsed("a,y\n1,2\n");
    rls2_dataset *data = NULL;
    rls2_error err;
    options.missing = (rls2_missing)3;
    assert_int_equal(rls2_dataset_create(table, &options, &data, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "missing is 3, not 0, 1 or 2");
    assert_int_equal(rls2_dataset_imputed(NULL), 0);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__missing_number__is_the_median_and_marked),
        cmocka_unit_test(dataset_create__missing_text__is_the_most_frequent_and_marked),
        cmocka_unit_test(dataset_create__modes__may_tie_or_be_the_reference),
        cmocka_unit_test(dataset_create__rows_without_target_or_weight__are_left_out),
        cmocka_unit_test(dataset_create__empty_column__has_no_columns),
        cmocka_unit_test(dataset_create__category_called_missing__needs_no_second),
        cmocka_unit_test(dataset_create__nothing_missing__is_as_without_imputing),
        cmocka_unit_test(create_like__word_that_training_rows_emptied__is_missing),
        cmocka_unit_test(create_like__word_among_the_categories__is_one),
        cmocka_unit_test(fills__random_columns__have_their_median),
        cmocka_unit_test(fills__huge_numbers__do_not_overflow),
        cmocka_unit_test(fills__weights__count_rows),
        cmocka_unit_test(create_like__missing_cells__get_what_training_rows_said),
        cmocka_unit_test(create_like__standardised__imputes_first),
        cmocka_unit_test(dataset_create__unknown_rule__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
