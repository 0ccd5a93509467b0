/* The numeric data set, as the files that fill and transform it see it. */
#ifndef RLS2_TABLE_DATASET_H
#define RLS2_TABLE_DATASET_H

#include "rls2/table.h"
#include "table/encoder.h"

/* How one column was standardised, see standardize.c. */
typedef struct rls2__scale {
    int exponent;     /* values are first divided by 2^exponent */
    double shift;     /* their mean, */
    double rest;      /* the mean of what is left after it is taken off, */
    double deviation; /* and the deviation after that; 0 for a constant column */
} rls2__scale;

struct rls2_dataset {
    int64_t rows;
    int64_t columns;
    int64_t dropped; /* rows of the table left out */
    double *x;
    double *y;       /* NULL if the table had no target */
    int64_t *source; /* rows: their row in the table */
    rls2__encoder *encoder;
    int is_standardized; /* the next three have been set */
    rls2__scale *scales; /* columns */
    double *means;       /* columns; with room for the deviations, which follow */
    double *deviations;
};

/* Standardises rows that are not yet, as those of `training` were, if they were. */
void rls2__standardize_like(rls2_dataset *dataset, const rls2_dataset *training);

#endif
