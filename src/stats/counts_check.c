/* Whether counts can be those of rows: sums over points, and pairs of them, are known exactly. */
#include "stats/counts_check.h"

#include "base/invariant.h"
#include "base/memory.h"

/* Units are made for responses of 36 bits and weights of 20; rows that came later may have more, as
 * many as sums over 512 rows in doubles have room for (feature_sums.c). */
enum { RESPONSE_BITS = 40, WEIGHT_BITS = 21, TRACE_BITS = 62 };

__extension__ typedef unsigned __int128 total;

static rls2__counts_fault fault(const char *what, int64_t part, int64_t axis, int64_t other)
{
    return (rls2__counts_fault){.what = what, .part = part, .axis = axis, .other = other};
}

static rls2__counts_fault no_fault(void)
{
    return fault(NULL, -1, -1, -1);
}

/* |sum| < 2^bits (most + 1). */
static int is_within(rls2__wide sum, int bits, uint64_t most)
{
    total size = sum < 0 ? -(total)sum : (total)sum;
    return size >> bits <= most;
}

/* ---- one part ---- */

static const char *check_totals(const rls2__counts *c, int64_t p)
{
    const rls2__part_totals *t = &c->totals[p];
    if (t->rows < 0) return "it has less than no rows";
    if (t->weight >= RLS2__MOST_PART_WEIGHT) return "it has too many rows to be added up";
    if (c->featured && t->rows >= RLS2__MOST_FEATURE_ROWS)
        return "it has too many rows to be added up";
    if (!c->is_weighted && t->weight != (uint64_t)t->rows)
        return "its rows and their weight differ, though each row counts once";
    if ((total)t->weight > (total)t->rows << WEIGHT_BITS)
        return "its rows weigh more than they can";
    return NULL;
}

static const char *check_responses(const rls2__counts *c, int64_t p)
{
    uint64_t weight = c->totals[p].weight;
    for (int64_t o = 0; o < c->outputs; o++) {
        rls2__wide first = c->first[p * c->outputs + o], second = c->second[p * c->outputs + o];
        if (!is_within(first, RESPONSE_BITS, weight))
            return "the sum of its responses is beyond their range";
        if (second < 0 || !is_within(second, 2 * RESPONSE_BITS, weight))
            return "the squares of its responses are beyond their range";
        if ((double)first * (double)first > (1.0 + 1e-12) * (double)second * (double)weight)
            return "the squares of its responses are less than their mean allows";
    }
    return NULL;
}

/* ---- one axis ---- */

/* A row that shares out s at a point, and 64 - s beside it, has s^2 there and s (64 - s) between
 * the two: 64 s in all. */
static const char *check_axis(const rls2__counts *c, int64_t p, int64_t a)
{
    const rls2__axis *axis = &c->axes->all[a];
    int64_t at = p * c->points + c->axes->first[a];
    const uint64_t *own = c->own + at, *next = c->next + at, *mass = c->mass + at;
    total all = 0;
    for (int64_t g = 0; g < axis->count; g++) {
        total products = (total)own[g] + next[g] + (g > 0 ? next[g - 1] : 0);
        if (products != (total)mass[g] * RLS2__SHARES)
            return "squares of shares do not fit their sums";
        if (next[g] > 0 && g + 1 >= axis->knots)
            return "rows are shared between points that share none";
        all += mass[g];
    }
    return all == (total)c->totals[p].weight * RLS2__SHARES
               ? NULL
               : "its points have other rows than there are";
}

static const char *check_sums(const rls2__counts *c, int64_t p, int64_t a)
{
    const rls2__axis *axis = &c->axes->all[a];
    const uint64_t *mass = c->mass + p * c->points + c->axes->first[a];
    for (int64_t o = 0; o < c->outputs; o++) {
        int64_t at = p * c->outputs + o;
        const rls2__wide *sums = c->sums + at * c->points + c->axes->first[a];
        rls2__wide all = 0;
        for (int64_t g = 0; g < axis->count; g++) {
            if (!is_within(sums[g], RESPONSE_BITS, mass[g]))
                return "responses at a point are beyond their range";
            all += sums[g];
        }
        if (all != c->first[at] * RLS2__SHARES)
            return "responses at its points do not add up to those of all rows";
    }
    return NULL;
}

/* ---- a pair ---- */

static const char *check_pair(const rls2__counts *c, int64_t p, int64_t a, int64_t b)
{
    static const char *const wrong = "their table does not add up to the rows of each";
    const rls2__axes *axes = c->axes;
    int64_t high = axes->all[a].count, wide = axes->all[b].count;
    const uint64_t *table = c->pairs + p * c->pair_size + c->pair_at[a * axes->count + b];
    const uint64_t *mass = c->mass + p * c->points;
    for (int64_t g = 0; g < high; g++) {
        total row = 0;
        for (int64_t h = 0; h < wide; h++) row += table[g * wide + h];
        if (row != (total)mass[axes->first[a] + g] * RLS2__SHARES) return wrong;
    }
    for (int64_t h = 0; h < wide; h++) {
        total column = 0;
        for (int64_t g = 0; g < high; g++) column += table[g * wide + h];
        if (column != (total)mass[axes->first[b] + h] * RLS2__SHARES) return wrong;
    }
    return NULL;
}

