/* Factorises and solves the systems of several outputs with one R(d). */
#include "solver/shared_system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "la/tiles.h"
#include "solver/system.h"

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__joint_system *it = owner;
    int64_t n = it->n, k = it->outputs, square = it->coupled ? rls2__mul(n, n) : 0;
    it->S = rls2__layout_take(layout, square, sizeof(double));
    it->sum = rls2__layout_take(layout, square, sizeof(double));
    it->T = rls2__layout_take(layout, rls2__mul(k, k), sizeof(double));
    it->b = rls2__layout_take(layout, k, sizeof(double));
    it->rest = rls2__layout_take(layout, rls2__mul(n, k), sizeof(double));
    it->made = rls2__layout_take(layout, rls2__mul(n, k), sizeof(double));
    it->own = rls2__layout_take(layout, n, sizeof(double));
    it->part = rls2__layout_take(layout, rls2__mul(it->room, it->room), sizeof(double));
    it->A = rls2__layout_take(layout, rls2__mul(k, it->room), sizeof(double));
}

rls2_status rls2__joint_system_create(rls2__effort *effort, const rls2_basis *basis, int64_t memory,
                                      int64_t outputs, rls2__joint_kind kind, int64_t room,
                                      const double *e, rls2__joint_system *it)
{
    *it = (rls2__joint_system){.n = basis->n,
                               .outputs = outputs,
                               .coupled = kind.coupled,
                               .alike = kind.alike,
                               .is_free = kind.is_free,
                               .e = e,
                               .room = room};
    rls2_status status = rls2__curved_create(effort, basis, memory, &it->curved);
    if (status != RLS2_OK) return status;
    it->curved.factors = kind.alike ? 1 : outputs;
    if (kind.coupled) it->curved.limit = 0; /* E_o is formed: R(d) as well */
    it->block = rls2__layout_alloc(lay_out, it);
    return it->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__joint_system_free(rls2__joint_system *it)
{
    rls2__curved_free(&it->curved);
    rls2__free(it->block);
    memset(it, 0, sizeof *it);
}

rls2_status rls2__joint_system_apply(rls2__joint_system *it, const double *c, double *out)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < it->outputs && status == RLS2_OK; o++)
        status = rls2__curved_apply(&it->curved, c + o * it->n, out + o * it->n);
    return status;
}

/* ---- E_o ---- */

static const double *root_of(const rls2__joint_system *it, int64_t o)
{
    return it->root + (it->alike ? 0 : o * it->n);
}

static void select_output(rls2__joint_system *it, int64_t o)
{
    rls2__curved_select(&it->curved, it->alike ? 0 : o, root_of(it, o));
}

/* L, a factor of B, becomes D B^-1 D, lower triangle. */
static rls2_status invert(rls2__joint_system *it, const double *root, double *L)
{
    int64_t n = it->n;
    rls2__effort *effort = it->curved.effort;
    rls2_status status = rls2__tiled_lower_inverse(effort, n, L, n);
    if (status != RLS2_OK) return status;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < j; i++) L[j * n + i] = 0.0;
    /* of B^-1 = (L^-1)'(L^-1) the room is that of D R D, which was needed for the factor only */
    double *inverse = it->curved.scaled;
    status = rls2__tiled_gram(effort, n, n, L, n, inverse, n);
    for (int64_t j = 0; j < n && status == RLS2_OK; j++)
        for (int64_t i = j; i < n; i++) L[j * n + i] = root[j] * root[i] * inverse[j * n + i];
    return status;
}

/* E_o of all outputs, and the factor of their sum. */
static rls2_status couple(rls2__joint_system *it, double lambda)
{
    int64_t n = it->n;
    memset(it->sum, 0, (size_t)(n * n) * sizeof(double));
    for (int64_t o = 0; o < it->outputs; o++) {
        it->curved.at = o;
        rls2_status status = rls2__curved_factorize(&it->curved, lambda, root_of(it, o));
        double *E = rls2__curved_factor(&it->curved);
        if (status == RLS2_OK) status = invert(it, root_of(it, o), E);
        if (status != RLS2_OK) return status;
        for (int64_t t = 0; t < n * n; t++) it->sum[t] += E[t];
    }
    double jitter; /* a shift that changes nothing: S needs none but where it rounds to less */
    return rls2__factorize(it->curved.effort, n, it->sum, DBL_MIN, it->S, &jitter,
                           &it->curved.factorizations);
}

static rls2_status factorize_apart(rls2__joint_system *it, double lambda)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < it->curved.factors && status == RLS2_OK; o++) {
        it->curved.at = o;
        status = rls2__curved_factorize(&it->curved, lambda, root_of(it, o));
    }
    return status;
}

