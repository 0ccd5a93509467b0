/* MATLAB files of level 5: what is read, and what is refused in which words. They are made byte by
 * byte; some are there as libmatio wrote them. */
#include "reader_fixture.h"

#include <unistd.h>

#include <zlib.h>

/* ---- files ---- */

static char path[] = "/tmp/rls2-test-mat-XXXXXX";

static int create_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    if (file < 0) return -1;
    return close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static rls2_status read_file(rls2_table **table, rls2_error *err)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_MAT;
    return rls2_table_read(path, &options, table, err);
}

static rls2_table *read_mat(void)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = read_file(&table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_string_equal(rls2_table_format(table), "MAT");
    return table;
}

/* `message` comes after the path. */
static void assert_refused(rls2_status expected, const char *message)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = read_file(&table, &err);
    assert_null(table);
    assert_int_equal(strncmp(err.message, path, strlen(path)), 0);
    assert_string_equal(err.message + strlen(path), message);
    assert_int_equal(status, expected);
}

static void write_file(const image *file)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file->bytes, 1, file->length, stream), file->length);
    assert_int_equal(fclose(stream), 0);
}

/* ---- level 5, byte by byte ---- */

enum { INT8 = 1, UINT8 = 2, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14, COMPRESSED = 15 };
enum {
    CELL_CLASS = 1,
    STRUCT_CLASS,
    OBJECT_CLASS,
    CHAR_CLASS,
    SPARSE_CLASS,
    DOUBLE_CLASS,
    OPAQUE_CLASS = 17
};

static image level5(void)
{
    image file = {.length = 124};
    memset(file.bytes, ' ', 116);
    memcpy(file.bytes, "MATLAB 5.0 MAT-file", 19);
    add_bytes(&file, "\0\1IM", 4);
    return file;
}

static void add_element(image *file, unsigned type, const void *bytes, size_t size)
{
    add_number(file, type, 4);
    add_number(file, size, 4);
    add_bytes(file, bytes, size);
    add_bytes(file, "\0\0\0\0\0\0\0", (8 - size % 8) % 8);
}

static void add_short(image *file, unsigned type, const void *bytes, size_t size)
{
    add_number(file, type | (unsigned)size << 16, 4);
    add_bytes(file, bytes, size);
    add_bytes(file, "\0\0\0\0", 4 - size);
}

static void add_head(image *body, unsigned flags, int rows, int columns, const char *name)
{
    image words = {0};
    add_number(&words, flags, 8);
    add_element(body, UINT32, words.bytes, 8);
    words.length = 0;
    add_number(&words, (unsigned)rows, 4);
    add_number(&words, (unsigned)columns, 4);
    add_element(body, INT32, words.bytes, 8);
    if (strlen(name) <= 4)
        add_short(body, INT8, name, strlen(name));
    else
        add_element(body, INT8, name, strlen(name));
}

static void add_variable(image *file, const image *body)
{
    add_element(file, MATRIX, body->bytes, body->length);
}

static void add_packed_variable(image *file, const image *body)
{
    image plain = {0};
    unsigned char packed[4096];
    uLongf length = sizeof packed;
    add_variable(&plain, body);
    assert_int_equal(compress(packed, &length, plain.bytes, plain.length), Z_OK);
    add_number(file, COMPRESSED, 4);
    add_number(file, length, 4);
    add_bytes(file, packed, length); /* not padded */
}

static image doubles(const char *name, int rows, int columns, const double *numbers)
{
    image body = {0};
    add_head(&body, DOUBLE_CLASS, rows, columns, name);
    add_element(&body, DOUBLE, numbers, (size_t)rows * (size_t)columns * sizeof *numbers);
    return body;
}

static const double six[] = {1.5, 3, 5, -2, 4, 0.1}; /* by columns */
static const double three[] = {7, 8, 9};
static const char *const names[] = {"x1", "x2", "y", "T"};

/* ---- what is read ---- */

static void read_mat__plain_and_compressed__are_read_alike(void **state)
{
    (void)state;
    image x = doubles("X", 3, 2, six), y = doubles("Y", 1, 3, three), t = {0},
          other = doubles("other", 1, 1, six);
    add_head(&t, 9 | 0x0200, 3, 1, "T"); /* logical */
    add_short(&t, UINT8, "\0\1\1", 3);
    for (int packed = 0; packed < 2; packed++) {
        image file = level5();
        void (*add)(image *, const image *) = packed ? add_packed_variable : add_variable;
        add(&file, &other);
        add(&file, &t);
        add(&file, &x);
        add(&file, &y);
        write_file(&file);
        rls2_table *table = read_mat();
        assert_table(table, 3, 4, names, (const double[]){1.5, -2, 7, 0, 3, 4, 8, 1, 5, 0.1, 9, 1});
        assert_string_equal(rls2_table_target(table), "y");
        assert_string_equal(rls2_table_marker(table), "T");
        rls2_table_free(table);
    }
}

