/* Linear algebra: the only door to BLAS and LAPACK.
 *
 * Matrices are column-major doubles; symmetric ones are given by their lower
 * triangle, "packed" meaning its columns one after another (n(n+1)/2 values). Sizes
 * are 64-bit here and 32-bit in BLAS: whoever takes sizes from outside asks
 * rls2__la_fits first. All functions run on one thread between rls2__la_enter and
 * rls2__la_leave. */
#ifndef RLS2_LA_LA_H
#define RLS2_LA_LA_H

#include <stdint.h>

#include "rls2/status.h"

/* Can BLAS index a matrix of this order, and is n * n representable? */
int rls2__la_fits(int64_t n);

double rls2__la_dot(int64_t n, const double *x, const double *y);
double rls2__la_norm(int64_t n, const double *x);
/* y += a x */
void rls2__la_axpy(int64_t n, double a, const double *x, double *y);

/* y = A'x for A n x m */
void rls2__la_gemv_t(int64_t n, int64_t m, const double *A, int64_t lda, const double *x,
                     double *y);
/* y = a A x + b y for A n x m */
void rls2__la_gemv_n(int64_t n, int64_t m, double a, const double *A, int64_t lda, const double *x,
                     double b, double *y);
/* y = a A x for symmetric A, lower triangle */
void rls2__la_symv(int64_t n, double a, const double *A, int64_t lda, const double *x, double *y);

/* C = AB for symmetric A, lower triangle, B n x k */
void rls2__la_symm(int64_t n, int64_t k, const double *A, int64_t lda, const double *B, int64_t ldb,
                   double *C, int64_t ldc);
/* C = a A A' + b C, lower triangle, A n x k */
void rls2__la_syrk(int64_t n, int64_t k, double a, const double *A, int64_t lda, double b,
                   double *C, int64_t ldc);
/* C = A'A, lower triangle, A n x k */
void rls2__la_gram(int64_t n, int64_t k, const double *A, int64_t lda, double *C, int64_t ldc);
/* C = A'B, A n x k, B n x l */
void rls2__la_gemm_tn(int64_t n, int64_t k, int64_t l, const double *A, int64_t lda,
                      const double *B, int64_t ldb, double *C, int64_t ldc);
/* C = a AB + b C, A n x k, B k x l */
void rls2__la_gemm_nn(int64_t n, int64_t k, int64_t l, double a, const double *A, int64_t lda,
                      const double *B, int64_t ldb, double b, double *C, int64_t ldc);

/* C -= A B', A n x k, B l x k, C n x l */
void rls2__la_subtract_nt(int64_t n, int64_t l, int64_t k, const double *A, int64_t lda,
                          const double *B, int64_t ldb, double *C, int64_t ldc);

/* A = LL' in place, lower triangle. 0, or the order of the first minor that is not
 * positive. */
int64_t rls2__la_cholesky(int64_t n, double *A, int64_t lda);
/* P'AP = LL' in place, lower triangle, until no pivot is above tol: pivots[i] is the row that came
 * to place i. Returns the rank: of L that many columns count. work: 2n doubles. */
int64_t rls2__la_pivoted_cholesky(int64_t n, double *A, int64_t lda, double tol, int *pivots,
                                  double *work);
/* B = (LL')^-1 B */
void rls2__la_cholesky_solve(int64_t n, int64_t count, const double *L, int64_t ldl, double *B,
                             int64_t ldb);
/* L = (LL')^-1 in place, lower triangle. */
void rls2__la_cholesky_inverse(int64_t n, double *L, int64_t ldl);
/* B = L^-1 B */
void rls2__la_lower_solve(int64_t n, int64_t count, const double *L, int64_t ldl, double *B,
                          int64_t ldb);
/* B = B L^-T, B n x order */
void rls2__la_lower_solve_right(int64_t n, int64_t order, const double *L, int64_t ldl, double *B,
                                int64_t ldb);
/* x = L^-1 x, for one vector: no packing of L */
void rls2__la_lower_solve_vector(int64_t n, const double *L, int64_t ldl, double *x);
/* x = L^-T x */
void rls2__la_lower_solve_t(int64_t n, const double *L, int64_t ldl, double *x);
/* L = L^-1 in place. */
int64_t rls2__la_lower_inverse(int64_t n, double *L, int64_t ldl);

/* Eigenvalues of the symmetric A (lower triangle, destroyed), ascending. work holds
 * rls2__la_eigenvalues_work(n) doubles. Non-zero if the iteration fails. */
int64_t rls2__la_eigenvalues_work(int64_t n);
int64_t rls2__la_eigenvalues(int64_t n, double *A, int64_t lda, double *values, double *work);

#endif
