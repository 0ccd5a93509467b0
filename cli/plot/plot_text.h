/* Pictures made of characters. */
#ifndef RLS2_CLI_PLOT_PLOT_TEXT_H
#define RLS2_CLI_PLOT_PLOT_TEXT_H

#include "cli/plot/plot.h"

/* Pictures that are better written than drawn; 1 if this is one of them. */
int text_write(FILE *out, const picture *p, const canvas *c);
/* What stands above a drawing made of characters, within which lines would run over it: title, what
 * is drawn upwards (letters do not turn there), the best point. */
void text_heading(FILE *out, const picture *p);

#endif