static void read_mat__numbers_stored_small__are_doubles(void **state)
{
    (void)state;
    image file = level5(), x = {0};
    add_head(&x, DOUBLE_CLASS, 3, 2, "x");
    add_element(&x, UINT8, "\1\2\3\4\5\xff", 6);
    add_variable(&file, &x);
    write_file(&file);
    rls2_table *table = read_mat();
    assert_table(table, 3, 2, names, (const double[]){1, 4, 2, 5, 3, 255});
    rls2_table_free(table);
}

static void read_mat__big_endian__is_read(void **state)
{
    (void)state;
    static const unsigned char x[] = {0, 0, 0, 14, 0, 0, 0, 56, 0, 0, 0,    6,    0,   0, 0, 8,
                                      0, 0, 0, 6,  0, 0, 0, 0,  0, 0, 0,    5,    0,   0, 0, 8,
                                      0, 0, 0, 1,  0, 0, 0, 2,  0, 1, 0,    1,    'X', 0, 0, 0,
                                      0, 0, 0, 3,  0, 0, 0, 4,  1, 2, 0xff, 0xff, 0,   0, 0, 0};
    image file = level5();
    memcpy(file.bytes + 124, "\1\0MI", 4);
    add_bytes(&file, x, sizeof x);
    write_file(&file);
    rls2_table *table = read_mat();
    assert_table(table, 1, 2, names, (const double[]){258, -1});
    rls2_table_free(table);
}

/* MATLAB tells x and X apart, so both may be there. */
static void read_mat__both_cases__the_capital_is_meant(void **state)
{
    (void)state;
    image capital = doubles("X", 3, 2, six), small = doubles("x", 1, 1, three),
          t = doubles("t", 1, 1, three);
    for (int last = 0; last < 2; last++) {
        image file = level5();
        if (last) add_variable(&file, &small);
        add_variable(&file, &capital);
        if (!last) add_variable(&file, &small);
        add_variable(&file, &t);
        write_file(&file);
        rls2_table *table = read_mat();
        assert_table(table, 3, 2, names, (const double[]){1.5, -2, 3, 4, 5, 0.1});
        rls2_table_free(table);
    }
}

static image sparse(int rows, int columns, const int32_t *row, size_t entries, const int32_t *start)
{
    image body = {0};
    add_head(&body, SPARSE_CLASS, rows, columns, "X");
    add_element(&body, INT32, row, entries * sizeof *row);
    add_element(&body, INT32, start, (size_t)(columns + 1) * sizeof *start);
    add_element(&body, DOUBLE, six, entries * sizeof *six);
    return body;
}

static void read_mat__sparse__has_its_zeros(void **state)
{
    (void)state;
    const int32_t row[] = {0, 2, 1}, start[] = {0, 2, 3};
    image file = level5(), x = sparse(3, 2, row, 3, start);
    add_packed_variable(&file, &x);
    write_file(&file);
    rls2_table *table = read_mat();
    assert_table(table, 3, 2, names, (const double[]){1.5, 0, 0, 5, 3, 0});
    rls2_table_free(table);
}

/* ---- what is refused ---- */

