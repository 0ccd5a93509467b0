/* A table in memory, as the readers fill it and the data set reads it. */
#ifndef RLS2_TABLE_TABLE_H
#define RLS2_TABLE_TABLE_H

#include "base/memory.h"
#include "rls2/table.h"

/* The text of the file is the pool of the cells: each is NUL-terminated in place,
 * where its separator or closing quote stood. */
struct rls2_table {
    char name[128]; /* of the file, for messages; the end of it if it is long */
    int64_t rows;
    int64_t columns;
    char *text;
    int64_t *row_start; /* offset in text of each row */
    int64_t *row_line;  /* line of the file on which each row begins, from 1 */
    uint32_t *cell;     /* rows x columns, by rows: offset of each cell from its row's start */
    const char **names; /* columns; these three live in the arena */
    int64_t *numbers;   /* columns: cells that are numbers */
    int64_t *texts;     /* columns: cells that are neither numbers nor empty */
    rls2__arena *arena;
};

/* The cell without checks of the range. */
static inline const char *rls2__table_cell(const rls2_table *table, int64_t row, int64_t column)
{
    return table->text + table->row_start[row] + table->cell[row * table->columns + column];
}

/* A text made fit for a message: short, and without control characters. */
typedef struct rls2__shown {
    char text[48];
} rls2__shown;

rls2__shown rls2__show(const char *text);
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
