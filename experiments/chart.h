/* Line charts as SVG: a grid of panels with axes, lines, bands and marks. */
#ifndef RLS2_EXPERIMENTS_CHART_H
#define RLS2_EXPERIMENTS_CHART_H

#include <stdint.h>

typedef enum chart_style {
    CHART_LINE = 0,  /* in the colour of its number */
    CHART_LIGHT = 1, /* thin and grey, no legend: one of many */
    CHART_THICK = 2, /* thick and dark */
    CHART_DASHED = 3
} chart_style;

/* count points; a NaN interrupts the line. lo and hi (both or neither) are a band around it.
 * Borrowed. */
typedef struct chart_line {
    const char *name; /* in the legend; NULL: not there */
    int64_t count;
    const double *x;
    const double *y;
    const double *lo;
    const double *hi;
    chart_style style;
    int colour; /* number of a colour, for CHART_LINE and CHART_DASHED */
} chart_line;

typedef struct chart_mark {
    double x;          /* of a dotted vertical line */
    const char *label; /* or NULL */
} chart_mark;

typedef struct chart_panel {
    const char *title;
    const char *x_label;
    const char *y_label;
    int log_x;
    int log_y;
    int reverse_x; /* large values on the left */
    int64_t line_count;
    const chart_line *lines; /* drawn in this order */
    int64_t mark_count;
    const chart_mark *marks;
} chart_panel;

typedef struct chart {
    int rows, columns;
    const chart_panel *panels; /* rows x columns, by rows */
} chart;

/* The SVG as text, which the caller frees; NULL when out of memory. Values that are not finite (or
 * not positive on a logarithmic axis) are left out. */
char *chart_svg(const chart *c);

#endif
