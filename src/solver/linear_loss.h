/* Kernels that are one column each, with any loss that bends, and a free intercept. */
#ifndef RLS2_SOLVER_LINEAR_LOSS_H
#define RLS2_SOLVER_LINEAR_LOSS_H

#include "solver/solver.h"

/* Are all kernels linear in one column, the weights learned, and the loss one without kinks? */
int rls2__is_linear_loss(const rls2__problem *problem);
/* RLS2_ERR_MEMORY or RLS2_ERR_CANCELLED. */
rls2_status rls2__linear_loss_create(const rls2__problem *problem, rls2__method *method);

#endif
