/* Distances between features of rows and what stands for them, summed from counts. */
#include "basis/apart.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "kernel/feature_distance.h"

/* ---- cells ---- */

/* The places 0 .. RLS2__SHARES between two knots, and room for one more. */
typedef struct cell {
    rls2__kernel kernel; /* that looks at the columns of the axis, counted from 0 */
    rls2_rows rows;      /* RLS2__SHARES + 2 */
    double *x;
    int64_t *columns;
} cell;

enum { PLACES = RLS2__SHARES + 2 };

static rls2_status cell_create(const rls2__axis *axis, const rls2__kernel *kernel, cell *c)
{
    *c = (cell){.kernel = *kernel};
    c->columns = rls2__alloc(kernel->column_count, sizeof *c->columns);
    c->x = rls2__alloc(rls2__mul(PLACES, axis->width), sizeof *c->x);
    if (!c->columns || !c->x) return RLS2_ERR_MEMORY;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        c->columns[t] = 0;
        while (axis->columns[c->columns[t]] != kernel->columns[t]) c->columns[t]++;
    }
    c->kernel.columns = c->columns;
    c->rows = (rls2_rows){.n = PLACES, .p = axis->width, .x = c->x};
    return RLS2_OK;
}

static void cell_release(cell *c)
{
    rls2__free(c->columns);
    rls2__free(c->x);
}

/* Between knots g and g + 1. */
static void cell_fill(const rls2__axis *axis, int64_t g, cell *c)
{
    const double *from = axis->points + g * axis->width, *to = from + axis->width;
    for (int64_t v = 0; v < axis->width; v++)
        for (int t = 0; t < PLACES; t++) {
            double share = (double)(t <= RLS2__SHARES ? t : 0) / RLS2__SHARES;
            c->x[v * PLACES + t] = (1.0 - share) * from[v] + share * to[v];
        }
}

/* The largest of all places t of |phi(x) - (1 - t) phi(from) - t phi(to)|^2, and of that divided by
 * t (1 - t); by distances in the space of features, as the coefficients sum to zero. */
typedef struct bent {
    double most, most_by_share;
} bent;

static bent bend(const cell *c)
{
    bent all = {0.0, 0.0};
    double across = rls2__feature_distance(&c->kernel, &c->rows, 0, &c->rows, RLS2__SHARES);
    for (int t = 1; t < RLS2__SHARES; t++) {
        double share = (double)t / RLS2__SHARES, product = share * (1.0 - share);
        double a = rls2__feature_distance(&c->kernel, &c->rows, t, &c->rows, 0),
               b = rls2__feature_distance(&c->kernel, &c->rows, t, &c->rows, RLS2__SHARES);
        double rounding = 32.0 * DBL_EPSILON * (a + b + across);
        double squared = fmax((1.0 - share) * a + share * b - product * across, 0.0) + rounding;
        all.most = fmax(all.most, squared);
        all.most_by_share = fmax(all.most_by_share, squared / product);
    }
    return all;
}

/* |phi(x) - phi(z)|^2 of two numbers of the cell that are half a share apart, at most: shares are
 * rounded. It depends on the difference alone, or grows towards the end that is farthest from zero
 * (polynomials) or the upper one (splines). */
static double blur(const rls2__axis *axis, int64_t g, const rls2__kernel *kernel, cell *c)
{
    double from = axis->points[g * axis->width], to = axis->points[(g + 1) * axis->width];
    double far = kernel->kind == RLS2__KERNEL_SPLINE ? to : fmax(fabs(from), fabs(to));
    c->x[0] = far;
    c->x[PLACES - 1] = far - 0.5 * (to - from) / RLS2__SHARES;
    if (kernel->kind == RLS2__KERNEL_DELTA) c->x[PLACES - 1] = far - 1.0 - fabs(far);
    return rls2__feature_distance(&c->kernel, &c->rows, 0, &c->rows, PLACES - 1);
}

/* ---- kernels ---- */

/* Sums over rows of both, as lengths: what was moved is at most the square of their sum. Of the
 * rows in a cell counts have the sum of t (1 - t); and they are no more than the shares at its
 * ends. */
