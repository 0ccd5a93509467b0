/* (R(d) + lambda I)^-1 where all kernels with weight have factors of few columns together:
 *
 *   R(d) = BB',  B = [.. sqrt(d_k s_k) F_k ..]  (n x D),
 *   (BB' + lambda I)^-1 v = (v - B (B'B + lambda I)^-1 B'v) / lambda          [MATH.md, G10]
 *
 * B is never formed, and nothing of order n. */
#ifndef RLS2_SOLVER_SYSTEM_LOW_H
#define RLS2_SOLVER_SYSTEM_LOW_H

#include "solver/gram_blocks.h"

typedef struct rls2__low {
    const rls2_basis *basis;
    rls2__gram_blocks blocks;
    int64_t limit;   /* most columns of B */
    int64_t count;   /* kernels with weight */
    int64_t *ks;     /* m: which */
    double *roots;   /* m: sqrt(d_k s_k) */
    double trace;    /* of R(d) */
    int64_t columns; /* D, of B */
    int64_t room;    /* order of the next two */
    double *K;       /* B'B, lower triangle */
    double *L;       /* factor of K + lambda I */
    double *inner;   /* room */
    int formed;      /* K is that of the weights */
    void *block;     /* the arrays of m */
} rls2__low;

rls2_status rls2__low_create(const rls2_basis *basis, rls2__low *low);
void rls2__low_free(rls2__low *low);

/* Takes the weights, where this is the way to solve with them; else returns 0. */
int rls2__low_take(rls2__low *low, int64_t count, const int64_t *ks, const double *d);
/* Is the difference above accurate at this lambda? */
int rls2__low_serves(const rls2__low *low, double lambda);
/* Factorises B'B + lambda I. *done is 0 where rounding makes it indefinite. */
rls2_status rls2__low_factorize(rls2__effort *effort, rls2__low *low, double lambda, int64_t *tries,
                                int *done);

/* rest = y - (BB' + lambda I) c */
void rls2__low_residual(rls2__low *low, double lambda, const double *y, const double *c,
                        double *rest);
/* x = (BB' + lambda I)^-1 x, to the accuracy of one difference */
void rls2__low_solve(rls2__low *low, double lambda, double *x);
/* U (n + D rows, count columns) = [sqrt(lambda) M^-1 V; B'M^-1 V], so that U'U = V'M^-1 V. V: n
 * rows. */
rls2_status rls2__low_halves(rls2__effort *effort, rls2__low *low, double lambda, int64_t count,
                             const double *V, double *U);
/* tr BB' (BB' + lambda I)^-1, which replaces L by its inverse. */
rls2_status rls2__low_degrees_of_freedom(rls2__effort *effort, rls2__low *low, double lambda,
                                         double *df);

#endif
