/* Pictures made of boxes, as gnuplot scripts. */
#ifndef RLS2_CLI_PLOT_PLOT_CELLS_H
#define RLS2_CLI_PLOT_PLOT_CELLS_H

#include "cli/plot/plot_script.h"

void script_selection(FILE *out, const picture *p, const canvas *c);
void script_bars(FILE *out, const picture *p, const canvas *c);

#endif
