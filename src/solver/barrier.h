/* Interior point method for losses with kinks. */
#ifndef RLS2_SOLVER_BARRIER_H
#define RLS2_SOLVER_BARRIER_H

#include "solver/proximal_point.h"

/* The iterations of one lambda; the best point is left in s->best*. */
rls2_status rls2__barrier_iterate(rls2__proximal *s, double lambda, double tol,
                                  rls2_outcome *outcome);

#endif
