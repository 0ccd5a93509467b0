/* gnuplot as a child process. */
#ifndef RLS2_CLI_PLOT_PLOT_GNUPLOT_H
#define RLS2_CLI_PLOT_PLOT_GNUPLOT_H

#include "cli/plot/plot.h"

/* Runs gnuplot on the script; the picture goes to `out`. EXIT_OK, or EXIT_FAILED or
 * EXIT_INTERRUPTED with a message. */
int gnuplot_run(const settings *s, FILE *script, FILE *out);

#endif
