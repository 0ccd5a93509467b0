/* Results: files that appear whole, JSON, cells, bars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail /* ours is another */

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/output.h"

static const settings NONE = {.command = "test"};

/* ---- files ---- */

typedef struct place {
    char folder[32];
    char path[64];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    strcpy(p->folder, "/tmp/rls2-output-XXXXXX");
    if (!mkdtemp(p->folder)) return -1;
    snprintf(p->path, sizeof p->path, "%s/result", p->folder);
    *state = p;
    return 0;
}

/* Fails if anything but `path` was left behind. */
static int remove_place(void **state)
{
    place *p = *state;
    unlink(p->path);
    int code = rmdir(p->folder);
    free(p);
    return code;
}

static const char *contents(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void write_to(const char *path, const char *text, int keep)
{
    output out;
    assert_int_equal(output_open(&NONE, path, &out), EXIT_OK);
    fputs(text, out.file);
    assert_int_equal(output_close(&NONE, &out, keep), EXIT_OK);
}

static void output_close__kept__puts_the_file_in_place(void **state)
{
    place *p = *state;
    output out;
    struct stat info;
    mode_t mask = umask(022);
    assert_int_equal(output_open(&NONE, p->path, &out), EXIT_OK);
    fputs("new", out.file);
    fflush(out.file);
    assert_null(contents(p->path)); /* not before it is complete */
    assert_int_equal(output_close(&NONE, &out, 1), EXIT_OK);
    umask(mask);
    assert_string_equal(contents(p->path), "new");
    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
}

static void output_close__thrown_away__leaves_the_old_file(void **state)
{
    place *p = *state;
    write_to(p->path, "old", 1);
    write_to(p->path, "new", 0);
    assert_string_equal(contents(p->path), "old");
    write_to(p->path, "new", 1);
    assert_string_equal(contents(p->path), "new");
}

static void output_close__link__replaces_what_it_points_to(void **state)
{
    place *p = *state;
    char link[80];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", p->folder);
    write_to(p->path, "old", 1);
    assert_int_equal(chmod(p->path, 0640), 0);
    assert_int_equal(symlink("result", link), 0);
    write_to(link, "new", 1);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_string_equal(contents(p->path), "new");
    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    unlink(link);
}

static void output_open__device__is_written_into_not_replaced(void **state)
{
    (void)state;
    struct stat info;
    write_to("/dev/null", "text", 1);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void output_close__full_disk__is_an_error(void **state)
{
    (void)state;
    output out;
    if (access("/dev/full", W_OK) != 0) {
        print_message("there is no /dev/full here\n");
        skip();
    }
    assert_int_equal(output_open(&NONE, "/dev/full", &out), EXIT_OK);
    for (int i = 0; i < 10000; i++) fputs("more than a buffer ", out.file);
    assert_int_equal(output_close(&NONE, &out, 1), EXIT_FAILED);
}

/* A full disk once more, played by a limit of the size of files: nothing of the new file is left.
 */
static void output_close__not_all_could_be_written__keeps_the_old(void **state)
{
    place *p = *state;
    struct rlimit before, small;
    output out;
    write_to(p->path, "old", 1);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
    assert_int_equal(output_open(&NONE, p->path, &out), EXIT_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 10000; i++) fputs("more than a buffer ", out.file);
    int code = output_close(&NONE, &out, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(code, EXIT_FAILED);
    assert_string_equal(contents(p->path), "old");
}

static void output_open__impossible_places__are_errors(void **state)
{
    place *p = *state;
    char path[80];
    output out;
    snprintf(path, sizeof path, "%s/nowhere/result", p->folder);
    assert_int_equal(output_open(&NONE, path, &out), EXIT_FAILED);
    assert_int_equal(output_open(&NONE, p->folder, &out), EXIT_FAILED);
    assert_int_equal(output_open(&NONE, "", &out), EXIT_FAILED);
    assert_int_equal(output_close(&NONE, &out, 1), EXIT_OK); /* nothing is open */
}

static void output_open__no_path_or_dash__is_stdout(void **state)
{
    (void)state;
    output out;
    assert_int_equal(output_open(&NONE, NULL, &out), EXIT_OK);
    assert_ptr_equal(out.file, stdout);
    assert_int_equal(output_close(&NONE, &out, 1), EXIT_OK);
    assert_int_equal(output_open(&NONE, "-", &out), EXIT_OK);
    assert_ptr_equal(out.file, stdout);
    assert_int_equal(output_close(&NONE, &out, 1), EXIT_OK);
    assert_true(printf("stdout is still open\n") > 0);
}

/* ---- texts, written to memory ---- */

typedef struct memory {
    FILE *file;
    char *text;
    size_t size;
} memory;

static FILE *memory_open(memory *m)
{
    m->file = open_memstream(&m->text, &m->size);
    assert_non_null(m->file);
    return m->file;
}

static void assert_written(memory *m, const char *expected)
{
    fclose(m->file);
    assert_string_equal(m->text, expected);
    free(m->text);
}

static void json__nested__is_indented_with_commas(void **state)
{
    (void)state;
    memory m;
    json j = json_start(memory_open(&m));
    json_object(&j, NULL);
    json_integer(&j, "n", INT64_MIN);
    json_array(&j, "path");
    json_object(&j, NULL);
    json_number(&j, "gap", 0.1);
    json_truth(&j, "done", 3);
    json_end_object(&j);
    json_number(&j, NULL, NAN);
    json_number(&j, NULL, -INFINITY);
    json_end_array(&j);
    json_array(&j, "none");
    json_end_array(&j);
    json_text(&j, "target", NULL);
    json_end_object(&j);
    json_finish(&j);
    assert_written(&m,
                   "{\n  \"n\": -9223372036854775808,\n  \"path\": [\n    {\n      \"gap\": 0.1,\n"
                   "      \"done\": true\n    },\n    null,\n    null\n  ],\n  \"none\": [],\n"
                   "  \"target\": null\n}\n");
}

static void json__inline_depth__keeps_deeper_ones_on_a_line(void **state)
{
    (void)state;
    memory m;
    json j = json_start(memory_open(&m));
    j.inline_depth = 3;
    json_object(&j, NULL);
    json_array(&j, "path");
    for (int i = 0; i < 2; i++) {
        json_object(&j, NULL);
        json_integer(&j, "i", i);
        json_array(&j, "d");
        json_integer(&j, NULL, 1);
        json_integer(&j, NULL, 2);
        json_end_array(&j);
        json_end_object(&j);
    }
    json_end_array(&j);
    json_end_object(&j);
    json_finish(&j);
    assert_written(&m, "{\n  \"path\": [\n    {\"i\": 0, \"d\": [1, 2]},\n    {\"i\": 1, \"d\": "
                       "[1, 2]}\n  ]\n}\n");
}

static void json_text__any_bytes__stay_valid(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a\"b\\c\n\t\x01\x7f", "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\""},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\xe9t\xe9", "\"\\ufffdt\\ufffd\""},                     /* Latin-1 */
        {"\xc0\xaf", "\"\\ufffd\\ufffd\""},                       /* overlong */
        {"\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\""},            /* overlong */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            /* surrogate */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* beyond the last */
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},                       /* cut off */
        {"\xf0\x9f\x98", "\"\\ufffd\\ufffd\\ufffd\""},            /* cut off */
        {"", "\"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m;
        json j = json_start(memory_open(&m));
        json_text(&j, NULL, cases[i].text);
        assert_written(&m, cases[i].json);
    }
}

