/* A sample of rows that depends on what the rows are, not on their order: those with the smallest
 * hashes of their contents (bottom-k).
 *
 * Equal contents have one hash; they are one row of the sample, which is counted. Of a content that
 * is in the sample every occurrence was counted: the bound that hashes must stay below never rises,
 * so it was never turned away. Two samples are merged by adding counts and keeping the smallest
 * again. Two different contents have the same hash with a chance of n^2 / 2^65, and then the second
 * is counted as the first.
 *
 * Contents are bytes, of which the sample knows nothing. At most 2k of them lie in memory. */
#ifndef RLS2_STATS_ROW_SAMPLE_H
#define RLS2_STATS_ROW_SAMPLE_H

#include "base/memory.h"

typedef struct rls2__row_kept {
    uint64_t hash;
    int64_t count;
    int64_t length;
    const char *bytes; /* in the arena */
} rls2__row_kept;

typedef struct rls2__row_sample {
    int64_t k;
    uint64_t bound; /* hashes above it are turned away */
    int turned;     /* some were, or lost their place: there are more different contents than k */
    int64_t count;
    rls2__row_kept *rows; /* 2k */
    int64_t slot_count;   /* a power of two, at least 4k */
    int32_t *slots;       /* place of a hash among the rows + 1; 0: empty */
    rls2__arena *arena;
} rls2__row_sample;

/* 1 <= k <= 2^28. 0 when out of memory; to be released even so. */
int rls2__row_sample_open(rls2__row_sample *sample, int64_t k);
void rls2__row_sample_close(rls2__row_sample *sample);

uint64_t rls2__row_hash(const char *bytes, int64_t length);
/* So many rows of that content, which is copied. 0 when out of memory. */
int rls2__row_sample_add(rls2__row_sample *sample, uint64_t hash, const char *bytes, int64_t length,
                         int64_t count);
int rls2__row_sample_merge(rls2__row_sample *sample, const rls2__row_sample *other);
/* Leaves the k smallest, in ascending order of their hashes. 0 when out of memory. */
int rls2__row_sample_settle(rls2__row_sample *sample);

#endif
