/* Factorises, solves with refinement or by conjugate gradients, and counts degrees of freedom. */
#include "solver/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/combine.h"
#include "la/la.h"

/* Below this share of the trace, lambda no longer keeps the solution accurate by
 * itself and c is refined from its residual. */
static const double REFINE_BELOW = 1e-9;
enum { REFINEMENTS = 3 };
/* With lambda >= 10 |R| each step of conjugate gradients gains a factor of 40. */
enum { MOST_STEPS = 14 };
static const double SOLVED = 0.5 * DBL_EPSILON; /* |residual| / |y| that counts as none */

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

static rls2_status create(const rls2_basis *basis, int64_t memory, rls2__system *system)
{
    system->n = basis->n;
    system->combiner = rls2__combiner_create(basis, memory);
    system->block = rls2__layout_alloc(lay_out, system);
    return system->combiner && system->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

rls2_status rls2__system_create(const rls2_basis *basis, int64_t memory, rls2__system *system)
{
    memset(system, 0, sizeof *system);
    rls2_status status = create(basis, memory, system);
    return status == RLS2_OK ? make_matrices(system) : status;
}

rls2_status rls2__system_create_lean(const rls2_basis *basis, int64_t memory, rls2__system *system)
{
    memset(system, 0, sizeof *system);
    system->lean = 1;
    rls2_status status = rls2__low_create(basis, &system->low);
    return status == RLS2_OK ? create(basis, memory, system) : status;
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
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    rls2_status status = make_matrices(system);
    if (status == RLS2_OK)
        status = rls2__combine(&alone, system->combiner, count, ks, d, system->R);
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
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    return rls2__combiner_apply(&alone, system->combiner, count, ks, c, V, work);
}

static double trace(int64_t n, const double *R)
{
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += R[i * n + i];
    return total;
}

static int64_t factorize_shifted(int64_t n, const double *R, double shift, double *L)
{
    for (int64_t j = 0; j < n; j++) {
        memcpy(L + j * n + j, R + j * n + j, (size_t)(n - j) * sizeof(double));
        L[j * n + j] += shift;
    }
    int64_t failed = rls2__la_cholesky(n, L, n);
    /* dpotrf may let a NaN pass */
    if (failed == 0 && !isfinite(trace(n, L))) failed = n;
    rls2__invariant(failed != 0 || rls2__is_factor(n, L, n));
    return failed;
}

rls2_status rls2__factorize(int64_t n, const double *R, double lambda, double *L, double *jitter,
                            int64_t *tries)
{
    rls2__invariant(n >= 0 && lambda > 0.0);
    *jitter = 0.0;
    ++*tries;
    if (factorize_shifted(n, R, lambda, L) == 0) return RLS2_OK;
    double size = trace(n, R);
    if (!isfinite(size)) return RLS2_ERR_NUMERIC;
    /* lambda is below the rounding of R */
    for (double shift = DBL_EPSILON * size; shift <= size; shift *= 32.0) {
        *jitter = shift;
        ++*tries;
        if (factorize_shifted(n, R, lambda + shift, L) == 0) return RLS2_OK;
    }
    return RLS2_ERR_NUMERIC;
}

static rls2_status factorize_low(rls2__system *system, double lambda)
{
    system->is_low = 0;
    if (!system->takes_low || !rls2__low_serves(&system->low, lambda)) return RLS2_OK;
    system->jitter = 0.0;
    return rls2__low_factorize(&system->low, lambda, &system->factorizations, &system->is_low);
}

rls2_status rls2__system_factorize(rls2__system *system, double lambda)
{
    system->lambda = lambda;
    rls2_status status = factorize_low(system, lambda);
    if (status != RLS2_OK || system->is_low) return status;
    if (system->lean && !system->formed)
        status = form(system, system->count, system->ks, system->d);
    if (status != RLS2_OK) return status;
    return rls2__factorize(system->n, system->R, lambda, system->L, &system->jitter,
                           &system->factorizations);
}

/* rest = y - (R + lambda I) c, from the lower triangle of R */
static void full_residual(rls2__system *system, const double *y, const double *c)
{
    int64_t n = system->n;
    double *rest = system->rest;
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
}

static void residual(rls2__system *system, const double *y, const double *c)
{
    if (system->is_low)
        rls2__low_residual(&system->low, system->lambda, y, c, system->rest);
    else
        full_residual(system, y, c);
}

/* x = (R + lambda I)^-1 x as the factor has it */
static void solve_once(rls2__system *system, double *x)
{
    if (system->is_low)
        rls2__low_solve(&system->low, system->lambda, x);
    else
        rls2__la_cholesky_solve(system->n, 1, system->L, system->n, x, system->n);
}

/* Does c need refinement? That of factors of low rank is a difference. */
static int needs_refinement(const rls2__system *system)
{
    return system->is_low || system->jitter != 0.0 ||
           !(system->lambda > REFINE_BELOW * trace(system->n, system->R));
}

void rls2__system_solve(rls2__system *system, const double *y, double *c)
{
    int64_t n = system->n;
    rls2__invariant(system->is_low || rls2__is_factor(n, system->L, n));
    memcpy(c, y, (size_t)n * sizeof *c);
    solve_once(system, c);
    if (!needs_refinement(system)) return;
    double before = INFINITY, enough = system->is_low ? SOLVED * rls2__la_norm(n, y) : 0.0;
    for (int round = 0; round < REFINEMENTS; round++) {
        residual(system, y, c);
        double now = rls2__la_norm(n, system->rest);
        if (!(now < 0.5 * before)) {
            /* the last correction did not help: take it back */
            if (now > before) rls2__la_axpy(n, -1.0, system->step, c);
            return;
        }
        if (now <= enough) return;
        before = now;
        memcpy(system->step, system->rest, (size_t)n * sizeof(double));
        solve_once(system, system->step);
        rls2__la_axpy(n, 1.0, system->step, c);
    }
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

rls2_status rls2__system_hessian(rls2__system *system, int64_t w, const double *V, double *H,
                                 int64_t ldh)
{
    int64_t n = system->n, rows = n + (system->is_low ? system->low.columns : 0);
    rls2_status status = reserve_halves(system, rls2__mul(rows, w));
    if (status != RLS2_OK) return status;
    if (system->is_low) {
        rls2__low_halves(&system->low, system->lambda, w, V, system->halves);
    } else {
        memcpy(system->halves, V, (size_t)(n * w) * sizeof(double));
        rls2__la_lower_solve(n, w, system->L, n, system->halves, n);
    }
    rls2__la_gram(rows, w, system->halves, rows, H, ldh);
    return RLS2_OK;
}

/* out = (R + lambda I) x */
static void shifted_product(const rls2__system *system, double lambda, const double *x, double *out)
{
    rls2__la_symv(system->n, 1.0, system->R, system->n, x, out);
    rls2__la_axpy(system->n, lambda, x, out);
}

/* c = t c0, the multiple of the start that is nearest to the solution in the energy of the system.
 */
static void stretch_start(rls2__system *system, double lambda, const double *y, double *c)
{
    int64_t n = system->n;
    shifted_product(system, lambda, c, system->step);
    double energy = rls2__la_dot(n, c, system->step);
    double t = energy > 0.0 ? rls2__la_dot(n, c, y) / energy : 0.0;
    if (!isfinite(t)) t = 0.0;
    for (int64_t i = 0; i < n; i++) {
        c[i] = t == 0.0 ? 0.0 : t * c[i];
        system->rest[i] = y[i] - (t == 0.0 ? 0.0 : t * system->step[i]);
    }
}

int rls2__system_iterate(rls2__system *system, double lambda, const double *y, double *c)
{
    int64_t n = system->n;
    double *rest = system->rest, *turn = system->turn, *image = system->step;
    rls2__invariant(lambda > 0.0);
    if (system->lean && !system->formed) return 0;
    double enough = SOLVED * rls2__la_norm(n, y);
    stretch_start(system, lambda, y, c);
    memcpy(turn, rest, (size_t)n * sizeof *turn);
    double squares = rls2__la_dot(n, rest, rest);
    for (int round = 0; round < MOST_STEPS; round++) {
        if (sqrt(squares) <= enough) return 1;
        shifted_product(system, lambda, turn, image);
        double t = squares / rls2__la_dot(n, turn, image), before = squares;
        rls2__la_axpy(n, t, turn, c);
        rls2__la_axpy(n, -t, image, rest);
        squares = rls2__la_dot(n, rest, rest);
        for (int64_t i = 0; i < n; i++) turn[i] = rest[i] + squares / before * turn[i];
    }
    return 0;
}

/* n - lambda tr (R + lambda I)^-1 cancels when lambda dominates; there the first two
 * terms of the series in R / lambda are exact to rounding. */
double rls2__degrees_of_freedom(int64_t n, const double *R, double *L, double lambda)
{
    double size = trace(n, R), squares = 0.0;
    rls2__invariant(lambda > 0.0 && rls2__is_factor(n, L, n));
    rls2__la_lower_inverse(n, L, n);
    if (size < 1e-5 * lambda) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++)
                squares += (i == j ? 1.0 : 2.0) * R[j * n + i] * R[j * n + i];
        return size / lambda - squares / (lambda * lambda);
    }
    for (int64_t j = 0; j < n; j++) {
        double norm = rls2__la_norm(n - j, L + j * n + j);
        squares += norm * norm;
    }
    return fmin(fmax((double)n - lambda * squares, 0.0), (double)n);
}

double rls2__system_degrees_of_freedom(rls2__system *system)
{
    if (system->is_low) return rls2__low_degrees_of_freedom(&system->low, system->lambda);
    /* what the factor belongs to: lambda with the shift rounding made necessary */
    return rls2__degrees_of_freedom(system->n, system->R, system->L,
                                    system->lambda + system->jitter);
}
