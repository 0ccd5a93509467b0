/* Combines the kernels once, then solves for all lambdas together or for each by itself. */
#include "solver/fixed.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/combine.h"
#include "la/la.h"
#include "solver/path_run.h"
#include "solver/shared_run.h"
#include "solver/shifts.h"
#include "solver/solver.h"
#include "solver/system.h"
#include "solver/thin.h"

/* Here all kernels may have weight, and R(d) is formed once: nothing is worth remembering, and
 * factors are taken a portion at a time, so that no copy of all of them is ever side by side. */
enum { NOTHING_REMEMBERED = 0, LEAST_PORTION = 256 };

/* What serves all lambdas takes as long as about five factorisations (less where R(d) is of low
 * rank), and of few rows it is not worth while. */
enum { FEW_LAMBDAS = 6, FEW_ROWS = 256 };

typedef struct fixed {
    const rls2_basis *basis; /* of the rows, or of the virtual ones that stand for them */
    const double *y;         /* likewise */
    rls2__thin *thin;        /* how they do; NULL where they are the rows */
    double *raised;          /* c of the rows, where there are virtual ones */
    rls2__effort *effort;
    int64_t count; /* kernels with weight */
    const int64_t *ks;
    const double *d;
    rls2_path *path;
} fixed;

static rls2_status tick(const fixed *at, double lambda)
{
    rls2_progress progress = {.stage = "path",
                              .done = at->path->count,
                              .total = at->path->room,
                              .lambda = lambda,
                              .gap = (double)NAN};
    return rls2__effort_tell(at->effort, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

/* Kernels from `first` on whose factors have about n columns together. */
static int64_t portion(const fixed *at, int64_t first)
{
    int64_t most = at->basis->n > LEAST_PORTION ? at->basis->n : LEAST_PORTION, columns = 0,
            end = first;
    while (end < at->count && (end == first || columns < most)) {
        const rls2__operator *op = &at->basis->ops[at->ks[end++]];
        columns += op->factor ? op->rank : 1;
    }
    rls2__invariant(end > first || first == at->count);
    return end - first;
}

/* R = R(d), with room of the same size for the portion in hand. */
static rls2_status form(const fixed *at, rls2__combiner *combiner, double *R, double *room)
{
    int64_t n = at->basis->n, taken;
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < n; j++) memset(R + j * n + j, 0, (size_t)(n - j) * sizeof *R);
    for (int64_t i = 0; i < at->count && status == RLS2_OK; i += taken) {
        taken = portion(at, i);
        status = rls2__combine(at->effort, combiner, taken, at->ks + i, at->d + i, room);
        if (status != RLS2_OK) break;
        for (int64_t j = 0; j < n; j++) rls2__la_axpy(n - j, 1.0, room + j * n + j, R + j * n + j);
        status = rls2__effort_status(at->effort);
    }
    return status;
}

/* At c = (R + lambda I)^-1 y the objective is lambda/2 y'c [PBM05]; at c = 0 it is |y|^2/2, which
 * is what becomes of c where it was not solved for or overflows. Of virtual rows both are those of
 * the rows. */
static rls2_status append(const fixed *at, double lambda, int solved, int64_t factorizations,
                          double *c)
{
    int64_t n = at->basis->n;
    rls2_status status = RLS2_OK;
    rls2_path_point point = {.lambda = lambda,
                             .gap = (double)NAN,
                             .residual = (double)NAN,
                             .df = (double)NAN,
                             .selected = at->count,
                             .factorizations = factorizations};
    if (solved) {
        point.objective = 0.5 * lambda * rls2__la_dot(n, at->y, c);
        solved = isfinite(point.objective);
    }
    if (!solved) {
        memset(c, 0, (size_t)n * sizeof *c);
        point.objective = 0.5 * rls2__la_dot(n, at->y, at->y);
        point.outcome = RLS2_OUTCOME_STALLED;
    }
    if (at->thin) status = rls2__thin_raise_vector(at->thin, c, at->raised);
    rls2__answer answer = {point, at->count, at->ks, at->d, at->thin ? at->raised : c, 0.0, NULL};
    if (status == RLS2_OK) status = rls2__path_append(at->path, &answer);
    return status == RLS2_OK ? tick(at, lambda) : status;
}

/* ---- all lambdas together ---- */

static rls2_status reduce_full(const fixed *at, rls2__shifts *shifts)
{
    int64_t n = at->basis->n;
    rls2_status status = RLS2_ERR_MEMORY;
    rls2__combiner *combiner = rls2__combiner_create(at->basis, NOTHING_REMEMBERED);
    double *R = rls2__alloc(rls2__mul(n, n), sizeof(double));
    double *room = rls2__alloc(rls2__mul(n, n), sizeof(double));
    if (combiner && R && room) status = form(at, combiner, R, room);
    rls2__combiner_free(combiner);
    rls2__free(room);
    if (status == RLS2_OK) return rls2__shifts_full(at->effort, n, R, shifts);
    rls2__free(R);
    return status;
}

/* Appends the first lambdas, as far as rounding allows. */
static rls2_status append_first(const fixed *at, const rls2__shifts *shifts, int64_t count,
                                const double *lambdas)
{
    int64_t n = at->basis->n, able = 0;
    while (able < count && lambdas[able] > rls2__shifts_least(shifts)) able++;
    rls2_status status = RLS2_ERR_MEMORY;
    double *C = rls2__alloc(rls2__mul(n, able), sizeof(double));
    unsigned char *solved = rls2__alloc(able, 1);
    if (C && solved)
        status = rls2__shifts_solve(at->effort, shifts, at->y, able, lambdas, C, solved);
    for (int64_t i = 0; i < able && status == RLS2_OK && solved[i]; i++)
        status = append(at, lambdas[i], 1, 0, C + i * n);
    rls2__free(C);
    rls2__free(solved);
    return status;
}

static rls2_status solve_together(const fixed *at, int low, int64_t count, const double *lambdas)
{
    rls2__shifts shifts = {0};
    rls2_status status =
        low ? rls2__shifts_low(at->effort, at->basis, at->count, at->ks, at->d, &shifts)
            : reduce_full(at, &shifts);
    if (status == RLS2_OK) status = append_first(at, &shifts, count, lambdas);
    rls2__shifts_free(&shifts);
    return status == RLS2_ERR_NUMERIC ? RLS2_OK : status; /* each by itself, then */
}

/* ---- each by itself ---- */

static rls2_status solve_one(const fixed *at, rls2__system *system, double lambda, double *c)
{
    int64_t before = system->factorizations;
    rls2_status status = rls2__system_factorize(system, lambda);
    int solved = status == RLS2_OK;
    if (solved) status = rls2__system_solve(system, at->y, c);
    if (status == RLS2_ERR_CANCELLED || status == RLS2_ERR_MEMORY) return status;
    return append(at, lambda, solved, system->factorizations - before, c);
}

static rls2_status solve_each(const fixed *at, int64_t count, const double *lambdas)
{
    rls2__system system;
    rls2_status status = rls2__system_create(at->effort, at->basis, NOTHING_REMEMBERED, &system);
    double *c = rls2__alloc(at->basis->n, sizeof(double));
    if (!c) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = form(at, system.combiner, system.R, system.L);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++)
        status = solve_one(at, &system, lambdas[i], c);
    rls2__free(c);
    rls2__system_free(&system);
    return status;
}

