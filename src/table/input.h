/* A column of the table that is learned from, and the columns of x that are made of it. */
#ifndef RLS2_TABLE_INPUT_H
#define RLS2_TABLE_INPUT_H

#include "base/lookup.h"
#include "base/memory.h"
#include "rls2/table.h"
#include "table/style.h"

/* Parts of dates that have columns of their own, as bits. */
enum { RLS2__DATE_PARTS = 4 };
typedef enum rls2__date_part {
    RLS2__PART_YEAR = 1,
    RLS2__PART_MONTH = 2,
    RLS2__PART_WEEKDAY = 4,
    RLS2__PART_HOUR = 8
} rls2__date_part;
extern const char *const rls2__date_part_names[]; /* in this order; NULL at the end */

/* Its columns of x, side by side:
 *
 *   numbers   NAME
 *   dates     NAME, days since 1970-01-01, and NAME.PART for some parts
 *   text      NAME=VALUE for each category, but for the reference; NAME=other for those that are
 *             pooled
 *   all       NAME=missing, 1 where the cell is empty, where training rows are imputed
 *
 * Where a cell is empty the first of them is NaN until it is imputed (fills.h). */
typedef struct rls2__input {
    const char *name;
    rls2__style style; /* of numbers and dates: how they are written */
    unsigned parts;    /* of dates */
    /* of a text column its categories, in order of first appearance, those that are pooled behind
     * the others; NULL for numbers and dates */
    rls2__lookup *values;
    int64_t pooled;  /* how many are */
    int is_reduced;  /* the last of the others is the reference, without indicator */
    int has_missing; /* there is a column NAME=missing */
    int64_t first;   /* column of x where the input starts */
    int64_t own;     /* columns that say what the cell holds */
    int64_t width;   /* all its columns of x */
} rls2__input;

rls2_column_kind rls2__input_kind(const rls2__input *input);

/* Sets own and width from all that comes before them. */
void rls2__input_measure(rls2__input *input);
/* The name of column v of the input, 0 <= v < width, in the arena or borrowed from the input; NULL
 * when out of memory. */
const char *rls2__input_column_name(const rls2__input *input, int64_t v, rls2__arena *arena);

/* Which of its columns is 1 for category number `value` of a text column, -1 standing for an
 * unknown one; -1 if none is. */
int64_t rls2__input_indicator(const rls2__input *input, int64_t value);
/* The own columns of a date, to x[0], x[stride], ... */
void rls2__input_write_date(const rls2__input *input, double days, double *x, int64_t stride);

#endif
