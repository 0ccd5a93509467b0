/* Splits by lists of rows, and the standard errors that belong to them. */
#include "support/arguments.h"

#include <math.h>
#include <stdlib.h>

#include "support/cv_table.h"
#include "support/problem.h"
#include "support/cv_run.h"

enum { MOST = 12 };

/* Lists of at most MOST rows, each ended by -1. */
typedef struct lists {
    int64_t count;
    int64_t training[MOST][MOST + 1], validation[MOST][MOST + 1];
} lists;

static int64_t length(const int64_t *rows)
{
    int64_t n = 0;
    while (rows[n] >= 0) n++;
    return n;
}

static rls2_status split(int64_t n, const lists *l, rls2_splits **splits, rls2_error *err)
{
    const int64_t *training[MOST], *validation[MOST];
    int64_t training_counts[MOST], validation_counts[MOST];
    for (int64_t i = 0; i < l->count; i++) {
        training[i] = l->training[i];
        validation[i] = l->validation[i];
        training_counts[i] = length(training[i]);
        validation_counts[i] = length(validation[i]);
    }
    return rls2_splits_listed(n, l->count, training_counts, training, validation_counts, validation,
                              splits, err);
}

static void assert_rows(int64_t count, const int64_t *rows, int64_t wanted, const int64_t *these)
{
    assert_int_equal(count, wanted);
    assert_memory_equal(rows, these, (size_t)count * sizeof *rows);
}

/* ---- lists ---- */

static void splits_listed__any_order_and_rows_left_out__are_ascending_lists(void **state)
{
    (void)state;
    static const lists l = {2, {{4, 1, -1}, {0, 1, 2, 3, -1}}, {{3, 0, -1}, {5, -1}}};
    static const int64_t a[] = {1, 4}, b[] = {0, 3}, c[] = {0, 1, 2, 3}, d[] = {5};
    const int64_t *rows;
    rls2_splits *splits = NULL;
    assert_int_equal(split(6, &l, &splits, NULL), RLS2_OK);
    assert_int_equal(rls2_splits_count(splits), 2);
    assert_int_equal(rls2_splits_rows(splits), 6);
    int64_t count = rls2_splits_training(splits, 0, &rows);
    assert_rows(count, rows, 2, a);
    count = rls2_splits_validation(splits, 0, &rows);
    assert_rows(count, rows, 2, b);
    count = rls2_splits_training(splits, 1, &rows);
    assert_rows(count, rows, 4, c);
    count = rls2_splits_validation(splits, 1, &rows);
    assert_rows(count, rows, 1, d);
    rls2_splits_free(splits);
}

static void assert_refused(lists l, const char *sentence)
{
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_VALUE, sentence, split(6, &l, &splits, err));
    assert_ptr_equal(splits, UNTOUCHED);
}

static void splits_listed__rows_that_cannot_be__are_named(void **state)
{
    (void)state;
    assert_refused((lists){2, {{1, -1}, {-1}}, {{2, -1}, {3, -1}}}, "split 2 has no training rows");
    assert_refused((lists){1, {{1, -1}}, {{-1}}}, "split 1 has no validation rows");
    assert_refused((lists){1, {{1, 6, -1}}, {{2, -1}}},
                   "split 1: training row 6 is not within 0..5");
    assert_refused((lists){1, {{1, -1}}, {{2, 3, 2, -1}}},
                   "split 1: row 2 is twice among the validation rows");
    assert_refused((lists){1, {{1, 2, -1}}, {{2, -1}}},
                   "split 1: row 2 is among the training rows and the validation rows");
}

static void splits_listed__a_negative_row__is_named(void **state)
{
    (void)state;
    static const int64_t one[] = {1}, minus[] = {-2}, size = 1;
    const int64_t *const training[] = {one}, *const validation[] = {minus};
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "split 1: validation row -2 is not within 0..5",
                   rls2_splits_listed(6, 1, &size, training, &size, validation, &splits, err));
}

