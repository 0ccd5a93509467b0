/* Solves by conjugate gradients: where lambda dominates, and where a factor of nearly the same
 * matrix is at hand. */
#include "solver/system_iterate.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "la/tiles.h"

/* With lambda >= 10 |R| each step of conjugate gradients gains a factor of 40. */
enum { MOST_STEPS = 14 };
/* A step costs three products with a triangle, at the speed of memory: so many rows for each step
 * that is cheaper than a factorisation. After some steps it shows whether they will do. */
enum { ROWS_PER_STEP = 250, STEPS_TO_JUDGE = 3, MOST_NEAR_STEPS = 30 };

/* out = (R + lambda I) x */
static rls2_status shifted_product(const rls2__system *system, double lambda, const double *x,
                                   double *out)
{
    rls2_status status =
        rls2__tiled_symv(system->effort, system->n, 1.0, system->R, system->n, x, out);
    rls2__la_axpy(system->n, lambda, x, out);
    return status;
}

/* c = t c0, the multiple of the start that is nearest to the solution in the energy of the system.
 */
static rls2_status stretch_start(rls2__system *system, double lambda, const double *y, double *c)
{
    int64_t n = system->n;
    rls2_status status = shifted_product(system, lambda, c, system->step);
    double energy = rls2__la_dot(n, c, system->step);
    double t = energy > 0.0 ? rls2__la_dot(n, c, y) / energy : 0.0;
    if (!isfinite(t)) t = 0.0;
    for (int64_t i = 0; i < n; i++) {
        c[i] = t == 0.0 ? 0.0 : t * c[i];
        system->rest[i] = y[i] - (t == 0.0 ? 0.0 : t * system->step[i]);
    }
    return status;
}

rls2_status rls2__system_iterate(rls2__system *system, double lambda, const double *y, double *c,
                                 int *done)
{
    int64_t n = system->n;
    double *rest = system->rest, *turn = system->turn, *image = system->step;
    rls2__invariant(lambda > 0.0);
    *done = 0;
    system->missing = 0.0;
    if (system->lean && !system->formed) return RLS2_OK;
    double enough = RLS2__SOLVED * rls2__la_norm(n, y);
    rls2_status status = stretch_start(system, lambda, y, c);
    memcpy(turn, rest, (size_t)n * sizeof *turn);
    double squares = rls2__la_dot(n, rest, rest);
    for (int round = 0; round < MOST_STEPS && status == RLS2_OK; round++) {
        *done = sqrt(squares) <= enough;
        if (*done) return RLS2_OK;
        status = shifted_product(system, lambda, turn, image);
        double t = squares / rls2__la_dot(n, turn, image), before = squares;
        rls2__la_axpy(n, t, turn, c);
        rls2__la_axpy(n, -t, image, rest);
        squares = rls2__la_dot(n, rest, rest);
        for (int64_t i = 0; i < n; i++) turn[i] = rest[i] + squares / before * turn[i];
    }
    return status;
}

/* Will the error, at this pace, be small enough within the steps allowed? */
static int is_promising(int steps, int allowed, double first, double now, double enough)
{
    if (steps < STEPS_TO_JUDGE) return 1;
    double pace = log(now / first) / steps; /* below zero while it falls */
    return pace < 0.0 && log(enough / first) / pace <= allowed;
}

/* out = P^-1 rest; *squares = rest'P^-1 rest */
static rls2_status precondition(rls2__system *system, double *out, double *squares)
{
    int64_t n = system->n;
    memcpy(out, system->rest, (size_t)n * sizeof *out);
    rls2_status status = rls2__tiled_cholesky_solve(system->effort, n, 1, system->L, n, out, n);
    *squares = rls2__la_dot(n, out, system->rest);
    return status;
}

