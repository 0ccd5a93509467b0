/* Profiles of made rows, with columns of few and of many different cells. */
#ifndef RLS2_TESTS_SUPPORT_MADE_PROFILE_H
#define RLS2_TESTS_SUPPORT_MADE_PROFILE_H

#include "stats/table_profile.h"
#include "support/edited_model.h"

enum { MADE_PROFILE_ROWS = 120, MADE_PROFILE_CASES = 3 };
/* Texts, dates with and without a clock, numbers with signs, gaps and slips, of which some columns
 * have many cells; with row weights; and numbers that were never written. */
extern const char *const made_profile_cases[MADE_PROFILE_CASES];

/* The case of that name, of those rows, by their numbers; ready to be packed. */
rls2_profile *made_profile(const char *name, int64_t count, const int64_t *rows);
rls2_profile *made_profile_whole(const char *name);

packed pack_profile(const rls2_profile *profile);

#endif