/* x = E_o x */
static rls2_status solve_output(rls2__joint_system *it, int64_t o, double *x)
{
    int64_t n = it->n;
    const double *root = root_of(it, o);
    if (it->coupled) {
        it->curved.at = o;
        memcpy(it->own, x, (size_t)n * sizeof(double));
        return rls2__tiled_symv(it->curved.effort, n, 1.0, rls2__curved_factor(&it->curved), n,
                                it->own, x);
    }
    select_output(it, o);
    for (int64_t i = 0; i < n; i++) x[i] *= root[i];
    rls2_status status = rls2__curved_solve(&it->curved, x);
    for (int64_t i = 0; i < n; i++) x[i] *= root[i];
    return status;
}

/* ---- M^-1 ---- */

static rls2_status solve_each(rls2__joint_system *it, double *x)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < it->outputs && status == RLS2_OK; o++)
        status = solve_output(it, o, x + o * it->n);
    return status;
}

/* x = M^-1 x */
static rls2_status solve_all(rls2__joint_system *it, double *x)
{
    int64_t n = it->n;
    rls2_status status = RLS2_OK;
    if (!it->coupled) return solve_each(it, x);
    /* E_o applied to small differences of x, not differences of what E_o makes of large ones */
    memcpy(it->rest, x, (size_t)(n * it->outputs) * sizeof(double));
    status = solve_each(it, it->rest);
    if (status != RLS2_OK) return status;
    for (int64_t o = 1; o < it->outputs; o++) rls2__la_axpy(n, 1.0, it->rest + o * n, it->rest);
    status = rls2__tiled_cholesky_solve(it->curved.effort, n, 1, it->S, n, it->rest, n);
    for (int64_t o = 0; o < it->outputs; o++) rls2__la_axpy(n, -1.0, it->rest, x + o * n);
    return status == RLS2_OK ? solve_each(it, x) : status;
}

static double sum_of(const rls2__joint_system *it, const double *x)
{
    return rls2__la_dot(it->n, it->e, x);
}

/* The column of T that belongs to output o. */
static rls2_status column_of_T(rls2__joint_system *it, int64_t o)
{
    int64_t n = it->n, k = it->outputs;
    double *x = it->made;
    memset(x, 0, (size_t)(n * k) * sizeof(double));
    memcpy(x + o * n, it->e, (size_t)n * sizeof(double));
    rls2_status status = solve_all(it, x);
    for (int64_t j = 0; j < k; j++) it->T[o * k + j] = sum_of(it, x + j * n);
    return status;
}

/* Coupled intercepts may all move alike: along 1 T is 0, and is given its mean curvature there. */
static rls2_status factorize_T(rls2__joint_system *it)
{
    int64_t n = it->n, k = it->outputs;
    rls2_status status = RLS2_OK;
    double *x = it->made, trace = 0.0;
    for (int64_t o = 0; o < k && status == RLS2_OK && it->coupled; o++) status = column_of_T(it, o);
    for (int64_t o = 0; o < k && status == RLS2_OK && !it->coupled; o++) {
        memcpy(x, it->e, (size_t)n * sizeof(double));
        status = solve_output(it, o, x);
        it->T[o] = sum_of(it, x);
    }
    if (status != RLS2_OK || !it->coupled) return status;
    for (int64_t o = 0; o < k; o++) trace += it->T[o * k + o];
    for (int64_t t = 0; t < k * k; t++) it->T[t] += trace / (double)k;
    for (int64_t o = 0; o < k; o++) it->T[o * k + o] += DBL_EPSILON * trace;
    return rls2__la_cholesky(k, it->T, k) == 0 ? RLS2_OK : RLS2_ERR_NUMERIC;
}

rls2_status rls2__joint_system_factorize(rls2__joint_system *it, double lambda, const double *root)
{
    it->root = root;
    rls2_status status = it->coupled ? couple(it, lambda) : factorize_apart(it, lambda);
    return status == RLS2_OK && it->is_free ? factorize_T(it) : status;
}

int rls2__joint_system_moves(const rls2__joint_system *it, int64_t o)
{
    return it->is_free && (it->coupled || it->T[o] > 0.0);
}

/* b = T^-1 b */
static void solve_T(const rls2__joint_system *it, double *b)
{
    if (it->coupled) {
        rls2__la_cholesky_solve(it->outputs, 1, it->T, it->outputs, b, it->outputs);
        return;
    }
    for (int64_t o = 0; o < it->outputs; o++) b[o] = it->T[o] > 0.0 ? b[o] / it->T[o] : 0.0;
}

/* x -= M^-1 e b */
static rls2_status take_off(rls2__joint_system *it, const double *b, double *x)
{
    int64_t n = it->n;
    double *made = it->made;
    for (int64_t o = 0; o < it->outputs; o++)
        for (int64_t i = 0; i < n; i++) made[o * n + i] = b[o] * it->e[i];
    rls2_status status = solve_all(it, made);
    rls2__la_axpy(n * it->outputs, -1.0, made, x);
    return status;
}

