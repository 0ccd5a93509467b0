/* Pivoted Cholesky of a kernel matrix, a column at a time. */
#ifndef RLS2_BASIS_PIVOTS_H
#define RLS2_BASIS_PIVOTS_H

#include "basis/operator.h"

/* The matrix to be factorised: s K on rows that have these roots of weights (NULL: 1), each of
 * which counts `mass` times (NULL: once) in the trace. */
typedef struct rls2__source {
    const rls2__kernel *kernel;
    const rls2_rows *rows;
    const double *roots;
    const double *mass;
    double s;
} rls2__source;

/* The row of the largest diagonal entry, the first of several. */
int64_t rls2__largest_pivot(int64_t n, const double *diagonal);
/* Column `rank` of room->factor, for the pivot row; room->diagonal becomes that of what is left. */
void rls2__pivot_column(const rls2__source *from, int64_t pivot, int64_t rank,
                        rls2__build_room *room);
/* sum of mass_i x_i */
double rls2__sum_of_rows(const rls2__source *from, const double *x);

/* How far a factor goes: until what is left has no more than tol of the trace. */
typedef struct rls2__aim {
    double tol;
    double trace;
    int64_t most; /* columns that are worth while */
    int certain;  /* the rank is known to be no larger: it is not asked whether it will be */
} rls2__aim;

/* *found is the rank of the factor left in room->factor, or -1 when a triangle serves better.
 * room->diagonal is that of the matrix. RLS2_ERR_MEMORY or OK. */
rls2_status rls2__pivoted_cholesky(const rls2__source *from, const rls2__aim *aim,
                                   rls2__build_room *room, int64_t *found, double *residual);

#endif
