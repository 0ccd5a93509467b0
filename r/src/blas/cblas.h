/* The part of CBLAS that src/la calls, on the BLAS that R is linked to.
 *
 * R offers BLAS by its Fortran names alone. Everything here is column-major, so that each call is
 * the Fortran routine with letters in place of enums: the same routine, hence the same bits, as
 * CBLAS of the same library. */
#ifndef RLS2_R_CBLAS_H
#define RLS2_R_CBLAS_H

#ifndef USE_FC_LEN_T
#define USE_FC_LEN_T
#endif
#include <Rconfig.h>

#include <R_ext/BLAS.h>

#ifndef FCONE
#define FCONE
#endif

enum CBLAS_ORDER { CblasColMajor = 102 };
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 'N', CblasTrans = 'T' } CBLAS_TRANSPOSE;
enum CBLAS_UPLO { CblasUpper = 'U', CblasLower = 'L' };
enum CBLAS_DIAG { CblasNonUnit = 'N' };
enum CBLAS_SIDE { CblasLeft = 'L', CblasRight = 'R' };

static inline double cblas_ddot(int n, const double *x, int dx, const double *y, int dy)
{
    return F77_CALL(ddot)(&n, x, &dx, y, &dy);
}

static inline double cblas_dnrm2(int n, const double *x, int dx)
{
    return F77_CALL(dnrm2)(&n, x, &dx);
}

static inline void cblas_daxpy(int n, double a, const double *x, int dx, double *y, int dy)
{
    F77_CALL(daxpy)(&n, &a, x, &dx, y, &dy);
}

static inline void cblas_dgemv(int order, int trans, int m, int n, double a, const double *A,
                               int lda, const double *x, int dx, double b, double *y, int dy)
{
    const char t = (char)trans;
    (void)order;
    F77_CALL(dgemv)(&t, &m, &n, &a, A, &lda, x, &dx, &b, y, &dy FCONE);
}

static inline void cblas_dsymv(int order, int uplo, int n, double a, const double *A, int lda,
                               const double *x, int dx, double b, double *y, int dy)
{
    const char u = (char)uplo;
    (void)order;
    F77_CALL(dsymv)(&u, &n, &a, A, &lda, x, &dx, &b, y, &dy FCONE);
}

static inline void cblas_dspmv(int order, int uplo, int n, double a, const double *A,
                               const double *x, int dx, double b, double *y, int dy)
{
    const char u = (char)uplo;
    (void)order;
    F77_CALL(dspmv)(&u, &n, &a, A, x, &dx, &b, y, &dy FCONE);
}

static inline void cblas_dtrsv(int order, int uplo, int trans, int diag, int n, const double *A,
                               int lda, double *x, int dx)
{
    const char u = (char)uplo, t = (char)trans, d = (char)diag;
    (void)order;
    F77_CALL(dtrsv)(&u, &t, &d, &n, A, &lda, x, &dx FCONE FCONE FCONE);
}

static inline void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double a,
                               const double *A, int lda, const double *B, int ldb, double b,
                               double *C, int ldc)
{
    const char t = (char)ta, s = (char)tb;
    (void)order;
    F77_CALL(dgemm)(&t, &s, &m, &n, &k, &a, A, &lda, B, &ldb, &b, C, &ldc FCONE FCONE);
}

static inline void cblas_dsymm(int order, int side, int uplo, int m, int n, double a,
                               const double *A, int lda, const double *B, int ldb, double b,
                               double *C, int ldc)
{
    const char s = (char)side, u = (char)uplo;
    (void)order;
    F77_CALL(dsymm)(&s, &u, &m, &n, &a, A, &lda, B, &ldb, &b, C, &ldc FCONE FCONE);
}

static inline void cblas_dsyrk(int order, int uplo, int trans, int n, int k, double a,
                               const double *A, int lda, double b, double *C, int ldc)
{
    const char u = (char)uplo, t = (char)trans;
    (void)order;
    F77_CALL(dsyrk)(&u, &t, &n, &k, &a, A, &lda, &b, C, &ldc FCONE FCONE);
}

static inline void cblas_dsyr2k(int order, int uplo, int trans, int n, int k, double a,
                                const double *A, int lda, const double *B, int ldb, double b,
                                double *C, int ldc)
{
    const char u = (char)uplo, t = (char)trans;
    (void)order;
    F77_CALL(dsyr2k)(&u, &t, &n, &k, &a, A, &lda, B, &ldb, &b, C, &ldc FCONE FCONE);
}

static inline void cblas_dtrmm(int order, int side, int uplo, int trans, int diag, int m, int n,
                               double a, const double *A, int lda, double *B, int ldb)
{
    const char s = (char)side, u = (char)uplo, t = (char)trans, d = (char)diag;
    (void)order;
    F77_CALL(dtrmm)(&s, &u, &t, &d, &m, &n, &a, A, &lda, B, &ldb FCONE FCONE FCONE FCONE);
}

static inline void cblas_dtrsm(int order, int side, int uplo, int trans, int diag, int m, int n,
                               double a, const double *A, int lda, double *B, int ldb)
{
    const char s = (char)side, u = (char)uplo, t = (char)trans, d = (char)diag;
    (void)order;
    F77_CALL(dtrsm)(&s, &u, &t, &d, &m, &n, &a, A, &lda, B, &ldb FCONE FCONE FCONE FCONE);
}

#endif
