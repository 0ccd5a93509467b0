/* Splits of linear kernels, which know their rows by what they sum up to: as ridge regression by
 * normal equations in long double, and as splits that look at their rows themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cv_table.h"

typedef struct linear_case {
    const char *target, *kernels;
    int weighted;
    rls2_intercept intercept;
} linear_case;

/* No kernel is a mean of others: weights would not be unique. */
static const linear_case CASES[] = {
    {"y1", "linear", 0, RLS2_INTERCEPT_AUTO},
    {"y1", "linear@all; linear@x1,x3", 1, RLS2_INTERCEPT_AUTO},
    {"y2", "linear@all; linear@x2", 1, RLS2_INTERCEPT_NONE},
    {"two", "linear", 0, RLS2_INTERCEPT_AUTO},
    {"two", "linear@x1; linear@all", 1, RLS2_INTERCEPT_NONE},
    {"three", "linear", 1, RLS2_INTERCEPT_AUTO},
};
enum { CASES_COUNT = sizeof CASES / sizeof CASES[0] };

/* Each split centres its columns by its own means, whichever rows they come from. */
static rls2__recipe recipe_of(const linear_case *it)
{
    rls2__recipe recipe = cv_recipe(it->target, it->kernels, it->weighted);
    recipe.preprocessing.features = RLS2_NORMALIZE_CENTER;
    recipe.path.intercept = it->intercept;
    return recipe;
}

static rls2_cv *taken_cv(const rls2_table *table, const rls2__recipe *recipe,
                         const rls2_splits *splits, int threads)
{
    rls2_error err;
    rls2_cv *cv = NULL;
    rls2__cv_options options = {.measure = RLS2_MEASURE_AUTO, .threads = threads, .baselines = 1};
    assert_ok(cv_run_taken(table, recipe, splits, &options, &cv, &err), &err);
    return cv;
}

enum { SPLIT_KINDS = 3 };

/* Folds, folds repeated, and random splits, which leave rows out several times or never. */
static rls2_splits *splits_of(const cv_data *data, int kind)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    if (kind == 0) return cv_data_splits(data, 0);
    if (kind == 1)
        assert_ok(rls2_splits_folds(CV_ROWS, NULL, 3, 2, 5, &splits, &err), &err);
    else
        assert_ok(rls2_splits_random(CV_ROWS, NULL, 4, 0.3, 5, &splits, &err), &err);
    return splits;
}

/* ---- against the rows themselves ---- */

static void assert_same_values(const char *what, int64_t count, const double *a, const double *b)
{
    for (int64_t i = 0; i < count; i++) {
        if (isnan(a[i]) && isnan(b[i])) continue;
        if (!(fabs(a[i] - b[i]) <= 1e-7 * (1.0 + fabs(b[i]))))
            fail_msg("%s %d: %.15g and %.15g", what, (int)i, a[i], b[i]);
    }
}

enum { MOST_KERNELS = 8 };

/* A kernel at the border of being selected may be so by one of them alone. */
static void lay_shares(const rls2_cv *cv, int64_t i, int64_t o, double *shares)
{
    const int64_t *kernels;
    const double *found;
    int64_t count = rls2_cv_shares(cv, i, o, &kernels, &found);
    assert_true(count > 0);
    for (int64_t k = 0; k < MOST_KERNELS; k++) shares[k] = 0.0;
    for (int64_t k = 0; k < count; k++) shares[kernels[k]] = found[k];
}

static void assert_same_shares(const rls2_cv *a, const rls2_cv *b, int64_t i, int64_t o)
{
    double of_a[MOST_KERNELS], of_b[MOST_KERNELS];
    lay_shares(a, i, o, of_a);
    lay_shares(b, i, o, of_b);
    assert_same_values("share", MOST_KERNELS, of_a, of_b);
}

static void cv_run__linear_kernels__as_splits_of_the_rows(void **state)
{
    (void)state;
    for (int c = 0; c < CASES_COUNT * SPLIT_KINDS; c++) {
        const cv_data data = cv_data_make(100 + (uint64_t)c);
        rls2_table *table = cv_data_table(&data, 0);
        rls2_splits *splits = splits_of(&data, c % SPLIT_KINDS);
        rls2__recipe recipe = recipe_of(&CASES[c / SPLIT_KINDS]);
        rls2_cv *a = taken_cv(table, &recipe, splits, 1),
                *b = cv_of(table, &recipe, splits, RLS2_MEASURE_AUTO, 1);
        int64_t outputs = rls2_cv_outputs(b);
        assert_same_cv(a, b, 1e-7);
        for (int64_t i = 0; i < CV_LAMBDAS; i++) {
            assert_same_values("prediction", outputs * CV_ROWS, rls2_cv_predictions(a, i),
                               rls2_cv_predictions(b, i));
            for (int64_t o = 0; o < outputs; o++) assert_same_shares(a, b, i, o);
        }
        rls2_cv_free(a);
        rls2_cv_free(b);
        rls2_splits_free(splits);
        rls2_table_free(table);
    }
}

/* ---- against normal equations ---- */

typedef struct ridge {
    long double center[CV_COLUMNS], mean, G[CV_COLUMNS][CV_COLUMNS + 1], beta[CV_COLUMNS];
} ridge;

