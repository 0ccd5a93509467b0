/* Active-set Newton on the simplex.
 *
 *   P(d) = lambda/2 y'c,  c = M^-1 y,  M = R(d) + lambda I = LL'
 *   dP/dd_k = -lambda/2 q_k,        q_k = c'v_k,  v_k = R^k c
 *   d2P/dd_j dd_k = lambda z_j'z_k, z_k = L^-1 v_k
 *
 * P is convex in d and its Hessian comes with the factorisation. Each iteration prices
 * the kernels (lazily), stops on the duality gap, and otherwise minimises the
 * quadratic model exactly on the simplex over a working set: the active kernels and
 * the best of those whose q_k exceeds the mean. Full steps are nearly always
 * accepted; the factorisation that tests a step is the next iteration's own.
 *
 * How a point is evaluated with no more work than its answer needs: newton_point.c. */
#include "solver/newton.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/evaluate.h"
#include "solver/newton_point.h"

static const double ARMIJO = 1e-4;    /* share of the predicted decrease a step must bring */
static const double ROUNDING = 1e-13; /* relative change of P that is never told from rounding */
/* The share of the tolerance that c may be off: the gap depends on it to first order, and more in
 * kernels of little weight. */
static const double ACCURACY_SHARE = 0.01;
/* Weights of other rows may know more than these rows do: where they seem good enough, a step of
 * their own comes first, unless they are so by this share of the tolerance. */
static const double BORROWED_SHARE = 0.01;
enum { MAX_BACKTRACKS = 30, PATIENCE = 6 };

static void newton_free(void *state)
{
    rls2__newton *s = state;
    if (!s) return;
    rls2__system_free(&s->system);
    rls2__pricer_free(&s->pricer);
    rls2__working_set_free(&s->set);
    rls2__free(s->block);
    rls2__free(s);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__newton *s = owner;
    int64_t n = s->problem->basis->n, room = s->set.room;
    s->V = rls2__layout_take(layout, rls2__mul(n, room), sizeof(double));
    s->c = rls2__layout_take(layout, n, sizeof(double));
    s->f = rls2__layout_take(layout, n, sizeof(double));
    s->work = rls2__layout_take(layout, n, sizeof(double));
    s->best_ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->best_d = rls2__layout_take(layout, room, sizeof(double));
    s->best_c = rls2__layout_take(layout, n, sizeof(double));
}

static rls2_status newton_room(rls2__newton *s, const rls2_basis *basis)
{
    rls2_status status = rls2__working_set_create(basis, &s->set);
    if (status != RLS2_OK) return status;
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->block) return RLS2_ERR_MEMORY;
    status = rls2__pricer_create(s->problem->effort, basis, &s->pricer);
    return status == RLS2_OK ? rls2__system_create_lean(s->problem->effort, basis,
                                                        s->problem->options.memory, &s->system)
                             : status;
}

/* ---- the model and its minimiser ---- */

static rls2_status choose_entering(rls2__newton *s, double mean)
{
    rls2__working_set *set = &s->set;
    rls2__working_set_offer(set, &s->pricer, mean);
    rls2__invariant(rls2__newton_has_working_set(s));
    return rls2__system_apply(&s->system, set->count - set->active, set->ks + set->active, s->c,
                              s->V + set->active * s->problem->basis->n, s->work);
}

/* Minimises the model of P / lambda over the simplex of the working set. */
static rls2_status minimise_model(rls2__newton *s)
{
    rls2__working_set *set = &s->set;
    rls2__invariant(s->formed && s->factored);
    rls2_status status = rls2__system_hessian(&s->system, set->count, s->V, set->H, set->room);
    if (status == RLS2_OK) rls2__working_set_minimise(set);
    return status;
}

/* Predicted first-order change of y'c along p = target - d: -(q'p), negative. The sum
 * of p is zero but for rounding, which taking the mean off q keeps out. */
static double slope(const rls2__newton *s)
{
    double total = 0.0, mean = 0.0;
    for (int64_t i = 0; i < s->set.active; i++) mean += s->set.d[i] * s->set.q[i];
    for (int64_t i = 0; i < s->set.count; i++)
        total -= (s->set.q[i] - mean) * (s->set.target[i] - s->set.d[i]);
    return total;
}

/* ---- the step ---- */

/* Takes d = trial over the working set; what is zero leaves. */
static void accept_trial(rls2__newton *s)
{
    rls2__working_set_take(&s->set);
    s->formed = s->factored = 1;
    s->at_best = 0;
    rls2__invariant(rls2__newton_has_working_set(s));
}

