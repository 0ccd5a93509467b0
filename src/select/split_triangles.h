/* Splits of linear kernels, by what their rows sum up to.
 *
 * Where every kernel is linear, and columns are centred, a fit knows its rows by the triangle of
 * their columns alone (row_triangle.h), whose rows, far fewer, take the place of those of the
 * table. Every row is looked at once for all splits of a repeat: the triangle of training rows is
 * merged of those of the folds. [MATH.md, V6] */
#ifndef RLS2_SELECT_SPLIT_TRIANGLES_H
#define RLS2_SELECT_SPLIT_TRIANGLES_H

#include "select/row_triangle.h"
#include "select/recipe.h"

typedef struct rls2__split_triangles {
    int64_t splits;
    int64_t outputs;
    double *offsets;              /* outputs: means of all rows, which responses are less by */
    rls2__row_triangle *training; /* splits */
    rls2__row_triangle *left_out; /* splits */
} rls2__split_triangles;

/* Of the rows of from->prepared. *out is NULL where splits are to look at the rows themselves. */
rls2_status rls2__split_triangles_create(const rls2__ingredients *from, const rls2_splits *splits,
                                         const rls2_control *control, rls2__split_triangles **out,
                                         rls2_error *err);
/* NULL is accepted. */
void rls2__split_triangles_free(rls2__split_triangles *it);

/* fit->data: virtual rows that stand for the training rows of split s, their columns centred, and
 * the responses where the fit has an intercept; fit->centers and fit->means say by what. */
rls2_status rls2__take_virtual(const rls2__ingredients *from, const rls2__split_triangles *moments,
                               int64_t s, rls2__fit *fit, rls2_error *err);

#endif
