/* Counts and copies the values that are not zero. */
#include "basis/sparse.h"

#include "base/clones.h"
#include "base/invariant.h"
#include "base/memory.h"

/* A value kept costs 12 bytes instead of 8, and is not read in a row: below this share of values
 * that are not zero a column is priced faster all the same. */
enum { ONE_IN = 5, BLOCK = 64 };

RLS2__CLONES
static int64_t count_block(int64_t n, const double *x)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += x[i] != 0.0;
    return count;
}

/* How many values of a sparse column are not zero; 0 for one that is not sparse, of which only the
 * beginning is read. */
static int64_t count_values(int64_t n, const double *x)
{
    int64_t count = 0;
    for (int64_t at = 0; at < n; at += BLOCK) {
        count += count_block(n - at < BLOCK ? n - at : BLOCK, x + at);
        if (count > n / ONE_IN) return 0;
    }
    return count;
}

static void fill(rls2__sparse *sparse, int64_t j)
{
    const double *x = sparse->x + j * sparse->n;
    int64_t at = sparse->starts[j];
    for (int64_t i = 0; at < sparse->starts[j + 1]; i++) {
        if (x[i] == 0.0) continue;
        rls2__invariant(i < sparse->n && i <= INT32_MAX);
        sparse->rows[at] = (int32_t)i;
        sparse->values[at++] = x[i];
    }
}

void rls2__sparse_free(rls2__sparse *sparse)
{
    if (!sparse) return;
    rls2__free(sparse->starts);
    rls2__free(sparse->rows);
    rls2__free(sparse->values);
    rls2__free(sparse);
}

rls2_status rls2__sparse_create(int64_t n, int64_t p, const double *x, rls2__sparse **out)
{
    rls2__sparse *sparse = rls2__alloc_zero(1, sizeof *sparse);
    *out = NULL;
    if (!sparse) return RLS2_ERR_MEMORY;
    sparse->x = x;
    sparse->n = n;
    sparse->starts = rls2__alloc_zero(rls2__add(p, 1), sizeof *sparse->starts);
    for (int64_t j = 0; sparse->starts && j < p; j++)
        sparse->starts[j + 1] = sparse->starts[j] + count_values(n, x + j * n);
    int64_t total = sparse->starts ? sparse->starts[p] : 0;
    if (total > 0) {
        sparse->rows = rls2__alloc(total, sizeof *sparse->rows);
        sparse->values = rls2__alloc(total, sizeof *sparse->values);
    }
    rls2_status status = sparse->starts && (total == 0 || (sparse->rows && sparse->values))
                             ? RLS2_OK
                             : RLS2_ERR_MEMORY;
    if (status != RLS2_OK || total == 0) {
        rls2__sparse_free(sparse);
        return status;
    }
    for (int64_t j = 0; j < p; j++) fill(sparse, j);
    *out = sparse;
    return RLS2_OK;
}
