/* Proximal Newton for any loss, and for an intercept that is free. */
#ifndef RLS2_SOLVER_PROXIMAL_H
#define RLS2_SOLVER_PROXIMAL_H

#include "solver/solver.h"

/* The loss is that of problem->options, of problem->response; problem->y is only what the first
 * kernel is chosen by. RLS2_ERR_MEMORY or RLS2_ERR_CANCELLED. */
rls2_status rls2__proximal_create(const rls2__problem *problem, rls2__method *method);

#endif
