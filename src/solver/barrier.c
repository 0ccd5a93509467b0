/* Interior point method for losses with kinks, and weights on the simplex.      [MATH.md, N3]
 *
 * Primal-dual, with a predictor and a corrector. The multipliers a and z of the rows
 * (barrier_rows.h) make the curvatures of a model of the loss; with these the steps are those of
 * any loss (proximal_steps.h), and one factorisation serves the predictor, the corrector and the
 * weights. As the products a z go to 0 the curvatures of rows at a kink grow without limit, so that
 * everything is computed as a change: c itself would be a difference of large numbers. Where R(d)
 * is known by factors their products cancel likewise, late on the way: where a lambda stalls with
 * them, R(d) itself is formed.
 *
 * A lambda begins with c of the last one, for which most rows are inside their bounds: p shrinks
 * with lambda. Weights go to the minimum of their model on the simplex, as far as a and z go. */
#include "solver/barrier.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "basis/combine.h"
#include "la/la.h"
#include "solver/proximal_steps.h"

/* Of the way to the first bound that a step meets. */
static const double INSIDE = 0.99;
/* Of the tolerance: what the products of rows may be; and their least share from step to step. */
static const double PRODUCTS = 0.1, LEAST_SHARE = 1e-4;
/* Of the part of the gap that weights leave: the products of rows fall no further. Where they are
 * far ahead of the weights, rows at their kinks bend so much that no step in d is a good one. */
static const double AHEAD = 0.1;
/* A weight that is on its way to 0 leaves when it is below this share of the mean weight. */
static const double LEAVES = 1e-3;
/* Distance from the bounds at the start of a path, of the way between them. */
static const double FIRST_SHARE = 0.1;

/* How a lambda is attempted: the distance from the bounds at its start, in mean multipliers, the
 * longest step, and after how many steps without a better gap it comes to nothing. */
typedef struct manner {
    double margin, longest;
    int64_t patience;
} manner;

/* The second is for where the first comes to nothing: with about as many kernels as rows weights
 * that all go to their target at once may leave rows that no weights reach. */
static const manner MANNERS[] = {{1e-3, 1.0, 12}, {1e-1, 0.5, 30}};
enum { ATTEMPTS = sizeof MANNERS / sizeof *MANNERS };

/* t at (c, d, b) */
static rls2_status arrive(rls2__proximal *s)
{
    rls2_status status = rls2__proximal_form(s);
    if (status == RLS2_OK) status = rls2__curved_apply(&s->system, s->c, s->f);
    for (int64_t i = 0; i < s->problem->basis->n; i++) s->rows.t[i] = s->f[i] / s->e[i] + s->b;
    return status;
}

static rls2_status begin(rls2__proximal *s, double lambda, double margin)
{
    if (!s->rows.entered) {
        rls2__barrier_c(&s->rows, lambda, s->c);
        rls2__loss_project(&s->loss, lambda, s->is_free, s->c);
    }
    rls2__barrier_enter(&s->rows, lambda, s->c, margin, s->rows.entered ? 0.0 : FIRST_SHARE);
    rls2__barrier_c(&s->rows, lambda, s->c);
    s->rows.entered = 1;
    rls2_status status = arrive(s);
    rls2__barrier_centre(&s->rows);
    return status;
}

/* The gap at c, which is in the domain but for rounding, and for balance at first. */
static rls2_status look(rls2__proximal *s, double lambda, double tol, rls2__proximal_gap *found)
{
    size_t bytes = (size_t)s->problem->basis->n * sizeof(double);
    memcpy(s->next_c, s->c, bytes);
    memcpy(s->next_f, s->f, bytes);
    double moved = rls2__loss_project(&s->loss, lambda, s->is_free, s->c);
    rls2_status status = moved > 0.0 ? rls2__curved_apply(&s->system, s->c, s->f) : RLS2_OK;
    s->feasible = 1;
    s->merit = rls2__proximal_merit(s, lambda, s->c, s->f, s->b);
    if (status == RLS2_OK) status = rls2__proximal_evaluate(s, lambda, tol, found);
    if (status == RLS2_OK) rls2__proximal_keep_best(s, found, lambda);
    memcpy(s->c, s->next_c, bytes);
    memcpy(s->f, s->next_f, bytes);
    return status;
}

/* next_c for this mu, d being the same, and what p does on the way there. */
static rls2_status aim(rls2__proximal *s, double lambda, double mu)
{
    rls2__barrier_bend(&s->rows, mu, s->slope, s->root);
    rls2_status status = rls2__proximal_newton_in_c(s);
    for (int64_t i = 0; i < s->problem->basis->n; i++)
        s->rows.change[i] = -lambda * (s->next_c[i] - s->c[i]) / s->e[i];
    rls2__barrier_follow(&s->rows, mu);
    return status;
}

/* The same when d goes to the minimum of its model there. */
static rls2_status aim_weights(rls2__proximal *s, double lambda, double mu, double mean)
{
    int64_t n = s->problem->basis->n;
    double b = 0.0;
    rls2_status status = rls2__proximal_choose_entering(s, mean);
    if (status == RLS2_OK)
        status = rls2__combiner_apply(s->system.effort, s->system.combiner, s->count, s->ks,
                                      s->next_c, s->V, s->work);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < s->count; i++) s->q[i] = rls2__la_dot(n, s->next_c, s->V + i * n);
    status = rls2__proximal_minimise_in_d(s);
    if (status == RLS2_OK) status = rls2__proximal_follow_in_c(s, &b);
    if (status != RLS2_OK) return status;
    s->next_b += b;
    rls2__la_axpy(n, 1.0, s->step, s->next_c);
    for (int64_t i = 0; i < n; i++) s->rows.change[i] -= lambda * s->step[i] / s->e[i];
    rls2__barrier_follow(&s->rows, mu);
    return status;
}

