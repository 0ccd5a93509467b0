/* Counts that somebody else made: whether they can be those of rows. */
#ifndef RLS2_STATS_COUNTS_CHECK_H
#define RLS2_STATS_COUNTS_CHECK_H

#include "stats/counts.h"

/* A part of the rows has less weight, in units, than the first; with features fewer rows than the
 * second. Every sum of 64 bits is then below 2^64, and wide ones are far from their end. */
#define RLS2__MOST_PART_WEIGHT (UINT64_C(1) << 52)
#define RLS2__MOST_FEATURE_ROWS (INT64_C(1) << 35)

/* What is wrong with them. */
typedef struct rls2__counts_fault {
    const char *what; /* NULL: nothing. A constant text */
    int64_t part;
    int64_t axis;  /* -1: it is about none, */
    int64_t other; /* and no pair */
} rls2__counts_fault;

/* All sums that rows cannot but have: each row has 64 shares on every axis, and as many products
 * with those of another. Reads everything once. */
rls2__counts_fault rls2__counts_check(const rls2__counts *counts);
/* Would the sum of the two be within the bounds? */
rls2__counts_fault rls2__counts_check_merge(const rls2__counts *more, const rls2__counts *counts);

#endif
