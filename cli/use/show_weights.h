/* What the training rows of a model count. */
#ifndef RLS2_CLI_USE_SHOW_WEIGHTS_H
#define RLS2_CLI_USE_SHOW_WEIGHTS_H

#include "cli/json.h"
#include "cli/use/show_command.h"

/* From the targets of the training rows, n x outputs. NULL where nothing is known, also when memory
 * is out. */
double *class_weights_collect(const rls2_model *model, const double *y);
void show_weights(FILE *file, const summary *sum);
void json_weights(json *j, const summary *sum);

#endif
