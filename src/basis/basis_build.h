/* Making a basis; kept apart from basis.h, which is all that a solver needs. */
#ifndef RLS2_BASIS_BASIS_BUILD_H
#define RLS2_BASIS_BASIS_BUILD_H

#include "basis/basis.h"

/* How many threads to use when `threads` are asked for (0: as OpenMP says). To be asked
 * before rls2__la_enter: one flavour of OpenBLAS sets OpenMP's number along with its own. */
int rls2__thread_count(int threads);

/* The arguments have been checked, and options->threads is such a number. */
rls2_status rls2__basis_build(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const rls2_basis_options *options, rls2_basis **out, rls2_error *err);
void rls2__basis_destroy(rls2_basis *basis);

/* The same rows scaled for other labels, by the rule of `basis`, which is borrowed. The arguments
 * have been checked. */
rls2_status rls2__basis_rescale(const rls2_basis *basis, const double *labels, rls2_basis **out,
                                rls2_error *err);
/* Some rows of a basis; options NULL: with its settings, scalings and weights. The arguments have
 * been checked; options->threads as above. */
rls2_status rls2__basis_take(const rls2_basis *basis, int64_t count, const int64_t *rows,
                             const rls2_basis_options *options, rls2_basis **out, rls2_error *err);

/* s[m] for fitted kernels. */
rls2_status rls2__scalings(int64_t m, const rls2__kernel *kernels, const rls2_rows *train,
                           const rls2_basis_options *options, double *s, rls2_error *err);
/* The same by a function that gives the denominator of each kernel; work: n + transductive n
 * doubles. */
typedef double (*rls2__denominator_fn)(const void *from, int64_t k, double *work);
rls2_status rls2__scalings_by(int64_t m, const rls2__kernel *kernels, int64_t n,
                              const rls2_basis_options *options,
                              rls2__denominator_fn denominator_of, const void *from, double *s,
                              rls2_error *err);

/* Kernels that look at none but the marked columns become zero operators that are never selected,
 * as if they could not be scaled. RLS2_ERR_VALUE where no other is left. */
rls2_status rls2__basis_leave_out(rls2_basis *basis, const unsigned char *columns, rls2_error *err);

/* ---- the steps of making a basis ---- */

/* A basis of n rows with the settings of the options and room for scalings; NULL where there is no
 * memory. */
rls2_basis *rls2__basis_start(const rls2_dictionary *dictionary, int64_t n,
                              const rls2_basis_options *options);
/* Copies the weights (NULL: none) and what follows from them; x and the dictionary are there. */
rls2_status rls2__basis_weigh(rls2_basis *basis, const double *weights, rls2_error *err);
/* Finds the sparse columns among x, weighted, where a kernel is one column of it. */
rls2_status rls2__basis_find_sparse(rls2_basis *basis, rls2_error *err);
/* Makes basis->ops, each by `make`, once rows, weights, kernels and scalings are there. */
typedef rls2_status (*rls2__make_fn)(const void *from, rls2_basis *basis, int64_t k,
                                     rls2__build_room *room);
rls2_status rls2__basis_make_operators(rls2_basis *basis, const rls2_basis_options *options,
                                       rls2__make_fn make, const void *from, rls2_error *err);
/* Bytes of the operators it has made itself. */
int64_t rls2__basis_bytes(const rls2_basis *basis);
/* Makes operator k from the kernel function. */
rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room);

#endif
