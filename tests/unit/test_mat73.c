/* MATLAB files of version 7.3: those of tests/data/mat, written by h5py, hdf5storage and libmatio
 * (make.py there tells what is in them), as they are and with bytes changed. */
#include "reader_fixture.h"

static const char *const names[] = {"x1", "x2", "y", "T"};
static const double all[] = {1.5, -2, 7, 0, 3, 4, 8, 1, 5, 0.1, 9, 1};

static image load(const char *name)
{
    image file = {0};
    char path[256];
    snprintf(path, sizeof path, "tests/data/mat/%s.mat", name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("%s cannot be opened", path);
    file.length = fread(file.bytes, 1, sizeof file.bytes, stream);
    fclose(stream);
    return file;
}

static void assert_reads(const image *file, int64_t rows, int64_t columns,
                         const char *const *column_names, const double *values)
{
    rls2_table *table = read_as(RLS2_FORMAT_MAT, "t", file->bytes, file->length);
    assert_table(table, rows, columns, column_names, values);
    rls2_table_free(table);
}

/* `message` comes after "t: ". */
static void assert_refuses(const image *file, rls2_status status, const char *message)
{
    char whole[512];
    snprintf(whole, sizeof whole, "t: %s", message);
    assert_refused_as(RLS2_FORMAT_MAT, "t", file->bytes, file->length, status, whole);
}

/* ---- what is read ---- */

static void read_mat73__ways_to_store__are_read_alike(void **state)
{
    (void)state;
    static const char *const files[] = {"h5py-contiguous", "h5py-userblock-1024", "h5py-compact",
                                        "h5py-chunked",    "h5py-chunked-plain",  "hdf5storage",
                                        "matio-73",        "matio-73-packed"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        image file = load(files[k]);
        rls2_table *table = read_as(RLS2_FORMAT_AUTO, "t", file.bytes, file.length);
        assert_string_equal(rls2_table_format(table), "MAT");
        assert_string_equal(rls2_table_target(table), "y");
        assert_string_equal(rls2_table_marker(table), "T");
        assert_table(table, 3, 4, names, all);
        rls2_table_free(table);
    }
}

static void read_mat73__types_of_numbers__are_read(void **state)
{
    (void)state;
    static const char *const files[] = {"h5py-single",   "h5py-single-big", "h5py-double-big",
                                        "h5py-int8",     "h5py-int16-big",  "h5py-int32",
                                        "h5py-int64-big"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        image file = load(files[k]);
        assert_reads(&file, 3, 2, names, (const double[]){1, -2, 3, 4, 5, 100});
    }
    image file = load("h5py-uint16");
    assert_reads(&file, 3, 2, names, (const double[]){1, 2, 3, 4, 5, 100});
}

static void read_mat73__trees_of_two_levels__are_read(void **state)
{
    (void)state;
    static const char *const three[] = {"x1", "x2", "x3"};
    double values[210];
    for (int k = 0; k < 210; k++) values[k] = k;
    image file = load("h5py-many-chunks");
    assert_reads(&file, 70, 3, three, values);
}

static void read_mat73__what_is_not_stored__is_zero(void **state)
{
    (void)state;
    static const char *const four[] = {"x1", "x2", "x3", "x4"};
    image file = load("h5py-absent-chunks");
    double values[24] = {[8] = 1, [9] = 3, [12] = 2, [13] = 4};
    assert_reads(&file, 6, 4, four, values);
    file = load("h5py-unwritten");
    assert_reads(&file, 3, 2, names, (const double[6]){0});
}

static void read_mat73__sparse__has_its_zeros(void **state)
{
    (void)state;
    image file = load("matio-73-sparse");
    assert_reads(&file, 3, 2, names, (const double[]){1.5, 0, 0, 5, 3, 0});
    file = load("h5py-sparse");
    assert_reads(&file, 3, 3, names, (const double[]){1.5, 0, 7, 0, 5, 8, 3, 0, 9});
    file = load("h5py-sparse-zeros");
    assert_reads(&file, 3, 2, names, (const double[6]){0});
}

static void read_mat73__names_and_shapes__are_understood(void **state)
{
    (void)state;
    static const char *const two[] = {"x1", "x2", "y1", "y2"};
    image file = load("h5py-both-cases");
    assert_reads(&file, 3, 2, names, (const double[]){1.5, -2, 3, 4, 5, 0.1});
    file = load("h5py-vector");
    assert_reads(&file, 3, 3, names, (const double[]){1.5, -2, 7, 3, 4, 8, 5, 0.1, 9});
    file = load("h5py-matrix-y");
    assert_reads(&file, 3, 4, two, (const double[]){1.5, -2, 3, -4, 3, 4, 6, 8, 5, 0.1, 10, 0.2});
}

/* ---- what is refused ---- */

#define SORRY(what)                                                                                \
    "variable 'X' is damaged, or not of the form that MATLAB writes: " what "; save it with -v7"
#define SORRY_FILE(what)                                                                           \
    "the MATLAB file is damaged, or not of the form that MATLAB writes: " what "; save it with "   \
    "-v7"

static void read_mat73__other_variables__are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        rls2_status status;
        const char *message;
    } cases[] = {
        {"h5py-text", RLS2_ERR_VALUE, "variable 'X' is text (char), not a matrix of numbers"},
        {"matio-73-text", RLS2_ERR_VALUE, "variable 'X' is text (char), not a matrix of numbers"},
        {"h5py-cell", RLS2_ERR_VALUE, "variable 'X' is a cell array, not a matrix of numbers"},
        {"matio-73-cell", RLS2_ERR_VALUE, "variable 'X' is a cell array, not a matrix of numbers"},
        {"h5py-struct", RLS2_ERR_VALUE, "variable 'X' is a struct, not a matrix of numbers"},
        {"matio-73-struct", RLS2_ERR_VALUE, "variable 'X' is a struct, not a matrix of numbers"},
        {"h5py-table", RLS2_ERR_VALUE,
         "variable 'X' is an object (table, nominal, categorical, string or the like), not "
         "numbers; in "
         "MATLAB save X = double(X) instead"},
        {"h5py-complex", RLS2_ERR_VALUE, "variable 'X' has complex numbers"},
        {"matio-73-complex", RLS2_ERR_VALUE, "variable 'X' has complex numbers"},
        {"h5py-empty", RLS2_ERR_VALUE, "variable 'X' is empty (0 x 5)"},
        {"matio-73-empty", RLS2_ERR_VALUE, "variable 'X' is empty (0 x 2)"},
        {"h5py-three-dimensions", RLS2_ERR_VALUE, "variable 'X' has 3 dimensions; it must have 2"},
        {"h5py-beyond", RLS2_ERR_VALUE,
         "variable 'X': row 2, column 1: 9007199254740993 is beyond 2^53 and would be rounded"},
        {"h5py-no-x", RLS2_ERR_NAME, "no variable is called X; there is 'A'"},
        {"h5py-nothing", RLS2_ERR_NAME, "there are no variables in it"},
        {"h5py-sparse-bad", RLS2_ERR_SYNTAX,
         "variable 'X': the indices of the sparse matrix are damaged"},
        {"h5py-boolean", RLS2_ERR_SYNTAX, SORRY("numbers are of another type")},
        {"h5py-fill", RLS2_ERR_SYNTAX,
         SORRY("numbers that are not stored stand for others than 0")},
        {"h5py-fletcher", RLS2_ERR_SYNTAX,
         SORRY("numbers are compressed by something else than deflate and shuffle")},
        {"h5py-link", RLS2_ERR_SYNTAX, SORRY("it is only a link")},
        {"h5py-external", RLS2_ERR_SYNTAX, SORRY("numbers are in another file")},
        {"h5py-latest", RLS2_ERR_SYNTAX, SORRY_FILE("it is of a newer form of HDF5")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        image file = load(cases[i].file);
        assert_refuses(&file, cases[i].status, cases[i].message);
    }
}

