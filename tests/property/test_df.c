/* Where a fit has degrees of freedom: at each lambda, at none, or, of many rows, where something
 * needs them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"

enum { FEW = 150, MANY = 3001 };
static const char CURVED[] = "rbf(0.5)@all; linear@all", LINES[] = "linear@each";

typedef struct outcome {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} outcome;

static void outcome_free(outcome *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

static rls2_table *table_of(int rows)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    size_t room = (size_t)rows * 60 + 20, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    rls2__random_seed(&random, 5);
    at += (size_t)snprintf(text, room, "a,b,c,y\n");
    for (int i = 0; i < rows; i++) {
        double a = rls2__random_normal(&random), b = rls2__random_normal(&random),
               c = rls2__random_normal(&random);
        double y = sin(2.0 * a) + 0.3 * b + 0.3 * rls2__random_normal(&random);
        at += (size_t)snprintf(text + at, room - at, "%.6f,%.6f,%.6f,%.6f\n", a, b, c, y);
    }
    assert_true(at < room);
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

/* settings: name, value, ..., NULL */
static outcome fit_plan(rls2_goal goal, int rows, const char *kernels, const char *const *settings)
{
    rls2_error err;
    outcome it = {.table = table_of(rows)};
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_COMMAND, &it.plan, &err), &err);
    assert_ok(rls2_plan_set(it.plan, "target", "y", &err), &err);
    assert_ok(rls2_plan_set(it.plan, "kernels", kernels, &err), &err);
    for (const char *const *s = settings; *s; s += 2)
        assert_ok(rls2_plan_set(it.plan, s[0], s[1], &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static double df_at(const outcome *it, int64_t i)
{
    return rls2_fit_at(it->fit, i)->df;
}

static int64_t points_with_df(const outcome *it)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rls2_fit_count(it->fit); i++) count += isfinite(df_at(it, i));
    return count;
}

static int says(const outcome *it, const char *part)
{
    for (int64_t i = 0; i < rls2_plan_note_count(it->plan); i++)
        if (strstr(rls2_plan_note(it->plan, i), part)) return 1;
    return 0;
}

static const char NOTE[] = "left out above 3000 rows; --df each computes them";

/* ---- asked for ---- */

static void path__each_or_none__does_as_asked(void **state)
{
    (void)state;
    static const char *const DEFAULT[] = {"lambdas", "0.01:1:3", NULL}, *const NONE[] = {
                                                                            "lambdas", "0.01:1:3",
                                                                            "df", "none", NULL};
    outcome each = fit_plan(RLS2_GOAL_PATH, FEW, CURVED, DEFAULT),
            none = fit_plan(RLS2_GOAL_PATH, FEW, CURVED, NONE);
    assert_int_equal(points_with_df(&each), 3);
    assert_int_equal(points_with_df(&none), 0);
    assert_false(says(&each, NOTE) || says(&none, NOTE));
    assert_memory_equal(rls2_path_c(rls2_fit_path(each.fit, 0), 2),
                        rls2_path_c(rls2_fit_path(none.fit, 0), 2), FEW * sizeof(double));
    outcome_free(&each);
    outcome_free(&none);
}

static void model__none__has_none(void **state)
{
    (void)state;
    static const char *const SPLITS[] = {"df", "none", "folds", "3", NULL}, *const KNOWN[] = {
                                                                                "df", "none",
                                                                                "lambda", "0.1",
                                                                                NULL};
    outcome chosen = fit_plan(RLS2_GOAL_MODEL, FEW, CURVED, SPLITS),
            given = fit_plan(RLS2_GOAL_MODEL, FEW, CURVED, KNOWN),
            all = fit_plan(RLS2_GOAL_ALL, FEW, CURVED, SPLITS);
    assert_int_equal(points_with_df(&chosen), 0);
    assert_int_equal(points_with_df(&given), 0);
    assert_int_equal(points_with_df(&all), 0);
    assert_true(rls2_fit_chosen(all.fit) >= 0);
    outcome_free(&chosen);
    outcome_free(&given);
    outcome_free(&all);
}

