/* Tables and data sets: what is read, and the exact words where it cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "rls2/table.h"
#include "table/lookup.h"
#include "table/number.h"
#include "table/table.h"

/* ---- helpers ---- */

static rls2_table *parsed(const char *text)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    assert_non_null(table);
    return table;
}

static void assert_rejected_part(const char *text, int64_t length, const char *message)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_table_parse_csv("t.csv", text, length, &table, &err), RLS2_ERR_SYNTAX);
    assert_int_equal(err.status, RLS2_ERR_SYNTAX);
    assert_string_equal(err.message, message);
    assert_null(table);
}

static void assert_rejected(const char *text, const char *message)
{
    assert_rejected_part(text, (int64_t)strlen(text), message);
}

static void assert_cell(const rls2_table *table, int64_t row, int64_t column, const char *text)
{
    assert_string_equal(rls2_table_cell(table, row, column), text);
}

static rls2_dataset_options options_for(const char *target)
{
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = target;
    return options;
}

/* The data set of a text; the table is gone when it is used. */
static rls2_dataset *made(const char *text, const rls2_dataset_options *options)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create(table, options, &dataset, &err);
    rls2_table_free(table);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return dataset;
}

static void assert_refused(const char *text, const rls2_dataset_options *options, rls2_status status,
                           const char *message)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create(table, options, &dataset, &err), status);
    assert_string_equal(err.message, message);
    assert_int_equal(err.status, status);
    assert_null(dataset);
    rls2_table_free(table);
}

static void assert_column(const rls2_dataset *dataset, int64_t column, const char *name, const double *values)
{
    assert_string_equal(rls2_dataset_names(dataset)[column], name);
    int64_t n = rls2_dataset_rows(dataset);
    for (int64_t i = 0; i < n; i++) assert_true(rls2_dataset_x(dataset)[column * n + i] == values[i]);
}

static void assert_y(const rls2_dataset *dataset, const double *values)
{
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++)
        assert_true(rls2_dataset_y(dataset)[i] == values[i]);
}

typedef struct scratch {
    char directory[64];
    char path[128];
} scratch;

static scratch scratch_file(const char *content, int64_t length)
{
    scratch s;
    strcpy(s.directory, "/tmp/rls2-table-XXXXXX");
    assert_non_null(mkdtemp(s.directory));
    snprintf(s.path, sizeof s.path, "%s/data.csv", s.directory);
    FILE *file = fopen(s.path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, (size_t)length, file), length);
    assert_int_equal(fclose(file), 0);
    return s;
}

static void scratch_remove(const scratch *s)
{
    unlink(s->path);
    rmdir(s->directory);
}

/* ---- numbers ---- */

static rls2__number_reader *number_reader(void)
{
    rls2__number_reader *reader = NULL;
    assert_int_equal(rls2__number_reader_create(&reader, NULL), RLS2_OK);
    return reader;
}

/* The test runs in the "C" locale, where strtod is the reference. */
static void assert_same_as_strtod(const rls2__number_reader *reader, const char *text)
{
    double value = NAN, expected = strtod(text, NULL);
    if (!rls2__number_parse(reader, text, &value)) fail_msg("'%s' was not accepted", text);
    if (memcmp(&value, &expected, sizeof value) != 0) fail_msg("'%s' gave %a, not %a", text, value, expected);
}

static void number_parse__written_in_many_ways__is_accepted(void **state)
{
    (void)state;
    const char *texts[] = {"0",
                           "-0",
                           "+0.0",
                           "1",
                           "-1",
                           "+1",
                           "1.",
                           ".5",
                           "-.5",
                           "1e3",
                           "1E+3",
                           "1.5e-3",
                           "00012",
                           "0.1",
                           "0.3",
                           "123456789012345678901234567890",
                           "1e22",
                           "1e23",
                           "-1e-22",
                           "9007199254740993",
                           "9007199254740992",
                           "9007199254740991e22",
                           "0.000000000000000000000000000000000001",
                           "1.7976931348623157e308",
                           "4.9406564584124654e-324",
                           "2.2250738585072011e-308",
                           "1e-400",
                           "0e999999999999",
                           "1e0000000000000000000001",
                           "0.1000000000000000055511151231257827021181583404541015625",
                           "1.00000000000000011102230246251565404236316680908203125",
                           "1.00000000000000011102230246251565404236316680908203124",
                           "18446744073709551615e-27",
                           "9999999999999999999e-1",
                           "0.9999999999999999999",
                           "1e-27",
                           "1e-28"};
    rls2__number_reader *reader = number_reader();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_same_as_strtod(reader, texts[i]);
    rls2__number_reader_free(reader);
}

static void number_parse__blanks_around__are_ignored(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    double value = 0.0;
    assert_true(rls2__number_parse(reader, " \t 2.5\t ", &value));
    assert_true(value == 2.5);
    rls2__number_reader_free(reader);
}

static void number_parse__not_a_finite_decimal__is_rejected(void **state)
{
    (void)state;
    const char *texts[] = {"",       " ",     ".",      "+",   "-",     "e5",   ".e5",      "1e",  "1e+",
                           "1e-",    "0x10",  "0x1p3",  "inf", "Inf",   "-inf", "infinity", "nan", "NaN",
                           "nan(1)", "NA",    "1,5",    "1 2", "1_000", "--1",  "+-1",      "- 1", "1.2.3",
                           "1e5.0",  "1e999", "-1e400", "1d5", "12a",   "1\n",  "1.8e308"};
    rls2__number_reader *reader = number_reader();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7.0;
        if (rls2__number_parse(reader, texts[i], &value)) fail_msg("'%s' was accepted", texts[i]);
        assert_true(value == 7.0);
    }
    rls2__number_reader_free(reader);
}

static void number_parse__random_decimals__equals_strtod_bit_for_bit(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    rls2__random random;
    rls2__random_seed(&random, 1);
    for (int i = 0; i < 60000; i++) {
        char text[64];
        uint64_t digits = rls2__random_bits(&random) >> rls2__random_below(&random, 60);
        int exponent = (int)rls2__random_below(&random, 70) - 40;
        snprintf(text, sizeof text, "%s%" PRIu64 "e%d", i % 2 ? "-" : "", digits, exponent);
        assert_same_as_strtod(reader, text);
        snprintf(text, sizeof text, "%.*f", (int)rls2__random_below(&random, 20),
                 100.0 * rls2__random_normal(&random));
        assert_same_as_strtod(reader, text);
        snprintf(text, sizeof text, "%.17g", ldexp(rls2__random_normal(&random), exponent));
        assert_same_as_strtod(reader, text);
    }
    rls2__number_reader_free(reader);
}

