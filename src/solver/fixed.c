/* Combines the kernels once, then solves for each lambda. */
#include "solver/fixed.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/combine.h"
#include "la/la.h"
#include "solver/solver.h"
#include "solver/system.h"

/* Here all kernels may have weight, and R(d) is formed once: nothing is worth remembering, and
 * factors are taken a portion at a time, so that no copy of all of them is ever side by side. */
enum { NOTHING_REMEMBERED = 0, LEAST_PORTION = 256 };

typedef struct fixed {
    const rls2_basis *basis;
    const rls2_control *control;
    int64_t count; /* kernels with weight */
    const int64_t *ks;
    const double *d;
    rls2__system system;
    double *c; /* n */
    rls2_path *path;
} fixed;

static rls2_status tick(const fixed *at, double lambda)
{
    const rls2_control *control = at->control;
    rls2_progress progress = {"path", at->path->count, at->path->room, lambda, (double)NAN, NULL};
    if (!control->progress) return RLS2_OK;
    return control->progress(control->user, &progress) ? RLS2_ERR_CANCELLED : RLS2_OK;
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

/* R(d), with L, which is not needed before a factorisation, for the portion in hand. */
static rls2_status form(fixed *at, double lambda)
{
    rls2__system *system = &at->system;
    int64_t n = system->n, taken;
    rls2_status status = RLS2_OK;
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    for (int64_t j = 0; j < n; j++)
        memset(system->R + j * n + j, 0, (size_t)(n - j) * sizeof(double));
    for (int64_t i = 0; i < at->count && status == RLS2_OK; i += taken) {
        taken = portion(at, i);
        status = rls2__combine(&alone, system->combiner, taken, at->ks + i, at->d + i, system->L);
        if (status != RLS2_OK) break;
        for (int64_t j = 0; j < n; j++)
            rls2__la_axpy(n - j, 1.0, system->L + j * n + j, system->R + j * n + j);
        status = tick(at, lambda);
    }
    return status;
}

/* At c = (R + lambda I)^-1 y the objective is lambda/2 y'c [PBM05]; at c = 0 it is |y|^2/2. */
static rls2_status solve(fixed *at, double lambda)
{
    rls2__system *system = &at->system;
    const double *y = rls2__path_response(at->path);
    int64_t n = system->n, before = system->factorizations;
    rls2_path_point point = {.lambda = lambda,
                             .gap = (double)NAN,
                             .residual = (double)NAN,
                             .df = (double)NAN,
                             .selected = at->count};
    int solved = rls2__system_factorize(system, lambda) == RLS2_OK;
    if (solved) {
        rls2__system_solve(system, y, at->c);
        point.objective = 0.5 * lambda * rls2__la_dot(n, y, at->c);
        solved = isfinite(point.objective);
    }
    if (!solved) {
        memset(at->c, 0, (size_t)n * sizeof *at->c);
        point.objective = 0.5 * rls2__la_dot(n, y, y);
        point.outcome = RLS2_OUTCOME_STALLED;
    }
    point.factorizations = system->factorizations - before;
    rls2__answer answer = {point, at->count, at->ks, at->d, at->c};
    return rls2__path_append(at->path, &answer);
}

rls2_status rls2__path_fixed(const rls2_basis *basis, const double *y, int64_t kernels,
                             const int64_t *ks, const double *weights, int64_t count,
                             const double *lambdas, const rls2_path_options *options,
                             const rls2_control *control, rls2_path **out, rls2_error *err)
{
    rls2__invariant(rls2__is_within(kernels, ks, basis->m) &&
                    rls2__is_nonnegative(kernels, weights));
    rls2__invariant(rls2__is_descending(count, lambdas));
    fixed at = {.basis = basis, .control = control, .count = kernels, .ks = ks, .d = weights};
    rls2_status status = rls2__system_create(basis, NOTHING_REMEMBERED, &at.system);
    at.c = rls2__alloc(basis->n, sizeof(double));
    at.path = rls2__path_create(basis, y, count, options);
    if (!at.c || !at.path) status = RLS2_ERR_MEMORY;
    if (status == RLS2_OK) status = form(&at, lambdas[0]);
    for (int64_t i = 0; i < count && status == RLS2_OK; i++) {
        status = solve(&at, lambdas[i]);
        if (status == RLS2_OK) status = tick(&at, lambdas[i]);
    }
    if (status == RLS2_OK) {
        at.path->fixed = 1;
        *out = at.path;
        at.path = NULL;
    }
    rls2__path_destroy(at.path);
    rls2__free(at.c);
    rls2__system_free(&at.system);
    if (status == RLS2_ERR_MEMORY) return rls2__fail_memory(err, "a path with given weights");
    if (status == RLS2_ERR_CANCELLED) return rls2__fail(err, status, "the path was stopped");
    if (status == RLS2_ERR_NUMERIC)
        return rls2__fail(err, status, "a path with given weights overflows");
    return status;
}
