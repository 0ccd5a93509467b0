/* With R = ZZ' of rank r, G = Z'Z and H = Z (G + lambda I)^-1 Z': the fit is Hy, df is that of G,
 * leverages are h_i = |L^-1 z_i|^2 with LL' = G + lambda I, and the prediction of row i from the
 * others misses by (y - Hy)_i / (1 - h_i). All of it without a matrix of n rows and columns.
 * [MATH.md, C6] */
#include "select/criteria_lean.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "la/tiles.h"
#include "solver/system.h"

/* 1 - h_i is a difference: where it is smaller than this the whole matrix is more exact. */
static const double LEAST_FREEDOM = 1e-6;

typedef struct lean {
    int64_t n, r;
    double *Z;     /* n x r */
    double *G, *L; /* r x r */
    double *T;     /* r x n: Z', then L^-1 Z' */
    double *a;     /* r */
    double *f;     /* n */
    void *block;   /* all of these arrays */
} lean;

static void lay_out(rls2__layout *layout, void *owner)
{
    lean *it = owner;
    it->Z = rls2__layout_take(layout, rls2__mul(it->n, it->r), sizeof(double));
    it->T = rls2__layout_take(layout, rls2__mul(it->n, it->r), sizeof(double));
    it->G = rls2__layout_take(layout, rls2__mul(it->r, it->r), sizeof(double));
    it->L = rls2__layout_take(layout, rls2__mul(it->r, it->r), sizeof(double));
    it->a = rls2__layout_take(layout, it->r, sizeof(double));
    it->f = rls2__layout_take(layout, it->n, sizeof(double));
}

static void gather_columns(const rls2_basis *basis, const rls2__path_entry *entry, lean *it)
{
    double *z = it->Z;
    for (int64_t i = 0; i < entry->count; i++) {
        const rls2__operator *op = &basis->ops[entry->ks[i]];
        double root = sqrt(entry->d[i]) * sqrt(op->scale);
        for (int64_t j = 0; j < op->rank * it->n; j++) *z++ = root * op->factor[j];
    }
    rls2__invariant(z == it->Z + it->n * it->r);
}

/* f = ZZ'x */
static rls2_status apply(rls2__effort *effort, lean *it, const double *x)
{
    rls2_status status = rls2__tiled_gemv_t(effort, it->n, it->r, it->Z, it->n, x, it->a);
    if (status == RLS2_OK)
        status = rls2__tiled_gemv_n(effort, it->n, it->r, 1.0, it->Z, it->n, it->a, 0.0, it->f);
    return status;
}

/* f = Hy */
static rls2_status smooth(rls2__effort *effort, lean *it, const double *y)
{
    rls2_status status = rls2__tiled_gemv_t(effort, it->n, it->r, it->Z, it->n, y, it->a);
    if (status == RLS2_OK)
        status = rls2__tiled_cholesky_solve(effort, it->r, 1, it->L, it->r, it->a, it->r);
    if (status == RLS2_OK)
        status = rls2__tiled_gemv_n(effort, it->n, it->r, 1.0, it->Z, it->n, it->a, 0.0, it->f);
    return status;
}

static double squared_errors(const lean *it, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) sum += (y[i] - it->f[i]) * (y[i] - it->f[i]);
    return sum;
}

/* T = L^-1 Z' */
static rls2_status whiten(rls2__effort *effort, lean *it)
{
    for (int64_t t = 0; t < it->r; t++)
        for (int64_t i = 0; i < it->n; i++) it->T[i * it->r + t] = it->Z[t * it->n + i];
    return rls2__tiled_lower_solve(effort, it->r, it->n, it->L, it->r, it->T, it->r);
}

/* Squared misses of the rows left out, or NaN where a row is all but interpolated. */
static double leave_one_out(const lean *it, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double length = rls2__la_norm(it->r, it->T + i * it->r), left = 1.0 - length * length;
        if (!(left > LEAST_FREEDOM)) return NAN;
        double miss = (y[i] - it->f[i]) / left;
        sum += miss * miss;
    }
    return sum;
}

/* RLS2_ERR_NUMERIC where rounding would show. */
static rls2_status factorize(rls2__effort *effort, lean *it, double lambda)
{
    double jitter = 0.0;
    int64_t tries = 0;
    rls2_status status = rls2__tiled_gram(effort, it->n, it->r, it->Z, it->n, it->G, it->r);
    if (status == RLS2_OK)
        status = rls2__factorize(effort, it->r, it->G, lambda, it->L, &jitter, &tries);
    return status == RLS2_OK && jitter > 0.0 ? RLS2_ERR_NUMERIC : status;
}

static rls2_status measure(rls2__effort *effort, lean *it, double lambda, const double *y,
                           const double *c, rls2__lean_criteria *out)
{
    rls2_status status = factorize(effort, it, lambda);
    if (status == RLS2_OK) status = apply(effort, it, c);
    if (status != RLS2_OK) return status;
    out->rss = squared_errors(it, y);
    status = smooth(effort, it, y);
    if (status == RLS2_OK) status = whiten(effort, it);
    if (status != RLS2_OK) return status;
    out->loo = leave_one_out(it, y);
    status = rls2__degrees_of_freedom(effort, it->r, it->G, it->L, lambda, &out->df);
    if (status != RLS2_OK) return status;
    int told = isfinite(out->rss) && isfinite(out->loo) && isfinite(out->df);
    return told ? RLS2_OK : RLS2_ERR_NUMERIC;
}

rls2_status rls2__criteria_lean(rls2__effort *effort, const rls2_basis *basis,
                                const rls2__path_entry *entry, const double *y, const double *c,
                                rls2__lean_criteria *out, int *done)
{
    lean it = {.n = basis->n, .r = rls2__basis_rank(basis, entry->count, entry->ks)};
    it.block = rls2__layout_alloc(lay_out, &it);
    *done = 0;
    if (!it.block) return RLS2_ERR_MEMORY;
    gather_columns(basis, entry, &it);
    rls2_status status = measure(effort, &it, entry->point.lambda, y, c, out);
    *done = status == RLS2_OK;
    rls2__free(it.block);
    return status == RLS2_ERR_NUMERIC ? RLS2_OK : status;
}
