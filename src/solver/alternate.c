/* The paper's Algorithm 1, as written.
 *
 *   d = e_i, i = argmax y'R^k y                              (or the last lambda's d)
 *   repeat  c = (R(d) + lambda I)^-1 y,  u = y - lambda c / 2,  v_k = R^k c,
 *           d = argmin |V d - u|^2 on the simplex                           [PBM06]
 *   until   |(R(d) + lambda I) c - y| <= delta |y|
 *
 * so that at the end c belongs to the d before the last. The residual is
 * V d + lambda c - y, at no cost, and V gives every q_k = c'v_k, hence the gap. */
#include "solver/alternate.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/evaluate.h"
#include "solver/simplex_qp.h"
#include "solver/solver.h"
#include "solver/system.h"

static const double GAIN_TOL = 1e-10; /* of the least-squares problem's optimality, relative */
enum { JOIN_AT_ONCE = 8 };

typedef struct alternate {
    const rls2__problem *problem;
    rls2__system system;
    rls2__simplex_qp *qp;
    int64_t room;
    int64_t count; /* working set of the least-squares problem */
    int64_t *ks;
    int64_t *all; /* m: every kernel */
    double *d;
    unsigned char *in_set; /* m flags */
    double *V;             /* n x m */
    double *W;             /* n x room: its columns in the working set */
    double *H;             /* room x room: their inner products */
    double *g;             /* their products with u */
    double *gain;          /* m: V'(u - V d) */
    double *c, *u, *f, *work;
    void *block; /* all of these arrays */
} alternate;

static void alternate_free(void *state)
{
    alternate *s = state;
    if (!s) return;
    rls2__system_free(&s->system);
    rls2__simplex_qp_free(s->qp);
    rls2__free(s->block);
    rls2__free(s);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    alternate *s = owner;
    int64_t n = s->problem->basis->n, m = s->problem->basis->m, room = s->room;
    s->ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->all = rls2__layout_take(layout, m, sizeof(int64_t));
    s->d = rls2__layout_take(layout, room, sizeof(double));
    s->in_set = rls2__layout_take(layout, m, 1);
    s->V = rls2__layout_take(layout, rls2__mul(n, m), sizeof(double));
    s->W = rls2__layout_take(layout, rls2__mul(n, room), sizeof(double));
    s->H = rls2__layout_take(layout, rls2__mul(room, room), sizeof(double));
    s->g = rls2__layout_take(layout, room, sizeof(double));
    s->gain = rls2__layout_take(layout, m, sizeof(double));
    s->c = rls2__layout_take(layout, n, sizeof(double));
    s->u = rls2__layout_take(layout, n, sizeof(double));
    s->f = rls2__layout_take(layout, n, sizeof(double));
    s->work = rls2__layout_take(layout, n, sizeof(double));
}

static rls2_status alternate_room(alternate *s, const rls2_basis *basis)
{
    s->room = rls2__working_room(basis);
    s->qp = rls2__simplex_qp_create(s->room);
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->qp || !s->block) return RLS2_ERR_MEMORY;
    memset(s->in_set, 0, (size_t)basis->m);
    for (int64_t k = 0; k < basis->m; k++) s->all[k] = k;
    return rls2__system_create(s->problem->effort, basis, s->problem->options.memory, &s->system);
}

/* ---- the least-squares problem on the simplex ---- */

static void include(alternate *s, int64_t k)
{
    int64_t n = s->problem->basis->n, at = s->count++;
    double *w = s->W + at * n;
    rls2__invariant(at < s->room && !s->in_set[k]);
    memcpy(w, s->V + k * n, (size_t)n * sizeof(double));
    s->ks[at] = k;
    s->in_set[k] = 1;
    s->g[at] = rls2__la_dot(n, w, s->u);
    for (int64_t t = 0; t <= at; t++) s->H[t * s->room + at] = rls2__la_dot(n, w, s->W + t * n);
}

/* Keeps the kernels with d > 0 and rebuilds W, H, g for them at the present V and u. */
static void restart_set(alternate *s)
{
    int64_t old = s->count;
    s->count = 0;
    for (int64_t i = 0; i < old; i++) {
        int64_t k = s->ks[i];
        s->in_set[k] = 0;
        if (!(s->d[i] > 0.0)) continue;
        s->d[s->count] = s->d[i];
        include(s, k);
    }
    for (int64_t i = s->count; i < old; i++) s->d[i] = 0.0;
    rls2__invariant(rls2__is_on_simplex(s->count, s->d) || !rls2__is_finite(s->count, s->g));
    rls2__invariant(rls2__is_unique(s->count, s->ks, s->problem->basis->m));
}

static void fit_of_weights(alternate *s)
{
    int64_t n = s->problem->basis->n;
    memset(s->f, 0, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < s->count; i++) rls2__la_axpy(n, s->d[i], s->W + i * n, s->f);
}

/* Adds the kernels outside the set with the largest gain above the set's own. Returns
 * how many were added. */
