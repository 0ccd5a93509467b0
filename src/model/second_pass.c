/* What a compact model is worth on the rows themselves.  [MATH.md, G2]
 *
 * f lies in the span of kernels at its points, so that both parts of the objective are what they
 * are by definition,
 *
 *   primal = 1/2 sum_i w_i r_i^2 + lambda/2 sum_k d_k s_k a'K_k a,     r = y - f,
 *
 * a being the coefficients at the points of the block of k. Every c gives a lower bound of the
 * least objective of all f; the one taken is c_i = w_i r_i, times the best number t:
 *
 *   max_t dual(t c) = lambda/2 (y'c)^2 / (lambda sum_i c_i^2 / w_i + max_k q_k),
 *   q_k = s_k |sum_i c_i phi_k(x_i)|^2.
 *
 * Rows are too many for all pairs of them. With Q the projection on the span of phi_k at some rows,
 * the pivots, q_k / s_k = |sum_i c_i Q phi_k(x_i)|^2 + |sum_i c_i (1 - Q) phi_k(x_i)|^2, of which
 * the first is computed and the second at most (sum_i |c_i| e_i)^2, e_i^2 = K(x_i, x_i) -
 * |Q phi_k(x_i)|^2. With pivots among the rows, and all values of columns that have few among them,
 * that is little; whatever the pivots are, it is a bound (up to rounding, which is allowed for in
 * e_i).
 *
 * Kernels of blocks that are interpolated are so here too: phi_k(x) is (1 - t) phi_k(x_g) + t
 * phi_k(x_h) between two knots. f is what the model says and lies in the span of these, norms at
 * the points are what they were, and sum_i c_i phi_k(x_i) is a sum over the points, v_g
 * phi_k(x_g), so that q_k = s_k v'K_k v needs no bound, but for rows beyond the ends, where
 * |phi_k| is K(x, x)^1/2. Objective and bound are those of functions that are linear between
 * these knots. */
#include "model/second_pass.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/compact.h"
#include "model/knots.h"

enum { SAMPLE = 4096, PIVOTS = 400, CHUNK = 256 };

/* Beyond this share of the largest K(x, x) another pivot says nothing that is not rounding. */
static const double NOTHING_LEFT = 1e-11;

/* ---- one kernel ---- */

typedef struct pass {
    rls2__effort *effort;
    const rls2_model *model;
    const rls2_rows *rows;
    const double *c;
    double *q; /* kernels: bounds of q_k */
    atomic_int out_of_memory;
} pass;

/* Room for one kernel: rank pivots, rows of the data; L is their triangle, row by row. */
typedef struct room {
    int64_t pivots[PIVOTS];
    int64_t rank;
    double *L;        /* PIVOTS x PIVOTS */
    double *values;   /* PIVOTS x CHUNK */
    double *sum;      /* PIVOTS */
    double *F;        /* SAMPLE x PIVOTS */
    double *left;     /* SAMPLE */
    int64_t *numbers; /* SAMPLE */
    double *column;   /* SAMPLE */
    double diagonal[CHUNK];
    void *block;
} room;

static void lay_out(rls2__layout *layout, void *owner)
{
    room *r = owner;
    r->L = rls2__layout_take(layout, (int64_t)PIVOTS * PIVOTS, sizeof(double));
    r->values = rls2__layout_take(layout, (int64_t)PIVOTS * CHUNK, sizeof(double));
    r->sum = rls2__layout_take(layout, PIVOTS, sizeof(double));
    r->F = rls2__layout_take(layout, (int64_t)SAMPLE * PIVOTS, sizeof(double));
    r->left = rls2__layout_take(layout, SAMPLE, sizeof(double));
    r->numbers = rls2__layout_take(layout, SAMPLE, sizeof(int64_t));
    r->column = rls2__layout_take(layout, SAMPLE, sizeof(double));
}

/* K(x_i, x_j) of one pair of rows. */
static double value(const rls2__kernel *kernel, const rls2_rows *rows, int64_t i, int64_t j)
{
    double one;
    rls2__kernel_column_part(kernel, rows, i, 1, rows, j, &one);
    return one;
}

