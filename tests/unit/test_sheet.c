/* Sheets: what is written in each form, escaped as it must be, whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/experiment.h"
#include "experiments/sheet.h"
#include "support/command.h"

static const double X[] = {1, 2}, Y[] = {3, 4};
static const chart_line LINE = {.name = "<line>", .count = 2, .x = X, .y = Y};
static const chart_panel PANEL = {.title = "t", .line_count = 1, .lines = &LINE};
static const chart CHART = {1, 1, &PANEL};
static const char *const COLUMNS[] = {"data <set>", "ours", "paper", "alike"};

static const char HOSTILE[] =
    "<script>alert(\"1\")</script> & 'x' | a, b; \\ *c* _d_ [e](f) `g`\nsecond \xff line";

/* Every kind of thing there is. */
static sheet *example(const char *name)
{
    sheet *s = sheet_create(name, "Results <of> & \"more\"");
    assert_non_null(s);
    assert_true(sheet_paragraph(s, "%s: %d", HOSTILE, 7));
    assert_true(sheet_table(s, "tab1", HOSTILE, 4, COLUMNS));
    assert_true(sheet_row(s) && sheet_text(s, HOSTILE) && sheet_mean(s, 2.0 / 3.0, 0.25, "%.2f"));
    assert_true(sheet_number(s, 0.1 + 0.2, "%.3f") && sheet_truth(s, 1));
    assert_true(sheet_row(s) && sheet_text(s, "none") && sheet_number(s, NAN, "%.2f"));
    assert_true(sheet_mean(s, NAN, NAN, "%.2f") && sheet_truth(s, 0));
    assert_true(sheet_row(s) && sheet_text(s, "odd") && sheet_mean(s, 1.0, NAN, "%.1f"));
    assert_true(sheet_number(s, -1e-9, "%.2f"));
    assert_true(sheet_figure(s, "fig01", HOSTILE, &CHART));
    assert_true(sheet_table(s, "tab2", "empty", 1, COLUMNS));
    assert_true(sheet_fact(s, "seconds", 1.5) && sheet_fact(s, "gap \"x\"", NAN));
    return s;
}

static void write_it(const sheet *s)
{
    rls2_error err = {0};
    if (sheet_write(s, folder(), &err) != RLS2_OK) fail_msg("%s", err.message);
}

static char *text_of(const char *name)
{
    return read_text(in_folder(name), NULL);
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);
}

/* ---- forms ---- */

static void write__json__reads_back_exactly(void **state)
{
    (void)state;
    json_error_t error;
    sheet *s = example("json");
    write_it(s);
    json_t *root = json_load_file(in_folder("json/tables.json"), 0, &error);
    if (!root) fail_msg("%s", error.text);
    assert_keys(root, "experiment title version facts text tables figures");
    assert_string_equal(text_at(root, "experiment"), "json");
    assert_string_equal(text_at(root, "version"), rls2_version());
    assert_true(number_at(root, "facts.seconds") == 1.5);
    assert_true(json_is_null(at(root, "facts.gap \"x\"")));
    assert_true(number_at(root, "tables.0.rows.0.1.mean") == 2.0 / 3.0);
    assert_true(number_at(root, "tables.0.rows.0.1.deviation") == 0.25);
    assert_true(number_at(root, "tables.0.rows.0.2") == 0.1 + 0.2);
    assert_true(json_is_true(at(root, "tables.0.rows.0.3")));
    assert_true(json_is_null(at(root, "tables.0.rows.1.1")));
    assert_true(json_is_null(at(root, "tables.0.rows.1.2")));
    assert_true(json_is_false(at(root, "tables.0.rows.1.3")));
    assert_true(json_is_null(at(root, "tables.0.rows.2.1.deviation")));
    assert_true(json_is_null(at(root, "tables.0.rows.2.3"))); /* never filled */
    assert_int_equal(json_array_size(at(root, "tables.1.rows")), 0);
    assert_string_equal(text_at(root, "figures.0.file"), "fig01.svg");
    const char *text = text_at(root, "tables.0.rows.0.0");
    assert_memory_equal(text, HOSTILE, strlen(HOSTILE) - strlen("\xff line"));
    assert_says(text, "second \xef\xbf\xbd line");
    json_decref(root);
    sheet_free(s);
}

