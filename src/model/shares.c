/* How much of the variance of f over the training rows each kernel accounts for; rows count by
 * their weights. */
#include "model/shares.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/predict.h"

static double contribution(double d, double s)
{
    return d * s;
}

static double weight_of(const rls2_model *model, int64_t i)
{
    return model->weights ? model->weights[i] : 1.0;
}

/* How many rows the training rows stand for. */
static double total_weight(const rls2_model *model)
{
    double sum = 0.0;
    for (int64_t i = 0; i < model->n; i++) sum += weight_of(model, i);
    rls2__invariant(sum > 0.0);
    return sum;
}

static double mean(const rls2_model *model, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < model->n; i++) sum += weight_of(model, i) * x[i];
    return sum / total_weight(model);
}

static double covariance(const rls2_model *model, const double *x, const double *y)
{
    double a = mean(model, x), b = mean(model, y), sum = 0.0;
    for (int64_t i = 0; i < model->n; i++) sum += weight_of(model, i) * ((x[i] - a) * (y[i] - b));
    return sum;
}

/* The variance that rounding alone gives a constant f whose parts are of this size. */
static double rounding_variance(const rls2_model *model, const double *parts)
{
    double largest = 0.0;
    for (int64_t i = 0; i < model->n * model->size; i++) largest = fmax(largest, fabs(parts[i]));
    double step = 4.0 * (double)model->size * 0x1p-52 * largest;
    return total_weight(model) * step * step;
}

rls2_status rls2__model_shares(const rls2_model *model, const rls2_control *control, double *share,
                               double *f)
{
    int64_t n = model->n;
    double *parts = rls2__alloc(rls2__mul(n, model->size), sizeof(double));
    rls2_status status = parts
                             ? rls2__model_parts(model, &model->rows, control, contribution, parts)
                             : RLS2_ERR_MEMORY;
    if (status != RLS2_OK) goto cleanup;
    memset(f, 0, (size_t)n * sizeof *f);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t i = 0; i < n; i++) f[i] = k == 0 ? parts[i] : f[i] + parts[k * n + i];
    double variance = covariance(model, f, f);
    rls2__invariant(!(variance < 0.0));
    int constant = variance <= rounding_variance(model, parts);
    for (int64_t k = 0; k < model->size; k++)
        share[k] = constant ? 0.0 : covariance(model, parts + k * n, f) / variance;
    for (int64_t i = 0; i < n; i++) f[i] += model->intercept;
cleanup:
    rls2__free(parts);
    return status;
}
