/* Plans completed on files: both passes can be stopped, and statistics are what they were where
 * others cannot be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rls2/model.h"
#include "rls2/plan.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 30000 };

static char path[] = "/tmp/rls2-source-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    FILE *file = fdopen(mkstemp(path), "w");
    if (!file) return -1;
    fputs("a,b,y\n", file);
    for (int i = 0; i < ROWS; i++) fprintf(file, "%d.5,%d,%d\n", i * 7919 % 10007, i % 7, i % 101);
    return fclose(file);
}

static int remove_file(void **state)
{
    (void)state;
    return remove(path);
}

static rls2_plan *plan_for(const char *target)
{
    rls2_error err;
    rls2_plan *plan = NULL;
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err), &err);
    assert_ok(rls2_plan_set(plan, "target", target, &err), &err);
    assert_ok(rls2_plan_set(plan, "kernels", "rbf(1)@each", &err), &err);
    assert_ok(rls2_plan_set(plan, "lambda", "0.1", &err), &err);
    return plan;
}

static int stop(void *user, const rls2_progress *at)
{
    (void)user;
    (void)at;
    return 1;
}

static rls2_control stopping(void)
{
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.progress = stop;
    return control;
}

static void complete_file__stopped__says_so_in_either_pass(void **state)
{
    rls2_error err;
    rls2_stats *stats = NULL;
    rls2_fit *fit = NULL;
    const rls2_control control = stopping();
    (void)state;
    rls2_plan *plan = plan_for("y");
    assert_int_equal(rls2_plan_complete_file(plan, path, &control, &err), RLS2_ERR_CANCELLED);
    rls2_plan_free(plan);
    plan = plan_for("y");
    assert_ok(rls2_plan_complete_file(plan, path, NULL, &err), &err);
    assert_int_equal(rls2_plan_row_count(plan), ROWS);
    assert_int_equal(rls2_plan_count(plan, &control, &stats, &err), RLS2_ERR_CANCELLED);
    assert_null(stats);
    assert_int_equal(rls2_plan_fit(plan, &control, &fit, &err), RLS2_ERR_CANCELLED);
    assert_null(fit);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
}

static void recount__stopped_or_no_such_file__statistics_as_they_were(void **state)
{
    rls2_error err;
    rls2_stats *stats = NULL;
    void *before, *after;
    int64_t length[2];
    const rls2_control control = stopping();
    (void)state;
    rls2_plan *plan = plan_for("y");
    assert_ok(rls2_plan_complete_file(plan, path, NULL, &err), &err);
    assert_ok(rls2_plan_count(plan, NULL, &stats, &err), &err);
    assert_ok(rls2_stats_pack(stats, &before, &length[0], &err), &err);
    assert_int_equal(rls2_plan_recount(plan, stats, path, &control, &err), RLS2_ERR_CANCELLED);
    assert_int_not_equal(rls2_plan_recount(plan, stats, "no such file", NULL, &err), RLS2_OK);
    assert_ok(rls2_plan_recount(plan, stats, path, NULL, &err), &err); /* the same rows */
    assert_ok(rls2_stats_pack(stats, &after, &length[1], &err), &err);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(before, after, (size_t)length[0]);
    rls2_bytes_free(before);
    rls2_bytes_free(after);
    rls2_plan_free(plan);
    rls2_stats_free(stats);
}

/* Rows of the file from now on, one of which has another cell. */
static void write_rows(const char *name, int rows, int other)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("a,b,y\n", file);
    for (int i = 0; i < rows; i++)
        fprintf(file, "%d.5,%d,%d\n", i * 7919 % 10007, i == other ? 3 : i % 7, i % 101);
    fclose(file);
}

static void count__file_that_changed_between_the_passes__says_so(void **state)
{
    static const struct {
        int rows, other;
        const char *message;
    } cases[] = {{ROWS, 20000,
                  " has changed while it was read: it has 30000 rows as before, but "
                  "not the same"},
                 {ROWS - 1, -1, " has changed while it was read: 30000 rows first, then 29999"},
                 {ROWS + 7, -1, " has changed while it was read: 30000 rows first, then 30007"}};
    (void)state;
    for (int threads = 1; threads < 3; threads++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char name[] = "/tmp/rls2-changed-XXXXXX";
            rls2_error err;
            rls2_stats *stats = NULL;
            rls2_control control;
            rls2_control_init(&control, sizeof control);
            control.threads = threads;
            close(mkstemp(name));
            write_rows(name, ROWS, -1);
            rls2_plan *plan = plan_for("y");
            assert_ok(rls2_plan_complete_file(plan, name, &control, &err), &err);
            write_rows(name, cases[i].rows, cases[i].other);
            assert_int_equal(rls2_plan_count(plan, &control, &stats, &err), RLS2_ERR_VALUE);
            assert_memory_equal(err.message, name, strlen(name));
            assert_string_equal(err.message + strlen(name), cases[i].message);
            assert_null(stats);
            rls2_plan_free(plan);
            remove(name);
        }
}

static void prefers_pieces__many_bytes__where_nothing_is_in_the_way(void **state)
{
    rls2_error err;
    (void)state;
    rls2_plan *plan = plan_for("y");
    assert_int_equal(rls2_plan_prefers_pieces(plan, 1e6), 0);
    assert_int_equal(rls2_plan_prefers_pieces(plan, 1e15), 1);
    assert_int_equal(rls2_plan_reads_in_pieces(plan, path), 0);
    assert_ok(rls2_plan_set(plan, "memory", "1M", &err), &err);
    assert_int_equal(rls2_plan_prefers_pieces(plan, 1e6), 0); /* of kernels, unless it is tall */
    assert_ok(rls2_plan_set(plan, "method", "tall", &err), &err);
    assert_int_equal(rls2_plan_prefers_pieces(plan, 1e6), 1);
    assert_int_equal(rls2_plan_prefers_pieces(plan, 3e5), 0);
    assert_ok(rls2_plan_set(plan, "method", "exact", &err), &err);
    assert_int_equal(rls2_plan_prefers_pieces(plan, 1e15), 0);
    assert_int_equal(rls2_plan_prefers_pieces(NULL, 1e15), 0);
    rls2_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_file__stopped__says_so_in_either_pass),
        cmocka_unit_test(prefers_pieces__many_bytes__where_nothing_is_in_the_way),
        cmocka_unit_test(count__file_that_changed_between_the_passes__says_so),
        cmocka_unit_test(recount__stopped_or_no_such_file__statistics_as_they_were),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
