/* Reading piece by piece: the same rows and the same refusals as reading whole, whatever the size
 * of the pieces and of the buffer; from memory, files, pipes and the standard input, compressed or
 * not. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "formats/stream.h"
#include "support/gzip.h"
#include "support/pieces.h"

static const int64_t piece_rows[] = {1, 2, 3, 7};
static const int64_t rooms[] = {1, 3, 8, 100};
enum { PIECES = sizeof piece_rows / sizeof *piece_rows, ROOMS = sizeof rooms / sizeof *rooms };

static rls2_read_options csv_options(void)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_CSV;
    return options;
}

static void assert_same_in_pieces(const char *text, int64_t length,
                                  const rls2_read_options *options)
{
    for (int p = 0; p < PIECES; p++) {
        for (int r = 0; r < ROOMS; r++) {
            const char *difference =
                pieces_differ("t.csv", text, length, options, piece_rows[p], rooms[r]);
            if (difference)
                fail_msg("%s in pieces of %d rows, room %d, header %d: \"%.*s\"", difference,
                         (int)piece_rows[p], (int)rooms[r], options->header, (int)length, text);
        }
    }
}

/* With and without header, delimiters given and found. */
static void assert_same_in_all_ways(const char *text, int64_t length)
{
    static const char *const missing[] = {"1", "NA"};
    rls2_read_options options = csv_options();
    for (options.header = -1; options.header <= 1; options.header++) {
        options.delimiter = 0;
        assert_same_in_pieces(text, length, &options);
        options.delimiter = ',';
        options.na = missing;
        options.na_count = 2;
        assert_same_in_pieces(text, length, &options);
        options.na_count = -1;
    }
}

static void stream__texts_of_all_kinds__equal_the_whole(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\xEF\xBB\xBF",
        "\xEF\xBB\xBF"
        "a,b\n1,2\n",
        "a",
        "a\n",
        "a,b\n",
        "a\n1\n\n2\n\n",
        "a\n\n\n",
        "\n\n1,2\n\n3,4\n",
        "\n1\n\n2",
        "\n\n",
        " \n\t\n1;2\n3;4\n",
        "a,b\r\n1,2\r\n\r\n3,4\r",
        "a,b\n1,\"x\ny\"\n\"p\"\"q\n\"\"\",2\n3,4\n5\n",
        "a;b\n1;2,5\n3;4\n",
        "a\tb\n1\t\n\t\n \t2\n",
        "\"a,b\";c\n1;2\n",
        "\"a\nb\",c\n1,2\n3,4\n",
        "a,b\n1,2\n3,\"never\n4,5\n",
        "a,b\n1,2\n3,4\"5\n6,7\n",
        "a,b\n\"1\"x,2\n3,4\n",
        "a,b\n1,2\r3,4\n",
        "a,b\n1,2,3\n4,5\n",
        "a,b\n1,2\n3,4\n5\n",
        "a,a\n1,2\n",
        ",b\n1,2\n",
        "a,b\n\"\"\n",
        "a,b\n \n1,2\n   ",
        "x1,x2\nNA,1\n1,NA\n0,0\n",
        "a,b\n1,2\n,\n",
        "a\n\"\"\n1\n",
        "a,b\n\"1\"\"",
        "a,b\n1,\"\"",
        "1 1:2\n",
        "a,b\n 1 , 2 \n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same_in_all_ways(texts[i], (int64_t)strlen(texts[i]));
    assert_same_in_all_ways("a,b\n1,\0002\n3,4\n", 13);
    assert_same_in_all_ways("a,b\n\"1\0\"\n\",2\n3,4\n", 18);
}

static void stream__random_texts__equal_the_whole(void **state)
{
    (void)state;
    static const char alphabet[] = "\"\",,\n\n\n\r 1NAe.\t;-";
    rls2__random random;
    rls2__random_seed(&random, 11);
    for (int i = 0; i < 4000; i++) {
        char text[48] = "p,q\n";
        int64_t from = i % 3 ? 4 : 0, length = from + rls2__random_below(&random, 40);
        for (int64_t k = from; k < length; k++)
            text[k] = alphabet[rls2__random_below(&random, sizeof alphabet)];
        assert_same_in_all_ways(text, length);
    }
}

