/* Cross-validation of several outputs: against one fit for each output made by hand, and splits in
 * which a class is rare or missing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/cv.h"
#include "support/cv_table.h"
#include "support/one_output.h"
#include "support/cv_run.h"

static const char KERNELS[] = "linear; rbf(0.3)@all; poly(2)@x2";
static const double LAMBDA[CV_LAMBDAS] = {3.0, 1.0, 0.1, 1e-2, 1e-3};

/* ---- one versus all by hand ---- */

/* The rows of one part of a split. */
typedef struct part {
    int64_t n;
    const int64_t *rows;
    double x[CV_ROWS * CV_COLUMNS];
    rls2_rows view;
} part;

static void take_part(const cv_data *data, int64_t n, const int64_t *rows, part *p)
{
    p->n = n;
    p->rows = rows;
    for (int64_t j = 0; j < CV_COLUMNS; j++)
        for (int64_t i = 0; i < n; i++) p->x[j * n + i] = data->x[j][rows[i]];
    p->view = (rls2_rows){.n = n, .p = CV_COLUMNS, .x = p->x};
}

/* What the fit of class k against all others says, f[validation x lambdas]; kernels it selects are
 * marked. */
static void fit_class(const cv_data *data, int k, const part *train, const part *rest,
                      const rls2__recipe *recipe, double *f, unsigned char (*selected)[CV_LAMBDAS])
{
    static const char *const names[] = {"x1", "x2", "x3"};
    double y[CV_ROWS], w[CV_ROWS], rows_of[3] = {0.0, 0.0, 0.0};
    rls2_columns columns = {.count = CV_COLUMNS, .names = names};
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
    rls2_error err;
    for (int64_t i = 0; i < train->n; i++) rows_of[data->three[train->rows[i]]]++;
    for (int64_t i = 0; i < train->n; i++) {
        int label = data->three[train->rows[i]];
        y[i] = label == k ? 1.0 : -1.0;
        w[i] = (double)train->n / (3.0 * rows_of[label]);
    }
    rls2_basis_options options = recipe->basis;
    options.labels = y;
    if (recipe->class_weights) options.row_weights = w;
    assert_ok(rls2_dictionary_create(KERNELS, &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &train->view, &options, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, y, CV_LAMBDAS, LAMBDA, &recipe->path, &path, &err), &err);
    assert_ok(rls2_path_predict(path, &rest->view, f, &err), &err);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        const int64_t *ks;
        int64_t count = rls2_path_kernel_weights(path, i, &ks, NULL);
        for (int64_t t = 0; t < count; t++) selected[ks[t]][i] = 1;
    }
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
}

/* Scores, predictions and counts of kernels of one split. */
static void assert_split(const cv_data *data, const rls2_cv *cv, const rls2_splits *splits,
                         int64_t s, const rls2__recipe *recipe, double nzero[CV_LAMBDAS])
{
    part train, rest;
    const int64_t *rows;
    double f[3][CV_ROWS * CV_LAMBDAS];
    unsigned char selected[CV_COLUMNS + 2][CV_LAMBDAS] = {{0}};
    int64_t n = rls2_splits_training(splits, s, &rows);
    take_part(data, n, rows, &train);
    n = rls2_splits_validation(splits, s, &rows);
    take_part(data, n, rows, &rest);
    for (int k = 0; k < 3; k++) fit_class(data, k, &train, &rest, recipe, f[k], selected);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        const double *said = rls2_cv_predictions(cv, i);
        double right = 0.0;
        for (int64_t t = 0; t < n; t++) {
            const double u[] = {f[0][i * n + t], f[1][i * n + t], f[2][i * n + t]};
            int best = u[1] > u[0] ? 1 : 0;
            if (u[2] > u[best]) best = 2;
            right += best == data->three[rows[t]];
            for (int k = 0; k < 3; k++)
                assert_true(fabs(said[k * CV_ROWS + rows[t]] - u[k]) <= 1e-6 * (1.0 + fabs(u[k])));
        }
        assert_true(rls2_cv_score(cv, i, s) == right / (double)n);
        for (int k = 0; k < CV_COLUMNS + 2; k++) nzero[i] += (double)selected[k][i] / CV_FOLDS;
    }
}