static rls2_status on_axis(const rls2__virtual *it, int64_t a, const rls2__kernel *kernel,
                           rls2__apart *apart)
{
    const rls2__axis *axis = &it->axes->all[a];
    const rls2__moments *moments = it->moments;
    const double *mass = moments->mass + it->axes->first[a];
    int linear = kernel->kind == RLS2__KERNEL_LINEAR;
    double bends = 0.0, blurs = 0.0, before = 0.0, bent_before = 0.0;
    cell c;
    rls2_status status = cell_create(axis, kernel, &c);
    for (int64_t g = 0; g + 1 < axis->knots && status == RLS2_OK; g++) {
        int64_t at = it->axes->first[a] + g;
        double both = moments->N[at * moments->points + at + 1]; /* sum of t (1 - t) */
        cell_fill(axis, g, &c);
        bent in_cell = both > 0.0 && !linear ? bend(&c) : (bent){0.0, 0.0};
        if (both * in_cell.most_by_share <= 0.5 * in_cell.most * (mass[g] + mass[g + 1])) {
            bends += both * in_cell.most_by_share;
            in_cell.most = 0.0;
        }
        double here = blur(axis, g, kernel, &c);
        blurs += mass[g] * fmax(before, here);
        bends += mass[g] * fmax(bent_before, in_cell.most);
        before = here;
        bent_before = in_cell.most;
    }
    if (axis->knots > 0) {
        blurs += mass[axis->knots - 1] * before;
        bends += mass[axis->knots - 1] * bent_before;
    }
    cell_release(&c);
    apart->moved += (sqrt(bends) + sqrt(blurs)) * (sqrt(bends) + sqrt(blurs));
    apart->rounded += blurs;
    return status;
}

/* A linear kernel of several columns is the sum of those of its columns. */
static rls2_status linear(const rls2__virtual *it, const rls2__kernel *kernel,
                          const unsigned char *is_exact, rls2__apart *apart)
{
    rls2_status status = RLS2_OK;
    for (int64_t t = 0; t < kernel->column_count && status == RLS2_OK; t++) {
        int64_t column = kernel->columns[t], a = it->axes->of[column];
        rls2__kernel one = *kernel;
        one.column_count = 1;
        one.columns = &column;
        if (is_exact[a] || column != it->axes->all[a].columns[0]) continue;
        status = on_axis(it, a, &one, apart);
    }
    return status;
}

/* Features are rounded to integers of their unit. */
static void on_features(const rls2__moments *moments, const rls2__feature_block *block,
                        rls2__apart *apart)
{
    int64_t b = block - moments->features->all;
    double rounding = 0.25 * block->unit * block->unit * (double)block->count * moments->weight;
    apart->moved = apart->rounded = rounding;
    apart->left_out =
        fmax(moments->left_out[b], 0.0) + 2.0 * sqrt(rounding * moments->trace[b]) + rounding;
}

static rls2_status find(const rls2__virtual *it, const rls2__kernel *kernel, int64_t k,
                        const unsigned char *is_exact, rls2__apart *apart)
{
    const rls2__feature_block *block = rls2__features_of(it->moments->features, k);
    int64_t a = rls2__kernel_axis(it->axes, kernel);
    if (kernel->kind == RLS2__KERNEL_LINEAR) return linear(it, kernel, is_exact, apart);
    if (a >= 0 && is_exact[a]) return RLS2_OK;
    if (a >= 0) return on_axis(it, a, kernel, apart);
    if (block) on_features(it->moments, block, apart);
    return RLS2_OK;
}

rls2_status rls2__virtual_apart(const rls2__virtual *it, const rls2_basis *basis,
                                const unsigned char *is_exact, rls2__apart *apart)
{
    rls2_status status = RLS2_OK;
    for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++) {
        apart[k] = (rls2__apart){0.0, 0.0, 0.0};
        if (basis->s[k] == 0.0) continue; /* none of the problem's */
        status = find(it, &basis->kernels[k], k, is_exact, &apart[k]);
        apart[k].moved *= basis->s[k];
        apart[k].rounded *= basis->s[k];
        apart[k].left_out *= basis->s[k];
    }
    return status;
}