static void splits_listed__wrong_arguments__are_refused(void **state)
{
    (void)state;
    static const int64_t one[] = {1}, two[] = {2}, size = 1;
    const int64_t *const training[] = {one}, *const validation[] = {two}, *const nothing[] = {NULL};
    rls2_splits *splits = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "n is 1;",
                   rls2_splits_listed(1, 1, &size, training, &size, validation, &splits, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "count is 0;",
                   rls2_splits_listed(3, 0, &size, training, &size, validation, &splits, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "the lists of training rows are NULL",
                   rls2_splits_listed(3, 1, &size, NULL, &size, validation, &splits, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "the lists of validation rows are NULL",
                   rls2_splits_listed(3, 1, &size, training, NULL, validation, &splits, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "a list of split 1 is NULL",
                   rls2_splits_listed(3, 1, &size, training, &size, nothing, &splits, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument splits is NULL",
                   rls2_splits_listed(3, 1, &size, training, &size, validation, NULL, err));
    ASSERT_REFUSED(
        RLS2_ERR_MEMORY, "more than can be handled",
        rls2_splits_listed(HUGE_SIZE, 1, &size, training, &size, validation, &splits, err));
    assert_ptr_equal(splits, UNTOUCHED);
}

/* ---- standard errors ---- */

/* The lists of other splits, `count` of them from the first. */
static rls2_splits *listed_like(const rls2_splits *other, int64_t count)
{
    rls2_splits *splits = NULL;
    rls2_error err;
    const int64_t **rows = calloc((size_t)(2 * count), sizeof *rows);
    int64_t *counts = calloc((size_t)(2 * count), sizeof *counts);
    for (int64_t i = 0; i < count; i++) {
        counts[i] = rls2_splits_training(other, i, &rows[i]);
        counts[count + i] = rls2_splits_validation(other, i, &rows[count + i]);
    }
    assert_ok(rls2_splits_listed(rls2_splits_rows(other), count, counts, rows, counts + count,
                                 rows + count, &splits, &err),
              &err);
    free(rows);
    free(counts);
    return splits;
}

/* Errors of the listed splits are those of the splits they were listed from. */
static void assert_same_errors(const rls2_table *table, rls2_splits *drawn)
{
    rls2__recipe recipe = cv_recipe("y1", "linear", 0);
    rls2_splits *listed = listed_like(drawn, rls2_splits_count(drawn));
    rls2_cv *a = cv_of(table, &recipe, drawn, RLS2_MEASURE_RMSE, 0);
    rls2_cv *b = cv_of(table, &recipe, listed, RLS2_MEASURE_RMSE, 0);
    for (int64_t i = 0; i < rls2_cv_count(a); i++) {
        const rls2_cv_point *p = rls2_cv_at(a, i), *q = rls2_cv_at(b, i);
        assert_true(p->cvm == q->cvm);
        assert_true(fabs(p->cvsd - q->cvsd) <= 1e-14 * p->cvsd);
    }
    rls2_cv_free(a);
    rls2_cv_free(b);
    rls2_splits_free(listed);
    rls2_splits_free(drawn);
}

static void
splits_listed__folds_repeats_and_random_splits__have_their_own_standard_errors(void **state)
{
    (void)state;
    cv_data data = cv_data_make(7);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = NULL;
    assert_int_equal(rls2_splits_folds(data.n, NULL, 5, 1, 3, &splits, NULL), RLS2_OK);
    assert_same_errors(table, splits);
    assert_int_equal(rls2_splits_folds(data.n, NULL, 4, 3, 3, &splits, NULL), RLS2_OK);
    assert_same_errors(table, splits);
    assert_int_equal(rls2_splits_random(data.n, NULL, 6, 0.7, 3, &splits, NULL), RLS2_OK);
    assert_same_errors(table, splits);
    rls2_table_free(table);
}

/* sqrt(weighted mean of squares / (splits - 1)), glmnet's, where no row is predicted twice. */
static void splits_listed__some_folds_alone__have_the_error_of_folds(void **state)
{
    (void)state;
    enum { SPLITS = 3 };
    cv_data data = cv_data_make(8);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *folds = NULL;
    rls2__recipe recipe = cv_recipe("y1", "linear", 0);
    assert_int_equal(rls2_splits_folds(data.n, NULL, 7, 1, 3, &folds, NULL), RLS2_OK);
    rls2_splits *splits = listed_like(folds, SPLITS);
    rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_RMSE, 0);
    double mean = 0.0, squares = 0.0, total = 0.0;
    for (int64_t s = 0; s < SPLITS; s++) {
        double n = (double)rls2_splits_validation(splits, s, NULL);
        total += n;
        mean += n * rls2_cv_score(cv, 0, s);
    }
    mean /= total;
    for (int64_t s = 0; s < SPLITS; s++)
        squares += (double)rls2_splits_validation(splits, s, NULL) *
                   pow(rls2_cv_score(cv, 0, s) - mean, 2.0);
    assert_true(fabs(rls2_cv_at(cv, 0)->cvsd - sqrt(squares / total / (SPLITS - 1))) <=
                1e-12 * mean);
    int64_t unpredicted = 0;
    for (int64_t i = 0; i < data.n; i++) unpredicted += isnan(rls2_cv_predictions(cv, 0)[i]);
    assert_int_equal(unpredicted, data.n - (int64_t)total);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_splits_free(folds);
    rls2_table_free(table);
}

/* Nadeau and Bengio's correction with the mean of the splits' ratios, where a row is predicted
 * twice. */
static void splits_listed__uneven_overlapping_splits__are_corrected_by_the_mean_ratio(void **state)
{
    (void)state;
    static const lists l = {
        3,
        {{0, 1, 2, 3, 4, 5, 6, -1}, {0, 1, 2, 3, 4, 5, 9, 10, 11, -1}, {5, 6, 7, 8, 9, -1}},
        {{7, 8, 9, 10, 11, -1}, {6, 7, 8, -1}, {0, 1, 2, 10, -1}}};
    cv_data data = cv_data_make(9);
    rls2_table *table = cv_data_table(&data, 0), *few = NULL;
    static const int64_t first[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    rls2_splits *splits = NULL;
    rls2__recipe recipe = cv_recipe("y1", "linear", 0);
    assert_int_equal(rls2_table_take(table, 12, first, &few, NULL), RLS2_OK);
    assert_int_equal(split(12, &l, &splits, NULL), RLS2_OK);
    rls2_cv *cv = cv_of(few, &recipe, splits, RLS2_MEASURE_RMSE, 0);
    static const double n[] = {5, 3, 4};
    double ratio = (5.0 / 7 + 3.0 / 9 + 4.0 / 5) / 3, mean = 0.0, variance = 0.0;
    for (int64_t s = 0; s < 3; s++) mean += n[s] * rls2_cv_score(cv, 2, s) / 12;
    for (int64_t s = 0; s < 3; s++)
        variance += n[s] * pow(rls2_cv_score(cv, 2, s) - mean, 2.0) / 12 * 3 / 2;
    assert_true(fabs(rls2_cv_at(cv, 2)->cvsd - sqrt(variance * (1.0 / 3 + ratio))) <= 1e-12 * mean);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(few);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_listed__any_order_and_rows_left_out__are_ascending_lists),
        cmocka_unit_test(splits_listed__rows_that_cannot_be__are_named),
        cmocka_unit_test(splits_listed__a_negative_row__is_named),
        cmocka_unit_test(splits_listed__wrong_arguments__are_refused),
        cmocka_unit_test(
            splits_listed__folds_repeats_and_random_splits__have_their_own_standard_errors),
        cmocka_unit_test(splits_listed__some_folds_alone__have_the_error_of_folds),
        cmocka_unit_test(splits_listed__uneven_overlapping_splits__are_corrected_by_the_mean_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