/* A written exponent that millions of places bring back into range. */
static void number_parse__millions_of_places__equals_strtod(void **state)
{
    (void)state;
    enum { PLACES = 2000000 };
    rls2__number_reader *reader = number_reader();
    char *text = malloc(PLACES + 32);
    assert_non_null(text);
    memset(text, '0', PLACES + 2);
    text[1] = '.';
    strcpy(text + PLACES + 2, "15e2000001");
    assert_same_as_strtod(reader, text);
    strcpy(text + PLACES + 2, "15e-1");
    assert_same_as_strtod(reader, text);
    double value;
    strcpy(text + PLACES + 2, "15e20000001");
    assert_false(rls2__number_parse(reader, text, &value));
    free(text);
    rls2__number_reader_free(reader);
}

/* Halfway between two doubles, and a hair beside it. */
static void number_parse__near_ties__equals_strtod_bit_for_bit(void **state)
{
    (void)state;
    rls2__number_reader *reader = number_reader();
    rls2__random random;
    rls2__random_seed(&random, 2);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        uint64_t middle = (rls2__random_bits(&random) >> 9) | 1; /* 55 bits: an odd one is between doubles */
        middle |= UINT64_C(1) << 53;
        int places = (int)rls2__random_below(&random, 17);
        for (int delta = -1; delta <= 1; delta++) {
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", middle + (uint64_t)delta, places);
            assert_same_as_strtod(reader, text);
            snprintf(text, sizeof text, "%" PRIu64 ".%s", middle, delta < 0 ? "0" : delta ? "01" : "00");
            assert_same_as_strtod(reader, text);
        }
    }
    rls2__number_reader_free(reader);
}

static void number_parse__comma_locale__still_reads_points(void **state)
{
    (void)state;
    const char *locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "it_IT.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !set; i++) set = setlocale(LC_ALL, locales[i]);
    if (!set) return; /* no such locale on this machine */

    rls2__number_reader *reader = number_reader();
    double fast = 0.0, slow = 0.0, comma = 0.0;
    int accepted = rls2__number_parse(reader, "1.5", &fast) && rls2__number_parse(reader, "1.5e-300", &slow);
    int accepted_comma = rls2__number_parse(reader, "1,5", &comma);
    rls2__number_reader_free(reader);
    setlocale(LC_ALL, "C");
    assert_true(accepted);
    assert_false(accepted_comma);
    assert_true(fast == 1.5);
    assert_true(slow == 1.5e-300);
}

static void number_reader_free__null__does_nothing(void **state)
{
    (void)state;
    rls2__number_reader_free(NULL);
}

/* ---- lookup ---- */

static void lookup_add__many_texts__numbers_them_in_order(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char texts[COUNT][16];
    rls2__lookup *lookup = rls2__lookup_create();
    assert_non_null(lookup);
    for (int i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "v%d", i);
        assert_int_equal(rls2__lookup_find(lookup, texts[i]), -1);
        assert_int_equal(rls2__lookup_add(lookup, texts[i]), i);
    }
    assert_int_equal(rls2__lookup_count(lookup), COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(rls2__lookup_add(lookup, texts[i]), i);
        assert_int_equal(rls2__lookup_find(lookup, texts[i]), i);
        assert_ptr_equal(rls2__lookup_text(lookup, i), texts[i]);
    }
    assert_int_equal(rls2__lookup_count(lookup), COUNT);
    rls2__lookup_free(lookup);
    rls2__lookup_free(NULL);
}

/* ---- messages ---- */

