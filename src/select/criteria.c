/* Criteria of the points of a path.  [MATH.md, C1 to C5]
 *
 * All of them see a point as the linear smoother f = H y, H = R (R + lambda I)^-1 with R = R(d), d
 * being kept. One Cholesky factor of R + lambda I for each point gives what is needed: df = tr H,
 * c* = (R + lambda I)^-1 y, and the diagonal of the inverse as the squared lengths of the columns
 * of L^-1. The rows left out then cost nothing more: with M = R + lambda I, the prediction of row i
 * from the others misses y_i by c*_i / [M^-1]_ii.
 *
 * Points whose kernels are of low rank together need no such matrix: criteria_lean.c.
 *
 * c* and the diagonal come of the same factor, without refinement. Where lambda is so small that
 * the factor is one of R + (lambda + jitter) I, both then belong to that one system, and their
 * ratio hardly depends on the shift; a c* refined towards lambda alone would be off by the ratio of
 * the two.
 *
 * Where rows have weights R, y and c are W^1/2 R W^1/2, W^1/2 y and W^-1/2 c, as the solver has
 * them, and the number of rows is the sum of the weights.  [W3] */
#include "select/criteria.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "la/tiles.h"
#include "select/criteria_lean.h"
#include "solver/path.h"
#include "solver/path_fitted.h"
#include "solver/system.h"

/* n - df is a difference, with rounding of about n eps cond(M); below this share of n it is not
 * worth dividing by. */
static const double SATURATED = 1e-9;

typedef struct workspace {
    rls2__effort *effort;
    rls2__system system;
    double *c;   /* n: c* */
    double *own; /* n: the path's c, as the solver had it */
    double *f;   /* n: R times that */
    int64_t n;
    void *block; /* all of these arrays */
} workspace;

static void lay_out(rls2__layout *layout, void *owner)
{
    workspace *work = owner;
    work->c = rls2__layout_take(layout, work->n, sizeof(double));
    work->own = rls2__layout_take(layout, work->n, sizeof(double));
    work->f = rls2__layout_take(layout, work->n, sizeof(double));
}

