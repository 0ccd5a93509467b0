/* Path and curve together, a few lambdas at a time, where there are many rows. */
#ifndef RLS2_PLAN_FIT_STEPS_H
#define RLS2_PLAN_FIT_STEPS_H

#include "plan/fit_work.h"

/* Do splits take their rows, and kernels, from those of all? */
int rls2__fit_takes_rows(const rls2_plan *plan);

/* Bases and lambdas are there. The path of all rows, with its points, and the curve, on the same
 * lambdas: those that were asked for, or of a grid that is found as many as are of use. A path that
 * is stopped keeps what is finished, and there is no curve. */
rls2_status rls2__fit_by_steps(rls2__fit_work *w, rls2_df degrees_of_freedom, rls2_error *err);
/* Degrees of freedom at point i, of a path that was fitted without. */
rls2_status rls2__fit_find_df(rls2__fit_work *w, int64_t i, rls2_error *err);

#endif
