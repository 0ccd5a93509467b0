/* Numpy arrays in pieces: the same rows and the same refusals as read whole, of every type, by rows
 * and by columns, from memory, files and compressed; an array that was cut says up to where it is
 * whole. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/random.h"
#include "formats/stream.h"
#include "support/gzip.h"
#include "support/pieces.h"

enum { ROOM = 4096 };

typedef struct array {
    char bytes[ROOM];
    int64_t length, start;
} array;

static const char *const types[] = {"|b1", "|i1", "|u1", "<i2", ">i2", "<u2", ">u2",
                                    "<i4", ">i4", "<u4", ">u4", "<f4", ">f4", "<f8",
                                    ">f8", "<i8", ">i8", "<u8", ">u8"};
enum { TYPES = sizeof types / sizeof *types };

static array made_array(const char *type, int fortran, int64_t rows, int64_t columns)
{
    array a = {.bytes = "\x93NUMPY\1"};
    char text[128];
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n",
                 type, fortran ? "True" : "False", (int)rows, (int)columns);
    a.bytes[8] = (char)length;
    memcpy(a.bytes + 10, text, (size_t)length);
    a.start = 10 + length;
    a.length = a.start + rows * columns * (type[2] - '0');
    assert_true(a.length <= ROOM);
    return a;
}

/* Small numbers, so that every type holds them; of floats whatever is finite. */
static void fill(array *a, const char *type, rls2__random *random)
{
    int size = type[2] - '0', last = type[0] == '>' ? size - 1 : 0;
    int top = type[0] == '>' ? 0 : size - 1;
    for (int64_t i = a->start; i < a->length; i += size) {
        if (type[1] == 'f')
            for (int k = 0; k < size; k++)
                a->bytes[i + k] = (char)rls2__random_below(random, k == top ? 127 : 256);
        else
            a->bytes[i + last] = (char)rls2__random_below(random, 128);
    }
}

static void assert_same_in(int64_t least, const char *bytes, int64_t length, const char *what)
{
    static const int64_t piece_rows[] = {1, 2, 5, 100}, rooms[] = {1, 16, 1000};
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    for (size_t p = 0; p < sizeof piece_rows / sizeof *piece_rows; p++)
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms && piece_rows[p] >= least; r++) {
            const char *difference =
                pieces_differ("t.npy", bytes, length, &options, piece_rows[p], rooms[r]);
            if (difference) fail_msg("%s: %s, pieces of %d", what, difference, (int)piece_rows[p]);
        }
}

static void assert_same(const char *bytes, int64_t length, const char *what)
{
    assert_same_in(1, bytes, length, what);
}

/* By columns it comes whole. */
static void assert_same_packed(int fortran, const char *bytes, int64_t length, const char *what)
{
    gzip_bytes packed = gzip(bytes, length);
    assert_same_in(fortran ? 100 : 1, packed.data, packed.length, what);
    free(packed.data);
}

static void npy_pieces__every_type_and_order__equals_the_whole(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (int i = 0; i < 10 * TYPES; i++) {
        const char *type = types[i % TYPES];
        array a = made_array(type, i / TYPES % 2, 1 + rls2__random_below(&random, 12),
                             1 + rls2__random_below(&random, 4));
        fill(&a, type, &random);
        assert_same(a.bytes, a.length, type);
        assert_same_packed(i / TYPES % 2, a.bytes, a.length, type);
    }
}

static void npy_pieces__cut_or_too_long__is_said_as_of_the_whole(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 6);
    for (int fortran = 0; fortran < 2; fortran++) {
        array a = made_array("<i4", fortran, 7, 3);
        fill(&a, "<i4", &random);
        for (int64_t length = 0; length < a.length + 9; length++) {
            assert_same(a.bytes, length, "cut");
            assert_same_packed(fortran, a.bytes, length, "cut and packed");
        }
    }
}

/* Rows before the damage are handed out of a packed file; of others the size tells it at once. */
static void npy_pieces__packed_and_cut__rows_before_are_read(void **state)
{
    (void)state;
    array a = made_array("<f8", 0, 6, 2);
    rls2_stream *stream = NULL;
    rls2_table *piece = NULL;
    rls2_error err = {.message = ""};
    gzip_bytes packed = gzip(a.bytes, a.length - 20);
    assert_int_equal(
        rls2__stream_open_memory("t.npy", packed.data, packed.length, NULL, 64, &stream, &err),
        RLS2_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rls2_stream_next(stream, 1, &piece, &err), RLS2_OK);
        assert_int_equal(rls2_table_rows(piece), 1);
        assert_int_equal(rls2_table_line(piece, 0), i + 1);
        rls2_table_free(piece);
    }
    assert_int_equal(rls2_stream_next(stream, 1, &piece, &err), RLS2_ERR_SYNTAX);
    assert_string_equal(err.message, "t.npy: an array of 6 x 2 numbers of type '<f8' takes 96 "
                                     "bytes, but 76 are there: it ends after row 4");
    rls2_stream_close(stream);
    free(packed.data);
}