/* Texts without faults: random cells, quoted at random, of a random width. */
static int64_t write_table(rls2__random *random, char *text, int64_t columns)
{
    static const char *const cells[] = {"1.5",
                                        "-2e3",
                                        "",
                                        "abc",
                                        "\"a,b\"",
                                        "\"two\nlines\"",
                                        "\"say \"\"no\"\"\"",
                                        " 7 ",
                                        "\"\"",
                                        " \"x\" ",
                                        "12345678901234567890.5"};
    int64_t used = 0, rows = 1 + rls2__random_below(random, 12);
    for (int64_t i = 0; i <= rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            used += i == 0
                        ? sprintf(text + used, "%sc%d", j ? "," : "", (int)j)
                        : sprintf(text + used, "%s%s", j ? "," : "",
                                  cells[rls2__random_below(random, sizeof cells / sizeof *cells)]);
        if (i < rows || rls2__random_below(random, 2))
            used += sprintf(text + used, "%s", rls2__random_below(random, 2) ? "\n" : "\r\n");
        if (rls2__random_below(random, 5) == 0) used += sprintf(text + used, " \n");
    }
    return used;
}

static void stream__generated_tables__equal_the_whole(void **state)
{
    (void)state;
    char text[8192];
    rls2__random random;
    rls2__random_seed(&random, 12);
    for (int i = 0; i < 500; i++)
        assert_same_in_all_ways(text,
                                write_table(&random, text, 1 + rls2__random_below(&random, 5)));
}

static void stream__compressed_text__equals_the_whole(void **state)
{
    (void)state;
    char text[8192];
    rls2__random random;
    rls2__random_seed(&random, 13);
    for (int i = 0; i < 50; i++) {
        gzip_bytes packed = gzip(text, write_table(&random, text, 3));
        rls2_read_options options = csv_options();
        assert_same_in_pieces(packed.data, packed.length, &options);
        assert_same_in_pieces(packed.data, packed.length - 3, &options); /* cut */
        free(packed.data);
    }
}

/* What tells a file of another program may stand well behind its first bytes. */
static void stream__files_of_other_programs__are_refused_as_whole(void **state)
{
    (void)state;
    static const char model[] = "12345678{\"__metadata__\":1,b\n1,2\n";
    static const char workbook[] =
        "PK\x03\x04 of so many bytes and then[Content_Types].xml,b\n1,2\n";
    assert_same_in_all_ways(model, sizeof model - 1);
    assert_same_in_all_ways(workbook, sizeof workbook - 1);
}

static void stream__row_longer_than_the_buffer__is_read(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    char *text = malloc(LONG + 100);
    assert_non_null(text);
    int64_t used = sprintf(text, "a,b\n1,\"");
    memset(text + used, 'x', LONG);
    used += LONG;
    used += sprintf(text + used, "\"\n2,y\n");
    rls2_read_options options = csv_options();
    assert_null(pieces_differ("t.csv", text, used, &options, 1, 64));
    assert_null(pieces_differ("t.csv", text, used, &options, 5, 1 << 20));
    free(text);
}

static void stream__other_formats__come_as_one_piece(void **state)
{
    (void)state;
    const char *text = "1 1:2 3:4.5\n-1 2:1\n";
    int64_t length = (int64_t)strlen(text);
    gzip_bytes packed = gzip(text, length);
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    for (int r = 0; r < ROOMS; r++) {
        const char *difference = pieces_differ("t", text, length, &options, 100, rooms[r]);
        if (difference) fail_msg("%s", difference);
        difference = pieces_differ("t.svm.gz", packed.data, packed.length, &options, 100, rooms[r]);
        if (difference) fail_msg("%s", difference);
        assert_null(pieces_differ("t.npy", "\x93NUMPY but broken", 17, &options, 100, rooms[r]));
        assert_null(pieces_differ("t.csv", "MATLAB 5.0 MAT-file", 19, &options, 100, rooms[r]));
    }
    free(packed.data);
}

/* ---- files ---- */

/* The rows of all pieces of two rows, and the sum of their first column. */
static int64_t count_rows(rls2_stream *stream, double *sum)
{
    int64_t rows = 0;
    rls2_table *piece = NULL;
    rls2_error err = {.message = ""};
    for (;;) {
        assert_int_equal(rls2_stream_next(stream, 2, &piece, &err), RLS2_OK);
        if (!piece) return rows;
        for (int64_t i = 0; i < rls2_table_rows(piece); i++) *sum += rls2_table_value(piece, i, 0);
        rows += rls2_table_rows(piece);
        rls2_table_free(piece);
    }
}

static void stream__file__has_all_rows_and_then_none(void **state)
{
    (void)state;
    rls2_stream *stream = NULL;
    rls2_table *whole = NULL, *piece = NULL;
    double sum = 0.0, expected = 0.0;
    assert_int_equal(rls2_table_read("data/housing.csv", NULL, &whole, NULL), RLS2_OK);
    for (int64_t i = 0; i < rls2_table_rows(whole); i++) expected += rls2_table_value(whole, i, 0);
    assert_int_equal(rls2_stream_open("data/housing.csv", NULL, &stream, NULL), RLS2_OK);
    assert_int_equal(count_rows(stream, &sum), rls2_table_rows(whole));
    assert_true(sum == expected);
    assert_int_equal(rls2_stream_next(stream, 1, &piece, NULL), RLS2_OK);
    assert_null(piece);
    rls2_stream_close(stream);
    rls2_table_free(whole);
}

