/* What a model says about rows.
 *
 * Rows are taken a block at a time: the columns in use are put side by side, as those of the training
 * rows are, and each kernel is evaluated on the block by columns. Sums over training rows run in
 * their order and without BLAS, whose loops may treat the last rows of a block in another way than
 * the first: a row's value is the same whichever block it is in, and whoever computes it. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "kernel/basis_build.h"
#include "la/la.h"
#include "model/model.h"
#include "solver/system.h"

enum {
    MOST_ROWS = 2048,        /* of a block, */
    FEWEST_ROWS = 64,        /* unless there are so many columns that */
    BLOCK_VALUES = 1 << 20,  /* it would have more values than this */
    WORTH_A_THREAD = 1 << 20 /* kernel values for each thread, at least */
};

/* y += a x */
RLS2__CLONES
static void add_scaled(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* ---- blocks ---- */

/* Rows first .. first + count - 1 of `source`, whose given matrices are used where they lie. */
typedef struct block {
    const rls2_rows *source;
    int64_t first;
    int64_t count;
    rls2_rows own; /* the columns in use */
} block;

static block all_training_rows(const rls2_model *model)
{
    return (block){&model->rows, 0, model->n, model->rows};
}

/* x: room for count x used_count values. */
static block gather(const rls2_model *model, const rls2_rows *rows, int64_t first, int64_t count, double *x)
{
    int64_t ldx = rows->ldx ? rows->ldx : rows->n;
    for (int64_t j = 0; j < model->used_count; j++) {
        int64_t column = rows == &model->rows ? j : model->used[j];
        memcpy(x + j * count, rows->x + column * ldx + first, (size_t)count * sizeof *x);
    }
    return (block){rows, first, count, {.n = count, .p = model->used_count, .x = x, .ldx = count}};
}

/* column[count] = K(rows of the block, training row j) */
static void kernel_column(const rls2_model *model, int64_t k, const block *b, int64_t j, double *column)
{
    const rls2__kernel *kernel = &model->kernels[k];
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        rls2__kernel_column_part(kernel, b->source, b->first, b->count, &model->rows, j, column);
    else
        rls2__kernel_column(kernel, &b->own, &model->rows, j, column);
}

static void kernel_diagonal(const rls2_model *model, int64_t k, const block *b, double *diagonal)
{
    const rls2__kernel *kernel = &model->kernels[k];
    if (kernel->kind == RLS2__KERNEL_GIVEN)
        rls2__kernel_diagonal_part(kernel, b->source, b->first, b->count, diagonal);
    else
        rls2__kernel_diagonal(kernel, &b->own, diagonal);
}

static int64_t block_rows(int64_t rows, int64_t columns)
{
    int64_t count = columns > 0 ? BLOCK_VALUES / columns : MOST_ROWS;
    if (count > MOST_ROWS) count = MOST_ROWS;
    if (count < FEWEST_ROWS) count = FEWEST_ROWS;
    return count < rows ? count : rows;
}

/* ---- expansions ---- */

/* sum[count] = sum_j c_j K_k(x_j, x) */
static void expand(const rls2_model *model, int64_t k, const block *b, double *column, double *sum)
{
    memset(sum, 0, (size_t)b->count * sizeof *sum);
    for (int64_t j = 0; j < model->n; j++) {
        kernel_column(model, k, b, j, column);
        add_scaled(b->count, model->c[j], column, sum);
    }
}

/* What a thread needs for its block. */
typedef struct room {
    double *x;
    double *column;
    double *sum;
} room;

typedef struct rooms {
    int64_t rows; /* of a block */
    int64_t each; /* values of a thread's room */
    int threads;
    double *values;
} rooms;

/* No more threads than there is work for. */
static int useful_threads(const rls2_model *model, const rls2_rows *rows, int64_t blocks)
{
    double work = (double)rows->n * (double)model->n * (double)model->size;
    double most = fmin((double)blocks, work / WORTH_A_THREAD);
    int threads = rls2__thread_count(model->threads);
    return most < 1.0 ? 1 : most < (double)threads ? (int)most : threads;
}

static int64_t count_blocks(int64_t rows, int64_t each)
{
    return (rows + each - 1) / each;
}

static rls2_status make_rooms(const rls2_model *model, const rls2_rows *rows, rooms *made)
{
    made->rows = block_rows(rows->n, model->used_count);
    made->each = rls2__mul(made->rows, rls2__add(model->used_count, 2));
    made->threads = useful_threads(model, rows, count_blocks(rows->n, made->rows));
    made->values = rls2__alloc(rls2__mul(made->each, made->threads), sizeof(double));
    return made->values ? RLS2_OK : RLS2_ERR_MEMORY;
}

static room own_room(const rooms *all)
{
    double *values = all->values + all->each * omp_get_thread_num();
    return (room){values + 2 * all->rows, values, values + all->rows};
}

static block nth_block(const rls2_model *model, const rls2_rows *rows, int64_t which, int64_t height,
                       double *x)
{
    int64_t first = which * height, left = rows->n - first;
    return gather(model, rows, first, left < height ? left : height, x);
}

rls2_status rls2__model_parts(const rls2_model *model, const rls2_rows *rows,
                              double (*factor)(double, double), double *out)
{
    rooms all;
    rls2_status status = make_rooms(model, rows, &all);
    if (status != RLS2_OK) return status;
    int64_t blocks = count_blocks(rows->n, all.rows);
#pragma omp parallel for num_threads(all.threads) schedule(dynamic)
    for (int64_t which = 0; which < blocks; which++) {
        room own = own_room(&all);
        block b = nth_block(model, rows, which, all.rows, own.x);
        for (int64_t k = 0; k < model->size; k++) {
            double a = factor(model->d[k], model->s[k]), *part = out + k * rows->n + b.first;
            expand(model, k, &b, own.column, own.sum);
            for (int64_t i = 0; i < b.count; i++) part[i] = own.sum[i] * a;
        }
    }
    rls2__free(all.values);
    return RLS2_OK;
}

/* A part that overflows stays to be noticed, whatever is added to it. */
static void sum_block(const rls2_model *model, const block *b, const room *own, double *f)
{
    memset(f, 0, (size_t)b->count * sizeof *f);
    for (int64_t k = 0; k < model->size; k++) {
        expand(model, k, b, own->column, own->sum);
        double a = model->d[k] * model->s[k];
        for (int64_t i = 0; i < b->count; i++) f[i] = k == 0 ? own->sum[i] * a : f[i] + own->sum[i] * a;
    }
    for (int64_t i = 0; i < b->count; i++) f[i] += model->intercept;
}

rls2_status rls2__model_sums(const rls2_model *model, const rls2_rows *rows, double *f)
{
    rooms all;
    rls2_status status = make_rooms(model, rows, &all);
    if (status != RLS2_OK) return status;
    int64_t blocks = count_blocks(rows->n, all.rows);
#pragma omp parallel for num_threads(all.threads) schedule(dynamic)
    for (int64_t which = 0; which < blocks; which++) {
        room own = own_room(&all);
        block b = nth_block(model, rows, which, all.rows, own.x);
        sum_block(model, &b, &own, f + b.first);
    }
    rls2__free(all.values);
    return RLS2_OK;
}

/* ---- variances ---- */

/* out[count x n] = sum_k d_k s_k K_k(block, train) */
static void learned_cross(const rls2_model *model, const block *b, double *column, double *out)
{
    memset(out, 0, (size_t)(b->count * model->n) * sizeof *out);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t j = 0; j < model->n; j++) {
            kernel_column(model, k, b, j, column);
            add_scaled(b->count, model->d[k] * model->s[k], column, out + j * b->count);
        }
}

