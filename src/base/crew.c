/* Runs tasks on threads of its own while the calling thread watches. */
#include "base/crew.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

#include "base/invariant.h"
#include "base/memory.h"

enum { WATCH_MILLISECONDS = 50 };

typedef struct crew {
    const rls2__crew_job *job;
    atomic_llong next; /* task */
    pthread_mutex_t lock;
    pthread_cond_t left;
    int working; /* threads that have not left yet */
} crew;

static void do_tasks(crew *c)
{
    for (;;) {
        int64_t task = atomic_fetch_add(&c->next, 1);
        if (task >= c->job->tasks) return;
        c->job->work(c->job->user, task);
    }
}

static void *member(void *given)
{
    crew *c = given;
    do_tasks(c);
    pthread_mutex_lock(&c->lock);
    c->working--;
    pthread_cond_signal(&c->left);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* A moment from now, for pthread_cond_timedwait. */
static struct timespec soon(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += WATCH_MILLISECONDS * 1000000L;
    if (at.tv_nsec >= 1000000000L) {
        at.tv_nsec -= 1000000000L;
        at.tv_sec++;
    }
    return at;
}

static void watch_until_done(crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->working > 0) {
        struct timespec until = soon();
        if (pthread_cond_timedwait(&c->left, &c->lock, &until) != ETIMEDOUT) continue;
        pthread_mutex_unlock(&c->lock);
        c->job->watch(c->job->user);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

/* How many threads could be had. */
static int start(crew *c, int wanted, pthread_t *threads)
{
    int had = 0;
    while (had < wanted && pthread_create(&threads[had], NULL, member, c) == 0) had++;
    return had;
}

static int hire(crew *c, int wanted, pthread_t *threads)
{
    c->working = wanted;
    int had = start(c, wanted, threads);
    pthread_mutex_lock(&c->lock);
    c->working -= wanted - had;
    pthread_mutex_unlock(&c->lock);
    return had;
}

static void work_alone(const rls2__crew_job *job)
{
    for (int64_t task = 0; task < job->tasks; task++) {
        job->work(job->user, task);
        job->watch(job->user);
    }
}

void rls2__crew_run(int threads, const rls2__crew_job *job)
{
    crew c = {.job = job};
    if ((int64_t)threads > job->tasks) threads = (int)job->tasks;
    pthread_t *members = threads > 1 ? rls2__alloc(threads, sizeof *members) : NULL;
    if (!members) {
        work_alone(job);
        return;
    }
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.left, NULL);
    int had = hire(&c, threads, members);
    rls2__invariant(had >= 0 && had <= threads);
    if (had == 0)
        work_alone(job);
    else
        watch_until_done(&c);
    for (int t = 0; t < had; t++) pthread_join(members[t], NULL);
    rls2__invariant(had == 0 || (c.working == 0 && atomic_load(&c.next) >= job->tasks));
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.left);
    rls2__free(members);
}

/* Where nothing limits a process, threads can be had. */
static int is_limited(void)
{
    enum { MANY_TASKS = 4096 };
    struct rlimit space, tasks;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY) return 1;
    return getrlimit(RLIMIT_NPROC, &tasks) != 0 ||
           (tasks.rlim_cur != RLIM_INFINITY && tasks.rlim_cur < MANY_TASKS);
}

int rls2__crew_room(int threads)
{
    if (!is_limited()) return threads;
    const rls2__crew_job nothing = {.tasks = 0};
    crew c = {.job = &nothing};
    pthread_t *members = threads > 1 ? rls2__alloc(threads - 1, sizeof *members) : NULL;
    if (!members) return 1;
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.left, NULL);
    pthread_mutex_lock(&c.lock); /* no one can leave before the last has come */
    c.working = threads - 1;
    int had = start(&c, threads - 1, members);
    pthread_mutex_unlock(&c.lock);
    for (int t = 0; t < had; t++) pthread_join(members[t], NULL);
    pthread_mutex_destroy(&c.lock);
    pthread_cond_destroy(&c.left);
    rls2__free(members);
    return had + 1;
}

/* Never more than there are processors: more would only wait for each other. */
int rls2__thread_count(int threads)
{
    int most = omp_get_num_procs();
    if (threads <= 0) threads = omp_get_max_threads();
    return threads < most ? threads : most;
}
