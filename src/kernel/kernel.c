/* Kernel functions, a column at a time.
 *
 * Each kernel is a reduction over its data columns (inner product, squared or
 * absolute distance) followed by a map over rows. Both are loops over contiguous
 * rows; distances are summed from differences, not from x'x + z'z - 2x'z, so that
 * equal rows are at distance 0 exactly and nothing cancels. */
#include "kernel/kernel.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clones.h"
#include "kernel/expv.h"

static int64_t leading(const rls2_rows *rows)
{
    return rows->ldx ? rows->ldx : rows->n;
}

RLS2__CLONES
static void add_products(int64_t n, const double *x, double z, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] += x[i] * z;
}

RLS2__CLONES
static void add_squares(int64_t n, const double *x, double z, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] += (x[i] - z) * (x[i] - z);
}

RLS2__CLONES
static void add_absolutes(int64_t n, const double *x, double z, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] += fabs(x[i] - z);
}

static void clear_unequal(int64_t n, const double *x, double z, double *out)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != z) out[i] = 0.0;
}

/* The sum over the kernel's columns of one of the above, from `start`. */
static void reduce(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                   const rls2_rows *b, int64_t j, double start,
                   void (*add)(int64_t, const double *, double, double *), double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = start;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t column = kernel->columns[t];
        add(n, a->x + column * leading(a) + first, b->x[column * leading(b) + j], out);
    }
}

RLS2__CLONES
static void map_scale(int64_t n, double a, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] *= a;
}

RLS2__CLONES
static void map_affine(int64_t n, double scale, double offset, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = offset + scale * out[i];
}

/* out^degree by repeated squaring of whole arrays is not worth it for the small
 * degrees in use; one multiplication per degree keeps the loop simple. */
RLS2__CLONES
static void map_power(int64_t n, int degree, double *out)
{
    for (int64_t i = 0; i < n; i++) {
        double base = out[i], power = base;
        for (int e = 1; e < degree; e++) power *= base;
        out[i] = power;
    }
}

static void map_poly(const rls2__kernel *kernel, int64_t n, double *out)
{
    int degree = (int)kernel->param[0];
    map_affine(n, kernel->param[2], kernel->param[1], out);
    if (degree == 2) {
        for (int64_t i = 0; i < n; i++) out[i] = out[i] * out[i];
    } else if (degree == 3) {
        for (int64_t i = 0; i < n; i++) out[i] = out[i] * out[i] * out[i];
    } else if (degree > 3) {
        map_power(n, degree, out);
    }
}

/* Matern with t = sqrt(2 nu) r / length: exp(-t) times 1, 1 + t, 1 + t + t^2/3. The
 * exponentials go through a block on the stack so that expv can run over them. */
static void map_matern(const rls2__kernel *kernel, int64_t n, double *out)
{
    enum { BLOCK = 256 };
    double nu = kernel->param[0];
    double factor = sqrt(2.0 * nu) / kernel->param[1];
    double exps[BLOCK];
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t count = n - first < BLOCK ? n - first : BLOCK;
        double *t = out + first;
        for (int64_t i = 0; i < count; i++) {
            t[i] = factor * sqrt(t[i]);
            exps[i] = -t[i];
        }
        rls2__expv(count, exps);
        for (int64_t i = 0; i < count; i++) {
            double poly = nu < 1.0 ? 1.0 : nu < 2.0 ? 1.0 + t[i] : 1.0 + t[i] + t[i] * t[i] / 3.0;
            t[i] = exps[i] > 0.0 ? poly * exps[i] : 0.0; /* not inf * 0 */
        }
    }
}

static double spline_unit(const rls2__kernel *kernel, double x)
{
    double width = kernel->param[1] - kernel->param[0];
    return width > 0.0 ? (x - kernel->param[0]) / width : 0.0;
}

/* The cubic smoothing spline's reproducing kernel on [0, 1], straight lines beyond:
 * 1 + uv + int_0^1 (u-t)_+ (v-t)_+ dt, an inner product for all real u and v. */
