/* Checks on rows of data that come from outside. */
#ifndef RLS2_BASIS_ROWS_CHECK_H
#define RLS2_BASIS_ROWS_CHECK_H

#include "base/effort.h"
#include "dictionary/dictionary.h"

/* Sizes, pointers and finiteness of `rows`, called `what` in messages; train_n is
 * the number of training rows (rows->n for the training rows themselves). */
rls2_status rls2__rows_check(const rls2_rows *rows, const rls2_dictionary *dictionary,
                             int64_t train_n, const char *what, rls2_error *err);

/* Are the given matrices the dictionary uses symmetric and positive semi-definite?
 * O(n^3) for each; RLS2_ERR_CANCELLED where it is stopped. */
rls2_status rls2__rows_check_given(rls2__effort *effort, const rls2_rows *train,
                                   const rls2_dictionary *dictionary, rls2_error *err);

/* A given matrix that passes has no eigenvalue below minus this. */
double rls2__given_below(int64_t n, const double *K);

/* Has every kernel that learns widths its own? */
rls2_status rls2__widths_check(const rls2_dictionary *dictionary, rls2_error *err);
/* n finite numbers, called `what`. */
rls2_status rls2__vector_check(int64_t n, const double *v, const char *what, rls2_error *err);
/* n weights of rows, positive and finite. */
rls2_status rls2__weights_check(int64_t n, const double *weights, rls2_error *err);

#endif
