/* Any lines as the arguments of a command, the first of which may name it: refused as wrong
 * usage, or settings of which every text is one of the arguments, or its option's default, and a
 * plan that can be checked. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/option.h"
#include "common.h"

enum { MOST_WORDS = 40 };

static void check_settings(const command *c, const settings *s)
{
    require(s->argument_count >= c->least && s->argument_count <= c->most);
    for (int i = 0; i < s->argument_count; i++) require(s->argument[i] != NULL);
    const char *lambdas = rls2_plan_get(s->plan, "lambdas", 0);
    if (has_long_number(lambdas, strlen(lambdas), 4)) return;
    rls2_status status = rls2_plan_check(s->plan, NULL);
    require(status == RLS2_OK || status == RLS2_ERR_ARGUMENT || status == RLS2_ERR_VALUE);
}

static void try_words(const command *c, int count, char **words)
{
    settings s;
    int code = settings_parse(c, count, words, &s);
    require(code == EXIT_OK || code == EXIT_USAGE);
    if (code == EXIT_OK) check_settings(c, &s);
    settings_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    char *text = text_of(data, size), *words[MOST_WORDS], *rest = text;
    int count = 0;
    if (!nowhere) stderr = nowhere = fopen("/dev/null", "w"); /* what is said is not looked at */
    while (rest && count < MOST_WORDS) words[count++] = strsep(&rest, "\n");
    const command *c = command_find(words[0]);
    if (c)
        try_words(c, count - 1, words + 1);
    else
        try_words(size % 2 ? &command_train : &command_plot, count, words);
    free(text);
    return 0;
}
