/* Computes blocks of inner products as kernels become active, and keeps them. */
#include "solver/gram_blocks.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/tiles.h"

enum { LEAST_ROOM = 32 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__gram_blocks *blocks = owner;
    int64_t m = blocks->basis->m;
    blocks->ks = rls2__layout_take(layout, m, sizeof(int64_t));
    blocks->first = rls2__layout_take(layout, m, sizeof(int64_t));
}

rls2_status rls2__gram_blocks_create(const rls2_basis *basis, int64_t limit,
                                     rls2__gram_blocks *blocks)
{
    *blocks = (rls2__gram_blocks){.basis = basis, .limit = limit};
    blocks->block = rls2__layout_alloc(lay_out, blocks);
    if (!blocks->block) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < basis->m; k++) blocks->first[k] = -1;
    return RLS2_OK;
}

void rls2__gram_blocks_free(rls2__gram_blocks *blocks)
{
    rls2__free(blocks->G);
    rls2__free(blocks->block);
    memset(blocks, 0, sizeof *blocks);
}

static void forget_all(rls2__gram_blocks *blocks)
{
    for (int64_t i = 0; i < blocks->count; i++) blocks->first[blocks->ks[i]] = -1;
    blocks->count = blocks->columns = 0;
}

/* Columns of those of the kernels that are not there. */
static int64_t missing_columns(const rls2__gram_blocks *blocks, int64_t count, const int64_t *ks)
{
    int64_t columns = 0;
    for (int64_t i = 0; i < count; i++)
        if (blocks->first[ks[i]] < 0) columns += blocks->basis->ops[ks[i]].rank;
    return columns;
}

static rls2_status grow(rls2__gram_blocks *blocks, int64_t columns)
{
    if (columns <= blocks->room) return RLS2_OK;
    int64_t room = columns > LEAST_ROOM / 2 ? 2 * columns : LEAST_ROOM;
    if (room > blocks->limit) room = blocks->limit;
    rls2__invariant(columns <= room);
    double *G = rls2__alloc(rls2__mul(room, room), sizeof(double));
    if (!G) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < blocks->columns; j++)
        memcpy(G + j * room, blocks->G + j * blocks->room,
               (size_t)blocks->columns * sizeof(double));
    rls2__free(blocks->G);
    blocks->G = G;
    blocks->room = room;
    return RLS2_OK;
}

/* G_kj = G_jk', the blocks of kernels with r and s columns */
static void mirror(int64_t r, int64_t s, const double *from, double *to, int64_t ld)
{
    for (int64_t j = 0; j < s; j++)
        for (int64_t i = 0; i < r; i++) to[i * ld + j] = from[j * ld + i];
}

static rls2_status append(rls2__effort *effort, rls2__gram_blocks *blocks, int64_t k)
{
    const rls2__operator *op = &blocks->basis->ops[k];
    int64_t n = blocks->basis->n, ld = blocks->room, at = blocks->columns;
    rls2__invariant(op->factor && at + op->rank <= blocks->room);
    blocks->first[k] = at;
    blocks->ks[blocks->count++] = k;
    blocks->columns += op->rank;
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < blocks->count && status == RLS2_OK; i++) {
        const rls2__operator *other = &blocks->basis->ops[blocks->ks[i]];
        int64_t row = blocks->first[blocks->ks[i]];
        double *block = blocks->G + at * ld + row;
        if (op->rank == 0 || other->rank == 0) continue;
        status = rls2__tiled_gemm_tn(effort, n, other->rank, op->rank, other->factor, n, op->factor,
                                     n, block, ld);
        if (row != at) mirror(other->rank, op->rank, block, blocks->G + row * ld + at, ld);
    }
    return status;
}

rls2_status rls2__gram_blocks_need(rls2__effort *effort, rls2__gram_blocks *blocks, int64_t count,
                                   const int64_t *ks)
{
    int64_t columns = blocks->columns + missing_columns(blocks, count, ks);
    if (columns > blocks->limit) {
        forget_all(blocks);
        columns = missing_columns(blocks, count, ks);
    }
    rls2_status status = grow(blocks, columns);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        if (blocks->first[ks[i]] < 0) status = append(effort, blocks, ks[i]);
    if (status != RLS2_OK) forget_all(blocks); /* the last one is not whole */
    return status;
}
