/* Rows without those that stand there before. */
#ifndef RLS2_WIDTHS_DIFFERENT_ROWS_H
#define RLS2_WIDTHS_DIFFERENT_ROWS_H

#include "widths/widths.h"

/* numbers[n]: the first row of each set of rows that are equal in the columns of the set and in all
 * responses, ascending, *count of them; weights[n]: of these rows, the sum over those equal to
 * them. RLS2_ERR_MEMORY only. */
rls2_status rls2__different_rows(const rls2__width_set *set, const rls2__width_lesson *lesson,
                                 int64_t *numbers, double *weights, int64_t *count);

#endif
