/* The functions that take several outputs, for the one output of most tests. */
#ifndef TESTS_SUPPORT_ONE_OUTPUT_H
#define TESTS_SUPPORT_ONE_OUTPUT_H

#include "rls2/model.h"

static inline rls2_status fit_one(const rls2_basis *basis, const double *y, int64_t count,
                                  const double *lambdas, const rls2_path_options *options,
                                  rls2_path **path, rls2_error *err)
{
    return rls2_path_fit(1, &basis, y, count, lambdas, options, NULL, path, err);
}

static inline rls2_status grid_of_one(const rls2_basis *basis, const double *y,
                                      rls2_intercept intercept, double ratio, int64_t count,
                                      double *lambdas, rls2_error *err)
{
    return rls2_lambda_default(1, &basis, y, intercept, ratio, count, lambdas, err);
}

static inline rls2_status model_of_one(const rls2_path *path, int64_t i, rls2_model **model,
                                       rls2_error *err)
{
    return rls2_model_create(1, &path, i, model, err);
}

#endif