/* Pivoted Cholesky of the kernel on rows spread over all. */
static void find_pivots(const pass *at, const rls2__kernel *kernel, room *r)
{
    int64_t n = at->rows->n, count = n < SAMPLE ? n : SAMPLE;
    double largest = 0.0;
    for (int64_t t = 0; t < count; t++) {
        r->numbers[t] = (int64_t)((double)t * (double)n / (double)count);
        rls2__kernel_diagonal_part(kernel, at->rows, r->numbers[t], 1, &r->left[t]);
        largest = fmax(largest, r->left[t]);
    }
    for (r->rank = 0; r->rank < PIVOTS && r->rank < count; r->rank++) {
        int64_t best = 0, j = r->rank;
        for (int64_t t = 1; t < count; t++)
            if (r->left[t] > r->left[best]) best = t;
        if (!(r->left[best] > NOTHING_LEFT * largest) || rls2__effort_stopped(at->effort)) return;
        double root = sqrt(r->left[best]), *f = r->F + j * SAMPLE;
        r->pivots[j] = r->numbers[best];
        for (int64_t t = 0; t < count; t++)
            f[t] = value(kernel, at->rows, r->numbers[t], r->pivots[j]);
        for (int64_t l = 0; l < j; l++) {
            double factor = r->F[l * SAMPLE + best];
            r->L[j * PIVOTS + l] = factor;
            for (int64_t t = 0; t < count; t++) f[t] -= factor * r->F[l * SAMPLE + t];
        }
        r->L[j * PIVOTS + j] = root;
        for (int64_t t = 0; t < count; t++) {
            f[t] /= root;
            r->left[t] = fmax(r->left[t] - f[t] * f[t], 0.0);
        }
        r->left[best] = 0.0;
    }
}

/* Adds some rows to the sums of c times their projections, and to that of what these leave out. */
static void add_rows(const pass *at, const rls2__kernel *kernel, room *r, int64_t first,
                     int64_t count, double *rest)
{
    double *diagonal = r->diagonal;
    const double *c = at->c + first;
    double slack = (4.0 * (double)r->rank + 8.0) * 0x1p-52;
    rls2__kernel_diagonal_part(kernel, at->rows, first, count, diagonal);
    double left[CHUNK];
    for (int64_t i = 0; i < count; i++) left[i] = diagonal[i] * (1.0 + slack);
    for (int64_t j = 0; j < r->rank; j++) {
        double *t = r->values + j * CHUNK, root = r->L[j * PIVOTS + j];
        rls2__kernel_column_part(kernel, at->rows, first, count, at->rows, r->pivots[j], t);
        for (int64_t l = 0; l < j; l++) {
            double factor = r->L[j * PIVOTS + l];
            const double *before = r->values + l * CHUNK;
            for (int64_t i = 0; i < count; i++) t[i] -= factor * before[i];
        }
        for (int64_t i = 0; i < count; i++) {
            t[i] /= root;
            left[i] -= t[i] * t[i];
            r->sum[j] += c[i] * t[i];
        }
    }
    for (int64_t i = 0; i < count; i++)
        *rest += fabs(c[i]) * sqrt(fmax(left[i], slack * diagonal[i]));
}

static double linear_q(const pass *at, const rls2__kernel *kernel)
{
    int64_t n = at->rows->n, step = at->rows->ldx ? at->rows->ldx : n;
    double q = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = at->rows->x + kernel->columns[t] * step;
        long double sum = 0.0L;
        for (int64_t i = 0; i < n; i++) sum += (long double)x[i] * at->c[i];
        q += (double)(sum * sum);
    }
    return q;
}

/* ---- one that is interpolated ---- */

/* A kernel on the rows, and the same on the points. */
typedef struct interpolated {
    rls2__ruler ruler;
    rls2__kernel rows, points;
    rls2_rows at; /* points, in the columns in use */
    int64_t columns[2];
} interpolated;

/* 0 where the kernel is not interpolated, or the model does not keep what it looks at. */
static int find_interpolated(const pass *at, int64_t k, interpolated *it)
{
    const rls2_model *model = at->model;
    int64_t block = model->compact->block_of[k];
    it->rows = it->points = model->dictionary->kernels[k];
    if (block < 0 || !rls2__ruler_make(model, block, &it->ruler)) return 0;
    if (it->rows.column_count > 2 || it->rows.column_count < 1) return 0;
    for (int64_t t = 0; t < it->rows.column_count; t++) {
        int64_t j = 0;
        while (j < model->used_count && model->used[j] != it->rows.columns[t]) j++;
        if (j == model->used_count) return 0;
        it->columns[t] = j;
    }
    it->points.columns = it->columns;
    it->at = model->rows;
    it->at.n = it->ruler.count;
    it->at.x = model->x + model->compact->blocks[block].about.first;
    it->at.given_count = 0;
    rls2__kernel_fit(&it->points, &it->at);
    it->rows = it->points;
    it->rows.columns = model->dictionary->kernels[k].columns;
    return 1;
}

/* v_g = sum_i c_i times the share of row i at point g; returns sum_i |c_i| K(x_i, x_i)^1/2 of those
 * that lie at none. */
