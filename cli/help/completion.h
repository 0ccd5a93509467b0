/* Completion scripts. */
#ifndef RLS2_CLI_HELP_COMPLETION_H
#define RLS2_CLI_HELP_COMPLETION_H

#include "cli/option.h"

/* Scripts for bash and zsh. */
void completion_bash(void *file);
void completion_zsh(void *file);

#endif
