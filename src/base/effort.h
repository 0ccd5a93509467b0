/* One long computation: its threads, its progress, and whether it is to stop.
 *
 * Whatever may take more than a fraction of a second is cut into tasks that do not, and is handed
 * to rls2__effort_each, or asks rls2__effort_stopped now and then. The callback of the control is
 * called from the thread that began the work only, several times a second however often it is
 * asked. Nothing that is computed may depend on the number of threads: tasks are cut by sizes
 * alone, and write to places of their own. */
#ifndef RLS2_BASE_EFFORT_H
#define RLS2_BASE_EFFORT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "rls2/control.h"

typedef struct rls2__effort {
    int threads;                 /* at least 1 */
    const rls2_control *control; /* borrowed */
    pthread_t owner;             /* who began it, and calls the callback */
    rls2_progress at;            /* what the callback is told */
    double asked;                /* when it was called last, in seconds */
    int64_t expected;            /* work of the stage, in any unit; 0: not known */
    atomic_llong counted;        /* of it, done */
    atomic_int stop;
} rls2__effort;

/* control->threads is one that rls2__thread_count gives. Nothing is to be released. */
void rls2__effort_begin(const rls2_control *control, const char *stage, int64_t total,
                        rls2__effort *effort);
/* One that is never stopped, on one thread, for callers that have no control. */
void rls2__effort_begin_alone(rls2__effort *effort);

/* Tells the callback of a new state at once; returns what rls2__effort_stopped does. From the owner
 * only. */
int rls2__effort_tell(rls2__effort *effort, const rls2_progress *progress);
/* Is it to stop? From any thread, as often as one likes: a look at the clock, and the callback
 * where that was not called for a while. */
int rls2__effort_stopped(rls2__effort *effort);
/* RLS2_ERR_CANCELLED where it is. */
rls2_status rls2__effort_status(rls2__effort *effort);

/* How much work there will be, and that some of it is done, for the share that the callback is
 * told, which never falls. The first from the owner only, and anew where more is known. */
void rls2__effort_expect(rls2__effort *effort, int64_t work);
void rls2__effort_count(rls2__effort *effort, int64_t work);

/* Does tasks 0 .. tasks - 1, in any order, several at a time; thread: 0 .. threads - 1, for room
 * that each has for itself. Tasks that have not begun when the work is stopped are not done: then,
 * and only then, RLS2_ERR_CANCELLED. No task may call this. BLAS may be called in tasks where
 * rls2__la_enter_team was called for as many threads. The caller begins alone: what takes less than
 * a tenth of a millisecond wakes nobody. */
typedef void (*rls2__task_fn)(void *user, int64_t task, int thread);
rls2_status rls2__effort_each(rls2__effort *effort, int64_t tasks, rls2__task_fn task, void *user);
/* The same where the size of the work is known: at once by all threads, or by the caller alone.
 * values: how many are read from memory, or an eighth of the products that are added. */
rls2_status rls2__effort_each_worth(rls2__effort *effort, double values, int64_t tasks,
                                    rls2__task_fn task, void *user);

#endif
