/* A file read piece by piece.
 *
 * The text goes through one buffer: what has been handed out lies before `start`, what has been
 * searched for ends of rows before `searched`. A piece is a copy of [start, searched), cut where
 * the reader of CSV would end a row, and read by that reader with the columns of the file's head:
 * so it says of every row what it says when it reads the file whole. The buffer grows only where a
 * row, or as many rows as were asked for, do not fit. */
#include "formats/stream.h"

#include <inttypes.h>
#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "formats/csv.h"
#include "formats/npy.h"
#include "formats/npy_pieces.h"
#include "formats/source.h"

enum { USUAL_ROOM = 1 << 20 };

struct rls2_stream {
    rls2__source source;
    char *name; /* in full: its ending helps to find the format */
    int64_t first_room;
    rls2_read_options options;
    rls2__csv_look look; /* what they leave open */
    char **na;           /* copies of the option's texts, which may be gone by now */

    char *text;
    int64_t capacity;
    int64_t used;
    int64_t start;
    int64_t searched;
    int at_end; /* the source has no more */

    rls2_table *head;        /* the columns; NULL where the format is read whole */
    rls2_table *whole;       /* of such formats, until it is handed out */
    rls2__npy_pieces *array; /* NULL where it is text */
    int64_t line;            /* on which `start` stands */
    int64_t rows;            /* handed out so far */
};

/* ---- the buffer ---- */

RLS2__CHECK int is_in_order(const rls2_stream *s)
{
    return 0 <= s->start && s->start <= s->searched && s->searched <= s->used &&
           s->used <= s->capacity;
}

/* Moves what is not yet handed out to the front, of a larger buffer if it fills this one. */
static rls2_status make_room(rls2_stream *s, rls2_error *err)
{
    int64_t kept = s->used - s->start;
    char *to = s->text;
    if (kept == s->capacity) {
        int64_t capacity = s->capacity > 0 ? rls2__mul(s->capacity, 2) : s->first_room;
        to = rls2__alloc(capacity, 1);
        if (!to) return rls2__fail_memory(err, "a row of the text");
        s->capacity = capacity;
    }
    if (kept > 0) memmove(to, s->text + s->start, (size_t)kept);
    if (to != s->text) rls2__free(s->text);
    s->text = to;
    s->used = kept;
    s->searched -= s->start;
    s->start = 0;
    rls2__invariant(is_in_order(s));
    return RLS2_OK;
}

/* Fills the buffer as far as it goes, and makes it larger if it is full. */
static rls2_status read_on(rls2_stream *s, rls2_error *err)
{
    rls2_status status = make_room(s, err);
    while (status == RLS2_OK && !s->at_end && s->used < s->capacity) {
        int64_t got = 0;
        status = rls2__source_some(&s->source, s->text + s->used, s->capacity - s->used, &got, err);
        s->used += got;
        s->at_end = status == RLS2_OK && got == 0;
    }
    return status;
}

static rls2_status read_at_least(rls2_stream *s, int64_t bytes, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    while (status == RLS2_OK && !s->at_end && s->used - s->start < bytes) status = read_on(s, err);
    return status;
}

/* read_on of CSV, which says how far the text was read. */
static rls2_status read_text(rls2_stream *s, rls2_error *err)
{
    rls2_status status = read_on(s, err);
    if (status == RLS2_OK) return status;
    int64_t lines = s->line - 1 + rls2__count_lines(s->text + s->start, s->used - s->start);
    return rls2__fail_reading(status, "line", lines, err);
}

/* One more row between `start` and `searched`, *found 0 at the end of the text; *empty is 1 if it
 * was an empty line. */
static rls2_status find_row(rls2_stream *s, int *found, int *empty, rls2_error *err)
{
    char delimiter = s->look.delimiter;
    for (;;) {
        const char *row = s->text + s->searched, *end = s->text + s->used;
        const char *stop = row < end ? rls2__csv_row_end(row, end, delimiter) : NULL;
        if (!stop && !s->at_end) {
            rls2_status status = read_text(s, err);
            if (status != RLS2_OK) return status;
            continue;
        }
        if (!stop) stop = end;
        *found = row < end;
        *empty = rls2__csv_is_empty_line(row, stop, delimiter);
        s->searched = stop - s->text;
        rls2__invariant(is_in_order(s));
        return RLS2_OK;
    }
}

