/* Cross-validation of counted rows whose grid is found on the way: what shares and predictions say
 * at every lambda, those that were there before the grid went on included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 900 };

static rls2_table *table_made(double *y)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    size_t room = (size_t)ROWS * 64, at = 0;
    char *text = malloc(room);
    rls2__random_seed(&random, 11);
    at += (size_t)snprintf(text, room, "a,b,c,y\n");
    for (int i = 0; i < ROWS; i++) {
        int a = (int)rls2__random_below(&random, 30), b = (int)rls2__random_below(&random, 20),
            c = (int)rls2__random_below(&random, 9);
        double value = sin(0.3 * a) + 0.01 * b * b + 0.5 * rls2__random_normal(&random);
        y[i] = floor(64.0 * value) / 64.0; /* as it is written */
        at += (size_t)snprintf(text + at, room - at, "%d,%d,%d,%.6f\n", a, b, c, y[i]);
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

static double variance(const double *y, const double *f)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double rest = y[i] - (f ? f[i] : 0.0);
        sum += rest;
        squares += rest * rest;
    }
    return squares - sum * sum / ROWS;
}

static void shares__grid_that_goes_on__sum_to_what_is_explained(void **state)
{
    (void)state;
    static const char *const settings[][2] = {{"target", "y"},
                                              {"method", "tall"},
                                              {"kernels", "poly(1..2)@each; rbf(0.1:10:3)@each"},
                                              {"folds", "4"}};
    rls2_error err;
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    double *y = unit_room(ROWS);
    rls2_table *table = table_made(y);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (size_t t = 0; t < sizeof settings / sizeof settings[0]; t++)
        assert_ok(rls2_plan_set(plan, settings[t][0], settings[t][1], &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    const rls2_cv *cv = rls2_fit_cv(fit);
    assert_true(rls2_plan_is_tall(plan) && rls2_cv_count(cv) > 20);
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        const double *shares, *f = rls2_cv_predictions(cv, i);
        double sum = 0.0;
        int64_t count = rls2_cv_shares(cv, i, 0, NULL, &shares);
        assert_true(f && count > 0);
        for (int64_t k = 0; k < count; k++) sum += shares[k];
        double explained = 1.0 - variance(y, f) / variance(y, NULL);
        assert_true(fabs(sum - explained) <= 4.0 / ROWS);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    free(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares__grid_that_goes_on__sum_to_what_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
