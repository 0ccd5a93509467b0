/* The sub-commands of rls2: one file each. */
#ifndef RLS2_CLI_COMMAND_H
#define RLS2_CLI_COMMAND_H

/* Exit codes: what was asked is done; the work failed; the command line is wrong. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct command {
    const char *name;
    const char *summary;
    const char *usage;
    int (*run)(int argc, char **argv); /* arguments after the command's name */
} command;

extern const command command_demo;

#endif
