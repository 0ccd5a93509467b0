/* Conjugate gradients for (R + lambda I) c = y, R being formed. */
#ifndef RLS2_SOLVER_SYSTEM_ITERATE_H
#define RLS2_SOLVER_SYSTEM_ITERATE_H

#include <float.h>

#include "solver/system.h"

#define RLS2__SOLVED (0.5 * DBL_EPSILON) /* |residual| / |y| that counts as none */

/* With the factor L of a matrix that is near, from the start c, until the error is below
 * system->accuracy of c in the norm of that matrix. *done is 0 where factorising is cheaper. Leaves
 * c'(y - Mc) in system->missing. */
rls2_status rls2__system_iterate_near(rls2__system *system, const double *y, double *c, int *done);
/* H (lower triangle) = V'(2P^-1 - P^-1 M P^-1)V with P = LL': V'M^-1 V to second order in P - M.
 * room: w columns of 2n + 2w. *done is 0 where P is too far from M for that to be positive
 * semi-definite. */
rls2_status rls2__system_hessian_near(rls2__system *system, int64_t w, const double *V,
                                      double *room, double *H, int64_t ldh, int *done);

#endif
