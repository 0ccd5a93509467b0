/* The scalings of all kernels of a basis, by all threads. */
#ifndef RLS2_BASIS_BASIS_SCALINGS_H
#define RLS2_BASIS_BASIS_SCALINGS_H

#include "base/effort.h"
#include "basis/pair_sums.h"

/* The denominator of one kernel: known, or `open`, when the sums of `job` are wanted. */
typedef struct rls2__denominator {
    double value;
    int open;
    rls2__pair_job job;
    double scale; /* of the sums of the first time */
} rls2__denominator;

/* From the kernel on rows. work: n + transductive n doubles. */
void rls2__denominator_begin(const rls2__kernel *kernel, const rls2_rows *train,
                             const rls2_basis_options *options, double *work, rls2__denominator *d);
void rls2__denominator_finish(const rls2__pair_sums *parts, rls2__denominator *d);

/* How those of a basis are found: each function leaves d known or open. From any thread, and from
 * the calling one. */
typedef struct rls2__denominators {
    void (*begin)(const void *from, int64_t k, double *work, rls2__denominator *d);
    void (*finish)(const void *from, int64_t k, const rls2__pair_sums *parts, double *work,
                   rls2__denominator *d);
    const void *from;
} rls2__denominators;

/* s[m]; n: rows. */
rls2_status rls2__scalings_by(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                              int64_t n, const rls2_basis_options *options,
                              const rls2__denominators *by, double *s, rls2_error *err);
/* The same for fitted kernels on rows. */
rls2_status rls2__scalings(rls2__effort *effort, int64_t m, const rls2__kernel *kernels,
                           const rls2_rows *train, const rls2_basis_options *options, double *s,
                           rls2_error *err);

#endif
