/* Criteria of a point whose active kernels are of low rank together. */
#ifndef RLS2_SELECT_CRITERIA_LEAN_H
#define RLS2_SELECT_CRITERIA_LEAN_H

#include "base/effort.h"
#include "solver/path.h"

/* df, rss and the mean of squared misses of rows left out, as criteria.c has them of the whole
 * matrix. */
typedef struct rls2__lean_criteria {
    double df;
    double rss;
    double loo; /* the sum, to be divided by the number of rows */
} rls2__lean_criteria;

/* For a point of low rank (rls2__basis_is_low). y and c are as the solver has them. *done is 0, and
 * nothing is told, where rounding would show: then the whole matrix has to be looked at. O(n r^2)
 * time, O(n r) memory. */
rls2_status rls2__criteria_lean(rls2__effort *effort, const rls2_basis *basis,
                                const rls2__path_entry *entry, const double *y, const double *c,
                                rls2__lean_criteria *out, int *done);

#endif
