/* Rows of a cross-validation: which split predicts them, what they weigh, and what is told of paths
 * that did not end. */
#include <math.h>

#include "support/cv_table.h"
#include "support/cv_run.h"

static rls2_cv *run(const rls2_table *table, const rls2__recipe *recipe, int64_t count)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    rls2_cv *cv = NULL;
    assert_ok(rls2_splits_random(CV_ROWS, NULL, count, 0.5, 7, &splits, &err), &err);
    assert_ok(cv_run(table, recipe, splits, NULL, &cv, &err), &err);
    rls2_splits_free(splits);
    return cv;
}

/* The splits of one seed begin alike: what the first alone predicts it predicts among several, too.
 * */
static void cv_run__row_predicted_by_several_splits__has_the_prediction_of_the_first(void **state)
{
    (void)state;
    cv_data data = cv_data_make(5);
    rls2_table *table = cv_data_table(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", "linear@each", 0);
    rls2_cv *one = run(table, &recipe, 1), *several = run(table, &recipe, 4);
    const double *first = rls2_cv_predictions(one, 0), *all = rls2_cv_predictions(several, 0);
    int predicted = 0;
    for (int64_t i = 0; i < CV_ROWS; i++) {
        if (isnan(first[i])) continue;
        assert_true(all[i] == first[i]);
        predicted++;
    }
    assert_int_equal(predicted, CV_ROWS / 2);
    rls2_cv_free(one);
    rls2_cv_free(several);
    rls2_table_free(table);
}

static void cv_run__paths_that_did_not_end__are_counted(void **state)
{
    (void)state;
    cv_data data = cv_data_make(6);
    rls2_table *table = cv_data_table(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", "rbf(0.1:10:4)@each", 0);
    recipe.path.gap_tol = 1e-6;
    rls2_cv *cv = run(table, &recipe, 3);
    assert_int_equal(rls2_cv_unconverged(cv), 0);
    rls2_cv_free(cv);
    recipe.path.max_iter = 1;
    recipe.path.gap_tol = 1e-12;
    cv = run(table, &recipe, 3);
    assert_true(rls2_cv_unconverged(cv) >= 3); /* the smallest lambda of each split, at least */
    rls2_cv_free(cv);
    rls2_table_free(table);
}

/* Of 0, 1, 1 and 4 the mean is 3/2 and the sum of squares about it 9. */
static void measure_value__r2_of_weighted_rows__is_that_of_rows_repeated(void **state)
{
    (void)state;
    static const double y[] = {0.0, 1.0, 4.0}, f[] = {0.0, 1.0, 1.0}, w[] = {1.0, 2.0, 1.0};
    static const double y_repeated[] = {0.0, 1.0, 1.0, 4.0}, f_repeated[] = {0.0, 1.0, 1.0, 1.0};
    assert_true(rls2_measure_value(RLS2_MEASURE_R2, 1, 3, f, y, w) == 0.0);
    assert_true(rls2_measure_value(RLS2_MEASURE_R2, 1, 4, f_repeated, y_repeated, NULL) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__row_predicted_by_several_splits__has_the_prediction_of_the_first),
        cmocka_unit_test(cv_run__paths_that_did_not_end__are_counted),
        cmocka_unit_test(measure_value__r2_of_weighted_rows__is_that_of_rows_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
