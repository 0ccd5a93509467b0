/* Grids of lambda: rls2_lambda_grid and those that suit the data. */
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/evaluate.h"
#include "solver/path.h"
#include "solver/path_outputs.h"
#include "solver/path_public.h"
#include "solver/solver.h"

rls2_status rls2_lambda_grid(double lo, double hi, int64_t count, double *lambdas, rls2_error *err)
{
    if (!lambdas || count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "a grid needs a place and at least 1 value, not %lld", (long long)count);
    if (!(isfinite(lo) && isfinite(hi) && lo > 0.0 && hi >= lo))
        return rls2__fail(err, RLS2_ERR_VALUE,
                          "a grid from %g to %g: both must be positive, the first not larger", lo,
                          hi);
    rls2_status status = rls2__check_count(count, "lambda", err);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < count; i++) {
        double share = count > 1 ? (double)i / (double)(count - 1) : 0.0;
        lambdas[i] = exp(log(hi) + share * (log(lo) - log(hi)));
    }
    lambdas[0] = hi;
    if (count > 1) lambdas[count - 1] = lo;
    return RLS2_OK;
}

/* y'R^k y / y'y is the eigenvalue of the first kernel as y sees it: the fit is shrunk by
 * 1 / (1 + lambda / that), to a tenth at the top of the grid. 0 where y gives none: it is constant,
 * or no kernel is like it. Weights of rows are in the basis and in y, as the solver has them. */
static rls2_status find_top(const rls2_basis *basis, const double *y, rls2_intercept intercept,
                            double *top, rls2_error *err)
{
    double *centred = rls2__alloc(basis->n, sizeof(double));
    if (!centred) return rls2__fail_memory(err, "the default lambdas");
    double mean = rls2__intercept(intercept, basis->n, y, basis->weights), squares = 0.0,
           alignment = 0.0;
    rls2__normalize_response(basis, y, mean, centred);
    for (int64_t i = 0; i < basis->n; i++) squares += centred[i] * centred[i];
    rls2__problem problem = {.basis = basis, .y = centred};
    int64_t first;
    rls2_status status = rls2__first_kernel(&problem, &first, &alignment);
    rls2__free(centred);
    if (status != RLS2_OK) return rls2__fail_memory(err, "the default lambdas");
    *top = squares > 0.0 && alignment > 0.0 ? 10.0 * alignment / squares : 0.0;
    return RLS2_OK;
}

static rls2_status check_grid(rls2_intercept intercept, double ratio, rls2_error *err)
{
    const double one = 1.0;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = intercept;
    rls2_status status = rls2__check_lambdas(1, &one, &options, err);
    if (status != RLS2_OK || (ratio > 0.0 && ratio <= 1.0)) return status;
    return rls2__fail(err, RLS2_ERR_VALUE,
                      "the ratio of the smallest to the largest lambda is %g; it must be "
                      "above 0 and at most 1",
                      ratio);
}

rls2_status rls2_lambda_default(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                rls2_intercept intercept, double ratio, int64_t count,
                                double *lambdas, rls2_error *err)
{
    double largest = 0.0;
    rls2_status status = rls2__check_outputs(outputs, bases, y, err);
    if (status == RLS2_OK) status = check_grid(intercept, ratio, err);
    if (status == RLS2_OK) status = rls2__la_enter(err);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++) {
        double top = 0.0;
        status = find_top(bases[o], y + o * bases[0]->n, intercept, &top, err);
        largest = fmax(largest, top);
    }
    rls2__la_leave();
    if (status != RLS2_OK) return status;
    if (largest == 0.0) largest = 1.0;
    return rls2_lambda_grid(largest * ratio, largest, count, lambdas, err);
}
