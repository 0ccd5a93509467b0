/* A program of 0.9, which every later 0.x must still run. Compiled with the headers beside it, once
 * they are frozen, and linked to the library of today; it is not to be changed once 0.9 is out. */
#include <rls2/rls2.h>

#include <stdio.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != RLS2_OK) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, err.message);                                       \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "not so: %s\n", #condition);                                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

enum { ROWS = 40 };

static int stop_at_once(void *user, const rls2_progress *progress)
{
    int *calls = user;
    (*calls)++;
    if (!progress->stage) return 0;
    return 1;
}

static int forecast(const rls2_plan *plan)
{
    rls2_error err;
    rls2_cost cost;
    char text[200];
    TRY(rls2_plan_forecast(plan, 1, &cost, sizeof cost, &err));
    MUST(cost.seconds >= 0.0 && cost.bytes > 0.0);
    MUST(rls2_cost_text(&cost, text, sizeof text) == strlen(text));
    return 0;
}

static int fit_and_stop(rls2_plan *plan)
{
    rls2_error err;
    rls2_fit *fit = NULL;
    int calls = 0;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    control.progress = stop_at_once;
    control.user = &calls;
    rls2_status status = rls2_plan_fit(plan, &control, &fit, &err);
    rls2_fit_free(fit);
    /* who is not asked in time is not stopped */
    MUST(status == RLS2_ERR_CANCELLED || status == RLS2_OK);
    fit = NULL;
    control.progress = NULL;
    TRY(rls2_plan_fit(plan, &control, &fit, &err));
    const rls2_model *model = rls2_fit_chosen_model(fit);
    double df;
    TRY(rls2_model_degrees_of_freedom_watched(model, &control, &df, &err));
    MUST(df > 0.0 && df <= ROWS);
    rls2_fit_free(fit);
    return 0;
}

int main(void)
{
    rls2_error err;
    rls2_table *table;
    rls2_plan *plan;
    double x[ROWS], y[ROWS];
    for (int i = 0; i < ROWS; i++) {
        x[i] = i;
        y[i] = (i % 7) + 0.1 * i;
    }
    const rls2_column columns[] = {{.name = "x", .numbers = x, .stride = 1},
                                   {.name = "y", .numbers = y, .stride = 1}};
    rls2_blas_tune();
    TRY(rls2_table_create("numbers", ROWS, 2, columns, &table, &err));
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "y", &err));
    TRY(rls2_plan_complete(plan, table, &err));
    int failed = forecast(plan) || fit_and_stop(plan);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return failed;
}
