/* Paths of several responses, each on one thread and with nothing shared but the bases, which do
 * not change: what comes out does not depend on how many run at a time. */
#include "solver/outputs.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/crew.h"
#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"

typedef struct run {
    int64_t outputs;
    int64_t count;
    const rls2_path_options *options;
    const rls2_control *control;
    pthread_t caller;
    atomic_int stop;    /* cancelled, or an output failed */
    atomic_llong done;  /* points of all outputs */
    long long reported; /* the last number of points told, by the calling thread */
} run;

typedef struct output {
    run *r;
    int64_t done; /* points of this one */
} output;

/* Only the thread that called may call back; the others look at the flag. Who said stop is not
 * asked again. */
static void tell(run *r, double lambda, double gap, const rls2_path_point *finished)
{
    const rls2_control *control = r->control;
    if (!control->progress || !pthread_equal(pthread_self(), r->caller) || atomic_load(&r->stop))
        return;
    r->reported = atomic_load(&r->done);
    rls2_progress at = {"path",
                        (int64_t)r->reported,
                        r->outputs * r->count,
                        lambda,
                        gap,
                        r->outputs == 1 ? finished : NULL};
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

/* A path that was not begun. */
static rls2_status leave_empty(run *r, const rls2_basis *basis, const double *y, rls2_path **path,
                               rls2_error *err)
{
    *path = rls2__path_create(basis, y, r->count, r->options);
    if (!*path) return rls2__fail_memory(err, "the path");
    (*path)->cancelled = 1;
    return RLS2_OK;
}

static rls2_status fit_output(run *r, const rls2_basis *basis, const double *y,
                              const double *lambdas, rls2_path **path, rls2_error *err)
{
    output it = {.r = r};
    const rls2_control own = {.size = sizeof own, .threads = 1, .progress = report, .user = &it};
    if (atomic_load(&r->stop)) return leave_empty(r, basis, y, path, err);
    return rls2__path_run(basis, y, r->count, lambdas, r->options, &own, path, err);
}

/* The error of the first output, in order, of those that failed before the others were stopped. */
typedef struct failure {
    pthread_mutex_t lock; /* the threads of a crew are none of OpenMP's */
    int64_t output;
    rls2_error err;
} failure;

static void keep_failure(failure *first, int64_t o, const rls2_error *err)
{
    pthread_mutex_lock(&first->lock);
    if (first->output < 0 || o < first->output) {
        first->output = o;
        first->err = *err;
    }
    pthread_mutex_unlock(&first->lock);
}

typedef struct task_list {
    run *r;
    const rls2_basis *const *bases;
    const double *y;
    const double *lambdas;
    rls2_path **paths;
    failure first;
} task_list;

static void run_output(void *user, int64_t o)
{
    task_list *list = user;
    rls2_error own = {0};
    const rls2_basis *basis = list->bases[o];
    if (fit_output(list->r, basis, list->y + o * basis->n, list->lambdas, &list->paths[o], &own) ==
        RLS2_OK)
        return;
    keep_failure(&list->first, o, &own);
    atomic_store(&list->r->stop, 1); /* the others need not go on */
}

/* A single path is fitted, and told of, by the caller itself. */
static void watch(void *user)
{
    run *r = ((task_list *)user)->r;
    if (r->outputs > 1) tell(r, 0.0, 0.0, NULL);
}

static rls2_status fail_output(const failure *first, int64_t outputs, rls2_error *err)
{
    if (outputs == 1) return rls2__fail(err, first->err.status, "%s", first->err.message);
    return rls2__fail(err, first->err.status, "response %" PRId64 " of %" PRId64 ": %s",
                      first->output + 1, outputs, first->err.message);
}

rls2_status rls2__outputs_run(int64_t outputs, const rls2_basis *const *bases, const double *y,
                              int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              rls2_path **paths, rls2_error *err)
{
    run r = {.outputs = outputs,
             .count = count,
             .options = options,
             .control = control,
             .caller = pthread_self(),
             .reported = -1};
    task_list list = {.r = &r,
                      .bases = bases,
                      .y = y,
                      .lambdas = lambdas,
                      .paths = paths,
                      .first = {.lock = PTHREAD_MUTEX_INITIALIZER, .output = -1}};
    rls2__crew_job crew = {outputs, run_output, watch, &list};
    rls2__crew_run(control->threads, &crew);
    rls2__invariant(atomic_load(&r.done) <= outputs * count);
    pthread_mutex_destroy(&list.first.lock);
    if (list.first.output < 0) {
        /* the last word is the caller's, whoever did the last point */
        const rls2_path *last = paths[outputs - 1];
        const rls2_path_point *point = last->count ? &last->entries[last->count - 1].point : NULL;
        if (point && r.reported < (long long)(outputs * count))
            tell(&r, point->lambda, point->gap, NULL);
        return RLS2_OK;
    }
    for (int64_t o = 0; o < outputs; o++) {
        rls2__path_destroy(paths[o]);
        paths[o] = NULL;
    }
    return fail_output(&list.first, outputs, err);
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
