/* One set of kernel weights for several outputs. */
#ifndef RLS2_SOLVER_SHARED_H
#define RLS2_SOLVER_SHARED_H

#include "solver/solver.h"

/* Of problem->outputs responses; problem->y is only what the first kernel is chosen by. Answers
 * have a c, an intercept and degrees of freedom for each. RLS2_ERR_MEMORY or RLS2_ERR_CANCELLED. */
rls2_status rls2__shared_create(const rls2__problem *problem, rls2__method *method);

#endif
