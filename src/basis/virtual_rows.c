/* Factorises counts, and makes operators of kernels on points. */
#include "basis/virtual_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "basis/norms.h"
#include "basis/operator.h"
#include "basis/scaling.h"
#include "basis/shape.h"
#include "la/la.h"

/* Of a point's own count, below which it depends on the others: counts are exact, so what is left
 * of a point that depends on others is rounding. */
static const double DEPENDENT = 1e-12;

void rls2__virtual_free(rls2__virtual *it)
{
    if (!it) return;
    rls2__free(it->S);
    rls2__free(it->lower);
    rls2__free(it->pivots);
    rls2__free(it->scale);
    rls2__free(it->x);
    rls2__free(it);
}

/* ---- the factor of the counts ---- */

/* N with a unit diagonal; a point without rows has none. A: points x points. */
static void normalize(const rls2__moments *m, double *scale, double *A)
{
    int64_t D = m->points;
    for (int64_t g = 0; g < D; g++) {
        double own = m->N[g * D + g];
        scale[g] = own > 0.0 ? sqrt(own) : 0.0;
    }
    for (int64_t g = 0; g < D; g++)
        for (int64_t h = g; h < D; h++) {
            double both = scale[g] * scale[h];
            A[g * D + h] = both > 0.0 ? m->N[g * D + h] / both : 0.0;
        }
}

/* Row i of L belongs to point pivots[i]: its r values become the point's column of S. */
static void spread(const double *L, rls2__virtual *it)
{
    int64_t D = it->moments->points, r = it->r;
    for (int64_t i = 0; i < D; i++) {
        double *column = it->S + it->pivots[i] * r, scale = it->scale[it->pivots[i]];
        for (int64_t t = 0; t < r; t++) column[t] = t <= i ? scale * L[t * D + i] : 0.0;
    }
    for (int64_t t = 0; t < r; t++)
        for (int64_t i = t; i < r; i++) it->lower[t * r + i] = L[t * D + i];
}

static rls2_status factorize(rls2__virtual *it)
{
    int64_t D = it->moments->points;
    rls2_status status = RLS2_ERR_MEMORY;
    double *L = rls2__alloc(rls2__mul(D, D), sizeof *L), *work = rls2__alloc(2 * D, sizeof *work);
    it->pivots = rls2__alloc(D, sizeof *it->pivots);
    it->scale = rls2__alloc(D, sizeof *it->scale);
    if (!L || !work || !it->pivots || !it->scale) goto cleanup;
    normalize(it->moments, it->scale, L);
    it->r = rls2__la_pivoted_cholesky(D, L, D, DEPENDENT, it->pivots, work);
    it->S = rls2__alloc(rls2__mul(it->r, D), sizeof(double));
    it->lower = rls2__alloc_zero(rls2__mul(it->r, it->r), sizeof(double));
    if (!it->S || !it->lower) goto cleanup;
    spread(L, it);
    status = RLS2_OK;
cleanup:
    rls2__free(L);
    rls2__free(work);
    return status;
}

/* Where an axis has fewer points than others its last one is repeated. */
static rls2_status make_rows(rls2__virtual *it)
{
    const rls2__axes *axes = it->axes;
    for (int64_t a = 0; a < axes->count; a++)
        if (axes->all[a].count > it->height) it->height = axes->all[a].count;
    it->x = rls2__alloc_zero(rls2__mul(it->height, axes->columns), sizeof(double));
    if (!it->x) return RLS2_ERR_MEMORY;
    for (int64_t a = 0; a < axes->count; a++) {
        const rls2__axis *axis = &axes->all[a];
        for (int64_t v = 0; v < axis->width; v++)
            for (int64_t g = 0; g < it->height; g++)
                it->x[axis->columns[v] * it->height + g] =
                    axis->points[(g < axis->count ? g : axis->count - 1) * axis->width + v];
    }
    return RLS2_OK;
}

