/* What all points of a path say about rows. */
#ifndef RLS2_SOLVER_PATH_PREDICT_H
#define RLS2_SOLVER_PATH_PREDICT_H

#include "base/effort.h"
#include "solver/path.h"

/* Who wants to see what the kernels add to each prediction, a block of rows at a time:
 * parts[n x kernels of all points], n rows from `first` on, d_k s_k sum_j c_j K_k(x_j, x) for the
 * kernels of the first point, in their order, then of the next. */
typedef struct rls2__part_taker {
    void (*take)(void *user, int64_t first, int64_t n, const double *parts);
    void *user;
} rls2__part_taker;

/* f[rows->n x count], intercept included. What f is of a block is there when its parts are taken;
 * taker may be NULL, and is for paths whose weights are learned. The arguments have been checked.
 * RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. */
rls2_status rls2__path_predict(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                               const rls2__part_taker *taker, double *f);
/* rls2_path_predict for a taker of parts (or NULL); where it fails f may be half filled. */
rls2_status rls2__path_predict_parts(rls2__effort *effort, const rls2_path *path,
                                     const rls2_rows *rows, const rls2__part_taker *taker,
                                     double *f, rls2_error *err);

#endif
