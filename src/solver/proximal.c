/* Proximal Newton on the simplex, for any convex loss.                        [MATH.md, N2]
 *
 *   F(d) = min over c, b of  sum_i w_i L(y_i, f_i + b) + lambda/2 c'f,   f = R(d) c
 *
 * At a point the loss is replaced by its quadratic model, of curvature D^2. With that the problem
 * is the square loss's, of M = R(d) + lambda D^-2, and one factorisation, of B = D R(d) D +
 * lambda I, serves two steps: that in c and b, and that in d, whose gradient is -lambda/2 q_k and
 * whose Hessian is lambda v_j' M^-1 v_k, as ever. c follows d to first order, so that the next
 * factorisation is made at the new point. Both steps are tested with the loss itself. No inverse
 * curvature is needed: where it is 0, c is -slope / lambda.
 *
 * Losses with kinks have a method of their own (barrier.c), which takes the same steps with other
 * curvatures. The gap is always that of the loss itself. */
#include "solver/proximal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "basis/combine.h"
#include "la/la.h"
#include "la/tiles.h"
#include "solver/barrier.h"
#include "solver/proximal_steps.h"

static const double ARMIJO = 1e-4;    /* share of the predicted decrease a step must bring */
static const double ROUNDING = 1e-13; /* relative change that is never told from rounding */
/* c that is moved by no more than this share into the domain was there but for rounding. */
static const double SAME_C = 1e-12;
enum { MAX_BACKTRACKS = 30, PATIENCE = 12 };

static void proximal_free(void *state)
{
    rls2__proximal *s = state;
    if (!s) return;
    rls2__curved_free(&s->system);
    rls2__pricer_free(&s->pricer);
    rls2__simplex_qp_free(s->qp);
    rls2__free(s->block);
    rls2__free(s);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__proximal *s = owner;
    int64_t n = s->problem->basis->n, room = s->room, learned = s->is_given ? 0 : room;
    s->ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->best_ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->in_set = rls2__layout_take(layout, s->problem->basis->m, 1);
    s->V = rls2__layout_take(layout, rls2__mul(n, rls2__add(learned, 1)), sizeof(double));
    s->H = rls2__layout_take(layout, rls2__mul(learned, learned), sizeof(double));
    double **of_room[] = {&s->d, &s->target, &s->trial, &s->g, &s->q, &s->best_d};
    double **of_rows[] = {&s->c,    &s->f,    &s->next_c, &s->next_f, &s->slope, &s->root,
                          &s->step, &s->ones, &s->e,      &s->work,   &s->best_c};
    for (size_t i = 0; i < sizeof of_room / sizeof *of_room; i++)
        *of_room[i] = rls2__layout_take(layout, room, sizeof(double));
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        *of_rows[i] = rls2__layout_take(layout, n, sizeof(double));
    if (!rls2__loss_has_kinks(&s->loss)) return;
    rls2__barrier_lay_out(&s->rows, &s->loss, layout);
    if (s->is_fixed) rls2__kinks_lay_out(&s->kinks, n, layout);
}

static rls2_status make_room(rls2__proximal *s)
{
    const rls2__problem *problem = s->problem;
    const rls2_basis *basis = problem->basis;
    int64_t n = basis->n;
    s->room = s->is_given ? problem->given_count : rls2__working_room(basis);
    s->qp = rls2__simplex_qp_create(s->room);
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->qp || !s->block) return RLS2_ERR_MEMORY;
    memset(s->in_set, 0, (size_t)basis->m);
    for (int64_t i = 0; i < n; i++) s->e[i] = basis->roots ? basis->roots[i] : 1.0;
    if (rls2__loss_has_kinks(&s->loss)) rls2__barrier_init(&s->rows);
    rls2_status status = rls2__pricer_create(problem->effort, basis, &s->pricer);
    if (status == RLS2_OK)
        status = rls2__curved_create(problem->effort, basis, problem->options.memory, &s->system);
    return status;
}

/* ---- the step in c and b ---- */

/* The derivative of the merit towards the next point, d being the same. */
static double slope_in_c(const rls2__proximal *s, double lambda)
{
    double total = 0.0, along_b = 0.0;
    for (int64_t i = 0; i < s->problem->basis->n; i++) {
        total += (s->slope[i] + lambda * s->c[i]) * (s->next_f[i] - s->f[i]);
        along_b += s->slope[i] * s->e[i];
    }
    return total + along_b * (s->next_b - s->b);
}

