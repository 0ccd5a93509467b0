/* merge, and show of statistics: what they print, write and refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/made_stats.h"

static void save(const char *file, rls2_stats *stats)
{
    rls2_error err;
    assert_ok(rls2_stats_save(stats, in_folder(file), &err), &err);
    rls2_stats_free(stats);
}

/* Every third row, from that one on. */
static rls2_stats *third(const char *name, int64_t first)
{
    int64_t rows[MADE_STATS_ROWS / 3];
    for (int64_t i = 0; i < MADE_STATS_ROWS / 3; i++) rows[i] = first + 3 * i;
    return made_stats(name, MADE_STATS_ROWS / 3, rows);
}

static int setup(void **state)
{
    folder_make(state);
    save("whole.stats", made_stats_whole("gaps"));
    save("plain.stats", made_stats_whole("plain"));
    save("a.stats", third("gaps", 0));
    save("b.stats", third("gaps", 1));
    save("c.stats", third("gaps", 2));
    write_text("table.csv", "a,b\n1,2\n3,4\n");
    return 0;
}

static void assert_same_files(const char *one, const char *other)
{
    long length[2];
    char *a = read_text(in_folder(one), &length[0]), *b = read_text(in_folder(other), &length[1]);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(a, b, (size_t)length[0]);
    free(a);
    free(b);
}

static void merge__any_order__writes_the_file_of_all_rows(void **state)
{
    (void)state;
    char *text = rls2_out("merge $T/a.stats $T/b.stats $T/c.stats -o $T/abc.stats");
    assert_non_null(strstr(text, "83 rows in 3 files, written to "));
    free(text);
    free(rls2_out("merge $T/c.stats $T/b.stats -o $T/cb.stats"));
    free(rls2_out("merge $T/cb.stats $T/a.stats -o $T/cba.stats"));
    assert_same_files("abc.stats", "whole.stats");
    assert_same_files("cba.stats", "whole.stats");
}

static void merge__json__tells_what_the_sum_holds(void **state)
{
    (void)state;
    json_t *told = rls2_json("merge $T/a.stats $T/b.stats --json");
    assert_keys(told, "merged output rows left_out targets classes row_weights parts seed "
                      "fingerprint sample_rows columns axes kernels");
    assert_int_equal(json_array_size(at(told, "merged")), 2);
    assert_true(json_is_null(at(told, "output")));
    assert_int_equal(number_at(told, "rows") + number_at(told, "left_out"), 60);
    assert_string_equal(text_at(told, "targets.0"), "y");
    assert_string_equal(text_at(told, "axes.0.column"), "a");
    assert_int_equal(number_at(told, "axes.0.points"), 6);
    assert_true(json_is_true(at(told, "axes.2.exact")));
    assert_int_equal(json_array_size(at(told, "kernels")), 3);
    json_decref(told);
}

static void assert_fails(const char *line, int code, const char *message)
{
    printed it = rls2_run("%s", line);
    assert_int_equal(it.code, code);
    if (!strstr(it.err, message)) fail_msg("'%s' is not in '%s'", message, it.err);
    printed_free(&it);
}

static void merge__files_that_do_not_fit__names_them(void **state)
{
    (void)state;
    assert_fails("merge $T/a.stats $T/plain.stats -o $T/no.stats", 1,
                 "plain.stats cannot be merged: column 'b' has other indicators");
    assert_fails("merge $T/a.stats $T/none.stats -o $T/no.stats", 1, "none.stats: ");
    assert_fails("merge $T/table.csv -o $T/no.stats", 1, "table.csv: this is not a file of stat");
    assert_fails("merge $T/a.stats -o $T/a.stats", 2, "a.stats is read and would be overwritten");
    assert_fails("merge -o $T/no.stats", 2, "FILE is missing");
    printed it = shell("test -e $T/no.stats");
    assert_int_equal(it.code, 1);
    printed_free(&it);
}

static void merge__damaged_file__is_named_and_nothing_is_written(void **state)
{
    (void)state;
    printed it = shell("head -c 5000 $T/b.stats > $T/cut.stats");
    printed_free(&it);
    assert_fails("merge $T/a.stats $T/cut.stats -o $T/no.stats", 1,
                 "cut.stats: the file is cut off");
    assert_fails("predict $T/a.stats data/servo.csv", 1,
                 "this is a file of statistics of rls2, not a model");
    it = shell("test -e $T/no.stats");
    assert_int_equal(it.code, 1);
    printed_free(&it);
}

static void show__statistics__tells_rows_axes_and_kernels(void **state)
{
    (void)state;
    char *text = rls2_out("show $T/whole.stats");
    static const char *const lines[] = {
        "target        y, regression\n",  "counted       83 rows, and 7 left out",
        "parts         3, seed 7\n",      "axes that rows are binned on\n",
        "       6 knots           a\n",   "       3 knots, exact    c\n",
        "3 kernels of several columns\n", "Nystroem points rbf(0.5)@a+b\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i])) fail_msg("no '%s' in\n%s", lines[i], text);
    free(text);
    json_t *told = rls2_json("show $T/whole.stats --json");
    assert_int_equal(number_at(told, "rows"), 83);
    json_decref(told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge__any_order__writes_the_file_of_all_rows),
        cmocka_unit_test(merge__json__tells_what_the_sum_holds),
        cmocka_unit_test(merge__files_that_do_not_fit__names_them),
        cmocka_unit_test(merge__damaged_file__is_named_and_nothing_is_written),
        cmocka_unit_test(show__statistics__tells_rows_axes_and_kernels),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
