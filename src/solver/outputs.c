/* Paths of several responses, with nothing shared but the bases, which do not change: what comes
 * out does not depend on how many run at a time. Threads that are left over work inside them. */
#include "solver/outputs.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/crew.h"
#include "base/first_failure.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/path_run.h"
#include "solver/shared_run.h"
#include "solver/solver.h"

typedef struct run {
    const rls2__paths_job *job;
    int threads; /* of each path */
    pthread_t caller;
    atomic_int stop;    /* cancelled, or an output failed */
    atomic_llong done;  /* points of all outputs */
    long long reported; /* the last number of points told, by the calling thread */
} run;

typedef struct output {
    run *r;
    int64_t done; /* points of this one, those there were before included */
} output;

/* Only the thread that called may call back; the others look at the flag. Who said stop is not
 * asked again. */
static void tell(run *r, double lambda, double gap, const rls2_path_point *finished)
{
    const rls2_control *control = r->job->control;
    if (!control->progress || !pthread_equal(pthread_self(), r->caller) || atomic_load(&r->stop))
        return;
    r->reported = atomic_load(&r->done);
    rls2_progress at = {.stage = "path",
                        .done = (int64_t)r->reported,
                        .total = r->job->outputs * r->job->count,
                        .lambda = lambda,
                        .gap = gap,
                        .point = r->job->outputs == 1 ? finished : NULL};
    if (control->progress(control->user, &at)) atomic_store(&r->stop, 1);
}

static int report(void *user, const rls2_progress *progress)
{
    output *it = user;
    atomic_fetch_add(&it->r->done, progress->done - it->done);
    it->done = progress->done;
    tell(it->r, progress->lambda, progress->gap, progress->point);
    return atomic_load(&it->r->stop);
}

rls2_path_options rls2__options_of(const rls2_path_options *options, const rls2_loss *losses,
                                   int64_t o)
{
    rls2_path_options own = *options;
    if (losses) own.loss = losses[o];
    return own;
}

/* A path that was not begun, or not gone on with. */
static rls2_status leave(run *r, int64_t o, rls2_path **path, rls2_error *err)
{
    const rls2_basis *basis = r->job->bases[o];
    const rls2_path_options options = rls2__options_of(r->job->options, r->job->losses, o);
    if (!*path) *path = rls2__path_create(basis, r->job->y + o * basis->n, r->job->count, &options);
    if (!*path) return rls2__fail_memory(err, "the path");
    (*path)->cancelled = 1;
    return RLS2_OK;
}

static rls2_status fit_output(run *r, int64_t o, rls2_path **path, rls2_error *err)
{
    const rls2__paths_job *job = r->job;
    const rls2_path *like = job->like ? job->like[o] : NULL;
    const rls2_path_options options = rls2__options_of(job->options, job->losses, o);
    output it = {.r = r, .done = *path ? (*path)->count : 0};
    const rls2_control own = {
        .size = sizeof own, .threads = r->threads, .progress = report, .user = &it};
    if (atomic_load(&r->stop)) return leave(r, o, path, err);
    rls2_status status =
        *path ? rls2__path_extend(*path, job->count, job->lambdas, &options, &own, like, err)
              : rls2__path_run(job->bases[o], job->y + o * job->bases[o]->n, job->count,
                               job->lambdas, &options, &own, like, path, err);
    if (status == RLS2_OK && !job->keeps_open) rls2__path_close(*path);
    return status;
}

typedef struct task_list {
    run *r;
    rls2_path **paths;
    rls2__first_failure first;
} task_list;

static void run_output(void *user, int64_t o)
{
    task_list *list = user;
    rls2_error own = {0};
    if (fit_output(list->r, o, &list->paths[o], &own) == RLS2_OK) return;
    rls2__first_failure_keep(&list->first, o, &own);
    atomic_store(&list->r->stop, 1); /* the others need not go on */
}

/* A single path is fitted, and told of, by the caller itself. */
static void watch(void *user)
{
    run *r = ((task_list *)user)->r;
    if (r->job->outputs > 1) tell(r, 0.0, 0.0, NULL);
}

static rls2_status fail_output(const rls2__first_failure *first, int64_t outputs, rls2_error *err)
{
    if (outputs == 1) return rls2__fail(err, first->err.status, "%s", first->err.message);
    return rls2__fail(err, first->err.status, "response %" PRId64 " of %" PRId64 ": %s",
                      first->task + 1, outputs, first->err.message);
}

/* The last word is the caller's, whoever did the last point. */
static void tell_end(run *r, const rls2_path *last)
{
    const rls2_path_point *point = last->count ? &last->entries[last->count - 1].point : NULL;
    if (point && r->reported < (long long)(r->job->outputs * r->job->count))
        tell(r, point->lambda, point->gap, NULL);
}

static rls2_status run_all(run *r, task_list *list, rls2_error *err)
{
    int64_t outputs = r->job->outputs;
    int threads = r->job->control->threads, crews = threads < outputs ? threads : (int)outputs;
    rls2__crew_job crew = {outputs, run_output, watch, list};
    r->threads = crews > 1 ? threads / crews : threads;
    rls2__crew_run(crews, &crew);
    rls2__invariant(atomic_load(&r->done) <= outputs * r->job->count);
    if (list->first.task >= 0) return fail_output(&list->first, outputs, err);
    tell_end(r, list->paths[outputs - 1]);
    return RLS2_OK;
}

rls2_status rls2__outputs_run(const rls2__paths_job *job, rls2_path **paths, rls2_error *err)
{
    if (job->outputs > 1 && rls2__is_shared(job->options)) return rls2__shared_run(job, paths, err);
    run r = {.job = job, .caller = pthread_self(), .reported = -1};
    rls2_path **fitted = rls2__alloc(job->outputs, sizeof(rls2_path *));
    if (!fitted) return rls2__fail_memory(err, "the paths");
    memcpy(fitted, paths, (size_t)job->outputs * sizeof(rls2_path *));
    task_list list = {.r = &r, .paths = fitted};
    rls2__first_failure_init(&list.first);
    rls2_status status = run_all(&r, &list, err);
    rls2__first_failure_destroy(&list.first);
    for (int64_t o = 0; o < job->outputs; o++) {
        if (status == RLS2_OK)
            paths[o] = fitted[o];
        else if (!paths[o])
            rls2__path_destroy(fitted[o]);
    }
    rls2__free(fitted);
    return status;
}

/* ---- sums ---- */

/* The larger one; NaN where either is. */
static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* A model file may say anything. */
static int64_t sum_counts(int64_t a, int64_t b)
{
    int64_t sum = rls2__add(a, b);
    return sum < 0 ? INT64_MAX : sum;
}

void rls2__point_add(rls2_path_point *sum, const rls2_path_point *one)
{
    sum->objective += one->objective;
    sum->df += one->df;
    sum->gap = larger(sum->gap, one->gap);
    sum->residual = larger(sum->residual, one->residual);
    if (one->outcome > sum->outcome) sum->outcome = one->outcome; /* from good to bad */
    sum->iterations = sum_counts(sum->iterations, one->iterations);
    sum->factorizations = sum_counts(sum->factorizations, one->factorizations);
    sum->priced = sum_counts(sum->priced, one->priced);
    sum->offered = sum_counts(sum->offered, one->offered);
}
