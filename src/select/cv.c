/* Cross-validation along the path.
 *
 * What all splits have in common is made once; the splits (cv_split.c) run in parallel, each on one
 * thread, and write to places of their own, so that nothing depends on how many there are. */
#include "select/cv.h"

#include <inttypes.h>
#include <math.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/cv_split.h"
#include "select/cv_summary.h"
#include "select/splits.h"
#include "table/dataset.h"

static void free_tallies(rls2__tally **tallies, int64_t count)
{
    for (int64_t o = 0; tallies && o < count; o++) rls2__tally_free(tallies[o]);
    rls2__free(tallies);
}

void rls2__cv_destroy(rls2_cv *cv)
{
    if (!cv) return;
    rls2__free(cv->lambdas);
    rls2__free(cv->weights);
    rls2__free(cv->scores);
    rls2__free(cv->pooled);
    rls2__free(cv->nzero);
    rls2__free(cv->predictions);
    rls2__free(cv->points);
    free_tallies(cv->shares, cv->outputs);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        rls2__free(cv->baselines[b].scores);
        rls2__free(cv->baselines[b].pooled);
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

static rls2_cv *reserve(int64_t count, int64_t splits, int64_t rows, int64_t outputs, int baselines)
{
    int64_t predictions = rls2__mul(rls2__mul(rows, outputs), count);
    rls2_cv *cv = rls2__alloc_zero(1, sizeof *cv);
    if (!cv) return NULL;
    cv->count = count;
    cv->splits = splits;
    cv->rows = rows;
    cv->outputs = outputs;
    cv->lambdas = rls2__alloc_zero(count, sizeof(double));
    cv->weights = rls2__alloc_zero(splits, sizeof(double));
    cv->scores = rls2__alloc_zero(rls2__mul(splits, count), sizeof(double));
    cv->nzero = rls2__alloc_zero(rls2__mul(splits, count), sizeof(double));
    cv->predictions = rls2__alloc(predictions, sizeof(double));
    cv->points = rls2__alloc_zero(count, sizeof *cv->points);
    cv->shares = rls2__alloc_zero(outputs, sizeof *cv->shares);
    if (!cv->lambdas || !cv->weights || !cv->scores || !cv->nzero || !cv->predictions ||
        !cv->points || !cv->shares || (baselines && !reserve_baselines(cv))) {
        rls2__cv_destroy(cv);
        return NULL;
    }
    for (int64_t i = 0; i < predictions; i++) cv->predictions[i] = (double)NAN;
    return cv;
}

/* ---- the whole data ---- */

static rls2_status find_owners(rls2__cv_job *job, rls2_error *err)
{
    job->owner = rls2__alloc(job->cv->rows, sizeof *job->owner);
    if (!job->owner) return rls2__fail_memory(err, "cross-validation");
    for (int64_t i = 0; i < job->cv->rows; i++) job->owner[i] = -1;
    for (int64_t s = job->cv->splits - 1; s >= 0; s--) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(job->splits, s, &rows);
        rls2__invariant(rls2__is_ascending(n, rows, job->cv->rows));
        for (int64_t t = 0; t < n; t++) job->owner[rows[t]] = s;
    }
    return RLS2_OK;
}

/* Who said stop is not asked again. */
int rls2__cv_report(void *user, const rls2_progress *unused)
{
    (void)unused;
    rls2__cv_job *job = user;
    const rls2__cv_options *options = job->options;
    if (options->progress && pthread_equal(pthread_self(), job->caller) &&
        !atomic_load(&job->stop)) {
        rls2_progress at = {
            .stage = "splits", .done = atomic_load(&job->done), .total = job->cv->splits};
        if (options->progress(options->progress_user, &at)) atomic_store(&job->stop, 1);
    }
    return atomic_load(&job->stop);
}

rls2_control rls2__cv_control(rls2__cv_job *job, int threads)
{
    return (rls2_control){
        .size = sizeof(rls2_control), .threads = threads, .progress = rls2__cv_report, .user = job};
}

/* Before kernels are shared: a basis that is taken from another has other last bits, and the grid
 * is to be that of a path over the same rows. */
