/* Building one operator: choose its shape, evaluate the kernel, bound its norm.
 *
 * What pivoted Cholesky (pivots.c, and on many rows growth.c) leaves out, R - GG', is
 * positive semi-definite with a known trace: that trace bounds its norm and is kept
 * as `slack`, so every certificate can account for it.
 *
 * A factor of rank r costs nr values against n(n+1)/2 for a triangle; beyond r = n/3
 * the triangle is as good, and the factor is given up as soon as its decay shows it
 * will get there.
 *
 * Where rows are equal to a kernel (columns of few values) all this is done with one row for each
 * group of equal ones, and the values are copied to the others: distinct.c.
 *
 * Where rows have weights the matrix is W^1/2 R W^1/2 from the start: pivots, residual and
 * bounds are those of the weighted matrix.  [MATH.md, W1] */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis.h"
#include "basis/growth.h"
#include "basis/norms.h"
#include "basis/operator.h"
#include "basis/operator_recomputed.h"
#include "basis/parts.h"
#include "basis/pivots.h"
#include "basis/shape.h"
#include "kernel/triangle.h"
#include "la/la.h"

/* Each column of a factor is a difference of numbers of the size of the diagonal and
 * leaves up to about this share of the trace to rounding, whatever the residual says.
 * Counted into slack. */
static const double ROUNDING_SHARE = 2 * DBL_EPSILON;

/* With weights their two roots and the products with them come on top. */
static double weight_rounding(const rls2__build_room *room)
{
    return room->roots ? 4 * DBL_EPSILON : 0.0;
}

/* Of the values of a kernel and sums over products with them. Values may all be off to one side
 * where rows are alike; what n sums lose is more like the root of their number.  [MATH.md, G4] */
static double entry_rounding(const rls2__kernel *kernel, int64_t n, const rls2__build_room *room)
{
    return rls2__kernel_rounding(kernel) + (2.0 + sqrt((double)n)) * DBL_EPSILON +
           weight_rounding(room);
}

/* Of kernels that are inner products of columns of data, which are exact. */
static double column_rounding(const rls2__build_room *room)
{
    return DBL_EPSILON + weight_rounding(room);
}

int rls2__trace_is_usable(double trace)
{
    return trace == 0.0 || (fabs(trace) >= RLS2__LEAST_TRACE && fabs(trace) <= RLS2__MOST_TRACE);
}

static int64_t worthwhile_rank(int64_t n)
{
    return n / 3;
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__build_room *room = owner;
    int64_t n = room->n;
    room->diagonal = rls2__layout_take(layout, n, sizeof(double));
    room->column = rls2__layout_take(layout, n, sizeof(double));
    room->pivots = rls2__layout_take(layout, n, sizeof(double));
}

rls2_status rls2__build_room_create(int64_t n, rls2__build_room *room)
{
    room->n = n;
    room->max_rank = worthwhile_rank(n);
    room->roots = room->weighted = NULL;
    rls2__effort_begin_alone(&room->alone);
    if (!room->effort) room->effort = &room->alone;
    room->block = rls2__layout_alloc(lay_out, room);
    return room->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* Room for `wanted` values, twice as much as before or more; the first `kept` stay. */
static rls2_status grow(int64_t kept, int64_t wanted, double **values, int64_t *size)
{
    if (wanted >= 0 && wanted <= *size) return RLS2_OK;
    int64_t twice = rls2__mul(2, *size), larger = twice > wanted ? twice : wanted;
    double *room = rls2__alloc(wanted < 0 ? -1 : larger, sizeof(double));
    if (!room) return RLS2_ERR_MEMORY;
    rls2__invariant(kept <= *size);
    if (kept > 0) memcpy(room, *values, (size_t)kept * sizeof(double));
    rls2__free(*values);
    *values = room;
    *size = larger;
    return RLS2_OK;
}

rls2_status rls2__build_room_factor(rls2__build_room *room, int64_t n, int64_t kept, int64_t rank)
{
    return grow(kept * n, rls2__mul(n, rank), &room->factor, &room->factor_size);
}

rls2_status rls2__build_room_gram(rls2__build_room *room, int64_t rank)
{
    return grow(0, rls2__mul(2, rls2__mul(rank, rank)), &room->gram, &room->gram_size);
}

void rls2__build_room_free(rls2__build_room *room)
{
    rls2__free(room->block);
    rls2__free(room->factor);
    rls2__free(room->gram);
    rls2__distinct_free(&room->distinct);
    rls2__free(room->triangle);
    memset(room, 0, sizeof *room);
}

static double sum(int64_t n, const double *x)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += x[i];
    return total;
}

