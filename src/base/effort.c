/* Tasks on the threads of OpenMP, and a callback that is asked between them. */
#include "base/effort.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/invariant.h"
#include "base/seconds.h"

static const double ASK_EVERY = 0.05;   /* seconds */
static const double TRIED_ALONE = 1e-4; /* likewise */
/* Values: a few tenths of a millisecond, where threads need some hundredths to begin and end. */
static const double WORTH_WAKING = 1 << 19;

void rls2__effort_begin(const rls2_control *control, const char *stage, int64_t total,
                        rls2__effort *effort)
{
    *effort = (rls2__effort){.threads = rls2__crew_room(control->threads),
                             .control = control,
                             .owner = pthread_self(),
                             .at = {.stage = stage, .total = total},
                             .asked = rls2__seconds()};
    rls2__invariant(effort->threads >= 1);
}

void rls2__effort_begin_alone(rls2__effort *effort)
{
    *effort =
        (rls2__effort){.threads = 1, .control = &rls2__control_alone, .owner = pthread_self()};
}

static double share_of(rls2__effort *effort)
{
    double done = (double)atomic_load(&effort->counted), all = (double)effort->expected;
    double share = all > 0.0 ? fmin(done / all, 1.0) : 0.0;
    return fmax(share, effort->at.share);
}

/* Who said stop is not asked again. */
static void ask(rls2__effort *effort)
{
    if (atomic_load(&effort->stop)) return;
    effort->at.share = share_of(effort);
    if (effort->control->progress(effort->control->user, &effort->at))
        atomic_store(&effort->stop, 1);
    effort->asked = rls2__seconds();
}

int rls2__effort_tell(rls2__effort *effort, const rls2_progress *progress)
{
    rls2__invariant(pthread_equal(pthread_self(), effort->owner));
    int same = effort->at.stage && strcmp(effort->at.stage, progress->stage) == 0;
    double share = same ? effort->at.share : 0.0;
    effort->at = *progress;
    effort->at.share = fmax(share, progress->share);
    if (effort->control->progress) ask(effort);
    effort->at.point = NULL; /* told once */
    return atomic_load(&effort->stop);
}

int rls2__effort_stopped(rls2__effort *effort)
{
    if (effort->control->progress && pthread_equal(pthread_self(), effort->owner) &&
        rls2__seconds() - effort->asked >= ASK_EVERY)
        ask(effort);
    return atomic_load(&effort->stop);
}

rls2_status rls2__effort_status(rls2__effort *effort)
{
    return rls2__effort_stopped(effort) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

void rls2__effort_expect(rls2__effort *effort, int64_t work)
{
    effort->expected = work;
}

void rls2__effort_count(rls2__effort *effort, int64_t work)
{
    atomic_fetch_add(&effort->counted, work);
}

static rls2_status each_alone(rls2__effort *effort, int64_t tasks, rls2__task_fn task, void *user)
{
    int64_t done = 0;
    for (; done < tasks && !rls2__effort_stopped(effort); done++) task(user, done, 0);
    return done == tasks ? RLS2_OK : RLS2_ERR_CANCELLED;
}

/* Tasks first .. tasks - 1. */
static rls2_status each_together(rls2__effort *effort, int64_t first, int64_t tasks,
                                 rls2__task_fn task, void *user)
{
    int64_t done = first;
    int threads = tasks - first < effort->threads ? (int)(tasks - first) : effort->threads;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : done)
    for (int64_t i = first; i < tasks; i++) {
        if (rls2__effort_stopped(effort)) continue;
        task(user, i, omp_get_thread_num());
        done++;
    }
    return done == tasks ? RLS2_OK : RLS2_ERR_CANCELLED;
}

/* Short work is done before other threads would be awake. */
rls2_status rls2__effort_each(rls2__effort *effort, int64_t tasks, rls2__task_fn task, void *user)
{
    if (effort->threads <= 1) return each_alone(effort, tasks, task, user);
    int64_t done = 0;
    for (double until = rls2__seconds() + TRIED_ALONE; done < tasks && rls2__seconds() < until;
         done++) {
        if (rls2__effort_stopped(effort)) return RLS2_ERR_CANCELLED;
        task(user, done, 0);
    }
    return done == tasks ? RLS2_OK : each_together(effort, done, tasks, task, user);
}

rls2_status rls2__effort_each_worth(rls2__effort *effort, double values, int64_t tasks,
                                    rls2__task_fn task, void *user)
{
    return values < WORTH_WAKING || effort->threads <= 1 || tasks <= 1
               ? each_alone(effort, tasks, task, user)
               : each_together(effort, 0, tasks, task, user);
}
