/* A row as its cells are written, in bytes: what its hash is of, on every machine the same. */
#ifndef RLS2_STATS_ROW_BYTES_H
#define RLS2_STATS_ROW_BYTES_H

#include "rls2/table.h"

/* Room for one row, which grows. All zero: none yet. */
typedef struct rls2__row_bytes {
    char *bytes;
    int64_t room;
} rls2__row_bytes;

void rls2__row_bytes_release(rls2__row_bytes *row);
/* M of a missing cell, T and a text, N and a number that was not written. The length, or -1 when
 * out of memory. */
int64_t rls2__row_bytes_write(rls2__row_bytes *row, const rls2_table *table, int64_t i);

/* A cell of such bytes: the number (NaN where it is none) and the text (NULL where there is none).
 * Returns where the next one begins; NULL where they cannot have been written so: bytes end before
 * the cell does. */
const char *rls2__row_bytes_read(const char *from, const char *end, double *number,
                                 const char **text);

#endif
