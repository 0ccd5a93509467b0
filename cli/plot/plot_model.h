/* Pictures of a model. */
#ifndef RLS2_CLI_PLOT_PLOT_MODEL_H
#define RLS2_CLI_PLOT_PLOT_MODEL_H

#include "cli/plot/plot.h"

/* EXIT_OK, or EXIT_FAILED or EXIT_USAGE with a message. */
int picture_of_model(const settings *s, picture_kind kind, const void *model, picture *p);

#endif
