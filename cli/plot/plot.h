/* rls2 plot, between its files: a result or a model becomes a picture, which is data only; the
 * picture becomes a gnuplot script, text, or JSON. */
#ifndef RLS2_CLI_PLOT_PLOT_H
#define RLS2_CLI_PLOT_PLOT_H

#include <stdint.h>
#include <stdio.h>

#include "cli/settings.h"

/* ---- plot_result.c: what `rls2 path --json` printed ---- */

/* Values that are zero where nothing stands: of point i those of start[i] to start[i+1]. */
typedef struct sparse {
    int64_t columns;
    const char **name; /* of a column, owned by the result */
    int64_t *start;
    int64_t *column;
    double *value;
} sparse;

typedef struct result {
    void *root; /* the JSON tree, which the names point into */
    int64_t points;
    double *lambda; /* positive */
    double *df;     /* NULL unless every point has it; likewise the scores */
    double *train, *test;
    const char *measure;     /* "rmse", "accuracy", "r2", or NULL */
    double *selected;        /* number of kernels */
    int64_t outputs;         /* 0: one without a name */
    const char *output_word; /* "classes", "targets", or "outputs" where the file does not say */
    const char *of; /* of several outputs the one that the following is about; else NULL, */
    double *of_df;  /* and both of these are df and selected of that one, if every point has it */
    double *of_selected;
    sparse weights;
    sparse coefficients; /* of no columns unless every point has them */
} result;

/* Of several outputs --of names one, else it is the first. EXIT_OK, or the exit code after a
 * message. `name` stands for the file. result_free in either case. */
int result_parse(const settings *s, const char *name, const char *text, size_t length, result *r);
void result_free(result *r);

/* ---- pictures ---- */

typedef enum picture_kind {
    PICTURE_PROFILE,
    PICTURE_SCORES,
    PICTURE_SELECTION,
    PICTURE_KERNELS,
    PICTURE_FEATURES,
    PICTURE_CURVE /* of cross-validation */
} picture_kind;

typedef struct series {
    char *name;
    double *y;  /* one value for each point */
    int stands; /* 1: coloured and named; 0: grey */
} series;

/* Points are ordered along x; those of a bar chart are its bars, from the top. */
typedef struct picture {
    picture_kind kind;
    char *title;
    char *of; /* the one output that is drawn of several, or NULL */
    int64_t points;
    double *x;
    const char *x_name; /* "df", "lambda", "kernel", "feature" */
    char **labels;      /* of the bars; NULL in other pictures */
    int others;         /* 1: the last bar is the sum of all that are not shown, told as a number */
    int64_t count;
    series *series;      /* the grey ones last */
    const char *y_label; /* of a profile and of scores */
    double *selected;    /* number of kernels, of scores and selections */
    int64_t best;        /* the point of the best test score, -1 without test data */
    char *best_label;
    int64_t simple; /* of a curve: the point of the one-standard-error rule */
} picture;

/* plot_picture.c, plot_model.c. Each EXIT_OK, or EXIT_FAILED or EXIT_USAGE with a message. */
int picture_of_result(const settings *s, picture_kind kind, const result *r, picture *p);
int picture_of_model(const settings *s, picture_kind kind, const void *model, picture *p);
/* plot_curve.c: what `rls2 cv --json` printed; 1 if the text is such a result. */
int is_curve(const char *text, size_t length);
int picture_of_curve(const settings *s, const char *text, size_t length, picture *p);
/* Of that kind, with its title. picture_free in any case. */
int picture_start(const settings *s, picture_kind kind, picture *p);
void picture_free(picture *p);
/* The picture is about one output of several: the title says so, unless another was asked for. */
int picture_set_output(const settings *s, picture *p, const char *name);
/* Adds to the title, unless another was asked for. */
int picture_add_title(const settings *s, picture *p, const char *text);
const char *picture_kind_name(picture_kind kind);
/* Room for `count` more series of p->points zeros; NULL (said) if memory is out. */
series *picture_series(const settings *s, picture *p, int64_t count);
/* A copy that is safe to show: escaped (rls2_text_escape), and what is longer than `most`
 * characters ends in an ellipsis. NULL if memory is out. */
char *shown_text(const char *text, int64_t most);
/* The same for a name; the name itself, where JSON was asked for. */
char *picture_text(const settings *s, const char *text);

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

/* plot_script.c: commands for gnuplot, everything inline. */
void script_write(FILE *out, const picture *p, const canvas *c);
/* plot_text.c: pictures that are better written than drawn; 1 if this is one of them. */
int text_write(FILE *out, const picture *p, const canvas *c);
/* What stands above a drawing made of characters, within which lines would run over it: title, what
 * is drawn upwards (letters do not turn there), the best point. */
void text_heading(FILE *out, const picture *p);
/* plot_json.c */
void picture_json(FILE *out, const picture *p);
/* plot_gnuplot.c: runs gnuplot on the script; the picture goes to `out`. EXIT_OK, or EXIT_FAILED or
 * EXIT_INTERRUPTED with a message. */
int gnuplot_run(const settings *s, FILE *script, FILE *out);

#endif
