/* The path: largest lambda first, each answer the start of the next.
 *
 * Newton's model holds near a solution. Where two wanted lambdas are far apart, or the
 * first lies far below the region where one kernel is active, the path goes through
 * a few loosely solved lambdas in between; they cost little and are not kept.
 *
 * The methods see the response times a power of two, so that its largest value is about 1: no digit
 * changes, and squares neither overflow nor underflow whatever the unit of y. What is kept is in
 * the unit of y again. */
#include "solver/path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "solver/alternate.h"
#include "solver/evaluate.h"
#include "solver/linear.h"
#include "solver/newton.h"
#include "solver/solver.h"

static const double BRIDGE_RATIO = 10.0; /* lambdas further apart than this get one in between */
static const double BRIDGE_TOL = 1e-2;   /* relative gap that is enough there */

/* lambda over the largest norm from which c = y / lambda to all the digits there are. */
static const double VAST = 1e100;
/* Coefficients kept below this have lost digits to underflow. */
static const double LEAST_C = 1e-290;

double rls2__intercept(rls2_intercept rule, int64_t n, const double *y, const double *weights)
{
    if (rule != RLS2_INTERCEPT_MEAN) return 0.0;
    double count = 0.0, sum = 0.0, rest = 0.0;
    for (int64_t i = 0; i < n; i++) count += weights ? weights[i] : 1.0;
    for (int64_t i = 0; i < n; i++) sum += weights ? y[i] * (weights[i] / count) : y[i] / count;
    for (int64_t i = 0; i < n; i++) { /* takes the rounding out */
        double left = y[i] - sum;
        rest += weights ? left * (weights[i] / count) : left / count;
    }
    return sum + rest;
}

void rls2__weigh_response(const rls2_basis *basis, const double *y, double intercept, double *out)
{
    for (int64_t i = 0; i < basis->n; i++) out[i] = y[i] - intercept;
    for (int64_t i = 0; basis->roots && i < basis->n; i++) out[i] *= basis->roots[i];
}

static int normalize(int64_t n, double *y)
{
    int exponent = 0;
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[i]));
    if (largest > 0.0) frexp(largest, &exponent);
    for (int64_t i = 0; i < n; i++) y[i] = ldexp(y[i], -exponent);
    rls2__invariant(largest == 0.0 || (ldexp(largest, -exponent) >= 0.5 && isfinite(largest)));
    return exponent;
}

/* Once before the weights, too: their products with y could underflow. */
int rls2__normalize_response(const rls2_basis *basis, const double *y, double intercept,
                             double *out)
{
    for (int64_t i = 0; i < basis->n; i++) out[i] = y[i] - intercept;
    int exponent = normalize(basis->n, out);
    for (int64_t i = 0; basis->roots && i < basis->n; i++) out[i] *= basis->roots[i];
    return exponent + normalize(basis->n, out);
}

const double *rls2__path_response(const rls2_path *path)
{
    return path->weighted_y ? path->weighted_y : path->y;
}

rls2_path *rls2__path_create(const rls2_basis *basis, const double *y, int64_t count,
                             const rls2_path_options *options)
{
    rls2_path *path = rls2__alloc_zero(1, sizeof *path);
    if (!path) return NULL;
    path->basis = basis;
    path->room = count;
    path->solver = options->solver;
    path->memory = options->memory;
    path->y = rls2__alloc(basis->n, sizeof(double));
    path->entries = rls2__alloc_zero(count, sizeof *path->entries);
    if (basis->weights) path->weighted_y = rls2__alloc(basis->n, sizeof(double));
    if (!path->y || !path->entries || (basis->weights && !path->weighted_y)) {
        rls2__path_destroy(path);
        return NULL;
    }
    path->intercept = rls2__intercept(options->intercept, basis->n, y, basis->weights);
    for (int64_t i = 0; i < basis->n; i++) path->y[i] = y[i] - path->intercept;
    if (path->weighted_y) rls2__weigh_response(basis, y, path->intercept, path->weighted_y);
    return path;
}

static void clear_entry(rls2__path_entry *entry)
{
    rls2__free(entry->ks);
    rls2__free(entry->d);
    rls2__free(entry->c);
    *entry = (rls2__path_entry){0};
}

