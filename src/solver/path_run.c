/* The path: largest lambda first, each answer the start of the next.
 *
 * Newton's model holds near a solution. Where two wanted lambdas are far apart, or the
 * first lies far below the region where one kernel is active, the path goes through
 * a few loosely solved lambdas in between; they cost little and are not kept. */
#include "solver/path_run.h"

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
#include "solver/linear_loss.h"
#include "solver/newton.h"
#include "solver/path_start.h"
#include "solver/proximal.h"
#include "solver/shared.h"
#include "solver/shared_loss.h"
#include "solver/solver.h"

static const double BRIDGE_RATIO = 10.0; /* lambdas further apart than this get one in between */
static const double BRIDGE_TOL = 1e-2;   /* relative gap that is enough there */

/* lambda over the largest norm from which c = y / lambda to all the digits there are. */
static const double VAST = 1e100;

/* What a path is fitted with, kept between one call and the next while it is open. */
struct rls2__path_work {
    rls2__problem problem; /* of the rows */
    rls2__effort effort;   /* of the present call */
    rls2__path_solver solver;
    double *response;  /* n: y of the problem; with those of other outputs that share its weights */
    double *stacked;   /* the responses of all of these as they are, and their constants, */
    double *constants; /* NULL where there are no others */
    rls2__own_answer *nothing;
};

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