static void show__long_text__is_cut_between_characters(void **state)
{
    (void)state;
    char text[101];
    memset(text, 'a', 100);
    text[100] = '\0';
    assert_string_equal(rls2__show(text).text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...");
    memcpy(text + 43, "\xC3\xA9", 2); /* e acute would be cut in two */
    assert_string_equal(rls2__show(text).text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...");
}

static void show__control_characters__are_replaced(void **state)
{
    (void)state;
    assert_string_equal(rls2__show("a\nb\tc\x7F").text, "a?b?c?");
    assert_string_equal(rls2__show("").text, "");
}

/* ---- CSV: what is read ---- */

static void parse_csv__plain_table__keeps_cells_names_and_kinds(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b,c\n1,x,2.5\n-3,y,\n");
    assert_int_equal(rls2_table_rows(table), 2);
    assert_int_equal(rls2_table_columns(table), 3);
    assert_string_equal(rls2_table_column_name(table, 0), "a");
    assert_string_equal(rls2_table_column_name(table, 2), "c");
    assert_int_equal(rls2_table_find(table, "b"), 1);
    assert_int_equal(rls2_table_find(table, "B"), -1);
    assert_cell(table, 0, 0, "1");
    assert_cell(table, 0, 1, "x");
    assert_cell(table, 1, 0, "-3");
    assert_cell(table, 1, 2, "");
    assert_true(rls2_table_is_numeric(table, 0));
    assert_false(rls2_table_is_numeric(table, 1));
    assert_true(rls2_table_is_numeric(table, 2));
    rls2_table_free(table);
}

static void parse_csv__no_final_newline__reads_last_row(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b\n1,2\n3,4");
    assert_int_equal(rls2_table_rows(table), 2);
    assert_cell(table, 1, 1, "4");
    rls2_table_free(table);
}

static void parse_csv__ends_after_comma__last_cell_is_missing(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b\n1,");
    assert_int_equal(rls2_table_rows(table), 1);
    assert_cell(table, 0, 1, "");
    rls2_table_free(table);
}

static void parse_csv__crlf_and_bom__are_not_part_of_cells(void **state)
{
    (void)state;
    const char *texts[] = {"\xEF\xBB\xBF"
                           "a,b\r\n1,2\r\n3,\"4\"\r\n",
                           "\xEF\xBB\xBF"
                           "a,b\r\n1,2\r\n3,4\r",
                           "a,b\r\n1,2\n3,4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rls2_table *table = parsed(texts[i]);
        assert_int_equal(rls2_table_rows(table), 2);
        assert_string_equal(rls2_table_column_name(table, 0), "a");
        assert_string_equal(rls2_table_column_name(table, 1), "b");
        assert_cell(table, 0, 1, "2");
        assert_cell(table, 1, 1, "4");
        rls2_table_free(table);
    }
}

static void parse_csv__quotes__are_removed_and_keep_everything_inside(void **state)
{
    (void)state;
    rls2_table *table =
        parsed("\"a,1\",b\n\"x \"\"y\"\" z\",\"1,5\"\n\"two\r\nlines\",\"\"\n\"\"\"\",\" k \"\n");
    assert_int_equal(rls2_table_rows(table), 3);
    assert_string_equal(rls2_table_column_name(table, 0), "a,1");
    assert_cell(table, 0, 0, "x \"y\" z");
    assert_cell(table, 0, 1, "1,5");
    assert_cell(table, 1, 0, "two\r\nlines");
    assert_cell(table, 1, 1, "");
    assert_cell(table, 2, 0, "\"");
    assert_cell(table, 2, 1, " k ");
    rls2_table_free(table);
}

static void parse_csv__quoted_numbers__are_numbers(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b\n\"1\",\" 2 \"\n\"3\",\"4\"\n");
    assert_true(rls2_table_is_numeric(table, 0));
    assert_true(rls2_table_is_numeric(table, 1));
    rls2_table_free(table);
}

static void parse_csv__blanks_around_cells__are_left_out(void **state)
{
    (void)state;
    rls2_table *table = parsed(" a , \"b\" ,c\t\n 1,\tx y , \n2 , \"q\" ,\" \"\n");
    assert_string_equal(rls2_table_column_name(table, 0), "a");
    assert_string_equal(rls2_table_column_name(table, 1), "b");
    assert_string_equal(rls2_table_column_name(table, 2), "c");
    assert_cell(table, 0, 0, "1");
    assert_cell(table, 0, 1, "x y");
    assert_cell(table, 0, 2, "");
    assert_cell(table, 1, 1, "q");
    assert_cell(table, 1, 2, " ");
    rls2_table_free(table);
}

static void parse_csv__empty_lines__are_skipped_in_several_columns(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b\n\n1,2\n \t\n\r\n3,4\n\n\n");
    assert_int_equal(rls2_table_rows(table), 2);
    assert_cell(table, 0, 0, "1");
    assert_cell(table, 1, 0, "3");
    assert_cell(table, 1, 1, "4");
    rls2_table_free(table);
}

static void parse_csv__empty_lines__are_missing_cells_in_one_column(void **state)
{
    (void)state;
    rls2_table *table = parsed("a\n1\n\n\"\"\n2\n");
    assert_int_equal(rls2_table_rows(table), 4);
    assert_cell(table, 1, 0, "");
    assert_cell(table, 2, 0, "");
    assert_cell(table, 3, 0, "2");
    assert_true(rls2_table_is_numeric(table, 0));
    rls2_table_free(table);
}

static void parse_csv__words_for_missing_or_infinite__make_text(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b,c,d,e\n1,1,1,1,1\nNA,nan,Inf,0x1,1e999\n");
    for (int64_t j = 0; j < 5; j++) assert_false(rls2_table_is_numeric(table, j));
    rls2_table_free(table);
}

static void parse_csv__text_not_terminated__stops_at_length(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    char text[] = {'a', '\n', '1', '2', '3'};
    assert_int_equal(rls2_table_parse_csv("t.csv", text, 4, &table, NULL), RLS2_OK);
    assert_cell(table, 0, 0, "12");
    assert_int_equal(text[3], '2');
    rls2_table_free(table);
}

static void parse_csv__many_columns__all_are_found(void **state)
{
    (void)state;
    enum { COLUMNS = 3000 };
    char *text = calloc(COLUMNS * 16, 1), *p = text;
    assert_non_null(text);
    for (int j = 0; j < COLUMNS; j++) p += sprintf(p, "%sg%d", j ? "," : "", j);
    for (int j = 0; j < COLUMNS; j++) p += sprintf(p, "%s%d", j ? "," : "\n", j);
    rls2_table *table = parsed(text);
    assert_int_equal(rls2_table_columns(table), COLUMNS);
    assert_int_equal(rls2_table_find(table, "g2999"), 2999);
    assert_cell(table, 0, 2999, "2999");
    rls2_table_free(table);
    free(text);
}

/* ---- CSV: what is rejected ---- */

static void parse_csv__empty_text__is_an_error(void **state)
{
    (void)state;
    assert_rejected("", "t.csv: the file is empty");
    assert_rejected("\xEF\xBB\xBF", "t.csv: the file is empty");
}

static void parse_csv__header_only__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,b", "t.csv: no data rows");
    assert_rejected("a,b\r\n", "t.csv: no data rows");
    assert_rejected("a,b\n\n\n", "t.csv: no data rows");
}

static void parse_csv__name_missing__says_which(void **state)
{
    (void)state;
    assert_rejected("a,,c\n1,2,3\n", "t.csv:1: column 2 has no name");
    assert_rejected("a,\"\"\n1,2\n", "t.csv:1: column 2 has no name");
    assert_rejected("a,b, \n1,2,3\n", "t.csv:1: column 3 has no name");
    assert_rejected("\n1\n", "t.csv:1: column 1 has no name");
}

static void parse_csv__name_twice__says_which(void **state)
{
    (void)state;
    assert_rejected("a,b,\"a\"\n1,2,3\n", "t.csv:1: columns 1 and 3 have the same name 'a'");
}

static void parse_csv__row_too_short__names_first_column_without_cell(void **state)
{
    (void)state;
    assert_rejected("a,b,c\n1,2,3\n1,2\n", "t.csv:3: 2 cells where the header has 3; column 'c' has none");
    assert_rejected("a,b\n\"\"\n", "t.csv:2: 1 cell where the header has 2; column 'b' has none");
}

static void parse_csv__row_too_long__shows_first_cell_without_column(void **state)
{
    (void)state;
    assert_rejected("a,b\n1,2\n\n1,2,extra,4\n",
                    "t.csv:4: 4 cells where the header has 2; 'extra' is one too many");
    assert_rejected("a\n1,2\n", "t.csv:2: 2 cells where the header has 1; '2' is one too many");
    assert_rejected("a,b\n1,2,\n", "t.csv:2: 3 cells where the header has 2; '' is one too many");
}

