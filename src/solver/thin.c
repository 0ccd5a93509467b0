/* From rows to virtual rows and back.
 *
 * With Q (n x r, Q'Q = I) such that R^k = Q S^k Q' for every k, and y = Q y1 + |y2| u, u'u = 1,
 * Q'u = 0, every c that solves the problem is Q c1 + u c2: the map keeps inner products, so that
 * y'c, c'R^k c, |r| and with them objective and gap are those of (y1, |y2|) and of the operators
 * S^k with a row of zeros below them. Q is never formed. */
#include "solver/thin.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/evaluate.h"
#include "solver/thin_basis.h"

/* The tolerance of the virtual problem, over that of the rows: rounding is to find room between. */
static const double SHARE = 0.98;
/* The rounding of a rotation over eps sqrt(n) and the trace of an operator; and the share of the
 * tolerance below which it is added to the gap, not looked at. */
static const double ROTATION = 8.0, OVERLOOKED = 0.01;

void rls2__thin_free(rls2__thin *thin)
{
    if (!thin) return;
    rls2__thin_free(thin->next);
    rls2__distinct_free(&thin->groups);
    rls2__qr_free(thin->qr);
    rls2__free(thin->basis.ops);
    rls2__free(thin->values);
    rls2__free(thin->block);
    rls2__free(thin);
}

rls2__problem *rls2__thin_last(rls2__thin *thin, rls2__problem *problem)
{
    for (; thin; thin = thin->next) problem = &thin->problem;
    return problem;
}

/* ---- vectors ---- */

