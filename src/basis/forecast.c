/* Counts what the operators of a dictionary will be and take, before they are made.
 *
 * A kernel of columns that have few different values has few different rows, and a polynomial few
 * monomials: both bound its rank. A factor of rank r takes n r values, a triangle n (n + 1) / 2.
 * The number of monomials is relied upon only below the rank at which rls2__operator_build starts
 * to ask whether the factor is worth its while, and beyond which it may prefer the triangle; the
 * number of different rows, of which it knows, up to a third of the rows. */
#include "basis/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "kernel/distinct.h"

enum { CERTAIN_RANK = 7 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What is known of a column. */
typedef struct column {
    int64_t distinct; /* values; 0: it has not been looked at */
    double range;     /* the largest less the smallest */
} column;

static column look_at(int64_t n, const double *x, double *work)
{
    column found = {.distinct = 1};
    memcpy(work, x, (size_t)n * sizeof *work);
    qsort(work, (size_t)n, sizeof *work, ascending);
    for (int64_t i = 1; i < n; i++) found.distinct += work[i] != work[i - 1];
    found.range = work[n - 1] - work[0];
    return found;
}

/* Columns no kernel but a linear one looks at are not counted. */
static void look_at_columns(const rls2_dictionary *dictionary, const rls2_rows *rows,
                            column *columns, double *work)
{
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    for (int64_t k = 0; k < dictionary->m; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        for (int64_t t = 0; t < kernel->column_count && kernel->kind != RLS2__KERNEL_LINEAR; t++) {
            int64_t j = kernel->columns[t];
            if (columns[j].distinct == 0) columns[j] = look_at(rows->n, rows->x + j * ldx, work);
        }
    }
}

/* At most so many rows differ; n where that says nothing. */
static double distinct_rows(const rls2__kernel *kernel, int64_t n, const column *columns)
{
    double product = 1.0;
    for (int64_t t = 0; t < kernel->column_count && product < (double)n; t++)
        product *= (double)columns[kernel->columns[t]].distinct;
    return fmin(product, (double)n);
}

/* Monomials of degree up to that of the polynomial: (columns + degree over degree). */
static double monomials(const rls2__kernel *kernel)
{
    double count = 1.0;
    int degree = (int)kernel->param[0];
    for (int e = 1; e <= degree; e++) count *= (double)(kernel->column_count + e) / (double)e;
    return ceil(count - 0.5); /* a whole number but for rounding */
}

static double triangle_bytes(double n)
{
    return n * (n + 1.0) / 2.0 * (double)sizeof(double);
}

static double factor_bytes(double n, double rank)
{
    return n * rank * (double)sizeof(double);
}

/* What is being counted. */
typedef struct census {
    rls2__outline outline;
    const column *columns;
    double most; /* bytes */
} census;

static void count_factor(census *c, double rank)
{
    c->outline.factors += 1.0;
    c->outline.ranks += rank;
}

static void count_triangle(census *c, const rls2__kernel *kernel)
{
    c->outline.triangles += 1.0;
    c->outline.columns += (double)kernel->column_count;
}

static void add_linear(census *c, const rls2__kernel *kernel)
{
    double n = c->outline.n, columns = (double)kernel->column_count;
    if (kernel->column_count == 1) {
        c->outline.ones += 1.0;
    } else if (columns <= floor(n / 3.0)) {
        count_factor(c, columns);
        c->most += factor_bytes(n, columns);
    } else {
        count_triangle(c, kernel);
        c->most += triangle_bytes(n);
    }
}

/* The Fourier transform of a Gaussian falls below 1e-14 at sqrt(4 gamma ln 1e14), so many waves fit
 * into the range of the column, and a few more. */
static double smooth_rank(const rls2__kernel *kernel, const column *columns)
{
    return ceil(6.0 + 3.3 * columns[kernel->columns[0]].range * sqrt(kernel->param[0]));
}

/* The rank the kernel probably has. */
static double typical_rank(const census *c, const rls2__kernel *kernel, double different)
{
    if (kernel->kind == RLS2__KERNEL_POLY) return fmin(different, monomials(kernel));
    if (kernel->kind == RLS2__KERNEL_RBF && kernel->column_count == 1)
        return fmin(different, smooth_rank(kernel, c->columns));
    return different;
}

/* Pivoted Cholesky gives up where its first columns promise no low rank: that of polynomials of
 * many columns falls late. */
static double rank_reached(const rls2__kernel *kernel, double n)
{
    double share = kernel->kind == RLS2__KERNEL_POLY && kernel->column_count > 1 ? 20.0 : 7.0;
    return fmin(floor(n / 3.0), fmax(n / share, 40.0));
}

static void add_computed(census *c, const rls2__kernel *kernel)
{
    double n = c->outline.n, different = distinct_rows(kernel, (int64_t)n, c->columns),
           worthwhile = floor(n / 3.0);
    double bound =
        kernel->kind == RLS2__KERNEL_POLY ? fmin(different, monomials(kernel)) : different;
    int known = different <= worthwhile && kernel->column_count <= RLS2__DISTINCT_COLUMNS;
    double most = bound <= CERTAIN_RANK && bound <= worthwhile ? bound : known ? different : n;
    c->most += most < n ? factor_bytes(n, most) : triangle_bytes(n);
    double rank = typical_rank(c, kernel, different);
    if (rank <= most && most < n)
        count_factor(c, rank);
    else if (rank <= rank_reached(kernel, n))
        count_factor(c, rank);
    else
        count_triangle(c, kernel);
}

static void add_kernel(census *c, const rls2__kernel *kernel)
{
    c->outline.kernels += 1.0;
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        c->outline.given += 1.0;
    else if (kernel->kind == RLS2__KERNEL_LINEAR)
        add_linear(c, kernel);
    else
        add_computed(c, kernel);
}

/* A column that is not counted has values of its own in every row, as far as is known. */
static double distinct_in_all(const rls2_dictionary *dictionary, const rls2__outline *outline,
                              const column *columns, unsigned char *seen)
{
    double product = outline->given > 0.0 ? outline->n : 1.0;
    for (int64_t k = 0; k < dictionary->m && product < outline->n; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        for (int64_t t = 0; t < kernel->column_count; t++) {
            int64_t j = kernel->columns[t];
            if (!seen[j])
                product *= columns[j].distinct > 0 ? (double)columns[j].distinct : outline->n;
            seen[j] = 1;
        }
    }
    return fmin(product, outline->n);
}

double rls2__outline_bytes(const rls2__outline *outline)
{
    return outline->triangles * triangle_bytes(outline->n) +
           factor_bytes(outline->n, outline->ranks);
}

/* Ranks and different rows hardly grow with the rows, unless these were all different. */
rls2__outline rls2__outline_on(const rls2__outline *outline, double n)
{
    rls2__outline other = *outline;
    other.n = n;
    other.different = outline->different < outline->n ? fmin(outline->different, n) : n;
    return other;
}

rls2_status rls2__forecast(const rls2_dictionary *dictionary, const rls2_rows *rows,
                           rls2_forecast *forecast, rls2__outline *outline)
{
    rls2_status status = RLS2_ERR_MEMORY;
    column *columns = rls2__alloc_zero(dictionary->columns, sizeof *columns);
    unsigned char *seen = rls2__alloc_zero(dictionary->columns, 1);
    double *work = rls2__alloc(rows->n, sizeof *work);
    census c = {.outline.n = (double)rows->n, .columns = columns};
    if (!columns || !seen || !work) goto cleanup;
    look_at_columns(dictionary, rows, columns, work);
    for (int64_t k = 0; k < dictionary->m; k++) add_kernel(&c, &dictionary->kernels[k]);
    c.outline.different = distinct_in_all(dictionary, &c.outline, columns, seen);
    *forecast = (rls2_forecast){.most = c.most, .typical = rls2__outline_bytes(&c.outline)};
    rls2__invariant(forecast->typical >= 0.0 && forecast->typical <= forecast->most);
    if (outline) *outline = c.outline;
    status = RLS2_OK;
cleanup:
    rls2__free(columns);
    rls2__free(seen);
    rls2__free(work);
    return status;
}