/* Where the bytes stand for the first time, from `from` on. */
static size_t place_of(const image *file, size_t from, const void *bytes, size_t size)
{
    for (size_t at = from; at + size <= file->length; at++)
        if (memcmp(file->bytes + at, bytes, size) == 0) return at;
    fail_msg("the fixture has changed");
    return 0;
}

/* The dimensions of X, 2 x 3 as HDF5 counts them. */
static size_t dimensions_of(const image *file)
{
    static const unsigned char extents[] = {2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0};
    return place_of(file, 512, extents, sizeof extents) - 8;
}

static void assert_changed_refuses(const image *whole, size_t at, const void *bytes, size_t size,
                                   const char *message)
{
    image hurt = *whole;
    memcpy(hurt.bytes + at, bytes, size);
    assert_refuses(&hurt, RLS2_ERR_SYNTAX, message);
}

static void read_mat73__chunks_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    image whole = load("h5py-chunked"); /* X: 2 x 3 elements of 8 bytes in chunks of 1 x 2 */
    static const unsigned char none[8] = {0}, outside[8] = {2}, between[8] = {1},
                               far[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    size_t layout = place_of(&whole, 512, "\3\2\3", 3) + 11;
    size_t shuffle = place_of(&whole, 512, "\2\0\10\0\1\0\1\0shuffle", 15) + 16;
    size_t leaf = (size_t)whole.bytes[layout - 8] + 256 * (size_t)whole.bytes[layout - 7] + 512;
    assert_memory_equal(whole.bytes + leaf, "TREE\1\0\4\0", 8);
    size_t key = leaf + 24, second = key + 40; /* size, filters left out, offsets; address */
    static const char misfit[] = SORRY("chunks do not fit their variable");
    assert_changed_refuses(&whole, layout + 8, "\4", 1, misfit); /* size of an element */
    assert_changed_refuses(&whole, shuffle, "\4", 1, misfit);
    assert_changed_refuses(&whole, layout + 4, none, 4,
                           SORRY("numbers are stored in another form"));
    assert_changed_refuses(&whole, layout + 4, "\377\377\377\377", 4,
                           SORRY("numbers are stored in another form"));
    static const char twice[] = SORRY("a chunk is there twice, or out of order");
    assert_changed_refuses(&whole, second + 16, none, 8, twice);
    assert_changed_refuses(&whole, key + 8, between, 1, twice);
    static const char lost[] = SORRY("a chunk lies outside its variable");
    assert_changed_refuses(&whole, key + 8, outside, 8, lost);
    assert_changed_refuses(&whole, key + 16, between, 8, lost);
    assert_changed_refuses(&whole, key + 16, far, 8, lost);
    assert_changed_refuses(&whole, key + 4, "\4", 1, SORRY("a chunk makes no sense"));
    assert_changed_refuses(&whole, key + 4, "\2", 1,
                           SORRY("a chunk is cut short")); /* deflate left out */
    assert_changed_refuses(&whole, key, "\5", 1, SORRY("a chunk is cut short"));
    assert_changed_refuses(&whole, key + 32, far, 8, SORRY("an address points outside the file"));
    assert_changed_refuses(&whole, key, "\377\377\377\377", 4,
                           SORRY("an address points outside the file"));
    assert_changed_refuses(&whole, leaf + 5, "\1", 1, SORRY("the list of chunks is damaged"));
    assert_changed_refuses(&whole, leaf + 4, none, 1, SORRY("the list of chunks is damaged"));
    assert_changed_refuses(&whole, leaf + 6, "\377\377", 2,
                           SORRY("an address points outside the file"));
    size_t packed = (size_t)whole.bytes[key + 32] + 256 * (size_t)whole.bytes[key + 33] + 512;
    assert_changed_refuses(&whole, packed + 4, "\377\377", 2,
                           SORRY("compressed bytes make no sense"));
}

