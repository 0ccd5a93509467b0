/* Path and curve of many rows, a few lambdas at a time: what is chosen is what would be chosen on
 * the whole grid, threads change nothing, and it can be stopped anywhere. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "select/cv.h"
#include "support/cv_run.h"
#include "support/problem.h"

enum { ROWS = 1040 };

typedef struct many {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} many;

static void many_free(many *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

/* A curve in a, a line in b, noise of a third of the spread; classes of the same; an empty cell and
 * a rare category here and there. */
static rls2_table *table_made(void)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    size_t room = (size_t)ROWS * 80, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    rls2__random_seed(&random, 11);
    at += (size_t)snprintf(text, room, "a,b,t,y,class\n");
    for (int i = 0; i < ROWS; i++) {
        double a = rls2__random_normal(&random), b = rls2__random_normal(&random);
        double y = sin(2.0 * a) + 0.3 * b + 0.3 * rls2__random_normal(&random);
        char cell[32] = "";
        if (i % 97 != 5) snprintf(cell, sizeof cell, "%.6f", b);
        at += (size_t)snprintf(text + at, room - at, "%.6f,%s,%s,%.6f,%s\n", a, cell,
                               i % 211 == 3 ? "rare"
                               : i % 3      ? "u"
                                            : "v",
                               5.0 + y,
                               y > 0.5    ? "high"
                               : y < -0.5 ? "low"
                                          : "mean");
    }
    assert_true(at < room);
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

static const char *const REGRESSION[] = {"target", "y", "drop", "class", NULL};
static const char *const THREE_FOLDS[] = {"target", "y", "drop", "class", "folds", "3", NULL};
static const char *const CLASSES[] = {"target",   "class",   "drop",     "y", "class-weights",
                                      "balanced", "measure", "accuracy", NULL};

static many asked(rls2_goal goal, const char *const *settings, const char *kernels)
{
    static const char *const COMMON[] = {"folds", "5", "missing", "impute", "rare", "1", NULL};
    rls2_error err;
    many it = {.table = table_made()};
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_COMMAND, &it.plan, &err), &err);
    for (const char *const *s = COMMON; *s; s += 2)
        assert_ok(rls2_plan_set(it.plan, s[0], s[1], &err), &err);
    for (const char *const *s = settings; *s; s += 2)
        assert_ok(rls2_plan_set(it.plan, s[0], s[1], &err), &err);
    assert_ok(rls2_plan_set(it.plan, "kernels", kernels, &err), &err);
    return it;
}

static void fit_with(many *it, int threads)
{
    rls2_error err;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    assert_ok(rls2_plan_complete(it->plan, it->table, &err), &err);
    assert_ok(rls2_plan_fit(it->plan, &control, &it->fit, &err), &err);
}

static const char KERNELS[] = "rbf(0.3|3)@a,b; linear@each; poly(2)@a+b";

/* ---- the choice ---- */

/* On all values of a grid, down to where the rows are as good as interpolated, to a gap of 1e-6. */
static const rls2_cv *whole_curve(many *it, const rls2_cv *cv, const char *const *settings)
{
    enum { MOST = 100 };
    rls2_error err;
    double lambdas[MOST];
    int64_t count = rls2_cv_count(cv);
    assert_true(count + 10 < MOST);
    for (int64_t i = 0; i < count; i++) lambdas[i] = rls2_cv_at(cv, i)->lambda;
    for (int k = 0; k < 10; k++, count++) lambdas[count] = lambdas[count - 1] / 1.5848931924611136;
    *it = asked(RLS2_GOAL_CURVE, settings, KERNELS);
    assert_ok(rls2_plan_set_lambdas(it->plan, count, lambdas, &err), &err);
    fit_with(it, 2);
    assert_int_equal(rls2_cv_count(rls2_fit_cv(it->fit)), count);
    return rls2_fit_cv(it->fit);
}

