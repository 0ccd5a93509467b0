/* Adds a column to the factor, removes one by rotations, and solves with it. */
#include "solver/columns.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/tiles.h"

/* Rows whose products are made at once: few enough to stay near the processor, and as many as are
 * shared out among threads. */
enum { BLOCK = 1024 };

/* The squared distance of a column from the span of the others, relative to its squared length,
 * below which it depends on them. Solutions are corrected by residuals of the columns themselves,
 * which works while this is well above rounding. */
static const double DEPENDENT = 1e-11;

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__columns_factor *columns = owner;
    int64_t n = columns->basis->n, room = columns->room;
    columns->ks = rls2__layout_take(layout, room, sizeof(int64_t));
    columns->Z = rls2__layout_take(layout, rls2__mul(n, room), sizeof(double));
    columns->L = rls2__layout_take(layout, rls2__mul(room, room), sizeof(double));
    columns->row = rls2__layout_take(layout, room, sizeof(double));
    if (!columns->is_weighed) return;
    columns->weights = rls2__layout_take(layout, n, sizeof(double));
    columns->roots = rls2__layout_take(layout, n, sizeof(double));
    columns->weighed = rls2__layout_take(layout, n, sizeof(double));
    columns->means = rls2__layout_take(layout, room, sizeof(double));
    columns->block_rows = rls2__layout_take(layout, rls2__mul(BLOCK, room), sizeof(double));
    columns->block_products = rls2__layout_take(layout, rls2__mul(room, room), sizeof(double));
}

static rls2_status create(const rls2_basis *basis, rls2__columns_factor *columns)
{
    columns->basis = basis;
    columns->room =
        (basis->m < basis->n ? basis->m : basis->n) + 1; /* one more while it is looked at */
    columns->block = rls2__layout_alloc(lay_out, columns);
    return columns->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__columns_create(const rls2_basis *basis, rls2__columns_factor *columns)
{
    memset(columns, 0, sizeof *columns);
    return create(basis, columns);
}

static void find_level_square(rls2__columns_factor *columns)
{
    columns->level_square = 0.0;
    for (int64_t i = 0; columns->level && i < columns->basis->n; i++)
        columns->level_square += columns->weights[i] * columns->level[i] * columns->level[i];
}

rls2_status rls2__columns_create_weighed(const rls2_basis *basis, const double *level,
                                         rls2__columns_factor *columns)
{
    *columns = (rls2__columns_factor){.is_weighed = 1, .level = level};
    rls2_status status = create(basis, columns);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < basis->n; i++) columns->weights[i] = 1.0;
    find_level_square(columns);
    return RLS2_OK;
}

void rls2__columns_free(rls2__columns_factor *columns)
{
    rls2__free(columns->block);
    memset(columns, 0, sizeof *columns);
}

/* W (z - mean e), whose products with columns are those that the factor is of; *size is z'Wz. */
static const double *weigh(const rls2__columns_factor *columns, const double *z, double *mean,
                           double *size)
{
    int64_t n = columns->basis->n;
    double *out = columns->weighed, sum = 0.0;
    if (!columns->is_weighed) {
        *size = rls2__la_dot(n, z, z);
        return z;
    }
    for (int64_t i = 0; i < n; i++) {
        out[i] = columns->weights[i] * z[i];
        if (columns->level) sum += columns->level[i] * out[i];
    }
    *size = rls2__la_dot(n, z, out);
    *mean = columns->level_square > 0.0 ? sum / columns->level_square : 0.0;
    for (int64_t i = 0; columns->level && i < n; i++)
        out[i] -= *mean * columns->weights[i] * columns->level[i];
    return out;
}

/* Rotations change no row's length: that of row i of L is that of column i of Z. */
static const double LENGTH_TOL = 1e-8;