/* A copy of what lies between `start` and `searched`, which the caller may hand over. */
static rls2_status copy_found(const rls2_stream *s, rls2__bytes *bytes, rls2_error *err)
{
    bytes->length = s->searched - s->start;
    bytes->data = rls2__alloc(rls2__add(bytes->length, 1), 1);
    if (!bytes->data) return rls2__fail_memory(err, "the rows of a piece");
    memcpy(bytes->data, s->text + s->start, (size_t)bytes->length);
    bytes->data[bytes->length] = '\0';
    return RLS2_OK;
}

/* ---- the head ---- */

static rls2_status look_ahead(rls2_stream *s, rls2_error *err)
{
    while (!rls2__csv_sample_end(s->text + s->start, s->text + s->used, s->at_end)) {
        rls2_status status = read_text(s, err);
        if (status != RLS2_OK) return status;
    }
    return rls2__csv_look_at(&s->options, s->text + s->start, s->used - s->start, &s->look, err);
}

/* The row that says what the columns are, the first that is not empty. */
static rls2_status find_head(rls2_stream *s, rls2_error *err)
{
    rls2_status status;
    int found = 0, empty = 0;
    do status = find_row(s, &found, &empty, err);
    while (status == RLS2_OK && found && empty);
    return status;
}

/* A header is stepped over; a first row will be read again with the others. */
static void step_over_head(rls2_stream *s)
{
    if (s->look.header) {
        s->line += rls2__count_lines(s->text + s->start, s->searched - s->start);
        s->start = s->searched;
    }
    s->searched = s->start;
}

static rls2_status read_head(rls2_stream *s, rls2_error *err)
{
    rls2__bytes bytes = {0};
    s->start = s->searched = rls2__csv_mark(s->text, s->used);
    if (s->start == s->used)
        return rls2__fail(err, RLS2_ERR_SYNTAX, "%s: the file is empty", s->head->name);
    rls2_status status = look_ahead(s, err);
    if (status == RLS2_OK) status = find_head(s, err);
    if (status == RLS2_OK) status = copy_found(s, &bytes, err);
    if (status == RLS2_OK)
        status = rls2__csv_read_head(s->head, &bytes, &s->options, &s->look, err);
    rls2__free(bytes.data);
    if (status == RLS2_OK) step_over_head(s);
    return status;
}

/* ---- other formats ---- */

/* The table made for the head takes the whole file. */
static rls2_status read_whole(rls2_stream *s, rls2_format format, rls2_error *err)
{
    rls2__bytes bytes = {.data = s->text, .length = s->used};
    s->text = NULL;
    s->whole = s->head;
    s->head = NULL;
    s->source.limits = s->whole->limits = rls2__read_limits(&s->options);
    rls2_status status = rls2__source_rest(&s->source, &bytes, err);
    if (status != RLS2_OK) status = rls2__fail_rest(status, format, &bytes, err);
    if (status == RLS2_OK) status = rls2__table_fill(s->whole, format, &bytes, &s->options, err);
    rls2__free(bytes.data);
    return status;
}

/* An array that can be cut into rows. */
static rls2_status read_array(rls2_stream *s, rls2_error *err)
{
    rls2_status status = read_at_least(s, RLS2__NPY_HEADER_ROOM, err);
    if (status == RLS2_OK)
        status = rls2__npy_pieces_open(&s->source, s->text, s->used, &s->array, err);
    return status == RLS2_OK && !s->array ? read_whole(s, RLS2_FORMAT_NPY, err) : status;
}

/* ---- opening ---- */

static int copy_options(rls2_stream *s, const rls2_read_options *options)
{
    int64_t count = options->na_count > 0 ? options->na_count : 0;
    s->options = *options;
    s->na = rls2__alloc_zero(count, sizeof *s->na);
    if (!s->na) return 0;
    for (int64_t k = 0; k < count; k++)
        if (!(s->na[k] = rls2__text_copy(options->na[k]))) return 0;
    s->options.na = (const char *const *)s->na;
    return 1;
}

static rls2_stream *stream_create(const char *name, const rls2_read_options *options, int64_t room)
{
    rls2_stream *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return NULL;
    s->source.file = -1;
    s->first_room = room;
    s->line = 1;
    s->name = rls2__text_copy(name);
    s->head = rls2__table_create(name);
    if (s->name && s->head && copy_options(s, options)) return s;
    rls2_stream_close(s);
    return NULL;
}

