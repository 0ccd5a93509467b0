/* Tasks shared among threads while the caller looks on.
 *
 * The caller does no task itself where there are several threads: it watches, so that progress is
 * told and a wish to stop is heard however long the last tasks take. */
#ifndef RLS2_BASE_CREW_H
#define RLS2_BASE_CREW_H

#include <stdint.h>

typedef struct rls2__crew_job {
    int64_t tasks;
    void (*work)(
        void *user,
        int64_t task);         /* from any thread, each task once, in ascending order of starting */
    void (*watch)(void *user); /* from the calling thread, several times a second */
    void *user;
} rls2__crew_job;

/* Returns when all tasks are done. With one thread, or one task, or where no thread can be had, the
 * caller does them, and `watch` is called between them. */
void rls2__crew_run(int threads, const rls2__crew_job *job);

/* How many threads a parallel loop of OpenMP that starts now can have, the caller among them: where
 * one cannot be had, for want of memory or by a limit, OpenMP ends the process. They are started,
 * and end, to know. */
int rls2__crew_room(int threads);

/* How many threads to use when `threads` are asked for (0: as OpenMP says). To be asked
 * before rls2__la_enter: one flavour of OpenBLAS sets OpenMP's number along with its own. */
int rls2__thread_count(int threads);

#endif
