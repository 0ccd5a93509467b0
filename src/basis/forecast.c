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

static int64_t count_distinct(int64_t n, const double *x, double *work)
{
    int64_t count = 1;
    memcpy(work, x, (size_t)n * sizeof *work);
    qsort(work, (size_t)n, sizeof *work, ascending);
    for (int64_t i = 1; i < n; i++) count += work[i] != work[i - 1];
    return count;
}

/* Columns no kernel but a linear one looks at are not counted. */
static void count_columns(const rls2_dictionary *dictionary, const rls2_rows *rows,
                          int64_t *distinct, double *work)
{
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    for (int64_t k = 0; k < dictionary->m; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        for (int64_t t = 0; t < kernel->column_count && kernel->kind != RLS2__KERNEL_LINEAR; t++) {
            int64_t j = kernel->columns[t];
            if (distinct[j] == 0) distinct[j] = count_distinct(rows->n, rows->x + j * ldx, work);
        }
    }
}

/* At most so many rows differ; n where that says nothing. */
static double distinct_rows(const rls2__kernel *kernel, int64_t n, const int64_t *distinct)
{
    double product = 1.0;
    for (int64_t t = 0; t < kernel->column_count && product < (double)n; t++)
        product *= (double)distinct[kernel->columns[t]];
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
    const int64_t *distinct; /* values of each column */
    double most;             /* bytes */
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

static void add_computed(census *c, const rls2__kernel *kernel)
{
    double n = c->outline.n, different = distinct_rows(kernel, (int64_t)n, c->distinct),
           worthwhile = floor(n / 3.0);
    double rank =
        kernel->kind == RLS2__KERNEL_POLY ? fmin(different, monomials(kernel)) : different;
    int known = different <= worthwhile && kernel->column_count <= RLS2__DISTINCT_COLUMNS;
    double most = rank <= CERTAIN_RANK && rank <= worthwhile ? rank : known ? different : n;
    c->most += most < n ? factor_bytes(n, most) : triangle_bytes(n);
    if (kernel->kind == RLS2__KERNEL_RBF && kernel->column_count == 1)
        rank = fmin(rank, (double)RLS2_TYPICAL_RANK);
    if (rank <= worthwhile)
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
                              const int64_t *distinct, unsigned char *seen)
{
    double product = outline->given > 0.0 ? outline->n : 1.0;
    for (int64_t k = 0; k < dictionary->m && product < outline->n; k++) {
        const rls2__kernel *kernel = &dictionary->kernels[k];
        for (int64_t t = 0; t < kernel->column_count; t++) {
            int64_t j = kernel->columns[t];
            if (!seen[j]) product *= distinct[j] > 0 ? (double)distinct[j] : outline->n;
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
    int64_t *distinct = rls2__alloc_zero(dictionary->columns, sizeof *distinct);
    unsigned char *seen = rls2__alloc_zero(dictionary->columns, 1);
    double *work = rls2__alloc(rows->n, sizeof *work);
    census c = {.outline.n = (double)rows->n, .distinct = distinct};
    if (!distinct || !seen || !work) goto cleanup;
    count_columns(dictionary, rows, distinct, work);
    for (int64_t k = 0; k < dictionary->m; k++) add_kernel(&c, &dictionary->kernels[k]);
    c.outline.different = distinct_in_all(dictionary, &c.outline, distinct, seen);
    *forecast = (rls2_forecast){.most = c.most, .typical = rls2__outline_bytes(&c.outline)};
    rls2__invariant(forecast->typical >= 0.0 && forecast->typical <= forecast->most);
    if (outline) *outline = c.outline;
    status = RLS2_OK;
cleanup:
    rls2__free(distinct);
    rls2__free(seen);
    rls2__free(work);
    return status;
}