static void parse_csv__line_numbers__count_lines_within_quotes(void **state)
{
    (void)state;
    assert_rejected("a,b\n\"1\n2\n3\",x\n5\n", "t.csv:5: 1 cell where the header has 2; column 'b' has none");
}

static void parse_csv__quote_not_closed__names_line_of_opening(void **state)
{
    (void)state;
    assert_rejected("a,b\n1,2\n3,\"x\ny\n", "t.csv:3: column 'b': a quote that is never closed: 'x?y?'");
    assert_rejected("a,\"b\n1,2\n", "t.csv:1: column 2: a quote that is never closed: 'b?1,2?'");
    assert_rejected("a,b\n1,\"", "t.csv:2: column 'b': a quote that is never closed: ''");
    assert_rejected("a,b\n1,\"\"\"", "t.csv:2: column 'b': a quote that is never closed: '\"'");
}

static void parse_csv__text_after_closing_quote__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,b\n\"1\"x y,2\n", "t.csv:2: column 'a': text after the closing quote: 'x y'");
    assert_rejected("a,b\n1,\"2\" \"3\"\n", "t.csv:2: column 'b': text after the closing quote: '\"3\"'");
}

static void parse_csv__quote_inside_plain_cell__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,b\n1,5\" pipe\n",
                    "t.csv:2: column 'b': a quote inside a cell that does not start with one: '5\" pipe'");
}

static void parse_csv__nul_byte__is_an_error(void **state)
{
    (void)state;
    assert_rejected_part("a,b\n1,\0002\n", 9, "t.csv:2: column 'b': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a,b\n\"1\0\",2\n", 11, "t.csv:2: column 'a': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a,b\n\"1\"\0,2\n", 11, "t.csv:2: column 'a': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a\0,\0b\0", 6, "t.csv:1: column 1: a NUL byte; is this UTF-8 text?");
}

static void parse_csv__carriage_return_alone__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,b\r1,2\r", "t.csv:1: column 2: a carriage return without a line feed");
    assert_rejected("a,b\n\"1\"\r,2", "t.csv:2: column 'a': a carriage return without a line feed");
}

static void parse_csv__long_names_and_values__are_cut_in_messages(void **state)
{
    (void)state;
    char text[2000], message[512];
    const char *cut = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...";
    memset(text, 'n', 500);
    strcpy(text + 500, ",b\n\"1\"");
    memset(text + 506, 'n', 1000);
    strcpy(text + 1506, ",2\n");
    snprintf(message, sizeof message, "t.csv:2: column '%s': text after the closing quote: '%s'", cut, cut);
    assert_rejected(text, message);
}

static void parse_csv__long_file_name__keeps_its_end(void **state)
{
    (void)state;
    char name[1000], expected[512];
    rls2_table *table = NULL;
    rls2_error err = {0};
    memset(name, 'd', 990);
    strcpy(name + 990, "/file.csv");
    assert_int_equal(rls2_table_parse_csv(name, "a\n", 2, &table, &err), RLS2_ERR_SYNTAX);
    snprintf(expected, sizeof expected, "...%s: no data rows", name + strlen(name) - 124);
    assert_string_equal(err.message, expected);
}

static void parse_csv__wrong_arguments__are_named(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_table_parse_csv(NULL, "a\n1", 3, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "name is NULL");
    assert_int_equal(rls2_table_parse_csv("t", NULL, 3, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "text is NULL");
    assert_int_equal(rls2_table_parse_csv("t", "a\n1", -1, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "length is -1");
    assert_int_equal(rls2_table_parse_csv("t", "a\n1", 3, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "table is NULL");
    assert_int_equal(rls2_table_parse_csv("t", "", 0, &table, NULL), RLS2_ERR_SYNTAX);
    assert_null(table);
}

/* Any prefix of a table is read or rejected, never read beyond its end. */
static void parse_csv__every_prefix__is_safe(void **state)
{
    (void)state;
    const char text[] = "\xEF\xBB\xBF"
                        "a, \"b\"\"\" ,c\r\n1,\"x\ny\" ,\n\n \"\",2 ,\"\"\r\n3,4,5";
    for (int64_t length = 0; length < (int64_t)sizeof text; length++) {
        rls2_table *table = NULL;
        char *exact = malloc(length > 0 ? (size_t)length : 1); /* so that the sanitizer sees the end */
        assert_non_null(exact);
        memcpy(exact, text, (size_t)length);
        rls2_table_parse_csv("t.csv", exact, length, &table, NULL);
        rls2_table_free(table);
        free(exact);
    }
}

static void parse_csv__random_bytes__are_safe(void **state)
{
    (void)state;
    static const char alphabet[] = "\",\n\r 1ae.\t-";
    rls2__random random;
    rls2__random_seed(&random, 3);
    for (int i = 0; i < 20000; i++) {
        char text[40] = "p,q\n";
        int64_t length = 4 + rls2__random_below(&random, 30);
        for (int64_t k = 4; k < length; k++) text[k] = alphabet[rls2__random_below(&random, sizeof alphabet)];
        rls2_table *table = NULL;
        rls2_error err = {0};
        rls2_status status = rls2_table_parse_csv("t.csv", text + i % 5, length - i % 5, &table, &err);
        assert_true((status == RLS2_OK) == (table != NULL));
        assert_true((status == RLS2_OK) == (err.message[0] == '\0'));
        for (int64_t r = 0; r < rls2_table_rows(table); r++)
            for (int64_t c = 0; c < rls2_table_columns(table); c++)
                assert_true(strlen(rls2_table_cell(table, r, c)) < sizeof text);
        rls2_table_free(table);
    }
}

/* ---- files ---- */

static void read_csv__file__is_read(void **state)
{
    (void)state;
    const char *text = "a,b\n1,2\n";
    scratch s = scratch_file(text, (int64_t)strlen(text));
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_read_csv(s.path, &table, NULL), RLS2_OK);
    assert_cell(table, 0, 1, "2");
    rls2_table_free(table);
    scratch_remove(&s);
}

/* More than the first buffer of a file of unknown size. */
static void read_csv__pipe__is_read_to_the_end(void **state)
{
    (void)state;
    enum { ROWS = 40000 };
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *out = fdopen(ends[1], "w");
        fputs("a,b\n", out);
        for (int i = 0; i < ROWS; i++) fprintf(out, "%d,x\n", i);
        fclose(out);
        _exit(0);
    }
    close(ends[1]);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    rls2_table *table = NULL;
    rls2_status status = rls2_table_read_csv(path, &table, NULL);
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(status, RLS2_OK);
    assert_int_equal(rls2_table_rows(table), ROWS);
    assert_cell(table, ROWS - 1, 0, "39999");
    rls2_table_free(table);
}

static void assert_unreadable(const char *path, rls2_status status, const char *message)
{
    rls2_table *table = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_table_read_csv(path, &table, &err), status);
    assert_string_equal(err.message, message);
    assert_null(table);
}