/* Relative precision of a computed y'c: that of solving with R + lambda I. Near the end
 * the gap still falls, linearly in the error of d, where P, quadratic in it, stands
 * still; a step whose effect on P drowns in this is taken on trust, and judged by
 * the gap. */
static double precision(const rls2__newton *s, double lambda)
{
    double size = rls2__combined_norm(s->problem->basis, s->set.active, s->set.ks, s->set.d);
    return fmin(ROUNDING + 2.0 * DBL_EPSILON * size / lambda, 1e-7);
}

/* y'M^-1 y, to second order in the error of c. */
static double value(const rls2__newton *s)
{
    return rls2__la_dot(s->problem->basis->n, s->problem->y, s->c) + s->system.missing;
}

/* Moves towards the model's minimiser as far as P decreases. *moved is 0 when no step
 * does; the factorisation then belongs to the old d again. */
static rls2_status take_step(rls2__newton *s, double lambda, double yc, int *moved)
{
    const rls2__problem *problem = s->problem;
    double decrease = slope(s), noise = precision(s, lambda) * fabs(yc);
    double step = 1.0;
    rls2_status status = RLS2_OK;
    *moved = 0;
    for (int round = 0; round < MAX_BACKTRACKS && decrease < 0.0; round++, step *= 0.5) {
        rls2__working_set_try(&s->set, step);
        status = rls2__newton_factorize_at(s, s->set.count, s->set.trial, lambda);
        if (status != RLS2_OK) return status;
        status = rls2__system_solve(&s->system, problem->y, s->c);
        if (status != RLS2_OK) return status;
        if (value(s) <= yc + ARMIJO * step * decrease + noise) {
            *moved = 1;
            accept_trial(s);
            return RLS2_OK;
        }
        if (-decrease * step < noise) break;
    }
    return rls2__newton_solve(s, lambda);
}

/* ---- one lambda ---- */

static void keep_best(rls2__newton *s, const rls2__evaluation *at, double lambda)
{
    rls2__invariant(at->gap >= 0.0);
    s->at_best = at->gap < s->best_gap;
    if (!s->at_best) return;
    s->best_gap = at->gap;
    s->best_count = s->set.active;
    memcpy(s->best_ks, s->set.ks, (size_t)s->set.active * sizeof(int64_t));
    memcpy(s->best_d, s->set.d, (size_t)s->set.active * sizeof(double));
    memcpy(s->best_c, s->c, (size_t)s->problem->basis->n * sizeof(double));
    s->best.lambda = lambda;
    s->best.objective = at->objective;
    s->best.gap = at->gap;
    s->best.residual = at->residual;
    s->best.selected = s->set.active;
}

/* An answer that is not the best possible, too, is given with the gap it has. Weights of other rows
 * are none: a step follows. */
static rls2__asked asked_of(const rls2__newton *s, int64_t iteration, int64_t since_better)
{
    if (iteration >= s->problem->options.max_iter || since_better > 0) return RLS2__CERTIFY;
    return s->borrowed && iteration == 1 ? RLS2__GLANCE : RLS2__JUDGE;
}

/* The iterations; the best point is left in s->best*. */
static rls2_status iterate(rls2__newton *s, double lambda, double tol, rls2_outcome *outcome)
{
    const rls2__problem *problem = s->problem;
    int64_t since_better = 0;
    double lowest = INFINITY;
    for (int64_t iteration = 1;; iteration++) {
        double before = s->best_gap;
        rls2__evaluation at;
        rls2_status status =
            rls2__newton_evaluate(s, lambda, tol, asked_of(s, iteration, since_better), &at);
        if (status != RLS2_OK) return status;
        if (iteration == 2 && s->borrowed) s->best_gap = INFINITY; /* before: of other rows */
        keep_best(s, &at, lambda);
        s->best.iterations = iteration;
        /* the gap may rise on the way while P falls; both standing still is a stall */
        int better =
            at.gap < 0.9 * before || at.objective < lowest * (1.0 - 10.0 * precision(s, lambda));
        since_better = better ? 0 : since_better + 1;
        if (since_better > 0) s->accuracy = 0.0; /* not for want of digits of c */
        lowest = fmin(lowest, at.objective);
        status = problem->tick(problem, lambda, s->best_gap);
        if (status != RLS2_OK) return status;
        *outcome = RLS2_OUTCOME_CONVERGED;
        int is_own = !s->borrowed || iteration > 1;
        if (at.gap <= (is_own ? tol : BORROWED_SHARE * tol)) return RLS2_OK;
        int enough = at.gap <= tol;
        if (!enough) *outcome = RLS2_OUTCOME_STALLED;
        if (at.gap <= 2.0 * at.floor && at.floor > 0.5 * tol) return RLS2_OK;
        if (!enough) *outcome = RLS2_OUTCOME_MAX_ITER;
        if (iteration >= problem->options.max_iter) return RLS2_OK;
        status = choose_entering(s, at.mean_q);
        if (status == RLS2_OK) status = rls2__newton_factorize(s, lambda);
        if (status == RLS2_OK) status = minimise_model(s);
        if (status != RLS2_OK) return status;
        int moved;
        status = take_step(s, lambda, value(s), &moved);
        if (status != RLS2_OK) return status;
        if (!moved && !s->certified) {
            status = rls2__newton_evaluate(s, lambda, tol, RLS2__CERTIFY, &at);
            if (status != RLS2_OK) return status;
            keep_best(s, &at, lambda);
        }
        *outcome = s->best_gap <= tol ? RLS2_OUTCOME_CONVERGED : RLS2_OUTCOME_STALLED;
        if (!moved || since_better > PATIENCE) return RLS2_OK;
    }
}

