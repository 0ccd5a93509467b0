/* Public functions of rls2/model.h about compact models. */
#include "base/status.h"
#include "model/compact.h"

int rls2_model_is_compact(const rls2_model *model)
{
    return model && model->compact;
}

int64_t rls2_model_points(const rls2_model *model)
{
    return model ? model->n : 0;
}

int64_t rls2_model_block_count(const rls2_model *model)
{
    return rls2_model_is_compact(model) ? model->compact->count : 0;
}

const rls2_model_block *rls2_model_block_at(const rls2_model *model, int64_t b)
{
    return b >= 0 && b < rls2_model_block_count(model) ? &model->compact->blocks[b].about : NULL;
}

const double *rls2_model_block_c(const rls2_model *model, int64_t b)
{
    if (!rls2_model_block_at(model, b) || !model->c) return NULL;
    return model->c + model->compact->blocks[b].offset;
}

int64_t rls2_model_kernel_block(const rls2_model *model, int64_t k)
{
    if (!rls2_model_is_compact(model) || k < 0 || k >= model->size) return -1;
    return model->compact->block_of[model->index[k]];
}

const rls2_represented *rls2_model_represented(const rls2_model *model)
{
    return rls2_model_is_compact(model) ? &model->represented : NULL;
}
