/* Archives of numpy arrays: what is read, and what is refused in which words. */
#include "numpy_fixture.h"

static const double six[] = {1.5, -2, 3, 4, 5, 0.1};
static const double three[] = {7, 8, 9};

static image matrix(void)
{
    return npy_of("<f8", "(3, 2)", six, sizeof six);
}

static image vector(void)
{
    return npy_of("<f8", "(3,)", three, sizeof three);
}

/* An archive of X and one other array. */
static archive pair_of(const char *first, const char *second, const image *other, packing how)
{
    archive a = {.members = 0};
    image x = matrix();
    add_member(&a, first, &x, how);
    add_member(&a, second, other, how);
    finish_archive(&a, 0);
    return a;
}

static rls2_table *read_npz(const archive *a)
{
    return read_as(RLS2_FORMAT_NPZ, "t.npz", a->file.bytes, a->file.length);
}

static void assert_refused(const archive *a, rls2_status status, const char *message)
{
    assert_refused_as(RLS2_FORMAT_NPZ, "t.npz", a->file.bytes, a->file.length, status, message);
}

/* ---- what is read ---- */

static const char *const xy_names[] = {"x1", "x2", "y"};
static const double xy_values[] = {1.5, -2, 7, 3, 4, 8, 5, 0.1, 9};

static void read_npz__stored_deflated_and_zip64__are_read_alike(void **state)
{
    (void)state;
    const packing ways[] = {
        {.deflated = 0}, {.deflated = 1}, {.zip64 = 1}, {.deflated = 1, .zip64 = 1}};
    for (int zip64 = 0; zip64 < 2; zip64++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            archive a = {.members = 0};
            image x = matrix(), y = vector();
            add_member(&a, "y.npy", &y, ways[i]);
            add_member(&a, "X.npy", &x, ways[i]);
            finish_archive(&a, zip64);
            rls2_table *table = read_npz(&a);
            assert_table(table, 3, 3, xy_names, xy_values);
            assert_string_equal(rls2_table_target(table), "y");
            assert_null(rls2_table_marker(table));
            assert_string_equal(rls2_table_format(table), "NPZ");
            rls2_table_free(table);
        }
}

static void read_npz__names_in_either_case_and_other_files__are_read(void **state)
{
    (void)state;
    archive a = {.members = 0};
    image x = matrix(), y = vector(), text = {.length = 4, .bytes = "read"};
    add_member(&a, "README", &text, (packing){.deflated = 0});
    add_member(&a, "x.npy", &x, (packing){.deflated = 0});
    add_member(&a, "Y.npy", &y, (packing){.deflated = 1});
    finish_archive(&a, 0);
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 3, xy_names, xy_values);
    rls2_table_free(table);
}

static void read_npz__comment_after_the_end__is_stepped_over(void **state)
{
    (void)state;
    image y = vector();
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 0});
    a.file.bytes[a.file.length - 2] = 5;
    add_bytes(&a.file, "hello", 5);
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 3, xy_names, xy_values);
    rls2_table_free(table);
}

static void read_npz__row_vector_y__is_a_column(void **state)
{
    (void)state;
    image y = npy_of("<f8", "(1, 3)", three, sizeof three);
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 1});
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 3, xy_names, xy_values);
    rls2_table_free(table);
}

static void read_npz__matrix_y__gives_numbered_columns_and_no_target(void **state)
{
    (void)state;
    const char *const names[] = {"x1", "x2", "y1", "y2"};
    image y = matrix();
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 1});
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 4, names,
                 (const double[]){1.5, -2, 1.5, -2, 3, 4, 3, 4, 5, 0.1, 5, 0.1});
    assert_null(rls2_table_target(table));
    static const char *const targets[] = {"y1", "y2"};
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *data = NULL;
    options.targets = targets;
    options.target_count = 2;
    assert_int_equal(rls2_dataset_create(table, &options, &data, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_columns(data), 2);
    assert_int_equal(rls2_dataset_outputs(data), 2);
    for (int64_t o = 0; o < 2; o++)
        for (int64_t i = 0; i < rls2_dataset_rows(data); i++)
            assert_true(rls2_dataset_y(data)[o * rls2_dataset_rows(data) + i] ==
                        rls2_table_value(table, i, 2 + o));
    rls2_dataset_free(data);
    rls2_table_free(table);
}

static void read_npz__marker__is_one_where_it_is_not_zero(void **state)
{
    (void)state;
    const char *const names[] = {"x1", "x2", "T"};
    const double marks[] = {0, -0.5, NAN};
    image t = npy_of("<f8", "(3,)", marks, sizeof marks);
    archive a = pair_of("X.npy", "T.npy", &t, (packing){.deflated = 0});
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 3, names, (const double[]){1.5, -2, 0, 3, 4, 1, 5, 0.1, NAN});
    assert_string_equal(rls2_table_marker(table), "T");
    assert_null(rls2_table_target(table));
    rls2_table_free(table);
}

