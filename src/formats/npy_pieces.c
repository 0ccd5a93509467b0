/* Arrays that lie by rows are read as they come, from wherever; of those that lie by columns a
 * piece is gathered from all columns, which only files and memory allow. */
#include "formats/npy_pieces.h"

#include <string.h>

#include "base/invariant.h"
#include "base/status.h"
#include "formats/arrays.h"
#include "formats/npy.h"

struct rls2__npy_pieces {
    rls2__npy_header header;
    rls2__source *source;
    const char *ahead; /* taken of the source and not yet of here */
    int64_t ahead_length;
    int64_t taken; /* bytes, header included */
    int64_t rows;  /* handed out */
};

rls2_status rls2__npy_pieces_open(rls2__source *source, const char *text, int64_t length,
                                  rls2__npy_pieces **pieces, rls2_error *err)
{
    rls2__npy_header h;
    rls2_status status = rls2__npy_header_read(source->name, text, length, &h, err);
    if (status != RLS2_OK) return status;
    int by_columns = h.fortran && h.columns > 1;
    if (source->size > 0)
        status = rls2__npy_check_length(source->name, &h, source->size, err);
    else if (by_columns)
        return RLS2_OK;
    if (status != RLS2_OK) return status;
    rls2__npy_pieces *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the rows of an array");
    *made = (rls2__npy_pieces){.header = h,
                               .source = source,
                               .ahead = text + h.start,
                               .ahead_length = length - h.start,
                               .taken = h.start};
    made->header.fortran = by_columns;
    *pieces = made;
    return RLS2_OK;
}

void rls2__npy_pieces_free(rls2__npy_pieces *pieces)
{
    rls2__free(pieces);
}

/* ---- cutting ---- */

/* From what was taken before, then from the source; *got is 0 at the end. */
static rls2_status take_some(rls2__npy_pieces *p, char *to, int64_t room, int64_t *got,
                             rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (p->ahead_length > 0) {
        *got = p->ahead_length < room ? p->ahead_length : room;
        memcpy(to, p->ahead, (size_t)*got);
        p->ahead += *got;
        p->ahead_length -= *got;
    } else {
        status = rls2__source_some(p->source, to, room, got, err);
    }
    p->taken += status == RLS2_OK ? *got : 0;
    return status;
}

static rls2_status fail_taking(const rls2__npy_pieces *p, rls2_status status, rls2_error *err)
{
    const rls2__npy_header *h = &p->header;
    int64_t rows = (p->taken - h->start) / (h->columns * h->element.size);
    return rls2__fail_reading(status, "row", rows < h->rows ? rows : h->rows, err);
}

static rls2_status take_rows(rls2__npy_pieces *p, char *to, int64_t bytes, rls2_error *err)
{
    for (int64_t done = 0, got = 0; done < bytes; done += got) {
        rls2_status status = take_some(p, to + done, bytes - done, &got, err);
        if (status != RLS2_OK) return fail_taking(p, status, err);
        if (got == 0) return rls2__npy_check_length(p->source->name, &p->header, p->taken, err);
    }
    return RLS2_OK;
}

/* A file that is shorter now than it was when it was opened ends within a column. */
static rls2_status gather_columns(const rls2__npy_pieces *p, char *to, int64_t rows,
                                  rls2_error *err)
{
    const rls2__npy_header *h = &p->header;
    int64_t bytes = rows * h->element.size;
    for (int64_t j = 0; j < h->columns; j++) {
        int64_t place = h->start + (j * h->rows + p->rows) * h->element.size, got = 0;
        rls2_status status = rls2__source_at(p->source, place, to + j * bytes, bytes, &got, err);
        if (status != RLS2_OK) return status;
        if (got < bytes) return rls2__npy_check_length(p->source->name, h, place + got, err);
    }
    return RLS2_OK;
}

/* Nothing stands behind the last row. */
static rls2_status check_end(rls2__npy_pieces *p, rls2_error *err)
{
    char rest[4096];
    int64_t got = 1;
    if (p->source->size > 0) return RLS2_OK; /* that was seen from its size */
    while (got > 0) {
        rls2_status status = take_some(p, rest, sizeof rest, &got, err);
        if (status != RLS2_OK) return fail_taking(p, status, err);
    }
    return rls2__npy_check_length(p->source->name, &p->header, p->taken, err);
}

rls2_status rls2__npy_cut(rls2__npy_pieces *p, int64_t rows, int64_t bytes,
                          rls2__stream_piece *piece, rls2_error *err)
{
    const rls2__npy_header *h = &p->header;
    int64_t row_bytes = h->columns * h->element.size, left = h->rows - p->rows;
    int64_t fit = bytes / row_bytes > 0 ? bytes / row_bytes : 1;
    if (rows > fit) rows = fit;
    if (rows > left) rows = left;
    *piece = (rls2__stream_piece){.line = p->rows, .rows = rows, .length = rows * row_bytes};
    if (rows == 0) return RLS2_OK;
    piece->text = rls2__alloc(piece->length, 1);
    if (!piece->text) return rls2__fail_memory(err, "the rows of a piece");
    rls2_status status = h->fortran ? gather_columns(p, piece->text, rows, err)
                                    : take_rows(p, piece->text, piece->length, err);
    p->rows += rows;
    if (status == RLS2_OK && p->rows == h->rows) status = check_end(p, err);
    if (status != RLS2_OK) rls2__stream_piece_free(piece);
    return status;
}

/* ---- parsing ---- */

rls2_status rls2__npy_parse_piece(const rls2__npy_pieces *p, const rls2__stream_piece *piece,
                                  rls2_table *table, rls2_error *err)
{
    const rls2__npy_header *h = &p->header;
    rls2__array x = {.first_row = piece->line};
    table->format = RLS2_FORMAT_NPY;
    rls2_status status = rls2__array_convert(table->name, h->element, piece->text, piece->rows,
                                             h->columns, h->fortran, &x, err);
    if (status == RLS2_OK) status = rls2__table_from_arrays(table, &x, NULL, NULL, err);
    rls2__free(x.values);
    return status;
}