rls2_status rls2__operator_reserve(rls2__operator *op, const rls2__shape *shape, int64_t rank,
                                   int64_t count)
{
    op->owned = rls2__alloc(count, sizeof(double));
    if (!op->owned) return RLS2_ERR_MEMORY;
    op->shape = shape;
    op->bytes = count * (int64_t)sizeof(double);
    op->rank = rank;
    op->scale = 1.0;
    return RLS2_OK;
}

/* A triangle in the making. */
typedef struct evaluation {
    rls2__effort *effort;
    const rls2__kernel *kernel;
    const rls2_rows *rows;
    double s;
    const double *roots;
    const rls2__distinct *found; /* the groups of equal rows, or NULL */
    double *columns;             /* for each thread, one of the groups' matrix */
    double *packed;
} evaluation;

static void evaluate_part(void *user, int64_t part, int thread)
{
    const evaluation *it = user;
    int64_t n = it->rows->n;
    (void)thread;
    int64_t from = rls2__part_start(n, part), end = rls2__part_start(n, part + 1);
    rls2__kernel_triangle_part(it->kernel, it->rows, it->s, it->roots, from, end, it->packed);
    rls2__effort_count(it->effort, rls2__pairs_between(n, from, end));
}

/* As many groups as there are columns in a part, on the average. */
static void copy_groups(void *user, int64_t part, int thread)
{
    const evaluation *it = user;
    int64_t n = it->rows->n, count = it->found->count, parts = rls2__part_count(n);
    rls2__distinct_triangle(it->found, n, it->s, it->roots, part * count / parts,
                            (part + 1) * count / parts, it->columns + thread * count, it->packed);
    rls2__effort_count(it->effort, n * (n + 1) / 2 / parts);
}

static rls2_status evaluate_triangle(evaluation *it)
{
    rls2__effort *effort = it->effort;
    int64_t parts = rls2__part_count(it->rows->n);
    if (!it->found) return rls2__effort_each(effort, parts, evaluate_part, it);
    it->columns = rls2__alloc(rls2__mul(effort->threads, it->found->count), sizeof(double));
    rls2_status status =
        it->columns ? rls2__effort_each(effort, parts, copy_groups, it) : RLS2_ERR_MEMORY;
    rls2__free(it->columns);
    return status;
}

static rls2_status build_dense(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               const rls2__distinct *found, rls2__build_room *room,
                               rls2__operator *op)
{
    int64_t n = rows->n, count = rls2__mul(n, n + 1);
    rls2_status status =
        rls2__operator_reserve(op, &rls2__shape_dense, n, count < 0 ? -1 : count / 2);
    evaluation it = {room->effort, kernel, rows, s, room->roots, found, NULL, op->owned};
    if (status == RLS2_OK) status = evaluate_triangle(&it);
    op->packed = op->owned;
    if (status == RLS2_OK) status = rls2__dense_norm(room->effort, n, op->packed, room, &op->norm);
    op->slack = entry_rounding(kernel, n, room) * op->norm;
    return status;
}

/* The caller's matrix where it lies (with weights of the rows it is a triangle of its own). It need
 * not be exactly positive semi-definite, so no factor would do: what one leaves out could not be
 * bounded by its trace. */
static rls2_status build_given(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                               rls2__build_room *room, rls2__operator *op)
{
    int64_t n = rows->n;
    op->shape = &rls2__shape_given;
    op->rank = n;
    op->scale = s;
    op->full = rows->given[kernel->given];
    rls2_status status = rls2__full_norm(room->effort, n, op->full, room->column, &op->norm);
    op->norm *= s;
    op->slack = entry_rounding(kernel, n, room) * op->norm;
    return status;
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
    op->slack = column_rounding(room) * op->norm;
}

/* Norm and slack of the factor whose Gram matrix is that of G. */
static rls2_status bound_factor(int64_t n, int64_t rank, const double *G, double left_out,
                                double rounding, rls2__build_room *room, rls2__operator *op)
{
    rls2_status status = rls2__factor_norm(room->effort, n, rank, G, room->gram, &op->norm);
    op->norm = fmin(op->trace, op->norm);
    op->slack = left_out + rounding * op->norm;
    return status;
}