static void read_npz__one_array_of_another_name__is_x(void **state)
{
    (void)state;
    archive a = {.members = 0};
    image x = matrix();
    add_member(&a, "arr_0.npy", &x, (packing){.deflated = 0});
    finish_archive(&a, 0);
    rls2_table *table = read_npz(&a);
    assert_table(table, 3, 2, xy_names, six);
    rls2_table_free(table);
}

/* ---- names and shapes that are refused ---- */

static void read_npz__no_x__lists_what_is_there(void **state)
{
    (void)state;
    image y = vector(), text = {.length = 4, .bytes = "read"};
    archive a = pair_of("arr_0.npy", "arr_1.npy", &y, (packing){.deflated = 0});
    assert_refused(&a, RLS2_ERR_NAME, "t.npz: no array is called X; there are 'arr_0', 'arr_1'");
    a = (archive){.members = 0};
    add_member(&a, "y.npy", &y, (packing){.deflated = 0});
    finish_archive(&a, 0);
    assert_refused(&a, RLS2_ERR_NAME, "t.npz: no array is called X; there is 'y'");
    a = (archive){.members = 0};
    add_member(&a, "README", &text, (packing){.deflated = 0});
    finish_archive(&a, 0);
    assert_refused(&a, RLS2_ERR_NAME, "t.npz: there are no arrays in it");
}

static void read_npz__two_of_a_name__are_refused(void **state)
{
    (void)state;
    image x = matrix();
    archive a = pair_of("X.npy", "x.npy", &x, (packing){.deflated = 0});
    assert_refused(&a, RLS2_ERR_NAME,
                   "t.npz: array 'x': there are two of that name, capital or not");
}

static void read_npz__rows_that_differ__are_counted(void **state)
{
    (void)state;
    image y = npy_of("<f8", "(2,)", three, 16), t = matrix();
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 0});
    assert_refused(&a, RLS2_ERR_VALUE, "t.npz: X has 3 rows but y has 2 (it is 2 x 1)");
    a = pair_of("X.npy", "T.npy", &t, (packing){.deflated = 0});
    assert_refused(&a, RLS2_ERR_VALUE, "t.npz: T is 3 x 2; it must be a vector");
}

static void read_npz__unusable_numbers__are_named(void **state)
{
    (void)state;
    const double numbers[] = {1, INFINITY, 3};
    const int64_t large[] = {1, 2, INT64_MAX};
    image y = npy_of("<f8", "(3,)", numbers, sizeof numbers);
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 1});
    assert_refused(&a, RLS2_ERR_VALUE, "t.npz: row 2, column 'y': infinite");
    y = npy_of("<i8", "(3,)", large, sizeof large);
    a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 1});
    assert_refused(&a, RLS2_ERR_VALUE,
                   "t.npz: array 'y': row 3, column 1: 9223372036854775807 is beyond 2^53 and "
                   "would be rounded");
    y = npy_of("<U1", "(3,)", large, 12);
    a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 0});
    assert_refused(&a, RLS2_ERR_VALUE,
                   "t.npz: array 'y': an array of type '<U1' is not of numbers that can be read: "
                   "it must be of "
                   "floats of 4 or 8 bytes, integers or booleans");
}

/* ---- damaged archives ---- */

