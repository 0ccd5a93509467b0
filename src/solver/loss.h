/* The loss of the rows of a problem: sums, slopes, curvatures and conjugates.
 *
 * Each loss is a row of one small table of functions of one row (loss.c). Weights of rows are part
 * of basis and c, as everywhere in the solver: with e_i the root of a row's weight (1 without),
 * f~ = e f, c~ = c / e, and the loss of a row is w L(f~ / e + b). Slopes and curvatures below are
 * those in f~, which are e L' and L''.
 *
 * Losses with kinks (hinge, quantile, epsilon, absolute) are solved by an interior point method
 * (barrier.h) or, where outputs share kernel weights, through their Moreau envelopes
 *
 *   L_delta(t) = max over p of  p t - L*(p) - delta/2 (p - p0)^2,
 *
 * smooth, of curvature 1/delta or 0, and exact where p0 is the slope at the solution: p0 follows
 * the iterations (a method of multipliers), so that delta need not be tiny.     [MATH.md, N3] */
#ifndef RLS2_SOLVER_LOSS_H
#define RLS2_SOLVER_LOSS_H

#include "rls2/loss.h"

typedef struct rls2__loss_table rls2__loss_table;

typedef struct rls2__row_loss {
    const rls2__loss_table *of;
    double a; /* its parameter */
    int64_t n;
    const double *y;     /* n: responses as they are; borrowed, as the next */
    const double *roots; /* n: e, or NULL */
    double spread;       /* of y: the unit of t */
    double missing;      /* what the functions of rows leave out of the sum: a constant */
    double delta;        /* > 0: the envelope is meant */
    double *centre;      /* n: p0; NULL where there are no kinks */
} rls2__row_loss;

/* NULL where the loss is none. */
const rls2__loss_table *rls2__loss_find(rls2_loss loss);
/* Of these rows, without centre and envelope. */
rls2__row_loss rls2__row_loss_of(rls2_loss loss, int64_t n, const double *y, const double *roots);
int rls2__loss_has_kinks(const rls2__row_loss *it);
/* RLS2_ERR_VALUE where a response is none of this loss, or its parameter out of range. */
rls2_status rls2__loss_check(rls2_loss loss, int64_t n, const double *y, rls2_error *err);

/* Of a loss with kinks: L(t) = max over p from low to high of p (t - y) - wide |p|. */
typedef struct rls2__kink {
    double low, high, wide;
} rls2__kink;
rls2__kink rls2__loss_kink(const rls2__row_loss *it, int64_t i);

/* sum_i w_i L(f~_i / e_i + b); of the envelope where that is meant. */
double rls2__loss_sum(const rls2__row_loss *it, const double *f, double b);
/* In f~: the slope, and the root of the curvature. */
void rls2__loss_bend(const rls2__row_loss *it, const double *f, double b, double *slope,
                     double *root);
/* The sum, and in f~ slopes and curvatures; of a loss without kinks. */
double rls2__loss_expand(const rls2__row_loss *it, const double *f, double b, double *slope,
                         double *curvature);
/* The b that makes the sum least; of a loss with kinks the middle of those that do. */
double rls2__loss_constant(const rls2__row_loss *it, const double *f, double from);
/* Moves c to where -lambda c is in the domain of the conjugate and, where the intercept is free,
 * e'c = 0. Returns the largest change, over the largest value of c. */
double rls2__loss_project(const rls2__row_loss *it, double lambda, int free_intercept, double *c);

/* A Fenchel-Young gap in parts, of the loss itself: with p = -lambda c,
 *   sum_i w_i [L(t_i) + L*(p_i / e_i)] - p'f~ - b p'e >= 0,   t = f~ / e + b */
typedef struct rls2__young {
    double loss;       /* sum of w L */
    double gap;        /* that sum, rounding not considered */
    double size;       /* the sum of the sizes of its terms, of which rounding is a share */
    double unbent;     /* |slope + lambda c|, of the loss itself */
    double curvature;  /* no curvature between t and anything that rounding makes of it is larger;
                         of losses with kinks 0 */
    double jump;       /* no slope in f~ changes by more; 0 where there are no kinks */
    double unbalanced; /* |e'c|, 0 but for rounding where the intercept is free */
    double envelope;   /* sum of w delta/2 (p - p0)^2: what the envelope adds to the conjugate */
} rls2__young;

rls2__young rls2__loss_young(const rls2__row_loss *it, double lambda, const double *c,
                             const double *f, double b);
/* p0 = -lambda c / e */
void rls2__loss_recentre(const rls2__row_loss *it, double lambda, const double *c);

/* What an output is called that is one of several quantiles: "q0.05". */
enum { RLS2__LEVEL_NAME = 32 };
void rls2__loss_level_name(rls2_loss loss, char name[RLS2__LEVEL_NAME]);

#endif
