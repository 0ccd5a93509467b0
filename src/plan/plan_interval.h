/* Intervals: whether they can be had, and what they are calibrated on. */
#ifndef RLS2_PLAN_PLAN_INTERVAL_H
#define RLS2_PLAN_PLAN_INTERVAL_H

#include "plan/fit_work.h"

/* Is a model asked for that has intervals? */
int rls2__plan_wants_intervals(const rls2_plan *plan);
/* Are they asked for, of a model or as a score of the curve? */
int rls2__plan_scores_intervals(const rls2_plan *plan);
/* Does it leave rows out for these alone? */
int rls2__plan_calibrates_apart(const rls2_plan *plan);
/* Refuses them where they cannot be had: when rows and method are known. */
rls2_status rls2__plan_settle_intervals(rls2_plan *plan, rls2_error *err);
/* Leaves rows out at the lambda that was chosen, where that was not done to choose it. */
rls2_status rls2__fit_calibrate(rls2__fit_work *w, rls2_error *err);
/* Their coverage and width along the curve, which is there; nothing where none are asked for. */
rls2_status rls2__fit_cover(rls2__fit_work *w, rls2_error *err);
/* The intervals of the chosen point, for its model; nothing where none are asked for. */
rls2_status rls2__fit_tell_intervals(const rls2_fit *fit, rls2_model *model, rls2_error *err);

#endif