void rls2__path_destroy(rls2_path *path)
{
    if (!path) return;
    for (int64_t i = 0; path->entries && i < path->room; i++) clear_entry(&path->entries[i]);
    rls2__free(path->entries);
    rls2__free(path->y);
    rls2__free(path->weighted_y);
    rls2__free(path);
}

/* Kernels in ascending order with weights above zero that are on the simplex, unless they were
 * given, and a gap, unless none was asked for. */
RLS2__CHECK int is_answer(const rls2_basis *basis, const rls2__answer *answer)
{
    const rls2_path_point *point = &answer->point;
    return rls2__is_ascending(answer->count, answer->ks, basis->m) &&
           rls2__is_positive(answer->count, answer->d) &&
           rls2__is_on_simplex(answer->count, answer->d) && point->selected == answer->count &&
           point->gap >= 0.0 && isfinite(point->gap) && point->residual >= 0.0;
}

/* c in the unit of y, and with the weights of the rows. RLS2_ERR_NUMERIC where no double can hold
 * it. */
static rls2_status restore_unit(const rls2_path *path, const double *c, double *out)
{
    const double *roots = path->basis->roots;
    double before = 0.0, after = 0.0;
    for (int64_t i = 0; i < path->basis->n; i++) {
        out[i] = ldexp(roots ? c[i] * roots[i] : c[i], path->exponent);
        if (!isfinite(out[i])) return RLS2_ERR_NUMERIC;
        before = fmax(before, fabs(c[i]));
        after = fmax(after, fabs(out[i]));
    }
    return before > 0.0 && after < LEAST_C ? RLS2_ERR_NUMERIC : RLS2_OK;
}

rls2_status rls2__path_append(rls2_path *path, const rls2__answer *answer)
{
    rls2__path_entry *entry = &path->entries[path->count];
    int64_t n = path->basis->n;
    rls2__invariant(path->count < path->room);
    rls2__invariant(path->count == 0 || answer->point.lambda <= entry[-1].point.lambda);
    entry->ks = rls2__alloc(answer->count, sizeof(int64_t));
    entry->d = rls2__alloc(answer->count, sizeof(double));
    entry->c = rls2__alloc(n, sizeof(double));
    if (!entry->ks || !entry->d || !entry->c) return RLS2_ERR_MEMORY;
    memcpy(entry->ks, answer->ks, (size_t)answer->count * sizeof(int64_t));
    memcpy(entry->d, answer->d, (size_t)answer->count * sizeof(double));
    rls2_status status = restore_unit(path, answer->c, entry->c);
    if (status != RLS2_OK) {
        clear_entry(entry);
        return status;
    }
    entry->count = answer->count;
    entry->point = answer->point;
    entry->point.objective = ldexp(answer->point.objective, 2 * path->exponent);
    path->count++;
    return RLS2_OK;
}

static rls2_status tell(const rls2__problem *problem, double lambda, double gap,
                        const rls2_path_point *finished)
{
    const rls2_control *control = problem->control;
    if (!control->progress) return RLS2_OK;
    rls2_progress progress = {"path",  problem->path->count, problem->path->room, lambda, gap,
                              finished};
    return control->progress(control->user, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

static rls2_status tick(const rls2__problem *problem, double lambda, double gap)
{
    return tell(problem, lambda, gap, NULL);
}

/* Solves at lambda, by way of others if `from` is far above it. What the others cost
 * is counted into the point they lead to. */
static rls2_status solve_from(rls2__method *method, double from, double lambda, double tol,
                              rls2__answer *answer)
{
    int64_t bridges = 0, factorizations = 0, iterations = 0, priced = 0, offered = 0;
    double decades = (log(from) - log(lambda)) / log(BRIDGE_RATIO); /* from / lambda may overflow */
    rls2__invariant(from > 0.0 && lambda > 0.0);
    if (decades > 1.0) bridges = (int64_t)ceil(decades) - 1;
    for (int64_t i = 1; i <= bridges; i++) {
        double share = (double)i / (double)(bridges + 1);
        rls2_status status =
            method->solve(method->state, exp(log(from) + share * (log(lambda) - log(from))),
                          fmax(BRIDGE_TOL, tol), answer);
        if (status != RLS2_OK) return status;
        factorizations += answer->point.factorizations;
        iterations += answer->point.iterations;
        priced += answer->point.priced;
        offered += answer->point.offered;
    }
    rls2_status status = method->solve(method->state, lambda, tol, answer);
    answer->point.factorizations += factorizations;
    answer->point.iterations += iterations;
    answer->point.priced += priced;
    answer->point.offered += offered;
    return status;
}

/* Of the kernels as they are stored, and as they are: with what factors leave out. */
static void find_norms(rls2__problem *problem)
{
    const rls2_basis *basis = problem->basis;
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__operator *op = &basis->ops[k];
        problem->largest_norm = fmax(problem->largest_norm, op->norm);
        problem->exact_norm = fmax(problem->exact_norm, op->norm + op->slack);
    }
}

static int may_be_indefinite(const rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++)
        if (basis->ops[k].below > 0.0) return 1;
    return 0;
}

