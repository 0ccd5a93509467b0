/* Kernel functions, a column at a time.
 *
 * Each kernel is a sum over its data columns (inner product, squared or absolute
 * distance, sums.c) followed by a map of numbers (maps.c). Both are loops over contiguous rows;
 * distances are summed from differences, not from x'x + z'z - 2x'z, so that
 * equal rows are at distance 0 exactly and nothing cancels. A kernel of one column is one loop. */
#include "kernel/kernel.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/lanes.h"
#include "kernel/maps.h"
#include "kernel/spline.h"
#include "kernel/sums.h"

static int64_t leading(const rls2_rows *rows)
{
    return rows->ldx ? rows->ldx : rows->n;
}

static rls2__term term_of(const rls2__kernel *kernel)
{
    switch (kernel->kind) {
    case RLS2__KERNEL_RBF:
    case RLS2__KERNEL_MATERN: return kernel->widths ? RLS2__TERM_WEIGHTED : RLS2__TERM_SQUARE;
    case RLS2__KERNEL_LAPLACE: return RLS2__TERM_ABSOLUTE;
    case RLS2__KERNEL_DELTA: return RLS2__TERM_EQUAL;
    case RLS2__KERNEL_LINEAR:
    case RLS2__KERNEL_POLY:
    case RLS2__KERNEL_SPLINE:
    case RLS2__KERNEL_GIVEN: break;
    }
    return RLS2__TERM_PRODUCT;
}

void rls2__kernel_sums(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                       const rls2_rows *b, int64_t j, int64_t width, double *out)
{
    const rls2__pairs pairs = {.count = kernel->column_count,
                               .columns = kernel->columns,
                               .weights = kernel->widths,
                               .n = n,
                               .a = a->x + first,
                               .lda = leading(a),
                               .width = width,
                               .b = b->x + j,
                               .ldb = leading(b)};
    rls2__sum_terms(term_of(kernel), &pairs, out);
}

static void given_column(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                         int64_t j, double s, double *out)
{
    const double *column = a->given[kernel->given] + j * a->n + first;
    for (int64_t i = 0; i < n; i++) out[i] = column[i] * s;
}

static const double *only_column(const rls2__kernel *kernel, const rls2_rows *rows)
{
    return rows->x + kernel->columns[0] * leading(rows);
}

void rls2__kernel_column_scaled(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, const rls2_rows *b, int64_t j, double s, double *out)
{
    rls2__invariant(first >= 0 && n >= 0 && first + n <= a->n && j >= 0);
    if (kernel->kind == RLS2__KERNEL_GIVEN) {
        given_column(kernel, a, first, n, j, s, out);
    } else if (kernel->kind == RLS2__KERNEL_SPLINE) {
        rls2__spline_column(kernel->param[0], kernel->param[1], n, only_column(kernel, a) + first,
                            only_column(kernel, b)[j], s, out);
    } else if (kernel->column_count == 1) {
        rls2__kernel_map_pairs(kernel, n, only_column(kernel, a) + first, only_column(kernel, b)[j],
                               s, out);
    } else {
        rls2__kernel_sums(kernel, a, first, n, b, j, 1, out);
        rls2__kernel_map(kernel, n, out, s, out);
    }
}

void rls2__kernel_column_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              int64_t n, const rls2_rows *b, int64_t j, double *out)
{
    rls2__kernel_column_scaled(kernel, a, first, n, b, j, 1.0, out);
}

/* sum += z'c x */
RLS2__CLONES
static void add_column(int64_t rows, const double *z, const double *c, int64_t n, const double *x,
                       double *restrict sum)
{
    double coefficient = rls2__lanes_dot(rows, z, c);
    for (int64_t i = 0; i < n; i++) sum[i] += coefficient * x[i];
}

void rls2__kernel_expand_linear(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, const rls2_rows *b, const double *c, double *sum)
{
    rls2__invariant(kernel->kind == RLS2__KERNEL_LINEAR && first >= 0 && first + n <= a->n);
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = a->x + kernel->columns[t] * leading(a) + first;
        const double *z = b->x + kernel->columns[t] * leading(b);
        add_column(b->n, z, c, n, x, sum);
    }
}

static int is_of_sums(const rls2__kernel *kernel)
{
    return kernel->kind != RLS2__KERNEL_SPLINE && kernel->kind != RLS2__KERNEL_GIVEN;
}

void rls2__kernel_reduce_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              int64_t n, const rls2_rows *b, int64_t j, double *out)
{
    if (is_of_sums(kernel))
        rls2__kernel_sums(kernel, a, first, n, b, j, 1, out);
    else
        rls2__kernel_column_part(kernel, a, first, n, b, j, out);
}

