/* Kernels that are one column each: exact steps in the coefficients.  [MATH.md, G7]
 *
 * With R^k = z_k z_k' RLS2 is min 1/2 |y - Zb|^2 + lambda/2 (sum_k |b_k|)^2 [G6], and from its
 * solution
 *
 *   tau = sum_k |b_k|,   d_k = |b_k| / tau,   r = y - Zb,   c = r / lambda.
 *
 * While the columns with b_k != 0 and their signs sigma stay as they are, this is a quadratic
 * function of b, whose minimiser is b + step,
 *
 *   (Z'Z + lambda sigma sigma') step = Z'r - lambda tau sigma.
 *
 * Z'Z of the active columns depends neither on lambda nor on the signs: its factor is kept along
 * the path, and a column that enters or leaves costs O(w^2 + n w) for w active columns, where
 * Newton's method factorises n x n matrices. A step ends where a coefficient would change its sign;
 * that column leaves. At the minimiser the other kernels are priced, lazily, and the best of those
 * that want to enter do. The right-hand side is computed from the columns each time, so that steps
 * correct each other's rounding. Where rounding wins all the same (lambda tiny, columns all but
 * dependent), Newton's method takes over for that lambda. */
#include "solver/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/shape.h"
#include "la/la.h"
#include "solver/linear_point.h"
#include "solver/newton.h"

static const double SPARED_SHARE =
    0.25; /* of the tolerance: kernels this close to the mean are not priced */
static const double ROUNDING =
    1e-13; /* relative change of the objective that is never told from rounding */
enum { PATIENCE = 6, CORRECTIONS = 2 };

static void linear_free(void *state)
{
    rls2__linear *s = state;
    if (!s) return;
    rls2__linear_release(s);
    rls2__free(s);
}

/* ---- one point: c, d, gap ---- */

/* c = r / lambda, in which the rounding of r counts for 1 / lambda as much. What of it matters is
 * Z'c, which is to be tau sigma: then R(d)c = Zb, and c solves its equation as well as r does. g
 * becomes Z'c. */
static void compute_c(rls2__linear *s, double lambda)
{
    int64_t n = s->problem->basis->n, count = s->columns.count;
    const double *Z = s->columns.Z;
    for (int64_t i = 0; i < n; i++) s->c[i] = s->r[i] / lambda;
    for (int64_t i = 0; i < count; i++) s->g[i] /= lambda;
    for (int round = 0; round < CORRECTIONS; round++) {
        double most = 0.0;
        for (int64_t i = 0; i < count; i++) {
            s->step[i] = s->g[i] - s->tau * s->sign[i];
            most = fmax(most, fabs(s->step[i]));
        }
        if (!(most > 4.0 * DBL_EPSILON * s->tau)) return;
        rls2__columns_solve(&s->columns, s->step);
        rls2__la_gemv_n(n, count, -1.0, Z, n, s->step, 1.0, s->c);
        rls2__la_gemv_t(n, count, Z, n, s->c, s->g);
    }
}

static rls2__evaluation evaluate(rls2__linear *s, double lambda, double tol)
{
    const rls2__problem *problem = s->problem;
    int64_t n = problem->basis->n, count = s->columns.count;
    compute_c(s, lambda);
    for (int64_t i = 0; i < count; i++) {
        s->d[i] = s->sign[i] * s->b[i] / s->tau;
        s->step[i] = s->d[i] * s->g[i];
    }
    rls2__invariant(rls2__is_on_simplex(count, s->d) || !isfinite(s->tau));
    rls2__la_gemv_n(n, count, 1.0, s->columns.Z, n, s->step, 0.0, s->f);
    double slack;
    rls2__bounds bounds = rls2__combined_bounds(problem->basis, count, s->columns.ks, s->d);
    double mean = rls2__la_dot(n, s->c, s->f), yc = rls2__la_dot(n, problem->y, s->c);
    double largest = rls2__linear_largest_q(s, mean + SPARED_SHARE * tol * yc, &slack);
    return rls2__evaluate(problem, lambda, s->c, s->f, largest, slack, bounds);
}

/* ---- one lambda ---- */

/* What the iterations end with when it is not an outcome: Newton's method is to go on. */
enum { HANDED_ON = -1 };

