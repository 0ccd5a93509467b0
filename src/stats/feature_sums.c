/* Adds up products of features, some thousand rows at a time: first the features of all of them,
 * then tiles of products, axes and responses, each a task of its own. */
#include "stats/feature_sums.h"

#include <string.h>

#include "base/clones.h"
#include "base/invariant.h"
#include "la/la.h"

enum {
    ROWS = 2048,       /* whose features are there at a time */
    EXACT_ROWS = 512,  /* whose products add up to 2^53 at most: 22 + 22 + 9 bits */
    TILE = 128,        /* features */
    PIECE_BITS = 21,   /* lower bits of a feature times a weight, which has 42 */
    RESPONSE_BITS = 18 /* lower bits of a response, which has 36 */
};

/* ---- room ---- */

void rls2__feature_sums_free(rls2__feature_sums *sums)
{
    if (!sums) return;
    rls2__free(sums->cross);
    rls2__free(sums->squares);
    rls2__free(sums->sums);
    rls2__free(sums->traces);
    rls2__free(sums);
}

static int64_t triangle(int64_t total)
{
    return rls2__mul(total, total + 1) / 2;
}

/* Values of each part, of each array. */
static int64_t cross_size(const rls2__feature_sums *s)
{
    return rls2__mul(rls2__mul(s->pieces, s->points), s->features->total);
}

static int64_t sums_size(const rls2__feature_sums *s)
{
    return rls2__mul(1 + s->outputs, s->features->total);
}

static rls2__feature_sums describe(const rls2__axes *axes, const rls2__features *features,
                                   int64_t parts, int64_t outputs, int is_weighted)
{
    return (rls2__feature_sums){.features = features,
                                .axes = axes,
                                .parts = parts,
                                .outputs = outputs,
                                .points = rls2__axes_points(axes),
                                .pieces = is_weighted ? 2 : 1};
}

double rls2__feature_sums_bytes(const rls2__axes *axes, const rls2__features *features,
                                int64_t parts, int64_t outputs, int is_weighted)
{
    rls2__feature_sums s = describe(axes, features, parts, outputs, is_weighted);
    return (double)parts * (8.0 * (double)cross_size(&s) + 16.0 * (double)sums_size(&s) +
                            16.0 * (double)triangle(features->total));
}

