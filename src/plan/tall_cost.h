/* What a tall fit will probably take. */
#ifndef RLS2_PLAN_TALL_COST_H
#define RLS2_PLAN_TALL_COST_H

#include "plan/cost.h"
#include "plan/plan.h"

/* Of a complete plan; limit: bytes of memory there are. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__tall_cost(const rls2_plan *plan, const rls2__workload *work,
                            const rls2__speeds *speeds, double limit, rls2_cost *cost);

#endif
