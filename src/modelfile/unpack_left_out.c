/* Optional fields: score and shares on rows that were left out. */
#include "modelfile/unpack_left_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"

static rls2_status fail_shares(const rls2__describer *r)
{
    return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                "the shares on left-out rows do not fit the dictionary");
}

static rls2_status read_shares(rls2__describer *r, const json_t *from, rls2_model *output)
{
    const json_t *kernels = rls2__field_array(r, from, "kernels");
    const json_t *shares = rls2__field_array(r, from, "shares");
    int64_t count = (int64_t)json_array_size(kernels), last = -1;
    if (r->status != RLS2_OK) return r->status;
    if (count != (int64_t)json_array_size(shares)) return fail_shares(r);
    if (rls2__model_reserve_shares(output, count) != RLS2_OK)
        return rls2__fail_memory(r->container->err, "the shares of a model");
    for (int64_t k = 0; k < count; k++) {
        const json_t *kernel = json_array_get(kernels, (size_t)k);
        const json_t *share = json_array_get(shares, (size_t)k);
        int64_t number = json_is_integer(kernel) ? json_integer_value(kernel) : -1;
        if (number <= last || number >= output->dictionary->m || !json_is_number(share))
            return fail_shares(r);
        output->share_kernels[k] = last = number;
        output->shares[k] = json_number_value(share);
    }
    return RLS2_OK;
}

static rls2_status read_score(rls2__describer *r, const json_t *from, rls2_model *model)
{
    rls2_left_out about = {.measure = rls2__field_text(r, from, "measure"),
                           .score = rls2__field_number_or_null(r, from, "score"),
                           .error = rls2__field_number_or_null(r, from, "error"),
                           .splits = rls2__field_count(r, from, "splits")};
    if (r->status != RLS2_OK) return r->status;
    if (about.splits < 1 || strlen(about.measure) >= sizeof model->left_out.measure)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "the measure '%.40s' on %" PRId64 " splits", about.measure,
                                    about.splits);
    rls2__model_keep_score(model, &about);
    return RLS2_OK;
}

rls2_status rls2__unpack_left_out(rls2__describer *r, const json_t *outputs, rls2_model *model)
{
    const json_t *score = json_object_get(r->container->description, "left_out");
    rls2_status status = score ? read_score(r, score, model) : RLS2_OK;
    for (int64_t o = 0; o < model->output_count && status == RLS2_OK; o++) {
        const json_t *shares = json_object_get(json_array_get(outputs, (size_t)o), "left_out");
        if (shares) status = read_shares(r, shares, model->outputs ? model->outputs[o] : model);
    }
    return status;
}
