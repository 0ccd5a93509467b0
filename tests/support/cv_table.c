/* Draws the table, makes recipes, and compares two cross-validations. */
#include "support/cv_table.h"
#include "support/cv_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cv_data cv_data_make(uint64_t seed)
{
    rls2__random random;
    cv_data data = {.n = CV_ROWS};
    rls2__random_seed(&random, seed);
    for (int i = 0; i < CV_ROWS; i++) {
        for (int j = 0; j < CV_COLUMNS; j++) data.x[j][i] = rls2__random_normal(&random);
        double u = data.x[0][i] + 0.6 * rls2__random_normal(&random);
        double v = sin(2.0 * data.x[1][i]) + 0.4 * rls2__random_normal(&random);
        data.y[0][i] = 3.0 + u + v;
        data.y[1][i] = u - 0.5 * data.x[2][i] + 0.3 * rls2__random_normal(&random);
        data.two[i] = u > 0.3;
        data.three[i] = u > 0.5 ? 2 : v > 0.0;
        data.w[i] = 1 + (int)rls2__random_below(&random, 3);
        data.fold[i] = i % CV_FOLDS;
    }
    return data;
}

static int copies_of(const cv_data *data, int64_t i, int repeated)
{
    return repeated ? data->w[i] : 1;
}

rls2_table *cv_data_table(const cv_data *data, int repeated)
{
    rls2_error err;
    rls2_table *table = NULL;
    size_t room = (size_t)data->n * 3 * 200 + 100, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    at += (size_t)snprintf(text, room, "x1,x2,x3,y1,y2,two,three,w\n");
    for (int64_t i = 0; i < data->n; i++)
        for (int copy = 0; copy < copies_of(data, i, repeated); copy++) {
            for (int j = 0; j < CV_COLUMNS; j++)
                at += (size_t)snprintf(text + at, room - at, "%.17g,", data->x[j][i]);
            at += (size_t)snprintf(text + at, room - at, "%.17g,%.17g,%s,%c,%d\n", data->y[0][i],
                                   data->y[1][i], data->two[i] ? "yes" : "no",
                                   "abc"[data->three[i]], repeated ? 1 : data->w[i]);
        }
    assert_true(at < room);
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

rls2_splits *cv_data_splits(const cv_data *data, int repeated)
{
    int64_t fold[3 * CV_ROWS], n = 0;
    rls2_error err;
    rls2_splits *splits = NULL;
    for (int64_t i = 0; i < data->n; i++)
        for (int copy = 0; copy < copies_of(data, i, repeated); copy++) fold[n++] = data->fold[i];
    assert_ok(rls2_splits_given(n, fold, &splits, &err), &err);
    return splits;
}

rls2__recipe cv_recipe(const char *target, const char *kernels, int weighted)
{
    static const char *const drop[][4] = {{"y2", "two", "three", "w"},
                                          {"y1", "two", "three", "w"},
                                          {"y1", "y2", "three", "w"},
                                          {"y1", "y2", "two", "w"}};
    static const char *const targets[] = {"y1", "y2", "two", "three"};
    rls2__recipe recipe = rls2__recipe_default();
    int which = 0;
    while (strcmp(targets[which], target) != 0) which++;
    recipe.data.target = target;
    recipe.data.row_weights = weighted ? "w" : NULL;
    recipe.data.drop = drop[which];
    recipe.data.drop_count = weighted ? 3 : 4;
    recipe.kernels = kernels;
    recipe.lambda_count = CV_LAMBDAS;
    recipe.ratio = 1e-4;
    recipe.path.gap_tol = 1e-12;
    return recipe;
}

rls2_cv *cv_of(const rls2_table *table, const rls2__recipe *recipe, const rls2_splits *splits,
               rls2_measure measure, int threads)
{
    rls2_cv *cv = NULL;
    rls2_error err;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    options.measure = measure;
    options.threads = threads;
    options.baselines = 1;
    assert_ok(cv_run(table, recipe, splits, &options, &cv, &err), &err);
    return cv;
}

static void assert_near(const char *what, double a, double b, double tolerance)
{
    if (isnan(a) && isnan(b)) return;
    if (!(fabs(a - b) <= tolerance * (1.0 + fabs(b)))) fail_msg("%s: %.15g and %.15g", what, a, b);
}

static void assert_same_point(const char *what, const rls2_cv_point *a, const rls2_cv_point *b,
                              double tolerance)
{
    assert_near("lambda", a->lambda / b->lambda, 1.0, tolerance);
    assert_near(what, a->cvm, b->cvm, tolerance);
    assert_near("cvsd", a->cvsd, b->cvsd, tolerance);
    assert_near("nzero", a->nzero, b->nzero, tolerance);
}

void assert_same_cv(const rls2_cv *a, const rls2_cv *b, double tolerance)
{
    assert_int_equal(rls2_cv_count(a), rls2_cv_count(b));
    assert_int_equal(rls2_cv_measure(a), rls2_cv_measure(b));
    assert_int_equal(rls2_cv_outputs(a), rls2_cv_outputs(b));
    for (int64_t i = 0; i < rls2_cv_count(a); i++)
        assert_same_point("cvm", rls2_cv_at(a, i), rls2_cv_at(b, i), tolerance);
    for (int which = 0; which < RLS2_BASELINE_COUNT; which++) {
        const rls2_cv_point *p = rls2_cv_baseline(a, (rls2_baseline)which);
        const rls2_cv_point *q = rls2_cv_baseline(b, (rls2_baseline)which);
        assert_int_equal(p != NULL, q != NULL);
        if (p) assert_same_point(rls2_baseline_name((rls2_baseline)which), p, q, tolerance);
    }
}