static void npy_pieces__cut_by_columns__says_column_and_row(void **state)
{
    (void)state;
    array a = made_array("<f8", 1, 6, 2);
    rls2_stream *stream = NULL;
    rls2_error err = {.message = ""};
    assert_int_equal(
        rls2__stream_open_memory("t.npy", a.bytes, a.length - 20, NULL, 64, &stream, &err),
        RLS2_ERR_SYNTAX);
    assert_string_equal(err.message,
                        "t.npy: an array of 6 x 2 numbers of type '<f8' takes 96 bytes, but 76 are "
                        "there: it ends in column 2 after row 3");
}

static void npy_pieces__faults_of_later_rows__have_the_number_of_the_row(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        array a = made_array("<f8", fortran, 9, 2);
        const double infinite = 1.0 / 0.0;
        memcpy(a.bytes + a.start + 8 * (fortran ? 9 + 6 : 2 * 6 + 1), &infinite, 8);
        assert_same(a.bytes, a.length, "infinite");
        a = made_array("<i8", fortran, 9, 2);
        memset(a.bytes + a.start + 8 * (fortran ? 9 + 6 : 2 * 6 + 1), 0x7f, 8);
        assert_same(a.bytes, a.length, "beyond");
    }
}

/* A file, by columns: it is read from many places. */
static void npy_pieces__file__is_read_from_its_places(void **state)
{
    (void)state;
    char path[] = "/tmp/rls2-npy-XXXXXX";
    rls2__random random;
    rls2_stream *stream = NULL;
    rls2_table *whole = NULL, *piece = NULL;
    int64_t done = 0;
    rls2__random_seed(&random, 8);
    array a = made_array(">f4", 1, 100, 5);
    fill(&a, ">f4", &random);
    int file = mkstemp(path);
    assert_int_equal(write(file, a.bytes, (size_t)a.length), a.length);
    close(file);
    assert_int_equal(rls2_table_read(path, NULL, &whole, NULL), RLS2_OK);
    assert_int_equal(rls2_stream_open(path, NULL, &stream, NULL), RLS2_OK);
    for (; rls2_stream_next(stream, 7, &piece, NULL) == RLS2_OK && piece; rls2_table_free(piece))
        for (int64_t i = 0; i < rls2_table_rows(piece); i++, done++)
            for (int64_t j = 0; j < 5; j++)
                assert_string_equal(rls2_table_cell(piece, i, j), rls2_table_cell(whole, done, j));
    assert_int_equal(done, 100);
    rls2_stream_close(stream);
    rls2_table_free(whole);
    unlink(path);
}

/* What is shorter at the second row than it was when it was opened. */
static void npy_pieces__file_that_shrinks__is_noticed(void **state)
{
    (void)state;
    for (int fortran = 0; fortran < 2; fortran++) {
        char path[] = "/tmp/rls2-npy-XXXXXX", *block = calloc(1, 800000);
        rls2_stream *stream = NULL;
        rls2_table *piece = NULL;
        rls2_error err = {.message = ""};
        array a = made_array("<f8", fortran, 4, 2);
        int length = snprintf(a.bytes + 10, 118,
                              "{'descr': '<f8', 'fortran_order': %s, 'shape': (50000, 2), }\n",
                              fortran ? "True" : "False");
        a.bytes[8] = (char)length;
        int file = mkstemp(path);
        assert_int_equal(write(file, a.bytes, (size_t)length + 10), length + 10);
        assert_int_equal(write(file, block, 800000), 800000);
        assert_int_equal(rls2__stream_open_room(path, NULL, 64, &stream, &err), RLS2_OK);
        assert_int_equal(rls2_stream_next(stream, 10, &piece, &err), RLS2_OK);
        rls2_table_free(piece);
        assert_int_equal(ftruncate(file, length + 10 + 8 * 60000), 0);
        assert_int_equal(rls2_stream_next(stream, 45000, &piece, &err), RLS2_ERR_SYNTAX);
        assert_non_null(strstr(err.message, fortran ? "it ends in column 2 after row 10000"
                                                    : "it ends after row 30000"));
        rls2_stream_close(stream);
        close(file);
        unlink(path);
        free(block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_pieces__every_type_and_order__equals_the_whole),
        cmocka_unit_test(npy_pieces__cut_or_too_long__is_said_as_of_the_whole),
        cmocka_unit_test(npy_pieces__packed_and_cut__rows_before_are_read),
        cmocka_unit_test(npy_pieces__cut_by_columns__says_column_and_row),
        cmocka_unit_test(npy_pieces__faults_of_later_rows__have_the_number_of_the_row),
        cmocka_unit_test(npy_pieces__file__is_read_from_its_places),
        cmocka_unit_test(npy_pieces__file_that_shrinks__is_noticed),
    };
    return cmocka_run_group_tests_name("npy_pieces", tests, NULL, NULL);
}
