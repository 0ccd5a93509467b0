/* Counts rows on axes: pairs of axes are tasks, and every number is an integer. */
#include "stats/counts.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

enum {
    RESPONSE_BITS = 36,
    WEIGHT_BITS = 20,
    ROWS_AT_ONCE = 1 << 16, /* whose places stay in the cache while pairs of axes are counted */
    SQUARE = RLS2__SHARES * RLS2__SHARES
};

/* ---- units ---- */

/* The power of two that makes numbers up to `most` integers of so many bits. */
static double unit_of(double most, int bits)
{
    int exponent;
    if (!(most > 0.0)) return 1.0;
    (void)frexp(most, &exponent);
    return fmax(ldexp(1.0, exponent - bits), 0x1p-1074); /* zero of subnormal numbers, otherwise */
}

rls2__units rls2__units_of(double least, double most, double largest_weight)
{
    double center = 0.5 * least + 0.5 * most;
    return (rls2__units){.center = center,
                         .response = unit_of(fmax(most - center, center - least), RESPONSE_BITS),
                         .weight = unit_of(largest_weight, WEIGHT_BITS)};
}

/* ---- room ---- */

void rls2__counts_free(rls2__counts *counts)
{
    if (!counts) return;
    rls2__free(counts->pair_at);
    rls2__free(counts->pairs);
    rls2__free(counts->own);
    rls2__free(counts->sums);
    rls2__free(counts->totals);
    rls2__free(counts->units);
    rls2__free(counts->beyond);
    rls2__feature_sums_free(counts->featured);
    rls2__free(counts);
}

/* A share at the point after the last is zero, and is added nevertheless: to a row of its own. */
static int64_t table_size(const rls2__axis *a, const rls2__axis *b)
{
    return rls2__mul(a->count + 1, b->count) + 1;
}

static int64_t lay_out_pairs(const rls2__axes *axes, int64_t *pair_at)
{
    int64_t at = 0;
    for (int64_t a = 0; a < axes->count; a++)
        for (int64_t b = a + 1; b < axes->count; b++) {
            if (pair_at) pair_at[a * axes->count + b] = at;
            at = rls2__add(at, table_size(&axes->all[a], &axes->all[b]));
        }
    return at;
}

double rls2__counts_bytes(const rls2__axes *axes, int64_t parts, int64_t outputs)
{
    double points = (double)rls2__axes_points(axes);
    return (double)parts * (8.0 * (double)lay_out_pairs(axes, NULL) + 24.0 * points +
                            16.0 * (double)outputs * points);
}

static rls2_status reserve(rls2__counts *counts)
{
    int64_t axes = counts->axes->count, points = rls2__mul(counts->parts, counts->points);
    int64_t ends = rls2__mul(counts->parts, counts->outputs);
    counts->pair_at = rls2__alloc_zero(rls2__mul(axes, axes), sizeof *counts->pair_at);
    if (!counts->pair_at) return RLS2_ERR_MEMORY;
    counts->pair_size = lay_out_pairs(counts->axes, counts->pair_at);
    counts->pairs =
        rls2__alloc_zero(rls2__mul(counts->parts, counts->pair_size), sizeof *counts->pairs);
    counts->own = rls2__alloc_zero(rls2__mul(3, points), sizeof *counts->own);
    counts->sums = rls2__alloc_zero(rls2__add(rls2__mul(points, counts->outputs), 2 * ends),
                                    sizeof *counts->sums);
    counts->totals = rls2__alloc_zero(counts->parts, sizeof *counts->totals);
    counts->units = rls2__alloc(counts->outputs, sizeof *counts->units);
    counts->beyond = rls2__alloc_zero(axes, sizeof *counts->beyond);
    if (!counts->pairs || !counts->own || !counts->sums || !counts->totals || !counts->units ||
        !counts->beyond)
        return RLS2_ERR_MEMORY;
    counts->next = counts->own + points;
    counts->mass = counts->next + points;
    counts->first = counts->sums + points * counts->outputs;
    counts->second = counts->first + ends;
    return RLS2_OK;
}

