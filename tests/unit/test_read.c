/* Reading files: which format is found, what gzip, delimiters, headers and texts for missing cells
 * do, and in which words wrong files and options are refused. */
#include "table_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <unistd.h>

#include "formats/read.h"
#include "support/gzip.h"
#include "support/pieces.h"

static rls2_format found(const char *name, const char *bytes, int64_t length)
{
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    return rls2__format_find(&options, name, bytes, length);
}

static rls2_format found_text(const char *name, const char *text)
{
    return found(name, text, (int64_t)strlen(text));
}

static rls2_table *read_bytes(const char *name, const void *bytes, int64_t length,
                              const rls2_read_options *options)
{
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_table_parse(name, bytes, length, options, &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return table;
}

static rls2_table *read_text(const char *text, const rls2_read_options *options)
{
    return read_bytes("t.csv", text, (int64_t)strlen(text), options);
}

static void assert_refused_bytes(const char *name, const void *bytes, int64_t length,
                                 const rls2_read_options *options, rls2_status status,
                                 const char *message)
{
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_table_parse(name, bytes, length, options, &table, &err), status);
    assert_string_equal(err.message, message);
    assert_null(table);
}

static void assert_refused(const char *text, const rls2_read_options *options, const char *message)
{
    assert_refused_bytes("t.csv", text, (int64_t)strlen(text), options, RLS2_ERR_SYNTAX, message);
}

/* ---- formats ---- */

static void format_find__first_bytes__decide_before_the_name(void **state)
{
    (void)state;
    char hdf5[600] = {0};
    memcpy(hdf5 + 512, "\x89HDF\r\n\x1A\n", 8);
    assert_int_equal(found("a.csv", "\x93NUMPY\1\0", 8), RLS2_FORMAT_NPY);
    assert_int_equal(found("a.csv", "PK\3\4....", 8), RLS2_FORMAT_NPZ);
    assert_int_equal(found_text("a.csv", "MATLAB 5.0 MAT-file, Platform"), RLS2_FORMAT_MAT);
    assert_int_equal(found_text("a.csv", "MATLAB 7.3 MAT-file, Platform"), RLS2_FORMAT_MAT);
    assert_int_equal(found("a.csv", hdf5, sizeof hdf5), RLS2_FORMAT_MAT);
    assert_int_equal(found("a.csv", hdf5 + 512, 8), RLS2_FORMAT_MAT);
    assert_int_equal(found("a.csv", hdf5, 515), RLS2_FORMAT_CSV);
}

static void format_find__name__decides_before_the_text(void **state)
{
    (void)state;
    assert_int_equal(found_text("a.svm", "a,b"), RLS2_FORMAT_LIBSVM);
    assert_int_equal(found_text("a.libsvm", "a,b"), RLS2_FORMAT_LIBSVM);
    assert_int_equal(found_text("a.svmlight.gz", "a,b"), RLS2_FORMAT_LIBSVM);
    assert_int_equal(found_text("A.CSV", "1 1:2"), RLS2_FORMAT_CSV);
    assert_int_equal(found_text("a.tsv", "1 1:2"), RLS2_FORMAT_CSV);
    assert_int_equal(found_text("a.tab.gz", "1 1:2"), RLS2_FORMAT_CSV);
    assert_int_equal(found_text("a.txt", "1 1:2"), RLS2_FORMAT_CSV);
    assert_int_equal(found_text("a.mat", "1 1:2"), RLS2_FORMAT_MAT);
}

static void format_find__first_line__decides_last(void **state)
{
    (void)state;
    static const char *const sparse[] = {
        "1 1:2",           "+1 3:0.5 7:1e3\n", "-1 1:1\t2:2\n", "\n \r\n0.5 1:2\n",
        "# note\n1 1:2\n", "3 qid:4 1:2\n",    "1 0:1 1:0.5\n"};
    static const char *const other[] = {"",        "a,b\n1,2\n", "1\n",       "1 2\n",   "1 a:2\n",
                                        "x 1:2\n", "1 1:x\n",    "1 1:2,3\n", "1,1:2\n", "1 :2\n"};
    for (size_t i = 0; i < sizeof sparse / sizeof *sparse; i++)
        assert_int_equal(found_text("heart", sparse[i]), RLS2_FORMAT_LIBSVM);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_int_equal(found_text("heart_scale.t", other[i]), RLS2_FORMAT_CSV);
}

