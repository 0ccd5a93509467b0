/* Tasks of one computation: each done once, by any number of threads, until it is stopped. */
#include "support/unit_support.h"

#include <time.h>

#include "base/effort.h"

enum { TASKS = 200 };

typedef struct record {
    atomic_int done[TASKS];
    int asked;
    int stop_at; /* call of the callback that says stop; 0: none */
    int64_t heard;
    double share;
    pthread_t owner;
    int elsewhere;
} record;

static int listen(void *user, const rls2_progress *progress)
{
    record *r = user;
    r->elsewhere += !pthread_equal(pthread_self(), r->owner);
    r->heard = progress->done;
    r->share = progress->share;
    return ++r->asked == r->stop_at;
}

static void quick(void *user, int64_t task, int thread)
{
    record *r = user;
    assert_in_range(thread, 0, 63);
    atomic_fetch_add(&r->done[task], 1);
}

static void slow(void *user, int64_t task, int thread)
{
    struct timespec pause = {.tv_nsec = 5000000};
    quick(user, task, thread);
    nanosleep(&pause, NULL);
}

static void effort__any_number_of_threads__every_task_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        record r = {.owner = pthread_self()};
        rls2_control control = {sizeof control, threads, listen, NULL, &r};
        rls2__effort effort;
        rls2__effort_begin(&control, "kernels", TASKS, &effort);
        assert_int_equal(rls2__effort_each(&effort, TASKS, quick, &r), RLS2_OK);
        for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&r.done[i]), 1);
    }
}

static void by_the_caller(void *user, int64_t task, int thread)
{
    const record *r = user;
    assert_true(pthread_equal(pthread_self(), r->owner));
    quick(user, task, thread);
}

static void effort_each_worth__little_work__by_the_caller_alone(void **state)
{
    (void)state;
    record r = {.owner = pthread_self()};
    rls2_control control = {sizeof control, 3, listen, NULL, &r};
    rls2__effort effort;
    rls2__effort_begin(&control, "kernels", TASKS, &effort);
    assert_int_equal(rls2__effort_each_worth(&effort, 1000.0, TASKS, by_the_caller, &r), RLS2_OK);
    assert_int_equal(rls2__effort_each_worth(&effort, 1e9, TASKS, quick, &r), RLS2_OK);
    for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&r.done[i]), 2);
}

static void effort__stopped__no_further_task_begins(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        record r = {.owner = pthread_self(), .stop_at = 2};
        rls2_control control = {sizeof control, threads, listen, NULL, &r};
        rls2__effort effort;
        int done = 0;
        rls2__effort_begin(&control, "kernels", TASKS, &effort);
        assert_int_equal(rls2__effort_each(&effort, TASKS, slow, &r), RLS2_ERR_CANCELLED);
        for (int i = 0; i < TASKS; i++) done += atomic_load(&r.done[i]);
        assert_in_range(done, 1, TASKS - 1);
        assert_int_equal(r.asked, 2); /* who said stop is not asked again */
        assert_int_equal(r.elsewhere, 0);
        assert_int_equal(rls2__effort_each(&effort, TASKS, quick, &r), RLS2_ERR_CANCELLED);
        assert_int_equal(rls2__effort_status(&effort), RLS2_ERR_CANCELLED);
    }
}

static void effort__told__callback_hears_it_at_once(void **state)
{
    (void)state;
    record r = {.owner = pthread_self()};
    rls2_control control = {sizeof control, 1, listen, NULL, &r};
    rls2__effort effort;
    rls2__effort_begin(&control, "path", 9, &effort);
    rls2_progress progress = {.stage = "path", .done = 4, .total = 9};
    assert_int_equal(rls2__effort_tell(&effort, &progress), 0);
    assert_int_equal(r.heard, 4);
}

static void effort__alone__never_stopped(void **state)
{
    (void)state;
    record r = {.owner = pthread_self()};
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    assert_int_equal(rls2__effort_each(&effort, TASKS, quick, &r), RLS2_OK);
    assert_int_equal(rls2__effort_stopped(&effort), 0);
}

static void effort__work_is_counted__share_that_never_falls(void **state)
{
    (void)state;
    record r = {.owner = pthread_self()};
    rls2_control control = {sizeof control, 1, listen, NULL, &r};
    const rls2_progress at = {.stage = "kernels", .total = 4};
    rls2__effort effort;
    rls2__effort_begin(&control, "kernels", 4, &effort);
    rls2__effort_tell(&effort, &at);
    assert_true(r.share == 0.0); /* nobody counts */
    rls2__effort_expect(&effort, 8);
    rls2__effort_count(&effort, 4);
    rls2__effort_tell(&effort, &at);
    assert_true(r.share == 0.5);
    rls2__effort_expect(&effort, 16); /* more than was thought */
    rls2__effort_tell(&effort, &at);
    assert_true(r.share == 0.5);
    rls2__effort_count(&effort, 100);
    rls2__effort_tell(&effort, &at);
    assert_true(r.share == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effort__work_is_counted__share_that_never_falls),
        cmocka_unit_test(effort__any_number_of_threads__every_task_once),
        cmocka_unit_test(effort_each_worth__little_work__by_the_caller_alone),
        cmocka_unit_test(effort__stopped__no_further_task_begins),
        cmocka_unit_test(effort__told__callback_hears_it_at_once),
        cmocka_unit_test(effort__alone__never_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
