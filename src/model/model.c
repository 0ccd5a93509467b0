#include "model/model.h"

#include <string.h>

#include "base/memory.h"
#include "solver/path.h"

void rls2__model_destroy(rls2_model *model)
{
    if (!model) return;
    for (int64_t g = 0; model->given && g < model->given_count; g++) rls2__free(model->given[g]);
    rls2__free(model->given);
    rls2__free(model->kernels);
    rls2__free(model->d);
    rls2__free(model->s);
    rls2__free(model->c);
    rls2__free(model->x);
    rls2__arena_free(model->arena);
    rls2__free(model);
}

static rls2_status copy_kernel(rls2_model *model, const rls2__kernel *from, rls2__kernel *to)
{
    *to = *from;
    int64_t bytes = from->column_count * (int64_t)sizeof(int64_t);
    int64_t *columns = rls2__arena_alloc(model->arena, bytes);
    to->name = rls2__arena_text(model->arena, from->name, (int64_t)strlen(from->name));
    if (!columns || !to->name) return RLS2_ERR_MEMORY;
    if (bytes > 0) memcpy(columns, from->columns, (size_t)bytes);
    to->columns = columns;
    return RLS2_OK;
}

/* Only the columns its kernels look at. */
static void copy_columns(rls2_model *model, const rls2_rows *rows)
{
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t t = 0; t < model->kernels[k].column_count; t++) {
            int64_t column = model->kernels[k].columns[t];
            memcpy(model->x + column * model->n, rows->x + column * rows->ldx,
                   (size_t)model->n * sizeof(double));
        }
}

static rls2_status copy_given(rls2_model *model, const rls2_rows *rows)
{
    int64_t values = model->n * model->n;
    model->given_count = rows->given_count;
    model->given = rls2__alloc_zero(rows->given_count, sizeof *model->given);
    if (!model->given) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < model->size; k++) {
        int64_t g = model->kernels[k].given;
        if (model->kernels[k].kind != RLS2__KERNEL_GIVEN || model->given[g]) continue;
        model->given[g] = rls2__alloc(values, sizeof(double));
        if (!model->given[g]) return RLS2_ERR_MEMORY;
        memcpy(model->given[g], rows->given[g], (size_t)values * sizeof(double));
    }
    return RLS2_OK;
}

static rls2_status copy_names(rls2_model *model, const rls2_dictionary *dictionary)
{
    model->column_names = rls2__arena_alloc(model->arena, model->p * (int64_t)sizeof(char *));
    if (!model->column_names) return RLS2_ERR_MEMORY;
    for (int64_t j = 0; j < model->p; j++) {
        const char *name = dictionary->column_names[j];
        model->column_names[j] = rls2__arena_text(model->arena, name, (int64_t)strlen(name));
        if (!model->column_names[j]) return RLS2_ERR_MEMORY;
    }
    return RLS2_OK;
}

static rls2_status fill(rls2_model *model, const rls2_path *path, const rls2__path_entry *entry)
{
    const rls2_basis *basis = path->basis;
    rls2_status status = RLS2_OK;
    model->arena = rls2__arena_create();
    model->kernels = rls2__alloc_zero(entry->count, sizeof *model->kernels);
    model->d = rls2__alloc(entry->count, sizeof(double));
    model->s = rls2__alloc(entry->count, sizeof(double));
    model->c = rls2__alloc(basis->n, sizeof(double));
    model->x = rls2__alloc_zero(rls2__mul(basis->n, basis->rows.p), sizeof(double));
    if (!model->arena || !model->kernels || !model->d || !model->s || !model->c || !model->x)
        return RLS2_ERR_MEMORY;
    model->size = entry->count;
    for (int64_t k = 0; k < entry->count && status == RLS2_OK; k++) {
        model->d[k] = entry->d[k];
        model->s[k] = basis->s[entry->ks[k]];
        status = copy_kernel(model, &basis->kernels[entry->ks[k]], &model->kernels[k]);
    }
    if (status == RLS2_OK) status = copy_names(model, basis->dictionary);
    if (status == RLS2_OK) status = copy_given(model, &basis->rows);
    if (status != RLS2_OK) return status;
    memcpy(model->c, entry->c, (size_t)basis->n * sizeof(double));
    copy_columns(model, &basis->rows);
    return RLS2_OK;
}

rls2_status rls2__model_copy(const rls2_path *path, int64_t i, rls2_model **out)
{
    const rls2_basis *basis = path->basis;
    rls2_model *model = rls2__alloc_zero(1, sizeof *model);
    if (!model) return RLS2_ERR_MEMORY;
    model->n = basis->n;
    model->p = basis->rows.p;
    model->lambda = path->entries[i].point.lambda;
    model->intercept = path->intercept;
    rls2_status status = fill(model, path, &path->entries[i]);
    if (status != RLS2_OK) {
        rls2__model_destroy(model);
        return status;
    }
    model->rows = (rls2_rows){.n = model->n,
                              .p = model->p,
                              .x = model->x,
                              .ldx = model->n,
                              .given_count = model->given_count,
                              .given = (const double *const *)model->given};
    *out = model;
    return RLS2_OK;
}
