/* How large matrices are cut: by their sizes alone, so that results do not depend on threads. */
#ifndef RLS2_LA_TILE_GRID_H
#define RLS2_LA_TILE_GRID_H

#include <stdint.h>

#include "base/many_rows.h"

/* From this order on matrices are cut. Below, results have the bits of LAPACK, and one thread is
 * done in milliseconds. */
enum { RLS2__TILED_FROM = RLS2__MANY_ROWS };

/* How many pieces of `side` there are in `total`; the last may be shorter. */
static inline int64_t rls2__pieces(int64_t total, int64_t side)
{
    return (total + side - 1) / side;
}

/* The length of the one that begins at `at`. */
static inline int64_t rls2__piece(int64_t total, int64_t side, int64_t at)
{
    return total - at < side ? total - at : side;
}

/* Tiles on and below the diagonal of a matrix of order n, column by column. */
static inline int64_t rls2__lower_tiles(int64_t n, int64_t side)
{
    int64_t pieces = rls2__pieces(n, side);
    return pieces * (pieces + 1) / 2;
}

/* The first row and column of one of them. */
static inline void rls2__lower_tile(int64_t n, int64_t side, int64_t tile, int64_t *row,
                                    int64_t *column)
{
    int64_t height = rls2__pieces(n, side), j = 0;
    for (; tile >= height; j++) tile -= height--;
    *column = j * side;
    *row = (j + tile) * side;
}

/* A lower triangle of order n cut into `parts` ranges of columns with about as many values each:
 * where range `part` begins, n where it is the last and one more. An even column, so that columns
 * can be taken in pairs. */
int64_t rls2__triangle_cut(int64_t n, int64_t parts, int64_t part);

/* In how many such ranges products with a triangle are computed: 1 below RLS2__TILED_FROM. */
enum { RLS2__MOST_PARTS = 32 };
int64_t rls2__triangle_parts(int64_t n);

#endif
