/* What a model says about rows. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/la.h"
#include "model/model.h"
#include "solver/system.h"

rls2_status rls2__model_expansions(const rls2_model *model, const rls2_rows *rows, double *out)
{
    double *column = rls2__alloc(rows->n, sizeof(double));
    if (!column) return RLS2_ERR_MEMORY;
    for (int64_t k = 0; k < model->size; k++) {
        double *sum = out + k * rows->n;
        memset(sum, 0, (size_t)rows->n * sizeof *sum);
        for (int64_t j = 0; j < model->n; j++) {
            rls2__kernel_column(&model->kernels[k], rows, &model->rows, j, column);
            rls2__la_axpy(rows->n, model->c[j], column, sum);
        }
    }
    rls2__free(column);
    return RLS2_OK;
}

/* out[rows->n x n] = sum_k d_k s_k K_k(rows, train) */
static void learned_cross(const rls2_model *model, const rls2_rows *rows, double *column, double *out)
{
    memset(out, 0, (size_t)(rows->n * model->n) * sizeof *out);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t j = 0; j < model->n; j++) {
            rls2__kernel_column(&model->kernels[k], rows, &model->rows, j, column);
            rls2__la_axpy(rows->n, model->d[k] * model->s[k], column, out + j * rows->n);
        }
}

/* R(d) rebuilt from the training rows, and the factor L of R + *lambda I, lambda being
 * the model's, shifted where rounding makes that necessary. */
static rls2_status factorize_model(const rls2_model *model, double *column, double *R, double *L,
                                   double *lambda)
{
    double jitter;
    int64_t tries = 0;
    learned_cross(model, &model->rows, column, R);
    rls2_status status = rls2__factorize(model->n, R, model->lambda, L, &jitter, &tries);
    *lambda = model->lambda + jitter;
    return status;
}

static void prior_variances(const rls2_model *model, const rls2_rows *rows, double *column, double *variance)
{
    memset(variance, 0, (size_t)rows->n * sizeof *variance);
    for (int64_t k = 0; k < model->size; k++) {
        rls2__kernel_diagonal(&model->kernels[k], rows, column);
        rls2__la_axpy(rows->n, model->d[k] * model->s[k], column, variance);
    }
}

rls2_status rls2__model_variances(const rls2_model *model, const rls2_rows *rows, double *variance)
{
    int64_t n = model->n, longest = rows->n > n ? rows->n : n;
    rls2_status status = RLS2_ERR_MEMORY;
    double lambda;
    double *column = rls2__alloc(longest, sizeof(double));
    double *L = rls2__alloc(rls2__mul(n, n), sizeof(double));
    double *cross = rls2__alloc(rls2__mul(longest, n), sizeof(double));
    double *k = rls2__alloc(n, sizeof(double));
    if (!column || !L || !cross || !k) goto cleanup;
    status = factorize_model(model, column, cross, L, &lambda);
    if (status != RLS2_OK) goto cleanup;
    learned_cross(model, rows, column, cross);
    prior_variances(model, rows, column, variance);
    for (int64_t i = 0; i < rows->n; i++) {
        for (int64_t j = 0; j < n; j++) k[j] = cross[j * rows->n + i];
        rls2__la_lower_solve(n, 1, L, n, k, n);
        double rest = variance[i] - rls2__la_dot(n, k, k);
        variance[i] = rest < 0.0 ? 0.0 : rest; /* rounding goes, NaN stays to be noticed */
    }
cleanup:
    rls2__free(column);
    rls2__free(L);
    rls2__free(cross);
    rls2__free(k);
    return status;
}

rls2_status rls2__model_df(const rls2_model *model, double *df)
{
    int64_t n = model->n;
    rls2_status status = RLS2_ERR_MEMORY;
    double lambda;
    double *column = rls2__alloc(n, sizeof(double));
    double *R = rls2__alloc(rls2__mul(n, n), sizeof(double));
    double *L = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (!column || !R || !L) goto cleanup;
    status = factorize_model(model, column, R, L, &lambda);
    if (status == RLS2_OK) *df = rls2__degrees_of_freedom(n, R, L, lambda);
cleanup:
    rls2__free(column);
    rls2__free(R);
    rls2__free(L);
    return status;
}
