/* An operator on some of the rows of another. */
#ifndef RLS2_BASIS_OPERATOR_TAKE_H
#define RLS2_BASIS_OPERATOR_TAKE_H

#include "basis/operator.h"

/* Some rows and columns of `whole`, an operator of n rows by a factor or a packed triangle,
 * multiplied by `scale` and row and column a by ratios[a] (NULL: 1). trace is that of the result.
 * coarse: a triangle is kept in 32 bits where that adds no more than this to its slack. */
rls2_status rls2__operator_take(const rls2__operator *whole, int64_t n, int64_t count,
                                const int64_t *rows, const double *ratios, double scale,
                                double trace, double coarse, rls2__build_room *room,
                                rls2__operator *op);

#endif
