/* Measures of splits that are too small for them: by hand, the AUC with the example of
 * scikit-learn's roc_auc_score; and through a plan against the definitions, from the predictions of
 * left-out rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "select/pooled.h"
#include "support/problem.h"

typedef struct small {
    rls2_table *table;
    rls2_dataset *data;
    rls2_splits *splits;
} small;

static small small_made(const char *text, int classify, const int64_t *fold)
{
    rls2_error err;
    small it = {0};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.classify = classify;
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)strlen(text), &it.table, &err), &err);
    assert_ok(rls2_dataset_create(it.table, &options, &it.data, &err), &err);
    assert_ok(rls2_splits_given(rls2_dataset_rows(it.data), fold, &it.splits, &err), &err);
    return it;
}

static void small_free(small *it)
{
    rls2_splits_free(it->splits);
    rls2_dataset_free(it->data);
    rls2_table_free(it->table);
}

/* Value and standard error of predictions in the order of the splits. */
static void pooled_of(const small *it, rls2_measure measure, const double *f, double pooled[2])
{
    rls2_error err;
    rls2__pooled kept;
    int64_t splits = rls2_splits_count(it->splits);
    rls2_cv cv = {
        .measure = measure, .count = 1, .splits = splits, .repeat = splits, .pooled = pooled};
    assert_true(rls2__pooled_is_needed(measure, it->splits, it->data));
    assert_ok(rls2__pooled_create(it->splits, it->data, 0, &kept, &err), &err);
    assert_ok(rls2__pooled_grow(&kept, 1, &err), &err);
    for (int64_t s = 0; s < splits; s++)
        rls2__pooled_keep(&kept, 0, s, 0, 1, f + kept.start[s] * kept.outputs);
    assert_ok(rls2__pooled_measure(&kept, &cv, &err), &err);
    rls2__pooled_release(&kept);
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * (1.0 + fabs(expected))))
        fail_msg("%.17g is not %.17g", found, expected);
}

/* 1 - 3/20; without the first two rows 1 - 2/2, without the last two 1 - 1/2. */
static void r2__two_folds_of_two_rows__is_that_of_four(void **state)
{
    (void)state;
    double pooled[2];
    small it = small_made("a,y\n1,0\n2,2\n3,4\n4,6\n", 0, (const int64_t[]){0, 0, 1, 1});
    pooled_of(&it, RLS2_MEASURE_R2, (const double[]){1.0, 2.0, 3.0, 5.0}, pooled);
    assert_near(pooled[0], 0.85);
    assert_near(pooled[1], 0.25);
    small_free(&it);
}

/* 3 of 4 pairs; without a row 1/2, 1, 1, 1/2. */
static void auc__rows_one_by_one__is_that_of_all(void **state)
{
    (void)state;
    double pooled[2];
    small it = small_made("a,y\n1,n\n2,n\n3,p\n4,p\n", 1, (const int64_t[]){0, 1, 2, 3});
    pooled_of(&it, RLS2_MEASURE_AUC, (const double[]){0.1, 0.4, 0.35, 0.8}, pooled);
    assert_near(pooled[0], 0.75);
    assert_near(pooled[1], sqrt(3.0 / 4.0 * 0.25));
    small_free(&it);
}

/* Of class n 1 of 2 is right, of p 2 of 2; without a row 1/2, 1, 3/4, 3/4. */
static void balanced_accuracy__rows_one_by_one__is_that_of_all(void **state)
{
    (void)state;
    double pooled[2];
    small it = small_made("a,y\n1,n\n2,n\n3,p\n4,p\n", 1, (const int64_t[]){0, 1, 2, 3});
    pooled_of(&it, RLS2_MEASURE_BALANCED_ACCURACY, (const double[]){-1.0, 0.4, 0.35, 0.8}, pooled);
    assert_near(pooled[0], 0.75);
    assert_near(pooled[1], sqrt(3.0 / 4.0 * 2.0 * 0.0625));
    small_free(&it);
}

