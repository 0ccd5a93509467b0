/* Kernels that are one column each, and a loss that bends: Newton's method in the coefficients.
 *                                                                             [MATH.md, N5]
 * With R^k = z_k z_k' the problem is
 *
 *   min over b, beta of  sum_i w_i L(y_i, (Zb)_i + beta) + lambda/2 (sum_k |b_k|)^2,
 *
 * and with the curvatures W of the loss at a point its model is that of the square loss (linear.c)
 * with Z'WZ for Z'Z, less what a free intercept takes of it. The model is minimised as there,
 * columns that come to zero leaving, and c = -(slope + W change of the fit) / lambda is the c that
 * belongs to its minimum: Z'c = tau sigma, as at the solution, so that the gap is of second order
 * in what the model misses of the loss. The factor of Z'WZ is kept, with older curvatures, while
 * steps shrink fast all the same. Where this does not get there (too few rows that bend, columns
 * that depend on each other, rounding), the general method goes on (proximal.c). */
#include "solver/linear_loss.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/tiles.h"
#include "solver/linear.h"
#include "solver/linear_point.h"
#include "solver/proximal.h"
#include "solver/proximal_point.h"

/* of the tolerance: kernels this close to the mean are not priced */
static const double SPARED_SHARE = 0.25;
/* relative change of the objective that is never told from rounding */
static const double ROUNDING = 1e-13;
/* Curvatures that have changed by this share are taken anew when a lambda begins, */
static const double CHANGED = 0.1;
/* and later where a step leaves more than this of what it should have removed. */
static const double SLOW = 0.2;
/* of the tolerance: a point where rows leave no more is looked at closely, as one that is no better
 * than the last */
static const double NEAR = 0.05;
enum { PATIENCE = 8, MAX_HALVINGS = 30 };

/* What the iterations end with when it is not an outcome: the general method is to go on. */
enum { HANDED_ON = -1 };

typedef struct linear_loss {
    rls2__linear at; /* r is -slope, f is R(d)c */
    rls2__row_loss loss;
    int is_free; /* the intercept */
    double *e;   /* roots of the weights of rows, or ones */
    /* the point: b of the columns, and */
    double intercept, lambda, merit;
    double *fit; /* Zb */
    double *slope, *curvature;
    int known; /* fit and what follows are those of b */
    /* the one before */
    int64_t old_count;
    int64_t *old_ks;
    double *old_b, *old_sign, *old_fit, *old_slope;
    double old_intercept, old_merit;
    double best_intercept;
    void *block; /* all of these arrays */
} linear_loss;

static void loss_free(void *state)
{
    linear_loss *s = state;
    if (!s) return;
    rls2__linear_release(&s->at);
    rls2__free(s->e);
    rls2__free(s->block);
    rls2__free(s);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    linear_loss *s = owner;
    int64_t n = s->at.problem->basis->n, room = s->at.columns.room;
    double **of_rows[] = {&s->fit, &s->slope, &s->curvature, &s->old_fit, &s->old_slope};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        *of_rows[i] = rls2__layout_take(layout, n, sizeof(double));
    s->old_ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->old_b = rls2__layout_take(layout, room, sizeof(double));
    s->old_sign = rls2__layout_take(layout, room, sizeof(double));
}

/* ---- the point ---- */

static void sum_coefficients(rls2__linear *at)
{
    at->tau = 0.0;
    for (int64_t i = 0; i < at->columns.count; i++) at->tau += at->sign[i] * at->b[i];
    rls2__invariant(!(at->tau < 0.0));
}

/* out = Zx */
static rls2_status add_up(const rls2__linear *at, const double *x, double *out)
{
    int64_t n = at->problem->basis->n, count = at->columns.count;
    if (count > 0)
        return rls2__tiled_gemv_n(at->problem->effort, n, count, 1.0, at->columns.Z, n, x, 0.0,
                                  out);
    memset(out, 0, (size_t)n * sizeof *out);
    return RLS2_OK;
}