static int64_t widen_set(alternate *s)
{
    const rls2_basis *basis = s->problem->basis;
    int64_t n = basis->n, added = 0;
    double common = 0.0, scale = 0.0;
    fit_of_weights(s);
    for (int64_t i = 0; i < n; i++) s->work[i] = s->u[i] - s->f[i];
    rls2__la_gemv_t(n, basis->m, s->V, n, s->work, s->gain);
    for (int64_t i = 0; i < s->count; i++) {
        common += s->d[i] * s->gain[s->ks[i]];
        scale = fmax(scale, fabs(s->g[i]));
    }
    for (; added < JOIN_AT_ONCE && s->count < s->room; added++) {
        int64_t best = -1;
        for (int64_t k = 0; k < basis->m; k++)
            if (!s->in_set[k] && basis->s[k] > 0.0 && s->gain[k] > common + GAIN_TOL * scale &&
                (best < 0 || s->gain[k] > s->gain[best]))
                best = k;
        if (best < 0) break;
        s->d[s->count] = 0.0;
        include(s, best);
    }
    return added;
}

static void minimise_weights(alternate *s)
{
    restart_set(s);
    /* each round adds kernels, so m rounds are more than can be needed */
    for (int64_t round = 0; round < s->problem->basis->m + 1; round++) {
        rls2__simplex_qp_solve(s->qp, s->count, s->H, s->room, s->g, s->d);
        if (s->count == s->room) restart_set(s);
        if (widen_set(s) == 0) break;
    }
    restart_set(s);
    fit_of_weights(s);
}

/* ---- the iterations ---- */

static rls2_status minimise_coefficients(alternate *s, double lambda)
{
    const rls2__problem *problem = s->problem;
    const rls2_basis *basis = problem->basis;
    rls2_status status = rls2__system_combine(&s->system, s->count, s->ks, s->d);
    if (status == RLS2_OK) status = rls2__system_factorize(&s->system, lambda);
    if (status == RLS2_OK) status = rls2__system_solve(&s->system, problem->y, s->c);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < basis->n; i++) s->u[i] = problem->y[i] - 0.5 * lambda * s->c[i];
    return rls2__system_apply(&s->system, basis->m, s->all, s->c, s->V, s->work);
}

static double largest_q(const alternate *s)
{
    const rls2_basis *basis = s->problem->basis;
    double squares = rls2__la_dot(basis->n, s->c, s->c), largest = 0.0;
    rls2__invariant(!(squares < 0.0));
    for (int64_t k = 0; k < basis->m; k++) {
        double q = rls2__la_dot(basis->n, s->c, s->V + k * basis->n);
        largest = fmax(largest, q + basis->ops[k].slack * squares);
    }
    return largest;
}

static rls2_status degrees_of_freedom(alternate *s, double lambda, double *df)
{
    *df = NAN;
    if (s->problem->options.degrees_of_freedom == RLS2_DF_NONE) return RLS2_OK;
    rls2_status status = rls2__system_combine(&s->system, s->count, s->ks, s->d);
    if (status == RLS2_OK) status = rls2__system_factorize(&s->system, lambda);
    if (status == RLS2_OK) status = rls2__system_degrees_of_freedom(&s->system, df);
    return status;
}

static rls2_status alternate_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    alternate *s = state;
    const rls2__problem *problem = s->problem;
    s->system.effort = problem->effort; /* another where a path goes on */
    int64_t factorizations = s->system.factorizations;
    rls2__evaluation at = {0};
    rls2_path_point point = {.lambda = lambda, .outcome = RLS2_OUTCOME_MAX_ITER};
    (void)tol; /* the rule is the residual's, and no lambda is solved loosely */
    while (point.outcome != RLS2_OUTCOME_CONVERGED &&
           point.iterations < problem->options.max_iter) {
        rls2_status status = minimise_coefficients(s, lambda);
        if (status != RLS2_OK) return status;
        minimise_weights(s);
        point.iterations++;
        rls2__bounds bounds = rls2__combined_bounds(problem->basis, s->count, s->ks, s->d);
        at = rls2__evaluate(problem, lambda, s->c, s->f, largest_q(s), 0.0, bounds);
        if (at.residual <= problem->options.delta) point.outcome = RLS2_OUTCOME_CONVERGED;
        status = problem->tick(problem, lambda, at.gap);
        if (status != RLS2_OK) return status;
    }
    if (!isfinite(at.gap)) return RLS2_ERR_NUMERIC;
    point.objective = at.objective;
    point.gap = at.gap;
    point.residual = at.residual;
    point.factorizations = s->system.factorizations - factorizations;
    point.priced = point.offered = point.iterations * problem->basis->m;
    point.selected = s->count;
    rls2__sort_weights(s->count, s->ks, s->d);
    rls2_status status = degrees_of_freedom(s, lambda, &point.df);
    if (status != RLS2_OK) return status;
    *answer = (rls2__answer){point, s->count, s->ks, s->d, s->c, 0.0, NULL};
    return RLS2_OK;
}

static int alternate_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                            const double *c)
{
    alternate *s = state;
    (void)c; /* an iteration begins with c for the weights in hand */
    for (int64_t i = 0; i < s->count; i++) s->in_set[s->ks[i]] = 0;
    memcpy(s->ks, ks, (size_t)count * sizeof *ks);
    memcpy(s->d, d, (size_t)count * sizeof *d);
    s->count = count;
    return 1;
}

rls2_status rls2__alternate_create(const rls2__problem *problem, rls2__method *method)
{
    double alignment;
    alternate *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->problem = problem;
    rls2_status status = alternate_room(s, problem->basis);
    if (status == RLS2_OK) status = rls2__first_kernel(problem, &s->ks[0], &alignment);
    if (status != RLS2_OK) {
        alternate_free(s);
        return status;
    }
    s->count = 1;
    s->d[0] = 1.0;
    *method = (rls2__method){s, alternate_solve, alternate_free, alternate_resume};
    return RLS2_OK;
}