/* ---- features ---- */

static const char *check_feature_sums(const rls2__counts *c, int64_t p)
{
    const rls2__feature_sums *f = c->featured;
    int64_t total_features = f->features->total, triangle = rls2__feature_triangle(f);
    uint64_t weight = c->totals[p].weight;
    for (int64_t v = 0; v < 1 + f->outputs; v++)
        for (int64_t l = 0; l < total_features; l++)
            if (!is_within(f->sums[(p * (1 + f->outputs) + v) * total_features + l],
                           RLS2__FEATURE_BITS + (v > 0 ? RESPONSE_BITS : 0), weight))
                return "sums of features are beyond their range";
    for (int64_t i = 0; i < triangle; i++)
        if (!is_within(f->squares[p * triangle + i], 2 * RLS2__FEATURE_BITS, weight))
            return "products of features are beyond their range";
    for (int64_t l = 0; l < total_features; l++)
        if (f->squares[p * triangle + rls2__feature_pair(f, l, l)] < 0)
            return "squares of features are negative";
    for (int64_t b = 0; b < f->features->count; b++) {
        rls2__wide trace = f->traces[p * f->features->count + b];
        if (trace < 0 || !is_within(trace, TRACE_BITS, weight))
            return "the trace of a kernel is beyond its range";
    }
    return NULL;
}

/* Each part of 64 bits, and the sum over the points of the axis. */
static const char *check_cross(const rls2__counts *c, int64_t p, int64_t a)
{
    const rls2__feature_sums *f = c->featured;
    int64_t first = c->axes->first[a], count = c->axes->all[a].count, L = f->features->total;
    uint64_t rows = (uint64_t)c->totals[p].rows * RLS2__SHARES;
    for (int64_t piece = 0; piece < f->pieces; piece++) {
        const int64_t *cross = f->cross + ((p * f->pieces + piece) * f->points + first) * L;
        for (int64_t i = 0; i < count * L; i++)
            if (!is_within(cross[i], RLS2__FEATURE_BITS, rows))
                return "features at a point are beyond their range";
    }
    for (int64_t l = 0; l < L; l++) {
        rls2__wide all = 0;
        for (int64_t g = 0; g < count; g++) all += rls2__feature_cross(f, p, first + g, l);
        if (all != f->sums[p * (1 + f->outputs) * L + l] * RLS2__SHARES)
            return "features at its points do not add up to those of all rows";
    }
    return NULL;
}

/* ---- all ---- */

static rls2__counts_fault check_part(const rls2__counts *c, int64_t p)
{
    int64_t axes = c->axes->count;
    const char *what = check_totals(c, p);
    if (!what) what = check_responses(c, p);
    if (!what && c->featured) what = check_feature_sums(c, p);
    if (what) return fault(what, p, -1, -1);
    for (int64_t a = 0; a < axes; a++) {
        what = check_axis(c, p, a);
        if (!what) what = check_sums(c, p, a);
        if (!what && c->featured) what = check_cross(c, p, a);
        if (what) return fault(what, p, a, -1);
    }
    for (int64_t a = 0; a < axes; a++)
        for (int64_t b = a + 1; b < axes; b++) {
            what = check_pair(c, p, a, b);
            if (what) return fault(what, p, a, b);
        }
    return no_fault();
}

/* Of all parts together. */
static rls2__counts_fault check_whole(const rls2__counts *c)
{
    int64_t rows = 0;
    for (int64_t p = 0; p < c->parts; p++) rows = rls2__add(rows, c->totals[p].rows);
    if (rows < 0) return fault("there are too many rows", 0, -1, -1);
    if (c->rounded < 0 || c->rounded > (c->is_weighted ? rows : 0))
        return fault("more weights are rounded than there are", 0, -1, -1);
    for (int64_t a = 0; a < c->axes->count; a++)
        if (c->beyond[a] < 0 || c->beyond[a] > rows)
            return fault("more rows lie beyond its ends than there are", 0, a, -1);
    return no_fault();
}

rls2__counts_fault rls2__counts_check(const rls2__counts *counts)
{
    rls2__counts_fault whole = check_whole(counts);
    if (whole.what) return whole;
    for (int64_t p = 0; p < counts->parts; p++) {
        rls2__counts_fault found = check_part(counts, p);
        if (found.what) return found;
    }
    return no_fault();
}

rls2__counts_fault rls2__counts_check_merge(const rls2__counts *more, const rls2__counts *counts)
{
    static const char *const many = "it has too many rows to be added up";
    rls2__invariant(more->parts == counts->parts);
    for (int64_t p = 0; p < counts->parts; p++) {
        const rls2__part_totals *a = &more->totals[p], *b = &counts->totals[p];
        if (a->weight + b->weight >= RLS2__MOST_PART_WEIGHT) return fault(many, p, -1, -1);
        if (counts->featured && a->rows + b->rows >= RLS2__MOST_FEATURE_ROWS)
            return fault(many, p, -1, -1);
        for (int64_t o = 0; o < counts->outputs; o++) {
            rls2__wide sum;
            int64_t at = p * counts->outputs + o;
            if (__builtin_add_overflow(more->second[at], counts->second[at], &sum))
                return fault("the squares of its responses are too large to be added up", p, -1,
                             -1);
        }
    }
    return no_fault();
}