/* The quadratic model of the loss at (f, b), factorised. */
static rls2_status bend(rls2__proximal *s, double lambda)
{
    rls2__loss_bend(&s->loss, s->f, s->b, s->slope, s->root);
    return rls2__proximal_factorize(s, lambda);
}

static void mix(int64_t n, double share, const double *from, double *to)
{
    for (int64_t i = 0; i < n; i++) to[i] = from[i] + share * (to[i] - from[i]);
}

static void take_next(rls2__proximal *s, double merit)
{
    int64_t n = s->problem->basis->n;
    memcpy(s->c, s->next_c, (size_t)n * sizeof(double));
    memcpy(s->f, s->next_f, (size_t)n * sizeof(double));
    s->b = s->next_b;
    s->merit = merit;
}

/* Towards the model's minimum as far as the merit falls. *share is how far: 1 is all the way. */
static void step_in_c(rls2__proximal *s, double lambda, double *share)
{
    int64_t n = s->problem->basis->n;
    double decrease = fmin(slope_in_c(s, lambda), 0.0), noise = ROUNDING * fabs(s->merit);
    *share = 1.0;
    for (int round = 0; round < MAX_BACKTRACKS; round++) {
        double merit = rls2__proximal_merit(s, lambda, s->next_c, s->next_f, s->next_b);
        if (merit <= s->merit + ARMIJO * *share * decrease + noise) {
            take_next(s, merit);
            return;
        }
        mix(n, 0.5, s->c, s->next_c);
        mix(n, 0.5, s->f, s->next_f);
        s->next_b = 0.5 * (s->b + s->next_b);
        *share *= 0.5;
    }
    *share = 0.0;
}

/* c in the domain of the conjugate, where that does no harm to the merit; otherwise the point is
 * only one on the way. */
static rls2_status enter_domain(rls2__proximal *s, double lambda, double before)
{
    int64_t n = s->problem->basis->n;
    memcpy(s->next_c, s->c, (size_t)n * sizeof(double));
    double moved = rls2__loss_project(&s->loss, lambda, s->is_free, s->next_c);
    s->feasible = moved <= SAME_C;
    if (moved == 0.0) return RLS2_OK;
    rls2_status status = rls2__curved_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    s->next_b = s->is_free ? rls2__loss_constant(&s->loss, s->next_f, s->b) : s->b;
    double merit = rls2__proximal_merit(s, lambda, s->next_c, s->next_f, s->next_b);
    if (s->feasible || merit <= before + ROUNDING * fabs(before)) {
        take_next(s, merit);
        s->feasible = 1;
    }
    return RLS2_OK;
}

/* ---- the step in d ---- */

/* The weights `share` of the way to the target, and c with them. */
static rls2_status try_weights(rls2__proximal *s, double lambda, double share, double *merit)
{
    int64_t n = s->problem->basis->n;
    for (int64_t i = 0; i < s->count; i++) s->trial[i] = s->d[i] + share * (s->target[i] - s->d[i]);
    s->formed = 0;
    rls2_status status = rls2__curved_combine(&s->system, s->count, s->ks, s->trial);
    if (status != RLS2_OK) return status;
    memcpy(s->next_c, s->c, (size_t)n * sizeof(double));
    rls2__la_axpy(n, share, s->step, s->next_c);
    status = rls2__curved_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    s->next_b = s->is_free ? rls2__loss_constant(&s->loss, s->next_f, s->b) : s->b;
    *merit = rls2__proximal_merit(s, lambda, s->next_c, s->next_f, s->next_b);
    return RLS2_OK;
}

