/* The picture of a cross-validation. */
#ifndef RLS2_CLI_PLOT_PLOT_CURVE_H
#define RLS2_CLI_PLOT_PLOT_CURVE_H

#include "cli/plot/plot.h"

/* What `rls2 cv --json` printed; 1 if the text is such a result. */
int is_curve(const char *text, size_t length);
int picture_of_curve(const settings *s, const char *text, size_t length, picture *p);

#endif