static rls2_status tell(const rls2__problem *problem, double lambda, double gap,
                        const rls2_path_point *finished)
{
    const rls2_progress progress = {.stage = "path",
                                    .done = problem->path->count,
                                    .total = problem->path->room,
                                    .lambda = lambda,
                                    .gap = gap,
                                    .point = finished};
    return rls2__effort_tell(problem->effort, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
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

/* With c = 0. */
static double null_objective(const rls2__problem *problem)
{
    if (problem->outputs > 1)
        return rls2__null_sum(problem->basis, problem->options.loss, problem->outputs,
                              problem->response, problem->constants);
    if (!rls2__is_general(&problem->options)) return 0.5 * problem->y_norm * problem->y_norm;
    double sum = 0.0;
    for (int64_t i = 0; i < problem->basis->n; i++) {
        double weight = problem->basis->weights ? problem->basis->weights[i] : 1.0;
        sum += weight *
               rls2_loss_value(problem->options.loss, problem->response[i], problem->constant);
    }
    return sum;
}

/* One kernel, that of LEM5, and c = y share. The caller has filled in what is known of the point.
 */
static rls2_status answer_alone(const rls2__problem *problem, rls2_path_point point, int64_t kernel,
                                double share, rls2_path *path)
{
    int64_t size = rls2__mul(problem->basis->n, problem->outputs);
    const double one = 1.0;
    double *c = rls2__alloc(size, sizeof(double));
    if (!c) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < size; i++) c[i] = problem->y[i] * share;
    point.selected = 1;
    point.objective = null_objective(problem);
    rls2__answer answer = {.point = point,
                           .count = 1,
                           .ks = &kernel,
                           .d = &one,
                           .c = c,
                           .intercept = problem->constant,
                           .each = problem->nothing};
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

/* Whether df is wanted at the i-th point: at each, or at the last alone. */
static int wants_df(rls2_df wanted, int64_t i, const rls2_path *path)
{
    return wanted == RLS2_DF_LAST ? i == path->room - 1 : wanted == RLS2_DF_EACH;
}

static rls2_status follow(rls2__path_work *work, double from, double lambda, rls2_path *path)
{
    rls2__path_solver *solver = &work->solver;
    double tol = work->problem.options.gap_tol;
    rls2__answer answer = {0};
    rls2_status status =
        solve_from(&solver->method, from, lambda, rls2__thin_tolerance(solver->thin, tol), &answer);
    if (status == RLS2_OK && solver->thin) status = rls2__thin_raise(solver->thin, tol, &answer);
    rls2__invariant(status != RLS2_OK || is_answer(path->basis, &answer));
    rls2__invariant(status != RLS2_OK || answer.point.lambda == lambda);
    return status == RLS2_OK ? rls2__path_append(path, &answer) : status;
}

/* The next point. Where the method starts from weights found elsewhere for this lambda, there is no
 * way to be gone. */
static rls2_status fit_point(rls2__path_work *work, double from, double lambda,
                             const rls2_path *like, rls2_path *path)
{
    const rls2__problem *problem = &work->problem;
    rls2_status status = RLS2_OK;
    int bridged = problem->options.solver == RLS2_SOLVER_NEWTON; /* Algorithm 1 has no such thing */
    if (lambda >= VAST * problem->exact_norm && !path->general && !path->all) {
        status = answer_vast(problem, lambda, path);
    } else {
        int started = 0;
        if (like) status = rls2__path_start_like(path, lambda, like, &work->solver, &started);
        if (status == RLS2_OK)
            status = follow(work, bridged && !started ? from : lambda, lambda, path);
    }
    return status == RLS2_ERR_NUMERIC ? answer_nothing(problem, lambda, path) : status;
}

static void set_df(rls2__path_work *work, rls2_df df)
{
    work->problem.options.degrees_of_freedom = df;
    work->solver.problem->options.degrees_of_freedom = df;
}

/* All points that there is room for. */
static rls2_status follow_all(rls2__path_work *work, const double *lambdas, rls2_df df,
                              const rls2_path *like, rls2_path *path)
{
    const rls2__problem *problem = &work->problem;
    rls2_status status = RLS2_OK;
    int64_t first = path->count, count = path->room - first;
    /* For lambda far above the largest norm one kernel is optimal [LEM5]; from about that norm down
     * is where a path has to be followed. A rule of thumb: the gap decides. */
    double norm = problem->largest_norm, single = norm > 0.0 ? norm : 1.0;
    double from = first > 0 ? fmin(path->entries[first - 1].point.lambda, single) : single;
    rls2__invariant(rls2__is_descending(count, lambdas));
    rls2__invariant(rls2__is_positive(count, lambdas));
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        set_df(work, wants_df(df, first + i, path) ? RLS2_DF_EACH : RLS2_DF_NONE);
        status = fit_point(work, from, lambdas[i], like, path);
        const rls2_path_point *finished = &path->entries[first + i].point;
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

/* ---- what a path is fitted with ---- */

static rls2_status create_method(const rls2__problem *problem, rls2__method *method)
{
    if (problem->options.solver == RLS2_SOLVER_ALTERNATE)
        return rls2__alternate_create(problem, method);
    if (problem->outputs > 1) return rls2__shared_create(problem, method);
    if (rls2__is_general(&problem->options))
        return rls2__is_linear_loss(problem) ? rls2__linear_loss_create(problem, method)
                                             : rls2__proximal_create(problem, method);
    return rls2__is_linear(problem->basis) ? rls2__linear_create(problem, method)
                                           : rls2__newton_create(problem, method);
}

static void work_free(rls2__path_work *work)
{
    if (!work) return;
    if (work->solver.method.free) work->solver.method.free(work->solver.method.state);
    rls2__thin_free(work->solver.thin);
    rls2__free(work->response);
    rls2__free(work->stacked);
    rls2__free(work->constants);
    rls2__free(work->nothing);
    rls2__free(work);
}

void rls2__path_close(rls2_path *path)
{
    work_free(path->work);
    path->work = NULL;
}

/* The power of two that makes the largest response of all outputs about 1. */
static int common_exponent(const rls2_path *path)
{
    int exponent = 0;
    double largest = 0.0;
    for (int64_t o = 0; o < path->sharing; o++)
        for (int64_t i = 0; i < path->basis->n; i++)
            largest = fmax(largest, fabs(path->all[o]->y[i]));
    if (largest > 0.0) frexp(largest, &exponent);
    return exponent;
}

/* Of several outputs: their responses, in a common unit where the loss has none of its own, and
 * what it pulls at. RLS2_ERR_MEMORY or OK. */
static rls2_status stack_responses(rls2__path_work *work, rls2_path *path,
                                   const rls2_path_options *options)
{
    const rls2_basis *basis = path->basis;
    int64_t n = basis->n;
    int exponent = path->general ? 0 : common_exponent(path);
    for (int64_t o = 0; o < path->sharing; o++) {
        double *y = work->stacked + o * n;
        for (int64_t i = 0; i < n; i++) y[i] = ldexp(path->all[o]->y[i], -exponent);
        path->all[o]->exponent = exponent;
        work->constants[o] = 0.0;
        rls2__weigh_response(basis, y, 0.0, work->response + o * n);
    }
    if (!path->general) return RLS2_OK;
    double curvature = rls2__null_responses(basis, path->sharing, work->stacked, options,
                                            work->constants, work->response);
    return curvature < 0.0 ? RLS2_ERR_MEMORY : RLS2_OK;
}

static void pose_problem(rls2__path_work *work, rls2_path *path, const rls2_path_options *options)
{
    const rls2_basis *basis = path->basis;
    int64_t outputs = path->all ? path->sharing : 1;
    double constant = 0.0;
    if (!path->all && path->general)
        rls2__null_response(basis, path->y, options, &constant, work->response);
    else if (!path->all)
        path->exponent = rls2__normalize_response(basis, path->y, 0.0, work->response);
    work->problem = (rls2__problem){.basis = basis,
                                    .y = work->response,
                                    .y_norm = rls2__la_norm(basis->n * outputs, work->response),
                                    .response = path->all ? work->stacked : path->y,
                                    .constant = constant,
                                    .given_count = path->given_count,
                                    .given_ks = path->given_ks,
                                    .given_d = path->given_d,
                                    .outputs = outputs,
                                    .constants = work->constants,
                                    .nothing = work->nothing,
                                    .indefinite = may_be_indefinite(basis),
                                    .effort = &work->effort,
                                    .path = path,
                                    .tick = tick};
    find_norms(&work->problem);
    rls2__invariant(work->problem.largest_norm >= 0.0);
    rls2__invariant(work->problem.exact_norm >= work->problem.largest_norm);
}

/* Work begun anew for a path that has points goes on from the last of them. Algorithm 1 is left as
 * it is written: on the rows themselves. */
static rls2_status open_solver(rls2__path_work *work, const rls2_path *path)
{
    rls2__path_solver *solver = &work->solver;
    rls2_status status = RLS2_OK;
    if (work->problem.options.solver == RLS2_SOLVER_NEWTON && !path->general && !path->all)
        status = rls2__thin_create(&work->problem, &solver->thin);
    solver->problem = rls2__thin_last(solver->thin, &work->problem);
    if (status == RLS2_OK) status = create_method(solver->problem, &solver->method);
    if (status != RLS2_OK || path->count == 0) return status;
    return rls2__path_start_last(path, solver);
}

static rls2_status work_create(rls2_path *path, const rls2_path_options *options)
{
    rls2__path_work *work = path->work = rls2__alloc_zero(1, sizeof *work);
    if (!work) return RLS2_ERR_MEMORY;
    int64_t size = rls2__mul(path->basis->n, path->all ? path->sharing : 1);
    work->response = rls2__alloc(size, sizeof(double));
    if (!work->response) return RLS2_ERR_MEMORY;
    if (path->all) {
        work->stacked = rls2__alloc(size, sizeof(double));
        work->constants = rls2__alloc(path->sharing, sizeof(double));
        work->nothing = rls2__alloc(path->sharing, sizeof *work->nothing);
        if (!work->stacked || !work->constants || !work->nothing) return RLS2_ERR_MEMORY;
        rls2_status status = stack_responses(work, path, options);
        if (status != RLS2_OK) return status;
        for (int64_t o = 0; o < path->sharing; o++)
            work->nothing[o] = (rls2__own_answer){work->constants[o], (double)NAN};
    }
    pose_problem(work, path, options);
    return RLS2_OK;
}

/* Points for lambdas, in descending order, as many as there is room for. */
static rls2_status fit(rls2_path *path, const double *lambdas, const rls2_path_options *options,
                       const rls2_control *control, const rls2_path *like)
{
    rls2_status status = path->work ? RLS2_OK : work_create(path, options);
    if (status != RLS2_OK) return status;
    rls2__path_work *work = path->work;
    work->problem.options = *options;
    rls2__effort_begin(control, "path", path->room, &work->effort);
    work->effort.at.done = path->count;
    if (!work->solver.method.state) status = open_solver(work, path);
    if (status == RLS2_OK) work->solver.problem->options = *options;
    if (status == RLS2_OK)
        status = follow_all(work, lambdas, options->degrees_of_freedom, like, path);
    return status;
}

/* ---- for callers ---- */

rls2_status rls2__path_extend(rls2_path *path, int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              const rls2_path *like, rls2_error *err)
{
    rls2_status status = RLS2_ERR_MEMORY;
    int64_t room = rls2__add(path->count, count);
    double *sorted = rls2__alloc(count, sizeof(double));
    if (!sorted) goto cleanup;
    memcpy(sorted, lambdas, (size_t)count * sizeof(double));
    qsort(sorted, (size_t)count, sizeof(double), descending);
    if (path->room != room && rls2__path_reserve(path, room) != RLS2_OK) goto cleanup;
    path->cancelled = 0;
    status = fit(path, sorted, options, control, like);
    if (status == RLS2_ERR_CANCELLED) {
        path->cancelled = path->count < path->room; /* asked at the very end, nothing is missing */
        status = RLS2_OK;
    }
    /* a method that was stopped in the middle is of no more use */
    if (status != RLS2_OK || path->cancelled) rls2__path_close(path);
cleanup:
    rls2__free(sorted);
    return status == RLS2_ERR_MEMORY ? rls2__fail_memory(err, "the path") : status;
}

rls2_status rls2__path_run(const rls2_basis *basis, const double *y, int64_t count,
                           const double *lambdas, const rls2_path_options *options,
                           const rls2_control *control, const rls2_path *like, rls2_path **out,
                           rls2_error *err)
{
    rls2_path *path = rls2__path_create(basis, y, count, options);
    if (!path) return rls2__fail_memory(err, "the path");
    rls2_status status = rls2__path_extend(path, count, lambdas, options, control, like, err);
    if (status == RLS2_OK)
        *out = path;
    else
        rls2__path_destroy(path);
    return status;
}
