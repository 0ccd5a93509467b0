/* R(d) = sum_k d_k R^k as a dense matrix.
 *
 * The combiner remembers the triangles of the kernels it has been asked for, within
 * a limit of memory, since the same few are active along a whole path. Low-rank
 * kernels beyond the limit, and those of very small rank, are added as products
 * of their scaled factors, about n columns at a time; kernels beyond it that are not stored are
 * evaluated again. */
#ifndef RLS2_BASIS_COMBINE_H
#define RLS2_BASIS_COMBINE_H

#include "basis/basis.h"

typedef struct rls2__combiner rls2__combiner;

/* memory: bytes for remembered triangles. The basis is borrowed. */
rls2__combiner *rls2__combiner_create(const rls2_basis *basis, int64_t memory);
void rls2__combiner_free(rls2__combiner *combiner);

/* R (n x n, lower triangle) = sum_i weights[i] R^ks[i]. RLS2_ERR_MEMORY only when the
 * room for factors cannot grow; RLS2_ERR_CANCELLED. */
rls2_status rls2__combine(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                          const int64_t *ks, const double *weights, double *R);

/* Column i of V (n x count) = R^ks[i] c: the basis' own product, or by the triangle of a kernel
 * that the basis does not store and the combiner remembers. work: n doubles.
 * RLS2_ERR_CANCELLED, or RLS2_ERR_MEMORY. */
rls2_status rls2__combiner_apply(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                                 const int64_t *ks, const double *c, double *V, double *work);

#endif
