/* Building one operator: choose its shape, evaluate the kernel, bound its norm.
 *
 * Pivoted Cholesky takes the largest residual diagonal entry as the next pivot, so
 * only the columns it uses are ever evaluated. What it leaves out, R - GG', is
 * positive semi-definite with a known trace: that trace bounds its norm and is kept
 * as `slack`, so every certificate can account for it.
 *
 * A factor of rank r costs nr values against n(n+1)/2 for a triangle; beyond r = n/3
 * the triangle is as good, and the factor is given up as soon as its decay shows it
 * will get there.
 *
 * Where rows have weights the matrix is W^1/2 R W^1/2 from the start: pivots, residual and
 * bounds are those of the weighted matrix.  [MATH.md, W1] */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "kernel/basis.h"
#include "kernel/operator.h"
#include "la/la.h"

/* Each column of a factor is a difference of numbers of the size of the diagonal and
 * leaves up to about this share of the trace to rounding, whatever the residual says.
 * Counted into slack. */
static const double ROUNDING_SHARE = 2 * DBL_EPSILON;

/* An entry s K_ij is rounded once; with weights their two roots and the products with them come on top. */
static double entry_rounding(const rls2__build_room *room)
{
    return room->roots ? 4 * DBL_EPSILON : DBL_EPSILON;
}

static int64_t worthwhile_rank(int64_t n)
{
    return n / 3;
}

rls2_status rls2__build_room_create(int64_t n, rls2__build_room *room)
{
    int64_t r = worthwhile_rank(n) + 1;
    room->max_rank = r - 1;
    room->roots = room->weighted = NULL;
    room->diagonal = rls2__alloc(n, sizeof(double));
    room->column = rls2__alloc(n, sizeof(double));
    room->pivots = rls2__alloc(n, sizeof(double));
    room->factor = rls2__alloc(rls2__mul(n, r), sizeof(double));
    room->gram = rls2__alloc(2 * r * r, sizeof(double));
    int ok = room->diagonal && room->column && room->pivots && room->factor && room->gram;
    return ok ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__build_room_free(rls2__build_room *room)
{
    rls2__free(room->diagonal);
    rls2__free(room->column);
    rls2__free(room->pivots);
    rls2__free(room->factor);
    rls2__free(room->gram);
    memset(room, 0, sizeof *room);
}

static double sum(int64_t n, const double *x)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += x[i];
    return total;
}

static int64_t largest(int64_t n, const double *x)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    return best;
}

/* Will the residual still be above tol * trace at max_rank? Smooth kernels decay
 * faster than geometrically, so a straight extrapolation is given some room. */
static int decays_too_slowly(int64_t rank, double residual, double trace, double tol, int64_t max_rank)
{
    if (rank < 8 || (rank & (rank - 1)) != 0) return 0; /* looked at when rank is 8, 16, 32, ... */
    double progress = log(residual / trace) / log(tol);
    return (double)rank > 3.0 * (double)max_rank * progress;
}

/* Entries of column j, from row `first` on, of W^1/2 R W^1/2 where they are those of R. */
static void weigh(const double *roots, int64_t n, int64_t first, int64_t j, double *column)
{
    if (!roots) return;
    for (int64_t i = 0; i < n - first; i++) column[i] *= roots[first + i] * roots[j];
}

/* Column `rank` of the factor, for the pivot row. */
static void next_factor_column(const rls2__kernel *kernel, const rls2_rows *rows, double s, int64_t pivot,
                               int64_t rank, rls2__build_room *room)
{
    int64_t n = rows->n;
    double *G = room->factor, *g = G + rank * n, *diagonal = room->diagonal;
    rls2__kernel_column(kernel, rows, rows, pivot, g);
    for (int64_t i = 0; i < n; i++) g[i] *= s;
    weigh(room->roots, n, 0, pivot, g);
    if (rank > 0) {
        for (int64_t t = 0; t < rank; t++) room->pivots[t] = G[t * n + pivot];
        rls2__la_gemv_n(n, rank, -1.0, G, n, room->pivots, 1.0, g);
    }
    double scale = 1.0 / sqrt(diagonal[pivot]);
    for (int64_t i = 0; i < n; i++) {
        g[i] *= scale;
        diagonal[i] = fmax(diagonal[i] - g[i] * g[i], 0.0);
    }
    diagonal[pivot] = 0.0;
}

/* Rank of the factor left in room->factor, or -1 when a triangle serves better. */
static int64_t pivoted_cholesky(const rls2__kernel *kernel, const rls2_rows *rows, double s, double tol,
                                double trace, rls2__build_room *room, double *residual)
{
    int64_t n = rows->n, rank = 0;
    for (*residual = trace; *residual > tol * trace; rank++) {
        if (rank >= room->max_rank || decays_too_slowly(rank, *residual, trace, tol, room->max_rank))
            return -1;
        int64_t pivot = largest(n, room->diagonal);
        if (!(room->diagonal[pivot] > 0.0)) break;
        next_factor_column(kernel, rows, s, pivot, rank, room);
        *residual = sum(n, room->diagonal);
    }
    return rank;
}

