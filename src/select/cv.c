/* Cross-validation along the path.
 *
 * What all splits have in common is made once; the splits (cv_split.c) run in parallel, and write
 * to places of their own, so that nothing depends on how many there are. Threads that splits leave
 * over work inside them. Numbers are kept lambda after lambda, so that more can follow. */
#include "select/cv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "base/first_failure.h"
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
    rls2__free(cv->losses);
    rls2__free(cv->lambdas);
    rls2__free(cv->weights);
    rls2__free(cv->scores);
    rls2__free(cv->pooled);
    rls2__free(cv->nzero);
    rls2__free(cv->predictions);
    rls2__free(cv->points);
    rls2__free(cv->owner);
    rls2__free(cv->coverage);
    rls2__members_free(cv->members);
    free_tallies(cv->shares, cv->outputs);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        rls2__free(cv->baselines[b].scores);
        rls2__free(cv->baselines[b].pooled);
        rls2__free(cv->baselines[b].nzero);
    }
    rls2__free(cv);
}

/* ---- room, lambda by lambda ---- */

/* Room for `values` numbers where there were `old`; those that follow are `rest`. */
static int grow(double **numbers, int64_t old, int64_t values, double rest)
{
    double *more = rls2__alloc(values, sizeof *more);
    if (!more) return 0;
    if (old > 0) memcpy(more, *numbers, (size_t)old * sizeof *more);
    for (int64_t i = old; i < values; i++) more[i] = rest;
    rls2__free(*numbers);
    *numbers = more;
    return 1;
}

/* What no split writes stays NaN: not defined. */
static int grow_baselines(rls2_cv *cv, int64_t old, int64_t count, int pooled)
{
    int64_t before = cv->splits * old, values = rls2__mul(cv->splits, count);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
        rls2__cv_baseline *baseline = &cv->baselines[b];
        if (!grow(&baseline->scores, before, values, (double)NAN) ||
            !grow(&baseline->nzero, before, values, 0.0) ||
            (pooled && !grow(&baseline->pooled, 2 * old, rls2__mul(2, count), 0.0)))
            return 0;
    }
    return 1;
}

static int grow_members(rls2_cv *cv, int64_t old, int64_t values)
{
    for (int64_t t = 0; cv->members && t < cv->members->count; t++)
        if (!grow(&cv->members->predictions[t], old, values, (double)NAN)) return 0;
    return 1;
}

static int grow_points(rls2_cv *cv, int64_t count)
{
    rls2_cv_point *points = rls2__alloc_zero(count, sizeof *points);
    if (!points) return 0;
    rls2__free(cv->points); /* they are made anew */
    cv->points = points;
    return 1;
}

static int grow_curve(rls2_cv *cv, int64_t count, int baselines, int pooled)
{
    int64_t old = cv->count, each = rls2__mul(cv->rows, cv->outputs);
    return grow(&cv->lambdas, old, count, 0.0) &&
           grow(&cv->scores, old * cv->splits, rls2__mul(cv->splits, count), 0.0) &&
           grow(&cv->nzero, old * cv->splits, rls2__mul(cv->splits, count), 0.0) &&
           grow(&cv->predictions, old * each, rls2__mul(each, count), (double)NAN) &&
           grow_members(cv, old * each, rls2__mul(each, count)) &&
           (!pooled || grow(&cv->pooled, 2 * old, rls2__mul(2, count), 0.0)) &&
           grow_points(cv, count) && (!baselines || grow_baselines(cv, old, count, pooled));
}

static rls2_status grow_to(rls2__cv_job *job, int64_t count, const double *lambdas, rls2_error *err)
{
    rls2_cv *cv = job->cv;
    int pooled = job->pool.start != NULL;
    rls2__invariant(count >= cv->count);
    if (count == cv->count) return RLS2_OK;
    if (!grow_curve(cv, count, job->options.baselines, pooled))
        return rls2__fail_memory(err, "cross-validation");
    rls2_status status = pooled ? rls2__pooled_grow(&job->pool, count, err) : RLS2_OK;
    if (status != RLS2_OK) return status;
    memcpy(cv->lambdas + cv->count, lambdas + cv->count,
           (size_t)(count - cv->count) * sizeof *lambdas);
    cv->count = count;
    rls2__invariant(rls2__is_positive(count, cv->lambdas) &&
                    rls2__is_descending(count, cv->lambdas));
    return RLS2_OK;
}

