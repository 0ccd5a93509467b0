/* The denominators of the scalings by each rule, as far as they need no pairs of rows. */
#include "basis/scaling.h"

#include <math.h>
#include <stddef.h>

#include "base/invariant.h"
#include "basis/pair_sums.h"

/* A difference of two sums below this share of them has lost three digits, and is computed from
 * pairs of rows instead. */
static const double NEARLY_CONSTANT = 1e-3;
/* One below this share is taken for rounding: the kernel is constant on the rows. */
static const double CONSTANT = 1e-13;

static const double *column_of(const rls2_rows *rows, int64_t column)
{
    return rows->x + column * (rows->ldx ? rows->ldx : rows->n);
}

/* Columns and given matrices beyond this lose digits, or all, when their values or differences are
 * squared. */
static const double LEAST_VALUE = 1e-140, MOST_VALUE = 1e140;

static int can_be_squared(double largest)
{
    return largest == 0.0 || (largest >= LEAST_VALUE && largest <= MOST_VALUE);
}

static int is_in_range(const rls2__kernel *kernel, const rls2_rows *rows)
{
    double largest = 0.0;
    if (kernel->kind == RLS2__KERNEL_GIVEN) {
        const double *K = rows->given ? rows->given[kernel->given] : NULL;
        for (int64_t i = 0; K && i < rows->n; i++)
            largest = fmax(largest, fabs(K[i * rows->n + i]));
        return can_be_squared(largest);
    }
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = column_of(rows, kernel->columns[t]);
        largest = 0.0;
        for (int64_t i = 0; i < rows->n; i++) largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
        if (!can_be_squared(largest)) return 0;
    }
    return 1;
}

/* Of other rows a given kernel has a diagonal alone. */
int rls2__is_scaled_in_range(const rls2__kernel *kernel, const rls2_rows *train,
                             const rls2_basis_options *options)
{
    const rls2_rows *extra = kernel->kind == RLS2__KERNEL_GIVEN ? NULL : options->transductive;
    return is_in_range(kernel, train) && (!extra || is_in_range(kernel, extra));
}

static double weight_of(const double *weights, int64_t i)
{
    return weights ? weights[i] : 1.0;
}

static double total_weight(int64_t n, const double *weights)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += weight_of(weights, i);
    rls2__invariant(total > 0.0 || n == 0);
    return total;
}

int rls2__is_nearly_constant(double difference, double scale)
{
    return !(difference > NEARLY_CONSTANT * scale);
}

double rls2__above_rounding(double difference, double scale)
{
    return difference > CONSTANT * scale ? difference : 0.0;
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

/* Squares about a mean that is rounded are off by the square of that rounding: where they are no
 * more than this share of the squares themselves, the mean is taken of differences from one of the
 * values, which are exact where all are near. The heaviest value, that is: its own difference
 * counts most, and is 0. */
static const double NEARLY_EQUAL = 1e-6;

static int are_nearly_equal(double squares, double count, double mean)
{
    return squares <= NEARLY_EQUAL * count * mean * mean;
}

/* x and z, whose values count once. */
typedef struct values {
    int64_t n;
    const double *x, *weights;
    int64_t nz;
    const double *z;
    double count;
} values;

static double squares_about_mean(const values *v, double origin, double *mean)
{
    double squares = 0.0;
    spread s = {v->x[0], v->x[0]};
    *mean = 0.0;
    for (int64_t i = 0; i < v->n; i++) {
        *mean += weight_of(v->weights, i) * (v->x[i] - origin) / v->count;
        spread_over(&s, v->x[i]);
    }
    for (int64_t i = 0; i < v->nz; i++)
        *mean += (v->z[i] - origin) / v->count, spread_over(&s, v->z[i]);
    if (s.lowest == s.highest) return 0.0;
    for (int64_t i = 0; i < v->n; i++) {
        double step = v->x[i] - origin - *mean;
        squares += weight_of(v->weights, i) * step * step;
    }
    for (int64_t i = 0; i < v->nz; i++)
        squares += (v->z[i] - origin - *mean) * (v->z[i] - origin - *mean);
    rls2__invariant(!(squares < 0.0));
    return squares;
}

static int64_t heaviest_of(int64_t n, const double *weights)
{
    int64_t best = 0;
    for (int64_t i = 1; weights && i < n; i++)
        if (weights[i] > weights[best]) best = i;
    return best;
}

static double centred_squares(const values *v)
{
    double mean, squares = squares_about_mean(v, 0.0, &mean);
    if (!are_nearly_equal(squares, v->count, mean)) return squares;
    return squares_about_mean(v, v->x[heaviest_of(v->n, v->weights)], &mean);
}

double rls2__centred_squares(int64_t n, const double *x, const double *weights)
{
    const values v = {.n = n, .x = x, .weights = weights, .count = total_weight(n, weights)};
    return centred_squares(&v);
}

/* tr K - (1/N) sum_ij K_ij of a linear kernel is the sum of squares about the mean,
 * which the feature gives without cancellation and in O(N). */
static double linear_centred_trace(const rls2__kernel *kernel, const rls2_rows *train,
                                   const double *weights, const rls2_rows *extra)
{
    double total = 0.0;
    values v = {.n = train->n, .weights = weights, .nz = extra ? extra->n : 0};
    v.count = total_weight(train->n, weights) + (double)v.nz;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        v.x = column_of(train, kernel->columns[t]);
        v.z = extra ? column_of(extra, kernel->columns[t]) : NULL;
        total += centred_squares(&v);
    }
    return total;
}

