/* Adds factors by dsyrk and triangles four at a time, and remembers triangles within its memory. */
#include "basis/combine.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "basis/operator_recomputed.h"
#include "la/rounded.h"
#include "la/tile_grid.h"
#include "la/tiles.h"

/* Adding a remembered triangle streams n^2/2 values through memory; a factor of rank r
 * costs n^2 r flops out of cache. Up to about this rank the product is cheaper. */
enum { PANEL_RANK = 6, TOGETHER = 4 };
/* Factors are taken as long as they have no more columns together than this and n + 64, which is
 * more than any active set of kernels of one column has: about as many values as R has. */
enum { PANEL_COLUMNS = 512, PANEL_BEYOND = 64 };

/* What a triangle made of a factor may be off in 32 bits, over what operators in 32 bits are. */
static const double MORE_COARSE = 4.0;

/* One summand, and how it is taken: by a packed triangle or a rounded one; else, where both are
 * NULL, by its factor; else by its full matrix; else by evaluating it. */
typedef struct term {
    const rls2__operator *op;
    const double *triangle;
    const int32_t *rounded;
    double unit; /* of the rounded one: R^k = scale unit Z */
    double weight;
} term;

struct rls2__combiner {
    const rls2_basis *basis;
    int64_t memory;           /* bytes left for triangles */
    double **triangles;       /* m pointers: triangles made of factors, own */
    int32_t **rounded;        /* m pointers: the same in 32 bits, where the basis allows it, */
    double *units;            /* m: and their units */
    double *scratch;          /* n x n, of the call in hand: where such a triangle is made first */
    term *terms;              /* m: the call in hand */
    rls2__unstored *unstored; /* m: those of them that are evaluated */
    unsigned char *in_call;   /* m flags: kernels of the call in hand, whose triangles are needed */
    double *panel;            /* scaled factors side by side, n x panel_room */
    int64_t panel_room;
    void *block; /* the arrays of m and the list of those that are evaluated */
};

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__combiner *combiner = owner;
    int64_t m = combiner->basis->m;
    combiner->triangles = rls2__layout_take(layout, m, sizeof *combiner->triangles);
    combiner->rounded = rls2__layout_take(layout, m, sizeof *combiner->rounded);
    combiner->units = rls2__layout_take(layout, m, sizeof *combiner->units);
    combiner->terms = rls2__layout_take(layout, m, sizeof *combiner->terms);
    combiner->unstored =
        rls2__layout_take(layout, combiner->basis->recomputed, sizeof *combiner->unstored);
    combiner->in_call = rls2__layout_take(layout, m, 1);
}

rls2__combiner *rls2__combiner_create(const rls2_basis *basis, int64_t memory)
{
    rls2__combiner *combiner = rls2__alloc_zero(1, sizeof *combiner);
    if (!combiner) return NULL;
    combiner->basis = basis;
    combiner->memory = memory;
    combiner->block = rls2__layout_alloc(lay_out, combiner);
    if (!combiner->block) {
        rls2__combiner_free(combiner);
        return NULL;
    }
    for (int64_t k = 0; k < basis->m; k++) {
        combiner->triangles[k] = NULL;
        combiner->rounded[k] = NULL;
        combiner->units[k] = 1.0;
    }
    memset(combiner->in_call, 0, (size_t)basis->m);
    return combiner;
}

void rls2__combiner_free(rls2__combiner *combiner)
{
    if (!combiner) return;
    for (int64_t k = 0; combiner->block && k < combiner->basis->m; k++) {
        rls2__free(combiner->triangles[k]);
        rls2__free(combiner->rounded[k]);
    }
    rls2__free(combiner->block);
    rls2__free(combiner->panel);
    rls2__free(combiner);
}

/* What factors leave out and rounding can change of a trace. */
static const double TRACE_TOL = 1e-9;

/* tr R(d) = sum_i w_i tr R^ks[i], which each operator knows from its diagonal. What overflows is
 * left out. */
