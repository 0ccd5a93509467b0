/* The other methods of the paper's Table TAB10, computed anew.
 *
 * The paper copied their columns from a textbook (Hastie, Tibshirani, Friedman: The Elements of
 * Statistical Learning, Table 3.3), which does not say all it takes to repeat them. The choices
 * that give every printed digit are with each method. The inputs are those of the whole table,
 * standardised over all 97 rows; over the 67 training rows their means are then not quite zero, and
 * whether a method took them off matters in the third digit. */
#ifndef RLS2_EXPERIMENTS_PROSTATE_RIVALS_H
#define RLS2_EXPERIMENTS_PROSTATE_RIVALS_H

#include "experiments/prostate.h"

typedef enum prostate_method {
    PROSTATE_RLS2 = 0,
    PROSTATE_SUBSET = 1, /* least squares on the two inputs with the smallest sum of squares */
    PROSTATE_LS = 2,     /* least squares with an intercept */
    PROSTATE_RIDGE = 3,  /* df = 5, inputs not centred, the intercept is the mean of y */
    PROSTATE_LASSO = 4,  /* centred inputs of unit length, |a|_1 = 0.375 of that of least squares */
    PROSTATE_PCR = 5, /* seven directions of inputs that are not centred, then least squares with an
                         intercept */
    PROSTATE_PLS = 6, /* two directions, inputs not centred, the intercept is the mean of y */
    PROSTATE_METHODS = 7
} prostate_method;

enum { PROSTATE_LINES = PROSTATE_INPUTS + 3 }; /* intercept, inputs, test error, standard error */

/* "RLS2", "Best subset", ... */
extern const char *const prostate_method_names[PROSTATE_METHODS];
/* As the paper prints it; "" where a variable is not selected. */
extern const char *const prostate_printed[PROSTATE_LINES][PROSTATE_METHODS];

/* The same as numbers, 0 where a variable is not selected. */
prostate_column prostate_printed_column(prostate_method method);

/* Every method but PROSTATE_RLS2, of which nothing is written. */
void prostate_rival(const prostate_data *data, prostate_method method, prostate_column *column);
/* The same for another bound of the Lasso: |a|_1 = share of that of least squares, in inputs of
 * unit length. */
void prostate_lasso(const prostate_data *data, double share, prostate_column *column);

/* A line of a column in the manner of the table: three digits, "" for a coefficient that is exactly
 * zero. */
void prostate_print(const prostate_column *column, int line, char text[16]);
/* How many of the lines print as the paper's. */
int prostate_agreeing(const prostate_column *column, prostate_method method);

#endif
