#include "kernel/scaling.h"

#include <math.h>
#include <stddef.h>

static const double *column_of(const rls2_rows *rows, int64_t column)
{
    return rows->x + column * (rows->ldx ? rows->ldx : rows->n);
}

static double weight_of(const double *weights, int64_t i)
{
    return weights ? weights[i] : 1.0;
}

static double total_weight(int64_t n, const double *weights)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += weight_of(weights, i);
    return total;
}

double rls2__above_rounding(double difference, double scale)
{
    return difference > 1e-13 * scale ? difference : 0.0;
}

/* ---- trace rules: E11, E21 ---- */

static double diagonal_sum(const rls2__kernel *kernel, const rls2_rows *rows, const double *weights,
                           double *work)
{
    double total = 0.0;
    rls2__kernel_diagonal(kernel, rows, work);
    for (int64_t i = 0; i < rows->n; i++) total += weight_of(weights, i) * work[i];
    return total;
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

/* sum_ij w_i w_j K_ij and, on the way, *trace = sum_i w_i K_ii: from the lower triangle. */
static double entry_sum(int64_t n, rls2__column_fn column, const void *from, const double *weights,
                        double *work, double *trace)
{
    double total = 0.0;
    *trace = 0.0;
    for (int64_t j = 0; j < n; j++) {
        double w = weight_of(weights, j);
        column(from, j, work);
        total += w * (2.0 * weighted_sum(n - j, work, weights ? weights + j : NULL) - w * work[0]);
        *trace += w * work[0];
    }
    return total;
}

/* sum_ij w_j K(a_i, b_j) */
static double cross_sum(const rls2__kernel *kernel, const rls2_rows *a, const rls2_rows *b,
                        const double *weights, double *work)
{
    double total = 0.0;
    for (int64_t j = 0; j < b->n; j++) {
        rls2__kernel_column(kernel, a, b, j, work);
        total += weight_of(weights, j) * weighted_sum(a->n, work, NULL);
    }
    return total;
}

/* A kernel on rows as a matrix. */
typedef struct evaluated {
    const rls2__kernel *kernel;
    const rls2_rows *rows;
} evaluated;

static void evaluate_column(const void *from, int64_t j, double *out)
{
    const evaluated *it = from;
    rls2__kernel_column_from(it->kernel, it->rows, j, it->rows, j, out);
}

/* Values that are all equal have no variance; summing squares about a rounded mean would
 * leave some. */
typedef struct spread {
    double lowest, highest;
} spread;

static void spread_over(spread *s, double x)
{
    s->lowest = fmin(s->lowest, x);
    s->highest = fmax(s->highest, x);
}

/* Adds to *squares those about the mean of x and z; the values of z count once. */
static void add_centred_squares(int64_t n, const double *x, const double *weights, int64_t nz,
                                const double *z, double count, double *squares)
{
    double mean = 0.0;
    spread s = {x[0], x[0]};
    for (int64_t i = 0; i < n; i++) mean += weight_of(weights, i) * x[i] / count, spread_over(&s, x[i]);
    for (int64_t i = 0; i < nz; i++) mean += z[i] / count, spread_over(&s, z[i]);
    if (s.lowest == s.highest) return;
    for (int64_t i = 0; i < n; i++) *squares += weight_of(weights, i) * (x[i] - mean) * (x[i] - mean);
    for (int64_t i = 0; i < nz; i++) *squares += (z[i] - mean) * (z[i] - mean);
}

double rls2__centred_squares(int64_t n, const double *x, const double *weights)
{
    double squares = 0.0;
    add_centred_squares(n, x, weights, 0, NULL, total_weight(n, weights), &squares);
    return squares;
}

/* tr K - (1/N) sum_ij K_ij of a linear kernel is the sum of squares about the mean,
 * which the feature gives without cancellation and in O(N). */
static double linear_centred_trace(const rls2__kernel *kernel, const rls2_rows *train, const double *weights,
                                   const rls2_rows *extra)
{
    int64_t nz = extra ? extra->n : 0;
    double total = 0.0, count = total_weight(train->n, weights) + (double)nz;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *z = extra ? column_of(extra, kernel->columns[t]) : NULL;
        add_centred_squares(train->n, column_of(train, kernel->columns[t]), weights, nz, z, count, &total);
    }
    return total;
}

double rls2__matrix_centred_trace(int64_t n, rls2__column_fn column, const void *from, const double *weights,
                                  double *work)
{
    double trace, total = entry_sum(n, column, from, weights, work, &trace);
    return rls2__above_rounding(trace - total / total_weight(n, weights), trace);
}

