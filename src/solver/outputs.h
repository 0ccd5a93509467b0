/* The paths of several responses. */
#ifndef RLS2_SOLVER_OUTPUTS_H
#define RLS2_SOLVER_OUTPUTS_H

#include "solver/path.h"

/* paths[outputs], NULL before, are made by control->threads threads, as rls2_path_fit says; all
 * are NULL again where it fails. The arguments have been checked. */
rls2_status rls2__outputs_run(int64_t outputs, const rls2_basis *const *bases, const double *y,
                              int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              rls2_path **paths, rls2_error *err);

/* Points of several outputs become one: sums, the largest gap and residual, the worst outcome.
 * `selected` is left to who knows which kernels are the same. */
void rls2__point_add(rls2_path_point *sum, const rls2_path_point *one);

#endif
