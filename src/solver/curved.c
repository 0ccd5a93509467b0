/* Forms, factorises and solves D R(d) D + lambda I. */
#include "solver/curved.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/combine.h"
#include "la/tiles.h"
#include "solver/system.h"

/* Fewer rows than these are factorised as fast as anything; of more a third of columns pays. */
enum { FEW_ROWS = 200, COLUMN_SHARE = 3 };

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__curved *curved = owner;
    int64_t n = curved->basis->n;
    curved->rest = rls2__layout_take(layout, n, sizeof(double));
    curved->inner = rls2__layout_take(layout, n, sizeof(double));
}

rls2_status rls2__curved_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                rls2__curved *curved)
{
    *curved = (rls2__curved){.basis = basis, .effort = effort, .factors = 1};
    curved->limit = basis->n < FEW_ROWS ? 0 : basis->n / COLUMN_SHARE;
    curved->combiner = rls2__combiner_create(basis, memory);
    curved->block = rls2__layout_alloc(lay_out, curved);
    return curved->combiner && curved->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

static void free_matrices(rls2__curved *curved)
{
    rls2__free(curved->F);
    rls2__free(curved->S);
    rls2__free(curved->K);
    rls2__free(curved->R);
    rls2__free(curved->L);
    rls2__free(curved->scaled);
    curved->F = curved->S = curved->K = curved->R = curved->L = curved->scaled = NULL;
    curved->room = 0;
}

void rls2__curved_free(rls2__curved *curved)
{
    free_matrices(curved);
    rls2__combiner_free(curved->combiner);
    rls2__free(curved->halves);
    rls2__free(curved->block);
    memset(curved, 0, sizeof *curved);
}

/* Columns of the factors of kernels with weight; more than the limit where one has none. */
static int64_t count_columns(const rls2__curved *curved, int64_t count, const int64_t *ks,
                             const double *d)
{
    int64_t columns = 0;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &curved->basis->ops[ks[i]];
        if (d[i] == 0.0) continue;
        if (!op->factor || !isfinite(d[i] * op->scale)) return curved->limit + 1;
        columns += op->rank;
        if (columns > curved->limit) return columns;
    }
    return columns;
}

static rls2_status reserve_low(rls2__curved *curved, int64_t columns)
{
    if (curved->F && columns <= curved->room) return RLS2_OK;
    int64_t n = curved->basis->n, room = 2 * columns < curved->limit ? 2 * columns : curved->limit;
    free_matrices(curved);
    curved->F = rls2__alloc(rls2__mul(n, room), sizeof(double));
    curved->S = rls2__alloc(rls2__mul(n, room), sizeof(double));
    curved->K = rls2__alloc(rls2__mul(room, room), sizeof(double));
    curved->L = rls2__alloc(rls2__mul(curved->factors, rls2__mul(room, room)), sizeof(double));
    curved->room = room;
    return curved->F && curved->S && curved->K && curved->L ? RLS2_OK : RLS2_ERR_MEMORY;
}

static rls2_status reserve_full(rls2__curved *curved)
{
    int64_t n = curved->basis->n;
    if (curved->R) return RLS2_OK;
    free_matrices(curved);
    curved->R = rls2__alloc(rls2__mul(n, n), sizeof(double));
    curved->L = rls2__alloc(rls2__mul(curved->factors, rls2__mul(n, n)), sizeof(double));
    curved->scaled = rls2__alloc(rls2__mul(n, n), sizeof(double));
    return curved->R && curved->L && curved->scaled ? RLS2_OK : RLS2_ERR_MEMORY;
}

static void join_factors(rls2__curved *curved, int64_t count, const int64_t *ks, const double *d)
{
    int64_t n = curved->basis->n;
    double *to = curved->F;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &curved->basis->ops[ks[i]];
        if (d[i] == 0.0) continue;
        double root = sqrt(d[i] * op->scale);
        for (int64_t t = 0; t < n * op->rank; t++) to[t] = root * op->factor[t];
        to += n * op->rank;
    }
}

