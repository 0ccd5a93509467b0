/* The sub-commands of rls2: one file each, all described by tables, from which the parser, the
 * help, the manual pages and the shell completions are made. */
#ifndef RLS2_CLI_COMMAND_H
#define RLS2_CLI_COMMAND_H

#include "cli/settings.h"
#include "rls2/plan.h"

/* Exit codes: what was asked is done; the work failed; the command line is wrong; stopped by
 * Ctrl-C. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

typedef struct command {
    const char *name;
    unsigned bit;            /* of option.commands */
    const char *summary;     /* a few words, for the list of commands */
    const char *arguments;   /* of the usage line: "DATA", "MODEL DATA"; "" if there are none */
    int least, most;         /* number of arguments */
    const char *words;       /* what they may be, separated by blanks; NULL: files */
    const char *description; /* paragraphs separated by empty lines, filled by the printer */
    const char *examples;    /* lines "$ rls2 ..." and their explanation, printed as they are */
    rls2_goal goal;          /* of its plan */
    int (*run)(const settings *s);
} command;

enum {
    FOR_TRAIN = 1 << 0,
    FOR_PATH = 1 << 1,
    FOR_PREDICT = 1 << 2,
    FOR_SHOW = 1 << 3,
    FOR_VERIFY = 1 << 4,
    FOR_KERNELS = 1 << 5,
    FOR_PLOT = 1 << 6,
    FOR_DEMO = 1 << 7,
    FOR_CV = 1 << 8,
    FOR_REPRODUCE = 1 << 9,
    FOR_GUI = 1 << 10,
    FOR_STATS = 1 << 11,
    FOR_MERGE = 1 << 12,
    FOR_ALL = (1 << 13) - 1
};

extern const command command_train, command_path, command_cv, command_predict, command_show,
    command_verify, command_stats, command_merge, command_kernels, command_plot, command_demo,
    command_reproduce, command_gui;

/* In the order of the help; ends with NULL. */
extern const command *const COMMANDS[];
/* NULL if there is none of that name. */
const command *command_find(const char *name);

#endif
