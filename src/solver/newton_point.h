/* What Newton's method knows from one point to the next, and one point: c, v_k, q_k, gap. */
#ifndef RLS2_SOLVER_NEWTON_POINT_H
#define RLS2_SOLVER_NEWTON_POINT_H

#include "solver/evaluate.h"
#include "solver/pricing.h"
#include "solver/solver.h"
#include "solver/system.h"
#include "solver/working_set.h"

typedef struct rls2__newton {
    const rls2__problem *problem;
    rls2__system system;
    rls2__pricer pricer;
    rls2__working_set set;
    double *V; /* n x room: v_k of the working set */
    double *c;
    double *f;       /* R(d) c */
    double *work;    /* n */
    int formed;      /* R in the system is R(d) */
    int factored;    /* and it can be solved with R + lambda I */
    double accuracy; /* wanted of c, relative */
    int borrowed;    /* the weights are those of other rows' path, for the next lambda */
    int certified;   /* at the last point all kernels were priced or spared */
    int at_best;     /* the last point is the best */
    /* the best point seen for this lambda */
    double best_gap;
    int64_t best_count;
    int64_t *best_ks;
    double *best_d;
    double *best_c;
    rls2_path_point best;
    void *block; /* all of these arrays */
} rls2__newton;

/* The flags in_set are those of the active kernels, and no entering kernel is one of them: for
 * invariants. */
int rls2__newton_has_working_set(const rls2__newton *s);

/* R + lambda I of these weights of the working set, factorised. */
rls2_status rls2__newton_factorize_at(rls2__newton *s, int64_t count, const double *d,
                                      double lambda);
/* The same for the weights in hand, with no more work than is left to do. */
rls2_status rls2__newton_factorize(rls2__newton *s, double lambda);
/* c for the weights in hand. */
rls2_status rls2__newton_solve(rls2__newton *s, double lambda);
/* What a point is evaluated for. */
typedef enum rls2__asked {
    RLS2__GLANCE, /* the next step: only kernels likely to enter are priced */
    RLS2__JUDGE,  /* is it good enough? The same where these show that it is not */
    RLS2__CERTIFY /* its gap */
} rls2__asked;

/* v_k, q_k and the gap at c, an upper bound where not all kernels are priced. */
rls2_status rls2__newton_evaluate(rls2__newton *s, double lambda, double tol, rls2__asked asked,
                                  rls2__evaluation *at);

#endif
