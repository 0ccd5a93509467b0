/* Zero mean, unit standard deviation, column by column.
 *
 * Two passes: the mean first, then the squares of what is left. The mean of what is
 * left is zero but for rounding; taking it off as well keeps columns exact whose
 * spread is small against their mean. */
#include "table/dataset.h"

#include <math.h>
#include <stdlib.h>

enum { SAFE_EXPONENT = 400 }; /* squares of numbers within 2^+-400, and sums of them, are normal */

static double mean(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static void subtract(int64_t n, double *x, double shift)
{
    for (int64_t i = 0; i < n; i++) x[i] -= shift;
}

static double sum_of_squares(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

/* Multiplies extreme columns by a power of two, which is exact and drops out of the
 * result. */
static void avoid_overflow(int64_t n, double *x, double largest)
{
    int exponent;
    frexp(largest, &exponent);
    if (abs(exponent) <= SAFE_EXPONENT) return;
    for (int64_t i = 0; i < n; i++) x[i] = ldexp(x[i], -exponent);
}

static void standardize_column(int64_t n, double *x)
{
    double low = x[0], high = x[0];
    for (int64_t i = 1; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    if (low == high) {
        for (int64_t i = 0; i < n; i++) x[i] = 0.0;
        return;
    }
    avoid_overflow(n, x, fmax(-low, high));
    subtract(n, x, mean(n, x));
    subtract(n, x, mean(n, x));
    double deviation = sqrt(sum_of_squares(n, x) / (double)(n - 1));
    for (int64_t i = 0; i < n; i++) x[i] /= deviation;
}

void rls2_dataset_standardize(rls2_dataset *dataset)
{
    if (!dataset) return;
    for (int64_t j = 0; j < dataset->columns; j++)
        standardize_column(dataset->rows, dataset->x + j * dataset->rows);
}