static void read_csv__unusable_path__says_why(void **state)
{
    (void)state;
    char message[256];
    scratch s = scratch_file("", 0);
    snprintf(message, sizeof message, "%s: the file is empty", s.path);
    assert_unreadable(s.path, RLS2_ERR_SYNTAX, message);
    snprintf(message, sizeof message, "%s: is a directory, not a file", s.directory);
    assert_unreadable(s.directory, RLS2_ERR_IO, message);
    if (geteuid() != 0) { /* root may read anything */
        assert_int_equal(chmod(s.path, 0), 0);
        snprintf(message, sizeof message, "%s: no permission to read the file", s.path);
        assert_unreadable(s.path, RLS2_ERR_IO, message);
    }
    scratch_remove(&s);
    snprintf(message, sizeof message, "%s: no such file", s.path);
    assert_unreadable(s.path, RLS2_ERR_IO, message);
    assert_unreadable(NULL, RLS2_ERR_ARGUMENT, "path is NULL");
    assert_int_equal(rls2_table_read_csv(s.path, NULL, NULL), RLS2_ERR_ARGUMENT);
}

/* ---- table accessors ---- */

static void table_accessors__out_of_range__give_nothing(void **state)
{
    (void)state;
    rls2_table *table = parsed("a\n1\n");
    assert_null(rls2_table_column_name(table, 1));
    assert_null(rls2_table_column_name(table, -1));
    assert_int_equal(rls2_table_is_numeric(table, 1), 0);
    assert_cell(table, 1, 0, "");
    assert_cell(table, -1, 0, "");
    assert_cell(table, 0, 1, "");
    assert_int_equal(rls2_table_find(table, NULL), -1);
    rls2_table_free(table);
}

static void table_accessors__null__give_nothing(void **state)
{
    (void)state;
    assert_int_equal(rls2_table_rows(NULL), -1);
    assert_int_equal(rls2_table_columns(NULL), -1);
    assert_null(rls2_table_column_name(NULL, 0));
    assert_int_equal(rls2_table_find(NULL, "a"), -1);
    assert_int_equal(rls2_table_is_numeric(NULL, 0), 0);
    assert_cell(NULL, 0, 0, "");
    rls2_table_free(NULL);
}

/* ---- data sets: what is made ---- */

static void dataset_options_default__is_as_documented(void **state)
{
    (void)state;
    rls2_dataset_options options = rls2_dataset_options_default();
    assert_null(options.target);
    assert_int_equal(options.drop_count, 0);
    assert_int_equal(options.categorical_count, 0);
    assert_int_equal(options.drop_missing, 1);
    assert_int_equal(options.classify, -1);
    assert_int_equal(options.reference, 0);
}

static void dataset_create__numbers__are_column_major(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y,b\n1,10,0.1\n2,20,-2e3\n3,30,.5\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 3);
    assert_int_equal(rls2_dataset_columns(dataset), 2);
    assert_column(dataset, 0, "a", (double[]){1, 2, 3});
    assert_column(dataset, 1, "b", (double[]){0.1, -2e3, 0.5});
    assert_y(dataset, (double[]){10, 20, 30});
    assert_int_equal(rls2_dataset_is_classification(dataset), 0);
    assert_null(rls2_dataset_label(dataset, 1));
    assert_int_equal(rls2_dataset_dropped(dataset), 0);
    rls2_dataset_free(dataset);
}

