/* Units of work: each computed once, the same for any number of threads, kept where the work is
 * stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "experiments/units.h"
#include "support/command.h"

enum { COUNT = 40, WIDTH = 2 };

/* What the units are told, and what becomes of them. */
typedef struct work {
    atomic_int computed;
    int64_t fails_at; /* -1: none */
} work;

static void name_of(const void *user, int64_t unit, char key[UNIT_KEY_ROOM])
{
    (void)user;
    snprintf(key, UNIT_KEY_ROOM, "unit/%d", (int)unit);
}

static rls2_status compute(const void *user, int64_t unit, units_watcher *watch, double *values,
                           rls2_error *err)
{
    work *w = (work *)(uintptr_t)user;
    units_watch(watch, NULL);
    if (w->fails_at >= 0 && unit >= w->fails_at)
        return experiment_fail(err, RLS2_ERR_NUMERIC, "it does not work");
    atomic_fetch_add(&w->computed, 1);
    values[0] = 1.0 / (double)(unit + 3);
    values[1] = (double)(unit * unit);
    return RLS2_OK;
}

static units all_of(work *w)
{
    return (units){.stage = "stage",
                   .count = COUNT,
                   .width = WIDTH,
                   .before = 100,
                   .total = 100 + COUNT,
                   .user = w,
                   .key = name_of,
                   .compute = compute};
}

/* Stops at the given number of units done, and sees that it is called as it should be. */
typedef struct listener {
    pthread_t caller;
    int64_t stop_at, last;
} listener;

static int listen(void *user, const rls2_progress *progress)
{
    listener *l = user;
    assert_true(pthread_equal(l->caller, pthread_self()));
    assert_string_equal(progress->stage, "stage");
    assert_int_equal(progress->total, 100 + COUNT);
    assert_true(progress->done >= l->last && progress->done <= progress->total);
    l->last = progress->done;
    return progress->done >= l->stop_at;
}

static rls2_status run(const char *name, int threads, work *w, listener *l, double *values,
                       rls2_error *err)
{
    reproduction r = {.threads = threads, .progress = l ? listen : NULL, .progress_user = l};
    units all = all_of(w);
    journal *j = NULL;
    assert_int_equal(journal_open(folder(), name, "test", &j, NULL), RLS2_OK);
    rls2_status status = units_run(&r, &all, j, values, err);
    assert_int_equal(units_are_done(&all, j), status == RLS2_OK);
    journal_close(j);
    return status;
}

static void assert_all_there(const double *values)
{
    for (int i = 0; i < COUNT; i++) {
        assert_true(values[i * WIDTH] == 1.0 / (double)(i + 3));
        assert_true(values[i * WIDTH + 1] == (double)(i * i));
    }
}

static void run__any_number_of_threads__gives_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two", "five"};
    static const int threads[] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        work w = {.fails_at = -1};
        double values[COUNT * WIDTH] = {0};
        listener l = {.caller = pthread_self(), .stop_at = 1000};
        assert_int_equal(run(names[i], threads[i], &w, &l, values, NULL), RLS2_OK);
        assert_int_equal(w.computed, COUNT);
        assert_int_equal(l.last, 100 + COUNT);
        assert_all_there(values);
    }
}

static void run__stopped_and_run_again__computes_only_the_rest(void **state)
{
    (void)state;
    work w = {.fails_at = -1};
    double values[COUNT * WIDTH] = {0};
    listener l = {.caller = pthread_self(), .stop_at = 110};
    rls2_error err = {0};
    assert_int_equal(run("stopped", 1, &w, &l, values, &err), RLS2_ERR_CANCELLED);
    assert_non_null(strstr(err.message, "stopped"));
    int first = w.computed;
    assert_true(first >= 10 && first < COUNT);
    memset(values, 0, sizeof values);
    assert_int_equal(run("stopped", 2, &w, NULL, values, NULL), RLS2_OK);
    assert_true(w.computed == COUNT);
    assert_all_there(values);
    assert_int_equal(run("stopped", 2, &w, NULL, values, NULL),
                     RLS2_OK); /* nothing is left to do */
    assert_true(w.computed == COUNT);
}

static void run__a_unit_fails__says_which(void **state)
{
    (void)state;
    work w = {.fails_at = 7};
    double values[COUNT * WIDTH];
    rls2_error err = {0};
    assert_int_equal(run("failing", 1, &w, NULL, values, &err), RLS2_ERR_NUMERIC);
    assert_string_equal(err.message, "unit/7: it does not work");
    w.fails_at = -1;
    assert_int_equal(run("failing", 2, &w, NULL, values, NULL), RLS2_OK);
    assert_true(w.computed == COUNT); /* the seven before it were kept */
    assert_all_there(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run__any_number_of_threads__gives_the_same),
        cmocka_unit_test(run__stopped_and_run_again__computes_only_the_rest),
        cmocka_unit_test(run__a_unit_fails__says_which),
    };
    return cmocka_run_group_tests_name("unit.units", tests, folder_make, folder_remove);
}
