/* The paper's Experiment 2: linear RLS2 on the Prostate data (its Table TAB10). */
#ifndef RLS2_EXPERIMENTS_PROSTATE_H
#define RLS2_EXPERIMENTS_PROSTATE_H

#include "rls2/rls2.h"

enum { PROSTATE_INPUTS = 8 };

/* One column of the table. A zero coefficient is a variable not selected. */
typedef struct prostate_column {
    double intercept;
    double coefficients[PROSTATE_INPUTS];
    double test_error; /* mean squared error on the 30 test rows ... */
    double std_error;  /* ... and its standard error */
} prostate_column;

/* lambda of the table. The paper does not print it: any from 0.0878 to 0.0886 gives the printed
 * digits. Of those this is the one on a grid of 20 values on the paper's interval, the 13th from
 * the top; no grid of fewer than 39 values but that of 20 has one there. */
extern const double prostate_lambda;
/* The data as the paper prepared them: inputs standardised over all 97 rows, then
 * split by the `train` column. */
typedef struct prostate_data {
    int64_t n_train, n_test;
    double *x_train, *y_train, *x_test, *y_test; /* own */
    char names[PROSTATE_INPUTS][16];
} prostate_data;

rls2_status prostate_load(const char *folder, prostate_data *data, rls2_error *err);
void prostate_free(prostate_data *data);

/* Fills test_error and std_error from the intercept and the coefficients. */
void prostate_test_errors(const prostate_data *data, prostate_column *column);

/* The fit at prostate_lambda with its certificate recomputed from the data. */
rls2_status prostate_fit(const prostate_data *data, prostate_column *column,
                         rls2_certificate *certificate, rls2_error *err);

/* Coefficients along a path: df[count], values[count x PROSTATE_INPUTS] by columns, the
 * largest lambda first, from 1e4 to 1e-4; and df at prostate_lambda. */
rls2_status prostate_profile(const prostate_data *data, int64_t count, double *df, double *values,
                             double *chosen_df, rls2_error *err);

#endif
