/* One BLAS thread inside the library, the host's setting outside, and memory for whoever calls.
 *
 * OpenBLAS keeps its thread count for the whole process, so this count of users has to be for
 * the whole process too: the one piece of shared state in the library, guarded by a lock.
 * Another BLAS, without these functions, is left alone.
 *
 * Nearly every routine of OpenBLAS borrows one buffer from a table that only grows, and where
 * the system has no room for a new one it asks again for ever. So each user says beforehand how
 * many threads will call, and the table is made to hold a buffer for each of them while it is
 * certain that they can be had. */
#include "la/threads.h"

#include <omp.h>
#include <pthread.h>
#include <sys/mman.h>

#include "base/invariant.h"
#include "base/status.h"

enum { MOST_CALLERS = 1024 };
enum { OPENBLAS_BY_OPENMP = 2 }; /* of openblas_get_parallel */
static const size_t BUFFER_BYTES = (size_t)128
                                   << 20; /* BUFFER_SIZE of OpenBLAS; where it is less, no harm */
static const size_t MARGIN_BYTES = (size_t)1
                                   << 20; /* what its own book-keeping may take meanwhile */

#if defined(__GNUC__)
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
extern int openblas_get_parallel(void) __attribute__((weak));
extern void *blas_memory_alloc(int purpose) __attribute__((weak));
extern void blas_memory_free(void *buffer) __attribute__((weak));
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;
static int host_threads;
static int callers;                 /* threads that may be in BLAS now */
static void *buffers[MOST_CALLERS]; /* those of the table that were seen, each once */
static int buffer_count;

/* Of this thread: uses within one another count as the outermost. */
static _Thread_local int depth;
static _Thread_local int own_callers;

/* ---- buffers ---- */

static int can_be_mapped(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return 0;
    munmap(room, bytes);
    return 1;
}

#if defined(__GNUC__)
static void note_buffer(void *buffer)
{
    for (int i = 0; i < buffer_count; i++)
        if (buffers[i] == buffer) return;
    rls2__invariant(buffer && buffer_count < MOST_CALLERS);
    buffers[buffer_count++] = buffer;
}

/* Buffers are held until enough of them have been seen: only so are new ones made. Others may be
 * in use meanwhile, which makes no difference: they have been seen, or will be counted when
 * their users' turn comes. */
static void fill_table(int wanted)
{
    void *held[MOST_CALLERS];
    int count = 0;
    while (buffer_count < wanted && count < MOST_CALLERS &&
           can_be_mapped(BUFFER_BYTES + MARGIN_BYTES)) {
        held[count] = blas_memory_alloc(0);
        note_buffer(held[count++]);
    }
    while (count > 0) blas_memory_free(held[--count]);
}

/* Where OpenBLAS does not show its table, and ends the process for want of a buffer: how many
 * buffers there are if those that have not been asked for can be had now. */
static int room_unseen(int wanted)
{
    int fresh = wanted > buffer_count ? wanted - buffer_count : 0;
    while (fresh > 0 && !can_be_mapped((size_t)fresh * BUFFER_BYTES + MARGIN_BYTES)) fresh--;
    buffer_count += fresh;
    return buffer_count < wanted ? buffer_count : wanted;
}
#endif

/* How many threads there are buffers for, of `wanted`. */
static int room_for(int wanted)
{
    if (wanted > MOST_CALLERS) wanted = MOST_CALLERS;
#if defined(__GNUC__)
    if (blas_memory_alloc && blas_memory_free) {
        fill_table(wanted);
        return buffer_count < wanted ? buffer_count : wanted;
    }
    if (openblas_get_num_threads) return room_unseen(wanted);
#endif
    return wanted; /* another BLAS, which has no such table */
}

/* ---- the number of threads ---- */

/* Where OpenBLAS works by OpenMP its number is OpenMP's, whatever it started with. */
static int threads_of_host(void)
{
#if defined(__GNUC__)
    if (openblas_get_parallel && openblas_get_parallel() == OPENBLAS_BY_OPENMP)
        return omp_get_max_threads();
    return openblas_get_num_threads();
#else
    return 1;
#endif
}

static void add_user(void)
{
    depth++;
#if defined(__GNUC__)
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    if (users++ == 0) {
        host_threads = threads_of_host();
        openblas_set_num_threads(1);
    }
#endif
}

static void remove_user(void)
{
    depth--;
    rls2__invariant(depth >= 0);
#if defined(__GNUC__)
    if (!openblas_set_num_threads || !openblas_get_num_threads) return;
    rls2__invariant(users > 0 && host_threads > 0);
    if (--users == 0) openblas_set_num_threads(host_threads);
#endif
}

/* ---- in and out ---- */

rls2_status rls2__la_enter_team(int *threads, rls2_error *err)
{
    pthread_mutex_lock(&lock);
    if (own_callers == 0) {
        own_callers = room_for(callers + *threads) - callers;
        if (own_callers < 0) own_callers = 0;
        callers += own_callers;
    }
    int had = own_callers;
    if (had > 0) add_user();
    pthread_mutex_unlock(&lock);
    if (had == 0)
        return rls2__fail_memory(
            err,
            "the work of BLAS, which takes 128 MB of address space (ulimit -v) for each thread");
    if (had < *threads) *threads = had;
    return RLS2_OK;
}

rls2_status rls2__la_enter(rls2_error *err)
{
    int threads = 1;
    return rls2__la_enter_team(&threads, err);
}

void rls2__la_enter_light(void)
{
    pthread_mutex_lock(&lock);
    add_user();
    pthread_mutex_unlock(&lock);
}

void rls2__la_leave(void)
{
    pthread_mutex_lock(&lock);
    remove_user();
    if (depth == 0) {
        callers -= own_callers;
        rls2__invariant(callers >= 0);
        own_callers = 0;
    }
    pthread_mutex_unlock(&lock);
}

int rls2__la_room(int threads)
{
    if (rls2__la_enter_team(&threads, NULL) != RLS2_OK) return 0;
    rls2__la_leave();
    return threads;
}

void rls2__la_while_idle(void (*change)(void))
{
    pthread_mutex_lock(&lock);
    if (users == 0) change();
    pthread_mutex_unlock(&lock);
}
