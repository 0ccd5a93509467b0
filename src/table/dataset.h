/* The numeric data set, as the files that fill and transform it see it. */
#ifndef RLS2_TABLE_DATASET_H
#define RLS2_TABLE_DATASET_H

#include "base/memory.h"
#include "rls2/table.h"

struct rls2_dataset {
    int64_t rows;
    int64_t columns;
    int64_t dropped; /* rows of the table left out */
    double *x;
    double *y;
    int64_t *source;      /* rows: their row in the table */
    const char **names;   /* columns; in the arena, like the labels */
    const char *label[2]; /* of y = -1 and y = +1; NULL for regression */
    rls2__arena *arena;
};

#endif
