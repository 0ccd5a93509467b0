/* What building an operator from a kernel and taking it from another have in common. */
#ifndef RLS2_BASIS_OPERATOR_H
#define RLS2_BASIS_OPERATOR_H

#include "basis/basis.h"

/* Traces between which squares of a kernel's values, and of products with them, neither overflow
 * nor underflow; 0 is the trace of a kernel that is zero on the rows. */
#define RLS2__LEAST_TRACE 1e-75
#define RLS2__MOST_TRACE 1e75
int rls2__trace_is_usable(double trace);

/* Room for `count` values of its own; scale 1. */
rls2_status rls2__operator_reserve(rls2__operator *op, const rls2__shape *shape, int64_t rank,
                                   int64_t count);
/* A kernel that is never selected. */
rls2_status rls2__operator_zero(rls2__operator *op);

/* Operator k, whose trace is known, as one that is not stored. */
rls2_status rls2__operator_build_recomputed(rls2_basis *basis, int64_t k, rls2__build_room *room);

/* s w_i K(x_i, x_i) into room->diagonal; returns their sum. */
double rls2__weighted_diagonal(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               rls2__build_room *room);

/* Upper bounds of the spectral norms of GG' (gram: 2 rank^2 doubles) and of a packed triangle. */
double rls2__factor_norm(int64_t n, int64_t rank, const double *G, double *gram);
double rls2__dense_norm(int64_t n, const double *packed, rls2__build_room *room);
/* Of a full symmetric matrix. sums: n doubles. */
double rls2__full_norm(int64_t n, const double *K, double *sums);

/* Entry (i, j), on either side of the diagonal, of a packed symmetric matrix. */
static inline double rls2__packed_entry(int64_t n, const double *packed, int64_t i, int64_t j)
{
    int64_t row = i > j ? i : j, column = i > j ? j : i;
    return packed[column * n - column * (column - 1) / 2 + row - column];
}

/* Some rows and columns of `whole`, an operator of n rows by a factor or a packed triangle,
 * multiplied by `scale` and row and column a by ratios[a] (NULL: 1). trace is that of the result.
 */
rls2_status rls2__operator_take(const rls2__operator *whole, int64_t n, int64_t count,
                                const int64_t *rows, const double *ratios, double scale,
                                double trace, rls2__build_room *room, rls2__operator *op);

#endif
