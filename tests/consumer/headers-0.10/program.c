/* A program of 0.10, which every later 0.x must still run. Compiled with the headers beside it,
 * once they are frozen, and linked to the library of today; not to be changed once 0.10 is out. */
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

/* Rows that are counted twice have the same bytes, and can be added. */
static int count_rows(rls2_plan *plan, const char *path, rls2_stats **stats)
{
    rls2_error err;
    rls2_control control;
    rls2_stats *again;
    void *first, *second;
    int64_t length, other;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    TRY(rls2_plan_count(plan, &control, stats, &err));
    TRY(rls2_plan_count(plan, &control, &again, &err));
    TRY(rls2_stats_pack(*stats, &first, &length, &err));
    TRY(rls2_stats_pack(again, &second, &other, &err));
    MUST(length == other && memcmp(first, second, (size_t)length) == 0);
    rls2_bytes_free(first);
    rls2_bytes_free(second);
    TRY(rls2_plan_recount(plan, again, path, &control, &err));
    TRY(rls2_stats_merge(*stats, again, &err));
    MUST(rls2_stats_rows(*stats) == 2 * (int64_t)ROWS);
    MUST(rls2_stats_axis_count(*stats) == 1 && rls2_stats_axis_is_exact(*stats, 0));
    rls2_stats_free(again);
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
    MUST(rls2_plan_is_tall(plan) && rls2_plan_row_count(plan) == 2 * (int64_t)ROWS);
    TRY(rls2_plan_fit(plan, &control, &fit, &err));
    const rls2_model *model = rls2_fit_chosen_model(fit);
    MUST(rls2_model_is_compact(model) && rls2_model_block_count(model) > 0);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return 0;
}

int main(void)
{
    static const char PATH[] = "program-0.10.csv";
    rls2_error err;
    rls2_plan *plan;
    rls2_stats *stats;
    rls2_control control;
    FILE *file = fopen(PATH, "w");
    MUST(file);
    fputs("x,y\n", file);
    for (int i = 0; i < ROWS; i++) fprintf(file, "%d,%d\n", i % 23, i % 23 + i % 7);
    MUST(fclose(file) == 0);
    rls2_control_init(&control, sizeof control);
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "y", &err));
    TRY(rls2_plan_complete_file(plan, PATH, &control, &err));
    int failed = count_rows(plan, PATH, &stats) || learn(stats);
    rls2_stats_free(stats);
    rls2_plan_free(plan);
    remove(PATH);
    return failed;
}
