/* CSV: what is rejected, in which words, and that any bytes at all are safe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/table.h"

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

static void parse_csv__one_name_for_all_columns__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,\"a\",a\n1,2,3\n", "t.csv:1: columns 1 and 2 have the same name 'a'");
    assert_rejected(
        "0.5,0.5\n1,2\n",
        "t.csv:1: columns 1 and 2 have the same name '0.5'; is there no line of names?");
}

static void parse_csv__no_name_at_all__is_an_error(void **state)
{
    (void)state;
    assert_rejected(",, \n1,2,3\n", "t.csv:1: column 1 has no name; give it one in the first line");
    assert_rejected("\"\"\n1\n", "t.csv:1: column 1 has no name; give it one in the first line");
    assert_rejected("\n\n", "t.csv:3: column 1 has no name; give it one in the first line");
}

static void parse_csv__row_too_short__names_first_column_without_cell(void **state)
{
    (void)state;
    assert_rejected("a,b,c\n1,2,3\n1,2\n",
                    "t.csv:3: 2 cells where the header has 3; column 'c' has none");
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
    assert_rejected("a,b\n\"1\n2\n3\",x\n5\n",
                    "t.csv:5: 1 cell where the header has 2; column 'b' has none");
}

static void parse_csv__quote_not_closed__names_line_of_opening(void **state)
{
    (void)state;
    assert_rejected("a,b\n1,2\n3,\"x\ny\n",
                    "t.csv:3: column 'b': a quote that is never closed: 'x\\ny\\n'");
    assert_rejected("a,\"b\n1,2\n",
                    "t.csv:1: column 2: a quote that is never closed: 'b\\n1,2\\n'");
    assert_rejected("a,b\n1,\"", "t.csv:2: column 'b': a quote that is never closed: ''");
    assert_rejected("a,b\n1,\"\"\"", "t.csv:2: column 'b': a quote that is never closed: '\"'");
}

static void parse_csv__text_after_closing_quote__is_an_error(void **state)
{
    (void)state;
    assert_rejected("a,b\n\"1\"x y,2\n",
                    "t.csv:2: column 'a': text after the closing quote: 'x y'");
    assert_rejected("a,b\n1,\"2\" \"3\"\n",
                    "t.csv:2: column 'b': text after the closing quote: '\"3\"'");
}

static void parse_csv__quote_inside_plain_cell__is_an_error(void **state)
{
    (void)state;
    assert_rejected(
        "a,b\n1,5\" pipe\n",
        "t.csv:2: column 'b': a quote inside a cell that does not start with one: '5\" pipe'");
}

static void parse_csv__nul_byte__is_an_error(void **state)
{
    (void)state;
    assert_rejected_part("a,b\n1,\0002\n", 9,
                         "t.csv:2: column 'b': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a,b\n\"1\0\",2\n", 11,
                         "t.csv:2: column 'a': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a,b\n\"1\"\0,2\n", 11,
                         "t.csv:2: column 'a': a NUL byte; is this UTF-8 text?");
    assert_rejected_part("a\0,b\0", 5, "t.csv:1: column 1: a NUL byte; is this UTF-8 text?");
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
    snprintf(message, sizeof message, "t.csv:2: column '%s': text after the closing quote: '%s'",
             cut, cut);
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
    assert_string_equal(err.message, "argument name is NULL");
    assert_int_equal(rls2_table_parse_csv("t", NULL, 3, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument text is NULL");
    assert_int_equal(rls2_table_parse_csv("t", "a\n1", -1, &table, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "length is -1");
    assert_int_equal(rls2_table_parse_csv("t", "a\n1", 3, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
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
        char *exact =
            malloc(length > 0 ? (size_t)length : 1); /* so that the sanitizer sees the end */
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
        for (int64_t k = 4; k < length; k++)
            text[k] = alphabet[rls2__random_below(&random, sizeof alphabet)];
        rls2_table *table = NULL;
        rls2_error err = {0};
        rls2_status status =
            rls2_table_parse_csv("t.csv", text + i % 5, length - i % 5, &table, &err);
        assert_true((status == RLS2_OK) == (table != NULL));
        assert_true((status == RLS2_OK) == (err.message[0] == '\0'));
        for (int64_t r = 0; r < rls2_table_rows(table); r++)
            for (int64_t c = 0; c < rls2_table_columns(table); c++)
                assert_true(strlen(rls2_table_cell(table, r, c)) < sizeof text);
        rls2_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_csv__empty_text__is_an_error),
        cmocka_unit_test(parse_csv__header_only__is_an_error),
        cmocka_unit_test(parse_csv__one_name_for_all_columns__is_an_error),
        cmocka_unit_test(parse_csv__no_name_at_all__is_an_error),
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
    };
    return cmocka_run_group_tests_name("csv_errors", tests, NULL, NULL);
}
