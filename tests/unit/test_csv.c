/* CSV: what is read, from texts and from files. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- texts ---- */

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

static void parse_csv__infinite_and_hexadecimal__are_text(void **state)
{
    (void)state;
    rls2_table *table = parsed("a,b,c,d\n1,1,1,1\n-inf,Inf,0x1,1e999\n");
    for (int64_t j = 0; j < 4; j++) assert_false(rls2_table_is_numeric(table, j));
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

/* ---- files ---- */

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
    assert_unreadable(NULL, RLS2_ERR_ARGUMENT, "argument path is NULL");
    assert_int_equal(rls2_table_read_csv(s.path, NULL, NULL), RLS2_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_csv__plain_table__keeps_cells_names_and_kinds),
        cmocka_unit_test(parse_csv__no_final_newline__reads_last_row),
        cmocka_unit_test(parse_csv__ends_after_comma__last_cell_is_missing),
        cmocka_unit_test(parse_csv__crlf_and_bom__are_not_part_of_cells),
        cmocka_unit_test(parse_csv__quotes__are_removed_and_keep_everything_inside),
        cmocka_unit_test(parse_csv__quoted_numbers__are_numbers),
        cmocka_unit_test(parse_csv__blanks_around_cells__are_left_out),
        cmocka_unit_test(parse_csv__empty_lines__are_skipped_in_several_columns),
        cmocka_unit_test(parse_csv__empty_lines__are_missing_cells_in_one_column),
        cmocka_unit_test(parse_csv__infinite_and_hexadecimal__are_text),
        cmocka_unit_test(parse_csv__text_not_terminated__stops_at_length),
        cmocka_unit_test(parse_csv__many_columns__all_are_found),
        cmocka_unit_test(read_csv__file__is_read),
        cmocka_unit_test(read_csv__pipe__is_read_to_the_end),
        cmocka_unit_test(read_csv__unusable_path__says_why),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
