/* The shapes an operator can have. */
#include "basis/shape.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "basis/basis.h"
#include "la/la.h"
#include "la/packed.h"
#include "la/rounded.h"
#include "la/tile_grid.h"

/* sum_j c_j (P_jj c_j + 2 sum_{i>j} P_ij c_i) of columns first .. end - 1: reads the triangle once
 * and writes nothing, half the work of forming Pc. lda: 0 where it is packed. */
RLS2__CLONES
static double triangle_quadratic(int64_t n, int64_t first, int64_t end, const double *P,
                                 int64_t lda, const double *c)
{
    double diagonal = 0.0, below = 0.0;
    for (int64_t j = first; j < end; j++) {
        const double *column = rls2__la_diagonal(n, P, lda, j);
        diagonal += column[0] * c[j] * c[j];
        below += c[j] * rls2__lanes_dot(n - j - 1, column + 1, c + j + 1);
    }
    return diagonal + 2.0 * below;
}

/* |F'c|^2 */
RLS2__CLONES
static double squared_products(int64_t n, int64_t rank, const double *F, const double *c)
{
    double sum = 0.0;
    for (int64_t t = 0; t < rank; t++) {
        double product = rls2__lanes_dot(n, F + t * n, c);
        sum += product * product;
    }
    return sum;
}

static double dense_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    return op->scale * triangle_quadratic(n, 0, n, op->packed, 0, c);
}

static void dense_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                        double *work)
{
    (void)work;
    rls2__la_spmv(n, op->scale, op->packed, c, v);
}

/* The norm of a symmetric matrix from the norm of its lower triangle and its diagonal's. */
static double mirrored(double lower, double diagonal)
{
    return sqrt(2.0 * lower * lower - diagonal * diagonal);
}

static double dense_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    const double *entry = op->packed;
    for (int64_t j = 0; j < n; entry += n - j, j++) work[j] = *entry;
    return op->scale * mirrored(rls2__la_norm(n * (n + 1) / 2, op->packed), rls2__la_norm(n, work));
}

const rls2__shape rls2__shape_dense = {"dense", dense_quadratic, dense_apply, dense_frobenius};

static double factor_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    return op->scale * squared_products(n, op->rank, op->factor, c);
}

static void factor_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                         double *work)
{
    if (op->rank == 0) {
        memset(v, 0, (size_t)n * sizeof *v);
        return;
    }
    rls2__la_gemv_t(n, op->rank, op->factor, n, c, work);
    rls2__la_gemv_n(n, op->rank, op->scale, op->factor, n, work, 0.0, v);
}

/* |FF'|_F = |F'F|_F, a row of F'F at a time; the rank is below n. */
static double factor_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    double norm = 0.0;
    for (int64_t t = 0; t < op->rank; t++) {
        rls2__la_gemv_t(n, op->rank, op->factor, n, op->factor + t * n, work);
        norm = hypot(norm, rls2__la_norm(op->rank, work));
    }
    return op->scale * norm;
}

const rls2__shape rls2__shape_factor = {"factor", factor_quadratic, factor_apply, factor_frobenius};

/* One column of the data, used where it lies: the same with a product less. */
static double rank_one_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    double inner = rls2__la_dot(n, op->factor, c);
    return op->scale * inner * inner;
}

static void rank_one_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                           double *work)
{
    (void)work;
    double a = op->scale * rls2__la_dot(n, op->factor, c);
    for (int64_t i = 0; i < n; i++) v[i] = a * op->factor[i];
}

static double rank_one_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    (void)work;
    double length = rls2__la_norm(n, op->factor);
    return op->scale * length * length;
}

const rls2__shape rls2__shape_rank_one = {"rank-one", rank_one_quadratic, rank_one_apply,
                                          rank_one_frobenius};

/* The caller's own n x n matrix, of which the lower triangle counts. */
static double given_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    rls2__la_symv(n, op->scale, op->full, n, c, work);
    return rls2__la_dot(n, c, work);
}

static void given_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                        double *work)
{
    (void)work;
    rls2__la_symv(n, op->scale, op->full, n, c, v);
}

static double given_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    double lower = 0.0;
    for (int64_t j = 0; j < n; j++) {
        lower = hypot(lower, rls2__la_norm(n - j, op->full + j * n + j));
        work[j] = op->full[j * n + j];
    }
    return op->scale * mirrored(lower, rls2__la_norm(n, work));
}

const rls2__shape rls2__shape_given = {"given", given_quadratic, given_apply, given_frobenius};

/* The triangle in 32 bits. */
static double rounded_quadratic(const rls2__operator *op, int64_t n, const double *c, double *work)
{
    (void)work;
    return op->scale * rls2__la_rounded_quadratic(n, 0, n, op->rounded, c);
}

static void rounded_apply(const rls2__operator *op, int64_t n, const double *c, double *v,
                          double *work)
{
    (void)work;
    rls2__la_rounded_range(n, 0, n, op->rounded, c, v);
    for (int64_t i = 0; i < n; i++) v[i] *= op->scale;
}

static double rounded_frobenius(const rls2__operator *op, int64_t n, double *work)
{
    const int32_t *column = op->rounded;
    double squares = 0.0;
    (void)work;
    for (int64_t j = 0; j < n; column += n - j, j++) {
        double below = 0.0;
        for (int64_t i = 1; i < n - j; i++) below += (double)column[i] * column[i];
        squares += (double)column[0] * column[0] + 2.0 * below;
    }
    return op->scale * sqrt(squares);
}

const rls2__shape rls2__shape_rounded = {"rounded", rounded_quadratic, rounded_apply,
                                         rounded_frobenius};

/* ---- parts ---- */

/* Values of a factor that make a part, and with how many it is cut. */
enum { PART_VALUES = 1 << 18, CUT_FROM = 1 << 19 };

static int has_triangle(const rls2__operator *op)
{
    return op->packed || op->rounded || op->full;
}

double rls2__operator_values(const rls2__operator *op, int64_t n)
{
    return (double)n * (has_triangle(op) ? 0.5 * (double)n : (double)op->rank);
}

int rls2__operator_is_cut(const rls2__operator *op, int64_t n)
{
    if (n < RLS2__TILED_FROM) return 0;
    return has_triangle(op) || (op->shape == &rls2__shape_factor && op->rank > CUT_FROM / n);
}

/* Columns of a factor in a part. */
static int64_t part_columns(const rls2__operator *op, int64_t n)
{
    int64_t least = PART_VALUES / n + 1, parts = rls2__pieces(op->rank, least);
    return parts <= RLS2__MOST_PARTS ? least : rls2__pieces(op->rank, RLS2__MOST_PARTS);
}

int64_t rls2__operator_parts(const rls2__operator *op, int64_t n)
{
    return has_triangle(op) ? rls2__triangle_parts(n) : rls2__pieces(op->rank, part_columns(op, n));
}

double rls2__operator_part(const rls2__operator *op, int64_t n, int64_t part, const double *c)
{
    if (!has_triangle(op)) {
        int64_t columns = part_columns(op, n), first = part * columns;
        return squared_products(n, rls2__piece(op->rank, columns, first), op->factor + first * n,
                                c);
    }
    int64_t parts = rls2__triangle_parts(n), first = rls2__triangle_cut(n, parts, part),
            end = rls2__triangle_cut(n, parts, part + 1);
    if (op->rounded) return rls2__la_rounded_quadratic(n, first, end, op->rounded, c);
    return op->packed ? triangle_quadratic(n, first, end, op->packed, 0, c)
                      : triangle_quadratic(n, first, end, op->full, n, c);
}
