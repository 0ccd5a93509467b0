/* Pieces of a gnuplot script, shared by plot_script.c (lines) and plot_cells.c (bars, cells). */
#ifndef RLS2_CLI_PLOT_PLOT_SCRIPT_H
#define RLS2_CLI_PLOT_PLOT_SCRIPT_H

#include "cli/plot/plot.h"

/* In units of the canvas. */
enum { LETTER = 13, LETTER_WIDTH = 8, LINE = 17 };

/* Where the axes lie, in units from the left and from the bottom; and what they span. */
typedef struct frame {
    double left, right, bottom, top;
    double x0, x1; /* at the left and the right end */
    double y0, y1;
    int log_x;
    int bare_x; /* 1: no numbers below the axis */
} frame;

/* A text as a gnuplot string. All but letters, digits and blanks are written as octal numbers:
 * gnuplot looks for backquotes within double quotes, and stumbles over a doubled quote at the start
 * of single ones. */
void put_quoted(FILE *out, const char *text);
/* Of the k-th line: readable on white, and apart for the colour-blind. */
const char *colour_of(int64_t k);
/* set label TEXT at (x, y) units; `how` is what follows, alignment and colour for instance. */
void put_label(FILE *out, const canvas *c, const char *text, double x, double y, const char *how);
/* As much of the title as fits between `left` and `right`. */
void put_title(FILE *out, const canvas *c, const picture *p, double left, double right);
/* set margins, ranges, and the tics of a logarithmic axis. */
void put_frame(FILE *out, const canvas *c, const frame *f);
/* The texts along the axes, out of the way of the numbers: each terminal would place them
 * elsewhere. */
void put_x_label(FILE *out, const canvas *c, const char *text, const frame *f);
void put_y_label(FILE *out, const canvas *c, const char *text, double x, const frame *f);
/* A dotted line at the best test score, up to the top of f, and its text above it. */
void put_best(FILE *out, const canvas *c, const picture *p, const frame *f);
const char *x_label(const picture *p);
/* The range of x of a path: f->x0, f->x1, f->log_x. */
void span_x(const picture *p, frame *f);
/* Units that the widest of `count` texts takes, one every `stride` bytes; rather too much than too
 * little. */
double widest(const char *const *texts, int64_t count, size_t stride);
/* put_label of as much of a name as `room` units hold. */
void put_name(FILE *out, const canvas *c, const char *name, double room, double x, double y,
              const char *how);

/* Commands for gnuplot, everything inline. */
void script_write(FILE *out, const picture *p, const canvas *c);

#endif
