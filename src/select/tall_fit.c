/* Makes virtual rows, kernels and paths from counts. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "select/tall.h"
#include "solver/path_outputs.h"

void rls2__tall_fit_release(rls2__tall_fit *fit)
{
    for (int64_t o = 0; fit->paths && o < fit->outputs; o++) rls2_path_free(fit->paths[o]);
    rls2__free(fit->paths);
    rls2__free(fit->bases);
    rls2__free(fit->y);
    rls2_basis_free(fit->basis);
    rls2__virtual_free(fit->rows);
    rls2__moments_release(&fit->moments);
    *fit = (rls2__tall_fit){0};
}

static rls2_status make_rows(const rls2__tall_from *from, int64_t left_out, rls2__tall_fit *fit)
{
    static const double zero[1] = {0.0};
    double *means = NULL;
    rls2__which_parts which = {.part = left_out, .all_but = 1};
    if (from->intercept == RLS2_INTERCEPT_NONE && fit->outputs > 1) {
        means = rls2__alloc_zero(fit->outputs, sizeof *means);
        if (!means) return RLS2_ERR_MEMORY;
    }
    if (from->intercept == RLS2_INTERCEPT_NONE) which.means = means ? means : zero;
    rls2_status status = rls2__moments_create(from->counts, which, &fit->moments);
    if (status == RLS2_OK)
        status = rls2__virtual_create(from->counts->axes, &fit->moments, &fit->rows);
    rls2__free(means);
    return status;
}

rls2_status rls2__tall_fit_create(rls2__effort *effort, const rls2__tall_from *from,
                                  int64_t left_out, rls2__tall_fit *fit, rls2_error *err)
{
    *fit = (rls2__tall_fit){.outputs = from->counts->outputs};
    if (make_rows(from, left_out, fit) != RLS2_OK) return rls2__fail_memory(err, "the counts");
    rls2_status status =
        rls2__virtual_basis(effort, fit->rows, from->dictionary, from->basis, &fit->basis, err);
    if (status != RLS2_OK) return status;
    fit->y = rls2__alloc(rls2__mul(fit->basis->n, fit->outputs), sizeof *fit->y);
    fit->bases = rls2__alloc(fit->outputs, sizeof(rls2_basis *));
    if (!fit->y || !fit->bases) return rls2__fail_memory(err, "the responses");
    for (int64_t o = 0; o < fit->outputs; o++) {
        fit->bases[o] = fit->basis;
        rls2__virtual_response(fit->rows, o, fit->y + o * fit->basis->n);
    }
    return RLS2_OK;
}

rls2_status rls2__tall_fit_extend(const rls2__paths_job *job, rls2__tall_fit *fit, rls2_error *err)
{
    rls2__paths_job own = *job;
    rls2_path_options options = *job->options;
    options.intercept = RLS2_INTERCEPT_NONE; /* it is taken off the responses */
    own.options = &options;
    own.outputs = fit->outputs;
    own.bases = fit->bases;
    own.y = fit->y;
    if (!fit->paths) fit->paths = rls2__alloc_zero(fit->outputs, sizeof(rls2_path *));
    if (!fit->paths) return rls2__fail_memory(err, "the paths");
    rls2_status status = rls2__check_lambdas(own.count, own.lambdas, &options, err);
    if (status == RLS2_OK) status = rls2__check_outputs(own.outputs, own.bases, own.y, err);
    return status == RLS2_OK ? rls2__paths_fit(&own, fit->paths, err) : status;
}

double rls2__tall_intercept(const rls2__tall_fit *fit, int64_t o)
{
    return fit->moments.mean[o];
}

/* ---- what a fit says at the points ---- */

/* out[u] += scale K alpha, of a kernel on an axis. */
static void add_on_axis(const rls2__tall_fit *fit, const rls2__kernel *kernel, int64_t a,
                        double scale, const double *alpha, double *column, double *out)
{
    const rls2__virtual *rows = fit->rows;
    int64_t u = rows->axes->all[a].count;
    const rls2_rows points = {.n = u, .p = rows->axes->columns, .x = rows->x, .ldx = rows->height};
    for (int64_t g = 0; g < u; g++) {
        rls2__kernel_column(kernel, &points, &points, g, column);
        rls2__la_axpy(u, scale * alpha[g], column, out);
    }
}