rls2_status rls2__counts_create(const rls2__axes *axes, int64_t parts, int64_t outputs,
                                int is_weighted, const rls2__units *units, rls2__counts **counts)
{
    rls2__counts *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return RLS2_ERR_MEMORY;
    made->axes = axes;
    made->parts = parts;
    made->outputs = outputs;
    made->is_weighted = is_weighted;
    made->points = rls2__axes_points(axes);
    rls2_status status = reserve(made);
    if (status == RLS2_OK) memcpy(made->units, units, (size_t)outputs * sizeof *units);
    if (status == RLS2_OK)
        *counts = made;
    else
        rls2__counts_free(made);
    return status;
}

rls2_status rls2__counts_take_features(const rls2__features *features, rls2__counts *counts)
{
    rls2__invariant(!counts->featured);
    if (!features || features->total == 0) return RLS2_OK;
    return rls2__feature_sums_create(counts->axes, features, counts->parts, counts->outputs,
                                     counts->is_weighted, &counts->featured);
}

/* ---- counting ---- */

/* Rows of a chunk, those of one part next to each other. */
typedef struct chunk {
    rls2__counts *counts;
    const rls2__counted_rows *rows;
    int64_t count;
    int64_t *order;   /* count: their numbers */
    int64_t *start;   /* parts + 1: where each part begins */
    uint32_t *weight; /* count; NULL where each is one */
    int64_t *y;       /* count x outputs */
    uint16_t *at;     /* axes x ROWS_AT_ONCE */
    uint8_t *share;
    uint8_t *shares; /* axes: 1 where a row of the chunk lies between two points */
    void *block;
} chunk;

static void lay_out_chunk(rls2__layout *layout, void *owner)
{
    chunk *c = owner;
    int64_t axes = c->counts->axes->count, rows = ROWS_AT_ONCE;
    c->order = rls2__layout_take(layout, rows, sizeof *c->order);
    c->start = rls2__layout_take(layout, c->counts->parts + 1, sizeof *c->start);
    c->weight = rls2__layout_take(layout, rows, sizeof *c->weight);
    c->y = rls2__layout_take(layout, rls2__mul(rows, c->counts->outputs), sizeof *c->y);
    c->at = rls2__layout_take(layout, rls2__mul(rows, axes), sizeof *c->at);
    c->share = rls2__layout_take(layout, rls2__mul(rows, axes), sizeof *c->share);
    c->shares = rls2__layout_take(layout, axes, sizeof *c->shares);
}

static int64_t part_of(const rls2__counted_rows *rows, int64_t i)
{
    return rows->part ? rows->part[i] : 0;
}

/* Counting sort by part. */
static void order_rows(chunk *c, int64_t first, int64_t count)
{
    int64_t parts = c->counts->parts;
    memset(c->start, 0, (size_t)(parts + 1) * sizeof *c->start);
    for (int64_t i = first; i < first + count; i++)
        if (part_of(c->rows, i) >= 0) c->start[part_of(c->rows, i) + 1]++;
    for (int64_t p = 0; p < parts; p++) c->start[p + 1] += c->start[p];
    c->count = c->start[parts];
    for (int64_t i = first + count - 1; i >= first; i--)
        if (part_of(c->rows, i) >= 0) c->order[--c->start[part_of(c->rows, i) + 1]] = i;
    /* start[p + 1] is now where part p begins */
    memmove(c->start, c->start + 1, (size_t)parts * sizeof *c->start);
    c->start[parts] = c->count;
}

/* Responses and weights as integers, and the sums that need no axis. */
static void read_rows(chunk *c)
{
    rls2__counts *counts = c->counts;
    double unit = counts->units[0].weight;
    for (int64_t i = 0; i < c->count; i++) {
        double w = c->rows->weights ? c->rows->weights[c->order[i]] : unit;
        c->weight[i] = (uint32_t)llrint(w / unit);
        if (c->weight[i] == 0 && w > 0.0) c->weight[i] = 1;
        counts->rounded += fabs(c->weight[i] * unit - w) > 0.0;
    }
    for (int64_t o = 0; o < counts->outputs; o++) {
        const double *y = c->rows->y + o * c->rows->rows;
        for (int64_t i = 0; i < c->count; i++)
            c->y[o * ROWS_AT_ONCE + i] =
                llrint((y[c->order[i]] - counts->units[o].center) / counts->units[o].response);
    }
    for (int64_t p = 0; p < counts->parts; p++)
        for (int64_t i = c->start[p]; i < c->start[p + 1]; i++) {
            counts->totals[p].rows++;
            counts->totals[p].weight += c->weight[i];
            for (int64_t o = 0; o < counts->outputs; o++) {
                rls2__wide y = c->y[o * ROWS_AT_ONCE + i];
                counts->first[p * counts->outputs + o] += y * c->weight[i];
                counts->second[p * counts->outputs + o] += y * y * c->weight[i];
            }
        }
}

