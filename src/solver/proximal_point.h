/* What the proximal Newton method knows from one point to the next, and one point: f, v_k, q_k and
 * the gap. */
#ifndef RLS2_SOLVER_PROXIMAL_POINT_H
#define RLS2_SOLVER_PROXIMAL_POINT_H

#include "solver/barrier_rows.h"
#include "solver/curved.h"
#include "solver/evaluate.h"
#include "solver/kinks.h"
#include "solver/loss.h"
#include "solver/pricing.h"
#include "solver/simplex_qp.h"
#include "solver/solver.h"

struct rls2__proximal {
    const rls2__problem *problem;
    rls2__row_loss loss;
    rls2__barrier rows; /* of a loss with kinks */
    rls2__kinks kinks;  /* likewise, where weights stay */
    int is_free;        /* the intercept */
    int is_given; /* the weights are, and stay as they are: all kernels but theirs are out of it */
    int is_fixed; /* the same, or there is but one kernel */
    rls2__curved system;
    rls2__pricer pricer;
    rls2__simplex_qp *qp;
    int64_t room;
    int64_t active; /* the first `active` of ks have d > 0 */
    int64_t count;  /* working set: active, then entering */
    int64_t *ks;
    double *d;
    double *target;        /* minimiser of the model over the working set */
    double *trial;         /* d on the way to it */
    unsigned char *in_set; /* m flags: active */
    double *V; /* n x (room + 1): v_k of the working set, and one more column; none of given ones */
    double *H; /* room x room, likewise */
    double *g; /* linear term of the model */
    double *q; /* q_k of the working set */
    /* the point; c may be outside the conjugate's domain, which then proves nothing */
    double *c, *f; /* f = R(d) c */
    double b;
    double merit; /* sum of the loss and lambda/2 c'f */
    int feasible; /* c is in the domain */
    /* the next one */
    double *next_c, *next_f;
    double next_b;
    double *slope, *root; /* of the loss, and the root of its curvature */
    double *step, *ones;  /* B^-1 of something; B^-1 D e where the intercept is free */
    double ones_square;   /* e'D B^-1 D e */
    double *e;            /* roots of the weights of rows, or ones */
    double *work;
    int formed;   /* R in the system is R(d) */
    int borrowed; /* weights are of other rows: a step of its own is taken, however good they are */
    /* the best point seen for this lambda */
    double best_gap;
    int64_t best_count;
    int64_t *best_ks;
    double *best_d, *best_c;
    rls2_path_point best;
    double best_b;
    void *block; /* all of these arrays */
};

typedef struct rls2__proximal_gap {
    rls2__evaluation at;
    double b; /* the intercept that goes with it */
} rls2__proximal_gap;

/* A point (c, d, b) of any method for a loss, and f = R(d)c. */
typedef struct rls2__loss_point {
    const rls2_basis *basis;
    const rls2__row_loss *loss;
    int is_free; /* the intercept */
    double lambda;
    const double *c, *f;
    double b;
    int64_t count; /* kernels with weight */
    const int64_t *ks;
    const double *d;
} rls2__loss_point;

/* What is known there: largest bounds all q_k, slack is what of that factors leave out. [MATH.md,
 * N1] */
rls2__evaluation rls2__loss_evaluate(const rls2__loss_point *at, double largest, double slack);

/* The sum of the loss and lambda/2 c'f. */
double rls2__proximal_merit(const rls2__proximal *s, double lambda, const double *c,
                            const double *f, double b);
/* R(d) of the weights in hand. */
rls2_status rls2__proximal_form(rls2__proximal *s);
/* v_k, q_k and the gap at (c, d, b); all kernels are priced, or spared by their bounds. */
rls2_status rls2__proximal_evaluate(rls2__proximal *s, double lambda, double tol,
                                    rls2__proximal_gap *found);

#endif
