/* Weights and coefficients along the path. */
#ifndef RLS2_GUI_PROFILE_H
#define RLS2_GUI_PROFILE_H

#include "gui/server/result.h"

/* What /profile answers; lambdas and df are those of the points. */
json_t *result_profile(const outcome *o, const json_t *points);

#endif
