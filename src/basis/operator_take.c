/* An operator on some of the rows of another, without the kernel function.
 *
 * A factor of the whole is one of the part, by its rows. What it leaves out of the part is a
 * principal submatrix of what it leaves out of the whole, positive semi-definite too and of no
 * larger trace: `slack` carries over. Where the part is so small that the factor has more columns
 * than are worth while, it becomes a triangle.
 *
 * A triangle may be rounded to integers of 32 bits, of which the largest stands for the largest
 * entry of the diagonal, u: as R is positive semi-definite no entry is larger. Each is off by
 * u 2^-32 at most, and their matrix by n u 2^-32, which is 2^-32 of the trace where the diagonal is
 * constant: a share that 24 bits of a float would have of each entry.  [MATH.md, V5] */
#include "basis/operator_take.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/norms.h"
#include "basis/operator.h"
#include "basis/parts.h"
#include "basis/shape.h"
#include "la/la.h"
#include "la/rounded.h"

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

static rls2_status take_factor(const part *it, rls2__operator *op)
{
    int64_t rank = it->whole->rank;
    rls2_status status =
        rls2__operator_reserve(op, &rls2__shape_factor, rank, rls2__mul(rank, it->count));
    if (status != RLS2_OK) return status;
    gather_factor(it, op->owned);
    op->factor = op->owned;
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

/* A triangle in the making, by columns: of GG', or taken from that of the whole. */
typedef struct filling {
    const part *it;
    const double *G;
    double *rows; /* for each thread, one of G */
    double *packed;
} filling;

static double *column_of(const filling *fill, int64_t j)
{
    return fill->packed + j * fill->it->count - j * (j - 1) / 2;
}

static void multiply_columns(void *user, int64_t task, int thread)
{
    const filling *fill = user;
    int64_t n = fill->it->count, rank = fill->it->whole->rank, end = rls2__part_start(n, task + 1);
    double *row = fill->rows + thread * rank;
    for (int64_t j = rls2__part_start(n, task); j < end; j++) {
        for (int64_t t = 0; t < rank; t++) row[t] = fill->G[t * n + j];
        rls2__la_gemv_n(n - j, rank, 1.0, fill->G + j, n, row, 0.0, column_of(fill, j));
    }
}

static void copy_columns(void *user, int64_t task, int thread)
{
    const filling *fill = user;
    const part *it = fill->it;
    int64_t n = it->count, end = rls2__part_start(n, task + 1);
    (void)thread;
    for (int64_t a = rls2__part_start(n, task); a < end; a++) {
        double *out = column_of(fill, a);
        int64_t row = it->rows[a];
        const double *below = it->whole->packed + row * it->n - row * (row - 1) / 2 - row;
        for (int64_t b = a; b < n; b++) {
            int64_t other = it->rows[b];
            *out++ = other >= row ? below[other]
                                  : rls2__packed_entry(it->n, it->whole->packed, row, other);
        }
        for (int64_t b = a; it->ratios && b < n; b++) out[b - n] *= it->ratios[a] * it->ratios[b];
    }
}

/* ---- in 32 bits ---- */

typedef struct rounding {
    const part *it;
    double units; /* in 1 */
    int32_t *rounded;
} rounding;

static void round_columns(void *user, int64_t task, int thread)
{
    const rounding *fill = user;
    const part *it = fill->it;
    int64_t n = it->count, end = rls2__part_start(n, task + 1);
    (void)thread;
    for (int64_t a = rls2__part_start(n, task); a < end; a++) {
        int64_t row = it->rows[a];
        int32_t *out = fill->rounded + a * n - a * (a - 1) / 2 - a;
        const double *below = it->whole->packed + row * it->n - row * (row - 1) / 2 - row;
        double units = fill->units * ratio_of(it, a);
        for (int64_t b = a; b < n; b++) {
            int64_t other = it->rows[b];
            double value = other >= row ? below[other]
                                        : rls2__packed_entry(it->n, it->whole->packed, row, other);
            out[b] = rls2__la_rounded(units * (it->ratios ? it->ratios[b] * value : value));
        }
    }
}

/* Of the part, before scales. */
static double largest_diagonal(const part *it)
{
    double largest = 0.0;
    for (int64_t a = 0; a < it->count; a++) {
        int64_t row = it->rows[a];
        double ratio = ratio_of(it, a),
               value = it->whole->packed[row * it->n - row * (row - 1) / 2];
        largest = fmax(largest, ratio * ratio * value);
    }
    return largest;
}

/* What rounding may add to the matrix, in the Frobenius norm, before scales. */
static double rounding_error(const part *it)
{
    return 0.5 * (1.0 + 1e-6) * (double)it->count * largest_diagonal(it) / RLS2__LARGEST_ROUNDED;
}

static int can_be_rounded(const part *it, double scale, double coarse)
{
    double largest = largest_diagonal(it), error = scale * it->whole->scale * rounding_error(it);
    return isnormal(largest) && isnormal(RLS2__LARGEST_ROUNDED / largest) && error <= coarse;
}

static rls2_status take_rounded(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t n = it->count, twice = rls2__mul(n, n + 1);
    double unit = largest_diagonal(it) / RLS2__LARGEST_ROUNDED;
    rls2_status status =
        rls2__operator_reserve(op, &rls2__shape_rounded, n, twice < 0 ? -1 : twice / 4 + 1);
    if (status != RLS2_OK) return status;
    rounding fill = {it, 1.0 / unit, (int32_t *)op->owned};
    op->rounded = fill.rounded;
    op->scale = unit;
    return rls2__effort_each(room->effort, rls2__part_count(n), round_columns, &fill);
}

static rls2_status take_product(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t n = it->count, rank = it->whole->rank;
    double *G = rls2__alloc(rls2__mul(n, rank), sizeof(double));
    double *rows = rls2__alloc(rls2__mul(rank, room->effort->threads), sizeof(double));
    rls2_status status = G && rows ? reserve_triangle(n, op) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        filling fill = {it, G, rows, op->owned};
        gather_factor(it, G);
        status = rls2__effort_each(room->effort, rls2__part_count(n), multiply_columns, &fill);
    }
    rls2__free(G);
    rls2__free(rows);
    return status;
}