/* |W|_2 <= |W^2|_F^(1/2) = (sum of the fourth powers of the eigenvalues)^(1/4), W = G'G:
 * close to the largest eigenvalue unless many are as large. */
double rls2__factor_norm(int64_t n, int64_t rank, const double *G, double *room)
{
    if (rank == 0) return 0.0;
    double *W = room, *W2 = room + rank * rank;
    rls2__la_gemm_tn(n, rank, rank, G, n, G, n, W, rank);
    rls2__la_gemm_tn(rank, rank, rank, W, rank, W, rank, W2, rank);
    return sqrt(rls2__la_norm(rank * rank, W2)) * (1.0 + 1e-12);
}

/* For a matrix without negative entries, max_i (Rx)_i / x_i bounds the spectral radius
 * for every positive x (Collatz and Wielandt); a few power steps make it tight. */
static double nonnegative_norm(int64_t n, const double *packed, double *x, double *y)
{
    double bound = INFINITY;
    for (int64_t i = 0; i < n; i++) x[i] = 1.0;
    for (int step = 0; step < 4; step++) {
        rls2__la_spmv(n, 1.0, packed, x, y);
        double ratio = 0.0, top = 0.0;
        for (int64_t i = 0; i < n; i++) {
            ratio = fmax(ratio, y[i] / x[i]);
            top = fmax(top, y[i]);
        }
        bound = fmin(bound, ratio);
        if (!(top > 0.0)) return bound;
        /* keep every entry positive, whatever underflows */
        for (int64_t i = 0; i < n; i++) x[i] = fmax(y[i] / top, 1e-12);
    }
    return bound * (1.0 + 1e-12);
}

double rls2__dense_norm(int64_t n, const double *packed, rls2__build_room *room)
{
    double squares = 0.0, lowest = 0.0;
    const double *a = packed;
    for (int64_t j = 0; j < n; j++) {
        squares += a[0] * a[0];
        lowest = fmin(lowest, a[0]);
        for (int64_t i = 1; i < n - j; i++) {
            squares += 2.0 * a[i] * a[i];
            lowest = fmin(lowest, a[i]);
        }
        a += n - j;
    }
    double frobenius = sqrt(squares) * (1.0 + 1e-12);
    if (lowest < 0.0) return frobenius;
    return fmin(frobenius, nonnegative_norm(n, packed, room->column, room->pivots));
}

/* Of a full symmetric matrix, from its lower triangle: the lesser of the Frobenius norm
 * and the largest absolute row sum. */
static double full_norm(int64_t n, const double *K, double *sums)
{
    double squares = 0.0, largest = 0.0;
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double size = fabs(K[j * n + i]);
            squares += (i == j ? 1.0 : 2.0) * size * size;
            sums[i] += size;
            if (i != j) sums[j] += size;
        }
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, sums[i]);
    return fmin(sqrt(squares), largest) * (1.0 + 1e-12);
}

rls2_status rls2__operator_reserve(rls2__operator *op, const rls2__shape *shape, int64_t rank, int64_t count)
{
    op->owned = rls2__alloc(count, sizeof(double));
    if (!op->owned) return RLS2_ERR_MEMORY;
    op->shape = shape;
    op->bytes = count * (int64_t)sizeof(double);
    op->rank = rank;
    op->scale = 1.0;
    return RLS2_OK;
}

static rls2_status build_dense(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               rls2__build_room *room, rls2__operator *op)
{
    int64_t n = rows->n, count = rls2__mul(n, n + 1);
    rls2_status status = rls2__operator_reserve(op, &rls2__shape_dense, n, count < 0 ? -1 : count / 2);
    if (status != RLS2_OK) return status;
    double *out = op->owned;
    for (int64_t j = 0; j < n; j++) {
        rls2__kernel_column_from(kernel, rows, j, rows, j, out);
        for (int64_t i = 0; i < n - j; i++) out[i] *= s;
        weigh(room->roots, n, j, j, out);
        out += n - j;
    }
    op->packed = op->owned;
    op->norm = rls2__dense_norm(n, op->packed, room);
    op->slack = entry_rounding(room) * op->norm;
    return RLS2_OK;
}

/* The caller's matrix where it lies (with weights of the rows it is a triangle of its own). It need not be exactly positive semi-definite, so
 * no factor would do: what one leaves out could not be bounded by its trace. */
