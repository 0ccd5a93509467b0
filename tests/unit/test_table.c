/* The parts of a table: looking texts up, showing them in messages, and its accessors. */
#include "table_fixture.h"

#include <stdio.h>

#include "base/lookup.h"
#include "table/table.h"

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

static void show__control_characters__are_escaped(void **state)
{
    (void)state;
    assert_string_equal(rls2__show("a\nb\tc\x7F").text, "a\\nb\\tc\\x7f");
    assert_string_equal(rls2__show("").text, "");
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
    assert_int_equal(rls2_table_rows(NULL), 0);
    assert_int_equal(rls2_table_columns(NULL), 0);
    assert_null(rls2_table_column_name(NULL, 0));
    assert_int_equal(rls2_table_find(NULL, "a"), -1);
    assert_int_equal(rls2_table_is_numeric(NULL, 0), 0);
    assert_cell(NULL, 0, 0, "");
    rls2_table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookup_add__many_texts__numbers_them_in_order),
        cmocka_unit_test(show__long_text__is_cut_between_characters),
        cmocka_unit_test(show__control_characters__are_escaped),
        cmocka_unit_test(table_accessors__out_of_range__give_nothing),
        cmocka_unit_test(table_accessors__null__give_nothing),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