static uint8_t is_shared(int64_t count, const uint8_t *share)
{
    uint8_t any = 0;
    for (int64_t i = 0; i < count; i++) any |= share[i];
    return any > 0;
}

/* One axis: the places of the rows, and what is counted of it alone. */
static void count_axis(void *user, int64_t task, int thread)
{
    const chunk *c = user;
    rls2__counts *counts = c->counts;
    uint16_t *at = c->at + task * ROWS_AT_ONCE;
    uint8_t *share = c->share + task * ROWS_AT_ONCE;
    (void)thread;
    counts->beyond[task] += rls2__axis_place(&counts->axes->all[task], c->rows->x, c->rows->rows,
                                             c->count, c->order, at, share);
    c->shares[task] = is_shared(c->count, share);
    for (int64_t p = 0; p < counts->parts; p++) {
        int64_t first = p * counts->points + counts->axes->first[task];
        uint64_t *own = counts->own + first, *next = counts->next + first;
        uint64_t *mass = counts->mass + first;
        for (int64_t i = c->start[p]; i < c->start[p + 1]; i++) {
            uint64_t w = c->weight[i], s = share[i], rest = RLS2__SHARES - s;
            own[at[i]] += w * rest * rest;
            mass[at[i]] += w * rest;
            if (s == 0) continue;
            next[at[i]] += w * rest * s;
            own[at[i] + 1] += w * s * s;
            mass[at[i] + 1] += w * s;
        }
        for (int64_t o = 0; o < counts->outputs; o++) {
            rls2__wide *sums = counts->sums + (p * counts->outputs + o) * counts->points +
                               counts->axes->first[task];
            const int64_t *y = c->y + o * ROWS_AT_ONCE;
            for (int64_t i = c->start[p]; i < c->start[p + 1]; i++) {
                rls2__wide value = (rls2__wide)y[i] * c->weight[i];
                sums[at[i]] += value * (RLS2__SHARES - share[i]);
                if (share[i] > 0) sums[at[i] + 1] += value * share[i];
            }
        }
    }
}

/* A table of two axes. Where one of them is exact its rows are not shared, unless they came later:
 * a constant in each of the calls below. */
static inline void count_table(const chunk *c, int64_t first, int64_t last, int64_t a, int64_t b,
                               int a_shares, int b_shares, int weighs, uint64_t *table)
{
    const uint16_t *u = c->at + a * ROWS_AT_ONCE, *v = c->at + b * ROWS_AT_ONCE;
    const uint8_t *s = c->share + a * ROWS_AT_ONCE, *t = c->share + b * ROWS_AT_ONCE;
    int64_t columns = c->counts->axes->all[b].count;
    for (int64_t i = first; i < last; i++) {
        uint64_t *cell = table + u[i] * columns + v[i];
        uint64_t w = weighs ? c->weight[i] : 1;
        uint64_t here = (a_shares ? RLS2__SHARES - (uint64_t)s[i] : RLS2__SHARES) * w;
        uint64_t there = a_shares ? s[i] * w : 0;
        uint64_t left = b_shares ? RLS2__SHARES - (uint64_t)t[i] : RLS2__SHARES;
        cell[0] += here * left;
        if (b_shares) cell[1] += here * t[i];
        if (a_shares) cell[columns] += there * left;
        if (a_shares && b_shares) cell[columns + 1] += there * t[i];
    }
}

static void count_part(const chunk *c, int64_t first, int64_t last, int64_t a, int64_t b,
                       uint64_t *table)
{
    int a_shares = c->shares[a], b_shares = c->shares[b];
    if (c->counts->is_weighted)
        count_table(c, first, last, a, b, 1, 1, 1, table);
    else if (a_shares && b_shares)
        count_table(c, first, last, a, b, 1, 1, 0, table);
    else if (a_shares)
        count_table(c, first, last, a, b, 1, 0, 0, table);
    else if (b_shares)
        count_table(c, first, last, a, b, 0, 1, 0, table);
    else
        count_table(c, first, last, a, b, 0, 0, 0, table);
}

