/* Quadratic programs on the simplex:  min 1/2 x'Hx - g'x,  x >= 0,  sum x = 1,
 * for H positive semi-definite, singular included. */
#ifndef RLS2_SOLVER_SIMPLEX_QP_H
#define RLS2_SOLVER_SIMPLEX_QP_H

#include <stdint.h>

typedef struct rls2__simplex_qp rls2__simplex_qp;

/* Room for up to `room` variables; NULL when out of memory. */
rls2__simplex_qp *rls2__simplex_qp_create(int64_t room);
void rls2__simplex_qp_free(rls2__simplex_qp *qp);

/* H is w x w, lower triangle, leading dimension ldh. x holds a feasible start and
 * receives the solution, zeros exact. Returns the number of steps taken, negated
 * when their limit was reached before optimality (x is feasible and no worse than
 * the start all the same). */
int64_t rls2__simplex_qp_solve(rls2__simplex_qp *qp, int64_t w, const double *H, int64_t ldh,
                               const double *g, double *x);

#endif
