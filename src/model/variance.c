/* Variances and degrees of freedom, from a factor of R(d) + lambda I.
 *
 * Where rows have weights W it is that of R~ + lambda I with R~ = W^1/2 R W^1/2, the problem that
 * was solved:
 *   k'(R + lambda W^-1)^-1 k = (W^1/2 k)'(R~ + lambda I)^-1 (W^1/2 k),
 *   df = tr R~ (R~ + lambda I)^-1. */
#include "model/variance.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "model/blocks.h"
#include "solver/system.h"

/* out[count x n] = sum_k d_k s_k K_k(block, train) */
static void learned_cross(const rls2_model *model, const rls2__block *b, double *column,
                          double *out)
{
    memset(out, 0, (size_t)(b->count * model->n) * sizeof *out);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t j = 0; j < model->n; j++) {
            rls2__block_column(model, k, b, j, column);
            rls2__add_scaled(b->count, model->d[k] * model->s[k], column, out + j * b->count);
        }
}

/* Columns of a matrix of that many rows, multiplied by the roots of the weights of the training
 * rows they belong to; as they are where there are no weights. */
static void weigh_columns(const rls2_model *model, int64_t rows, double *matrix)
{
    for (int64_t j = 0; j < model->n && model->weights; j++) {
        double root = sqrt(model->weights[j]);
        for (int64_t i = 0; i < rows; i++) matrix[j * rows + i] *= root;
    }
}

/* R becomes W^1/2 R W^1/2. `roots`: room for n. */
static void weigh_both_sides(const rls2_model *model, double *roots, double *R)
{
    int64_t n = model->n;
    if (!model->weights) return;
    for (int64_t i = 0; i < n; i++) roots[i] = sqrt(model->weights[i]);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) R[j * n + i] *= roots[i] * roots[j];
}

/* R(d) rebuilt from the training rows and weighted, and the factor L of R + *lambda I, lambda being
 * the model's, shifted where rounding makes that necessary. */
static rls2_status factorize_model(const rls2_model *model, double *column, double *R, double *L,
                                   double *lambda)
{
    double jitter;
    int64_t tries = 0;
    rls2__block train = rls2__block_of_training(model);
    learned_cross(model, &train, column, R);
    weigh_both_sides(model, column, R);
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    rls2_status status =
        rls2__factorize(&alone, model->n, R, model->point.lambda, L, &jitter, &tries);
    *lambda = model->point.lambda + jitter;
    return status;
}

static void prior_variances(const rls2_model *model, const rls2__block *b, double *column,
                            double *variance)
{
    memset(variance, 0, (size_t)b->count * sizeof *variance);
    for (int64_t k = 0; k < model->size; k++) {
        rls2__block_diagonal(model, k, b, column);
        rls2__add_scaled(b->count, model->d[k] * model->s[k], column, variance);
    }
}

static void block_variances(const rls2_model *model, const rls2__block *b, const double *L,
                            double *column, double *cross, double *k, double *variance)
{
    int64_t n = model->n;
    learned_cross(model, b, column, cross);
    weigh_columns(model, b->count, cross);
    prior_variances(model, b, column, variance);
    for (int64_t i = 0; i < b->count; i++) {
        for (int64_t j = 0; j < n; j++) k[j] = cross[j * b->count + i];
        rls2__la_lower_solve(n, 1, L, n, k, n);
        double rest = variance[i] - rls2__la_dot(n, k, k);
        /* what is known of a row is no more than was unknown before, but for rounding */
        rls2__invariant(!(rest < -1e-6 * fabs(variance[i])) || !isfinite(rest));
        variance[i] = rest < 0.0 ? 0.0 : rest; /* rounding goes, NaN stays to be noticed */
    }
}

rls2_status rls2__model_keep_factor(rls2_model *model)
{
    int64_t n = model->n;
    double lambda;
    rls2_status status = RLS2_ERR_MEMORY;
    if (model->factor) return RLS2_OK;
    double *column = rls2__alloc(n, sizeof(double));
    double *R = rls2__alloc(rls2__mul(n, n), sizeof(double));
    double *L = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (column && R && L) status = factorize_model(model, column, R, L, &lambda);
    rls2__invariant(status != RLS2_OK || rls2__is_factor(n, L, n));
    if (status == RLS2_OK) {
        model->factor = L;
        L = NULL;
    }
    rls2__free(column);
    rls2__free(R);
    rls2__free(L);
    return status;
}

/* With the factor L. */
static rls2_status variances(const rls2_model *model, const rls2_rows *rows, const double *L,
                             double *variance)
{
    int64_t n = model->n, height = rls2__block_height(rows->n, model->used_count + n);
    rls2_status status = RLS2_ERR_MEMORY;
    double *column = rls2__alloc(height, sizeof(double));
    double *cross = rls2__alloc(rls2__mul(height, n), sizeof(double));
    double *x = rls2__alloc(rls2__mul(height, model->used_count), sizeof(double));
    double *k = rls2__alloc(n, sizeof(double));
    if (!column || !cross || !x || !k) goto cleanup;
    for (int64_t which = 0; which < rls2__block_count(rows->n, height); which++) {
        rls2__block b = rls2__block_take(model, rows, which, height, x);
        block_variances(model, &b, L, column, cross, k, variance + b.first);
    }
    status = RLS2_OK;
cleanup:
    rls2__free(column);
    rls2__free(cross);
    rls2__free(x);
    rls2__free(k);
    return status;
}

rls2_status rls2__model_variances(const rls2_model *model, const rls2_rows *rows, double *variance)
{
    if (model->factor) return variances(model, rows, model->factor, variance);
    rls2_model copy = *model; /* borrows everything but the factor */
    rls2_status status = rls2__model_keep_factor(&copy);
    if (status == RLS2_OK) status = variances(model, rows, copy.factor, variance);
    rls2__free(copy.factor);
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
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    if (status == RLS2_OK) status = rls2__degrees_of_freedom(&alone, n, R, L, lambda, df);
cleanup:
    rls2__free(column);
    rls2__free(R);
    rls2__free(L);
    return status;
}