/* All tables of one axis with those after it. */
static void count_pairs(void *user, int64_t task, int thread)
{
    const chunk *c = user;
    rls2__counts *counts = c->counts;
    int64_t axes = counts->axes->count, a = 0, rest = task;
    (void)thread;
    while (rest >= axes - 1 - a) rest -= axes - 1 - a++;
    int64_t b = a + 1 + rest;
    for (int64_t p = 0; p < counts->parts; p++)
        count_part(c, c->start[p], c->start[p + 1], a, b,
                   counts->pairs + p * counts->pair_size + counts->pair_at[a * axes + b]);
}

/* Features of the rows of the chunk, part by part. */
static rls2_status count_features(rls2__effort *effort, const chunk *c, rls2__feature_work *work)
{
    rls2_status status = RLS2_OK;
    for (int64_t p = 0; p < c->counts->parts && status == RLS2_OK; p++) {
        int64_t first = c->start[p];
        const rls2__feature_rows rows = {.count = c->start[p + 1] - first,
                                         .x = c->rows->x,
                                         .ldx = c->rows->rows,
                                         .order = c->order + first,
                                         .weight = c->weight + first,
                                         .y = c->y + first,
                                         .at = c->at + first,
                                         .share = c->share + first,
                                         .ldy = ROWS_AT_ONCE};
        status = rls2__feature_sums_add(effort, &rows, p, work, c->counts->featured);
    }
    return status;
}

rls2_status rls2__counts_add(rls2__effort *effort, const rls2__counted_rows *rows,
                             rls2__counts *counts)
{
    chunk c = {.counts = counts, .rows = rows};
    int64_t axes = counts->axes->count;
    rls2__feature_work *work = NULL;
    rls2_status status = RLS2_OK;
    c.block = rls2__layout_alloc(lay_out_chunk, &c);
    if (!c.block) return RLS2_ERR_MEMORY;
    if (counts->featured) status = rls2__feature_work_create(effort, counts->featured, &work);
    for (int64_t first = 0; first < rows->rows && status == RLS2_OK; first += ROWS_AT_ONCE) {
        int64_t left = rows->rows - first;
        order_rows(&c, first, left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE);
        read_rows(&c);
        status = rls2__effort_each(effort, axes, count_axis, &c);
        if (status == RLS2_OK)
            status = rls2__effort_each(effort, axes * (axes - 1) / 2, count_pairs, &c);
        if (status == RLS2_OK && work) status = count_features(effort, &c, work);
        rls2__effort_count(effort, left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE);
    }
    rls2__feature_work_free(work);
    rls2__free(c.block);
    return status;
}

void rls2__counts_merge(const rls2__counts *more, rls2__counts *counts)
{
    int64_t ends = counts->parts * counts->outputs, points = counts->parts * counts->points;
    rls2__invariant(more->parts == counts->parts && more->outputs == counts->outputs);
    rls2__invariant(more->pair_size == counts->pair_size);
    counts->rounded += more->rounded;
    for (int64_t a = 0; a < counts->axes->count; a++) counts->beyond[a] += more->beyond[a];
    for (int64_t i = 0; i < counts->parts * counts->pair_size; i++)
        counts->pairs[i] += more->pairs[i];
    for (int64_t i = 0; i < 3 * points; i++) counts->own[i] += more->own[i];
    for (int64_t i = 0; i < points * counts->outputs + 2 * ends; i++)
        counts->sums[i] += more->sums[i];
    for (int64_t p = 0; p < counts->parts; p++) {
        counts->totals[p].rows += more->totals[p].rows;
        counts->totals[p].weight += more->totals[p].weight;
    }
    rls2__invariant(!more->featured == !counts->featured);
    if (counts->featured) rls2__feature_sums_merge(more->featured, counts->featured);
}

/* ---- fewer rows ---- */

static int are_within(int64_t count, const uint64_t *less, const uint64_t *all)
{
    for (int64_t i = 0; i < count; i++)
        if (less[i] > all[i]) return 0;
    return 1;
}

/* What cannot be negative is not. */
static int can_subtract(const rls2__counts *less, const rls2__counts *counts)
{
    int fits = less->rounded <= counts->rounded;
    for (int64_t a = 0; a < counts->axes->count; a++) fits &= less->beyond[a] <= counts->beyond[a];
    for (int64_t p = 0; p < counts->parts; p++)
        fits &= less->totals[p].rows <= counts->totals[p].rows &&
                less->totals[p].weight <= counts->totals[p].weight;
    return fits && are_within(counts->parts * counts->pair_size, less->pairs, counts->pairs) &&
           are_within(3 * counts->parts * counts->points, less->own, counts->own);
}

