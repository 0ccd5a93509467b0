/* Systems (A + lambda I) x = b of one symmetric A and many lambda.
 *
 * A = QBQ' with B of few diagonals costs as much as four Cholesky factors, nearly all of it in
 * products of matrices; from then on a lambda costs the factor of a band, O(n WIDTH^2), and the
 * products Q'b and Qx. Q is a product of reflections, so that it is as exact as a factor of A would
 * be. Bits do not depend on the number of threads, and each function asks between tasks of a tenth
 * of a second at most whether the effort is to stop. */
#ifndef RLS2_LA_BAND_H
#define RLS2_LA_BAND_H

#include "base/effort.h"
#include "rls2/status.h"

typedef struct rls2__band {
    int64_t n;
    double *A;   /* n x n, borrowed: B within the band of the lower triangle, reflectors below */
    double *T;   /* n x WIDTH: the triangles that belong to them */
    double *V;   /* n x WIDTH: the reflectors in hand, with their zeros and ones */
    double *W;   /* n x WIDTH: what they make of the rest of A */
    double *X;   /* n x WIDTH */
    void *block; /* all of these arrays but A */
} rls2__band;

/* Reduces A (n x n, lower triangle), which is overwritten and has to outlive the band.
 * RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK; rls2__band_free in any case. */
rls2_status rls2__band_reduce(rls2__effort *effort, int64_t n, double *A, rls2__band *band);
void rls2__band_free(rls2__band *band);

/* Column i of C (n x count) becomes (A + lambdas[i] I)^-1 times itself; solved[i] is 0, and the
 * column of no use, where A + lambda I is not positive definite. RLS2_ERR_MEMORY,
 * RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__band_solve(rls2__effort *effort, const rls2__band *band, int64_t count,
                             const double *lambdas, double *C, unsigned char *solved);

#endif