RLS2__CHECK int has_trace(const rls2_basis *basis, int64_t count, const int64_t *ks,
                          const double *weights, const double *R)
{
    double sum = 0.0, wanted = 0.0, off = 0.0;
    for (int64_t i = 0; i < basis->n; i++) sum += R[i * basis->n + i];
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        wanted += weights[i] * op->trace;
        off += weights[i] * (op->slack * (double)basis->n + TRACE_TOL * fabs(op->trace) +
                             MORE_COARSE * basis->coarse);
    }
    return fabs(sum - wanted) <= off || !isfinite(sum - wanted);
}

static int64_t triangle_bytes(int64_t n)
{
    return n * (n + 1) / 2 * (int64_t)sizeof(double);
}

/* Forgets triangles of kernels that are not asked for now, until there is room for one more: to
 * evaluate an active kernel again and again costs more than one that may come back. */
static void make_room(rls2__combiner *combiner)
{
    int64_t bytes = triangle_bytes(combiner->basis->n);
    for (int64_t k = 0; k < combiner->basis->m && combiner->memory < bytes; k++) {
        if (combiner->in_call[k] || (!combiner->triangles[k] && !combiner->rounded[k])) continue;
        combiner->memory += combiner->rounded[k] ? bytes / 2 : bytes;
        rls2__free(combiner->triangles[k]);
        rls2__free(combiner->rounded[k]);
        combiner->triangles[k] = NULL;
        combiner->rounded[k] = NULL;
    }
}

static rls2_status fill_triangle(rls2__effort *effort, int64_t n, const rls2__operator *op,
                                 double *triangle)
{
    if (op->factor) return rls2__tiled_syrk_packed(effort, n, op->rank, op->factor, n, triangle);
    return rls2__recomputed_fill(effort, n, op, triangle);
}

/* ---- factors whose triangles are rounded ---- */

typedef struct rounding {
    int64_t count;
    const double *values;
    double units; /* in 1 */
    int32_t *rounded;
} rounding;

enum { ROUNDED_AT_ONCE = 1 << 19 };

RLS2__CLONES
static void round_values(int64_t n, double units, const double *x, int32_t *z)
{
    for (int64_t i = 0; i < n; i++) z[i] = rls2__la_rounded(units * x[i]);
}

static void round_task(void *user, int64_t task, int thread)
{
    const rounding *it = user;
    int64_t at = task * ROUNDED_AT_ONCE;
    (void)thread;
    round_values(rls2__piece(it->count, ROUNDED_AT_ONCE, at), it->units, it->values + at,
                 it->rounded + at);
}

static double largest_diagonal(int64_t n, const double *triangle)
{
    double largest = 0.0;
    for (int64_t j = 0; j < n; triangle += n - j, j++) largest = fmax(largest, *triangle);
    return largest;
}

/* A triangle made of a factor, in 32 bits where operators are and R(d) may be off by as much: forms
 * and products are those of the factor, and see it in the residual. Leaves rounded[k] NULL where it
 * may not, or there is no room. */
static rls2_status remember_rounded(rls2__effort *effort, rls2__combiner *combiner, int64_t k)
{
    const rls2__operator *op = &combiner->basis->ops[k];
    int64_t n = combiner->basis->n, count = n * (n + 1) / 2, bytes = triangle_bytes(n) / 2;
    if (combiner->basis->coarse == 0.0 || !op->factor || bytes > combiner->memory) return RLS2_OK;
    rls2_status status = fill_triangle(effort, n, op, combiner->scratch);
    if (status != RLS2_OK) return status == RLS2_ERR_MEMORY ? RLS2_OK : status;
    double unit = largest_diagonal(n, combiner->scratch) / RLS2__LARGEST_ROUNDED;
    if (!isnormal(unit) || !isnormal(1.0 / unit)) return RLS2_OK;
    double off = 0.5 * op->scale * unit * (double)n;
    if (!(off <= MORE_COARSE * combiner->basis->coarse)) return RLS2_OK;
    int32_t *rounded = rls2__alloc(count, sizeof *rounded);
    if (!rounded) return RLS2_OK;
    rounding it = {count, combiner->scratch, 1.0 / unit, rounded};
    status = rls2__effort_each(effort, rls2__pieces(count, ROUNDED_AT_ONCE), round_task, &it);
    if (status != RLS2_OK) {
        rls2__free(rounded);
        return status;
    }
    combiner->memory -= bytes;
    combiner->units[k] = unit;
    combiner->rounded[k] = rounded;
    return RLS2_OK;
}

