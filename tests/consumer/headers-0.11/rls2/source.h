/* Sources of rows: files, a table or calls that hand out rows in pieces, of which no more than some
 * are in memory at a time. Profiles and statistics (rls2/stats.h) are made of them, and plans
 * (rls2/plan.h) completed on them.
 *
 * A source is read from its first row as often as one likes, by one call at a time. Pieces are read
 * on all threads of that call; rows are numbered as they come, from 0. */
#ifndef RLS2_SOURCE_H
#define RLS2_SOURCE_H

#include "rls2/status.h"
#include "rls2/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rls2_source rls2_source;

/* The rows of one or several files, one after the other: the first file says which columns there
 * are, and others have the same in the same order (what reads the rows refuses others). CSV,
 * compressed or not, is read in pieces; each file of another format is read whole. "-", which must
 * be the only one, is the standard input, of which there is one pass. Paths and options (NULL: the
 * defaults) are copied. Reads the first rows of the first file that has some: RLS2_ERR_IO,
 * RLS2_ERR_SYNTAX. Close with rls2_source_close. */
RLS2_API rls2_status rls2_source_open(int64_t count, const char *const *paths,
                                      const rls2_read_options *options, rls2_source **source,
                                      rls2_error *err);
/* The rows of a table, which is borrowed until the source is closed. */
RLS2_API rls2_status rls2_source_open_table(const rls2_table *table, rls2_source **source,
                                            rls2_error *err);

/* Fill it by rls2_source_calls_init(&calls, sizeof calls), then set the calls. They are made by one
 * thread at a time, but not always by the same one. A failure of theirs is that of who reads. */
typedef struct rls2_source_calls {
    size_t size;
    /* Before each pass: the next piece is the first. NULL (default): there is one pass only. */
    rls2_status (*again)(void *user, rls2_error *err);
    /* One more piece, which the source frees; NULL in *piece: there are no more. Some thousand rows
     * to a piece are best: each thread holds one. A piece may be empty. Messages number its rows
     * behind those of the pieces before. Needed. */
    rls2_status (*next)(void *user, rls2_table **piece, rls2_error *err);
    void *user; /* handed to both */
} rls2_source_calls;

RLS2_API void rls2_source_calls_init(rls2_source_calls *calls, size_t size);
/* What calls hand out. `first` has the columns of all pieces, and rows that tell how these are
 * written (some of the first ones, say), which are not counted; borrowed until the source is
 * closed. The calls are copied. */
RLS2_API rls2_status rls2_source_open_calls(const rls2_table *first, const rls2_source_calls *calls,
                                            rls2_source **source, rls2_error *err);
RLS2_API void rls2_source_close(rls2_source *source);

#ifdef __cplusplus
}
#endif

#endif