static rls2_status step_in_d(rls2__proximal *s, double lambda, double mean, int *moved)
{
    enum { BACKTRACKS = 12 };
    double share = 1.0, merit, b, noise = ROUNDING * fabs(s->merit);
    *moved = 0;
    rls2_status status = rls2__proximal_choose_entering(s, mean);
    if (status == RLS2_OK) status = rls2__proximal_minimise_in_d(s);
    if (status == RLS2_OK) status = rls2__proximal_follow_in_c(s, &b);
    for (int round = 0; round < BACKTRACKS && status == RLS2_OK; round++, share *= 0.5) {
        status = try_weights(s, lambda, share, &merit);
        if (status == RLS2_OK && merit <= s->merit + noise) {
            rls2__proximal_take_weights(s);
            take_next(s, merit);
            *moved = 1;
            return RLS2_OK;
        }
    }
    s->count = s->active;
    return status == RLS2_OK ? rls2__proximal_form(s) : status;
}

/* ---- one lambda ---- */

/* The iterations; the best point is left in s->best*. */
static rls2_status iterate(rls2__proximal *s, double lambda, double tol, rls2_outcome *outcome)
{
    const rls2__problem *problem = s->problem;
    int64_t since_better = 0;
    for (int64_t iteration = 1;; iteration++) {
        double before = s->best_gap, merit = s->merit, share;
        rls2__proximal_gap found;
        rls2_status status = bend(s, lambda);
        if (status == RLS2_OK) status = rls2__proximal_minimise_in_c(s, lambda);
        if (status != RLS2_OK) return status;
        step_in_c(s, lambda, &share);
        status = enter_domain(s, lambda, merit);
        if (status == RLS2_OK) status = rls2__proximal_evaluate(s, lambda, tol, &found);
        if (status != RLS2_OK) return status;
        rls2__proximal_keep_best(s, &found, lambda);
        s->best.iterations = iteration;
        status = problem->tick(problem, lambda, s->best_gap);
        if (status != RLS2_OK) return status;
        *outcome = RLS2_OUTCOME_CONVERGED;
        if (s->best_gap <= tol && !s->borrowed) return RLS2_OK;
        *outcome = RLS2_OUTCOME_STALLED;
        if (s->best_gap <= 2.0 * found.at.floor && found.at.floor > 0.5 * tol) return RLS2_OK;
        int better = s->best_gap < 0.9 * before || s->merit < merit * (1.0 - 10.0 * ROUNDING);
        since_better = better ? 0 : since_better + 1;
        if (since_better > PATIENCE) return RLS2_OK;
        *outcome = RLS2_OUTCOME_MAX_ITER;
        if (iteration >= problem->options.max_iter) return RLS2_OK;
        int moved;
        if (share == 1.0 && !s->is_fixed) status = step_in_d(s, lambda, found.at.mean_q, &moved);
        s->borrowed = 0;
        if (status != RLS2_OK) return status;
    }
}

static rls2_status degrees_of_freedom(rls2__proximal *s, double lambda)
{
    s->best.df = NAN;
    if (s->problem->options.degrees_of_freedom == RLS2_DF_NONE) return RLS2_OK;
    if (rls2__loss_has_kinks(&s->loss)) return RLS2_OK; /* they have no curvature */
    rls2_status status = rls2__proximal_form(s);
    if (status == RLS2_OK) status = rls2__curved_apply(&s->system, s->c, s->f);
    if (status != RLS2_OK) return status;
    rls2__loss_bend(&s->loss, s->f, s->b, s->slope, s->root);
    status = rls2__curved_factorize(&s->system, lambda, s->root);
    return status == RLS2_OK ? rls2__curved_degrees_of_freedom(&s->system, &s->best.df) : status;
}

/* The point that the last lambda, or nothing, left, at this one. */
static rls2_status begin(rls2__proximal *s, double lambda)
{
    s->best_gap = INFINITY;
    memset(&s->best, 0, sizeof s->best);
    rls2_status status = rls2__proximal_form(s);
    if (status == RLS2_OK) status = rls2__curved_apply(&s->system, s->c, s->f);
    s->merit = rls2__proximal_merit(s, lambda, s->c, s->f, s->b);
    return status;
}

