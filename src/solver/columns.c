/* Adds a column to the factor, removes one by rotations, and solves with it. */
#include "solver/columns.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

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
}

rls2_status rls2__columns_create(const rls2_basis *basis, rls2__columns_factor *columns)
{
    memset(columns, 0, sizeof *columns);
    columns->basis = basis;
    columns->room =
        (basis->m < basis->n ? basis->m : basis->n) + 1; /* one more while it is looked at */
    columns->block = rls2__layout_alloc(lay_out, columns);
    return columns->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__columns_free(rls2__columns_factor *columns)
{
    rls2__free(columns->block);
    memset(columns, 0, sizeof *columns);
}

/* Rotations change no row's length: that of row i of L is that of column i of Z. */
static const double LENGTH_TOL = 1e-8;

RLS2__CHECK int has_lengths(const rls2__columns_factor *columns)
{
    int64_t n = columns->basis->n;
    for (int64_t i = 0; i < columns->count; i++) {
        const double *z = columns->Z + i * n;
        double length = rls2__la_dot(n, z, z), row = 0.0;
        for (int64_t t = 0; t <= i; t++) {
            double entry = columns->L[t * columns->room + i];
            row += entry * entry;
        }
        if (!(fabs(row - length) <= LENGTH_TOL * length)) return 0;
    }
    return rls2__is_factor(columns->count, columns->L, columns->room);
}

static void copy_column(const rls2__operator *op, int64_t n, double *z)
{
    double root = sqrt(op->scale);
    for (int64_t i = 0; i < n; i++) z[i] = root * op->factor[i];
}

int rls2__columns_enter(rls2__columns_factor *columns, int64_t k)
{
    int64_t n = columns->basis->n, p = columns->count, ld = columns->room;
    double *z = columns->Z + p * n, *row = columns->row;
    rls2__invariant(p < ld && k >= 0 && k < columns->basis->m);
    rls2__invariant(columns->basis->ops[k].rank == 1 && columns->basis->ops[k].factor);
    copy_column(&columns->basis->ops[k], n, z);
    double length = rls2__la_dot(n, z, z);
    if (p > 0) rls2__la_gemv_t(n, p, columns->Z, n, z, row);
    rls2__la_lower_solve_vector(p, columns->L, ld, row);
    double square = length - rls2__la_dot(p, row, row);
    if (p + 1 == ld || !(square > DEPENDENT * length)) {
        rls2__la_lower_solve_t(p, columns->L, ld, row);
        return 0;
    }
    for (int64_t t = 0; t < p; t++) columns->L[t * ld + p] = row[t];
    columns->L[p * ld + p] = sqrt(square);
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

void rls2__columns_leave(rls2__columns_factor *columns, int64_t at)
{
    int64_t n = columns->basis->n, p = --columns->count, ld = columns->room;
    double *L = columns->L;
    rls2__invariant(at >= 0 && at <= p);
    memmove(columns->ks + at, columns->ks + at + 1, (size_t)(p - at) * sizeof *columns->ks);
    memmove(columns->Z + at * n, columns->Z + (at + 1) * n,
            (size_t)((p - at) * n) * sizeof(double));
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

void rls2__columns_solve(const rls2__columns_factor *columns, double *x)
{
    rls2__la_lower_solve_vector(columns->count, columns->L, columns->room, x);
    rls2__la_lower_solve_t(columns->count, columns->L, columns->room, x);
}
