/* Inner products of columns in the place of sums over rows.
 *
 * A part of a prediction is f_k = sum_j a_kj (x_j - c_j), and 2 r - g = 2 y - f - m is a sum of
 * columns of Z = [1 X Y] too, Z u. So are all sums that a tally has: with G = Z'WZ = T'T the sums
 * of 2 r - g with the columns of Z are G u = T'(T u). [MATH.md, V4, V6] */
#include "select/tally_linear.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/path_linear.h"

typedef struct room {
    int64_t p, order, count;
    double *a;     /* p x count: coefficients of the columns at each point */
    double *u;     /* order: 2 r - g in the columns of Z */
    double *image; /* order: T u */
    double *sums;  /* order: G u */
    double *ones;  /* order: sums of the columns */
    void *block;   /* all of these arrays */
} room;

static void lay_out(rls2__layout *layout, void *owner)
{
    room *r = owner;
    r->a = rls2__layout_take(layout, rls2__mul(r->p, r->count), sizeof(double));
    r->u = rls2__layout_take(layout, r->order, sizeof(double));
    r->image = rls2__layout_take(layout, r->order, sizeof(double));
    r->sums = rls2__layout_take(layout, r->order, sizeof(double));
    r->ones = rls2__layout_take(layout, r->order, sizeof(double));
}

/* d_k s_k sum_j c_j x_j, of a column of the t-th kernel of point i. */
static double coefficient(const rls2_path *path, const rls2__path_linear *linear, int64_t i,
                          int64_t t, int64_t column)
{
    const rls2__path_entry *entry = &path->entries[i];
    return entry->d[t] * path->basis->s[entry->ks[t]] *
           linear->sums[i * linear->columns + linear->place[column]];
}

static void find_coefficients(const rls2_path *path, const rls2__path_linear *linear, room *r)
{
    memset(r->a, 0, (size_t)(r->p * r->count) * sizeof *r->a);
    for (int64_t i = 0; i < path->count; i++)
        for (int64_t t = 0; t < path->entries[i].count; t++) {
            const rls2__kernel *kernel = &path->basis->kernels[path->entries[i].ks[t]];
            rls2__invariant(kernel->kind == RLS2__KERNEL_LINEAR);
            for (int64_t j = 0; j < kernel->column_count; j++)
                r->a[i * r->p + kernel->columns[j]] +=
                    coefficient(path, linear, i, t, kernel->columns[j]);
        }
}

/* ---- predictions ---- */

static rls2_status predict(const rls2_path *path, const rls2_rows *rows, const room *r, double *f,
                           rls2_error *err)
{
    int64_t n = rows->n, ldx = rows->ldx ? rows->ldx : n;
    rls2__la_gemm_nn(n, r->p, r->count, 1.0, rows->x, ldx, r->a, r->p, 0.0, f, n);
    for (int64_t t = 0; t < n * r->count; t++) {
        f[t] += path->intercept;
        if (!isfinite(f[t]))
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "row %" PRId64 " is too far out: its value overflows", t % n + 1);
    }
    return RLS2_OK;
}

/* ---- sums ---- */

/* out = T'v, or T v, of an upper triangle */
static void multiply(int64_t k, const double *T, int transposed, const double *v, double *out)
{
    if (!transposed) memset(out, 0, (size_t)k * sizeof *out);
    for (int64_t j = 0; j < k; j++) {
        if (transposed)
            out[j] = rls2__la_dot(j + 1, T + j * k, v);
        else
            rls2__la_axpy(j + 1, v[j], T + j * k, out);
    }
}

/* Of point i: 2 (y + offset) - b - sum_j a_j (x_j - c_j) - m. */
static void lay_rest(const rls2_path *path, const rls2__tally_sums *about, int64_t i, room *r)
{
    const double *a = r->a + i * r->p;
    double shift = 0.0;
    memset(r->u, 0, (size_t)r->order * sizeof *r->u);
    for (int64_t j = 0; j < r->p; j++) {
        r->u[1 + j] = -a[j];
        shift += a[j] * about->centers[j];
    }
    r->u[0] = (about->offset - about->mean) + (about->offset - path->intercept) + shift;
    r->u[1 + r->p + about->output] = 2.0;
}

