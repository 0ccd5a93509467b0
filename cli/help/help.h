/* What help.c offers to main.c beyond cli/option.h. */
#ifndef RLS2_CLI_HELP_HELP_H
#define RLS2_CLI_HELP_HELP_H

/* What rls2 is, in two sentences; of the overview and of the man page. */
extern const char HELP_ABOUT[];
/* Lines "$ rls2 ...": the first steps. */
extern const char HELP_QUICK_START[];

/* rls2 help ARGUMENTS: the exit code. */
int help_main(int argc, char **argv);
/* EXIT_USAGE, with a message that suggests the nearest command. */
int help_unknown(const char *name);

#endif
