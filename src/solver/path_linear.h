/* What linear kernels need to know of the training rows, for all points of a path. */
#ifndef RLS2_SOLVER_PATH_LINEAR_H
#define RLS2_SOLVER_PATH_LINEAR_H

#include "base/effort.h"
#include "solver/path.h"

/* sum_j c_j x_j of each column that a selected linear kernel looks at. */
typedef struct rls2__path_linear {
    int64_t p;       /* of the data */
    int64_t columns; /* of these, kept here */
    int64_t count;   /* points */
    int64_t *place;  /* p: where it is kept, or -1 */
    int64_t *kept;   /* columns, ascending */
    double *sums;    /* columns x count */
    double *x, *c;   /* some rows of the data, and of c of all points */
    double *part;    /* columns x count: their product */
    void *block;     /* all of these but place */
} rls2__path_linear;

/* RLS2_ERR_MEMORY, RLS2_ERR_CANCELLED or OK. Release even where it fails. */
rls2_status rls2__path_linear_create(rls2__effort *effort, const rls2_path *path,
                                     rls2__path_linear *linear);
void rls2__path_linear_free(rls2__path_linear *linear);

/* sum[n] = sum_j c_j K(x_j, x) of a linear kernel at point i for the n rows from `first` on. */
void rls2__path_linear_expand(const rls2__path_linear *linear, const rls2__kernel *kernel,
                              int64_t i, const rls2_rows *rows, int64_t first, int64_t n,
                              double *sum);

#endif
