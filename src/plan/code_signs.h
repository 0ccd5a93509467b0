/* Signs by which whole numbers are known for codes. */
#ifndef RLS2_PLAN_CODE_SIGNS_H
#define RLS2_PLAN_CODE_SIGNS_H

#include "rls2/table.h"

/* 20 different whole numbers or more, each in three rows on average, that are written between
 * quotes, or have a name of codes ("zip", "shop_id"), or of which neighbours differ in the target y
 * (rows; NaN where it is missing) about as much as any two, and by more than chance (50 numbers or
 * more, with few gaps): how many different ones are there among at most 100,000 rows; 0 where there
 * is no such sign, -1 when out of memory. O(rows log rows). */
int64_t rls2__column_looks_coded(const rls2_table *table, int64_t column, const double *y,
                                 int is_quoted);

#endif