/* Copies the first `rank` columns in room->factor. */
static rls2_status build_factor(int64_t n, int64_t rank, double left_out, double rounding,
                                rls2__build_room *room, rls2__operator *op)
{
    rls2_status status = rls2__build_room_gram(room, rank);
    if (status == RLS2_OK) status = rls2__operator_reserve(op, &rls2__shape_factor, rank, rank * n);
    if (status != RLS2_OK) return status;
    memcpy(op->owned, room->factor, (size_t)(rank * n) * sizeof(double));
    op->factor = op->owned;
    rls2__invariant(rank <= room->max_rank && left_out >= 0.0);
    return bound_factor(n, rank, op->factor, left_out, rounding, room, op);
}

/* The columns themselves, scaled, are an exact factor of a linear kernel. */
static rls2_status linear_factor(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                 rls2__build_room *room)
{
    int64_t n = rows->n, ldx = rows->ldx ? rows->ldx : n;
    double root = sqrt(s);
    if (rls2__build_room_factor(room, n, 0, kernel->column_count) != RLS2_OK)
        return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        double *out = room->factor + t * n;
        for (int64_t i = 0; i < n; i++) out[i] = root * rows->x[kernel->columns[t] * ldx + i];
        for (int64_t i = 0; room->roots && i < n; i++) out[i] *= room->roots[i];
    }
    return RLS2_OK;
}

/* G is the factor of the rows which stand for groups, and is lost. Its Gram matrix is that of
 * the rows themselves where each is multiplied by the root of its mass. */
static rls2_status build_from_groups(int64_t n, int64_t rank, double left_out, double rounding,
                                     const rls2__distinct *found, double *G, rls2__build_room *room,
                                     rls2__operator *op)
{
    int64_t count = found->count;
    double *root = room->column;
    rls2__invariant(rank <= count && count <= n && left_out >= 0.0);
    rls2_status status = rls2__build_room_gram(room, rank);
    if (status == RLS2_OK) status = rls2__operator_reserve(op, &rls2__shape_factor, rank, rank * n);
    if (status != RLS2_OK) return status;
    rls2__distinct_expand(found, n, rank, G, op->owned);
    op->factor = op->owned;
    for (int64_t g = 0; g < count; g++) root[g] = sqrt(found->mass[g]);
    for (int64_t t = 0; t < rank; t++)
        for (int64_t g = 0; g < count; g++) G[t * count + g] *= root[g];
    return bound_factor(count, rank, G, left_out, rounding, room, op);
}

/* *found: the groups of equal rows, or NULL where the kernel does not gain by them. */
static rls2_status find_groups(const rls2__kernel *kernel, const rls2_rows *rows,
                               rls2__build_room *room, const rls2__distinct **found)
{
    *found = NULL;
    if (!room->distinct.block && rls2__distinct_create(rows->n, &room->distinct) != RLS2_OK)
        return RLS2_ERR_MEMORY;
    if (rls2__distinct_find(kernel, rows, room->roots, &room->distinct)) *found = &room->distinct;
    return RLS2_OK;
}

/* The diagonal of the rows which stand for groups, from that of all. */
static void gather_diagonal(const rls2__distinct *found, double *diagonal)
{
    for (int64_t g = 0; g < found->count; g++) diagonal[g] = diagonal[found->stands[g]];
}

static double left_out_by(double residual, int64_t rank, double trace)
{
    return residual + ROUNDING_SHARE * (double)rank * trace;
}

