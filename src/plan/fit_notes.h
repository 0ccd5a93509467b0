/* What should be known of a fit once it is there. */
#ifndef RLS2_PLAN_FIT_NOTES_H
#define RLS2_PLAN_FIT_NOTES_H

#include "plan/fit.h"

/* Notes about the point that was chosen: one that reproduces its training rows, and classes that
 * are hardly ever predicted. Without memory for them they are left out. */
void rls2__fit_note(rls2_fit *fit);

#endif
