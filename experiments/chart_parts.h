/* Between the files that draw a chart: where a panel lies and how values become places. */
#ifndef RLS2_EXPERIMENTS_CHART_PARTS_H
#define RLS2_EXPERIMENTS_CHART_PARTS_H

#include <stdio.h>

#include "experiments/chart.h"

/* An axis: values (their logarithms to base 10 where it is logarithmic) from lo to hi, shown from
 * `from` to `to`, in pixels; `from` is right of `to`, or below it, where it runs that way. */
typedef struct axis {
    int logarithmic;
    double lo, hi;
    double from, to;
    int most_ticks;
} axis;

enum { MOST_TICKS = 24 };

typedef struct ticks {
    int count;
    double value[MOST_TICKS]; /* on the axis: a logarithm where it is logarithmic */
    int powers;               /* 1: labels are powers of ten */
    int decimals;             /* of the labels otherwise; -1: as %g writes them */
} ticks;

static const double MARK_ROW = 1.3;

/* The plot area of a panel, in pixels, and its axes. */
typedef struct frame {
    double left, right, top, bottom;
    axis x, y;
    double font;  /* size of labels */
    double outer; /* left end of the panel, for the y label */
    int names_at_right;
    int empty; /* 1: there is nothing to draw */
} frame;

/* 1 if the value has a place on such an axis. */
int axis_shows(int logarithmic, double value);
/* Pixels. */
double axis_at(const axis *a, double value);
/* From the extremes of the values, which may be none (lo > hi) or equal; `margin` is a share of the
 * range. */
void axis_span(axis *a, double lo, double hi, double margin);
ticks axis_ticks(const axis *a);
double axis_tick_at(const axis *a, double tick);

/* Colours of the lines. */
const char *chart_colour(const chart_line *line);
double chart_line_width(const chart_line *line);

void chart_draw_axes(FILE *out, const chart_panel *p, const frame *f);
void chart_draw_lines(FILE *out, const chart_panel *p, const frame *f);
/* Above the plot, so that they cover no line, in so many rows of MARK_ROW times the font. */
int chart_mark_rows(const chart_panel *p, const frame *f);
void chart_draw_marks(FILE *out, const chart_panel *p, const frame *f);

double chart_text_width(const char *text, double font);
/* Height of a legend above the plot in so many pixels of width. */
double chart_legend_height(const chart_panel *p, double width, double font);
void chart_draw_legend_above(FILE *out, const chart_panel *p, const frame *f, double top);
/* At the ends of the lines, right of the plot. */
double chart_legend_width(const chart_panel *p, double font);
void chart_draw_legend_right(FILE *out, const chart_panel *p, const frame *f);

#endif