/* One kernel, that of LEM5, and c = y share. The caller has filled in what is known of the point.
 */
static rls2_status answer_alone(const rls2__problem *problem, rls2_path_point point, int64_t kernel,
                                double share, rls2_path *path)
{
    int64_t n = problem->basis->n;
    const double one = 1.0;
    double *c = rls2__alloc(n, sizeof(double));
    if (!c) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) c[i] = problem->y[i] * share;
    point.selected = 1;
    point.objective = 0.5 * problem->y_norm * problem->y_norm;
    rls2__answer answer = {point, 1, &kernel, &one, c};
    rls2_status status = rls2__path_append(path, &answer);
    rls2__free(c);
    return status;
}

/* Where numbers overflow, or c is beyond the range of a double, there is still one answer with a
 * certificate: c = 0, whose objective is |y|^2/2 and whose bound is 0. */
static rls2_status answer_nothing(const rls2__problem *problem, double lambda, rls2_path *path)
{
    int64_t first;
    double alignment;
    rls2_path_point point = {
        .lambda = lambda, .gap = 1.0, .residual = 1.0, .df = NAN, .outcome = RLS2_OUTCOME_STALLED};
    rls2_status status = rls2__first_kernel(problem, &first, &alignment);
    return status == RLS2_OK ? answer_alone(problem, point, first, 0.0, path) : status;
}

/* Where lambda is beyond all norms by far, c = y / lambda and the kernel of LEM5: r = -R(d)c, and
 * each q_k is at most |R^k| |c|^2, so that G2 is at most (|R|^2 / lambda^2 + |R| / lambda) |y|^2 /
 * 2, and eps^2 |y|^2 for the rounding of c. */
static rls2_status answer_vast(const rls2__problem *problem, double lambda, rls2_path *path)
{
    int64_t first;
    double alignment, norm = problem->exact_norm;
    rls2_status status = rls2__first_kernel(problem, &first, &alignment);
    if (status != RLS2_OK) return status;
    int exact = problem->y_norm == 0.0;
    rls2_path_point point = {.lambda = lambda,
                             .gap = exact ? 0.0
                                          : 2.0 * norm / lambda + 8.0 * DBL_EPSILON * DBL_EPSILON,
                             .residual = exact ? 0.0 : norm / lambda,
                             .df = NAN,
                             .outcome = RLS2_OUTCOME_CONVERGED,
                             .priced = problem->basis->m,
                             .offered = problem->basis->m};
    if (problem->options.degrees_of_freedom != RLS2_DF_NONE)
        point.df = problem->basis->ops[first].trace / lambda;
    return answer_alone(problem, point, first, 1.0 / lambda, path);
}

/* Whether df is wanted at lambda i: at each, or at the last alone. */
static int wants_df(rls2_df wanted, int64_t i, const rls2_path *path)
{
    return wanted == RLS2_DF_LAST ? i == path->room - 1 : wanted == RLS2_DF_EACH;
}

