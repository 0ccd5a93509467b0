/* The data of a picture as JSON. */
#ifndef RLS2_CLI_PLOT_PLOT_JSON_H
#define RLS2_CLI_PLOT_PLOT_JSON_H

#include "cli/plot/plot.h"

void picture_json(FILE *out, const picture *p);

#endif
