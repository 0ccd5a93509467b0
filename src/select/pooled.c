/* A measure that a split is too small for is taken over the left-out rows of all splits of a repeat
 * together. Its standard error is that of the jackknife over splits,
 *
 *   sqrt( (K - 1)/K sum_s (v_s - mean v)^2 ),   v_s without the rows of split s,
 *
 * which for a mean of equal splits is the usual one; random splits that share rows have it times
 * sqrt(1 + K overlap), as in cv_summary.c. Repeats are averaged. */
#include "select/pooled.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

/* ---- whether ---- */

static int has_all_classes(const rls2_dataset *whole, int64_t n, const int64_t *rows)
{
    const int64_t *classes = rls2_dataset_classes(whole);
    for (int64_t k = 0; k < rls2_dataset_class_count(whole); k++) {
        int64_t t = 0;
        while (t < n && classes[rows[t]] != k) t++;
        if (t == n) return 0;
    }
    return 1;
}

int rls2__pooled_is_needed(rls2_measure measure, const rls2_splits *splits,
                           const rls2_dataset *whole)
{
    enum { FEW = 10 };
    if (rls2_splits_count(splits) < 2) return 0;
    for (int64_t s = 0; s < rls2_splits_count(splits); s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(splits, s, &rows);
        if (measure == RLS2_MEASURE_R2 && n < FEW) return 1;
        if ((measure == RLS2_MEASURE_AUC || measure == RLS2_MEASURE_BALANCED_ACCURACY) &&
            !has_all_classes(whole, n, rows))
            return 1;
    }
    return 0;
}

/* ---- what is kept ---- */

void rls2__pooled_release(rls2__pooled *pool)
{
    rls2__free(pool->start);
    for (int part = 0; part < RLS2__POOL_PARTS; part++) rls2__free(pool->f[part]);
    *pool = (rls2__pooled){0};
}

rls2_status rls2__pooled_create(const rls2_splits *splits, const rls2_dataset *whole, int baselines,
                                rls2__pooled *pool, rls2_error *err)
{
    int64_t many = rls2_splits_count(splits);
    *pool = (rls2__pooled){.splits = splits,
                           .whole = whole,
                           .outputs = rls2_dataset_outputs(whole),
                           .baselines = baselines};
    pool->start = rls2__alloc(many + 1, sizeof *pool->start);
    if (!pool->start) return rls2__fail_memory(err, "the predictions of left-out rows");
    for (int64_t s = 0; s < many; s++) {
        const int64_t *rows;
        pool->start[s] = pool->rows;
        pool->rows += rls2_splits_validation(splits, s, &rows);
    }
    pool->start[many] = pool->rows;
    return RLS2_OK;
}

rls2_status rls2__pooled_grow(rls2__pooled *pool, int64_t count, rls2_error *err)
{
    int64_t each = rls2__mul(pool->rows, pool->outputs), values = rls2__mul(each, count),
            old = each * pool->count;
    for (int part = 0; part < (pool->baselines ? RLS2__POOL_PARTS : 1); part++) {
        double *f = rls2__alloc(values, sizeof *f);
        if (!f) return rls2__fail_memory(err, "the predictions of left-out rows");
        if (old > 0) memcpy(f, pool->f[part], (size_t)old * sizeof *f);
        for (int64_t i = old; i < values; i++) f[i] = (double)NAN;
        rls2__free(pool->f[part]);
        pool->f[part] = f;
    }
    pool->count = count;
    return RLS2_OK;
}

void rls2__pooled_keep(rls2__pooled *pool, int part, int64_t s, int64_t first, int64_t count,
                       const double *f)
{
    int64_t n = pool->start[s + 1] - pool->start[s];
    double *to = pool->f[part] + first * pool->outputs * pool->rows + pool->start[s];
    for (int64_t i = 0; i < count * pool->outputs; i++)
        memcpy(to + i * pool->rows, f + i * n, (size_t)n * sizeof *f);
}

/* ---- the measure ---- */

/* Rows of several splits, gathered: n x outputs, and their weights (NULL: 1 each). */
typedef struct gathered {
    int64_t n;
    double *f, *y, *w;
} gathered;