/* v[r] = Q'x, and x loses Q v. */
static void project_on_groups(rls2__thin *thin, double *x, double *v)
{
    const rls2__distinct *groups = &thin->groups;
    int64_t n = thin->from->basis->n;
    memset(v, 0, (size_t)groups->count * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[groups->group[i]] += (groups->ratios ? groups->ratios[i] : 1.0) * x[i];
    for (int64_t g = 0; g < groups->count; g++) v[g] /= sqrt(groups->mass[g]);
    for (int64_t i = 0; i < n; i++) {
        int64_t g = groups->group[i];
        x[i] -= (groups->ratios ? groups->ratios[i] : 1.0) / sqrt(groups->mass[g]) * v[g];
    }
}

/* x = Q v */
static void expand_groups(const rls2__thin *thin, const double *v, double *x)
{
    const rls2__distinct *groups = &thin->groups;
    for (int64_t i = 0; i < thin->from->basis->n; i++) {
        int64_t g = groups->group[i];
        x[i] = (groups->ratios ? groups->ratios[i] : 1.0) / sqrt(groups->mass[g]) * v[g];
    }
}

/* thin->room = Q'x, lifted: of that the first r values are those wanted. */
static rls2_status rotate(rls2__thin *thin, const double *x)
{
    int64_t n = thin->from->basis->n, lift = rls2__qr_length(thin->qr) - n;
    memset(thin->room, 0, (size_t)lift * sizeof *thin->room);
    memcpy(thin->room + lift, x, (size_t)n * sizeof *x);
    return rls2__qr_apply_t(thin->from->effort, thin->qr, thin->room);
}

/* x = Q (thin->room) */
static rls2_status rotate_back(rls2__thin *thin, double *x)
{
    int64_t n = thin->from->basis->n, lift = rls2__qr_length(thin->qr) - n;
    rls2_status status = rls2__qr_apply(thin->from->effort, thin->qr, thin->room);
    if (status == RLS2_OK) memcpy(x, thin->room + lift, (size_t)n * sizeof *x);
    return status;
}

/* y1 and y2, which is not yet of length 1, of a response, and |y2|. What is left of it once the
 * first projection is taken off is projected again: that is how orthogonal rounding lets it be. */
static double split_by_groups(rls2__thin *thin, int64_t r)
{
    int64_t n = thin->from->basis->n;
    memcpy(thin->rest, thin->from->y, (size_t)n * sizeof(double));
    project_on_groups(thin, thin->rest, thin->y);
    project_on_groups(thin, thin->rest, thin->room);
    rls2__la_axpy(r, 1.0, thin->room, thin->y);
    return rls2__la_norm(n, thin->rest);
}

/* Of what is lifted only the rows come back. Where columns depend on each other some of y2 is in
 * the zeros above them, with the opposite in Q y1: the length is that before. */
static rls2_status split_by_rotation(rls2__thin *thin, int64_t r, double *length)
{
    rls2_status status = rotate(thin, thin->from->y);
    if (status != RLS2_OK) return status;
    memcpy(thin->y, thin->room, (size_t)r * sizeof(double));
    memset(thin->room, 0, (size_t)r * sizeof(double));
    *length = rls2__la_norm(rls2__qr_length(thin->qr), thin->room);
    return rotate_back(thin, thin->rest);
}

static rls2_status split_response(rls2__thin *thin)
{
    int64_t n = thin->from->basis->n, r = thin->basis.n - 1;
    rls2_status status = RLS2_OK;
    double length = 0.0;
    if (thin->qr)
        status = split_by_rotation(thin, r, &length);
    else
        length = split_by_groups(thin, r);
    if (status != RLS2_OK) return status;
    thin->y[r] = length;
    for (int64_t i = 0; i < n && length > 0.0; i++) thin->rest[i] /= length;
    return RLS2_OK;
}

static rls2_status raise_one(rls2__thin *thin, const double *v, double *c)
{
    int64_t n = thin->from->basis->n, r = thin->basis.n - 1;
    rls2_status status = RLS2_OK;
    if (thin->qr) {
        memset(thin->room, 0, (size_t)rls2__qr_length(thin->qr) * sizeof(double));
        memcpy(thin->room, v, (size_t)r * sizeof(double));
        status = rotate_back(thin, c);
    } else {
        expand_groups(thin, v, c);
    }
    if (status == RLS2_OK) rls2__la_axpy(n, v[r], thin->rest, c);
    return status;
}

static rls2_status lower_one(rls2__thin *thin, const double *c, double *v)
{
    int64_t n = thin->from->basis->n, r = thin->basis.n - 1;
    rls2_status status = RLS2_OK;
    v[r] = rls2__la_dot(n, thin->rest, c);
    if (thin->qr) {
        status = rotate(thin, c);
        memcpy(v, thin->room, (size_t)r * sizeof *v);
    } else {
        memcpy(thin->c, c, (size_t)n * sizeof *c);
        project_on_groups(thin, thin->c, v);
    }
    return status;
}

rls2_status rls2__thin_raise_vector(rls2__thin *thin, const double *virtual_c, double *c)
{
    if (!thin->next) return raise_one(thin, virtual_c, c);
    rls2_status status = rls2__thin_raise_vector(thin->next, virtual_c, thin->next->c);
    return status == RLS2_OK ? raise_one(thin, thin->next->c, c) : status;
}

rls2_status rls2__thin_lower_vector(rls2__thin *thin, const double *c, double *virtual_c)
{
    if (!thin->next) return lower_one(thin, c, virtual_c);
    rls2_status status = lower_one(thin, c, thin->next->c);
    return status == RLS2_OK ? rls2__thin_lower_vector(thin->next, thin->next->c, virtual_c)
                             : status;
}

/* ---- answers ---- */

/* f = R(d) c; v, work: n */
static rls2_status fit_of(const rls2__problem *problem, const rls2__answer *answer, double *f,
                          double *v, double *work)
{
    int64_t n = problem->basis->n;
    rls2_status status = RLS2_OK;
    memset(f, 0, (size_t)n * sizeof *f);
    for (int64_t t = 0; t < answer->count && status == RLS2_OK; t++) {
        status =
            rls2__basis_apply(problem->effort, problem->basis, answer->ks[t], answer->c, v, work);
        if (status == RLS2_OK) rls2__la_axpy(n, answer->d[t], v, f);
    }
    return status;
}

/* Objective, gap and residual of (c, d) from the operators of the rows: what the virtual problem
 * says of them but for the rounding of the rotation. */
static rls2_status judge(rls2__thin *thin, double tol, rls2__answer *answer)
{
    const rls2__problem *problem = thin->from;
    const rls2_basis *basis = problem->basis;
    int64_t n = basis->n;
    double *f = thin->room, *v = f + n, *work = v + n;
    double squares = rls2__la_dot(n, answer->c, answer->c), largest = 0.0, bounded = 0.0;
    rls2_status status = fit_of(problem, answer, f, v, work);
    if (status == RLS2_OK)
        status =
            rls2__basis_price(problem->effort, basis, answer->c, basis->m, thin->ks, thin->q, work);
    if (status != RLS2_OK) return status;
    for (int64_t k = 0; k < basis->m; k++) {
        if (isnan(thin->q[k])) return RLS2_ERR_NUMERIC;
        largest = fmax(largest, thin->q[k]);
        bounded = fmax(bounded, thin->q[k] + basis->ops[k].slack * squares);
    }
    rls2__bounds bounds = rls2__combined_bounds(basis, answer->count, answer->ks, answer->d);
    rls2__evaluation at = rls2__evaluate(problem, answer->point.lambda, answer->c, f, bounded,
                                         bounded - largest, bounds);
    if (!isfinite(at.gap)) return RLS2_ERR_NUMERIC;
    answer->point.objective = at.objective;
    answer->point.gap = at.gap;
    answer->point.residual = at.residual;
    if (answer->point.outcome == RLS2_OUTCOME_CONVERGED && !(at.gap <= tol))
        answer->point.outcome = RLS2_OUTCOME_STALLED;
    return RLS2_OK;
}

double rls2__thin_tolerance(const rls2__thin *thin, double tol)
{
    for (; thin; thin = thin->next)
        if (thin->qr) return SHARE * tol;
    return tol;
}

/* What the rounding of the rotation can add to a relative gap: operators that are off by e change
 * max_k q_k and c'f by e |c|^2 each, and lambda |c|^2 <= y'c. */
static double rotation_share(const rls2__thin *thin, double lambda)
{
    const rls2_basis *basis = thin->from->basis;
    double trace = 0.0;
    for (int64_t k = 0; k < basis->m; k++) trace = fmax(trace, basis->ops[k].trace);
    double off = ROTATION * DBL_EPSILON * sqrt((double)basis->n) * trace / lambda;
    return 2.0 * off + off * off;
}

/* A point found by way of a rotation, for the operators that were rotated. */
static rls2_status settle(rls2__thin *thin, double tol, rls2__answer *answer)
{
    double share = rotation_share(thin, answer->point.lambda);
    if (!(share <= OVERLOOKED * tol)) return judge(thin, tol, answer);
    answer->point.gap += share;
    return RLS2_OK;
}

rls2_status rls2__thin_raise(rls2__thin *thin, double tol, rls2__answer *answer)
{
    rls2_status status = RLS2_OK;
    if (thin->next) status = rls2__thin_raise(thin->next, tol, answer);
    if (status == RLS2_OK) status = raise_one(thin, answer->c, thin->c);
    if (status != RLS2_OK) return status;
    answer->c = thin->c;
    return thin->qr ? settle(thin, tol, answer) : RLS2_OK;
}

/* ---- making ---- */

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__thin *thin = owner;
    int64_t n = thin->from->basis->n, m = thin->from->basis->m, room = thin->basis.n;
    if (thin->qr) {
        int64_t lifted = rls2__qr_length(thin->qr);
        room = lifted > rls2__mul(3, n) ? lifted : rls2__mul(3, n);
    }
    thin->y = rls2__layout_take(layout, thin->basis.n, sizeof(double));
    thin->rest = rls2__layout_take(layout, n, sizeof(double));
    thin->c = rls2__layout_take(layout, n, sizeof(double));
    thin->room = rls2__layout_take(layout, room, sizeof(double));
    thin->q = rls2__layout_take(layout, m, sizeof(double));
    thin->ks = rls2__layout_take(layout, m, sizeof(int64_t));
}

