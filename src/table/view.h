/* A table as an encoder sees it: which columns are used, and which rows. */
#ifndef RLS2_TABLE_VIEW_H
#define RLS2_TABLE_VIEW_H

#include "table/encoder.h"
#include "table/table.h"

/* Finds the columns by name and the rows to be used; inputs, targets and weights that are numbers
 * must be so in the whole table. Targets and weights may be absent. */
rls2_status rls2__view_open(const rls2_table *table, const rls2__encoder *encoder,
                            rls2__view_rules rules, rls2__view *view, rls2_error *err);
/* 1 if the cell of that input is missing in a row of the view. */
int rls2__view_is_missing(const rls2__view *view, int64_t row, int64_t input);
/* Its number, as the training rows were written; NaN where it is missing. */
double rls2__view_number(const rls2__view *view, int64_t row, int64_t input);
/* Its text, which may lie in the buffer. */
const char *rls2__view_text(const rls2__view *view, int64_t row, int64_t input,
                            char buffer[RLS2__NUMBER_TEXT]);
/* The rules for training data and for rows like them. */
rls2__view_rules rls2__view_rules_of(const rls2__encoder *encoder);
/* Accepts a view that could not be opened, or was never tried if it is zero. */
void rls2__view_close(rls2__view *view);

/* J of a name xJ, or -1; and the last J of a table that leaves zeros out, in which columns beyond
 * it are zero. INT64_MAX for other tables: nothing is beyond. */
int64_t rls2__number_of_x(const char *name);
int64_t rls2__last_of_x(const rls2_table *table);

#endif
