/* Missing cells: what takes their place, learned from the rows of a fit.
 *
 * Encoding leaves NaN in the first column of an input whose cell is empty. Its fill is a value for
 * each of its columns of x: the median of a column of numbers, the median of dates (a whole day
 * where they have no time) and its parts, the most frequent category of a text column, and 1 for
 * NAME=missing. Rows count by their weights. What is learned is part of the preparation: splits
 * learn their own, and new rows get that of the training rows. */
#ifndef RLS2_TABLE_FILLS_H
#define RLS2_TABLE_FILLS_H

#include "table/dataset.h"

/* Learns the fills of all inputs from the rows of a data set, of which nothing is imputed yet, and
 * fills the gaps. The columns of an input that is empty in all of them count as absent. */
rls2_status rls2__dataset_learn_fills(rls2_dataset *dataset, rls2_error *err);
/* Fills the gaps by what was learned elsewhere. */
void rls2__dataset_impute(rls2_dataset *dataset, const rls2__preparation *from);

#endif
