/* The parts of the CSV reader that reading piece by piece needs. */
#ifndef RLS2_FORMATS_CSV_H
#define RLS2_FORMATS_CSV_H

#include "formats/read.h"

/* Length of the byte order mark the text begins with, or 0. */
int64_t rls2__csv_mark(const char *text, int64_t length);
/* The first line that is not empty, and where it stops: at its line feed, one within quotes being
 * none, or at the end. */
const char *rls2__csv_first_line(const char *text, const char *end, const char **stop);
/* The delimiter given, or the one that line has. The text starts after its mark. */
char rls2__csv_delimiter(const rls2_read_options *options, const char *text, int64_t length);
/* One past the line feed that ends the first row of the text; NULL if the text stops before. */
const char *rls2__csv_row_end(const char *text, const char *end, char delimiter);
/* 1 if there is nothing but blanks before the end of the line or of the text. */
int rls2__csv_is_empty_line(const char *text, const char *end, char delimiter);

/* The columns alone. The bytes, without mark, are those of the header, or of the first row that
 * says how many columns there are and the empty lines before it. */
rls2_status rls2__csv_read_head(rls2_table *head, rls2__bytes *bytes,
                                const rls2_read_options *options, rls2_error *err);
/* Whole rows, the first of them on that line, of a file with those columns; there may be none. */
rls2_status rls2__csv_read_piece(rls2_table *table, rls2__bytes *bytes,
                                 const rls2_read_options *options, const rls2_table *head,
                                 int64_t line, rls2_error *err);

/* `bytes->data` becomes the pool of the table. */
rls2_status rls2__read_csv(rls2_table *table, rls2__bytes *bytes, const rls2_read_options *options,
                           rls2_error *err);

#endif
