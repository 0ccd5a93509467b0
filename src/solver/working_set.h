/* The kernels that a Newton step in d moves: those with weight, and those that may enter. */
#ifndef RLS2_SOLVER_WORKING_SET_H
#define RLS2_SOLVER_WORKING_SET_H

#include "solver/pricing.h"
#include "solver/simplex_qp.h"

typedef struct rls2__working_set {
    const rls2_basis *basis;
    rls2__simplex_qp *qp;
    int64_t room;
    int64_t learned; /* most kernels of a model: room, or 0 where the weights are given */
    int64_t active; /* the first `active` of ks have d > 0 */
    int64_t count;  /* active, then entering */
    int64_t *ks;
    double *d;
    double *target;        /* minimiser of the model */
    double *trial;         /* d on the way to it */
    unsigned char *in_set; /* m flags: active */
    double *H;             /* room x room, lower: Hessian of the model */
    double *g;             /* its linear term */
    double *q;             /* q_k */
    void *block;           /* all of these arrays */
} rls2__working_set;

/* RLS2_ERR_MEMORY or OK. */
rls2_status rls2__working_set_create(const rls2_basis *basis, rls2__working_set *set);
/* For `count` kernels whose weights are given and stay: no Hessian, nothing enters. */
rls2_status rls2__working_set_create_given(const rls2_basis *basis, int64_t count,
                                           rls2__working_set *set);
void rls2__working_set_free(rls2__working_set *set);

/* These kernels and weights, which are on the simplex, and no others. */
void rls2__working_set_put(rls2__working_set *set, int64_t count, const int64_t *ks,
                           const double *d);
/* Of the kernels that were priced those of the largest q above the mean enter, with d = 0. */
void rls2__working_set_offer(rls2__working_set *set, const rls2__pricer *pricer, double mean);
/* target = minimiser over the simplex of  1/2 (x-d)'H(x-d) - 1/2 q'(x-d). */
void rls2__working_set_minimise(rls2__working_set *set);
/* trial = d + share (target - d) */
void rls2__working_set_try(rls2__working_set *set, double share);
/* d = trial; what is zero leaves. */
void rls2__working_set_take(rls2__working_set *set);

#endif