static void cv_run__three_classes__equals_three_fits_and_the_largest(void **state)
{
    (void)state;
    static const rls2_scaling rules[] = {RLS2_SCALING_TRACE, RLS2_SCALING_FISHER,
                                         RLS2_SCALING_FISHER_SQRT};
    cv_data data = cv_data_make(1);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    for (int run = 0; run < 12; run++) {
        double nzero[CV_LAMBDAS] = {0.0};
        rls2__recipe recipe = cv_recipe("three", KERNELS, 0);
        recipe.lambdas = LAMBDA;
        recipe.basis.scaling = rules[run % 3];
        recipe.path.intercept = run / 3 % 2 ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
        recipe.class_weights = run / 6 ? "balanced" : NULL;
        rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_AUTO, 2);
        assert_int_equal(rls2_cv_measure(cv), RLS2_MEASURE_ACCURACY);
        assert_int_equal(rls2_cv_outputs(cv), 3);
        for (int64_t s = 0; s < CV_FOLDS; s++) assert_split(&data, cv, splits, s, &recipe, nzero);
        for (int64_t i = 0; i < CV_LAMBDAS; i++)
            assert_true(fabs(rls2_cv_at(cv, i)->nzero - nzero[i]) <= 1e-12);
        rls2_cv_free(cv);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* Chance is one third; the three classes are of the inputs. */
static void cv_run__three_classes__all_measures_are_good(void **state)
{
    (void)state;
    cv_data data = cv_data_make(2);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("three", KERNELS, 0);
    const rls2_measure measures[] = {RLS2_MEASURE_ACCURACY, RLS2_MEASURE_BALANCED_ACCURACY,
                                     RLS2_MEASURE_AUC};
    for (int k = 0; k < 3; k++) {
        rls2_cv *cv = cv_of(table, &recipe, splits, measures[k], 0);
        double best = rls2_cv_at(cv, rls2_cv_min(cv))->cvm;
        if (!(best > 0.55 && best <= 1.0))
            fail_msg("%s is %g", rls2_measure_name(measures[k]), best);
        for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
            const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
            assert_non_null(point);
            assert_true(point->cvm > 0.4 && point->cvm <= 1.0);
        }
        rls2_cv_free(cv);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

static void cv_run__any_number_of_threads__gives_the_same_bits(void **state)
{
    (void)state;
    cv_data data = cv_data_make(3);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("three", KERNELS, 1);
    recipe.class_weights = "balanced";
    recipe.basis.scaling = RLS2_SCALING_FISHER;
    rls2_cv *one = cv_of(table, &recipe, splits, RLS2_MEASURE_AUC, 1);
    rls2_cv *two = cv_of(table, &recipe, splits, RLS2_MEASURE_AUC, 2);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        assert_memory_equal(rls2_cv_at(one, i), rls2_cv_at(two, i), sizeof(rls2_cv_point));
        assert_memory_equal(rls2_cv_predictions(one, i), rls2_cv_predictions(two, i),
                            3 * CV_ROWS * sizeof(double));
    }
    for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++)
        assert_memory_equal(rls2_cv_baseline(one, (rls2_baseline)b),
                            rls2_cv_baseline(two, (rls2_baseline)b), sizeof(rls2_cv_point));
    rls2_cv_free(one);
    rls2_cv_free(two);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- several responses ---- */

static void cv_run__several_targets__are_scored_by_their_mean(void **state)
{
    (void)state;
    static const char *const both[] = {"y1", "y2"}, *const drop[] = {"two", "three", "w"};
    cv_data data = cv_data_make(4);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe alone[] = {cv_recipe("y1", KERNELS, 0), cv_recipe("y2", KERNELS, 0)},
                 together = alone[0];
    alone[0].lambdas = alone[1].lambdas = together.lambdas = LAMBDA;
    together.data.target = NULL;
    together.data.targets = both;
    together.data.target_count = 2;
    together.data.drop = drop;
    together.data.drop_count = 3;
    rls2_cv *each[] = {cv_of(table, &alone[0], splits, RLS2_MEASURE_R2, 0),
                       cv_of(table, &alone[1], splits, RLS2_MEASURE_R2, 0)};
    rls2_cv *cv = cv_of(table, &together, splits, RLS2_MEASURE_AUTO, 0);
    assert_int_equal(rls2_cv_measure(cv), RLS2_MEASURE_R2);
    assert_int_equal(rls2_cv_outputs(cv), 2);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        for (int64_t s = 0; s < CV_FOLDS; s++) {
            double mean = (rls2_cv_score(each[0], i, s) + rls2_cv_score(each[1], i, s)) / 2.0;
            assert_true(fabs(rls2_cv_score(cv, i, s) - mean) <= 1e-14);
        }
        for (int o = 0; o < 2; o++)
            assert_memory_equal(rls2_cv_predictions(cv, i) + o * CV_ROWS,
                                rls2_cv_predictions(each[o], i), CV_ROWS * sizeof(double));
    }
    rls2_cv_free(each[0]);
    rls2_cv_free(each[1]);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* Each response has weights of its own: with one lambda, a baseline's score is the mean of those
 * alone. */
static void cv_baseline__several_targets__is_the_mean_of_each_alone(void **state)
{
    (void)state;
    static const char *const both[] = {"y1", "y2"}, *const drop[] = {"two", "three"};
    cv_data data = cv_data_make(12);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    for (int64_t i = 0; i < CV_LAMBDAS; i++) {
        rls2__recipe alone[] = {cv_recipe("y1", KERNELS, 1), cv_recipe("y2", KERNELS, 1)},
                     together = alone[0];
        alone[0].lambdas = alone[1].lambdas = together.lambdas = LAMBDA + i;
        alone[0].lambda_count = alone[1].lambda_count = together.lambda_count = 1;
        together.data.target = NULL;
        together.data.targets = both;
        together.data.target_count = 2;
        together.data.drop = drop;
        together.data.drop_count = 2;
        rls2_cv *each[] = {cv_of(table, &alone[0], splits, RLS2_MEASURE_R2, 0),
                           cv_of(table, &alone[1], splits, RLS2_MEASURE_R2, 0)};
        rls2_cv *cv = cv_of(table, &together, splits, RLS2_MEASURE_R2, 0);
        for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
            const rls2_cv_point *p = rls2_cv_baseline(each[0], (rls2_baseline)b);
            const rls2_cv_point *q = rls2_cv_baseline(each[1], (rls2_baseline)b);
            const rls2_cv_point *all = rls2_cv_baseline(cv, (rls2_baseline)b);
            assert_true(fabs(all->cvm - (p->cvm + q->cvm) / 2.0) <= 1e-12);
            assert_true(all->nzero >= p->nzero && all->nzero <= p->nzero + q->nzero);
            if (b == RLS2_BASELINE_UNIFORM || b == RLS2_BASELINE_RIDGE)
                assert_true(all->nzero == p->nzero);
        }
        rls2_cv_free(each[0]);
        rls2_cv_free(each[1]);
        rls2_cv_free(cv);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

static void cv_run__one_of_several_targets__is_the_plain_one(void **state)
{
    (void)state;
    static const char *const only[] = {"y2"};
    cv_data data = cv_data_make(5);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe plain = cv_recipe("y2", KERNELS, 0), listed = plain;
    listed.data.target = NULL;
    listed.data.targets = only;
    listed.data.target_count = 1;
    rls2_cv *a = cv_of(table, &plain, splits, RLS2_MEASURE_AUTO, 0);
    rls2_cv *b = cv_of(table, &listed, splits, RLS2_MEASURE_AUTO, 0);
    assert_int_equal(rls2_cv_measure(b), RLS2_MEASURE_RMSE);
    assert_same_cv(a, b, 0.0);
    rls2_cv_free(a);
    rls2_cv_free(b);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- classes that are rare or missing ---- */

/* Fold 0 holds all rows of class b, or all but one, or b has a single row at all. */
static void cv_run__class_missing_or_single_in_a_split__is_borne(void **state)
{
    (void)state;
    static const rls2_scaling rules[] = {RLS2_SCALING_TRACE, RLS2_SCALING_FISHER,
                                         RLS2_SCALING_FISHER_SQRT};
    for (int run = 0; run < 18; run++) {
        cv_data data = cv_data_make(6);
        int kept = 0, how = run / 3 % 3;
        for (int64_t i = 0; i < CV_ROWS; i++) {
            if (data.three[i] != 1) continue;
            kept++;
            if (how == 2 && kept > 1)
                data.three[i] = 0;
            else if (how == 0 || (how == 1 && kept > 1))
                data.fold[i] = 0;
            else
                data.fold[i] = 1;
        }
        rls2_table *table = cv_data_table(&data, 0);
        rls2_splits *splits = cv_data_splits(&data, 0);
        rls2__recipe recipe = cv_recipe("three", KERNELS, 0);
        recipe.lambdas = LAMBDA;
        recipe.basis.scaling = rules[run % 3];
        recipe.class_weights = run / 9 ? "balanced" : NULL;
        rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_ACCURACY, 0);
        assert_true(rls2_cv_min(cv) >= 0);
        for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++)
            assert_non_null(rls2_cv_baseline(cv, (rls2_baseline)b));
        for (int64_t i = 0; i < CV_LAMBDAS; i++)
            for (int64_t t = 0; t < CV_ROWS; t++) {
                double f = rls2_cv_predictions(cv, i)[CV_ROWS + t];
                assert_true(isfinite(f));
                if (how == 0 && data.fold[t] == 0) assert_true(f == -1.0); /* never seen there */
                if (how == 2 && data.fold[t] == 1) assert_true(f == -1.0);
            }
        rls2_cv_free(cv);
        rls2_splits_free(splits);
        rls2_table_free(table);
    }
}

/* ---- leakage ---- */

/* Labels that have nothing to do with 400 inputs, of which a few are selected: if scalings,
 * preprocessing or selection saw the rows left out, the accuracy would be far above a third. */
static void cv_run__three_random_labels__score_at_chance(void **state)
{
    (void)state;
    enum { N = 60, P = 400, ROOM = N * (P * 9 + 4) + P * 8 };
    rls2__random random;
    rls2_error err;
    rls2_table *table;
    rls2_splits *splits;
    double strata[N], mean = 0.0;
    rls2__random_seed(&random, 78);
    char *text = malloc(ROOM), *at = text;
    assert_non_null(text);
    for (int j = 0; j < P; j++) at += sprintf(at, "g%d,", j);
    at += sprintf(at, "y\n");
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < P; j++) at += sprintf(at, "%.4f,", rls2__random_normal(&random));
        at += sprintf(at, "%c\n", "abc"[i % 3]);
        strata[i] = i % 3;
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)(at - text), &table, &err), &err);
    assert_ok(rls2_splits_folds(N, strata, 6, 3, 4, &splits, &err), &err);
    for (int standardize = 0; standardize < 2; standardize++) {
        rls2__recipe recipe = rls2__recipe_default();
        recipe.data.target = "y";
        recipe.kernels = "linear";
        recipe.lambda_count = CV_LAMBDAS;
        recipe.basis.scaling = RLS2_SCALING_FISHER_SQRT;
        recipe.preprocessing.features =
            standardize ? RLS2_NORMALIZE_STANDARDIZE : RLS2_NORMALIZE_NONE;
        rls2_cv *cv = cv_of(table, &recipe, splits, RLS2_MEASURE_ACCURACY, 0);
        mean = 0.0;
        for (int64_t i = 0; i < CV_LAMBDAS; i++) mean += rls2_cv_at(cv, i)->cvm / CV_LAMBDAS;
        if (!(mean > 0.2 && mean < 0.46)) fail_msg("mean accuracy %.3f", mean);
        rls2_cv_free(cv);
    }
    free(text);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- given matrices ---- */