static void sum_point(const rls2_path *path, const rls2__path_linear *linear,
                      const rls2__tally_sums *about, int64_t i, room *r, rls2__tally *tally)
{
    const rls2__path_entry *entry = &path->entries[i];
    const double *T = about->moments->T;
    lay_rest(path, about, i, r);
    multiply(r->order, T, 0, r->u, r->image);
    multiply(r->order, T, 1, r->image, r->sums);
    tally->rest[i] = r->sums[0];
    for (int64_t t = 0; t < entry->count; t++) {
        const rls2__kernel *kernel = &path->basis->kernels[entry->ks[t]];
        int64_t at = tally->first[i] + t;
        for (int64_t c = 0; c < kernel->column_count; c++) {
            int64_t j = kernel->columns[c];
            double a = coefficient(path, linear, i, t, j), center = about->centers[j];
            tally->product[at] += a * (r->sums[1 + j] - center * r->sums[0]);
            tally->part[at] += a * (r->ones[1 + j] - center * r->ones[0]);
        }
    }
}

static void sum_responses(const rls2__tally_sums *about, rls2__tally *tally)
{
    const rls2__row_triangle *moments = about->moments;
    int64_t k = moments->order, at = 1 + moments->p + about->output;
    const double *T = moments->T, *y = T + at * k;
    double shifted = y[0] + (about->offset - about->mean) * T[0];
    tally->weight = T[0] * T[0];
    tally->response = T[0] * shifted;
    tally->square = shifted * shifted + rls2__la_dot(at, y + 1, y + 1);
}

static rls2_status sum_up(rls2__effort *effort, const rls2_path *path,
                          const rls2__path_linear *linear, const rls2__tally_sums *about, room *r,
                          rls2__tally *tally)
{
    const double *T = about->moments->T;
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < r->order; j++) r->ones[j] = T[0] * T[j * r->order];
    sum_responses(about, tally);
    for (int64_t i = 0; i < path->count && status == RLS2_OK; i++) {
        sum_point(path, linear, about, i, r, tally);
        status = rls2__effort_status(effort);
    }
    return status;
}

static rls2_status work(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                        const rls2__tally_sums *sums, double *f, rls2__tally *tally,
                        rls2_error *err)
{
    rls2__path_linear linear;
    room r = {.p = rows->p, .order = sums->moments->order, .count = path->count};
    rls2_status status = rls2__path_linear_create(effort, path, &linear);
    if (status == RLS2_OK) r.block = rls2__layout_alloc(lay_out, &r);
    if (status == RLS2_OK && !r.block) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        find_coefficients(path, &linear, &r);
        status = sum_up(effort, path, &linear, sums, &r, tally);
    }
    status = rls2__explain(status, "the predictions", err);
    if (status == RLS2_OK) status = predict(path, rows, &r, f, err);
    rls2__free(r.block);
    rls2__path_linear_free(&linear);
    return status;
}

rls2_status rls2__tally_linear(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                               const rls2__tally_sums *sums, double *f, rls2__tally **tally,
                               rls2_error *err)
{
    rls2__tally *made = rls2__tally_of_path(path);
    if (!made) return rls2__fail_memory(err, "the shares of the kernels");
    rls2__invariant(path->basis->rows.p == rows->p && sums->moments->p == rows->p);
    rls2_status status = rls2__la_enter(err);
    if (status == RLS2_OK) {
        status = work(effort, path, rows, sums, f, made, err);
        rls2__la_leave();
    }
    if (status == RLS2_OK)
        *tally = made;
    else
        rls2__tally_free(made);
    return status;
}
