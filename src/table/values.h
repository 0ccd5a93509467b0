/* The values of a column, numbered. */
#ifndef RLS2_TABLE_VALUES_H
#define RLS2_TABLE_VALUES_H

#include "rls2/table.h"

/* numbers[i] for each of `count` rows: its value's place in the order of first appearance, -1 for
 * an empty cell. Values are the same as rls2_table_holds has it. */
rls2_status rls2__number_values(const rls2_table *table, int64_t column, int64_t count,
                                const int64_t *rows, int64_t *numbers, rls2_error *err);

#endif
