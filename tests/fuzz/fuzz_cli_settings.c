/* Any lines as the arguments of a command, the first of which may name it: refused as wrong
 * usage, or settings of which every text is one of the arguments, or its option's default. */
#include <math.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/learn/fit.h"
#include "cli/memory_limit.h"
#include "cli/option.h"
#include "common.h"

enum { MOST_WORDS = 40 };

static void check_lambdas(const settings *s)
{
    int64_t count = 0;
    double *lambdas = NULL;
    int code = given_lambdas(s, &count, &lambdas);
    require(code == EXIT_OK || code == EXIT_USAGE);
    for (int64_t i = 0; i < count && code == EXIT_OK; i++)
        require(lambdas[i] > 0.0 && isfinite(lambdas[i]));
    free(lambdas);
}

static void check_settings(const command *c, const settings *s)
{
    require(s->argument_count >= c->least && s->argument_count <= c->most);
    for (int i = 0; i < s->argument_count; i++) require(s->argument[i] != NULL);
    if (s->memory) require(bytes_of(s->memory) == -1 || bytes_of(s->memory) >= 0);
    if (!s->lambdas || !has_long_number(s->lambdas, strlen(s->lambdas), 4)) check_lambdas(s);
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
