/* The linear system of a loss with curvature:  B = D R(d) D + lambda I,  D = diag(root), the roots
 * of the curvatures of rows, some of which may be 0.
 *
 * Where all kernels with weight have factors of few columns together, R(d) = FF' and
 * B^-1 = (I - DF (F'D^2F + lambda I)^-1 F'D) / lambda; nothing of order n is formed then.
 *                                                                            [MATH.md, N2] */
#ifndef RLS2_SOLVER_CURVED_H
#define RLS2_SOLVER_CURVED_H

#include "basis/basis.h"

typedef struct rls2__combiner rls2__combiner;

typedef struct rls2__curved {
    const rls2_basis *basis;
    rls2__effort *effort; /* of the computation in hand */
    rls2__combiner *combiner;
    int64_t limit; /* most columns of F */
    int is_plain;  /* 1: F is not asked for, however few columns it would have */
    int is_low;    /* R(d) is known by F */
    int64_t columns;
    double *F;       /* n x columns */
    double *S;       /* n x columns: DF */
    double *K;       /* columns x columns: S'S */
    int64_t room;    /* columns there is room for in F, S, K and L */
    double *R;       /* n x n, lower: R(d), where it is not low */
    int64_t factors; /* that are kept: 1, or one for each of several D */
    int64_t at;      /* the one in hand */
    double *L;       /* factors of B, or of S'S + lambda I */
    double *scaled;  /* n x n: D R D, where that is asked for */
    double lambda, jitter;
    const double *root;     /* D, borrowed */
    int64_t factorizations; /* since creation */
    double *rest, *inner;   /* n, n */
    double *halves;
    int64_t halves_room;
    void *block;
} rls2__curved;

rls2_status rls2__curved_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                rls2__curved *curved);
void rls2__curved_free(rls2__curved *curved);

/* All of these return RLS2_ERR_CANCELLED where the effort is to stop, and RLS2_ERR_MEMORY.
 *
 * R(d) of these kernels and weights. */
rls2_status rls2__curved_combine(rls2__curved *curved, int64_t count, const int64_t *ks,
                                 const double *d);
/* out = R(d) c */
rls2_status rls2__curved_apply(rls2__curved *curved, const double *c, double *out);
/* Of several factors the one to be made or used, with its D, which is borrowed. */
void rls2__curved_select(rls2__curved *curved, int64_t at, const double *root);
/* That factor, lower triangle: of order n, or of as many columns as there are. */
double *rls2__curved_factor(const rls2__curved *curved);
/* Factorises B. root is borrowed while solving goes on. RLS2_ERR_NUMERIC where it holds NaN. */
rls2_status rls2__curved_factorize(rls2__curved *curved, double lambda, const double *root);
/* x = B^-1 x, refined once. */
rls2_status rls2__curved_solve(rls2__curved *curved, double *x);
/* U'U = V'D B^-1 D V: *rows rows and count columns, in curved->halves; V is n x count. */
rls2_status rls2__curved_halves(rls2__curved *curved, int64_t count, const double *V,
                                int64_t *rows);
/* tr R(d) D^2 (R(d) D^2 + lambda I)^-1, after which B is to be factorised anew. */
rls2_status rls2__curved_degrees_of_freedom(rls2__curved *curved, double *df);

#endif
