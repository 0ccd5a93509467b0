/* A program of 0.11, which every later 0.x must still run. Compiled with the headers beside it,
 * once they are frozen, and linked to the library of today; not to be changed once 0.11 is out. */
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

enum { ROWS = 400 };

/* Half of the rows as a table. */
static rls2_status half(int which, rls2_table **table, rls2_error *err)
{
    char text[16 * ROWS] = "x,y\n";
    size_t length = strlen(text);
    for (int i = which * ROWS / 2; i < (which + 1) * ROWS / 2; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%d\n", i, i % 23);
    }
    return rls2_table_parse_csv("half", text, (int64_t)length, table, err);
}

static rls2_status again(void *user, rls2_error *err)
{
    (void)err;
    *(int *)user = 0;
    return RLS2_OK;
}

static rls2_status next(void *user, rls2_table **piece, rls2_error *err)
{
    int *at = user;
    *piece = NULL;
    return *at == 2 ? RLS2_OK : half((*at)++, piece, err);
}

static int profile_both(rls2_plan *plan, rls2_profile **profile)
{
    rls2_error err;
    rls2_profile *other;
    rls2_source *source;
    rls2_table *table;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    for (int k = 0; k < 2; k++) {
        TRY(half(k, &table, &err));
        TRY(rls2_source_open_table(table, &source, &err));
        TRY(rls2_plan_profile(plan, source, &control, k ? &other : profile, &err));
        rls2_source_close(source);
        rls2_table_free(table);
    }
    TRY(rls2_profile_merge(*profile, other, &err));
    rls2_profile_free(other);
    return 0;
}

/* Statistics that were made of a profile, filled from calls, and emptied by subtraction. */
static int fill(rls2_plan *plan, rls2_stats **stats)
{
    rls2_error err;
    rls2_control control;
    rls2_source_calls calls;
    rls2_source *source;
    rls2_stats *one;
    rls2_table *first, *table;
    int at = 0;
    rls2_control_init(&control, sizeof control);
    rls2_source_calls_init(&calls, sizeof calls);
    calls.again = again;
    calls.next = next;
    calls.user = &at;
    TRY(half(0, &first, &err));
    TRY(rls2_source_open_calls(first, &calls, &source, &err));
    TRY(rls2_plan_count(plan, &control, stats, &err));
    TRY(rls2_plan_count(plan, &control, &one, &err));
    MUST(rls2_stats_rows(*stats) == 0);
    TRY(rls2_stats_add_rows(*stats, source, &control, &err));
    MUST(rls2_stats_rows(*stats) == (int64_t)ROWS);
    rls2_source_close(source);
    rls2_table_free(first);
    TRY(half(1, &table, &err));
    TRY(rls2_source_open_table(table, &source, &err));
    TRY(rls2_stats_add_rows(one, source, &control, &err));
    TRY(rls2_stats_subtract(*stats, one, &err));
    MUST(rls2_stats_rows(*stats) == (int64_t)ROWS / 2);
    TRY(rls2_stats_merge(*stats, one, &err));
    rls2_source_close(source);
    rls2_table_free(table);
    rls2_stats_free(one);
    return 0;
}

static int learn(rls2_stats *stats)
{
    rls2_error err;
    rls2_plan *plan;
    rls2_fit *fit;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err));
    TRY(rls2_plan_complete_stats(plan, stats, &err));
    MUST(rls2_plan_is_tall(plan) && rls2_plan_row_count(plan) == (int64_t)ROWS);
    TRY(rls2_plan_fit(plan, &control, &fit, &err));
    MUST(rls2_model_is_compact(rls2_fit_chosen_model(fit)));
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return 0;
}

int main(void)
{
    rls2_error err;
    rls2_plan *plan;
    rls2_profile *profile;
    rls2_stats *stats;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "y", &err));
    if (profile_both(plan, &profile)) return 1;
    TRY(rls2_plan_complete_profile(plan, profile, &control, &err));
    const int failed = fill(plan, &stats) || learn(stats);
    rls2_stats_free(stats);
    rls2_plan_free(plan);
    rls2_profile_free(profile);
    return failed;
}
