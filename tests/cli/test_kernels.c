/* rls2 kernels: the list, the caret, and a forecast that the memory in use never exceeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "support/command.h"
#include "support/standardize.h"

typedef struct dictionary_case {
    const char *file;
    const char *target;
    const char *spec; /* NULL: the default, paper */
    int standardize;
} dictionary_case;

static const dictionary_case CASES[] = {
    {"data/servo.csv", "rise_time", NULL, 0},
    {"data/servo.csv", "rise_time", "linear", 0},
    {"data/servo.csv", "rise_time",
     "delta@each; laplace(0.1:10:3)@all,each; matern(0.5|1.5|2.5)@each", 0},
    {"data/heart.csv", "class", NULL, 1},
    {"data/heart.csv", "class", "linear@all; poly(1..5)@each; spline", 1},
    {"data/heart.csv", "class", "rbf(1e-6:1e6:7)@all,each", 0},
    {"data/sonar.csv", "class", "rbf(1e-3:1e3:4)@V1..V9,each", 1},
    {"data/sonar.csv", "class", "linear@all; linear@V1+V2+V3; linear@each; poly(2)@V1+V2", 0},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct made_basis {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
} made_basis;

static made_basis make_basis(const dictionary_case *it)
{
    made_basis made = {0};
    rls2_error err = {0};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_basis_options basis;
    rls2_basis_options_init(&basis, sizeof basis);
    options.target = it->target;
    basis.skip_degenerate = 1;
    assert_int_equal(rls2_table_read_csv(it->file, &made.table, &err), RLS2_OK);
    assert_int_equal(rls2_dataset_create(made.table, &options, &made.data, &err), RLS2_OK);
    if (it->standardize) standardize(made.data);
    rls2_columns columns = {.count = rls2_dataset_columns(made.data),
                            .names = rls2_dataset_names(made.data)};
    assert_int_equal(
        rls2_dictionary_create(it->spec ? it->spec : "paper", &columns, &made.dictionary, &err),
        RLS2_OK);
    rls2_rows rows = {
        .n = rls2_dataset_rows(made.data), .p = columns.count, .x = rls2_dataset_x(made.data)};
    assert_int_equal(rls2_basis_create(made.dictionary, &rows, &basis, NULL, &made.basis, &err),
                     RLS2_OK);
    return made;
}

static void free_basis(made_basis *made)
{
    rls2_basis_free(made->basis);
    rls2_dictionary_free(made->dictionary);
    rls2_dataset_free(made->data);
    rls2_table_free(made->table);
}

static json_t *list_kernels(const dictionary_case *it)
{
    return rls2_json("kernels %s -t %s -k '%s' %s -q --json", it->file, it->target,
                     it->spec ? it->spec : "paper",
                     it->standardize ? "--standardize" : "--no-standardize");
}

static void kernels__forecast__is_never_below_what_is_used(void **state)
{
    (void)state;
    for (int i = 0; i < CASE_COUNT; i++) {
        json_t *root = list_kernels(&CASES[i]);
        made_basis made = make_basis(&CASES[i]);
        double most = number_at(root, "bytes.most"), used = (double)rls2_basis_bytes(made.basis);
        if (most < used)
            fail_msg("%s, %s: %g bytes forecast, %g used", CASES[i].file,
                     CASES[i].spec ? CASES[i].spec : "paper", most, used);
        assert_true(number_at(root, "bytes.typical") <= most &&
                    number_at(root, "bytes.typical") >= 0.0);
        free_basis(&made);
        json_decref(root);
    }
}

static void kernels__json__lists_every_kernel_of_the_dictionary(void **state)
{
    (void)state;
    for (int i = 0; i < CASE_COUNT; i++) {
        json_t *root = list_kernels(&CASES[i]), *names = at(root, "kernels");
        made_basis made = make_basis(&CASES[i]);
        assert_keys(root, "n m bytes seconds columns kernels");
        assert_keys(at(root, "bytes"), "typical most fit limit");
        assert_true(number_at(root, "seconds") > 0.0);
        assert_true(number_at(root, "bytes.fit") > 0.0);
        int64_t m = rls2_dictionary_count(made.dictionary);
        assert_int_equal((int64_t)number_at(root, "n"), rls2_dataset_rows(made.data));
        assert_int_equal((int64_t)number_at(root, "m"), m);
        assert_int_equal(json_array_size(names), m);
        for (int64_t k = 0; k < m; k++)
            assert_string_equal(json_string_value(json_array_get(names, (size_t)k)),
                                rls2_dictionary_name(made.dictionary, k));
        free_basis(&made);
        json_decref(root);
    }
}

/* Within the limit that the forecast says all is stored; far below, not, which is said, and the
 * result is the same. */
static void path__memory_limit__agrees_with_the_forecast(void **state)
{
    (void)state;
    json_t *root = rls2_json("kernels data/heart.csv -t class -q --json");
    double most = number_at(root, "bytes.most");
    printed all = rls2_run("path data/heart.csv -t class --lambda 1 --memory %.0f", most);
    printed few = rls2_run("path data/heart.csv -t class --lambda 1 --memory %.0f", most / 100.0);
    assert_int_equal(all.code, 0);
    assert_int_equal(few.code, 0);
    assert_null(strstr(all.err, "are recomputed whenever"));
    assert_non_null(strstr(few.err, "of 148 kernels do not fit in memory"));
    char *line = rls2_out("kernels data/heart.csv -t class -q --memory %.0f", most / 100.0);
    assert_non_null(strstr(line, "are stored (--memory), the others recomputed"));
    free(line);
    printed_free(&all);
    printed_free(&few);
    json_decref(root);
}

static void kernels__linear__need_no_memory_beyond_the_table(void **state)
{
    (void)state;
    char *alone = rls2_out("kernels data/servo.csv -t rise_time -q -k linear");
    assert_non_null(strstr(alone, "\nrls2 train: a few seconds at most, about "));
    assert_null(strstr(alone, "\nkernels:"));
    assert_null(strstr(alone, " 0 bytes"));
    free(alone);
    char *together = rls2_out("kernels data/servo.csv -t rise_time -q -k linear@all");
    assert_non_null(strstr(together, " if all are stored, at most "));
    free(together);
}

/* Of 35 MB: rows with a long text that is left out, so that it is written and read quickly. */
static void write_large(const char *path, int rows)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("a,b,remark,y\n", file);
    for (int i = 0; i < rows; i++)
        fprintf(file, "%.6f,%d,%010000d,%.6f\n", sin(i), i % 7, i, cos(2.0 * i));
    assert_int_equal(fclose(file), 0);
}

