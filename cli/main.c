/* rls2: finds the sub-command and hands over. Results go to stdout, messages to
 * stderr. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/early.h"
#include "cli/help/help.h"
#include "cli/option.h"
#include "cli/output.h"
#include "cli/team.h"
#include "rls2/blas.h"

enum { MOST_THREADS = 1024 };

static int asks_for_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

/* Wherever it stands: who is in doubt at the end of a long line need not start again. */
static int help_wanted(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (asks_for_help(argv[i])) return 1;
    return 0;
}

static int print_version(void)
{
    output out;
    output_open(NULL, NULL, &out);
    fprintf(out.file, "rls2 %s\n", rls2_version());
    return output_close(NULL, &out, 1);
}

static int run_command(const command *c, int argc, char **argv)
{
    settings s;
    int code = settings_parse(c, argc, argv, &s);
    if (code == EXIT_OK) code = output_check(&s);
    if (code == EXIT_OK && s.threads > 0)
        omp_set_num_threads(s.threads < MOST_THREADS ? (int)s.threads : MOST_THREADS);
    if (code == EXIT_OK) code = c->run(&s);
    settings_free(&s);
    return code;
}

int main(int argc, char **argv)
{
    early_end();
    rls2_blas_tune();
    signal(SIGXFSZ, SIG_IGN); /* a file at the limit of its size is an error of writing, told as a
                                 full disk is */
    if (argc < 2) {
        help_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) return print_version();
    if (strcmp(name, "help") == 0 || asks_for_help(name)) return help_main(argc - 2, argv + 2);
    const command *c = command_find(name);
    if (!c && name[0] == '-') {
        say_error(NULL,
                  "'%s' comes before the command; usage: rls2 COMMAND [ARGUMENT ...] [OPTION ...]",
                  name);
        return EXIT_USAGE;
    }
    if (!c) return help_unknown(name);
    if (help_wanted(argc - 2, argv + 2)) return help_main(1, argv + 1);
    if (team_is_started() && c != &command_stats) {
        say_error(NULL,
                  "several processes were started, and 'rls2 %s' is for one: 'rls2 stats' "
                  "counts rows on several",
                  name);
        return EXIT_USAGE;
    }
    return run_command(c, argc - 2, argv + 2);
}
