/* The pairs of n rows, by columns of the lower triangle, in parts of a few million pairs: no more
 * than a tenth of a second of a kernel. Up to 2,048 rows are one part; beyond, one kernel is the
 * work of several threads. */
#ifndef RLS2_BASIS_PARTS_H
#define RLS2_BASIS_PARTS_H

#include <stdint.h>

enum { RLS2__PART_PAIRS = 1 << 22 };

/* Columns in a part but the last: a multiple of four, in which sums over columns of data come. */
static inline int64_t rls2__part_width(int64_t n)
{
    int64_t width = RLS2__PART_PAIRS / (n < 1 ? 1 : n);
    return width < 4 ? 4 : width / 4 * 4;
}

static inline int64_t rls2__part_count(int64_t n)
{
    int64_t width = rls2__part_width(n);
    return (n + width - 1) / width;
}

/* The first column of a part, or n. */
static inline int64_t rls2__part_start(int64_t n, int64_t part)
{
    int64_t start = part * rls2__part_width(n);
    return start < n ? start : n;
}

/* Pairs in columns `from` to `end` - 1. */
static inline int64_t rls2__pairs_between(int64_t n, int64_t from, int64_t end)
{
    return (end - from) * (2 * n - from - end + 1) / 2;
}

static inline int rls2__are_many_rows(int64_t n)
{
    return rls2__part_count(n) > 1;
}

#endif
