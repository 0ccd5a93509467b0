/* The rows of a split where there are many rows: taken from those of all, which are prepared. */
#ifndef RLS2_SELECT_TAKEN_H
#define RLS2_SELECT_TAKEN_H

#include "select/recipe.h"

/* May rows be taken as they are? Not where an example is normalised over the columns that exist in
 * its split. */
int rls2__rows_can_be_taken(const rls2__recipe *recipe);

/* fit->data: training rows of a split. Columns that are constant there, and not elsewhere, do not
 * exist for it. */
rls2_status rls2__take_training(const rls2__ingredients *from, int64_t count,
                                const int64_t *numbers, rls2__fit *fit, rls2_error *err);
/* Is column j the same in all rows that are split? */
int rls2__is_constant_in_all(const rls2__ingredients *from, int64_t j);
/* Are the columns of each split centred by its own means? */
int rls2__is_centred_anew(const rls2__ingredients *from);
/* Linear kernels cannot shift: where there are no others, and columns are centred, they are so by
 * the means of these rows, in the weights of the fit. */
rls2_status rls2__take_centers(const rls2__ingredients *from, rls2__fit *fit, rls2_error *err);
/* Rows that were left out, made like the training rows of the fit. */
rls2_status rls2__take_left_out(const rls2__ingredients *from, const rls2__fit *fit, int64_t count,
                                const int64_t *numbers, rls2_dataset **data, rls2_error *err);

#endif