/* They are made of a factor of each point's own, and so are what the path would have had. */
static void path__without_df__gets_them_with_criteria(void **state)
{
    (void)state;
    rls2_error err;
    static const char *const EACH[] = {"lambdas", "0.01:1:3", "df", "each", NULL}, *const NONE[] = {
                                                                                       "lambdas",
                                                                                       "0.01:1:3",
                                                                                       "df", "none",
                                                                                       NULL};
    outcome each = fit_plan(RLS2_GOAL_PATH, FEW, CURVED, EACH),
            none = fit_plan(RLS2_GOAL_PATH, FEW, CURVED, NONE);
    assert_ok(rls2_fit_criteria(none.fit, NULL, &err), &err);
    for (int64_t i = 0; i < 3; i++) {
        double df = df_at(&each, i);
        assert_true(fabs(df_at(&none, i) - df) <= 1e-9 * df);
        assert_true(rls2_path_at(rls2_fit_path(none.fit, 0), i)->df == df_at(&none, i));
    }
    outcome_free(&each);
    outcome_free(&none);
}

static void model__by_criterion__is_chosen_without_df_of_the_path(void **state)
{
    (void)state;
    static const char *const EACH[] = {"select", "gcv", NULL}, *const NONE[] = {"select", "gcv",
                                                                                "df", "none", NULL};
    outcome each = fit_plan(RLS2_GOAL_MODEL, FEW, CURVED, EACH),
            none = fit_plan(RLS2_GOAL_MODEL, FEW, CURVED, NONE);
    assert_int_equal(rls2_fit_chosen(each.fit), rls2_fit_chosen(none.fit));
    assert_int_equal(rls2_fit_count(each.fit), rls2_fit_count(none.fit));
    outcome_free(&each);
    outcome_free(&none);
}

/* ---- many rows ---- */

static void path__of_many_rows__goes_without_and_says_so(void **state)
{
    (void)state;
    static const char *const TWO[] = {"lambdas", "0.3,3", NULL}, *const ONE[] = {"lambda", "3",
                                                                                 NULL};
    outcome path = fit_plan(RLS2_GOAL_PATH, MANY, CURVED, TWO),
            one = fit_plan(RLS2_GOAL_PATH, MANY, CURVED, ONE),
            linear = fit_plan(RLS2_GOAL_PATH, MANY, LINES, TWO);
    assert_int_equal(points_with_df(&path), 0);
    assert_true(says(&path, NOTE));
    assert_int_equal(points_with_df(&one), 1); /* it is the model */
    assert_false(says(&one, NOTE));
    assert_int_equal(points_with_df(&linear), 2); /* three columns: they cost nothing */
    assert_false(says(&linear, NOTE));
    outcome_free(&path);
    outcome_free(&one);
    outcome_free(&linear);
}

static void all__of_many_rows__has_those_of_the_model(void **state)
{
    (void)state;
    static const char *const TWO[] = {"lambdas", "0.3,3", "folds", "2", NULL}, *const EACH[] = {
                                                                                   "lambdas",
                                                                                   "0.3,3", "df",
                                                                                   "each", NULL};
    outcome all = fit_plan(RLS2_GOAL_ALL, MANY, CURVED, TWO),
            path = fit_plan(RLS2_GOAL_PATH, MANY, CURVED, EACH);
    int64_t chosen = rls2_fit_chosen(all.fit);
    assert_int_equal(points_with_df(&path), 2);
    assert_int_equal(points_with_df(&all), 1);
    assert_true(fabs(df_at(&all, chosen) - df_at(&path, chosen)) <= 1e-4 * df_at(&path, chosen));
    outcome_free(&all);
    outcome_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__each_or_none__does_as_asked),
        cmocka_unit_test(model__none__has_none),
        cmocka_unit_test(path__without_df__gets_them_with_criteria),
        cmocka_unit_test(model__by_criterion__is_chosen_without_df_of_the_path),
        cmocka_unit_test(path__of_many_rows__goes_without_and_says_so),
        cmocka_unit_test(all__of_many_rows__has_those_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
