/* rls2 show, between its files: show_command.c collects and tells of a model of one output,
 * show_outputs.c of several, show_inputs.c of the inputs, show_weights.c of what the rows count. */
#ifndef RLS2_CLI_USE_SHOW_COMMAND_H
#define RLS2_CLI_USE_SHOW_COMMAND_H

#include "cli/json.h"
#include "cli/output.h"
#include "cli/importance.h"
#include "cli/score.h"
#include "cli/selection_report.h"
#include "cli/stability_report.h"

/* A model, or one of its outputs. */
typedef struct summary {
    const rls2_model *model;
    int classification;
    importances parts;
    stable_items stable;
    double *coefficients;  /* NULL where the model is not linear, and of several outputs */
    double *class_weights; /* how often the rows of each class count; NULL where it is not by class
                              or not known */
    scoring by;
    double train[MOST_SCORES]; /* scores on the training rows, NaN where they are not known; of one
                                  output of several classes not in use */
    double r2; /* explained part of the variance of y; NaN of several outputs and of another loss
                  than the square one */
} summary;

/* ---- pieces that both tell ---- */

enum { BAR_WIDTH = 24 };

void show_data(FILE *file, const summary *sum);
/* Dictionary, lambda, objective. */
void show_fit(FILE *file, const summary *sum);
/* The score on left-out rows, where it is known. */
void show_left_out(FILE *file, const rls2_model *model);
double largest(const importance *items, int64_t count, int use_share);
/* Target, sizes, dictionary and the point of the path. */
void json_model(json *j, const summary *sum);
void json_kernels(json *j, const summary *sum);
/* The score on left-out rows, and which rows the shares are of. */
void json_left_out(json *j, const summary *sum);
void json_coefficients(json *j, const summary *sum);
/* "log-loss 0.35, accuracy 0.85", as far as they are known; 1 if anything was. */
int print_train(FILE *file, const summary *sum);
/* "train": {...}, of which the caller ends the object. */
void json_train(json *j, const summary *sum);

/* ---- show_weights.c ---- */

/* What a score of classes counts: weights of rows and of classes are one number in a model, and
 * cannot be told apart. */
const char *score_note(const rls2_model *model);

#endif
