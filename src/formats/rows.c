/* Threads take turns at cutting pieces, under a lock, and work on them on their own.
 *
 * So reading, unpacking and finding the ends of rows is done by one thread at a time while others
 * parse, and there are never more pieces than threads. Pieces are cut in their order: where one
 * fails, those before it are being worked on or are done, and none is cut any more. A file stays
 * open until the last of its pieces is parsed, by whatever thread. */
#include "formats/rows.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "formats/read.h"
#include "formats/stream.h"
#include "table/table.h"
#include "table/understand.h"

enum { PIECE_ROWS = 4096, PIECE_BYTES = 1 << 20 };

/* A file that is being read. */
typedef struct opened {
    rls2_stream *stream;
    rls2__stream_piece head; /* the first rows, where they have been cut already */
    rls2_table *table;       /* the whole, of other formats than CSV; else NULL */
    int64_t next;            /* row of the table */
    int users;               /* pieces that are parsed, and who cuts */
} opened;

/* One of three: files, a table, calls. */
struct rls2_source {
    int64_t count; /* of files */
    char **paths;
    rls2_read_options options;
    char **na;         /* copies of the option's texts */
    opened *begun;     /* the first file, of which no pass was made; NULL: none */
    opened *file;      /* of this pass, */
    int64_t next_file; /* and the one behind it */

    const rls2_table *table;
    rls2_source_calls calls;

    rls2_table *owned; /* the first rows, or the whole of one file of another format */
    const rls2_table *first;
    double row_bytes; /* of the first rows, on average; 0: they were not cut from a text */
    int passes;
};

/* ---- files ---- */

static void close_file(opened *file)
{
    if (!file || --file->users > 0) return;
    rls2_stream_close(file->stream);
    rls2__stream_piece_free(&file->head);
    rls2_table_free(file->table);
    rls2__free(file);
}

static rls2_status open_file(const rls2_source *source, int64_t i, opened **file, rls2_error *err)
{
    opened *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of a file");
    made->users = 1;
    rls2_status status = rls2_stream_open(source->paths[i], &source->options, &made->stream, err);
    if (status == RLS2_OK && !rls2__stream_has_pieces(made->stream))
        status = rls2_stream_next(made->stream, 1, &made->table, err);
    if (status == RLS2_OK)
        *file = made;
    else
        close_file(made);
    return status;
}

/* ---- opening ---- */

static char **duplicate_all(int64_t count, const char *const *texts)
{
    char **copies = rls2__alloc_zero(count, sizeof(*copies));
    for (int64_t k = 0; copies && k < count; k++)
        if (!(copies[k] = rls2__text_copy(texts[k]))) {
            while (k-- > 0) rls2__free(copies[k]);
            rls2__free((void *)copies);
            return NULL;
        }
    return copies;
}

static void free_all(int64_t count, char **texts)
{
    for (int64_t k = 0; texts && k < count; k++) rls2__free(texts[k]);
    rls2__free((void *)texts);
}

static int64_t na_count(const rls2_source *source)
{
    return source->options.na_count > 0 ? source->options.na_count : 0;
}

/* They live as long as the source does. */
static int copy_arguments(rls2_source *source, int64_t count, const char *const *paths)
{
    source->count = count;
    source->paths = duplicate_all(count, paths);
    source->na = duplicate_all(na_count(source), source->options.na);
    source->options.na = (const char *const *)source->na;
    return source->paths && source->na;
}

/* The first rows as a table that is understood as a whole one would be, and as a piece. */
static rls2_status read_text(rls2_source *source, opened *file, rls2_error *err)
{
    rls2_status status = rls2__stream_cut(file->stream, PIECE_ROWS, PIECE_BYTES, &file->head, err);
    if (status == RLS2_OK)
        status = rls2__stream_parse(file->stream, &file->head, &source->owned, err);
    if (status == RLS2_OK && file->head.rows > 0)
        source->row_bytes = (double)file->head.length / (double)file->head.rows;
    return status == RLS2_OK ? rls2__table_understand(source->owned, err) : status;
}

static rls2_status take_rows(const rls2_table *table, int64_t first, int64_t count,
                             rls2_table **rows, rls2_error *err)
{
    int64_t numbers[PIECE_ROWS];
    for (int64_t i = 0; i < count; i++) numbers[i] = first + i;
    return rls2_table_take(table, count, numbers, rows, err);
}

/* A file of another format that is the only one is a table from now on. */
static rls2_status read_first(rls2_source *source, opened *file, rls2_error *err)
{
    rls2_table_free(source->owned);
    source->owned = NULL;
    if (!file->table) return read_text(source, file, err);
    if (source->count == 1) {
        source->table = source->owned = file->table;
        file->table = NULL;
        return RLS2_OK;
    }
    int64_t rows = file->table->rows;
    return take_rows(file->table, 0, rows < PIECE_ROWS ? rows : PIECE_ROWS, &source->owned, err);
}

