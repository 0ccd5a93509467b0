/* The nearest name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/suggest.h"

static const char *nearest(const char *word)
{
    static const char *const names[] = {"MEDV", "rm", "crime", "x", "weight", "height"};
    rls2__suggestion near = rls2__suggestion_start(word, (int64_t)strlen(word));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        rls2__suggestion_try(&near, names[i]);
    return near.best ? near.best : "";
}

static void suggestion__a_slip_or_two__finds_the_name(void **state)
{
    (void)state;
    assert_string_equal(nearest("medv"), "MEDV");
    assert_string_equal(nearest("MEDW"), "MEDV");
    assert_string_equal(nearest("crim"), "crime");
    assert_string_equal(nearest("Cirme"), "crime"); /* neighbours exchanged: one slip */
    assert_string_equal(nearest("wight"), "weight");
    assert_string_equal(nearest("heigh"), "height");
    assert_string_equal(nearest("X"), "x");
}

static void suggestion__nothing_near__is_silent(void **state)
{
    (void)state;
    assert_string_equal(nearest("y"), "");
    assert_string_equal(nearest(""), "");
    assert_string_equal(nearest("something else"), "");
}

static void suggestion_text__with_and_without_a_name__reads_well(void **state)
{
    (void)state;
    rls2__suggestion near = rls2__suggestion_start("rfb", 3);
    assert_string_equal(rls2__suggestion_text(&near).text, "");
    rls2__suggestion_try(&near, "rbf");
    assert_string_equal(rls2__suggestion_text(&near).text, " (did you mean 'rbf'?)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suggestion__a_slip_or_two__finds_the_name),
        cmocka_unit_test(suggestion__nothing_near__is_silent),
        cmocka_unit_test(suggestion_text__with_and_without_a_name__reads_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
