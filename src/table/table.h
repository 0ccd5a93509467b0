/* A table in memory, as the readers fill it and the data set reads it. */
#ifndef RLS2_TABLE_TABLE_H
#define RLS2_TABLE_TABLE_H

#include <stdatomic.h>

#include "base/memory.h"
#include "base/status.h"
#include "rls2/table.h"
#include "table/limits.h"
#include "table/style.h"
#include "table/words.h"

/* The text of a file: the pool of the cells, each NUL-terminated in place where its
 * separator or closing quote stood. Shared by the tables made of it; the last one frees it. */
typedef struct rls2__pool {
    atomic_int owners;
    char *text;
} rls2__pool;

/* A file that rows came from. */
typedef struct rls2__file {
    char name[128]; /* for messages; the end of it if it is long */
    int has_lines;  /* its rows stand on lines; else they only have numbers */
} rls2__file;

/* Of a cell that was given as a number, among others that are texts. */
#define RLS2__NO_TEXT UINT32_MAX

/* What was found when a file was read, and the setting that reads it otherwise, or NULL. */
typedef struct rls2__table_note {
    const char *text, *setting, *value;
} rls2__table_note;

/* A table has numbers for all cells, and texts too if it comes from a text file. */
struct rls2_table {
    char name[128]; /* of the file, for messages; the end of it if it is long. Of both where it is
                       stacked */
    rls2_format format;
    rls2__limits limits; /* for the reader that fills it */
    int64_t rows;
    int64_t columns;
    int64_t rows_before; /* where the rows have no lines they are numbered behind so many others */
    double *value;       /* rows x columns, by rows: NaN where the cell is missing or text */

    rls2__pool *pool;   /* NULL where there are no texts, and then the next three are too */
    int64_t *row_start; /* offset in the pool of each row */
    int64_t
        *row_line;  /* line of the file on which each row begins, from 1; LIBSVM has it as well */
    uint32_t *cell; /* rows x columns, by rows: offset of each cell from its row's start, or
                       RLS2__NO_TEXT */

    int64_t file_count; /* where the rows are of several files, */
    rls2__file *files;  /* which live in the arena; */
    int32_t *row_file;  /* and the file of each row; NULL where all are of the one that is named */

    char delimiter;     /* of CSV, as given or found; else 0 */
    const char **names; /* columns; these live in the arena */
    int64_t *numbers;   /* columns: cells that are numbers */
    int64_t *texts;     /* columns: cells that are neither numbers nor empty */
    /* columns: 1 for those of texts in all rows, of which these are a sample; NULL: these say it */
    unsigned char *all_text;
    int64_t
        first_target; /* columns that are the target by the format's convention, side by side, */
    int64_t target_count; /* this many */
    const char *marker;   /* the format's own marker of test rows, or NULL */
    int precomputed;      /* columns k1, k2, ... are a kernel */
    int sparse;           /* columns xJ beyond the last are zero, not missing */
    rls2__style *styles;  /* columns: how their cells are written; plain until that is found */
    int64_t row_names;    /* column that names the rows, -1: there is none */
    int weak_words;       /* 1: "?", "." and "-" may stand for a missing number */
    char decimal;         /* that was asked for: '.' or ',', and 0 where it was to be found */
    int64_t words[RLS2__MISSING_WORDS]; /* cells that were one of these */
    int header;                         /* of CSV: names were in the first line */
    rls2__table_note *notes;            /* what was found in the file, in sentences, */
    int64_t note_count;                 /* this many */
    int64_t note_room;
    rls2__arena *arena;
};

/* An empty table of that name, with its arena; NULL when out of memory. */
rls2_table *rls2__table_create(const char *name);

/* Room for `names`, `numbers`, `texts` and `styles`, zeroed. */
rls2_status rls2__table_set_columns(rls2_table *table, int64_t columns, rls2_error *err);
/* The columns of another table: names, conventions and format, without rows. */
rls2_status rls2__table_copy_columns(rls2_table *table, const rls2_table *from, rls2_error *err);
/* Its format and what goes by it: targets, row names, words for missing values, signs. */
rls2_status rls2__table_copy_conventions(rls2_table *table, const rls2_table *from,
                                         rls2_error *err);
/* rls2_table_create for rows that stand for those of a table like this one: with its name, columns
 * and conventions, and styles of their own. The columns have its names. */
rls2_status rls2__table_create_like(const rls2_table *like, int64_t rows,
                                    const rls2_column *columns, rls2_table **table,
                                    rls2_error *err);