static void pose_problem(rls2__thin *thin)
{
    thin->problem = *thin->from;
    thin->problem.basis = &thin->basis;
    thin->problem.y = thin->y;
    thin->problem.y_norm = rls2__la_norm(thin->basis.n, thin->y);
}

typedef enum thinning { BY_GROUPS, BY_ROTATION } thinning;

static rls2_status make_basis(thinning way, rls2__thin *thin)
{
    const rls2__problem *problem = thin->from;
    if (way == BY_GROUPS)
        return rls2__thin_group(problem->basis, &thin->groups, &thin->basis, &thin->values);
    return rls2__thin_rotate(problem->effort, problem->basis, &thin->qr, &thin->basis,
                             &thin->values);
}

/* One step; *made is NULL where there is none to make. */
static rls2_status make(const rls2__problem *problem, thinning way, rls2__thin **made)
{
    *made = NULL;
    rls2__thin *thin = rls2__alloc_zero(1, sizeof *thin);
    if (!thin) return RLS2_ERR_MEMORY;
    thin->from = problem;
    rls2_status status = make_basis(way, thin);
    if (status == RLS2_OK && thin->values) {
        thin->block = rls2__layout_alloc(lay_out, thin);
        status = thin->block ? split_response(thin) : RLS2_ERR_MEMORY;
        for (int64_t k = 0; status == RLS2_OK && k < thin->basis.m; k++) thin->ks[k] = k;
    }
    if (status == RLS2_OK && thin->values) {
        pose_problem(thin);
        *made = thin;
    } else {
        rls2__thin_free(thin);
    }
    return status;
}

rls2_status rls2__thin_create(const rls2__problem *problem, rls2__thin **out)
{
    rls2__thin *grouped = NULL, *rotated = NULL;
    rls2_status status = make(problem, BY_GROUPS, &grouped);
    if (status == RLS2_OK)
        status = make(grouped ? &grouped->problem : problem, BY_ROTATION, &rotated);
    if (grouped) grouped->next = rotated;
    rls2__thin *thin = grouped ? grouped : rotated;
    if (status == RLS2_OK)
        *out = thin;
    else
        rls2__thin_free(thin);
    return status;
}