rls2_status rls2__virtual_create(const rls2__axes *axes, const rls2__moments *moments,
                                 rls2__virtual **made)
{
    rls2__virtual *it = rls2__alloc_zero(1, sizeof *it);
    if (!it) return RLS2_ERR_MEMORY;
    it->axes = axes;
    it->moments = moments;
    rls2_status status = factorize(it);
    if (status == RLS2_OK) status = make_rows(it);
    if (status == RLS2_OK)
        *made = it;
    else
        rls2__virtual_free(it);
    return status;
}

void rls2__virtual_response(const rls2__virtual *it, int64_t o, double *y)
{
    const double *b = it->moments->b + o * it->moments->points;
    for (int64_t i = 0; i < it->r; i++) y[i] = b[it->pivots[i]] / it->scale[it->pivots[i]];
    rls2__la_lower_solve_vector(it->r, it->lower, it->r, y);
    double explained = rls2__la_dot(it->r, y, y);
    y[it->r] = sqrt(fmax(it->moments->square[o] - explained, 0.0));
}

void rls2__virtual_coefficients(const rls2__virtual *it, const double *c, double *alpha)
{
    rls2__la_gemv_t(it->r, it->moments->points, it->S, it->r, c, alpha);
}

/* ---- kernels on points ---- */

/* Room of a task. */
typedef struct room {
    double *K;      /* u x u, then its factor */
    double *F;      /* u x u: the factor at the points, by their order */
    double *column; /* u */
    double *work;   /* 2u */
    int *pivots;    /* u */
    double *gram;   /* 2 u^2 */
    void *block;
    int64_t most;
} room;

static void lay_out_room(rls2__layout *layout, void *owner)
{
    room *r = owner;
    int64_t u = r->most, square = rls2__mul(u, u);
    r->K = rls2__layout_take(layout, square, sizeof(double));
    r->F = rls2__layout_take(layout, square, sizeof(double));
    r->column = rls2__layout_take(layout, u, sizeof(double));
    r->work = rls2__layout_take(layout, rls2__mul(2, u), sizeof(double));
    r->pivots = rls2__layout_take(layout, u, sizeof(int));
    r->gram = rls2__layout_take(layout, rls2__mul(2, square), sizeof(double));
}

typedef struct making {
    rls2__effort *effort;
    const rls2__virtual *it;
    const rls2_basis_options *options;
    rls2_basis *basis;
    room *rooms; /* of each thread */
    rls2_status *statuses;
} making;

static int64_t points_of_axes(const rls2__virtual *it)
{
    return rls2__axes_points(it->axes);
}

static const double *masses(const rls2__virtual *it, int64_t axis)
{
    return it->moments->mass + it->axes->first[axis];
}

/* Trace over the rows, or, about the mean in feature space, that of the centred kernel. The lower
 * triangle of K is that of an axis. */
static double denominator(const making *m, int64_t u, const double *K, const double *mass)
{
    double trace = 0.0, sum = 0.0, weight = 0.0;
    if (m->options->scaling == RLS2_SCALING_NONE) return 1.0;
    for (int64_t g = 0; g < u; g++) {
        trace += mass[g] * K[g * u + g];
        weight += mass[g];
        for (int64_t h = g; h < u && m->options->center; h++)
            sum += (h == g ? 1.0 : 2.0) * mass[g] * mass[h] * K[g * u + h];
    }
    return m->options->center ? trace - sum / weight : trace;
}

static void evaluate(const making *m, const rls2__kernel *kernel, int64_t u, double *K)
{
    const rls2__virtual *it = m->it;
    const rls2_rows rows = {.n = u, .p = it->axes->columns, .x = it->x, .ldx = it->height};
    for (int64_t g = 0; g < u; g++)
        rls2__kernel_column_from(kernel, &rows, g, &rows, g, K + g * u + g);
}

/* F with K = FF' where rows are, so that the trace over rows of what is left out is at most
 * *left_out; returns its rank. K is destroyed. */