static rls2_status choose_lambdas(rls2__cv_job *job, rls2_error *err)
{
    const rls2__recipe *recipe = job->recipe;
    rls2_cv *cv = job->cv;
    rls2__fit fit = {0};
    if (recipe->lambdas) return rls2__fit_lambdas(recipe, &fit, cv->lambdas, err);
    if (job->options->prepared)
        return rls2__fit_lambdas(recipe, job->options->prepared, cv->lambdas, err);
    int64_t *all = rls2__alloc(cv->rows, sizeof *all);
    if (!all) return rls2__fail_memory(err, "cross-validation");
    for (int64_t i = 0; i < cv->rows; i++) all[i] = i;
    const rls2_control control = rls2__cv_control(job, job->options->threads);
    rls2_status status = rls2__fit_bases(&job->ingredients, job->table, all, &control, &fit, err);
    if (status == RLS2_OK) status = rls2__fit_lambdas(recipe, &fit, cv->lambdas, err);
    rls2__fit_release(&fit);
    rls2__free(all);
    return status;
}

/* ---- all of them ---- */

/* The error of the first split, in order, of those that failed of themselves before the others were
 * stopped. */
typedef struct failure {
    pthread_mutex_t lock; /* the threads of a crew are none of OpenMP's */
    int64_t split;
    rls2_error err;
} failure;

static void keep_failure(failure *first, int64_t s, const rls2_error *err)
{
    int cancelled = err->status == RLS2_ERR_CANCELLED;
    pthread_mutex_lock(&first->lock);
    int had_real = first->split >= 0 && first->err.status != RLS2_ERR_CANCELLED;
    if (first->split < 0 || (!cancelled && (!had_real || s < first->split))) {
        first->split = s;
        first->err = *err;
    }
    pthread_mutex_unlock(&first->lock);
}

typedef struct splits_run {
    rls2__cv_job *job;
    failure first;
    pthread_mutex_t pooling; /* who adds the sums of finished splits to those of all, */
    int64_t pooled;          /* which has been done for so many */
} splits_run;

/* In the order of the splits, whoever is done first: the same sums for any number of threads. */
static rls2_status pool_next(splits_run *run)
{
    rls2_cv *cv = run->job->cv;
    rls2__tally **next = run->job->waiting + run->pooled++ * cv->outputs;
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < cv->outputs && status == RLS2_OK; o++) {
        status = rls2__tally_add(&cv->shares[o], next[o]);
        next[o] = NULL;
    }
    return status;
}

/* A split has its places filled when its last output is there, and finished[s] says so. */
static rls2_status pool(splits_run *run, int64_t s, rls2_error *err)
{
    rls2__cv_job *job = run->job;
    rls2_status status = RLS2_OK;
    pthread_mutex_lock(&run->pooling);
    job->finished[s] = 1;
    while (run->pooled < job->cv->splits && job->finished[run->pooled] && status == RLS2_OK)
        status = pool_next(run);
    pthread_mutex_unlock(&run->pooling);
    return status == RLS2_OK ? status : rls2__fail_memory(err, "the shares of the kernels");
}

static void run_split(void *user, int64_t s)
{
    splits_run *run = user;
    rls2_error own = {0};
    if (atomic_load(&run->job->stop)) return;
    own.status = rls2__cv_split(run->job, s, &own);
    if (own.status == RLS2_OK) own.status = pool(run, s, &own);
    if (own.status == RLS2_OK) {
        atomic_fetch_add(&run->job->done, 1);
        return;
    }
    atomic_store(&run->job->stop, 1);
    keep_failure(&run->first, s, &own);
}

static void watch(void *user)
{
    rls2__cv_report(((splits_run *)user)->job, NULL);
}