static void write__csv__quotes_what_it_must(void **state)
{
    (void)state;
    sheet *s = example("csv");
    write_it(s);
    char *text = text_of("csv/tab1.csv"), *empty = text_of("csv/tab2.csv");
    assert_says(text,
                "data <set>,ours,paper,alike\n\"<script>alert(\"\"1\"\")</script> & 'x' | a, b;");
    assert_says(text, " line\",0.67 (0.25),0.300,yes\nnone,,,no\nodd,1.0,0.00,\n");
    assert_string_equal(empty, "data <set>\n");
    free(text);
    free(empty);
    sheet_free(s);
}

static void write__markdown__is_taken_literally(void **state)
{
    (void)state;
    sheet *s = example("markdown");
    write_it(s);
    char *text = text_of("markdown/tables.md");
    assert_says(text, "# Results &lt;of> &amp; \"more\"\n");
    assert_says(text,
                "| data &lt;set> | ours | paper | alike |\n|---|---:|---:|---|\n| &lt;script>");
    assert_says(
        text,
        "'x' \\| a, b; \\\\ \\*c\\* \\_d\\_ \\[e\\](f) \\`g\\` second \xef\xbf\xbd line | 0.67 "
        "(0.25) | 0.300 | yes |\n");
    assert_says(text, "| none |  |  | no |\n");
    assert_says(text, "](fig01.svg)\n");
    assert_null(strstr(text, "<script"));
    free(text);
    sheet_free(s);
}

static void write__html__has_no_markup_of_others(void **state)
{
    (void)state;
    sheet *s = example("html");
    write_it(s);
    char *text = text_of("html/page.html");
    assert_says(text, "<section id=\"html\">\n<h2>Results &lt;of&gt; &amp; &quot;more&quot;</h2>");
    assert_says(text, "<td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; |");
    assert_says(text, "<td class=\"number\">0.67 (0.25)</td>");
    assert_says(text, "<img src=\"html/fig01.svg\" alt=\"&lt;script&gt;alert(&quot;1");
    assert_says(text, rls2_version());
    assert_null(strstr(text, "<script"));
    free(text);
    sheet_free(s);
}

static void print__at_a_terminal__is_aligned_and_plain(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    sheet *s = sheet_create("print", "Title");
    sheet_table(s, "t", "Caption \033[31m", 3, COLUMNS);
    sheet_row(s), sheet_text(s, "größe"), sheet_number(s, 1.0, "%.2f"), sheet_text(s, "\033]0;x");
    sheet_row(s), sheet_text(s, "b"), sheet_number(s, 100.0, "%.2f");
    FILE *file = open_memstream(&text, &length);
    sheet_print(s, file);
    fclose(file);
    assert_string_equal(text, "Title\n\nCaption \\x1b[31m\n\n  data <set>    ours  paper\n"
                              "  größe         1.00  \\x1b]0;x\n  b           100.00\n\n");
    free(text);
    sheet_free(s);
}

/* Caveats stand between the tables; no line is longer than 80 characters, and no word is lost. */
static void print__paragraphs__are_filled_where_they_stand(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    sheet *s = sheet_create("print", "Title");
    sheet_paragraph(s, "Before \033[31m the table.");
    sheet_table(s, "t", "Caption", 1, COLUMNS);
    sheet_paragraph(
        s, "%s",
        "123456789 123456789 123456789 123456789 123456789 123456789 123456789 1234567890 "
        "123456789 last.");
    FILE *file = open_memstream(&text, &length);
    sheet_print(s, file);
    fclose(file);
    assert_string_equal(
        text, "Title\n\nBefore \\x1b[31m the table.\n\nCaption\n\n  data <set>\n\n"
              "123456789 123456789 123456789 123456789 123456789 123456789 123456789 1234567890\n"
              "123456789 last.\n\n");
    free(text);
    sheet_free(s);
}

/* ---- files ---- */

static void write__twice__has_the_same_bytes_and_leaves_nothing_else(void **state)
{
    (void)state;
    sheet *s = example("twice");
    write_it(s);
    char *before = text_of("twice/tables.json"), *svg = text_of("twice/fig01.svg");
    write_it(s);
    char *after = text_of("twice/tables.json");
    assert_string_equal(before, after);
    assert_memory_equal(svg, "<svg", 4);
    printed files = shell("ls -A $T/twice | grep -v png");
    assert_string_equal(files.out,
                        "fig01.svg\npage.html\ntab1.csv\ntab2.csv\ntables.json\ntables.md\n");
    printed_free(&files);
    free(before);
    free(after);
    free(svg);
    sheet_free(s);
}