static double spline_value(double u, double v)
{
    double a = fmin(fmax(fmin(u, v), 0.0), 1.0);
    return 1.0 + u * v + a * (u * v) - a * a * (u + v) / 2.0 + a * a * a / 3.0;
}

static void spline_column(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                          const rls2_rows *b, int64_t j, double *out)
{
    int64_t column = kernel->columns[0];
    const double *x = a->x + column * leading(a) + first;
    double v = spline_unit(kernel, b->x[column * leading(b) + j]);
    for (int64_t i = 0; i < n; i++) out[i] = spline_value(spline_unit(kernel, x[i]), v);
}

void rls2__kernel_column_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                              const rls2_rows *b, int64_t j, double *out)
{
    switch (kernel->kind) {
    case RLS2__KERNEL_LINEAR: reduce(kernel, a, first, n, b, j, 0.0, add_products, out); break;
    case RLS2__KERNEL_POLY:
        reduce(kernel, a, first, n, b, j, 0.0, add_products, out);
        map_poly(kernel, n, out);
        break;
    case RLS2__KERNEL_RBF:
        reduce(kernel, a, first, n, b, j, 0.0, add_squares, out);
        map_scale(n, -kernel->param[0], out);
        rls2__expv(n, out);
        break;
    case RLS2__KERNEL_LAPLACE:
        reduce(kernel, a, first, n, b, j, 0.0, add_absolutes, out);
        map_scale(n, -kernel->param[0], out);
        rls2__expv(n, out);
        break;
    case RLS2__KERNEL_MATERN:
        reduce(kernel, a, first, n, b, j, 0.0, add_squares, out);
        map_matern(kernel, n, out);
        break;
    case RLS2__KERNEL_SPLINE: spline_column(kernel, a, first, n, b, j, out); break;
    case RLS2__KERNEL_DELTA: reduce(kernel, a, first, n, b, j, 1.0, clear_unequal, out); break;
    case RLS2__KERNEL_GIVEN:
        memcpy(out, a->given[kernel->given] + j * a->n + first, (size_t)n * sizeof *out);
        break;
    }
}

void rls2__kernel_column_from(const rls2__kernel *kernel, const rls2_rows *a, int64_t first,
                              const rls2_rows *b, int64_t j, double *out)
{
    rls2__kernel_column_part(kernel, a, first, a->n - first, b, j, out);
}

void rls2__kernel_column(const rls2__kernel *kernel, const rls2_rows *a, const rls2_rows *b, int64_t j,
                         double *out)
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
    for (int64_t i = 0; i < n; i++) out[i] = stated ? stated[first + i] : matrix[(first + i) * (a->n + 1)];
}

void rls2__kernel_diagonal_part(const rls2__kernel *kernel, const rls2_rows *a, int64_t first, int64_t n,
                                double *out)
{
    switch (kernel->kind) {
    case RLS2__KERNEL_LINEAR: inner_diagonal(kernel, a, first, n, out); break;
    case RLS2__KERNEL_POLY:
        inner_diagonal(kernel, a, first, n, out);
        map_poly(kernel, n, out);
        break;
    case RLS2__KERNEL_SPLINE: {
        const double *x = a->x + kernel->columns[0] * leading(a) + first;
        for (int64_t i = 0; i < n; i++) {
            double u = spline_unit(kernel, x[i]);
            out[i] = spline_value(u, u);
        }
        break;
    }
    case RLS2__KERNEL_GIVEN: given_diagonal(kernel, a, first, n, out); break;
    case RLS2__KERNEL_RBF:
    case RLS2__KERNEL_LAPLACE:
    case RLS2__KERNEL_MATERN:
    case RLS2__KERNEL_DELTA:
        for (int64_t i = 0; i < n; i++) out[i] = 1.0;
        break;
    }
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
    kernel->param[0] = lo;
    kernel->param[1] = hi;
}

int64_t rls2__kernel_rank_bound(const rls2__kernel *kernel)
{
    if (kernel->kind == RLS2__KERNEL_LINEAR) return kernel->column_count;
    if (kernel->kind == RLS2__KERNEL_POLY && kernel->column_count == 1) return (int64_t)kernel->param[0] + 1;
    return INT64_MAX;
}
