/* The rows of a loss with kinks as an interior point method sees them.  [MATH.md, N3]
 *
 * Such a loss is L(t) = max over p in [low, high] of p (t - y) - wide |p|. With p = low + a, or
 * p = a_1 - a_2 where wide > 0, it is one piece or two of the kind
 *
 *   max over 0 <= a <= top of  a (sign (t - y) - wide) + mu log a + mu log (top - a),   mu -> 0,
 *
 * whose conditions are, with multipliers z of the two bounds,
 *
 *   sign (t - y) - wide = z_high - z_low,   a z_low = mu,   (top - a) z_high = mu.
 *
 * Newton's method in (a, z) has the slope p and the curvature 1/theta of a piece,
 * theta = z_low / a + z_high / (top - a), in place of those of the loss. */
#ifndef RLS2_SOLVER_BARRIER_ROWS_H
#define RLS2_SOLVER_BARRIER_ROWS_H

#include "base/memory.h"
#include "solver/loss.h"

/* A point, or a direction. */
typedef struct rls2__barrier_point {
    double *a, *low, *high; /* n x pieces */
} rls2__barrier_point;

typedef struct rls2__barrier {
    const rls2__row_loss *loss; /* borrowed */
    int pieces;
    int entered; /* c of the last lambda is one to begin with */
    double *top; /* n x pieces */
    rls2__barrier_point at, step;
    double *fix_low, *fix_high; /* products of changes, which Newton's method leaves out */
    double *t, *change;         /* n: predictions, and what p changes by */
} rls2__barrier;

/* Takes its arrays from a layout; then fills in what the loss says, every a in the middle. */
void rls2__barrier_lay_out(rls2__barrier *it, const rls2__row_loss *loss, rls2__layout *layout);
void rls2__barrier_init(rls2__barrier *it);

/* The multipliers of c, no closer to their bounds than the margin times their mean and that share
 * of the way between the bounds. */
void rls2__barrier_enter(rls2__barrier *it, double lambda, const double *c, double margin,
                         double share);
/* z for these t: the first condition is met, and no product is below the mean of what that asks
 * for. */
void rls2__barrier_centre(rls2__barrier *it);
/* c = -e p / lambda */
void rls2__barrier_c(const rls2__barrier *it, double lambda, double *c);

/* In f~: how far t is from where Newton's model for this mu has the a at hand, and the root of the
 * curvature. */
void rls2__barrier_bend(const rls2__barrier *it, double mu, double *apart, double *root);
/* The step in a and z where p changes as `change` says. */
void rls2__barrier_follow(rls2__barrier *it, double mu);
/* The largest share of the step, at most 1, that leaves a and z inside their bounds. */
double rls2__barrier_reach(const rls2__barrier *it);
/* The mean of all products after that share of the step. */
double rls2__barrier_mean(const rls2__barrier *it, double share);
/* The products of changes of this step are put into the next one; or none are. */
void rls2__barrier_fix(rls2__barrier *it, int second_order);
void rls2__barrier_take(rls2__barrier *it, double share);

#endif
