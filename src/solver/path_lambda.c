/* Grids of lambda: rls2_lambda_grid and those that suit the data. */
#include <math.h>

#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/evaluate.h"
#include "solver/loss.h"
#include "solver/path.h"
#include "solver/path_lambda.h"
#include "solver/path_outputs.h"
#include "solver/path_public.h"
#include "solver/shared_check.h"
#include "solver/shared_loss.h"
#include "solver/solver.h"

enum { PER_DECADE = 5 };
static const double SHRUNK = 10.0, /* lambda over an eigenvalue, of which an eleventh is left */
    DEPTH = 1e-6; /* of a grid: the smallest lambda over that which leaves a tenth of the fit */

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

/* What the first kernel is like: the eigenvalue that y sees, y'R^k y / y'y, by which the fit is
 * shrunk, 1 / (1 + lambda / that); and the sum of all, over which df is at most 1 / lambda. Both 0
 * where y gives none: it is constant, or no kernel is like it. */
typedef struct first_kernel {
    double seen, trace;
} first_kernel;

/* Weights of rows are in the basis and in y, as the solver has them. */
static rls2_status find_first(const rls2_basis *basis, const double *y,
                              const rls2_path_options *options, first_kernel *found,
                              rls2_error *err)
{
    *found = (first_kernel){0.0, 0.0};
    double *centred = rls2__alloc(basis->n, sizeof(double));
    if (!centred) return rls2__fail_memory(err, "the default lambdas");
    double mean, squares = 0.0, alignment = 0.0, curvature = 1.0;
    if (rls2__is_general(options)) {
        curvature = rls2__null_response(basis, y, options, &mean, centred);
    } else {
        mean = rls2__intercept(options->intercept, basis->n, y, basis->weights);
        rls2__normalize_response(basis, y, mean, centred);
    }
    for (int64_t i = 0; i < basis->n; i++) squares += centred[i] * centred[i];
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    rls2__problem problem = {.basis = basis, .y = centred, .effort = &effort};
    int64_t first;
    rls2_status status = rls2__first_kernel(&problem, &first, &alignment);
    rls2__free(centred);
    if (status != RLS2_OK) return rls2__fail_memory(err, "the default lambdas");
    if (squares > 0.0 && alignment > 0.0)
        *found =
            (first_kernel){curvature * alignment / squares, curvature * basis->ops[first].trace};
    return RLS2_OK;
}

/* The same of outputs that share weights: for all of y, R^k being that of each output. */
static rls2_status find_joint(int64_t outputs, const rls2_basis *basis, const double *y,
                              const rls2_path_options *options, first_kernel *found,
                              rls2_error *err)
{
    int64_t size = rls2__mul(basis->n, outputs), first;
    double alignment = 0.0, curvature = -1.0, squares = 0.0;
    rls2_status status = RLS2_ERR_MEMORY;
    double *centred = rls2__alloc(size, sizeof(double));
    double *constants = rls2__alloc(outputs, sizeof(double));
    if (centred && constants)
        curvature = rls2__null_responses(basis, outputs, y, options, constants, centred);
    *found = (first_kernel){0.0, 0.0};
    if (curvature >= 0.0) {
        rls2__effort effort;
        rls2__effort_begin_alone(&effort);
        rls2__problem problem = {
            .basis = basis, .y = centred, .outputs = outputs, .effort = &effort};
        status = rls2__first_kernel(&problem, &first, &alignment);
        squares = rls2__la_dot(size, centred, centred);
    }
    if (status == RLS2_OK && squares > 0.0 && alignment > 0.0)
        *found =
            (first_kernel){curvature * alignment / squares, curvature * basis->ops[first].trace};
    rls2__free(centred);
    rls2__free(constants);
    return status == RLS2_OK ? RLS2_OK : rls2__fail_memory(err, "the default lambdas");
}

