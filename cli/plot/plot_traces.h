/* How good classes and their probabilities are, as curves: the ROC curve, precision against recall,
 * and calibration. */
#ifndef RLS2_CLI_PLOT_PLOT_TRACES_H
#define RLS2_CLI_PLOT_PLOT_TRACES_H

#include "cli/json.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_judged.h"

/* 1 for these three kinds. */
int is_of_traces(int kind);
/* A curve for each class, of two for the second; --of names one. `whose` says of which rows, for
 * the title. EXIT_OK, or the exit code after a message. */
int picture_of_judged(const settings *s, picture_kind kind, const judged *rows, const char *whose,
                      picture *p);
void traces_free(picture *p);

/* The ways to show them. */
void traces_json(json *j, const picture *p);
void script_traces(FILE *out, const picture *p, const canvas *c);
/* With characters: of calibration a table, 1; of the others 0, and gnuplot draws them. */
int traces_text(FILE *out, const picture *p);
void script_traces_text(FILE *out, const picture *p);

#endif
