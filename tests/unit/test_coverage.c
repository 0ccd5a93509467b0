/* Coverage and width of intervals along the curve: once more by their definition from the left-out
 * predictions, and what they say where splits are not alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"
#include "support/unit_support.h"

typedef struct curve {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
    const rls2_cv *cv;
} curve;

static curve curve_of(rls2_table *table, const char *const *settings)
{
    rls2_error err;
    curve it = {.table = table};
    assert_ok(rls2_plan_create(RLS2_GOAL_CURVE, RLS2_VOICE_PLAIN, &it.plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(it.plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    it.cv = rls2_fit_cv(it.fit);
    return it;
}

static curve curve_of_file(const char *file, const char *const *settings)
{
    rls2_error err;
    rls2_table *table = NULL;
    assert_ok(rls2_table_read(file, NULL, &table, &err), &err);
    return curve_of(table, settings);
}

static void curve_free(curve *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

/* ---- by the definition ---- */

/* Split that leaves out each row; of a single one, tenths of its rows in turn. */
static int64_t *parts_of(const curve *it, int64_t *count)
{
    const rls2_splits *splits = rls2_plan_splits(it->plan);
    int64_t n = rls2_cv_rows(it->cv), *part = calloc((size_t)n, sizeof *part);
    int64_t number = rls2_splits_count(splits);
    assert_non_null(part);
    for (int64_t i = 0; i < n; i++) part[i] = -1;
    for (int64_t s = number - 1; s >= 0; s--) {
        const int64_t *rows;
        int64_t size = rls2_splits_validation(splits, s, &rows);
        for (int64_t t = 0; t < size; t++) part[rows[t]] = number > 1 ? s : t % 10;
    }
    *count = number > 1 ? number : 10;
    return part;
}

typedef struct ends {
    double lo, hi, score;
} ends;

/* The first and the last of all outputs where they are quantiles. */
static ends ends_of(const curve *it, const double *f, int64_t o, int quantiles, int64_t i)
{
    int64_t n = rls2_cv_rows(it->cv), outputs = rls2_cv_outputs(it->cv);
    const double *y = rls2_dataset_y(rls2_plan_split_data(it->plan));
    ends e = {f[o * n + i], f[o * n + i], 0.0};
    for (int64_t t = 0; quantiles && t < outputs; t++) {
        e.lo = fmin(e.lo, f[t * n + i]);
        e.hi = fmax(e.hi, f[t * n + i]);
    }
    e.score = fmax(e.lo - y[o * n + i], y[o * n + i] - e.hi);
    return e;
}

/* The least score that level (n + 1) rows outside of the part do not exceed; NaN: there is none. */
static double correction(const curve *it, double level, const int64_t *part, const ends *all,
                         int64_t but)
{
    double best = (double)NAN;
    int64_t n = rls2_cv_rows(it->cv), others = 0;
    for (int64_t i = 0; i < n; i++) others += part[i] >= 0 && part[i] != but;
    for (int64_t i = 0; i < n; i++) {
        int64_t within = 0;
        if (part[i] < 0 || part[i] == but) continue;
        for (int64_t j = 0; j < n; j++)
            within += part[j] >= 0 && part[j] != but && all[j].score <= all[i].score;
        if ((double)within < level * (double)(others + 1) - 1e-9) continue;
        if (isnan(best) || all[i].score < best) best = all[i].score;
    }
    return best;
}

