/* rls2: finds the sub-command and hands over. Results go to stdout, messages to
 * stderr. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "rls2/rls2.h"

static const command *const COMMANDS[] = {&command_demo};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static const command *find(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
    return NULL;
}

static void print_help(FILE *out)
{
    fputs("rls2 learns a predictor and its kernel together, and proves each answer.\n\n"
          "usage: rls2 COMMAND [OPTION ...]\n\ncommands:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
    fputs("\n'rls2 help COMMAND' tells more; 'rls2 --version' prints the version.\n", out);
}

static int help(const char *topic)
{
    const command *c = topic ? find(topic) : NULL;
    if (topic && !c) {
        fprintf(stderr, "rls2: there is no command '%s'; 'rls2 help' lists them\n", topic);
        return EXIT_USAGE;
    }
    if (c)
        fputs(c->usage, stdout);
    else
        print_help(stdout);
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) return printf("rls2 %s\n", rls2_version()) < 0;
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    const command *c = find(name);
    if (!c) {
        fprintf(stderr, "rls2: there is no command '%s'; 'rls2 help' lists them\n", name);
        return EXIT_USAGE;
    }
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) return help(name);
    return c->run(argc - 2, argv + 2);
}