/* The largest of all outputs. */
static rls2_status find_largest(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                const rls2_path_options *options, const rls2_loss *losses,
                                first_kernel *largest, rls2_error *err)
{
    *largest = (first_kernel){0.0, 0.0};
    rls2_status status = rls2__la_enter(err);
    if (status != RLS2_OK) return status;
    int joint = outputs > 1 && rls2__is_shared(options);
    if (joint) status = find_joint(outputs, bases[0], y, options, largest, err);
    for (int64_t o = 0; o < outputs && status == RLS2_OK && !joint; o++) {
        first_kernel one;
        const rls2_path_options own = rls2__options_of(options, losses, o);
        status = find_first(bases[o], y + o * bases[0]->n, &own, &one, err);
        largest->seen = fmax(largest->seen, one.seen);
        largest->trace = fmax(largest->trace, one.trace);
    }
    rls2__la_leave();
    return status;
}

static rls2_status check_grid(const rls2_path_options *options, double ratio, rls2_error *err)
{
    const double one = 1.0;
    rls2_status status = rls2__check_lambdas(1, &one, options, err);
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
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = intercept;
    return rls2_lambda_default_for(outputs, bases, y, &options, ratio, count, lambdas, err);
}

rls2_status rls2_lambda_default_for(int64_t outputs, const rls2_basis *const *bases,
                                    const double *y, const rls2_path_options *options, double ratio,
                                    int64_t count, double *lambdas, rls2_error *err)
{
    return rls2__lambda_default(outputs, bases, y, options, NULL, ratio, count, lambdas, err);
}

rls2_status rls2__lambda_default(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                 const rls2_path_options *options, const rls2_loss *losses,
                                 double ratio, int64_t count, double *lambdas, rls2_error *err)
{
    first_kernel first;
    rls2_path_options own;
    rls2_path_options_init(&own, sizeof own);
    rls2_status status =
        rls2__options_read("options", "path_options", options, sizeof own, &own, err);
    if (status == RLS2_OK) status = rls2__check_outputs(outputs, bases, y, err);
    if (status == RLS2_OK) status = check_grid(&own, ratio, err);
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++)
        status = rls2__loss_check(own.loss, bases[0]->n, y + o * bases[0]->n, err);
    if (status == RLS2_OK) status = rls2__check_shared(outputs, bases, y, &own, err);
    if (status == RLS2_OK) status = find_largest(outputs, bases, y, &own, losses, &first, err);
    if (status != RLS2_OK) return status;
    double top = first.seen > 0.0 ? SHRUNK * first.seen : 1.0;
    return rls2_lambda_grid(top * ratio, top, count, lambdas, err);
}

rls2_status rls2__lambda_range(int64_t outputs, const rls2_basis *const *bases, const double *y,
                               const rls2_path_options *options, const rls2_loss *losses,
                               rls2__lambda_grid *range, rls2_error *err)
{
    first_kernel first;
    rls2_status status = find_largest(outputs, bases, y, options, losses, &first, err);
    if (status != RLS2_OK) return status;
    if (first.seen == 0.0) first = (first_kernel){1.0, 1.0};
    range->top = SHRUNK * fmax(first.trace, first.seen);
    range->count =
        1 + (int64_t)ceil(PER_DECADE * log10(range->top / (SHRUNK * first.seen * DEPTH)));
    return RLS2_OK;
}

double rls2__lambda_bottom(const rls2__lambda_grid *range)
{
    return range->top * pow(10.0, -(double)(range->count - 1) / PER_DECADE);
}

int rls2__lambda_extend(rls2__lambda_grid *range)
{
    static const double LEAST = 1e-12; /* of the top: below it, rounding is more than lambda */
    enum { DECADES = 3 };
    rls2__lambda_grid more = {range->top, range->count + DECADES * PER_DECADE};
    if (rls2__lambda_bottom(&more) < LEAST * range->top) return 0;
    *range = more;
    return 1;
}