double rls2__scaling_trace(const rls2__kernel *kernel, const rls2_rows *train,
                           const rls2_basis_options *options, double *work)
{
    const rls2_rows *extra = options->transductive;
    double trace = diagonal_sum(kernel, train, options->row_weights, work);
    if (extra) trace += diagonal_sum(kernel, extra, NULL, work);
    return trace;
}

static double trace_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                const rls2_basis_options *options, double *work)
{
    if (!options->center) return rls2__scaling_trace(kernel, train, options, work);
    return linear_centred_trace(kernel, train, options->row_weights, options->transductive);
}

/* ---- Fisher rules: E22 and its kernel form ---- */

/* The rows whose label has one sign. */
typedef struct class_rows {
    int64_t n;
    const double *x, *labels, *weights;
    double sign;
} class_rows;

static int is_in_class(const class_rows *rows, int64_t i)
{
    return rows->labels[i] * rows->sign > 0.0;
}

/* Squares about the mean of x - origin over the class; 0 where it has no rows, or all are equal:
 * squares about a rounded mean would leave some. */
static double class_squares(const class_rows *rows, double origin, double *count, double *mean)
{
    double squares = 0.0;
    const double *first = NULL, *x = rows->x;
    int varies = 0;
    *count = *mean = 0.0;
    for (int64_t i = 0; i < rows->n; i++) {
        if (!is_in_class(rows, i)) continue;
        if (!first) first = &x[i];
        *count += weight_of(rows->weights, i);
        *mean += weight_of(rows->weights, i) * (x[i] - origin);
        varies |= x[i] != *first;
    }
    if (*count == 0.0 || !varies) return 0.0;
    *mean /= *count;
    for (int64_t i = 0; i < rows->n; i++) {
        double step = x[i] - origin - *mean;
        if (is_in_class(rows, i)) squares += weight_of(rows->weights, i) * step * step;
    }
    return squares;
}

static double heaviest_value(const class_rows *rows)
{
    int64_t best = -1;
    for (int64_t i = 0; i < rows->n; i++)
        if (is_in_class(rows, i) &&
            (best < 0 || weight_of(rows->weights, i) > weight_of(rows->weights, best)))
            best = i;
    rls2__invariant(best >= 0); /* the class has rows */
    return rows->x[best];
}

static double class_variance(int64_t n, const double *x, const double *labels,
                             const double *weights, double sign)
{
    const class_rows rows = {n, x, labels, weights, sign};
    double count, mean, squares = class_squares(&rows, 0.0, &count, &mean);
    if (squares == 0.0) return 0.0;
    if (are_nearly_equal(squares, count, mean))
        squares = class_squares(&rows, heaviest_value(&rows), &count, &mean);
    return squares / count;
}

double rls2__within_class_variance(int64_t n, const double *x, const double *labels,
                                   const double *weights)
{
    double negative = class_variance(n, x, labels, weights, -1.0);
    return negative + class_variance(n, x, labels, weights, 1.0);
}

/* Of a linear kernel. */
static double fisher_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const double *labels, const double *weights)
{
    double total = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++)
        total += rls2__within_class_variance(train->n, column_of(train, kernel->columns[t]), labels,
                                             weights);
    return total;
}

/* The trace of a linear kernel is the sum of the squares: nothing needs a look of its own, and of a
 * hundred thousand columns each costs one pass. */
static double linear_trace(const rls2__kernel *kernel, const rls2_rows *train,
                           const rls2_basis_options *options, double *work)
{
    double trace = trace_denominator(kernel, train, options, work);
    if (trace >= LEAST_VALUE * LEAST_VALUE && trace <= MOST_VALUE * MOST_VALUE) return trace;
    return rls2__is_scaled_in_range(kernel, train, options) ? trace : (double)NAN;
}

double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work)
{
    rls2__invariant(!rls2__is_of_pairs(kernel, options));
    int plain =
        options->scaling == RLS2_SCALING_TRACE && !options->center && !options->transductive;
    if (plain && !options->row_weights && kernel->kind == RLS2__KERNEL_LINEAR &&
        kernel->column_count == 1)
        return linear_trace(kernel, train, options, work);
    if (!rls2__is_scaled_in_range(kernel, train, options)) return NAN;
    switch (options->scaling) {
    case RLS2_SCALING_NONE: return 1.0;
    case RLS2_SCALING_TRACE: return trace_denominator(kernel, train, options, work);
    case RLS2_SCALING_FISHER:
    case RLS2_SCALING_FISHER_SQRT:
        return fisher_denominator(kernel, train, options->labels, options->row_weights);
    }
    return NAN;
}

double rls2__scaling_of(rls2_scaling rule, double denominator)
{
    if (!(denominator > 0.0)) return INFINITY;
    rls2__invariant(rule != RLS2_SCALING_NONE || denominator == 1.0);
    return rule == RLS2_SCALING_FISHER_SQRT ? 1.0 / sqrt(denominator) : 1.0 / denominator;
}