/* Where weights stay rows are looked for at their kinks first. */
static rls2_status iterate_kinks(rls2__proximal *s, double lambda, double tol)
{
    int found = 0;
    double b = s->b;
    size_t bytes = (size_t)s->problem->basis->n * sizeof(double);
    rls2_status status = RLS2_OK;
    memcpy(s->next_c, s->c, bytes);
    if (s->is_fixed && !s->kinks.unknown && !s->borrowed && !s->system.is_low)
        status = rls2__kinks_iterate(s, lambda, tol, &found);
    s->kinks.lambda = lambda;
    s->kinks.unknown = 0;
    s->best.outcome = RLS2_OUTCOME_CONVERGED;
    if (status != RLS2_OK || found) return status;
    s->kinks.known = s->kinks.mirrored = 0;
    memcpy(s->c, s->next_c, bytes);
    s->b = b;
    return rls2__barrier_iterate(s, lambda, tol, &s->best.outcome);
}

static rls2_status proximal_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    rls2__proximal *s = state;
    int64_t factorizations = s->system.factorizations;
    int64_t priced = s->pricer.priced, offered = s->pricer.offered;
    s->system.effort = s->pricer.effort = s->problem->effort; /* another where a path goes on */
    rls2_status status = begin(s, lambda);
    if (status == RLS2_OK)
        status = rls2__loss_has_kinks(&s->loss) ? iterate_kinks(s, lambda, tol)
                                                : iterate(s, lambda, tol, &s->best.outcome);
    if (status != RLS2_OK) return status;
    if (!isfinite(s->best_gap)) return RLS2_ERR_NUMERIC;
    s->best.factorizations = s->system.factorizations - factorizations;
    s->best.priced = s->pricer.priced - priced;
    s->best.offered = s->pricer.offered - offered;
    rls2__sort_weights(s->best_count, s->best_ks, s->best_d);
    rls2__proximal_restore_best(s);
    status = degrees_of_freedom(s, lambda);
    if (status != RLS2_OK) return status;
    *answer =
        (rls2__answer){s->best, s->best_count, s->best_ks, s->best_d, s->best_c, s->best_b, NULL};
    return RLS2_OK;
}

static int proximal_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                           const double *c)
{
    rls2__proximal *s = state;
    rls2__invariant(count <= s->room && rls2__is_on_simplex(count, d));
    s->formed = 0;
    for (int64_t i = 0; i < s->active; i++) s->in_set[s->ks[i]] = 0;
    s->active = s->count = count;
    memcpy(s->ks, ks, (size_t)count * sizeof *ks);
    memcpy(s->d, d, (size_t)count * sizeof *d);
    for (int64_t i = 0; i < count; i++) s->in_set[ks[i]] = 1;
    if (c) memcpy(s->c, c, (size_t)s->problem->basis->n * sizeof *c);
    if (c) s->rows.entered = 1;
    s->kinks.unknown = 1; /* the lambda of c */
    s->borrowed = !c;
    return 1;
}

/* Those that are given, or all of it on the kernel that is first. */
static rls2_status begin_weights(rls2__proximal *s)
{
    const rls2__problem *problem = s->problem;
    double alignment;
    rls2_status status = RLS2_OK;
    s->active = s->count = s->is_given ? problem->given_count : 1;
    s->d[0] = 1.0;
    if (s->is_given) {
        memcpy(s->ks, problem->given_ks, (size_t)s->active * sizeof *s->ks);
        memcpy(s->d, problem->given_d, (size_t)s->active * sizeof *s->d);
    } else {
        status = rls2__first_kernel(problem, &s->ks[0], &alignment);
    }
    for (int64_t i = 0; i < s->active && status == RLS2_OK; i++) s->in_set[s->ks[i]] = 1;
    return status;
}

rls2_status rls2__proximal_create(const rls2__problem *problem, rls2__method *method)
{
    int64_t n = problem->basis->n;
    rls2__proximal *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->problem = problem;
    s->is_free = problem->options.intercept == RLS2_INTERCEPT_FREE;
    s->is_given = problem->given_count > 0;
    s->is_fixed = s->is_given || problem->basis->m == 1;
    s->loss = rls2__row_loss_of(problem->options.loss, n, problem->response, problem->basis->roots);
    s->b = problem->constant;
    rls2_status status = make_room(s);
    if (status == RLS2_OK) status = begin_weights(s);
    if (status != RLS2_OK) {
        proximal_free(s);
        return status;
    }
    memset(s->c, 0, (size_t)n * sizeof(double));
    *method = (rls2__method){s, proximal_solve, proximal_free, proximal_resume};
    return RLS2_OK;
}