static rls2_status take_triangle(const part *it, rls2__build_room *room, rls2__operator *op)
{
    rls2_status status = reserve_triangle(it->count, op);
    filling fill = {.it = it, .packed = op->owned};
    if (status != RLS2_OK) return status;
    return rls2__effort_each(room->effort, rls2__part_count(it->count), copy_columns, &fill);
}

static double largest_ratio(const part *it)
{
    double largest = ratio_of(it, 0);
    for (int64_t a = 1; a < it->count; a++) largest = fmax(largest, ratio_of(it, a));
    return largest;
}

/* Before scales. Of many rows, and of a rounded triangle, the norm is that of the whole, with the
 * largest ratios: no principal submatrix has a larger one, and finding a smaller takes longer than
 * the values do. */
static rls2_status bound_norm(const part *it, rls2__build_room *room, rls2__operator *op)
{
    int64_t n = it->count;
    double largest = largest_ratio(it);
    if (rls2__are_many_rows(n) || op->rounded) {
        op->norm = it->whole->norm / it->whole->scale * largest * largest * (1.0 + 1e-12);
        return RLS2_OK;
    }
    if (op->packed) return rls2__dense_norm(room->effort, n, op->packed, room, &op->norm);
    if (rls2__build_room_gram(room, op->rank) != RLS2_OK) return RLS2_ERR_MEMORY;
    return rls2__factor_norm(room->effort, n, op->rank, op->factor, room->gram, &op->norm);
}

rls2_status rls2__operator_take(const rls2__operator *whole, int64_t n, int64_t count,
                                const int64_t *rows, const double *ratios, double scale,
                                double trace, double coarse, rls2__build_room *room,
                                rls2__operator *op)
{
    const part it = {whole, n, count, rows, ratios};
    rls2__invariant(count >= 1 && rls2__is_within(count, rows, n));
    rls2__invariant(!ratios || rls2__is_positive(count, ratios));
    rls2__invariant(scale > 0.0 && (whole->packed || whole->factor));
    rls2_status status;
    int is_rounded = whole->packed && can_be_rounded(&it, scale, coarse);
    if (is_rounded)
        status = take_rounded(&it, room, op);
    else if (whole->packed)
        status = take_triangle(&it, room, op);
    else if (whole->rank <= room->max_rank)
        status = take_factor(&it, op);
    else
        status = take_product(&it, room, op);
    if (status == RLS2_OK) status = bound_norm(&it, room, op);
    if (status != RLS2_OK) return status;
    double largest = largest_ratio(&it),
           products = op->packed && whole->factor ? (double)whole->rank : 0.0,
           rounded = is_rounded ? scale * whole->scale * rounding_error(&it) : 0.0;
    op->norm *= scale * whole->scale;
    op->scale *= scale * whole->scale;
    op->trace = trace;
    if (op->factor) op->norm = fmin(op->norm, trace);
    op->slack =
        rounded + scale * largest * largest * whole->slack +
        DBL_EPSILON * (4.0 * op->norm + products * trace); /* products of roots, and of factors */
    return RLS2_OK;
}