rls2_status rls2__system_iterate_near(rls2__system *system, const double *y, double *c, int *done)
{
    int64_t n = system->n;
    int allowed = n / ROWS_PER_STEP < MOST_NEAR_STEPS ? (int)(n / ROWS_PER_STEP) : MOST_NEAR_STEPS;
    double *rest = system->rest, *turn = system->turn, *image = system->step, squares, enough = 0.0;
    *done = 0;
    rls2_status status = stretch_start(system, system->lambda, y, c);
    if (status == RLS2_OK) status = precondition(system, turn, &squares);
    double first = status == RLS2_OK ? squares : 0.0;
    for (int step = 0; status == RLS2_OK; step++) {
        enough = system->accuracy * system->accuracy * rls2__la_dot(n, y, c);
        if (squares <= enough) break;
        if (step == allowed || !is_promising(step, allowed, first, squares, enough)) return RLS2_OK;
        status = shifted_product(system, system->lambda, turn, image);
        if (status != RLS2_OK) break;
        double t = squares / rls2__la_dot(n, turn, image), before = squares;
        rls2__la_axpy(n, t, turn, c);
        rls2__la_axpy(n, -t, image, rest);
        status = precondition(system, image, &squares);
        for (int64_t i = 0; i < n; i++) turn[i] = image[i] + squares / before * turn[i];
    }
    *done = status == RLS2_OK;
    system->missing = rls2__la_dot(n, c, rest);
    return status;
}

/* Columns of a product that are one task. */
enum { COLUMNS_AT_ONCE = 16 };
/* |X|_M^2 to V'X of a column from which on P is too far from M: at 2 the difference is zero. */
static const double FAR = 1.75;
/* Share of the largest diagonal entry below which an eigenvalue may be rounding. */
static const double NOT_ROUNDING = 1e-10;

typedef struct columns_product {
    const rls2__system *system;
    int64_t w;
    const double *X;
    double *Y;
} columns_product;

/* Y = (R + lambda I) X, some columns of it */
static void multiply_columns(void *user, int64_t task, int thread)
{
    const columns_product *it = user;
    int64_t n = it->system->n, first = task * COLUMNS_AT_ONCE;
    int64_t count = it->w - first < COLUMNS_AT_ONCE ? it->w - first : COLUMNS_AT_ONCE;
    (void)thread;
    rls2__la_symm(n, count, it->system->R, n, it->X + first * n, n, it->Y + first * n, n);
    rls2__la_axpy(n * count, it->system->lambda, it->X + first * n, it->Y + first * n);
}

/* Is it positive semi-definite, but for rounding? work: w x w. */
static int is_semidefinite(int64_t w, const double *H, int64_t ldh, double *work)
{
    double largest = 0.0;
    for (int64_t j = 0; j < w; j++) largest = fmax(largest, H[j * ldh + j]);
    for (int64_t j = 0; j < w; j++) {
        memcpy(work + j * w + j, H + j * ldh + j, (size_t)(w - j) * sizeof *work);
        work[j * w + j] += NOT_ROUNDING * largest;
    }
    return rls2__la_cholesky(w, work, w) == 0;
}

rls2_status rls2__system_hessian_near(rls2__system *system, int64_t w, const double *V,
                                      double *room, double *H, int64_t ldh, int *done)
{
    int64_t n = system->n;
    double *X = room, *Y = X + n * w, *plain = Y + n * w, *twice = plain + w * w;
    columns_product product = {system, w, X, Y};
    *done = 0;
    memcpy(X, V, (size_t)(n * w) * sizeof *X);
    rls2_status status = rls2__tiled_cholesky_solve(system->effort, n, w, system->L, n, X, n);
    if (status == RLS2_OK)
        status = rls2__effort_each_worth(system->effort, (double)n * (double)n / 8.0 * (double)w,
                                         (w + COLUMNS_AT_ONCE - 1) / COLUMNS_AT_ONCE,
                                         multiply_columns, &product);
    if (status == RLS2_OK)
        status = rls2__tiled_gemm_tn(system->effort, n, w, w, X, n, V, n, plain, w);
    if (status == RLS2_OK)
        status = rls2__tiled_gemm_tn(system->effort, n, w, w, X, n, Y, n, twice, w);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < w; j++)
        if (!(twice[j * w + j] <= FAR * plain[j * w + j])) return RLS2_OK;
    for (int64_t j = 0; j < w; j++)
        for (int64_t i = j; i < w; i++) H[j * ldh + i] = 2.0 * plain[j * w + i] - twice[j * w + i];
    *done = is_semidefinite(w, H, ldh, plain);
    return RLS2_OK;
}
