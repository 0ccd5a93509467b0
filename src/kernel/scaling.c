#include "kernel/scaling.h"

#include <math.h>

static const double *column_of(const rls2_rows *rows, int64_t column)
{
    return rows->x + column * (rows->ldx ? rows->ldx : rows->n);
}

/* ---- trace rules: E11, E21 ---- */

static double diagonal_sum(const rls2__kernel *kernel, const rls2_rows *rows, double *work)
{
    double total = 0.0;
    rls2__kernel_diagonal(kernel, rows, work);
    for (int64_t i = 0; i < rows->n; i++) total += work[i];
    return total;
}

/* sum_ij K(a_i, b_j); for a == b from the lower triangle. */
static double entry_sum(const rls2__kernel *kernel, const rls2_rows *a, const rls2_rows *b, double *work)
{
    double total = 0.0;
    for (int64_t j = 0; j < b->n; j++) {
        int64_t first = a == b ? j : 0;
        rls2__kernel_column_from(kernel, a, first, b, j, work);
        double column = 0.0;
        for (int64_t i = 0; i < a->n - first; i++) column += work[i];
        total += a == b ? 2.0 * column - work[0] : column;
    }
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

/* tr K - (1/N) sum_ij K_ij of a linear kernel is the sum of squares about the mean,
 * which the feature gives without cancellation and in O(N). */
static double linear_centred_trace(const rls2__kernel *kernel, const rls2_rows *train, const rls2_rows *extra)
{
    double total = 0.0, count = (double)(train->n + (extra ? extra->n : 0));
    for (int64_t t = 0; t < kernel->column_count; t++) {
        const double *x = column_of(train, kernel->columns[t]);
        const double *z = extra ? column_of(extra, kernel->columns[t]) : x;
        int64_t nz = extra ? extra->n : 0;
        double mean = 0.0;
        spread s = {x[0], x[0]};
        for (int64_t i = 0; i < train->n; i++) mean += x[i] / count, spread_over(&s, x[i]);
        for (int64_t i = 0; i < nz; i++) mean += z[i] / count, spread_over(&s, z[i]);
        if (s.lowest == s.highest) continue;
        for (int64_t i = 0; i < train->n; i++) total += (x[i] - mean) * (x[i] - mean);
        for (int64_t i = 0; i < nz; i++) total += (z[i] - mean) * (z[i] - mean);
    }
    return total;
}

static double trace_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                const rls2_basis_options *options, double *work)
{
    const rls2_rows *extra = options->transductive;
    if (options->center && kernel->kind == RLS2__KERNEL_LINEAR)
        return linear_centred_trace(kernel, train, extra);
    double trace = diagonal_sum(kernel, train, work);
    if (extra) trace += diagonal_sum(kernel, extra, work);
    if (!options->center) return trace;
    double total = entry_sum(kernel, train, train, work);
    if (extra) total += entry_sum(kernel, extra, extra, work) + 2.0 * entry_sum(kernel, extra, train, work);
    double centred = trace - total / (double)(train->n + (extra ? extra->n : 0));
    /* a kernel that is constant on the rows leaves only rounding here */
    return centred > 1e-13 * trace ? centred : 0.0;
}

/* ---- Fisher rules: E22 and its kernel form ---- */

double rls2__within_class_variance(int64_t n, const double *x, const double *labels)
{
    double total = 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        double count = 0.0, mean = 0.0, squares = 0.0;
        spread s = {INFINITY, -INFINITY};
        for (int64_t i = 0; i < n; i++)
            if (labels[i] * sign > 0.0) count += 1.0, mean += x[i], spread_over(&s, x[i]);
        mean /= count;
        if (s.lowest == s.highest) continue;
        for (int64_t i = 0; i < n; i++)
            if (labels[i] * sign > 0.0) squares += (x[i] - mean) * (x[i] - mean);
        total += squares / count;
    }
    return total;
}

/* sum over both classes of  sum_i K_ii / l - sum_ij K_ij / l^2. */
static double kernel_within_class_variance(const rls2__kernel *kernel, const rls2_rows *train,
                                           const double *labels, double *work)
{
    double count[2] = {0.0, 0.0}, diagonal[2] = {0.0, 0.0}, entries[2] = {0.0, 0.0};
    for (int64_t j = 0; j < train->n; j++) {
        int class = labels[j] > 0.0;
        rls2__kernel_column_from(kernel, train, j, train, j, work);
        count[class] += 1.0;
        diagonal[class] += work[0];
        entries[class] += work[0];
        for (int64_t i = 1; i < train->n - j; i++)
            if ((labels[j + i] > 0.0) == class) entries[class] += 2.0 * work[i];
    }
    double total = 0.0, scale = 0.0;
    for (int class = 0; class < 2; class ++) {
        total += diagonal[class] / count[class] - entries[class] / (count[class] * count[class]);
        scale += diagonal[class] / count[class];
    }
    return total > 1e-13 * scale ? total : 0.0; /* below that it is rounding */
}

static double fisher_denominator(const rls2__kernel *kernel, const rls2_rows *train, const double *labels,
                                 double *work)
{
    if (kernel->kind != RLS2__KERNEL_LINEAR) return kernel_within_class_variance(kernel, train, labels, work);
    double total = 0.0;
    for (int64_t t = 0; t < kernel->column_count; t++)
        total += rls2__within_class_variance(train->n, column_of(train, kernel->columns[t]), labels);
    return total;
}

double rls2__scaling_denominator(const rls2__kernel *kernel, const rls2_rows *train,
                                 const rls2_basis_options *options, double *work)
{
    switch (options->scaling) {
    case RLS2_SCALING_NONE: return 1.0;
    case RLS2_SCALING_TRACE: return trace_denominator(kernel, train, options, work);
    case RLS2_SCALING_FISHER:
    case RLS2_SCALING_FISHER_SQRT: return fisher_denominator(kernel, train, options->labels, work);
    }
    return NAN;
}

double rls2__scaling_of(rls2_scaling rule, double denominator)
{
    if (!(denominator > 0.0)) return INFINITY;
    return rule == RLS2_SCALING_FISHER_SQRT ? 1.0 / sqrt(denominator) : 1.0 / denominator;
}
