/* A model is a copy of a point of a path, or of one of each of several. */
#include "model/copy.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "model/model.h"
#include "solver/path.h"

static rls2_status copy_rows(rls2_model *model, const rls2_rows *rows)
{
    size_t n = (size_t)model->n;
    for (int64_t j = 0; j < model->used_count; j++)
        memcpy(model->x + j * model->n, rows->x + model->used[j] * rows->ldx, n * sizeof(double));
    for (int64_t k = 0; k < model->size; k++) {
        int64_t g = model->kernels[k].given;
        if (model->kernels[k].kind != RLS2__KERNEL_GIVEN || model->given[g]) continue;
        model->given[g] = rls2__alloc(rls2__mul(model->n, model->n), sizeof(double));
        if (!model->given[g]) return RLS2_ERR_MEMORY;
        memcpy(model->given[g], rows->given[g], n * n * sizeof(double));
    }
    return RLS2_OK;
}

static void copy_answer(rls2_model *model, const rls2_path *path, const rls2__path_entry *entry)
{
    const rls2_basis *basis = path->basis;
    rls2__invariant(model->size == entry->count && model->n == basis->n);
    memcpy(model->index, entry->ks, (size_t)entry->count * sizeof *model->index);
    memcpy(model->d, entry->d, (size_t)entry->count * sizeof(double));
    memcpy(model->c, entry->c, (size_t)model->n * sizeof(double));
    memcpy(model->scales, basis->s, (size_t)basis->m * sizeof(double));
    model->point = entry->point;
    model->intercept = rls2__path_intercept_at(path, entry - path->entries);
    model->solver = path->solver;
    model->loss = path->loss;
    model->is_free = path->is_free;
    model->has_shared_d = path->sharing > 1;
    model->scaling = (rls2_model_scaling){.rule = basis->rule,
                                          .center = basis->center,
                                          .transductive = basis->transductive,
                                          .skip_degenerate = basis->skip_degenerate};
}

/* The rows, for a model or head whose kernels are known. */
static rls2_status copy_basis(rls2_model *model, const rls2_basis *basis)
{
    rls2_status status = rls2__model_bind(model);
    if (status == RLS2_OK) status = rls2__model_reserve_x(model);
    if (status == RLS2_OK) status = copy_rows(model, &basis->rows);
    if (status != RLS2_OK || !basis->weights) return status;
    status = rls2__model_reserve_weights(model);
    if (status == RLS2_OK)
        memcpy(model->weights, basis->weights, (size_t)model->n * sizeof(double));
    return status;
}

/* The model where all went well; else it is destroyed. */
static rls2_status hand_over(rls2_model *model, rls2_status status, rls2_model **out)
{
    if (status != RLS2_OK) {
        rls2__model_destroy(model);
        return status;
    }
    rls2__model_finish(model);
    *out = model;
    return RLS2_OK;
}

static rls2_status copy_one(const rls2_path *path, int64_t i, rls2_model **out)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *entry = &path->entries[i];
    rls2_model *model = rls2__model_start(basis->dictionary, basis->n, entry->count, NULL);
    if (!model) return RLS2_ERR_MEMORY;
    copy_answer(model, path, entry);
    return hand_over(model, copy_basis(model, basis), out);
}

rls2_status rls2__model_copy_outputs(int64_t outputs, const rls2_path *const *paths, int64_t i,
                                     rls2_model **out)
{
    if (outputs == 1) return copy_one(paths[0], i, out);
    const rls2_basis *basis = paths[0]->basis;
    rls2_model *head = rls2__model_start_outputs(basis->dictionary, basis->n, outputs, NULL);
    if (!head) return RLS2_ERR_MEMORY;
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++) {
        const rls2__path_entry *entry = &paths[o]->entries[i];
        rls2_model *output = rls2__model_add_output(head, entry->count);
        if (output)
            copy_answer(output, paths[o], entry);
        else
            status = RLS2_ERR_MEMORY;
    }
    if (status == RLS2_OK) status = rls2__model_unite(head);
    if (status == RLS2_OK) status = copy_basis(head, basis);
    if (status == RLS2_OK) rls2__model_sum_up(head);
    return hand_over(head, status, out);
}
