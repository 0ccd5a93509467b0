/* Where a method starts on a path: at the last point, or near one of another path. */
#ifndef RLS2_SOLVER_PATH_START_H
#define RLS2_SOLVER_PATH_START_H

#include "solver/path.h"
#include "solver/solver.h"

/* At the last point of the path, of which there is one. */
rls2_status rls2__path_start_last(const rls2_path *path, rls2__method *method);

/* At lambda, the next of the path, as far from the weights of `like` there as the path was from
 * them at its last point. *started is 0 where `like` has no such points: the method then goes on
 * from where it is. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__path_start_like(const rls2_path *path, double lambda, const rls2_path *like,
                                  rls2__method *method, int *started);

#endif