static int64_t factor_points(int64_t u, const double *mass, double tol, room *r, double *left_out)
{
    double trace = 0.0;
    for (int64_t g = 0; g < u; g++) {
        for (int64_t h = g; h < u; h++) r->K[g * u + h] *= sqrt(mass[g]) * sqrt(mass[h]);
        trace += r->K[g * u + g];
    }
    double least = fmax(tol, DBL_EPSILON) * trace / (double)u;
    int64_t rank = rls2__la_pivoted_cholesky(u, r->K, u, least, r->pivots, r->work);
    *left_out = (double)(u - rank) * least;
    for (int64_t i = 0; i < u; i++) {
        double root = sqrt(mass[r->pivots[i]]);
        for (int64_t t = 0; t < rank; t++)
            r->F[t * u + r->pivots[i]] = t <= i && root > 0.0 ? r->K[t * u + i] / root : 0.0;
    }
    return rank;
}

/* The operator GG', G = root S_a F, with a zero row below it. */
static rls2_status keep_factor(const making *m, rls2__operator *op, int64_t rank, double left_out,
                               room *r)
{
    int64_t n = m->basis->n;
    double rounding = (2.0 + sqrt((double)n)) * 8.0 * DBL_EPSILON, trace = 0.0;
    for (int64_t i = 0; i < rank * n; i++) trace += op->factor[i] * op->factor[i];
    op->trace = trace;
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    rls2_status status = rls2__factor_norm(&alone, n, rank, op->factor, r->gram, &op->norm);
    op->norm = fmin(op->trace, op->norm);
    op->slack = left_out + rounding * op->norm;
    if (rank == 1) op->shape = &rls2__shape_rank_one;
    return status;
}

static rls2_status reserve_factor(const making *m, int64_t rank, rls2__operator *op)
{
    rls2_status status =
        rls2__operator_reserve(op, &rls2__shape_factor, rank, rls2__mul(rank, m->basis->n));
    op->factor = op->owned;
    return status;
}

static rls2_status make_on_axis(const making *m, int64_t k, int64_t a, room *r)
{
    const rls2__virtual *it = m->it;
    int64_t u = it->axes->all[a].count, n = m->basis->n;
    rls2__operator *op = &m->basis->ops[k];
    double left_out, s;
    evaluate(m, &m->basis->kernels[k], u, r->K);
    s = rls2__scaling_of(m->options->scaling, denominator(m, u, r->K, masses(it, a)));
    m->basis->s[k] = isfinite(s) && s > 0.0 ? s : 0.0;
    if (m->basis->s[k] == 0.0) return rls2__operator_zero(op);
    int64_t rank = factor_points(u, masses(it, a), m->options->rank_tol, r, &left_out);
    if (rank == 0) return rls2__operator_zero(op);
    rls2_status status = reserve_factor(m, rank, op);
    if (status != RLS2_OK) return status;
    rls2__la_gemm_nn(it->r, u, rank, sqrt(s), it->S + it->axes->first[a] * it->r, it->r, r->F, u,
                     0.0, op->owned, n);
    for (int64_t t = 0; t < rank; t++) op->owned[t * n + it->r] = 0.0;
    return keep_factor(m, op, rank, s * left_out, r);
}

/* Trace over the rows of the kernel itself, not of what its landmarks have of it. */
static double feature_denominator(const making *m, const rls2__feature_block *block)
{
    const rls2__moments *moments = m->it->moments;
    const double *mass = moments->mass + points_of_axes(m->it) + block->first;
    double trace = moments->trace[block - moments->features->all];
    if (m->options->scaling == RLS2_SCALING_NONE) return 1.0;
    if (!m->options->center) return trace;
    return trace - rls2__la_dot(block->count, mass, mass) / moments->weight;
}