rls2_status rls2__joint_system_solve(rls2__joint_system *it, const double *balance, double *x,
                                     double *b)
{
    int64_t n = it->n, k = it->outputs;
    for (int64_t o = 0; o < k; o++) b[o] = 0.0;
    rls2_status status = solve_all(it, x);
    if (status != RLS2_OK || !it->is_free) return status;
    for (int64_t o = 0; o < k; o++) b[o] = balance[o] + sum_of(it, x + o * n);
    solve_T(it, b);
    return take_off(it, b, x);
}

/* ---- the Hessian in d ---- */

/* What output o, apart from the others, adds: as in proximal.c, of what is left when e is projected
 * out. */
static rls2_status add_output(rls2__joint_system *it, int64_t o, int64_t w, double *V, double *H,
                              int64_t ld)
{
    int64_t n = it->n, columns = it->is_free ? w + 1 : w, rows;
    double *part = it->part;
    select_output(it, o);
    memcpy(V + w * n, it->e, (size_t)n * sizeof(double));
    rls2_status status = rls2__curved_halves(&it->curved, columns, V, &rows);
    if (status != RLS2_OK) return status;
    double *U = it->curved.halves, *one = U + w * rows;
    double square = it->is_free ? rls2__la_dot(rows, one, one) : 0.0;
    for (int64_t j = 0; j < w && square > 0.0; j++)
        rls2__la_axpy(rows, -rls2__la_dot(rows, one, U + j * rows) / square, one, U + j * rows);
    status = rls2__tiled_gram(it->curved.effort, rows, w, U, rows, part, w);
    for (int64_t j = 0; j < w; j++)
        for (int64_t i = j; i < w; i++) H[j * ld + i] += part[j * w + i];
    return status;
}

/* Column j of H, before intercepts are projected out, and of A. */
static rls2_status coupled_column(rls2__joint_system *it, int64_t j, int64_t w, const double *V,
                                  double *H, int64_t ld)
{
    int64_t n = it->n, stride = n * (it->room + 1);
    double *x = it->made;
    for (int64_t o = 0; o < it->outputs; o++)
        memcpy(x + o * n, V + o * stride + j * n, (size_t)n * sizeof(double));
    rls2_status status = solve_all(it, x);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < it->outputs; o++) {
        for (int64_t i = j; i < w; i++)
            H[j * ld + i] += rls2__la_dot(n, V + o * stride + i * n, x + o * n);
        it->A[j * it->outputs + o] = sum_of(it, x + o * n);
    }
    return status;
}

/* A sum that may have lost its sign to rounding keeps it by this share of the largest. */
static const double STEADY = 1e-13;

/* H -= A'T^-1 A */
static void project_out(rls2__joint_system *it, int64_t w, double *H, int64_t ld)
{
    int64_t k = it->outputs;
    for (int64_t j = 0; j < w; j++) rls2__la_lower_solve(k, 1, it->T, k, it->A + j * k, k);
    for (int64_t j = 0; j < w; j++)
        for (int64_t i = j; i < w; i++)
            H[j * ld + i] -= rls2__la_dot(k, it->A + i * k, it->A + j * k);
}

static rls2_status coupled_hessian(rls2__joint_system *it, int64_t w, const double *V, double *H,
                                   int64_t ld)
{
    double largest = 0.0;
    rls2_status status = RLS2_OK;
    for (int64_t j = 0; j < w && status == RLS2_OK; j++)
        status = coupled_column(it, j, w, V, H, ld);
    if (status != RLS2_OK) return status;
    if (it->is_free) project_out(it, w, H, ld);
    for (int64_t j = 0; j < w; j++) largest = fmax(largest, H[j * ld + j]);
    for (int64_t j = 0; j < w; j++) H[j * ld + j] += STEADY * largest;
    return RLS2_OK;
}

rls2_status rls2__joint_system_hessian(rls2__joint_system *it, int64_t w, double *V, double *H,
                                       int64_t ld)
{
    rls2__invariant(w <= it->room);
    for (int64_t j = 0; j < w; j++) memset(H + j * ld, 0, (size_t)w * sizeof(double));
    if (it->coupled) return coupled_hessian(it, w, V, H, ld);
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < it->outputs && status == RLS2_OK; o++)
        status = add_output(it, o, w, V + o * it->n * (it->room + 1), H, ld);
    return status;
}

rls2_status rls2__joint_system_df(rls2__joint_system *it, double lambda, const double *root,
                                  double *df)
{
    rls2_status status = RLS2_OK;
    it->root = root;
    for (int64_t o = 0; o < it->curved.factors && status == RLS2_OK; o++) {
        it->curved.at = o;
        status = rls2__curved_factorize(&it->curved, lambda, root_of(it, o));
        if (status == RLS2_OK) status = rls2__curved_degrees_of_freedom(&it->curved, &df[o]);
    }
    for (int64_t o = it->curved.factors; o < it->outputs; o++) df[o] = df[0];
    return status;
}
