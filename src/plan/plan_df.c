/* Degrees of freedom are wanted of the model, by criteria, and to read a path.
 *
 * A path of many rows is one factorisation for each lambda. Degrees of freedom are another one and
 * an inverse, since weights have moved since: two thirds of the whole. So beyond some rows a path
 * goes without them unless they are asked for. Criteria compute them anyway, and hand them over
 * (rls2_fit_criteria). */
#include "plan/plan_df.h"

/* Of the systems that are factorised: a path of this order takes seconds. */
static const double MANY_ROWS = 3000.0;

rls2_df rls2__plan_df_of_path(const rls2_plan *plan, const rls2__outline *outline)
{
    switch (plan->asked.df) {
    case RLS2__DF_EACH: return RLS2_DF_EACH;
    case RLS2__DF_NONE: return RLS2_DF_NONE;
    default: return rls2__system_order(outline) > MANY_ROWS ? RLS2_DF_NONE : RLS2_DF_EACH;
    }
}

rls2_df rls2__plan_df_of_model(const rls2_plan *plan)
{
    return plan->asked.df == RLS2__DF_NONE ? RLS2_DF_NONE : RLS2_DF_LAST;
}

void rls2__plan_note_df(rls2_plan *plan)
{
    if (plan->asked.df == RLS2__DF_AUTO)
        rls2__plan_say(plan,
                       "degrees of freedom are left out above %.0f rows; %s each computes them",
                       MANY_ROWS, rls2__plan_name(plan, "df").text);
}
