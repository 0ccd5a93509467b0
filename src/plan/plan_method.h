/* Which way a plan goes. */
#ifndef RLS2_PLAN_PLAN_METHOD_H
#define RLS2_PLAN_PLAN_METHOD_H

#include "plan/plan.h"

/* May rows be counted first, by what is asked for? */
int rls2__plan_may_be_tall(const rls2_plan *plan);
/* Refuses what cannot be counted, of what is asked for; `what` is to be: "a file that is read in
 * pieces". */
rls2_status rls2__plan_check_tall(rls2_plan *plan, const char *what, rls2_error *err);
/* Sets is_tall, by rows and kernels where that is not asked for; RLS2_ERR_ARGUMENT where it is
 * asked for and cannot be. After the kernels are known. */
rls2_status rls2__plan_settle_method(rls2_plan *plan, rls2_error *err);
/* Splits of the caller: parts are counted once and left out once, so that others than folds are
 * computed with the rows; RLS2_ERR_ARGUMENT where counts are asked for. */
rls2_status rls2__plan_settle_splits(rls2_plan *plan, const rls2_splits *splits, rls2_error *err);

#endif
