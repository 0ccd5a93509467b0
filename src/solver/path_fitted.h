/* What the points of a path say about the rows they were fitted to. */
#ifndef RLS2_SOLVER_PATH_FITTED_H
#define RLS2_SOLVER_PATH_FITTED_H

#include "base/effort.h"
#include "solver/path.h"

/* Are the stored operators to be used for point i? They are where there are many rows; of few, what
 * rls2_path_predict says is kept to the bit. */
int rls2__path_has_fitted(const rls2_path *path, int64_t i);
/* f[n] = b + sum_k d_k R^k c of point i: no kernel is evaluated, and of low ranks it is O(n). BLAS
 * is entered by the caller, for as many threads as the effort has. RLS2_ERR_MEMORY or
 * RLS2_ERR_CANCELLED. */
rls2_status rls2__path_fitted(rls2__effort *effort, const rls2_path *path, int64_t i, double *f);

#endif
