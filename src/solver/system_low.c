/* Solves with R(d) + lambda I by the inner products of factors. */
#include "solver/system_low.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/tiles.h"
#include "solver/system.h"

/* Fewer rows than these are factorised as fast as anything. */
enum { FEW_ROWS = 200 };
/* Columns of B, to n: beyond, inner products and solves cost what a factor of order n does. */
static const double COLUMN_SHARE = 1.0 / 3.0;
/* The difference loses a factor of |R| / lambda in accuracy. With lambda above this share of the
 * trace nine digits are left, enough for refinement and for Newton's model. */
static const double LEAST_SHARE = 1e-7;

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__low *low = owner;
    low->ks = rls2__layout_take(layout, low->basis->m, sizeof(int64_t));
    low->roots = rls2__layout_take(layout, low->basis->m, sizeof(double));
}

rls2_status rls2__low_create(const rls2_basis *basis, rls2__low *low)
{
    *low = (rls2__low){.basis = basis, .limit = (int64_t)(COLUMN_SHARE * (double)basis->n)};
    if (basis->n < FEW_ROWS) low->limit = 0;
    low->block = rls2__layout_alloc(lay_out, low);
    if (!low->block) return RLS2_ERR_MEMORY;
    return rls2__gram_blocks_create(basis, low->limit, &low->blocks);
}

void rls2__low_free(rls2__low *low)
{
    rls2__gram_blocks_free(&low->blocks);
    rls2__free(low->K);
    rls2__free(low->L);
    rls2__free(low->inner);
    rls2__free(low->block);
    memset(low, 0, sizeof *low);
}

int rls2__low_take(rls2__low *low, int64_t count, const int64_t *ks, const double *d)
{
    low->count = low->columns = 0;
    low->trace = 0.0;
    low->formed = 0;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &low->basis->ops[ks[i]];
        double square = d[i] * op->scale;
        if (d[i] == 0.0) continue;
        if (!op->factor || low->columns + op->rank > low->limit || !isfinite(square)) return 0;
        low->ks[low->count] = ks[i];
        low->roots[low->count++] = sqrt(square);
        low->columns += op->rank;
        low->trace += d[i] * op->trace;
    }
    return low->columns > 0;
}

int rls2__low_serves(const rls2__low *low, double lambda)
{
    return lambda >= LEAST_SHARE * low->trace;
}

static rls2_status reserve(rls2__low *low)
{
    if (low->columns <= low->room) return RLS2_OK;
    int64_t room = 2 * low->columns < low->limit ? 2 * low->columns : low->limit;
    rls2__free(low->K);
    rls2__free(low->L);
    rls2__free(low->inner);
    low->K = rls2__alloc(rls2__mul(room, room), sizeof(double));
    low->L = rls2__alloc(rls2__mul(room, room), sizeof(double));
    low->inner = rls2__alloc(room, sizeof(double));
    low->room = low->K && low->L && low->inner ? room : 0;
    return low->room ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* The block of K below and right of `row` and `column`: that of kernels i and j, in their order. */
static void scale_block(rls2__low *low, int64_t i, int64_t row, int64_t j, int64_t column)
{
    const rls2__gram_blocks *blocks = &low->blocks;
    double scale = low->roots[i] * low->roots[j];
    int64_t rows = low->basis->ops[low->ks[i]].rank, columns = low->basis->ops[low->ks[j]].rank;
    for (int64_t t = 0; t < columns; t++) {
        const double *from =
            blocks->G + (blocks->first[low->ks[j]] + t) * blocks->room + blocks->first[low->ks[i]];
        double *to = low->K + (column + t) * low->columns + row;
        for (int64_t s = 0; s < rows; s++) to[s] = scale * from[s];
    }
}

static rls2_status form(rls2__effort *effort, rls2__low *low)
{
    if (low->formed) return RLS2_OK;
    rls2_status status = reserve(low);
    if (status == RLS2_OK)
        status = rls2__gram_blocks_need(effort, &low->blocks, low->count, low->ks);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0, column = 0; j < low->count; column += low->basis->ops[low->ks[j++]].rank)
        for (int64_t i = j, row = column; i < low->count; row += low->basis->ops[low->ks[i++]].rank)
            scale_block(low, i, row, j, column);
    low->formed = 1;
    return RLS2_OK;
}