/* Only where the format is not given must much be seen of the text. */
static rls2_status begin(rls2_stream *s, rls2_error *err)
{
    if (s->source.converter) rls2__read_options_of_converter(&s->options);
    int64_t wanted = s->options.format == RLS2_FORMAT_AUTO ? RLS2__WINDOW : RLS2__MAGIC;
    rls2_status status = read_at_least(s, wanted, err);
    rls2_format format = rls2__format_find(&s->options, s->name, s->text, s->used);
    const rls2__bytes bytes = {.data = s->text, .length = s->used};
    if (status != RLS2_OK) return rls2__fail_rest(status, format, &bytes, err);
    if (format == RLS2_FORMAT_NPY) return read_array(s, err);
    if (format != RLS2_FORMAT_CSV) return read_whole(s, format, err);
    status = rls2__text_check(s->head->name, format, s->text, s->used, err);
    return status == RLS2_OK ? read_head(s, err) : status;
}

static rls2_status check(const char *name, const char *what, rls2_stream **stream, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, what);
    if (!stream) return rls2__fail_null(err, "stream");
    return RLS2_OK;
}

rls2_status rls2__stream_open_room(const char *path, const rls2_read_options *options, int64_t room,
                                   rls2_stream **stream, rls2_error *err)
{
    rls2_read_options own;
    rls2_status status = check(path, "path", stream, err);
    if (status == RLS2_OK) status = rls2__read_options_take(options, &own, err);
    if (status != RLS2_OK) return status;
    rls2_stream *made = stream_create(rls2__read_name(path), &own, room);
    if (!made) return rls2__fail_memory(err, "a stream");
    status = rls2__source_open(&made->source, path, made->head->name, own.converter, err);
    if (status == RLS2_OK) status = begin(made, err);
    if (status == RLS2_OK)
        *stream = made;
    else
        rls2_stream_close(made);
    return status;
}

rls2_status rls2__stream_open_memory(const char *name, const void *bytes, int64_t length,
                                     const rls2_read_options *options, int64_t room,
                                     rls2_stream **stream, rls2_error *err)
{
    rls2_read_options own;
    rls2_status status = check(name, "name", stream, err);
    if (status == RLS2_OK) status = rls2__read_options_take(options, &own, err);
    if (status != RLS2_OK) return status;
    rls2_stream *made = stream_create(name, &own, room);
    if (!made) return rls2__fail_memory(err, "a stream");
    status = rls2__source_open_memory(&made->source, made->head->name, bytes, length, err);
    if (status == RLS2_OK) status = begin(made, err);
    if (status == RLS2_OK)
        *stream = made;
    else
        rls2_stream_close(made);
    return status;
}

rls2_status rls2_stream_open(const char *path, const rls2_read_options *options,
                             rls2_stream **stream, rls2_error *err)
{
    return rls2__stream_open_room(path, options, USUAL_ROOM, stream, err);
}

void rls2_stream_close(rls2_stream *stream)
{
    if (!stream) return;
    rls2__npy_pieces_free(stream->array);
    rls2__source_close(&stream->source);
    rls2_table_free(stream->head);
    rls2_table_free(stream->whole);
    rls2__free(stream->text);
    for (int64_t k = 0; stream->na && k < stream->options.na_count; k++) rls2__free(stream->na[k]);
    rls2__free(stream->na);
    rls2__free(stream->name);
    rls2__free(stream);
}

/* ---- pieces ---- */

/* Empty lines are rows only in a table of one column. *count: how many were found. */
static rls2_status find_rows(rls2_stream *s, int64_t rows, int64_t bytes, int64_t *count,
                             rls2_error *err)
{
    int found = 1, empty = 0;
    for (*count = 0; *count < rows && (*count == 0 || s->searched - s->start < bytes);) {
        rls2_status status = find_row(s, &found, &empty, err);
        if (status != RLS2_OK) return status;
        if (!found) break;
        *count += !empty || s->head->columns == 1;
    }
    return RLS2_OK;
}

