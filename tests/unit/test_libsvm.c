/* LIBSVM files: what is read, and what is refused in which words. */
#include "reader_fixture.h"

static rls2_table *parsed(const char *text)
{
    return read_as(RLS2_FORMAT_LIBSVM, "t.svm", text, strlen(text));
}

static void assert_refused(const char *text, const char *message)
{
    assert_refused_as(RLS2_FORMAT_LIBSVM, "t.svm", text, strlen(text), RLS2_ERR_SYNTAX, message);
}

/* ---- what is read ---- */

static const char *const three_names[] = {"x1", "x2", "x3", "y"};

static void read_libsvm__plain_lines__absent_entries_are_zero(void **state)
{
    (void)state;
    rls2_table *table = parsed("1 1:2 3:4.5\n-1 2:1e-3\n+2.5\n");
    assert_table(table, 3, 4, three_names,
                 (const double[]){2, 0, 4.5, 1, 0, 1e-3, 0, -1, 0, 0, 0, 2.5});
    assert_string_equal(rls2_table_target(table), "y");
    assert_null(rls2_table_marker(table));
    assert_false(rls2_table_is_precomputed(table));
    assert_string_equal(rls2_table_format(table), "LIBSVM");
    assert_int_equal(rls2_table_delimiter(table), '\0');
    assert_string_equal(rls2_table_cell(table, 0, 0), "");
    rls2_table_free(table);
}

static void read_libsvm__bom_crlf_tabs_comments_blank_lines__are_no_content(void **state)
{
    (void)state;
    rls2_table *table = parsed(
        "\xEF\xBB\xBF# head\r\n\r\n\t1\t 1:2  3:4.5 # a 7:7\r\n \t\r\n-1 2:1e-3\t\r\n2.5#1:1");
    assert_table(table, 3, 4, three_names,
                 (const double[]){2, 0, 4.5, 1, 0, 1e-3, 0, -1, 0, 0, 0, 2.5});
    assert_int_equal(rls2_table_line(table, 0), 3);
    assert_int_equal(rls2_table_line(table, 1), 5);
    assert_int_equal(rls2_table_line(table, 2), 6);
    assert_int_equal(rls2_table_line(table, 3), -1);
    rls2_table_free(table);
}

static void read_libsvm__labels_alone__make_a_table_of_y(void **state)
{
    (void)state;
    const char *const names[] = {"y"};
    rls2_table *table = parsed("1\n2");
    assert_table(table, 2, 1, names, (const double[]){1, 2});
    rls2_table_free(table);
}

static void read_libsvm__numbers_of_many_digits__are_read_exactly(void **state)
{
    (void)state;
    const char *const names[] = {"x1", "x2", "y"};
    rls2_table *table = parsed("0.1 1:123456789012345678901234567890 2:2.2250738585072014e-308\n");
    assert_table(table, 1, 3, names,
                 (const double[]){123456789012345678901234567890.0, 2.2250738585072014e-308, 0.1});
    rls2_table_free(table);
}

static void read_libsvm__precomputed_kernel__has_columns_k(void **state)
{
    (void)state;
    const char *const names[] = {"k1", "k2", "k3", "y"};
    rls2_table *table = parsed("1 0:1 1:4 2:6 3:1\n-1 0:2 1:6 2:18 3:0\n");
    assert_table(table, 2, 4, names, (const double[]){4, 6, 1, 1, 6, 18, 0, -1});
    assert_true(rls2_table_is_precomputed(table));
    assert_string_equal(rls2_table_target(table), "y");
    rls2_table_free(table);
}

/* ---- what is refused ---- */

static void read_libsvm__faulty_token__is_named(void **state)
{
    (void)state;
    assert_refused("1 1:1\n\n1 abc:3", "t.svm:3: 'abc:3': the index is not a whole number");
    assert_refused("1 +1:3", "t.svm:1: '+1:3': the index is not a whole number");
    assert_refused("1 1.5:3", "t.svm:1: '1.5:3': the index is not a whole number");
    assert_refused("1 :3", "t.svm:1: ':3': the index is not a whole number");
    assert_refused("1 1:1 7", "t.svm:1: '7': not of the form index:value");
    assert_refused("1 3:1 3:2", "t.svm:1: '3:2': indices must ascend");
    assert_refused("1 3:1 2:2", "t.svm:1: '2:2': indices must ascend");
    assert_refused("1 1:nan", "t.svm:1: '1:nan': the value is not a finite number");
    assert_refused("1 1:inf", "t.svm:1: '1:inf': the value is not a finite number");
    assert_refused("1 1:1e999", "t.svm:1: '1:1e999': the value is not a finite number");
    assert_refused("1 1:", "t.svm:1: '1:': the value is not a finite number");
    assert_refused("1 1:2:3", "t.svm:1: '1:2:3': the value is not a finite number");
    assert_refused("1 qid:3 1:1",
                   "t.svm:1: 'qid:3': ranked data (qid) cannot be learned from here");
    assert_refused("1 9223372036854775808:1",
                   "t.svm:1: '9223372036854775808:1': the index is too large");
    assert_refused("1 1:1\r2:2", "t.svm:1: '1:1\\r2:2': the value is not a finite number");
}

