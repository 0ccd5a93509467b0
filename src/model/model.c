#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/path.h"

void rls2__model_destroy(rls2_model *model)
{
    if (!model) return;
    for (int64_t g = 0; model->given && g < model->dictionary->given_count; g++) rls2__free(model->given[g]);
    rls2__free(model->given);
    rls2__free(model->index);
    rls2__free(model->kernels);
    rls2__free(model->d);
    rls2__free(model->s);
    rls2__free(model->c);
    rls2__free(model->scales);
    rls2__free(model->factor);
    rls2__free(model->used);
    rls2__free(model->x);
    rls2__origin_release(&model->origin);
    rls2_dictionary_free(model->dictionary);
    rls2__arena_free(model->arena);
    rls2__free(model);
}

rls2_model *rls2__model_start(const rls2_dictionary *dictionary, int64_t n, int64_t size)
{
    rls2_model *model = rls2__alloc_zero(1, sizeof *model);
    if (!model) return NULL;
    model->n = n;
    model->p = dictionary->columns;
    model->size = size;
    model->dictionary = rls2__dictionary_share(dictionary);
    model->arena = rls2__arena_create();
    model->index = rls2__alloc_zero(size, sizeof *model->index);
    model->kernels = rls2__alloc_zero(size, sizeof *model->kernels);
    model->d = rls2__alloc_zero(size, sizeof(double));
    model->s = rls2__alloc_zero(size, sizeof(double));
    model->c = rls2__alloc_zero(n, sizeof(double));
    model->scales = rls2__alloc_zero(dictionary->m, sizeof(double));
    model->threads = 1;
    model->given = rls2__alloc_zero(dictionary->given_count, sizeof *model->given);
    if (model->arena && model->index && model->kernels && model->d && model->s && model->c && model->scales &&
        model->given)
        return model;
    rls2__model_destroy(model);
    return NULL;
}

/* ---- columns in use ---- */

static const rls2__kernel *original(const rls2_model *model, int64_t k)
{
    return &model->dictionary->kernels[model->index[k]];
}

/* Writes `used`, and into `place` of each used column its position there. */
static rls2_status find_used(rls2_model *model, int64_t *place)
{
    int64_t count = 0;
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t t = 0; t < original(model, k)->column_count; t++)
            place[original(model, k)->columns[t]] = 1;
    for (int64_t j = 0; j < model->p; j++) count += place[j];
    model->used = rls2__alloc(count, sizeof *model->used);
    if (!model->used) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->p; j++) {
        if (!place[j]) continue;
        place[j] = model->used_count;
        model->used[model->used_count++] = j;
    }
    return RLS2_OK;
}

static int is_contiguous(const rls2__kernel *kernel)
{
    int64_t count = kernel->column_count;
    return count > 0 && kernel->columns[count - 1] - kernel->columns[0] == count - 1;
}

/* Kernels of one set of columns next to each other. */
static int by_columns(const void *a, const void *b)
{
    const rls2__kernel *const *x = a, *const *y = b;
    uintptr_t u = (uintptr_t)(*x)->columns, v = (uintptr_t)(*y)->columns;
    if (u != v) return u < v ? -1 : 1;
    return ((*x)->column_count > (*y)->column_count) - ((*x)->column_count < (*y)->column_count);
}

/* The kernels share lists of columns in the dictionary and do so here: memory is that of the lists,
 * not of the kernels. `order` is room for all kernels. */
static rls2_status place_columns(rls2_model *model, const int64_t *place, rls2__kernel **order)
{
    int64_t *identity = rls2__arena_alloc(model->arena, rls2__mul(model->used_count, sizeof(int64_t)));
    if (!identity) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->used_count; j++) identity[j] = j;
    for (int64_t k = 0; k < model->size; k++) order[k] = &model->kernels[k];
    qsort(order, (size_t)model->size, sizeof *order, by_columns);
    const int64_t *from = NULL, *to = NULL;
    int64_t length = 0;
    for (int64_t k = 0; k < model->size; k++) {
        rls2__kernel *kernel = order[k];
        int64_t count = kernel->column_count;
        if (count == 0 || (kernel->columns == from && count == length)) {
            kernel->columns = count == 0 ? identity : to;
            continue;
        }
        from = kernel->columns;
        length = count;
        if (is_contiguous(kernel)) {
            to = identity + place[from[0]];
        } else {
            int64_t *list = rls2__arena_alloc(model->arena, rls2__mul(count, sizeof(int64_t)));
            if (!list) return RLS2_ERR_MEMORY;
            for (int64_t t = 0; t < count; t++) list[t] = place[from[t]];
            to = list;
        }
        kernel->columns = to;
    }
    return RLS2_OK;
}

