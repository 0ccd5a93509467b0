/* Parquet and Feather files through a program that writes them as CSV: here the shell, and for the
 * real one see the tests of the command. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void write_parquet(char path[64])
{
    strcpy(path, "/tmp/rls2-parquet-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "PAR1....PAR1", 12), 12);
    close(file);
}

/* A shell that runs this text, with the path as $0. */
#define SHELL(text) ((const char *const[]){"sh", "-c", text, NULL})

static rls2_read_options options_with(const char *const *converter)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.converter = converter;
    return options;
}

static void converter__its_csv__is_the_table(void **state)
{
    (void)state;
    char path[64];
    rls2_error err = {0};
    rls2_table *table = NULL;
    const rls2_read_options options =
        options_with(SHELL("head -c 4 \"$0\" >/dev/null && printf '1,2\\n3,4\\n'"));
    write_parquet(path);
    assert_int_equal(rls2_table_read(path, &options, &table, &err), RLS2_OK);
    assert_int_equal(rls2_table_rows(table),
                     1); /* the first line is names, whatever it looks like */
    assert_string_equal(rls2_table_column_name(table, 1), "2");
    assert_true(rls2_table_value(table, 0, 1) == 4);
    rls2_table_free(table);
    unlink(path);
}

static void converter__more_than_a_pipe_holds__comes_in_pieces(void **state)
{
    (void)state;
    char path[64];
    rls2_error err = {0};
    rls2_stream *stream = NULL;
    rls2_table *table = NULL;
    const rls2_read_options options = options_with(SHELL("echo x; seq 1 100000"));
    int64_t rows = 0;
    double sum = 0.0;
    write_parquet(path);
    assert_int_equal(rls2_stream_open(path, &options, &stream, &err), RLS2_OK);
    while (rls2_stream_next(stream, 1000, &table, &err) == RLS2_OK && table) {
        for (int64_t i = 0; i < rls2_table_rows(table); i++) sum += rls2_table_value(table, i, 0);
        rows += rls2_table_rows(table);
        rls2_table_free(table);
    }
    assert_int_equal(rows, 100000);
    assert_true(sum == 100000.0 * 100001.0 / 2.0);
    rls2_stream_close(stream);
    /* one that is not read to its end is ended */
    const rls2_read_options endless = options_with(SHELL("echo x; yes 1"));
    assert_int_equal(rls2_stream_open(path, &endless, &stream, &err), RLS2_OK);
    assert_int_equal(rls2_stream_next(stream, 10, &table, &err), RLS2_OK);
    rls2_table_free(table);
    rls2_stream_close(stream);
    unlink(path);
}

static void assert_fails(const char *const *converter, const char *message)
{
    char path[64], whole[200];
    rls2_error err = {0};
    rls2_table *table = NULL;
    const rls2_read_options options = options_with(converter);
    write_parquet(path);
    assert_int_not_equal(rls2_table_read(path, &options, &table, &err), RLS2_OK);
    snprintf(whole, sizeof whole, "%s: %s", path, message);
    assert_string_equal(err.message, whole);
    assert_null(table);
    unlink(path);
}

static void converter__that_fails__is_quoted(void **state)
{
    (void)state;
    assert_fails(SHELL("echo some; echo first >&2; printf 'the last\\n\\n' >&2; exit 3"),
                 "the last");
    assert_fails(SHELL("printf 'x\\n1\\n'; kill -9 $$"),
                 "sh, which was to write it as CSV, ended early");
    assert_fails((const char *const[]){"no-such-program", NULL},
                 "no-such-program, which is to write it as CSV, cannot be run: No such file or "
                 "directory");
}

/* Whatever is asked for, other files are read as ever, and nothing is started. */
static void converter__of_other_files__is_not_asked(void **state)
{
    (void)state;
    char path[] = "/tmp/rls2-plain-XXXXXX";
    rls2_error err = {0};
    rls2_table *table = NULL;
    const rls2_read_options options = options_with((const char *const[]){"no-such-program", NULL});
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "x\n1\n", 4), 4);
    close(file);
    assert_int_equal(rls2_table_read(path, &options, &table, &err), RLS2_OK);
    rls2_table_free(table);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converter__its_csv__is_the_table),
        cmocka_unit_test(converter__more_than_a_pipe_holds__comes_in_pieces),
        cmocka_unit_test(converter__that_fails__is_quoted),
        cmocka_unit_test(converter__of_other_files__is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
