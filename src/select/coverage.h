/* Intervals as a score of cross-validation. */
#ifndef RLS2_SELECT_COVERAGE_H
#define RLS2_SELECT_COVERAGE_H

#include "select/cv.h"

/* What intervals of that level do at every lambda of the curve, on its left-out rows; data are
 * those that were split. Nothing where their predictions were not kept. RLS2_ERR_MEMORY. */
rls2_status rls2__cv_cover(rls2_cv *cv, double level, const rls2_dataset *data, rls2_error *err);

#endif
