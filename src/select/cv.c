/* Cross-validation along the path.
 *
 * A split is a world of its own: its training rows become a table, a data set with its own encoder and
 * preprocessing, a dictionary, a basis and a path; its validation rows are made like them and predicted by every
 * point of the path. Splits run in parallel, each on one thread, and write to places of their own, so that nothing
 * depends on how many there are. */
#include "select/cv.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "kernel/basis_build.h"
#include "select/baselines.h"
#include "select/splits.h"
#include "table/dataset.h"

void rls2__cv_destroy(rls2_cv *cv)
{
    if (!cv) return;
    rls2__free(cv->lambdas);
    rls2__free(cv->weights);
    rls2__free(cv->scores);
    rls2__free(cv->nzero);
    rls2__free(cv->predictions);
    rls2__free(cv->points);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        rls2__free(cv->baselines[b].scores);
        rls2__free(cv->baselines[b].nzero);
    }
    rls2__free(cv);
}

/* What no split writes stays NaN: not defined. */
static int reserve_baselines(rls2_cv *cv)
{
    int64_t count = rls2__mul(cv->splits, cv->count);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        rls2__cv_baseline *baseline = &cv->baselines[b];
        baseline->scores = rls2__alloc(count, sizeof(double));
        baseline->nzero = rls2__alloc_zero(count, sizeof(double));
        if (!baseline->scores || !baseline->nzero) return 0;
        for (int64_t i = 0; i < count; i++) baseline->scores[i] = (double)NAN;
    }
    return 1;
}

static rls2_cv *reserve(int64_t count, int64_t splits, int64_t rows, int baselines)
{
    rls2_cv *cv = rls2__alloc_zero(1, sizeof *cv);
    if (!cv) return NULL;
    cv->count = count;
    cv->splits = splits;
    cv->rows = rows;
    cv->lambdas = rls2__alloc_zero(count, sizeof(double));
    cv->weights = rls2__alloc_zero(splits, sizeof(double));
    cv->scores = rls2__alloc_zero(rls2__mul(splits, count), sizeof(double));
    cv->nzero = rls2__alloc_zero(rls2__mul(splits, count), sizeof(double));
    cv->predictions = rls2__alloc_zero(rls2__mul(rows, count), sizeof(double));
    cv->points = rls2__alloc_zero(count, sizeof *cv->points);
    if (cv->lambdas && cv->weights && cv->scores && cv->nzero && cv->predictions && cv->points &&
        (!baselines || reserve_baselines(cv)))
        return cv;
    rls2__cv_destroy(cv);
    return NULL;
}

/* ---- the whole data ---- */

/* What all splits are made of. */
typedef struct run {
    const rls2_table *table;
    const rls2_recipe *recipe;
    const rls2_splits *splits;
    const rls2_cv_options *options;
    rls2_dataset *whole; /* not preprocessed: rows, columns, text values, classes */
    int64_t *owner;      /* rows: the first split that leaves the row out, -1 if none does */
    rls2_cv *cv;
    pthread_t caller;
    atomic_int stop;          /* cancelled, or a split failed */
    atomic_llong done;        /* splits */
    atomic_llong unconverged; /* points */
} run;

static rls2_status find_owners(run *r, rls2_error *err)
{
    r->owner = rls2__alloc(r->cv->rows, sizeof *r->owner);
    if (!r->owner) return rls2__fail_memory(err, "cross-validation");
    for (int64_t i = 0; i < r->cv->rows; i++) r->owner[i] = -1;
    for (int64_t s = r->cv->splits - 1; s >= 0; s--) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(r->splits, s, &rows);
        for (int64_t t = 0; t < n; t++) r->owner[rows[t]] = s;
    }
    return RLS2_OK;
}

static int descending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return u < v ? 1 : u > v ? -1 : 0;
}

/* Only the thread that called may call back; the others look at the flag. Who said stop is not asked again. */
static int report(void *user, const rls2_progress *unused)
{
    (void)unused;
    run *r = user;
    const rls2_cv_options *options = r->options;
    if (options->progress && pthread_equal(pthread_self(), r->caller) && !atomic_load(&r->stop)) {
        rls2_progress at = {.stage = "splits", .done = atomic_load(&r->done), .total = r->cv->splits};
        if (options->progress(options->progress_user, &at)) atomic_store(&r->stop, 1);
    }
    return atomic_load(&r->stop);
}

static rls2_status choose_lambdas(run *r, rls2_error *err)
{
    const rls2_recipe *recipe = r->recipe;
    rls2_cv *cv = r->cv;
    if (recipe->lambdas) {
        memcpy(cv->lambdas, recipe->lambdas, (size_t)cv->count * sizeof(double));
        qsort(cv->lambdas, (size_t)cv->count, sizeof(double), descending);
        return RLS2_OK;
    }
    rls2__fit fit;
    rls2_status status =
        rls2__fit_basis(r->table, recipe, r->whole, r->options->threads, report, r, &fit, err);
    if (status == RLS2_OK)
        status = rls2_lambda_default(fit.basis, rls2_dataset_y(fit.data), recipe->path.intercept,
                                     recipe->ratio, cv->count, cv->lambdas, err);
    rls2__fit_release(&fit);
    return status;
}