static double gather(const pass *at, const interpolated *it, double *v)
{
    double place[CHUNK], rest = 0.0;
    const rls2__ruler *ruler = &it->ruler;
    int64_t n = at->rows->n, ldx = at->rows->ldx ? at->rows->ldx : n;
    const double *number = at->rows->x + at->model->used[ruler->number] * ldx;
    const double *flag = ruler->flag < 0 ? NULL : at->rows->x + at->model->used[ruler->flag] * ldx;
    for (int64_t first = 0; first < n && !rls2__effort_stopped(at->effort); first += CHUNK) {
        int64_t count = n - first < CHUNK ? n - first : CHUNK;
        rls2__ruler_place(ruler, count, number + first, flag ? flag + first : NULL, place);
        for (int64_t i = 0; i < count; i++) {
            double c = at->c[first + i], own;
            int64_t g = (int64_t)place[i];
            if (place[i] < 0.0) {
                rls2__kernel_diagonal_part(&it->rows, at->rows, first + i, 1, &own);
                rest += fabs(c) * sqrt(fmax(own, 0.0));
                continue;
            }
            double share = place[i] - (double)g;
            v[g] += c * (1.0 - share);
            if (share > 0.0) v[g + 1] += c * share;
        }
    }
    return rest;
}

/* The bound, but for s_k. RLS2_ERR_MEMORY or OK. */
static rls2_status interpolated_q(const pass *at, const interpolated *it, double *q)
{
    int64_t count = it->ruler.count;
    double *v = rls2__alloc_zero(2 * count, sizeof *v), *column = v + count;
    long double sum = 0.0L;
    if (!v) return RLS2_ERR_MEMORY;
    double rest = gather(at, it, v);
    for (int64_t j = 0; j < count && !rls2__effort_stopped(at->effort); j++) {
        long double product = 0.0L;
        rls2__kernel_column(&it->points, &it->at, &it->at, j, column);
        for (int64_t g = 0; g < count; g++) product += (long double)column[g] * v[g];
        sum += product * v[j];
    }
    double part = fmax((double)sum, 0.0);
    *q = rest > 0.0 ? (sqrt(part) + rest) * (sqrt(part) + rest) : part;
    rls2__free(v);
    return RLS2_OK;
}

static void bound_interpolated(pass *at, int64_t k, const interpolated *it)
{
    double q;
    if (interpolated_q(at, it, &q) != RLS2_OK) {
        atomic_store(&at->out_of_memory, 1);
        return;
    }
    at->q[k] = at->model->scales[k] * q;
}

/* ---- any ---- */

static void bound_kernel(void *user, int64_t k, int thread)
{
    pass *at = user;
    rls2__kernel kernel = at->model->dictionary->kernels[k];
    double s = at->model->scales[k], rest = 0.0, found = 0.0;
    room r = {.rank = 0};
    (void)thread;
    if (s == 0.0) return; /* none of the problem's */
    if (kernel.kind == RLS2__KERNEL_LINEAR) {
        at->q[k] = s * linear_q(at, &kernel);
        return;
    }
    interpolated it;
    if (find_interpolated(at, k, &it)) {
        bound_interpolated(at, k, &it);
        return;
    }
    r.block = rls2__layout_alloc(lay_out, &r);
    if (!r.block) {
        atomic_store(&at->out_of_memory, 1);
        return;
    }
    rls2__kernel_fit(&kernel, at->rows);
    find_pivots(at, &kernel, &r);
    memset(r.sum, 0, sizeof(double) * PIVOTS);
    for (int64_t first = 0; first < at->rows->n && !rls2__effort_stopped(at->effort);
         first += CHUNK) {
        int64_t left = at->rows->n - first;
        add_rows(at, &kernel, &r, first, left < CHUNK ? left : CHUNK, &rest);
    }
    for (int64_t j = 0; j < r.rank; j++) found += r.sum[j] * r.sum[j];
    at->q[k] = s * (found + rest * rest);
    rls2__free(r.block);
}

/* ---- all of them ---- */

/* sum_k d_k s_k a'K_k a. RLS2_ERR_MEMORY or OK. */
static rls2_status squared_norm(const rls2_model *model, long double *norm)
{
    double *column = rls2__alloc(model->n, sizeof *column);
    long double sum = 0.0L;
    if (!column) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < model->size; k++) {
        rls2__expansion at = rls2__model_expansion(model, k, model);
        for (int64_t j = 0; j < at.rows.n; j++) {
            long double product = 0.0L;
            if (at.c[j] == 0.0) continue;
            rls2__kernel_column(&model->kernels[k], &at.rows, &at.rows, j, column);
            for (int64_t i = 0; i < at.rows.n; i++) product += (long double)column[i] * at.c[i];
            sum += (long double)(model->d[k] * model->s[k]) * at.c[j] * product;
        }
    }
    rls2__free(column);
    *norm = sum;
    return RLS2_OK;
}

