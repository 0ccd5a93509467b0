/* A numpy array read piece by piece: some rows of it at a time. */
#ifndef RLS2_FORMATS_NPY_PIECES_H
#define RLS2_FORMATS_NPY_PIECES_H

#include "formats/source.h"
#include "formats/stream.h"

typedef struct rls2__npy_pieces rls2__npy_pieces;

/* `text` is what has been taken of the source, RLS2__NPY_HEADER_ROOM bytes or all; it and the
 * source are borrowed. *pieces is NULL where the array lies by columns in a pipe or a compressed
 * file, so that its last column must be read before its second row is known. */
rls2_status rls2__npy_pieces_open(rls2__source *source, const char *text, int64_t length,
                                  rls2__npy_pieces **pieces, rls2_error *err);
void rls2__npy_pieces_free(rls2__npy_pieces *pieces);

/* The next rows, at most `rows` of them and one or as many as `bytes` hold; none at the end. */
rls2_status rls2__npy_cut(rls2__npy_pieces *pieces, int64_t rows, int64_t bytes,
                          rls2__stream_piece *piece, rls2_error *err);
/* Several threads may do so, also while one cuts. */
rls2_status rls2__npy_parse_piece(const rls2__npy_pieces *pieces, const rls2__stream_piece *piece,
                                  rls2_table *table, rls2_error *err);

#endif
