/* All operators of a basis, several at a time, within the memory that is allowed. */
#ifndef RLS2_BASIS_BASIS_OPERATORS_H
#define RLS2_BASIS_BASIS_OPERATORS_H

#include "basis/operator.h"
#include "rls2/control.h"

/* Creates it for a basis unless that was done before: whoever evaluates nothing needs no room. */
rls2_status rls2__build_room_ready(const rls2_basis *basis, rls2__build_room *room);

/* s[m] for fitted kernels. */
rls2_status rls2__scalings(int64_t m, const rls2__kernel *kernels, const rls2_rows *train,
                           const rls2_basis_options *options, int threads, double *s,
                           rls2_error *err);
/* The same by a function that gives the denominator of each kernel; work: n + transductive n
 * doubles. */
typedef double (*rls2__denominator_fn)(const void *from, int64_t k, double *work);
rls2_status rls2__scalings_by(int64_t m, const rls2__kernel *kernels, int64_t n,
                              const rls2_basis_options *options, int threads,
                              rls2__denominator_fn denominator_of, const void *from, double *s,
                              rls2_error *err);

/* Makes basis->ops, each by `make`, once rows, weights, kernels and scalings are there. */
typedef rls2_status (*rls2__make_fn)(const void *from, rls2_basis *basis, int64_t k,
                                     rls2__build_room *room);
rls2_status rls2__basis_make_operators(rls2_basis *basis, const rls2_basis_options *options,
                                       const rls2_control *control, rls2__make_fn make,
                                       const void *from, rls2_error *err);
/* Bytes of the operators it has made itself. */
int64_t rls2__basis_bytes(const rls2_basis *basis);
/* Makes operator k from the kernel function. */
rls2_status rls2__basis_evaluate(rls2_basis *basis, int64_t k, rls2__build_room *room);

/* Kernels that look at none but the marked columns become zero operators that are never selected,
 * as if they could not be scaled. RLS2_ERR_VALUE where no other is left. */
rls2_status rls2__basis_leave_out(rls2_basis *basis, const unsigned char *columns, rls2_error *err);

#endif