/* By Gauss's elimination; G is positive definite. */
static void solve(ridge *it)
{
    enum { P = CV_COLUMNS };
    for (int j = 0; j < P; j++)
        for (int i = j + 1; i < P; i++) {
            long double factor = it->G[i][j] / it->G[j][j];
            for (int k = j; k <= P; k++) it->G[i][k] -= factor * it->G[j][k];
        }
    for (int j = P - 1; j >= 0; j--) {
        it->beta[j] = it->G[j][P];
        for (int k = j + 1; k < P; k++) it->beta[j] -= it->G[j][k] * it->beta[k];
        it->beta[j] /= it->G[j][j];
    }
}

/* Weighted ridge regression with an intercept: K = XX' over its trace, so that lambda stands beside
 * X'WX times the trace. */
static ridge fit_by_hand(const cv_data *data, int64_t count, const int64_t *rows, double lambda)
{
    enum { P = CV_COLUMNS };
    ridge it = {.mean = 0.0L};
    long double total = 0.0L, trace = 0.0L;
    for (int64_t t = 0; t < count; t++) {
        int64_t i = rows[t];
        total += data->w[i];
        it.mean += data->w[i] * (long double)data->y[0][i];
        for (int j = 0; j < P; j++) it.center[j] += data->w[i] * (long double)data->x[j][i];
    }
    it.mean /= total;
    for (int j = 0; j < P; j++) it.center[j] /= total;
    for (int64_t t = 0; t < count; t++) {
        int64_t i = rows[t];
        for (int j = 0; j < P; j++) {
            long double x = data->w[i] * (data->x[j][i] - it.center[j]);
            for (int k = 0; k < P; k++) it.G[j][k] += x * (data->x[k][i] - it.center[k]);
            it.G[j][P] += x * (data->y[0][i] - it.mean);
        }
    }
    for (int j = 0; j < P; j++) trace += it.G[j][j];
    for (int j = 0; j < P; j++) it.G[j][j] += lambda * trace;
    solve(&it);
    return it;
}

static double predict_by_hand(const ridge *it, const cv_data *data, int64_t row)
{
    long double f = it->mean;
    for (int j = 0; j < CV_COLUMNS; j++) f += it->beta[j] * (data->x[j][row] - it->center[j]);
    return (double)f;
}

static void cv_run__one_linear_kernel__is_ridge_regression(void **state)
{
    (void)state;
    const linear_case one = {"y1", "linear@all", 1, RLS2_INTERCEPT_AUTO};
    cv_data data = cv_data_make(31);
    for (int i = 0; i < CV_ROWS; i++) data.y[0][i] += 1e6; /* a mean that hides everything else */
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = recipe_of(&one);
    rls2_cv *cv = taken_cv(table, &recipe, splits, 1);
    for (int64_t i = 0; i < CV_LAMBDAS; i++)
        for (int64_t s = 0; s < CV_FOLDS; s++) {
            const int64_t *training, *rows;
            int64_t count = rls2_splits_training(splits, s, &training);
            ridge by_hand = fit_by_hand(&data, count, training, rls2_cv_at(cv, i)->lambda);
            count = rls2_splits_validation(splits, s, &rows);
            for (int64_t t = 0; t < count; t++)
                assert_true(fabs(rls2_cv_predictions(cv, i)[rows[t]] -
                                 predict_by_hand(&by_hand, &data, rows[t])) <= 1e-8);
        }
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- what stays as it is ---- */

static void cv_run__linear_kernels__same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    const cv_data data = cv_data_make(7);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = recipe_of(&CASES[5]);
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

enum { ROWS = 60 };

/* Row 0 alone has a 1 in `rare`, row 1 is its equal but for that; both are left out by the same
 * split, which knows nothing of the column. */
static void cv_run__value_of_one_left_out_row__does_not_exist_for_its_split(void **state)
{
    (void)state;
    char text[ROWS * 60];
    const double lambda = 1e-3;
    int64_t fold[ROWS];
    rls2_error err;
    rls2_table *table = NULL;
    rls2_splits *splits = NULL;
    rls2__random random;
    rls2__random_seed(&random, 2);
    size_t at = (size_t)snprintf(text, sizeof text, "a,rare,y\n");
    for (int i = 0; i < ROWS; i++) {
        double a = i < 2 ? 0.5 : rls2__random_normal(&random);
        fold[i] = i * 5 / ROWS;
        at += (size_t)snprintf(text + at, sizeof text - at, "%.17g,%d,%.17g\n", a, i == 0,
                               3.0 + a + rls2__random_normal(&random));
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    assert_ok(rls2_splits_given(ROWS, fold, &splits, &err), &err);
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "y";
    recipe.kernels = "linear; linear@all";
    recipe.lambdas = &lambda;
    recipe.lambda_count = 1;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
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
        cmocka_unit_test(cv_run__linear_kernels__as_splits_of_the_rows),
        cmocka_unit_test(cv_run__one_linear_kernel__is_ridge_regression),
        cmocka_unit_test(cv_run__linear_kernels__same_bits_for_any_number_of_threads),
        cmocka_unit_test(cv_run__value_of_one_left_out_row__does_not_exist_for_its_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
