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
#include "model/variance_linear.h"
#include "solver/system.h"

/* Column j of sum_k d_k s_k K_k(block, train). column: count doubles. */
static void learned_column(const rls2_model *model, const rls2__block *b, int64_t j, double *column,
                           double *out)
{
    memset(out, 0, (size_t)b->count * sizeof *out);
    for (int64_t k = 0; k < model->size; k++) {
        rls2__block_column(model, k, b, j, column);
        rls2__add_scaled(b->count, model->d[k] * model->s[k], column, out);
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

/* R(d) of the training rows, a few columns at a time. */
enum { COLUMNS = 16 };

typedef struct rebuilding {
    rls2__effort *effort;
    const rls2_model *model;
    double *R;       /* n x n */
    double *columns; /* of each thread, n */
} rebuilding;

static void rebuild_columns(void *user, int64_t task, int thread)
{
    const rebuilding *it = user;
    int64_t n = it->model->n, end = (task + 1) * COLUMNS < n ? (task + 1) * COLUMNS : n;
    rls2__block train = rls2__block_of_training(it->model);
    for (int64_t j = task * COLUMNS; j < end && !rls2__effort_stopped(it->effort); j++)
        learned_column(it->model, &train, j, it->columns + thread * n, it->R + j * n);
}

/* R(d) rebuilt from the training rows and weighted. */
static rls2_status rebuild(rls2__effort *effort, const rls2_model *model, double *R)
{
    int64_t n = model->n;
    double *columns = rls2__alloc(rls2__mul(n, effort->threads), sizeof(double));
    rebuilding it = {effort, model, R, columns};
    if (!columns) return RLS2_ERR_MEMORY;
    rls2_status status =
        rls2__effort_each(effort, (n + COLUMNS - 1) / COLUMNS, rebuild_columns, &it);
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* within the last task */
    if (status == RLS2_OK) weigh_both_sides(model, columns, R);
    rls2__free(columns);
    return status;
}

/* The order of the matrix that is factorised: R(d), or Z'Z where R(d) = ZZ'. */
static int64_t order_of(const rls2_model *model)
{
    return rls2__model_is_linear(model) ? model->used_count : model->n;
}

/* That matrix, and the factor L of it + *lambda I, lambda being the model's, shifted where rounding
 * makes that necessary. */
static rls2_status factorize_model(rls2__effort *effort, const rls2_model *model, double *R,
                                   double *L, double *lambda)
{
    double jitter = 0.0;
    int64_t order = order_of(model), tries = 0;
    rls2_status status =
        order < model->n ? rls2__linear_gram(effort, model, R) : rebuild(effort, model, R);
    if (status == RLS2_OK)
        status = rls2__factorize(effort, order, R, model->point.lambda, L, &jitter, &tries);
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

/* What a thread needs for its block. */
typedef struct room {
    double *column; /* height */
    double *cross;  /* height x n */
    double *x;      /* height x columns in use */
    double *k;      /* n */
} room;

typedef struct variances {
    rls2__effort *effort;
    const rls2_model *model;
    const rls2_rows *rows;
    const double *L;
    int64_t height;
    int64_t each; /* values of a thread's room */
    double *rooms;
    double *variance;
} variances;

static room own_room(const variances *it, int thread)
{
    int64_t n = it->model->n, height = it->height;
    double *column = it->rooms + it->each * thread, *cross = column + height;
    double *x = cross + height * n;
    return (room){column, cross, x, x + height * it->model->used_count};
}

static void variance_of_block(const variances *it, const rls2__block *b, const room *own)
{
    const rls2_model *model = it->model;
    int64_t n = model->n;
    double *variance = it->variance + b->first, *cross = own->cross, *k = own->k;
    for (int64_t j = 0; j < n && !rls2__effort_stopped(it->effort); j++)
        learned_column(model, b, j, own->column, cross + j * b->count);
    weigh_columns(model, b->count, cross);
    prior_variances(model, b, own->column, variance);
    for (int64_t i = 0; i < b->count && !rls2__effort_stopped(it->effort); i++) {
        for (int64_t j = 0; j < n; j++) k[j] = cross[j * b->count + i];
        rls2__la_lower_solve(n, 1, it->L, n, k, n);
        double rest = variance[i] - rls2__la_dot(n, k, k);
        /* what is known of a row is no more than was unknown before, but for rounding */
        rls2__invariant(!(rest < -1e-6 * fabs(variance[i])) || !isfinite(rest));
        variance[i] = rest < 0.0 ? 0.0 : rest; /* rounding goes, NaN stays to be noticed */
    }
}

static void variance_task(void *user, int64_t which, int thread)
{
    const variances *it = user;
    room own = own_room(it, thread);
    rls2__block b = rls2__block_take(it->model, it->rows, which, it->height, own.x);
    if (!rls2__effort_stopped(it->effort)) variance_of_block(it, &b, &own);
}

/* With the factor L. */
static rls2_status find_variances(rls2__effort *effort, const rls2_model *model,
                                  const rls2_rows *rows, const double *L, double *variance)
{
    if (order_of(model) < model->n) return rls2__linear_variances(effort, model, rows, L, variance);
    int64_t n = model->n, height = rls2__block_height(rows->n, model->used_count + n);
    variances it = {effort, model, rows, L, height, 0, NULL, variance};
    it.each = rls2__add(rls2__mul(height, model->used_count + n + 1), n);
    it.rooms = rls2__alloc(rls2__mul(it.each, effort->threads), sizeof(double));
    if (!it.rooms) return RLS2_ERR_MEMORY;
    rls2_status status =
        rls2__effort_each(effort, rls2__block_count(rows->n, height), variance_task, &it);
    if (status == RLS2_OK) status = rls2__effort_status(effort); /* within the last task */
    rls2__free(it.rooms);
    return status;
}

rls2_status rls2__model_keep_factor(rls2__effort *effort, rls2_model *model)
{
    if (model->factor) return RLS2_OK;
    int64_t order = order_of(model);
    double lambda;
    rls2_status status = RLS2_ERR_MEMORY;
    double *R = rls2__alloc(rls2__mul(order, order), sizeof(double));
    double *L = rls2__alloc(rls2__mul(order, order), sizeof(double));
    if (R && L) status = factorize_model(effort, model, R, L, &lambda);
    rls2__invariant(status != RLS2_OK || rls2__is_factor(order, L, order));
    if (status == RLS2_OK) {
        model->factor = L;
        L = NULL;
    }
    rls2__free(R);
    rls2__free(L);
    return status;
}

rls2_status rls2__model_variances(rls2__effort *effort, const rls2_model *model,
                                  const rls2_rows *rows, double *variance)
{
    if (model->factor) return find_variances(effort, model, rows, model->factor, variance);
    rls2_model copy = *model; /* borrows everything but the factor */
    rls2_status status = rls2__model_keep_factor(effort, &copy);
    if (status == RLS2_OK) status = find_variances(effort, model, rows, copy.factor, variance);
    rls2__free(copy.factor);
    return status;
}

rls2_status rls2__model_df(rls2__effort *effort, const rls2_model *model, double *df)
{
    int64_t order = order_of(model);
    rls2_status status = RLS2_ERR_MEMORY;
    double lambda;
    double *R = rls2__alloc(rls2__mul(order, order), sizeof(double));
    double *L = rls2__alloc(rls2__mul(order, order), sizeof(double));
    if (R && L) status = factorize_model(effort, model, R, L, &lambda);
    if (status == RLS2_OK) status = rls2__degrees_of_freedom(effort, order, R, L, lambda, df);
    rls2__free(R);
    rls2__free(L);
    return status;
}
