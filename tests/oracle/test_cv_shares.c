/* Shares on left-out rows: against the definition, from models of the splits made one by one; what
 * they sum to; and noise that is memorised. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cv_run.h"
#include "support/cv_table.h"

static const char KERNELS[] = "linear; rbf(0.3)@all; poly(2)@x2; spline@x3";
enum { MOST_OUTPUTS = 3, MOST_KERNELS = 16 };

/* What all left-out rows have together, by output: parts of the kernels, response less the mean of
 * the training rows, prediction less that mean. */
typedef struct gathered {
    int64_t rows;
    double w[CV_ROWS];
    double r[MOST_OUTPUTS][CV_ROWS], g[MOST_OUTPUTS][CV_ROWS];
    double part[MOST_OUTPUTS][MOST_KERNELS][CV_ROWS];
} gathered;

typedef struct hand_data {
    rls2_table *train_table, *rest_table;
    rls2_dataset *train, *rest;
    double train_w[CV_ROWS], rest_w[CV_ROWS]; /* as in the fit */
} hand_data;

static hand_data hand_make(const rls2_table *table, const rls2__recipe *recipe,
                           const rls2_splits *splits, int64_t s)
{
    rls2_error err;
    const int64_t *rows;
    hand_data it;
    int64_t n = rls2_splits_training(splits, s, &rows);
    assert_ok(rls2_table_take(table, n, rows, &it.train_table, &err), &err);
    n = rls2_splits_validation(splits, s, &rows);
    assert_ok(rls2_table_take(table, n, rows, &it.rest_table, &err), &err);
    assert_ok(rls2_dataset_create(it.train_table, &recipe->data, &it.train, &err), &err);
    assert_ok(rls2_dataset_create_like(it.rest_table, it.train, &it.rest, &err), &err);
    assert_ok(rls2_dataset_fit_weights(it.train, recipe->class_weights, it.train_w, &err), &err);
    assert_ok(rls2_dataset_fit_weights(it.rest, recipe->class_weights, it.rest_w, &err), &err);
    return it;
}

static void hand_free(hand_data *it)
{
    rls2_dataset_free(it->rest);
    rls2_dataset_free(it->train);
    rls2_table_free(it->rest_table);
    rls2_table_free(it->train_table);
}

static double mean_of(const hand_data *it, int64_t o)
{
    int64_t n = rls2_dataset_rows(it->train);
    const double *y = rls2_dataset_y(it->train) + o * n;
    double sum = 0.0, total = 0.0;
    for (int64_t t = 0; t < n; t++) {
        sum += it->train_w[t] * y[t];
        total += it->train_w[t];
    }
    return sum / total;
}

static void gather_output(const hand_data *it, const rls2_rows *z, const rls2_model *model,
                          int64_t o, gathered *all)
{
    rls2_error err;
    double *parts = numbers(z->n * rls2_model_kernel_count(model));
    double mean = mean_of(it, o);
    const double *y = rls2_dataset_y(it->rest) + o * z->n;
    assert_ok(rls2_model_contributions(model, z, NULL, parts, &err), &err);
    for (int64_t t = 0; t < z->n; t++) {
        int64_t row = all->rows + t;
        all->r[o][row] = y[t] - mean;
        all->g[o][row] = rls2_model_intercept(model) - mean;
        for (int64_t k = 0; k < rls2_model_kernel_count(model); k++) {
            all->part[o][rls2_model_kernel_index(model, k)][row] = parts[k * z->n + t];
            all->g[o][row] += parts[k * z->n + t];
        }
    }
    free(parts);
}