static void format_find__format_given__is_taken(void **state)
{
    (void)state;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.format = RLS2_FORMAT_LIBSVM;
    assert_int_equal(rls2__format_find(&options, "a.csv", "\x93NUMPY", 6), RLS2_FORMAT_LIBSVM);
}

/* Both versions, from memory and compressed by gzip. */
static void table_parse__matlab__is_read(void **state)
{
    (void)state;
    static const char *const files[] = {"tests/data/mat/matio-5.mat",
                                        "tests/data/mat/matio-73.mat"};
    for (int k = 0; k < 2; k++) {
        char bytes[8192];
        FILE *file = fopen(files[k], "rb");
        assert_non_null(file);
        int64_t length = (int64_t)fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        gzip_bytes packed = gzip(bytes, length);
        for (int is_packed = 0; is_packed < 2; is_packed++) {
            rls2_table *table = NULL;
            rls2_status status =
                rls2_table_parse("a", is_packed ? (const void *)packed.data : bytes,
                                 is_packed ? packed.length : length, NULL, &table, NULL);
            assert_int_equal(status, RLS2_OK);
            assert_string_equal(rls2_table_format(table), "MAT");
            assert_int_equal(rls2_table_rows(table), 3);
            assert_true(rls2_table_value(table, 2, 1) == 0.1);
            rls2_table_free(table);
        }
        free(packed.data);
    }
}

/* ---- gzip ---- */

static void table_parse__gzip__is_unpacked(void **state)
{
    (void)state;
    const char *text = "a,b\n1,x\n2,y\n";
    gzip_bytes packed = gzip(text, (int64_t)strlen(text));
    rls2_table *table = read_bytes("t.csv.gz", packed.data, packed.length, NULL);
    assert_int_equal(rls2_table_rows(table), 2);
    assert_cell(table, 1, 1, "y");
    rls2_table_free(table);
    free(packed.data);
}

/* Two members, an empty one between them. */
static void table_parse__several_members__are_one_text(void **state)
{
    (void)state;
    gzip_bytes parts[] = {gzip("a,b\n1,", 6), gzip("", 0), gzip("x\n", 2)};
    char all[300];
    int64_t used = 0;
    for (int i = 0; i < 3; i++) {
        memcpy(all + used, parts[i].data, (size_t)parts[i].length);
        used += parts[i].length;
        free(parts[i].data);
    }
    rls2_table *table = read_bytes("t.csv", all, used, NULL);
    assert_cell(table, 0, 1, "x");
    rls2_table_free(table);
    memcpy(all + used, "garbage", 7);
    assert_refused_bytes("t.csv", all, used + 7, NULL, RLS2_ERR_SYNTAX,
                         "t.csv: there is something else after the end of the gzip data");
}

static void table_parse__large_gzip__is_unpacked(void **state)
{
    (void)state;
    enum { ROWS = 200000 };
    char *text = malloc(ROWS * 8 + 8), *end = text;
    assert_non_null(text);
    end += sprintf(end, "a\n");
    for (int i = 0; i < ROWS; i++) end += sprintf(end, "%d\n", i % 10);
    gzip_bytes packed = gzip(text, end - text);
    rls2_table *table = read_bytes("t", packed.data, packed.length, NULL);
    assert_int_equal(rls2_table_rows(table), ROWS);
    assert_true(rls2_table_value(table, ROWS - 1, 0) == (ROWS - 1) % 10);
    rls2_table_free(table);
    free(packed.data);
    free(text);
}

