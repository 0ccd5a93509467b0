/* The grid of lambda that is found from the data: it begins with a constant, goes on while its
 * smallest value is the best, and says so; one that was asked for does neither. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"

enum { ROWS = 120 };

typedef struct grid_case {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} grid_case;

static void case_free(grid_case *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

/* a and b say nothing about `noise` and `class`; a says everything about `line`, but for 1e-8 of
 * its spread. */
static rls2_table *table_made(void)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    char text[ROWS * 100];
    size_t room = sizeof text, at = (size_t)snprintf(text, room, "a,b,noise,line,class,apart\n");
    rls2__random_seed(&random, 6);
    for (int i = 0; i < ROWS; i++) {
        double a = rls2__random_normal(&random), b = rls2__random_normal(&random),
               noise = rls2__random_normal(&random), little = rls2__random_normal(&random);
        at += (size_t)snprintf(text + at, room - at, "%.6f,%.6f,%.6f,%.12f,%s,%s\n", a, b, noise,
                               30.0 + 7.0 * a + 1e-7 * little, i % 9 < 5 ? "up" : "down",
                               a > 0.0 ? "yes" : "no");
    }
    assert_true(at < room);
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    return table;
}

static grid_case fitted(rls2_goal goal, const char *target, const char *const *settings)
{
    static const char *const TARGETS[] = {"noise", "line", "class", "apart"};
    rls2_error err;
    grid_case it = {.table = table_made()};
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_COMMAND, &it.plan, &err), &err);
    assert_ok(rls2_plan_set(it.plan, "target", target, &err), &err);
    assert_ok(rls2_plan_set(it.plan, "baselines", "false", &err), &err);
    assert_ok(rls2_plan_set(it.plan, "columns", "all", &err), &err);
    for (int k = 0; k < 4; k++)
        if (strcmp(TARGETS[k], target) != 0)
            assert_ok(rls2_plan_set(it.plan, "drop", TARGETS[k], &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(it.plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static int has_note(const rls2_plan *plan, const char *part)
{
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        if (strstr(rls2_plan_note(plan, i), part)) return 1;
    return 0;
}

static const char *const NONE[] = {NULL};
static const char *const BY_LINES[] = {"kernels", "linear", NULL};

/* ---- the top ---- */

/* The sum of all eigenvalues over lambda bounds the degrees of freedom. */
static void path__noise__begins_with_next_to_nothing(void **state)
{
    (void)state;
    static const char *const TARGETS[] = {"noise", "class", "line"};
    for (int k = 0; k < 3; k++) {
        grid_case it = fitted(RLS2_GOAL_PATH, TARGETS[k], NONE);
        int64_t count = rls2_fit_count(it.fit);
        double top = rls2_fit_at(it.fit, 0)->lambda, low = rls2_fit_at(it.fit, count - 1)->lambda;
        assert_true(rls2_fit_at(it.fit, 0)->df <= 0.1 && rls2_fit_at(it.fit, 0)->df > 0.0);
        assert_true(top / low >= 0.99e6);
        for (int64_t i = 1; i < count; i++) /* five to a decade */
            assert_true(fabs(5.0 * log10(rls2_fit_at(it.fit, i - 1)->lambda /
                                         rls2_fit_at(it.fit, i)->lambda) -
                             1.0) < 1e-9);
        case_free(&it);
    }
}

/* Which of the two depends on the folds; a few seeds have both. */
static void model__noise__says_that_no_input_helps(void **state)
{
    (void)state;
    int constant = 0, hardly = 0;
    for (int seed = 0; seed < 6; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        grid_case it = fitted(RLS2_GOAL_MODEL, "noise", (const char *const[]){"seed", text, NULL});
        int64_t best = rls2_cv_min(rls2_fit_cv(it.fit));
        assert_int_equal(has_note(it.plan, "no input helps"), best == 0);
        constant += best == 0;
        hardly += has_note(it.plan, "the inputs hardly help");
        case_free(&it);
    }
    assert_int_equal(constant + hardly, 6);
    assert_true(constant > 0 && hardly > 0);
    grid_case line = fitted(RLS2_GOAL_MODEL, "line", NONE);
    assert_false(has_note(line.plan, "help"));
    case_free(&line);
}

/* The best of equals is the largest, which is no sign that nothing helps. */
static void model__classes_that_lie_apart__are_not_called_noise(void **state)
{
    (void)state;
    grid_case it = fitted(RLS2_GOAL_MODEL, "apart", BY_LINES);
    assert_true(rls2_cv_at(rls2_fit_cv(it.fit), rls2_cv_min(rls2_fit_cv(it.fit)))->cvm > 0.9);
    assert_false(has_note(it.plan, "no input helps"));
    case_free(&it);
}

/* ---- the bottom ---- */

static void model__line__is_followed_down(void **state)
{
    (void)state;
    grid_case it = fitted(RLS2_GOAL_MODEL, "line", BY_LINES),
              path = fitted(RLS2_GOAL_PATH, "line", BY_LINES);
    const rls2_cv *cv = rls2_fit_cv(it.fit);
    int64_t last = rls2_fit_count(path.fit) - 1, best = rls2_cv_min(cv);
    assert_true(has_note(it.plan, "the smallest lambda was the best: the grid goes on down to"));
    assert_true(rls2_cv_count(cv) > last + 1);
    for (int64_t i = 0; i <= last; i++)
        assert_true(fabs(rls2_cv_at(cv, i)->lambda / rls2_fit_at(path.fit, i)->lambda - 1.0) <
                    1e-9);
    assert_true(rls2_cv_at(cv, best)->cvm < 0.9 * rls2_cv_at(cv, last)->cvm);
    assert_true(rls2_model_lambda(rls2_fit_chosen_model(it.fit)) == rls2_cv_at(cv, best)->lambda);
    case_free(&path);
    case_free(&it);
}

/* Path and curve of one fit are on the same grid, also where it became longer. */
static void all__line__has_one_grid(void **state)
{
    (void)state;
    static const char *const BY[] = {"cv", "gcv"};
    for (int k = 0; k < 2; k++) {
        grid_case it = fitted(RLS2_GOAL_ALL, "line",
                              (const char *const[]){"kernels", "linear", "select", BY[k], NULL});
        const rls2_cv *cv = rls2_fit_cv(it.fit);
        int64_t count = rls2_fit_count(it.fit);
        assert_true(has_note(it.plan, "the grid goes on down to"));
        assert_int_equal(rls2_fit_asked(it.fit), count);
        assert_true(rls2_fit_at(it.fit, 0)->lambda / rls2_fit_at(it.fit, count - 1)->lambda > 1e8);
        for (int64_t i = 0; i < rls2_cv_count(cv); i++)
            assert_true(rls2_cv_at(cv, i)->lambda == rls2_fit_at(it.fit, i)->lambda);
        if (k == 0) assert_int_equal(rls2_cv_count(cv), count);
        assert_true(rls2_fit_chosen(it.fit) > count - 20);
        case_free(&it);
    }
}

/* ---- a grid that was asked for ---- */

static void model__grid_asked_for__is_not_extended(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        int64_t count;
    } GRIDS[] = {
        {"lambdas", "1e-3:1:4", 4}, {"lambda-count", "12", 12}, {"lambda-ratio", "1e-3", 30}};
    for (int k = 0; k < 3; k++) {
        grid_case it =
            fitted(RLS2_GOAL_MODEL, "line",
                   (const char *const[]){"kernels", "linear", GRIDS[k].name, GRIDS[k].value, NULL});
        assert_int_equal(rls2_cv_count(rls2_fit_cv(it.fit)), GRIDS[k].count);
        assert_true(has_note(it.plan, "the best lambda is the smallest of the grid; --lambdas"));
        assert_false(has_note(it.plan, "goes on"));
        case_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__noise__begins_with_next_to_nothing),
        cmocka_unit_test(model__noise__says_that_no_input_helps),
        cmocka_unit_test(model__classes_that_lie_apart__are_not_called_noise),
        cmocka_unit_test(model__line__is_followed_down),
        cmocka_unit_test(all__line__has_one_grid),
        cmocka_unit_test(model__grid_asked_for__is_not_extended),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
