/* Optional fields: score and shares on rows that were left out, and intervals. */
#include "modelfile/unpack_left_out.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "modelfile/picks_text.h"

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

/* Of quantiles a correction may be negative: they are then too far apart. */
static rls2_status read_interval(rls2__describer *r, const json_t *from, int may_be_negative,
                                 rls2_model *model)
{
    rls2_interval found = {.level = rls2__field_number(r, from, "level"),
                           .correction = rls2__field_number(r, from, "correction"),
                           .rows = rls2__field_count(r, from, "rows"),
                           .within = rls2__field_count(r, from, "within")};
    if (r->status != RLS2_OK) return r->status;
    if (!(found.level > 0.0 && found.level < 1.0) || !isfinite(found.correction) ||
        (found.correction < 0.0 && !may_be_negative) || found.rows < 1 || found.within > found.rows)
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "an interval of level %g and correction %g, with %" PRId64
                                    " of %" PRId64 " rows within",
                                    found.level, found.correction, found.within, found.rows);
    model->interval = found;
    return RLS2_OK;
}

static const json_t *interval_of(const json_t *outputs, int64_t o)
{
    return json_object_get(json_array_get(outputs, (size_t)o), "interval");
}

rls2_status rls2__unpack_intervals(rls2__describer *r, const json_t *outputs, rls2_model *model)
{
    const json_t *whole = json_object_get(r->container->description, "interval");
    int64_t count = model->output_count, found = 0;
    int quantiles = rls2__model_has_quantiles(model);
    for (int64_t o = 0; o < count; o++) found += interval_of(outputs, o) != NULL;
    int fits = (!whole || quantiles) && (found == 0 || (found == count && !quantiles));
    if (!fits || ((whole || found > 0) && rls2_model_is_classification(model)))
        return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                    "the intervals do not fit the outputs");
    rls2_status status = whole ? read_interval(r, whole, 1, model) : RLS2_OK;
    for (int64_t o = 0; o < found && status == RLS2_OK; o++)
        status = read_interval(r, interval_of(outputs, o), 0,
                               model->outputs ? model->outputs[o] : model);
    return status;
}

/* Of all outputs, or of none. */
static rls2_status check_trials(rls2__describer *r, const rls2_model *model)
{
    for (int64_t o = 0; o < model->output_count; o++)
        if (rls2_model_output(model, o)->picks[RLS2_TRIALS_SPLITS].trials !=
            rls2_model_trials(model, RLS2_TRIALS_SPLITS))
            return rls2__container_fail(r->container, RLS2_ERR_VALUE,
                                        "what splits selected is not known of all outputs");
    return RLS2_OK;
}

rls2_status rls2__unpack_left_out(rls2__describer *r, const json_t *outputs, rls2_model *model)
{
    const json_t *score = json_object_get(r->container->description, "left_out");
    rls2_status status = score ? read_score(r, score, model) : RLS2_OK;
    for (int64_t o = 0; o < model->output_count && status == RLS2_OK; o++) {
        const json_t *shares = json_object_get(json_array_get(outputs, (size_t)o), "left_out");
        rls2_model *output = model->outputs ? model->outputs[o] : model;
        if (shares) status = read_shares(r, shares, output);
        if (status == RLS2_OK && json_object_get(shares, "selected"))
            status =
                rls2__read_picks(r, shares, output->dictionary->m, model->left_out.about.splits,
                                 &output->picks[RLS2_TRIALS_SPLITS]);
    }
    return status == RLS2_OK ? check_trials(r, model) : status;
}