/* One split at one lambda, by the functions a user would call. */
static void gather_split(const hand_data *it, const rls2__recipe *recipe, double lambda,
                         gathered *all)
{
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *paths[MOST_OUTPUTS];
    int64_t outputs = rls2_dataset_outputs(it->train);
    rls2_columns columns = {.count = CV_COLUMNS, .names = rls2_dataset_names(it->train)};
    rls2_rows x = {rls2_dataset_rows(it->train), CV_COLUMNS, rls2_dataset_x(it->train), 0, 0, 0, 0};
    rls2_rows z = {rls2_dataset_rows(it->rest), CV_COLUMNS, rls2_dataset_x(it->rest), 0, 0, 0, 0};
    rls2_basis_options options = recipe->basis;
    options.row_weights = it->train_w;
    assert_ok(rls2_dictionary_create(recipe->kernels, &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &x, &options, NULL, &basis, &err), &err);
    const rls2_basis *bases[MOST_OUTPUTS] = {basis, basis, basis};
    assert_ok(rls2_path_fit(outputs, bases, rls2_dataset_y(it->train), 1, &lambda, &recipe->path,
                            NULL, paths, &err),
              &err);
    for (int64_t o = 0; o < outputs; o++) {
        rls2_model *model;
        const rls2_path *path = paths[o];
        assert_ok(rls2_model_create(1, &path, 0, &model, &err), &err);
        gather_output(it, &z, model, o, all);
        rls2_model_free(model);
        rls2_path_free(paths[o]);
    }
    for (int64_t t = 0; t < z.n; t++) all->w[all->rows + t] = it->rest_w[t];
    all->rows += z.n;
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

static double weighted_mean(const gathered *all, const double *v)
{
    double sum = 0.0, total = 0.0;
    for (int64_t t = 0; t < all->rows; t++) {
        sum += all->w[t] * v[t];
        total += all->w[t];
    }
    return sum / total;
}

static double covariance(const gathered *all, const double *u, const double *v)
{
    double a = weighted_mean(all, u), b = weighted_mean(all, v), sum = 0.0;
    for (int64_t t = 0; t < all->rows; t++) sum += all->w[t] * (u[t] - a) * (v[t] - b);
    return sum;
}

/* cov(f_k, 2 r - g) / var(r), kernel by kernel. */
static void assert_shares(const gathered *all, const rls2_cv *cv, int64_t i, int64_t o)
{
    const int64_t *kernels;
    const double *shares;
    int64_t count = rls2_cv_shares(cv, i, o, &kernels, &shares);
    double found[MOST_KERNELS] = {0.0}, rest[CV_ROWS];
    for (int64_t t = 0; t < all->rows; t++) rest[t] = 2.0 * all->r[o][t] - all->g[o][t];
    for (int64_t k = 0; k < count; k++) {
        assert_true(k == 0 || kernels[k] > kernels[k - 1]);
        found[kernels[k]] = shares[k];
    }
    for (int k = 0; k < MOST_KERNELS; k++) {
        double share =
            covariance(all, all->part[o][k], rest) / covariance(all, all->r[o], all->r[o]);
        if (fabs(found[k] - share) > 1e-6)
            fail_msg("lambda %d, output %d, kernel %d: %g and %g", (int)i, (int)o, k, found[k],
                     share);
    }
}

typedef struct share_case {
    const char *target;
    int weighted;
    rls2_intercept intercept;
    const char *class_weights;
} share_case;

static const share_case CASES[] = {
    {"y1", 0, RLS2_INTERCEPT_MEAN, NULL},    {"y1", 1, RLS2_INTERCEPT_MEAN, NULL},
    {"y2", 1, RLS2_INTERCEPT_NONE, NULL},    {"two", 0, RLS2_INTERCEPT_NONE, NULL},
    {"three", 1, RLS2_INTERCEPT_NONE, NULL}, {"two", 1, RLS2_INTERCEPT_MEAN, "yes=2.5"}};
enum { CASES_COUNT = sizeof CASES / sizeof CASES[0] };

static rls2__recipe recipe_of(const share_case *it)
{
    rls2__recipe recipe = cv_recipe(it->target, KERNELS, it->weighted);
    recipe.path.intercept = it->intercept;
    recipe.class_weights = it->class_weights;
    return recipe;
}

static void cv_shares__splits_fitted_by_hand__equal_the_definition(void **state)
{
    (void)state;
    for (int c = 0; c < CASES_COUNT; c++) {
        cv_data data = cv_data_make(60 + (uint64_t)c);
        rls2_table *table = cv_data_table(&data, 0);
        rls2_splits *splits = cv_data_splits(&data, 0);
        rls2__recipe recipe = recipe_of(&CASES[c]);
        rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_AUTO, 0);
        for (int64_t i = 0; i < CV_LAMBDAS; i++) {
            gathered *all = calloc(1, sizeof *all);
            assert_non_null(all);
            for (int64_t s = 0; s < CV_FOLDS; s++) {
                hand_data it = hand_make(table, &recipe, splits, s);
                gather_split(&it, &recipe, rls2_cv_at(cv, i)->lambda, all);
                hand_free(&it);
            }
            assert_int_equal(all->rows, CV_ROWS);
            for (int64_t o = 0; o < rls2_cv_outputs(cv); o++) assert_shares(all, cv, i, o);
            free(all);
        }
        rls2_cv_free(cv);
        rls2_splits_free(splits);
        rls2_table_free(table);
    }
}

