/* Runs the units that the journal does not have, in parallel, and reports progress. */
#include "experiments/units.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* The first failure, in the order of the units, of those that failed of themselves. */
typedef struct failure {
    int64_t unit; /* -1: none */
    rls2_error err;
} failure;

struct units_watcher {
    const reproduction *r;
    const units *all;
    pthread_t caller;
    atomic_int stop; /* cancelled, or a unit failed */
    atomic_llong done;
    failure first;
};

double units_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Only the thread that called may call back; the others look at the flag. */
int units_watch(void *watch, const rls2_progress *unused)
{
    (void)unused;
    units_watcher *w = watch;
    if (atomic_load(&w->stop)) return 1;
    if (!pthread_equal(w->caller, pthread_self())) return 0;
    if (experiment_report(w->r, w->all->stage, w->all->before + atomic_load(&w->done),
                          w->all->total))
        atomic_store(&w->stop, 1);
    return atomic_load(&w->stop);
}

static void keep_failure(units_watcher *w, int64_t unit, const rls2_error *err)
{
    atomic_store(&w->stop, 1);
    if (err->status == RLS2_ERR_CANCELLED) return;
#pragma omp critical(rls2_experiments_failure)
    if (w->first.unit < 0 || unit < w->first.unit) {
        w->first.unit = unit;
        w->first.err = *err;
    }
}

static rls2_status run_one(units_watcher *w, int64_t unit, journal *j, double *values,
                           rls2_error *err)
{
    const units *all = w->all;
    char key[UNIT_KEY_ROOM];
    all->key(all->user, unit, key);
    const double *known = journal_find(j, key, all->width);
    if (known) {
        memcpy(values, known, (size_t)all->width * sizeof *values);
        return RLS2_OK;
    }
    rls2_status status = all->compute(all->user, unit, w, values, err);
    /* A call inside that was stopped may have ended well, with less than the whole. */
    if (status == RLS2_OK && atomic_load(&w->stop))
        return experiment_fail(err, RLS2_ERR_CANCELLED, "the experiment was stopped");
    return status == RLS2_OK ? journal_add(j, key, all->width, values, err) : status;
}

int units_are_done(const units *all, const journal *j)
{
    for (int64_t unit = 0; unit < all->count; unit++) {
        char key[UNIT_KEY_ROOM];
        all->key(all->user, unit, key);
        if (!journal_find(j, key, all->width)) return 0;
    }
    return 1;
}

rls2_status units_run(const reproduction *r, const units *all, journal *j, double *values,
                      rls2_error *err)
{
    units_watcher w = {.r = r, .all = all, .caller = pthread_self(), .first = {.unit = -1}};
    int threads = experiment_threads(r);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t unit = 0; unit < all->count; unit++) {
        rls2_error own = {0};
        if (atomic_load(&w.stop)) continue;
        if (run_one(&w, unit, j, values + unit * all->width, &own) == RLS2_OK) {
            atomic_fetch_add(&w.done, 1);
            units_watch(&w, NULL);
        } else {
            keep_failure(&w, unit, &own);
        }
    }
    if (w.first.unit >= 0) {
        char key[UNIT_KEY_ROOM];
        all->key(all->user, w.first.unit, key);
        return experiment_fail(err, w.first.err.status, "%s: %s", key, w.first.err.message);
    }
    if (!atomic_load(&w.stop))
        units_watch(&w, NULL); /* the last word is the caller's, whoever did the last unit */
    if (atomic_load(&w.done) < all->count)
        return experiment_fail(err, RLS2_ERR_CANCELLED, "the experiment was stopped");
    return RLS2_OK;
}
