/* One point of Newton's method.
 *
 * Work that the answer does not need is not done. Where a kernel already known to exceed
 * the mean by far shows that another iteration will come, only those likely to enter are
 * priced; the gap is then an upper bound. So it is at weights of other rows, which are
 * followed by a step in any case. R(d) is formed anew only where d has changed, not at the
 * next lambda. Where lambda exceeds |R(d)| by far a few conjugate gradients give c, and M is
 * factorised only if a step is to be made. */
#include "solver/newton_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "la/la.h"
#include "solver/evaluate.h"

static const double SPARED_SHARE =
    0.25; /* of gap_tol: kernels this close to the mean are not priced */
/* lambda / |R(d)| from which conjugate gradients, at most ten or so, cost less than a factorisation
 */
static const double DOMINANT = 10.0;
/* A kernel whose q_k exceeds the mean by this share of y'c shows that the point is not the last,
 * nor the last but one; closer to the end a kernel that is found late would cost an iteration. In
 * any case by more than what would pass: this many times the tolerance, and rounding. That is
 * enough where the start was near, and estimates of who may enter are good. */
static const double UNDONE = 0.1, UNDONE_TOL = 2.0, UNDONE_ROUNDING = 8.0;

#ifdef RLS2_INVARIANTS
int rls2__newton_has_working_set(const rls2__newton *s)
{
    int64_t m = s->problem->basis->m, flags = 0;
    for (int64_t k = 0; k < m; k++) flags += s->set.in_set[k];
    if (flags != s->set.active || !rls2__is_unique(s->set.count, s->set.ks, m)) return 0;
    for (int64_t i = 0; i < s->set.count; i++)
        if (s->set.in_set[s->set.ks[i]] != (i < s->set.active)) return 0;
    return 1;
}
#endif

rls2_status rls2__newton_factorize_at(rls2__newton *s, int64_t count, const double *d,
                                      double lambda)
{
    s->formed = s->factored = 0;
    rls2__invariant(rls2__is_on_simplex(count, d) || !rls2__is_finite(count, d));
    rls2_status status = rls2__system_combine(&s->system, count, s->set.ks, d);
    return status == RLS2_OK ? rls2__system_prepare(&s->system, lambda, s->accuracy) : status;
}

/* R(d) of the weights in hand. */
static rls2_status form(rls2__newton *s)
{
    rls2__invariant(rls2__is_on_simplex(s->set.active, s->set.d));
    if (s->formed) return RLS2_OK;
    rls2_status status = rls2__system_combine(&s->system, s->set.active, s->set.ks, s->set.d);
    s->formed = status == RLS2_OK;
    return status;
}

rls2_status rls2__newton_factorize(rls2__newton *s, double lambda)
{
    rls2__invariant(!s->factored || (s->formed && s->system.lambda == lambda));
    if (s->factored) return RLS2_OK;
    rls2_status status = form(s);
    if (status == RLS2_OK) status = rls2__system_prepare(&s->system, lambda, s->accuracy);
    s->factored = status == RLS2_OK;
    return status;
}

rls2_status rls2__newton_solve(rls2__newton *s, double lambda)
{
    const rls2__problem *problem = s->problem;
    double norm = rls2__combined_norm(problem->basis, s->set.active, s->set.ks, s->set.d);
    rls2_status status = form(s);
    if (status != RLS2_OK) return status;
    int done = 0;
    if (lambda >= DOMINANT * norm)
        status = rls2__system_iterate(&s->system, lambda, problem->y, s->c, &done);
    if (status != RLS2_OK || done) return status;
    status = rls2__newton_factorize(s, lambda);
    return status == RLS2_OK ? rls2__system_solve(&s->system, problem->y, s->c) : status;
}

static rls2_status evaluate_active(rls2__newton *s)
{
    const rls2_basis *basis = s->problem->basis;
    int64_t n = basis->n;
    memset(s->f, 0, (size_t)n * sizeof(double));
    rls2_status status =
        rls2__system_apply(&s->system, s->set.active, s->set.ks, s->c, s->V, s->work);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < s->set.active; i++) {
        const double *v = s->V + i * n;
        s->set.q[i] = rls2__la_dot(n, s->c, v);
        rls2__la_axpy(n, s->set.d[i], v, s->f);
    }
    return RLS2_OK;
}

/* Does a kernel whose q_k is known exceed the limit? */
static int exceeds(const rls2__newton *s, double limit)
{
    for (int64_t i = 0; i < s->set.active; i++)
        if (s->set.q[i] > limit) return 1;
    for (int64_t i = 0; i < s->pricer.count; i++)
        if (s->pricer.q[s->pricer.todo[i]] > limit) return 1;
    return 0;
}

/* Bounds all q_k from above; *slack is what the bound adds to the largest of the forms computed. */
static double largest_q(rls2__newton *s, double squares, double *slack)
{
    const rls2_basis *basis = s->problem->basis;
    double largest, computed;
    rls2__pricer_largest(&s->pricer, squares, &computed, &largest);
    for (int64_t i = 0; i < s->set.active; i++) {
        computed = fmax(computed, s->set.q[i]);
        largest = fmax(largest, s->set.q[i] + basis->ops[s->set.ks[i]].slack * squares);
    }
    *slack = largest - computed;
    rls2__invariant(!(*slack < 0.0));
    return largest;
}

/* Prices the other kernels: all that have to be, or only the likely ones where these show already
 * that the gap is above the tolerance, or where it does not matter. */
static rls2_status price(rls2__newton *s, double mean, double yc, double rounding, double tol,
                         rls2__asked asked)
{
    double threshold = mean + SPARED_SHARE * tol * yc;
    rls2_status status = rls2__pricer_likely(&s->pricer, s->c, threshold, s->set.in_set);
    if (status != RLS2_OK) return status;
    s->pricer.offered += s->set.active;
    s->pricer.priced += s->set.active;
    double far =
        fmax(s->borrowed ? 0.0 : UNDONE, UNDONE_TOL * tol) * yc + UNDONE_ROUNDING * rounding;
    s->certified = asked == RLS2__CERTIFY || (asked == RLS2__JUDGE && !exceeds(s, mean + far));
    return s->certified ? rls2__pricer_rest(&s->pricer, s->c, threshold) : RLS2_OK;
}

rls2_status rls2__newton_evaluate(rls2__newton *s, double lambda, double tol, rls2__asked asked,
                                  rls2__evaluation *at)
{
    const rls2__problem *problem = s->problem;
    int64_t n = problem->basis->n;
    rls2_status status = evaluate_active(s);
    if (status != RLS2_OK) return status;
    double slack;
    rls2__bounds bounds = rls2__combined_bounds(problem->basis, s->set.active, s->set.ks, s->set.d);
    double mean = rls2__la_dot(n, s->c, s->f), squares = rls2__la_dot(n, s->c, s->c);
    double yc = rls2__la_dot(n, problem->y, s->c);
    status = price(s, mean, yc, (s->pricer.largest_slack + DBL_EPSILON * bounds.norm) * squares,
                   tol, asked);
    if (status != RLS2_OK) return status;
    double largest = largest_q(s, squares, &slack);
    *at = rls2__evaluate(problem, lambda, s->c, s->f, largest, slack, bounds);
    return RLS2_OK;
}