static rls2_status solve_all(const fixed *at, int64_t count, const double *lambdas)
{
    int low = rls2__basis_is_low(at->basis, at->count, at->ks);
    rls2_status status = RLS2_OK;
    if (at->basis->n >= FEW_ROWS && (low || count >= FEW_LAMBDAS))
        status = solve_together(at, low, count, lambdas);
    int64_t done = at->path->count;
    if (status == RLS2_OK && done < count) status = solve_each(at, count - done, lambdas + done);
    return status;
}

/* On virtual rows where equal rows make them few; kernels of few columns need none. */
static rls2_status solve_thin(fixed *at, int64_t count, const double *lambdas)
{
    rls2__problem problem = {.basis = at->basis,
                             .y = at->y,
                             .y_norm = rls2__la_norm(at->basis->n, at->y),
                             .effort = at->effort};
    rls2_status status = tick(at, lambdas[0]);
    if (status == RLS2_OK && at->basis->n >= FEW_ROWS &&
        !rls2__basis_is_low(at->basis, at->count, at->ks))
        status = rls2__thin_create(&problem, &at->thin);
    if (status == RLS2_OK && at->thin) {
        const rls2__problem *last = rls2__thin_last(at->thin, &problem);
        at->raised = rls2__alloc(at->basis->n, sizeof(double));
        at->basis = last->basis;
        at->y = last->y;
        if (!at->raised) status = RLS2_ERR_MEMORY;
    }
    if (status == RLS2_OK) status = solve_all(at, count, lambdas);
    rls2__thin_free(at->thin);
    rls2__free(at->raised);
    return status;
}