static void kernels__large_file__is_read_in_pieces_and_binned(void **state)
{
    (void)state;
    write_large(in_folder("large.csv"), 3500);
    printed it = rls2_run("kernels $T/large.csv -t y --drop remark");
    assert_int_equal(it.code, 0);
    assert_non_null(strstr(it.err, "read in pieces\n"));
    assert_non_null(strstr(it.out, " on 3500 rows, 2 columns\nrls2 train: rows are binned, "));
    assert_null(strstr(it.out, "\nkernels:")); /* what an exact fit would store */
    printed_free(&it);
    json_t *told = rls2_json("kernels $T/large.csv -t y --drop remark --json -q");
    assert_int_equal(number_at(told, "n"), 3500);
    assert_string_equal(text_at(told, "method"), "tall");
    assert_true(json_is_null(at(told, "bytes.typical")));
    assert_true(number_at(told, "bytes.fit") > 0.0);
    json_decref(told);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static void kernels__top__lists_that_many_and_counts_the_rest(void **state)
{
    (void)state;
    static const int TOPS[] = {1, 20, 168, 169, 170, 0};
    for (int i = 0; i < 6; i++) {
        char *out = rls2_out("kernels data/servo.csv -t rise_time -k paper -q --top %d", TOPS[i]);
        int listed = TOPS[i] == 0 || TOPS[i] > 169 ? 169 : TOPS[i];
        char rest[64];
        snprintf(rest, sizeof rest, "\n... and %d more; --top 0 lists all\n", 169 - listed);
        assert_non_null(strstr(out, "169 kernels on 167 rows, 12 columns\n"));
        /* five columns under a heading, between blank lines */
        assert_int_equal(count_lines(out), 4 + 7 + listed + (listed < 169));
        assert_true((strstr(out, rest) != NULL) == (listed < 169));
        free(out);
    }
}

/* The caret stands under the character that is wrong; two blanks are before the text. */
static void assert_caret(const char *options, const char *message, const char *text, int position)
{
    char expected[256];
    snprintf(expected, sizeof expected, "%s\n  %s\n  %*s^\n", message, text, position, "");
    printed it = rls2_run("kernels data/servo.csv -t rise_time -q %s", options);
    assert_int_equal(it.code, 2);
    assert_string_equal(it.out, "");
    if (!strstr(it.err, expected)) fail_msg("expected:\n%s\ngot:\n%s", expected, it.err);
    printed_free(&it);
}

static void kernels__wrong_text__is_shown_with_a_caret(void **state)
{
    (void)state;
    assert_caret("-k 'rbf(0.1@each'", "expected ',' or ')'", "rbf(0.1@each", 7);
    assert_caret("-k 'linear; fbr(1)'", "", "linear; fbr(1)", 8);
    assert_caret("-k linear -k 'fbr(1)'", "", "linear; fbr(1)", 8);
    assert_caret("-k 'linear@vgian'", "unknown column 'vgian' (did you mean 'vgain'?)",
                 "linear@vgian", 7);
    assert_caret("-k 'poly(0)'", "", "poly(0)", 5);
    assert_caret("-k 'given(g)'", "", "given(g)", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels__forecast__is_never_below_what_is_used),
        cmocka_unit_test(kernels__json__lists_every_kernel_of_the_dictionary),
        cmocka_unit_test(path__memory_limit__agrees_with_the_forecast),
        cmocka_unit_test(kernels__linear__need_no_memory_beyond_the_table),
        cmocka_unit_test(kernels__large_file__is_read_in_pieces_and_binned),
        cmocka_unit_test(kernels__top__lists_that_many_and_counts_the_rest),
        cmocka_unit_test(kernels__wrong_text__is_shown_with_a_caret),
    };
    return cmocka_run_group_tests_name("cli.kernels", tests, folder_make, folder_remove);
}
