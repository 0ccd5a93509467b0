/* Public functions of rls2/model.h that keep models. */
#include "base/file.h"
#include "base/file_write.h"
#include "base/memory.h"
#include "base/status.h"
#include "modelfile/format.h"
#include "modelfile/pack.h"
#include "modelfile/unpack.h"

/* An output is in the file of its model. */
static rls2_status check_whole(const rls2_model *model, rls2_error *err)
{
    if (!model) return rls2__fail_null(err, "model");
    if (!model->head) return RLS2_OK;
    return rls2__fail(
        err, RLS2_ERR_ARGUMENT,
        "output %lld is kept with the model of %lld outputs it belongs to, not by itself",
        (long long)model->number + 1, (long long)model->head->output_count);
}

rls2_status rls2_model_pack(const rls2_model *model, void **bytes, int64_t *length, rls2_error *err)
{
    unsigned char *made;
    rls2_status status = check_whole(model, err);
    if (status != RLS2_OK) return status;
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (!length) return rls2__fail_null(err, "length");
    status = rls2__model_pack(model, &made, length, err);
    if (status == RLS2_OK) *bytes = made;
    return status;
}

rls2_status rls2_model_unpack(const char *name, const void *bytes, int64_t length,
                              rls2_model **model, rls2_error *err)
{
    if (!name) return rls2__fail_null(err, "name");
    if (!bytes) return rls2__fail_null(err, "bytes");
    if (length < 0) return rls2__fail(err, RLS2_ERR_ARGUMENT, "length is %lld", (long long)length);
    if (!model) return rls2__fail_null(err, "model");
    return rls2__model_unpack(name, bytes, length, model, err);
}

void rls2_bytes_free(void *bytes)
{
    rls2__free(bytes);
}

rls2_status rls2_model_save(const rls2_model *model, const char *path, rls2_error *err)
{
    unsigned char *bytes;
    int64_t length;
    rls2_status status = check_whole(model, err);
    if (status != RLS2_OK) return status;
    if (!path) return rls2__fail_null(err, "path");
    status = rls2__model_pack(model, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__file_write(path, bytes, length, err);
    rls2__free(bytes);
    return status;
}

rls2_status rls2_model_load(const char *path, rls2_model **model, rls2_error *err)
{
    char *bytes;
    int64_t length;
    if (!path) return rls2__fail_null(err, "path");
    if (!model) return rls2__fail_null(err, "model");
    rls2_status status = rls2__file_read(path, path, &bytes, &length, err);
    if (status != RLS2_OK) return status;
    status = rls2__model_unpack(path, (const unsigned char *)bytes, length, model, err);
    rls2__free(bytes);
    return status;
}
