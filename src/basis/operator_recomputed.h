/* Operators that are not stored: their kernels are evaluated from the rows whenever they are
 * needed.
 *
 * For bases whose matrices do not fit into memory. What is asked of several of them at once is
 * computed together where they look at the same columns: ten Gaussian kernels of different widths
 * then cost one sum of squares and ten exponentials for each pair of rows. What comes out for one
 * does not depend on the others. */
#ifndef RLS2_BASIS_OPERATOR_RECOMPUTED_H
#define RLS2_BASIS_OPERATOR_RECOMPUTED_H

#include <stddef.h>

#include "base/effort.h"
#include "basis/basis.h"

extern const rls2__shape rls2__shape_recomputed;

/* Operator k of the basis, from its kernel, scaling and weights. Trace, norm, slack and rank are
 * left as they are. */
void rls2__operator_recompute(rls2_basis *basis, int64_t k);
/* The same of one that is stored; what its factor leaves out is counted into norm and slack as
 * before. */
void rls2__operator_unstore(rls2_basis *basis, int64_t k);

static inline int rls2__operator_is_recomputed(const rls2__operator *op)
{
    return op->kernel != NULL;
}

/* One of several, and which of the caller's results belongs to it. */
typedef struct rls2__unstored {
    const rls2__operator *op;
    int64_t at;
    double weight; /* for rls2__recomputed_add */
} rls2__unstored;

/* The order of each list changes. work: n doubles. RLS2_ERR_CANCELLED, RLS2_ERR_MEMORY or OK. */

/* q[at] = c'R c */
rls2_status rls2__recomputed_price(rls2__effort *effort, int64_t n, int64_t count,
                                   rls2__unstored *list, const double *c, double *q, double *work);
/* Column `at` of V (n rows) = R c */
rls2_status rls2__recomputed_apply(rls2__effort *effort, int64_t n, int64_t count,
                                   rls2__unstored *list, const double *c, double *V, double *work);
/* A (n x n, lower triangle) += sum of weight R */
rls2_status rls2__recomputed_add(rls2__effort *effort, int64_t n, int64_t count,
                                 rls2__unstored *list, double *A);
/* R as a packed triangle: the values a dense operator would store, times its scale */
rls2_status rls2__recomputed_fill(rls2__effort *effort, int64_t n, const rls2__operator *op,
                                  double *packed);

#endif