static void build_given(const rls2__kernel *kernel, const rls2_rows *rows, double s, rls2__build_room *room,
                        rls2__operator *op)
{
    int64_t n = rows->n;
    op->shape = &rls2__shape_given;
    op->rank = n;
    op->scale = s;
    op->full = rows->given[kernel->given];
    op->norm = s * full_norm(n, op->full, room->column);
    op->slack = DBL_EPSILON * op->norm;
}

static void build_rank_one(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                           const rls2__build_room *room, rls2__operator *op)
{
    op->shape = &rls2__shape_rank_one;
    op->rank = 1;
    op->scale = s;
    op->factor = room->weighted ? room->weighted + kernel->columns[0] * rows->n
                                : rows->x + kernel->columns[0] * (rows->ldx ? rows->ldx : rows->n);
    op->norm = op->trace;
    op->slack = entry_rounding(room) * op->norm;
}

/* Takes over the first `rank` columns in room->factor. */
static rls2_status build_factor(int64_t n, int64_t rank, double left_out, rls2__build_room *room,
                                rls2__operator *op)
{
    rls2_status status = rls2__operator_reserve(op, &rls2__shape_factor, rank, rank * n);
    if (status != RLS2_OK) return status;
    memcpy(op->owned, room->factor, (size_t)(rank * n) * sizeof(double));
    op->factor = op->owned;
    op->norm = fmin(op->trace, rls2__factor_norm(n, rank, room->factor, room->gram));
    op->slack = left_out + entry_rounding(room) * op->norm;
    return RLS2_OK;
}

/* The columns themselves, scaled, are an exact factor of a linear kernel. */
static void linear_factor(const rls2__kernel *kernel, const rls2_rows *rows, double s, rls2__build_room *room)
{
    int64_t n = rows->n, ldx = rows->ldx ? rows->ldx : n;
    double root = sqrt(s);
    for (int64_t t = 0; t < kernel->column_count; t++) {
        double *out = room->factor + t * n;
        for (int64_t i = 0; i < n; i++) out[i] = root * rows->x[kernel->columns[t] * ldx + i];
        for (int64_t i = 0; room->roots && i < n; i++) out[i] *= room->roots[i];
    }
}

/* A kernel other than linear or given: by pivoted Cholesky, or dense where that fails. */
static rls2_status build_computed(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                  double rank_tol, rls2__build_room *room, rls2__operator *op)
{
    double residual;
    int64_t rank = -1, bound = rls2__kernel_rank_bound(kernel);
    if (rank_tol > 0.0 && (bound == INT64_MAX || bound <= room->max_rank))
        rank = pivoted_cholesky(kernel, rows, s, rank_tol, op->trace, room, &residual);
    if (rank < 0) return build_dense(kernel, rows, s, room, op);
    return build_factor(rows->n, rank, residual + ROUNDING_SHARE * (double)rank * op->trace, room, op);
}

rls2_status rls2__operator_zero(rls2__operator *op)
{
    rls2_status status = rls2__operator_reserve(op, &rls2__shape_factor, 0, 0);
    op->factor = op->owned;
    return status;
}

double rls2__weighted_diagonal(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               rls2__build_room *room)
{
    rls2__kernel_diagonal(kernel, rows, room->diagonal);
    for (int64_t i = 0; i < rows->n; i++) room->diagonal[i] *= s;
    for (int64_t i = 0; room->roots && i < rows->n; i++) room->diagonal[i] *= room->roots[i] * room->roots[i];
    return sum(rows->n, room->diagonal);
}

rls2_status rls2__operator_build(const rls2__kernel *kernel, const rls2_rows *rows, double s, double rank_tol,
                                 rls2__build_room *room, rls2__operator *op)
{
    if (s == 0.0) return rls2__operator_zero(op); /* skipped */
    op->trace = rls2__weighted_diagonal(kernel, rows, s, room);
    if (!isfinite(op->trace)) return RLS2_ERR_VALUE;
    if (kernel->kind == RLS2__KERNEL_GIVEN && room->roots) return build_dense(kernel, rows, s, room, op);
    if (kernel->kind == RLS2__KERNEL_GIVEN) {
        build_given(kernel, rows, s, room, op);
        return RLS2_OK;
    }
    if (kernel->kind == RLS2__KERNEL_LINEAR && kernel->column_count == 1) {
        build_rank_one(kernel, rows, s, room, op);
        return RLS2_OK;
    }
    if (kernel->kind == RLS2__KERNEL_LINEAR && rank_tol > 0.0 && kernel->column_count <= room->max_rank) {
        linear_factor(kernel, rows, s, room);
        return build_factor(rows->n, kernel->column_count, 0.0, room, op);
    }
    return build_computed(kernel, rows, s, rank_tol, room, op);
}

void rls2__operator_free(rls2__operator *op)
{
    rls2__free(op->owned);
    memset(op, 0, sizeof *op);
}