static void agrees(const char *const *settings)
{
    many it = asked(RLS2_GOAL_CURVE, settings, KERNELS), other;
    fit_with(&it, 2);
    const rls2_cv *cv = rls2_fit_cv(it.fit), *whole = whole_curve(&other, cv, settings);
    const rls2_cv_point *chosen = rls2_cv_at(cv, rls2_cv_min(cv)),
                        *best = rls2_cv_at(whole, rls2_cv_min(whole));
    assert_true(rls2_cv_min(cv) <= rls2_cv_count(cv) - 2);
    if (!(fabs(chosen->cvm - best->cvm) <= 0.1 * best->cvsd))
        fail_msg("%g at %g, and %g at %g", chosen->cvm, chosen->lambda, best->cvm, best->lambda);
    many_free(&it);
    many_free(&other);
}

static void curve__numbers__chooses_as_on_more_lambdas(void **state)
{
    (void)state;
    agrees(REGRESSION);
}

static void curve__classes__chooses_as_on_more_lambdas(void **state)
{
    (void)state;
    agrees(CLASSES);
}

/* Without a path that leads them. */
static void curve__of_few_splits__chooses_as_on_more_lambdas(void **state)
{
    (void)state;
    agrees(THREE_FOLDS);
}

static int see_path(void *user, const rls2_progress *at)
{
    *(int *)user |= strcmp(at->stage, "path") == 0;
    return 0;
}

static int follows_path(rls2_goal goal, const char *const *settings)
{
    rls2_error err;
    int seen = 0;
    many it = asked(goal, settings, KERNELS);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.progress = see_path;
    control.user = &seen;
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, &control, &it.fit, &err), &err);
    many_free(&it);
    return seen;
}

/* It costs as much as three splits, and saves each less than half. */
static void curve__of_few_splits__has_no_path_that_nobody_wants(void **state)
{
    (void)state;
    assert_int_equal(follows_path(RLS2_GOAL_CURVE, THREE_FOLDS), 0);
    assert_int_equal(follows_path(RLS2_GOAL_CURVE, REGRESSION), 1);
    assert_int_equal(follows_path(RLS2_GOAL_MODEL, THREE_FOLDS), 1);
}

/* The grid found goes down to 1e-5 of what the best kernel sees: far below what is of use here. */
static void curve__of_noisy_rows__ends_above_the_end_of_the_grid(void **state)
{
    (void)state;
    many it = asked(RLS2_GOAL_CURVE, REGRESSION, KERNELS), path;
    path = asked(RLS2_GOAL_PATH, REGRESSION, KERNELS);
    fit_with(&it, 2);
    fit_with(&path, 2);
    assert_true(rls2_cv_count(rls2_fit_cv(it.fit)) < rls2_fit_count(path.fit));
    assert_int_equal(rls2_fit_count(it.fit), 0);
    many_free(&it);
    many_free(&path);
}

typedef struct small {
    const char *name, *target, *drop;
    int classes;
} small;

static rls2_cv *curve_at(const rls2_table *table, const small *set, double gap_tol)
{
    rls2_error err;
    rls2_cv *cv = NULL;
    rls2_splits *splits = NULL;
    rls2__recipe recipe = rls2__recipe_default();
    rls2__cv_options options = {.measure = RLS2_MEASURE_AUTO};
    recipe.data.target = set->target;
    recipe.data.drop = &set->drop;
    recipe.data.drop_count = set->drop != NULL;
    recipe.data.classify = set->classes;
    recipe.data.missing = RLS2_MISSING_IMPUTE;
    recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    recipe.path.gap_tol = gap_tol;
    assert_ok(rls2_splits_folds(rls2_table_rows(table), NULL, 5, 1, 3, &splits, &err), &err);
    assert_ok(cv_run(table, &recipe, splits, &options, &cv, &err), &err);
    rls2_splits_free(splits);
    return cv;
}

/* The paper's kernels on data with far fewer rows, where a standard error is larger but paths are
 * rougher. */
