/* What each input does to the predictions of a model, as small panels. */
#ifndef RLS2_CLI_PLOT_PLOT_EFFECTS_H
#define RLS2_CLI_PLOT_PLOT_EFFECTS_H

#include "cli/json.h"
#include "cli/plot/plot.h"

/* The most important inputs, as many as --top says; of several outputs the one of --of, or the
 * first. EXIT_OK, or the exit code after a message. */
int picture_of_effects(const settings *s, const void *model, picture *p);
void panels_free(picture *p);

/* Days since 1970-01-01 by strftime's rule. */
void date_text(double days, const char *how, char *text, size_t size);

/* The ways to show them. */
void panels_text(FILE *out, const picture *p, const canvas *c);
void panels_json(json *j, const picture *p);
void script_panels(FILE *out, const picture *p, const canvas *c);
/* Units a drawing of that width needs. */
double panels_height(const picture *p, double width);

#endif
