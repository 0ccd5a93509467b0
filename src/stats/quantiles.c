/* Quickselect of several ranks at once: a part that no rank lies in is left as it is. Of many
 * numbers those are counted in bins first, and only bins that a rank lies in are looked at. */
#include "stats/quantiles.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

enum { BINS = 4096, MANY = 1 << 15 };

typedef struct part {
    int64_t first, next; /* numbers [first, next) */
    int64_t before;      /* weights of smaller numbers */
    int64_t g, end;      /* ranks [g, end) that lie in it */
} part;

typedef struct work {
    double *x;
    int64_t *w; /* NULL: all are 1 */
    const int64_t *rank;
    double *found;
} work;

static void swap(const work *it, int64_t i, int64_t j)
{
    double x = it->x[i];
    it->x[i] = it->x[j];
    it->x[j] = x;
    if (!it->w) return;
    int64_t w = it->w[i];
    it->w[i] = it->w[j];
    it->w[j] = w;
}

static int64_t weight_of(const work *it, int64_t first, int64_t next)
{
    int64_t sum = 0;
    if (!it->w) return next - first;
    for (int64_t i = first; i < next; i++) sum += it->w[i];
    return sum;
}

static double median(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* The median of nine numbers, or nearly: of any order of the rows one that halves the part. */
static double find_pivot(const work *it, const part *p)
{
    int64_t step = (p->next - p->first - 1) / 8, i = p->first;
    const double *x = it->x;
    return median(median(x[i], x[i + step], x[i + 2 * step]),
                  median(x[i + 3 * step], x[i + 4 * step], x[i + 5 * step]),
                  median(x[i + 6 * step], x[i + 7 * step], x[i + 8 * step]));
}

/* Smaller numbers, then equal ones from *low on, then larger ones from *high on. */
static void divide(const work *it, const part *p, double pivot, int64_t *low, int64_t *high)
{
    int64_t left = p->first, i = p->first, right = p->next;
    while (i < right) {
        if (it->x[i] < pivot)
            swap(it, left++, i++);
        else if (it->x[i] > pivot)
            swap(it, i, --right);
        else
            i++;
    }
    *low = left;
    *high = right;
}

/* Ranks below `bound`, from g on. */
static int64_t ranks_below(const work *it, const part *p, int64_t g, int64_t bound)
{
    while (g < p->end && it->rank[g] < bound) g++;
    return g;
}

/* Takes the larger of the two parts as the next one, so that the depth is a logarithm. */
static void select_in(const work *it, part p)
{
    while (p.g < p.end) {
        int64_t low, high;
        double pivot = find_pivot(it, &p);
        divide(it, &p, pivot, &low, &high);
        rls2__invariant(low < high);
        int64_t equal = p.before + weight_of(it, p.first, low);
        int64_t above = equal + weight_of(it, low, high);
        part left = p, right = p;
        left.next = low;
        left.end = ranks_below(it, &p, p.g, equal);
        right.first = high;
        right.before = above;
        right.g = ranks_below(it, &p, left.end, above);
        for (int64_t g = left.end; g < right.g; g++) it->found[g] = pivot;
        int is_left_larger = low - p.first > p.next - high;
        select_in(it, is_left_larger ? right : left);
        p = is_left_larger ? left : right;
    }
}

/* ---- bins ---- */

typedef struct bins {
    double least, scale;
    int64_t weight[BINS];
    unsigned char is_needed[BINS];
} bins;

/* Of a larger number the same or a later one. */
static int64_t bin_of(const bins *b, double x)
{
    int64_t bin = (int64_t)((x - b->least) * b->scale);
    return bin < BINS ? bin : BINS - 1;
}

/* 0 where the range overflows, or is nothing. */
static int fill_bins(const work *it, int64_t count, bins *b)
{
    double most = it->x[0];
    memset(b, 0, sizeof *b);
    b->least = it->x[0];
    for (int64_t i = 1; i < count; i++) {
        b->least = fmin(b->least, it->x[i]);
        most = fmax(most, it->x[i]);
    }
    b->scale = BINS / (most - b->least);
    if (!(b->scale > 0.0) || !isfinite(b->scale)) return 0;
    for (int64_t i = 0; i < count; i++) b->weight[bin_of(b, it->x[i])] += it->w ? it->w[i] : 1;
    return 1;
}

/* left[g] = rank[g] among the numbers of the bins that are needed. */
static void find_needed(bins *b, int64_t ranks, const int64_t *rank, int64_t *left)
{
    int64_t before = 0, skipped = 0, g = 0;
    for (int64_t k = 0; k < BINS; k++) {
        int64_t next = before + b->weight[k];
        b->is_needed[k] = g < ranks && rank[g] < next;
        for (; g < ranks && rank[g] < next; g++) left[g] = rank[g] - skipped;
        if (!b->is_needed[k]) skipped += b->weight[k];
        before = next;
    }
    rls2__invariant(g == ranks);
}

static int64_t keep_needed(const work *it, int64_t count, const bins *b)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (b->is_needed[bin_of(b, it->x[i])]) swap(it, kept++, i);
    return kept;
}

void rls2__quantiles(int64_t count, double *numbers, int64_t *weights, int64_t ranks,
                     const int64_t *rank, double *found)
{
    int64_t left[RLS2__MOST_RANKS];
    work it = {numbers, weights, rank, found};
    bins b;
    rls2__invariant(ranks <= RLS2__MOST_RANKS);
    if (count >= MANY && fill_bins(&it, count, &b)) {
        find_needed(&b, ranks, rank, left);
        count = keep_needed(&it, count, &b);
        it.rank = left;
    }
    select_in(&it, (part){.next = count, .end = ranks});
}