/* A node whose children are itself, or one child many times. */
static void read_mat73__circles__are_refused(void **state)
{
    (void)state;
    image file = load("h5py-many-chunks");
    size_t layout = place_of(&file, 512, "\3\2\3", 3) + 11;
    size_t root = (size_t)file.bytes[layout - 8] + 256 * (size_t)file.bytes[layout - 7] + 512;
    assert_memory_equal(file.bytes + root, "TREE\1\1", 6);
    image hurt = file;
    memcpy(hurt.bytes + root + 24 + 32, file.bytes + layout - 8, 8);
    assert_refuses(&hurt, RLS2_ERR_SYNTAX, SORRY("the list of chunks is damaged"));
    hurt = file;
    memcpy(hurt.bytes + root + 24 + 40 + 32, file.bytes + root + 24 + 32, 8);
    assert_refuses(&hurt, RLS2_ERR_SYNTAX, SORRY("a chunk is there twice, or out of order"));
}

static void read_mat73__contiguous_changed__is_refused(void **state)
{
    (void)state;
    image whole = load("h5py-contiguous"), old = whole;
    static const unsigned char head[] = {8, 0, 24, 0}, far[] = {0, 0, 0, 0, 0, 0, 0, 1};
    size_t layout = place_of(&whole, dimensions_of(&whole), head, sizeof head) + 8;
    assert_memory_equal(whole.bytes + layout, "\3\1", 2);
    assert_changed_refuses(&whole, layout + 2, far, 8, SORRY("an address points outside the file"));
    assert_changed_refuses(&whole, layout + 10, "\57", 1,
                           SORRY("it has not as many numbers as its dimensions say"));
    assert_changed_refuses(&whole, layout, "\4", 1, SORRY("numbers are stored in another form"));
    /* the form of the first releases: version, rank, kind, address, extents */
    memcpy(old.bytes + layout, "\1\2\1\0\0\0\0\0", 8);
    memcpy(old.bytes + layout + 8, whole.bytes + layout + 2, 8);
    memset(old.bytes + layout + 16, 0, 8);
    assert_reads(&old, 3, 4, names, all);
}

