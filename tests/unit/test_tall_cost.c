/* What tall fits will take, beside what fits of such tables took, and how it grows. */
#include <math.h>
#include <stdio.h>

#include "plan/plan_forecast.h"
#include "plan/tall_cost.h"
#include "support/problem.h"
#include "support/unit_support.h"

static const rls2__speeds SPEEDS = {.flops = 65e9, .bytes = 1e10, .pairs = 1e8};

/* A table: numbers of any values, texts of 50 and of 6 categories where asked for. */
typedef struct shape {
    int rows, numbers, texts, classes;
    const char *folds;
} shape;

static double number(int row, int column)
{
    double x = sin(12.9898 * row + 78.233 * column) * 43758.5453;
    return x - floor(x);
}

static char *write_shape(const shape *of)
{
    size_t room = (size_t)(of->rows + 1) * (size_t)(of->numbers * 9 + 64), used = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (int j = 0; j < of->numbers; j++) used += (size_t)sprintf(text + used, "x%d,", j);
    used += (size_t)sprintf(text + used, "%sy\n", of->texts ? "c0,c1," : "");
    for (int i = 0; i < of->rows; i++) {
        double y = number(i, 0) * number(i, 1) + 0.3 * number(i, 2);
        for (int j = 0; j < of->numbers; j++)
            used += (size_t)sprintf(text + used, "%.5f,", number(i, j));
        if (of->texts)
            used += (size_t)sprintf(text + used, "a%d,b%d,", (int)(50 * number(i, 90)),
                                    (int)(6 * number(i, 91)));
        if (of->classes)
            used += (size_t)sprintf(text + used, "k%d\n", (int)(y * of->classes * 0.75));
        else
            used += (size_t)sprintf(text + used, "%.5f\n", y);
    }
    return text;
}

static rls2_cost cost_of(const shape *of)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    rls2_table *table = NULL;
    rls2__workload work;
    rls2_cost cost = {0};
    char *text = write_shape(of);
    assert_ok(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err), &err);
    assert_ok(rls2_plan_set(plan, "target", "y", &err), &err);
    assert_ok(rls2_plan_set(plan, "folds", of->folds ? of->folds : "10", &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    assert_true(rls2_plan_is_tall(plan));
    assert_ok(rls2__plan_workload(plan, 1, &work, &err), &err);
    assert_int_equal(rls2__tall_cost(plan, &work, &SPEEDS, 0.0, &cost), RLS2_OK);
    rls2_plan_free(plan);
    rls2_table_free(table);
    free(text);
    return cost;
}

/* Measured on one thread: seconds of the processor, and bytes at most. */
static void tall_cost__tables_that_were_measured__is_within_a_factor(void **state)
{
    (void)state;
    static const struct {
        shape of;
        double seconds, bytes;
    } MEASURED[] = {{{4000, 8, 0, 0, NULL}, 5.1, 337e6},
                    {{10000, 100, 0, 0, NULL}, 56.0, 4.2e9},
                    {{50000, 8, 2, 2, NULL}, 3.2, 334e6}};
    for (size_t i = 0; i < sizeof MEASURED / sizeof MEASURED[0]; i++) {
        rls2_cost cost = cost_of(&MEASURED[i].of);
        double times = cost.seconds / MEASURED[i].seconds, room = cost.bytes / MEASURED[i].bytes;
        if (!(times > 0.4 && times < 2.5 && room > 0.4 && room < 2.5))
            fail_msg("%d: %g s and %g bytes", (int)i, cost.seconds, cost.bytes);
    }
}

static void tall_cost__more_of_anything__takes_more(void **state)
{
    (void)state;
    const shape few = {4000, 8, 0, 0, NULL}, wide = {4000, 40, 0, 0, NULL},
                folds = {4000, 8, 0, 0, "50"}, texts = {4000, 8, 2, 0, NULL};
    rls2_cost base = cost_of(&few);
    rls2_cost more = cost_of(&folds);
    assert_true(more.seconds > 3.0 * base.seconds && more.bytes > base.bytes);
    more = cost_of(&wide);
    assert_true(more.seconds > base.seconds && more.bytes > 1.3 * base.bytes);
    more = cost_of(&texts); /* 56 indicators are two axes */
    assert_true(more.seconds < 2.0 * base.seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tall_cost__tables_that_were_measured__is_within_a_factor),
        cmocka_unit_test(tall_cost__more_of_anything__takes_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
