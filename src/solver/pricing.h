/* Lazy pricing: which kernels can have a large quadratic form at c, and how large.
 *
 * q_k(c) = |c|^2 in the seminorm of R^k. If it was known at an earlier c0, then for
 * any t,
 *
 *   sqrt q_k(c) <= |t| sqrt q_k(c0) + sqrt|R^k|_2 |c - t c0|,
 *
 * and t = c'c0 / c0'c0 makes the last factor smallest. A kernel whose bound stays
 * below the threshold is not evaluated. Exact all the same: bounds, never guesses.
 *
 * Where it is known already that the point is not the last one, not even that much is
 * wanted, only the kernels that ought to enter. Those that probably exceed the threshold
 * are evaluated first (rls2__pricer_likely), taking |t| sqrt q_k(c0) for sqrt q_k(c);
 * the others (rls2__pricer_rest) only if a certificate is asked for. */
#ifndef RLS2_SOLVER_PRICING_H
#define RLS2_SOLVER_PRICING_H

#include "basis/basis.h"

typedef struct rls2__pricer {
    const rls2_basis *basis;
    int64_t outputs;      /* c is as many vectors, and q_k the sum of their forms */
    int64_t length;       /* of c: n x outputs */
    rls2__effort *effort; /* of the computation in hand */
    int64_t kept;         /* earlier points c0 remembered, the newest overwriting the oldest */
    int64_t next;         /* where the next one goes */
    double *points;       /* length x SNAPSHOTS */
    double *squares;      /* |c0|^2 */
    double *stretch;      /* |t| for the point now asked */
    double *distance;     /* |c - t c0| likewise */
    int64_t *seen;        /* m: which point; one that stands for none, if none is remembered */
    double *root_q;       /* m: sqrt q_k there */
    double *root_norm;    /* m: sqrt |R^k|_2 */
    double *slack;        /* m: of the operators, side by side */
    double largest_slack;
    double *below;    /* m: R^k + below I is positive semi-definite; its seminorm is what bounds are
                         made of */
    double *estimate; /* m: of q_k at the last point; a guess, not a bound */
    int64_t slot;     /* which remembered point the last one is; -1 if it is not remembered */
    int64_t count;    /* kernels evaluated at the last point, */
    int64_t *todo;    /* m + 1, one to try the next kernel in: which; those of one call ascending */
    double *values;   /* m: what came out */
    double *part;     /* m: of one of several outputs */
    double *work;     /* length */
    double
        *q; /* m: q_k at the last point, or the bound that spared it; -Inf where it was skipped */
    unsigned char *exact; /* m: 1 where q is the value itself */
    int64_t priced;
    int64_t offered;
    void *block; /* all of these arrays */
} rls2__pricer;

rls2_status rls2__pricer_create(rls2__effort *effort, const rls2_basis *basis,
                                rls2__pricer *pricer);
/* Of several outputs: sqrt(sum_o c_o'R^k c_o) is a seminorm of all of c, and everything above holds
 * of it. */
rls2_status rls2__pricer_create_joint(rls2__effort *effort, const rls2_basis *basis,
                                      int64_t outputs, rls2__pricer *pricer);
void rls2__pricer_free(rls2__pricer *pricer);

/* Fills q for every kernel with skip[k] == 0: exactly where the bound exceeds the
 * threshold, by the bound elsewhere. RLS2_ERR_CANCELLED or RLS2_ERR_MEMORY where that could not be
 * done: bounds are then all there is. */
rls2_status rls2__pricer_run(rls2__pricer *pricer, const double *c, double threshold,
                             const unsigned char *skip);
/* The same in two parts, at one c: first the kernels that are estimated to exceed the threshold,
 * then all others that their bounds do not spare. Between the two q of the latter is a bound that
 * may exceed the threshold. */
rls2_status rls2__pricer_likely(rls2__pricer *pricer, const double *c, double threshold,
                                const unsigned char *skip);
rls2_status rls2__pricer_rest(rls2__pricer *pricer, const double *c, double threshold);
/* Of the kernels that were not skipped the largest q_k, and the largest q_k + slack_k squares; none
 * is below 0. */
void rls2__pricer_largest(const rls2__pricer *pricer, double squares, double *computed,
                          double *bounded);

#endif