static void read_libsvm__faulty_label__is_named(void **state)
{
    (void)state;
    assert_refused("1 1:1\nspam 1:1", "t.svm:2: 'spam': the label is not a finite number");
    assert_refused("nan 1:1", "t.svm:1: 'nan': the label is not a finite number");
    assert_refused("1,2 1:1", "t.svm:1: '1,2': the label is not a finite number");
    assert_refused("1:1 2:1", "t.svm:1: '1:1': the line does not start with a label");
}

static void read_libsvm__faulty_kernel__is_named(void **state)
{
    (void)state;
    assert_refused("1 0:1 1:2\n2 1:3",
                   "t.svm:2: an ordinary line in a precomputed kernel, where every line starts "
                   "with 0:i");
    assert_refused(
        "1 0:1 1:2\n2",
        "t.svm:2: an ordinary line in a precomputed kernel, where every line starts with "
        "0:i");
    assert_refused("1 1:2\n2 0:1 1:3",
                   "t.svm:2: '0:1': a line of a precomputed kernel among ordinary ones; indices "
                   "start from 1");
    assert_refused("1 0:0 1:2",
                   "t.svm:1: '0:0': after 0: stands the number of the row, a whole number from 1");
    assert_refused("1 0:x 1:2",
                   "t.svm:1: '0:x': after 0: stands the number of the row, a whole number from 1");
    assert_refused("1 0:1 2:2",
                   "t.svm:1: '2:2': a precomputed kernel has the indices 0, 1, 2, ... in turn");
    assert_refused("1 0:1 1:2 0:3",
                   "t.svm:1: '0:3': a precomputed kernel has the indices 0, 1, 2, ... in turn");
    assert_refused("1 0:1", "t.svm:1: a row of a precomputed kernel without values");
    assert_refused("1 0:1 1:2 2:3\n2 0:2 1:2",
                   "t.svm:2: 1 kernel values where the lines before have 2");
    assert_refused("1 1:2 0:3", "t.svm:1: '0:3': indices start from 1");
}

static void read_libsvm__nothing_to_read__is_refused(void **state)
{
    (void)state;
    assert_refused("", "t.svm: the file is empty");
    assert_refused("\xEF\xBB\xBF", "t.svm: the file is empty");
    assert_refused("\n# nothing\r\n \n", "t.svm: no data rows");
}

static void read_libsvm__nul_byte__is_refused(void **state)
{
    (void)state;
    assert_refused_as(RLS2_FORMAT_LIBSVM, "t.svm", "1 1:1\n2 1\0002\n", 11, RLS2_ERR_SYNTAX,
                      "t.svm:2: a NUL byte; is this UTF-8 text?");
}

/* A few bytes ask for more memory than there is. */
static void read_libsvm__huge_index__is_refused_with_its_size(void **state)
{
    (void)state;
    static const char beyond[] = "1 9223372036854775807:1\n1 1:1\n",
                      huge[] = "1 100000000000000000:1";
    assert_refused_as(
        RLS2_FORMAT_LIBSVM, "t.svm", beyond, sizeof beyond - 1, RLS2_ERR_MEMORY,
        "t.svm: too sparse for a full table: 2 rows of 9223372036854775807 columns would take "
        "1.48e+11 GB");
    assert_refused_as(RLS2_FORMAT_LIBSVM, "t.svm", huge, sizeof huge - 1, RLS2_ERR_MEMORY,
                      "t.svm: too sparse for a full table: 1 rows of 100000000000000000 columns "
                      "would take 8e+08 GB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_libsvm__plain_lines__absent_entries_are_zero),
        cmocka_unit_test(read_libsvm__bom_crlf_tabs_comments_blank_lines__are_no_content),
        cmocka_unit_test(read_libsvm__labels_alone__make_a_table_of_y),
        cmocka_unit_test(read_libsvm__numbers_of_many_digits__are_read_exactly),
        cmocka_unit_test(read_libsvm__precomputed_kernel__has_columns_k),
        cmocka_unit_test(read_libsvm__faulty_token__is_named),
        cmocka_unit_test(read_libsvm__faulty_label__is_named),
        cmocka_unit_test(read_libsvm__faulty_kernel__is_named),
        cmocka_unit_test(read_libsvm__nothing_to_read__is_refused),
        cmocka_unit_test(read_libsvm__nul_byte__is_refused),
        cmocka_unit_test(read_libsvm__huge_index__is_refused_with_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
