/* One call of rls2_plan_fit, as the files that do it see it. */
#ifndef RLS2_PLAN_FIT_WORK_H
#define RLS2_PLAN_FIT_WORK_H

#include "plan/fit.h"

typedef struct rls2__fit_work {
    rls2_plan *plan;
    rls2_fit *fit;
    rls2_control control;
    rls2_df df; /* of a path, as far as the plan has a say */
} rls2__fit_work;

/* Tells who asked; RLS2_ERR_CANCELLED where it is to end there. */
rls2_status rls2__fit_end_stage(rls2__fit_work *w, const char *stage, rls2_error *err);
/* The points of all outputs, as far as their paths have come, become those of the fit. */
rls2_status rls2__fit_sum_up(rls2_fit *fit, rls2_error *err);
rls2_status rls2__fit_refuse_stopped(const rls2_fit *fit, rls2_error *err);

/* The point at the least value of the criterion asked for is chosen. */
rls2_status rls2__fit_find_least(rls2__fit_work *w, rls2_error *err);

/* Cross-validation of the rows that are split, by a recipe of rls2__fit_split_recipe. */
rls2_status rls2__fit_run_splits(rls2__fit_work *w, const rls2__recipe *recipe,
                                 const rls2_splits *splits, int baselines, rls2_cv **cv,
                                 rls2_error *err);
/* The recipe of splits on this machine. */
rls2__recipe rls2__fit_split_recipe(const rls2_plan *plan);
/* Refuses a curve that is defined nowhere. */
rls2_status rls2__fit_check_curve(rls2_plan *plan, const rls2_cv *cv, rls2_error *err);
/* The curve is there: its intervals, notes, and the end of the stage "splits". */
rls2_status rls2__fit_end_curve(rls2__fit_work *w, rls2_error *err);

#endif
