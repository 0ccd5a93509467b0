/* What the tests of the readers of LIBSVM, NPY, NPZ and MATLAB files share. */
#ifndef RLS2_TESTS_READER_FIXTURE_H
#define RLS2_TESTS_READER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/table.h"

/* A file in the making, byte by byte. */
typedef struct image {
    size_t length;
    unsigned char bytes[1 << 15];
} image;

static inline void add_bytes(image *file, const void *bytes, size_t count)
{
    assert_true(file->length + count <= sizeof file->bytes);
    if (count > 0) memcpy(file->bytes + file->length, bytes, count);
    file->length += count;
}

/* A number of `size` bytes, least significant first. */
static inline void add_number(image *file, uint64_t number, int size)
{
    for (int i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(number >> (8 * i));
        add_bytes(file, &byte, 1);
    }
}

static inline rls2_status parse_as(rls2_format format, const char *name, const void *bytes,
                                   size_t length, rls2_table **table, rls2_error *err)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = format;
    /* exactly as many bytes, so that a sanitizer sees a read past the end */
    void *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    if (length > 0) memcpy(copy, bytes, length);
    rls2_status status = rls2_table_parse(name, copy, (int64_t)length, &options, table, err);
    free(copy);
    return status;
}

/* The table of bytes that have no faults. */
static inline rls2_table *read_as(rls2_format format, const char *name, const void *bytes,
                                  size_t length)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = parse_as(format, name, bytes, length, &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_non_null(table);
    return table;
}

static inline void assert_refused_as(rls2_format format, const char *name, const void *bytes,
                                     size_t length, rls2_status expected, const char *message)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = parse_as(format, name, bytes, length, &table, &err);
    assert_string_equal(err.message, message);
    assert_int_equal(status, expected);
    assert_int_equal(err.status, expected);
    assert_null(table);
}

/* The columns by name, and the values by rows; NAN is a missing cell. */
static inline void assert_table(const rls2_table *table, int64_t rows, int64_t columns,
                                const char *const *names, const double *values)
{
    assert_int_equal(rls2_table_rows(table), rows);
    assert_int_equal(rls2_table_columns(table), columns);
    for (int64_t j = 0; j < columns; j++) {
        int64_t missing = 0;
        assert_string_equal(rls2_table_column_name(table, j), names[j]);
        assert_true(rls2_table_is_numeric(table, j));
        for (int64_t i = 0; i < rows; i++) {
            double expected = values[i * columns + j], value = rls2_table_value(table, i, j);
            missing += expected != expected;
            if (!(value == expected || (value != value && expected != expected)))
                fail_msg("row %d, column %s: %.17g instead of %.17g", (int)i, names[j], value,
                         expected);
        }
        assert_int_equal(rls2_table_missing(table, j), missing);
    }
}

#endif