/* The features of a block are a factor of its kernel as they are. */
static rls2_status make_on_features(const making *m, int64_t k, const rls2__feature_block *block,
                                    room *r)
{
    const rls2__virtual *it = m->it;
    rls2__operator *op = &m->basis->ops[k];
    const double *S = it->S + (points_of_axes(it) + block->first) * it->r;
    double s = rls2__scaling_of(m->options->scaling, feature_denominator(m, block));
    m->basis->s[k] = isfinite(s) && s > 0.0 ? s : 0.0;
    if (m->basis->s[k] == 0.0) return rls2__operator_zero(op);
    rls2_status status = reserve_factor(m, block->count, op);
    if (status != RLS2_OK) return status;
    for (int64_t l = 0; l < block->count; l++) {
        double *column = op->owned + l * m->basis->n;
        for (int64_t i = 0; i < it->r; i++) column[i] = sqrt(s) * S[l * it->r + i];
        column[it->r] = 0.0;
    }
    return keep_factor(m, op, block->count, 0.0, r);
}

/* A column as the virtual rows have it: x = sum over points of S_g times the value there. */
static void virtual_column(const rls2__virtual *it, int64_t column, double scale, double *work,
                           double *out)
{
    int64_t a = it->axes->of[column], u = it->axes->all[a].count;
    const double *x = it->x + column * it->height;
    (void)work;
    rls2__la_gemv_n(it->r, u, scale, it->S + it->axes->first[a] * it->r, it->r, x, 0.0, out);
    out[it->r] = 0.0;
}

/* Sums over rows of a column: of its squares, and of itself. */
static void sum_column(const rls2__virtual *it, int64_t column, double *squares, double *sum)
{
    int64_t a = it->axes->of[column];
    const double *x = it->x + column * it->height, *mass = masses(it, a);
    for (int64_t g = 0; g < it->axes->all[a].count; g++) {
        *squares += mass[g] * x[g] * x[g];
        *sum += mass[g] * x[g];
    }
}

/* Linear kernels are sums over columns, whatever axes these are of. */
static rls2_status make_linear(const making *m, int64_t k, room *r)
{
    const rls2__virtual *it = m->it;
    const rls2__kernel *kernel = &m->basis->kernels[k];
    rls2__operator *op = &m->basis->ops[k];
    double below = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        double squares = 0.0, sum = 0.0;
        sum_column(it, kernel->columns[t], &squares, &sum);
        below += m->options->center ? squares - sum * sum / it->moments->weight : squares;
    }
    if (m->options->scaling == RLS2_SCALING_NONE) below = 1.0;
    double s = rls2__scaling_of(m->options->scaling, below);
    m->basis->s[k] = isfinite(s) && s > 0.0 ? s : 0.0;
    if (m->basis->s[k] == 0.0 || kernel->column_count > r->most) return rls2__operator_zero(op);
    rls2_status status = reserve_factor(m, kernel->column_count, op);
    if (status != RLS2_OK) return status;
    for (int64_t t = 0; t < kernel->column_count; t++)
        virtual_column(it, kernel->columns[t], sqrt(s), r->work, op->owned + t * m->basis->n);
    return keep_factor(m, op, kernel->column_count, 0.0, r);
}

static void make_operator(void *user, int64_t k, int thread)
{
    const making *m = user;
    const rls2__axes *axes = m->it->axes;
    rls2__kernel *kernel = &m->basis->kernels[k];
    const rls2__feature_block *block = rls2__features_of(m->it->moments->features, k);
    int64_t a = rls2__kernel_axis(axes, kernel);
    room *r = &m->rooms[thread];
    rls2__invariant(!isnan(m->options->rank_tol));
    if (kernel->kind == RLS2__KERNEL_SPLINE && a >= 0) {
        const rls2_rows rows = {
            .n = axes->all[a].count, .p = axes->columns, .x = m->it->x, .ldx = m->it->height};
        rls2__kernel_fit(kernel, &rows);
    }
    if (kernel->kind == RLS2__KERNEL_LINEAR) {
        m->statuses[k] = make_linear(m, k, r);
    } else if (a >= 0) {
        m->statuses[k] = make_on_axis(m, k, a, r);
    } else if (block) {
        m->statuses[k] = make_on_features(m, k, block, r);
    } else {
        m->basis->s[k] = 0.0;
        m->statuses[k] = rls2__operator_zero(&m->basis->ops[k]);
    }
}

