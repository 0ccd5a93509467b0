/* Finding how the columns of a whole table are written. */
#ifndef RLS2_TABLE_UNDERSTAND_H
#define RLS2_TABLE_UNDERSTAND_H

#include "table/table.h"

/* Finds the style of each column that has texts, puts its numbers in place of the values, empties
 * the cells of words for missing values where the rest of the column is numbers, counts the kinds
 * anew and adds notes on what was found. The table is the only owner of its texts.
 *
 * A column has a style where it reads every cell; up to a tenth of at least twenty may be slips,
 * which stay texts for the encoder to name. */
rls2_status rls2__table_understand(rls2_table *table, rls2_error *err);

#endif