rls2_status rls2__curved_combine(rls2__curved *curved, int64_t count, const int64_t *ks,
                                 const double *d)
{
    int64_t columns = count_columns(curved, count, ks, d);
    curved->is_low = !curved->is_plain && columns <= curved->limit;
    rls2_status status = curved->is_low ? reserve_low(curved, columns) : reserve_full(curved);
    if (status != RLS2_OK) return status;
    if (!curved->is_low)
        return rls2__combine(curved->effort, curved->combiner, count, ks, d, curved->R);
    curved->columns = columns;
    join_factors(curved, count, ks, d);
    return RLS2_OK;
}

rls2_status rls2__curved_apply(rls2__curved *curved, const double *c, double *out)
{
    int64_t n = curved->basis->n;
    if (!curved->is_low) return rls2__tiled_symv(curved->effort, n, 1.0, curved->R, n, c, out);
    if (curved->columns == 0) {
        memset(out, 0, (size_t)n * sizeof *out);
        return RLS2_OK;
    }
    rls2_status status =
        rls2__tiled_gemv_t(curved->effort, n, curved->columns, curved->F, n, c, curved->inner);
    if (status != RLS2_OK) return status;
    return rls2__tiled_gemv_n(curved->effort, n, curved->columns, 1.0, curved->F, n, curved->inner,
                              0.0, out);
}

/* to = D from, for a matrix of n rows; its lower triangle alone, D on both sides, where it is
 * symmetric */
static void scale_rows(int64_t n, int64_t count, const double *root, const double *from, double *to)
{
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) to[j * n + i] = root[i] * from[j * n + i];
}

static void scale_both(int64_t n, const double *root, const double *from, double *to)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) to[j * n + i] = root[j] * root[i] * from[j * n + i];
}

static int64_t order_of(const rls2__curved *curved)
{
    return curved->is_low ? curved->columns : curved->basis->n;
}

double *rls2__curved_factor(const rls2__curved *curved)
{
    int64_t order = order_of(curved);
    return curved->L + curved->at * order * order;
}

void rls2__curved_select(rls2__curved *curved, int64_t at, const double *root)
{
    int64_t n = curved->basis->n;
    rls2__invariant(at >= 0 && at < curved->factors);
    curved->at = at;
    curved->root = root;
    if (curved->is_low)
        scale_rows(n, curved->columns, root, curved->F, curved->S);
    else
        scale_both(n, root, curved->R, curved->scaled);
}

rls2_status rls2__curved_factorize(rls2__curved *curved, double lambda, const double *root)
{
    int64_t n = curved->basis->n, order = order_of(curved);
    rls2_status status = RLS2_OK;
    curved->lambda = lambda;
    rls2__curved_select(curved, curved->at, root);
    if (curved->is_low)
        status = rls2__tiled_gram(curved->effort, n, order, curved->S, n, curved->K, order);
    if (status != RLS2_OK) return status;
    return rls2__factorize(curved->effort, order, curved->is_low ? curved->K : curved->scaled,
                           lambda, rls2__curved_factor(curved), &curved->jitter,
                           &curved->factorizations);
}

/* x = B^-1 x as the factor has it */
static rls2_status solve_once(rls2__curved *curved, double *x)
{
    int64_t n = curved->basis->n, columns = curved->columns;
    if (!curved->is_low)
        return rls2__tiled_cholesky_solve(curved->effort, n, 1, rls2__curved_factor(curved), n, x,
                                          n);
    rls2_status status = RLS2_OK;
    if (columns > 0)
        status = rls2__tiled_gemv_t(curved->effort, n, columns, curved->S, n, x, curved->inner);
    if (status == RLS2_OK && columns > 0)
        status = rls2__tiled_cholesky_solve(curved->effort, columns, 1, rls2__curved_factor(curved),
                                            columns, curved->inner, columns);
    if (status == RLS2_OK && columns > 0)
        status = rls2__tiled_gemv_n(curved->effort, n, columns, -1.0, curved->S, n, curved->inner,
                                    1.0, x);
    for (int64_t i = 0; i < n; i++) x[i] /= curved->lambda;
    return status;
}

