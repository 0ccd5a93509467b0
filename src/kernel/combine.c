#include "kernel/combine.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "la/la.h"

/* Adding a remembered triangle streams n^2/2 values through memory; a factor of rank r
 * costs n^2 r flops out of cache. Up to about this rank the product is cheaper. */
enum { PANEL_RANK = 6, TOGETHER = 4 };

/* One summand, and how it is taken: by a packed triangle; else, where that is NULL, by
 * its factor; else by its full matrix. */
typedef struct term {
    const rls2__operator *op;
    const double *triangle;
    double weight;
} term;

struct rls2__combiner {
    const rls2_basis *basis;
    int64_t memory;     /* bytes left for triangles */
    double **triangles; /* m pointers: triangles made of factors, own */
    term *terms;        /* m: the call in hand */
    double *scratch;    /* n x n, to form a triangle of a factor */
    double *panel;      /* scaled factors side by side, n x panel_room */
    int64_t panel_room;
};

rls2__combiner *rls2__combiner_create(const rls2_basis *basis, int64_t memory)
{
    rls2__combiner *combiner = rls2__alloc_zero(1, sizeof *combiner);
    if (!combiner) return NULL;
    combiner->basis = basis;
    combiner->memory = memory;
    combiner->triangles = rls2__alloc_zero(basis->m, sizeof *combiner->triangles);
    combiner->terms = rls2__alloc(basis->m, sizeof *combiner->terms);
    if (combiner->triangles && combiner->terms) return combiner;
    rls2__combiner_free(combiner);
    return NULL;
}

void rls2__combiner_free(rls2__combiner *combiner)
{
    if (!combiner) return;
    for (int64_t k = 0; combiner->triangles && k < combiner->basis->m; k++)
        rls2__free(combiner->triangles[k]);
    rls2__free(combiner->triangles);
    rls2__free(combiner->terms);
    rls2__free(combiner->scratch);
    rls2__free(combiner->panel);
    rls2__free(combiner);
}

static void pack_lower(int64_t n, const double *A, double *packed)
{
    for (int64_t j = 0; j < n; j++) {
        memcpy(packed, A + j * n + j, (size_t)(n - j) * sizeof *packed);
        packed += n - j;
    }
}

static double *remember_triangle(rls2__combiner *combiner, int64_t k)
{
    const rls2__operator *op = &combiner->basis->ops[k];
    int64_t n = combiner->basis->n, bytes = n * (n + 1) / 2 * (int64_t)sizeof(double);
    if (bytes > combiner->memory) return NULL;
    if (!combiner->scratch) combiner->scratch = rls2__alloc(n * n, sizeof(double));
    if (!combiner->scratch) return NULL;
    double *triangle = rls2__alloc(bytes, 1);
    if (!triangle) return NULL;
    rls2__la_syrk(n, op->rank, 1.0, op->factor, n, 0.0, combiner->scratch, n);
    pack_lower(n, combiner->scratch, triangle);
    combiner->memory -= bytes;
    return triangle;
}

/* A packed triangle for kernel k, its own or one made of its factor; NULL when the
 * factor should be used instead: because its rank is small, or because there is no
 * room (now; there may be the next time, so a call asks once for each kernel and keeps
 * to the answer). */
static const double *triangle_of(rls2__combiner *combiner, int64_t k)
{
    const rls2__operator *op = &combiner->basis->ops[k];
    if (!op->factor || op->rank <= PANEL_RANK) return op->packed;
    if (!combiner->triangles[k]) combiner->triangles[k] = remember_triangle(combiner, k);
    return combiner->triangles[k];
}

static rls2_status reserve_panel(rls2__combiner *combiner, int64_t columns)
{
    if (columns <= combiner->panel_room) return RLS2_OK;
    int64_t room = columns + columns / 2 + 16;
    double *panel = rls2__alloc(rls2__mul(combiner->basis->n, room), sizeof(double));
    if (!panel) return RLS2_ERR_MEMORY;
    rls2__free(combiner->panel);
    combiner->panel = panel;
    combiner->panel_room = room;
    return RLS2_OK;
}

