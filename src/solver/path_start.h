/* Where a method starts on a path: at the last point, or near one of another path. */
#ifndef RLS2_SOLVER_PATH_START_H
#define RLS2_SOLVER_PATH_START_H

#include "solver/path.h"
#include "solver/thin.h"

/* A method at work: on the virtual rows of a path, where it has any. */
typedef struct rls2__path_solver {
    rls2__method method;
    rls2__thin *thin;       /* NULL: on the rows themselves */
    rls2__problem *problem; /* that it was made for */
} rls2__path_solver;

/* At the last point of the path, of which there is one. RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK.
 */
rls2_status rls2__path_start_last(const rls2_path *path, rls2__path_solver *solver);

/* At lambda, the next of the path, as far from the weights of `like` there as the path was from
 * them at its last point. *started is 0 where `like` has no such points: the method then goes on
 * from where it is. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__path_start_like(const rls2_path *path, double lambda, const rls2_path *like,
                                  rls2__path_solver *solver, int *started);

#endif
