/* Public functions of rls2/stats.h about profiles; files of them are in src/modelfile.
 *
 * A profile that somebody holds is settled, unless it has no rows: then it can be packed as it is.
 */
#include "base/status.h"
#include "stats/profile_parts.h"

void rls2_profile_free(rls2_profile *profile)
{
    rls2__profile_free(profile);
}

rls2_status rls2__profile_finish(rls2__profile *profile, rls2_error *err)
{
    if (profile->rows > 0) return rls2__profile_settle(profile, err);
    return rls2__row_sample_settle(&profile->sample)
               ? RLS2_OK
               : rls2__fail_memory(err, "the sample of a table");
}

rls2_status rls2_profile_merge(rls2_profile *into, const rls2_profile *from, rls2_error *err)
{
    if (!into) return rls2__fail_null(err, "into");
    if (!from) return rls2__fail_null(err, "from");
    rls2_status status = rls2__profile_merge(into, from, err);
    return status == RLS2_OK ? rls2__profile_finish(into, err) : status;
}

int64_t rls2_profile_rows(const rls2_profile *profile)
{
    return profile ? profile->rows : 0;
}

int64_t rls2_profile_left_out(const rls2_profile *profile)
{
    return profile ? profile->left_out : 0;
}

int64_t rls2_profile_columns(const rls2_profile *profile)
{
    return profile ? profile->head->columns : 0;
}

const char *rls2_profile_column_name(const rls2_profile *profile, int64_t column)
{
    if (column < 0 || column >= rls2_profile_columns(profile)) return NULL;
    return profile->head->names[column];
}

uint64_t rls2_profile_fingerprint(const rls2_profile *profile)
{
    return profile ? profile->fingerprint : 0;
}
