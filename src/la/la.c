/* The calls of BLAS and LAPACK. */
#include "la/la.h"

#include <limits.h>
#include <math.h>

#include <cblas.h>
#include <lapacke.h>

#include "base/invariant.h"

/* BLAS counts in int; a vector longer than this is taken in pieces. */
enum { CHUNK = 1 << 30 };

int rls2__la_fits(int64_t n)
{
    return n >= 0 && n < INT_MAX;
}

/* A matrix of n rows in memory that has a stride of lda. */
RLS2__CHECK int is_matrix(int64_t n, int64_t columns, int64_t lda)
{
    return rls2__la_fits(n) && rls2__la_fits(columns) && rls2__la_fits(lda) && lda >= n;
}

double rls2__la_dot(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (; n > CHUNK; n -= CHUNK, x += CHUNK, y += CHUNK) sum += cblas_ddot(CHUNK, x, 1, y, 1);
    return sum + cblas_ddot((int)n, x, 1, y, 1);
}

double rls2__la_norm(int64_t n, const double *x)
{
    double norm = 0.0;
    for (; n > CHUNK; n -= CHUNK, x += CHUNK) norm = hypot(norm, cblas_dnrm2(CHUNK, x, 1));
    return hypot(norm, cblas_dnrm2((int)n, x, 1));
}

void rls2__la_axpy(int64_t n, double a, const double *x, double *y)
{
    for (; n > CHUNK; n -= CHUNK, x += CHUNK, y += CHUNK) cblas_daxpy(CHUNK, a, x, 1, y, 1);
    cblas_daxpy((int)n, a, x, 1, y, 1);
}

void rls2__la_gemv_t(int64_t n, int64_t m, const double *A, int64_t lda, const double *x, double *y)
{
    rls2__invariant(is_matrix(n, m, lda));
    cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)m, 1.0, A, (int)lda, x, 1, 0.0, y, 1);
}

void rls2__la_gemv_n(int64_t n, int64_t m, double a, const double *A, int64_t lda, const double *x,
                     double b, double *y)
{
    rls2__invariant(is_matrix(n, m, lda));
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)m, a, A, (int)lda, x, 1, b, y, 1);
}

void rls2__la_symv(int64_t n, double a, const double *A, int64_t lda, const double *x, double *y)
{
    rls2__invariant(is_matrix(n, n, lda));
    cblas_dsymv(CblasColMajor, CblasLower, (int)n, a, A, (int)lda, x, 1, 0.0, y, 1);
}

void rls2__la_symm(int64_t n, int64_t k, const double *A, int64_t lda, const double *B, int64_t ldb,
                   double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, n, lda) && is_matrix(n, k, ldb) && is_matrix(n, k, ldc));
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, (int)n, (int)k, 1.0, A, (int)lda, B, (int)ldb,
                0.0, C, (int)ldc);
}

void rls2__la_syrk(int64_t n, int64_t k, double a, const double *A, int64_t lda, double b,
                   double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, k, lda) && is_matrix(n, n, ldc));
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, (int)n, (int)k, a, A, (int)lda, b, C,
                (int)ldc);
}

void rls2__la_gram(int64_t n, int64_t k, const double *A, int64_t lda, double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, k, lda) && is_matrix(k, k, ldc));
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, (int)k, (int)n, 1.0, A, (int)lda, 0.0, C,
                (int)ldc);
}

void rls2__la_gemm_tn(int64_t n, int64_t k, int64_t l, const double *A, int64_t lda,
                      const double *B, int64_t ldb, double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, k, lda) && is_matrix(n, l, ldb) && is_matrix(k, l, ldc));
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)k, (int)l, (int)n, 1.0, A, (int)lda,
                B, (int)ldb, 0.0, C, (int)ldc);
}

void rls2__la_gemm_nn(int64_t n, int64_t k, int64_t l, double a, const double *A, int64_t lda,
                      const double *B, int64_t ldb, double b, double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, k, lda) && is_matrix(k, l, ldb) && is_matrix(n, l, ldc));
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)l, (int)k, a, A, (int)lda,
                B, (int)ldb, b, C, (int)ldc);
}

