/* One BLAS thread inside the library, the host's setting outside.
 *
 * OpenBLAS keeps its thread count for the whole process, so this count of users has
 * to be for the whole process too: the one piece of shared state in the library,
 * guarded by a lock. Another BLAS, without these functions, is left alone. */
#include "la/la.h"

#include <pthread.h>

#if defined(__GNUC__)
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static int host_threads;

void rls2__la_enter(void)
{
#if defined(__GNUC__)
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        host_threads = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
#endif
}

void rls2__la_leave(void)
{
#if defined(__GNUC__)
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    pthread_mutex_lock(&lock);
    if (--users == 0) openblas_set_num_threads(host_threads);
    pthread_mutex_unlock(&lock);
#endif
}