rls2_status rls2__low_factorize(rls2__effort *effort, rls2__low *low, double lambda, int64_t *tries,
                                int *done)
{
    double jitter;
    *done = 0;
    rls2_status status = form(effort, low);
    if (status != RLS2_OK) return status;
    status = rls2__factorize(effort, low->columns, low->K, lambda, low->L, &jitter, tries);
    *done = status == RLS2_OK && jitter == 0.0;
    return status == RLS2_ERR_NUMERIC ? RLS2_OK : status;
}

/* inner = B'v */
static void take_inner(rls2__low *low, const double *v)
{
    int64_t n = low->basis->n, at = 0;
    for (int64_t i = 0; i < low->count; i++) {
        const rls2__operator *op = &low->basis->ops[low->ks[i]];
        if (op->rank > 0) rls2__la_gemv_t(n, op->rank, op->factor, n, v, low->inner + at);
        for (int64_t end = at + op->rank; at < end; at++) low->inner[at] *= low->roots[i];
    }
}

/* out += a B inner */
static void add_combination(rls2__low *low, double a, double *out)
{
    int64_t n = low->basis->n, at = 0;
    for (int64_t i = 0; i < low->count; i++) {
        const rls2__operator *op = &low->basis->ops[low->ks[i]];
        if (op->rank > 0)
            rls2__la_gemv_n(n, op->rank, a * low->roots[i], op->factor, n, low->inner + at, 1.0,
                            out);
        at += op->rank;
    }
}

void rls2__low_residual(rls2__low *low, double lambda, const double *y, const double *c,
                        double *rest)
{
    for (int64_t i = 0; i < low->basis->n; i++) rest[i] = y[i] - lambda * c[i];
    take_inner(low, c);
    add_combination(low, -1.0, rest);
}

void rls2__low_solve(rls2__low *low, double lambda, double *x)
{
    int64_t D = low->columns;
    take_inner(low, x);
    rls2__la_cholesky_solve(D, 1, low->L, D, low->inner, D);
    add_combination(low, -1.0, x);
    for (int64_t i = 0; i < low->basis->n; i++) x[i] /= lambda;
}

/* The rows of T that belong to kernel i times its root. */
static void scale_rows(const rls2__low *low, int64_t i, int64_t count, double *T, int64_t ld)
{
    int64_t rank = low->basis->ops[low->ks[i]].rank;
    for (int64_t j = 0; j < count; j++)
        for (int64_t t = 0; t < rank; t++) T[j * ld + t] *= low->roots[i];
}

/* T = B'V */
static rls2_status take_inners(rls2__effort *effort, const rls2__low *low, int64_t count,
                               const double *V, int64_t ldv, double *T, int64_t ld)
{
    int64_t n = low->basis->n, at = 0;
    rls2_status status = RLS2_OK;
    for (int64_t i = 0; i < low->count && status == RLS2_OK; i++) {
        const rls2__operator *op = &low->basis->ops[low->ks[i]];
        if (op->rank > 0)
            status =
                rls2__tiled_gemm_tn(effort, n, op->rank, count, op->factor, n, V, ldv, T + at, ld);
        scale_rows(low, i, count, T + at, ld);
        at += op->rank;
    }
    return status;
}

rls2_status rls2__low_halves(rls2__effort *effort, rls2__low *low, double lambda, int64_t count,
                             const double *V, double *U)
{
    int64_t n = low->basis->n, D = low->columns, ld = n + D, at = n;
    rls2_status status = take_inners(effort, low, count, V, n, U + n, ld);
    if (status == RLS2_OK)
        status = rls2__tiled_cholesky_solve(effort, D, count, low->L, D, U + n, ld);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) U[j * ld + i] = V[j * n + i] / lambda;
    for (int64_t i = 0; i < low->count; i++) {
        const rls2__operator *op = &low->basis->ops[low->ks[i]];
        if (op->rank > 0)
            rls2__la_gemm_nn(n, op->rank, count, -low->roots[i] / lambda, op->factor, n, U + at, ld,
                             1.0, U, ld);
        at += op->rank;
    }
    status = take_inners(effort, low, count, U, ld, U + n, ld);
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) U[j * ld + i] *= sqrt(lambda);
    return status;
}

rls2_status rls2__low_degrees_of_freedom(rls2__effort *effort, rls2__low *low, double lambda,
                                         double *df)
{
    return rls2__degrees_of_freedom(effort, low->columns, low->K, low->L, lambda, df);
}
