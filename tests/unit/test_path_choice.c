/* What a path alone chooses: never the most flexible model only because a criterion still falls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 40 };

typedef struct fitted {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} fitted;

/* y bends with x, plus noise, which is drawn by a rule of its own; and a class that goes with x. */
static void write_table(double noise, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "x,z,y,class\n");
    unsigned drawn = 12345;
    for (int i = 0; i < ROWS; i++) {
        drawn = drawn * 1103515245u + 12345u;
        double at = (double)(drawn >> 16 & 0x7fff) / 32768.0;
        drawn = drawn * 1103515245u + 12345u;
        double e = (double)(drawn >> 16 & 0x7fff) / 32768.0 - 0.5;
        used += (size_t)snprintf(
            text + used, size - used, "%.6f,%.6f,%.6f,%s\n", at, sin(17.0 * at + 5.0 * e),
            2.0 * at + 0.3 * sin(9.0 * at) + noise * e, at + e > 0.5 ? "yes" : "no");
    }
}

static fitted fit_path(double noise, const char *target, const char *loss, const char *kernels,
                       const char *lambdas)
{
    char text[4000];
    rls2_error err;
    fitted it = {0};
    const char *const settings[][2] = {
        {"target", target}, {"loss", loss}, {"kernels", kernels}, {"lambdas", lambdas}};
    write_table(noise, text, sizeof text);
    assert_ok(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &it.table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &it.plan, &err), &err);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_ok(rls2_plan_set(it.plan, settings[i][0], settings[i][1], &err), &err);
    assert_ok(rls2_plan_set(it.plan, "drop", strcmp(target, "y") == 0 ? "class" : "y", &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static void let_go(fitted *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

static void criteria_of(fitted *it)
{
    rls2_error err;
    assert_ok(rls2_fit_criteria(it->fit, NULL, &err), &err);
}

static void path_choice__least_value_inside__is_taken(void **state)
{
    (void)state;
    const char *word = NULL;
    fitted it = fit_path(1.5, "y", "square", "rbf(10)@each", "0.0001:100:20");
    assert_int_equal(rls2_fit_path_choice(it.fit, &word), -1); /* before there are criteria */
    assert_null(word);
    criteria_of(&it);
    int64_t point = rls2_fit_path_choice(it.fit, &word);
    assert_true(point > 0 && point < rls2_fit_asked(it.fit) - 1);
    assert_string_equal(word, "gcv");
    assert_int_equal(point, rls2_fit_least(it.fit, "gcv"));
    let_go(&it);
}

/* Without noise less regularisation is always better, and the criterion falls to the end. */
static void path_choice__still_falling_at_the_end__is_none(void **state)
{
    (void)state;
    const char *word = "something";
    fitted it = fit_path(0.0, "y", "square", "rbf(10)@each", "0.0001:100:12");
    criteria_of(&it);
    assert_int_equal(rls2_fit_least(it.fit, "gcv"), rls2_fit_asked(it.fit) - 1);
    assert_int_equal(rls2_fit_path_choice(it.fit, &word), -1);
    assert_null(word);
    assert_int_equal(rls2_fit_path_choice(it.fit, NULL), -1);
    let_go(&it);
}

static void path_choice__one_lambda__is_that(void **state)
{
    (void)state;
    fitted it = fit_path(1.0, "y", "square", "linear", "0.5");
    criteria_of(&it);
    assert_int_equal(rls2_fit_path_choice(it.fit, NULL), 0);
    let_go(&it);
}

static void path_choice__likelihood__goes_by_aic(void **state)
{
    (void)state;
    const char *word = NULL;
    fitted it = fit_path(1.0, "class", "logistic", "linear; rbf(30)@each", "0.0001:10:12");
    criteria_of(&it);
    int64_t point = rls2_fit_path_choice(it.fit, &word), least = rls2_fit_least(it.fit, "aic");
    assert_int_equal(rls2_fit_least(it.fit, "gcv"), -1);
    assert_true(least >= 0);
    assert_int_equal(point, least == rls2_fit_asked(it.fit) - 1 ? -1 : least);
    if (point >= 0) assert_string_equal(word, "aic");
    let_go(&it);
}

static void path_choice__loss_without_a_criterion__is_none(void **state)
{
    (void)state;
    fitted it = fit_path(1.0, "class", "hinge", "linear", "0.1:10:5");
    rls2_error err;
    (void)rls2_fit_criteria(it.fit, NULL, &err);
    assert_int_equal(rls2_fit_path_choice(it.fit, NULL), -1);
    let_go(&it);
    assert_int_equal(rls2_fit_path_choice(NULL, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_choice__least_value_inside__is_taken),
        cmocka_unit_test(path_choice__still_falling_at_the_end__is_none),
        cmocka_unit_test(path_choice__one_lambda__is_that),
        cmocka_unit_test(path_choice__likelihood__goes_by_aic),
        cmocka_unit_test(path_choice__loss_without_a_criterion__is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
