/* Factorises, solves with refinement or by conjugate gradients, and counts degrees of freedom. */
#include "solver/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/combine.h"
#include "la/tiles.h"
#include "solver/system_iterate.h"

/* Below this share of the trace, lambda no longer keeps the solution accurate by
 * itself and c is refined from its residual. */
static const double REFINE_BELOW = 1e-9;
enum { REFINEMENTS = 3 };
/* From this order on a few products and triangular solutions cost less than a factorisation. */
enum { ITERATED_ROWS = 1200 };
/* What rounding lets conjugate gradients reach with certainty. */
static const double LEAST_ACCURACY = 1e-11;

static void lay_out_matrices(rls2__layout *layout, void *owner)
{
    rls2__system *system = owner;
    int64_t n = system->n;
    system->R = rls2__layout_take(layout, rls2__mul(n, n), sizeof(double));
    system->L = rls2__layout_take(layout, rls2__mul(n, n), sizeof(double));
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__system *system = owner;
    int64_t n = system->n, weights = system->lean ? system->low.basis->m : 0;
    system->rest = rls2__layout_take(layout, n, sizeof(double));
    system->step = rls2__layout_take(layout, n, sizeof(double));
    system->turn = rls2__layout_take(layout, n, sizeof(double));
    system->ks = rls2__layout_take(layout, weights, sizeof(int64_t));
    system->d = rls2__layout_take(layout, weights, sizeof(double));
}

static rls2_status make_matrices(rls2__system *system)
{
    if (!system->matrices) system->matrices = rls2__layout_alloc(lay_out_matrices, system);
    return system->matrices ? RLS2_OK : RLS2_ERR_MEMORY;
}

static rls2_status create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                          rls2__system *system)
{
    system->effort = effort;
    system->n = basis->n;
    system->combiner = rls2__combiner_create(basis, memory);
    system->block = rls2__layout_alloc(lay_out, system);
    return system->combiner && system->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__system_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                rls2__system *system)
{
    memset(system, 0, sizeof *system);
    rls2_status status = create(effort, basis, memory, system);
    return status == RLS2_OK ? make_matrices(system) : status;
}

rls2_status rls2__system_create_lean(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                     rls2__system *system)
{
    memset(system, 0, sizeof *system);
    system->lean = 1;
    rls2_status status = rls2__low_create(basis, &system->low);
    return status == RLS2_OK ? create(effort, basis, memory, system) : status;
}

void rls2__system_free(rls2__system *system)
{
    rls2__combiner_free(system->combiner);
    rls2__low_free(&system->low);
    rls2__free(system->halves);
    rls2__free(system->matrices);
    rls2__free(system->block);
    memset(system, 0, sizeof *system);
}

static rls2_status form(rls2__system *system, int64_t count, const int64_t *ks, const double *d)
{
    rls2_status status = make_matrices(system);
    if (status == RLS2_OK)
        status = rls2__combine(system->effort, system->combiner, count, ks, d, system->R);
    system->formed = status == RLS2_OK;
    return status;
}

rls2_status rls2__system_combine(rls2__system *system, int64_t count, const int64_t *ks,
                                 const double *d)
{
    system->formed = 0;
    system->takes_low = system->lean && rls2__low_take(&system->low, count, ks, d);
    if (!system->takes_low) return form(system, count, ks, d);
    system->count = count;
    memcpy(system->ks, ks, (size_t)count * sizeof *ks);
    memcpy(system->d, d, (size_t)count * sizeof *d);
    return RLS2_OK;
}

rls2_status rls2__system_apply(rls2__system *system, int64_t count, const int64_t *ks,
                               const double *c, double *V, double *work)
{
    return rls2__combiner_apply(system->effort, system->combiner, count, ks, c, V, work);
}

static double trace(int64_t n, const double *R)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += R[i * n + i];
    return total;
}

/* Columns of a triangle that are one task; of few rows all of them. */
static int64_t columns_of_task(int64_t n)
{
    enum { COLUMNS = 128 };
    return n < ITERATED_ROWS ? n : COLUMNS;
}