/* Lines that zlib can still unpack of some bytes. */
static int64_t lines_left(const char *packed, int64_t length)
{
    enum { MOST = 1 << 20 };
    char *text = calloc(1, MOST);
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)packed,
                       .avail_in = (uInt)length,
                       .next_out = (Bytef *)text,
                       .avail_out = MOST};
    assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
    inflate(&stream, Z_SYNC_FLUSH);
    int64_t lines = 0, got = MOST - (int64_t)stream.avail_out;
    inflateEnd(&stream);
    for (int64_t i = 0; i < got; i++) lines += text[i] == '\n';
    free(text);
    return lines;
}

/* Both ways of reading say how far the text is whole, by what zlib itself makes of the bytes. */
static void table_parse__gzip_cut_or_damaged_anywhere__says_the_last_line(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    char *text = malloc(40 * ROWS), wanted[200];
    int64_t used = sprintf(text, "a,b\n");
    uint32_t seed = 1;
    for (int i = 0; i < ROWS; i++) {
        seed = seed * 1664525u + 1013904223u;
        used += sprintf(text + used, "%u,%d\n", seed, i);
    }
    gzip_bytes packed = gzip(text, used);
    for (int64_t at = 100; at < packed.length - 8; at += 997) {
        rls2_error err = {.message = ""};
        rls2_table *table = NULL;
        rls2_status status = rls2_table_parse("t.csv", packed.data, at, NULL, &table, &err);
        assert_int_equal(status, RLS2_ERR_SYNTAX);
        snprintf(wanted, sizeof wanted,
                 "t.csv: the gzip data end too early; the file may have been cut; line %d is the "
                 "last that was read",
                 (int)lines_left(packed.data, at));
        assert_string_equal(err.message, wanted);
        assert_null(pieces_differ("t.csv", packed.data, at, NULL, INT64_MAX, 100));
    }
    packed.data[packed.length - 6] ^= 1;
    rls2_error err = {.message = ""};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse("t.csv", packed.data, packed.length, NULL, &table, &err),
                     RLS2_ERR_SYNTAX);
    assert_string_equal(err.message, "t.csv: the gzip data are damaged (incorrect data check); "
                                     "line 3001 is the last that was read");
    free(packed.data);
    free(text);
}

static void table_parse__damaged_gzip__is_refused(void **state)
{
    (void)state;
    const char *text = "a,b\n1,x\n2,y\n";
    gzip_bytes packed = gzip(text, (int64_t)strlen(text));
    for (int64_t length = 2; length < packed.length; length++)
        assert_refused_bytes("t.csv", packed.data, length, NULL, RLS2_ERR_SYNTAX,
                             "t.csv: the gzip data end too early; the file may have been cut");
    packed.data[packed.length - 5] ^= 1; /* the CRC */
    assert_refused_bytes("t.csv", packed.data, packed.length, NULL, RLS2_ERR_SYNTAX,
                         "t.csv: the gzip data are damaged (incorrect data check)");
    gzip_bytes twice = gzip(packed.data, packed.length);
    assert_refused_bytes("t.csv.gz", twice.data, twice.length, NULL, RLS2_ERR_SYNTAX,
                         "t.csv.gz: compressed by gzip more than once; unpack it first");
    free(twice.data);
    free(packed.data);
}

/* ---- CSV ---- */

static void table_parse__delimiter__is_found_from_the_first_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t columns;
        const char *cell; /* the last of the first row */
    } cases[] = {{"a,b;c\n1,2\n", 2, "2"},
                 {"a\tb;c\n1\t2\n", 2, "2"},
                 {"a;b\n1;2,5\n", 2, "2,5"},
                 {"\"a,b\";c\n1;2\n", 2, "2"},
                 {"a\n1;2\n", 1, "1;2"},
                 {"\"a\n,\"\tb\nx\t y \n", 2, "y"},
                 {"a\tb\n1\t\n", 2, ""},
                 {"\xEF\xBB\xBF"
                  "a;b\n1;2\n",
                  2, "2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rls2_table *table = read_text(cases[i].text, NULL);
        assert_int_equal(rls2_table_columns(table), cases[i].columns);
        assert_cell(table, 0, cases[i].columns - 1, cases[i].cell);
        rls2_table_free(table);
    }
}

