/* Tables that are read in pieces: what is learned of them is what is learned in memory, for any
 * threads, order and partition of the rows; what is refused; and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/random.h"
#include "support/command.h"

/* Pieces, whatever the size of the file. */
#define PIECES "--tall --memory 1K "

/* Kernels of one column and of two, which have features. */
#define SOME "-k 'rbf(1)@each; rbf(1)@a,b' "

static char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s", in_folder(name));
    return path;
}

/* Numbers, few numbers, categories, dates, missing cells; rows in an order of their own. */
static void write_rows(const char *name, int first, int last, int step)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs("a,b,t,d,w,y,k\n", file);
    for (int i = first; i != last; i += step) {
        rls2__random random;
        rls2__random_seed(&random, (uint64_t)i + 7);
        double a = rls2__random_normal(&random);
        int b = (int)rls2__random_below(&random, 9), t = (int)rls2__random_below(&random, 3);
        double y = sin(2.0 * a) + 0.1 * b * b + t + 0.3 * rls2__random_normal(&random);
        fprintf(file, "%.6f,", a);
        if (i % 17 != 3) fprintf(file, "%d", b);
        fprintf(file, ",%.*s,2024-%02d-%02d,%d,", i % 23 != 5, &"uvw"[t], 1 + i % 12, 1 + i % 28,
                1 + i % 3);
        if (i % 31 != 9) fprintf(file, "%.6f", y);
        fprintf(file, ",%s\n", y > 2.5 ? "high" : y > 0.5 ? "low" : "none");
    }
    fclose(file);
}

enum { ROWS = 900 };