static int64_t count_tasks(int64_t n)
{
    return n == 0 ? 0 : (n + columns_of_task(n) - 1) / columns_of_task(n);
}

typedef struct shifted_copy {
    int64_t n;
    const double *R;
    double shift;
    double *L;
} shifted_copy;

static void copy_columns(void *user, int64_t task, int thread)
{
    const shifted_copy *it = user;
    int64_t n = it->n, first = task * columns_of_task(n), end = first + columns_of_task(n);
    (void)thread;
    for (int64_t j = first; j < n && j < end; j++) {
        memcpy(it->L + j * n + j, it->R + j * n + j, (size_t)(n - j) * sizeof(double));
        it->L[j * n + j] += it->shift;
    }
}

/* What triangles hold, for whoever reads one. */
static double triangle_values(int64_t n)
{
    return (double)n * (double)n / 2.0;
}

static rls2_status factorize_shifted(rls2__effort *effort, int64_t n, const double *R, double shift,
                                     double *L, int64_t *failed)
{
    shifted_copy copy = {n, R, shift, L};
    rls2_status status =
        rls2__effort_each_worth(effort, triangle_values(n), count_tasks(n), copy_columns, &copy);
    if (status == RLS2_OK) status = rls2__tiled_cholesky(effort, n, L, n, failed);
    if (status != RLS2_OK) return status;
    /* dpotrf may let a NaN pass */
    if (*failed == 0 && !isfinite(trace(n, L))) *failed = n;
    rls2__invariant(*failed != 0 || rls2__is_factor(n, L, n));
    return RLS2_OK;
}

rls2_status rls2__factorize(rls2__effort *effort, int64_t n, const double *R, double lambda,
                            double *L, double *jitter, int64_t *tries)
{
    int64_t failed;
    rls2__invariant(n >= 0 && lambda > 0.0);
    *jitter = 0.0;
    ++*tries;
    rls2_status status = factorize_shifted(effort, n, R, lambda, L, &failed);
    if (status != RLS2_OK || failed == 0) return status;
    double size = trace(n, R);
    if (!isfinite(size)) return RLS2_ERR_NUMERIC;
    /* lambda is below the rounding of R */
    for (double shift = DBL_EPSILON * size; shift <= size; shift *= 32.0) {
        *jitter = shift;
        ++*tries;
        status = factorize_shifted(effort, n, R, lambda + shift, L, &failed);
        if (status != RLS2_OK || failed == 0) return status;
    }
    return RLS2_ERR_NUMERIC;
}

static rls2_status factorize_low(rls2__system *system, double lambda)
{
    system->is_low = 0;
    if (!system->takes_low || !rls2__low_serves(&system->low, lambda)) return RLS2_OK;
    system->jitter = 0.0;
    return rls2__low_factorize(system->effort, &system->low, lambda, &system->factorizations,
                               &system->is_low);
}

/* By the factors of kernels where that is possible; else R is formed. */
static rls2_status begin(rls2__system *system, double lambda)
{
    system->lambda = lambda;
    rls2_status status = factorize_low(system, lambda);
    if (status != RLS2_OK || system->is_low || !system->lean || system->formed) return status;
    return form(system, system->count, system->ks, system->d);
}

static rls2_status factorize_full(rls2__system *system)
{
    int64_t n = system->n;
    system->near = 0.0;
    rls2_status status = rls2__factorize(system->effort, n, system->R, system->lambda, system->L,
                                         &system->jitter, &system->factorizations);
    system->exact = status == RLS2_OK;
    int sound = system->exact && system->jitter == 0.0;
    if (sound && system->lambda > REFINE_BELOW * trace(n, system->R)) system->near = system->lambda;
    return status;
}

rls2_status rls2__system_factorize(rls2__system *system, double lambda)
{
    rls2_status status = begin(system, lambda);
    return status == RLS2_OK && !system->is_low ? factorize_full(system) : status;
}

rls2_status rls2__system_prepare(rls2__system *system, double lambda, double accuracy)
{
    rls2_status status = begin(system, lambda);
    if (status != RLS2_OK || system->is_low) return status;
    system->accuracy = accuracy;
    if (system->n < ITERATED_ROWS || system->near != lambda || accuracy < LEAST_ACCURACY)
        return factorize_full(system);
    system->exact = 0;
    return RLS2_OK;
}

