/* Settings that may take less: which a plan names, and that they do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rls2/plan.h"
#include "support/unit_support.h"

typedef struct fixture {
    rls2_table *table;
    rls2_plan *plan;
} fixture;

static void done(fixture *f)
{
    rls2_plan_free(f->plan);
    rls2_table_free(f->table);
}

/* A plan of so many rows of three inputs, with one setting where it is not NULL. */
static fixture planned(int rows, const char *setting, const char *value)
{
    fixture f = {0};
    rls2_error err;
    char *text = malloc(64 + 64 * (size_t)rows), *at = text;
    assert_non_null(text);
    at += sprintf(at, "a,b,c,y\n");
    for (int i = 0; i < rows; i++)
        at += sprintf(at, "%.5f,%.5f,%.5f,%.5f\n", sin(3.0 * i), cos(7.0 * i), sin(11.0 * i + 1.0),
                      sin(3.0 * i) * cos(7.0 * i) + 0.1 * sin(50.0 * i));
    if (rls2_table_parse("t.csv", text, at - text, NULL, &f.table, &err) != RLS2_OK ||
        rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &f.plan, &err) != RLS2_OK ||
        rls2_plan_set(f.plan, "target", "y", &err) != RLS2_OK ||
        (setting && rls2_plan_set(f.plan, setting, value, &err) != RLS2_OK) ||
        rls2_plan_complete(f.plan, f.table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    free(text);
    return f;
}

static void assert_saving(const rls2_plan *plan, int64_t i, const char *setting, const char *value)
{
    char text[128] = "";
    const char *found = rls2_plan_saving(plan, i, text, sizeof text);
    if (!found) fail_msg("saving %d is not there", (int)i);
    assert_string_equal(found, setting);
    assert_string_equal(text, value);
}

static void saving__default_kernels_of_many_rows__names_every_way(void **state)
{
    (void)state;
    fixture f = planned(2000, NULL, NULL);
    assert_saving(f.plan, 0, "method", "tall");
    assert_saving(f.plan, 1, "kernels", "poly(1..3)@all; rbf(1e-3:1e3:10)@all; linear");
    assert_saving(f.plan, 2, "kernels", "linear");
    assert_saving(f.plan, 3, "test-share", "0.5");
    assert_null(rls2_plan_saving(f.plan, 4, NULL, 0));
    assert_null(rls2_plan_saving(f.plan, -1, NULL, 0));
    assert_null(rls2_plan_saving(NULL, 0, NULL, 0));
    done(&f);
}

static void saving__lines_of_few_rows__names_none(void **state)
{
    (void)state;
    fixture f = planned(200, "kernels", "linear");
    assert_null(rls2_plan_saving(f.plan, 0, NULL, 0));
    done(&f);
}

static void saving__test_rows_asked_for__draws_no_sample(void **state)
{
    (void)state;
    char text[128];
    fixture f = planned(2000, "test-share", "0.1");
    const char *name;
    for (int64_t i = 0; (name = rls2_plan_saving(f.plan, i, text, sizeof text)); i++)
        assert_string_not_equal(name, "test-share");
    done(&f);
}

static rls2_cost cost_of(const rls2_plan *plan)
{
    rls2_cost cost;
    assert_int_equal(rls2_plan_forecast(plan, 1, &cost, sizeof cost, NULL), RLS2_OK);
    return cost;
}

static void saving__taken__forecasts_less_memory(void **state)
{
    (void)state;
    char text[128];
    const char *name;
    fixture f = planned(1600, NULL, NULL);
    double before = cost_of(f.plan).bytes;
    for (int64_t i = 0; (name = rls2_plan_saving(f.plan, i, text, sizeof text)); i++) {
        fixture less = planned(1600, name, text);
        assert_true(cost_of(less.plan).bytes < before);
        done(&less);
    }
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saving__default_kernels_of_many_rows__names_every_way),
        cmocka_unit_test(saving__lines_of_few_rows__names_none),
        cmocka_unit_test(saving__test_rows_asked_for__draws_no_sample),
        cmocka_unit_test(saving__taken__forecasts_less_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
