/* Numpy arrays: what is read, and what is refused in which words. */
#include "numpy_fixture.h"

static const char *const two_names[] = {"x1", "x2"};

static rls2_table *read_npy(const image *file)
{
    return read_as(RLS2_FORMAT_NPY, "t.npy", file->bytes, file->length);
}

static void assert_refused(const image *file, rls2_status status, const char *message)
{
    assert_refused_as(RLS2_FORMAT_NPY, "t.npy", file->bytes, file->length, status, message);
}

/* ---- what is read ---- */

static void read_npy__doubles__by_rows_and_by_columns(void **state)
{
    (void)state;
    const double numbers[] = {1.5, -2, 3, 4, 5, 0.1};
    image file = npy_of("<f8", "(3, 2)", numbers, sizeof numbers);
    rls2_table *table = read_npy(&file);
    assert_table(table, 3, 2, two_names, numbers);
    assert_null(rls2_table_target(table));
    assert_null(rls2_table_marker(table));
    assert_string_equal(rls2_table_format(table), "NPY");
    assert_int_equal(rls2_table_line(table, 1), 2);
    rls2_table_free(table);
    file = npy_with(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n", numbers,
                    sizeof numbers);
    table = read_npy(&file);
    assert_table(table, 3, 2, two_names, (const double[]){1.5, 4, -2, 5, 3, 0.1});
    rls2_table_free(table);
}

static void read_npy__vector__is_one_column(void **state)
{
    (void)state;
    const double numbers[] = {1.5, -2, 3};
    const char *const shapes[] = {"(3,)", "(3, 1)", "(3L,)"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        image file = npy_of("<f8", shapes[i], numbers, sizeof numbers);
        rls2_table *table = read_npy(&file);
        assert_table(table, 3, 1, two_names, numbers);
        rls2_table_free(table);
    }
}

static void read_npy__every_type__gives_its_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        const char *bytes;
        size_t size;
        double first, second;
    } cases[] = {
        {"|b1", "\0\1", 2, 0, 1},
        {"|i1", "\x7f\x80", 2, 127, -128},
        {"|u1", "\x7f\x80", 2, 127, 128},
        {"<i2", "\1\0\xfe\xff", 4, 1, -2},
        {">i2", "\0\1\xff\xfe", 4, 1, -2},
        {"<u2", "\1\0\xfe\xff", 4, 1, 65534},
        {">u2", "\0\1\xff\xfe", 4, 1, 65534},
        {"<i4", "\1\0\0\0\0\0\0\x80", 8, 1, -2147483648.0},
        {">i4", "\0\0\0\1\x80\0\0\0", 8, 1, -2147483648.0},
        {"<u4", "\1\0\0\0\0\0\0\x80", 8, 1, 2147483648.0},
        {">u4", "\0\0\0\1\x80\0\0\0", 8, 1, 2147483648.0},
        {"<i8", "\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\xe0\xff", 16, 9007199254740992.0,
         -9007199254740992.0},
        {">i8", "\0\x20\0\0\0\0\0\0\xff\xe0\0\0\0\0\0\0", 16, 9007199254740992.0,
         -9007199254740992.0},
        {"<u8", "\0\0\0\0\0\0\x20\0\3\0\0\0\0\0\0\0", 16, 9007199254740992.0, 3},
        {">u8", "\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\3", 16, 9007199254740992.0, 3},
        {"<f4", "\0\0\xc0\x3f\0\0\x80\xc0", 8, 1.5, -4},
        {">f4", "\x3f\xc0\0\0\xc0\x80\0\0", 8, 1.5, -4},
        {"<f8", "\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\x10\xc0", 16, 1.5, -4},
        {">f8", "\x3f\xf8\0\0\0\0\0\0\xc0\x10\0\0\0\0\0\0", 16, 1.5, -4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        image file = npy_of(cases[i].descr, "(1, 2)", cases[i].bytes, cases[i].size);
        rls2_table *table = read_npy(&file);
        assert_table(table, 1, 2, two_names, (const double[]){cases[i].first, cases[i].second});
        rls2_table_free(table);
    }
}

static void read_npy__native_order__is_that_of_this_machine(void **state)
{
    (void)state;
    const double numbers[] = {1.5, -2};
    image file = npy_of("=f8", "(1, 2)", numbers, sizeof numbers);
    rls2_table *table = read_npy(&file);
    assert_table(table, 1, 2, two_names, numbers);
    rls2_table_free(table);
}

