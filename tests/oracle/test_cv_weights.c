/* Cross-validation of weighted rows is that of the rows repeated, all copies of a row in the same
 * fold; and class weights count in fits but not in scores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cv_table.h"
#include "support/cv_run.h"

static const char KERNELS[] = "linear; rbf(0.3)@all; poly(2)@x2; spline@x3";

/* ---- whole weights ---- */

typedef struct weighted_case {
    const char *target;
    rls2_measure measure;
    const char *class_weights;
    rls2_scaling scaling;
    rls2_normalize features;
} weighted_case;

static const weighted_case CASES[] = {
    {"y1", RLS2_MEASURE_RMSE, NULL, RLS2_SCALING_TRACE, RLS2_NORMALIZE_NONE},
    {"y1", RLS2_MEASURE_R2, NULL, RLS2_SCALING_TRACE, RLS2_NORMALIZE_STANDARDIZE},
    {"y2", RLS2_MEASURE_MAE, NULL, RLS2_SCALING_NONE, RLS2_NORMALIZE_UNIT},
    {"two", RLS2_MEASURE_ACCURACY, NULL, RLS2_SCALING_TRACE, RLS2_NORMALIZE_NONE},
    {"two", RLS2_MEASURE_AUC, "balanced", RLS2_SCALING_FISHER, RLS2_NORMALIZE_STANDARDIZE},
    {"two", RLS2_MEASURE_BALANCED_ACCURACY, "yes=2.5", RLS2_SCALING_FISHER_SQRT,
     RLS2_NORMALIZE_NONE},
    {"three", RLS2_MEASURE_ACCURACY, NULL, RLS2_SCALING_TRACE, RLS2_NORMALIZE_STANDARDIZE},
    {"three", RLS2_MEASURE_AUC, "balanced", RLS2_SCALING_FISHER, RLS2_NORMALIZE_NONE},
    {"three", RLS2_MEASURE_BALANCED_ACCURACY, "balanced", RLS2_SCALING_FISHER_SQRT,
     RLS2_NORMALIZE_STANDARDIZE},
    {"three", RLS2_MEASURE_ERRORS, "a=3,c=0.5", RLS2_SCALING_TRACE, RLS2_NORMALIZE_NONE},
};
enum { CASES_COUNT = sizeof CASES / sizeof CASES[0] };

static rls2__recipe recipe_of(const weighted_case *it, int weighted)
{
    rls2__recipe recipe = cv_recipe(it->target, KERNELS, weighted);
    recipe.class_weights = it->class_weights;
    recipe.basis.scaling = it->scaling;
    recipe.preprocessing.features = it->features;
    return recipe;
}

static void cv_run__whole_weights__are_rows_repeated(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * CASES_COUNT; k++) {
        const weighted_case *it = &CASES[k % CASES_COUNT];
        cv_data data = cv_data_make(20 + (uint64_t)k);
        rls2_cv *cv[2];
        for (int repeated = 0; repeated < 2; repeated++) {
            rls2_table *table = cv_data_table(&data, repeated);
            rls2_splits *splits = cv_data_splits(&data, repeated);
            rls2__recipe recipe = recipe_of(it, !repeated);
            if (k >= CASES_COUNT)
                recipe.kernels = "rbf(0.1|1)@all,each; linear@each"; /* evaluated once */
            cv[repeated] = cv_of(table, &recipe, splits, it->measure, 0);
            rls2_splits_free(splits);
            rls2_table_free(table);
        }
        assert_same_cv(cv[0], cv[1], 1e-6);
        rls2_cv_free(cv[0]);
        rls2_cv_free(cv[1]);
    }
}

/* The correction for rows that random splits share takes the shares of the weights: those of rows
 * repeated. */
static void cv_run__random_splits__overlap_by_weights(void **state)
{
    (void)state;
    enum { SPLITS = 5 };
    cv_data data = cv_data_make(40);
    rls2_table *table = cv_data_table(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", KERNELS, 1);
    rls2_splits *splits;
    rls2_error err;
    double weight[SPLITS] = {0.0}, all = 0.0, total = 0.0;
    assert_ok(rls2_splits_random(data.n, NULL, SPLITS, 0.7, 1, &splits, &err), &err);
    for (int64_t i = 0; i < CV_ROWS; i++) all += data.w[i];
    for (int64_t s = 0; s < SPLITS; s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(splits, s, &rows);
        for (int64_t t = 0; t < n; t++) weight[s] += data.w[rows[t]];
        total += weight[s];
    }
    rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_RMSE, 0);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        double mean = 0.0, variance = 0.0;
        for (int64_t s = 0; s < SPLITS; s++) mean += weight[s] * rls2_cv_score(cv, i, s) / total;
        for (int64_t s = 0; s < SPLITS; s++)
            variance += weight[s] * pow(rls2_cv_score(cv, i, s) - mean, 2.0) / total * SPLITS /
                        (SPLITS - 1);
        double error = sqrt(variance * (1.0 / SPLITS + weight[0] / (all - weight[0])));
        assert_true(fabs(rls2_cv_at(cv, i)->cvm - mean) <= 1e-12 * mean);
        assert_true(fabs(rls2_cv_at(cv, i)->cvsd - error) <= 1e-12 * mean);
    }
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- scores by hand ---- */

