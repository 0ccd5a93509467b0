/* Compares a stream of pieces with the whole table, cell by cell. */
#include "support/pieces.h"

#include <stdio.h>
#include <string.h>

#include "formats/stream.h"
#include "table/table.h"

static int same_number(double a, double b)
{
    return a == b || (a != a && b != b);
}

/* The cell of the piece, read as the whole table reads its column, is that of the whole. */
static const char *cell_differs(const rls2_table *whole, int64_t row, const rls2_table *piece,
                                int64_t piece_row, int64_t column)
{
    int is_text = rls2__table_is_text(whole, column);
    int missing = rls2__table_is_missing_as(piece, piece_row, column, is_text);
    if (missing != rls2__table_is_missing(whole, row, column)) return "what is missing";
    if (missing) return NULL;
    if (strcmp(rls2_table_cell(piece, piece_row, column), rls2_table_cell(whole, row, column)) != 0)
        return "a cell";
    double value = rls2__table_number_as(piece, piece_row, column, &whole->styles[column]);
    return same_number(value, rls2_table_value(whole, row, column)) ? NULL : "a value";
}

/* The rows of the piece are those of the whole from `first` on. */
static const char *piece_differs(const rls2_table *whole, int64_t first, const rls2_table *piece,
                                 int64_t most)
{
    int64_t columns = rls2_table_columns(whole), rows = rls2_table_rows(piece);
    if (rows < 1 || rows > most) return "the size of a piece";
    if (first + rows > rls2_table_rows(whole)) return "more rows than the whole";
    if (rows < most && first + rows < rls2_table_rows(whole)) return "a short piece before the end";
    if (rls2_table_columns(piece) != columns) return "the number of columns";
    if (whole->row_names != piece->row_names) return "the row names";
    for (int64_t j = 0; j < columns; j++)
        if (strcmp(rls2_table_column_name(piece, j), rls2_table_column_name(whole, j)) != 0)
            return "a name";
    for (int64_t i = 0; i < rows; i++) {
        if (rls2_table_line(piece, i) != rls2_table_line(whole, first + i)) return "a line number";
        for (int64_t j = 0; j < columns; j++) {
            const char *difference = cell_differs(whole, first + i, piece, i, j);
            if (difference) return difference;
        }
    }
    return NULL;
}

/* Reads on until the end, a failure or a difference. The whole is NULL if it was refused. */
static const char *stream_differs(rls2_stream *stream, const rls2_table *whole, int64_t most,
                                  rls2_status *status, rls2_error *err)
{
    int64_t done = 0;
    const char *difference = NULL;
    while (!difference) {
        rls2_table *piece = NULL;
        *status = rls2_stream_next(stream, most, &piece, err);
        if (*status != RLS2_OK || !piece) break;
        if (whole) difference = piece_differs(whole, done, piece, most);
        done += rls2_table_rows(piece);
        rls2_table_free(piece);
    }
    if (!difference && *status == RLS2_OK && whole && done != rls2_table_rows(whole))
        return "too few rows";
    return difference;
}

const char *pieces_differ(const char *name, const void *bytes, int64_t length,
                          const rls2_read_options *options, int64_t rows, int64_t room)
{
    static _Thread_local char text[sizeof(rls2_error) * 2 + 64];
    rls2_table *whole = NULL;
    rls2_stream *stream = NULL;
    rls2_error said = {.message = ""}, heard = {.message = ""};
    const char *difference = NULL;
    rls2_status expected = rls2_table_parse(name, bytes, length, options, &whole, &said);
    rls2_status status =
        rls2__stream_open_memory(name, bytes, length, options, room, &stream, &heard);
    if (status == RLS2_OK) difference = stream_differs(stream, whole, rows, &status, &heard);
    if (!difference && (status != expected || strcmp(said.message, heard.message) != 0)) {
        snprintf(text, sizeof text, "whole: '%s', pieces: '%s'", said.message, heard.message);
        difference = text;
    }
    rls2_stream_close(stream);
    rls2_table_free(whole);
    return difference;
}
