/* A column of the table that is learned from, and the columns of x that are made of it. */
#ifndef RLS2_TABLE_INPUT_H
#define RLS2_TABLE_INPUT_H

#include "base/lookup.h"
#include "base/memory.h"
#include "rls2/table.h"

/* Its columns of x, side by side:
 *
 *   numbers   NAME
 *   text      NAME=VALUE for each category, but for the reference
 *   both      NAME=missing, 1 where the cell is empty, where training rows are imputed
 *
 * Where a cell is empty the first of them is NaN until it is imputed (fills.h). */
typedef struct rls2__input {
    const char *name;
    rls2__lookup *values; /* of a text column, in order of first appearance; NULL for numbers */
    int is_reduced;       /* of a text column: its last value is the reference, without indicator */
    int has_missing;      /* there is a column NAME=missing */
    int64_t first;        /* column of x where the input starts */
    int64_t own;          /* columns that say what the cell holds */
    int64_t width;        /* all its columns of x */
} rls2__input;

rls2_column_kind rls2__input_kind(const rls2__input *input);

/* Sets own and width from all that comes before them. */
void rls2__input_measure(rls2__input *input);
/* The name of column v of the input, 0 <= v < width, in the arena or borrowed from the input; NULL
 * when out of memory. */
const char *rls2__input_column_name(const rls2__input *input, int64_t v, rls2__arena *arena);

#endif
