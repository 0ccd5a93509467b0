/* Public functions of rls2/stats.h that keep statistics. */
#include "base/file.h"
#include "base/file_write.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/stats_parts.h"

rls2_status rls2_stats_pack(const rls2_stats *stats, void **bytes, int64_t *length, rls2_error *err)
{
    unsigned char *made;
    if (!stats) return rls2__fail_null(err, "stats");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (!length) return rls2__fail_null(err, "length");
    rls2_status status = rls2__stats_pack(stats, &made, length, err);
    if (status == RLS2_OK) *bytes = made;
    return status;
}

rls2_status rls2_stats_unpack(const char *name, const void *bytes, int64_t length,
                              rls2_stats **stats, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (length < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "length is %lld", (long long)length);
    if (!stats) return rls2__fail_null(err, "stats");
    return rls2__stats_unpack(name, bytes, length, stats, err);
}

rls2_status rls2_stats_save(const rls2_stats *stats, const char *path, rls2_error *err)
{
    unsigned char *bytes;
    int64_t length;
    if (!stats) return rls2__fail_null(err, "stats");
    if (!path) return rls2__fail_null(err, "path");
    rls2_status status = rls2__stats_pack(stats, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__file_write(path, bytes, length, err);
    rls2__free(bytes);
    return status;
}

rls2_status rls2_stats_load(const char *path, rls2_stats **stats, rls2_error *err)
{
    char *bytes;
    int64_t length;
    if (!path) return rls2__fail_null(err, "path");
    if (!stats) return rls2__fail_null(err, "stats");
    rls2_status status = rls2__file_read(path, path, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__stats_unpack(path, (const unsigned char *)bytes, length, stats, err);
    rls2__free(bytes);
    return status;
}
