/* Cross-validation of a table by a recipe, without a plan. */
#ifndef RLS2_TESTS_SUPPORT_CV_RUN_H
#define RLS2_TESTS_SUPPORT_CV_RUN_H

#include "select/cv.h"

rls2_status cv_run(const rls2_table *table, const rls2__recipe *recipe, const rls2_splits *splits,
                   const rls2__cv_options *options, rls2_cv **cv, rls2_error *err);
rls2_status cv_run_sharing(const rls2_table *table, const rls2__recipe *recipe,
                           const rls2_splits *splits, const rls2__cv_options *options,
                           rls2__sharing sharing, rls2_cv **cv, rls2_error *err);
/* The same, but splits take rows and kernels from those of all. */
rls2_status cv_run_taken(const rls2_table *table, const rls2__recipe *recipe,
                         const rls2_splits *splits, const rls2__cv_options *options, rls2_cv **cv,
                         rls2_error *err);

#endif