/* ---- the basis ---- */

static rls2_status make_rooms(making *m)
{
    int64_t most = m->it->height;
    for (int64_t k = 0; k < m->basis->m; k++)
        if (m->basis->kernels[k].kind == RLS2__KERNEL_LINEAR &&
            m->basis->kernels[k].column_count > most)
            most = m->basis->kernels[k].column_count;
    const rls2__features *features = m->it->moments->features;
    for (int64_t b = 0; features && b < features->count; b++)
        if (features->all[b].count > most) most = features->all[b].count;
    m->rooms = rls2__alloc_zero(m->effort->threads, sizeof *m->rooms);
    m->statuses = rls2__alloc_zero(m->basis->m, sizeof *m->statuses);
    if (!m->rooms || !m->statuses) return RLS2_ERR_MEMORY;
    for (int t = 0; t < m->effort->threads; t++) {
        m->rooms[t].most = most;
        m->rooms[t].block = rls2__layout_alloc(lay_out_room, &m->rooms[t]);
        if (!m->rooms[t].block) return RLS2_ERR_MEMORY;
    }
    return RLS2_OK;
}

static void free_rooms(making *m)
{
    for (int t = 0; m->rooms && t < m->effort->threads; t++) rls2__free(m->rooms[t].block);
    rls2__free(m->rooms);
    rls2__free(m->statuses);
}

static rls2_status make_operators(making *m)
{
    rls2_basis *basis = m->basis;
    basis->kernels = rls2__alloc(basis->m, sizeof *basis->kernels);
    basis->ops = rls2__alloc_zero(basis->m, sizeof *basis->ops);
    if (!basis->kernels || !basis->ops) return RLS2_ERR_MEMORY;
    memcpy(basis->kernels, basis->dictionary->kernels, (size_t)basis->m * sizeof *basis->kernels);
    rls2_status status = make_rooms(m);
    if (status == RLS2_OK) status = rls2__effort_each(m->effort, basis->m, make_operator, m);
    for (int64_t k = 0; k < basis->m && status == RLS2_OK; k++) status = m->statuses[k];
    return status;
}

static rls2_status check_any(const rls2_basis *basis, rls2_error *err)
{
    for (int64_t k = 0; k < basis->m; k++)
        if (basis->s[k] > 0.0) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "none of the %lld kernels can be scaled: all are constant on these rows, or "
                      "look at several columns together",
                      (long long)basis->m);
}

rls2_status rls2__virtual_basis(rls2__effort *effort, const rls2__virtual *it,
                                const rls2_dictionary *dictionary,
                                const rls2_basis_options *options, rls2_basis **basis,
                                rls2_error *err)
{
    making m = {.effort = effort, .it = it, .options = options};
    if (options->scaling == RLS2_SCALING_FISHER || options->scaling == RLS2_SCALING_FISHER_SQRT)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "scalings by classes are not there for tall tables");
    m.basis = rls2__basis_start(dictionary, it->r + 1, options);
    if (!m.basis) return rls2__fail_memory(err, "the kernels");
    m.basis->is_virtual = 1;
    m.basis->represented = it->moments->weight;
    rls2_status status = make_operators(&m);
    free_rooms(&m);
    if (status == RLS2_ERR_MEMORY) rls2__fail_memory(err, "the kernels");
    if (status == RLS2_OK) status = check_any(m.basis, err);
    if (status == RLS2_OK)
        *basis = m.basis;
    else
        rls2__basis_destroy(m.basis);
    return status;
}
