/* What the path driver and the two methods share. */
#ifndef RLS2_SOLVER_SOLVER_H
#define RLS2_SOLVER_SOLVER_H

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
    rls2_path_options options;
    const struct rls2_path *path; /* how far it has come, for progress */
    /* Reports progress; RLS2_ERR_CANCELLED to stop. */
    rls2_status (*tick)(const rls2__problem *problem, double lambda, double gap);
};

/* The answer for one lambda. The arrays belong to the method and change with the next
 * call. */
typedef struct rls2__answer rls2__answer;
struct rls2__answer {
    rls2_path_point point;
    int64_t count;     /* selected kernels */
    const int64_t *ks; /* ascending */
    const double *d;
    const double *c;
};

/* A method keeps what it knows from one lambda to the next. `tol` replaces the
 * method's own tolerance where it is looser: on the way to a distant lambda. Where
 * numbers overflow, solve returns RLS2_ERR_NUMERIC and may be asked for another
 * lambda. */
typedef struct rls2__method {
    void *state;
    rls2_status (*solve)(void *state, double lambda, double tol, rls2__answer *answer);
    void (*free)(void *state);
} rls2__method;

rls2_status rls2__newton_create(const rls2__problem *problem, rls2__method *method);
/* The same for a basis whose kernels are all one column each: the same answers in far less time.
 * [MATH.md, G7] */
rls2_status rls2__linear_create(const rls2__problem *problem, rls2__method *method);
int rls2__is_linear(const rls2_basis *basis);
/* Makes d the point from which Newton's method goes on. */
void rls2__newton_resume(void *state, int64_t count, const int64_t *ks, const double *d);
rls2_status rls2__alternate_create(const rls2__problem *problem, rls2__method *method);

/* Index maximising y'R^k y: the kernel selected when lambda is large [LEM5]. */
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
