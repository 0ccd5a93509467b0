/* Options that come from the table of settings: every setting is one, wherever its scope goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/rls2.h"
#include "support/command.h"

/* The commands that offer the settings of each scope. */
static const char *const COMMANDS_OF[] = {
    [RLS2_SCOPE_READING] = "train path cv kernels predict verify",
    [RLS2_SCOPE_DATA] = "train path cv kernels",
    [RLS2_SCOPE_TESTING] = "train path",
    [RLS2_SCOPE_FITTING] = "train path cv",
    [RLS2_SCOPE_LAMBDA] = "train path",
    [RLS2_SCOPE_SPLITS] = "train cv",
    [RLS2_SCOPE_CHOICE] = "train",
};

/* " --NAME" at the start of a line of help, or ", --NAME" behind another name. */
static int lists(const char *help, const char *name)
{
    char option[80];
    snprintf(option, sizeof option, " --%s", name);
    for (const char *at = strstr(help, option); at; at = strstr(at + 1, option)) {
        char next = at[strlen(option)];
        if ((next == ' ' || next == '\n' || next == ',') && (at[-1] == ' ' || at[-1] == ','))
            return 1;
    }
    return 0;
}

static void assert_listed(const rls2_setting *setting, const char *command)
{
    char negated[80];
    const char *name = rls2_setting_about(setting, RLS2_SETTING_NAME);
    const char *fallback = rls2_setting_about(setting, RLS2_SETTING_DEFAULT);
    rls2_setting_kind kind = rls2_setting_kind_of(setting);
    char *help = rls2_out("help %s", command), *page = rls2_out("help --man %s", command);
    int both =
        kind == RLS2_SETTING_SWITCH || (kind == RLS2_SETTING_FLAG && strcmp(fallback, "true") == 0);
    snprintf(negated, sizeof negated, "no-%s", name);
    if (!lists(help, name)) print_error("help %s: no --%s\n", command, name);
    assert_true(lists(help, name));
    assert_int_equal(lists(help, negated), both);
    assert_non_null(strstr(page, ".SH OPTIONS"));
    free(help);
    free(page);
}

static void help__every_setting__is_an_option_of_the_commands_of_its_scope(void **state)
{
    (void)state;
    for (int64_t i = 0; i < rls2_setting_count(); i++) {
        const rls2_setting *setting = rls2_setting_at(i);
        char commands[64], *rest = NULL;
        snprintf(commands, sizeof commands, "%s", COMMANDS_OF[rls2_setting_scope_of(setting)]);
        for (char *c = strtok_r(commands, " ", &rest); c; c = strtok_r(NULL, " ", &rest))
            assert_listed(setting, c);
    }
}

/* Without its value, or with one too many, each is refused by name and never as unknown. */
static void train__every_setting__is_understood(void **state)
{
    (void)state;
    for (int64_t i = 0; i < rls2_setting_count(); i++) {
        const rls2_setting *setting = rls2_setting_at(i);
        rls2_setting_kind kind = rls2_setting_kind_of(setting);
        const char *name = rls2_setting_about(setting, RLS2_SETTING_NAME);
        int flag = kind == RLS2_SETTING_FLAG || kind == RLS2_SETTING_SWITCH;
        printed it = rls2_run("train nowhere.csv --%s%s", name, flag ? "=x" : "");
        assert_int_equal(it.code, 2);
        assert_non_null(strstr(it.err, flag ? "takes no value" : "needs a value"));
        printed_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help__every_setting__is_an_option_of_the_commands_of_its_scope),
        cmocka_unit_test(train__every_setting__is_understood),
    };
    return cmocka_run_group_tests_name("cli.options", tests, folder_make, folder_remove);
}
