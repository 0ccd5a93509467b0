/* Matrices cut into tasks. */
#include "la/tiles.h"

#include "la/packed.h"

rls2_status rls2__tiled_gemv_t(rls2__effort *effort, int64_t n, int64_t m, const double *A,
                               int64_t lda, const double *x, double *y)
{
    rls2__la_gemv_t(n, m, A, lda, x, y);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_gemv_n(rls2__effort *effort, int64_t n, int64_t m, double a,
                               const double *A, int64_t lda, const double *x, double b, double *y)
{
    rls2__la_gemv_n(n, m, a, A, lda, x, b, y);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_symv(rls2__effort *effort, int64_t n, double a, const double *A,
                             int64_t lda, const double *x, double *y)
{
    rls2__la_symv(n, a, A, lda, x, y);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_spmv(rls2__effort *effort, int64_t n, double a, const double *A,
                             const double *x, double *y)
{
    rls2__la_spmv(n, a, A, x, y);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_syrk(rls2__effort *effort, int64_t n, int64_t k, double a, const double *A,
                             int64_t lda, double b, double *C, int64_t ldc)
{
    rls2__la_syrk(n, k, a, A, lda, b, C, ldc);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_gram(rls2__effort *effort, int64_t n, int64_t k, const double *A,
                             int64_t lda, double *C, int64_t ldc)
{
    rls2__la_gram(n, k, A, lda, C, ldc);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_gemm_tn(rls2__effort *effort, int64_t n, int64_t k, int64_t l,
                                const double *A, int64_t lda, const double *B, int64_t ldb,
                                double *C, int64_t ldc)
{
    rls2__la_gemm_tn(n, k, l, A, lda, B, ldb, C, ldc);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_cholesky(rls2__effort *effort, int64_t n, double *A, int64_t lda,
                                 int64_t *failed)
{
    *failed = rls2__la_cholesky(n, A, lda);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_lower_solve(rls2__effort *effort, int64_t n, int64_t count, const double *L,
                                    int64_t ldl, double *B, int64_t ldb)
{
    rls2__la_lower_solve(n, count, L, ldl, B, ldb);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_lower_solve_t(rls2__effort *effort, int64_t n, int64_t count,
                                      const double *L, int64_t ldl, double *B, int64_t ldb)
{
    for (int64_t j = 0; j < count; j++) rls2__la_lower_solve_t(n, L, ldl, B + j * ldb);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_cholesky_solve(rls2__effort *effort, int64_t n, int64_t count,
                                       const double *L, int64_t ldl, double *B, int64_t ldb)
{
    rls2__la_cholesky_solve(n, count, L, ldl, B, ldb);
    return rls2__effort_status(effort);
}

rls2_status rls2__tiled_lower_inverse(rls2__effort *effort, int64_t n, double *L, int64_t ldl)
{
    rls2__la_lower_inverse(n, L, ldl);
    return rls2__effort_status(effort);
}
