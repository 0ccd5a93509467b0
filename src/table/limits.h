/* How large a table a file may become. */
#ifndef RLS2_TABLE_LIMITS_H
#define RLS2_TABLE_LIMITS_H

#include "rls2/status.h"

/* Of row weights: products of two, times a kernel, are numbers. */
#define RLS2__LEAST_WEIGHT 1e-100
#define RLS2__MOST_WEIGHT 1e100

/* 0: as much as there is memory for. */
typedef struct rls2__limits {
    int64_t bytes; /* that compressed ones unpack to */
    int64_t cells;
} rls2__limits;

/* RLS2_ERR_MEMORY, with `place` before a sentence, where a table of that size has more cells than
 * are allowed, or where so many bytes are more than may be unpacked to. */
rls2_status rls2__limit_cells(const rls2__limits *limits, const char *place, int64_t rows,
                              int64_t columns, rls2_error *err);
rls2_status rls2__limit_bytes(const rls2__limits *limits, const char *place, int64_t bytes,
                              rls2_error *err);

/* 1 if a table of so many cells should not be made of a sparse one of so many bytes.
 * Absent entries take room too, and a slip in an index, or a hostile one, must not take the memory
 * of the machine. */
int rls2__is_too_sparse(int64_t rows, int64_t columns, int64_t bytes);

#endif