/* With folds of equal size and an intercept that is the mean, nothing but the kernels explains. */
static void cv_shares__sum__is_the_variance_explained(void **state)
{
    (void)state;
    enum { FOLDS = 6 };
    cv_data data = cv_data_make(70);
    for (int64_t t = 0; t < CV_ROWS; t++) data.fold[t] = t % FOLDS;
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = recipe_of(&CASES[0]);
    rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_R2, 0);
    double total = 0.0, r[CV_ROWS];
    for (int64_t t = 0; t < CV_ROWS; t++) {
        double mean = 0.0;
        for (int64_t u = 0; u < CV_ROWS; u++)
            if (data.fold[u] != data.fold[t]) mean += data.y[0][u] / (CV_ROWS - CV_ROWS / FOLDS);
        r[t] = data.y[0][t] - mean; /* sums to zero */
        total += r[t] * r[t];
    }
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        const double *f = rls2_cv_predictions(cv, i), *shares;
        double sum = 0.0, bias = 0.0, rest = 0.0;
        int64_t count = rls2_cv_shares(cv, i, 0, NULL, &shares);
        for (int64_t k = 0; k < count; k++) sum += shares[k];
        for (int64_t t = 0; t < CV_ROWS; t++) bias += (data.y[0][t] - f[t]) / CV_ROWS;
        for (int64_t t = 0; t < CV_ROWS; t++) rest += pow(data.y[0][t] - f[t] - bias, 2.0);
        assert_true(fabs(sum - (1.0 - rest / total)) <= 1e-9);
    }
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* A kernel so narrow that it can only remember rows fits all of the noise and explains none. */
static void cv_shares__memorised_noise__explains_nothing(void **state)
{
    (void)state;
    cv_data data = cv_data_make(71);
    const double *shares;
    const int64_t *kernels;
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", "rbf(1e6)@all; linear@x1", 0);
    rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_RMSE, 0);
    int64_t last = rls2_cv_count(cv) - 1;
    int64_t count = rls2_cv_shares(cv, last, 0, &kernels, &shares);
    assert_int_equal(count, 2);
    assert_int_equal(kernels[0], 0);
    assert_true(shares[0] < 0.01);
    assert_true(shares[1] > shares[0]);
    assert_int_equal(rls2_cv_shares(cv, last + 1, 0, &kernels, &shares), 0);
    assert_int_equal(rls2_cv_shares(cv, 0, 1, NULL, NULL), 0);
    assert_int_equal(rls2_cv_shares(NULL, 0, 0, NULL, NULL), 0);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

static void cv_shares__threads__do_not_change_a_bit(void **state)
{
    (void)state;
    cv_data data = cv_data_make(72);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = recipe_of(&CASES[4]);
    rls2_cv *one = cv_of(table, &recipe, splits, RLS2_MEASURE_AUTO, 1);
    rls2_cv *four = cv_of(table, &recipe, splits, RLS2_MEASURE_AUTO, 4);
    for (int64_t i = 0; i < CV_LAMBDAS; i++)
        for (int64_t o = 0; o < rls2_cv_outputs(one); o++) {
            const double *a, *b;
            int64_t count = rls2_cv_shares(one, i, o, NULL, &a);
            assert_int_equal(rls2_cv_shares(four, i, o, NULL, &b), count);
            assert_memory_equal(a, b, (size_t)count * sizeof *a);
        }
    rls2_cv_free(one);
    rls2_cv_free(four);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_shares__splits_fitted_by_hand__equal_the_definition),
        cmocka_unit_test(cv_shares__sum__is_the_variance_explained),
        cmocka_unit_test(cv_shares__memorised_noise__explains_nothing),
        cmocka_unit_test(cv_shares__threads__do_not_change_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
