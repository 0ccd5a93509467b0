/* Finds the places of rows on an axis: between which knots a number lies, or which pattern of
 * indicators a category has. This is done for every cell of a tall table. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "stats/axis.h"

enum { BUCKETS = 512, MOST_INDICATORS = 512 };

/* ---- numbers ---- */

/* Knots by buckets of equal width: where a bucket has one knot or two, so few are compared. */
typedef struct ruler {
    int64_t count;
    double knots[RLS2__MOST_KNOTS];
    double per_width[RLS2__MOST_KNOTS]; /* shares for each unit to the right of a knot */
    double scale;                       /* buckets for each unit */
    uint16_t before[BUCKETS + 1];       /* knots in buckets before this one */
} ruler;

/* Does not fall as x grows, rounding included: a knot in an earlier bucket is below x. */
static int bucket_of(const ruler *r, double x)
{
    int bucket = r->scale > 0.0 ? (int)((x - r->knots[0]) * r->scale) : 0;
    return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static void mark(const rls2__axis *axis, ruler *r)
{
    int64_t n = r->count = axis->knots;
    rls2__invariant(n <= RLS2__MOST_KNOTS);
    for (int64_t g = 0; g < n; g++) r->knots[g] = axis->points[g * axis->width];
    for (int64_t g = 0; g + 1 < n; g++)
        r->per_width[g] = fmin(RLS2__SHARES / (r->knots[g + 1] - r->knots[g]), DBL_MAX);
    double range = r->knots[n - 1] - r->knots[0];
    r->scale = range > 0.0 && isfinite(BUCKETS / range) ? BUCKETS / range : 0.0;
    memset(r->before, 0, sizeof r->before);
    for (int64_t g = 0; g < n; g++) r->before[bucket_of(r, r->knots[g]) + 1]++;
    for (int b = 0; b < BUCKETS; b++)
        r->before[b + 1] = (uint16_t)(r->before[b + 1] + r->before[b]);
}

static void place_number(const ruler *r, double x, uint16_t *at, uint8_t *share)
{
    int64_t last = r->count - 1;
    *share = 0;
    if (!(x > r->knots[0]) || x >= r->knots[last]) {
        *at = (uint16_t)(x > r->knots[0] ? last : 0);
        return;
    }
    int bucket = bucket_of(r, x);
    int64_t low = r->before[bucket], high = r->before[bucket + 1];
    low -= low > 0; /* at or below x, and `high` above it */
    high = high < last ? high : last;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (r->knots[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    int part = (int)lrint((x - r->knots[low]) * r->per_width[low]);
    *at = (uint16_t)(part >= RLS2__SHARES ? high : low);
    *share = (uint8_t)(part >= RLS2__SHARES ? 0 : part);
}

static int64_t place_numbers(const rls2__axis *axis, const double *x, int64_t ldx, int64_t count,
                             const int64_t *order, uint16_t *at, uint8_t *share)
{
    const double *flag = axis->width > 1 ? x + axis->columns[1] * ldx : NULL;
    const double *number = x + axis->columns[0] * ldx;
    ruler r;
    int64_t beyond = 0;
    mark(axis, &r);
    double least = r.knots[0], most = r.knots[r.count - 1];
    for (int64_t i = 0; i < count; i++) {
        if (flag && flag[order[i]] > axis->missing_above) {
            at[i] = (uint16_t)(axis->count - 1);
            share[i] = 0;
        } else {
            double given = number[order[i]];
            place_number(&r, given, &at[i], &share[i]);
            beyond += given < least || given > most ||
                      (axis->is_exact && share[i] == 0 && given != r.knots[at[i]]);
        }
    }
    return beyond;
}

/* ---- categories ---- */

enum { NO_POINT = UINT16_MAX };

/* Points of which each has one indicator on, at most. */
typedef struct indicators {
    double above[MOST_INDICATORS];   /* it is on above this; +Inf: never */
    uint16_t point[MOST_INDICATORS]; /* where it is on */
    uint16_t none;                   /* where none is, or NO_POINT */
} indicators;

static void find_threshold(const rls2__axis *axis, int64_t v, indicators *it)
{
    double least = INFINITY, most = -INFINITY;
    for (int64_t g = 0; g < axis->count; g++) {
        least = fmin(least, axis->points[g * axis->width + v]);
        most = fmax(most, axis->points[g * axis->width + v]);
    }
    it->above[v] = most > least ? 0.5 * least + 0.5 * most : (double)INFINITY;
    it->point[v] = 0;
}

/* 0 where a point has several on, or two points the same. */
static int find_indicators(const rls2__axis *axis, indicators *it)
{
    int any_without = 0;
    unsigned char seen[MOST_INDICATORS] = {0};
    if (axis->width > MOST_INDICATORS) return 0;
    it->none = NO_POINT;
    for (int64_t v = 0; v < axis->width; v++) find_threshold(axis, v, it);
    for (int64_t g = 0; g < axis->count; g++) {
        int64_t on = -1;
        for (int64_t v = 0; v < axis->width; v++) {
            if (!(axis->points[g * axis->width + v] > it->above[v])) continue;
            if (on >= 0) return 0;
            on = v;
        }
        if (on >= 0 ? seen[on] : any_without) return 0;
        if (on >= 0) {
            seen[on] = 1;
            it->point[on] = (uint16_t)g;
        } else {
            any_without = 1;
            it->none = (uint16_t)g;
        }
    }
    return 1;
}

/* A column at a time, as they lie in memory. */
static int64_t place_by_indicators(const rls2__axis *axis, const indicators *it, const double *x,
                                   int64_t ldx, int64_t count, const int64_t *order, uint16_t *at)
{
    for (int64_t i = 0; i < count; i++) at[i] = it->none;
    for (int64_t v = 0; v < axis->width; v++) {
        const double *column = x + axis->columns[v] * ldx;
        if (isinf(it->above[v])) continue;
        for (int64_t i = 0; i < count; i++)
            at[i] = column[order[i]] > it->above[v] ? it->point[v] : at[i];
    }
    if (it->none != NO_POINT) return 0;
    int64_t beyond = 0;
    for (int64_t i = 0; i < count; i++) {
        beyond += at[i] == NO_POINT;
        if (at[i] == NO_POINT) at[i] = 0;
    }
    return beyond;
}

static int is_at(const rls2__axis *axis, int64_t g, const double *x, int64_t ldx, int64_t row)
{
    for (int64_t v = 0; v < axis->width; v++) {
        double value = x[axis->columns[v] * ldx + row], own = axis->points[g * axis->width + v];
        if (value < own || value > own) return 0;
    }
    return 1;
}

static int64_t place_by_patterns(const rls2__axis *axis, const double *x, int64_t ldx,
                                 int64_t count, const int64_t *order, uint16_t *at)
{
    int64_t beyond = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t g = 0;
        while (g < axis->count && !is_at(axis, g, x, ldx, order[i])) g++;
        at[i] = (uint16_t)(g < axis->count ? g : 0);
        beyond += g == axis->count;
    }
    return beyond;
}

int64_t rls2__axis_place(const rls2__axis *axis, const double *x, int64_t ldx, int64_t count,
                         const int64_t *order, uint16_t *at, uint8_t *share)
{
    if (axis->knots > 0) return place_numbers(axis, x, ldx, count, order, at, share);
    indicators it;
    memset(share, 0, (size_t)count * sizeof *share);
    return find_indicators(axis, &it) ? place_by_indicators(axis, &it, x, ldx, count, order, at)
                                      : place_by_patterns(axis, x, ldx, count, order, at);
}

void rls2__axis_add(int64_t count, const uint16_t *at, const uint8_t *share, const double *f,
                    double *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] += f[at[i]];
        if (share[i]) out[i] += (f[at[i] + 1] - f[at[i]]) * share[i] / RLS2__SHARES;
    }
}
