/* An operator on some of the rows of another, without the kernel function.
 *
 * A factor of the whole is one of the part, by its rows. What it leaves out of the part is a
 * principal submatrix of what it leaves out of the whole, positive semi-definite too and of no
 * larger trace: `slack` carries over. Where the part is so small that the factor has more columns
 * than are worth while, it becomes a triangle. */
#include "basis/operator_take.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/norms.h"
#include "basis/operator.h"
#include "basis/shape.h"
#include "la/la.h"

typedef struct part {
    const rls2__operator *whole;
    int64_t n; /* rows of the whole */
    int64_t count;
    const int64_t *rows;
    const double *ratios; /* NULL: all 1 */
} part;

static double ratio_of(const part *it, int64_t a)
{
    return it->ratios ? it->ratios[a] : 1.0;
}

/* G, count x rank */
static void gather_factor(const part *it, double *G)
{
    for (int64_t t = 0; t < it->whole->rank; t++) {
        const double *column = it->whole->factor + t * it->n;
        for (int64_t a = 0; a < it->count; a++)
            G[t * it->count + a] = ratio_of(it, a) * column[it->rows[a]];
    }
}

static rls2_status take_factor(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t rank = it->whole->rank;
    rls2_status status = rls2__build_room_gram(room, rank);
    if (status == RLS2_OK)
        status = rls2__operator_reserve(op, &rls2__shape_factor, rank, rls2__mul(rank, it->count));
    if (status != RLS2_OK) return status;
    gather_factor(it, op->owned);
    op->factor = op->owned;
    op->norm = rls2__factor_norm(it->count, rank, op->factor, room->gram);
    return RLS2_OK;
}

static rls2_status reserve_triangle(int64_t n, rls2__operator *op)
{
    int64_t twice = rls2__mul(n, n + 1);
    rls2_status status =
        rls2__operator_reserve(op, &rls2__shape_dense, n, twice < 0 ? -1 : twice / 2);
    op->packed = op->owned;
    return status;
}

/* The triangle of GG'. */
static rls2_status take_product(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t n = it->count, rank = it->whole->rank;
    double *G = rls2__alloc(rls2__mul(n, rank), sizeof(double));
    double *row = rls2__alloc(rank, sizeof(double));
    rls2_status status = G && row ? reserve_triangle(n, op) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        double *out = op->owned;
        gather_factor(it, G);
        for (int64_t j = 0; j < n; j++) {
            for (int64_t t = 0; t < rank; t++) row[t] = G[t * n + j];
            rls2__la_gemv_n(n - j, rank, 1.0, G + j, n, row, 0.0, out);
            out += n - j;
        }
        op->norm = rls2__dense_norm(n, op->packed, room);
    }
    rls2__free(G);
    rls2__free(row);
    return status;
}

static rls2_status take_triangle(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t n = it->count;
    rls2_status status = reserve_triangle(n, op);
    if (status != RLS2_OK) return status;
    double *out = op->owned;
    for (int64_t a = 0; a < n; a++)
        for (int64_t b = a; b < n; b++)
            *out++ = ratio_of(it, a) * ratio_of(it, b) *
                     rls2__packed_entry(it->n, it->whole->packed, it->rows[a], it->rows[b]);
    op->norm = rls2__dense_norm(n, op->packed, room);
    return RLS2_OK;
}

static double largest_ratio(const part *it)
{
    double largest = ratio_of(it, 0);
    for (int64_t a = 1; a < it->count; a++) largest = fmax(largest, ratio_of(it, a));
    return largest;
}

rls2_status rls2__operator_take(const rls2__operator *whole, int64_t n, int64_t count,
                                const int64_t *rows, const double *ratios, double scale,
                                double trace, rls2__build_room *room, rls2__operator *op)
{
    const part it = {whole, n, count, rows, ratios};
    rls2__invariant(count >= 1 && rls2__is_within(count, rows, n));
    rls2__invariant(!ratios || rls2__is_positive(count, ratios));
    rls2__invariant(scale > 0.0 && (whole->packed || whole->factor));
    rls2_status status;
    if (whole->packed)
        status = take_triangle(&it, room, op);
    else if (whole->rank <= room->max_rank)
        status = take_factor(&it, room, op);
    else
        status = take_product(&it, room, op);
    if (status != RLS2_OK) return status;
    double largest = largest_ratio(&it),
           products = op->packed && whole->factor ? (double)whole->rank : 0.0;
    op->scale = scale * whole->scale;
    op->trace = trace;
    op->norm *= op->scale;
    if (op->factor) op->norm = fmin(op->norm, trace);
    op->slack =
        scale * largest * largest * whole->slack +
        DBL_EPSILON * (4.0 * op->norm + products * trace); /* products of roots, and of factors */
    return RLS2_OK;
}
