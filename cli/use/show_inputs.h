/* What a model makes of the inputs of the table. */
#ifndef RLS2_CLI_USE_SHOW_INPUTS_H
#define RLS2_CLI_USE_SHOW_INPUTS_H

#include "cli/use/show_command.h"

/* `mean`: "mean " where shares are those over several outputs. */
void show_inputs(const settings *s, FILE *file, const char *mean, const summary *sum);
void json_inputs(json *j, const summary *sum);

#endif
