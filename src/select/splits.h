/* Splits of n rows into those that are learned from and those that are predicted. */
#ifndef RLS2_SELECT_SPLITS_H
#define RLS2_SELECT_SPLITS_H

#include "rls2/select.h"

/* count * n numbers of rows, n for each split: its training rows, then its validation rows, both
 * ascending. */
struct rls2_splits {
    int64_t n;
    int64_t count;
    int64_t repeat;      /* splits of one repeat of folds; `count` where nothing is repeated */
    int overlapping;     /* random splits: a row may be left out by several */
    int uneven;          /* sizes differ from split to split */
    int64_t *training;   /* how many of each split are for training ... */
    int64_t *validation; /* ... and for validation; NULL: all the others */
    int64_t *rows;
};

/* Room for that many splits, one after another; NULL when out of memory. */
rls2_splits *rls2__splits_create(int64_t n, int64_t count);

/* The public functions of the same names; arguments are right. */
rls2_status rls2__splits_folds(int64_t n, const double *strata, int64_t folds, int64_t repeats,
                               uint64_t seed, rls2_splits **splits, rls2_error *err);
rls2_status rls2__splits_random(int64_t n, const double *strata, int64_t count, double share,
                                uint64_t seed, rls2_splits **splits, rls2_error *err);
rls2_status rls2__splits_halves(int64_t n, const double *strata, int64_t pairs, uint64_t seed,
                                rls2_splits **splits, rls2_error *err);
/* Refuses folds that leave nothing to predict or nothing to learn from. */
rls2_status rls2__splits_given(int64_t n, const int64_t *fold, rls2_splits **splits,
                               rls2_error *err);
/* Lists of rows. Refuses rows that cannot be. */
typedef struct rls2__row_lists {
    const int64_t *training_counts;
    const int64_t *const *training;
    const int64_t *validation_counts;
    const int64_t *const *validation;
} rls2__row_lists;
/* NULL and half-made ones too. */
void rls2__splits_destroy(rls2_splits *splits);

#endif