/* That share of the way to the target. */
static void move_weights(rls2__proximal *s, double share)
{
    double sum = 0.0, least = LEAVES / (double)s->count;
    for (int64_t i = 0; i < s->count; i++) {
        s->trial[i] = s->d[i] + share * (s->target[i] - s->d[i]);
        if (s->target[i] == 0.0 && s->trial[i] < least) s->trial[i] = 0.0;
        sum += s->trial[i];
    }
    for (int64_t i = 0; i < s->count; i++) s->trial[i] /= sum;
    rls2__proximal_take_weights(s);
    s->formed = 0;
}

/* What the products of rows may be at this point, on average. */
static double least_product(const rls2__proximal *s, double tol, const rls2__proximal_gap *found)
{
    const rls2__evaluation *at = &found->at;
    double of_weights = s->is_fixed ? 0.0 : fmax(at->gap - at->residual * at->residual, 0.0);
    return fmax(PRODUCTS * tol, AHEAD * of_weights) * at->objective /
           (double)(2 * s->rows.pieces * s->problem->basis->n);
}

/* A predictor says how far the products can fall, a corrector and the weights go there. */
static rls2_status step(rls2__proximal *s, double lambda, double tol, double longest,
                        const rls2__proximal_gap *found)
{
    rls2__barrier *rows = &s->rows;
    int64_t n = s->problem->basis->n;
    double mu = rls2__barrier_mean(rows, 0.0), least = least_product(s, tol, found);
    rls2__barrier_fix(rows, 0);
    rls2__barrier_bend(rows, 0.0, s->slope, s->root);
    rls2_status status = rls2__proximal_factorize(s, lambda);
    if (status == RLS2_OK) status = aim(s, lambda, 0.0);
    if (status != RLS2_OK) return status;
    double rest = rls2__barrier_mean(rows, rls2__barrier_reach(rows)) / mu;
    mu *= fmin(fmax(rest * rest * rest, fmax(LEAST_SHARE, least / mu)), 1.0);
    rls2__barrier_fix(rows, 1);
    status = aim(s, lambda, mu);
    if (status == RLS2_OK && !s->is_fixed) status = aim_weights(s, lambda, mu, found->at.mean_q);
    if (status != RLS2_OK) return status;
    double share = fmin(longest, INSIDE * rls2__barrier_reach(rows));
    if (!isfinite(share) || !isfinite(rls2__la_norm(n, s->next_c))) return RLS2_ERR_NUMERIC;
    rls2__barrier_take(rows, share);
    s->b += share * (s->next_b - s->b);
    for (int64_t i = 0; i < n; i++) s->c[i] += share * (s->next_c[i] - s->c[i]);
    if (!s->is_fixed) move_weights(s, share);
    return arrive(s);
}

/* Steps until the gap is small, or no longer falls. */
static rls2_status attempt(rls2__proximal *s, double lambda, double tol, const manner *how,
                           int64_t *iterations, rls2_outcome *outcome)
{
    const rls2__problem *problem = s->problem;
    rls2_status status = begin(s, lambda, how->margin);
    int64_t since_better = 0;
    while (status == RLS2_OK) {
        double before = s->best_gap;
        rls2__proximal_gap found;
        status = look(s, lambda, tol, &found);
        s->best.iterations = *iterations;
        if (status == RLS2_OK) status = problem->tick(problem, lambda, s->best_gap);
        if (status != RLS2_OK) return status;
        *outcome = RLS2_OUTCOME_CONVERGED;
        if (s->best_gap <= tol && !s->borrowed) return RLS2_OK;
        *outcome = RLS2_OUTCOME_STALLED;
        since_better = s->best_gap < 0.9 * before ? 0 : since_better + 1;
        int hopeless = s->best_gap <= 2.0 * found.at.floor && found.at.floor > 0.5 * tol;
        if (hopeless || since_better > how->patience) return RLS2_OK;
        *outcome = RLS2_OUTCOME_MAX_ITER;
        if (++*iterations > problem->options.max_iter) return RLS2_OK;
        status = step(s, lambda, tol, how->longest, &found);
        s->borrowed = 0;
    }
    return status;
}

/* R(d) by factors from now on, or not. */
static void take_factors(rls2__proximal *s, int wanted)
{
    if (s->system.is_plain == !wanted) return;
    s->system.is_plain = !wanted;
    s->formed = 0;
}

static rls2_status attempt_each(rls2__proximal *s, double lambda, double tol, int64_t *iterations,
                                rls2_outcome *outcome)
{
    rls2_status status = RLS2_OK;
    for (int which = 0; which < ATTEMPTS;) {
        status = attempt(s, lambda, tol, &MANNERS[which], iterations, outcome);
        int low = s->system.is_low;
        /* numbers that a step makes useless leave the best point before it */
        if (status == RLS2_ERR_NUMERIC && (low || isfinite(s->best_gap))) {
            *outcome = RLS2_OUTCOME_STALLED;
            status = RLS2_OK;
        }
        if (status != RLS2_OK || *outcome != RLS2_OUTCOME_STALLED) return status;
        if (isfinite(s->best_gap)) rls2__proximal_restore_best(s);
        take_factors(s, 0);
        which += !low; /* the same way once more where it was by factors */
    }
    return status;
}

rls2_status rls2__barrier_iterate(rls2__proximal *s, double lambda, double tol,
                                  rls2_outcome *outcome)
{
    int64_t iterations = 0;
    rls2_status status = attempt_each(s, lambda, tol, &iterations, outcome);
    take_factors(s, 1);
    return status;
}