static void read_mat73__messages_changed__are_refused(void **state)
{
    (void)state;
    image whole = load("h5py-contiguous");
    static const unsigned char nothing[] = {0, 0, 64, 0, 0, 0, 0, 0}, fill[] = {5, 0, 8, 0};
    static const unsigned char more[] = {16, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    size_t from = dimensions_of(&whole), at = place_of(&whole, from, nothing, sizeof nothing);
    assert_changed_refuses(&whole, at, "\1", 1, SORRY("it is described twice"));
    assert_changed_refuses(&whole, at, "\10", 1, SORRY("it is described twice"));
    assert_changed_refuses(&whole, at, "\2", 1, SORRY("it is described in a newer form of HDF5"));
    assert_changed_refuses(&whole, at + 1, "\1", 1,
                           SORRY("it is described in a newer form of HDF5"));
    assert_changed_refuses(&whole, at, more, sizeof more,
                           SORRY("an address points outside the file"));
    assert_changed_refuses(&whole, at + 2, "\377\377", 2, SORRY("a description is cut short"));
    assert_changed_refuses(&whole, at + 4, "\2", 1, SORRY("a description is shared by variables"));
    assert_changed_refuses(&whole, place_of(&whole, from, fill, sizeof fill) + 8, "\4", 1,
                           SORRY("a fill value makes no sense"));
    assert_changed_refuses(&whole, from - 8 - 16, "\2", 1,
                           SORRY("it is described in a newer form of HDF5"));
}

/* Nothing is stored, and far more is claimed. */
static void read_mat73__claims__are_refused(void **state)
{
    (void)state;
    image file = load("h5py-unwritten");
    size_t at = dimensions_of(&file), layout = place_of(&file, at, "\10\0\30\0", 4) + 8;
    file.bytes[at + 8 + 3] = 1; /* 2^24 + 2, by 3 */
    memcpy(file.bytes + layout + 10, "\60\0\0\30\0\0\0\0", 8);
    assert_refuses(&file, RLS2_ERR_SYNTAX, SORRY("it claims more numbers than the file can hold"));
    file.bytes[at + 8 + 7] = 0x40;
    assert_refuses(&file, RLS2_ERR_SYNTAX, SORRY("dimensions make no sense"));
}

/* The second version tells a space without elements from others, whatever extents follow. */
static void read_mat73__dimensions_of_the_second_version__are_read(void **state)
{
    (void)state;
    image file = load("h5py-contiguous"), whole = file;
    size_t at = dimensions_of(&file);
    memcpy(file.bytes + at, "\2\2\0\1", 4);
    memcpy(file.bytes + at + 4, whole.bytes + at + 8, 16);
    assert_reads(&file, 3, 4, names, all);
    file.bytes[at + 3] = 2;
    assert_refuses(&file, RLS2_ERR_VALUE, "variable 'X' is empty (0 x 0)");
    file.bytes[at] = 3;
    assert_refuses(&file, RLS2_ERR_SYNTAX, SORRY("dimensions make no sense"));
}

static void read_mat73__attributes_that_make_no_sense__are_refused(void **state)
{
    (void)state;
    image whole = load("h5py-empty");
    size_t class = place_of(&whole, 512, "MATLAB_class", 13),
           empty = place_of(&whole, 512, "MATLAB_empty", 13);
    assert_changed_refuses(&whole, class - 6, "\377\377", 2, SORRY("an attribute is cut short"));
    assert_changed_refuses(&whole, class - 8, "\4", 1, SORRY("an attribute makes no sense"));
    assert_changed_refuses(&whole, class - 2, "\377\377", 2, SORRY("an attribute makes no sense"));
    assert_changed_refuses(&whole, class + 16, "\20", 1, SORRY("MATLAB_class is no text"));
    assert_changed_refuses(&whole, class, "MATLAB_empty", 12, SORRY("an attribute is there twice"));
    assert_changed_refuses(&whole, empty, "MATLAB_class", 12, SORRY("an attribute is there twice"));
    assert_changed_refuses(&whole, empty + 16, "\23", 1,
                           SORRY("an attribute is no single whole number"));
    image other = whole; /* what has another name is not looked at */
    memcpy(other.bytes + empty, "MATLAB_other\0\0\0\0\377\377\377\377", 20);
    assert_reads(&other, 2, 1, names, (const double[]){0, 5});
}

static void read_mat73__changed_superblock_and_groups__are_refused(void **state)
{
    (void)state;
    image whole = load("h5py-contiguous");
    size_t symbols = place_of(&whole, 512, "SNOD", 4), tree = place_of(&whole, 512, "TREE", 4),
           heap = place_of(&whole, 512, "HEAP", 4);
    assert_changed_refuses(&whole, 513, "X", 1, SORRY_FILE("there is no HDF5 in it"));
    assert_changed_refuses(&whole, 512 + 8, "\2", 1, SORRY_FILE("it is of a newer form of HDF5"));
    assert_changed_refuses(&whole, 512 + 13, "\4", 1, SORRY_FILE("it is of a newer form of HDF5"));
    assert_changed_refuses(&whole, 512 + 24, "\1", 1, SORRY_FILE("it is cut short"));
    assert_changed_refuses(&whole, 512 + 48, "\0", 1, SORRY_FILE("it is one of several files"));
    assert_changed_refuses(&whole, 512 + 64 + 7, "\1", 1,
                           SORRY_FILE("an address points outside the file"));
    assert_changed_refuses(&whole, symbols, "X", 1, SORRY_FILE("the list of variables is damaged"));
    assert_changed_refuses(&whole, symbols + 6, "\377\377", 2,
                           SORRY_FILE("an address points outside the file"));
    assert_changed_refuses(&whole, symbols + 15, "\1", 1,
                           SORRY_FILE("the name of a variable is absent"));
    assert_changed_refuses(&whole, tree + 5, "\377", 1,
                           SORRY_FILE("the list of variables is damaged"));
    assert_changed_refuses(&whole, heap, "X", 1, SORRY_FILE("names of variables are absent"));
    /* the second entry gets the name of the first: T, X, Y are there */
    image hurt = whole;
    memcpy(hurt.bytes + symbols + 8 + 40, whole.bytes + symbols + 8, 8);
    assert_refuses(&hurt, RLS2_ERR_SYNTAX, SORRY_FILE("a variable is there twice"));
    hurt = whole;
    hurt.length -= 1;
    assert_refuses(&hurt, RLS2_ERR_SYNTAX, SORRY_FILE("it is cut short"));
}

/* Any change is refused in a sentence or makes a table, and none reads outside the bytes. */
static void read_mat73__cut_or_changed_anywhere__is_refused_or_read(void **state)
{
    (void)state;
    static const char *const files[] = {"h5py-contiguous", "h5py-chunked", "h5py-sparse",
                                        "matio-73-packed"};
    static const unsigned char changes[] = {0, 1, 0x7f, 0xff};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        image whole = load(files[k]), hurt = whole;
        for (size_t at = 512; at < whole.length; at++) {
            rls2_table *table = NULL;
            rls2_error err = {0};
            hurt.bytes[at] = changes[at % sizeof changes];
            if (at % 5 == 0) hurt.length = at;
            rls2_status status =
                parse_as(RLS2_FORMAT_MAT, "t", hurt.bytes, hurt.length, &table, &err);
            assert_true(status == RLS2_OK || strncmp(err.message, "t: ", 3) == 0 ||
                        status == RLS2_ERR_MEMORY);
            if (status == RLS2_OK) rls2_table_free(table);
            hurt.bytes[at] = whole.bytes[at];
            hurt.length = whole.length;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_mat73__ways_to_store__are_read_alike),
        cmocka_unit_test(read_mat73__types_of_numbers__are_read),
        cmocka_unit_test(read_mat73__trees_of_two_levels__are_read),
        cmocka_unit_test(read_mat73__what_is_not_stored__is_zero),
        cmocka_unit_test(read_mat73__sparse__has_its_zeros),
        cmocka_unit_test(read_mat73__names_and_shapes__are_understood),
        cmocka_unit_test(read_mat73__other_variables__are_refused_by_name),
        cmocka_unit_test(read_mat73__chunks_that_do_not_fit__are_refused),
        cmocka_unit_test(read_mat73__circles__are_refused),
        cmocka_unit_test(read_mat73__contiguous_changed__is_refused),
        cmocka_unit_test(read_mat73__messages_changed__are_refused),
        cmocka_unit_test(read_mat73__claims__are_refused),
        cmocka_unit_test(read_mat73__dimensions_of_the_second_version__are_read),
        cmocka_unit_test(read_mat73__attributes_that_make_no_sense__are_refused),
        cmocka_unit_test(read_mat73__changed_superblock_and_groups__are_refused),
        cmocka_unit_test(read_mat73__cut_or_changed_anywhere__is_refused_or_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
