/* What all points of a path say about rows. */
#ifndef RLS2_SOLVER_PATH_PREDICT_H
#define RLS2_SOLVER_PATH_PREDICT_H

#include "solver/path.h"

/* f[rows->n x count], intercept included. The arguments have been checked. RLS2_ERR_MEMORY or OK.
 */
rls2_status rls2__path_predict(const rls2_path *path, const rls2_rows *rows, double *f);

#endif
