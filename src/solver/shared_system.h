/* The linear systems of several outputs with one R(d).                        [MATH.md, N4, N5]
 *
 * With W the curvature of the loss in the outputs of all rows, M = R(d) + lambda W^-1, R(d) being
 * that of each output. What is solved is M^-1 x, without inverse curvatures:
 *
 *   outputs apart   E_o = D_o (D_o R D_o + lambda I)^-1 D_o, D_o^2 the curvatures of output o;
 *                   M^-1 x is E_o x_o. Where all D are the same there is one factor for all.
 *   coupled         W = diag(p) - pp' of each row, D_o^2 = p_o: with S = sum_o E_o
 *                   (M^-1 x)_o = E_o (x_o - S^-1 sum_k E_k x_k)
 *
 * (C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, section 3.5). A
 * free intercept b_o of each output is solved for along with them: with e the roots of the rows'
 * weights, T = e'M^-1 e is outputs x outputs. */
#ifndef RLS2_SOLVER_SHARED_SYSTEM_H
#define RLS2_SOLVER_SHARED_SYSTEM_H

#include "solver/curved.h"

typedef struct rls2__joint_system {
    rls2__curved curved; /* R(d), and factors; coupled: E_o in their place */
    int64_t n, outputs;
    int coupled, alike, is_free;
    const double *root;  /* n x outputs, borrowed */
    const double *e;     /* n, borrowed */
    double *S;           /* n x n: its factor, where outputs are coupled */
    double *sum;         /* n x n: S itself */
    double *T;           /* outputs x outputs: its factor; or, apart, T_oo in the first `outputs` */
    double *b;           /* outputs */
    double *rest, *made; /* n x outputs */
    double *own;         /* n */
    double *part;        /* room x room: what one output adds to H */
    double *A;           /* outputs x room: e'M^-1 V */
    int64_t room;        /* kernels */
    void *block;
} rls2__joint_system;

typedef struct rls2__joint_kind {
    int coupled; /* one loss of all outputs */
    int alike;   /* curvature is 1 everywhere */
    int is_free; /* the intercept */
} rls2__joint_kind;

/* room: most kernels of a Hessian. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__joint_system_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                      int64_t outputs, rls2__joint_kind kind, int64_t room,
                                      const double *e, rls2__joint_system *it);
void rls2__joint_system_free(rls2__joint_system *it);

/* All of these return RLS2_ERR_CANCELLED where the effort is to stop, and RLS2_ERR_MEMORY.
 *
 * out_o = R(d) c_o, of the weights last given to rls2__curved_combine */
rls2_status rls2__joint_system_apply(rls2__joint_system *it, const double *c, double *out);
/* Factorises for these roots of curvatures (coupled: of p), n x outputs, which are borrowed.
 * RLS2_ERR_NUMERIC where there is NaN. */
rls2_status rls2__joint_system_factorize(rls2__joint_system *it, double lambda, const double *root);
/* x = M^-1 (x - e b), where intercepts are free with the b[outputs] that make balance_o + e'x_o =
 * 0; an output without curvature has none. */
rls2_status rls2__joint_system_solve(rls2__joint_system *it, const double *balance, double *x,
                                     double *b);
/* Does the intercept of output o follow from a solution? */
int rls2__joint_system_moves(const rls2__joint_system *it, int64_t o);
/* H (lower, leading dimension ld) = V'M^-1 V of w kernels, intercepts projected out. V has an n x
 * (room + 1) matrix for each output, the last column of which is for e. */
rls2_status rls2__joint_system_hessian(rls2__joint_system *it, int64_t w, double *V, double *H,
                                       int64_t ld);
/* tr R(d) D_o^2 (R(d) D_o^2 + lambda I)^-1 of each output, after which it is to be factorised anew;
 * outputs are not coupled. */
rls2_status rls2__joint_system_df(rls2__joint_system *it, double lambda, const double *root,
                                  double *df);

#endif