/* Leaves triangles[k] NULL where there is no room. */
static rls2_status remember_triangle(rls2__effort *effort, rls2__combiner *combiner, int64_t k)
{
    const rls2__operator *op = &combiner->basis->ops[k];
    int64_t n = combiner->basis->n, bytes = triangle_bytes(n);
    if (rls2__operator_is_recomputed(op)) make_room(combiner);
    rls2__invariant(combiner->memory >= 0);
    double *triangle = bytes <= combiner->memory ? rls2__alloc(bytes, 1) : NULL;
    if (!triangle) return RLS2_OK;
    rls2_status status = fill_triangle(effort, n, op, triangle);
    if (status != RLS2_OK) {
        rls2__free(triangle);
        return status == RLS2_ERR_MEMORY ? RLS2_OK : status;
    }
    combiner->memory -= bytes;
    combiner->triangles[k] = triangle;
    return RLS2_OK;
}

/* A triangle for kernel k, its own or one made of its factor or kernel; none when that
 * should be used instead: because its rank is small, or because there is no
 * room (now; there may be the next time, so a call asks once for each kernel and keeps
 * to the answer). */
static rls2_status triangle_of(rls2__effort *effort, rls2__combiner *combiner, int64_t k, term *t)
{
    const rls2__operator *op = &combiner->basis->ops[k];
    int made = rls2__operator_is_recomputed(op) || (op->factor && op->rank > PANEL_RANK);
    rls2_status status = RLS2_OK;
    if (made && !combiner->triangles[k] && !combiner->rounded[k])
        status = remember_rounded(effort, combiner, k);
    if (status == RLS2_OK && made && !combiner->triangles[k] && !combiner->rounded[k])
        status = remember_triangle(effort, combiner, k);
    t->triangle = made ? combiner->triangles[k] : op->packed;
    t->rounded = made ? combiner->rounded[k] : op->rounded;
    t->unit = made ? combiner->units[k] : 1.0;
    return status;
}

static int64_t most_columns(int64_t n)
{
    return n + PANEL_BEYOND > PANEL_COLUMNS ? n + PANEL_BEYOND : PANEL_COLUMNS;
}

static rls2_status reserve_panel(rls2__combiner *combiner, int64_t columns)
{
    int64_t most = most_columns(combiner->basis->n);
    if (columns > most) columns = most;
    if (columns <= combiner->panel_room) return RLS2_OK;
    int64_t room = columns + columns / 2 + 16 < most ? columns + columns / 2 + 16 : most;
    double *panel = rls2__alloc(rls2__mul(combiner->basis->n, room), sizeof(double));
    if (!panel) return RLS2_ERR_MEMORY;
    rls2__free(combiner->panel);
    combiner->panel = panel;
    combiner->panel_room = room;
    return RLS2_OK;
}

static int by_factor(const term *t)
{
    return !t->triangle && !t->rounded && t->op->factor;
}

static int64_t append_factor(rls2__combiner *combiner, const term *t, int64_t at)
{
    int64_t n = combiner->basis->n, count = t->op->rank * n;
    double root = sqrt(t->weight * t->op->scale);
    rls2__invariant(!(t->weight < 0.0) && t->op->scale >= 0.0);
    double *out = combiner->panel + at * n;
    for (int64_t i = 0; i < count; i++) out[i] = root * t->op->factor[i];
    return at + t->op->rank;
}

/* R = sum of the terms that are taken by their factors; *found is 0 and R is left as it is where
 * there are none. */