int rls2__counts_subtract(const rls2__counts *less, rls2__counts *counts)
{
    int64_t ends = counts->parts * counts->outputs, points = counts->parts * counts->points;
    if (!can_subtract(less, counts)) return 0;
    counts->rounded -= less->rounded;
    for (int64_t a = 0; a < counts->axes->count; a++) counts->beyond[a] -= less->beyond[a];
    for (int64_t i = 0; i < counts->parts * counts->pair_size; i++)
        counts->pairs[i] -= less->pairs[i];
    for (int64_t i = 0; i < 3 * points; i++) counts->own[i] -= less->own[i];
    for (int64_t i = 0; i < points * counts->outputs + 2 * ends; i++)
        counts->sums[i] -= less->sums[i];
    for (int64_t p = 0; p < counts->parts; p++) {
        counts->totals[p].rows -= less->totals[p].rows;
        counts->totals[p].weight -= less->totals[p].weight;
    }
    if (counts->featured) rls2__feature_sums_subtract(less->featured, counts->featured);
    return 1;
}

void rls2__counts_clear(rls2__counts *counts)
{
    int64_t ends = counts->parts * counts->outputs, points = counts->parts * counts->points;
    counts->rounded = 0;
    memset(counts->beyond, 0, (size_t)counts->axes->count * sizeof *counts->beyond);
    memset(counts->pairs, 0, (size_t)(counts->parts * counts->pair_size) * sizeof *counts->pairs);
    memset(counts->own, 0, (size_t)(3 * points) * sizeof *counts->own);
    memset(counts->sums, 0, (size_t)(points * counts->outputs + 2 * ends) * sizeof *counts->sums);
    memset(counts->totals, 0, (size_t)counts->parts * sizeof *counts->totals);
    if (counts->featured) rls2__feature_sums_clear(counts->featured);
}

int rls2__counts_is_exact(const rls2__counts *counts, int64_t axis)
{
    const rls2__axis *about = &counts->axes->all[axis];
    if (counts->beyond[axis] > 0) return 0;
    for (int64_t p = 0; p < counts->parts && about->is_exact; p++) {
        const uint64_t *next = counts->next + p * counts->points + counts->axes->first[axis];
        for (int64_t g = 0; g < about->count; g++)
            if (next[g] > 0) return 0;
    }
    return about->is_exact;
}

/* ---- moments ---- */

static void lay_out_moments(rls2__layout *layout, void *owner)
{
    rls2__moments *m = owner;
    m->N = rls2__layout_take(layout, rls2__mul(m->points, m->points), sizeof(double));
    m->mass = rls2__layout_take(layout, m->points, sizeof(double));
    m->b = rls2__layout_take(layout, rls2__mul(m->points, m->outputs), sizeof(double));
    m->mean = rls2__layout_take(layout, m->outputs, sizeof(double));
    m->square = rls2__layout_take(layout, m->outputs, sizeof(double));
    m->trace = rls2__layout_take(layout, m->features ? m->features->count : 0, sizeof(double));
    m->left_out = rls2__layout_take(layout, m->features ? m->features->count : 0, sizeof(double));
}

void rls2__moments_release(rls2__moments *moments)
{
    rls2__free(moments->block);
    *moments = (rls2__moments){0};
}

static int is_meant(rls2__which_parts which, int64_t part)
{
    return which.all_but ? part != which.part : part == which.part;
}

/* The sum over the parts that are meant of one of several equal blocks, each `size` long. */
static uint64_t sum_counts(const rls2__counts *counts, rls2__which_parts which,
                           const uint64_t *values, int64_t size)
{
    uint64_t sum = 0;
    for (int64_t p = 0; p < counts->parts; p++)
        if (is_meant(which, p)) sum += values[p * size];
    return sum;
}

static rls2__wide sum_wide(const rls2__counts *counts, rls2__which_parts which,
                           const rls2__wide *values, int64_t size)
{
    rls2__wide sum = 0;
    for (int64_t p = 0; p < counts->parts; p++)
        if (is_meant(which, p)) sum += values[p * size];
    return sum;
}

