/* A line chart as an SVG file: just what the examples need to be looked at. */
#ifndef RLS2_EXPERIMENTS_FIGURE_H
#define RLS2_EXPERIMENTS_FIGURE_H

#include <stdint.h>

typedef struct figure {
    const char *title;
    const char *x_label;
    const char *y_label;
    int64_t points; /* of every line */
    const double *x;
    int64_t lines;
    const double *y; /* points x lines, by columns */
    const char *const *names;
    double mark;            /* x of a dotted vertical line; NaN for none */
    const char *mark_label; /* written beside it */
} figure;

/* 0, or -1 with errno set. The file appears whole or not at all. */
int figure_write(const figure *f, const char *path);

#endif
