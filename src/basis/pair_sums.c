/* Sums over pairs of rows: columns of the lower triangle, some of them in each part. Parts are
 * added up in their order, and up to 2,048 rows are one part. */
#include "basis/pair_sums.h"

#include <stddef.h>

#include "base/invariant.h"
#include "basis/parts.h"
#include "kernel/feature_distance.h"

static double weight_of(const double *weights, int64_t i)
{
    return weights ? weights[i] : 1.0;
}

static double weighted_sum(int64_t n, const double *x, const double *weights)
{
    double sum = 0.0;
    if (weights)
        for (int64_t i = 0; i < n; i++) sum += weights[i] * x[i];
    else
        for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum;
}

static int is_fisher(const rls2__pair_job *job)
{
    return job->options->scaling == RLS2_SCALING_FISHER ||
           job->options->scaling == RLS2_SCALING_FISHER_SQRT;
}

int rls2__is_of_pairs(const rls2__kernel *kernel, const rls2_basis_options *options)
{
    int fisher =
        options->scaling == RLS2_SCALING_FISHER || options->scaling == RLS2_SCALING_FISHER_SQRT;
    int centred = options->scaling == RLS2_SCALING_TRACE && options->center;
    return kernel->kind != RLS2__KERNEL_LINEAR && (fisher || centred);
}

/* ---- parts: of the training rows, then of the transductive ones, then between both ---- */

static const rls2_rows *extra_of(const rls2__pair_job *job)
{
    return is_fisher(job) ? NULL : job->options->transductive;
}

/* Training rows that meet all the transductive ones in a part. */
static int64_t cross_width(const rls2__pair_job *job)
{
    int64_t n = job->train->n, others = extra_of(job)->n;
    int64_t width = n * others <= RLS2__PART_PAIRS ? n : RLS2__PART_PAIRS / others;
    return width < 1 ? 1 : width;
}

static int64_t cross_parts(const rls2__pair_job *job)
{
    if (!extra_of(job)) return 0;
    return (job->train->n + cross_width(job) - 1) / cross_width(job);
}

static int64_t extra_parts(const rls2__pair_job *job)
{
    return extra_of(job) ? rls2__part_count(extra_of(job)->n) : 0;
}

int64_t rls2__pair_parts(const rls2__pair_job *job)
{
    return rls2__part_count(job->train->n) + extra_parts(job) + cross_parts(job);
}

int64_t rls2__pair_part_size(const rls2__pair_job *job)
{
    int64_t n = job->train->n;
    return n * (n + 1) / 2 / rls2__part_count(n);
}

/* ---- values ---- */

static void take_column(const rls2__pair_job *job, const rls2_rows *rows, int64_t j, double *out)
{
    if (job->column)
        job->column(job->from, j, out);
    else
        rls2__kernel_column_from(job->kernel, rows, j, rows, j, out);
}

typedef struct span {
    int64_t from, end;
} span;

/* sum_ij w_i w_j K_ij and, on the way, sum_i w_i K_ii: from the lower triangle. */
static void add_entries(const rls2__pair_job *job, const rls2_rows *rows, const double *weights,
                        span at, double *work, rls2__pair_sums *sums)
{
    for (int64_t j = at.from; j < at.end; j++) {
        double w = weight_of(weights, j);
        take_column(job, rows, j, work);
        double below = weighted_sum(rows->n - j, work, weights ? weights + j : NULL);
        sums->entries[0] += w * (2.0 * below - w * work[0]);
        sums->diagonal[0] += w * work[0];
    }
}

/* The same within each class. */
static void add_class_entries(const rls2__pair_job *job, span at, double *work,
                              rls2__pair_sums *sums)
{
    const double *labels = job->options->labels, *weights = job->options->row_weights;
    int64_t n = job->train->n;
    for (int64_t j = at.from; j < at.end; j++) {
        int class = labels[j] > 0.0;
        double w = weight_of(weights, j);
        take_column(job, job->train, j, work);
        sums->rows[class]++;
        sums->count[class] += w;
        sums->diagonal[class] += w * work[0];
        sums->entries[class] += w * w * work[0];
        for (int64_t i = 1; i < n - j; i++)
            if ((labels[j + i] > 0.0) == class)
                sums->entries[class] += 2.0 * w * weight_of(weights, j + i) * work[i];
    }
}

/* sum_ij w_j K(a_i, b_j), b the training rows */
static void add_cross_entries(const rls2__pair_job *job, span at, double *work,
                              rls2__pair_sums *sums)
{
    const rls2_rows *a = job->options->transductive;
    for (int64_t j = at.from; j < at.end; j++) {
        rls2__kernel_column(job->kernel, a, job->train, j, work);
        sums->entries[0] +=
            weight_of(job->options->row_weights, j) * weighted_sum(a->n, work, NULL);
    }
}

/* ---- distances ---- */