static void take_axis(const rls2__counts *counts, rls2__which_parts which, int64_t a,
                      rls2__moments *m)
{
    const rls2__axes *axes = counts->axes;
    double unit = counts->units[0].weight / SQUARE;
    int64_t first = axes->first[a], P = counts->points;
    for (int64_t g = 0; g < axes->all[a].count; g++) {
        double *column = m->N + (first + g) * m->points + first;
        for (int64_t h = g; h < axes->all[a].count; h++) column[h] = 0.0;
        column[g] = unit * (double)sum_counts(counts, which, counts->own + first + g, P);
        if (g + 1 < axes->all[a].count)
            column[g + 1] = unit * (double)sum_counts(counts, which, counts->next + first + g, P);
        m->mass[first + g] =
            unit * RLS2__SHARES * (double)sum_counts(counts, which, counts->mass + first + g, P);
    }
}

/* Below the diagonal: rows are points of b, columns those of a < b. */
static void take_pair(const rls2__counts *counts, rls2__which_parts which, int64_t a, int64_t b,
                      rls2__moments *m)
{
    const rls2__axes *axes = counts->axes;
    double unit = counts->units[0].weight / SQUARE;
    int64_t columns = axes->all[b].count, D = m->points;
    const uint64_t *table = counts->pairs + counts->pair_at[a * axes->count + b];
    for (int64_t g = 0; g < axes->all[a].count; g++)
        for (int64_t h = 0; h < columns; h++)
            m->N[(axes->first[a] + g) * D + axes->first[b] + h] =
                unit *
                (double)sum_counts(counts, which, table + g * columns + h, counts->pair_size);
}

/* ---- features ---- */

/* Of block b with the points of the axes: below these, columns are points. */
static void take_cross(const rls2__counts *counts, rls2__which_parts which,
                       const rls2__feature_block *block, rls2__moments *m)
{
    const rls2__feature_sums *sums = counts->featured;
    double unit = block->unit * counts->units[0].weight / RLS2__SHARES;
    for (int64_t g = 0; g < counts->points; g++)
        for (int64_t l = block->first; l < block->first + block->count; l++) {
            rls2__wide sum = 0;
            for (int64_t p = 0; p < counts->parts; p++)
                if (is_meant(which, p)) sum += rls2__feature_cross(sums, p, g, l);
            m->N[g * m->points + counts->points + l] = unit * (double)sum;
        }
}

/* Of two blocks, of which `low` does not come before `high`. */
static void take_squares(const rls2__counts *counts, rls2__which_parts which,
                         const rls2__feature_block *low, const rls2__feature_block *high,
                         rls2__moments *m)
{
    const rls2__feature_sums *sums = counts->featured;
    int64_t L = sums->features->total, P = counts->points;
    double unit = low->unit * high->unit * counts->units[0].weight;
    for (int64_t j = high->first; j < high->first + high->count; j++)
        for (int64_t i = low == high ? j : low->first; i < low->first + low->count; i++)
            m->N[(P + j) * m->points + P + i] =
                unit * (double)sum_wide(counts, which,
                                        sums->squares + rls2__feature_pair(sums, i, j),
                                        L * (L + 1) / 2);
}

/* The sums of its features, and of what they leave out, before it is rounded. */
static void take_traces(const rls2__counts *counts, rls2__which_parts which, int64_t b,
                        rls2__moments *m)
{
    const rls2__feature_sums *sums = counts->featured;
    const rls2__feature_block *block = &sums->features->all[b];
    int64_t L = sums->features->total;
    double unit = block->unit * block->unit * counts->units[0].weight;
    rls2__wide all = sum_wide(counts, which, sums->traces + b, sums->features->count), left = all;
    for (int64_t l = block->first; l < block->first + block->count; l++) {
        left -= sum_wide(counts, which, sums->squares + rls2__feature_pair(sums, l, l),
                         L * (L + 1) / 2);
        m->mass[counts->points + l] =
            block->unit * counts->units[0].weight *
            (double)sum_wide(counts, which, sums->sums + l, (1 + counts->outputs) * L);
    }
    m->trace[b] = unit * (double)all;
    m->left_out[b] = left > 0 ? unit * (double)left : 0.0;
}

