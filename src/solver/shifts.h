/* (R(d) + lambda I) c = y of one d and many lambda: one reduction for all.  [MATH.md, B5] */
#ifndef RLS2_SOLVER_SHIFTS_H
#define RLS2_SOLVER_SHIFTS_H

#include "basis/basis.h"
#include "la/band.h"

typedef struct rls2__shifts {
    int64_t n;
    int64_t r; /* order of what is reduced: n, or the columns of B */
    double *B; /* n x r: R(d) = BB'; NULL where R(d) itself is reduced */
    double *G; /* B'B, or R(d), reduced */
    rls2__band band;
    double trace; /* of R(d) */
} rls2__shifts;

/* By the factors of kernels of low rank (rls2__basis_is_low): O(n r^2 + r^3) time, O(n r)
 * memory. */
rls2_status rls2__shifts_low(rls2__effort *effort, const rls2_basis *basis, int64_t count,
                             const int64_t *ks, const double *d, rls2__shifts *shifts);
/* By the matrix R (n x n, lower triangle), which is overwritten and then belongs to the shifts. */
rls2_status rls2__shifts_full(rls2__effort *effort, int64_t n, double *R, rls2__shifts *shifts);
void rls2__shifts_free(rls2__shifts *shifts);

/* Below this lambda rounding of R(d) would show in c. */
double rls2__shifts_least(const rls2__shifts *shifts);
/* Column i of C (n x count) = (R(d) + lambdas[i] I)^-1 y, lambdas descending; solved[i] is 0, and
 * the column of no use, where rounding makes that matrix indefinite. */
rls2_status rls2__shifts_solve(rls2__effort *effort, const rls2__shifts *shifts, const double *y,
                               int64_t count, const double *lambdas, double *C,
                               unsigned char *solved);

#endif