static void read_npy__any_version_key_order_and_spacing__is_read(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4};
    const char *const dicts[] = {
        "{'shape':(2,2),'fortran_order':False,'descr':'<f8'}",
        " { \"fortran_order\" : False , \"descr\" : \"<f8\" ,\n 'shape' : ( 2 , 2 , ) , } \n"};
    for (int version = 1; version <= 3; version++)
        for (size_t i = 0; i < sizeof dicts / sizeof *dicts; i++) {
            image file = npy_with(version, dicts[i], numbers, sizeof numbers);
            rls2_table *table = read_npy(&file);
            assert_table(table, 2, 2, two_names, numbers);
            rls2_table_free(table);
        }
}

static void read_npy__nan__is_missing(void **state)
{
    (void)state;
    const double numbers[] = {1, NAN, NAN, 4};
    image file = npy_of("<f8", "(2, 2)", numbers, sizeof numbers);
    rls2_table *table = read_npy(&file);
    assert_table(table, 2, 2, two_names, numbers);
    rls2_table_free(table);
}

/* ---- what is refused ---- */

static void read_npy__infinity__is_refused_by_row_and_column(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4, 5, -INFINITY};
    image file = npy_of("<f8", "(3, 2)", numbers, sizeof numbers);
    assert_refused(&file, RLS2_ERR_VALUE, "t.npy: row 3, column 'x2': infinite");
}

static void read_npy__whole_number_beyond_2_53__is_refused_by_row_and_column(void **state)
{
    (void)state;
    const int64_t numbers[] = {1, 2, INT64_MIN, -9007199254740993};
    const uint64_t large[] = {1, UINT64_MAX};
    image file = npy_of("<i8", "(2, 2)", numbers, sizeof numbers);
    assert_refused(
        &file, RLS2_ERR_VALUE,
        "t.npy: row 2, column 1: -9223372036854775808 is beyond 2^53 and would be rounded");
    file = npy_with(1, "{'descr': '<i8', 'fortran_order': True, 'shape': (2, 2)}", numbers,
                    sizeof numbers);
    assert_refused(
        &file, RLS2_ERR_VALUE,
        "t.npy: row 1, column 2: -9223372036854775808 is beyond 2^53 and would be rounded");
    file = npy_of("<u8", "(2,)", large, sizeof large);
    assert_refused(
        &file, RLS2_ERR_VALUE,
        "t.npy: row 2, column 1: 18446744073709551615 is beyond 2^53 and would be rounded");
}

static void read_npy__other_types__are_refused_by_name(void **state)
{
    (void)state;
    const char *const types[] = {"<f2", "<c16", "<U3", "|S3", "|O",   "<M8[ns]",
                                 "|f8", "f8",   "<i3", "<b2", "<f16", ""};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char message[256];
        image file = npy_of(types[i], "(1,)", "\0\0\0\0\0\0\0\0", 8);
        snprintf(message, sizeof message,
                 "t.npy: an array of type '%s' is not of numbers that can be read: it must be of "
                 "floats of 4 or 8 "
                 "bytes, integers or booleans",
                 types[i]);
        assert_refused(&file, RLS2_ERR_VALUE, message);
    }
    image file =
        npy_with(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "", 0);
    assert_refused(&file, RLS2_ERR_VALUE,
                   "t.npy: an array of type '[('a', '<f8')]' is not of numbers that can be read: "
                   "it must be of "
                   "floats of 4 or 8 bytes, integers or booleans");
}

static void read_npy__other_shapes__are_refused_by_shape(void **state)
{
    (void)state;
    const char *const shapes[] = {"()", "(2, 2, 2)", "(0, 3)", "(3, 0)", "(0,)"};
    const char *const shown[] = {"", "2, 2, 2", "0, 3", "3, 0", "0"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char message[256];
        image file = npy_of("<f8", shapes[i], "\0\0\0\0\0\0\0\0", 8);
        snprintf(
            message, sizeof message,
            "t.npy: the array has the shape (%s); it must be a vector or a matrix, and not empty",
            shown[i]);
        assert_refused(&file, RLS2_ERR_VALUE, message);
    }
    image file = npy_of("<f8", "(4611686018427387904, 2)", "", 0);
    assert_refused(
        &file, RLS2_ERR_VALUE,
        "t.npy: the array has the shape (4611686018427387904, 2), more than a file can hold");
}