static void take_features(const rls2__counts *counts, rls2__which_parts which, rls2__moments *m)
{
    const rls2__features *features = counts->featured->features;
    for (int64_t b = 0; b < features->count; b++) {
        take_cross(counts, which, &features->all[b], m);
        take_traces(counts, which, b, m);
        for (int64_t a = 0; a <= b; a++)
            take_squares(counts, which, &features->all[b], &features->all[a], m);
    }
}

/* ---- responses ---- */

static void take_points(const rls2__counts *counts, rls2__which_parts which, int64_t o,
                        long double about, rls2__moments *m)
{
    int64_t P = counts->points;
    long double unit = (long double)counts->units[o].response * counts->units[0].weight;
    for (int64_t g = 0; g < P; g++) {
        long double total =
            (long double)sum_wide(counts, which, counts->sums + o * P + g, counts->outputs * P);
        long double mass = (long double)sum_counts(counts, which, counts->mass + g, P);
        m->b[o * m->points + g] = (double)(unit / RLS2__SHARES * (total - about * mass));
    }
}

static void take_feature_responses(const rls2__counts *counts, rls2__which_parts which, int64_t o,
                                   long double about, rls2__moments *m)
{
    const rls2__feature_sums *sums = counts->featured;
    int64_t L = sums->features->total, size = (1 + counts->outputs) * L;
    long double unit = (long double)counts->units[o].response * counts->units[0].weight;
    for (int64_t b = 0; b < sums->features->count; b++) {
        const rls2__feature_block *block = &sums->features->all[b];
        for (int64_t l = block->first; l < block->first + block->count; l++) {
            long double total =
                (long double)sum_wide(counts, which, sums->sums + (1 + o) * L + l, size);
            long double mass = (long double)sum_wide(counts, which, sums->sums + l, size);
            m->b[o * m->points + counts->points + l] =
                (double)(unit * block->unit * (total - about * mass));
        }
    }
}

/* Of output o: means and sums about them. The responses' sums are exact integers; what is taken
 * off is added in wide arithmetic of long double, and rounded once. */
static void take_response(const rls2__counts *counts, rls2__which_parts which, int64_t o,
                          rls2__moments *m)
{
    const rls2__units *units = &counts->units[o];
    int64_t outputs = counts->outputs;
    long double unit = units->response, weight = 0.0L;
    for (int64_t p = 0; p < counts->parts; p++)
        if (is_meant(which, p)) weight += (long double)counts->totals[p].weight;
    long double sum = (long double)sum_wide(counts, which, counts->first + o, outputs);
    long double squares = (long double)sum_wide(counts, which, counts->second + o, outputs);
    long double own = weight > 0.0L ? sum / weight : 0.0L; /* in units, about the centre */
    long double about =
        which.means ? ((long double)which.means[o] - (long double)units->center) / unit : own;
    m->mean[o] = which.means ? which.means[o] : (double)((long double)units->center + unit * own);
    m->square[o] = (double)(unit * unit * (long double)units->weight *
                            (squares - 2.0L * about * sum + about * about * weight));
    take_points(counts, which, o, about, m);
    if (counts->featured) take_feature_responses(counts, which, o, about, m);
}

rls2_status rls2__moments_create(const rls2__counts *counts, rls2__which_parts which,
                                 rls2__moments *moments)
{
    const rls2__axes *axes = counts->axes;
    const rls2__features *features = counts->featured ? counts->featured->features : NULL;
    *moments = (rls2__moments){.points = counts->points + (features ? features->total : 0),
                               .outputs = counts->outputs,
                               .is_rounded = counts->rounded > 0,
                               .is_exact = 1,
                               .features = features};
    moments->block = rls2__layout_alloc(lay_out_moments, moments);
    if (!moments->block) return RLS2_ERR_MEMORY;
    for (int64_t p = 0; p < counts->parts; p++)
        if (is_meant(which, p)) {
            moments->rows += (double)counts->totals[p].rows;
            moments->weight += counts->units[0].weight * (double)counts->totals[p].weight;
        }
    for (int64_t a = 0; a < axes->count; a++) {
        take_axis(counts, which, a, moments);
        moments->is_exact &= rls2__counts_is_exact(counts, a);
    }
    for (int64_t a = 0; a < axes->count; a++)
        for (int64_t b = a + 1; b < axes->count; b++) take_pair(counts, which, a, b, moments);
    if (features) take_features(counts, which, moments);
    for (int64_t o = 0; o < counts->outputs; o++) take_response(counts, which, o, moments);
    return RLS2_OK;
}
