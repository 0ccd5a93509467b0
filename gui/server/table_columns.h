/* Tables as the page sees them: reading, what is in each column, some rows. */
#ifndef RLS2_GUI_TABLE_COLUMNS_H
#define RLS2_GUI_TABLE_COLUMNS_H

#include <jansson.h>

#include "gui/server/fault.h"
#include "gui/server/store.h"
#include "rls2/table.h"

/* What a table may unpack to, in bytes, and its cells (12 bytes each). */
#define MOST_UNPACKED ((int64_t)512 << 20)
#define MOST_TABLE_CELLS ((int64_t)1 << 27)

/* `name` is what the user calls the file: messages have it, and its ending helps to find the
 * format. `reading` has settings of the scope RLS2_SCOPE_READING, or is NULL. */
int columns_read(const store *s, const char *path, const char *name, const json_t *reading,
                 rls2_table **table, fault *f);
/* DataAbout, but for id, name and bytes; NULL when out of memory. */
json_t *columns_about(const rls2_table *table);
/* Rows as lists of texts. */
json_t *columns_rows(const rls2_table *table, int64_t from, int64_t count);
/* The cell as text, also where the table holds numbers only; `text` is room for one. */
const char *columns_cell(const rls2_table *table, int64_t row, int64_t column, char text[32]);
/* The shortest decimal text that reads back as the same number. */
const char *columns_number(double value, char text[32]);
/* "number", "text" or "date". */
const char *columns_kind(rls2_column_kind kind);
/* A number, or null where it is none. */
json_t *json_finite(double value);
/* The text, bytes that are not UTF-8 replaced; NULL becomes null. */
json_t *json_words(const char *text);

#endif