/* out = Z'x */
static rls2_status multiply(const rls2__linear *at, const double *x, double *out)
{
    int64_t n = at->problem->basis->n, count = at->columns.count;
    if (count == 0) return RLS2_OK;
    return rls2__tiled_gemv_t(at->problem->effort, n, count, at->columns.Z, n, x, out);
}

/* Fit, loss and merit of b and the intercept. */
static rls2_status arrive(linear_loss *s, double lambda)
{
    rls2__linear *at = &s->at;
    rls2_status status = add_up(at, at->b, s->fit);
    sum_coefficients(at);
    s->merit = rls2__loss_expand(&s->loss, s->fit, s->intercept, s->slope, s->curvature) +
               0.5 * lambda * at->tau * at->tau;
    for (int64_t i = 0; i < s->loss.n; i++) at->r[i] = -s->slope[i];
    s->known = status == RLS2_OK;
    return status;
}

/* The same where b is that of the last lambda: only the penalty is another. */
static rls2_status begin(linear_loss *s, double before, double lambda)
{
    if (!s->known) return arrive(s, lambda);
    s->merit += 0.5 * (lambda - before) * s->at.tau * s->at.tau;
    return RLS2_OK;
}

/* ---- the step ---- */

/* How far the curvatures are from those of the factor, of their sum. */
static double change_of_curvature(const linear_loss *s)
{
    const double *weights = s->at.columns.weights;
    double change = 0.0, sum = 0.0;
    for (int64_t i = 0; i < s->loss.n; i++) {
        change += fabs(s->curvature[i] - weights[i]);
        sum += weights[i];
    }
    return sum > 0.0 ? change / sum : HUGE_VAL;
}

/* g = Z'r, less what the intercept takes of it; *misfit is how far that is from the minimum. */
static rls2_status find_slope(linear_loss *s, double lambda, double *misfit)
{
    rls2__linear *at = &s->at;
    rls2_status status = multiply(at, at->r, at->g);
    double balance = s->is_free ? rls2__la_dot(s->loss.n, s->e, at->r) : 0.0;
    for (int64_t i = 0; i < at->columns.count; i++) at->g[i] -= balance * at->columns.means[i];
    *misfit = rls2__linear_misfit(at, lambda);
    return status;
}

static void swap(double **a, double **b)
{
    double *other = *a;
    *a = *b;
    *b = other;
}

static void keep_old(linear_loss *s)
{
    rls2__linear *at = &s->at;
    size_t count = (size_t)at->columns.count;
    s->old_count = at->columns.count;
    memcpy(s->old_ks, at->columns.ks, count * sizeof *s->old_ks);
    memcpy(s->old_b, at->b, count * sizeof *s->old_b);
    memcpy(s->old_sign, at->sign, count * sizeof *s->old_sign);
    swap(&s->old_fit, &s->fit); /* which are about to be made anew */
    swap(&s->old_slope, &s->slope);
    s->old_intercept = s->intercept;
    s->old_merit = s->merit;
}

/* b and the intercept go to the minimum of the model. Where a column comes to zero on the way what
 * is left of the slope is the share of the way that is left. */
static void minimise_model(linear_loss *s, double lambda)
{
    rls2__linear *at = &s->at;
    double share = 0.0;
    if (s->is_free) s->intercept += rls2__la_dot(s->loss.n, s->e, at->r) / at->columns.level_square;
    while (share < 1.0 && at->columns.count > 0) {
        double size = lambda * at->tau;
        rls2__linear_find_step(at, lambda);
        double along = rls2__la_dot(at->columns.count, at->columns.means, at->step);
        share = rls2__linear_advance(at, 1.0);
        s->intercept -= share * along;
        sum_coefficients(at);
        for (int64_t i = 0; i < at->columns.count; i++) {
            double rest = at->g[i] - size * at->sign[i];
            at->g[i] = lambda * at->tau * at->sign[i] + (1.0 - share) * rest;
        }
    }
}

