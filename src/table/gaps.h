/* Missing cells of a table, as those see it who have to decide what becomes of them. */
#ifndef RLS2_TABLE_GAPS_H
#define RLS2_TABLE_GAPS_H

#include "table/encoder.h"

/* Rows of weight 0 are not among them. */
typedef struct rls2__gaps {
    rls2__encoder *encoder; /* whose inputs are counted */
    int64_t rows;
    int64_t no_response; /* rows without target or row weight, which nobody learns from */
    int64_t no_input;    /* of the others, those with an empty input */
    int64_t *of_input;   /* inputs of the encoder: in how many of them it is empty, */
    int64_t *alone;      /* and in how many nothing else is */
} rls2__gaps;

/* Release even where it fails. The options' `missing` is not looked at. */
rls2_status rls2__gaps_find(const rls2_table *table, const rls2_dataset_options *options,
                            rls2__gaps *gaps, rls2_error *err);
void rls2__gaps_release(rls2__gaps *gaps);

#endif
