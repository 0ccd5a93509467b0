/* Upper bounds of spectral norms. */
#ifndef RLS2_BASIS_NORMS_H
#define RLS2_BASIS_NORMS_H

#include "basis/operator.h"

/* Upper bounds of the spectral norms of GG' (gram: 2 rank^2 doubles) and of a packed triangle. */
double rls2__factor_norm(int64_t n, int64_t rank, const double *G, double *gram);
double rls2__dense_norm(int64_t n, const double *packed, rls2__build_room *room);
/* Of a full symmetric matrix. sums: n doubles. */
double rls2__full_norm(int64_t n, const double *K, double *sums);

#endif
