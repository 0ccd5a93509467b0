/* The curve of cross-validation and the two choices on it. */
#ifndef RLS2_SELECT_CV_SUMMARY_H
#define RLS2_SELECT_CV_SUMMARY_H

#include "select/cv.h"

/* points, best, one_se and the points of the baselines from scores, nzero and weights. */
void rls2__cv_summarize(rls2_cv *cv);

/* The same of one score for each split, whatever they are of; nzero and lambda are 0. */
rls2_cv_point rls2__cv_summarize_scores(const rls2_cv *cv, const double *scores);

/* Has the curve of the first splits its best lambda well above its end? That is so where at least
 * `margin` values follow it, or half as many, the last of which is worse by more than the standard
 * error of the difference between the two, split by split. Where the measure is not defined for one
 * of them nobody knows, and it has not. */
int rls2__curve_has_turned(const rls2_cv *cv, int64_t splits, int64_t margin);

#endif