static void read_npy__bytes_too_few_or_too_many__are_counted(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4};
    image file = npy_of("<f8", "(2, 2)", numbers, sizeof numbers);
    file.length -= 3;
    assert_refused(
        &file, RLS2_ERR_SYNTAX,
        "t.npy: an array of 2 x 2 numbers of type '<f8' takes 32 bytes, but 29 are there: it ends "
        "after row 1");
    file.length += 4;
    assert_refused(
        &file, RLS2_ERR_SYNTAX,
        "t.npy: an array of 2 x 2 numbers of type '<f8' takes 32 bytes, but 33 are there");
}

static void read_npy__damaged_header__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *dict, *what;
    } cases[] = {
        {"", "it is no dict"},
        {"{'descr'", "it is no dict"},
        {"{'descr': '<f8' 'shape': (1,)}", "it is no dict"},
        {"{'descr': 3}", "'descr' is no text"},
        {"{'descr': '<f8}", "'descr' is no text"},
        {"{'fortran_order': 1}", "'fortran_order' is neither True nor False"},
        {"{'shape': 3}", "'shape' is no tuple"},
        {"{'shape': (1", "'shape' is no tuple of whole numbers"},
        {"{'shape': (-1,)}", "'shape' is no tuple of whole numbers"},
        {"{'shape': (1 2)}", "'shape' is no tuple of whole numbers"},
        {"{'shape': (99999999999999999999,)}", "'shape' is no tuple of whole numbers"},
        {"{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", /* 33 */
         "'shape' has too many dimensions"},
        {"{'shape': (1,), 'shape': (1,)}", "'shape' is unknown or there twice"},
        {"{'strides': (1,)}", "'strides' is unknown or there twice"},
        {"{'descr': '<f8', 'shape': (1,)}",
         "one of 'descr', 'fortran_order' and 'shape' is absent"},
        {"{'descr': '<f8', 'shape': (1,), 'fortran_order': False} x", "something follows the dict"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[256];
        image file = npy_with(1, cases[i].dict, "\0\0\0\0\0\0\0\0", 8);
        snprintf(message, sizeof message, "t.npy: the header of the numpy array is damaged: %s",
                 cases[i].what);
        assert_refused(&file, RLS2_ERR_SYNTAX, message);
    }
}

static void read_npy__other_versions_and_lengths__are_refused(void **state)
{
    (void)state;
    const double number = 1.0;
    image file = npy_of("<f8", "(1,)", &number, sizeof number);
    file.bytes[6] = 4;
    assert_refused(&file, RLS2_ERR_SYNTAX, "t.npy: version 4.0 of the numpy format is not known");
    memcpy(file.bytes + 6, "\1\0\0\2", 4);
    assert_refused(&file, RLS2_ERR_SYNTAX,
                   "t.npy: the header of the numpy array, 512 bytes, is cut short");
    memcpy(file.bytes + 6, "\2\0\0\0\0\1", 6);
    assert_refused(&file, RLS2_ERR_SYNTAX,
                   "t.npy: the header of the numpy array, 16777216 bytes, is too long");
    assert_refused_as(RLS2_FORMAT_NPY, "t.npy", "PK", 2, RLS2_ERR_SYNTAX,
                      "t.npy: not a numpy array");
}

/* Wherever a file is cut, it is refused. */
static void read_npy__cut_anywhere__is_refused(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4};
    image file = npy_of("<f8", "(2, 2)", numbers, sizeof numbers);
    for (size_t length = 0; length < file.length; length++) {
        rls2_table *table = NULL;
        assert_int_equal(parse_as(RLS2_FORMAT_NPY, "t.npy", file.bytes, length, &table, NULL),
                         RLS2_ERR_SYNTAX);
        assert_null(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_npy__doubles__by_rows_and_by_columns),
        cmocka_unit_test(read_npy__vector__is_one_column),
        cmocka_unit_test(read_npy__every_type__gives_its_numbers),
        cmocka_unit_test(read_npy__native_order__is_that_of_this_machine),
        cmocka_unit_test(read_npy__any_version_key_order_and_spacing__is_read),
        cmocka_unit_test(read_npy__nan__is_missing),
        cmocka_unit_test(read_npy__infinity__is_refused_by_row_and_column),
        cmocka_unit_test(read_npy__whole_number_beyond_2_53__is_refused_by_row_and_column),
        cmocka_unit_test(read_npy__other_types__are_refused_by_name),
        cmocka_unit_test(read_npy__other_shapes__are_refused_by_shape),
        cmocka_unit_test(read_npy__bytes_too_few_or_too_many__are_counted),
        cmocka_unit_test(read_npy__damaged_header__is_refused),
        cmocka_unit_test(read_npy__other_versions_and_lengths__are_refused),
        cmocka_unit_test(read_npy__cut_anywhere__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
