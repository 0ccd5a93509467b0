/* Splits that take rows and kernels from all rows: as fits of the prepared numbers by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cv_table.h"
#include "support/one_output.h"

static rls2_table *parsed(const char *text, size_t length)
{
    rls2_error err;
    rls2_table *table = NULL;
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)length, &table, &err), &err);
    return table;
}

static rls2_cv *taken_cv(const rls2_table *table, const rls2__recipe *recipe,
                         const rls2_splits *splits, int threads)
{
    rls2_error err;
    rls2_cv *cv = NULL;
    rls2__cv_options options = {.measure = RLS2_MEASURE_AUTO, .threads = threads};
    assert_ok(cv_run_taken(table, recipe, splits, &options, &cv, &err), &err);
    return cv;
}

/* ---- by hand ---- */

/* x[n x p], its rows of those numbers */
static double *rows_taken(const double *x, int64_t n, int64_t p, int64_t count, const int64_t *rows)
{
    double *taken = numbers(count * p);
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < count; i++) taken[j * count + i] = x[j * n + rows[i]];
    return taken;
}

/* The root mean squared errors of a split at the lambdas, from the numbers of the prepared rows. */
static void score_by_hand(const rls2_dataset *all, const rls2__recipe *recipe,
                          const rls2_splits *splits, int64_t s, double *rmse)
{
    const int64_t *training, *validation;
    int64_t n = rls2_dataset_rows(all), p = rls2_dataset_columns(all);
    int64_t t = rls2_splits_training(splits, s, &training);
    int64_t v = rls2_splits_validation(splits, s, &validation);
    double *x = rows_taken(rls2_dataset_x(all), n, p, t, training),
           *y = rows_taken(rls2_dataset_y(all), n, 1, t, training),
           *z = rows_taken(rls2_dataset_x(all), n, p, v, validation),
           *truth = rows_taken(rls2_dataset_y(all), n, 1, v, validation),
           *f = numbers(v * recipe->lambda_count);
    rls2_rows rows = {.n = t, .p = p, .x = x}, left_out = {.n = v, .p = p, .x = z};
    rls2_columns columns = {.count = p, .names = rls2_dataset_names(all)};
    rls2_dictionary *dictionary = NULL, *learned = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = NULL;
    rls2_path_options options = recipe->path;
    rls2_error err;
    options.intercept = RLS2_INTERCEPT_MEAN;
    assert_ok(rls2_dictionary_create(recipe->kernels, &columns, &dictionary, &err), &err);
    assert_ok(rls2_dictionary_learn(dictionary, &rows, 1, y, NULL, NULL, &learned, &err), &err);
    assert_ok(rls2_basis_create(learned, &rows, &recipe->basis, NULL, &basis, &err), &err);
    assert_ok(rls2_path_fit(1, (const rls2_basis *const *)&basis, y, recipe->lambda_count,
                            recipe->lambdas, &options, NULL, &path, &err),
              &err);
    assert_ok(rls2_path_predict(path, &left_out, f, &err), &err);
    for (int64_t i = 0; i < recipe->lambda_count; i++) {
        double sum = 0.0;
        for (int64_t k = 0; k < v; k++) sum += pow(truth[k] - f[i * v + k], 2.0);
        rmse[i] = sqrt(sum / (double)v);
    }
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(learned);
    rls2_dictionary_free(dictionary);
    free(x);
    free(y);
    free(z);
    free(truth);
    free(f);
}

