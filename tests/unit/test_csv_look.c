/* What the first lines of a file tell: delimiter, header, row names and names of columns. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static rls2_table *read_as_found(const char *text)
{
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    rls2_status status = rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, &err);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return table;
}

static int has_note(const rls2_table *table, const char *note)
{
    for (int64_t k = 0; k < rls2_table_note_count(table); k++)
        if (strcmp(rls2_table_note(table, k), note) == 0) return 1;
    return 0;
}

static const char DATA[] = "the first line holds data, not names: columns are called x1, x2, ...";

/* ---- delimiter ---- */

static void assert_delimiter(const char *text, char delimiter, int64_t columns)
{
    rls2_table *table = read_as_found(text);
    if (rls2_table_delimiter(table) != delimiter || rls2_table_columns(table) != columns)
        fail_msg("'%s': delimiter '%c', %d columns", text, rls2_table_delimiter(table),
                 (int)rls2_table_columns(table));
    rls2_table_free(table);
}

static void look__delimiter__cuts_all_lines_alike(void **state)
{
    (void)state;
    assert_delimiter("a,b\n1,2\n", ',', 2);
    assert_delimiter("a\tb\n1\t2\n", '\t', 2);
    assert_delimiter("a;b\n1;2\n", ';', 2);
    assert_delimiter("a|b\n1|2\n", '|', 2);
    assert_delimiter("a b\n1 2\n", ' ', 2);
    assert_delimiter("name, first\tage\nA, B\t5\nC\t6\n", '\t', 2);
    assert_delimiter("a,\tb\n1,\t2\n", ',', 2);
    assert_delimiter("1,5;2,5\n3,5;4,5\n", ';', 2);
    assert_delimiter("a;b,c\n1;2\n3;4\n", ';', 2);
    assert_delimiter("\"a;b\",c\n1,2\n", ',', 2);
    assert_delimiter("a,b;c\n1,\"\"\"2\"\", 3\"\n4,\"5\"\n", ',', 2);
    assert_delimiter("my column\n1\n2\n", ',', 1);
    assert_delimiter("a\n1\n2\n", ',', 1);
    assert_delimiter("a|b,c\n1|2,3\n", ',', 2);
}

static void look__blanks__separate_words(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("  a   \"b c\"\ty\n 1  \"x y\" 3  \n\n4\t\"\"\t6\r\n");
    assert_int_equal(rls2_table_delimiter(table), ' ');
    assert_int_equal(rls2_table_columns(table), 3);
    assert_string_equal(rls2_table_column_name(table, 1), "b c");
    assert_cell(table, 0, 1, "x y");
    assert_cell(table, 1, 1, "");
    assert_true(rls2_table_value(table, 0, 2) == 3 && rls2_table_value(table, 1, 2) == 6);
    assert_int_equal(rls2_table_line(table, 1), 4);
    rls2_table_free(table);
}

/* ---- header ---- */

static void assert_header(const char *text, int header)
{
    rls2_table *table = read_as_found(text);
    int found = !has_note(table, DATA);
    if (found != header || (strcmp(rls2_table_column_name(table, 0), "x1") == 0) == header)
        fail_msg("'%s': header %d, first name '%s'", text, found, rls2_table_column_name(table, 0));
    rls2_table_free(table);
}

static void look__first_line_of_numbers__is_data(void **state)
{
    (void)state;
    assert_header("5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,3.3,virginica\n", 0);
    assert_header("1,2,3\n4,5,6\n", 0);
    assert_header("2001,2002,2003\n5,6,7\n", 0);
    assert_header("5\n6\n", 0);
    assert_header("1,2\n", 0);
    assert_header("2001-01-01,x\n2001-01-02,y\n", 0);
    assert_header("?,1.5\n2,2.5\n3,4\n", 0);
    assert_header("A,1984\nB,1986\nC,2001\n", 0);
    assert_header("$5,a\n$6,b\n", 0);
    assert_header(",3.5,1.4\n4.9,3.0,1.4\n4.7,3.2,1.3\n", 0);
    assert_header("1,\"say \"\"hi\"\"\n2,3\"\n2,\"\"\"so\"\",\nand\"\n", 0);
}

static void look__first_line_of_names__is_a_header(void **state)
{
    (void)state;
    assert_header("a,b\n1,2\n", 1);
    assert_header("a,b\nc,d\n", 1);
    assert_header("country,1952,1957\nA,55.2,59.3\nB,43.1,45.7\n", 1);
    assert_header(",0,1,2\n0,5.1,3.5,7\n1,4.9,3,8\n", 1);
    assert_header("\"\",\"16.5\",\"16.75\"\n\"71\",0,3\n\"70\",1,0\n", 1);
    assert_header("y,2\n5,1\n6,2\n", 1);
    assert_header("a,NA\n1,5\n2,6\n", 1);
    assert_header("2001-01,2001-02\n5,6\n7,8\n", 1);
}