static int64_t find_column(const rls2__linear *at, int64_t k)
{
    int64_t i = 0;
    while (i < at->columns.count && at->columns.ks[i] != k) i++;
    return i;
}

/* Half the way back to the point before. Columns that have left come back. */
static void go_back(linear_loss *s)
{
    rls2__linear *at = &s->at;
    for (int64_t t = 0; t < s->old_count; t++) {
        if (!at->in_set[s->old_ks[t]]) rls2__linear_append(at, s->old_ks[t], 0.0, s->old_sign[t]);
        int64_t i = find_column(at, s->old_ks[t]);
        if (i < at->columns.count) at->b[i] = 0.5 * (s->old_b[t] + at->b[i]);
    }
    s->intercept = 0.5 * (s->old_intercept + s->intercept);
}

/* A step as long as the merit does not grow; *whole: all the way. */
static rls2_status step(linear_loss *s, double lambda, int *whole)
{
    keep_old(s);
    minimise_model(s, lambda);
    rls2_status status = arrive(s, lambda);
    double most = s->old_merit + ROUNDING * fabs(s->old_merit);
    *whole = 1;
    for (int round = 0; round < MAX_HALVINGS && status == RLS2_OK; round++) {
        if (s->merit <= most) return RLS2_OK;
        *whole = 0;
        go_back(s);
        status = arrive(s, lambda);
    }
    return status;
}

/* ---- its gap ---- */

/* The c of the model's minimum; returns about what its rows leave of the gap: to second order, or
 * to first where the loss does not bend, t being some units from where it does. */
static double compute_c(linear_loss *s, double lambda)
{
    const double *weights = s->at.columns.weights;
    double *c = s->at.c, moved = s->intercept - s->old_intercept, sum = 0.0;
    for (int64_t i = 0; i < s->loss.n; i++) {
        double p = s->old_slope[i] + weights[i] * (s->fit[i] - s->old_fit[i] + moved * s->e[i]);
        double rest = p - s->slope[i];
        c[i] = -p / lambda;
        sum += s->curvature[i] > 0.0 ? 0.5 * rest * rest / s->curvature[i]
                                     : fabs(rest) * s->loss.spread;
    }
    return sum;
}

/* Prices and gap at c, which is in the domain but for rounding, or taken there. */
static rls2_status evaluate(linear_loss *s, double lambda, double tol, rls2__evaluation *found)
{
    rls2__linear *at = &s->at;
    int64_t n = s->loss.n, count = at->columns.count;
    double slack;
    rls2__loss_project(&s->loss, lambda, s->is_free, at->c);
    rls2_status status = multiply(at, at->c, at->g);
    for (int64_t i = 0; i < count; i++) {
        at->d[i] = at->sign[i] * at->b[i] / at->tau;
        at->step[i] = at->d[i] * at->g[i];
    }
    rls2__invariant(rls2__is_on_simplex(count, at->d) || !isfinite(at->tau));
    if (status == RLS2_OK) status = add_up(at, at->step, at->f);
    double mean = rls2__la_dot(n, at->c, at->f);
    double spared = SPARED_SHARE * tol * 2.0 * s->merit / lambda;
    double largest = rls2__linear_largest_q(at, mean + spared, &slack);
    const rls2__loss_point point = {.basis = at->problem->basis,
                                    .loss = &s->loss,
                                    .is_free = s->is_free,
                                    .lambda = lambda,
                                    .c = at->c,
                                    .f = at->f,
                                    .b = s->intercept,
                                    .count = count,
                                    .ks = at->columns.ks,
                                    .d = at->d};
    *found = rls2__loss_evaluate(&point, largest, slack);
    rls2__linear_keep_best(at, found, lambda);
    if (at->best_is_last) s->best_intercept = s->intercept;
    return status;
}

/* ---- one lambda ---- */

/* The kernels that pricing found above the mean enter with the signs that c gives them, but for
 * those that depend on others. 0 where all of them do. */
