/* Intervals of a model for the rows of a table, beside what was observed. */
#ifndef RLS2_CLI_PLOT_PLOT_INTERVAL_H
#define RLS2_CLI_PLOT_PLOT_INTERVAL_H

#include "cli/plot/plot.h"

/* Rows of the second argument whose target is known, in the order of their predictions. EXIT_OK, or
 * the exit code after a message. */
int picture_of_intervals(const settings *s, const rls2_model *model, picture *p);
void script_intervals(FILE *out, const picture *p, const canvas *c);

#endif
