/* What may help where data cannot be used, or look like a slip. */
#ifndef RLS2_CLI_LEARN_HINT_H
#define RLS2_CLI_LEARN_HINT_H

#include "cli/console.h"

/* After the training rows could not be made: what may help, where that can be guessed. */
void hint_data(const settings *s, const rls2_table *table, const rls2_error *err);
/* After rows for a model could not be read: options of reading are not remembered. */
void hint_reading(const settings *s, const rls2_error *err);

int is_listed(const char *name, const char *const *names, int64_t count);
/* Is it what other programs write for a missing value? */
int stands_for_missing(const char *text);
/* digits, a comma, digits */
int has_decimal_comma(const char *text);
/* The first cell of the column, beyond the missing ones, that fits; NULL if there is none. */
const char *first_cell(const rls2_table *table, int64_t column, int (*fits)(const char *));
/* Numbers with a decimal comma that were not asked to be read as such. */
int is_decimal_column(const settings *s, const rls2_table *table, int64_t column);

#endif