static void gathered_free(gathered *it)
{
    rls2__free(it->f);
    rls2__free(it->y);
    rls2__free(it->w);
}

static rls2_status gathered_reserve(const rls2__pooled *pool, gathered *it, rls2_error *err)
{
    int weighted = rls2_dataset_row_weights(pool->whole) != NULL;
    int64_t values = rls2__mul(pool->rows, pool->outputs);
    *it = (gathered){.f = rls2__alloc(values, sizeof(double)),
                     .y = rls2__alloc(values, sizeof(double)),
                     .w = weighted ? rls2__alloc(pool->rows, sizeof(double)) : NULL};
    return it->f && it->y && (it->w || !weighted)
               ? RLS2_OK
               : rls2__fail_memory(err, "the predictions of left-out rows");
}

/* The splits from `begin` to `end`. */
typedef struct range {
    int64_t begin, end;
} range;

/* Those of the range but one (-1: all of them), at lambda i. */
static void gather(const rls2__pooled *pool, int part, int64_t i, range of, int64_t but,
                   gathered *it)
{
    const double *y = rls2_dataset_y(pool->whole), *w = rls2_dataset_row_weights(pool->whole);
    int64_t all = rls2_dataset_rows(pool->whole), at = 0;
    it->n = pool->start[of.end] - pool->start[of.begin];
    if (but >= 0) it->n -= pool->start[but + 1] - pool->start[but];
    for (int64_t s = of.begin; s < of.end; s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(pool->splits, s, &rows);
        const double *f = pool->f[part] + i * pool->outputs * pool->rows + pool->start[s];
        for (int64_t t = 0; t < n && s != but; t++, at++) {
            for (int64_t o = 0; o < pool->outputs; o++) {
                it->f[o * it->n + at] = f[o * pool->rows + t];
                it->y[o * it->n + at] = y[o * all + rows[t]];
            }
            if (it->w) it->w[at] = w[rows[t]];
        }
    }
}

static double measure_but(const rls2__pooled *pool, const rls2_cv *cv, int part, int64_t i,
                          range of, int64_t but, gathered *it)
{
    gather(pool, part, i, of, but, it);
    return rls2_measure_value_of(cv->measure, cv->losses, pool->outputs, it->n, it->f, it->y,
                                 it->w);
}

/* Without splits on whose rows the others' measure depends so much that it is not defined. */
static double jackknife(const rls2__pooled *pool, const rls2_cv *cv, int part, int64_t i, range of,
                        gathered *it)
{
    double sum = 0.0, squares = 0.0, used = 0.0;
    for (int64_t s = of.begin; s < of.end; s++) {
        double value = measure_but(pool, cv, part, i, of, s, it);
        if (isnan(value)) continue;
        double off = value - sum / fmax(used, 1.0);
        squares += off * off * used / (used + 1.0);
        sum += value;
        used++;
    }
    if (used < 2.0) return (double)NAN;
    return sqrt((used - 1.0) / used * squares * (1.0 + used * cv->overlap));
}

/* pooled: count x 2, value and standard error. */
static void measure_part(const rls2__pooled *pool, const rls2_cv *cv, int part, gathered *it,
                         double *pooled)
{
    double share = (double)cv->repeat / (double)cv->splits;
    for (int64_t i = 0; i < cv->count; i++) {
        pooled[2 * i] = pooled[2 * i + 1] = 0.0;
        for (int64_t begin = 0; begin < cv->splits; begin += cv->repeat) {
            range of = {begin, begin + cv->repeat};
            pooled[2 * i] += share * measure_but(pool, cv, part, i, of, -1, it);
            pooled[2 * i + 1] += share * jackknife(pool, cv, part, i, of, it);
        }
    }
}

rls2_status rls2__pooled_measure(const rls2__pooled *pool, rls2_cv *cv, rls2_error *err)
{
    gathered it = {0};
    rls2_status status = gathered_reserve(pool, &it, err);
    if (status == RLS2_OK) measure_part(pool, cv, 0, &it, cv->pooled);
    for (int b = 0; b < RLS2_BASELINE_COUNT && status == RLS2_OK; b++)
        if (cv->baselines[b].pooled) measure_part(pool, cv, 1 + b, &it, cv->baselines[b].pooled);
    gathered_free(&it);
    return status;
}