/* Adds the cells of one row to `numbers` and `texts`. */
void rls2__table_count_row(rls2_table *table, int64_t row);

/* A table of numbers: `value` zeroed, `names`, `numbers` and `texts` with their room but the names
 * still to be set. For readers of binary files. */
rls2_status rls2__table_reserve(rls2_table *table, int64_t rows, int64_t columns, rls2_error *err);
/* Sets names[first ..] to PREFIX1, PREFIX2, ..., `count` of them; PREFIX alone if `plain`. */
rls2_status rls2__table_name_columns(rls2_table *table, int64_t first, int64_t count,
                                     const char *prefix, int plain, rls2_error *err);
/* Counts `numbers` and `texts` from the values; the last step of a reader of numbers. */
void rls2__table_count_kinds(rls2_table *table);

/* The cell as text without checks of the range; a number without text is written shortest, so that
 * it reads back the same (-0 as 0), into `buffer`. "" where it is missing. */
enum { RLS2__NUMBER_TEXT = 32 };
void rls2__table_write_number(double value, char buffer[RLS2__NUMBER_TEXT]);
const char *rls2__table_text(const rls2_table *table, int64_t row, int64_t column,
                             char buffer[RLS2__NUMBER_TEXT]);

static inline double rls2__table_number(const rls2_table *table, int64_t row, int64_t column)
{
    return table->value[row * table->columns + column];
}

/* The cell as it was written; NULL where it is a number that was not. */
static inline const char *rls2__table_written(const rls2_table *table, int64_t row, int64_t column)
{
    if (!table->pool || table->cell[row * table->columns + column] == RLS2__NO_TEXT) return NULL;
    return table->pool->text + table->row_start[row] + table->cell[row * table->columns + column];
}

/* 1 if the cell stood between quotes in its file, of which the first is left where it was. */
static inline int rls2__table_was_quoted(const rls2_table *table, int64_t row, int64_t column)
{
    const char *text = rls2__table_written(table, row, column);
    return text && text > table->pool->text && text[-1] == '"';
}

static inline int rls2__table_is_missing(const rls2_table *table, int64_t row, int64_t column)
{
    double value = rls2__table_number(table, row, column);
    if (value == value) return 0;
    const char *text = rls2__table_written(table, row, column);
    return !text || *text == '\0';
}

/* "?", "." or "-": missing where the rest of the column is numbers, a text elsewhere. */
int rls2__is_weak_word(const char *text);
/* The cell as a number of that style: the table's own value where it was read so, where there is no
 * text, and where that style does not read the text but the table's own could, dates apart. */
double rls2__table_number_as(const rls2_table *table, int64_t row, int64_t column,
                             const rls2__style *style);
/* 1 if the column is one of texts. Some among as many numbers or more are slips, and so are
 * infinite numbers: such a column is one of numbers, which a data set will refuse. */
int rls2__table_is_text(const rls2_table *table, int64_t column);
/* Missing in a column of that kind: empty, or a weak word where it is not text. */
int rls2__table_is_missing_as(const rls2_table *table, int64_t row, int64_t column, int is_text);

/* One more sentence about the file, without its name. */
rls2_status rls2__table_add_note(rls2_table *table, rls2_error *err, const char *format, ...)
    RLS2__PRINTF(3, 4);
/* With that setting, which is static as its value is, what the last note tells would be otherwise.
 */
void rls2__table_undo_note(rls2_table *table, const char *setting, const char *value);

/* 1 if the row stands on a line of a file, 0 if it only has a number. */
int rls2__table_has_lines(const rls2_table *table, int64_t row);

/* Where a row stands, for messages: "FILE:17", or "FILE: row 16" where the file has no lines. */
typedef struct rls2__place {
    char text[160]; /* a name and a number */
} rls2__place;
rls2__place rls2__table_place(const rls2_table *table, int64_t row);

/* A text made fit for a message: short, and without control characters. */
typedef struct rls2__shown {
    char text[48];
} rls2__shown;

rls2__shown rls2__show(const char *text);
int rls2__is_utf8(const char *text);
/* The first `length` characters of it. */
rls2__shown rls2__show_part(const char *text, int64_t length);

/* Several texts made fit for a message: "a, b, c, ...". */
enum { RLS2__LISTED = 3 };
typedef struct rls2__shown_list {
    char text[RLS2__LISTED * (sizeof(rls2__shown) + 4) + 6];
} rls2__shown_list;

/* The first RLS2__LISTED of `count` texts, each between quotes, which may be "". */
rls2__shown_list rls2__show_list(const char *const *texts, int64_t count, const char *quote);

#endif