static rls2_cv *run_sharing(const rls2_table *table, const rls2__recipe *recipe,
                            const rls2_splits *splits, rls2_measure measure, rls2__sharing sharing)
{
    rls2_error err;
    rls2_cv *cv = NULL;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    options.measure = measure;
    options.baselines = 1;
    assert_ok(cv_run_sharing(table, recipe, splits, &options, sharing, &cv, &err), &err);
    return cv;
}

static void fill_given(const cv_data *data, double gamma, double *K)
{
    for (int64_t j = 0; j < data->n; j++)
        for (int64_t i = 0; i < data->n; i++) {
            double distance = 0.0;
            for (int c = 0; c < CV_COLUMNS; c++)
                distance += pow(data->x[c][i] - data->x[c][j], 2.0);
            K[j * data->n + i] = exp(-gamma * distance);
        }
}

static void cv_run__given_matrices__equal_the_kernels_they_were_made_of(void **state)
{
    (void)state;
    static double K[CV_ROWS * CV_ROWS], unused[CV_ROWS * CV_ROWS];
    static const char *const names[] = {"U", "K"}, *const targets[] = {"y1", "two", "three"};
    const double *const matrices[] = {unused, K};
    cv_data data = cv_data_make(7);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    fill_given(&data, 0.3, K);
    for (int run = 0; run < 12; run++) {
        rls2__recipe computed = cv_recipe(targets[run % 3], "linear; rbf(0.3)@all; rbf(2)@x1", 1);
        computed.basis.scaling = run / 3 % 2 && run % 3 ? RLS2_SCALING_FISHER : RLS2_SCALING_TRACE;
        rls2__recipe given = computed;
        given.kernels = "linear; given(K); rbf(2)@x1";
        given.given_count = 2;
        given.given_names = names;
        given.given = matrices;
        rls2__sharing sharing = run / 6 ? RLS2__SHARING_NEVER : RLS2__SHARING_WHERE_IT_PAYS;
        rls2_cv *a = run_sharing(table, &computed, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_NEVER);
        rls2_cv *b = run_sharing(table, &given, splits, RLS2_MEASURE_AUTO, sharing);
        assert_same_cv(b, a, 1e-8);
        rls2_cv_free(a);
        rls2_cv_free(b);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* The matrices are of the rows that are split: of those that are left. */
static void cv_run__given_matrix_and_an_empty_cell__counts_the_rows_that_remain(void **state)
{
    (void)state;
    static const char *const names[] = {"K"};
    static const char TEXT[] = "x,y\n1,1\n2,2.5\n,7\n4,3\n5,6\n6,5\n7.5,8\n9,8\n";
    static const double x[] = {1, 2, 4, 5, 6, 7.5, 9};
    double K[49];
    const double *const matrices[] = {K};
    rls2_error err;
    rls2_table *table;
    rls2_splits *splits;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++) K[j * 7 + i] = exp(-0.1 * (x[i] - x[j]) * (x[i] - x[j]));
    assert_ok(rls2_table_parse_csv("t.csv", TEXT, sizeof TEXT - 1, &table, &err), &err);
    assert_ok(rls2_splits_folds(7, NULL, 3, 1, 1, &splits, &err), &err);
    rls2__recipe computed = rls2__recipe_default();
    computed.data.target = "y";
    computed.kernels = "rbf(0.1)@x";
    computed.lambda_count = CV_LAMBDAS;
    rls2__recipe given = computed;
    given.kernels = "given(K)";
    given.given_count = 1;
    given.given_names = names;
    given.given = matrices;
    for (int sharing = 0; sharing < 2; sharing++) {
        rls2_cv *a = run_sharing(table, &computed, splits, RLS2_MEASURE_RMSE, RLS2__SHARING_NEVER);
        rls2_cv *b = run_sharing(table, &given, splits, RLS2_MEASURE_RMSE, (rls2__sharing)sharing);
        assert_same_cv(b, a, 1e-8);
        rls2_cv_free(a);
        rls2_cv_free(b);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- kernels evaluated once ---- */

static void cv_run__kernels_evaluated_once__give_the_same(void **state)
{
    (void)state;
    static const char *const targets[] = {"y1", "two", "three"};
    static const rls2_scaling rules[] = {RLS2_SCALING_TRACE, RLS2_SCALING_NONE,
                                         RLS2_SCALING_FISHER_SQRT};
    cv_data data = cv_data_make(8);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    for (int run = 0; run < 24; run++) {
        rls2__recipe recipe = cv_recipe(
            targets[run % 3],
            "linear@each,all; poly(1..3)@all,each; rbf(0.01|1|100)@all,each; laplace(1)@x1; "
            "delta@x2; matern(1.5)@x1+x3",
            run / 12);
        int rule = run / 3 % 2 ? (run % 3 == 0 ? 1 : 2) : 0;
        recipe.basis.scaling = rules[rule];
        recipe.basis.center = rule == 0 && run / 12;
        recipe.preprocessing.examples = run / 6 % 2 ? RLS2_NORMALIZE_UNIT : RLS2_NORMALIZE_NONE;
        rls2_cv *a = run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_NEVER);
        rls2_cv *b =
            run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_WHERE_IT_PAYS);
        assert_same_cv(b, a, 1e-7);
        rls2_cv_free(a);
        rls2_cv_free(b);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* What is measured over rows must not be shared: with it both ways are one. */
static void cv_run__features_standardised_or_splines__are_not_shared(void **state)
{
    (void)state;
    cv_data data = cv_data_make(9);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    for (int spline = 0; spline < 2; spline++) {
        rls2__recipe recipe =
            cv_recipe("y1", spline ? "rbf(1)@all; spline@each" : "rbf(1)@all,each", 0);
        if (!spline) recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
        rls2_cv *a = run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_NEVER);
        rls2_cv *b =
            run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_WHERE_IT_PAYS);
        assert_same_cv(b, a, 0.0);
        rls2_cv_free(a);
        rls2_cv_free(b);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* Under a limit that lets the kernels of all rows in once but not twice each split has its own. */
static void cv_run__little_memory__evaluates_for_each_split(void **state)
{
    (void)state;
    cv_data data = cv_data_make(11);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", "laplace(1|2)@all", 0);
    recipe.basis.memory = 2 * (CV_ROWS * (CV_ROWS + 1) / 2) * (int64_t)sizeof(double) + 100;
    rls2_cv *a = run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_NEVER);
    rls2_cv *b =
        run_sharing(table, &recipe, splits, RLS2_MEASURE_AUTO, RLS2__SHARING_WHERE_IT_PAYS);
    assert_same_cv(b, a, 0.0);
    rls2_cv_free(a);
    rls2_cv_free(b);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- arguments ---- */

static void assert_refused(const rls2_table *table, const rls2__recipe *recipe,
                           const rls2_splits *splits, rls2_status status, const char *text)
{
    rls2_error err;
    rls2_cv *cv = NULL;
    assert_int_equal(cv_run(table, recipe, splits, NULL, &cv, &err), status);
    assert_null(cv);
    if (!strstr(err.message, text)) fail_msg("'%s' has no '%s'", err.message, text);
}

static void cv_run__recipes_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    static const char *const both[] = {"y1", "y2"}, *const drop[] = {"three", "w"};
    cv_data data = cv_data_make(10);
    rls2_table *table = cv_data_table(&data, 0);
    rls2_splits *splits = cv_data_splits(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", KERNELS, 0);
    recipe.class_weights = "balanced";
    assert_refused(table, &recipe, splits, RLS2_ERR_ARGUMENT, "class");
    recipe = cv_recipe("three", KERNELS, 0);
    recipe.class_weights = "d=2";
    assert_refused(table, &recipe, splits, RLS2_ERR_NAME, "'d'");
    recipe = cv_recipe("y1", KERNELS, 0);
    recipe.data.target = NULL;
    recipe.data.targets = both;
    recipe.data.target_count = 2;
    recipe.data.drop = drop;
    recipe.data.drop_count = 2;
    recipe.basis.scaling = RLS2_SCALING_FISHER;
    assert_refused(table, &recipe, splits, RLS2_ERR_ARGUMENT, "labels");
    assert_int_equal(rls2_cv_outputs(NULL), 0);
    rls2_splits_free(splits);
    rls2_table_free(table);
}

/* ---- tumours ---- */

/* The small round blue cell tumours, where they are at hand: four classes, 2308 genes, 83 rows. */
static void cv_run__khan__tells_four_tumours_apart(void **state)
{
    (void)state;
    static const char *const drop[] = {"set"};
    const char *folder = getenv("RLS2_ORIGINALS");
    char path[4096];
    rls2_error err;
    rls2_table *table = NULL;
    rls2_dataset *whole;
    rls2_splits *splits;
    double strata[83];
    snprintf(path, sizeof path, "%s/khan.csv.gz", folder && *folder ? folder : "../shared/data");
    FILE *file = fopen(path, "rb");
    if (!file) {
        print_message("%s is not there\n", path);
        skip();
        return;
    }
    fclose(file);
    assert_ok(rls2_table_read(path, NULL, &table, &err), &err);
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "class";
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.kernels = "linear";
    recipe.basis.scaling = RLS2_SCALING_FISHER_SQRT;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.lambda_count = 8;
    assert_ok(rls2_dataset_create(table, &recipe.data, &whole, &err), &err);
    assert_int_equal(rls2_dataset_outputs(whole), 4);
    assert_int_equal(rls2_dataset_rows(whole), 83);
    for (int i = 0; i < 83; i++) strata[i] = (double)rls2_dataset_classes(whole)[i];
    assert_ok(rls2_splits_folds(83, strata, 5, 1, 1, &splits, &err), &err);
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    rls2_cv *cv = NULL;
    assert_ok(cv_run(table, &recipe, splits, &options, &cv, &err), &err);
    const rls2_cv_point *best = rls2_cv_at(cv, rls2_cv_min(cv));
    if (!(best->cvm >= 0.95)) fail_msg("accuracy %.3f with %.1f genes", best->cvm, best->nzero);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_dataset_free(whole);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__three_classes__equals_three_fits_and_the_largest),
        cmocka_unit_test(cv_run__three_classes__all_measures_are_good),
        cmocka_unit_test(cv_run__any_number_of_threads__gives_the_same_bits),
        cmocka_unit_test(cv_run__several_targets__are_scored_by_their_mean),
        cmocka_unit_test(cv_baseline__several_targets__is_the_mean_of_each_alone),
        cmocka_unit_test(cv_run__one_of_several_targets__is_the_plain_one),
        cmocka_unit_test(cv_run__class_missing_or_single_in_a_split__is_borne),
        cmocka_unit_test(cv_run__three_random_labels__score_at_chance),
        cmocka_unit_test(cv_run__given_matrices__equal_the_kernels_they_were_made_of),
        cmocka_unit_test(cv_run__given_matrix_and_an_empty_cell__counts_the_rows_that_remain),
        cmocka_unit_test(cv_run__kernels_evaluated_once__give_the_same),
        cmocka_unit_test(cv_run__features_standardised_or_splines__are_not_shared),
        cmocka_unit_test(cv_run__little_memory__evaluates_for_each_split),
        cmocka_unit_test(cv_run__recipes_that_do_not_fit__are_refused),
        cmocka_unit_test(cv_run__khan__tells_four_tumours_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
