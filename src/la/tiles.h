/* Linear algebra in tasks: what la.h does at once on one thread, on all threads of an effort.
 *
 * Large matrices are cut into blocks by their sizes alone, and every sum is added in an order that
 * the blocks give, so that the bits are the same for any number of threads; small ones go to la.h
 * as they are. Each function asks between tasks, of a tenth of a second at most, whether the effort
 * is to stop. It returns RLS2_OK; RLS2_ERR_CANCELLED, what it writes to then being of no use; or,
 * where that is said, RLS2_ERR_MEMORY. No task may call these: tasks call la.h. */
#ifndef RLS2_LA_TILES_H
#define RLS2_LA_TILES_H

#include "base/effort.h"
#include "la/la.h"

/* y = A'x for A n x m */
rls2_status rls2__tiled_gemv_t(rls2__effort *effort, int64_t n, int64_t m, const double *A,
                               int64_t lda, const double *x, double *y);
/* y = a A x + b y for A n x m */
rls2_status rls2__tiled_gemv_n(rls2__effort *effort, int64_t n, int64_t m, double a,
                               const double *A, int64_t lda, const double *x, double b, double *y);
/* y = a A x for symmetric A, lower triangle. RLS2_ERR_MEMORY: no room for sums of blocks. */
rls2_status rls2__tiled_symv(rls2__effort *effort, int64_t n, double a, const double *A,
                             int64_t lda, const double *x, double *y);
/* y = a A x for packed symmetric A. RLS2_ERR_MEMORY as before. */
rls2_status rls2__tiled_spmv(rls2__effort *effort, int64_t n, double a, const double *A,
                             const double *x, double *y);
/* The same for a triangle of integers. */
rls2_status rls2__tiled_rounded(rls2__effort *effort, int64_t n, double a, const int32_t *Z,
                                const double *x, double *y);

/* C = a A A' + b C, lower triangle, A n x k */
rls2_status rls2__tiled_syrk(rls2__effort *effort, int64_t n, int64_t k, double a, const double *A,
                             int64_t lda, double b, double *C, int64_t ldc);
/* The same with a = 1 and b = 0, C being packed. RLS2_ERR_MEMORY: no room for tiles. */
rls2_status rls2__tiled_syrk_packed(rls2__effort *effort, int64_t n, int64_t k, const double *A,
                                    int64_t lda, double *C);
/* C = A'A, lower triangle, A n x k */
rls2_status rls2__tiled_gram(rls2__effort *effort, int64_t n, int64_t k, const double *A,
                             int64_t lda, double *C, int64_t ldc);
/* C = A'B, A n x k, B n x l */
rls2_status rls2__tiled_gemm_tn(rls2__effort *effort, int64_t n, int64_t k, int64_t l,
                                const double *A, int64_t lda, const double *B, int64_t ldb,
                                double *C, int64_t ldc);

/* A = LL' in place, lower triangle; *failed: 0, or the order of the first minor that is not
 * positive. */
rls2_status rls2__tiled_cholesky(rls2__effort *effort, int64_t n, double *A, int64_t lda,
                                 int64_t *failed);
/* B = (LL')^-1 B, B n x count */
rls2_status rls2__tiled_cholesky_solve(rls2__effort *effort, int64_t n, int64_t count,
                                       const double *L, int64_t ldl, double *B, int64_t ldb);
/* B = L^-1 B */
rls2_status rls2__tiled_lower_solve(rls2__effort *effort, int64_t n, int64_t count, const double *L,
                                    int64_t ldl, double *B, int64_t ldb);
/* B = L^-T B */
rls2_status rls2__tiled_lower_solve_t(rls2__effort *effort, int64_t n, int64_t count,
                                      const double *L, int64_t ldl, double *B, int64_t ldb);
/* L = L^-1 in place, L without zeros on its diagonal. */
rls2_status rls2__tiled_lower_inverse(rls2__effort *effort, int64_t n, double *L, int64_t ldl);

#endif
