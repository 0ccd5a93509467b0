/* The method for bases whose kernels are one column each. */
#ifndef RLS2_SOLVER_LINEAR_H
#define RLS2_SOLVER_LINEAR_H

#include "solver/solver.h"

/* As rls2__newton_create, for a basis whose kernels are all one column each: the same answers in
 * far less time. [MATH.md, G7] */
rls2_status rls2__linear_create(const rls2__problem *problem, rls2__method *method);
int rls2__is_linear(const rls2_basis *basis);

#endif
