/* Products with packed triangles. */
#ifndef RLS2_LA_PACKED_H
#define RLS2_LA_PACKED_H

#include "la/la.h"

/* y = a A x for packed symmetric A */
void rls2__la_spmv(int64_t n, double a, const double *A, const double *x, double *y);

/* What columns first .. end - 1 of a symmetric matrix, lower triangle, of order n add to Ax: rows
 * first .. n - 1, to y[0] and on. lda: 0 where the triangle is packed. first is even, and end is or
 * is n. */
void rls2__la_symmetric_range(int64_t n, int64_t first, int64_t end, const double *A, int64_t lda,
                              const double *x, double *y);
/* The diagonal entry of column j of such a matrix. */
static inline const double *rls2__la_diagonal(int64_t n, const double *A, int64_t lda, int64_t j)
{
    return A + (lda ? j * lda + j : j * n - j * (j - 1) / 2);
}

#endif