/* ---- the response ---- */

/* z = y less the intercept as it was before it was rounded: where y is far from zero, that rounding
 * may be all there is between y and f. Where the mean of y - b is more than a unit of b in its last
 * place, it is no rounding: there is no intercept, or they are other rows. */
static void find_response(const rls2_model *model, int64_t n, const double *y, const double *w,
                          double *z)
{
    long double sum = 0.0L, weight = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        z[i] = y[i] - model->intercept;
        sum += (w ? w[i] : 1.0) * (long double)z[i];
        weight += w ? w[i] : 1.0;
    }
    long double rest = sum / weight;
    if (!(fabsl(rest) <= 0x1p-52L * fabsl((long double)model->intercept))) return;
    for (int64_t i = 0; i < n; i++) z[i] = (double)((long double)y[i] - model->intercept - rest);
}

/* c = w (z - f), times the power of two that makes its largest value about 1: so squares neither
 * overflow nor underflow, and the bound is the same for every multiple of c. */
static void find_c(int64_t n, const double *z, const double *w, const double *f, double *c)
{
    double largest = 0.0;
    int exponent = 0;
    for (int64_t i = 0; i < n; i++) {
        c[i] = (w ? w[i] : 1.0) * (z[i] - f[i]);
        largest = fmax(largest, fabs(c[i]));
    }
    if (!(largest > 0.0 && isfinite(largest))) return;
    frexp(largest, &exponent);
    for (int64_t i = 0; i < n; i++) c[i] = ldexp(c[i], -exponent);
}

static void conclude(const pass *at, const double *z, const double *w, const double *f,
                     long double norm, rls2_certificate *certificate)
{
    long double lambda = at->model->point.lambda, largest = 0.0L, length = 0.0L;
    long double fit = 0.0L, yc = 0.0L, cc = 0.0L, weights = 0.0L;
    for (int64_t i = 0; i < at->rows->n; i++) {
        long double r = (long double)z[i] - f[i], weight = w ? w[i] : 1.0;
        fit += weight * r * r;
        yc += (long double)z[i] * at->c[i];
        cc += (long double)at->c[i] * at->c[i] / weight;
        length += weight * r * at->c[i];
        weights += weight;
    }
    for (int64_t k = 0; k < at->model->dictionary->m; k++) {
        if (!(at->q[k] > largest)) continue;
        largest = at->q[k];
        certificate->max_kernel = k;
    }
    long double primal = 0.5L * fit + 0.5L * lambda * norm, curve = lambda * cc + largest;
    long double dual = curve > 0.0L ? 0.5L * lambda * yc * yc / curve : 0.0L;
    long double unit = length > 0.0L ? fit / (lambda * length) : 0.0L; /* c is that times its own */
    certificate->primal = (double)primal;
    certificate->dual = (double)dual;
    certificate->gap = (double)fmaxl(primal - dual, 0.0L);
    certificate->relative_gap =
        dual > 0.0L ? (double)(fmaxl(primal - dual, 0.0L) / dual) : (double)HUGE_VAL;
    certificate->max_q = (double)(unit * unit * largest);
    certificate->mean_square = (double)(fit / weights);
    if (primal == 0.0L) certificate->relative_gap = 0.0;
}

rls2_status rls2__second_pass(rls2__effort *effort, const rls2_model *model, const rls2_rows *rows,
                              const double *y, const double *w, const double *f,
                              rls2_certificate *certificate)
{
    int64_t n = rows->n, m = model->dictionary->m;
    long double norm;
    double *c = rls2__alloc(n, sizeof *c), *z = rls2__alloc(n, sizeof *z);
    double *q = rls2__alloc_zero(m, sizeof *q);
    pass at = {.effort = effort, .model = model, .rows = rows, .c = c, .q = q};
    rls2_status status = c && z && q ? squared_norm(model, &norm) : RLS2_ERR_MEMORY;
    memset(certificate, 0, sizeof *certificate);
    if (status == RLS2_OK) {
        find_response(model, n, y, w, z);
        find_c(n, z, w, f, c);
        status = rls2__effort_each(effort, m, bound_kernel, &at);
    }
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* within a task */
    if (status == RLS2_OK && atomic_load(&at.out_of_memory)) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) conclude(&at, z, w, f, norm, certificate);
    rls2__free(c);
    rls2__free(z);
    rls2__free(q);
    return status;
}
