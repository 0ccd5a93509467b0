/* A source of rows (rls2/source.h) as those see it that read it: pieces on all threads, and again
 * from the first as often as one likes.
 *
 * Pieces are cut one after the other and numbered by their first row; parsing and what is done with
 * them goes on at the same time on several threads, each of which holds one piece. Pieces have at
 * most 4,096 rows, and 1 MiB of text where the first of its rows is shorter. */
#ifndef RLS2_FORMATS_ROWS_H
#define RLS2_FORMATS_ROWS_H

#include "base/effort.h"
#include "rls2/source.h"

/* The first rows, at most 4,096, or the whole table, with the styles found in them. */
const rls2_table *rls2__rows_first(const rls2_source *source);
/* How many there are, about: from the size of the file and of its first rows; 0: not known. */
int64_t rls2__rows_expected(const rls2_source *source);
/* Can it be read from the first row (again)? And more than once, to begin with? */
int rls2__rows_can_begin_again(const rls2_source *source);
int rls2__rows_have_passes(const rls2_source *source);

/* What is done with a piece, whose first row has that number in the whole; thread: 0 .. threads - 1
 * of the effort. It may not keep the piece. */
typedef rls2_status (*rls2__rows_fn)(void *user, const rls2_table *piece, int64_t first_row,
                                     int thread, rls2_error *err);
/* One pass. Where several pieces fail the first of them is told, so that messages do not depend on
 * threads; pieces before it have been worked on, and some behind it may have been.
 * RLS2_ERR_CANCELLED where the effort was stopped. *count (may be NULL): rows worked on, also after
 * an error. */
rls2_status rls2__rows_each(rls2_source *source, rls2__effort *effort, rls2__rows_fn work,
                            void *user, int64_t *count, rls2_error *err);

#endif
