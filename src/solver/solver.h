/* What the path driver and the two methods share. */
#ifndef RLS2_SOLVER_SOLVER_H
#define RLS2_SOLVER_SOLVER_H

#include "base/effort.h"
#include "basis/basis.h"
#include "rls2/path.h"

/* The problem: y is the response less the intercept. Of weights of rows neither method knows:
 * basis, y and c are then W^1/2 R^k W^1/2, W^1/2 y and W^-1/2 c, and the problem is the same.
 * [MATH.md, W1] */
typedef struct rls2__problem rls2__problem;
struct rls2__problem {
    const rls2_basis *basis;
    const double *y;
    double y_norm;
    double largest_norm; /* of the kernels as they are stored */
    double exact_norm;   /* of the kernels: a bound of |R(d)|_2 for every d */
    int indefinite; /* 1: a kernel may have negative eigenvalues, within the tolerance for given
                       matrices */
    /* Of a loss that is not the square one, or a free intercept: the response as it is, and the
     * constant that is best by itself, or 0. y is then what the loss pulls at there, which says
     * which kernel is first, and y_norm nothing. */
    const double *response;
    double constant;
    /* Of such a problem: kernel weights that are given, not learned; 0: none are. Borrowed. */
    int64_t given_count;
    const int64_t *given_ks;
    const double *given_d;
    /* Of several outputs with the same weights y and response are n x outputs, and each has a
     * constant. 0 or 1, and NULL, otherwise. */
    int64_t outputs;
    const double *constants;
    const struct rls2__own_answer *nothing; /* theirs where c is 0 */
    rls2_path_options options;
    rls2__effort *effort;         /* threads, progress and stopping, of whoever follows the path */
    const struct rls2_path *path; /* how far it has come, for progress */
    /* Reports progress; RLS2_ERR_CANCELLED to stop. */
    rls2_status (*tick)(const rls2__problem *problem, double lambda, double gap);
};

/* Is it any other problem than the paper's, square loss with a constant subtracted beforehand? */
static inline int rls2__is_general(const rls2_path_options *options)
{
    return options->loss.kind != RLS2_LOSS_SQUARE || options->intercept == RLS2_INTERCEPT_FREE;
}

/* Do all outputs have the same kernel weights? */
static inline int rls2__is_shared(const rls2_path_options *options)
{
    return options->shared_weights || options->loss.kind == RLS2_LOSS_MULTINOMIAL;
}

/* The answer for one lambda. The arrays belong to the method and change with the next
 * call. */
typedef struct rls2__answer rls2__answer;
/* What each of several outputs has for itself. */
typedef struct rls2__own_answer {
    double intercept, df;
} rls2__own_answer;
struct rls2__answer {
    rls2_path_point point;
    int64_t count;     /* selected kernels */
    const int64_t *ks; /* ascending */
    const double *d;
    const double *c;
    double intercept;             /* of a general loss */
    const rls2__own_answer *each; /* of several outputs: c is n x outputs; NULL otherwise */
};

/* A method keeps what it knows from one lambda to the next. `tol` replaces the
 * method's own tolerance where it is looser: on the way to a distant lambda. Where
 * numbers overflow, solve returns RLS2_ERR_NUMERIC and may be asked for another
 * lambda. */
typedef struct rls2__method {
    void *state;
    rls2_status (*solve)(void *state, double lambda, double tol, rls2__answer *answer);
    void (*free)(void *state);
    /* Makes these weights the point to go on from, for any lambda. c belongs to them, or is NULL
     * where they are not of a path of this problem: a step of the problem's own is then taken from
     * them, however good they are. 0, and nothing is changed, where the method cannot do without.
     */
    int (*resume)(void *state, int64_t count, const int64_t *ks, const double *d, const double *c);
} rls2__method;

#endif
