/* The active columns of a linear problem side by side, and the Cholesky factor of their inner
 * products, kept up to date as columns enter and leave. Column i is z = sqrt(scale) x of kernel
 * ks[i], whose operator is zz'.
 *
 * Inner products may have weights W, and may be those of columns from which a vector e is projected
 * out, z - (e'Wz / e'We) e: with the curvatures of a loss that is Newton's matrix, less what a free
 * intercept takes.                                                         [MATH.md, G7 and N5] */
#ifndef RLS2_SOLVER_COLUMNS_H
#define RLS2_SOLVER_COLUMNS_H

#include "basis/basis.h"

typedef struct rls2__columns_factor {
    const rls2_basis *basis;
    int64_t room; /* columns that may be active at once: no more than can be independent */
    int64_t count;
    int64_t *ks;
    double *Z;              /* n x room */
    double *L;              /* room x room, lower: Z'Z = LL' */
    double *row;            /* room: L^-1 Z'z of the column last asked for */
    int is_weighed;         /* what follows is there */
    double *weights;        /* n: W, */
    double *roots;          /* and their roots */
    const double *level;    /* n: e, borrowed; NULL where nothing is projected out */
    double level_square;    /* e'We */
    double *means;          /* room: e'Wz / e'We, or 0 */
    double *weighed;        /* n: W (z - mean e) of the column last asked for */
    double *block_rows;     /* some rows of the columns that products are made of, */
    double *block_products; /* and room x room for their products */
    int64_t factorizations; /* from the columns anew, since creation */
    void *block;            /* all of these arrays */
} rls2__columns_factor;

rls2_status rls2__columns_create(const rls2_basis *basis, rls2__columns_factor *columns);
/* With weights, which are all 1 until rls2__columns_weigh. level is borrowed, or NULL. */
rls2_status rls2__columns_create_weighed(const rls2_basis *basis, const double *level,
                                         rls2__columns_factor *columns);
void rls2__columns_free(rls2__columns_factor *columns);

/* Appends kernel k. 0, and nothing is changed but that `row` is then u with z = Zu, where z depends
 * on the active columns. */
int rls2__columns_enter(rls2__columns_factor *columns, int64_t k);
/* Takes column `at` out; those behind it move up. */
void rls2__columns_leave(rls2__columns_factor *columns, int64_t at);
/* Makes the factor anew. 0 where rounding leaves none; it is then unusable. */
int rls2__columns_refactor(rls2__columns_factor *columns);
/* The same with other weights, on the threads of the effort. RLS2_ERR_NUMERIC where rounding, or
 * weights of 0, leave none; RLS2_ERR_CANCELLED. */
rls2_status rls2__columns_weigh(rls2__effort *effort, const double *weights,
                                rls2__columns_factor *columns);
/* x = (Z'Z)^-1 x */
void rls2__columns_solve(const rls2__columns_factor *columns, double *x);

/* The factor of any matrix, ld rows apart, of `count` rows: one more row of it, `row` being its
 * products with the others, which is lost, and `length` that with itself. 0, and nothing is changed
 * but that row = (LL')^-1 row, where it depends on them. */
int rls2__factor_append(int64_t ld, int64_t count, double *L, double length, double *row);
/* One row less. */
void rls2__factor_drop(int64_t ld, int64_t count, int64_t at, double *L);

#endif
