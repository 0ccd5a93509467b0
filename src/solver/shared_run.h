/* The paths of outputs that share their kernel weights. */
#ifndef RLS2_SOLVER_SHARED_RUN_H
#define RLS2_SOLVER_SHARED_RUN_H

#include "solver/outputs.h"

/* As rls2__outputs_run, of two outputs or more on one basis: one method follows all paths at once,
 * the first of which keeps what they are fitted with while they are open. Of job->like the first
 * counts. */
rls2_status rls2__shared_run(const rls2__paths_job *job, rls2_path **paths, rls2_error *err);

#endif