/* The bytes become the text of the table. */
static rls2_status parse(const rls2_stream *s, rls2__bytes *bytes, int64_t line, rls2_table **piece,
                         rls2_error *err)
{
    rls2_table *made = rls2__table_create(s->name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2_status status =
        rls2__csv_read_piece(made, bytes, &s->options, &s->look, s->head, line, err);
    if (status == RLS2_OK)
        *piece = made;
    else
        rls2_table_free(made);
    return status;
}

/* What was found is handed out. */
static void step_on(rls2_stream *s, int64_t rows)
{
    s->line += rls2__count_lines(s->text + s->start, s->searched - s->start);
    s->start = s->searched;
    s->rows += rows;
}

static rls2_status read_piece(rls2_stream *s, rls2_table **piece, rls2_error *err)
{
    rls2__bytes bytes = {0};
    rls2_table *made = NULL;
    rls2_status status = copy_found(s, &bytes, err);
    if (status == RLS2_OK) status = parse(s, &bytes, s->line, &made, err);
    rls2__free(bytes.data);
    if (status != RLS2_OK) return status;
    step_on(s, made->rows);
    rls2__invariant(is_in_order(s) && made->columns == s->head->columns);
    *piece = made;
    return RLS2_OK;
}

/* The rows found, NULL where there are none left. */
static rls2_status next_piece(rls2_stream *s, int64_t rows, rls2_table **piece, rls2_error *err)
{
    s->searched =
        s->start; /* it lies behind where the last call failed, which may be tried again */
    int64_t count;
    rls2_status status = find_rows(s, rows, INT64_MAX, &count, err);
    if (status == RLS2_OK && s->searched > s->start) status = read_piece(s, piece, err);
    if (status == RLS2_OK && *piece &&
        (*piece)->rows == 0) { /* nothing but empty lines, at the end */
        rls2_table_free(*piece);
        *piece = NULL;
    }
    if (status == RLS2_OK && s->rows == 0)
        status = rls2__fail(err, RLS2_ERR_SYNTAX, "%s: no data rows", s->head->name);
    return status;
}

static rls2_status parse_array(const rls2_stream *s, const rls2__stream_piece *piece,
                               rls2_table **table, rls2_error *err)
{
    rls2_table *made = rls2__table_create(s->name);
    if (!made) return rls2__fail_memory(err, "a table");
    rls2_status status = rls2__npy_parse_piece(s->array, piece, made, err);
    if (status == RLS2_OK)
        *table = made;
    else
        rls2_table_free(made);
    return status;
}

static rls2_status next_of_array(rls2_stream *s, int64_t rows, rls2_table **table, rls2_error *err)
{
    rls2__stream_piece piece = {0};
    rls2_status status = rls2__npy_cut(s->array, rows, INT64_MAX, &piece, err);
    if (status == RLS2_OK && piece.rows > 0) status = parse_array(s, &piece, table, err);
    rls2__stream_piece_free(&piece);
    return status;
}

rls2_status rls2_stream_next(rls2_stream *stream, int64_t rows, rls2_table **table, rls2_error *err)
{
    if (!stream) return rls2__fail_null(err, "stream");
    if (rows < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "rows is %" PRId64 ", not at least 1", rows);
    if (!table) return rls2__fail_null(err, "table");
    if (!stream->head) {
        *table = stream->whole;
        stream->whole = NULL;
        return RLS2_OK;
    }
    rls2_table *piece = NULL;
    rls2_status status = stream->array ? next_of_array(stream, rows, &piece, err)
                                       : next_piece(stream, rows, &piece, err);
    if (status == RLS2_OK) *table = piece;
    return status;
}

/* ---- pieces that are parsed later ---- */

int rls2__stream_has_pieces(const rls2_stream *stream)
{
    return stream->head != NULL;
}

rls2_status rls2__stream_cut(rls2_stream *stream, int64_t rows, int64_t bytes,
                             rls2__stream_piece *piece, rls2_error *err)
{
    rls2__bytes found = {0};
    int64_t count = 0;
    if (stream->array) return rls2__npy_cut(stream->array, rows, bytes, piece, err);
    stream->searched = stream->start;
    rls2_status status = find_rows(stream, rows, bytes, &count, err);
    if (status == RLS2_OK && count > 0) status = copy_found(stream, &found, err);
    if (status != RLS2_OK) return status;
    *piece = (rls2__stream_piece){
        .text = found.data, .length = found.length, .line = stream->line, .rows = count};
    if (count > 0) step_on(stream, count);
    return RLS2_OK;
}

rls2_status rls2__stream_parse(const rls2_stream *stream, const rls2__stream_piece *piece,
                               rls2_table **table, rls2_error *err)
{
    if (stream->array) return parse_array(stream, piece, table, err);
    rls2__bytes bytes = {.length = piece->length,
                         .data = rls2__alloc(rls2__add(piece->length, 1), 1)};
    if (!bytes.data) return rls2__fail_memory(err, "the rows of a piece");
    if (piece->length > 0) memcpy(bytes.data, piece->text, (size_t)piece->length);
    bytes.data[piece->length] = '\0';
    rls2_status status = parse(stream, &bytes, piece->line, table, err);
    rls2__free(bytes.data);
    rls2__invariant(status != RLS2_OK || (*table)->rows == piece->rows);
    return status;
}

void rls2__stream_piece_free(rls2__stream_piece *piece)
{
    rls2__free(piece->text);
    *piece = (rls2__stream_piece){0};
}
