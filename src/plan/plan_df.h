/* Where a fit has degrees of freedom. */
#ifndef RLS2_PLAN_PLAN_DF_H
#define RLS2_PLAN_PLAN_DF_H

#include "plan/cost.h"
#include "plan/plan.h"

/* EACH or NONE: of the points of a path over operators such as these. */
rls2_df rls2__plan_df_of_path(const rls2_plan *plan, const rls2__outline *outline);
/* LAST or NONE: of a path whose end is the model. */
rls2_df rls2__plan_df_of_model(const rls2_plan *plan);
/* Says that a path goes without them, where nobody asked for that. */
void rls2__plan_note_df(rls2_plan *plan);

#endif