static void read_npz__damaged_member__is_named(void **state)
{
    (void)state;
    static const struct {
        packing how;
        rls2_status status;
        const char *message;
    } cases[] = {
        {{.crc_off = 1}, RLS2_ERR_SYNTAX, "its checksum is wrong: the file is damaged"},
        {{.deflated = 1, .crc_off = 1},
         RLS2_ERR_SYNTAX,
         "its checksum is wrong: the file is damaged"},
        {{.size_off = 1}, RLS2_ERR_SYNTAX, "its sizes contradict each other"},
        {{.deflated = 1, .size_off = 1}, RLS2_ERR_SYNTAX, "its compressed bytes are damaged"},
        {{.deflated = 1, .size_off = 1 << 30}, RLS2_ERR_SYNTAX, "its compressed bytes are damaged"},
        {{.flags = 1}, RLS2_ERR_VALUE, "it is encrypted"},
        {{.method = 12}, RLS2_ERR_VALUE, "it is compressed by a method other than deflate"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[256];
        image y = vector();
        archive a = {.members = 0};
        add_member(&a, "X.npy", &y, cases[i].how);
        finish_archive(&a, 0);
        snprintf(message, sizeof message, "t.npz: array 'X': %s", cases[i].message);
        assert_refused(&a, cases[i].status, message);
    }
}

static void read_npz__array_and_directory_disagree__is_refused(void **state)
{
    (void)state;
    char message[256];
    image y = vector();
    archive a = {.members = 0};
    add_member(&a, "X.npy", &y, (packing){.deflated = 1, .size_off = -1});
    finish_archive(&a, 0);
    snprintf(message, sizeof message,
             "t.npz: array 'X': its header asks for %d bytes, but there are %d", (int)y.length,
             (int)y.length - 1);
    assert_refused(&a, RLS2_ERR_SYNTAX, message);
}

static void read_npz__bytes_of_two_arrays_overlap__is_refused(void **state)
{
    (void)state;
    archive a = {.members = 0};
    image x = matrix();
    add_member(&a, "X.npy", &x, (packing){.deflated = 0});
    add_member(&a, "y.npy", &x, (packing){.deflated = 0});
    memset(a.directory.bytes + a.directory.length - 9, 0, 4); /* the offset of the second */
    finish_archive(&a, 0);
    assert_refused(&a, RLS2_ERR_SYNTAX,
                   "t.npz: array 'y': its bytes are those of another array too");
}

static void read_npz__offsets_outside__are_refused(void **state)
{
    (void)state;
    image x = matrix();
    for (int zip64 = 0; zip64 < 2; zip64++) {
        archive a = {.members = 0};
        add_member(&a, "X.npy", &x, (packing){.zip64 = zip64});
        memset(a.directory.bytes + a.directory.length - (zip64 ? 8 : 9), zip64 ? 0xff : 0x7f,
               zip64 ? 8 : 4);
        finish_archive(&a, 0);
        assert_refused(&a, RLS2_ERR_SYNTAX,
                       "t.npz: array 'X': its bytes are not where they should be");
    }
    archive a = {.members = 0};
    add_member(&a, "X.npy", &x, (packing){.deflated = 0});
    finish_archive(&a, 0);
    a.file.bytes[a.file.length - 3] = 0x7f; /* the offset of the directory */
    assert_refused(&a, RLS2_ERR_SYNTAX,
                   "t.npz: the ZIP file is damaged: its directory is not where it should be");
    a.file.bytes[a.file.length - 3] = 0;
    a.file.bytes[a.file.length - 12] = 9; /* members */
    assert_refused(&a, RLS2_ERR_SYNTAX,
                   "t.npz: the ZIP file is damaged: its directory is cut short");
}

/* The header of the array asks for a petabyte, and so does the directory. */
static void read_npz__claims_more_than_it_has__is_refused(void **state)
{
    (void)state;
    archive a = {.members = 0};
    image x = npy_of("<f8", "(125000000000000,)", six, 8);
    add_member(&a, "X.npy", &x, (packing){.deflated = 1, .zip64 = 1});
    uint64_t claimed = x.length - 8 + UINT64_C(1000000000000000);
    image number = {0};
    add_number(&number, claimed, 8);
    memcpy(a.directory.bytes + a.directory.length - 24, number.bytes, 8);
    finish_archive(&a, 0);
    rls2_table *table = NULL;
    rls2_status status =
        parse_as(RLS2_FORMAT_NPZ, "t.npz", a.file.bytes, a.file.length, &table, NULL);
    assert_true(status == RLS2_ERR_SYNTAX || status == RLS2_ERR_MEMORY);
    assert_null(table);
}

/* Wherever a file is cut, it is refused; where one byte is another, it is refused or read. */
static void read_npz__cut_or_changed_anywhere__is_refused_or_read(void **state)
{
    (void)state;
    image y = vector();
    archive a = pair_of("X.npy", "y.npy", &y, (packing){.deflated = 1});
    for (size_t length = 0; length < a.file.length; length++) {
        rls2_table *table = NULL;
        rls2_status status = parse_as(RLS2_FORMAT_NPZ, "t.npz", a.file.bytes, length, &table, NULL);
        assert_int_equal(status, RLS2_ERR_SYNTAX);
        assert_null(table);
    }
    for (size_t at = 0; at < a.file.length; at++) {
        rls2_table *table = NULL;
        a.file.bytes[at] ^= 0xff;
        parse_as(RLS2_FORMAT_NPZ, "t.npz", a.file.bytes, a.file.length, &table, NULL);
        if (table) assert_int_equal(rls2_table_rows(table), 3);
        rls2_table_free(table);
        a.file.bytes[at] ^= 0xff;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_npz__stored_deflated_and_zip64__are_read_alike),
        cmocka_unit_test(read_npz__names_in_either_case_and_other_files__are_read),
        cmocka_unit_test(read_npz__comment_after_the_end__is_stepped_over),
        cmocka_unit_test(read_npz__row_vector_y__is_a_column),
        cmocka_unit_test(read_npz__matrix_y__gives_numbered_columns_and_no_target),
        cmocka_unit_test(read_npz__marker__is_one_where_it_is_not_zero),
        cmocka_unit_test(read_npz__one_array_of_another_name__is_x),
        cmocka_unit_test(read_npz__no_x__lists_what_is_there),
        cmocka_unit_test(read_npz__two_of_a_name__are_refused),
        cmocka_unit_test(read_npz__rows_that_differ__are_counted),
        cmocka_unit_test(read_npz__unusable_numbers__are_named),
        cmocka_unit_test(read_npz__damaged_member__is_named),
        cmocka_unit_test(read_npz__array_and_directory_disagree__is_refused),
        cmocka_unit_test(read_npz__bytes_of_two_arrays_overlap__is_refused),
        cmocka_unit_test(read_npz__offsets_outside__are_refused),
        cmocka_unit_test(read_npz__claims_more_than_it_has__is_refused),
        cmocka_unit_test(read_npz__cut_or_changed_anywhere__is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
