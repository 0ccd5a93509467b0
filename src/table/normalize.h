/* The rules by which numbers are normalised: measured on a sample, which is transformed at once, or
 * applied as they were measured elsewhere. See preprocess.c for the formulas. */
#ifndef RLS2_TABLE_NORMALIZE_H
#define RLS2_TABLE_NORMALIZE_H

#include "table/dataset.h"

/* What is measured together: the values of a feature, in one data set or in two.
 *
 * A value counts as often as its weight says. Weights are taken `unit` times as large, a power of
 * two that keeps the largest near 1 where there are any: exact, and no sum overflows. Without
 * weights all is as if there were none: 1 * x is x. */
typedef struct rls2__sample {
    int64_t n[2];
    double *x[2];
    const double *weights[2]; /* NULL: 1 each */
    const double *means; /* weights for the mean, of the first data set alone; NULL: the same */
    double unit;         /* a weight of 1 */
    double total;        /* sum of the weights */
} rls2__sample;

typedef struct rls2__range {
    double low;
    double high;
} rls2__range;

/* Sets `unit` and `total`: to be done before anything is measured. */
void rls2__sample_weigh(rls2__sample *s);
rls2__range rls2__range_of(const rls2__sample *s);

/* `r` is the range of the sample. */
rls2__scale rls2__normalize(const rls2__sample *s, rls2__range r, rls2_normalize rule);
/* The same steps with what was measured elsewhere, whatever the weights. */
void rls2__normalize_like(const rls2__sample *s, rls2_normalize rule, const rls2__scale *scale);

#endif