static rls2_status run_splits(rls2__cv_job *job, rls2_error *err)
{
    splits_run run = {.job = job,
                      .first = {.lock = PTHREAD_MUTEX_INITIALIZER, .split = -1},
                      .pooling = PTHREAD_MUTEX_INITIALIZER};
    rls2__crew_job crew = {job->cv->splits, run_split, watch, &run};
    failure *first = &run.first;
    rls2__crew_run(rls2__la_room(rls2__thread_count(job->options->threads)), &crew);
    pthread_mutex_destroy(&first->lock);
    pthread_mutex_destroy(&run.pooling);
    if (first->split < 0) rls2__cv_report(job, NULL); /* the last word */
    if (first->split < 0 && !atomic_load(&job->stop)) return RLS2_OK;
    if (first->split < 0 || first->err.status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    return rls2__fail(err, first->err.status, "split %" PRId64 " of %" PRId64 ": %s",
                      first->split + 1, job->cv->splits, first->err.message);
}

/* ---- what they are made of ---- */

/* Of rows of the data, each counted as often as its weight says. */
static double weigh_rows(const rls2__cv_job *job, int64_t count, const int64_t *rows)
{
    const double *w = rls2_dataset_row_weights(job->whole);
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += w ? w[rows[i]] : 1.0;
    return sum;
}

static double ratio_of(const rls2__cv_job *job, int64_t s)
{
    const int64_t *rows;
    int64_t n = rls2_splits_validation(job->splits, s, &rows);
    double validation = weigh_rows(job, n, rows);
    n = rls2_splits_training(job->splits, s, &rows);
    return validation / weigh_rows(job, n, rows);
}

/* Validation rows over training rows: of the first split where all are alike, else the mean. */
static double overlap_of(const rls2__cv_job *job)
{
    double sum = 0.0;
    if (!job->splits->uneven) return ratio_of(job, 0);
    for (int64_t s = 0; s < job->cv->splits; s++) sum += ratio_of(job, s);
    return sum / (double)job->cv->splits;
}

static void set_weights(rls2__cv_job *job)
{
    rls2_cv *cv = job->cv;
    const int64_t *rows;
    for (int64_t s = 0; s < cv->splits; s++) {
        int64_t n = rls2_splits_validation(job->splits, s, &rows);
        cv->weights[s] = cv->measure == RLS2_MEASURE_ERRORS ? 1.0 /* a count has its size within */
                                                            : weigh_rows(job, n, rows);
    }
    rls2__invariant(rls2__is_positive(cv->splits, cv->weights));
    cv->repeat = job->splits->repeat;
    if (job->splits->overlapping) cv->overlap = overlap_of(job);
    rls2__invariant(cv->overlap >= 0.0 && isfinite(cv->overlap));
}

static rls2_status choose_measure(const rls2__cv_job *job, rls2_measure *measure, rls2_error *err)
{
    int classes = rls2_dataset_is_classification(job->whole);
    *measure = job->options->measure;
    if (*measure == RLS2_MEASURE_AUTO)
        *measure = rls2_measure_default(classes, rls2_dataset_outputs(job->whole));
    if (rls2_measure_is_for_classes(*measure) == classes) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "the measure '%s' is for %s",
                      rls2_measure_name(*measure), classes ? "regression" : "classification");
}

/* Labels that do not exist are told before the first split. */
static rls2_status check_class_weights(const rls2__cv_job *job, rls2_error *err)
{
    if (!job->recipe->class_weights) return RLS2_OK;
    double *w = rls2__alloc(rls2_dataset_rows(job->whole), sizeof *w);
    if (!w) return rls2__fail_memory(err, "cross-validation");
    rls2_status status = rls2_dataset_fit_weights(job->whole, job->recipe->class_weights, w, err);
    rls2__free(w);
    return status;
}

static rls2_status make_pool(rls2__cv_job *job, rls2_error *err)
{
    rls2_cv *cv = job->cv;
    if (!rls2__pooled_is_needed(cv->measure, job->splits, job->whole)) return RLS2_OK;
    int64_t values = rls2__mul(cv->count, 2);
    int filled = (cv->pooled = rls2__alloc_zero(values, sizeof(double))) != NULL;
    for (int b = 0; b < RLS2_BASELINE_COUNT && job->options->baselines; b++)
        filled &= (cv->baselines[b].pooled = rls2__alloc_zero(values, sizeof(double))) != NULL;
    if (!filled) return rls2__fail_memory(err, "cross-validation");
    return rls2__pooled_create(job->splits, job->whole, cv->count, job->options->baselines,
                               &job->pool, err);
}

