/* The way of tall tables: rows are counted once, and everything else is done with the counts. */
#ifndef RLS2_PLAN_FIT_TALL_H
#define RLS2_PLAN_FIT_TALL_H

#include "plan/fit_work.h"
#include "select/tall.h"
#include "stats/stats.h"

/* What a tall fit keeps beside paths. */
struct rls2__tall {
    rls2_stats
        *stats;  /* of rows that are not in memory, whose the next three are then; else NULL */
    int borrows; /* the next three are somebody else's */
    rls2__axes *axes;
    rls2__features *features; /* of kernels of several columns; NULL: none */
    rls2__counts *counts;
    int32_t *part; /* of each row: the split that leaves it out; one beyond the last: none does */
    rls2__tall_from from;
    rls2__tall_fit whole;
};

/* Carries the plan out, whatever its goal; w->fit is there. */
rls2_status rls2__fit_tall(rls2__fit_work *w, rls2_error *err);
void rls2__tall_free(rls2__tall *tall);

/* Features for those kernels of several columns that a path on a sample has weight for. BLAS has
 * been entered for effort->threads. */
rls2_status rls2__tall_pilot(const rls2_plan *plan, rls2__effort *effort, const rls2__axes *axes,
                             rls2__features **features, rls2_error *err);

/* A row weight beyond RLS2__LEAST_WEIGHT and RLS2__MOST_WEIGHT. */
rls2_status rls2__tall_fail_weight(const rls2_table *table, int64_t row, double weight,
                                   rls2_error *err);

/* Says which of them have features, and which are left out. */
void rls2__tall_note_features(rls2_plan *plan, const rls2__axes *axes,
                              const rls2__features *features);

/* Model of point i, without its origin. */
rls2_status rls2__tall_model(const rls2_fit *fit, int64_t i, rls2_model **model, rls2_error *err);
/* The training rows at point i: f[rows x outputs]. */
rls2_status rls2__tall_fitted(const rls2_fit *fit, int64_t i, double *f, rls2_error *err);

#endif
