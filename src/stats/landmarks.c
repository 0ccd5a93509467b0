/* Chooses kernels by weight, and landmarks by what is left of the kernel at each row. */
#include "stats/landmarks.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "la/la.h"

/* Up to so many rows there are twice as many features: their cost is that of the rows. */
static const double MORE_ROWS = 1e5;

rls2__landmark_limits rls2__landmark_defaults(void)
{
    return (rls2__landmark_limits){
        .features = 480, .kernels = 2, .pairs = 12, .of_pair = 48, .of_group = 120, .tol = 1e-6};
}

rls2__landmark_limits rls2__landmark_limits_for(int64_t rows)
{
    rls2__landmark_limits limits = rls2__landmark_defaults();
    double more = fmin(MORE_ROWS / (double)(rows > 1 ? rows : 1), 1.0);
    limits.features += (int64_t)((double)limits.features * more);
    limits.of_group += (int64_t)((double)limits.of_group * more);
    return limits;
}

/* ---- kernels ---- */

static int64_t count_axes(const rls2__axes *axes, const rls2__kernel *kernel)
{
    int64_t count = 0;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        int seen = 0;
        for (int64_t s = 0; s < t; s++)
            seen |= axes->of[kernel->columns[s]] == axes->of[kernel->columns[t]];
        count += !seen;
    }
    return count;
}

typedef struct candidates {
    int64_t count, wanted, pairs; /* wanted ones come first, and are not counted as pairs */
    int64_t *index;               /* kernels, the heaviest first */
    int *is_pair;
} candidates;

/* The heaviest kernel that needs features and was not taken; the first of several; -1: none. */
static int64_t find_heaviest(const rls2__axes *axes, const rls2__pilot *pilot,
                             const unsigned char *taken)
{
    int64_t best = -1;
    for (int64_t k = 0; k < pilot->kernels; k++) {
        const rls2__kernel *kernel = &pilot->kernel[k];
        if (taken[k] || !(pilot->weight[k] > 0.0) || kernel->kind == RLS2__KERNEL_GIVEN) continue;
        if (rls2__kernel_has_axes(axes, kernel)) continue;
        if (best < 0 || pilot->weight[k] > pilot->weight[best]) best = k;
    }
    return best;
}

static rls2_status find_candidates(const rls2__axes *axes, const rls2__pilot *pilot,
                                   const rls2__landmark_limits *limits, candidates *found)
{
    unsigned char *taken = rls2__alloc_zero(pilot->kernels, 1);
    if (!taken) return RLS2_ERR_MEMORY;
    for (int64_t k = pilot->kernels - pilot->wanted; k < pilot->kernels; k++) {
        taken[k] = 1;
        if (rls2__kernel_has_axes(axes, &pilot->kernel[k])) continue;
        found->is_pair[found->count] = 0;
        found->index[found->count++] = k;
        found->wanted++;
    }
    for (;;) {
        int64_t k = find_heaviest(axes, pilot, taken);
        if (k < 0 || found->count == found->wanted + limits->kernels + limits->pairs) break;
        taken[k] = 1;
        int is_pair = count_axes(axes, &pilot->kernel[k]) == 2;
        if (is_pair ? found->pairs == limits->pairs
                    : found->count - found->wanted - found->pairs == limits->kernels)
            continue;
        found->is_pair[found->count] = is_pair;
        found->index[found->count++] = k;
        found->pairs += is_pair;
    }
    rls2__free(taken);
    return RLS2_OK;
}

/* ---- landmarks ---- */

typedef struct growing {
    const rls2_rows *sample;
    double *factor; /* sample rows x landmarks */
    double *left;   /* sample rows: what is left of K(x, x) */
    double *pivot;  /* landmarks: the factor at the last one */
} growing;

static int64_t find_largest(int64_t n, const double *x)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    return best;
}

static void add_landmark(const growing *g, const rls2__kernel *kernel, int64_t row, int64_t t)
{
    int64_t n = g->sample->n;
    double *column = g->factor + t * n, root = sqrt(g->left[row]);
    rls2__kernel_column(kernel, g->sample, g->sample, row, column);
    for (int64_t s = 0; s < t; s++) g->pivot[s] = g->factor[s * n + row];
    if (t > 0) rls2__la_gemv_n(n, t, -1.0, g->factor, n, g->pivot, 1.0, column);
    for (int64_t i = 0; i < n; i++) {
        column[i] /= root;
        g->left[i] = fmax(g->left[i] - column[i] * column[i], 0.0);
    }
    g->left[row] = 0.0;
}

static double sum(int64_t n, const double *x)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += x[i];
    return total;
}

static rls2_status choose_rows(rls2__effort *effort, const growing *g, const rls2__kernel *kernel,
                               int64_t most, double tol, int64_t *rows, int64_t *count)
{
    int64_t n = g->sample->n;
    rls2__kernel_diagonal(kernel, g->sample, g->left);
    double trace = sum(n, g->left);
    for (*count = 0; *count < most && sum(n, g->left) > tol * trace; ++*count) {
        int64_t row = find_largest(n, g->left);
        if (rls2__effort_stopped(effort)) return RLS2_ERR_CANCELLED;
        rows[*count] = row;
        add_landmark(g, kernel, row, *count);
    }
    return RLS2_OK;
}

