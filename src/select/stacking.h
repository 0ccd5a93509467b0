/* Weights of predictors that are added up, from what each said of left-out rows.  [MATH.md, S1] */
#ifndef RLS2_SELECT_STACKING_H
#define RLS2_SELECT_STACKING_H

#include <stdint.h>

#include "rls2/status.h"

enum { RLS2__MOST_STACKED = 8 };

/* Left-out predictions of one output. Rows that no split left out (owner -1) do not count. */
typedef struct rls2__stacking {
    int64_t n;
    int count;                           /* predictors, at most RLS2__MOST_STACKED */
    const double *f[RLS2__MOST_STACKED]; /* n each */
    const double *y;                     /* n */
    int classes;                         /* 1: y is -1 or +1, and its sign is what matters */
    const double *weights;               /* n; NULL: each row counts once */
    const int64_t *owner;                /* n: the split that left the row out, or -1 */
    int64_t splits;
} rls2__stacking;

/* f = constant + sum of weights[k] f_k: not negative, by least squares with a pull towards equal
 * weights of sum 1; of classes by logistic loss, brought to the scale of y. */
typedef struct rls2__stacked {
    double weights[RLS2__MOST_STACKED];
    double constant;
} rls2__stacked;

rls2__stacked rls2__stack_rows(const rls2__stacking *rows);
/* The same for each split from the rows of the others: left_out[n], NaN for rows that do not count.
 * What these are off is what a stack of new rows can be expected to be. */
void rls2__stack_left_out(const rls2__stacking *rows, double *left_out);

/* ---- parts ---- */

/* That of a row; 0 where it does not count, or split `but` left it out (-1: no such split). */
double rls2__stacking_weight(const rls2__stacking *rows, int64_t i, int64_t but);

/* By logistic loss; 0, and nothing found, where only one class occurs, or predictors say
 * nothing. */
int rls2__stack_classes(const rls2__stacking *rows, int64_t but, rls2__stacked *found);

/* w >= 0 of least w'G w / 2 - b'w, G (count x count) symmetric and not negative. Every set of
 * positive weights is tried. */
void rls2__least_nonnegative(int count, const double *G, const double *b, double *w);

#endif