static void assert_fitted_as_by_hand(const char *kernels)
{
    const cv_data data = cv_data_make(3);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", kernels, 0);
    rls2_dataset *all = NULL;
    rls2_error err;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    rls2_cv *cv = taken_cv(table, &recipe, splits, 1);
    double lambdas[CV_LAMBDAS];
    for (int64_t i = 0; i < CV_LAMBDAS; i++) lambdas[i] = rls2_cv_at(cv, i)->lambda;
    recipe.lambdas = lambdas;
    assert_ok(rls2_dataset_create(table, &recipe.data, &all, &err), &err);
    assert_ok(
        rls2_dataset_preprocess(all, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL, &err),
        &err);
    for (int64_t s = 0; s < CV_FOLDS; s++) {
        double rmse[CV_LAMBDAS];
        score_by_hand(all, &recipe, splits, s, rmse);
        for (int64_t i = 0; i < CV_LAMBDAS; i++)
            assert_true(fabs(rls2_cv_score(cv, i, s) - rmse[i]) <= 1e-6 * rmse[i]);
    }
    rls2_dataset_free(all);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

static void cv_run__rows_taken__are_fitted_as_by_hand(void **state)
{
    (void)state;
    assert_fitted_as_by_hand("poly(1..2)@each; rbf(0.1:1:2)@all,each");
}

/* Each split learns widths from its own rows, and takes the other kernels. */
static void cv_run__rows_taken_and_widths__are_learned_as_by_hand(void **state)
{
    (void)state;
    assert_fitted_as_by_hand("poly(1)@each; rbf(learn|learn*4|0.3)@all; matern(2.5,learn)@x1+x3");
}

static void cv_run__rows_taken__same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    const cv_data data = cv_data_make(5);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe =
        cv_recipe("three", "rbf(0.1:1:2)@all,each; rbf(learn)@all; linear@each", 1);
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.class_weights = "balanced";
    rls2_cv *one = taken_cv(table, &recipe, splits, 1),
            *three = taken_cv(table, &recipe, splits, 3);
    assert_same_cv(one, three, 0.0);
    for (int64_t i = 0; i < CV_LAMBDAS; i++)
        assert_memory_equal(rls2_cv_predictions(one, i), rls2_cv_predictions(three, i),
                            3 * CV_ROWS * sizeof(double));
    rls2_cv_free(one);
    rls2_cv_free(three);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- what a split keeps to itself ---- */

enum { ROWS = 60 };

static rls2_splits *folds_of(int64_t folds)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    int64_t fold[ROWS];
    for (int64_t i = 0; i < ROWS; i++) fold[i] = i * folds / ROWS;
    assert_ok(rls2_splits_given(ROWS, fold, &splits, &err), &err);
    return splits;
}

static rls2__recipe recipe_for(const char *kernels, const double *lambda)
{
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "y";
    recipe.kernels = kernels;
    recipe.lambdas = lambda;
    recipe.lambda_count = 1;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    return recipe;
}

/* The means of the columns differ from fold to fold: were they those of all rows, the intercept
 * would be wrong by more than 1. */
static void cv_run__linear_law__is_found_in_rows_taken(void **state)
{
    (void)state;
    char text[ROWS * 60];
    const double lambda = 1e-9;
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,y\n");
    for (int i = 0; i < ROWS; i++) {
        double a = i, b = i * 37 % 11;
        at += (size_t)snprintf(text + at, sizeof text - at, "%g,%g,%.17g\n", a, b,
                               5.0 + 2.0 * a - 3.0 * b);
    }
    rls2_table *table = parsed(text, at);
    rls2_splits *splits = folds_of(5);
    rls2__recipe recipe = recipe_for("linear", &lambda);
    rls2_cv *cv = taken_cv(table, &recipe, splits, 1);
    assert_true(rls2_cv_at(cv, 0)->cvm < 1e-4);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* Row 0 alone has a 1 in `rare`, row 1 is its equal but for that; both are left out by the same
 * split, which knows nothing of the column. */
static void cv_run__value_of_one_left_out_row__does_not_exist_for_its_split(void **state)
{
    (void)state;
    char text[ROWS * 60];
    const double lambda = 1e-3;
    rls2__random random;
    rls2__random_seed(&random, 2);
    size_t at = (size_t)snprintf(text, sizeof text, "a,rare,y\n");
    for (int i = 0; i < ROWS; i++) {
        double a = i < 2 ? 0.5 : rls2__random_normal(&random);
        at += (size_t)snprintf(text + at, sizeof text - at, "%.17g,%d,%.17g\n", a, i == 0,
                               3.0 + a + rls2__random_normal(&random));
    }
    rls2_table *table = parsed(text, at);
    rls2_splits *splits = folds_of(5);
    rls2__recipe recipe = recipe_for("poly(1)@each; rbf(0.5)@all; linear@rare", &lambda);
    recipe.path.intercept = RLS2_INTERCEPT_NONE;
    rls2_cv *cv = taken_cv(table, &recipe, splits, 1);
    const double *f = rls2_cv_predictions(cv, 0);
    assert_true(fabs(f[0]) < 10.0);
    assert_true(f[0] == f[1]);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__rows_taken__are_fitted_as_by_hand),
        cmocka_unit_test(cv_run__rows_taken_and_widths__are_learned_as_by_hand),
        cmocka_unit_test(cv_run__rows_taken__same_bits_for_any_number_of_threads),
        cmocka_unit_test(cv_run__linear_law__is_found_in_rows_taken),
        cmocka_unit_test(cv_run__value_of_one_left_out_row__does_not_exist_for_its_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