static rls2_status follow(const rls2__problem *problem, rls2__method *method, double from,
                          double lambda, rls2_path *path)
{
    rls2__answer answer = {0};
    rls2_status status = solve_from(method, from, lambda, problem->options.gap_tol, &answer);
    rls2__invariant(status != RLS2_OK || is_answer(problem->basis, &answer));
    rls2__invariant(status != RLS2_OK || answer.point.lambda == lambda);
    return status == RLS2_OK ? rls2__path_append(path, &answer) : status;
}

static rls2_status follow_all(rls2__problem *problem, rls2__method *method, const double *lambdas,
                              rls2_path *path)
{
    rls2_status status = RLS2_OK;
    /* For lambda far above the largest norm one kernel is optimal [LEM5]; from about that norm down
     * is where a path has to be followed. A rule of thumb: the gap decides. */
    double norm = problem->largest_norm, single = norm > 0.0 ? norm : 1.0, from = single;
    int bridged = problem->options.solver == RLS2_SOLVER_NEWTON; /* Algorithm 1 has no such thing */
    rls2_df df = problem->options.degrees_of_freedom;
    rls2__invariant(rls2__is_descending(path->room, lambdas));
    rls2__invariant(rls2__is_positive(path->room, lambdas));
    for (int64_t i = 0; i < path->room && status == RLS2_OK; i++) {
        problem->options.degrees_of_freedom = wants_df(df, i, path) ? RLS2_DF_EACH : RLS2_DF_NONE;
        if (lambdas[i] >= VAST * problem->exact_norm)
            status = answer_vast(problem, lambdas[i], path);
        else
            status = follow(problem, method, bridged ? from : lambdas[i], lambdas[i], path);
        if (status == RLS2_ERR_NUMERIC) status = answer_nothing(problem, lambdas[i], path);
        const rls2_path_point *finished = &path->entries[i].point;
        if (status == RLS2_OK) status = tell(problem, lambdas[i], finished->gap, finished);
        from = fmin(lambdas[i], single);
    }
    return status;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static rls2_status create_method(const rls2__problem *problem, rls2__method *method)
{
    if (problem->options.solver == RLS2_SOLVER_ALTERNATE)
        return rls2__alternate_create(problem, method);
    return rls2__is_linear(problem->basis) ? rls2__linear_create(problem, method)
                                           : rls2__newton_create(problem, method);
}

rls2_status rls2__path_run(const rls2_basis *basis, const double *y, int64_t count,
                           const double *lambdas, const rls2_path_options *options,
                           const rls2_control *control, rls2_path **out, rls2_error *err)
{
    rls2__method method = {0};
    rls2_status status = RLS2_ERR_MEMORY;
    double *sorted = rls2__alloc(count, sizeof(double));
    double *response = rls2__alloc(basis->n, sizeof(double));
    rls2_path *path = rls2__path_create(basis, y, count, options);
    if (!sorted || !response || !path) goto cleanup;
    memcpy(sorted, lambdas, (size_t)count * sizeof(double));
    qsort(sorted, (size_t)count, sizeof(double), descending);
    path->exponent = rls2__normalize_response(basis, y, path->intercept, response);
    rls2__problem problem = {.basis = basis,
                             .y = response,
                             .control = control,
                             .y_norm = rls2__la_norm(basis->n, response),
                             .indefinite = may_be_indefinite(basis),
                             .options = *options,
                             .path = path,
                             .tick = tick};
    find_norms(&problem);
    rls2__invariant(problem.largest_norm >= 0.0 && problem.exact_norm >= problem.largest_norm);
    status = create_method(&problem, &method);
    if (status == RLS2_OK) status = follow_all(&problem, &method, sorted, path);
    if (status == RLS2_ERR_CANCELLED) {
        path->cancelled = path->count < path->room; /* asked at the very end, nothing is missing */
        status = RLS2_OK;
    }
    if (status == RLS2_OK) {
        *out = path;
        path = NULL;
    }
cleanup:
    if (method.free) method.free(method.state);
    rls2__path_destroy(path);
    rls2__free(sorted);
    rls2__free(response);
    return status == RLS2_ERR_MEMORY ? rls2__fail_memory(err, "the path") : status;
}