/* rest = y - (R + lambda I) c, from the lower triangle of R */
static rls2_status full_residual(rls2__system *system, const double *y, const double *c)
{
    int64_t n = system->n;
    double *rest = system->rest;
    if (n >= ITERATED_ROWS) {
        rls2_status status = rls2__tiled_symv(system->effort, n, -1.0, system->R, n, c, rest);
        for (int64_t i = 0; i < n; i++) rest[i] += y[i] - system->lambda * c[i];
        return status;
    }
    for (int64_t i = 0; i < n; i++) rest[i] = y[i] - system->lambda * c[i];
    for (int64_t j = 0; j < n; j++) {
        const double *column = system->R + j * n;
        double below = 0.0;
        rest[j] -= column[j] * c[j];
        for (int64_t i = j + 1; i < n; i++) {
            rest[i] -= column[i] * c[j];
            below += column[i] * c[i];
        }
        rest[j] -= below;
    }
    return RLS2_OK;
}

static rls2_status residual(rls2__system *system, const double *y, const double *c)
{
    if (!system->is_low) return full_residual(system, y, c);
    rls2__low_residual(&system->low, system->lambda, y, c, system->rest);
    return RLS2_OK;
}

/* x = (R + lambda I)^-1 x as the factor has it */
static rls2_status solve_once(rls2__system *system, double *x)
{
    int64_t n = system->n;
    if (!system->is_low)
        return rls2__tiled_cholesky_solve(system->effort, n, 1, system->L, n, x, n);
    rls2__low_solve(&system->low, system->lambda, x);
    return rls2__effort_status(system->effort);
}

/* Does c need refinement? That of factors of low rank is a difference. */
static int needs_refinement(const rls2__system *system)
{
    return system->is_low || system->jitter != 0.0 ||
           !(system->lambda > REFINE_BELOW * trace(system->n, system->R));
}

static rls2_status solve_factored(rls2__system *system, const double *y, double *c)
{
    int64_t n = system->n;
    rls2__invariant(system->is_low || rls2__is_factor(n, system->L, n));
    memcpy(c, y, (size_t)n * sizeof *c);
    rls2_status status = solve_once(system, c);
    if (status != RLS2_OK || !needs_refinement(system)) return status;
    double before = INFINITY, enough = system->is_low ? RLS2__SOLVED * rls2__la_norm(n, y) : 0.0;
    for (int round = 0; round < REFINEMENTS && status == RLS2_OK; round++) {
        status = residual(system, y, c);
        if (status != RLS2_OK) return status;
        double now = rls2__la_norm(n, system->rest);
        if (!(now < 0.5 * before)) {
            /* the last correction did not help: take it back */
            if (now > before) rls2__la_axpy(n, -1.0, system->step, c);
            return RLS2_OK;
        }
        if (now <= enough) return RLS2_OK;
        before = now;
        memcpy(system->step, system->rest, (size_t)n * sizeof(double));
        status = solve_once(system, system->step);
        rls2__la_axpy(n, 1.0, system->step, c);
    }
    return status;
}

rls2_status rls2__system_solve(rls2__system *system, const double *y, double *c)
{
    int done = 0;
    rls2_status status = RLS2_OK;
    system->missing = 0.0;
    if (!system->is_low && !system->exact) {
        status = rls2__system_iterate_near(system, y, c, &done);
        if (status == RLS2_OK && !done) status = factorize_full(system);
    }
    return status == RLS2_OK && !done ? solve_factored(system, y, c) : status;
}

static rls2_status reserve_halves(rls2__system *system, int64_t values)
{
    if (values <= system->halves_room) return RLS2_OK;
    rls2__free(system->halves);
    system->halves_room = 0;
    system->halves = rls2__alloc(values, sizeof(double));
    if (!system->halves) return RLS2_ERR_MEMORY;
    system->halves_room = values;
    return RLS2_OK;
}