/* Up to the first rows there are. */
static rls2_status begin(rls2_source *source, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < source->count && status == RLS2_OK; i++) {
        opened *file = NULL;
        status = open_file(source, i, &file, err);
        if (status == RLS2_OK) status = read_first(source, file, err);
        if (i == 0)
            source->begun = file;
        else
            close_file(file);
        if (status == RLS2_OK && source->owned->rows > 0) break;
    }
    source->first = source->owned;
    return status;
}

static rls2_status check_paths(int64_t count, const char *const *paths, rls2_error *err)
{
    if (!paths) return rls2__fail_null(err, "paths");
    if (count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "count is %" PRId64 ": there are no files",
                          count);
    for (int64_t i = 0; i < count; i++) {
        if (!paths[i]) return rls2__fail(err, RLS2_ERR_ARGUMENT, "paths[%" PRId64 "] is NULL", i);
        if (count > 1 && strcmp(paths[i], "-") == 0)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "the standard input cannot be one of several files");
    }
    return RLS2_OK;
}

static rls2_source *create(rls2_error *err)
{
    rls2_source *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) rls2__fail_memory(err, "a source of rows");
    return made;
}

rls2_status rls2_source_open(int64_t count, const char *const *paths,
                             const rls2_read_options *options, rls2_source **source,
                             rls2_error *err)
{
    rls2_status status = check_paths(count, paths, err);
    if (status == RLS2_OK && !source) status = rls2__fail_null(err, "source");
    if (status != RLS2_OK) return status;
    rls2_source *made = create(err);
    if (!made) return RLS2_ERR_MEMORY;
    status = rls2__read_options_take(options, &made->options, err);
    if (status == RLS2_OK && !copy_arguments(made, count, paths))
        status = rls2__fail_memory(err, "a source of rows");
    if (status == RLS2_OK) status = begin(made, err);
    if (status == RLS2_OK)
        *source = made;
    else
        rls2_source_close(made);
    return status;
}

rls2_status rls2_source_open_table(const rls2_table *table, rls2_source **source, rls2_error *err)
{
    if (!table) return rls2__fail_null(err, "table");
    if (!source) return rls2__fail_null(err, "source");
    rls2_source *made = create(err);
    if (!made) return RLS2_ERR_MEMORY;
    made->table = made->first = table;
    *source = made;
    return RLS2_OK;
}

void rls2_source_calls_init(rls2_source_calls *calls, size_t size)
{
    static const rls2_source_calls defaults = {.size = sizeof defaults};
    rls2__options_init(calls, size, &defaults, sizeof defaults);
}

rls2_status rls2_source_open_calls(const rls2_table *first, const rls2_source_calls *calls,
                                   rls2_source **source, rls2_error *err)
{
    rls2_source_calls own;
    if (!first) return rls2__fail_null(err, "first");
    if (!calls) return rls2__fail_null(err, "calls");
    if (!source) return rls2__fail_null(err, "source");
    rls2_source_calls_init(&own, sizeof own);
    rls2_status status = rls2__options_read("calls", "source_calls", calls, sizeof own, &own, err);
    if (status != RLS2_OK) return status;
    if (!own.next) return rls2__fail_null(err, "calls->next");
    rls2_source *made = create(err);
    if (!made) return RLS2_ERR_MEMORY;
    made->first = first;
    made->calls = own;
    *source = made;
    return RLS2_OK;
}

void rls2_source_close(rls2_source *source)
{
    if (!source) return;
    close_file(source->begun);
    close_file(source->file);
    rls2_table_free(source->owned);
    free_all(source->count, source->paths);
    free_all(na_count(source), source->na);
    rls2__free(source);
}

/* ---- what it is ---- */

const rls2_table *rls2__rows_first(const rls2_source *source)
{
    return source->first;
}

/* Compressed text is as long as its file at least. */
int64_t rls2__rows_expected(const rls2_source *source)
{
    double bytes = 0.0;
    if (source->table) return source->table->rows;
    for (int64_t i = 0; i < source->count; i++) {
        struct stat about;
        if (stat(source->paths[i], &about) != 0) return 0;
        bytes += (double)about.st_size;
    }
    return source->row_bytes > 0.0 ? (int64_t)(bytes / source->row_bytes) : 0;
}

static int is_once(const rls2_source *source)
{
    return source->paths ? strcmp(source->paths[0], "-") == 0
                         : source->calls.next && !source->calls.again;
}

