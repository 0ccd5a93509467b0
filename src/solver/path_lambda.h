/* The grid of lambda that is found from the data and extends itself. */
#ifndef RLS2_SOLVER_PATH_LAMBDA_H
#define RLS2_SOLVER_PATH_LAMBDA_H

#include "rls2/path.h"

/* `count` values from the top down, five to a decade. */
typedef struct rls2__lambda_grid {
    double top;
    int64_t count;
} rls2__lambda_grid;

/* From a lambda that leaves at most a tenth of one degree of freedom down to a millionth of that at
 * which the best kernel alone would shrink the fit to about a tenth. The arguments are those of
 * rls2_lambda_default and have been checked. */
rls2_status rls2__lambda_range(int64_t outputs, const rls2_basis *const *bases, const double *y,
                               const rls2_path_options *options, const rls2_loss *losses,
                               rls2__lambda_grid *range, rls2_error *err);
/* rls2_lambda_default_for, with a loss of each output; losses NULL: that of the options. */
rls2_status rls2__lambda_default(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                 const rls2_path_options *options, const rls2_loss *losses,
                                 double ratio, int64_t count, double *lambdas, rls2_error *err);
double rls2__lambda_bottom(const rls2__lambda_grid *range);
/* Three decades more; 0, with nothing done, where lambda would be lost in rounding. */
int rls2__lambda_extend(rls2__lambda_grid *range);

#endif
