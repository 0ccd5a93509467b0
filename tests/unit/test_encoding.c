/* Text that is not UTF-8, whole and in pieces: the bytes are those that Python's encode() makes of
 * the same text. */
#include "table_fixture.h"

#include "support/pieces.h"

static rls2_table *read_bytes(const char *bytes, int64_t length)
{
    static const int64_t rooms[] = {1, 2, 3, 70};
    rls2_table *table = NULL;
    rls2_error err = {.message = ""};
    for (int r = 0; r < 4; r++) {
        const char *difference = pieces_differ("t.csv", bytes, length, NULL, 1, rooms[r]);
        if (difference) fail_msg("in pieces: %s", difference);
    }
    if (rls2_table_parse("t.csv", bytes, length, NULL, &table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return table;
}
#define READ(bytes) read_bytes(bytes, (int64_t)sizeof(bytes) - 1)

static void assert_read(rls2_table *table, const char *name, const char *cell)
{
    assert_string_equal(rls2_table_column_name(table, 0), name);
    assert_cell(table, 0, 0, cell);
    assert_true(rls2_table_value(table, 0, 1) == 5);
    rls2_table_free(table);
}

static void read__utf_16__is_utf_8(void **state)
{
    (void)state;
    assert_read(READ("\xFF\xFE\xF6\0,\0y\0\n\0\xAC\x20,\0"
                     "5\0\n\0"),
                "\u00f6", "\u20ac");
    assert_read(READ("\xFE\xFF\0\xF6\0,\0y\0\n\x20\xAC\0,\0"
                     "5\0\n"),
                "\u00f6", "\u20ac");
    assert_read(READ("a\0,\0y\0\n\0b\0,\0"
                     "5\0\n\0"),
                "a", "b");
    assert_read(READ("\0a\0,\0y\0\n\0b\0,\0"
                     "5\0\n"),
                "a", "b");
}

static void read__utf_16_pairs__are_one_character(void **state)
{
    (void)state;
    assert_read(READ("\xFF\xFE"
                     "a\0,\0y\0\n\0\x3D\xD8\x00\xDE,\0"
                     "5\0\n\0"),
                "a", "\U0001f600");
}

static void read__utf_16_halves__are_replaced(void **state)
{
    (void)state;
    assert_read(READ("\xFF\xFE"
                     "a\0,\0y\0\n\0\x3D\xD8,\0"
                     "5\0\n\0"),
                "a", "\ufffd");
    assert_read(READ("\xFF\xFE"
                     "a\0,\0y\0\n\0\x00\xDE,\0"
                     "5\0\n\0"),
                "a", "\ufffd");
}

static const char NOTE[] = "the text is not UTF-8: it is read as Windows-1252 (Latin-1)";

static void read__windows_1252__is_utf_8_and_told(void **state)
{
    (void)state;
    rls2_table *table = READ("gr\xF6\xDF"
                             "e,y\n\x80uro \x93x\x94,5\n");
    assert_int_equal(rls2_table_note_count(table), 1);
    assert_string_equal(rls2_table_note(table, 0), NOTE);
    assert_read(table, "gr\u00f6\u00dfe", "\u20acuro \u201cx\u201d");
}

/* A line that is UTF-8 stays so beside one that is not. */
static void read__lines_of_two_encodings__are_each_their_own(void **state)
{
    (void)state;
    rls2_table *table = READ("\u00f6,y\n\xE4,5\n\u00fc,6\n");
    assert_cell(table, 1, 0, "\u00fc");
    assert_read(table, "\u00f6", "\u00e4");
    table = READ("\xEF\xBB\xBF\xF6,y\nb,5\n");
    assert_read(table, "\u00f6", "b");
}

static void read__utf_8__is_not_told(void **state)
{
    (void)state;
    rls2_table *table = READ("\xEF\xBB\xBF\u00f6,y\n\u20ac \U0001f600,5\n");
    assert_int_equal(rls2_table_note_count(table), 0);
    assert_read(table, "\u00f6", "\u20ac \U0001f600");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read__utf_16__is_utf_8),
        cmocka_unit_test(read__utf_16_pairs__are_one_character),
        cmocka_unit_test(read__utf_16_halves__are_replaced),
        cmocka_unit_test(read__windows_1252__is_utf_8_and_told),
        cmocka_unit_test(read__lines_of_two_encodings__are_each_their_own),
        cmocka_unit_test(read__utf_8__is_not_told),
    };
    return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
