/* Man pages. */
#ifndef RLS2_CLI_HELP_MANUAL_H
#define RLS2_CLI_HELP_MANUAL_H

#include "cli/option.h"

/* A man page (troff) of a command, of rls2 itself if it is NULL. */
void manual_print(const command *c, void *file);

#endif
