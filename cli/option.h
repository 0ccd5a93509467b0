/* Options: those of the command itself (cli/options.c) and the settings of a plan
 * (rls2/settings.h), which parser, help, man pages and completions treat alike. */
#ifndef RLS2_CLI_OPTION_H
#define RLS2_CLI_OPTION_H

#include <stddef.h>

#include "cli/command.h"

/* How the value is written and, of an option of the command itself, the type of the member of
 * `settings` that takes it. */
typedef enum option_kind {
    OPTION_FLAG,   /* no value; int */
    OPTION_SWITCH, /* no value, and --no-NAME is its opposite; settings of a plan only */
    OPTION_TEXT,   /* const char * */
    OPTION_FILE,   /* the same; completed as a file name */
    OPTION_CHOICE, /* the same; one of those listed in `value`, separated by '|' */
    OPTION_NUMBER, /* double, finite */
    OPTION_COUNT,  /* int64_t, not negative */
    OPTION_LIST    /* may be repeated; text_list */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes */
    char letter;      /* of the short form, or 0 */
    option_kind kind;
    const char *value;    /* what stands for the value in the help: "FILE", "X"; the choices */
    const char *fallback; /* the default, written as on the command line; NULL if there is none */
    const char *section;  /* heading of the help it stands under */
    const char *help;     /* filled by the printer; NULL: that of the setting */
    size_t member;        /* offsetof(settings, ...) */
    unsigned commands;    /* FOR_...: the commands that have it */
    const char *former;   /* a name it had once, still understood; NULL: none */
    const rls2_setting *setting; /* where its value goes; NULL: into `member` */
    const char *stands_for[2];   /* of a flag: the setting it sets, and to what; else NULL */
} option;

/* The options of the command itself. */
extern const option OWN_OPTIONS[];
extern const int OWN_OPTION_COUNT;

/* All options in the order of the help, those of a section side by side; NULL beyond the last. */
const option *option_at(int i);
/* What it does, and its default. */
void option_help(const option *o, char *text, size_t size);
/* 1 if --no-NAME turns it off. */
int option_can_be_off(const option *o);
/* 1 if it is followed by a value. */
int option_takes_value(const option *o);

/* Fills *s from the arguments after the command's name: defaults, then "--name value",
 * "--name=value", "-o value", "-ovalue"; "--" ends the options and "-" is an argument. EXIT_OK, or
 * EXIT_USAGE with a message on stderr that names the argument and suggests the nearest option. Free
 * with settings_free in either case. */
int settings_parse(const command *c, int argc, char **argv, settings *s);
void settings_free(settings *s);

/* help.c: what a person reads, filled to the width of the terminal (72 to 100 columns). */
void help_overview(void *file);                  /* FILE *: rls2 */
void help_command(const command *c, void *file); /* rls2 help COMMAND */

#endif
