/* Texts of others as they are shown: in messages of the library, and wherever rls2_text_escape is
 * asked. */
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "support/unit_support.h"

static void expect(const char *text, const char *expected)
{
    char escaped[256], again[256];
    assert_int_equal(rls2_text_escape(text, escaped, sizeof escaped), strlen(expected));
    assert_string_equal(escaped, expected);
    rls2_text_escape(escaped, again, sizeof again);
    assert_string_equal(again, expected);
}

static void text_escape__what_can_be_seen__stays(void **state)
{
    (void)state;
    expect("", "");
    expect(NULL, "");
    expect("rbf(0.1)@\"größe\\n\" ~", "rbf(0.1)@\"größe\\n\" ~");
    expect("\u00a0\u0600 \u4e2d\u6587 \U0001f600", "\u00a0\u0600 \u4e2d\u6587 \U0001f600");
    expect("\u0645\u06cc\u200c\u062e \u200d",
           "\u0645\u06cc\u200c\u062e \u200d"); /* joiners belong to words */
}

static void text_escape__control_characters__become_escapes(void **state)
{
    (void)state;
    expect("\033]0;x\a\033[2J", "\\x1b]0;x\\x07\\x1b[2J");
    expect("a\nb\rc\td\be\x7f", "a\\nb\\rc\\td\\x08e\\x7f");
    expect("\xc2\x80 \xc2\x9b\x33\x31m \xc2\x9f", "\\u0080 \\u009b31m \\u009f");
}

static void text_escape__direction_and_hidden_characters__become_escapes(void **state)
{
    (void)state;
    expect("\u202a\u202b\u202c\u202d\u202e", "\\u202a\\u202b\\u202c\\u202d\\u202e");
    expect("\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069");
    expect("\u200e\u200f\u061c", "\\u200e\\u200f\\u061c");
    expect("\u2028\u2029\u200b\u2060\ufeff", "\\u2028\\u2029\\u200b\\u2060\\ufeff");
    expect("\xef\xbf\xbe\xef\xbf\xbf", "\\ufffe\\uffff");
}

static void text_escape__not_utf8__becomes_bytes(void **state)
{
    (void)state;
    expect("\x9b\xff", "\\x9b\\xff");
    expect("a\xc3", "a\\xc3");
    expect("\xe2\x82z", "\\xe2\\x82z");
    expect("\xc0\xaf\xe0\x80\x9b\xf0\x80\x80\x9b",
           "\\xc0\\xaf\\xe0\\x80\\x9b\\xf0\\x80\\x80\\x9b"); /* overlong */
    expect("\xed\xa0\x80", "\\xed\\xa0\\x80");
    expect("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
}

static void text_escape__little_room__cut_between_characters(void **state)
{
    (void)state;
    char room[8];
    for (int64_t size = 0; size <= 8; size++) {
        static const char *const EXPECTED[] = {"",  "",       "a",      "a",     "a",
                                               "a", "a\\x1b", "a\\x1b", "a\\x1b"};
        memset(room, '#', sizeof room);
        assert_int_equal(rls2_text_escape("a\033ößb", room, size), 10);
        if (size == 0)
            assert_int_equal(room[0], '#');
        else
            assert_string_equal(room, size == 8 ? "a\\x1bö" : EXPECTED[size]);
    }
    assert_int_equal(rls2_text_escape("a\033ößb", NULL, 100), 10);
}

/* What a file says is in the message, and neither ends its line nor begins another. */
static void fail__names_of_others__stay_within_the_line(void **state)
{
    (void)state;
    rls2_error err;
    rls2__fail(&err, RLS2_ERR_NAME, "no column '%s'", "x\nrls2: all is well\033[2J\u202e\xff");
    assert_string_equal(err.message, "no column 'x\\nrls2: all is well\\x1b[2J\\u202e\\xff'");
    rls2__fail_more(&err, "  %s", "one\ntwo");
    assert_string_equal(err.message,
                        "no column 'x\\nrls2: all is well\\x1b[2J\\u202e\\xff'\n  one\\ntwo");
}

static void fail__longer_than_the_room__has_no_half_characters(void **state)
{
    (void)state;
    rls2_error err;
    char text[4000];
    for (int shift = 0; shift < 3; shift++) { /* wherever the cut falls */
        memset(text, 'x', sizeof text);
        for (int i = shift; i + 3 < (int)sizeof text; i += 3) memcpy(text + i, "\u20ac", 3);
        text[sizeof text - 1] = '\0';
        rls2__fail(&err, RLS2_ERR_NAME, "%s", text);
        assert_true(strlen(err.message) > sizeof err.message - 4);
        assert_null(strchr(err.message, '\\'));
    }
}

/* What vsnprintf cut off is not told as a byte that is none of a character. */
static void fail__escapes_fill_the_room__no_half_escape(void **state)
{
    (void)state;
    rls2_error err;
    char text[1000];
    memset(text, '\033', sizeof text);
    text[sizeof text - 1] = '\0';
    rls2__fail(&err, RLS2_ERR_NAME, "%s", text);
    assert_int_equal(strlen(err.message) % 4, 0);
    rls2__fail_more(&err, "more");
    assert_true(strlen(err.message) < sizeof err.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_escape__what_can_be_seen__stays),
        cmocka_unit_test(text_escape__control_characters__become_escapes),
        cmocka_unit_test(text_escape__direction_and_hidden_characters__become_escapes),
        cmocka_unit_test(text_escape__not_utf8__becomes_bytes),
        cmocka_unit_test(text_escape__little_room__cut_between_characters),
        cmocka_unit_test(fail__names_of_others__stay_within_the_line),
        cmocka_unit_test(fail__longer_than_the_room__has_no_half_characters),
        cmocka_unit_test(fail__escapes_fill_the_room__no_half_escape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