/* Leaves the factor of many rows to be grown. */
static rls2_status leave_for_growth(const rls2__source *from, const rls2__aim *aim,
                                    rls2__distinct *distinct, rls2__build_room *room)
{
    room->growth = rls2__growth_create(from, room->diagonal, aim, distinct);
    return room->growth ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* A kernel other than linear or given: by pivoted Cholesky, or left for a triangle where that
 * fails. Rows that are equal to the kernel are one row to both. */
static rls2_status build_computed(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                  double rank_tol, rls2__build_room *room, rls2__operator *op)
{
    double residual;
    int64_t rank = -1, bound = rls2__kernel_rank_bound(kernel);
    const rls2__distinct *found;
    if (find_groups(kernel, rows, room, &found) != RLS2_OK) return RLS2_ERR_MEMORY;
    int certain = found && found->count <= room->max_rank;
    if (rank_tol == 0.0 || !(certain || bound == INT64_MAX || bound <= room->max_rank))
        return RLS2_OK;
    rls2__source from = {kernel, rows, room->roots, NULL, s};
    rls2__aim aim = {rank_tol, op->trace, room->max_rank, certain};
    if (found) {
        from = (rls2__source){&found->kernel, &found->rows, found->roots, found->mass, s};
        gather_diagonal(found, room->diagonal);
    }
    if (rls2__are_many_rows(rows->n) && from.rows->n > RLS2__GROWTH_SAMPLE) {
        if (!certain) aim.most = rls2__growth_most(rows->n);
        return leave_for_growth(&from, &aim, found ? &room->distinct : NULL, room);
    }
    rls2_status status = rls2__pivoted_cholesky(&from, &aim, room, &rank, &residual);
    if (status != RLS2_OK || rank < 0) return status;
    double left_out = left_out_by(residual, rank, op->trace);
    double rounding = entry_rounding(kernel, rows->n, room);
    if (found)
        return build_from_groups(rows->n, rank, left_out, rounding, found, room->factor, room, op);
    return build_factor(rows->n, rank, left_out, rounding, room, op);
}

rls2_status rls2__operator_build_grown(rls2__growth *growth, rls2__build_room *room,
                                       rls2__operator *op)
{
    int64_t n = room->n, rank = growth->rank;
    double left_out = left_out_by(growth->residual, rank, op->trace);
    double rounding = entry_rounding(&growth->kernel, n, room);
    rls2__invariant(growth->settled && !growth->hopeless);
    if (growth->distinct.block)
        return build_from_groups(n, rank, left_out, rounding, &growth->distinct, growth->factor,
                                 room, op);
    if (rls2__build_room_gram(room, rank) != RLS2_OK) return RLS2_ERR_MEMORY;
    op->shape = &rls2__shape_factor;
    op->rank = rank;
    op->scale = 1.0;
    op->factor = op->owned = growth->factor;
    op->bytes = rank * n * (int64_t)sizeof(double);
    growth->factor = NULL;
    return bound_factor(n, rank, op->factor, left_out, rounding, room, op);
}

static rls2_status build_triangle(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                  rls2__build_room *room, rls2__operator *op)
{
    const rls2__distinct *found;
    if (find_groups(kernel, rows, room, &found) != RLS2_OK) return RLS2_ERR_MEMORY;
    return build_dense(kernel, rows, s, found, room, op);
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
    for (int64_t i = 0; room->roots && i < rows->n; i++)
        room->diagonal[i] *= room->roots[i] * room->roots[i];
    return sum(rows->n, room->diagonal);
}

rls2_status rls2__operator_build(const rls2__kernel *kernel, const rls2_rows *rows, double s,
                                 double rank_tol, rls2__build_room *room, rls2__operator *op)
{
    if (s == 0.0) return rls2__operator_zero(op); /* skipped */
    op->trace = rls2__weighted_diagonal(kernel, rows, s, room);
    if (!rls2__trace_is_usable(op->trace)) return RLS2_ERR_VALUE;
    if (room->triangles) return build_triangle(kernel, rows, s, room, op);
    if (kernel->kind == RLS2__KERNEL_GIVEN && room->roots) return RLS2_OK; /* a triangle */
    if (kernel->kind == RLS2__KERNEL_GIVEN) return build_given(kernel, rows, s, room, op);
    if (kernel->kind == RLS2__KERNEL_LINEAR && kernel->column_count == 1) {
        build_rank_one(kernel, rows, s, room, op);
        return RLS2_OK;
    }
    if (kernel->kind == RLS2__KERNEL_LINEAR && rank_tol > 0.0 &&
        kernel->column_count <= room->max_rank) {
        if (linear_factor(kernel, rows, s, room) != RLS2_OK) return RLS2_ERR_MEMORY;
        return build_factor(rows->n, kernel->column_count, 0.0, column_rounding(room), room, op);
    }
    return build_computed(kernel, rows, s, rank_tol, room, op);
}

/* The triangle is there for the norm alone: evaluating it once costs less than the five products
 * with R would. */
rls2_status rls2__operator_build_recomputed(rls2_basis *basis, int64_t k, rls2__build_room *room)
{
    int64_t n = basis->n, twice = rls2__mul(n, n + 1);
    rls2__operator *op = &basis->ops[k];
    if (!room->triangle) room->triangle = rls2__alloc(twice < 0 ? -1 : twice / 2, sizeof(double));
    if (!room->triangle) return RLS2_ERR_MEMORY;
    rls2__operator_recompute(basis, k);
    op->rank = n;
    rls2_status status = rls2__recomputed_fill(room->effort, n, op, room->triangle);
    if (status == RLS2_OK)
        status = rls2__dense_norm(room->effort, n, room->triangle, room, &op->norm);
    op->slack = entry_rounding(op->kernel, n, room) * op->norm;
    return status;
}

void rls2__operator_free(rls2__operator *op)
{
    rls2__free(op->owned);
    memset(op, 0, sizeof *op);
}
