/* What a plan will take, before anything long is started. */
#ifndef RLS2_PLAN_PLAN_FORECAST_H
#define RLS2_PLAN_PLAN_FORECAST_H

#include "plan/cost.h"
#include "plan/plan.h"

/* The work of a complete plan on so many threads. */
rls2_status rls2__plan_workload(const rls2_plan *plan, int threads, rls2__workload *work,
                                rls2_error *err);

/* RLS2_ERR_MEMORY, saying what would fit, where the work needs more than `limit` bytes even with
 * one split at a time; 0 is no limit. */
rls2_status rls2__workload_check(rls2_plan *plan, const rls2__workload *work, double limit,
                                 rls2_error *err);
/* The same of the work of a plan, by the memory that this process may have. */
rls2_status rls2__plan_check_room(rls2_plan *plan, rls2__workload *work, rls2_error *err);

#endif
