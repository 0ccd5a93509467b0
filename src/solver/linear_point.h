/* What the methods for kernels of one column have in common: room, prices, the best point, and a
 * general method that goes on where rounding stops them.  [MATH.md, G7 and N5] */
#ifndef RLS2_SOLVER_LINEAR_POINT_H
#define RLS2_SOLVER_LINEAR_POINT_H

#include "solver/evaluate.h"
#include "solver/linear_steps.h"

/* Room for everything but the columns, which are there already. RLS2_ERR_MEMORY. */
rls2_status rls2__linear_make_room(rls2__linear *s);
/* All that it owns, but not s itself. */
void rls2__linear_release(rls2__linear *s);

/* Makes the active columns those of a point (c, d): b_k = d_k z_k'c. Those that depend on others
 * are left to enter. */
void rls2__linear_adopt(rls2__linear *s, int64_t count, const int64_t *ks, const double *d,
                        const double *c);
/* Prices the other kernels at c, where g is Z'c, and bounds all q_k from above; *slack is what the
 * bound adds to the largest of the forms computed. */
double rls2__linear_largest_q(rls2__linear *s, double threshold, double *slack);
/* The kernels of largest q above the mean, at most `limit`. */
void rls2__linear_choose_entering(rls2__linear *s, double mean, int64_t limit);
void rls2__linear_keep_best(rls2__linear *s, const rls2__evaluation *at, double lambda);

/* A lambda begins: no best point, nothing done for it. And ends: what was done is in s->best. */
void rls2__linear_begin(rls2__linear *s);
void rls2__linear_end(rls2__linear *s);
/* The general method, s->other, solves for it, and its point is adopted. */
rls2_status rls2__linear_hand_on(rls2__linear *s, double lambda, double tol, rls2__answer *answer);
/* Where they are asked for, of the last point; curvature: of the loss, NULL where that is 1. */
rls2_status rls2__linear_degrees_of_freedom(rls2__linear *s, double lambda,
                                            const double *curvature);

#endif