rls2_status rls2__model_bind(rls2_model *model)
{
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t *place = rls2__alloc_zero(model->p, sizeof *place);
    rls2__kernel **order = rls2__alloc(model->size, sizeof(rls2__kernel *));
    if (!place || !order) goto cleanup;
    status = find_used(model, place);
    if (status != RLS2_OK) goto cleanup;
    for (int64_t k = 0; k < model->size; k++) {
        model->kernels[k] = *original(model, k);
        model->s[k] = model->scales[model->index[k]];
    }
    status = place_columns(model, place, order);
cleanup:
    rls2__free(place);
    rls2__free(order);
    return status;
}

rls2_status rls2__model_reserve_x(rls2_model *model)
{
    model->x = rls2__alloc(rls2__mul(model->n, model->used_count), sizeof(double));
    return model->x ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__model_finish(rls2_model *model)
{
    model->rows = (rls2_rows){.n = model->n,
                              .p = model->used_count,
                              .x = model->x,
                              .ldx = model->n,
                              .given_count = model->dictionary->given_count,
                              .given = (const double *const *)model->given};
    for (int64_t k = 0; k < model->size; k++) rls2__kernel_fit(&model->kernels[k], &model->rows);
}

/* ---- a point of a path ---- */

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
    memcpy(model->index, entry->ks, (size_t)entry->count * sizeof *model->index);
    memcpy(model->d, entry->d, (size_t)entry->count * sizeof(double));
    memcpy(model->c, entry->c, (size_t)model->n * sizeof(double));
    memcpy(model->scales, basis->s, (size_t)basis->m * sizeof(double));
    model->point = entry->point;
    model->intercept = path->intercept;
    model->solver = path->solver;
    model->scaling = (rls2_model_scaling){.rule = basis->rule,
                                          .center = basis->center,
                                          .transductive = basis->transductive,
                                          .skip_degenerate = basis->skip_degenerate};
}

rls2_status rls2__model_copy(const rls2_path *path, int64_t i, rls2_model **out)
{
    const rls2_basis *basis = path->basis;
    const rls2__path_entry *entry = &path->entries[i];
    rls2_model *model = rls2__model_start(basis->dictionary, basis->n, entry->count);
    if (!model) return RLS2_ERR_MEMORY;
    copy_answer(model, path, entry);
    rls2_status status = rls2__model_bind(model);
    if (status == RLS2_OK) status = rls2__model_reserve_x(model);
    if (status == RLS2_OK) status = copy_rows(model, &basis->rows);
    if (status != RLS2_OK) {
        rls2__model_destroy(model);
        return status;
    }
    rls2__model_finish(model);
    *out = model;
    return RLS2_OK;
}

/* ---- origin ---- */

rls2_status rls2__origin_create(rls2__encoder *encoder, const rls2__preparation *preparation,
                                uint64_t fingerprint, rls2__origin *origin)
{
    *origin = (rls2__origin){.fingerprint = fingerprint};
    origin->input_of = rls2__alloc(encoder->columns, sizeof *origin->input_of);
    if (!origin->input_of) return RLS2_ERR_MEMORY;
    if (rls2__preparation_reserve(&origin->preparation, encoder->columns) != RLS2_OK) return RLS2_ERR_MEMORY;
    rls2__preparation_copy(preparation, &origin->preparation);
    for (int64_t k = 0; k < encoder->count; k++)
        for (int64_t v = 0; v < encoder->inputs[k].width; v++)
            origin->input_of[encoder->inputs[k].first + v] = k;
    origin->encoder = rls2__encoder_share(encoder);
    return RLS2_OK;
}

void rls2__origin_release(rls2__origin *origin)
{
    rls2__encoder_release(origin->encoder);
    rls2__preparation_release(&origin->preparation);
    rls2__free(origin->input_of);
}
