/* Rows that are not in memory: a plan is completed on a sample of them, with what one pass over all
 * has told. */
#ifndef RLS2_PLAN_PLAN_SOURCE_H
#define RLS2_PLAN_PLAN_SOURCE_H

#include "formats/rows.h"
#include "plan/plan.h"
#include "stats/stats.h"
#include "stats/table_profile.h"

struct rls2__plan_source {
    rls2_source *rows;      /* where they are read from, once more to be counted, */
    int owns_rows;          /* which it closes then, */
    rls2__profile *profile; /* and what all are; its sample is the table of the plan, */
    int owns_profile;       /* and it is freed then. Both NULL: */
    rls2_stats *stats;      /* they were counted, and have gone; borrowed. Else NULL */
    int64_t count;          /* rows that are learned from, */
    int64_t left_out;       /* and that are not */
    int64_t folds;          /* parts of the rows; 0: lambda is not chosen on rows left out */
};

void rls2__source_free(rls2__plan_source *source);

/* ---- what the steps of completing do where there is a source ---- */

/* Does a column of numbers have two different ones? */
int rls2__source_has_two(const rls2_plan *plan, int64_t column);
rls2_status rls2__source_settle_missing(rls2_plan *plan, rls2_error *err);
/* The rows of the sample, with encoder and preparation of all rows. */
rls2_status rls2__source_encode(const rls2_plan *plan, rls2_normalize features, rls2_dataset **data,
                                rls2_error *err);
/* Test rows, if any are wanted. */
rls2_status rls2__source_make_test(rls2_plan *plan, rls2_error *err);
/* They take the place of those that were not prepared. */
rls2_status rls2__source_prepare(rls2_plan *plan, rls2_error *err);
rls2_status rls2__source_make_splits(rls2_plan *plan, rls2_error *err);

/* ---- counting ---- */

/* Axes, features and counts of all rows: the second pass; without the sample. to_add: units of the
 * responses leave room for others, of rows that will be added. BLAS has been entered for
 * effort->threads. Free with rls2__stats_free. */
rls2_status rls2__source_count(rls2_plan *plan, rls2__effort *effort, int to_add,
                               rls2_stats **stats, rls2_error *err);

/* Counts, rows, left_out and fingerprint of other rows, as those of `like` were counted; stats has
 * its axes and features already. first_number: of the first row, where numbers count. */
rls2_status rls2__count_more(const rls2_stats *like, rls2_source *rows, int64_t first_number,
                             rls2__effort *effort, rls2_stats *stats, rls2_error *err);

#endif