/* What wanted kernels leave to the others: half of all at most. */
static int64_t reserve_of(const candidates *found, const rls2__landmark_limits *limits)
{
    int64_t half = limits->features / 2, pairs = found->pairs * limits->of_pair;
    int has_many = found->count > found->wanted + found->pairs;
    return has_many || pairs > half ? half : pairs;
}

/* As many as are left for each of those still to come; pairs need few, and leave the rest. */
static int64_t share_of(const candidates *found, int64_t at, int64_t left,
                        const rls2__landmark_limits *limits)
{
    int64_t share = left / (found->count - at);
    if (at < found->wanted) {
        share = (left - reserve_of(found, limits)) / (found->wanted - at);
        return share < limits->of_group ? share : limits->of_group;
    }
    if (!found->is_pair[at]) {
        int64_t pairs = 0, many = 0;
        for (int64_t c = at; c < found->count; c++) {
            pairs += found->is_pair[c];
            many += !found->is_pair[c];
        }
        int64_t spared = left - pairs * limits->of_pair;
        if (spared / many > share) share = spared / many;
        return share;
    }
    return share < limits->of_pair ? share : limits->of_pair;
}

static rls2_status choose(rls2__effort *effort, const rls2__axes *axes, const rls2__pilot *pilot,
                          const rls2__landmark_limits *limits, const candidates *found,
                          rls2__feature_wish *wishes, const growing *room, int64_t *rows,
                          rls2__features **features)
{
    int64_t left = limits->features, used = 0;
    for (int64_t c = 0; c < found->count; c++) {
        const rls2__kernel *kernel = &pilot->kernel[found->index[c]];
        int64_t most = share_of(found, c, left, limits), count = 0;
        if (most > pilot->sample->n) most = pilot->sample->n;
        rls2_status status =
            choose_rows(effort, room, kernel, most, limits->tol, rows + used, &count);
        if (status != RLS2_OK) return status;
        wishes[c] = (rls2__feature_wish){kernel, found->index[c], count, rows + used, NULL};
        left -= count;
        used += count;
    }
    return rls2__features_create(axes, pilot->sample, found->count, wishes, features);
}

rls2_status rls2__landmarks_choose(rls2__effort *effort, const rls2__axes *axes,
                                   const rls2__pilot *pilot, const rls2__landmark_limits *limits,
                                   rls2__features **features)
{
    int64_t most = limits->kernels + limits->pairs + pilot->wanted, n = pilot->sample->n;
    int64_t deep = limits->features < n ? limits->features : n;
    candidates found = {.index = rls2__alloc(most, sizeof *found.index),
                        .is_pair = rls2__alloc(most, sizeof *found.is_pair)};
    growing room = {.sample = pilot->sample};
    rls2__feature_wish *wishes = rls2__alloc(most, sizeof *wishes);
    int64_t *rows = rls2__alloc(limits->features, sizeof *rows);
    rls2_status status = RLS2_ERR_MEMORY;
    if (!found.index || !found.is_pair || !wishes || !rows) goto cleanup;
    status = find_candidates(axes, pilot, limits, &found);
    if (status != RLS2_OK) goto cleanup;
    if (found.count > 0) {
        room.factor = rls2__alloc(rls2__mul(n, deep), sizeof *room.factor);
        room.left = rls2__alloc(rls2__add(n, deep), sizeof *room.left);
        status = room.factor && room.left ? RLS2_OK : RLS2_ERR_MEMORY;
        if (status != RLS2_OK) goto cleanup;
        room.pivot = room.left + n;
    }
    status = choose(effort, axes, pilot, limits, &found, wishes, &room, rows, features);
cleanup:
    rls2__free(room.factor);
    rls2__free(room.left);
    rls2__free(found.index);
    rls2__free(found.is_pair);
    rls2__free(wishes);
    rls2__free(rows);
    return status;
}

rls2_status rls2__landmarks_pick(const rls2_rows *among, const rls2__kernel *kernel, int64_t most,
                                 int64_t *rows, int64_t *count)
{
    int64_t n = among->n;
    rls2__effort effort;
    growing room = {.sample = among,
                    .factor = rls2__alloc(rls2__mul(n, most), sizeof *room.factor),
                    .left = rls2__alloc(rls2__add(n, most), sizeof *room.left)};
    rls2_status status = room.factor && room.left ? RLS2_OK : RLS2_ERR_MEMORY;
    rls2__effort_begin_alone(&effort);
    if (status == RLS2_OK) {
        room.pivot = room.left + n;
        status = choose_rows(&effort, &room, kernel, most < n ? most : n,
                             rls2__landmark_defaults().tol, rows, count);
    }
    rls2__free(room.factor);
    rls2__free(room.left);
    return status;
}
