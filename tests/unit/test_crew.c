/* Tasks shared among threads: each done once, and the caller hears of it however long they take. */
#include "support/unit_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/crew.h"

enum { TASKS = 40 };

typedef struct record {
    pthread_t caller;
    atomic_int done[TASKS];
    atomic_int by_others;
    atomic_int late; /* the slow task has ended */
    int watched;     /* calls, all of the calling thread */
    int watched_before_the_end;
    int elsewhere; /* calls of another thread */
} record;

static void work(void *user, int64_t task)
{
    record *r = user;
    atomic_fetch_add(&r->done[task], 1);
    if (!pthread_equal(pthread_self(), r->caller)) atomic_fetch_add(&r->by_others, 1);
}

static void slow_work(void *user, int64_t task)
{
    record *r = user;
    struct timespec pause = {.tv_nsec = 300000000};
    work(user, task);
    if (task == 1) {
        nanosleep(&pause, NULL);
        atomic_store(&r->late, 1);
    }
}

static void watch(void *user)
{
    record *r = user;
    r->watched++;
    r->watched_before_the_end += !atomic_load(&r->late);
    r->elsewhere += !pthread_equal(pthread_self(), r->caller);
}

static void crew__any_number_of_threads__every_task_once(void **state)
{
    (void)state;
    for (int threads = -1; threads <= 50; threads++) {
        record r = {.caller = pthread_self()};
        rls2__crew_job job = {TASKS, work, watch, &r};
        rls2__crew_run(threads, &job);
        for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&r.done[i]), 1);
        assert_int_equal(atomic_load(&r.by_others), threads > 1 ? TASKS : 0);
        assert_int_equal(r.elsewhere, 0);
        if (threads <= 1) assert_int_equal(r.watched, TASKS);
    }
}

static void crew__a_long_last_task__is_watched(void **state)
{
    (void)state;
    record r = {.caller = pthread_self()};
    rls2__crew_job job = {2, slow_work, watch, &r};
    rls2__crew_run(2, &job);
    assert_true(r.watched_before_the_end >= 1);
    assert_int_equal(r.elsewhere, 0);
}

static void crew__no_task__returns(void **state)
{
    (void)state;
    record r = {.caller = pthread_self()};
    rls2__crew_job job = {0, work, watch, &r};
    rls2__crew_run(4, &job);
    assert_int_equal(r.watched, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crew__any_number_of_threads__every_task_once),
        cmocka_unit_test(crew__a_long_last_task__is_watched),
        cmocka_unit_test(crew__no_task__returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
