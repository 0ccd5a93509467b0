/* The active columns of a linear problem side by side, and the Cholesky factor of their inner
 * products, kept up to date as columns enter and leave. Column i is z = sqrt(scale) x of kernel
 * ks[i], whose operator is zz'. */
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
    int64_t factorizations; /* from the columns anew, since creation */
    void *block;            /* all of these arrays */
} rls2__columns_factor;

rls2_status rls2__columns_create(const rls2_basis *basis, rls2__columns_factor *columns);
void rls2__columns_free(rls2__columns_factor *columns);

/* Appends kernel k. 0, and nothing is changed but that `row` is then u with z = Zu, where z depends
 * on the active columns. */
int rls2__columns_enter(rls2__columns_factor *columns, int64_t k);
/* Takes column `at` out; those behind it move up. */
void rls2__columns_leave(rls2__columns_factor *columns, int64_t at);
/* Makes the factor anew. 0 where rounding leaves none; it is then unusable. */
int rls2__columns_refactor(rls2__columns_factor *columns);
/* x = (Z'Z)^-1 x */
void rls2__columns_solve(const rls2__columns_factor *columns, double *x);

#endif