static void number_text__reads_back_and_is_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {1e-6, "1e-06"},
                 {-0.0, "-0"},
                 {1e22, "1e+22"},
                 {123456.0, "123456"},
                 {NAN, "nan"},
                 {INFINITY, "inf"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    const double more[] = {DBL_MAX, -DBL_MAX,          DBL_MIN,
                           5e-324,  1.0 + DBL_EPSILON, 9007199254740993.0};
    char buffer[32];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(number_text(cases[i].value, buffer), cases[i].text);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        assert_true(strtod(number_text(more[i], buffer), NULL) == more[i]);
}

static void csv_text__quotes_what_must_be(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"},     {"", ""},
        {"a,b", "\"a,b\""},     {"say \"x\"", "\"say \"\"x\"\"\""},
        {"a\nb", "\"a\nb\""},   {" edge", "\" edge\""},
        {"in side", "in side"}, {"a;b", "\"a;b\""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m;
        csv_text(memory_open(&m), cases[i][0]);
        assert_written(&m, cases[i][1]);
    }
}

static void bar__share__fills_width_and_pads(void **state)
{
    (void)state;
    static const struct {
        double share;
        const char *text;
    } cases[] = {{0.0, "          "}, {0.5, "#####     "},  {1.0, "##########"},
                 {2.0, "##########"}, {1e-9, "#         "}, {-1.0, "          "},
                 {NAN, "          "}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memory m;
        bar(memory_open(&m), cases[i].share, 10);
        assert_written(&m, cases[i].text);
    }
}

#define with_place(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        with_place(output_close__kept__puts_the_file_in_place),
        with_place(output_close__thrown_away__leaves_the_old_file),
        with_place(output_close__not_all_could_be_written__keeps_the_old),
        with_place(output_close__link__replaces_what_it_points_to),
        cmocka_unit_test(output_open__device__is_written_into_not_replaced),
        cmocka_unit_test(output_close__full_disk__is_an_error),
        with_place(output_open__impossible_places__are_errors),
        cmocka_unit_test(output_open__no_path_or_dash__is_stdout),
        cmocka_unit_test(json__nested__is_indented_with_commas),
        cmocka_unit_test(json__inline_depth__keeps_deeper_ones_on_a_line),
        cmocka_unit_test(json_text__any_bytes__stay_valid),
        cmocka_unit_test(number_text__reads_back_and_is_short),
        cmocka_unit_test(csv_text__quotes_what_must_be),
        cmocka_unit_test(bar__share__fills_width_and_pads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