/* Goes back to the best point where the last one is another. */
static void restore_best(rls2__newton *s)
{
    if (!s->at_best) s->formed = s->factored = 0;
    rls2__working_set_put(&s->set, s->best_count, s->best_ks, s->best_d);
    rls2__invariant(rls2__newton_has_working_set(s));
}

static rls2_status degrees_of_freedom(rls2__newton *s, double lambda)
{
    s->best.df = NAN;
    if (s->problem->options.degrees_of_freedom == RLS2_DF_NONE) return RLS2_OK;
    rls2_status status = rls2__newton_factorize(s, lambda);
    if (status == RLS2_OK && !s->system.is_low && !s->system.exact)
        status = rls2__system_factorize(&s->system, lambda);
    if (status == RLS2_OK) status = rls2__system_degrees_of_freedom(&s->system, &s->best.df);
    s->factored = 0;
    return status;
}

static rls2_status newton_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    rls2__newton *s = state;
    int64_t factorizations = s->system.factorizations;
    int64_t priced = s->pricer.priced, offered = s->pricer.offered;
    s->system.effort = s->pricer.effort = s->problem->effort; /* another where a path goes on */
    s->accuracy = ACCURACY_SHARE * tol;
    s->best_gap = INFINITY;
    memset(&s->best, 0, sizeof s->best);
    s->factored = 0; /* another lambda */
    rls2_status status = rls2__newton_solve(s, lambda);
    if (status != RLS2_OK) return status;
    status = iterate(s, lambda, tol, &s->best.outcome);
    s->borrowed = 0;
    if (status != RLS2_OK) return status;
    if (!isfinite(s->best_gap)) return RLS2_ERR_NUMERIC;
    s->best.factorizations = s->system.factorizations - factorizations;
    s->best.priced = s->pricer.priced - priced;
    s->best.offered = s->pricer.offered - offered;
    rls2__sort_weights(s->best_count, s->best_ks, s->best_d);
    restore_best(s);
    status = degrees_of_freedom(s, lambda);
    if (status != RLS2_OK) return status;
    *answer = (rls2__answer){s->best, s->best_count, s->best_ks, s->best_d, s->best_c, 0.0, NULL};
    return RLS2_OK;
}

int rls2__newton_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                        const double *c)
{
    rls2__newton *s = state;
    s->formed = s->factored = 0; /* R in the system is that of other weights */
    rls2__working_set_put(&s->set, count, ks, d);
    if (c) memcpy(s->c, c, (size_t)s->problem->basis->n * sizeof *c);
    s->borrowed = !c;
    rls2__invariant(rls2__newton_has_working_set(s));
    return 1;
}

rls2_status rls2__newton_create(const rls2__problem *problem, rls2__method *method)
{
    const double one = 1.0;
    double alignment;
    int64_t first;
    rls2__newton *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->problem = problem;
    rls2_status status = newton_room(s, problem->basis);
    if (status == RLS2_OK) status = rls2__first_kernel(problem, &first, &alignment);
    if (status != RLS2_OK) {
        newton_free(s);
        return status;
    }
    rls2__working_set_put(&s->set, 1, &first, &one);
    memcpy(s->c, problem->y,
           (size_t)problem->basis->n * sizeof(double)); /* c nears y / lambda as lambda grows */
    *method = (rls2__method){s, newton_solve, newton_free, rls2__newton_resume};
    return RLS2_OK;
}