static rls2_status combine_factors(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                                   double *R, int *found)
{
    const term *terms = combiner->terms;
    int64_t n = combiner->basis->n, most = most_columns(n), columns = 0, at = 0;
    double kept = 0.0; /* of R: nothing of what was there, then all that was added */
    for (int64_t i = 0; i < count; i++)
        if (by_factor(&terms[i])) columns += terms[i].op->rank;
    *found = columns > 0;
    if (columns == 0) return RLS2_OK;
    if (reserve_panel(combiner, columns) != RLS2_OK) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        if (!by_factor(&terms[i])) continue;
        if (at + terms[i].op->rank > most) {
            rls2_status status =
                rls2__tiled_syrk(effort, n, at, 1.0, combiner->panel, n, kept, R, n);
            if (status != RLS2_OK) return status;
            kept = 1.0;
            at = 0;
        }
        at = append_factor(combiner, &terms[i], at);
        rls2__invariant(at <= combiner->panel_room);
    }
    return rls2__tiled_syrk(effort, n, at, 1.0, combiner->panel, n, kept, R, n);
}

/* r += sum of TOGETHER weighted columns: four streams at once keep memory busy. */
RLS2__CLONES
static void add_four(int64_t n, const double *w, const double *const *t, int64_t at,
                     double *restrict r)
{
    const double *a = t[0] + at, *b = t[1] + at, *c = t[2] + at, *d = t[3] + at;
    double wa = w[0], wb = w[1], wc = w[2], wd = w[3];
    for (int64_t i = 0; i < n; i++) r[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
}

/* A range of columns of R, and what is added to it. */
typedef struct range_work {
    const rls2__combiner *combiner;
    int64_t terms;  /* of the combiner */
    int64_t ranges; /* into which the columns are cut */
    int fresh;      /* R has nothing in it yet */
    double *R;
    int64_t first, end; /* the columns in hand */
} range_work;

static void add_triangles(const range_work *w, int64_t count, const double *weights,
                          const double *const *t)
{
    int64_t n = w->combiner->basis->n;
    for (int64_t j = w->first; j < w->end; j++) {
        int64_t at = j * n - j * (j - 1) / 2;
        double *column = w->R + j * n + j;
        if (count == TOGETHER) {
            add_four(n - j, weights, t, at, column);
        } else {
            for (int64_t i = 0; i < count; i++) rls2__la_axpy(n - j, weights[i], t[i] + at, column);
        }
    }
}

static void add_rounded(const range_work *w, int64_t count, const double *weights,
                        const int32_t *const *t)
{
    int64_t n = w->combiner->basis->n;
    for (int64_t j = w->first; j < w->end; j++) {
        int64_t at = j * n - j * (j - 1) / 2;
        double *column = w->R + j * n + j;
        if (count == TOGETHER) {
            rls2__la_rounded_add_four(n - j, weights, t, at, column);
        } else {
            for (int64_t i = 0; i < count; i++)
                rls2__la_rounded_axpy(n - j, weights[i], t[i] + at, column);
        }
    }
}

/* Kernels of weight zero, on trial or on their way out, are left out altogether. */
static rls2_status list_terms(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                              const int64_t *ks, const double *weights, int64_t *terms)
{
    rls2_status status = RLS2_OK;
    *terms = 0;
    for (int64_t i = 0; i < count; i++) combiner->in_call[ks[i]] = 1;
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        term t = {.op = &combiner->basis->ops[ks[i]], .weight = weights[i]};
        if (t.weight == 0.0) continue;
        status = triangle_of(effort, combiner, ks[i], &t);
        combiner->terms[(*terms)++] = t;
    }
    for (int64_t i = 0; i < count; i++) combiner->in_call[ks[i]] = 0;
    return status;
}

/* The terms that are evaluated, all of them together. */
static rls2_status add_unstored(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                                double *R)
{
    int64_t listed = 0;
    for (int64_t i = 0; i < count; i++) {
        const term *t = &combiner->terms[i];
        if (!t->triangle && rls2__operator_is_recomputed(t->op))
            combiner->unstored[listed++] = (rls2__unstored){.op = t->op, .weight = t->weight};
    }
    rls2__invariant(listed <= combiner->basis->recomputed);
    return rls2__recomputed_add(effort, combiner->basis->n, listed, combiner->unstored, R);
}

/* A triangle made of a kernel has its scale in it. */
static double triangle_weight(const term *t)
{
    return rls2__operator_is_recomputed(t->op) ? t->weight : t->weight * t->op->scale;
}