static rls2_cv *reserve(int64_t splits, int64_t rows, int64_t outputs, const rls2__recipe *recipe)
{
    rls2_cv *cv = rls2__alloc_zero(1, sizeof *cv);
    if (!cv) return NULL;
    cv->splits = splits;
    cv->rows = rows;
    cv->outputs = outputs;
    cv->weights = rls2__alloc_zero(splits, sizeof(double));
    cv->shares = rls2__alloc_zero(outputs, sizeof *cv->shares);
    cv->losses = rls2__alloc(outputs, sizeof *cv->losses);
    if (!cv->weights || !cv->shares || !cv->losses) {
        rls2__cv_destroy(cv);
        return NULL;
    }
    for (int64_t o = 0; o < outputs; o++)
        cv->losses[o] = recipe->losses ? recipe->losses[o] : recipe->path.loss;
    return cv;
}

/* ---- the whole data ---- */

static rls2_status find_owners(rls2__cv_job *job, rls2_error *err)
{
    job->cv->owner = rls2__alloc(job->cv->rows, sizeof *job->cv->owner);
    if (!job->cv->owner) return rls2__fail_memory(err, "cross-validation");
    for (int64_t i = 0; i < job->cv->rows; i++) job->cv->owner[i] = -1;
    for (int64_t s = job->cv->splits - 1; s >= 0; s--) {
        const int64_t *rows;
        int64_t n = rls2_splits_validation(job->splits, s, &rows);
        rls2__invariant(rls2__is_ascending(n, rows, job->cv->rows));
        for (int64_t t = 0; t < n; t++) job->cv->owner[rows[t]] = s;
    }
    return RLS2_OK;
}

