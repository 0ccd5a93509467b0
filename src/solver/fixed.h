/* A path whose kernel weights are given: regularised least squares for each lambda. */
#ifndef RLS2_SOLVER_FIXED_H
#define RLS2_SOLVER_FIXED_H

#include "solver/path.h"

/* c = (R(d) + lambda I)^-1 y for each lambda (descending), d being weights[i] > 0 for the kernels
 * ks[i], ascending, `kernels` of them. Of the options the intercept counts; where
 * progress asks to stop, there is no path but RLS2_ERR_CANCELLED. gap, residual and df of the
 * points are NaN: nothing was optimised over d. A lambda at which numbers overflow ends STALLED
 * with c = 0. All lambdas together take about as long as five factorisations of R(d), or O(n r^2)
 * where the kernels have r columns together, few against n; those below rounding of R(d) take one
 * each. Memory two n x n matrices beside the path, or O(n r). */
rls2_status rls2__path_fixed(const rls2_basis *basis, const double *y, int64_t kernels,
                             const int64_t *ks, const double *weights, int64_t count,
                             const double *lambdas, const rls2_path_options *options,
                             const rls2_control *control, rls2_path **out, rls2_error *err);

/* The same of outputs that share these weights (rls2__is_shared): y is n x outputs, paths[outputs]
 * of which all are made or none. Gaps are those of the weights as they are. */
rls2_status rls2__paths_fixed(const rls2_basis *basis, int64_t outputs, const double *y,
                              int64_t kernels, const int64_t *ks, const double *weights,
                              int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              rls2_path **paths, rls2_error *err);

#endif
