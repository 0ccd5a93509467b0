/* A recipe followed: from the rows of a table to operators and a path. */
#ifndef RLS2_SELECT_RECIPE_H
#define RLS2_SELECT_RECIPE_H

#include "rls2/select.h"

/* Everything that a fit is made of, in the order in which it was made. */
typedef struct rls2__fit {
    rls2_dataset *data; /* preprocessed */
    rls2_rows rows;
    rls2_group *groups; /* their columns lie behind them */
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path; /* NULL until rls2__fit_path */
} rls2__fit;

/* Data set, dictionary and basis of all rows of the table. Columns, text values and labels are those of `whole`,
 * so that names, ranges and groups of the dictionary mean the same in every split; a value that does not occur
 * in these rows is a column of zeros. Means, deviations and scalings are learned from these rows. Release even
 * where it fails. */
rls2_status rls2__fit_basis(const rls2_table *table, const rls2_recipe *recipe, const rls2_dataset *whole,
                            int threads, rls2_progress_fn progress, void *user, rls2__fit *fit,
                            rls2_error *err);
rls2_status rls2__fit_path(const rls2_recipe *recipe, int64_t count, const double *lambdas,
                           rls2_progress_fn progress, void *user, rls2__fit *fit, rls2_error *err);
void rls2__fit_release(rls2__fit *fit);

#endif