/* Another loss, or a free intercept: the method of the learned path, its weights as they are. */
static rls2_status solve_general(const fixed *at, int64_t count, const double *lambdas,
                                 const rls2_path_options *options, const rls2_control *control)
{
    rls2_path *path = at->path;
    rls2_path_options own = *options;
    own.degrees_of_freedom = RLS2_DF_NONE;
    path->given_count = at->count;
    path->given_ks = at->ks;
    path->given_d = at->d;
    rls2_status status = rls2__path_extend(path, count, lambdas, &own, control, NULL, NULL);
    rls2__path_close(path);
    path->given_count = 0;
    return status == RLS2_OK && path->cancelled ? RLS2_ERR_CANCELLED : status;
}

rls2_status rls2__path_fixed(const rls2_basis *basis, const double *y, int64_t kernels,
                             const int64_t *ks, const double *weights, int64_t count,
                             const double *lambdas, const rls2_path_options *options,
                             const rls2_control *control, rls2_path **out, rls2_error *err)
{
    rls2__invariant(rls2__is_within(kernels, ks, basis->m) &&
                    rls2__is_nonnegative(kernels, weights));
    rls2__invariant(rls2__is_descending(count, lambdas));
    rls2__effort effort;
    rls2__effort_begin(control, "path", count, &effort);
    fixed at = {.basis = basis,
                .effort = &effort,
                .count = kernels,
                .ks = ks,
                .d = weights,
                .path = rls2__path_create(basis, y, count, options)};
    rls2_status status = RLS2_ERR_MEMORY;
    if (at.path) {
        at.y = rls2__path_response(at.path);
        status = at.path->general ? solve_general(&at, count, lambdas, options, control)
                                  : solve_thin(&at, count, lambdas);
    }
    if (status == RLS2_OK) {
        at.path->fixed = 1;
        *out = at.path;
        at.path = NULL;
    }
    rls2__path_destroy(at.path);
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, "a path with given weights");
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "the path was stopped");
    if (status == RLS2_ERR_NUMERIC)
        return rls2__fail(err, status, "a path with given weights overflows");
    return status;
}

rls2_status rls2__paths_fixed(const rls2_basis *basis, int64_t outputs, const double *y,
                              int64_t kernels, const int64_t *ks, const double *weights,
                              int64_t count, const double *lambdas,
                              const rls2_path_options *options, const rls2_control *control,
                              rls2_path **paths, rls2_error *err)
{
    rls2_path_options own = *options;
    own.degrees_of_freedom = RLS2_DF_NONE;
    const rls2__paths_job job = {.outputs = outputs,
                                 .bases = &basis,
                                 .y = y,
                                 .count = count,
                                 .lambdas = lambdas,
                                 .options = &own,
                                 .control = control,
                                 .given_count = kernels,
                                 .given_ks = ks,
                                 .given_d = weights};
    rls2__invariant(rls2__is_within(kernels, ks, basis->m) &&
                    rls2__is_on_simplex(kernels, weights));
    memset(paths, 0, (size_t)outputs * sizeof *paths);
    rls2_status status = rls2__shared_run(&job, paths, err);
    if (status != RLS2_OK || !paths[0]->cancelled) return status;
    for (int64_t o = 0; o < outputs; o++) {
        rls2__path_destroy(paths[o]);
        paths[o] = NULL;
    }
    return rls2__fail(err, RLS2_ERR_CANCELLED, "the path was stopped");
}
