/* The error to tell of, where several tasks of a crew have failed. */
#ifndef RLS2_BASE_FIRST_FAILURE_H
#define RLS2_BASE_FIRST_FAILURE_H

#include <pthread.h>
#include <stdint.h>

#include "rls2/status.h"

/* That of the first task, in order, of those that failed of themselves before the others were
 * stopped; a task that was stopped counts where there is no other. */
typedef struct rls2__first_failure {
    pthread_mutex_t lock; /* the threads of a crew are none of OpenMP's */
    int64_t task;         /* -1: none has failed */
    rls2_error err;
} rls2__first_failure;

void rls2__first_failure_init(rls2__first_failure *first);
void rls2__first_failure_keep(rls2__first_failure *first, int64_t task, const rls2_error *err);
void rls2__first_failure_destroy(rls2__first_failure *first);

#endif
