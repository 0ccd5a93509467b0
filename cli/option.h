/* Options: one table for all commands. */
#ifndef RLS2_CLI_OPTION_H
#define RLS2_CLI_OPTION_H

#include <stddef.h>

#include "cli/command.h"

/* How the value is written, and the type of the member of `settings` that takes it. */
typedef enum option_kind {
    OPTION_FLAG,   /* no value; int */
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
    const char *help;     /* filled by the printer */
    size_t member;        /* offsetof(settings, ...) */
    unsigned commands;    /* FOR_...: the commands that have it */
} option;

extern const option OPTIONS[];
extern const int OPTION_COUNT_ALL;

/* Fills *s from the arguments after the command's name: defaults, then "--name value",
 * "--name=value",
 * "-o value", "-ovalue"; "--" ends the options and "-" is an argument. EXIT_OK, or EXIT_USAGE with
 * a message on stderr that names the argument and suggests the nearest option. Free with
 * settings_free in either case. */
int settings_parse(const command *c, int argc, char **argv, settings *s);
void settings_free(settings *s);

/* 1 if the whole text is a finite number in decimal notation, or a whole number from 0 on. The
 * program never leaves the locale "C" for numbers. */
int read_number(const char *text, double *value);
int read_count(const char *text, int64_t *value);

/* help.c: what a person reads, filled to the width of the terminal (72 to 100 columns). */
void help_overview(void *file);                  /* FILE *: rls2 */
void help_command(const command *c, void *file); /* rls2 help COMMAND */
/* manual.c: a man page (troff) of a command, of rls2 itself if it is NULL. */
void manual_print(const command *c, void *file);
/* completion.c: scripts for bash and zsh. */
void completion_bash(void *file);
void completion_zsh(void *file);

#endif
