/* Averages a matrix with its transpose where they differ. */
#include "basis/symmetric.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"

/* Entries far apart in memory are compared in tiles that stay in cache. */
enum { TILE = 64 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int is_tile_symmetric(int64_t n, const double *K, int64_t row, int64_t column)
{
    for (int64_t j = column; j < least(column + TILE, n); j++)
        for (int64_t i = row; i < least(row + TILE, n); i++)
            if (K[j * n + i] != K[i * n + j]) return 0;
    return 1;
}

static int is_symmetric(int64_t n, const double *K)
{
    for (int64_t column = 0; column < n; column += TILE)
        for (int64_t row = column; row < n; row += TILE)
            if (!is_tile_symmetric(n, K, row, column)) return 0;
    return 1;
}

/* Halves first: the sum of two large values could overflow. */
static void average(int64_t n, const double *K, double *out)
{
    for (int64_t column = 0; column < n; column += TILE)
        for (int64_t row = 0; row < n; row += TILE)
            for (int64_t j = column; j < least(column + TILE, n); j++)
                for (int64_t i = row; i < least(row + TILE, n); i++)
                    out[j * n + i] = 0.5 * K[j * n + i] + 0.5 * K[i * n + j];
}

double rls2__symmetrize(int64_t n, double *K)
{
    double top = 0.0, most = 0.0;
    for (int64_t i = 0; i < n; i++) top = fmax(top, fabs(K[i * n + i]));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double difference = fabs(K[j * n + i] - K[i * n + j]);
            if (!isfinite(difference)) return INFINITY;
            most = fmax(most, difference);
        }
    if (!(most <= RLS2__SYMMETRY_TOL * top)) return most / top;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++)
            K[j * n + i] = K[i * n + j] = 0.5 * K[j * n + i] + 0.5 * K[i * n + j];
    rls2__invariant(is_symmetric(n, K));
    return most > 0.0 ? most / top : 0.0;
}

static rls2_status make_one(int64_t n, int64_t g, rls2__symmetric *made)
{
    const double *K = made->view[g];
    if (made->owned[g] || is_symmetric(n, K)) return RLS2_OK;
    made->owned[g] = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (!made->owned[g]) return RLS2_ERR_MEMORY;
    average(n, K, made->owned[g]);
    rls2__invariant(is_symmetric(n, made->owned[g]));
    made->view[g] = made->owned[g];
    return RLS2_OK;
}

rls2_status rls2__symmetric_make(const rls2_dictionary *dictionary, rls2_rows *rows,
                                 rls2__symmetric *made)
{
    int64_t count = rows->given_count;
    rls2_status status = RLS2_OK;
    memset(made, 0, sizeof *made);
    if (count == 0 || !rows->given) return RLS2_OK;
    made->count = count;
    made->owned = rls2__alloc_zero(count, sizeof *made->owned);
    made->view = rls2__alloc(count, sizeof *made->view);
    if (!made->owned || !made->view) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) memcpy(made->view, rows->given, (size_t)count * sizeof *made->view);
    for (int64_t k = 0; k < dictionary->m && status == RLS2_OK; k++)
        if (dictionary->kernels[k].kind == RLS2__KERNEL_GIVEN)
            status = make_one(rows->n, dictionary->kernels[k].given, made);
    if (status == RLS2_OK)
        rows->given = made->view;
    else
        rls2__symmetric_free(made);
    return status;
}

void rls2__symmetric_free(rls2__symmetric *made)
{
    for (int64_t g = 0; made->owned && g < made->count; g++) rls2__free(made->owned[g]);
    rls2__free(made->owned);
    rls2__free(made->view);
    memset(made, 0, sizeof *made);
}
