/* Zero mean, unit standard deviation, column by column:
 *
 *   x := (x / 2^exponent - shift - rest) / deviation
 *
 * Two passes: the mean first, then the squares of what is left. The mean of what is
 * left is zero but for rounding; taking it off as well, as `rest`, keeps columns exact
 * whose spread is small against their mean: shift + rest would not fit in a double. The
 * power of two, 1 but for extreme columns, keeps the squares in range and is exact.
 *
 * All four are remembered. New rows go through the same functions in the same order, so
 * equal values give equal bits. */
#include "table/dataset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAFE_EXPONENT = 400 }; /* squares of numbers within 2^+-400, and sums of them, are normal */

static double mean(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static double sum_of_squares(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

/* ---- the steps ---- */

static void divide_by_power(int64_t n, double *x, int exponent)
{
    if (exponent == 0) return;
    for (int64_t i = 0; i < n; i++) x[i] = ldexp(x[i], -exponent);
}

static void subtract(int64_t n, double *x, double shift)
{
    for (int64_t i = 0; i < n; i++) x[i] -= shift;
}

static void divide(int64_t n, double *x, double deviation)
{
    for (int64_t i = 0; i < n; i++) x[i] /= deviation;
}

static void make_zero(int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++) x[i] = 0.0;
}

/* ---- columns ---- */

static int safe_exponent(double largest)
{
    int exponent;
    frexp(largest, &exponent);
    return abs(exponent) <= SAFE_EXPONENT ? 0 : exponent;
}

static rls2__scale standardize_column(int64_t n, double *x, double low, double high)
{
    rls2__scale scale = {0};
    if (low == high) {
        scale.shift = low;
        make_zero(n, x);
        return scale;
    }
    scale.exponent = safe_exponent(fmax(-low, high));
    divide_by_power(n, x, scale.exponent);
    scale.shift = mean(n, x);
    subtract(n, x, scale.shift);
    scale.rest = mean(n, x);
    subtract(n, x, scale.rest);
    scale.deviation = sqrt(sum_of_squares(n, x) / (double)(n - 1));
    divide(n, x, scale.deviation);
    return scale;
}

static void standardize_column_like(int64_t n, double *x, const rls2__scale *scale)
{
    if (scale->deviation == 0.0) {
        make_zero(n, x);
        return;
    }
    divide_by_power(n, x, scale->exponent);
    subtract(n, x, scale->shift);
    subtract(n, x, scale->rest);
    divide(n, x, scale->deviation);
}

/* The deviation in units of the column. That of a few values may be beyond the largest
 * double, or that of many below the smallest: it stays finite, and 0 for constants only. */
static double plain_deviation(const rls2__scale *scale)
{
    if (scale->deviation == 0.0) return 0.0;
    return fmax(DBL_TRUE_MIN, fmin(DBL_MAX, ldexp(scale->deviation, scale->exponent)));
}

/* ---- data sets ---- */

void rls2_dataset_standardize(rls2_dataset *dataset)
{
    if (!dataset || dataset->is_standardized) return;
    int64_t n = dataset->rows;
    for (int64_t j = 0; j < dataset->columns; j++) {
        double *x = dataset->x + j * n, low = x[0], high = x[0];
        for (int64_t i = 1; i < n; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        rls2__scale scale = standardize_column(n, x, low, high);
        dataset->scales[j] = scale;
        dataset->means[j] = fmin(high, fmax(low, ldexp(scale.shift + scale.rest, scale.exponent)));
        dataset->deviations[j] = plain_deviation(&scale);
    }
    dataset->is_standardized = 1;
}

void rls2__standardize_like(rls2_dataset *dataset, const rls2_dataset *training)
{
    if (!training->is_standardized) return;
    int64_t n = dataset->rows, p = dataset->columns;
    for (int64_t j = 0; j < p; j++) standardize_column_like(n, dataset->x + j * n, &training->scales[j]);
    memcpy(dataset->scales, training->scales, (size_t)p * sizeof *dataset->scales);
    memcpy(dataset->means, training->means, 2 * (size_t)p * sizeof *dataset->means);
    dataset->is_standardized = 1;
}
