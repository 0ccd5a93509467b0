/* Who waits for a cross-validation is told of it while it goes on, from the thread that called, and
 * heard.
 *
 * * There are so many splits that they cannot be over before the caller was asked a first time: no
 * clock is looked at. */
#include <pthread.h>

#include "support/cv_table.h"
#include "support/cv_run.h"

enum { SPLITS = 20000 };

typedef struct watcher {
    pthread_t caller;
    int64_t calls, calls_of_others, stopped_at;
    int64_t calls_after; /* it said stop */
} watcher;

/* Says stop as soon as splits are finished. */
static int watch(void *user, const rls2_progress *at)
{
    watcher *it = user;
    it->calls++;
    it->calls_of_others += !pthread_equal(pthread_self(), it->caller);
    it->calls_after += it->stopped_at > 0;
    if (at->done > 0 && it->stopped_at == 0) it->stopped_at = at->done;
    return at->done > 0;
}

static void assert_heard(int threads)
{
    cv_data data = cv_data_make(3);
    rls2_table *table = cv_data_table(&data, 0);
    rls2__recipe recipe = cv_recipe("y1", "linear@each", 0);
    rls2_splits *splits = NULL;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    watcher it = {.caller = pthread_self()};
    rls2_cv *cv = NULL;
    rls2_error err;
    assert_ok(rls2_splits_random(data.n, NULL, SPLITS, 0.5, 1, &splits, &err), &err);
    options.threads = threads;
    options.progress = watch;
    options.progress_user = &it;
    assert_int_equal(cv_run(table, &recipe, splits, &options, &cv, &err), RLS2_ERR_CANCELLED);
    assert_null(cv);
    assert_int_equal(it.calls_of_others, 0);
    assert_int_equal(it.calls_after, 0);
    assert_true(it.stopped_at > 0 && it.stopped_at < SPLITS); /* not only at the end */
    rls2_splits_free(splits);
    rls2_table_free(table);
}

static void cv_run__one_thread__asks_after_a_split_and_stops(void **state)
{
    (void)state;
    assert_heard(1);
}

static void cv_run__several_threads__ask_while_they_work_and_stop(void **state)
{
    (void)state;
    assert_heard(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__one_thread__asks_after_a_split_and_stops),
        cmocka_unit_test(cv_run__several_threads__ask_while_they_work_and_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
