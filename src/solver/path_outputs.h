/* Checks of several responses. */
#ifndef RLS2_SOLVER_PATH_OUTPUTS_H
#define RLS2_SOLVER_PATH_OUTPUTS_H

#include "solver/outputs.h"
#include "solver/path_public.h"

/* Bases of the same rows, and a response for each, n x outputs. */
rls2_status rls2__check_outputs(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                rls2_error *err);

/* rls2__outputs_run by as many threads as job->control (not NULL) allows and BLAS has memory for.
 */
rls2_status rls2__paths_fit(const rls2__paths_job *job, rls2_path **paths, rls2_error *err);

#endif
