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
 * that is little; whatever the pivots are, it is a bound, but for rounding of about 1e-10 in the
 * projections. Where some q_k is not a finite number, the bound is 0.
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
#include "la/la.h"
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
    double *c;
    int exponent; /* c is w r 2^-exponent at first */
    double *q;    /* kernels: bounds of q_k */
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

/* x, or 0 if that is less; NaN stays, which fmax would drop. */
static double not_negative(double x)
{
    return x < 0.0 ? 0.0 : x;
}

/* K(x_i, x_j) of one pair of rows. */
static double value(const rls2__kernel *kernel, const rls2_rows *rows, int64_t i, int64_t j)
{
    double one;
    rls2__kernel_column_part(kernel, rows, i, 1, rows, j, &one);
    return one;
}

/* Pivoted Cholesky of the kernel on rows spread over all. */
static void find_pivots(const pass *at, const rls2__kernel *kernel, const rls2_rows *rows, room *r)
{
    int64_t n = rows->n, count = n < SAMPLE ? n : SAMPLE;
    double largest = 0.0;
    for (int64_t t = 0; t < count; t++) {
        r->numbers[t] = (int64_t)((double)t * (double)n / (double)count);
        rls2__kernel_diagonal_part(kernel, rows, r->numbers[t], 1, &r->left[t]);
        largest = fmax(largest, r->left[t]);
    }
    for (r->rank = 0; r->rank < PIVOTS && r->rank < count; r->rank++) {
        int64_t best = 0, j = r->rank;
        for (int64_t t = 1; t < count; t++)
            if (r->left[t] > r->left[best]) best = t;
        if (!(r->left[best] > NOTHING_LEFT * largest) || rls2__effort_stopped(at->effort)) return;
        double root = sqrt(r->left[best]), *f = r->F + j * SAMPLE;
        r->pivots[j] = r->numbers[best];
        for (int64_t t = 0; t < count; t++) f[t] = value(kernel, rows, r->numbers[t], r->pivots[j]);
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

/* Projections of some rows on the pivots: values[j * CHUNK + i]. left[i] loses their squares. */
static void project(const rls2__kernel *kernel, const rls2_rows *rows, const room *r, int64_t first,
                    int64_t count, double *values, double *left)
{
    for (int64_t j = 0; j < r->rank; j++) {
        double *t = values + j * CHUNK, root = r->L[j * PIVOTS + j];
        rls2__kernel_column_part(kernel, rows, first, count, rows, r->pivots[j], t);
        for (int64_t l = 0; l < j; l++) {
            double factor = r->L[j * PIVOTS + l];
            const double *before = values + l * CHUNK;
            for (int64_t i = 0; i < count; i++) t[i] -= factor * before[i];
        }
        for (int64_t i = 0; i < count; i++) {
            t[i] /= root;
            left[i] -= t[i] * t[i];
        }
    }
}

/* Adds some rows to the sums of c times their projections, and to that of what these leave out. */
static void add_rows(const pass *at, const rls2__kernel *kernel, room *r, int64_t first,
                     int64_t count, double *rest)
{
    double *diagonal = r->diagonal, left[CHUNK];
    const double *c = at->c + first;
    double slack = (4.0 * (double)r->rank + 8.0) * 0x1p-52;
    rls2__kernel_diagonal_part(kernel, at->rows, first, count, diagonal);
    for (int64_t i = 0; i < count; i++) left[i] = diagonal[i] * (1.0 + slack);
    project(kernel, at->rows, r, first, count, r->values, left);
    for (int64_t j = 0; j < r->rank; j++)
        for (int64_t i = 0; i < count; i++) r->sum[j] += c[i] * r->values[j * CHUNK + i];
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
                rest += fabs(c) * sqrt(not_negative(own));
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
    double part = not_negative((double)sum);
    *q = rest == 0.0 ? part : (sqrt(part) + rest) * (sqrt(part) + rest);
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
    find_pivots(at, &kernel, at->rows, &r);
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

/* What is known of a c. */
typedef struct bounded {
    long double yc, cc;
    double q;  /* largest bound, */
    int64_t k; /* and whose */
    long double dual;
} bounded;

static bounded look_at(const pass *at, const double *z, const double *w)
{
    bounded b = {.k = 0};
    long double lambda = at->model->point.lambda;
    for (int64_t i = 0; i < at->rows->n; i++) {
        b.yc += (long double)z[i] * at->c[i];
        b.cc += (long double)at->c[i] * at->c[i] / (w ? w[i] : 1.0);
    }
    for (int64_t k = 0; k < at->model->dictionary->m; k++) {
        double q = isfinite(at->q[k]) ? at->q[k] : HUGE_VAL; /* not known: nothing is certified */
        if (q > b.q) {
            b.q = q;
            b.k = k;
        }
    }
    long double curve = lambda * b.cc + b.q;
    b.dual = curve > 0.0L ? 0.5L * lambda * b.yc * b.yc / curve : 0.0L;
    return b;
}

static rls2_status bound_all(pass *at)
{
    rls2_status status = rls2__effort_each(at->effort, at->model->dictionary->m, bound_kernel, at);
    if (status == RLS2_OK) status = rls2__effort_status(at->effort); /* within a task */
    return status == RLS2_OK && atomic_load(&at->out_of_memory) ? RLS2_ERR_MEMORY : status;
}

/* ---- a better c ----
 *
 * The residuals of f are the best c for the kernels as they are represented. A kernel that has more
 * of them than its landmarks say makes the bound small. Then c = (R(d) + lambda W^-1)^-1 z is
 * nearer to the best, R(d) being the kernels with as many pivots as there are here. It is found by
 * conjugate gradients, from the residuals on, and d is moved towards the kernels that have most of
 * it, d_k becoming d_k sqrt(q_k) (MATH.md, G6). The bound holds for every c; the best counts. */

enum { ROUNDS = 6, ITERATIONS = 100, STRANDS = 16, ENTERING = 8 };

/* Beyond this gap rounds are tried, and go on while each adds such a share to the bound. */
static const double WIDE_GAP = 0.1, WORTH_A_ROUND = 0.01;
/* With more rows a round takes minutes. */
static const int64_t MOST_ROWS = 100000;
/* Features of rows are kept, up to so many bytes. */
static const double MOST_BYTES = 1e9;
/* Weight of a kernel that is not selected and has more of c than those that are. */
static const double ENTERS = 0.01;

/* A kernel at the rows, GG'; or all that are interpolated between the points of a block, K being
 * the sum of d_k s_k times their values. */
typedef struct seen {
    int is_there, is_interpolated;
    interpolated it;
    int64_t rank; /* features, or points */
    int64_t at;   /* where its sums begin, -1: it has no weight */
    double scale; /* d_k s_k, or 1 */
    double *G;    /* rank x rows */
    double *K;    /* rank x rank */
} seen;

typedef struct search {
    pass *at;
    const double *z, *w;
    seen *all; /* kernels, and then blocks */
    int64_t count;
    double *d; /* kernels */
    double bytes;
    double *sums; /* STRANDS + 1 times total: of each strand of rows, and room */
    int64_t total;
    const double *u; /* of a product, */
    double *out;     /* rows */
    seen *of;        /* of the features in hand */
    room *pivots;
    const rls2__kernel *kernel;
    atomic_int out_of_memory;
} search;

static int64_t strand_begin(const search *s, int64_t t)
{
    return t == STRANDS ? s->at->rows->n : s->at->rows->n / STRANDS * t;
}

/* Where rows lie between the points of a block. */
static void find_places(const search *s, const seen *of, int64_t first, int64_t count,
                        double *place)
{
    const rls2__ruler *ruler = &of->it.ruler;
    const rls2_rows *rows = s->at->rows;
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    const int64_t *used = s->at->model->used;
    const double *flag = ruler->flag < 0 ? NULL : rows->x + used[ruler->flag] * ldx + first;
    rls2__ruler_place(ruler, count, rows->x + used[ruler->number] * ldx + first, flag, place);
    for (int64_t i = 0; i < count; i++)
        if (place[i] < 0.0) place[i] = 0.0;
}

static void gather_one(const search *s, const seen *of, int64_t first, int64_t count, double *sum)
{
    double place[CHUNK];
    const double *u = s->u + first;
    if (!of->is_interpolated) {
        rls2__la_gemv_n(of->rank, count, 1.0, of->G + first * of->rank, of->rank, u, 1.0, sum);
        return;
    }
    find_places(s, of, first, count, place);
    for (int64_t i = 0; i < count; i++) {
        int64_t g = (int64_t)place[i];
        double share = place[i] - (double)g;
        sum[g] += (1.0 - share) * u[i];
        if (share > 0.0) sum[g + 1] += share * u[i];
    }
}

static void spread_one(const search *s, const seen *of, int64_t first, int64_t count,
                       const double *v)
{
    double place[CHUNK], *out = s->out + first;
    if (!of->is_interpolated) {
        rls2__la_gemv_t(of->rank, count, of->G + first * of->rank, of->rank, v, place);
        for (int64_t i = 0; i < count; i++) out[i] += place[i];
        return;
    }
    find_places(s, of, first, count, place);
    for (int64_t i = 0; i < count; i++) {
        int64_t g = (int64_t)place[i];
        double share = place[i] - (double)g;
        out[i] += share > 0.0 ? (1.0 - share) * v[g] + share * v[g + 1] : v[g];
    }
}

/* Sums over the rows of a strand: G u, or what lies at each point. */
static void gather_strand(void *user, int64_t t, int thread)
{
    const search *s = user;
    double *sum = s->sums + t * s->total;
    (void)thread;
    memset(sum, 0, (size_t)s->total * sizeof *sum);
    for (int64_t first = strand_begin(s, t); first < strand_begin(s, t + 1); first += CHUNK) {
        int64_t left = strand_begin(s, t + 1) - first, count = left < CHUNK ? left : CHUNK;
        for (int64_t e = 0; e < s->count; e++)
            if (s->all[e].at >= 0) gather_one(s, &s->all[e], first, count, sum + s->all[e].at);
    }
}

/* out += G'v, or v at the places; v are the first sums. */
static void spread_strand(void *user, int64_t t, int thread)
{
    const search *s = user;
    (void)thread;
    for (int64_t first = strand_begin(s, t); first < strand_begin(s, t + 1); first += CHUNK) {
        int64_t left = strand_begin(s, t + 1) - first, count = left < CHUNK ? left : CHUNK;
        for (int64_t e = 0; e < s->count; e++)
            if (s->all[e].at >= 0) spread_one(s, &s->all[e], first, count, s->sums + s->all[e].at);
    }
}

/* out = (R(d) + lambda W^-1) u. */
static rls2_status multiply(search *s, const double *u, double *out)
{
    s->u = u;
    s->out = out;
    for (int64_t i = 0; i < s->at->rows->n; i++)
        out[i] = s->at->model->point.lambda * u[i] / (s->w ? s->w[i] : 1.0);
    rls2_status status = rls2__effort_each(s->at->effort, STRANDS, gather_strand, s);
    if (status != RLS2_OK) return status;
    for (int64_t t = 1; t < STRANDS; t++)
        rls2__la_axpy(s->total, 1.0, s->sums + t * s->total, s->sums);
    for (int64_t e = 0; e < s->count; e++) {
        const seen *of = &s->all[e];
        double *v = s->sums + of->at, *image = s->sums + STRANDS * s->total;
        if (of->at < 0) continue;
        for (int64_t j = 0; j < of->rank; j++) v[j] *= of->scale;
        if (!of->is_interpolated) continue;
        rls2__la_symv(of->rank, 1.0, of->K, of->rank, v, image);
        memcpy(v, image, (size_t)of->rank * sizeof *v);
    }
    return rls2__effort_each(s->at->effort, STRANDS, spread_strand, s);
}

/* c towards the solution for z. work: 4 times the rows. */
static rls2_status conjugate(search *s, double *c, double *work)
{
    int64_t n = s->at->rows->n;
    double *r = work, *p = work + n, *Ap = work + 2 * n, *h = work + 3 * n, rho = 0.0;
    rls2_status status = multiply(s, c, Ap);
    for (int64_t i = 0; i < n && status == RLS2_OK; i++) {
        r[i] = ldexp(s->at->model->point.lambda * s->z[i], -s->at->exponent) - Ap[i];
        p[i] = h[i] = (s->w ? s->w[i] : 1.0) * r[i];
        rho += r[i] * h[i];
    }
    double begin = rho;
    for (int t = 0; t < ITERATIONS && status == RLS2_OK && rho > 1e-12 * begin; t++) {
        status = multiply(s, p, Ap);
        double curve = rls2__la_dot(n, p, Ap);
        if (status != RLS2_OK || !(curve > 0.0)) break;
        double step = rho / curve, next = 0.0;
        rls2__la_axpy(n, step, p, c);
        rls2__la_axpy(n, -step, Ap, r);
        for (int64_t i = 0; i < n; i++) {
            h[i] = (s->w ? s->w[i] : 1.0) * r[i];
            next += r[i] * h[i];
        }
        for (int64_t i = 0; i < n; i++) p[i] = h[i] + next / rho * p[i];
        rho = next;
    }
    return status;
}

/* ---- features ---- */

static void feature_strand(void *user, int64_t t, int thread)
{
    search *s = user;
    const rls2_rows *rows = s->at->rows;
    const seen *of = s->of;
    int64_t from = strand_begin(s, t), to = strand_begin(s, t + 1);
    int64_t rank = of->rank, ldx = rows->ldx ? rows->ldx : rows->n;
    int linear = s->kernel->kind == RLS2__KERNEL_LINEAR;
    double left[CHUNK], *values = linear ? NULL : rls2__alloc(rank * CHUNK, sizeof *values);
    (void)thread;
    if (!linear && !values) atomic_store(&s->out_of_memory, 1);
    for (int64_t first = from; first < to && (linear || values); first += CHUNK) {
        int64_t count = to - first < CHUNK ? to - first : CHUNK;
        if (rls2__effort_stopped(s->at->effort)) break;
        memset(left, 0, sizeof left);
        if (!linear) project(s->kernel, rows, s->pivots, first, count, values, left);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < rank; j++)
                of->G[(first + i) * rank + j] =
                    linear ? rows->x[s->kernel->columns[j] * ldx + first + i]
                           : values[j * CHUNK + i];
    }
    rls2__free(values);
}

/* Adds d_k s_k K to those of its block. */
static rls2_status add_to_block(search *s, int64_t k, const interpolated *it)
{
    seen *of = &s->all[s->at->model->dictionary->m + it->ruler.block];
    int64_t rank = it->ruler.count;
    double factor = s->d[k] * s->at->model->scales[k];
    if (!of->K) of->K = rls2__alloc_zero(rls2__mul(rank, rank), sizeof(double));
    double *column = rls2__alloc(rank, sizeof *column);
    rls2_status status = of->K && column ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < rank && status == RLS2_OK; j++) {
        rls2__kernel_column(&it->points, &it->at, &it->at, j, column);
        rls2__la_axpy(rank, factor, column, of->K + j * rank);
    }
    of->is_there = of->is_interpolated = 1;
    of->it = *it;
    of->rank = rank;
    of->scale = 1.0;
    rls2__free(column);
    return status;
}

/* Features of a kernel at the rows, if there is room for them: else it is not there. */
static rls2_status make_features(search *s, int64_t k, rls2__kernel *kernel)
{
    room r = {.rank = 0};
    seen *of = &s->all[k];
    int64_t n = s->at->rows->n;
    rls2_status status = RLS2_OK;
    r.block = rls2__layout_alloc(lay_out, &r);
    if (!r.block) return RLS2_ERR_MEMORY;
    r.rank = kernel->column_count;
    if (kernel->kind != RLS2__KERNEL_LINEAR) {
        rls2__kernel_fit(kernel, s->at->rows);
        find_pivots(s->at, kernel, s->at->rows, &r);
    }
    double bytes = 8.0 * (double)n * (double)r.rank;
    if (r.rank > 0 && s->bytes + bytes <= MOST_BYTES) {
        s->bytes += bytes;
        of->rank = r.rank;
        of->G = rls2__alloc(rls2__mul(n, r.rank), sizeof(double));
        s->of = of;
        s->pivots = &r;
        s->kernel = kernel;
        status =
            of->G ? rls2__effort_each(s->at->effort, STRANDS, feature_strand, s) : RLS2_ERR_MEMORY;
        of->is_there = status == RLS2_OK;
    }
    rls2__free(r.block);
    return atomic_load(&s->out_of_memory) ? RLS2_ERR_MEMORY : status;
}

static rls2_status see(search *s, int64_t k)
{
    interpolated it;
    rls2__kernel kernel = s->at->model->dictionary->kernels[k];
    if (kernel.kind != RLS2__KERNEL_LINEAR && find_interpolated(s->at, k, &it))
        return add_to_block(s, k, &it);
    s->all[k].scale = s->d[k] * s->at->model->scales[k];
    return s->all[k].is_there ? RLS2_OK : make_features(s, k, &kernel);
}

/* All kernels that have weight, as the rows see them. */
static rls2_status see_all(search *s)
{
    int64_t m = s->at->model->dictionary->m;
    rls2_status status = RLS2_OK;
    s->total = 0;
    for (int64_t e = 0; e < s->count; e++) {
        s->all[e].at = -1;
        if (e >= m) s->all[e].is_there = 0;
        if (s->all[e].K)
            memset(s->all[e].K, 0, (size_t)(s->all[e].rank * s->all[e].rank) * sizeof(double));
    }
    for (int64_t k = 0; k < m && status == RLS2_OK; k++)
        if (s->d[k] > 0.0 && s->at->model->scales[k] > 0.0) status = see(s, k);
    for (int64_t e = 0; e < s->count && status == RLS2_OK; e++) {
        if (!s->all[e].is_there || (e < m && !(s->d[e] > 0.0))) continue;
        s->all[e].at = s->total;
        s->total += s->all[e].rank;
    }
    rls2__free(s->sums);
    s->sums = rls2__alloc(rls2__mul(STRANDS + 1, s->total + 1), sizeof *s->sums);
    return status == RLS2_OK && !s->sums ? RLS2_ERR_MEMORY : status;
}

/* ---- rounds ---- */

/* Kernels that are not selected and have more of c than those that are enter, the first few of
 * them; then weights follow what each has. */
static rls2_status move_weights(search *s, int is_first)
{
    int64_t m = s->at->model->dictionary->m;
    double mean = 0.0, sum = 0.0;
    const double *q = s->at->q;
    for (int64_t k = 0; k < m; k++) mean += s->d[k] * q[k];
    for (int t = 0; t < ENTERING && !is_first; t++) {
        int64_t best = -1;
        for (int64_t k = 0; k < m; k++)
            if (s->d[k] == 0.0 && q[k] > mean && (best < 0 || q[k] > q[best])) best = k;
        if (best < 0) break;
        s->d[best] = ENTERS;
    }
    for (int64_t k = 0; k < m; k++) {
        if (!is_first) s->d[k] *= sqrt(q[k]);
        sum += s->d[k];
    }
    for (int64_t k = 0; k < m; k++) s->d[k] /= sum;
    return see_all(s);
}

static void search_release(search *s, double *work)
{
    for (int64_t e = 0; s->all && e < s->count; e++) {
        rls2__free(s->all[e].G);
        rls2__free(s->all[e].K);
    }
    rls2__free(s->all);
    rls2__free(s->d);
    rls2__free(s->sums);
    rls2__free(work);
}

/* Rounds while they make the bound better; c and q are those of the best. */
static rls2_status improve(pass *at, const double *z, const double *w, long double primal,
                           double *kept)
{
    int64_t n = at->rows->n, m = at->model->dictionary->m;
    bounded best = look_at(at, z, w);
    if (!(primal - best.dual > WIDE_GAP * best.dual) || n > MOST_ROWS) return RLS2_OK;
    if (!isfinite(best.q)) return RLS2_OK; /* weights would not be numbers either */
    search s = {.at = at, .z = z, .w = w, .count = m + at->model->compact->count};
    double *work = rls2__alloc(rls2__mul(4, n), sizeof *work);
    s.all = rls2__alloc_zero(s.count, sizeof *s.all);
    s.d = rls2__alloc_zero(m, sizeof *s.d);
    rls2_status status = work && s.all && s.d ? RLS2_OK : RLS2_ERR_MEMORY;
    memcpy(kept, at->c, (size_t)n * sizeof *kept);
    memcpy(kept + n, at->q, (size_t)m * sizeof *kept);
    for (int64_t k = 0; k < at->model->size && s.d; k++) s.d[at->model->index[k]] = at->model->d[k];
    for (int t = 0; t < ROUNDS && status == RLS2_OK; t++) {
        status = move_weights(&s, t == 0);
        if (status == RLS2_OK) status = conjugate(&s, at->c, work);
        if (status == RLS2_OK) status = bound_all(at);
        if (status != RLS2_OK) break;
        bounded next = look_at(at, z, w);
        int worth = next.dual > best.dual * (1.0L + WORTH_A_ROUND);
        if (next.dual > best.dual) {
            best = next;
            memcpy(kept, at->c, (size_t)n * sizeof *kept);
            memcpy(kept + n, at->q, (size_t)m * sizeof *kept);
        }
        if ((!worth && t > 0) || !isfinite(next.q)) break;
    }
    memcpy(at->c, kept, (size_t)n * sizeof *kept);
    memcpy(at->q, kept + n, (size_t)m * sizeof *kept);
    search_release(&s, work);
    return status;
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
static int find_c(int64_t n, const double *z, const double *w, const double *f, double *c)
{
    double largest = 0.0;
    int exponent = 0;
    for (int64_t i = 0; i < n; i++) {
        c[i] = (w ? w[i] : 1.0) * (z[i] - f[i]);
        largest = fmax(largest, fabs(c[i]));
    }
    if (!(largest > 0.0 && isfinite(largest))) return 0;
    frexp(largest, &exponent);
    for (int64_t i = 0; i < n; i++) c[i] = ldexp(c[i], -exponent);
    return exponent;
}

/* 1/2 sum_i w_i r_i^2 + lambda/2 times the norm. */
static long double objective(const pass *at, const double *z, const double *w, const double *f,
                             long double norm, double *mean_square)
{
    long double fit = 0.0L, weights = 0.0L;
    for (int64_t i = 0; i < at->rows->n; i++) {
        long double r = (long double)z[i] - f[i], weight = w ? w[i] : 1.0;
        fit += weight * r * r;
        weights += weight;
    }
    *mean_square = (double)(fit / weights);
    return 0.5L * fit + 0.5L * (long double)at->model->point.lambda * norm;
}

static void conclude(const pass *at, const double *z, const double *w, long double primal,
                     rls2_certificate *certificate)
{
    bounded found = look_at(at, z, w);
    long double lambda = at->model->point.lambda, curve = lambda * found.cc + found.q;
    long double best = curve > 0.0L ? found.yc / curve : 0.0L; /* times c: the best of its length */
    certificate->primal = (double)primal;
    certificate->dual = (double)found.dual;
    certificate->gap = (double)fmaxl(primal - found.dual, 0.0L);
    certificate->relative_gap =
        found.dual > 0.0L ? (double)(fmaxl(primal - found.dual, 0.0L) / found.dual) : HUGE_VAL;
    certificate->max_q = isfinite(found.q) ? (double)(best * best * found.q) : HUGE_VAL;
    certificate->max_kernel = found.k;
    if (primal == 0.0L) certificate->relative_gap = 0.0;
}

rls2_status rls2__second_pass(rls2__effort *effort, const rls2_model *model, const rls2_rows *rows,
                              const double *y, const double *w, const double *f,
                              rls2_certificate *certificate)
{
    int64_t n = rows->n, m = model->dictionary->m;
    long double norm;
    double *c = rls2__alloc(n, sizeof *c), *z = rls2__alloc(n, sizeof *z);
    double *q = rls2__alloc_zero(m, sizeof *q), *kept = rls2__alloc(n + m, sizeof *kept);
    pass at = {.effort = effort, .model = model, .rows = rows, .c = c, .q = q};
    rls2_status status = c && z && q && kept ? squared_norm(model, &norm) : RLS2_ERR_MEMORY;
    memset(certificate, 0, sizeof *certificate);
    if (status == RLS2_OK) {
        find_response(model, n, y, w, z);
        at.exponent = find_c(n, z, w, f, c);
        status = bound_all(&at);
    }
    if (status == RLS2_OK) {
        long double primal = objective(&at, z, w, f, norm, &certificate->mean_square);
        status = improve(&at, z, w, primal, kept);
        if (status == RLS2_OK) conclude(&at, z, w, primal, certificate);
    }
    rls2__free(kept);
    rls2__free(c);
    rls2__free(z);
    rls2__free(q);
    return status;
}
