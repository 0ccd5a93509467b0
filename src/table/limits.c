/* Refuses tables that would take more cells or bytes than allowed. */
#include "table/limits.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/status.h"

/* Cells granted for each byte, and in any case (256 MiB); a column costs as much as six cells, for
 * its name. */
enum { CELLS_PER_BYTE = 4096, GRANTED_CELLS = 1 << 25, COLUMN_CELLS = 6 };

rls2_status rls2__limit_cells(const rls2__limits *limits, const char *place, int64_t rows,
                              int64_t columns, rls2_error *err)
{
    int64_t cells = rls2__mul(rls2__add(rows, COLUMN_CELLS), columns);
    if (limits->cells <= 0 || (cells >= 0 && cells <= limits->cells)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_MEMORY,
                      "%s: %" PRId64 " rows of %" PRId64 " columns are more than the %" PRId64
                      " cells that are allowed",
                      place, rows, columns, limits->cells);
}

rls2_status rls2__limit_bytes(const rls2__limits *limits, const char *place, int64_t bytes,
                              rls2_error *err)
{
    if (limits->bytes <= 0 || (bytes >= 0 && bytes <= limits->bytes)) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_MEMORY,
                      "%s: it unpacks to more than the %" PRId64 " bytes that are allowed", place,
                      limits->bytes);
}

int rls2__is_too_sparse(int64_t rows, int64_t columns, int64_t bytes)
{
    int64_t cells = rls2__mul(rls2__add(rows, COLUMN_CELLS), columns);
    if (rls2__mul(cells, (int64_t)sizeof(double)) < 0) return 1;
    return cells > GRANTED_CELLS && cells / CELLS_PER_BYTE > bytes;
}
