/* The parts of the CSV reader that reading piece by piece and looking ahead need. */
#ifndef RLS2_FORMATS_CSV_H
#define RLS2_FORMATS_CSV_H

#include "formats/csv_look.h"

/* Length of the byte order mark the text begins with, or 0. */
int64_t rls2__csv_mark(const char *text, int64_t length);
/* One past the line feed that ends the first row of the text; NULL if the text stops before. */
const char *rls2__csv_row_end(const char *text, const char *end, char delimiter);
/* 1 if there is nothing but blanks before the end of the line or of the text. */
int rls2__csv_is_empty_line(const char *text, const char *end, char delimiter);

/* The first rows of a text, each of its own width. */
typedef struct rls2__csv_sample rls2__csv_sample;
rls2_status rls2__csv_sample_create(const rls2_read_options *options, char delimiter,
                                    const char *text, int64_t length, rls2__csv_sample **sample,
                                    rls2_error *err);
void rls2__csv_sample_free(rls2__csv_sample *sample);
int64_t rls2__csv_sample_rows(const rls2__csv_sample *sample);
int64_t rls2__csv_sample_width(const rls2__csv_sample *sample, int64_t row);
const char *rls2__csv_sample_text(const rls2__csv_sample *sample, int64_t row, int64_t column);
double rls2__csv_sample_value(const rls2__csv_sample *sample, int64_t row, int64_t column);

/* The columns alone. The bytes, without mark, are those of the header, or of the first row that
 * says how many columns there are, and the empty lines before it. */
rls2_status rls2__csv_read_head(rls2_table *head, rls2__bytes *bytes,
                                const rls2_read_options *options, const rls2__csv_look *look,
                                rls2_error *err);
/* Whole rows, the first of them on that line, of a file with those columns; there may be none. */
rls2_status rls2__csv_read_piece(rls2_table *table, rls2__bytes *bytes,
                                 const rls2_read_options *options, const rls2__csv_look *look,
                                 const rls2_table *head, int64_t line, rls2_error *err);

/* `bytes->data` becomes the pool of the table. */
rls2_status rls2__read_csv(rls2_table *table, rls2__bytes *bytes, const rls2_read_options *options,
                           rls2_error *err);

#endif