static double trace_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                const rls2_basis_options *options, double *work)
{
    const rls2_rows *extra = options->transductive;
    const double *weights = options->weights;
    if (options->center && kernel->kind == RLS2__KERNEL_LINEAR)
        return linear_centred_trace(kernel, train, weights, extra);
    double trace = diagonal_sum(kernel, train, weights, work);
    if (extra) trace += diagonal_sum(kernel, extra, NULL, work);
    if (!options->center) return trace;
    evaluated own = {kernel, train}, other = {kernel, extra};
    double unused, total = entry_sum(train->n, evaluate_column, &own, weights, work, &unused);
    double count = total_weight(train->n, weights) + (double)(extra ? extra->n : 0);
    if (extra)
        total += entry_sum(extra->n, evaluate_column, &other, NULL, work, &unused) +
                 2.0 * cross_sum(kernel, extra, train, weights, work);
    return rls2__above_rounding(trace - total / count, trace);
}

/* ---- Fisher rules: E22 and its kernel form ---- */

/* Of the rows whose label has this sign; 0 where there are none, or all are equal: squares about a rounded mean would
 * leave some. */
static double class_variance(int64_t n, const double *x, const double *labels, const double *weights,
                             double sign)
{
    double count = 0.0, mean = 0.0, squares = 0.0;
    const double *first = NULL;
    int varies = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!(labels[i] * sign > 0.0)) continue;
        if (!first) first = &x[i];
        count += weight_of(weights, i);
        mean += weight_of(weights, i) * x[i];
        varies |= x[i] != *first;
    }
    if (count == 0.0 || !varies) return 0.0;
    mean /= count;
    for (int64_t i = 0; i < n; i++)
        if (labels[i] * sign > 0.0) squares += weight_of(weights, i) * (x[i] - mean) * (x[i] - mean);
    return squares / count;
}

double rls2__within_class_variance(int64_t n, const double *x, const double *labels, const double *weights)
{
    double negative = class_variance(n, x, labels, weights, -1.0);
    return negative + class_variance(n, x, labels, weights, 1.0);
}

/* A class of one row has no variance, whatever rounding leaves of its difference. */
double rls2__matrix_within_class_variance(int64_t n, rls2__column_fn column, const void *from,
                                          const double *labels, const double *weights, double *work)
{
    double count[2] = {0.0, 0.0}, diagonal[2] = {0.0, 0.0}, entries[2] = {0.0, 0.0};
    int64_t rows[2] = {0, 0};
    for (int64_t j = 0; j < n; j++) {
        int class = labels[j] > 0.0;
        double w = weight_of(weights, j);
        column(from, j, work);
        rows[class]++;
        count[class] += w;
        diagonal[class] += w * work[0];
        entries[class] += w * w * work[0];
        for (int64_t i = 1; i < n - j; i++)
            if ((labels[j + i] > 0.0) == class)
                entries[class] += 2.0 * w * weight_of(weights, j + i) * work[i];
    }
    double total = 0.0, scale = 0.0;
    for (int class = 0; class < 2; class ++) {
        if (rows[class] == 0) continue;
        scale += diagonal[class] / count[class];
        if (rows[class] > 1)
            total += diagonal[class] / count[class] - entries[class] / (count[class] * count[class]);
    }
    return rls2__above_rounding(total, scale);
}

static double fisher_denominator(const rls2__kernel *kernel, const rls2_rows *train, const double *labels,
                                 const double *weights, double *work)
{
    if (kernel->kind != RLS2__KERNEL_LINEAR) {
        evaluated own = {kernel, train};
        return rls2__matrix_within_class_variance(train->n, evaluate_column, &own, labels, weights, work);
    }
    double total = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++)
        total += rls2__within_class_variance(train->n, column_of(train, kernel->columns[t]), labels, weights);
    return total;
}

double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work)
{
    switch (options->scaling) {
    case RLS2_SCALING_NONE: return 1.0;
    case RLS2_SCALING_TRACE: return trace_denominator(kernel, train, options, work);
    case RLS2_SCALING_FISHER:
    case RLS2_SCALING_FISHER_SQRT:
        return fisher_denominator(kernel, train, options->labels, options->weights, work);
    }
    return NAN;
}

double rls2__scaling_of(rls2_scaling rule, double denominator)
{
    if (!(denominator > 0.0)) return INFINITY;
    return rule == RLS2_SCALING_FISHER_SQRT ? 1.0 / sqrt(denominator) : 1.0 / denominator;
}
