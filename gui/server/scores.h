/* Predictions held against what was observed, as lists and tables of JSON. */
#ifndef RLS2_GUI_SCORES_H
#define RLS2_GUI_SCORES_H

#include <jansson.h>

#include "rls2/select.h"

typedef struct scored_rows {
    int classes; /* or numbers */
    int64_t outputs, n;
    const rls2_loss *losses; /* of each output: on what scale f is */
    const double *f, *y;     /* n x outputs */
    const double *weights;   /* n; NULL: each row counts once */
} scored_rows;

/* {MEASURE: value} of every measure that goes with task and loss. */
json_t *json_scores(const scored_rows *rows);
/* Counts, a list for each class: rows of it by what they are taken for. */
json_t *json_confusion(int64_t outputs, int64_t n, const double *f, const double *y);
/* Numbers, null where one is none; and the first `shown` of each of `count` columns of n. */
json_t *json_numbers(int64_t n, const double *values);
json_t *json_columns(int64_t shown, int64_t n, int64_t count, const double *values);

#endif