static void table_parse__delimiter_given__is_the_only_one(void **state)
{
    (void)state;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.delimiter = '|';
    rls2_table *table = read_text("a,b\n1,2\n", &options);
    assert_int_equal(rls2_table_columns(table), 1);
    rls2_table_free(table);
    options.delimiter = ' ';
    table = read_text("a b\n1 \"2 3\"\n", &options);
    assert_cell(table, 0, 1, "2 3");
    assert_true(rls2_table_value(table, 0, 0) == 1.0);
    rls2_table_free(table);
}

static void dataset_create__wrong_delimiter__is_hinted_at(void **state)
{
    (void)state;
    static const struct {
        char delimiter;
        const char *text, *message;
    } cases[] = {
        {',', "a|b|y\n1|2|3\n",
         "t.csv: no column 'y': the only column is 'a|b|y'; cells are separated by commas"},
        {';', "a,b,y\n1,2,3\n",
         "t.csv: no column 'y': the only column is 'a,b,y'; cells are separated by semicolons"},
        {'|', "a\ty\n1\t2\n",
         "t.csv: no column 'y': the only column is 'a\\ty'; cells are separated by the delimiter "
         "that was "
         "given"},
        {0, "\"a;b\"\ty1\n1\t2\n", "t.csv: target: no column 'y'"},
        {0, "abc\n1\n", "t.csv: target: no column 'y'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rls2_read_options reading;
        rls2_read_options_init(&reading, sizeof reading);
        rls2_dataset_options options = options_for("y");
        rls2_dataset *dataset = NULL;
        rls2_error err = {.message = ""};
        reading.delimiter = cases[i].delimiter;
        rls2_table *table = read_text(cases[i].text, &reading);
        assert_int_equal(rls2_dataset_create(table, &options, &dataset, &err), RLS2_ERR_NAME);
        assert_string_equal(err.message, cases[i].message);
        rls2_table_free(table);
    }
}

static void table_parse__no_header__names_columns_by_number(void **state)
{
    (void)state;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.header = 0;
    rls2_table *table = read_text("\n1,x\n\n2,y\n", &options);
    assert_int_equal(rls2_table_rows(table), 2);
    assert_string_equal(rls2_table_column_name(table, 0), "x1");
    assert_string_equal(rls2_table_column_name(table, 1), "x2");
    assert_cell(table, 0, 1, "x");
    assert_int_equal(rls2_table_line(table, 0), 2);
    assert_int_equal(rls2_table_line(table, 1), 4);
    rls2_table_free(table);
    table = read_text("\n1\n\n2", &options);
    assert_int_equal(rls2_table_rows(table), 4);
    assert_int_equal(rls2_table_missing(table, 0), 2);
    rls2_table_free(table);
    table = read_text("\n", &options);
    assert_int_equal(rls2_table_rows(table), 1);
    rls2_table_free(table);
}

static void table_parse__no_header__errors_name_the_first_row(void **state)
{
    (void)state;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.header = 0;
    assert_refused("1,2\n3\n", &options,
                   "t.csv:2: 1 cell where the first row has 2; column 'x2' has none");
    assert_refused("1,2\n3,4,5\n", &options,
                   "t.csv:2: 3 cells where the first row has 2; '5' is one too many");
    assert_refused("1,2\"\n", &options,
                   "t.csv:1: column 2: a quote inside a cell that does not start with one: '2\"'");
    assert_refused(
        "1,2\n3,4\"\n", &options,
        "t.csv:2: column 'x2': a quote inside a cell that does not start with one: '4\"'");
}

static void table_parse__missing_texts__are_missing(void **state)
{
    (void)state;
    static const char *const words[] = {"NA", "-999", ""};
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    options.na = words;
    options.na_count = 3;
    rls2_table *table = read_text("NA,b\nNA,-999\n\"NA\",2\n 3 , NA \nNAN,-999.0\n", &options);
    assert_string_equal(rls2_table_column_name(table, 0), "NA");
    assert_int_equal(rls2_table_missing(table, 0), 2);
    assert_int_equal(rls2_table_missing(table, 1), 2);
    assert_cell(table, 0, 1, "");
    assert_cell(table, 3, 0, "NAN");
    assert_true(isnan(rls2_table_value(table, 0, 1)));
    assert_true(rls2_table_value(table, 3, 1) == -999.0);
    assert_int_equal(rls2_table_is_numeric(table, 1), 1);
    rls2_table_free(table);
    assert_refused("a,b\nNA\n", &options,
                   "t.csv:2: 1 cell where the header has 2; column 'b' has none");
}

static void table_delimiter__is_the_one_found_or_given(void **state)
{
    (void)state;
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    rls2_table *found = read_text("a;b\n1;2\n", NULL), *plain = read_text("a,b\n1,2\n", NULL);
    options.delimiter = '|';
    rls2_table *given = read_text("a,c|b\n1|2\n", &options);
    assert_int_equal(rls2_table_delimiter(found), ';');
    assert_int_equal(rls2_table_delimiter(plain), ',');
    assert_int_equal(rls2_table_delimiter(given), '|');
    assert_int_equal(rls2_table_delimiter(NULL), '\0');
    rls2_table_free(found);
    rls2_table_free(plain);
    rls2_table_free(given);
}

static void table_parse__files_of_other_programs__are_named(void **state)
{
    (void)state;
    static const char workbook[] = "PK\x03\x04..........................[Content_Types].xml";
    const char *office =
        "t.xlsx: this is a workbook or document of an office program; open it there and save it as "
        "CSV (in Excel: Save As, CSV UTF-8)";
    assert_refused_bytes("t.csv", "\x89PNG\r\n\x1A\n", 8, NULL, RLS2_ERR_SYNTAX,
                         "t.csv: this is a picture, not a table");
    assert_refused_bytes("t", "\xFF\xD8\xFF\xE0", 4, NULL, RLS2_ERR_SYNTAX,
                         "t: this is a picture, not a table");
    assert_refused_bytes("t.model", "\x40\0\0\0\0\0\0\0{\"__metadata__\":{}}", 27, NULL,
                         RLS2_ERR_SYNTAX, "t.model: this is a model, not a table");
    assert_refused_bytes("t.txt", "%PDF-1.4\n", 9, NULL, RLS2_ERR_SYNTAX,
                         "t.txt: this is a PDF document, not a table");
    assert_refused_bytes("t.xlsx", workbook, (int64_t)sizeof workbook - 1, NULL, RLS2_ERR_SYNTAX,
                         office);
    assert_refused_bytes(
        "t.xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8, NULL, RLS2_ERR_SYNTAX,
        "t.xls: this is a workbook or document of an office program; open it there "
        "and save it as CSV (in Excel: Save As, CSV UTF-8)");
    assert_refused_bytes("t.ods", "PK\x03\x04..........................mimetypeapplication", 49,
                         NULL, RLS2_ERR_SYNTAX,
                         "t.ods: this is a document of LibreOffice; open it there and save it as "
                         "Text CSV");
    assert_refused_bytes("t.parquet", "PAR1\x15\x04", 6, NULL, RLS2_ERR_SYNTAX,
                         "t.parquet: this is a Parquet file; in Python: "
                         "pandas.read_parquet(FILE).to_csv(\"data.csv\")");
    assert_refused_bytes("t.dta", "\x73\x02\x01\x00", 4, NULL, RLS2_ERR_SYNTAX,
                         "t.dta: this is a Stata file; in Python: "
                         "pandas.read_stata(FILE).to_csv(\"data.csv\")");
    assert_refused_bytes("t.sas7bdat", "\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60\xB3", 17, NULL,
                         RLS2_ERR_SYNTAX,
                         "t.sas7bdat: this is a SAS file; in Python: "
                         "pandas.read_sas(FILE).to_csv(\"data.csv\")");
    assert_refused_bytes("t.rds", "X\n\0\0\0\3\0\4", 8, NULL, RLS2_ERR_SYNTAX,
                         "t.rds: this is an R object (.rds); in R: write.csv(readRDS(FILE), "
                         "\"data.csv\")");
    assert_refused_bytes("t.csv", "<!DOCTYPE html>\n<html>", 22, NULL, RLS2_ERR_SYNTAX,
                         "t.csv: this is a web page, not a table");
    assert_refused_bytes("t.json", "[{\"a\": 1}]", 10, NULL, RLS2_ERR_SYNTAX,
                         "t.json: this is JSON; in Python: "
                         "pandas.read_json(FILE).to_csv(\"data.csv\")");
    /* too short to say, and an archive of something else: what ZIP archives are read for */
    assert_refused_bytes("t.npz", workbook, 29, NULL, RLS2_ERR_SYNTAX,
                         "t.npz: not a whole ZIP file: it has no directory");
}

/* The numbers kept are those the cells say, however they are written. */
static void table_parse__numbers__are_kept(void **state)
{
    (void)state;
    rls2_table *table = read_text(
        "a\n1\n -1.5e3 \n\"2\"\n1e400\n12345678901234567890123\n0x1\n1e5000\n+.5\n1.\n-\n1 2\n"
        "0.30000000000000004\n9007199254740993\n",
        NULL);
    const double values[] = {1,
                             -1500,
                             2,
                             NAN,
                             12345678901234567890123.0,
                             NAN,
                             NAN,
                             0.5,
                             1,
                             NAN,
                             NAN,
                             0.30000000000000004,
                             9007199254740993.0};
    assert_int_equal(rls2_table_rows(table), sizeof values / sizeof *values);
    for (int64_t i = 0; i < rls2_table_rows(table); i++) {
        double value = rls2_table_value(table, i, 0);
        assert_true(isnan(values[i]) ? isnan(value) : value == values[i]);
    }
    rls2_table_free(table);
}

/* ---- files and arguments ---- */

static void table_read__standard_input__is_named_stdin(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    assert_non_null(file);
    assert_true(fputs("a,b\n1\n", file) >= 0);
    rewind(file);
    int before = dup(STDIN_FILENO);
    assert_int_equal(dup2(fileno(file), STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(rls2_table_read("-", NULL, &table, &err), RLS2_ERR_SYNTAX);
    assert_string_equal(err.message, "stdin:2: 1 cell where the header has 2; column 'b' has none");
    assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_SET), 0); /* it was not closed */
    assert_int_equal(rls2_table_read_csv("-", &table, &err), RLS2_ERR_SYNTAX);
    assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
    close(before);
    fclose(file);
}

static void table_read__wrong_options__are_refused(void **state)
{
    (void)state;
    static const char *const hole[] = {"NA", NULL};
    static const struct {
        rls2_read_options options;
        const char *message;
    } cases[] = {
        {{.size = sizeof(rls2_read_options), .format = (rls2_format)6},
         "format is 6, not within 0..5"},
        {{.size = sizeof(rls2_read_options), .format = (rls2_format)-1},
         "format is -1, not within 0..5"},
        {{.size = sizeof(rls2_read_options), .header = 2}, "header is 2, not within -1..1"},
        {{.size = sizeof(rls2_read_options), .delimiter = '"'},
         "delimiter is '\"' (character 34), which cannot stand between cells"},
        {{.size = sizeof(rls2_read_options), .delimiter = '\n'},
         "delimiter is '\\n' (character 10), which cannot stand between cells"},
        {{.size = sizeof(rls2_read_options), .delimiter = 'e'},
         "delimiter is 'e' (character 101), which cannot stand between cells"},
        {{.size = sizeof(rls2_read_options), .delimiter = '.'},
         "delimiter is '.' (character 46), which cannot stand between cells"},
        {{.size = sizeof(rls2_read_options), .na_count = -2}, "na_count is -2"},
        {{.size = sizeof(rls2_read_options), .na_count = 1}, "na is NULL"},
        {{.size = sizeof(rls2_read_options), .na_count = 2, .na = hole}, "na[1] is NULL"},
    };
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused_bytes("t", "a\n1\n", 4, &cases[i].options, RLS2_ERR_ARGUMENT,
                             cases[i].message);
        assert_int_equal(rls2_table_read("data/cpu.csv", &cases[i].options, &table, &err),
                         RLS2_ERR_ARGUMENT);
        assert_string_equal(err.message, cases[i].message);
    }
    assert_int_equal(rls2_table_read(NULL, NULL, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument path is NULL");
    assert_int_equal(rls2_table_read("data/cpu.csv", NULL, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
    assert_refused_bytes(NULL, "a", 1, NULL, RLS2_ERR_ARGUMENT, "argument name is NULL");
    assert_refused_bytes("t", NULL, 1, NULL, RLS2_ERR_ARGUMENT, "argument bytes is NULL");
    assert_refused_bytes("t", "a", -1, NULL, RLS2_ERR_ARGUMENT, "length is -1");
    assert_null(table);
}

static void table_parse__decimal_comma__is_read(void **state)
{
    (void)state;
    static const char text[] = "a;b;c\n1,5;\"-2,25\";3\n,5;1.5;1,2,3\n1e1;7,;x\n";
    rls2_read_options options;
    rls2_read_options_init(&options, sizeof options);
    rls2_table *table = NULL;
    rls2_error err;
    options.decimal = ',';
    options.delimiter = ';';
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), &options, &table, &err),
                     RLS2_OK);
    assert_true(rls2_table_value(table, 0, 0) == 1.5);
    assert_true(rls2_table_value(table, 0, 1) == -2.25);
    assert_true(rls2_table_value(table, 0, 2) == 3.0);
    assert_true(rls2_table_value(table, 1, 0) == 0.5);
    assert_true(isnan(rls2_table_value(table, 1, 1))); /* 1.5 could be fifteen */
    assert_true(isnan(rls2_table_value(table, 1, 2)));
    assert_true(rls2_table_value(table, 2, 0) == 10.0);
    assert_true(rls2_table_value(table, 2, 1) == 7.0);
    rls2_table_free(table);
    options.delimiter = ',';
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), &options, &table, &err),
                     RLS2_ERR_ARGUMENT);
    options.decimal = ';';
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), &options, &table, &err),
                     RLS2_ERR_ARGUMENT);
}

