/* What the command says beside its result: messages on stderr, and names fit to be shown. */
#ifndef RLS2_CLI_CONSOLE_H
#define RLS2_CLI_CONSOLE_H

#include <stddef.h>

#include "cli/command.h"
#include "rls2/rls2.h"

/* "rls2 COMMAND: TEXT" on stderr; for errors. TEXT is one line, its control characters escaped
 * (rls2_text_escape). */
void say_error(const settings *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line of information on stderr, unless --quiet; escaped in the same way. */
void say(const settings *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Lines on stderr that belong to the error told before, each escaped by itself; a line break before
 * them is skipped. */
void say_more(const char *lines);
/* The error of the library, printed; the exit code that goes with its status: EXIT_INTERRUPTED if
 * cancelled, EXIT_FAILED otherwise. */
int fail(const settings *s, const rls2_error *err);
/* The same of what an option asked for, which is named first; NULL: no option. */
int fail_option(const settings *s, const char *option, const rls2_error *err);

/* The same of an error of the plan: EXIT_USAGE where what was asked for is at fault, not the
 * data. */
int fail_plan(const settings *s, const rls2_error *err);

/* Says so; EXIT_FAILED. */
int out_of_memory(const settings *s);

/* The width of the terminal `file` (a FILE *) is, 80 where it is none. */
int console_width(void *file);
/* Names come from files and may hold anything. A report has them through the next two, which escape
 * control characters (rls2_text_escape), whether it goes to a terminal or not; JSON and CSV have
 * them exactly. */

/* fprintf for a line of a report, or a part of one: but for a line break that begins or ends the
 * format, all is escaped. */
void print_names(void *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* printf's "%*s", the width counted in characters instead of bytes: to the left where it is
 * negative. With `cut` no more than that many are written. */
void print_padded(void *file, int width, int cut, const char *text);
/* Columns that either takes for the text: characters of UTF-8, each taken to be one wide. */
int text_width(const char *text);
/* Bytes of the first `width` characters of a text that is escaped already, of all where there are
 * fewer. */
size_t text_start(const char *text, int width);
/* 1 if `file` is a terminal whose locale is UTF-8: bars may use block characters. */
int console_utf8(void *file);

/* "1 row", "2 rows" */
typedef struct counted {
    char text[64];
} counted;
counted count_of(int64_t count, const char *noun);

#endif