/* From the predictions that cross-validation keeps: rows by their weights, splits by the sum of
 * them. */
static void cv_run__weights__count_in_scores_and_means(void **state)
{
    (void)state;
    cv_data data = cv_data_make(41);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("three", KERNELS, 1);
    recipe.class_weights = "a=100"; /* in fits only */
    rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_ACCURACY, 0);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        const double *f = rls2_cv_predictions(cv, i);
        double sum = 0.0, total = 0.0;
        for (int64_t s = 0; s < CV_FOLDS; s++) {
            double right = 0.0, all = 0.0;
            for (int64_t t = 0; t < CV_ROWS; t++) {
                if (data.fold[t] != s) continue;
                int best = f[CV_ROWS + t] > f[t] ? 1 : 0;
                if (f[2 * CV_ROWS + t] > f[best * CV_ROWS + t]) best = 2;
                all += data.w[t];
                right += best == data.three[t] ? data.w[t] : 0;
            }
            assert_true(fabs(rls2_cv_score(cv, i, s) - right / all) <= 1e-15);
            sum += right;
            total += all;
        }
        assert_true(fabs(rls2_cv_at(cv, i)->cvm - sum / total) <= 1e-14);
    }
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* Where class 'a' weighs a hundred times the others more rows are taken for it. */
static void cv_run__class_weights__move_the_decision(void **state)
{
    (void)state;
    cv_data data = cv_data_make(42);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    int64_t taken[2] = {0, 0};
    for (int heavy = 0; heavy < 2; heavy++) {
        int64_t decided[CV_ROWS];
        rls2__recipe recipe = cv_recipe("three", KERNELS, 0);
        recipe.class_weights = heavy ? "a=100" : NULL;
        rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_ACCURACY, 0);
        rls2_decide(3, CV_ROWS, rls2_cv_predictions(cv, 2), decided);
        for (int64_t t = 0; t < CV_ROWS; t++) taken[heavy] += decided[t] == 0;
        rls2_cv_free(cv);
    }
    assert_true(taken[1] >= taken[0] + 5);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* A row of weight 0 is not there: not in the splits either. */
static void cv_run__row_of_weight_zero__is_left_out_first(void **state)
{
    (void)state;
    static const char WITH[] =
        "x,y,w\n1,1,1\n2,2.5,2\n3,7,0\n4,3,1\n5,6,1\n6,5,2\n7.5,8,1\n9,8,1\n";
    static const char WITHOUT[] = "x,y,w\n1,1,1\n2,2.5,2\n4,3,1\n5,6,1\n6,5,2\n7.5,8,1\n9,8,1\n";
    rls2_error err;
    rls2_splits *splits;
    rls2_cv *cv[2];
    assert_ok(rls2_splits_folds(7, NULL, 3, 1, 1, &splits, &err), &err);
    for (int k = 0; k < 2; k++) {
        rls2_table *table;
        const char *text = k ? WITHOUT : WITH;
        rls2__recipe recipe = rls2__recipe_default();
        recipe.data.target = "y";
        recipe.data.row_weights = "w";
        recipe.kernels = "linear; rbf(0.1)";
        recipe.lambda_count = CV_LAMBDAS;
        assert_ok(rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &table, &err), &err);
        cv[k] = cv_of(table, &recipe, splits, RLS2_MEASURE_RMSE, 0);
        assert_int_equal(rls2_cv_rows(cv[k]), 7);
        rls2_table_free(table);
    }
    assert_same_cv(cv[0], cv[1], 0.0);
    rls2_cv_free(cv[0]);
    rls2_cv_free(cv[1]);
    rls2_splits_free(splits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__whole_weights__are_rows_repeated),
        cmocka_unit_test(cv_run__random_splits__overlap_by_weights),
        cmocka_unit_test(cv_run__weights__count_in_scores_and_means),
        cmocka_unit_test(cv_run__class_weights__move_the_decision),
        cmocka_unit_test(cv_run__row_of_weight_zero__is_left_out_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