/* ---- one split ---- */

/* Rows of the data as a table. */
static rls2_status take_rows(const run *r, int64_t count, const int64_t *rows, rls2_table **taken,
                             rls2_error *err)
{
    int64_t *source = rls2__alloc(count, sizeof *source);
    if (!source) return rls2__fail_memory(err, "the rows of a split");
    for (int64_t i = 0; i < count; i++) source[i] = r->whole->source[rows[i]];
    rls2_status status = rls2_table_take(r->table, count, source, taken, err);
    rls2__free(source);
    return status;
}

/* The validation rows of a split, made like its training rows, and room for what is said about them. */
typedef struct left_out {
    run *r;
    int64_t split;
    int64_t n;
    const int64_t *numbers; /* among the rows that were split */
    rls2_table *table;
    rls2_dataset *data;
    rls2_rows rows;
    double *f; /* n x count */
} left_out;

static void left_out_free(left_out *it)
{
    rls2__free(it->f);
    rls2_dataset_free(it->data);
    rls2_table_free(it->table);
}

/* Free even where it fails. */
static rls2_status left_out_create(run *r, int64_t s, const rls2__fit *fit, left_out *it, rls2_error *err)
{
    *it = (left_out){.r = r, .split = s};
    it->n = rls2_splits_validation(r->splits, s, &it->numbers);
    it->f = rls2__alloc(rls2__mul(it->n, r->cv->count), sizeof(double));
    if (!it->f) return rls2__fail_memory(err, "the predictions");
    rls2_status status = take_rows(r, it->n, it->numbers, &it->table, err);
    rls2__view_rules rules = {.drop_missing = 0};
    if (status == RLS2_OK)
        status =
            rls2__dataset_like(it->table, fit->data->encoder, &fit->data->preparation, rules, &it->data, err);
    it->rows = (rls2_rows){.n = it->n, .p = fit->rows.p, .x = rls2_dataset_x(it->data)};
    return status;
}

/* Predictions of all points into it->f, their scores and counts of kernels into the split's places. */
static rls2_status score(const left_out *it, const rls2_path *path, double *scores, double *nzero,
                         rls2_error *err)
{
    const rls2_cv *cv = it->r->cv;
    int64_t first = it->split * cv->count;
    rls2_status status = rls2_path_predict(path, &it->rows, it->f, err);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < cv->count; i++) {
        scores[first + i] =
            rls2_measure_value(cv->measure, 1, it->n, it->f + i * it->n, rls2_dataset_y(it->data), NULL);
        nzero[first + i] = (double)rls2_path_at(path, i)->selected;
    }
    return RLS2_OK;
}

static rls2_status validate(const left_out *it, const rls2_path *path, rls2_error *err)
{
    rls2_cv *cv = it->r->cv;
    int64_t n = it->n, s = it->split;
    rls2_status status = score(it, path, cv->scores, cv->nzero, err);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < cv->count; i++)
        if (rls2_path_at(path, i)->outcome != RLS2_OUTCOME_CONVERGED)
            atomic_fetch_add(&it->r->unconverged, 1);
    for (int64_t i = 0; i < cv->count; i++)
        for (int64_t t = 0; t < n; t++)
            if (it->r->owner[it->numbers[t]] == s)
                cv->predictions[i * cv->rows + it->numbers[t]] = it->f[i * n + t];
    return RLS2_OK;
}

/* A baseline whose predictions overflow is not defined, which does not concern the others. */
static rls2_status take_baseline(void *user, rls2_baseline which, const rls2_path *path, rls2_error *err)
{
    const left_out *it = user;
    rls2__cv_baseline *baseline = &it->r->cv->baselines[which];
    rls2_status status = score(it, path, baseline->scores, baseline->nzero, err);
    return status == RLS2_ERR_VALUE ? RLS2_OK : status;
}

static rls2_status validate_all(run *r, int64_t s, const rls2__fit *fit, rls2_error *err)
{
    left_out it;
    rls2_status status = left_out_create(r, s, fit, &it, err);
    if (status == RLS2_OK) status = validate(&it, fit->path, err);
    if (status == RLS2_OK && r->options->baselines)
        status = rls2__fit_baselines(r->recipe, fit, r->cv->count, r->cv->lambdas, report, r, take_baseline,
                                     &it, err);
    left_out_free(&it);
    return status;
}