rls2_status rls2__feature_sums_create(const rls2__axes *axes, const rls2__features *features,
                                      int64_t parts, int64_t outputs, int is_weighted,
                                      rls2__feature_sums **sums)
{
    rls2__feature_sums *s = rls2__alloc(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    *s = describe(axes, features, parts, outputs, is_weighted);
    s->cross = rls2__alloc_zero(rls2__mul(parts, cross_size(s)), sizeof *s->cross);
    s->squares = rls2__alloc_zero(rls2__mul(parts, triangle(features->total)), sizeof *s->squares);
    s->sums = rls2__alloc_zero(rls2__mul(parts, sums_size(s)), sizeof *s->sums);
    s->traces = rls2__alloc_zero(rls2__mul(parts, features->count), sizeof *s->traces);
    if (s->cross && s->squares && s->sums && s->traces) {
        *sums = s;
        return RLS2_OK;
    }
    rls2__feature_sums_free(s);
    return RLS2_ERR_MEMORY;
}

static void add_wide(int64_t count, const rls2__wide *more, rls2__wide *to)
{
    for (int64_t i = 0; i < count; i++) to[i] += more[i];
}

void rls2__feature_sums_merge(const rls2__feature_sums *more, rls2__feature_sums *sums)
{
    int64_t parts = sums->parts;
    rls2__invariant(more->parts == parts && more->features->total == sums->features->total);
    rls2__invariant(more->pieces == sums->pieces && more->points == sums->points);
    for (int64_t i = 0; i < parts * cross_size(sums); i++) sums->cross[i] += more->cross[i];
    add_wide(parts * triangle(sums->features->total), more->squares, sums->squares);
    add_wide(parts * sums_size(sums), more->sums, sums->sums);
    add_wide(parts * sums->features->count, more->traces, sums->traces);
}

static void subtract_wide(int64_t count, const rls2__wide *less, rls2__wide *sums)
{
    for (int64_t i = 0; i < count; i++) sums[i] -= less[i];
}

void rls2__feature_sums_subtract(const rls2__feature_sums *less, rls2__feature_sums *sums)
{
    int64_t parts = sums->parts;
    for (int64_t i = 0; i < parts * cross_size(sums); i++) sums->cross[i] -= less->cross[i];
    subtract_wide(parts * triangle(sums->features->total), less->squares, sums->squares);
    subtract_wide(parts * sums_size(sums), less->sums, sums->sums);
    subtract_wide(parts * sums->features->count, less->traces, sums->traces);
}

void rls2__feature_sums_clear(rls2__feature_sums *sums)
{
    size_t parts = (size_t)sums->parts, wide = sizeof(rls2__wide);
    memset(sums->cross, 0, parts * (size_t)cross_size(sums) * sizeof *sums->cross);
    memset(sums->squares, 0, parts * (size_t)triangle(sums->features->total) * wide);
    memset(sums->sums, 0, parts * (size_t)sums_size(sums) * wide);
    memset(sums->traces, 0, parts * (size_t)sums->features->count * wide);
}

int64_t rls2__feature_triangle(const rls2__feature_sums *sums)
{
    return triangle(sums->features->total);
}

int64_t rls2__feature_cross_size(const rls2__feature_sums *sums)
{
    return cross_size(sums);
}

int64_t rls2__feature_pair(const rls2__feature_sums *sums, int64_t i, int64_t j)
{
    return j * sums->features->total - j * (j - 1) / 2 + i - j;
}

rls2__wide rls2__feature_cross(const rls2__feature_sums *sums, int64_t p, int64_t point, int64_t l)
{
    const int64_t *cross = sums->cross + p * cross_size(sums);
    int64_t total = sums->features->total, at = point * total + l;
    if (sums->pieces == 1) return cross[at];
    return (rls2__wide)cross[at] * ((rls2__wide)1 << PIECE_BITS) + cross[sums->points * total + at];
}

/* ---- the rows of a chunk ---- */

struct rls2__feature_work {
    int64_t total, blocks, outputs, pieces;
    int threads;
    int32_t *whole;    /* features x ROWS: features, or pieces of them times weights, */
    double *values;    /* the features as doubles, */
    int32_t *piece[2]; /* what shares are multiplied by, */
    double *factor[2]; /* and what features are */
    double *right;     /* (1 + 2 outputs) x ROWS: one, and upper and lower bits of responses */
    int64_t *traces;   /* ROWS x blocks */
    double *tiles;     /* of each thread: TILE x TILE, or features x (1 + 2 outputs) */
    int64_t tile_size;
    rls2__feature_room *rooms; /* of each thread */
    void *block;
    /* the rows at hand */
    rls2__feature_sums *sums;
    const rls2__feature_rows *rows;
    int64_t part, first, count;
};

static void lay_out_work(rls2__layout *layout, void *owner)
{
    rls2__feature_work *w = owner;
    int64_t size = rls2__mul(w->total, ROWS), wide = 1 + 2 * w->outputs;
    w->tile_size = rls2__mul(w->total, wide);
    if (w->tile_size < TILE * TILE) w->tile_size = TILE * TILE;
    w->whole = rls2__layout_take(layout, size, sizeof(int32_t));
    w->values = rls2__layout_take(layout, size, sizeof(double));
    w->piece[0] = w->whole;
    w->factor[0] = w->values;
    for (int64_t p = 0; p < w->pieces && w->pieces > 1; p++) {
        w->piece[p] = rls2__layout_take(layout, size, sizeof(int32_t));
        w->factor[p] = rls2__layout_take(layout, size, sizeof(double));
    }
    w->right = rls2__layout_take(layout, rls2__mul(wide, ROWS), sizeof(double));
    w->traces = rls2__layout_take(layout, rls2__mul(w->blocks, ROWS), sizeof(int64_t));
    w->tiles = rls2__layout_take(layout, rls2__mul(w->threads, w->tile_size), sizeof(double));
}

void rls2__feature_work_free(rls2__feature_work *work)
{
    if (!work) return;
    for (int t = 0; work->rooms && t < work->threads; t++)
        rls2__feature_room_release(&work->rooms[t]);
    rls2__free(work->rooms);
    rls2__free(work->block);
    rls2__free(work);
}

rls2_status rls2__feature_work_create(const rls2__effort *effort, const rls2__feature_sums *sums,
                                      rls2__feature_work **work)
{
    rls2__feature_work *w = rls2__alloc_zero(1, sizeof *w);
    if (!w) return RLS2_ERR_MEMORY;
    w->total = sums->features->total;
    w->blocks = sums->features->count;
    w->outputs = sums->outputs;
    w->pieces = sums->pieces;
    w->threads = effort->threads;
    w->block = rls2__layout_alloc(lay_out_work, w);
    w->rooms = rls2__alloc_zero(w->threads, sizeof *w->rooms);
    rls2_status status = w->block && w->rooms ? RLS2_OK : RLS2_ERR_MEMORY;
    for (int t = 0; t < w->threads && status == RLS2_OK; t++)
        status = rls2__feature_room_create(sums->features, &w->rooms[t]);
    if (status == RLS2_OK)
        *work = w;
    else
        rls2__feature_work_free(w);
    return status;
}

/* q w = upper 2^21 + lower, 0 <= lower < 2^21. */
static void cut(const rls2__feature_work *w, int64_t i, int64_t weight)
{
    int64_t at = i * w->total;
    for (int64_t l = at; l < at + w->total; l++) {
        int64_t product = w->whole[l] * weight;
        int64_t lower = product & (((int64_t)1 << PIECE_BITS) - 1);
        w->piece[1][l] = (int32_t)lower;
        w->factor[1][l] = (double)lower;
        w->piece[0][l] = (int32_t)((product - lower) / ((int64_t)1 << PIECE_BITS));
        w->factor[0][l] = (double)w->piece[0][l];
    }
}

static void split_responses(const rls2__feature_work *w, int64_t i)
{
    double *right = w->right + i * (1 + 2 * w->outputs);
    right[0] = 1.0;
    for (int64_t o = 0; o < w->outputs; o++) {
        int64_t y = w->rows->y[o * w->rows->ldy + w->first + i];
        int64_t lower = y & (((int64_t)1 << RESPONSE_BITS) - 1);
        right[1 + 2 * o] = (double)((y - lower) / ((int64_t)1 << RESPONSE_BITS));
        right[2 + 2 * o] = (double)lower;
    }
}

/* Features of some rows. */
static void make_features(void *user, int64_t task, int thread)
{
    const rls2__feature_work *w = user;
    int64_t first = task * RLS2__FEATURE_ROWS, left = w->count - first;
    int64_t n = left < RLS2__FEATURE_ROWS ? left : RLS2__FEATURE_ROWS;
    rls2__features_round(w->sums->features, w->rows->x, w->rows->ldx, n,
                         w->rows->order + w->first + first, &w->rooms[thread],
                         w->whole + first * w->total, w->traces + first, ROWS);
    for (int64_t l = first * w->total; l < (first + n) * w->total; l++)
        w->values[l] = (double)w->whole[l];
    for (int64_t i = first; i < first + n; i++) {
        if (w->pieces > 1) cut(w, i, w->rows->weight[w->first + i]);
        split_responses(w, i);
    }
}

/* ---- products ---- */

/* What the lower piece counts when the upper counts 2^21. */
static int shift_of(const rls2__feature_work *w, int64_t piece)
{
    return w->pieces > 1 && piece == 0 ? PIECE_BITS : 0;
}

/* value 2^shift, for either sign. */
static rls2__wide shifted(double value, int shift)
{
    return (rls2__wide)(int64_t)value * ((rls2__wide)1 << shift);
}

/* Features i of a tile with features j of another, i >= j. */
static void add_tile(const rls2__feature_work *w, int64_t i, int64_t j, double *C)
{
    int64_t L = w->total, high = L - i < TILE ? L - i : TILE, wide = L - j < TILE ? L - j : TILE;
    rls2__wide *squares = w->sums->squares + w->part * triangle(L);
    for (int64_t p = 0; p < w->pieces; p++)
        for (int64_t r = 0; r < w->count; r += EXACT_ROWS) {
            int64_t n = w->count - r < EXACT_ROWS ? w->count - r : EXACT_ROWS;
            memset(C, 0, TILE * TILE * sizeof *C);
            rls2__la_subtract_nt(high, wide, n, w->values + r * L + i, L, w->factor[p] + r * L + j,
                                 L, C, TILE);
            for (int64_t v = 0; v < wide; v++)
                for (int64_t u = i == j ? v : 0; u < high; u++)
                    squares[rls2__feature_pair(w->sums, i + u, j + v)] -=
                        shifted(C[v * TILE + u], shift_of(w, p));
        }
}

RLS2__CLONES
static void add_share(int64_t count, int32_t share, const int32_t *q, int64_t *restrict to)
{
    for (int64_t l = 0; l < count; l++) to[l] += share * q[l]; /* 28 bits */
}

static void add_axis(const rls2__feature_work *w, int64_t a)
{
    const rls2__feature_rows *rows = w->rows;
    const uint16_t *at = rows->at + a * rows->ldy + w->first;
    const uint8_t *share = rows->share + a * rows->ldy + w->first;
    int64_t L = w->total, first = w->sums->axes->first[a];
    for (int64_t p = 0; p < w->pieces; p++) {
        int64_t *cross =
            w->sums->cross + w->part * cross_size(w->sums) + (p * w->sums->points + first) * L;
        for (int64_t i = 0; i < w->count; i++) {
            const int32_t *q = w->piece[p] + i * L;
            add_share(L, RLS2__SHARES - share[i], q, cross + at[i] * L);
            if (share[i] > 0) add_share(L, share[i], q, cross + (at[i] + 1) * L);
        }
    }
}

static void add_responses(const rls2__feature_work *w, double *C)
{
    int64_t L = w->total, wide = 1 + 2 * w->outputs;
    rls2__wide *sums = w->sums->sums + w->part * sums_size(w->sums);
    for (int64_t p = 0; p < w->pieces; p++)
        for (int64_t r = 0; r < w->count; r += EXACT_ROWS) {
            int64_t n = w->count - r < EXACT_ROWS ? w->count - r : EXACT_ROWS;
            memset(C, 0, (size_t)(L * wide) * sizeof *C);
            rls2__la_subtract_nt(L, wide, n, w->factor[p] + r * L, L, w->right + r * wide, wide, C,
                                 L);
            for (int64_t v = 0; v < wide; v++) {
                int shift = shift_of(w, p) + (v % 2 == 1 ? RESPONSE_BITS : 0);
                for (int64_t l = 0; l < L; l++)
                    sums[(v + 1) / 2 * L + l] -= shifted(C[v * L + l], shift);
            }
        }
}

static int64_t tile_rows(const rls2__feature_work *w)
{
    return (w->total + TILE - 1) / TILE;
}

static int64_t tile_tasks(const rls2__feature_work *w)
{
    return tile_rows(w) * (tile_rows(w) + 1) / 2;
}

static void add_products(void *user, int64_t task, int thread)
{
    const rls2__feature_work *w = user;
    double *C = w->tiles + thread * w->tile_size;
    int64_t tiles = tile_tasks(w), axes = w->sums->axes->count;
    if (task < tiles) {
        int64_t row = 0;
        while (task > row) task -= ++row;
        add_tile(w, row * TILE, task * TILE, C);
    } else if (task < tiles + axes) {
        add_axis(w, task - tiles);
    } else {
        add_responses(w, C);
    }
}

static void add_traces(const rls2__feature_work *w)
{
    rls2__wide *traces = w->sums->traces + w->part * w->blocks;
    for (int64_t b = 0; b < w->blocks; b++)
        for (int64_t i = 0; i < w->count; i++)
            traces[b] += (rls2__wide)w->traces[b * ROWS + i] *
                         (w->pieces > 1 ? w->rows->weight[w->first + i] : 1);
}

rls2_status rls2__feature_sums_add(rls2__effort *effort, const rls2__feature_rows *rows,
                                   int64_t part, rls2__feature_work *work, rls2__feature_sums *sums)
{
    rls2_status status = RLS2_OK;
    work->sums = sums;
    work->rows = rows;
    work->part = part;
    for (work->first = 0; work->first < rows->count && status == RLS2_OK; work->first += ROWS) {
        int64_t left = rows->count - work->first;
        work->count = left < ROWS ? left : ROWS;
        status =
            rls2__effort_each(effort, (work->count + RLS2__FEATURE_ROWS - 1) / RLS2__FEATURE_ROWS,
                              make_features, work);
        if (status == RLS2_OK)
            status = rls2__effort_each(effort, tile_tasks(work) + sums->axes->count + 1,
                                       add_products, work);
        if (status == RLS2_OK) add_traces(work);
    }
    return status;
}