/* sum over i > j of w_i w_j |phi_i - phi_j|^2, by classes where there are labels */
static void add_distances(const rls2__pair_job *job, const rls2_rows *rows, const double *labels,
                          const double *weights, span at, rls2__pair_sums *sums)
{
    for (int64_t j = at.from; j < at.end; j++) {
        int class = labels && labels[j] > 0.0;
        sums->count[class] += weight_of(weights, j);
        for (int64_t i = j + 1; i < rows->n; i++)
            if (!labels || (labels[i] > 0.0) == class)
                sums->entries[class] += weight_of(weights, i) * weight_of(weights, j) *
                                        rls2__feature_distance(job->kernel, rows, i, rows, j);
    }
}

static void add_cross_distances(const rls2__pair_job *job, span at, rls2__pair_sums *sums)
{
    const rls2_rows *b = job->options->transductive;
    for (int64_t j = 0; j < b->n; j++)
        for (int64_t i = at.from; i < at.end; i++)
            sums->entries[0] += weight_of(job->options->row_weights, i) *
                                rls2__feature_distance(job->kernel, job->train, i, b, j);
}

/* ---- one part ---- */

static void add_own(const rls2__pair_job *job, span at, double *work, rls2__pair_sums *sums)
{
    const rls2_basis_options *options = job->options;
    if (job->by_distances)
        add_distances(job, job->train, is_fisher(job) ? options->labels : NULL,
                      options->row_weights, at, sums);
    else if (is_fisher(job))
        add_class_entries(job, at, work, sums);
    else
        add_entries(job, job->train, options->row_weights, at, work, sums);
}

static void add_extra(const rls2__pair_job *job, span at, double *work, rls2__pair_sums *sums)
{
    if (job->by_distances)
        add_distances(job, extra_of(job), NULL, NULL, at, sums);
    else
        add_entries(job, extra_of(job), NULL, at, work, sums);
}

static span span_of(int64_t n, int64_t part)
{
    return (span){rls2__part_start(n, part), rls2__part_start(n, part + 1)};
}

void rls2__pair_part(const rls2__pair_job *job, int64_t part, double *work, rls2__pair_sums *sums)
{
    int64_t own = rls2__part_count(job->train->n), extra = extra_parts(job), n = job->train->n;
    *sums = (rls2__pair_sums){0};
    if (part < own) {
        add_own(job, span_of(n, part), work, sums);
    } else if (part < own + extra) {
        add_extra(job, span_of(extra_of(job)->n, part - own), work, sums);
    } else {
        int64_t first = (part - own - extra) * cross_width(job), end = first + cross_width(job);
        span at = {first, end < n ? end : n};
        if (job->by_distances)
            add_cross_distances(job, at, sums);
        else
            add_cross_entries(job, at, work, sums);
    }
}

/* ---- all parts ---- */

static rls2__pair_sums add_up(int64_t count, const rls2__pair_sums *parts)
{
    rls2__pair_sums all = {0};
    for (int64_t p = 0; p < count; p++)
        for (int class = 0; class < 2; class ++) {
            all.rows[class] += parts[p].rows[class];
            all.count[class] += parts[p].count[class];
            all.diagonal[class] += parts[p].diagonal[class];
            all.entries[class] += parts[p].entries[class];
        }
    return all;
}

static double total_weight(int64_t n, const double *weights)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += weight_of(weights, i);
    return total;
}

static double centred_difference(const rls2__pair_job *job, const rls2__pair_sums *parts,
                                 double *scale)
{
    const rls2_rows *rest = extra_of(job);
    int64_t own = rls2__part_count(job->train->n), extra = extra_parts(job);
    rls2__pair_sums mine = add_up(own, parts), theirs = add_up(extra, parts + own),
                    both = add_up(cross_parts(job), parts + own + extra);
    double count =
        total_weight(job->train->n, job->options->row_weights) + (double)(rest ? rest->n : 0);
    if (job->by_distances) {
        double total = mine.entries[0];
        if (rest) total += theirs.entries[0] + both.entries[0];
        return total / count;
    }
    double total = mine.entries[0];
    if (rest) total += theirs.entries[0] + 2.0 * both.entries[0];
    *scale = job->column ? mine.diagonal[0] : job->trace;
    return *scale - total / count;
}

/* A class of one row has no variance, whatever rounding leaves of its difference. */
static double class_difference(const rls2__pair_sums *all, double *scale)
{
    double total = 0.0;
    *scale = 0.0;
    for (int class = 0; class < 2; class ++) {
        if (all->rows[class] == 0) continue;
        double count = all->count[class], mean = all->diagonal[class] / count;
        *scale += mean;
        if (all->rows[class] > 1) total += mean - all->entries[class] / (count * count);
    }
    return total;
}

/* In each class (1/l^2) times the sum of w_i w_j |phi_i - phi_j|^2. */
static double class_distances(const rls2__pair_sums *all)
{
    double variance[2];
    for (int class = 0; class < 2; class ++) {
        double count = all->count[class];
        variance[class] = count > 0.0 ? all->entries[class] / (count * count) : 0.0;
    }
    return variance[0] + variance[1];
}

double rls2__pair_difference(const rls2__pair_job *job, const rls2__pair_sums *parts, double *scale)
{
    if (!is_fisher(job)) return centred_difference(job, parts, scale);
    rls2__pair_sums all = add_up(rls2__pair_parts(job), parts);
    return job->by_distances ? class_distances(&all) : class_difference(&all, scale);
}
