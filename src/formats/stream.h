/* Reading piece by piece, with what tests need beside the public functions. */
#ifndef RLS2_FORMATS_STREAM_H
#define RLS2_FORMATS_STREAM_H

#include "rls2/table.h"

/* rls2_stream_open with `room` > 0 bytes for text at first, in place of the usual 1 MiB. */
rls2_status rls2__stream_open_room(const char *path, const rls2_read_options *options, int64_t room,
                                   rls2_stream **stream, rls2_error *err);
/* The same from memory, which must outlive the stream. */
rls2_status rls2__stream_open_memory(const char *name, const void *bytes, int64_t length,
                                     const rls2_read_options *options, int64_t room,
                                     rls2_stream **stream, rls2_error *err);

/* The next rows as they stand in the file, to be parsed later, by another thread if one likes. */
typedef struct rls2__stream_piece {
    char *text; /* owned; NULL: there are no more */
    int64_t length;
    int64_t line; /* on which they begin; of an array: the rows before them */
    int64_t rows; /* how many there are */
} rls2__stream_piece;

/* 1 if the file is CSV or an array that can be cut; others come whole, by rls2_stream_next. */
int rls2__stream_has_pieces(const rls2_stream *stream);
/* At most `rows` of them; fewer where `bytes` are reached. A file may have none at all. */
rls2_status rls2__stream_cut(rls2_stream *stream, int64_t rows, int64_t bytes,
                             rls2__stream_piece *piece, rls2_error *err);
/* As rls2_stream_next would have it; the piece stays as it is. Several threads may do so, also
 * while one cuts. */
rls2_status rls2__stream_parse(const rls2_stream *stream, const rls2__stream_piece *piece,
                               rls2_table **table, rls2_error *err);
void rls2__stream_piece_free(rls2__stream_piece *piece);

#endif