/* out = B x */
static rls2_status multiply(rls2__curved *curved, const double *x, double *out)
{
    int64_t n = curved->basis->n, columns = curved->columns;
    rls2_status status = RLS2_OK;
    if (!curved->is_low) {
        status = rls2__tiled_symv(curved->effort, n, 1.0, curved->scaled, n, x, out);
    } else {
        memset(out, 0, (size_t)n * sizeof *out);
        if (columns > 0)
            status = rls2__tiled_gemv_t(curved->effort, n, columns, curved->S, n, x, curved->inner);
        if (status == RLS2_OK && columns > 0)
            status = rls2__tiled_gemv_n(curved->effort, n, columns, 1.0, curved->S, n,
                                        curved->inner, 0.0, out);
    }
    for (int64_t i = 0; i < n; i++) out[i] += curved->lambda * x[i];
    return status;
}

static rls2_status reserve_halves(rls2__curved *curved, int64_t values)
{
    if (values <= curved->halves_room) return RLS2_OK;
    rls2__free(curved->halves);
    curved->halves_room = 0;
    curved->halves = rls2__alloc(values, sizeof(double));
    if (!curved->halves) return RLS2_ERR_MEMORY;
    curved->halves_room = values;
    return RLS2_OK;
}

rls2_status rls2__curved_solve(rls2__curved *curved, double *x)
{
    int64_t n = curved->basis->n;
    rls2_status status = reserve_halves(curved, n);
    if (status != RLS2_OK) return status;
    double *given = curved->halves;
    memcpy(given, x, (size_t)n * sizeof *x);
    status = solve_once(curved, x);
    if (status == RLS2_OK) status = multiply(curved, x, curved->rest);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < n; i++) curved->rest[i] = given[i] - curved->rest[i];
    status = solve_once(curved, curved->rest);
    if (status == RLS2_OK && isfinite(rls2__la_norm(n, curved->rest)))
        rls2__la_axpy(n, 1.0, curved->rest, x);
    return status;
}

/* [sqrt(lambda) B^-1 X; S'B^-1 X] of X = DV: its inner products are X'B^-1 X. The second is
 * Y = (S'S + lambda I)^-1 S'X, and the first (X - SY) / sqrt(lambda). */
static rls2_status low_halves(rls2__curved *curved, int64_t count, const double *V, int64_t ld)
{
    int64_t n = curved->basis->n, D = curved->columns;
    double *U = curved->halves, root = sqrt(curved->lambda);
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) U[j * ld + i] = curved->root[i] * V[j * n + i];
    rls2_status status = RLS2_OK;
    if (D > 0)
        status = rls2__tiled_gemm_tn(curved->effort, n, D, count, curved->S, n, U, ld, U + n, ld);
    if (status == RLS2_OK && D > 0)
        status = rls2__tiled_cholesky_solve(curved->effort, D, count, rls2__curved_factor(curved),
                                            D, U + n, ld);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < n; i++) U[j * ld + i] /= root;
    if (D > 0) rls2__la_gemm_nn(n, D, count, -1.0 / root, curved->S, n, U + n, ld, 1.0, U, ld);
    return RLS2_OK;
}

rls2_status rls2__curved_halves(rls2__curved *curved, int64_t count, const double *V, int64_t *rows)
{
    int64_t n = curved->basis->n;
    *rows = curved->is_low ? n + curved->columns : n;
    rls2_status status = reserve_halves(curved, rls2__mul(*rows, count));
    if (status != RLS2_OK) return status;
    if (curved->is_low) return low_halves(curved, count, V, *rows);
    scale_rows(n, count, curved->root, V, curved->halves);
    return rls2__tiled_lower_solve(curved->effort, n, count, rls2__curved_factor(curved), n,
                                   curved->halves, n);
}

rls2_status rls2__curved_degrees_of_freedom(rls2__curved *curved, double *df)
{
    int64_t order = curved->is_low ? curved->columns : curved->basis->n;
    return rls2__degrees_of_freedom(
        curved->effort, order, curved->is_low ? curved->K : curved->scaled,
        rls2__curved_factor(curved), curved->lambda + curved->jitter, df);
}
