/* Public functions of rls2/stats.h that keep profiles. */
#include "modelfile/profile_file.h"

#include "base/file.h"
#include "base/file_write.h"
#include "base/memory.h"
#include "base/status.h"

rls2_status rls2_profile_pack(const rls2_profile *profile, void **bytes, int64_t *length,
                              rls2_error *err)
{
    unsigned char *made;
    if (!profile) return rls2__fail_null(err, "profile");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (!length) return rls2__fail_null(err, "length");
    rls2_status status = rls2__profile_pack(profile, &made, length, err);
    if (status == RLS2_OK) *bytes = made;
    return status;
}

rls2_status rls2_profile_unpack(const char *name, const void *bytes, int64_t length,
                                rls2_profile **profile, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (length < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "length is %lld", (long long)length);
    if (!profile) return rls2__fail_null(err, "profile");
    return rls2__profile_unpack(name, bytes, length, profile, err);
}

rls2_status rls2_profile_save(const rls2_profile *profile, const char *path, rls2_error *err)
{
    unsigned char *bytes;
    int64_t length;
    if (!profile) return rls2__fail_null(err, "profile");
    if (!path) return rls2__fail_null(err, "path");
    rls2_status status = rls2__profile_pack(profile, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__file_write(path, bytes, length, err);
    rls2__free(bytes);
    return status;
}

rls2_status rls2_profile_load(const char *path, rls2_profile **profile, rls2_error *err)
{
    char *bytes;
    int64_t length;
    if (!path) return rls2__fail_null(err, "path");
    if (!profile) return rls2__fail_null(err, "profile");
    rls2_status status = rls2__file_read(path, path, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__profile_unpack(path, (const unsigned char *)bytes, length, profile, err);
    rls2__free(bytes);
    return status;
}
