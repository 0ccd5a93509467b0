/* What a curve says of a lambda, for the model that is made there. */
#include <string.h>

#include "base/invariant.h"
#include "model/model.h"
#include "select/cv.h"

static rls2_status tell_output(const rls2_cv *cv, int64_t i, int64_t o, rls2_model *output)
{
    const int64_t *kernels;
    const double *shares;
    int64_t count = rls2_cv_shares(cv, i, o, &kernels, &shares);
    rls2_status status = rls2__model_reserve_shares(output, count);
    if (status != RLS2_OK) return status;
    memcpy(output->share_kernels, kernels, (size_t)count * sizeof *kernels);
    memcpy(output->shares, shares, (size_t)count * sizeof *shares);
    const rls2__tally *tally = cv->shares[o];
    rls2__picks *picks = &output->picks[RLS2_TRIALS_SPLITS];
    int64_t words = rls2__words_of(tally->splits);
    status = rls2__picks_reserve(picks, tally->splits, count);
    if (status != RLS2_OK) return status;
    memcpy(picks->kernels, kernels, (size_t)count * sizeof *kernels);
    memcpy(picks->bits, tally->who + tally->first[i] * words,
           (size_t)(count * words) * sizeof *picks->bits);
    return RLS2_OK;
}

rls2_status rls2__cv_tell_model(const rls2_cv *cv, int64_t i, rls2_model *model)
{
    const rls2_cv_point *point = rls2_cv_at(cv, i);
    rls2__invariant(point && cv->outputs == model->output_count);
    rls2_status status = RLS2_OK;
    rls2__model_keep_score(model, &(rls2_left_out){.measure = rls2_measure_name(cv->measure),
                                                   .score = point->cvm,
                                                   .error = point->cvsd,
                                                   .splits = cv->splits});
    for (int64_t o = 0; o < cv->outputs && status == RLS2_OK; o++)
        status = tell_output(cv, i, o, model->outputs ? model->outputs[o] : model);
    return status;
}
