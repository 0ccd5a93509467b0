/* Intervals of rows that were drawn like those that were learned from hold as many of them as their
 * level says, within what chance allows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"

enum { TRAINING = 120, CHECKED = 60, NEW = 400, TABLES = 30 };

/* y = sin 2a + b, with noise that grows with |a|, heavy-tailed; `part` says what a row is for. */
static rls2_table *drawn(rls2__random *random, int64_t n, int checked)
{
    char *text = malloc((size_t)n * 120 + 100);
    assert_non_null(text);
    int used = sprintf(text, "a,b,y,part\n");
    for (int64_t i = 0; i < n; i++) {
        double a = rls2__random_normal(random), b = rls2__random_normal(random);
        double noise = (0.2 + 0.5 * fabs(a)) * rls2__random_normal(random) *
                       (rls2__random_uniform(random) < 0.1 ? 3.0 : 1.0);
        used += sprintf(text + used, "%.17g,%.17g,%.17g,%s\n", a, b, sin(2.0 * a) + b + noise,
                        checked && i % 3 == 0 ? "checked" : "learned");
    }
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse("t.csv", text, used, NULL, &table, NULL), RLS2_OK);
    free(text);
    return table;
}

static rls2_fit *learned(const rls2_table *table, const char *const *settings, rls2_plan **plan)
{
    rls2_error err;
    rls2_fit *fit = NULL;
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(*plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(*plan, table, &err), &err);
    assert_ok(rls2_plan_fit(*plan, NULL, &fit, &err), &err);
    return fit;
}

static int64_t count_within(const rls2_model *model, const rls2_table *table)
{
    rls2_error err;
    rls2_dataset *data = NULL;
    assert_ok(
        rls2_model_encode(model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ, &data, &err),
        &err);
    int64_t n = rls2_dataset_rows(data), within = 0;
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    double *f = numbers(n * rls2_model_outputs(model)), *lower = numbers(n), *upper = numbers(n);
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    assert_ok(rls2_model_predict_interval(model, n, f, lower, upper, &err), &err);
    for (int64_t i = 0; i < n; i++)
        within += rls2_dataset_y(data)[i] >= lower[i] && rls2_dataset_y(data)[i] <= upper[i];
    rls2_dataset_free(data);
    free(f);
    free(lower);
    free(upper);
    return within;
}

/* Mean coverage over tables that were drawn anew. */
static double coverage(const char *const *settings, int64_t rows, int checked)
{
    rls2__random random;
    rls2__random_seed(&random, 20);
    int64_t within = 0;
    for (int t = 0; t < TABLES; t++) {
        rls2_plan *plan = NULL;
        rls2_table *table = drawn(&random, rows, checked), *new = drawn(&random, NEW, 0);
        rls2_fit *fit = learned(table, settings, &plan);
        within += count_within(rls2_fit_chosen_model(fit), new);
        rls2_fit_free(fit);
        rls2_plan_free(plan);
        rls2_table_free(table);
        rls2_table_free(new);
    }
    return (double)within / (double)(TABLES * NEW);
}

/* The coverage of one table varies as a Beta variable does, by about level (1 - level) / (n + 2),
 * and that of its new rows as a share does; three standard errors of the mean over tables. */
static double allowed(double level, int64_t n)
{
    return 3.0 * sqrt(level * (1.0 - level) * (1.0 / (double)(n + 2) + 1.0 / (double)NEW) / TABLES);
}

/* With rows set apart, and lambda given, the level is guaranteed, and at most 1/(n + 1) too low. */
static void intervals__validation_rows_and_a_given_lambda__have_the_level_guaranteed(void **state)
{
    (void)state;
    const char *const settings[] = {"target",
                                    "y",
                                    "kernels",
                                    "linear; rbf(0.5)@each",
                                    "lambda",
                                    "0.5",
                                    "validation-rows",
                                    "part=checked",
                                    "interval",
                                    "0.8",
                                    NULL};
    double found = coverage(settings, TRAINING + CHECKED, 1), slack = allowed(0.8, CHECKED);
    assert_true(found > 0.8 - slack);
    assert_true(found < 0.8 + 1.0 / (CHECKED + 1) + slack);
}

static void intervals__folds__have_about_the_level(void **state)
{
    (void)state;
    const char *const settings[] = {
        "target",   "y",         "drop",  "part", "kernels",   "linear; rbf(0.5)@each",
        "lambdas",  "0.01:10:6", "folds", "5",    "baselines", "false",
        "interval", "0.9",       NULL};
    double found = coverage(settings, TRAINING, 0), slack = allowed(0.9, TRAINING);
    assert_true(fabs(found - 0.9) < slack + 0.015);
}

static void intervals__quantiles_and_folds__have_about_the_level(void **state)
{
    (void)state;
    const char *const settings[] = {
        "target", "y",   "drop",  "part", "kernels",  "rbf(0.5)@each", "loss", "quantile(0.1,0.9)",
        "lambda", "0.5", "folds", "5",    "interval", "0.8",           NULL};
    double found = coverage(settings, TRAINING, 0), slack = allowed(0.8, TRAINING);
    assert_true(fabs(found - 0.8) < slack + 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals__validation_rows_and_a_given_lambda__have_the_level_guaranteed),
        cmocka_unit_test(intervals__folds__have_about_the_level),
        cmocka_unit_test(intervals__quantiles_and_folds__have_about_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
