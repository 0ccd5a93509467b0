/* Kept by whichever thread comes, the same for any order of them. */
#include "base/first_failure.h"

void rls2__first_failure_init(rls2__first_failure *first)
{
    pthread_mutex_init(&first->lock, NULL);
    first->task = -1;
}

void rls2__first_failure_keep(rls2__first_failure *first, int64_t task, const rls2_error *err)
{
    int cancelled = err->status == RLS2_ERR_CANCELLED;
    pthread_mutex_lock(&first->lock);
    int had_real = first->task >= 0 && first->err.status != RLS2_ERR_CANCELLED;
    if (first->task < 0 || (!cancelled && (!had_real || task < first->task))) {
        first->task = task;
        first->err = *err;
    }
    pthread_mutex_unlock(&first->lock);
}

void rls2__first_failure_destroy(rls2__first_failure *first)
{
    pthread_mutex_destroy(&first->lock);
}