static void write__where_it_cannot__fails_and_says_where(void **state)
{
    (void)state;
    rls2_error err;
    sheet *s = example("nowhere");
    write_text("file", "x");
    assert_int_equal(sheet_write(s, in_folder("file"), &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "/file"));
    assert_int_equal(sheet_write(s, "/proc/none", &err), RLS2_ERR_IO);
    assert_int_equal(sheet_write(s, "", NULL), RLS2_ERR_IO);
    sheet_free(s);
    sheet_free(NULL);
}

/* A folder in the place of a file: the file cannot be renamed to it, and no temporary one stays. */
static void write__one_file_fails__leaves_no_half_file(void **state)
{
    (void)state;
    sheet *s = example("half");
    assert_int_equal(mkdir(in_folder("half"), 0777), 0);
    assert_int_equal(mkdir(in_folder("half/tables.md"), 0777), 0);
    assert_int_equal(sheet_write(s, folder(), NULL), RLS2_ERR_IO);
    printed files = shell("ls -A $T/half | grep 'tables.md.' || true");
    assert_string_equal(files.out, "");
    printed_free(&files);
    sheet_free(s);
}

static void write__png__where_the_program_is_there(void **state)
{
    (void)state;
    rls2_error err = {0};
    sheet *s = example("png");
    setenv("RLS2_RSVG_CONVERT", "/nowhere/rsvg", 1);
    assert_false(sheet_has_png());
    write_it(s);
    assert_int_not_equal(access(in_folder("png/fig01.png"), F_OK), 0);
    setenv("RLS2_RSVG_CONVERT", "false", 1); /* it fails: said, and no file */
    assert_true(sheet_has_png());
    assert_int_equal(sheet_write(s, folder(), &err), RLS2_ERR_IO);
    assert_non_null(strstr(err.message, "fig01.svg: false could not make a PNG of it"));
    assert_int_not_equal(access(in_folder("png/fig01.png"), F_OK), 0);
    unsetenv("RLS2_RSVG_CONVERT");
    if (sheet_has_png()) {
        write_it(s);
        char *png = text_of("png/fig01.png");
        assert_memory_equal(png, "\x89PNG", 4);
        free(png);
    }
    sheet_free(s);
}

static void index__of_those_that_are_there__shows_them_in_order(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"second", "missing", "first"};
    static const char *const ARGUMENTS[] = {"second", "it --solver <other>", "first"};
    rls2_error err = {0};
    for (int i = 0; i < 3; i += 2) {
        sheet *s = example(NAMES[i]);
        write_it(s);
        sheet_free(s);
    }
    if (sheet_index(folder(), 3, NAMES, ARGUMENTS, &err) != RLS2_OK) fail_msg("%s", err.message);
    char *text = text_of("index.html");
    const char *second = strstr(text, "<section id=\"second\">"),
               *first = strstr(text, "<section id=\"first\">");
    assert_true(second && first && second < first);
    assert_says(
        text,
        "<li>missing: not computed yet (<code>rls2 reproduce it --solver &lt;other&gt;</code>)");
    assert_says(text, "<a href=\"#first\">Results &lt;of&gt; &amp; &quot;more&quot;</a>");
    assert_says(text, "src=\"first/fig01.svg\"");
    assert_says(text, rls2_version());
    assert_null(strstr(text, "<script"));
    assert_string_equal(text + strlen(text) - 8, "</html>\n");
    free(text);
    assert_int_equal(sheet_index(in_folder("no-folder"), 3, NAMES, ARGUMENTS, &err), RLS2_ERR_IO);
}

/* ---- misuse ---- */

static void assert_misused(sheet *s, const char *part)
{
    rls2_error err;
    assert_int_equal(sheet_write(s, folder(), &err), RLS2_ERR_ARGUMENT);
    assert_says(err.message, part);
    sheet_free(s);
}

static void add__what_makes_no_sense__fails_when_written(void **state)
{
    (void)state;
    sheet *s = sheet_create("misuse", "t");
    assert_false(sheet_row(s));
    assert_misused(s, "a row needs a table");
    s = sheet_create("misuse", "t");
    sheet_table(s, "t", "c", 1, COLUMNS);
    assert_false(sheet_text(s, "cell"));
    assert_misused(s, "'t': a cell needs a row");
    s = sheet_create("misuse", "t");
    sheet_table(s, "t", "c", 1, COLUMNS);
    sheet_row(s);
    sheet_text(s, "cell");
    assert_false(sheet_number(s, 1.0, "%g"));
    assert_misused(s, "more cells than columns");
    static const char *const IDS[] = {"", "../x", "a/b", ".x", "tables", "page", "a b"};
    for (size_t i = 0; i < sizeof IDS / sizeof IDS[0]; i++) {
        s = sheet_create("misuse", "t");
        assert_false(sheet_figure(s, IDS[i], "c", &CHART));
        assert_misused(s, "id");
    }
    s = sheet_create("misuse", "t");
    sheet_table(s, "t", "c", 1, COLUMNS);
    assert_false(sheet_figure(s, "t", "c", &CHART));
    assert_misused(s, "there already");
    assert_misused(sheet_create("../up", "t"), "the name");
}