static int enter(linear_loss *s, double mean, int64_t limit)
{
    rls2__linear *at = &s->at;
    const rls2_basis *basis = at->problem->basis;
    int entered = 0;
    rls2__linear_choose_entering(at, mean, limit);
    for (int64_t i = 0; i < at->entering_count; i++) {
        int64_t k = at->entering[i];
        double along = rls2__la_dot(basis->n, basis->ops[k].factor, at->c);
        entered |= rls2__linear_append(at, k, 0.0, along < 0.0 ? -1.0 : 1.0);
    }
    return entered || at->entering_count == 0;
}

/* At the beginning there is no column, and none may be left. */
static int enter_first(linear_loss *s)
{
    rls2__linear *at = &s->at;
    const rls2__operator *op = &at->problem->basis->ops[at->first];
    if (at->columns.count > 0) return 1;
    if (op->rank == 0) return 0;
    double along = rls2__la_dot(s->loss.n, op->factor, at->r);
    return rls2__linear_append(at, at->first, 0.0, along < 0.0 ? -1.0 : 1.0);
}

/* The slope at the point, and the factor of its curvatures, or of older ones where they do. */
static rls2_status prepare(linear_loss *s, double lambda, int stale, double *misfit)
{
    rls2__linear *at = &s->at;
    double before = *misfit;
    rls2_status status = find_slope(s, lambda, misfit);
    if (status != RLS2_OK || (!stale && *misfit <= SLOW * before)) return status;
    status = rls2__columns_weigh(at->problem->effort, s->curvature, &at->columns);
    if (status == RLS2_OK && s->is_free && !(at->columns.level_square > 0.0))
        return RLS2_ERR_NUMERIC;
    return status == RLS2_OK ? find_slope(s, lambda, misfit) : status;
}

/* What a point at which the rows leave little is found to be, or HANDED_ON where it is none yet. */
static int judge(const linear_loss *s, const rls2__evaluation *found, double tol, int64_t iteration)
{
    if (found->gap <= tol) return RLS2_OUTCOME_CONVERGED;
    if (found->gap <= 2.0 * found->floor && found->floor > 0.5 * tol) return RLS2_OUTCOME_STALLED;
    int late = iteration >= s->at.problem->options.max_iter;
    return late ? (int)RLS2_OUTCOME_MAX_ITER : (int)HANDED_ON;
}

static rls2_status iterate(linear_loss *s, double lambda, double tol, int *outcome)
{
    rls2__linear *at = &s->at;
    const rls2__problem *problem = at->problem;
    double misfit = HUGE_VAL;
    int64_t since_better = 0;
    int stale = change_of_curvature(s) > CHANGED, whole;
    *outcome = HANDED_ON;
    for (int64_t iteration = 1;; iteration++) {
        if (!enter_first(s)) return RLS2_OK;
        rls2_status status = prepare(s, lambda, stale, &misfit);
        if (status == RLS2_ERR_NUMERIC) return RLS2_OK;
        if (status == RLS2_OK) status = step(s, lambda, &whole);
        if (status == RLS2_OK) status = problem->tick(problem, lambda, at->best_gap);
        if (status != RLS2_OK) return status;
        at->best.iterations = iteration;
        int better = s->merit < s->old_merit * (1.0 - ROUNDING);
        since_better = better ? 0 : since_better + 1;
        if (!(at->tau > DBL_MIN / DBL_EPSILON) || !isfinite(s->merit)) return RLS2_OK;
        if (since_better > PATIENCE || iteration > problem->options.max_iter) return RLS2_OK;
        stale = !whole;
        if (!whole) continue;
        double mean = at->tau * at->tau;
        int near = compute_c(s, lambda) <= NEAR * tol * s->merit || !better;
        if (!near) {
            status = rls2__pricer_likely(&at->pricer, at->c, mean, at->in_set);
        } else {
            rls2__evaluation found;
            status = evaluate(s, lambda, tol, &found);
            *outcome = judge(s, &found, tol, iteration);
            mean = found.mean_q;
        }
        if (status != RLS2_OK || *outcome != HANDED_ON) return status;
        if (!enter(s, mean, better ? RLS2__MAX_ENTER : 1) && near) return RLS2_OK;
    }
}

