/* rls2 plot, between its files: a result or a model becomes a picture, which is data only; the
 * picture becomes a gnuplot script, text, or JSON. */
#ifndef RLS2_CLI_PLOT_PLOT_H
#define RLS2_CLI_PLOT_PLOT_H

#include <stdint.h>
#include <stdio.h>

#include "cli/settings.h"

/* ---- pictures ---- */

typedef enum picture_kind {
    PICTURE_PROFILE,
    PICTURE_SCORES,
    PICTURE_SELECTION,
    PICTURE_KERNELS,
    PICTURE_FEATURES,
    PICTURE_CURVE, /* of cross-validation */
    PICTURE_EFFECTS,
    PICTURE_DEPENDENCE, /* panels as effects, by what inputs do to the whole prediction */
    PICTURE_CALIBRATION,
    PICTURE_ROC,
    PICTURE_PRECISION_RECALL,
    PICTURE_INTERVAL
} picture_kind;

typedef struct series {
    char *name;
    double *y;  /* one value for each point */
    int stands; /* 1: coloured and named; 0: grey */
} series;

/* What one input does, or two together: then there are several lines over the first, each at a
 * value of the other. */
typedef struct panel {
    char *name;
    double share; /* NaN where it has none of its own */
    int by_level; /* 1: categories, which stand at 1, 2, ... */
    int is_date;  /* 1: x is in days since 1970-01-01 */
    rls2_direction direction;
    int64_t count;
    double *x;
    double *y;     /* count x lines */
    double *low;   /* count: between the two lie the curves of 8 of 10 rows; NULL where all rows */
    double *high;  /* have the same, or it is not known */
    char **levels; /* count; NULL of numbers */
    int64_t lines; /* 1, or those of two inputs */
    char *along;   /* of two: the one along x, */
    char *other;   /* the other, */
    char **at;     /* and its value in each line */
} panel;

/* A curve with places of its own. */
typedef struct trace {
    char *name; /* the class */
    int64_t count;
    double *x, *y;
    double *error; /* of y, one standard error; NULL but for calibration, */
    double *rows;  /* as are the rows of a bin */
    double value;  /* area, average precision, or Brier score */
    double level;  /* of precision: what any rows have */
} trace;

/* Points are ordered along x; those of a bar chart are its bars, from the top. */
typedef struct picture {
    picture_kind kind;
    char *title;
    char *of; /* the one output that is drawn of several, or NULL */
    int64_t points;
    double *x;
    const char *x_name; /* "df", "lambda", "kernel", "feature"; of effects share_of_what() */
    char **labels;      /* of the bars; NULL in other pictures */
    int others;         /* 1: the last bar is the sum of all that are not shown, told as a number */
    int64_t count;
    series *series;      /* the grey ones last */
    const char *y_label; /* of a profile and of scores; of bars what the shares are of */
    double *selected;    /* number of kernels, of scores and selections */
    int64_t best;        /* the point of the best test score, -1 without test data */
    char *best_label;
    int64_t simple; /* of a curve: the point of the one-standard-error rule */
    int64_t panel_count;
    panel *panels;     /* of effects, which have nothing of the above but title and y_label */
    char *panel_label; /* the same as y_label */
    int64_t trace_count;
    trace *traces; /* of calibration, roc and precision-recall, which have nothing else */
    int64_t judged_rows;
} picture;

/* ---- ways to show one ---- */

typedef enum canvas_kind { CANVAS_TEXT, CANVAS_SVG, CANVAS_PNG, CANVAS_PDF } canvas_kind;

/* Sizes in characters of text, otherwise in units of 1/96 inch, in which the letters are 13 high.
 */
typedef struct canvas {
    canvas_kind kind;
    double width, height;
    double scale; /* pixels of a PNG for each unit */
    int colour;   /* text: 1 on a terminal */
} canvas;

#endif
