/* Fitting a path, at once or a few lambdas at a time. */
#ifndef RLS2_SOLVER_PATH_RUN_H
#define RLS2_SOLVER_PATH_RUN_H

#include "solver/path.h"

/* In both functions the arguments have been checked, and control->threads is one that
 * rls2__thread_count gives. `like` is NULL or a path with the same kernels on other rows: where it
 * has a point at the same lambda, its weights are what the method starts from. The path is left
 * open: what it was fitted with is kept until it is closed or destroyed. */
rls2_status rls2__path_run(const rls2_basis *basis, const double *y, int64_t count,
                           const double *lambdas, const rls2_path_options *options,
                           const rls2_control *control, const rls2_path *like, rls2_path **out,
                           rls2_error *err);

/* Appends points for further lambdas, none above the last. Where the path is still open they are,
 * to the bit, those of a path fitted at once; else the method starts from the last point. On an
 * error the path keeps the points it has, and where it is stopped it is `cancelled` as a path that
 * is fitted at once. */
rls2_status rls2__path_extend(rls2_path *path, int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              const rls2_path *like, rls2_error *err);

/* Releases what the path was fitted with, about two n x n matrices; the points stay. */
void rls2__path_close(rls2_path *path);

#endif