static int setup(void **state)
{
    folder_make(state);
    write_rows("table.csv", 0, ROWS, 1);
    write_rows("turned.csv", ROWS - 1, -1, -1);
    write_rows("one.csv", 0, 400, 1);
    write_rows("two.csv", 400, ROWS, 1);
    return 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

static double objective(const char *arguments)
{
    json_t *root = rls2_json("train $T/%s --json -q", arguments);
    double value = number_at(root, "path.0.objective");
    json_decref(root);
    return value;
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

static void assert_says(const char *arguments, const char *part)
{
    printed it = rls2_run("%s", arguments);
    if (it.code == 0 || !strstr(it.err, part))
        fail_msg("rls2 %s (%d) does not say '%s': %s", arguments, it.code, part, it.err);
    printed_free(&it);
}

static void pieces__few_rows__objective_of_the_fit_in_memory(void **state)
{
    static const char *const cases[] = {
        "-t y --drop k --missing impute -k 'rbf(1)@each; linear@each' --lambda 0.01",
        "-t y --drop k --missing impute -k 'rbf(1)@each' --row-weights w --lambda 0.01",
        "-t y --drop k --missing drop -k 'rbf(1)@each' --lambda 0.001",
        "-t y --drop k --missing impute -k 'linear' --no-standardize --lambda 1",
        "-t k --drop y --missing impute -k 'spline@each' --lambda 0.01",
        "-t y -t b --drop k --missing impute -k 'poly(2)@each' --lambda 0.1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[512];
        snprintf(line, sizeof line, "table.csv --tall %s", cases[i]);
        double whole = objective(line);
        snprintf(line, sizeof line, "table.csv " PIECES "%s", cases[i]);
        assert_near(objective(line), whole, 1e-9);
        snprintf(line, sizeof line, "turned.csv " PIECES "%s", cases[i]);
        assert_near(objective(line), whole, 1e-9);
    }
}

static void pieces__threads_and_seeds__same_bits_for_the_same_seed(void **state)
{
    (void)state;
#define FIT "train $T/table.csv -t y --drop k " SOME "-q " PIECES
    free(rls2_out(FIT "--threads 1 -o $T/1.model"));
    free(rls2_out(FIT "--threads 3 -o $T/3.model"));
    assert_same_files("1.model", "3.model");
    json_t *one = rls2_json(FIT "--json"), *again = rls2_json(FIT "--json --seed 0"),
           *other = rls2_json(FIT "--json --seed 1");
    assert_true(number_at(one, "cv.cvm") == number_at(again, "cv.cvm"));
    assert_true(number_at(one, "cv.cvm") != number_at(other, "cv.cvm"));
    assert_near(number_at(other, "cv.cvm"), number_at(one, "cv.cvm"), 0.1);
    json_decref(one);
    json_decref(again);
    json_decref(other);
#undef FIT
}

/* The error of left-out rows, from counts alone, is about that of the rows. */
static void pieces__curve__as_in_memory(void **state)
{
    (void)state;
#define FIT "train $T/table.csv -t y --drop k -q --json --missing impute -k 'rbf(1)@each' --tall "
    json_t *pieces = rls2_json(FIT "--memory 1K"), *whole = rls2_json(FIT);
    assert_near(number_at(pieces, "cv.cvm"), number_at(whole, "cv.cvm"), 0.02);
    assert_int_equal((int)number_at(pieces, "n"), (int)number_at(whole, "n"));
    json_decref(pieces);
    json_decref(whole);
#undef FIT
}

/* ---- statistics ---- */

static void stats__pieces_in_any_order__the_fit_of_all_rows(void **state)
{
    (void)state;
#define LIKE " -q --like $T/one.stats -o $T/"
    free(rls2_out("stats $T/one.csv -t y --drop k " SOME "-q -o $T/one.stats"));
    free(rls2_out("stats $T/one.csv --threads 3" LIKE "again.stats"));
    free(rls2_out("stats $T/two.csv" LIKE "two.stats"));
    free(rls2_out("stats $T/table.csv --threads 1" LIKE "all.stats"));
    free(rls2_out("stats $T/turned.csv --threads 2" LIKE "turned.stats"));
    free(rls2_out("merge $T/one.stats $T/two.stats -q -o $T/both.stats"));
    free(rls2_out("merge $T/two.stats $T/one.stats -q -o $T/other.stats"));
    assert_same_files("again.stats", "one.stats");
    assert_same_files("both.stats", "other.stats");
    double all = objective("all.stats " SOME "--lambda 0.01");
    assert_true(objective("both.stats " SOME "--lambda 0.01") == all);
    assert_true(objective("turned.stats " SOME "--lambda 0.01") == all);
    json_t *root = rls2_json("train $T/both.stats " SOME "-q --json");
    assert_int_equal((int)number_at(root, "n"), ROWS - ROWS / 31);
    json_decref(root);
#undef LIKE
}

static void stats__of_a_file__the_fit_of_the_file(void **state)
{
    (void)state;
    free(rls2_out("stats $T/table.csv -t y --drop k -k 'rbf(1)@each' -q -o $T/t.stats"));
    double file = objective("table.csv -t y --drop k -k 'rbf(1)@each' --lambda 0.01 " PIECES);
    assert_near(objective("t.stats -k 'rbf(1)@each' --lambda 0.01"), file, 1e-9);
    printed it = rls2_run("train $T/t.stats -k 'rbf(1)@each' --lambda 0.01");
    assert_int_equal(it.code, 0);
    assert_non_null(strstr(it.err, "t.stats: statistics of "));
    printed_free(&it);
}

static void stats__other_columns__are_refused(void **state)
{
    (void)state;
    write_text("short.csv", "a,b,t,d,w,k\n1,2,u,2024-01-01,1,low\n");
    write_text("kind.csv", "a,b,t,d,w,y,k\n1,2,u,2024-01-01,1,2,low\nx,2,u,2024-01-01,1,2,low\n");
    write_text("far.csv", "a,b,t,d,w,y,k\n1,2,u,2024-01-01,1,2e9,low\n");
    free(rls2_out("stats $T/one.csv -t y --drop k " SOME "-q -o $T/one.stats"));
    assert_says("stats $T/short.csv -q --like $T/one.stats -o $T/no.stats", "no column 'y'");
    assert_says("stats $T/kind.csv -q --like $T/one.stats -o $T/no.stats", "kind.csv:3");
    assert_says("stats $T/far.csv -q --like $T/one.stats -o $T/no.stats", "far.csv:2: column 'y'");
    assert_says("stats $T/one.csv -t y --like $T/one.stats -o $T/no.stats", "--target and --like");
    assert_says("train $T/one.stats --missing drop", "--missing does not go together");
    assert_says("train $T/one.stats --folds 3", "the statistics have 10 folds");
    assert_says("train $T/one.stats --exact", "--method exact does not go together");
    assert_null(fopen(in_folder("no.stats"), "r"));
}

/* ---- what is refused ---- */

static void pieces__what_needs_the_rows__is_refused(void **state)
{
    (void)state;
    assert_says("stats $T/table.csv -t z -o $T/no.stats", "no column 'z'");
    assert_says("stats - -t y -o $T/no.stats </dev/null", "");
    assert_says("stats $T/table.csv -t y --test-rows w=1 -o $T/no.stats", "--test-rows");
    assert_null(fopen(in_folder("no.stats"), "r"));
}

/* A cell that is no number, far behind what a sample would show. */
static void pieces__slip__is_told_with_file_row_and_column(void **state)
{
    enum { SLIP = 30000 };
    FILE *file = fopen(path_of("slip.csv"), "w");
    (void)state;
    fputs("a,y\n", file);
    for (int i = 0; i < SLIP + 10; i++)
        if (i == SLIP)
            fputs("oops,1\n", file);
        else
            fprintf(file, "%d.5,%d.25\n", i, 3 * i);
    fclose(file);
    assert_says("stats $T/slip.csv -t y -q -o $T/no.stats", "slip.csv:30002: column 'a': 'oops'");
    assert_null(fopen(in_folder("no.stats"), "r"));
    printed cut = shell("gzip -c $T/slip.csv | head -c 60000 >$T/cut.csv.gz");
    printed_free(&cut);
    assert_says("stats $T/cut.csv.gz -t y -q -o $T/no.stats", "cut.csv.gz");
    assert_null(fopen(in_folder("no.stats"), "r"));
}

/* ---- memory ---- */

static void write_many(const char *name, int rows)
{
    FILE *file = fopen(path_of(name), "w");
    for (int i = 0; i <= rows; i++)
        if (i == 0)
            fputs("a,b,c,y\n", file);
        else
            fprintf(file, "%lld.25,%d,%d,%d\n", i * 7919LL % 10007, i % 13, i * 31 % 1009, i % 101);
    fclose(file);
}

static long largest_child(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_maxrss; /* kilobytes, or bytes */
}

static void pieces__five_times_the_rows__no_more_memory(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* which keeps what is freed */
#endif
#define MANY "-q -t y -k 'rbf(1)@each' --threads 2 --lambda 0.1 " PIECES
    write_many("many.csv", 80000);
    write_many("more.csv", 400000); /* 8 MB, 40 as a table */
    free(rls2_out("train $T/many.csv " MANY));
    double before = (double)largest_child();
    free(rls2_out("train $T/more.csv " MANY));
    assert_true((double)largest_child() < 1.1 * before);
#undef MANY
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces__few_rows__objective_of_the_fit_in_memory),
        cmocka_unit_test(pieces__threads_and_seeds__same_bits_for_the_same_seed),
        cmocka_unit_test(pieces__curve__as_in_memory),
        cmocka_unit_test(stats__pieces_in_any_order__the_fit_of_all_rows),
        cmocka_unit_test(stats__of_a_file__the_fit_of_the_file),
        cmocka_unit_test(stats__other_columns__are_refused),
        cmocka_unit_test(pieces__what_needs_the_rows__is_refused),
        cmocka_unit_test(pieces__slip__is_told_with_file_row_and_column),
        cmocka_unit_test(pieces__five_times_the_rows__no_more_memory),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