static void assert_defined(const curve *it, double level, int64_t i, int64_t o, int quantiles)
{
    int64_t n = rls2_cv_rows(it->cv), parts, rows = 0, used = 0;
    int64_t *part = parts_of(it, &parts);
    ends *all = calloc((size_t)n, sizeof *all);
    double held = 0.0, width = 0.0, shares[200] = {0}, sizes[200] = {0}, variance = 0.0;
    assert_non_null(all);
    for (int64_t k = 0; k < n; k++)
        all[k] = ends_of(it, rls2_cv_predictions(it->cv, i), o, quantiles, k);
    for (int64_t p = 0; p < parts; p++) {
        double q = correction(it, level, part, all, p);
        for (int64_t k = 0; k < n; k++) {
            if (part[k] != p || isnan(q)) continue;
            shares[p] += all[k].score <= q;
            width += fmax(0.0, all[k].hi - all[k].lo + 2.0 * q);
            sizes[p]++;
            rows++;
        }
        held += shares[p];
        used += sizes[p] > 0.0;
    }
    held /= (double)rows;
    for (int64_t p = 0; p < parts; p++)
        if (sizes[p] > 0.0)
            variance += sizes[p] / (double)rows * pow(shares[p] / sizes[p] - held, 2.0);
    const rls2_coverage *found = rls2_cv_coverage(it->cv, i, o);
    assert_true(found->level == level);
    assert_int_equal(found->rows, rows);
    assert_near(found->coverage, held, 1e-12);
    assert_near(found->coverage_se, sqrt(variance / (double)(used - 1)), 1e-10);
    assert_near(found->width, width / (double)rows, 1e-10);
    free(all);
    free(part);
}

static void cv_coverage__folds__is_that_of_the_definition(void **state)
{
    (void)state;
    const char *const settings[] = {"target",       "lpsa",  "drop", "train",    "kernels",
                                    "linear",       "folds", "5",    "interval", "0.8",
                                    "lambda-count", "4",     NULL};
    curve it = curve_of_file("data/prostate.csv", settings);
    assert_int_equal(rls2_cv_interval_count(it.cv), 1);
    for (int64_t i = 0; i < rls2_cv_count(it.cv); i++) assert_defined(&it, 0.8, i, 0, 0);
    assert_null(rls2_cv_coverage(it.cv, 0, 1));
    assert_null(rls2_cv_coverage(it.cv, rls2_cv_count(it.cv), 0));
    assert_null(rls2_cv_coverage(NULL, 0, 0));
    curve_free(&it);
}

static void cv_coverage__repeats_and_random_splits__count_each_row_once(void **state)
{
    (void)state;
    static const char *const ways[][2] = {{"repeats", "2"}, {"splits", "6"}};
    for (int w = 0; w < 2; w++) {
        const char *const settings[] = {"target",   "lpsa",         "drop", "train",    "kernels",
                                        "linear",   "lambda-count", "2",    ways[w][0], ways[w][1],
                                        "interval", "0.8",          NULL};
        curve it = curve_of_file("data/prostate.csv", settings);
        assert_defined(&it, 0.8, 1, 0, 0);
        curve_free(&it);
    }
}

static void cv_coverage__several_quantiles__are_one_interval(void **state)
{
    (void)state;
    const char *const settings[] = {
        "target",  "lpsa",  "drop",  "train", "kernels",  "linear", "loss", "quantile(0.2,0.5,0.8)",
        "lambdas", "0.3,3", "folds", "4",     "interval", "0.9",    NULL};
    curve it = curve_of_file("data/prostate.csv", settings);
    assert_int_equal(rls2_cv_interval_count(it.cv), 1);
    assert_defined(&it, 0.9, 0, 0, 1);
    assert_defined(&it, 0.9, 1, 0, 1);
    curve_free(&it);
}

static void cv_coverage__several_targets__have_one_each(void **state)
{
    (void)state;
    const char *const settings[] = {"target",       "lpsa",    "target",   "age",   "drop",
                                    "train",        "kernels", "linear",   "folds", "3",
                                    "lambda-count", "2",       "interval", "0.7",   NULL};
    curve it = curve_of_file("data/prostate.csv", settings);
    assert_int_equal(rls2_cv_interval_count(it.cv), 2);
    assert_defined(&it, 0.7, 1, 0, 0);
    assert_defined(&it, 0.7, 1, 1, 0);
    curve_free(&it);
}

