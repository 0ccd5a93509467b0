/* A source of rows: a file, a table in memory or what a caller hands out, as pieces that are read
 * on all threads, and again from the first as often as one likes.
 *
 * Pieces are cut one after the other and numbered by their first row; parsing and what is done with
 * them goes on at the same time on several threads, each of which holds one piece. Pieces have at
 * most 4,096 rows, and 1 MiB of text where the first of its rows is shorter. */
#ifndef RLS2_FORMATS_ROWS_H
#define RLS2_FORMATS_ROWS_H

#include "base/effort.h"
#include "rls2/table.h"

typedef struct rls2__rows rls2__rows;

/* Called anew for each pass, then until *piece is NULL; from one thread at a time. Pieces are freed
 * by who reads the rows. `again` may be NULL: there is one pass only. */
typedef struct rls2__rows_calls {
    rls2_status (*again)(void *user, rls2_error *err);
    rls2_status (*next)(void *user, rls2_table **piece, rls2_error *err);
    void *user;
} rls2__rows_calls;

/* CSV, compressed or not, is read piece by piece; other formats are read whole. "-": the standard
 * input, of which there is one pass. */
rls2_status rls2__rows_open(const char *path, const rls2_read_options *options, rls2__rows **rows,
                            rls2_error *err);
/* The table is borrowed. */
rls2_status rls2__rows_open_table(const rls2_table *table, rls2__rows **rows, rls2_error *err);
/* `first` has the columns and styles, as rls2__rows_first; borrowed. */
rls2_status rls2__rows_open_calls(const rls2_table *first, const rls2__rows_calls *calls,
                                  rls2__rows **rows, rls2_error *err);
void rls2__rows_close(rls2__rows *rows);

/* The first rows, at most 4,096, or the whole table, with the styles found in them. */
const rls2_table *rls2__rows_first(const rls2__rows *rows);
/* How many there are, about: from the size of the file and of its first rows; 0: not known. */
int64_t rls2__rows_expected(const rls2__rows *rows);
/* Can it be read from the first row again? */
int rls2__rows_can_begin_again(const rls2__rows *rows);

/* What is done with a piece, whose first row has that number in the whole; thread: 0 .. threads - 1
 * of the effort. It may not keep the piece. */
typedef rls2_status (*rls2__rows_fn)(void *user, const rls2_table *piece, int64_t first_row,
                                     int thread, rls2_error *err);
/* One pass. Where several pieces fail the first of them is told, so that messages do not depend on
 * threads; pieces before it have been worked on, and some behind it may have been.
 * RLS2_ERR_CANCELLED where the effort was stopped. *count (may be NULL): rows worked on, also after
 * an error. */
rls2_status rls2__rows_each(rls2__rows *rows, rls2__effort *effort, rls2__rows_fn work, void *user,
                            int64_t *count, rls2_error *err);

#endif