static rls2_status workspace_create(rls2__effort *effort, const rls2_path *path, workspace *work)
{
    memset(work, 0, sizeof *work);
    work->n = path->basis->n;
    work->effort = effort;
    work->block = rls2__layout_alloc(lay_out, work);
    return work->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

/* Matrices of n rows and columns, made for the first point that needs them. */
static rls2_status combine(workspace *work, const rls2_path *path, const rls2__path_entry *entry)
{
    rls2_status status = RLS2_OK;
    if (!work->system.R)
        status = rls2__system_create(work->effort, path->basis, path->memory, &work->system);
    if (status == RLS2_OK)
        status = rls2__system_combine(&work->system, entry->count, entry->ks, entry->d);
    return status;
}

static void workspace_free(workspace *work)
{
    rls2__system_free(&work->system);
    rls2__free(work->block);
}

static double or_nan(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

static int all_zero(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

/* |y - R c|^2 with the path's own c, which Algorithm 1 leaves inexact. */
static rls2_status squared_errors(const workspace *work, const double *y, const double *c,
                                  double *sum)
{
    int64_t n = work->system.n;
    rls2_status status = RLS2_OK;
    *sum = 0.0;
    if (!all_zero(n, c)) /* R may hold what overflowed */
        status = rls2__tiled_symv(work->effort, n, 1.0, work->system.R, n, c, work->f);
    else
        memset(work->f, 0, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < n && status == RLS2_OK; i++)
        *sum += (y[i] - work->f[i]) * (y[i] - work->f[i]);
    return status;
}

/* Mean of (c_i / [M^-1]_ii)^2 over `rows` rows, from L^-1.  [C5, W3] */
static rls2_status leave_one_out(rls2__effort *effort, int64_t n, double rows,
                                 const double *inverse, const double *c, double *mean)
{
    *mean = 0.0;
    for (int64_t i = 0; i < n && !rls2__effort_stopped(effort); i++) {
        double length = rls2__la_norm(n - i, inverse + i * n + i);
        double miss = c[i] / length / length; /* the square of the length may underflow */
        *mean += miss * miss / rows;
    }
    return rls2__effort_status(effort);
}

/* The same without the matrix, where the kernels of the point are of low rank. */
static rls2_status measure_lean(const workspace *work, const rls2_path *path, double rows,
                                const rls2__path_entry *entry, rls2_criteria *out, int *done)
{
    rls2__lean_criteria lean;
    const double *y = rls2__path_response(path);
    if (!rls2__basis_is_low(path->basis, entry->count, entry->ks) ||
        all_zero(path->basis->n, entry->c))
        return RLS2_OK;
    rls2_status status =
        rls2__criteria_lean(work->effort, path->basis, entry, y, work->own, &lean, done);
    if (status != RLS2_OK || !*done) return status;
    out->df = lean.df;
    out->rss = lean.rss;
    out->loo = lean.loo / rows;
    return RLS2_OK;
}

/* df and loo, from one factor. What overflows is not told. */
static rls2_status measure_smoother(workspace *work, const double *y, double lambda, double rows,
                                    rls2_criteria *out)
{
    rls2__system *system = &work->system;
    int64_t n = work->n;
    double df, loo;
    rls2_status status = rls2__system_factorize(system, lambda);
    if (status != RLS2_OK) return status == RLS2_ERR_NUMERIC ? RLS2_OK : status;
    memcpy(work->c, y, (size_t)n * sizeof(double));
    status = rls2__tiled_cholesky_solve(work->effort, n, 1, system->L, n, work->c, n);
    if (status == RLS2_OK) status = rls2__system_degrees_of_freedom(system, &df); /* leaves L^-1 */
    if (status == RLS2_OK) status = leave_one_out(work->effort, n, rows, system->L, work->c, &loo);
    if (status != RLS2_OK) return status;
    out->df = or_nan(df);
    out->loo = or_nan(loo);
    return RLS2_OK;
}

/* Of a general path nothing is factorised anew: df is what the path found, or NaN. The sum of the
 * loss is the negative logarithm of a likelihood, but for a constant, where AIC and BIC are told;
 * of the square loss with a free intercept it is rss / 2, from which all but loo follow.  [C7] */
static rls2_status measure_general(workspace *work, const rls2_path *path, double rows, int64_t i,
                                   rls2_criteria *out)
{
    const rls2_basis *basis = path->basis;
    double sum = 0.0, df = path->entries[i].point.df;
    rls2_status status = rls2__path_fitted(work->effort, path, i, work->f);
    for (int64_t t = 0; t < basis->n && status == RLS2_OK; t++)
        sum += (basis->weights ? basis->weights[t] : 1.0) *
               rls2_loss_value(path->loss, path->y[t], work->f[t]);
    *out = (rls2_criteria){df, NAN, NAN, NAN, NAN, NAN, NAN};
    if (path->loss.kind == RLS2_LOSS_SQUARE) out->rss = or_nan(2.0 * sum);
    if (path->loss.kind != RLS2_LOSS_LOGISTIC && path->loss.kind != RLS2_LOSS_POISSON)
        return status;
    out->aic = or_nan(2.0 * sum + 2.0 * df);
    out->bic = or_nan(2.0 * sum + log(rows) * df);
    return status;
}

/* df, rss and loo. A point where numbers overflowed has c = 0 and is no smoother: its rss alone is
 * told. */
static rls2_status measure_point(workspace *work, const rls2_path *path, double rows,
                                 const rls2__path_entry *entry, rls2_criteria *out)
{
    const double *y = rls2__path_response(path), *roots = path->basis->roots;
    int64_t n = path->basis->n;
    int done = 0;
    *out = (rls2_criteria){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int64_t i = 0; i < n; i++) work->own[i] = roots ? entry->c[i] / roots[i] : entry->c[i];
    rls2_status status = measure_lean(work, path, rows, entry, out, &done);
    if (status == RLS2_OK && !done) status = combine(work, path, entry);
    if (status != RLS2_OK || done) return status;
    status = squared_errors(work, y, work->own, &out->rss);
    out->rss = or_nan(out->rss);
    if (status != RLS2_OK || (all_zero(n, entry->c) && !all_zero(n, y))) return status;
    return measure_smoother(work, y, entry->point.lambda, rows, out);
}

static double count_rows(const rls2_basis *basis)
{
    double sum = 0.0;
    if (basis->is_virtual) return basis->represented;
    if (!basis->weights) return (double)basis->n;
    for (int64_t i = 0; i < basis->n; i++) sum += basis->weights[i];
    return sum;
}

static int has_freedom_left(double n, double df)
{
    return n - df > SATURATED * n; /* not so for NaN */
}

/* A fit that uses more than half of the rows' freedom follows the noise: its residuals do not tell
 * it, and the logarithm of rss falls faster than any multiple of df rises. */
static int is_modest(double n, double df)
{
    return df <= n / 2.0; /* not so for NaN */
}

/* sigma^2 = rss / (n - df) of the smallest lambda whose fit is modest; NaN if none is.  [C2] */
static double noise_variance(double n, int64_t count, const rls2_criteria *criteria)
{
    for (int64_t i = count - 1; i >= 0; i--)
        if (is_modest(n, criteria[i].df)) return criteria[i].rss / (n - criteria[i].df);
    return NAN;
}

static void derive(double n, double variance, rls2_criteria *at)
{
    at->cp = or_nan(at->rss / n + 2.0 * variance * at->df / n); /* [C2] */
    rls2__invariant(!(at->rss < 0.0) && !(at->loo < 0.0) && !(variance < 0.0));
    if (!has_freedom_left(n, at->df)) return;
    double left = 1.0 - at->df / n, fit = n * log(at->rss / n);
    at->gcv = or_nan(at->rss / n / (left * left)); /* [C1] */
    if (n - at->df - 1.0 > SATURATED * n)
        at->aic = or_nan(fit + 2.0 * at->df * n / (n - at->df - 1.0)); /* [C3] */
    if (is_modest(n, at->df)) at->bic = or_nan(fit + log(n) * at->df); /* [C4] */
}

/* After point i. */
static rls2_status tell(rls2__effort *effort, const rls2_path *path, int64_t i)
{
    const rls2_path_point *point = &path->entries[i].point;
    rls2_progress at = {.stage = "criteria",
                        .done = i + 1,
                        .total = path->count,
                        .lambda = point->lambda,
                        .gap = point->gap};
    return rls2__effort_tell(effort, &at) ? RLS2_ERR_CANCELLED : RLS2_OK;
}

rls2_status rls2__path_criteria(rls2__effort *effort, const rls2_path *path,
                                rls2_criteria *criteria)
{
    workspace work;
    double n = count_rows(path->basis);
    rls2_status status = workspace_create(effort, path, &work);
    for (int64_t i = 0; i < path->count && status == RLS2_OK; i++) {
        status = path->general ? measure_general(&work, path, n, i, &criteria[i])
                               : measure_point(&work, path, n, &path->entries[i], &criteria[i]);
        if (status == RLS2_OK) status = tell(effort, path, i);
    }
    workspace_free(&work);
    if (status != RLS2_OK) return status;
    double variance = noise_variance(n, path->count, criteria);
    for (int64_t i = 0; i < path->count && path->loss.kind == RLS2_LOSS_SQUARE; i++)
        derive(n, variance, &criteria[i]);
    /* to leave a virtual row out is not to leave a row out */
    for (int64_t i = 0; i < path->count && path->basis->is_virtual; i++)
        criteria[i].loo = (double)NAN;
    return RLS2_OK;
}
