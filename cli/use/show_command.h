/* rls2 show, between its files: show.c collects and tells of a model of one output, show_outputs.c
 * of several, show_weights.c of what the rows count. */
#ifndef RLS2_CLI_USE_SHOW_COMMAND_H
#define RLS2_CLI_USE_SHOW_COMMAND_H

#include "cli/output.h"
#include "cli/use/importance.h"

/* A model, or one of its outputs. */
typedef struct summary {
    const rls2_model *model;
    int classification;
    importance *kernels; /* by weight */
    int64_t kernel_count;
    importance *inputs; /* what they look at, by share */
    int64_t input_count;
    double *coefficients;  /* NULL where the model is not linear, and of several outputs */
    double *class_weights; /* how often the rows of each class count; NULL where it is not by class
                              or not known */
    double train; /* score on the training rows; of one output of several classes not in use */
    double r2;    /* explained part of the variance of y; of several outputs NaN */
} summary;

/* ---- show.c: pieces that both tell ---- */

enum { BAR_WIDTH = 24 };

void show_data(FILE *file, const summary *sum);
/* Dictionary, lambda, objective. */
void show_fit(FILE *file, const summary *sum);
void show_inputs(const settings *s, FILE *file, const char *heading, const summary *sum);
int64_t shown_of(const settings *s, int64_t count);
void show_rest(FILE *file, int64_t shown, int64_t count);
double largest(const importance *items, int64_t count, int use_share);
/* Target, sizes, dictionary and the point of the path. */
void json_model(json *j, const summary *sum);
void json_items(json *j, const char *key, const char *what, const importance *items, int64_t count);
void json_coefficients(json *j, const summary *sum);

/* ---- show_outputs.c ---- */

/* The line that tells the classes or the targets. */
void show_output_names(FILE *file, const summary *whole);
/* Of a model of several outputs; of[outputs] are their summaries, `whole` that of the model itself.
 */
void show_outputs_text(const settings *s, FILE *file, const summary *whole, const summary *of);
void show_outputs_json(FILE *file, const summary *whole, const summary *of, int64_t only);
/* Output o alone, of which `one` is the summary. In JSON `only` is such an o, or -1 for all of
 * them. */
void show_output_text(const settings *s, FILE *file, const summary *whole, int64_t o,
                      const summary *one);

/* Texts one after another behind a heading, on lines that are not too long. */
typedef struct filler {
    FILE *file;
    int64_t column;
} filler;

filler filler_start(FILE *file, const char *heading);
/* Three texts without a blank between them, of which the second may be any name. */
void fill_text(filler *at, const char *before, const char *text, const char *behind);

/* ---- show_weights.c ---- */

/* From the targets of the training rows, n x outputs. NULL where nothing is known, also when memory
 * is out. */
double *class_weights_collect(const rls2_model *model, const double *y);
void show_weights(FILE *file, const summary *sum);
void json_weights(json *j, const summary *sum);

/* What a score of classes counts: weights of rows and of classes are one number in a model, and
 * cannot be told apart. */
const char *score_note(const rls2_model *model);

#endif
