/* Threads take turns at cutting pieces, under a lock, and work on them on their own.
 *
 * So reading, unpacking and finding the ends of rows is done by one thread at a time while others
 * parse, and there are never more pieces than threads. Pieces are cut in their order: where one
 * fails, those before it are being worked on or are done, and none is cut any more. */
#include "formats/rows.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "formats/stream.h"
#include "table/table.h"
#include "table/understand.h"

enum { PIECE_ROWS = 4096, PIECE_BYTES = 1 << 20 };

/* One of three: a path, a table, calls. */
struct rls2__rows {
    char *path; /* of CSV; NULL of other sources */
    rls2_read_options options;
    char **na;           /* copies of the option's texts */
    rls2_stream *stream; /* of the standard input, which cannot be opened again, or of this pass */
    rls2__stream_piece head; /* its first rows, which have been cut */

    const rls2_table *table;
    rls2__rows_calls calls;

    rls2_table *owned; /* the first rows, or the whole of other formats */
    const rls2_table *first;
    double row_bytes; /* of the first rows, on average; 0: they were not cut from a text */
    int passes;
};

/* ---- opening ---- */

static char *duplicate(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = rls2__alloc((int64_t)size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* The options live as long as the rows do. */
static int copy_options(rls2__rows *rows, const char *path)
{
    int64_t count = rows->options.na_count > 0 ? rows->options.na_count : 0;
    rows->path = duplicate(path);
    rows->na = rls2__alloc_zero(count, sizeof(*rows->na));
    int fits = rows->path && rows->na;
    for (int64_t k = 0; k < count && fits; k++)
        fits = (rows->na[k] = duplicate(rows->options.na[k])) != NULL;
    rows->options.na = (const char *const *)rows->na;
    return fits;
}

/* The first rows as a table that is understood as a whole one would be, and as a piece. */
static rls2_status read_first(rls2__rows *rows, rls2_error *err)
{
    rls2_status status = rls2__stream_cut(rows->stream, PIECE_ROWS, PIECE_BYTES, &rows->head, err);
    if (status == RLS2_OK)
        status = rls2__stream_parse(rows->stream, &rows->head, &rows->owned, err);
    if (status == RLS2_OK && rows->head.rows > 0)
        rows->row_bytes = (double)rows->head.length / (double)rows->head.rows;
    return status == RLS2_OK ? rls2__table_understand(rows->owned, err) : status;
}

/* Other formats are tables from now on. */
static rls2_status begin(rls2__rows *rows, rls2_error *err)
{
    rls2_status status = rls2_stream_open(rows->path, &rows->options, &rows->stream, err);
    if (status != RLS2_OK) return status;
    if (rls2__stream_has_pieces(rows->stream)) {
        status = read_first(rows, err);
    } else {
        status = rls2_stream_next(rows->stream, 1, &rows->owned, err);
        rows->table = rows->owned;
    }
    rows->first = rows->owned;
    return status;
}

rls2_status rls2__rows_open(const char *path, const rls2_read_options *options, rls2__rows **rows,
                            rls2_error *err)
{
    rls2__rows *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of a file");
    rls2_read_options_init(&made->options, sizeof made->options);
    if (options) made->options = *options;
    rls2_status status =
        copy_options(made, path) ? RLS2_OK : rls2__fail_memory(err, "the rows of a file");
    if (status == RLS2_OK) status = begin(made, err);
    if (status == RLS2_OK)
        *rows = made;
    else
        rls2__rows_close(made);
    return status;
}

rls2_status rls2__rows_open_table(const rls2_table *table, rls2__rows **rows, rls2_error *err)
{
    rls2__rows *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of a table");
    made->table = made->first = table;
    *rows = made;
    return RLS2_OK;
}

rls2_status rls2__rows_open_calls(const rls2_table *first, const rls2__rows_calls *calls,
                                  rls2__rows **rows, rls2_error *err)
{
    rls2__rows *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of a table");
    made->first = first;
    made->calls = *calls;
    *rows = made;
    return RLS2_OK;
}

void rls2__rows_close(rls2__rows *rows)
{
    if (!rows) return;
    rls2_stream_close(rows->stream);
    rls2__stream_piece_free(&rows->head);
    rls2_table_free(rows->owned);
    for (int64_t k = 0; rows->na && k < rows->options.na_count; k++) rls2__free(rows->na[k]);
    rls2__free((void *)rows->na);
    rls2__free(rows->path);
    rls2__free(rows);
}

const rls2_table *rls2__rows_first(const rls2__rows *rows)
{
    return rows->first;
}

/* Compressed text is as long as its file at least. */
int64_t rls2__rows_expected(const rls2__rows *rows)
{
    struct stat about;
    if (rows->table) return rows->table->rows;
    if (!rows->path || !(rows->row_bytes > 0.0) || stat(rows->path, &about) != 0) return 0;
    return (int64_t)((double)about.st_size / rows->row_bytes);
}

int rls2__rows_can_begin_again(const rls2__rows *rows)
{
    if (rows->table || rows->passes == 0) return 1;
    return rows->path ? strcmp(rows->path, "-") != 0 : rows->calls.again != NULL;
}

/* ---- a pass ---- */

/* A file is opened anew; but the first pass goes on where the first rows were read. */
static rls2_status begin_pass(rls2__rows *rows, rls2_error *err)
{
    if (!rls2__rows_can_begin_again(rows))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: these rows can be read once only; write them to a file, which can "
                          "be read again",
                          rows->first->name);
    int again = rows->passes++ > 0;
    if (rows->calls.next)
        return rows->calls.again ? rows->calls.again(rows->calls.user, err) : RLS2_OK;
    if (!rows->path || rows->table || !again) return RLS2_OK;
    rls2_stream_close(rows->stream);
    rls2__stream_piece_free(&rows->head);
    rows->stream = NULL;
    return rls2_stream_open(rows->path, &rows->options, &rows->stream, err);
}

/* Something to work on, cut or whole. */
typedef struct piece {
    rls2__stream_piece text;
    rls2_table *table;
    int64_t first_row, rows;
} piece;

typedef struct pass {
    rls2__rows *rows;
    rls2__effort *effort;
    rls2__rows_fn work;
    void *user;
    pthread_mutex_t lock;
    /* under the lock: */
    int64_t next_row;  /* of the whole */
    int64_t done;      /* rows worked on */
    int ended;         /* nothing is cut any more */
    int64_t failed_at; /* first row of the first piece that failed */
    rls2_status status;
    rls2_error error;
} pass;

static rls2_status cut_text(rls2__rows *rows, piece *p, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (rows->head.text) {
        p->text = rows->head;
        rows->head = (rls2__stream_piece){0};
    } else {
        status = rls2__stream_cut(rows->stream, PIECE_ROWS, PIECE_BYTES, &p->text, err);
    }
    p->rows = p->text.rows;
    return status;
}

static rls2_status cut_call(rls2__rows *rows, piece *p, rls2_error *err)
{
    rls2_status status = rows->calls.next(rows->calls.user, &p->table, err);
    p->rows = status == RLS2_OK && p->table ? p->table->rows : 0;
    return status;
}

/* rows is 0 at the end. */
static rls2_status cut(pass *t, piece *p, rls2_error *err)
{
    rls2__rows *rows = t->rows;
    rls2_status status = RLS2_OK;
    *p = (piece){.first_row = t->next_row};
    if (rows->calls.next) {
        status = cut_call(rows, p, err);
    } else if (rows->table) {
        int64_t left = rows->table->rows - t->next_row;
        p->rows = left < PIECE_ROWS ? left : PIECE_ROWS;
    } else {
        status = cut_text(rows, p, err);
    }
    t->next_row += p->rows;
    return status;
}

/* A piece of a table is rows of it; one of them all is the table itself. */
static rls2_status slice(const rls2_table *table, piece *p, rls2_error *err)
{
    int64_t numbers[PIECE_ROWS];
    for (int64_t i = 0; i < p->rows; i++) numbers[i] = p->first_row + i;
    return rls2_table_take(table, p->rows, numbers, &p->table, err);
}

static rls2_status work_on(const pass *t, piece *p, int thread, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (p->text.text)
        status = rls2__stream_parse(t->rows->stream, &p->text, &p->table, err);
    else if (!p->table)
        status = slice(t->rows->table, p, err);
    if (status == RLS2_OK) status = t->work(t->user, p->table, p->first_row, thread, err);
    return status;
}

static void release_piece(piece *p)
{
    rls2__stream_piece_free(&p->text);
    rls2_table_free(p->table);
}

/* The first piece that fails is told. */
static void note_failure(pass *t, int64_t first_row, rls2_status status, const rls2_error *error)
{
    t->ended = 1;
    if (t->status != RLS2_OK && t->failed_at <= first_row) return;
    t->failed_at = first_row;
    t->status = status;
    t->error = *error;
}

/* One more piece; 0 where there is none. */
static int take_piece(pass *t, piece *p)
{
    rls2_error error = {0};
    pthread_mutex_lock(&t->lock);
    int goes_on = !t->ended;
    if (goes_on) {
        rls2_status status = cut(t, p, &error);
        if (status != RLS2_OK) note_failure(t, p->first_row, status, &error);
        if (status == RLS2_OK && p->rows == 0) t->ended = 1;
        goes_on = !t->ended;
        if (!goes_on) release_piece(p);
    }
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

/* All that a thread does. */
static void take_part(void *user, int64_t task, int thread)
{
    pass *t = user;
    piece p;
    (void)task;
    while (!rls2__effort_stopped(t->effort) && take_piece(t, &p)) {
        rls2_error error = {0};
        rls2_status status = work_on(t, &p, thread, &error);
        release_piece(&p);
        pthread_mutex_lock(&t->lock);
        if (status != RLS2_OK) note_failure(t, p.first_row, status, &error);
        if (status == RLS2_OK) t->done += p.rows;
        pthread_mutex_unlock(&t->lock);
        rls2__effort_count(t->effort, p.rows);
    }
}

rls2_status rls2__rows_each(rls2__rows *rows, rls2__effort *effort, rls2__rows_fn work, void *user,
                            int64_t *count, rls2_error *err)
{
    if (count) *count = 0;
    rls2_status status = begin_pass(rows, err);
    if (status != RLS2_OK) return status;
    pass t = {.rows = rows, .effort = effort, .work = work, .user = user};
    pthread_mutex_init(&t.lock, NULL);
    /* a task for each thread, which all begin at once: what one finds nothing for is no loss */
    rls2__effort_each_worth(effort, 1e300, effort->threads, take_part, &t);
    pthread_mutex_destroy(&t.lock);
    if (count) *count = t.done;
    if (t.status != RLS2_OK) {
        if (err) *err = t.error;
        return t.status;
    }
    if (t.ended) return RLS2_OK;
    rls2__invariant(rls2__effort_stopped(effort));
    return rls2__fail(err, RLS2_ERR_CANCELLED, "stopped after %" PRId64 " rows", t.done);
}