/* ---- what experiments share ---- */

static double value_at(const void *values, int64_t i)
{
    return ((const double *)values)[i];
}

static void moments__leave_out_what_is_not_a_number(void **state)
{
    (void)state;
    const double values[] = {1.0, NAN, 2.0, 6.0};
    experiment_moments m = experiment_moments_by(4, value_at, values);
    assert_int_equal(m.count, 3);
    assert_true(m.mean == 3.0 && fabs(m.deviation - sqrt(7.0)) < 1e-15);
    m = experiment_moments_by(1, value_at, values);
    assert_true(m.count == 1 && m.mean == 1.0 && m.deviation == 0.0);
    m = experiment_moments_by(1, value_at, values + 1);
    assert_true(m.count == 0 && isnan(m.mean));
}

/* The numbers must never change: results of a seed are quoted. */
static void random__of_a_seed__is_what_it_was_and_spread_as_it_should(void **state)
{
    (void)state;
    experiment_random a, b;
    double sum = 0.0, squares = 0.0, uniform = 0.0;
    experiment_random_seed(&a, 0);
    /* splitmix64 of 0, as published with it */
    assert_true(a.state[0] == 0xe220a8397b1dcdafu && a.state[1] == 0x6e789e6aa1b965f4u);
    b = a;
    for (int i = 0; i < 100000; i++) {
        double u = experiment_random_uniform(&a);
        assert_true(u >= 0.0 && u < 1.0);
        uniform += u / 100000;
        double z = experiment_random_normal(&a);
        sum += z / 100000;
        squares += z * z / 100000;
    }
    assert_true(fabs(uniform - 0.5) < 0.005 && fabs(sum) < 0.015 && fabs(squares - 1.0) < 0.02);
    experiment_random_seed(&a, 1);
    assert_true(experiment_random_uniform(&a) != experiment_random_uniform(&b));
}

static void find__in_several_folders__takes_the_first_that_has_it(void **state)
{
    (void)state;
    const char *folders[] = {in_folder("nowhere"), in_folder("one"), in_folder("two")};
    reproduction r = {.folders = folders, .folder_count = 3};
    char path[512];
    printed made = shell("mkdir -p $T/one/both $T/two && touch $T/one/a $T/two/a $T/two/both");
    printed_free(&made);
    assert_true(experiment_find(&r, "a", path, sizeof path));
    assert_string_equal(path, in_folder("one/a"));
    assert_true(experiment_find(&r, "both", path, sizeof path)); /* a folder is no file */
    assert_string_equal(path, in_folder("two/both"));
    assert_false(experiment_find(&r, "c", path, sizeof path));
    assert_false(experiment_find(&r, "a", path, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(write__json__reads_back_exactly),
        cmocka_unit_test(write__csv__quotes_what_it_must),
        cmocka_unit_test(write__markdown__is_taken_literally),
        cmocka_unit_test(write__html__has_no_markup_of_others),
        cmocka_unit_test(print__at_a_terminal__is_aligned_and_plain),
        cmocka_unit_test(print__paragraphs__are_filled_where_they_stand),
        cmocka_unit_test(write__twice__has_the_same_bytes_and_leaves_nothing_else),
        cmocka_unit_test(write__where_it_cannot__fails_and_says_where),
        cmocka_unit_test(write__one_file_fails__leaves_no_half_file),
        cmocka_unit_test(write__png__where_the_program_is_there),
        cmocka_unit_test(index__of_those_that_are_there__shows_them_in_order),
        cmocka_unit_test(add__what_makes_no_sense__fails_when_written),
        cmocka_unit_test(moments__leave_out_what_is_not_a_number),
        cmocka_unit_test(random__of_a_seed__is_what_it_was_and_spread_as_it_should),
        cmocka_unit_test(find__in_several_folders__takes_the_first_that_has_it),
    };
    return cmocka_run_group_tests_name("unit.sheet", tests, folder_make, folder_remove);
}
