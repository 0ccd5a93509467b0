/* A basis made from another: scaled for other labels, or some of its rows. */
#ifndef RLS2_BASIS_BASIS_DERIVE_H
#define RLS2_BASIS_BASIS_DERIVE_H

#include "basis/basis_build.h"

/* The same rows scaled for other labels, by the rule of `basis`, which is borrowed. The arguments
 * have been checked. */
rls2_status rls2__basis_rescale(const rls2_basis *basis, const double *labels,
                                const rls2_control *control, rls2_basis **out, rls2_error *err);
/* Some rows of a basis; options NULL: with its settings, scalings and weights. coarse: triangles
 * are kept in 32 bits where this adds no more than that to their slack; 0: never. The arguments
 * have been checked. */
rls2_status rls2__basis_take(const rls2_basis *basis, const rls2_dictionary *dictionary,
                             int64_t count, const int64_t *rows, const rls2_basis_options *options,
                             double coarse, const rls2_control *control, rls2_basis **out,
                             rls2_error *err);
/* rls2_basis_take, which checks them, with that, and with the widths of this dictionary, which is
 * otherwise that of the basis: kernels that have others are evaluated. Such a basis is not to be
 * rescaled, nor may rows be taken of it. */
rls2_status rls2__basis_take_coarsely(const rls2_basis *basis, const rls2_dictionary *dictionary,
                                      int64_t count, const int64_t *rows,
                                      const rls2_basis_options *options, double coarse,
                                      const rls2_control *control, rls2_basis **taken,
                                      rls2_error *err);

#endif
