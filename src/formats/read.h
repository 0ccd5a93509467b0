/* What the readers share, of which there is one for each format: each fills a table that
 * rls2__table_create made. */
#ifndef RLS2_FORMATS_READ_H
#define RLS2_FORMATS_READ_H

#include "table/table.h"

/* The bytes of a file, unpacked if they were compressed, followed by a NUL that `length` does not
 * count. */
typedef struct rls2__bytes {
    char *data; /* release with rls2__free; a reader that keeps it sets this to NULL */
    int64_t length;
} rls2__bytes;

/* What reading whole and reading piece by piece share: */

/* What a converter writes is CSV with a header. */
void rls2__read_options_of_converter(rls2_read_options *options);
/* The options a caller gave, or the defaults, once they are checked. */
rls2_status rls2__read_options_take(const rls2_read_options *given, rls2_read_options *own,
                                    rls2_error *err);
rls2__limits rls2__read_limits(const rls2_read_options *options);
/* "stdin" for "-". */
const char *rls2__read_name(const char *path);
/* The format given, or the one found from the unpacked bytes and the name; RLS2__WINDOW bytes of
 * the beginning are enough. */
enum { RLS2__WINDOW = 1 << 16 };
rls2_format rls2__format_find(const rls2_read_options *options, const char *name, const char *bytes,
                              int64_t length);
/* RLS2_ERR_SYNTAX, saying what it is, for text that is not UTF-8 and for files of other programs
 * (pictures, workbooks). */
enum { RLS2__MAGIC = 64 }; /* bytes of the beginning that it looks at */
rls2_status rls2__text_check(const char *name, rls2_format format, const char *bytes,
                             int64_t length, rls2_error *err);
/* Reads the unpacked bytes. */
rls2_status rls2__table_fill(rls2_table *table, rls2_format format, rls2__bytes *bytes,
                             const rls2_read_options *options, rls2_error *err);

/* '\n' in a text. */
int64_t rls2__count_lines(const char *text, int64_t length);
/* Reading on has failed after that many whole lines, or rows: says so behind what `err` says, and
 * returns `status`. What: "line" or "row". */
rls2_status rls2__fail_reading(rls2_status status, const char *what, int64_t whole,
                               rls2_error *err);

/* The same of a file that is read whole, by what was read of it. */
rls2_status rls2__fail_rest(rls2_status status, rls2_format format, const rls2__bytes *bytes,
                            rls2_error *err);

/* One array of a file of arrays, as the readers of NPY, NPZ and MAT find it: doubles by columns or
 * by rows. */
typedef struct rls2__array {
    double *values; /* release with rls2__free */
    int64_t rows;
    int64_t columns;
    int by_columns;      /* 1: column-major */
    int64_t first_row;   /* of a piece of an array: rows before it */
    rls2__limits limits; /* for the reader that fills it */
} rls2__array;

#endif