static void look__header_that_was_asked_for__is_taken(void **state)
{
    rls2_read_options options;
    rls2_table *table = NULL;
    (void)state;
    rls2_read_options_init(&options, sizeof options);
    options.header = 1;
    assert_int_equal(rls2_table_parse("t", "1,2\n3,4\n", 8, &options, &table, NULL), RLS2_OK);
    assert_string_equal(rls2_table_column_name(table, 1), "2");
    rls2_table_free(table);
    options.header = 0;
    assert_int_equal(rls2_table_parse("t", "a,b\n3,4\n", 8, &options, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_table_rows(table), 2);
    assert_int_equal(rls2_table_note_count(table), 0);
    rls2_table_free(table);
}

static void look__empty_lines_before_the_header__are_nothing(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("\n \r\na,b\n1,2\n");
    assert_string_equal(rls2_table_column_name(table, 0), "a");
    assert_int_equal(rls2_table_line(table, 0), 4);
    rls2_table_free(table);
}

/* Of lines longer than what is looked at the first two count. */
static void look__long_lines__are_seen(void **state)
{
    enum { COLUMNS = 30000 };
    char *text = calloc(COLUMNS, 20), *p = text;
    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < COLUMNS; j++)
            p += sprintf(p, "%d.5%c", (i + j) % 7, j < COLUMNS - 1 ? ';' : '\n');
    rls2_table *table = read_as_found(text);
    assert_int_equal(rls2_table_rows(table), 3);
    assert_int_equal(rls2_table_columns(table), COLUMNS);
    rls2_table_free(table);
    free(text);
}

/* ---- row names ---- */

static void look__unnamed_first_column__is_row_names(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("\"\",\"x\",\"row\"\n\"1\",5,6\n\"2\",7,8\n");
    assert_string_equal(rls2_table_row_names(table), "row1");
    assert_string_equal(rls2_table_column_name(table, 1), "x");
    assert_true(has_note(table, "the first column has no name: it is taken for row names"));
    rls2_table_free(table);
    table = read_as_found("a,x\n1,5\n2,7\n");
    assert_null(rls2_table_row_names(table));
    rls2_table_free(table);
}

static void look__header_a_cell_short__has_no_name_for_the_rows(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n");
    assert_int_equal(rls2_table_columns(table), 3);
    assert_string_equal(rls2_table_row_names(table), "row");
    assert_string_equal(rls2_table_column_name(table, 2), "y");
    assert_true(rls2_table_value(table, 1, 2) == 8);
    rls2_table_free(table);
}

/* ---- names ---- */

static void names__missing_and_repeated__are_made(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a,b,a,,a.1,a,\n1,2,3,4,5,6,7\n8,9,0,1,2,3,4\n");
    static const char *const names[] = {"a", "b", "a.2", "column4", "a.1", "a.3", "column7"};
    for (int64_t j = 0; j < 7; j++) assert_string_equal(rls2_table_column_name(table, j), names[j]);
    assert_true(has_note(table, "column 4 has no name: it is called 'column4', others likewise"));
    assert_true(has_note(
        table, "column 3 has the name of another, 'a': it is called 'a.2', others likewise"));
    rls2_table_free(table);
}

static void names__repeated_once__is_told(void **state)
{
    (void)state;
    rls2_table *table = read_as_found("a,a,y\n1,2,3\n2,3,4\n");
    assert_string_equal(rls2_table_column_name(table, 1), "a.1");
    assert_true(has_note(table, "column 2 has the name of another, 'a': it is called 'a.1'"));
    rls2_table_free(table);
}

/* The setting that undoes the note which begins so; "" where it has none. */
static void assert_undone(const rls2_table *table, const char *note, const char *setting,
                          const char *value)
{
    const char *found_value = "";
    for (int64_t i = 0; i < rls2_table_note_count(table); i++) {
        if (strncmp(rls2_table_note(table, i), note, strlen(note)) != 0) continue;
        const char *found = rls2_table_note_undo(table, i, &found_value);
        assert_string_equal(found ? found : "", setting);
        if (found) assert_string_equal(found_value, value);
        return;
    }
    fail_msg("no note begins with '%s'", note);
}

static void notes__of_a_file__name_the_setting_that_undoes_them(void **state)
{
    (void)state;
    rls2_table *table = read_as_found(";a;b\n1;1,5;NA\n2;2,5;x\n3;3,5;y\n");
    assert_undone(table, "missing: NA", "na", "none");
    assert_undone(table, "column 'a': '1,5' is read as", "decimal", ".");
    assert_undone(table, "the first column has no name", "", "");
    assert_int_equal(rls2_table_header(table), 1);
    rls2_table *taken = NULL;
    const int64_t rows[] = {0, 1};
    assert_int_equal(rls2_table_take(table, 2, rows, &taken, NULL), RLS2_OK);
    assert_undone(taken, "missing: NA", "na", "none");
    assert_int_equal(rls2_table_header(taken), 1);
    rls2_table_free(taken);
    rls2_table_free(table);
    table = read_as_found("1,2\n3,4\n5,6\n");
    assert_undone(table, "the first line holds data", "header", "yes");
    assert_int_equal(rls2_table_header(table), 0);
    assert_null(rls2_table_note_undo(table, 9, NULL));
    assert_null(rls2_table_note_undo(NULL, 0, NULL));
    assert_int_equal(rls2_table_header(NULL), 0);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look__delimiter__cuts_all_lines_alike),
        cmocka_unit_test(look__blanks__separate_words),
        cmocka_unit_test(look__first_line_of_numbers__is_data),
        cmocka_unit_test(look__first_line_of_names__is_a_header),
        cmocka_unit_test(look__header_that_was_asked_for__is_taken),
        cmocka_unit_test(look__empty_lines_before_the_header__are_nothing),
        cmocka_unit_test(look__long_lines__are_seen),
        cmocka_unit_test(look__unnamed_first_column__is_row_names),
        cmocka_unit_test(look__header_a_cell_short__has_no_name_for_the_rows),
        cmocka_unit_test(names__missing_and_repeated__are_made),
        cmocka_unit_test(names__repeated_once__is_told),
        cmocka_unit_test(notes__of_a_file__name_the_setting_that_undoes_them),
    };
    return cmocka_run_group_tests_name("csv_look", tests, NULL, NULL);
}
