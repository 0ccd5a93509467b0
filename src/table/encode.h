/* The rows of a view become numbers. */
#ifndef RLS2_TABLE_ENCODE_H
#define RLS2_TABLE_ENCODE_H

#include "table/encoder.h"

/* Allocates and fills x, y, classes and weights of a data set that has the rows of the view; what
 * the table does not have stays NULL. Where the cell of an input is empty, the first of its columns
 * of x is NaN. */
rls2_status rls2__encode(const rls2__view *view, rls2_dataset *dataset, rls2_error *err);

#endif