static void curve__at_the_gap_of_splits__chooses_as_at_a_small_one(void **state)
{
    (void)state;
    static const small SETS[] = {{"servo", "rise_time", NULL, 0},
                                 {"auto-mpg", "mpg", "car_name", 0},
                                 {"prostate", "lpsa", "train", 0},
                                 {"heart", "class", NULL, 1}};
    for (int k = 0; k < 4; k++) {
        char path[64];
        rls2_error err;
        rls2_table *table = NULL;
        snprintf(path, sizeof path, "data/%s.csv", SETS[k].name);
        assert_ok(rls2_table_read(path, NULL, &table, &err), &err);
        rls2_cv *loose = curve_at(table, &SETS[k], RLS2__SPLIT_GAP),
                *exact = curve_at(table, &SETS[k], 1e-6);
        int64_t chosen = rls2_cv_min(loose), best = rls2_cv_min(exact);
        const rls2_cv_point *by_loose = rls2_cv_at(exact, chosen),
                            *by_exact = rls2_cv_at(exact, best);
        if (!(chosen == best || fabs(by_loose->cvm - by_exact->cvm) <= 0.1 * by_exact->cvsd))
            fail_msg("%s: %g at %g, and %g at %g", SETS[k].name, by_loose->cvm, by_loose->lambda,
                     by_exact->cvm, by_exact->lambda);
        rls2_cv_free(loose);
        rls2_cv_free(exact);
        rls2_table_free(table);
    }
}

/* ---- the model ---- */

static void model__is_the_point_of_a_path_at_the_gap_asked_for(void **state)
{
    (void)state;
    rls2_error err;
    many it = asked(RLS2_GOAL_MODEL, REGRESSION, KERNELS), path;
    fit_with(&it, 2);
    int64_t chosen = rls2_fit_chosen(it.fit), count = rls2_fit_count(it.fit);
    double lambdas[100];
    assert_int_equal(chosen, count - 1);
    assert_true(rls2_fit_at(it.fit, chosen)->gap <= 1e-6);
    for (int64_t i = 0; i < count; i++) lambdas[i] = rls2_fit_at(it.fit, i)->lambda;
    path = asked(RLS2_GOAL_PATH, REGRESSION, KERNELS);
    assert_ok(rls2_plan_set_lambdas(path.plan, count, lambdas, &err), &err);
    fit_with(&path, 1);
    assert_memory_equal(rls2_path_c(rls2_fit_path(it.fit, 0), chosen),
                        rls2_path_c(rls2_fit_path(path.fit, 0), chosen), ROWS * sizeof(double));
    double df = rls2_fit_at(path.fit, chosen)->df;
    assert_true(fabs(rls2_fit_at(it.fit, chosen)->df - df) <= 1e-6 * df);
    many_free(&it);
    many_free(&path);
}

static void all__path_and_curve__have_the_same_lambdas(void **state)
{
    (void)state;
    many it = asked(RLS2_GOAL_ALL, REGRESSION, KERNELS);
    fit_with(&it, 2);
    const rls2_cv *cv = rls2_fit_cv(it.fit);
    assert_int_equal(rls2_cv_count(cv), rls2_fit_count(it.fit));
    assert_int_equal(rls2_fit_asked(it.fit), rls2_fit_count(it.fit));
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        assert_true(rls2_cv_at(cv, i)->lambda == rls2_fit_at(it.fit, i)->lambda);
        assert_true(isfinite(rls2_fit_at(it.fit, i)->df));
    }
    many_free(&it);
}

static void fit__any_number_of_threads__has_the_same_bits(void **state)
{
    (void)state;
    many one = asked(RLS2_GOAL_ALL, CLASSES, KERNELS),
         five = asked(RLS2_GOAL_ALL, CLASSES, KERNELS);
    fit_with(&one, 1);
    fit_with(&five, 5);
    const rls2_cv *a = rls2_fit_cv(one.fit), *b = rls2_fit_cv(five.fit);
    assert_int_equal(rls2_cv_count(a), rls2_cv_count(b));
    for (int64_t i = 0; i < rls2_cv_count(a); i++) {
        assert_memory_equal(rls2_cv_predictions(a, i), rls2_cv_predictions(b, i),
                            3 * ROWS * sizeof(double));
        for (int64_t o = 0; o < 3; o++)
            assert_memory_equal(rls2_path_c(rls2_fit_path(one.fit, o), i),
                                rls2_path_c(rls2_fit_path(five.fit, o), i), ROWS * sizeof(double));
    }
    many_free(&one);
    many_free(&five);
}

