/* Making a basis; kept apart from basis.h, which is all that a solver needs. */
#ifndef RLS2_BASIS_BASIS_BUILD_H
#define RLS2_BASIS_BASIS_BUILD_H

#include "basis/basis.h"
#include "rls2/control.h"

/* The arguments have been checked, and control->threads is one that rls2__thread_count gives, here
 * and in the headers beside this one. */
rls2_status rls2__basis_build(const rls2_dictionary *dictionary, const rls2_rows *train,
                              const rls2_basis_options *options, const rls2_control *control,
                              rls2_basis **out, rls2_error *err);
void rls2__basis_destroy(rls2_basis *basis);

/* ---- the steps of making a basis ---- */

/* A basis of n rows with the settings of the options and room for scalings; NULL where there is no
 * memory. */
rls2_basis *rls2__basis_start(const rls2_dictionary *dictionary, int64_t n,
                              const rls2_basis_options *options);
/* Copies the weights (NULL: none) and what follows from them; x and the dictionary are there. */
rls2_status rls2__basis_weigh(rls2_basis *basis, const double *weights, rls2_error *err);
/* Finds the sparse columns among x, weighted, where a kernel is one column of it. */
rls2_status rls2__basis_find_sparse(rls2_basis *basis, rls2_error *err);

#endif