static void cv_coverage__validation_rows__are_divided(void **state)
{
    (void)state;
    const char *const settings[] = {
        "target",  "lpsa",    "kernels", "linear",   "drop", "train", "validation-rows",
        "train=F", "lambdas", "0.3,3",   "interval", "0.8",  NULL};
    curve it = curve_of_file("data/prostate.csv", settings);
    assert_defined(&it, 0.8, 1, 0, 0);
    curve_free(&it);
}

static void cv_coverage__no_interval_asked_for__is_not_there(void **state)
{
    (void)state;
    const char *const settings[] = {"target", "lpsa",    "kernels", "linear", "folds",
                                    "3",      "lambdas", "1",       NULL};
    curve it = curve_of_file("data/prostate.csv", settings);
    assert_int_equal(rls2_cv_interval_count(it.cv), 0);
    assert_null(rls2_cv_coverage(it.cv, 0, 0));
    curve_free(&it);
}

/* ---- what it tells ---- */

enum { ROWS = 400 };

/* y is noise, ten times as large in rows of the second group, which are not told apart by x. */
static rls2_table *two_groups(void)
{
    static double x[ROWS], y[ROWS], group[ROWS];
    rls2__random random;
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random_seed(&random, 3);
    for (int i = 0; i < ROWS; i++) {
        group[i] = i % 2;
        x[i] = rls2__random_normal(&random);
        y[i] = x[i] + (i % 2 ? 10.0 : 1.0) * rls2__random_normal(&random);
    }
    const rls2_column columns[] = {{.name = "x", .numbers = x, .stride = 1},
                                   {.name = "group", .numbers = group, .stride = 1},
                                   {.name = "y", .numbers = y, .stride = 1}};
    assert_ok(rls2_table_create("groups", ROWS, 3, columns, &table, &err), &err);
    return table;
}

/* Rows of the one group are all within intervals of the other, whose rows mostly are not. */
static void cv_coverage__splits_that_are_not_alike__falls_short(void **state)
{
    (void)state;
    const char *const by_group[] = {"target",  "y", "kernels",  "linear@x", "fold-column", "group",
                                    "lambdas", "1", "interval", "0.9",      NULL};
    const char *const drawn[] = {"target",   "y",     "kernels", "linear@x", "drop",
                                 "group",    "folds", "10",      "lambdas",  "1",
                                 "interval", "0.9",   NULL};
    curve grouped = curve_of(two_groups(), by_group), mixed = curve_of(two_groups(), drawn);
    assert_true(rls2_cv_coverage(grouped.cv, 0, 0)->coverage < 0.65);
    assert_true(fabs(rls2_cv_coverage(mixed.cv, 0, 0)->coverage - 0.9) < 0.03);
    curve_free(&grouped);
    curve_free(&mixed);
}

static void plan_complete__intervals_of_classes__are_refused_for_a_curve_too(void **state)
{
    (void)state;
    rls2_error err;
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    assert_ok(rls2_table_read("data/heart.csv", NULL, &table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_CURVE, RLS2_VOICE_PLAIN, &plan, &err), &err);
    assert_ok(rls2_plan_set(plan, "target", "class", &err), &err);
    assert_ok(rls2_plan_set(plan, "interval", "0.9", &err), &err);
    assert_int_not_equal(rls2_plan_complete(plan, table, &err), RLS2_OK);
    assert_contains(err.message, "is for numbers");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_coverage__folds__is_that_of_the_definition),
        cmocka_unit_test(cv_coverage__repeats_and_random_splits__count_each_row_once),
        cmocka_unit_test(cv_coverage__several_quantiles__are_one_interval),
        cmocka_unit_test(cv_coverage__several_targets__have_one_each),
        cmocka_unit_test(cv_coverage__validation_rows__are_divided),
        cmocka_unit_test(cv_coverage__no_interval_asked_for__is_not_there),
        cmocka_unit_test(cv_coverage__splits_that_are_not_alike__falls_short),
        cmocka_unit_test(plan_complete__intervals_of_classes__are_refused_for_a_curve_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
