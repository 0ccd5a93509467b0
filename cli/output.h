/* Results: stdout or a file that appears whole. */
#ifndef RLS2_CLI_OUTPUT_H
#define RLS2_CLI_OUTPUT_H

#include <stdio.h>

#include "cli/console.h"

/* stdout where path is NULL or "-"; otherwise a temporary file beside it (rls2/file.h), which
 * output_close puts on the disk and renames. */
typedef struct output {
    FILE *file;
    const char *path;
    char *temporary; /* and what it is renamed to */
    char *target;
    int error; /* of an earlier write; 0: none, -1: which is not known */
} output;

/* Before any work: can --output be written, and is it none of the files that are read? EXIT_OK, or
 * the exit code after a message. */
int output_check(const settings *s);

/* EXIT_OK, or EXIT_FAILED with a message. */
int output_open(const settings *s, const char *path, output *out);
/* What was written so far can be read; what goes wrong is told by output_close. */
void output_flush(output *out);
/* Checks that everything was written (a full disk, a closed pipe), and renames. With keep = 0 the
 * file is thrown away. */
int output_close(const settings *s, output *out, int keep);

/* A cell of CSV, quoted where it must be; the caller writes the commas. In a file or a pipe the
 * text is exact; in a terminal its control characters are escaped. */
void csv_text(FILE *file, const char *text);
/* Shortest text that reads back the same; buffer of 32. */
const char *number_text(double value, char *buffer);

/* One line "NAME  ######  VALUE" of a bar chart: `share` of 1 fills `width` characters. */
void bar(FILE *file, double share, int width);

/* Of a list as many as --top says, 0: all; and how many there are beyond. */
int64_t shown_of(const settings *s, int64_t count);
void show_rest(FILE *file, int64_t shown, int64_t count);

#endif
