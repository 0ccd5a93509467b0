/* All operators of a basis, several at a time, within the memory that is allowed. */
#ifndef RLS2_BASIS_BASIS_OPERATORS_H
#define RLS2_BASIS_BASIS_OPERATORS_H

#include "basis/operator.h"

/* Creates it for a basis unless that was done before: whoever evaluates nothing needs no room. */
rls2_status rls2__build_room_ready(const rls2_basis *basis, rls2__build_room *room);

/* Makes basis->ops, each by `make`, once rows, weights, kernels and scalings are there: several at
 * a time, and on many rows triangles one at a time, by all threads. `make` may leave a growth. */
typedef rls2_status (*rls2__make_fn)(const void *from, rls2_basis *basis, int64_t k,
                                     rls2__build_room *room);
rls2_status rls2__basis_make_operators(rls2__effort *effort, rls2_basis *basis,
                                       const rls2_basis_options *options, rls2__make_fn make,
                                       const void *from, rls2_error *err);
/* Bytes of the operators it has made itself. */
int64_t rls2__basis_bytes(const rls2_basis *basis);
/* Makes operator k from the kernel function. */
rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room);

/* Kernels that look at none but the marked columns become zero operators that are never selected,
 * as if they could not be scaled. RLS2_ERR_VALUE where no other is left. */
rls2_status rls2__basis_leave_out(rls2_basis *basis, const unsigned char *columns, rls2_error *err);

#endif