/* Who said stop is not asked again. */
int rls2__cv_report(void *user, const rls2_progress *unused)
{
    (void)unused;
    rls2__cv_job *job = user;
    const rls2__cv_options *options = &job->options;
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
static rls2_status choose_lambdas(rls2__cv_job *job, double *lambdas, rls2_error *err)
{
    const rls2__recipe *recipe = job->recipe;
    const rls2__fit *prepared = job->options.prepared;
    rls2__fit fit = {0};
    if (recipe->lambdas || prepared)
        return rls2__fit_lambdas(recipe, prepared ? prepared : &fit, lambdas, err);
    int64_t *all = rls2__alloc(job->cv->rows, sizeof *all);
    if (!all) return rls2__fail_memory(err, "cross-validation");
    for (int64_t i = 0; i < job->cv->rows; i++) all[i] = i;
    const rls2_control control = rls2__cv_control(job, job->options.threads);
    rls2_status status = rls2__fit_bases(&job->ingredients, job->table, all, &control, &fit, err);
    if (status == RLS2_OK) status = rls2__fit_lambdas(recipe, &fit, lambdas, err);
    rls2__fit_release(&fit);
    rls2__free(all);
    return status;
}

/* ---- all of them ---- */

typedef struct splits_run {
    rls2__cv_job *job;
    rls2__first_failure first;
    int pools;               /* are these all splits? Then their sums are added to those of all, */
    pthread_mutex_t pooling; /* by one thread at a time, */
    int64_t pooled;          /* which has been done for so many */
    rls2__tally **sums;      /* outputs: of the lambdas that all have come to since the last time */
} splits_run;

/* In the order of the splits, whoever is done first: the same sums for any number of threads. */
static rls2_status pool_next(splits_run *run)
{
    int64_t outputs = run->job->cv->outputs;
    rls2__tally **next = run->job->waiting + run->pooled++ * outputs;
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < outputs && status == RLS2_OK && next[o]; o++) {
        status = rls2__tally_add(&run->sums[o], next[o]);
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
    if (own.status == RLS2_OK && run->pools) own.status = pool(run, s, &own);
    if (own.status == RLS2_OK) {
        if (run->pools) atomic_fetch_add(&run->job->done, 1);
        return;
    }
    atomic_store(&run->job->stop, 1);
    rls2__first_failure_keep(&run->first, s, &own);
}

static void watch(void *user)
{
    rls2__cv_report(((splits_run *)user)->job, NULL);
}

/* As many at a time as there are threads and there is memory for. */
static void share_threads(rls2__cv_job *job, int64_t splits, int *crew)
{
    int threads = rls2__la_room(rls2__thread_count(job->options.threads));
    if (threads < 1) threads = 1; /* which says what is missing when it enters */
    int64_t most = splits < threads ? splits : threads;
    if (job->options.at_a_time > 0 && most > job->options.at_a_time) most = job->options.at_a_time;
    *crew = (int)most;
    job->threads = threads / *crew;
    rls2__invariant(job->threads >= 1);
}

static rls2_status end_of(const rls2__cv_job *job, const rls2__first_failure *first,
                          rls2_error *err)
{
    if (first->task < 0 && !atomic_load(&job->stop)) return RLS2_OK;
    if (first->task < 0 || first->err.status == RLS2_ERR_CANCELLED)
        return rls2__fail(err, RLS2_ERR_CANCELLED, "cross-validation was stopped");
    return rls2__fail(err, first->err.status, "split %" PRId64 " of %" PRId64 ": %s",
                      first->task + 1, job->cv->splits, first->err.message);
}

static rls2_status keep_sums(const splits_run *run, rls2_error *err)
{
    rls2_cv *cv = run->job->cv;
    for (int64_t o = 0; o < cv->outputs; o++) {
        rls2__tally *sum = run->sums[o];
        run->sums[o] = NULL;
        if (sum && rls2__tally_join(&cv->shares[o], sum) != RLS2_OK)
            return rls2__fail_memory(err, "the shares of the kernels");
    }
    return RLS2_OK;
}

static rls2_status run_splits(rls2__cv_job *job, int64_t splits, rls2_error *err)
{
    int threads;
    splits_run run = {.job = job,
                      .pools = splits == job->cv->splits && !job->keeps_open,
                      .pooling = PTHREAD_MUTEX_INITIALIZER,
                      .sums = rls2__alloc_zero(job->cv->outputs, sizeof(rls2__tally *))};
    rls2__crew_job crew = {splits, run_split, watch, &run};
    if (!run.sums) return rls2__fail_memory(err, "the shares of the kernels");
    rls2__first_failure_init(&run.first);
    memset(job->finished, 0, (size_t)job->cv->splits);
    atomic_store(&job->done, 0);
    share_threads(job, splits, &threads);
    rls2__crew_run(threads, &crew);
    rls2__first_failure_destroy(&run.first);
    pthread_mutex_destroy(&run.pooling);
    if (run.first.task < 0) rls2__cv_report(job, NULL); /* the last word */
    rls2_status status = end_of(job, &run.first, err);
    if (status == RLS2_OK && run.pools) status = keep_sums(&run, err);
    free_tallies(run.sums, job->cv->outputs);
    return status;
}

/* Before the first split, once. */
static rls2_status sum_up(rls2__cv_job *job, rls2_error *err)
{
    const rls2_control control = rls2__cv_control(job, job->options.threads);
    if (job->summed_up) return RLS2_OK;
    job->summed_up = 1;
    return rls2__split_triangles_create(&job->ingredients, job->splits, &control, &job->moments,
                                        err);
}

rls2_status rls2__cv_advance(rls2__cv_job *job, const rls2__cv_step *step, rls2_error *err)
{
    rls2_status status = grow_to(job, step->count, step->lambdas, err);
    if (status == RLS2_OK) status = sum_up(job, err);
    job->like = step->like;
    job->keeps_open = step->keeps_open;
    return status == RLS2_OK ? run_splits(job, step->splits, err) : status;
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
    *measure = job->options.measure;
    if (*measure == RLS2_MEASURE_AUTO)
        *measure = rls2_measure_default_for(job->recipe->path.loss, classes,
                                            rls2_dataset_outputs(job->whole));
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

static int reserve_splits(rls2__cv_job *job)
{
    int64_t splits = job->cv->splits;
    job->finished = rls2__alloc_zero(splits, 1);
    job->scored = rls2__alloc_zero(splits, sizeof *job->scored);
    job->open = rls2__alloc_zero(splits, sizeof *job->open);
    job->waiting = rls2__alloc_zero(rls2__mul(splits, job->cv->outputs), sizeof(rls2__tally *));
    return job->finished && job->scored && job->open && job->waiting;
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
    job->cv = reserve(rls2_splits_count(job->splits), rows, rls2_dataset_outputs(job->whole),
                      job->recipe);
    if (!job->cv || !reserve_splits(job)) return rls2__fail_memory(err, "cross-validation");
    job->cv->measure = measure;
    set_weights(job);
    if (job->options.stack &&
        rls2__members_create(job->ingredients.dictionary, &job->cv->members) != RLS2_OK)
        return rls2__fail_memory(err, "the stack");
    status = find_owners(job, err);
    if (status != RLS2_OK || !rls2__pooled_is_needed(measure, job->splits, job->whole))
        return status;
    return rls2__pooled_create(job->splits, job->whole, job->options.baselines, &job->pool, err);
}

/* A single split with lambdas of the caller's has nobody to share with. */
static rls2_status share_kernels(rls2__cv_job *job, rls2__sharing sharing, rls2_error *err)
{
    if (sharing == RLS2__SHARING_NEVER || job->options.prepared ||
        (job->cv->splits == 1 && job->recipe->lambdas))
        return RLS2_OK;
    const rls2_control control = rls2__cv_control(job, job->options.threads);
    return rls2__ingredients_share(&job->ingredients, job->table, &control, err);
}

/* ---- a few lambdas at a time ---- */

void rls2__cv_job_free(rls2__cv_job *job)
{
    if (!job) return;
    int64_t splits = rls2_splits_count(job->splits);
    for (int64_t s = 0; job->open && s < splits; s++) rls2__cv_close(job->open[s]);
    free_tallies(job->waiting, splits * rls2_dataset_outputs(job->whole));
    rls2__free(job->open);
    rls2__free(job->scored);
    rls2__free(job->finished);
    rls2__pooled_release(&job->pool);
    rls2__split_triangles_free(job->moments);
    rls2__cv_destroy(job->cv);
    rls2__ingredients_release(&job->ingredients);
    rls2__free(job);
}

rls2_status rls2__cv_begin(const rls2_table *table, const rls2__ingredients *from,
                           const rls2__recipe *recipe, const rls2_splits *splits,
                           const rls2__cv_options *options, rls2__cv_job **out, rls2_error *err)
{
    rls2__cv_job *job = rls2__alloc_zero(1, sizeof *job);
    if (!job) return rls2__fail_memory(err, "cross-validation");
    job->table = table;
    job->whole = from->whole;
    job->splits = splits;
    job->options = *options;
    job->caller = pthread_self();
    rls2__ingredients_copy(from, recipe, &job->ingredients);
    job->recipe = job->ingredients.recipe;
    job->ingredients.resolved.path.degrees_of_freedom = RLS2_DF_NONE;
    job->ingredients.prepared = options->prepared;
    rls2_status status = make_room(job, err);
    if (status == RLS2_OK) status = check_class_weights(job, err);
    if (status == RLS2_OK)
        *out = job;
    else
        rls2__cv_job_free(job);
    return status;
}

rls2_status rls2__cv_look(rls2__cv_job *job, const rls2_cv **cv, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (job->pool.start) status = rls2__pooled_measure(&job->pool, job->cv, err);
    if (status != RLS2_OK) return status;
    rls2__cv_summarize(job->cv);
    *cv = job->cv;
    return RLS2_OK;
}

int rls2__cv_has_turned(const rls2__cv_job *job, int64_t splits, int64_t margin)
{
    return rls2__curve_has_turned(job->cv, splits, margin);
}

rls2_status rls2__cv_finish(rls2__cv_job *job, rls2_cv **cv, rls2_error *err)
{
    const rls2_cv *looked_at;
    rls2_status status = rls2__cv_look(job, &looked_at, err);
    if (status != RLS2_OK) return status;
    job->cv->unconverged = atomic_load(&job->unconverged);
    for (int64_t o = 0; o < job->cv->outputs; o++) rls2__tally_finish(job->cv->shares[o]);
    *cv = job->cv;
    job->cv = NULL;
    return RLS2_OK;
}

/* ---- all at once ---- */

static rls2_status run_at_once(rls2__cv_job *job, rls2__sharing sharing, double *lambdas,
                               rls2_error *err)
{
    const rls2__cv_step all = {
        .splits = job->cv->splits, .count = job->recipe->lambda_count, .lambdas = lambdas};
    rls2_status status = choose_lambdas(job, lambdas, err);
    if (status == RLS2_OK) status = share_kernels(job, sharing, err);
    return status == RLS2_OK ? rls2__cv_advance(job, &all, err) : status;
}

rls2_status rls2__cv_run(const rls2_table *table, const rls2__ingredients *from,
                         const rls2__recipe *recipe, const rls2_splits *splits,
                         const rls2__cv_options *options, rls2__sharing sharing, rls2_cv **cv,
                         rls2_error *err)
{
    rls2__cv_job *job = NULL;
    double *lambdas = rls2__alloc(recipe->lambda_count, sizeof *lambdas);
    if (!lambdas) return rls2__fail_memory(err, "cross-validation");
    rls2_status status = rls2__cv_begin(table, from, recipe, splits, options, &job, err);
    if (status == RLS2_OK) status = run_at_once(job, sharing, lambdas, err);
    if (status == RLS2_OK) status = rls2__cv_finish(job, cv, err);
    rls2__cv_job_free(job);
    rls2__free(lambdas);
    return status;
}