static void table_parse__quote_within_the_first_line__does_not_open(void **state)
{
    (void)state;
    static const char text[] = "size 5\" pipe,y\n1,2\n";
    rls2_table *table = NULL;
    rls2_error err;
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, &err),
                     RLS2_ERR_SYNTAX);
    assert_non_null(strstr(err.message, "t.csv:1: column 1: a quote inside"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_parse__decimal_comma__is_read),
        cmocka_unit_test(table_parse__quote_within_the_first_line__does_not_open),
        cmocka_unit_test(format_find__first_bytes__decide_before_the_name),
        cmocka_unit_test(format_find__name__decides_before_the_text),
        cmocka_unit_test(format_find__first_line__decides_last),
        cmocka_unit_test(format_find__format_given__is_taken),
        cmocka_unit_test(table_parse__matlab__is_read),
        cmocka_unit_test(table_parse__gzip__is_unpacked),
        cmocka_unit_test(table_parse__several_members__are_one_text),
        cmocka_unit_test(table_parse__large_gzip__is_unpacked),
        cmocka_unit_test(table_parse__gzip_cut_or_damaged_anywhere__says_the_last_line),
        cmocka_unit_test(table_parse__damaged_gzip__is_refused),
        cmocka_unit_test(table_parse__delimiter__is_found_from_the_first_line),
        cmocka_unit_test(table_parse__delimiter_given__is_the_only_one),
        cmocka_unit_test(dataset_create__wrong_delimiter__is_hinted_at),
        cmocka_unit_test(table_parse__no_header__names_columns_by_number),
        cmocka_unit_test(table_parse__no_header__errors_name_the_first_row),
        cmocka_unit_test(table_parse__missing_texts__are_missing),
        cmocka_unit_test(table_delimiter__is_the_one_found_or_given),
        cmocka_unit_test(table_parse__files_of_other_programs__are_named),
        cmocka_unit_test(table_parse__numbers__are_kept),
        cmocka_unit_test(table_read__standard_input__is_named_stdin),
        cmocka_unit_test(table_read__wrong_options__are_refused),
    };
    return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