/* A linear kernel: the coefficient of a column is the sum of alpha times its values. */
static void add_linear(const rls2__tall_fit *fit, const rls2__kernel *kernel, double scale,
                       const double *alpha, double *out)
{
    const rls2__virtual *rows = fit->rows;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int64_t a = rows->axes->of[kernel->columns[t]], first = rows->axes->first[a];
        int64_t u = rows->axes->all[a].count;
        const double *x = rows->x + kernel->columns[t] * rows->height;
        rls2__la_axpy(u, scale * rls2__la_dot(u, alpha + first, x), x, out + first);
    }
}

static void add_kernel(const rls2__tall_fit *fit, int64_t k, double d, const double *alpha,
                       double *column, double *out)
{
    const rls2__kernel *kernel = &fit->basis->kernels[k];
    const rls2__feature_block *block = rls2__features_of(fit->moments.features, k);
    int64_t a = rls2__kernel_axis(fit->rows->axes, kernel), first;
    double scale = d * fit->basis->s[k];
    if (kernel->kind == RLS2__KERNEL_LINEAR) {
        add_linear(fit, kernel, scale, alpha, out);
    } else if (block) {
        first = rls2__axes_points(fit->rows->axes) + block->first;
        rls2__la_axpy(block->count, scale, alpha + first, out + first);
    } else {
        first = fit->rows->axes->first[a];
        add_on_axis(fit, kernel, a, scale, alpha + first, column, out + first);
    }
}

rls2_status rls2__tall_values(const rls2__tall_fit *fit, int64_t o, int64_t i, double *f,
                              double *parts)
{
    int64_t D = fit->moments.points;
    const rls2__path_entry *entry = &fit->paths[o]->entries[i];
    double *alpha = rls2__alloc(rls2__mul(2, D), sizeof *alpha);
    if (!alpha) return RLS2_ERR_MEMORY;
    rls2__virtual_coefficients(fit->rows, entry->c, alpha);
    memset(f, 0, (size_t)D * sizeof *f);
    for (int64_t t = 0; t < entry->count; t++) {
        double *part = parts ? parts + t * D : f;
        if (parts) memset(part, 0, (size_t)D * sizeof *part);
        add_kernel(fit, entry->ks[t], entry->d[t], alpha, alpha + D, part);
        if (parts) rls2__la_axpy(D, 1.0, part, f);
    }
    rls2__free(alpha);
    return RLS2_OK;
}

/* ---- what is told of a fit ---- */

/* Sum over the rows of products of two functions on the points, less that of their means; `image`
 * is N times the second. */
static double covariance(const rls2__moments *moments, const double *a, const double *b,
                         const double *image)
{
    int64_t D = moments->points;
    double sums = rls2__la_dot(D, a, moments->mass) * rls2__la_dot(D, b, moments->mass);
    return rls2__la_dot(D, a, image) - sums / moments->weight;
}

rls2_status rls2__tall_shares(const rls2__tall_fit *fit, int64_t o, int64_t i, double *shares)
{
    const rls2__moments *moments = &fit->moments;
    int64_t D = moments->points, count = fit->paths[o]->entries[i].count;
    double *f = rls2__alloc(rls2__mul(D, count + 2), sizeof *f);
    if (!f) return RLS2_ERR_MEMORY;
    double *image = f + D, *parts = image + D;
    rls2_status status = rls2__tall_values(fit, o, i, f, parts);
    if (status == RLS2_OK) {
        rls2__la_symv(D, 1.0, moments->N, D, f, image);
        double all = covariance(moments, f, f, image), size = rls2__la_dot(D, f, image);
        int constant = !(all > 1e-14 * size); /* rounding alone */
        for (int64_t k = 0; k < count; k++)
            shares[k] = constant ? 0.0 : covariance(moments, parts + k * D, f, image) / all;
    }
    rls2__free(f);
    return status;
}

int rls2__tall_is_exact(const rls2__tall_fit *fit)
{
    const rls2__axes *axes = fit->rows->axes;
    if (fit->moments.is_rounded || !fit->moments.is_exact) return 0;
    for (int64_t k = 0; k < fit->basis->m; k++) {
        const rls2__kernel *kernel = &fit->basis->kernels[k];
        if (kernel->kind != RLS2__KERNEL_LINEAR && rls2__kernel_axis(axes, kernel) < 0) return 0;
    }
    return 1;
}
