/* Objective, duality gap and what bounds them at a point. */
#ifndef RLS2_SOLVER_EVALUATE_H
#define RLS2_SOLVER_EVALUATE_H

#include "solver/solver.h"

/* Index maximising y'R^k y, summed over outputs: the kernel selected when lambda is large [LEM5].
 */
rls2_status rls2__first_kernel(const rls2__problem *problem, int64_t *k, double *alignment);

/* Variables a method makes room for. Vectors in R^n span no more than n directions, so
 * more than about n kernels are never needed at once. */
int64_t rls2__working_room(const rls2_basis *basis);

/* What is known at a point (c, d) with f = R(d)c:
 *   objective = 1/2 |y - f|^2 + lambda/2 c'f
 *   gap       = (1/2 |r|^2 + lambda/2 (max_q - c'f)) / objective,  r = y - f - lambda c
 * [MATH.md, G1 and G2]. max_q bounds c'R^k c over all kernels; `slack` is what of it is
 * owed to what factors leave out [G3]. Quadratic forms are computed to about eps |R(d)| |c|^2,
 * which is added to max_q, and f to eps sqrt(n) |R(d)| |c|, which is added to |r| together with
 * what factors leave out of it [G4]. A gap that cannot be computed is infinite. */
typedef struct rls2__evaluation {
    double objective;
    double gap;      /* infinite where numbers overflow or underflow: nothing is known */
    double floor;    /* the part of the gap that no d can take away: slack and rounding */
    double residual; /* |r| / |y| */
    double mean_q;   /* c'f = sum_k d_k q_k */
} rls2__evaluation;

/* sum_i d[i] |R^ks[i]|_2, a bound of |R(d)|_2. */
double rls2__combined_norm(const rls2_basis *basis, int64_t count, const int64_t *ks,
                           const double *d);

/* That, and how far R(d) as it is stored can be from the exact one: sum_k d_k slack_k bounds the
 * norm of their difference. */
typedef struct rls2__bounds {
    double norm;
    double lost;
} rls2__bounds;

rls2__bounds rls2__combined_bounds(const rls2_basis *basis, int64_t count, const int64_t *ks,
                                   const double *d);

rls2__evaluation rls2__evaluate(const rls2__problem *problem, double lambda, const double *c,
                                const double *f, double max_q, double slack, rls2__bounds bounds);

/* Ascending order of ks, d along with it. */
void rls2__sort_weights(int64_t count, int64_t *ks, double *d);

#endif