static void is_needed__large_enough_splits__are_not_pooled(void **state)
{
    (void)state;
    small it =
        small_made("a,y\n1,n\n2,n\n3,p\n4,p\n5,n\n6,p\n", 1, (const int64_t[]){0, 1, 0, 1, -1, -1});
    assert_false(rls2__pooled_is_needed(RLS2_MEASURE_AUC, it.splits, it.data));
    assert_false(rls2__pooled_is_needed(RLS2_MEASURE_ACCURACY, it.splits, it.data));
    assert_true(rls2__pooled_is_needed(RLS2_MEASURE_R2, it.splits, it.data));
    small_free(&it);
    it = small_made("a,y\n1,1\n2,2\n3,3\n4,4\n", 0, (const int64_t[]){0, -1, -1, 0});
    assert_false(rls2__pooled_is_needed(RLS2_MEASURE_R2, it.splits, it.data)); /* one is all */
    small_free(&it);
}

/* ---- through a plan ---- */

/* Of the rows that are not of the fold `but`. */
static double r2_of(int64_t n, const double *f, const double *y, int64_t but, const int64_t *fold)
{
    double rows = 0.0, sum = 0.0, total = 0.0, rest = 0.0;
    for (int64_t i = 0; i < n; i++)
        if (fold[i] != but) rows++, sum += y[i];
    for (int64_t i = 0; i < n; i++) {
        if (fold[i] == but) continue;
        total += (y[i] - sum / rows) * (y[i] - sum / rows);
        rest += (y[i] - f[i]) * (y[i] - f[i]);
    }
    return 1.0 - rest / total;
}

/* Prostate, 24 folds of four or five rows. */
static void curve__small_folds__has_r2_of_all_left_out_rows(void **state)
{
    (void)state;
    enum { FOLDS = 24 };
    rls2_error err;
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    int64_t fold[128];
    static const char *const SETTINGS[][2] = {{"target", "lpsa"},    {"drop", "train"},
                                              {"kernels", "linear"}, {"measure", "r2"},
                                              {"folds", "24"},       {"lambdas", "1,0.1,0.01"}};
    assert_ok(rls2_table_read("data/prostate.csv", NULL, &table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_CURVE, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0]; i++)
        assert_ok(rls2_plan_set(plan, SETTINGS[i][0], SETTINGS[i][1], &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    const rls2_cv *cv = rls2_fit_cv(fit);
    assert_int_equal(rls2_cv_splits(cv), FOLDS);
    assert_true(rls2_cv_is_pooled(cv));
    for (int64_t s = 0; s < FOLDS; s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(rls2_plan_splits(plan), s, &rows);
        for (int64_t t = 0; t < n; t++) fold[rows[t]] = s;
    }
    const double *y = rls2_dataset_y(rls2_plan_split_data(plan));
    int64_t n = rls2_cv_rows(cv);
    for (int64_t i = 0; i < 3; i++) {
        const double *f = rls2_cv_predictions(cv, i);
        double value[FOLDS], mean = 0.0, squares = 0.0;
        for (int64_t s = 0; s < FOLDS; s++) {
            value[s] = r2_of(n, f, y, s, fold);
            mean += value[s] / FOLDS;
        }
        for (int64_t s = 0; s < FOLDS; s++) squares += (value[s] - mean) * (value[s] - mean);
        assert_true(fabs(rls2_cv_at(cv, i)->cvm - r2_of(n, f, y, -1, fold)) < 1e-12);
        assert_true(fabs(rls2_cv_at(cv, i)->cvsd - sqrt((FOLDS - 1.0) / FOLDS * squares)) < 1e-12);
        assert_true(rls2_cv_at(cv, i)->nzero >= 1.0);
    }
    const rls2_cv_point *ridge = rls2_cv_baseline(cv, RLS2_BASELINE_RIDGE);
    assert_non_null(ridge);
    assert_true(ridge->cvm > 0.4 && ridge->cvm < 0.7 && ridge->cvsd < 0.2);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(r2__two_folds_of_two_rows__is_that_of_four),
        cmocka_unit_test(auc__rows_one_by_one__is_that_of_all),
        cmocka_unit_test(balanced_accuracy__rows_one_by_one__is_that_of_all),
        cmocka_unit_test(is_needed__large_enough_splits__are_not_pooled),
        cmocka_unit_test(curve__small_folds__has_r2_of_all_left_out_rows),
    };
    return cmocka_run_group_tests_name("pooled", tests, NULL, NULL);
}
