/* Upper bounds of spectral norms. */
#ifndef RLS2_BASIS_NORMS_H
#define RLS2_BASIS_NORMS_H

#include "basis/operator.h"

/* Upper bounds of the spectral norms of GG' (gram: 2 rank^2 doubles) and of a packed triangle, of
 * which room->column and room->pivots are used. RLS2_ERR_CANCELLED, RLS2_ERR_MEMORY or OK. */
rls2_status rls2__factor_norm(rls2__effort *effort, int64_t n, int64_t rank, const double *G,
                              double *gram, double *norm);
rls2_status rls2__dense_norm(rls2__effort *effort, int64_t n, const double *packed,
                             rls2__build_room *room, double *norm);
/* Of a full symmetric matrix. sums: n doubles. */
rls2_status rls2__full_norm(rls2__effort *effort, int64_t n, const double *K, double *sums,
                            double *norm);

#endif
