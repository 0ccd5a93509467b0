/* What a model remembers of the rows that were left out when its lambda was chosen. */
#include <stdio.h>

#include "base/memory.h"
#include "model/model.h"

void rls2__model_keep_score(rls2_model *model, const rls2_left_out *about)
{
    rls2__left_out *kept = &model->left_out;
    kept->about = *about;
    snprintf(kept->measure, sizeof kept->measure, "%s", about->measure);
    kept->about.measure = kept->measure;
}

rls2_status rls2__model_reserve_shares(rls2_model *model, int64_t count)
{
    rls2__free(model->share_kernels);
    rls2__free(model->shares);
    model->share_kernels = rls2__alloc_zero(count, sizeof *model->share_kernels);
    model->shares = rls2__alloc_zero(count, sizeof *model->shares);
    model->share_count = model->share_kernels && model->shares ? count : 0;
    return model->share_kernels && model->shares ? RLS2_OK : RLS2_ERR_MEMORY;
}

const rls2_left_out *rls2_model_left_out(const rls2_model *model)
{
    if (!model) return NULL;
    const rls2_model *whole = model->head ? model->head : model;
    return whole->left_out.about.splits > 0 ? &whole->left_out.about : NULL;
}

int64_t rls2_model_left_out_shares(const rls2_model *model, const int64_t **kernels,
                                   const double **shares)
{
    if (kernels) *kernels = model ? model->share_kernels : NULL;
    if (shares) *shares = model ? model->shares : NULL;
    return model ? model->share_count : 0;
}
