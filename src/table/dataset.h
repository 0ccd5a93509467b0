/* The numeric data set, as the files that fill and transform it see it. */
#ifndef RLS2_TABLE_DATASET_H
#define RLS2_TABLE_DATASET_H

#include "rls2/table.h"
#include "table/encoder.h"

/* How one column was transformed, see preprocess.c. */
typedef struct rls2__scale {
    int exponent;     /* values are first divided by 2^exponent */
    double shift;     /* their mean, */
    double rest;      /* the mean of what is left after it is taken off, */
    double deviation; /* and the divisor after that: 0 where everything becomes zero, 1 where
                         nothing is divided */
} rls2__scale;

/* What is done to examples, and then to features. */
typedef struct rls2__rules {
    rls2_normalize examples;
    rls2_normalize features;
} rls2__rules;

/* What was done to the numbers of a data set, to be done to others. */
typedef struct rls2__preparation {
    rls2__rules how; /* the rest counts where features are not RLS2_NORMALIZE_NONE */
    int64_t columns;
    rls2__scale *scales; /* columns */
    double *means;       /* columns; with room for the deviations, which follow */
    double *deviations;
    /* columns: 1 for the indicator of a category that the rows it was learned from do not have;
     * such a column does not exist for them: it is zero, and no part of an example */
    unsigned char *absent;
    int64_t absent_count;
    double *fills; /* columns: what missing cells become before all else, see fills.h */
    int has_fills; /* 0: nobody learned them */
} rls2__preparation;

struct rls2_dataset {
    int64_t rows;
    int64_t columns;
    int64_t dropped; /* rows of the table left out */
    int64_t imputed; /* cells of inputs that were empty */
    int64_t unseen;  /* cells of text inputs whose category the training rows do not have */
    double *x;
    double *y;        /* rows x outputs; NULL if the table had no target */
    int64_t *classes; /* rows; NULL where there are none */
    double *weights;  /* rows; NULL if the table had none */
    int64_t *source;  /* rows: their row in the table */
    rls2__encoder *encoder;
    rls2__preparation preparation;
};

/* rls2_dataset_create_like with what a data set knows of others; preparation NULL: nothing is done
 * to the numbers, and empty cells are NaN still (fills.h). The arguments have been checked. */
rls2_status rls2__dataset_like(const rls2_table *table, rls2__encoder *encoder,
                               const rls2__preparation *preparation, rls2__view_rules rules,
                               rls2_dataset **dataset, rls2_error *err);
/* Rows of a data set, by their numbers, with the numbers and the preparation they have there. */
rls2_status rls2__dataset_take(const rls2_dataset *from, int64_t count, const int64_t *rows,
                               rls2_dataset **taken, rls2_error *err);

#endif
