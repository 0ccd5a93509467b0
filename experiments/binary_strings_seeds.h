/* Numbers of the binary strings over the seeds. */
#ifndef RLS2_EXPERIMENTS_BINARY_STRINGS_SEEDS_H
#define RLS2_EXPERIMENTS_BINARY_STRINGS_SEEDS_H

#include "experiments/binary_strings.h"

/* A number of a unit, of that method or bit. */
typedef double (*string_pick)(const string_unit *unit, int which);
experiment_moments string_moments(const string_results *results, int64_t size, string_pick pick,
                                  int which);
double string_mean(const string_results *results, int64_t size, string_pick pick, int which);
/* Mean share of ones, in the training rows, of the other bits that were selected; NaN where none
 * was. */
double string_ones(const string_results *results, int64_t size, int which);
/* Of the seeds, and sizes from first to last, the share in per cent in which `a` is lower than `b`
 * by more than a hundredth. */
double string_share_lower(const string_results *results, int64_t first, int64_t last, int a, int b);
/* The smallest size from which on the mean over seeds [from, to) stays below twice the noise. */
int64_t string_learned_from(const string_results *results, int64_t from, int64_t to, int which);
/* The median over the seeds of each one's own; NaN when out of memory. */
double string_median_learned(const string_results *results, int which);

#endif
