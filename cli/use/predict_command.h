/* rls2 predict, between its files: predict_command.c computes, predict_write.c writes,
 * predict_score.c counts. */
#ifndef RLS2_CLI_USE_PREDICT_COMMAND_H
#define RLS2_CLI_USE_PREDICT_COMMAND_H

#include "cli/json.h"
#include "cli/output.h"

typedef struct job {
    const settings *s;
    rls2_model *model;
    int classification;
    int64_t outputs;
    int64_t targets;     /* columns that are predicted */
    int64_t *part_start; /* outputs + 1: the first column of each output's contributions, and behind
                            the last */
    double *std_factor;  /* of each output: variance of f in the units of y, over the model's; with
                            --std */
    double *noise;       /* variance of an observation about f */
    output out;
    json j;
    int64_t *kept; /* of each column of --keep: its place in the piece at hand */

    int64_t rows; /* so far */
    int64_t left_out;
    int64_t imputed;     /* cells */
    int64_t unseen;      /* cells of a category that the training rows do not have */
    struct tally *tally; /* of the score, predict_score.c */
    int64_t intervals;   /* of each row, with --interval; else 0 */
    int64_t *covered;    /* intervals: rows within, of those whose targets are known, */
    int64_t covered_of;  /* which are so many */
} job;

/* Predictions of one piece, by columns of n values. */
typedef struct piece {
    const rls2_table *table;
    rls2_dataset *data;
    int64_t n;
    double *f;        /* n x outputs, on the scale of the loss */
    double *said;     /* the same of the response: rates, not their logarithms */
    double *p;        /* n x classes with --probability, or NULL */
    int64_t *classes; /* n; of regression not in use */
    double *bounds;   /* n x intervals below, and as many above, or NULL */
    double *variance; /* n x outputs, or NULL */
    double *parts;    /* n x kernels of all outputs, or NULL */
} piece;

#endif