int rls2__rows_can_begin_again(const rls2_source *source)
{
    return source->table || source->passes == 0 || !is_once(source);
}

int rls2__rows_have_passes(const rls2_source *source)
{
    return source->table || !is_once(source);
}

/* ---- a pass ---- */

/* Files are opened anew; but the first pass goes on where the first rows were read. */
static rls2_status begin_pass(rls2_source *source, rls2_error *err)
{
    if (!rls2__rows_can_begin_again(source))
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "%s: these rows can be read once only; write them to a file, which can "
                          "be read again",
                          source->first->name);
    source->passes++;
    if (source->calls.next)
        return source->calls.again ? source->calls.again(source->calls.user, err) : RLS2_OK;
    close_file(source->file);
    source->file = source->begun;
    source->next_file = source->begun != NULL;
    source->begun = NULL;
    return RLS2_OK;
}

/* Something to work on, cut or whole. */
typedef struct piece {
    opened *file; /* whose text it is; NULL of other sources */
    rls2__stream_piece text;
    rls2_table *table;
    int64_t first_row, rows;
} piece;

typedef struct pass {
    rls2_source *source;
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

/* Text of a file, or rows of one that was read whole. */
static rls2_status cut_file(opened *file, piece *p, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (file->table) {
        int64_t left = file->table->rows - file->next;
        p->rows = left < PIECE_ROWS ? left : PIECE_ROWS;
        if (p->rows > 0) status = take_rows(file->table, file->next, p->rows, &p->table, err);
        file->next += p->rows;
        return status;
    }
    if (file->head.text) {
        p->text = file->head;
        file->head = (rls2__stream_piece){0};
    } else {
        status = rls2__stream_cut(file->stream, PIECE_ROWS, PIECE_BYTES, &p->text, err);
    }
    p->rows = p->text.rows;
    p->file = file;
    file->users++;
    return status;
}

static void release_piece(piece *p)
{
    rls2__stream_piece_free(&p->text);
    rls2_table_free(p->table);
    close_file(p->file);
    *p = (piece){.first_row = p->first_row, .rows = p->rows};
}

/* Of this file or, at its end, of the next. */
static rls2_status cut_files(rls2_source *source, piece *p, rls2_error *err)
{
    while (source->file || source->next_file < source->count) {
        rls2_status status = RLS2_OK;
        if (!source->file) status = open_file(source, source->next_file++, &source->file, err);
        if (status == RLS2_OK) status = cut_file(source->file, p, err);
        if (status != RLS2_OK || p->rows > 0) return status;
        release_piece(p);
        close_file(source->file);
        source->file = NULL;
    }
    return RLS2_OK;
}

static rls2_status cut_call(const rls2_source *source, piece *p, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    do {
        rls2_table_free(p->table);
        p->table = NULL;
        status = source->calls.next(source->calls.user, &p->table, err);
        p->rows = status == RLS2_OK && p->table ? p->table->rows : 0;
    } while (status == RLS2_OK && p->table && p->rows == 0);
    if (status == RLS2_OK && p->table) p->table->rows_before = p->first_row;
    return status;
}

/* rows is 0 at the end. */
static rls2_status cut(pass *t, piece *p, rls2_error *err)
{
    rls2_source *source = t->source;
    rls2_status status = RLS2_OK;
    *p = (piece){.first_row = t->next_row};
    if (source->calls.next) {
        status = cut_call(source, p, err);
    } else if (source->table) {
        int64_t left = source->table->rows - t->next_row;
        p->rows = left < PIECE_ROWS ? left : PIECE_ROWS;
    } else {
        status = cut_files(source, p, err);
    }
    t->next_row += p->rows;
    return status;
}

static rls2_status work_on(const pass *t, piece *p, int thread, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (p->text.text)
        status = rls2__stream_parse(p->file->stream, &p->text, &p->table, err);
    else if (!p->table)
        status = take_rows(t->source->table, p->first_row, p->rows, &p->table, err);
    if (status == RLS2_OK) status = t->work(t->user, p->table, p->first_row, thread, err);
    return status;
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
        pthread_mutex_lock(&t->lock);
        release_piece(&p);
        if (status != RLS2_OK) note_failure(t, p.first_row, status, &error);
        if (status == RLS2_OK) t->done += p.rows;
        pthread_mutex_unlock(&t->lock);
        rls2__effort_count(t->effort, p.rows);
    }
}

rls2_status rls2__rows_each(rls2_source *source, rls2__effort *effort, rls2__rows_fn work,
                            void *user, int64_t *count, rls2_error *err)
{
    if (count) *count = 0;
    rls2_status status = begin_pass(source, err);
    if (status != RLS2_OK) return status;
    pass t = {.source = source, .effort = effort, .work = work, .user = user};
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