static rls2_status hand_on(linear_loss *s, double lambda, double tol, rls2__answer *answer)
{
    rls2__linear *at = &s->at;
    rls2_status status = RLS2_OK;
    if (!at->other.state) status = rls2__proximal_create(at->problem, &at->other);
    if (status != RLS2_OK) return status;
    if (at->best_count > 0)
        at->other.resume(at->other.state, at->best_count, at->best_ks, at->best_d, at->best_c);
    s->known = 0;
    status = rls2__linear_hand_on(at, lambda, tol, answer);
    if (status == RLS2_OK) s->intercept = answer->intercept;
    return status;
}

static rls2_status loss_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    linear_loss *s = state;
    rls2__linear *at = &s->at;
    int outcome;
    rls2__linear_begin(at);
    rls2_status status = begin(s, s->lambda, lambda);
    s->lambda = lambda;
    if (status == RLS2_OK) status = iterate(s, lambda, tol, &outcome);
    if (status != RLS2_OK) return status;
    rls2__linear_end(at);
    int kept = isfinite(at->best_gap) && at->best_is_last;
    if (outcome == HANDED_ON || !kept) return hand_on(s, lambda, tol, answer);
    at->best.outcome = (rls2_outcome)outcome;
    status = rls2__linear_degrees_of_freedom(at, lambda, s->curvature);
    if (status != RLS2_OK) return status;
    rls2__sort_weights(at->best_count, at->best_ks, at->best_d);
    *answer = (rls2__answer){at->best,   at->best_count,    at->best_ks, at->best_d,
                             at->best_c, s->best_intercept, NULL};
    return RLS2_OK;
}

/* Coefficients are found from c: weights alone do not tell their signs. */
static int loss_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                       const double *c)
{
    linear_loss *s = state;
    if (!c) return 0;
    rls2__linear_adopt(&s->at, count, ks, d, c);
    s->known = 0;
    return 1;
}

int rls2__is_linear_loss(const rls2__problem *problem)
{
    const rls2__row_loss loss = {.of = rls2__loss_find(problem->options.loss)};
    return problem->given_count == 0 && !rls2__loss_has_kinks(&loss) &&
           rls2__is_linear(problem->basis);
}

static rls2_status make_room(linear_loss *s)
{
    const rls2__problem *problem = s->at.problem;
    const rls2_basis *basis = problem->basis;
    double alignment;
    s->e = rls2__alloc(basis->n, sizeof(double));
    if (!s->e) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < basis->n; i++) s->e[i] = basis->roots ? basis->roots[i] : 1.0;
    rls2_status status =
        rls2__columns_create_weighed(basis, s->is_free ? s->e : NULL, &s->at.columns);
    if (status == RLS2_OK) status = rls2__linear_make_room(&s->at);
    if (status != RLS2_OK) return status;
    s->block = rls2__layout_alloc(lay_out, s);
    return s->block ? rls2__first_kernel(problem, &s->at.first, &alignment) : RLS2_ERR_MEMORY;
}

rls2_status rls2__linear_loss_create(const rls2__problem *problem, rls2__method *method)
{
    linear_loss *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->at.problem = problem;
    s->is_free = problem->options.intercept == RLS2_INTERCEPT_FREE;
    s->loss = rls2__row_loss_of(problem->options.loss, problem->basis->n, problem->response,
                                problem->basis->roots);
    s->intercept = problem->constant;
    rls2_status status = make_room(s);
    if (status != RLS2_OK) {
        loss_free(s);
        return status;
    }
    *method = (rls2__method){s, loss_solve, loss_free, loss_resume};
    return RLS2_OK;
}
