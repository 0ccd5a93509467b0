/* The sums of a tally where every kernel is linear, from what left-out rows sum up to. */
#ifndef RLS2_SELECT_TALLY_LINEAR_H
#define RLS2_SELECT_TALLY_LINEAR_H

#include "select/row_triangle.h"
#include "select/tally.h"

/* Left-out rows as they are summed up. */
typedef struct rls2__tally_sums {
    const rls2__row_triangle *moments; /* before columns are centred by */
    const double *centers;             /* p: the means of the training rows */
    int64_t output;
    double offset; /* the response is less by this in the moments */
    double mean;   /* of the training rows' y */
} rls2__tally_sums;

/* As rls2__tally_predict: f = b + XA for the coefficients A of all points is one product, and the
 * sums are inner products of coefficients and moments. `rows` are centred. */
rls2_status rls2__tally_linear(rls2__effort *effort, const rls2_path *path, const rls2_rows *rows,
                               const rls2__tally_sums *sums, double *f, rls2__tally **tally,
                               rls2_error *err);

#endif
