/* Preprocessing learned from one data set and done to others. */
#ifndef RLS2_TABLE_PREPROCESS_H
#define RLS2_TABLE_PREPROCESS_H

#include "table/dataset.h"
#include "table/normalize.h"

/* Room for that many columns, nothing done. To be released even where it fails. */
rls2_status rls2__preparation_reserve(rls2__preparation *preparation, int64_t columns);
void rls2__preparation_release(rls2__preparation *preparation);
/* `to` has room for as many columns. */
void rls2__preparation_copy(const rls2__preparation *from, rls2__preparation *to);

/* What was measured of a column of x, by the rule for features that the preparation has. */
void rls2__preparation_set_scale(rls2__preparation *preparation, int64_t column, rls2__range range,
                                 rls2__scale scale);
/* Marks a column as absent. */
void rls2__preparation_set_absent(rls2__preparation *preparation, int64_t column);
/* 1 unless row weights count as one row or less, which has no deviation to divide by. */
int rls2__dataset_has_spread(const rls2_dataset *dataset, const rls2_dataset *also);

/* rls2_dataset_preprocess, where means count each row by its weight among `means` (rows of them;
 * NULL: by the data set's). Deviations and lengths do not look at it, nor may there be `also`. */
rls2_status rls2__dataset_preprocess(rls2_dataset *dataset, rls2_normalize examples,
                                     rls2_normalize features, rls2_dataset *also,
                                     const double *means, rls2_error *err);

/* Transforms rows that are not yet, as `from` says. */
rls2_status rls2__prepare_like(rls2_dataset *dataset, const rls2__preparation *from);

/* Marks the indicators that are zero in all rows, whose gaps are filled but which are not yet
 * transformed: of categories, or empty cells, that the table the encoder learned from has
 * elsewhere. */
void rls2__dataset_find_absent(rls2_dataset *dataset);

#endif
