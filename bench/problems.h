/* Problems that are handed to other programs too: columns and responses as all of them get them,
 * and solutions in the words that they use. */
#ifndef RLS2_BENCH_PROBLEMS_H
#define RLS2_BENCH_PROBLEMS_H

#include <math.h>

#include "rls2/rls2.h"

/* Mean 0 and variance 1. */
static inline void standardize(int64_t n, double *x)
{
    double mean = 0.0, square = 0.0;
    for (int64_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (int64_t i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / (double)n;
    for (int64_t i = 0; i < n; i++) x[i] = square > 0.0 ? (x[i] - mean) / sqrt(square) : 0.0;
}

/* Labels stay, numbers are standardised, and of these counts of mean about 3 are made. */
static inline void prepare_response(rls2_loss loss, int64_t n, double *y)
{
    if (rls2_loss_takes_labels(loss)) return;
    standardize(n, y);
    for (int64_t i = 0; rls2_loss_takes_counts(loss) && i < n; i++)
        y[i] = floor(3.0 * exp(0.5 * y[i]) + 0.5);
}

/* Of linear kernels of one column each: the coefficient of column k scaled by sqrt s_k. Their
 * absolute sum times lambda is the penalty of the l1-penalised regression [MATH.md, G6]. */
static inline double scaled_coefficient(int64_t n, const double *x, const double *s, int64_t k,
                                        double weight, const double *c)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++) sum += x[k * n + j] * c[j];
    return weight * sqrt(s[k]) * sum;
}

#endif