RLS2__CHECK int has_lengths(const rls2__columns_factor *columns)
{
    int64_t n = columns->basis->n;
    for (int64_t i = 0; i < columns->count; i++) {
        const double *z = columns->Z + i * n;
        double mean, size, row = 0.0;
        double length = rls2__la_dot(n, z, weigh(columns, z, &mean, &size));
        for (int64_t t = 0; t <= i; t++) {
            double entry = columns->L[t * columns->room + i];
            row += entry * entry;
        }
        if (!(fabs(row - length) <= LENGTH_TOL * size)) return 0;
    }
    return rls2__is_factor(columns->count, columns->L, columns->room);
}

static void copy_column(const rls2__operator *op, int64_t n, double *z)
{
    double root = sqrt(op->scale);
    for (int64_t i = 0; i < n; i++) z[i] = root * op->factor[i];
}

int rls2__factor_append(int64_t ld, int64_t count, double *L, double length, double *row)
{
    rls2__la_lower_solve_vector(count, L, ld, row);
    double square = length - rls2__la_dot(count, row, row);
    if (count == ld || !(square > DEPENDENT * length)) {
        rls2__la_lower_solve_t(count, L, ld, row);
        return 0;
    }
    for (int64_t t = 0; t < count; t++) L[t * ld + count] = row[t];
    L[count * ld + count] = sqrt(square);
    return 1;
}

int rls2__columns_enter(rls2__columns_factor *columns, int64_t k)
{
    int64_t n = columns->basis->n, p = columns->count, ld = columns->room;
    double *z = columns->Z + p * n, *row = columns->row, mean = 0.0, size;
    rls2__invariant(p < ld && k >= 0 && k < columns->basis->m);
    rls2__invariant(columns->basis->ops[k].rank == 1 && columns->basis->ops[k].factor);
    copy_column(&columns->basis->ops[k], n, z);
    const double *weighed = weigh(columns, z, &mean, &size);
    double length = rls2__la_dot(n, z, weighed);
    if (p > 0) rls2__la_gemv_t(n, p, columns->Z, n, weighed, row);
    /* the last column is only looked at, and one that is all but e depends on it */
    if (p + 1 == ld || !(length > DEPENDENT * size)) length = 0.0;
    if (!rls2__factor_append(ld, p, columns->L, length, row)) return 0;
    if (columns->is_weighed) columns->means[p] = mean;
    columns->ks[columns->count++] = k;
    rls2__invariant(rls2__is_unique(columns->count, columns->ks, columns->basis->m));
    rls2__invariant(rls2__is_factor(columns->count, columns->L, ld));
    return 1;
}

/* The rotation of two columns that makes the second's first entry zero, applied to the `count`
 * entries below it. */
static void rotate(int64_t count, double cosine, double sine, double *restrict u,
                   double *restrict v)
{
    for (int64_t i = 0; i < count; i++) {
        double x = u[i], y = v[i];
        u[i] = cosine * x + sine * y;
        v[i] = cosine * y - sine * x;
    }
}

void rls2__factor_drop(int64_t ld, int64_t count, int64_t at, double *L)
{
    int64_t p = count - 1;
    for (int64_t u = 0; u <= p;
         u++) { /* deletes row `at`; each later row has then one entry too many, */
        int64_t from = u > at + 1 ? u : at + 1;
        memmove(L + u * ld + from - 1, L + u * ld + from, (size_t)(p + 1 - from) * sizeof(double));
    }
    for (int64_t t = at; t < p; t++) { /* which is rotated away */
        double x = L[t * ld + t], y = L[(t + 1) * ld + t], r = hypot(x, y);
        L[t * ld + t] = r;
        rotate(p - t - 1, x / r, y / r, L + t * ld + t + 1, L + (t + 1) * ld + t + 1);
    }
}

