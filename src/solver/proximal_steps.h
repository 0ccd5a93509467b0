/* What the methods for losses with curvature and for those with kinks share: one factorisation, the
 * steps in c and b and in d that it serves, and the best point so far. */
#ifndef RLS2_SOLVER_PROXIMAL_STEPS_H
#define RLS2_SOLVER_PROXIMAL_STEPS_H

#include "solver/proximal_point.h"

/* Factorises B of the curvatures in s->root. */
rls2_status rls2__proximal_factorize(rls2__proximal *s, double lambda);
/* Where the minimum of the model is whose slope at (f, b) is s->slope, d being the same: next_c,
 * next_f and next_b. */
rls2_status rls2__proximal_minimise_in_c(rls2__proximal *s, double lambda);
/* The same, next_c and next_b alone, where s->slope is how far f is from where the model has this
 * c. */
rls2_status rls2__proximal_newton_in_c(rls2__proximal *s);
/* The kernels whose q, as priced last, is above the mean join the working set behind the active
 * ones. */
rls2_status rls2__proximal_choose_entering(rls2__proximal *s, double mean);
/* Minimises, over the simplex of the working set, the model of F / lambda at s->d: s->target. */
rls2_status rls2__proximal_minimise_in_d(rls2__proximal *s);
/* step = -M^-1 sum_k (target - d)_k v_k: what c does when d goes to the target, to first order, and
 * *b what is added to the intercept where that is free. */
rls2_status rls2__proximal_follow_in_c(rls2__proximal *s, double *b);
/* Takes d = trial over the working set; what is zero leaves. R in the system is theirs already. */
void rls2__proximal_take_weights(rls2__proximal *s);
/* Keeps the point in hand where its gap is less than any before. */
void rls2__proximal_keep_best(rls2__proximal *s, const rls2__proximal_gap *found, double lambda);
/* Goes back to it. */
void rls2__proximal_restore_best(rls2__proximal *s);

#endif