static rls2_status make_room(rls2__cv_job *job, rls2_error *err)
{
    rls2_measure measure;
    int64_t rows = rls2_dataset_rows(job->whole);
    if (rls2_splits_rows(job->splits) != rows)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "the splits are of %" PRId64 " rows, the data have %" PRId64,
                          rls2_splits_rows(job->splits), rows);
    rls2_status status = choose_measure(job, &measure, err);
    if (status != RLS2_OK) return status;
    job->cv = reserve(job->recipe->lambda_count, rls2_splits_count(job->splits), rows,
                      rls2_dataset_outputs(job->whole), job->options->baselines);
    if (!job->cv) return rls2__fail_memory(err, "cross-validation");
    job->finished = rls2__alloc_zero(job->cv->splits, 1);
    job->waiting =
        rls2__alloc_zero(rls2__mul(job->cv->splits, job->cv->outputs), sizeof(rls2__tally *));
    if (!job->finished || !job->waiting) return rls2__fail_memory(err, "cross-validation");
    job->cv->measure = measure;
    set_weights(job);
    status = find_owners(job, err);
    return status == RLS2_OK ? make_pool(job, err) : status;
}

/* A single split with lambdas of the caller's has nobody to share with. */
static rls2_status share_kernels(rls2__cv_job *job, rls2__sharing sharing, rls2_error *err)
{
    if (sharing == RLS2__SHARING_NEVER || job->options->prepared ||
        (job->cv->splits == 1 && job->recipe->lambdas))
        return RLS2_OK;
    const rls2_control control = rls2__cv_control(job, job->options->threads);
    return rls2__ingredients_share(&job->ingredients, job->table, &control, err);
}

static rls2_status prepare(rls2__cv_job *job, rls2__sharing sharing, rls2_error *err)
{
    rls2_status status = make_room(job, err);
    if (status == RLS2_OK) status = check_class_weights(job, err);
    if (status == RLS2_OK) status = choose_lambdas(job, err);
    rls2__invariant(status != RLS2_OK || (rls2__is_positive(job->cv->count, job->cv->lambdas) &&
                                          rls2__is_descending(job->cv->count, job->cv->lambdas)));
    return status == RLS2_OK ? share_kernels(job, sharing, err) : status;
}

rls2_status rls2__cv_run(const rls2_table *table, const rls2__ingredients *from,
                         const rls2__recipe *recipe, const rls2_splits *splits,
                         const rls2__cv_options *options, rls2__sharing sharing, rls2_cv **cv,
                         rls2_error *err)
{
    rls2__cv_job job = {.table = table,
                        .whole = from->whole,
                        .splits = splits,
                        .options = options,
                        .caller = pthread_self()};
    rls2__ingredients_copy(from, recipe, &job.ingredients);
    job.recipe = job.ingredients.recipe;
    job.ingredients.resolved.path.degrees_of_freedom = RLS2_DF_NONE;
    job.ingredients.prepared = options->prepared;
    rls2_status status = prepare(&job, sharing, err);
    if (status == RLS2_OK) status = run_splits(&job, err);
    if (status == RLS2_OK && job.cv->pooled) status = rls2__pooled_measure(&job.pool, job.cv, err);
    if (status == RLS2_OK) {
        job.cv->unconverged = atomic_load(&job.unconverged);
        rls2__invariant(atomic_load(&job.done) == job.cv->splits);
        rls2__cv_summarize(job.cv);
        for (int64_t o = 0; o < job.cv->outputs; o++) rls2__tally_finish(job.cv->shares[o]);
        *cv = job.cv;
        job.cv = NULL;
    }
    free_tallies(job.waiting, rls2_splits_count(splits) * rls2_dataset_outputs(from->whole));
    rls2__free(job.finished);
    rls2__pooled_release(&job.pool);
    rls2__cv_destroy(job.cv);
    rls2__free(job.owner);
    rls2__ingredients_release(&job.ingredients);
    return status;
}