static void dataset_create__dropped_columns__are_left_out(void **state)
{
    (void)state;
    const char *drop[] = {"id", "b", "id"};
    rls2_dataset_options options = options_for("y");
    options.drop = drop;
    options.drop_count = 3;
    rls2_dataset *dataset = made("id,a,b,y\nr1,1,,3\n7,2,5,4\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 2); /* the empty cell of b does not matter */
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    assert_column(dataset, 0, "a", (double[]){1, 2});
    rls2_dataset_free(dataset);
}

static void dataset_create__target_only__has_no_inputs(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("y\n1\n2\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 0);
    assert_non_null(rls2_dataset_x(dataset));
    assert_non_null(rls2_dataset_names(dataset));
    assert_y(dataset, (double[]){1, 2});
    rls2_dataset_standardize(dataset);
    rls2_dataset_free(dataset);
}

static void dataset_create__missing_cells__drop_their_rows(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,1\n,2\n3,\n4,4\n", &options);
    assert_int_equal(rls2_dataset_rows(dataset), 2);
    assert_int_equal(rls2_dataset_dropped(dataset), 2);
    assert_int_equal(rls2_dataset_source_row(dataset, 0), 0);
    assert_int_equal(rls2_dataset_source_row(dataset, 1), 3);
    assert_int_equal(rls2_dataset_source_row(dataset, 2), -1);
    assert_int_equal(rls2_dataset_source_row(dataset, -1), -1);
    assert_column(dataset, 0, "a", (double[]){1, 4});
    rls2_dataset_free(dataset);
}

static void dataset_create__text_columns__become_indicators(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,a,s,y\nE,1,u,1\nB,2,v,2\nE,3,v,3\nC,4,u,4\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 6);
    assert_column(dataset, 0, "m=E", (double[]){1, 0, 1, 0});
    assert_column(dataset, 1, "m=B", (double[]){0, 1, 0, 0});
    assert_column(dataset, 2, "m=C", (double[]){0, 0, 0, 1});
    assert_column(dataset, 3, "a", (double[]){1, 2, 3, 4});
    assert_column(dataset, 4, "s=u", (double[]){1, 0, 0, 1});
    assert_column(dataset, 5, "s=v", (double[]){0, 1, 1, 0});
    rls2_dataset_free(dataset);
}

static void dataset_create__value_in_dropped_rows_only__has_no_indicator(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,y\nZ,\nB,2\nA,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 2);
    assert_column(dataset, 0, "m=B", (double[]){1, 0});
    assert_column(dataset, 1, "m=A", (double[]){0, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__reference__drops_last_indicator_of_first_text_column(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.reference = 1;
    rls2_dataset *dataset = made("a,m,s,y\n1,E,u,1\n2,B,v,2\n3,C,v,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 5);
    assert_column(dataset, 1, "m=E", (double[]){1, 0, 0});
    assert_column(dataset, 2, "m=B", (double[]){0, 1, 0});
    assert_column(dataset, 3, "s=u", (double[]){1, 0, 0});
    assert_column(dataset, 4, "s=v", (double[]){0, 1, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__reference_with_one_value__leaves_no_indicator(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.reference = 1;
    rls2_dataset *dataset = made("m,a,y\nE,5,1\nE,6,2\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    assert_column(dataset, 0, "a", (double[]){5, 6});
    rls2_dataset_free(dataset);
}

static void dataset_create__categorical__takes_numbers_as_text(void **state)
{
    (void)state;
    const char *categorical[] = {"origin", "mixed"};
    rls2_dataset_options options = options_for("y");
    options.categorical = categorical;
    options.categorical_count = 2;
    rls2_dataset *dataset = made("origin,mixed,y\n3,1,1\n1,x,2\n3,1,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 4);
    assert_column(dataset, 0, "origin=3", (double[]){1, 0, 1});
    assert_column(dataset, 1, "origin=1", (double[]){0, 1, 0});
    assert_column(dataset, 2, "mixed=1", (double[]){1, 0, 1});
    assert_column(dataset, 3, "mixed=x", (double[]){0, 1, 0});
    rls2_dataset_free(dataset);
}

static void dataset_create__categorical_and_dropped__is_dropped(void **state)
{
    (void)state;
    const char *both[] = {"a"};
    rls2_dataset_options options = options_for("y");
    options.categorical = options.drop = both;
    options.categorical_count = options.drop_count = 1;
    rls2_dataset *dataset = made("a,b,y\n1,2,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 1);
    rls2_dataset_free(dataset);
}

static void dataset_create__mostly_text_column__is_text(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("m,y\n32/60,1\n470v,2\n7,3\n", &options);
    assert_int_equal(rls2_dataset_columns(dataset), 3);
    assert_column(dataset, 2, "m=7", (double[]){0, 0, 1});
    rls2_dataset_free(dataset);
}

/* ---- data sets: classes ---- */

static void assert_classes(const char *text, int classify, const char *negative, const char *positive,
                           const double *y)
{
    rls2_dataset_options options = options_for("y");
    options.classify = classify;
    rls2_dataset *dataset = made(text, &options);
    assert_int_equal(rls2_dataset_is_classification(dataset), 1);
    assert_string_equal(rls2_dataset_label(dataset, -1), negative);
    assert_string_equal(rls2_dataset_label(dataset, 1), positive);
    assert_null(rls2_dataset_label(dataset, 0));
    assert_y(dataset, y);
    rls2_dataset_free(dataset);
}

static void dataset_create__text_target__becomes_signs_in_sorted_order(void **state)
{
    (void)state;
    assert_classes("a,y\n1,g\n2,b\n3,g\n", -1, "b", "g", (double[]){1, -1, 1});
    assert_classes("a,y\n1,M\n2,R\n3,M\n", 1, "M", "R", (double[]){-1, 1, -1});
}

static void dataset_create__numeric_classes__are_sorted_by_value(void **state)
{
    (void)state;
    assert_classes("a,y\n1,10\n2,9\n3,10\n", 1, "9", "10", (double[]){1, -1, 1});
    assert_classes("a,y\n1,-1\n2,-2\n", 1, "-2", "-1", (double[]){1, -1});
    assert_classes("a,y\n1,10\n2,9\n,x\n", 1, "9", "10", (double[]){1, -1}); /* a text column at that */
}

static void dataset_create__numeric_classes_written_differently__are_one(void **state)
{
    (void)state;
    assert_classes("a,y\n1,1.0\n2,0\n3,1\n4,-0.0\n", 1, "0", "1.0", (double[]){1, -1, 1, -1});
}

static void dataset_create__two_valued_numbers__are_regression_by_default(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,0\n2,1\n", &options);
    assert_int_equal(rls2_dataset_is_classification(dataset), 0);
    assert_y(dataset, (double[]){0, 1});
    rls2_dataset_free(dataset);
}

static void dataset_create__not_two_classes__says_how_many_and_which(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,y\n1,x\n2,x\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y': 2 classes are needed, not 1: 'x'");
    assert_refused("a,y\n1,x\n2,q\n3,z\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y': 2 classes are needed, not 3: 'x', 'q', 'z'");
    options.classify = 1;
    assert_refused("a,y\n1,5\n2,4\n3,3\n4,2\n5,5.0\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y': 2 classes are needed, not 4: '5', '4', '3', ...");
}

static void dataset_create__class_in_dropped_rows_only__does_not_count(void **state)
{
    (void)state;
    assert_classes("a,y\n1,p\n,q\n3,r\n", -1, "p", "r", (double[]){-1, 1});
}

/* ---- data sets: what is refused ---- */

static void dataset_create__one_word_among_numbers__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("rm,y\n1,1\n\n2,2\n,3\nabc,4\n5,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:6: column 'rm': 'abc' is not a number");
    assert_refused("rm,y\n1,1\nNaN,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'rm': 'NaN' is not a number");
    assert_refused("rm,y\n1,1\n1e999,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'rm': '1e999' is not a number");
}

static void dataset_create__word_in_numeric_target__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    const char *text = "a,y\n1,1\n2,2\n3,?\n";
    assert_refused(text, &options, RLS2_ERR_VALUE, "t.csv:4: column 'y': '?' is not a number");
    options.classify = 0;
    assert_refused(text, &options, RLS2_ERR_VALUE, "t.csv:4: column 'y': '?' is not a number");
    assert_refused("a,y\n1,u\n2,v\n", &options, RLS2_ERR_VALUE, "t.csv:2: column 'y': 'u' is not a number");
}

static void dataset_create__missing_cell_not_allowed__names_it(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.drop_missing = 0;
    assert_refused("a,b,y\n1,1,1\n2,,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'b': the cell is empty");
}

static void dataset_create__no_complete_row__is_an_error(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,b,y\n1,,1\n,2,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv: every row has an empty cell, the first in column 'b' on line 2");
}

static void dataset_create__unknown_column__suggests_a_name(void **state)
{
    (void)state;
    const char *text = "crim,rm,MEDV\n1,2,3\n";
    const char *list[] = {"rm", "crime"};
    rls2_dataset_options options = options_for("MEDW");
    assert_refused(text, &options, RLS2_ERR_NAME, "t.csv: target: no column 'MEDW' (did you mean 'MEDV'?)");
    options.target = "price";
    assert_refused(text, &options, RLS2_ERR_NAME, "t.csv: target: no column 'price'");
    options.target = "MEDV";
    options.drop = list;
    options.drop_count = 2;
    assert_refused(text, &options, RLS2_ERR_NAME, "t.csv: drop: no column 'crime' (did you mean 'crim'?)");
    options.drop_count = 0;
    options.categorical = list;
    options.categorical_count = 2;
    assert_refused(text, &options, RLS2_ERR_NAME,
                   "t.csv: categorical: no column 'crime' (did you mean 'crim'?)");
}

static void dataset_create__target_listed_elsewhere__is_an_error(void **state)
{
    (void)state;
    const char *list[] = {"y"};
    rls2_dataset_options options = options_for("y");
    options.drop = list;
    options.drop_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "t.csv: drop: column 'y' is the target");
    options.drop_count = 0;
    options.categorical = list;
    options.categorical_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "t.csv: categorical: column 'y' is the target");
}

static void dataset_create__indicator_named_like_a_column__is_an_error(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,a=b,y\nb,1,1\nc,2,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv: two inputs would have the name 'a=b'");
}

static void dataset_create__wrong_arguments__are_named(void **state)
{
    (void)state;
    const char *with_null[] = {"a", NULL};
    rls2_dataset_options options = options_for(NULL);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_refused("a,y\n1,2\n", NULL, RLS2_ERR_ARGUMENT, "options is NULL");
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "target is NULL");
    options = options_for("y");
    options.classify = 2;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "classify is 2, not -1, 0 or 1");
    options = options_for("y");
    options.drop_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "drop is NULL");
    options.drop = with_null;
    options.drop_count = 2;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "drop[1] is NULL");
    options.drop_count = 0;
    options.categorical_count = -3;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "categorical_count is -3");

    options = options_for("y");
    assert_int_equal(rls2_dataset_create(NULL, &options, &dataset, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "table is NULL");
    rls2_table *table = parsed("a,y\n1,2\n");
    assert_int_equal(rls2_dataset_create(table, &options, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "dataset is NULL");
    assert_int_equal(rls2_dataset_create(table, NULL, &dataset, NULL), RLS2_ERR_ARGUMENT);
    rls2_table_free(table);
}

static void dataset_accessors__null__give_nothing(void **state)
{
    (void)state;
    assert_int_equal(rls2_dataset_rows(NULL), -1);
    assert_int_equal(rls2_dataset_columns(NULL), -1);
    assert_int_equal(rls2_dataset_dropped(NULL), -1);
    assert_int_equal(rls2_dataset_source_row(NULL, 0), -1);
    assert_null(rls2_dataset_names(NULL));
    assert_null(rls2_dataset_x(NULL));
    assert_null(rls2_dataset_y(NULL));
    assert_int_equal(rls2_dataset_is_classification(NULL), 0);
    assert_null(rls2_dataset_label(NULL, 1));
    rls2_dataset_standardize(NULL);
    rls2_dataset_free(NULL);
}

/* ---- standardisation ---- */

/* The mean and the standard deviation of a column, in long double. */
static void moments(const rls2_dataset *dataset, int64_t column, long double *mean, long double *deviation)
{
    int64_t n = rls2_dataset_rows(dataset);
    const double *x = rls2_dataset_x(dataset) + column * n;
    long double sum = 0.0L, squares = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += x[i];
    *mean = sum / (long double)n;
    for (int64_t i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    *deviation = sqrtl(squares / (long double)(n - 1));
}

static void dataset_standardize__known_column__gives_known_values(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,5\n2,6\n3,7\n", &options);
    rls2_dataset_standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){-1, 0, 1});
    assert_y(dataset, (double[]){5, 6, 7});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__constant_column__becomes_zero(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,b,y\n0.1,1,5\n0.1,2,6\n0.1,3,7\n", &options);
    rls2_dataset_standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){0, 0, 0});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__one_row__becomes_zero(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n3,5\n", &options);
    rls2_dataset_standardize(dataset);
    assert_column(dataset, 0, "a", (double[]){0});
    rls2_dataset_free(dataset);
}

static void dataset_standardize__hard_columns__have_mean_zero_and_deviation_one(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("huge,tiny,offset,subnormal,wide,y\n"
                                 "1e308,1e-200,1000000000.1,4.9e-324,1e-300,1\n"
                                 "-1.7e308,2e-200,1000000000.2,1e-322,1,2\n"
                                 "1.7e308,-1e-200,1000000000.3,5e-323,1e300,3\n"
                                 "0,4e-200,1000000000.7,0,-1e300,4\n",
                                 &options);
    rls2_dataset_standardize(dataset);
    for (int64_t j = 0; j < rls2_dataset_columns(dataset); j++) {
        long double mean, deviation;
        moments(dataset, j, &mean, &deviation);
        assert_true(fabsl(mean) < 4 * (long double)DBL_EPSILON);
        assert_true(fabsl(deviation - 1) < 4 * (long double)DBL_EPSILON);
    }
    rls2_dataset_free(dataset);
}

static void dataset_standardize__neighbouring_doubles__are_not_constant(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *dataset = made("a,y\n1,1\n1.0000000000000002,2\n", &options);
    rls2_dataset_standardize(dataset);
    assert_true(fabs(rls2_dataset_x(dataset)[0] + sqrt(0.5)) < 1e-15);
    assert_true(fabs(rls2_dataset_x(dataset)[1] - sqrt(0.5)) < 1e-15);
    rls2_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_parse__written_in_many_ways__is_accepted),
        cmocka_unit_test(number_parse__blanks_around__are_ignored),
        cmocka_unit_test(number_parse__not_a_finite_decimal__is_rejected),
        cmocka_unit_test(number_parse__random_decimals__equals_strtod_bit_for_bit),
        cmocka_unit_test(number_parse__millions_of_places__equals_strtod),
        cmocka_unit_test(number_parse__near_ties__equals_strtod_bit_for_bit),
        cmocka_unit_test(number_parse__comma_locale__still_reads_points),
        cmocka_unit_test(number_reader_free__null__does_nothing),
        cmocka_unit_test(lookup_add__many_texts__numbers_them_in_order),
        cmocka_unit_test(show__long_text__is_cut_between_characters),
        cmocka_unit_test(show__control_characters__are_replaced),
        cmocka_unit_test(parse_csv__plain_table__keeps_cells_names_and_kinds),
        cmocka_unit_test(parse_csv__no_final_newline__reads_last_row),
        cmocka_unit_test(parse_csv__ends_after_comma__last_cell_is_missing),
        cmocka_unit_test(parse_csv__crlf_and_bom__are_not_part_of_cells),
        cmocka_unit_test(parse_csv__quotes__are_removed_and_keep_everything_inside),
        cmocka_unit_test(parse_csv__quoted_numbers__are_numbers),
        cmocka_unit_test(parse_csv__blanks_around_cells__are_left_out),
        cmocka_unit_test(parse_csv__empty_lines__are_skipped_in_several_columns),
        cmocka_unit_test(parse_csv__empty_lines__are_missing_cells_in_one_column),
        cmocka_unit_test(parse_csv__words_for_missing_or_infinite__make_text),
        cmocka_unit_test(parse_csv__text_not_terminated__stops_at_length),
        cmocka_unit_test(parse_csv__many_columns__all_are_found),
        cmocka_unit_test(parse_csv__empty_text__is_an_error),
        cmocka_unit_test(parse_csv__header_only__is_an_error),
        cmocka_unit_test(parse_csv__name_missing__says_which),
        cmocka_unit_test(parse_csv__name_twice__says_which),
        cmocka_unit_test(parse_csv__row_too_short__names_first_column_without_cell),
        cmocka_unit_test(parse_csv__row_too_long__shows_first_cell_without_column),
        cmocka_unit_test(parse_csv__line_numbers__count_lines_within_quotes),
        cmocka_unit_test(parse_csv__quote_not_closed__names_line_of_opening),
        cmocka_unit_test(parse_csv__text_after_closing_quote__is_an_error),
        cmocka_unit_test(parse_csv__quote_inside_plain_cell__is_an_error),
        cmocka_unit_test(parse_csv__nul_byte__is_an_error),
        cmocka_unit_test(parse_csv__carriage_return_alone__is_an_error),
        cmocka_unit_test(parse_csv__long_names_and_values__are_cut_in_messages),
        cmocka_unit_test(parse_csv__long_file_name__keeps_its_end),
        cmocka_unit_test(parse_csv__wrong_arguments__are_named),
        cmocka_unit_test(parse_csv__every_prefix__is_safe),
        cmocka_unit_test(parse_csv__random_bytes__are_safe),
        cmocka_unit_test(read_csv__file__is_read),
        cmocka_unit_test(read_csv__pipe__is_read_to_the_end),
        cmocka_unit_test(read_csv__unusable_path__says_why),
        cmocka_unit_test(table_accessors__out_of_range__give_nothing),
        cmocka_unit_test(table_accessors__null__give_nothing),
        cmocka_unit_test(dataset_options_default__is_as_documented),
        cmocka_unit_test(dataset_create__numbers__are_column_major),
        cmocka_unit_test(dataset_create__dropped_columns__are_left_out),
        cmocka_unit_test(dataset_create__target_only__has_no_inputs),
        cmocka_unit_test(dataset_create__missing_cells__drop_their_rows),
        cmocka_unit_test(dataset_create__text_columns__become_indicators),
        cmocka_unit_test(dataset_create__value_in_dropped_rows_only__has_no_indicator),
        cmocka_unit_test(dataset_create__reference__drops_last_indicator_of_first_text_column),
        cmocka_unit_test(dataset_create__reference_with_one_value__leaves_no_indicator),
        cmocka_unit_test(dataset_create__categorical__takes_numbers_as_text),
        cmocka_unit_test(dataset_create__categorical_and_dropped__is_dropped),
        cmocka_unit_test(dataset_create__mostly_text_column__is_text),
        cmocka_unit_test(dataset_create__text_target__becomes_signs_in_sorted_order),
        cmocka_unit_test(dataset_create__numeric_classes__are_sorted_by_value),
        cmocka_unit_test(dataset_create__numeric_classes_written_differently__are_one),
        cmocka_unit_test(dataset_create__two_valued_numbers__are_regression_by_default),
        cmocka_unit_test(dataset_create__not_two_classes__says_how_many_and_which),
        cmocka_unit_test(dataset_create__class_in_dropped_rows_only__does_not_count),
        cmocka_unit_test(dataset_create__one_word_among_numbers__names_the_cell),
        cmocka_unit_test(dataset_create__word_in_numeric_target__names_the_cell),
        cmocka_unit_test(dataset_create__missing_cell_not_allowed__names_it),
        cmocka_unit_test(dataset_create__no_complete_row__is_an_error),
        cmocka_unit_test(dataset_create__unknown_column__suggests_a_name),
        cmocka_unit_test(dataset_create__target_listed_elsewhere__is_an_error),
        cmocka_unit_test(dataset_create__indicator_named_like_a_column__is_an_error),
        cmocka_unit_test(dataset_create__wrong_arguments__are_named),
        cmocka_unit_test(dataset_accessors__null__give_nothing),
        cmocka_unit_test(dataset_standardize__known_column__gives_known_values),
        cmocka_unit_test(dataset_standardize__constant_column__becomes_zero),
        cmocka_unit_test(dataset_standardize__one_row__becomes_zero),
        cmocka_unit_test(dataset_standardize__hard_columns__have_mean_zero_and_deviation_one),
        cmocka_unit_test(dataset_standardize__neighbouring_doubles__are_not_constant),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
