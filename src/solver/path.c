/* The path: largest lambda first, each answer the start of the next.
 *
 * Newton's model holds near a solution. Where two wanted lambdas are far apart, or the
 * first lies far below the region where one kernel is active, the path goes through
 * a few loosely solved lambdas in between; they cost little and are not kept. */
#include "solver/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "solver/solver.h"

static const double BRIDGE_RATIO = 10.0; /* lambdas further apart than this get one in between */
static const double BRIDGE_TOL = 1e-2;   /* relative gap that is enough there */

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

void rls2__path_destroy(rls2_path *path)
{
    if (!path) return;
    for (int64_t i = 0; path->entries && i < path->room; i++) {
        rls2__free(path->entries[i].ks);
        rls2__free(path->entries[i].d);
        rls2__free(path->entries[i].c);
    }
    rls2__free(path->entries);
    rls2__free(path->y);
    rls2__free(path->weighted_y);
    rls2__free(path);
}

rls2_status rls2__path_append(rls2_path *path, const rls2__answer *answer)
{
    rls2__path_entry *entry = &path->entries[path->count];
    int64_t n = path->basis->n;
    entry->ks = rls2__alloc(answer->count, sizeof(int64_t));
    entry->d = rls2__alloc(answer->count, sizeof(double));
    entry->c = rls2__alloc(n, sizeof(double));
    if (!entry->ks || !entry->d || !entry->c) return RLS2_ERR_MEMORY;
    memcpy(entry->ks, answer->ks, (size_t)answer->count * sizeof(int64_t));
    memcpy(entry->d, answer->d, (size_t)answer->count * sizeof(double));
    memcpy(entry->c, answer->c, (size_t)n * sizeof(double));
    for (int64_t i = 0; path->basis->roots && i < n; i++) entry->c[i] *= path->basis->roots[i];
    entry->count = answer->count;
    entry->point = answer->point;
    path->count++;
    return RLS2_OK;
}

static rls2_status tell(const rls2__problem *problem, double lambda, double gap,
                        const rls2_path_point *finished)
{
    const rls2_path_options *options = &problem->options;
    if (!options->progress) return RLS2_OK;
    rls2_progress progress = {"path", problem->path->count, problem->path->room, lambda, gap, finished};
    return options->progress(options->progress_user, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
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
    if (decades > 1.0) bridges = (int64_t)ceil(decades) - 1;
    for (int64_t i = 1; i <= bridges; i++) {
        double share = (double)i / (double)(bridges + 1);
        rls2_status status = method->solve(method->state, exp(log(from) + share * (log(lambda) - log(from))),
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

/* For lambda far above the largest norm one kernel is optimal [LEM5]; from about that
 * norm down is where a path has to be followed. A rule of thumb: the gap decides. */
static double single_kernel_lambda(const rls2_basis *basis)
{
    double norm = 0.0;
    for (int64_t k = 0; k < basis->m; k++) norm = fmax(norm, basis->ops[k].norm);
    return norm > 0.0 ? norm : 1.0;
}

/* Where the numbers of a lambda overflow there is still one answer with a certificate:
 * c = 0, whose objective is |y|^2/2 and whose bound is 0. */
static rls2_status answer_nothing(const rls2__problem *problem, double lambda, rls2_path *path)
{
    int64_t first;
    const double one = 1.0;
    double alignment, *zeros = rls2__alloc_zero(problem->basis->n, sizeof(double));
    rls2_status status = zeros ? rls2__first_kernel(problem, &first, &alignment) : RLS2_ERR_MEMORY;
    if (status == RLS2_OK) {
        rls2_path_point point = {.lambda = lambda,
                                 .objective = 0.5 * problem->y_norm * problem->y_norm,
                                 .gap = 1.0,
                                 .residual = 1.0,
                                 .df = (double)NAN,
                                 .outcome = RLS2_OUTCOME_STALLED,
                                 .selected = 1};
        rls2__answer answer = {point, 1, &first, &one, zeros};
        status = rls2__path_append(path, &answer);
    }
    rls2__free(zeros);
    return status;
}

/* Whether df is wanted at lambda i: at each, or at the last alone. */
static int wants_df(int wanted, int64_t i, const rls2_path *path)
{
    return wanted == 2 ? i == path->room - 1 : wanted;
}

static rls2_status run(rls2__problem *problem, rls2__method *method, const double *lambdas, rls2_path *path)
{
    rls2_status status = RLS2_OK;
    double single = single_kernel_lambda(problem->basis), from = single;
    int bridged = problem->options.solver == RLS2_SOLVER_NEWTON; /* Algorithm 1 has no such thing */
    int df = problem->options.degrees_of_freedom;
    for (int64_t i = 0; i < path->room && status == RLS2_OK; i++) {
        rls2__answer answer = {0};
        problem->options.degrees_of_freedom = wants_df(df, i, path);
        status =
            solve_from(method, bridged ? from : lambdas[i], lambdas[i], problem->options.gap_tol, &answer);
        if (status == RLS2_OK)
            status = rls2__path_append(path, &answer);
        else if (status == RLS2_ERR_NUMERIC)
            status = answer_nothing(problem, lambdas[i], path);
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
    if (problem->options.solver == RLS2_SOLVER_ALTERNATE) return rls2__alternate_create(problem, method);
    return rls2__is_linear(problem->basis) ? rls2__linear_create(problem, method)
                                           : rls2__newton_create(problem, method);
}

rls2_status rls2__path_run(const rls2_basis *basis, const double *y, int64_t count, const double *lambdas,
                           const rls2_path_options *options, rls2_path **out, rls2_error *err)
{
    rls2__method method = {0};
    rls2_status status = RLS2_ERR_MEMORY;
    double *sorted = rls2__alloc(count, sizeof(double));
    rls2_path *path = rls2__path_create(basis, y, count, options);
    if (!sorted || !path) goto cleanup;
    memcpy(sorted, lambdas, (size_t)count * sizeof(double));
    qsort(sorted, (size_t)count, sizeof(double), descending);
    const double *response = rls2__path_response(path);
    rls2__problem problem = {basis, response, rls2__la_norm(basis->n, response), *options, path, tick};
    status = create_method(&problem, &method);
    if (status == RLS2_OK) status = run(&problem, &method, sorted, path);
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
    return status == RLS2_ERR_MEMORY ? rls2__fail_memory(err, "the path") : status;
}