void rls2__columns_leave(rls2__columns_factor *columns, int64_t at)
{
    int64_t n = columns->basis->n, p = --columns->count;
    rls2__invariant(at >= 0 && at <= p);
    memmove(columns->ks + at, columns->ks + at + 1, (size_t)(p - at) * sizeof *columns->ks);
    memmove(columns->Z + at * n, columns->Z + (at + 1) * n,
            (size_t)((p - at) * n) * sizeof(double));
    if (columns->is_weighed)
        memmove(columns->means + at, columns->means + at + 1, (size_t)(p - at) * sizeof(double));
    rls2__factor_drop(columns->room, p + 1, at, columns->L);
    rls2__invariant(has_lengths(columns));
}

int rls2__columns_refactor(rls2__columns_factor *columns)
{
    int64_t n = columns->basis->n, p = columns->count, ld = columns->room;
    columns->factorizations++;
    if (p == 0) return 1;
    rls2__la_gram(n, p, columns->Z, n, columns->L, ld);
    int64_t failed = rls2__la_cholesky(p, columns->L, ld);
    rls2__invariant(failed != 0 || has_lengths(columns));
    return failed == 0;
}

/* Some rows of W^1/2 (z - mean e) of all columns. */
static void weigh_rows(const rls2__columns_factor *columns, int64_t from, int64_t count)
{
    for (int64_t j = 0; j < columns->count; j++) {
        const double *z = columns->Z + j * columns->basis->n + from;
        const double *level = columns->level ? columns->level + from : NULL;
        double *out = columns->block_rows + j * count, mean = columns->means[j];
        for (int64_t i = 0; i < count; i++)
            out[i] = columns->roots[from + i] * (level ? z[i] - mean * level[i] : z[i]);
    }
}

/* L = their inner products, lower triangle. */
static rls2_status form_products(rls2__effort *effort, rls2__columns_factor *columns)
{
    int64_t n = columns->basis->n, p = columns->count, ld = columns->room;
    double *L = columns->L, *part = columns->block_products;
    for (int64_t from = 0; from < n; from += BLOCK) {
        int64_t count = n - from < BLOCK ? n - from : BLOCK;
        weigh_rows(columns, from, count);
        rls2_status status = rls2__tiled_gram(effort, count, p, columns->block_rows, count,
                                              from == 0 ? L : part, ld);
        if (status != RLS2_OK) return status;
        for (int64_t j = 0; j < p && from > 0; j++)
            rls2__la_axpy(p - j, 1.0, part + j * ld + j, L + j * ld + j);
    }
    return RLS2_OK;
}

rls2_status rls2__columns_weigh(rls2__effort *effort, const double *weights,
                                rls2__columns_factor *columns)
{
    int64_t n = columns->basis->n, p = columns->count, failed = 0;
    rls2_status status = RLS2_OK;
    rls2__invariant(columns->is_weighed);
    memcpy(columns->weights, weights, (size_t)n * sizeof *weights);
    find_level_square(columns);
    columns->factorizations++;
    if (p == 0) return RLS2_OK;
    for (int64_t i = 0; i < n; i++) {
        columns->roots[i] = sqrt(weights[i]);
        columns->weighed[i] = columns->level ? weights[i] * columns->level[i] : 0.0;
    }
    memset(columns->means, 0, (size_t)p * sizeof(double));
    if (columns->level_square > 0.0) {
        status = rls2__tiled_gemv_t(effort, n, p, columns->Z, n, columns->weighed, columns->means);
        for (int64_t j = 0; j < p; j++) columns->means[j] /= columns->level_square;
    }
    if (status == RLS2_OK) status = form_products(effort, columns);
    if (status == RLS2_OK)
        status = rls2__tiled_cholesky(effort, p, columns->L, columns->room, &failed);
    if (status == RLS2_OK && failed) return RLS2_ERR_NUMERIC;
    rls2__invariant(status != RLS2_OK || has_lengths(columns));
    return status;
}

void rls2__columns_solve(const rls2__columns_factor *columns, double *x)
{
    rls2__la_lower_solve_vector(columns->count, columns->L, columns->room, x);
    rls2__la_lower_solve_t(columns->count, columns->L, columns->room, x);
}
