/* Measures of the left-out rows of all splits together. */
#ifndef RLS2_SELECT_POOLED_H
#define RLS2_SELECT_POOLED_H

#include "select/cv.h"
#include "select/splits.h"

enum { RLS2__POOL_PARTS = 1 + RLS2_BASELINE_COUNT }; /* the path, then the baselines */

/* Predictions of left-out rows, split after split. Each split writes to its own place. */
typedef struct rls2__pooled {
    const rls2_splits *splits;
    const rls2_dataset *whole;
    int64_t outputs, count; /* count: lambdas */
    int64_t rows;           /* of all splits */
    int64_t *start;         /* splits + 1: where the rows of a split begin */
    int baselines;
    double *f[RLS2__POOL_PARTS]; /* rows x outputs x count; NULL where there are none */
} rls2__pooled;

/* Is a split too small for the measure? R2 of fewer than ten rows is mostly the luck of their mean,
 * AUC and balanced accuracy need every class. A single split is all there is. */
int rls2__pooled_is_needed(rls2_measure measure, const rls2_splits *splits,
                           const rls2_dataset *whole);
/* Without room for any lambda. To be released even where it fails. */
rls2_status rls2__pooled_create(const rls2_splits *splits, const rls2_dataset *whole, int baselines,
                                rls2__pooled *pool, rls2_error *err);
/* Room for `count` lambdas, NaN where nothing was kept. */
rls2_status rls2__pooled_grow(rls2__pooled *pool, int64_t count, rls2_error *err);
void rls2__pooled_release(rls2__pooled *pool);
/* f: n x outputs x count, of the rows of split s at `count` lambdas from `first` on. */
void rls2__pooled_keep(rls2__pooled *pool, int part, int64_t s, int64_t first, int64_t count,
                       const double *f);
/* Fills cv->pooled and those of the baselines, which have room. */
rls2_status rls2__pooled_measure(const rls2__pooled *pool, rls2_cv *cv, rls2_error *err);

#endif
