/* The part of LAPACKE that src/la calls, on the LAPACK that R is linked to: as blas/cblas.h. */
#ifndef RLS2_R_LAPACKE_H
#define RLS2_R_LAPACKE_H

#ifndef USE_FC_LEN_T
#define USE_FC_LEN_T
#endif
#include <Rconfig.h>

#include <R_ext/Lapack.h>

#ifndef FCONE
#define FCONE
#endif

enum { LAPACK_COL_MAJOR = 102 };

/* Of LAPACK 3.4; R's header does not have it. */
extern void F77_NAME(dtpqrt)(const int *m, const int *n, const int *l, const int *nb, double *a,
                             const int *lda, double *b, const int *ldb, double *t, const int *ldt,
                             double *work, int *info);

static inline int LAPACKE_dpotrf_work(int order, char uplo, int n, double *A, int lda)
{
    int info = 0;
    (void)order;
    F77_CALL(dpotrf)(&uplo, &n, A, &lda, &info FCONE);
    return info;
}

static inline int LAPACKE_dpstrf_work(int order, char uplo, int n, double *A, int lda, int *pivots,
                                      int *rank, double tol, double *work)
{
    int info = 0;
    (void)order;
    F77_CALL(dpstrf)(&uplo, &n, A, &lda, pivots, rank, &tol, work, &info FCONE);
    return info;
}

static inline int LAPACKE_dpotrs_work(int order, char uplo, int n, int sides, const double *A,
                                      int lda, double *B, int ldb)
{
    int info = 0;
    (void)order;
    F77_CALL(dpotrs)(&uplo, &n, &sides, A, &lda, B, &ldb, &info FCONE);
    return info;
}

static inline int LAPACKE_dtrtri_work(int order, char uplo, char diag, int n, double *A, int lda)
{
    int info = 0;
    (void)order;
    F77_CALL(dtrtri)(&uplo, &diag, &n, A, &lda, &info FCONE FCONE);
    return info;
}

static inline int LAPACKE_dpotri_work(int order, char uplo, int n, double *A, int lda)
{
    int info = 0;
    (void)order;
    F77_CALL(dpotri)(&uplo, &n, A, &lda, &info FCONE);
    return info;
}

static inline int LAPACKE_dsyev_work(int order, char job, char uplo, int n, double *A, int lda,
                                     double *values, double *work, int size)
{
    int info = 0;
    (void)order;
    F77_CALL(dsyev)(&job, &uplo, &n, A, &lda, values, work, &size, &info FCONE FCONE);
    return info;
}

static inline int LAPACKE_dgeqrf_work(int order, int m, int n, double *A, int lda, double *tau,
                                      double *work, int size)
{
    int info = 0;
    (void)order;
    F77_CALL(dgeqrf)(&m, &n, A, &lda, tau, work, &size, &info);
    return info;
}

static inline int LAPACKE_dlarft_work(int order, char direct, char stored, int n, int k,
                                      const double *V, int ldv, const double *tau, double *T,
                                      int ldt)
{
    (void)order;
    /* R's header has V without const; it is only read. */
    F77_CALL(dlarft)
    (&direct, &stored, &n, &k, (double *)(size_t)V, &ldv, tau, T, &ldt FCONE FCONE);
    return 0;
}

static inline int LAPACKE_dlarfb_work(int order, char side, char trans, char direct, char stored,
                                      int m, int n, int k, const double *V, int ldv,
                                      const double *T, int ldt, double *C, int ldc, double *work,
                                      int ldwork)
{
    (void)order;
    F77_CALL(dlarfb)
    (&side, &trans, &direct, &stored, &m, &n, &k, V, &ldv, T, &ldt, C, &ldc, work,
     &ldwork FCONE FCONE FCONE FCONE);
    return 0;
}

static inline int LAPACKE_dpbtrf_work(int order, char uplo, int n, int width, double *A, int lda)
{
    int info = 0;
    (void)order;
    F77_CALL(dpbtrf)(&uplo, &n, &width, A, &lda, &info FCONE);
    return info;
}

static inline int LAPACKE_dpbtrs_work(int order, char uplo, int n, int width, int sides,
                                      const double *A, int lda, double *B, int ldb)
{
    int info = 0;
    (void)order;
    F77_CALL(dpbtrs)(&uplo, &n, &width, &sides, A, &lda, B, &ldb, &info FCONE);
    return info;
}

static inline int LAPACKE_dtpqrt_work(int order, int m, int n, int l, int panel, double *A, int lda,
                                      double *B, int ldb, double *T, int ldt, double *work)
{
    int info = 0;
    (void)order;
    F77_CALL(dtpqrt)(&m, &n, &l, &panel, A, &lda, B, &ldb, T, &ldt, work, &info);
    return info;
}

#endif