static void read_mat__damaged_sparse__is_refused(void **state)
{
    (void)state;
    const int32_t rows[][3] = {{0, 3, 1}, {0, -1, 1}, {0, 2, 1}, {0, 2, 1}, {0, 2, 1}};
    const int32_t starts[][3] = {{0, 2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 3, 2}, {0, 2, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        image file = level5(), x = sparse(3, 2, rows[i], 3, starts[i]);
        add_variable(&file, &x);
        write_file(&file);
        assert_refused(RLS2_ERR_SYNTAX,
                       ": variable 'X': the indices of the sparse matrix are damaged");
    }
}

static void read_mat__other_classes__are_refused_by_class(void **state)
{
    (void)state;
    static const struct {
        unsigned flags;
        int rows;
        const char *message;
    } cases[] = {
        {CELL_CLASS, 3, ": variable 'X' is a cell array, not a matrix of numbers"},
        {STRUCT_CLASS, 3, ": variable 'X' is a struct, not a matrix of numbers"},
        {CHAR_CLASS, 3, ": variable 'X' is text (char), not a matrix of numbers"},
        {OBJECT_CLASS, 3,
         ": variable 'X' is an object (table, nominal, categorical, string or the like), not "
         "numbers; in "
         "MATLAB "
         "save X = double(X) instead"},
        {DOUBLE_CLASS | 0x0800, 3, ": variable 'X' has complex numbers"},
        {DOUBLE_CLASS, 0, ": variable 'X' is empty (0 x 2)"},
        {DOUBLE_CLASS, 4,
         ": variable 'X' is damaged: it has not as many numbers as its dimensions say"},
        {DOUBLE_CLASS, INT32_MAX,
         ": variable 'X' is damaged: it has not as many numbers as its dimensions say"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        image file = level5(), x = {0};
        add_head(&x, cases[i].flags, cases[i].rows, 2, "X");
        add_element(&x, DOUBLE, six, sizeof six);
        add_packed_variable(&file, &x);
        write_file(&file);
        assert_refused(RLS2_ERR_VALUE + (strstr(cases[i].message, "damaged") != NULL),
                       cases[i].message);
    }
}

/* A nominal array, as MATLAB saves objects of its classes: without dimensions. */
static void read_mat__nominal_object__hints_at_double(void **state)
{
    (void)state;
    image file = level5(), x = doubles("X", 3, 2, six), y = {0}, flags = {0};
    add_number(&flags, OPAQUE_CLASS, 8);
    add_element(&y, UINT32, flags.bytes, 8);
    add_short(&y, INT8, "Y", 1);
    add_short(&y, INT8, "MCOS", 4);
    add_element(&y, INT8, "nominal", 7);
    add_variable(&file, &x);
    add_variable(&file, &y);
    write_file(&file);
    assert_refused(RLS2_ERR_VALUE,
                   ": variable 'Y' is an object (table, nominal, categorical, string or the like), "
                   "not numbers; in MATLAB save Y = double(Y) instead");
}

static void read_mat__three_dimensions__are_refused(void **state)
{
    (void)state;
    image file = level5(), x = {0}, words = {0};
    add_number(&words, DOUBLE_CLASS, 8);
    add_element(&x, UINT32, words.bytes, 8);
    add_element(&x, INT32, "\1\0\0\0\1\0\0\0\1\0\0\0", 12);
    add_short(&x, INT8, "X", 1);
    add_element(&x, DOUBLE, six, 8);
    add_variable(&file, &x);
    write_file(&file);
    assert_refused(RLS2_ERR_VALUE, ": variable 'X' has 3 dimensions; it must have 2");
}

static void read_mat__no_x_or_two__is_refused(void **state)
{
    (void)state;
    image file = level5(), a = doubles("alpha", 3, 2, six), y = doubles("Y", 3, 1, three),
          x = doubles("X", 3, 1, three);
    write_file(&file);
    assert_refused(RLS2_ERR_NAME, ": there are no variables in it");
    add_variable(&file, &y);
    write_file(&file);
    assert_refused(RLS2_ERR_NAME, ": no variable is called X; there is 'Y'");
    add_variable(&file, &a);
    write_file(&file);
    assert_refused(RLS2_ERR_NAME, ": no variable is called X; there are 'Y', 'alpha'");
    add_variable(&file, &x);
    add_variable(&file, &x);
    write_file(&file);
    assert_refused(RLS2_ERR_SYNTAX, ": variable 'X' is there twice");
}

static void read_mat__unusable_numbers__are_named(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4, INFINITY, 6};
    const int64_t large[] = {1, INT64_MAX};
    image file = level5(), x = doubles("X", 3, 2, numbers), whole = {0};
    add_variable(&file, &x);
    write_file(&file);
    assert_refused(RLS2_ERR_VALUE, ": row 2, column 'x2': infinite");
    file = level5();
    add_head(&whole, 14, 1, 2, "X");
    add_element(&whole, 12, large, sizeof large);
    add_variable(&file, &whole);
    write_file(&file);
    assert_refused(
        RLS2_ERR_VALUE,
        ": variable 'X': row 1, column 2: 9223372036854775807 is beyond 2^53 and would be rounded");
}

static void read_mat__rows_that_differ__are_counted(void **state)
{
    (void)state;
    image file = level5(), x = doubles("X", 3, 2, six), y = doubles("Y", 2, 1, three);
    add_variable(&file, &x);
    add_variable(&file, &y);
    write_file(&file);
    assert_refused(RLS2_ERR_VALUE, ": X has 3 rows but y has 2 (it is 2 x 1)");
}

static void read_mat__no_matlab_file__is_refused(void **state)
{
    (void)state;
    image file = {.length = 4, .bytes = "spam"};
    write_file(&file);
    assert_refused(
        RLS2_ERR_SYNTAX,
        ": not a MATLAB file of version 5 to 7.3 (one of version 4 must be saved again)");
}

/* A few bytes claim four gigabytes. */
static void read_mat__compressed_claim__is_refused(void **state)
{
    (void)state;
    image file = level5(), head = {0};
    unsigned char packed[512];
    uLongf length = sizeof packed;
    add_number(&head, MATRIX, 4);
    add_number(&head, 0xFFFFFFF8, 4);
    add_head(&head, DOUBLE_CLASS, 20000, 20000, "X");
    assert_int_equal(compress(packed, &length, head.bytes, head.length), Z_OK);
    add_number(&file, COMPRESSED, 4);
    add_number(&file, length, 4);
    add_bytes(&file, packed, length);
    write_file(&file);
    assert_refused(RLS2_ERR_SYNTAX,
                   ": byte 136: the MATLAB file is damaged: a compressed variable is cut short");
}

/* Wherever a file is cut or one byte is another, it is refused or read. */
static void read_mat__cut_or_changed_anywhere__is_refused_or_read(void **state)
{
    (void)state;
    const int32_t row[] = {0, 2, 1}, start[] = {0, 2, 3};
    image file = level5(), x = sparse(3, 2, row, 3, start), y = doubles("Y", 3, 1, three);
    add_variable(&file, &x);
    add_packed_variable(&file, &y);
    for (size_t at = 128; at < file.length; at++) {
        for (int cut = 0; cut < 2; cut++) {
            rls2_table *table = NULL;
            image hurt = file;
            if (cut)
                hurt.length = at;
            else
                hurt.bytes[at] ^= 0xff;
            write_file(&hurt);
            rls2_status status = read_file(&table, NULL);
            if (status == RLS2_OK)
                assert_int_equal(rls2_table_columns(table) - (rls2_table_target(table) != NULL), 2);
            rls2_table_free(table);
        }
    }
}

/* ---- as others write them ---- */

static void read_mat__written_by_libmatio__is_read(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/data/mat/matio-5.mat",
                                        "tests/data/mat/matio-5-packed.mat",
                                        "tests/data/mat/matio-5-sparse.mat"};
    for (int k = 0; k < 3; k++) {
        rls2_table *table = NULL;
        assert_int_equal(rls2_table_read(files[k], NULL, &table, NULL), RLS2_OK);
        if (k < 2)
            assert_table(table, 3, 4, names,
                         (const double[]){1.5, -2, 7, 0, 3, 4, 8, 1, 5, 0.1, 9, 1});
        else
            assert_table(table, 3, 2, names, (const double[]){1.5, 0, 0, 5, 3, 0});
        rls2_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_mat__plain_and_compressed__are_read_alike),
        cmocka_unit_test(read_mat__numbers_stored_small__are_doubles),
        cmocka_unit_test(read_mat__big_endian__is_read),
        cmocka_unit_test(read_mat__both_cases__the_capital_is_meant),
        cmocka_unit_test(read_mat__sparse__has_its_zeros),
        cmocka_unit_test(read_mat__damaged_sparse__is_refused),
        cmocka_unit_test(read_mat__other_classes__are_refused_by_class),
        cmocka_unit_test(read_mat__nominal_object__hints_at_double),
        cmocka_unit_test(read_mat__three_dimensions__are_refused),
        cmocka_unit_test(read_mat__no_x_or_two__is_refused),
        cmocka_unit_test(read_mat__unusable_numbers__are_named),
        cmocka_unit_test(read_mat__rows_that_differ__are_counted),
        cmocka_unit_test(read_mat__no_matlab_file__is_refused),
        cmocka_unit_test(read_mat__compressed_claim__is_refused),
        cmocka_unit_test(read_mat__cut_or_changed_anywhere__is_refused_or_read),
        cmocka_unit_test(read_mat__written_by_libmatio__is_read),
    };
    return cmocka_run_group_tests(tests, create_file, remove_file);
}
