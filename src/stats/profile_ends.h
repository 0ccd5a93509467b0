/* What a sample may lack of all rows, as rows: for the axes of what is counted later. */
#ifndef RLS2_STATS_PROFILE_ENDS_H
#define RLS2_STATS_PROFILE_ENDS_H

#include "stats/table_profile.h"

/* Rows that are encoded and prepared as `like` is, which rls2__profile_dataset has made of this
 * profile: in them every value of a column that has at most `most` different ones occurs, least and
 * most of others, each category and, where cells are imputed, a missing one. They have no
 * responses. */
rls2_status rls2__profile_ends(const rls2__profile *profile, const rls2_dataset *like, int64_t most,
                               rls2_dataset **ends, rls2_error *err);

#endif
