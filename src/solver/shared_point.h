/* What the method for shared weights knows from one point to the next, and one point: f_o, v_ko,
 * q_k and the gap. Vectors of all outputs are n x outputs. */
#ifndef RLS2_SOLVER_SHARED_POINT_H
#define RLS2_SOLVER_SHARED_POINT_H

#include "solver/evaluate.h"
#include "solver/pricing.h"
#include "solver/shared_loss.h"
#include "solver/shared_system.h"
#include "solver/solver.h"
#include "solver/working_set.h"

/* The best point seen for a lambda. */
typedef struct rls2__shared_best {
    rls2_path_point point;
    double gap;
    int64_t count;
    int64_t *ks;
    double *d, *c, *b;
    rls2__own_answer *each;
} rls2__shared_best;

typedef struct rls2__shared {
    const rls2__problem *problem;
    int64_t n, outputs, size; /* size = n outputs */
    int is_free;              /* the intercepts */
    int is_given;             /* the weights are, and stay as they are */
    rls2__joint_loss loss;
    rls2__joint_system system;
    rls2__pricer pricer;
    rls2__working_set set;
    double *V; /* of each output n x (room + 1): v_k of the working set, and one more column */
    /* the point; c may be outside the conjugate's domain, which then proves nothing */
    double *c, *f, *b; /* f_o = R(d) c_o */
    double merit;      /* sum of the loss, or its envelope, and lambda/2 sum_o c_o'f_o */
    int feasible;      /* c is in the domain */
    int formed;        /* R in the system is R(d) */
    int borrowed;      /* d was found elsewhere: a step of one's own is due */
    double width;      /* of the envelopes, in units of the spreads of y; 0: there are none */
    /* the next one */
    double *next_c, *next_f, *next_b;
    double *slope, *root; /* of the loss, and the root of its curvature */
    double *step;
    double *balance, *df; /* outputs */
    double *e;            /* n: roots of the weights of rows, or ones */
    double *work;         /* n */
    rls2__shared_best best;
    void *block; /* all of these arrays */
} rls2__shared;

typedef struct rls2__shared_gap {
    rls2__evaluation at;
    double envelope; /* the relative gap of the problem with the envelope in place of the loss */
} rls2__shared_gap;

/* The sum of the loss, or its envelope, and lambda/2 sum_o c_o'f_o. */
double rls2__shared_merit(rls2__shared *s, double lambda, const double *c, const double *f,
                          const double *b);
/* R(d) of the weights in hand. */
rls2_status rls2__shared_form(rls2__shared *s);
/* v_ko of kernels `first` to `count` of the working set. */
rls2_status rls2__shared_apply(rls2__shared *s, int64_t first, int64_t count);
/* v_ko, q_k and the gap at (c, d); all kernels are priced, or spared by their bounds. next_b holds
 * the intercepts that go with it. */
rls2_status rls2__shared_evaluate(rls2__shared *s, double lambda, double tol,
                                  rls2__shared_gap *found);

#endif
