/* Making a basis; kept apart from basis.h, which is all that a solver needs. */
#ifndef RLS2_KERNEL_BASIS_BUILD_H
#define RLS2_KERNEL_BASIS_BUILD_H

#include "kernel/basis.h"

/* How many threads to use when `threads` are asked for (0: as OpenMP says). To be asked
 * before rls2__la_enter: one flavour of OpenBLAS sets OpenMP's number along with its own. */
int rls2__thread_count(int threads);

/* The arguments have been checked, and options->threads is such a number. */
rls2_status rls2__basis_build(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const rls2_basis_options *options, rls2_basis **out, rls2_error *err);
void rls2__basis_destroy(rls2_basis *basis);

/* s[m] for fitted kernels. */
rls2_status rls2__scalings(int64_t m, const rls2__kernel *kernels, const rls2_rows *train,
                           const rls2_basis_options *options, double *s, rls2_error *err);

#endif
