/* The names of the columns as a header should have had them. */
#ifndef RLS2_FORMATS_CSV_NAMES_H
#define RLS2_FORMATS_CSV_NAMES_H

#include "table/table.h"

/* Names the columns that have none, and tells apart those of the same name, with a note on each: an
 * unnamed first column is row names, as R and pandas write them. No name at all, or one for all
 * columns, is an error at that line. */
rls2_status rls2__csv_complete_names(rls2_table *table, int64_t line, rls2_error *err);

#endif
