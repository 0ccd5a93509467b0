/* Stability selection: whether it can be had, and where it is done. */
#ifndef RLS2_PLAN_PLAN_STABILITY_H
#define RLS2_PLAN_PLAN_STABILITY_H

#include "plan/fit_work.h"
#include "select/stability.h"

int rls2__plan_wants_stability(const rls2_plan *plan);
/* Refuses it where it cannot be had: when rows, kernels and method are known. */
rls2_status rls2__plan_settle_stability(rls2_plan *plan, rls2_error *err);
/* After everything else: it does not change the model. */
rls2_status rls2__fit_find_stable(rls2__fit_work *w, rls2_error *err);

#endif
