/* The table of settings: every row is sound, names are found, values are checked in words. */
#include <string.h>

#include "rls2/plan.h"
#include "support/unit_support.h"

static const rls2_setting *setting(const char *name)
{
    const rls2_setting *found = rls2_setting_find(name);
    assert_non_null(found);
    return found;
}

static void assert_refused(const char *name, const char *value, const char *message)
{
    rls2_error err = {0};
    assert_int_equal(rls2_setting_check(setting(name), NULL, value, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, message);
}

static void table__every_row__is_sound(void **state)
{
    (void)state;
    assert_true(rls2_setting_count() > 40);
    for (int64_t i = 0; i < rls2_setting_count(); i++) {
        const rls2_setting *s = rls2_setting_at(i);
        const char *fallback = rls2_setting_about(s, RLS2_SETTING_DEFAULT);
        const char *sentence = rls2_setting_about(s, RLS2_SETTING_SENTENCE);
        rls2_setting_kind kind = rls2_setting_kind_of(s);
        rls2_error err;
        assert_ptr_equal(rls2_setting_find(rls2_setting_about(s, RLS2_SETTING_NAME)), s);
        assert_true(*rls2_setting_about(s, RLS2_SETTING_SECTION));
        assert_true(*rls2_setting_about(s, RLS2_SETTING_LABEL));
        assert_int_equal(sentence[strlen(sentence) - 1], '.');
        assert_int_equal(kind == RLS2_SETTING_CHOICE,
                         *rls2_setting_about(s, RLS2_SETTING_CHOICES) != 0);
        if (*fallback) assert_int_equal(rls2_setting_check(s, NULL, fallback, &err), RLS2_OK);
    }
    assert_null(rls2_setting_at(-1));
    assert_null(rls2_setting_at(rls2_setting_count()));
}

static void find__dashes_underscores_and_former_names__are_the_same(void **state)
{
    (void)state;
    assert_ptr_equal(setting("row-weights"), setting("row_weights"));
    assert_ptr_equal(setting("row-weights"), setting("weights"));
    assert_null(rls2_setting_find("row weights"));
    assert_null(rls2_setting_find(""));
    assert_null(rls2_setting_find(NULL));
}

static void check__values__are_held_against_kind_and_limits(void **state)
{
    (void)state;
    assert_refused("task", "clasification",
                   "task: 'clasification' is not one of auto, regression, classification; "
                   "did you mean 'classification'?");
    assert_refused("center", "maybe", "center: 'maybe' is not one of false, true");
    assert_refused("gap-tol", "small", "gap-tol: 'small' is not a number such as 0.5 or 1e-3");
    assert_refused("gap-tol", "0", "gap-tol is 0; it must be positive");
    assert_refused("share", "1", "share is 1; it must be above 0 and below 1");
    assert_refused("folds", "1", "folds is 1; it must be at least 2");
    assert_refused("folds", "2.5", "folds: '2.5' is not a whole number from 0 on");
    assert_refused("lambda-count", "100001", "lambda-count is 100001; it must be at most 100000");
    assert_int_equal(rls2_setting_check(setting("seed"), NULL, "18446744073709551615", NULL),
                     RLS2_OK);
    assert_int_equal(rls2_setting_check(setting("seed"), NULL, "18446744073709551616", NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_setting_check(setting("solver"), NULL, "newto", NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_setting_check(setting("folds"), NULL, "2", NULL), RLS2_OK);
    assert_int_equal(rls2_setting_check(setting("lambda-count"), NULL, "100000", NULL), RLS2_OK);
    assert_int_equal(rls2_setting_check(setting("rank-tol"), NULL, "0", NULL), RLS2_OK);
    assert_int_equal(rls2_setting_check(NULL, NULL, "0", NULL), RLS2_ERR_ARGUMENT);
}

static void tell__voices__write_names_their_own_way(void **state)
{
    (void)state;
    char text[256];
    rls2_setting_tell(setting("class-weights"), RLS2_SETTING_NAME, RLS2_VOICE_COMMAND, text, 256);
    assert_string_equal(text, "--class-weights");
    rls2_setting_tell(setting("class-weights"), RLS2_SETTING_NAME, RLS2_VOICE_PLAIN, text, 256);
    assert_string_equal(text, "class_weights");
    rls2_setting_tell(setting("class-weights"), RLS2_SETTING_NAME, RLS2_VOICE_PYTHON, text, 256);
    assert_string_equal(text, "class_weight");
    rls2_setting_tell(setting("examples"), RLS2_SETTING_SENTENCE, RLS2_VOICE_COMMAND, text, 256);
    assert_string_equal(text, "The same for each row, over its columns, before --features.");
    int64_t whole =
        rls2_setting_tell(setting("examples"), RLS2_SETTING_SENTENCE, RLS2_VOICE_PLAIN, text, 9);
    assert_string_equal(text, "The same");
    assert_int_equal(whole, 57);
    whole =
        rls2_setting_tell(setting("class-weights"), RLS2_SETTING_NAME, RLS2_VOICE_COMMAND, NULL, 0);
    assert_int_equal(whole, strlen("--class-weights"));
    whole =
        rls2_setting_tell(setting("class-weights"), RLS2_SETTING_NAME, RLS2_VOICE_PYTHON, text, 5);
    assert_string_equal(text, "clas");
    assert_int_equal(whole, strlen("class_weight"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table__every_row__is_sound),
        cmocka_unit_test(find__dashes_underscores_and_former_names__are_the_same),
        cmocka_unit_test(check__values__are_held_against_kind_and_limits),
        cmocka_unit_test(tell__voices__write_names_their_own_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