void rls2__kernel_map_part(const rls2__kernel *kernel, int64_t n, double *out)
{
    if (is_of_sums(kernel)) rls2__kernel_map(kernel, n, out, 1.0, out);
}

int rls2__kernel_alike(const rls2__kernel *one, const rls2__kernel *other)
{
    if (!is_of_sums(one) || !is_of_sums(other) || term_of(one) != term_of(other)) return 0;
    if (one->column_count != other->column_count) return 0;
    if (one->columns == other->columns) return 1; /* sets the dictionary names alike are one list */
    return memcmp(one->columns, other->columns, (size_t)one->column_count * sizeof *one->columns) ==
           0;
}

void rls2__kernel_column_from(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              const rls2_rows *b, int64_t j, double *out)
{
    rls2__kernel_column_part(kernel, a, first, a->n - first, b, j, out);
}

void rls2__kernel_column(const rls2__kernel *kernel, const rls2_rows *a, const rls2_rows *b,
                         int64_t j, double *out)
{
    rls2__kernel_column_from(kernel, a, 0, b, j, out);
}

static void inner_diagonal(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                           double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = a->x + kernel->columns[t] * leading(a) + first;
        for (int64_t i = 0; i < n; i++) out[i] += x[i] * x[i];
    }
}

static void given_diagonal(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                           double *out)
{
    const double *stated = a->given_diagonal ? a->given_diagonal[kernel->given] : NULL;
    const double *matrix = a->given[kernel->given];
    for (int64_t i = 0; i < n; i++)
        out[i] = stated ? stated[first + i] : matrix[(first + i) * (a->n + 1)];
}

RLS2__CHECK int is_not_negative(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] < 0.0) return 0; /* NaN where squares overflow */
    return 1;
}

void rls2__kernel_diagonal_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                                int64_t n, double *out)
{
    rls2__invariant(first >= 0 && n >= 0 && first + n <= a->n);
    switch (kernel->kind) {
    case RLS2__KERNEL_LINEAR: inner_diagonal(kernel, a, first, n, out); break;
    case RLS2__KERNEL_POLY:
        inner_diagonal(kernel, a, first, n, out);
        rls2__kernel_map(kernel, n, out, 1.0, out);
        break;
    case RLS2__KERNEL_SPLINE:
        rls2__spline_diagonal(kernel->param[0], kernel->param[1], n, only_column(kernel, a) + first,
                              out);
        break;
    case RLS2__KERNEL_GIVEN: given_diagonal(kernel, a, first, n, out); break;
    case RLS2__KERNEL_RBF:
    case RLS2__KERNEL_LAPLACE:
    case RLS2__KERNEL_MATERN:
    case RLS2__KERNEL_DELTA:
        for (int64_t i = 0; i < n; i++) out[i] = 1.0;
        break;
    }
    /* squared lengths of features; what somebody gives is checked elsewhere, to a tolerance */
    rls2__invariant(kernel->kind == RLS2__KERNEL_GIVEN || is_not_negative(n, out));
}

void rls2__kernel_diagonal(const rls2__kernel *kernel, const rls2_rows *a, double *out)
{
    rls2__kernel_diagonal_part(kernel, a, 0, a->n, out);
}

void rls2__kernel_fit(rls2__kernel *kernel, const rls2_rows *train)
{
    if (kernel->kind != RLS2__KERNEL_SPLINE) return;
    const double *x = train->x + kernel->columns[0] * leading(train);
    double lo = x[0], hi = x[0];
    for (int64_t i = 1; i < train->n; i++) {
        lo = fmin(lo, x[i]);
        hi = fmax(hi, x[i]);
    }
    rls2__invariant(lo <= hi);
    kernel->param[0] = lo;
    kernel->param[1] = hi;
}

double rls2__kernel_rounding(const rls2__kernel *kernel)
{
    if (kernel->kind == RLS2__KERNEL_GIVEN) return 0.0;
    double factors = kernel->kind == RLS2__KERNEL_POLY ? kernel->param[0] : 0.0;
    double sums = kernel->column_count > 1 ? sqrt((double)kernel->column_count) : 0.0;
    return (2.0 + sums + factors * (2.0 + sums)) * DBL_EPSILON;
}

int64_t rls2__kernel_rank_bound(const rls2__kernel *kernel)
{
    if (kernel->kind == RLS2__KERNEL_LINEAR) return kernel->column_count;
    if (kernel->kind == RLS2__KERNEL_POLY && kernel->column_count == 1)
        return (int64_t)kernel->param[0] + 1;
    return INT64_MAX;
}