/* R(d) rebuilt from the training rows, and the factor L of R + *lambda I, lambda being
 * the model's, shifted where rounding makes that necessary. */
static rls2_status factorize_model(const rls2_model *model, double *column, double *R, double *L,
                                   double *lambda)
{
    double jitter;
    int64_t tries = 0;
    block train = all_training_rows(model);
    learned_cross(model, &train, column, R);
    rls2_status status = rls2__factorize(model->n, R, model->point.lambda, L, &jitter, &tries);
    *lambda = model->point.lambda + jitter;
    return status;
}

static void prior_variances(const rls2_model *model, const block *b, double *column, double *variance)
{
    memset(variance, 0, (size_t)b->count * sizeof *variance);
    for (int64_t k = 0; k < model->size; k++) {
        kernel_diagonal(model, k, b, column);
        add_scaled(b->count, model->d[k] * model->s[k], column, variance);
    }
}

static void block_variances(const rls2_model *model, const block *b, const double *L, double *column,
                            double *cross, double *k, double *variance)
{
    int64_t n = model->n;
    learned_cross(model, b, column, cross);
    prior_variances(model, b, column, variance);
    for (int64_t i = 0; i < b->count; i++) {
        for (int64_t j = 0; j < n; j++) k[j] = cross[j * b->count + i];
        rls2__la_lower_solve(n, 1, L, n, k, n);
        double rest = variance[i] - rls2__la_dot(n, k, k);
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
    int64_t n = model->n, height = block_rows(rows->n, model->used_count + n);
    rls2_status status = RLS2_ERR_MEMORY;
    double *column = rls2__alloc(height, sizeof(double));
    double *cross = rls2__alloc(rls2__mul(height, n), sizeof(double));
    double *x = rls2__alloc(rls2__mul(height, model->used_count), sizeof(double));
    double *k = rls2__alloc(n, sizeof(double));
    if (!column || !cross || !x || !k) goto cleanup;
    for (int64_t which = 0; which < count_blocks(rows->n, height); which++) {
        block b = nth_block(model, rows, which, height, x);
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
    if (status == RLS2_OK) *df = rls2__degrees_of_freedom(n, R, L, lambda);
cleanup:
    rls2__free(column);
    rls2__free(R);
    rls2__free(L);
    return status;
}

/* ---- shares ---- */

static double contribution(double d, double s)
{
    return d * s;
}

static double mean(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static double covariance(int64_t n, const double *x, const double *y)
{
    double a = mean(n, x), b = mean(n, y), sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (x[i] - a) * (y[i] - b);
    return sum;
}

/* The variance that rounding alone gives a constant f whose parts are of this size. */
static double rounding_variance(const rls2_model *model, const double *parts)
{
    double largest = 0.0;
    for (int64_t i = 0; i < model->n * model->size; i++) largest = fmax(largest, fabs(parts[i]));
    double step = 4.0 * (double)model->size * 0x1p-52 * largest;
    return (double)model->n * step * step;
}

rls2_status rls2__model_shares(const rls2_model *model, double *share, double *f)
{
    int64_t n = model->n;
    double *parts = rls2__alloc(rls2__mul(n, model->size), sizeof(double));
    rls2_status status =
        parts ? rls2__model_parts(model, &model->rows, contribution, parts) : RLS2_ERR_MEMORY;
    if (status != RLS2_OK) goto cleanup;
    memset(f, 0, (size_t)n * sizeof *f);
    for (int64_t k = 0; k < model->size; k++)
        for (int64_t i = 0; i < n; i++) f[i] = k == 0 ? parts[i] : f[i] + parts[k * n + i];
    double variance = covariance(n, f, f);
    int constant = variance <= rounding_variance(model, parts);
    for (int64_t k = 0; k < model->size; k++)
        share[k] = constant ? 0.0 : covariance(n, parts + k * n, f) / variance;
    for (int64_t i = 0; i < n; i++) f[i] += model->intercept;
cleanup:
    rls2__free(parts);
    return status;
}