void rls2__la_subtract_nt(int64_t n, int64_t l, int64_t k, const double *A, int64_t lda,
                          const double *B, int64_t ldb, double *C, int64_t ldc)
{
    rls2__invariant(is_matrix(n, k, lda) && is_matrix(l, k, ldb) && is_matrix(n, l, ldc));
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)n, (int)l, (int)k, -1.0, A, (int)lda,
                B, (int)ldb, 1.0, C, (int)ldc);
}

int64_t rls2__la_cholesky(int64_t n, double *A, int64_t lda)
{
    rls2__invariant(is_matrix(n, n, lda));
    int64_t failed = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, A, (int)lda);
    rls2__invariant(failed >= 0 && failed <= n); /* below zero: an argument LAPACK refuses */
    return failed;
}

int64_t rls2__la_pivoted_cholesky(int64_t n, double *A, int64_t lda, double tol, int *pivots,
                                  double *work)
{
    int rank = 0;
    LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (int)n, A, (int)lda, pivots, &rank, tol, work);
    for (int64_t i = 0; i < n; i++) pivots[i]--; /* from 0 */
    return rank;
}

void rls2__la_cholesky_solve(int64_t n, int64_t count, const double *L, int64_t ldl, double *B,
                             int64_t ldb)
{
    rls2__invariant(is_matrix(n, n, ldl) && is_matrix(n, count, ldb));
    if (count == 1) { /* as below */
        rls2__la_lower_solve(n, 1, L, ldl, B, ldb);
        rls2__la_lower_solve_t(n, L, ldl, B);
        return;
    }
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)n, (int)count, L, (int)ldl, B, (int)ldb);
}

void rls2__la_lower_solve(int64_t n, int64_t count, const double *L, int64_t ldl, double *B,
                          int64_t ldb)
{
    rls2__invariant(is_matrix(n, n, ldl) && is_matrix(n, count, ldb));
    if (count == 1) { /* dtrsm would copy the triangle, as much work as the solution */
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, L, (int)ldl, B,
                    1);
        return;
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n,
                (int)count, 1.0, L, (int)ldl, B, (int)ldb);
}

void rls2__la_lower_solve_right(int64_t n, int64_t order, const double *L, int64_t ldl, double *B,
                                int64_t ldb)
{
    rls2__invariant(is_matrix(order, order, ldl) && is_matrix(n, order, ldb));
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)order,
                1.0, L, (int)ldl, B, (int)ldb);
}

void rls2__la_lower_solve_vector(int64_t n, const double *L, int64_t ldl, double *x)
{
    rls2__invariant(is_matrix(n, n, ldl));
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, L, (int)ldl, x, 1);
}

void rls2__la_lower_solve_t(int64_t n, const double *L, int64_t ldl, double *x)
{
    rls2__invariant(is_matrix(n, n, ldl));
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, L, (int)ldl, x, 1);
}

int64_t rls2__la_lower_inverse(int64_t n, double *L, int64_t ldl)
{
    rls2__invariant(is_matrix(n, n, ldl));
    int64_t failed = LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', (int)n, L, (int)ldl);
    rls2__invariant(failed >= 0 && failed <= n);
    return failed;
}

/* No diagonal is 0 where there is a factor. */
void rls2__la_cholesky_inverse(int64_t n, double *L, int64_t ldl)
{
    rls2__invariant(is_matrix(n, n, ldl));
    int failed = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (int)n, L, (int)ldl);
    rls2__invariant(failed == 0);
    (void)failed;
}

int64_t rls2__la_eigenvalues_work(int64_t n)
{
    return 34 * n + 64; /* dsyev wants (block + 2) n; a block of 32 is LAPACK's own choice */
}

int64_t rls2__la_eigenvalues(int64_t n, double *A, int64_t lda, double *values, double *work)
{
    rls2__invariant(is_matrix(n, n, lda));
    int64_t failed = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'L', (int)n, A, (int)lda, values,
                                        work, (int)rls2__la_eigenvalues_work(n));
    rls2__invariant(failed >= 0 && failed <= n);
    return failed;
}