/* H = Z'Z, Z = L^-1 V or what stands for it by the factors of kernels */
static rls2_status hessian_of_factor(rls2__system *system, int64_t w, const double *V, double *H,
                                     int64_t ldh)
{
    int64_t n = system->n, rows = n + (system->is_low ? system->low.columns : 0);
    rls2_status status = reserve_halves(system, rls2__mul(rows, w));
    if (status != RLS2_OK) return status;
    if (system->is_low) {
        status =
            rls2__low_halves(system->effort, &system->low, system->lambda, w, V, system->halves);
    } else {
        memcpy(system->halves, V, (size_t)(n * w) * sizeof(double));
        status = rls2__tiled_lower_solve(system->effort, n, w, system->L, n, system->halves, n);
    }
    if (status != RLS2_OK) return status;
    return rls2__tiled_gram(system->effort, rows, w, system->halves, rows, H, ldh);
}

rls2_status rls2__system_hessian(rls2__system *system, int64_t w, const double *V, double *H,
                                 int64_t ldh)
{
    int done = 0;
    rls2_status status = RLS2_OK;
    if (!system->is_low && !system->exact) {
        status = reserve_halves(system, rls2__mul(2 * system->n + 2 * w, w));
        if (status == RLS2_OK)
            status = rls2__system_hessian_near(system, w, V, system->halves, H, ldh, &done);
    }
    return status == RLS2_OK && !done ? hessian_of_factor(system, w, V, H, ldh) : status;
}

/* The sum of squares of a lower triangle's columns, those of a task in one sum. */
typedef struct column_squares {
    int64_t n;
    const double *L;
    double *sums;
} column_squares;

static void add_squares(void *user, int64_t task, int thread)
{
    const column_squares *it = user;
    int64_t n = it->n, first = task * columns_of_task(n), end = first + columns_of_task(n);
    double sum = 0.0;
    (void)thread;
    for (int64_t j = first; j < n && j < end; j++) {
        double norm = rls2__la_norm(n - j, it->L + j * n + j);
        sum += norm * norm;
    }
    it->sums[task] = sum;
}

static rls2_status sum_squares(rls2__effort *effort, int64_t n, const double *L, double *squares)
{
    int64_t tasks = count_tasks(n);
    column_squares it = {n, L, rls2__alloc(tasks, sizeof(double))};
    if (!it.sums) return RLS2_ERR_MEMORY;
    rls2_status status =
        rls2__effort_each_worth(effort, triangle_values(n), tasks, add_squares, &it);
    for (int64_t t = 0; t < tasks && status == RLS2_OK; t++) *squares += it.sums[t];
    rls2__free(it.sums);
    return status;
}

/* n - lambda tr (R + lambda I)^-1 cancels when lambda dominates; there the first two
 * terms of the series in R / lambda are exact to rounding. */
rls2_status rls2__degrees_of_freedom(rls2__effort *effort, int64_t n, const double *R, double *L,
                                     double lambda, double *df)
{
    double size = trace(n, R), squares = 0.0;
    rls2__invariant(lambda > 0.0 && rls2__is_factor(n, L, n));
    rls2_status status = rls2__tiled_lower_inverse(effort, n, L, n);
    if (status != RLS2_OK) return status;
    if (size < 1e-5 * lambda) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++)
                squares += (i == j ? 1.0 : 2.0) * R[j * n + i] * R[j * n + i];
        *df = size / lambda - squares / (lambda * lambda);
        return RLS2_OK;
    }
    status = sum_squares(effort, n, L, &squares);
    if (status != RLS2_OK) return status;
    *df = fmin(fmax((double)n - lambda * squares, 0.0), (double)n);
    return RLS2_OK;
}

rls2_status rls2__system_degrees_of_freedom(rls2__system *system, double *df)
{
    if (system->is_low)
        return rls2__low_degrees_of_freedom(system->effort, &system->low, system->lambda, df);
    rls2__invariant(system->exact);
    system->near = 0.0;
    /* what the factor belongs to: lambda with the shift rounding made necessary */
    return rls2__degrees_of_freedom(system->effort, system->n, system->R, system->L,
                                    system->lambda + system->jitter, df);
}
