/* The routines of BLAS and LAPACK by the names they have in scipy-openblas32, the OpenBLAS of the
 * wheel: with a prefix, so that it can live in one process with that of NumPy or of the system.
 *
 * Included before every source by cmake/dependencies.cmake where RLS2_BLAS is scipy-openblas32, and
 * nowhere else. Whatever src/la calls stands here (tools/check-layers.sh), also what that library
 * does not show (gotoblas_..., blas_memory_...): by its plain name it might be found in another
 * OpenBLAS of the process. */
#ifndef RLS2_LA_BLAS_NAMES_H
#define RLS2_LA_BLAS_NAMES_H

#define cblas_daxpy scipy_cblas_daxpy
#define cblas_ddot scipy_cblas_ddot
#define cblas_dgemm scipy_cblas_dgemm
#define cblas_dgemv scipy_cblas_dgemv
#define cblas_dnrm2 scipy_cblas_dnrm2
#define cblas_dspmv scipy_cblas_dspmv
#define cblas_dsymm scipy_cblas_dsymm
#define cblas_dsymv scipy_cblas_dsymv
#define cblas_dsyr2k scipy_cblas_dsyr2k
#define cblas_dsyrk scipy_cblas_dsyrk
#define cblas_dtrmm scipy_cblas_dtrmm
#define cblas_dtrsm scipy_cblas_dtrsm
#define cblas_dtrsv scipy_cblas_dtrsv

#define LAPACKE_dgeqrf_work scipy_LAPACKE_dgeqrf_work
#define LAPACKE_dlarfb_work scipy_LAPACKE_dlarfb_work
#define LAPACKE_dlarft_work scipy_LAPACKE_dlarft_work
#define LAPACKE_dpbtrf_work scipy_LAPACKE_dpbtrf_work
#define LAPACKE_dpbtrs_work scipy_LAPACKE_dpbtrs_work
#define LAPACKE_dpotrf_work scipy_LAPACKE_dpotrf_work
#define LAPACKE_dpotri_work scipy_LAPACKE_dpotri_work
#define LAPACKE_dpotrs_work scipy_LAPACKE_dpotrs_work
#define LAPACKE_dpstrf_work scipy_LAPACKE_dpstrf_work
#define LAPACKE_dsyev_work scipy_LAPACKE_dsyev_work
#define LAPACKE_dtpqrt_work scipy_LAPACKE_dtpqrt_work
#define LAPACKE_dtrtri_work scipy_LAPACKE_dtrtri_work

#define blas_memory_alloc scipy_blas_memory_alloc
#define blas_memory_free scipy_blas_memory_free
#define gotoblas_dynamic_init scipy_gotoblas_dynamic_init
#define gotoblas_dynamic_quit scipy_gotoblas_dynamic_quit
#define openblas_get_corename scipy_openblas_get_corename
#define openblas_get_num_threads scipy_openblas_get_num_threads
#define openblas_get_parallel scipy_openblas_get_parallel
#define openblas_set_num_threads scipy_openblas_set_num_threads
#define openblas_get_config scipy_openblas_get_config /* tests/guard */

#endif
