/* Quantiles of weighted numbers, whatever order they are in. */
#ifndef RLS2_STATS_QUANTILES_H
#define RLS2_STATS_QUANTILES_H

#include <stdint.h>

enum { RLS2__MOST_RANKS = 512 };

/* found[g] = the number at rank[g], counted from 0 among all numbers in ascending order, each of
 * which stands there weights[i] > 0 times (NULL: once). The ranks ascend, below the sum of the
 * weights, which are whole, so that sums do not depend on the order; at most RLS2__MOST_RANKS. Both
 * arrays are reordered. Between count and count log(ranks) steps. */
void rls2__quantiles(int64_t count, double *numbers, int64_t *weights, int64_t ranks,
                     const int64_t *rank, double *found);

#endif