static void add_full(const range_work *w, const term *t)
{
    int64_t n = w->combiner->basis->n;
    for (int64_t j = w->first; j < w->end; j++)
        rls2__la_axpy(n - j, t->weight * t->op->scale, t->op->full + j * n + j, w->R + j * n + j);
}

static void add_all_rounded(const range_work *w)
{
    const int32_t *group[TOGETHER];
    double weights[TOGETHER];
    int64_t held = 0;
    for (int64_t i = 0; i < w->terms; i++) {
        const term *t = &w->combiner->terms[i];
        if (!t->rounded) continue;
        group[held] = t->rounded;
        weights[held++] = t->weight * t->op->scale * t->unit;
        if (held < TOGETHER) continue;
        add_rounded(w, held, weights, group);
        held = 0;
    }
    add_rounded(w, held, weights, group);
}

/* The terms that are stored as matrices, to the columns in hand, which stay in cache meanwhile. */
static void add_matrices(const range_work *w)
{
    const double *group[TOGETHER];
    double weights[TOGETHER];
    int64_t held = 0;
    for (int64_t i = 0; i < w->terms; i++) {
        const term *t = &w->combiner->terms[i];
        if (by_factor(t)) continue;
        if (!t->triangle) {
            if (t->op->full) add_full(w, t);
            continue;
        }
        group[held] = t->triangle;
        weights[held++] = triangle_weight(t);
        if (held < TOGETHER) continue;
        add_triangles(w, held, weights, group);
        held = 0;
    }
    add_triangles(w, held, weights, group);
    add_all_rounded(w);
}

static void add_range(void *user, int64_t task, int thread)
{
    range_work w = *(const range_work *)user;
    int64_t n = w.combiner->basis->n;
    (void)thread;
    w.first = rls2__triangle_cut(n, w.ranges, task);
    w.end = rls2__triangle_cut(n, w.ranges, task + 1);
    for (int64_t j = w.first; w.fresh && j < w.end; j++)
        memset(w.R + j * n + j, 0, (size_t)(n - j) * sizeof(double));
    add_matrices(&w);
}

/* A megabyte of R for each range. */
static int64_t range_count(int64_t n)
{
    enum { RANGE_VALUES = 1 << 17 };
    return n * n / 2 / RANGE_VALUES + 1;
}

rls2_status rls2__combine(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                          const int64_t *ks, const double *weights, double *R)
{
    range_work w = {.combiner = combiner, .ranges = range_count(combiner->basis->n), .R = R};
    double n = (double)combiner->basis->n;
    int found = 0;
    combiner->scratch = R;
    rls2__invariant(rls2__is_unique(count, ks, combiner->basis->m));
    rls2_status status = list_terms(effort, combiner, count, ks, weights, &w.terms);
    if (status == RLS2_OK) status = combine_factors(effort, combiner, w.terms, R, &found);
    w.fresh = !found;
    if (status == RLS2_OK)
        status = rls2__effort_each_worth(effort, 0.5 * n * n * (double)(w.terms + 1), w.ranges,
                                         add_range, &w);
    if (status == RLS2_OK) status = add_unstored(effort, combiner, w.terms, R);
    rls2__invariant(status != RLS2_OK || has_trace(combiner->basis, count, ks, weights, R));
    return status;
}

rls2_status rls2__combiner_apply(rls2__effort *effort, rls2__combiner *combiner, int64_t count,
                                 const int64_t *ks, const double *c, double *V, double *work)
{
    int64_t n = combiner->basis->n, listed = 0;
    rls2_status status = rls2__basis_apply_stored(effort, combiner->basis, count, ks, c, V, work);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        const rls2__operator *op = &combiner->basis->ops[ks[i]];
        const double *triangle = combiner->triangles[ks[i]];
        if (!rls2__operator_is_recomputed(op)) continue;
        if (triangle)
            status = rls2__tiled_spmv(effort, n, 1.0, triangle, c, V + i * n);
        else
            combiner->unstored[listed++] = (rls2__unstored){.op = op, .at = i};
    }
    if (status != RLS2_OK) return status;
    return rls2__recomputed_apply(effort, n, listed, combiner->unstored, c, V, work);
}