/* Path after kernels, splits after the path; when the path is shown it is complete. */
static int see_stage(void *user, const char *stage, rls2_fit *so_far)
{
    strcat(user, stage);
    strcat(user, " ");
    if (strcmp(stage, "path") == 0)
        assert_int_equal(rls2_fit_count(so_far), rls2_fit_asked(so_far));
    return 0;
}

static void all__stages__end_in_their_order(void **state)
{
    (void)state;
    char seen[200] = "";
    rls2_error err;
    many it = asked(RLS2_GOAL_ALL, REGRESSION, KERNELS);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.stage_done = see_stage;
    control.user = seen;
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, &control, &it.fit, &err), &err);
    assert_string_equal(seen, "kernels path splits ");
    many_free(&it);
}

/* ---- stopping ---- */

static int count_down(void *user, const rls2_progress *at)
{
    (void)at;
    return --*(int *)user <= 0;
}

/* What is told is asked in turn to be the end: kernels, path, pilots, splits. */
static void fit__stopped_anywhere__says_so(void **state)
{
    (void)state;
    int stopped = 0;
    for (int at = 1; at < 4000; at += at < 20 ? 3 : at / 3) {
        rls2_error err;
        many it = asked(RLS2_GOAL_MODEL, REGRESSION, KERNELS);
        rls2_control control;
        int left = at;
        rls2_control_init(&control, sizeof control);
        control.progress = count_down;
        control.user = &left;
        control.threads = 2;
        assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
        rls2_status status = rls2_plan_fit(it.plan, &control, &it.fit, &err);
        assert_true(status == RLS2_OK || status == RLS2_ERR_CANCELLED);
        assert_true(status == RLS2_OK || left <= 0);
        stopped += status == RLS2_ERR_CANCELLED;
        many_free(&it);
    }
    assert_true(stopped >= 5);
}

/* Stops for good once told twice of the point after which splits go along: the path has ended there
 * for now, and they are at work. */
static int stop_pilots(void *user, const rls2_progress *at)
{
    enum { LAST_VALUES = 15 };
    int *times = user;
    if (strcmp(at->stage, "path") == 0 && at->done == at->total - LAST_VALUES) ++*times;
    return *times >= 2;
}

/* They are part of the path's stage: what is stopped there has what is finished. */
static void all__stopped_while_splits_go_along__keeps_what_is_finished(void **state)
{
    (void)state;
    rls2_error err;
    int times = 0;
    many it = asked(RLS2_GOAL_ALL, REGRESSION, KERNELS);
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.progress = stop_pilots;
    control.user = &times;
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, &control, &it.fit, &err), &err);
    assert_true(times >= 2);
    assert_true(rls2_fit_count(it.fit) > 0);
    assert_true(rls2_fit_count(it.fit) < rls2_fit_asked(it.fit));
    assert_null(rls2_fit_cv(it.fit));
    many_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve__numbers__chooses_as_on_more_lambdas),
        cmocka_unit_test(curve__classes__chooses_as_on_more_lambdas),
        cmocka_unit_test(curve__at_the_gap_of_splits__chooses_as_at_a_small_one),
        cmocka_unit_test(curve__of_few_splits__chooses_as_on_more_lambdas),
        cmocka_unit_test(curve__of_few_splits__has_no_path_that_nobody_wants),
        cmocka_unit_test(all__stopped_while_splits_go_along__keeps_what_is_finished),
        cmocka_unit_test(curve__of_noisy_rows__ends_above_the_end_of_the_grid),
        cmocka_unit_test(model__is_the_point_of_a_path_at_the_gap_asked_for),
        cmocka_unit_test(all__path_and_curve__have_the_same_lambdas),
        cmocka_unit_test(all__stages__end_in_their_order),
        cmocka_unit_test(fit__any_number_of_threads__has_the_same_bits),
        cmocka_unit_test(fit__stopped_anywhere__says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