static int by_factor(const term *t)
{
    return !t->triangle && t->op->factor;
}

static int64_t append_factor(rls2__combiner *combiner, const term *t, int64_t at)
{
    int64_t n = combiner->basis->n, count = t->op->rank * n;
    double root = sqrt(t->weight * t->op->scale);
    double *out = combiner->panel + at * n;
    for (int64_t i = 0; i < count; i++) out[i] = root * t->op->factor[i];
    return at + t->op->rank;
}

/* R = sum of the terms that are taken by their factors; zero if there are none. */
static rls2_status combine_factors(rls2__combiner *combiner, int64_t count, double *R)
{
    const term *terms = combiner->terms;
    int64_t n = combiner->basis->n, columns = 0, at = 0;
    for (int64_t i = 0; i < count; i++)
        if (by_factor(&terms[i])) columns += terms[i].op->rank;
    if (columns == 0) {
        for (int64_t j = 0; j < n; j++) memset(R + j * n + j, 0, (size_t)(n - j) * sizeof *R);
        return RLS2_OK;
    }
    if (reserve_panel(combiner, columns) != RLS2_OK) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        if (by_factor(&terms[i])) at = append_factor(combiner, &terms[i], at);
    rls2__la_syrk(n, columns, 1.0, combiner->panel, n, 0.0, R, n);
    return RLS2_OK;
}

/* r += sum of TOGETHER weighted columns: four streams at once keep memory busy. */
RLS2__CLONES
static void add_four(int64_t n, const double *w, const double *const *t, int64_t at, double *restrict r)
{
    const double *a = t[0] + at, *b = t[1] + at, *c = t[2] + at, *d = t[3] + at;
    double wa = w[0], wb = w[1], wc = w[2], wd = w[3];
    for (int64_t i = 0; i < n; i++) r[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
}

static void add_triangles(int64_t n, int64_t count, const double *w, const double *const *t, double *R)
{
    int64_t at = 0;
    for (int64_t j = 0; j < n; j++) {
        double *column = R + j * n + j;
        if (count == TOGETHER) {
            add_four(n - j, w, t, at, column);
        } else {
            for (int64_t i = 0; i < count; i++) rls2__la_axpy(n - j, w[i], t[i] + at, column);
        }
        at += n - j;
    }
}

/* Kernels of weight zero, on trial or on their way out, are left out altogether. */
static int64_t list_terms(rls2__combiner *combiner, int64_t count, const int64_t *ks, const double *weights)
{
    int64_t terms = 0;
    for (int64_t i = 0; i < count; i++)
        if (weights[i] != 0.0)
            combiner->terms[terms++] =
                (term){&combiner->basis->ops[ks[i]], triangle_of(combiner, ks[i]), weights[i]};
    return terms;
}

static void add_full(int64_t n, const term *t, double *R)
{
    for (int64_t j = 0; j < n; j++)
        rls2__la_axpy(n - j, t->weight * t->op->scale, t->op->full + j * n + j, R + j * n + j);
}

rls2_status rls2__combine(rls2__combiner *combiner, int64_t count, const int64_t *ks, const double *weights,
                          double *R)
{
    int64_t n = combiner->basis->n, held = 0;
    const double *group[TOGETHER];
    double group_weights[TOGETHER];
    int64_t terms = list_terms(combiner, count, ks, weights);
    rls2_status status = combine_factors(combiner, terms, R);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < terms; i++) {
        const term *t = &combiner->terms[i];
        if (by_factor(t)) continue;
        if (!t->triangle) {
            add_full(n, t, R);
            continue;
        }
        group[held] = t->triangle;
        group_weights[held++] = t->weight * t->op->scale;
        if (held < TOGETHER) continue;
        add_triangles(n, held, group_weights, group, R);
        held = 0;
    }
    add_triangles(n, held, group_weights, group, R);
    return RLS2_OK;
}
