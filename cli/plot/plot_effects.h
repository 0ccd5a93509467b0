/* What each input does to the predictions of a model, as small panels. */
#ifndef RLS2_CLI_PLOT_PLOT_EFFECTS_H
#define RLS2_CLI_PLOT_PLOT_EFFECTS_H

#include "cli/json.h"
#include "cli/plot/plot.h"

/* The most important inputs, as many as --top says; of several outputs the one of --of, or the
 * first. EXIT_OK, or the exit code after a message. */
int picture_of_effects(const settings *s, const void *model, picture *p);
/* The same in the order of what inputs do to the whole prediction, and the two that do most
 * together. */
int picture_of_dependence(const settings *s, const void *model, picture *p);
void panels_free(picture *p);

/* ---- between plot_effects.c and plot_dependence.c ---- */

/* Title, output and label; panels are to follow. Each EXIT_OK, or the exit code after a message. */
int start_panels(const settings *s, const rls2_model *model, picture_kind kind,
                 const rls2_model **chosen, picture *p);
/* One more panel, for which there is room: nothing where there is nothing to draw. */
int add_panel(const settings *s, const rls2_model *model, int64_t input, double share, picture *p);
/* Of the two inputs of at->pair. */
struct importance;
int add_couple(const settings *s, const rls2_model *model, const struct importance *at, picture *p);

/* Days since 1970-01-01 by strftime's rule. */
void date_text(double days, const char *how, char *text, size_t size);

/* The ways to show them. */
void panels_text(FILE *out, const picture *p, const canvas *c);
void panels_json(json *j, const picture *p);
void script_panels(FILE *out, const picture *p, const canvas *c);
/* Units a drawing of that width needs. */
double panels_height(const picture *p, double width);

#endif
