/* Statistics of rows: all that a fit needs of a table that does not fit in memory.
 *
 * Axes and features say how rows are seen, counts what was seen of them; the rows of a sample stay,
 * as cells and as numbers, for what is decided before rows are counted: a plan is completed on
 * them. Statistics of other rows with the same axes, features and encoder can be added. */
#ifndef RLS2_STATS_STATS_H
#define RLS2_STATS_STATS_H

#include "rls2/stats.h"
#include "rls2/table.h"
#include "stats/counts.h"

struct rls2_stats {
    rls2__axes *axes;
    rls2__features *features; /* of kernels of several columns; NULL: none */
    rls2__counts *counts;     /* of all rows; they borrow axes and features */
    rls2_table *table;        /* the rows of the sample, as they are written, */
    rls2_dataset *sample;     /* and encoded and prepared as all rows are, with responses */
    uint64_t fingerprint;     /* sum of the hashes of all rows */
    int64_t rows;             /* counted, */
    int64_t left_out;         /* and not: a target or a weight is missing */
    uint64_t seed;            /* with which rows were assigned to parts */
    int64_t parts;            /* folds, 0: the rows are not divided. Counts have as many parts, or
                                 one */
    int parts_by_number;      /* rows have their part by their number, not by what they are */
    double *factors;          /* classes: what class weights make of a row of theirs; NULL: none */
};

/* The part, of `parts` > 0, of the row with that hash, or number: the same for everybody who asks.
 */
int32_t rls2__stats_part(uint64_t seed, uint64_t row, int64_t parts);

/* Frees what it owns, all members of which may be NULL; NULL is nothing. */
void rls2__stats_free(rls2_stats *stats);

#endif