static void stream__standard_input_that_is_a_pipe__is_read(void **state)
{
    (void)state;
    rls2_stream *stream = NULL;
    double sum = 0.0;
    int ends[2], before = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        char row[32];
        close(ends[0]);
        if (write(ends[1], "a;b\n", 4) != 4) _exit(1);
        for (int i = 1; i <= 20000; i++) { /* a few bytes at a time */
            int size = snprintf(row, sizeof row, "%d;\"x\ny\"\n", i);
            if (write(ends[1], row, (size_t)size) != size) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(rls2__stream_open_room("-", NULL, 1000, &stream, NULL), RLS2_OK);
    assert_int_equal(count_rows(stream, &sum), 20000);
    assert_true(sum == 20000.0 * 20001.0 / 2.0);
    rls2_stream_close(stream);
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    close(before);
    waitpid(writer, NULL, 0);
}

static void stream__kinds__are_those_of_the_piece(void **state)
{
    (void)state;
    rls2_read_options options = csv_options();
    rls2_stream *stream = NULL;
    rls2_table *piece = NULL;
    const char *text = "a\n1\nx\n";
    assert_int_equal(rls2__stream_open_memory("t.csv", text, 6, &options, 10, &stream, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_stream_next(stream, 1, &piece, NULL), RLS2_OK);
    assert_int_equal(rls2_table_is_numeric(piece, 0), 1);
    rls2_table_free(piece);
    assert_int_equal(rls2_stream_next(stream, 1, &piece, NULL), RLS2_OK);
    assert_int_equal(rls2_table_is_numeric(piece, 0), 0);
    assert_int_equal(rls2_table_line(piece, 0), 3);
    rls2_table_free(piece);
    rls2_stream_close(stream);
}

static void stream__option_texts__may_be_gone_after_opening(void **state)
{
    (void)state;
    char word[] = "NA";
    const char *missing[] = {word};
    rls2_read_options options = csv_options();
    rls2_stream *stream = NULL;
    rls2_table *piece = NULL;
    options.na = missing;
    options.na_count = 1;
    assert_int_equal(
        rls2__stream_open_memory("t.csv", "a,b\nNA,1\n", 9, &options, 10, &stream, NULL), RLS2_OK);
    word[0] = 'X';
    assert_int_equal(rls2_stream_next(stream, 9, &piece, NULL), RLS2_OK);
    assert_int_equal(rls2_table_missing(piece, 0), 1);
    rls2_table_free(piece);
    rls2_stream_close(stream);
}

static void stream__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_stream *stream = NULL;
    rls2_table *piece = NULL;
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_stream_open(NULL, NULL, &stream, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument path is NULL");
    assert_int_equal(rls2_stream_open("data/cpu.csv", NULL, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument stream is NULL");
    assert_int_equal(rls2_stream_open("no/such.csv", NULL, &stream, &err), RLS2_ERR_IO);
    assert_string_equal(err.message, "no/such.csv: no such file");
    assert_null(stream);
    assert_int_equal(rls2_stream_open("data/cpu.csv", NULL, &stream, &err), RLS2_OK);
    assert_int_equal(rls2_stream_next(NULL, 1, &piece, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument stream is NULL");
    assert_int_equal(rls2_stream_next(stream, 0, &piece, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "rows is 0, not at least 1");
    assert_int_equal(rls2_stream_next(stream, 1, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
    rls2_stream_close(stream);
    rls2_stream_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream__texts_of_all_kinds__equal_the_whole),
        cmocka_unit_test(stream__random_texts__equal_the_whole),
        cmocka_unit_test(stream__generated_tables__equal_the_whole),
        cmocka_unit_test(stream__compressed_text__equals_the_whole),
        cmocka_unit_test(stream__files_of_other_programs__are_refused_as_whole),
        cmocka_unit_test(stream__row_longer_than_the_buffer__is_read),
        cmocka_unit_test(stream__other_formats__come_as_one_piece),
        cmocka_unit_test(stream__file__has_all_rows_and_then_none),
        cmocka_unit_test(stream__standard_input_that_is_a_pipe__is_read),
        cmocka_unit_test(stream__kinds__are_those_of_the_piece),
        cmocka_unit_test(stream__option_texts__may_be_gone_after_opening),
        cmocka_unit_test(stream__wrong_arguments__are_refused),
    };
    return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
