/* Reduces R(d), or B'B where R(d) = BB' has few columns, to a band, in which every lambda is cheap.
 *
 *   (BB' + lambda I)^-1 y = (y - B (B'B + lambda I)^-1 B'y) / lambda
 *
 * The difference loses digits where lambda is small against R(d); one correction from the residual
 * brings them back. */
#include "solver/shifts.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "la/tiles.h"

/* Shares of the trace: a lambda below the first is for a factor that is refined, as system.c does
 * it; one below the second is corrected where it is solved by a difference. */
static const double LEAST_FULL = 1e-9, LEAST_LOW = 1e-12, CORRECTED = 1e-5;

static void gather_columns(const rls2_basis *basis, int64_t count, const int64_t *ks,
                           const double *d, rls2__shifts *shifts)
{
    double *b = shifts->B;
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        double root = sqrt(d[i]) * sqrt(op->scale);
        for (int64_t j = 0; j < op->rank * shifts->n; j++) *b++ = root * op->factor[j];
    }
    rls2__invariant(b == shifts->B + shifts->n * shifts->r);
}

static double trace(int64_t r, const double *G)
{
    double sum = 0.0;
    for (int64_t i = 0; i < r; i++) sum += G[i * r + i];
    return sum;
}

static rls2_status reduce(rls2__effort *effort, rls2__shifts *shifts)
{
    shifts->trace = trace(shifts->r, shifts->G);
    if (!isfinite(shifts->trace)) return RLS2_ERR_NUMERIC;
    return rls2__band_reduce(effort, shifts->r, shifts->G, &shifts->band);
}

rls2_status rls2__shifts_low(rls2__effort *effort, const rls2_basis *basis, int64_t count,
                             const int64_t *ks, const double *d, rls2__shifts *shifts)
{
    int64_t n = basis->n, r = rls2__basis_rank(basis, count, ks);
    *shifts = (rls2__shifts){.n = n, .r = r};
    shifts->B = rls2__alloc(rls2__mul(n, r), sizeof(double));
    shifts->G = rls2__alloc(rls2__mul(r, r), sizeof(double));
    if (!shifts->B || !shifts->G) return RLS2_ERR_MEMORY;
    gather_columns(basis, count, ks, d, shifts);
    rls2_status status = rls2__tiled_gram(effort, n, r, shifts->B, n, shifts->G, r);
    return status == RLS2_OK ? reduce(effort, shifts) : status;
}

rls2_status rls2__shifts_full(rls2__effort *effort, int64_t n, double *R, rls2__shifts *shifts)
{
    *shifts = (rls2__shifts){.n = n, .r = n, .G = R};
    return reduce(effort, shifts);
}

void rls2__shifts_free(rls2__shifts *shifts)
{
    rls2__band_free(&shifts->band);
    rls2__free(shifts->B);
    rls2__free(shifts->G);
    memset(shifts, 0, sizeof *shifts);
}

double rls2__shifts_least(const rls2__shifts *shifts)
{
    return shifts->trace * (shifts->B ? LEAST_LOW : LEAST_FULL);
}

/* ---- solving ---- */

/* Some columns of C, each of which is c + (rest - B (B'B + lambda I)^-1 B'rest) / lambda with
 * rest = y - (BB' + lambda I) c. */
typedef struct columns {
    const rls2__shifts *shifts;
    const double *y;
    const double *lambdas;
    double *C;     /* n x count; zero, or to be corrected */
    double *rests; /* n x count */
    double *inner; /* r x count */
    int zero;
} columns;

static void enter(void *user, int64_t task, int thread)
{
    const columns *it = user;
    const rls2__shifts *at = it->shifts;
    const double *c = it->C + task * at->n;
    double *inner = it->inner + task * at->r, *rest = it->rests + task * at->n;
    (void)thread;
    if (it->zero) {
        memcpy(rest, it->y, (size_t)at->n * sizeof *rest);
    } else {
        for (int64_t i = 0; i < at->n; i++) rest[i] = it->y[i] - it->lambdas[task] * c[i];
        rls2__la_gemv_t(at->n, at->r, at->B, at->n, c, inner);
        rls2__la_gemv_n(at->n, at->r, -1.0, at->B, at->n, inner, 1.0, rest);
    }
    rls2__la_gemv_t(at->n, at->r, at->B, at->n, rest, inner);
}

static void leave(void *user, int64_t task, int thread)
{
    const columns *it = user;
    const rls2__shifts *at = it->shifts;
    const double *inner = it->inner + task * at->r;
    double *c = it->C + task * at->n, *rest = it->rests + task * at->n;
    (void)thread;
    rls2__la_gemv_n(at->n, at->r, -1.0, at->B, at->n, inner, 1.0, rest);
    for (int64_t i = 0; i < at->n; i++)
        c[i] = (it->zero ? 0.0 : c[i]) + rest[i] / it->lambdas[task];
}

static rls2_status add_steps(rls2__effort *effort, columns *it, int64_t count,
                             unsigned char *solved)
{
    rls2_status status = rls2__effort_each(effort, count, enter, it);
    if (status == RLS2_OK)
        status = rls2__band_solve(effort, &it->shifts->band, count, it->lambdas, it->inner, solved);
    return status == RLS2_OK ? rls2__effort_each(effort, count, leave, it) : status;
}

static rls2_status solve_low(rls2__effort *effort, const rls2__shifts *shifts, const double *y,
                             int64_t count, const double *lambdas, double *C, unsigned char *solved)
{
    int64_t n = shifts->n, first = 0;
    rls2_status status = RLS2_ERR_MEMORY;
    double *rests = rls2__alloc(rls2__mul(n, count), sizeof(double));
    double *inner = rls2__alloc(rls2__mul(shifts->r, count), sizeof(double));
    if (!rests || !inner) goto cleanup;
    columns all = {shifts, y, lambdas, C, rests, inner, 1};
    status = add_steps(effort, &all, count, solved);
    while (first < count && lambdas[first] > CORRECTED * shifts->trace) first++;
    if (status != RLS2_OK || first == count) goto cleanup;
    columns small = {shifts, y, lambdas + first, C + first * n, rests, inner, 0};
    status = add_steps(effort, &small, count - first, solved + first);
cleanup:
    rls2__free(rests);
    rls2__free(inner);
    return status;
}

rls2_status rls2__shifts_solve(rls2__effort *effort, const rls2__shifts *shifts, const double *y,
                               int64_t count, const double *lambdas, double *C,
                               unsigned char *solved)
{
    rls2__invariant(rls2__is_descending(count, lambdas));
    if (shifts->B) return solve_low(effort, shifts, y, count, lambdas, C, solved);
    for (int64_t i = 0; i < count; i++) memcpy(C + i * shifts->n, y, (size_t)shifts->n * sizeof *C);
    return rls2__band_solve(effort, &shifts->band, count, lambdas, C, solved);
}