static rls2_status iterate(rls2__linear *s, double lambda, double tol, int *outcome)
{
    const rls2__problem *problem = s->problem;
    double lowest = INFINITY;
    int64_t since_better = 0;
    *outcome = HANDED_ON;
    for (int64_t iteration = 1;; iteration++) {
        if (!rls2__linear_minimise(s, lambda) || !(s->tau > DBL_MIN / DBL_EPSILON)) return RLS2_OK;
        double before = s->best_gap;
        rls2__evaluation at = evaluate(s, lambda, tol);
        rls2__linear_keep_best(s, &at, lambda);
        s->best.iterations = iteration;
        int better = at.gap < 0.9 * before || at.objective < lowest * (1.0 - ROUNDING);
        since_better = better ? 0 : since_better + 1;
        lowest = fmin(lowest, at.objective);
        rls2_status status = problem->tick(problem, lambda, s->best_gap);
        if (status != RLS2_OK) return status;
        int out_of_rounding = at.gap <= 2.0 * at.floor && at.floor > 0.5 * tol;
        if (at.gap <= tol)
            *outcome = RLS2_OUTCOME_CONVERGED;
        else if (out_of_rounding)
            *outcome = RLS2_OUTCOME_STALLED;
        else if (iteration >= problem->options.max_iter)
            *outcome = RLS2_OUTCOME_MAX_ITER;
        if (*outcome != HANDED_ON || since_better > PATIENCE) return RLS2_OK;
        /* one column alone is sure to lower the objective; several together nearly always do */
        rls2__linear_choose_entering(s, at.mean_q, better ? RLS2__MAX_ENTER : 1);
        if (s->entering_count == 0) return RLS2_OK;
        for (int64_t i = 0; i < s->entering_count; i++) rls2__linear_enter(s, s->entering[i]);
    }
}

/* Makes the best point the last one; 0 where rounding has its columns depend on each other. */
static int back_to_best(rls2__linear *s)
{
    rls2__linear_adopt(s, s->best_count, s->best_ks, s->best_d, s->best_c);
    memcpy(s->d, s->best_d, (size_t)s->best_count * sizeof(double));
    return s->columns.count == s->best_count;
}

static rls2_status hand_on(rls2__linear *s, double lambda, double tol, rls2__answer *answer)
{
    rls2_status status = RLS2_OK;
    if (!s->other.state) status = rls2__newton_create(s->problem, &s->other);
    if (status != RLS2_OK) return status;
    if (s->best_count > 0)
        s->other.resume(s->other.state, s->best_count, s->best_ks, s->best_d, NULL);
    return rls2__linear_hand_on(s, lambda, tol, answer);
}

static rls2_status linear_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    rls2__linear *s = state;
    int outcome;
    rls2__linear_begin(s);
    rls2_status status = iterate(s, lambda, tol, &outcome);
    if (status != RLS2_OK) return status;
    rls2__linear_end(s);
    int known = isfinite(s->best_gap);
    int kept = known && (s->best_is_last || (outcome == RLS2_OUTCOME_MAX_ITER && back_to_best(s)));
    if (outcome == HANDED_ON || !kept) return hand_on(s, lambda, tol, answer);
    s->best.outcome = (rls2_outcome)outcome;
    status = rls2__linear_degrees_of_freedom(s, lambda, NULL);
    if (status != RLS2_OK) return status;
    rls2__sort_weights(s->best_count, s->best_ks, s->best_d);
    *answer = (rls2__answer){s->best, s->best_count, s->best_ks, s->best_d, s->best_c, 0.0, NULL};
    return RLS2_OK;
}

/* Coefficients are found from c: weights alone do not tell their signs. */
static int linear_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                         const double *c)
{
    if (!c) return 0;
    rls2__linear_adopt(state, count, ks, d, c);
    return 1;
}

int rls2__is_linear(const rls2_basis *basis)
{
    for (int64_t k = 0; k < basis->m; k++) {
        const rls2__operator *op = &basis->ops[k];
        if (op->shape != &rls2__shape_rank_one && op->rank > 0) return 0;
    }
    return 1;
}

rls2_status rls2__linear_create(const rls2__problem *problem, rls2__method *method)
{
    double alignment;
    rls2__linear *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->problem = problem;
    rls2_status status = rls2__columns_create(problem->basis, &s->columns);
    if (status == RLS2_OK) status = rls2__linear_make_room(s);
    if (status == RLS2_OK) status = rls2__first_kernel(problem, &s->first, &alignment);
    if (status != RLS2_OK) {
        linear_free(s);
        return status;
    }
    s->noise = 16.0 * DBL_EPSILON * sqrt(problem->largest_norm) * problem->y_norm;
    *method = (rls2__method){s, linear_solve, linear_free, linear_resume};
    return RLS2_OK;
}
