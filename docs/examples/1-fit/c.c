#include <rls2/rls2.h>
#include <stdio.h>

#define TRY(call) if (call) return puts(err.message), 1

int main(void)
{
    rls2_error err;
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;

    TRY(rls2_table_read("data/prostate.csv", NULL, &table, &err));
    TRY(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err));
    TRY(rls2_plan_set(plan, "target", "lpsa", &err));
    TRY(rls2_plan_set(plan, "drop", "train", &err));
    TRY(rls2_plan_set(plan, "kernels", "linear", &err));
    TRY(rls2_plan_complete(plan, table, &err));
    TRY(rls2_plan_fit(plan, NULL, &fit, &err));

    const rls2_path_point *point = rls2_fit_at(fit, rls2_fit_chosen(fit));
    printf("lambda %.4g, %d kernels, gap %.1e\n", point->lambda, (int)point->selected, point->gap);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return 0;
}
