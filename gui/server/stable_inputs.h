/* What splits and halves selected, as the page is told. */
#ifndef RLS2_GUI_STABLE_INPUTS_H
#define RLS2_GUI_STABLE_INPUTS_H

#include <jansson.h>
#include <rls2/rls2.h>

/* A sign for each split, '1' where it selects the t-th kernel of rls2_cv_shares(cv, i, o). */
json_t *split_signs(const rls2_cv *cv, int64_t i, int64_t o, int64_t t);
/* Stability selection: what was done, and the inputs that halves selected, the most frequent first,
 * at most a hundred. NULL where it was not asked for. */
json_t *stability_of(const rls2_fit *fit);

#endif
