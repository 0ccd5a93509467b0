/* Tables and matrices from files, read as the options say. */
#ifndef RLS2_CLI_READING_H
#define RLS2_CLI_READING_H

#include "cli/console.h"

/* Each: EXIT_OK, or the exit code after a message. */

int read_options(const settings *s, rls2_read_options *options);
/* `option` names the file, as messages say; NULL if an argument does. */
int read_table(const settings *s, const char *option, const char *path, rls2_table **table);
/* A matrix of --given: numbers without a header. */
int read_matrix(const settings *s, const char *path, rls2_table **matrix);

#endif
