/* With z = V^1/2 x, V the diagonal matrix of v_c = sum of d_k s_k over the kernels that have column
 * c, the learned kernel is z'z. Of the training rows, weighted, R = ZZ', and
 *
 *   k(x,x) - k'(R + lambda I)^-1 k = z'z - z'Z'(ZZ' + lambda I)^-1 Zz
 *                                  = lambda z'(Z'Z + lambda I)^-1 z,
 *
 * which needs no matrix of n rows and columns, and does not cancel. */
#include "model/variance_linear.h"

#include <math.h>

#include "base/memory.h"
#include "la/la.h"
#include "la/tiles.h"
#include "model/blocks.h"

/* Below so many rows the n x n matrix costs nothing; and a share of its trace. */
enum { FEW_ROWS = 256 };
static const double LEAST_LAMBDA = 1e-12;

/* v[used_count] */
static void column_weights(const rls2_model *model, double *v)
{
    for (int64_t c = 0; c < model->used_count; c++) v[c] = 0.0;
    for (int64_t k = 0; k < model->size; k++) {
        const rls2__kernel *kernel = &model->kernels[k];
        for (int64_t t = 0; t < kernel->column_count; t++)
            v[kernel->columns[t]] += model->d[k] * model->s[k];
    }
}

/* tr R(d) */
static double trace(const rls2_model *model)
{
    double sum = 0.0;
    for (int64_t k = 0; k < model->size; k++) {
        const rls2__kernel *kernel = &model->kernels[k];
        for (int64_t t = 0; t < kernel->column_count; t++) {
            const double *x = model->rows.x + kernel->columns[t] * model->n;
            for (int64_t i = 0; i < model->n; i++)
                sum += model->d[k] * model->s[k] * (model->weights ? model->weights[i] : 1.0) *
                       x[i] * x[i];
        }
    }
    return sum;
}

int rls2__model_is_linear(const rls2_model *model)
{
    for (int64_t k = 0; k < model->size; k++)
        if (model->kernels[k].kind != RLS2__KERNEL_LINEAR) return 0;
    return model->n >= FEW_ROWS && model->used_count <= model->n / 3 &&
           model->point.lambda > LEAST_LAMBDA * trace(model);
}

rls2_status rls2__linear_gram(rls2__effort *effort, const rls2_model *model, double *G)
{
    int64_t n = model->n, p = model->used_count;
    rls2_status status = RLS2_ERR_MEMORY;
    double *Z = rls2__alloc(rls2__mul(n, p), sizeof(double));
    double *v = rls2__alloc(p, sizeof(double));
    if (!Z || !v) goto cleanup;
    column_weights(model, v);
    for (int64_t c = 0; c < p; c++)
        for (int64_t i = 0; i < n; i++)
            Z[c * n + i] = sqrt(v[c]) * (model->weights ? sqrt(model->weights[i]) : 1.0) *
                           model->rows.x[c * n + i];
    status = rls2__tiled_gram(effort, n, p, Z, n, G, p);
cleanup:
    rls2__free(Z);
    rls2__free(v);
    return status;
}

typedef struct rows_job {
    rls2__effort *effort;
    const rls2_model *model;
    const rls2_rows *rows;
    const double *L, *v;
    int64_t height;
    double *rooms; /* of each thread, (height + 1) x used_count */
    double *variance;
} rows_job;

static void variances_of_block(void *user, int64_t which, int thread)
{
    const rows_job *it = user;
    int64_t p = it->model->used_count;
    double *x = it->rooms + thread * (it->height + 1) * p, *z = x + it->height * p;
    rls2__block b = rls2__block_take(it->model, it->rows, which, it->height, x);
    for (int64_t i = 0; i < b.count && !rls2__effort_stopped(it->effort); i++) {
        for (int64_t c = 0; c < p; c++) z[c] = sqrt(it->v[c]) * x[c * b.count + i];
        rls2__la_lower_solve(p, 1, it->L, p, z, p);
        it->variance[b.first + i] = it->model->point.lambda * rls2__la_dot(p, z, z);
    }
}

rls2_status rls2__linear_variances(rls2__effort *effort, const rls2_model *model,
                                   const rls2_rows *rows, const double *L, double *variance)
{
    int64_t p = model->used_count, height = rls2__block_height(rows->n, p);
    rls2_status status = RLS2_ERR_MEMORY;
    double *v = rls2__alloc(p, sizeof(double));
    double *rooms =
        rls2__alloc(rls2__mul(rls2__mul(height + 1, p), effort->threads), sizeof(double));
    if (!v || !rooms) goto cleanup;
    column_weights(model, v);
    rows_job it = {effort, model, rows, L, v, height, rooms, variance};
    status = rls2__effort_each(effort, rls2__block_count(rows->n, height), variances_of_block, &it);
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* within the last task */
cleanup:
    rls2__free(v);
    rls2__free(rooms);
    return status;
}