static rls2_status fit_split(run *r, int64_t s, rls2_error *err)
{
    const int64_t *rows;
    int64_t n = rls2_splits_training(r->splits, s, &rows);
    rls2_table *table = NULL;
    rls2__fit fit = {0};
    rls2_status status = take_rows(r, n, rows, &table, err);
    if (status == RLS2_OK) status = rls2__fit_basis(table, r->recipe, r->whole, 1, report, r, &fit, err);
    if (status == RLS2_OK)
        status = rls2__fit_path(r->recipe, r->cv->count, r->cv->lambdas, report, r, &fit, err);
    if (status == RLS2_OK && atomic_load(&r->stop)) /* maybe at the last lambda, with the path complete */
        status = rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    if (status == RLS2_OK) status = validate_all(r, s, &fit, err);
    rls2__fit_release(&fit);
    rls2_table_free(table);
    return status;
}

/* ---- all of them ---- */

/* The error of the first split, in order, that failed of itself. */
typedef struct failure {
    int64_t split;
    rls2_error err;
} failure;

static void keep_failure(failure *first, int64_t s, const rls2_error *err)
{
#pragma omp critical(rls2_cv_failure)
    {
        int cancelled = err->status == RLS2_ERR_CANCELLED;
        int had_real = first->split >= 0 && first->err.status != RLS2_ERR_CANCELLED;
        if (first->split < 0 || (!cancelled && (!had_real || s < first->split))) {
            first->split = s;
            first->err = *err;
        }
    }
}

static rls2_status run_splits(run *r, rls2_error *err)
{
    failure first = {.split = -1};
    int threads = rls2__thread_count(r->options->threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t s = 0; s < r->cv->splits; s++) {
        rls2_error own = {0};
        if (atomic_load(&r->stop)) continue;
        if (fit_split(r, s, &own) == RLS2_OK) {
            atomic_fetch_add(&r->done, 1);
            report(r, NULL);
            continue;
        }
        atomic_store(&r->stop, 1);
        keep_failure(&first, s, &own);
    }
    if (first.split < 0) report(r, NULL); /* the last word is the caller's, whoever did the last split */
    if (first.split < 0 && !atomic_load(&r->stop)) return RLS2_OK;
    if (first.split < 0 || first.err.status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    return rls2__fail(err, first.err.status, "split %" PRId64 " of %" PRId64 ": %s", first.split + 1,
                      r->cv->splits, first.err.message);
}

static void set_weights(run *r)
{
    rls2_cv *cv = r->cv;
    const int64_t *unused;
    for (int64_t s = 0; s < cv->splits; s++) {
        int64_t n = rls2_splits_validation(r->splits, s, &unused);
        cv->weights[s] =
            cv->measure == RLS2_MEASURE_ERRORS ? 1.0 : (double)n; /* a count has its size within */
    }
    cv->repeat = r->splits->repeat;
    if (r->splits->overlapping)
        cv->overlap = (double)rls2_splits_validation(r->splits, 0, &unused) /
                      (double)rls2_splits_training(r->splits, 0, &unused);
}

static rls2_status prepare(run *r, rls2_error *err)
{
    const rls2_recipe *recipe = r->recipe;
    rls2_status status = rls2_dataset_create(r->table, &recipe->data, &r->whole, err);
    if (status != RLS2_OK) return status;
    int64_t rows = rls2_dataset_rows(r->whole);
    if (rls2_splits_rows(r->splits) != rows)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the splits are of %" PRId64 " rows, the data have %" PRId64,
                          rls2_splits_rows(r->splits), rows);
    int classes = rls2_dataset_is_classification(r->whole);
    rls2_measure measure = r->options->measure;
    if (measure == RLS2_MEASURE_AUTO) measure = classes ? RLS2_MEASURE_ACCURACY : RLS2_MEASURE_RMSE;
    if (rls2_measure_is_for_classes(measure) != classes)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the measure '%s' is for %s", rls2_measure_name(measure),
                          classes ? "regression" : "classification");
    r->cv = reserve(recipe->lambda_count, rls2_splits_count(r->splits), rows, r->options->baselines);
    if (!r->cv) return rls2__fail_memory(err, "cross-validation");
    r->cv->measure = measure;
    set_weights(r);
    for (int64_t i = 0; i < rows * r->cv->count; i++) r->cv->predictions[i] = (double)NAN;
    status = find_owners(r, err);
    return status == RLS2_OK ? choose_lambdas(r, err) : status;
}

rls2_status rls2__cv_run(const rls2_table *table, const rls2_recipe *recipe, const rls2_splits *splits,
                         const rls2_cv_options *options, rls2_cv **cv, rls2_error *err)
{
    run r = {
        .table = table, .recipe = recipe, .splits = splits, .options = options, .caller = pthread_self()};
    rls2_status status = prepare(&r, err);
    if (status == RLS2_OK) status = run_splits(&r, err);
    if (status == RLS2_OK) {
        r.cv->unconverged = atomic_load(&r.unconverged);
        rls2__cv_summarize(r.cv);
        *cv = r.cv;
        r.cv = NULL;
    }
    rls2__cv_destroy(r.cv);
    rls2__free(r.owner);
    rls2_dataset_free(r.whole);
    return status;
}
