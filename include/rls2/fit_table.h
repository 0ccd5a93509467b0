/* A recipe followed on a whole table; rls2/plan.h takes its place. */
#ifndef RLS2_FIT_TABLE_H
#define RLS2_FIT_TABLE_H

#include "rls2/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start from rls2_fit_options_default(). Everything is borrowed for the call. */
typedef struct rls2_fit_options {
    /* Rows that are not learned from, with the columns of the table; NULL (default): none. Their
     * target may be absent. */
    const rls2_table *test;
    int transductive_features; /* 1: features are measured over the test rows too; default 0 */
    int transductive; /* 1: so are the scalings of kernels (not with given matrices); default 0 */
    int threads;      /* 0 (default): one per core. Same results for any number */
    rls2_progress_fn
        progress; /* kernels while the basis is made, then points of all paths together */
    void *progress_user;
} rls2_fit_options;

RLS2_API rls2_fit_options rls2_fit_options_default(void);

/* Fits the paths of all outputs. Rows with an empty cell are left out as data.missing says.
 * The given matrices of the recipe are between the rows that remain. When the progress callback
 * asks to stop while kernels are made the call ends with RLS2_ERR_CANCELLED; later it succeeds,
 * with the lambdas finished so far. The table may go afterwards, the recipe's given matrices are
 * copied. options may be NULL. */
RLS2_API rls2_status rls2_fit_table(const rls2_table *table, const rls2_recipe *recipe,
                                    const rls2_fit_options *options, rls2_fit **fit,
                                    rls2_error *err);

#ifdef __cplusplus
}
#endif
#endif
