/* Files of which much more could be made than they are: what max_bytes and max_cells refuse, and to
 * the byte what not. */
#include "reader_fixture.h"

#include <zlib.h>

static rls2_status read_limited(const char *path, int64_t max_bytes, int64_t max_cells,
                                rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.max_bytes = max_bytes;
    options.max_cells = max_cells;
    rls2_status status = rls2_table_read(path, &options, &table, err);
    rls2_table_free(table);
    return status;
}

static rls2_status parse_limited(const char *name, const void *bytes, size_t length,
                                 int64_t max_bytes, int64_t max_cells, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.max_bytes = max_bytes;
    options.max_cells = max_cells;
    rls2_status status = rls2_table_parse(name, bytes, (int64_t)length, &options, &table, err);
    rls2_table_free(table);
    return status;
}

/* The bytes as gzip writes them; their number is returned. */
static size_t pack(const char *text, size_t length, unsigned char *packed, size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)length;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

/* ---- bytes ---- */

static void table_parse__gzip__unpacks_to_max_bytes_and_no_further(void **state)
{
    (void)state;
    char text[6000] = "a\n";
    unsigned char packed[1000];
    rls2_error err = {0};
    for (size_t i = 2; i + 2 < sizeof text; i += 2) memcpy(text + i, "1\n", 2);
    size_t length = strlen(text), size = pack(text, length, packed, sizeof packed);
    assert_int_equal(parse_limited("t.csv.gz", packed, size, (int64_t)length, 0, &err), RLS2_OK);
    assert_int_equal(parse_limited("t.csv.gz", packed, size, (int64_t)length - 1, 0, &err),
                     RLS2_ERR_MEMORY);
    assert_string_equal(err.message,
                        "t.csv.gz: it unpacks to more than the 5997 bytes that are allowed");
    /* what is not packed is as large as it is */
    assert_int_equal(parse_limited("t.csv", text, length, 10, 0, &err), RLS2_OK);
}

static void table_read__packed_matlab_files__unpack_to_max_bytes_at_most(void **state)
{
    (void)state;
    static const char *const FILES[] = {"tests/data/mat/matio-5-packed.mat",
                                        "tests/data/mat/matio-73-packed.mat",
                                        "tests/data/mat/h5py-chunked.mat"};
    rls2_error err = {0};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        assert_int_equal(read_limited(FILES[i], 1 << 20, 0, &err), RLS2_OK);
        assert_int_equal(read_limited(FILES[i], 16, 0, &err), RLS2_ERR_MEMORY);
        assert_non_null(strstr(err.message, "allowed"));
    }
}

/* ---- cells ---- */

/* Cells that a table of a file counts as. */
static int64_t cells_of(const char *path)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_table_read(path, NULL, &table, &err), RLS2_OK);
    int64_t cells = (rls2_table_rows(table) + 6) * rls2_table_columns(table);
    rls2_table_free(table);
    return cells;
}

static void table_read__files_of_arrays__have_max_cells_at_most(void **state)
{
    (void)state;
    static const char *const FILES[] = {
        "tests/data/mat/matio-5.mat", "tests/data/mat/matio-5-sparse.mat",
        "tests/data/mat/matio-73.mat", "tests/data/mat/h5py-sparse.mat"};
    rls2_error err = {0};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        int64_t cells = cells_of(FILES[i]);
        assert_int_equal(read_limited(FILES[i], 0, cells, &err), RLS2_OK);
        assert_int_equal(read_limited(FILES[i], 0, cells - 1, &err), RLS2_ERR_MEMORY);
        assert_non_null(strstr(err.message, "cells that are allowed"));
    }
}

static void table_parse__libsvm__absent_cells_count(void **state)
{
    (void)state;
    static const char TEXT[] = "1 1:1\n2 1000:1\n";
    rls2_error err = {0};
    assert_int_equal(parse_limited("t.svm", TEXT, strlen(TEXT), 0, 8 * 1001, &err), RLS2_OK);
    assert_int_equal(parse_limited("t.svm", TEXT, strlen(TEXT), 0, 8 * 1001 - 1, &err),
                     RLS2_ERR_MEMORY);
    assert_string_equal(
        err.message, "t.svm: 2 rows of 1001 columns are more than the 8007 cells that are allowed");
}

static void table_parse__csv__cells_and_columns_are_limited(void **state)
{
    (void)state;
    static const char TALL[] = "a,b\n1,2\n3,4\n5,6\n", WIDE[] = "a,b,c,d\n1,2,3,4\n";
    rls2_error err = {0};
    assert_int_equal(parse_limited("t.csv", TALL, strlen(TALL), 0, 16, &err), RLS2_OK);
    assert_int_equal(parse_limited("t.csv", TALL, strlen(TALL), 0, 7, &err), RLS2_ERR_MEMORY);
    assert_string_equal(err.message, "t.csv: it has more than the 7 cells that are allowed");
    assert_int_equal(parse_limited("t.csv", WIDE, strlen(WIDE), 0, 24, &err), RLS2_OK);
    assert_int_equal(parse_limited("t.csv", WIDE, strlen(WIDE), 0, 23, &err), RLS2_ERR_MEMORY);
}

/* ---- options ---- */

static void table_parse__limits_below_zero__are_refused(void **state)
{
    (void)state;
    rls2_error err = {0};
    assert_int_equal(parse_limited("t.csv", "a\n1\n", 4, -1, 0, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "max_bytes is -1");
    assert_int_equal(parse_limited("t.csv", "a\n1\n", 4, 0, -1, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "max_cells is -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_parse__gzip__unpacks_to_max_bytes_and_no_further),
        cmocka_unit_test(table_read__packed_matlab_files__unpack_to_max_bytes_at_most),
        cmocka_unit_test(table_read__files_of_arrays__have_max_cells_at_most),
        cmocka_unit_test(table_parse__libsvm__absent_cells_count),
        cmocka_unit_test(table_parse__csv__cells_and_columns_are_limited),
        cmocka_unit_test(table_parse__limits_below_zero__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
