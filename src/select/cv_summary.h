/* The curve of cross-validation and the two choices on it. */
#ifndef RLS2_SELECT_CV_SUMMARY_H
#define RLS2_SELECT_CV_SUMMARY_H

#include "select/cv.h"

/* points, best, one_se and the points of the baselines from scores, nzero and weights. */
void rls2__cv_summarize(rls2_cv *cv);

#endif
