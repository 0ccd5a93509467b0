/* Proximal Newton on the simplex for several outputs with one d.              [MATH.md, N4]
 *
 *   F(d) = min over c_o, b_o of  sum of the loss + lambda/2 sum_o c_o'f_o,   f_o = R(d) c_o
 *
 * As in proximal.c, of which this is the same with n x outputs for n: at a point the loss is
 * replaced by its quadratic model; the systems of shared_system.h serve the step in c and b, and
 * that in d, whose gradient is -lambda/2 q_k, q_k = sum_o c_o'R^k c_o, and whose Hessian is
 * lambda sum_o v_jo'(M^-1 v_k)_o. Both steps are tested with the loss itself. Of the square loss
 * the model is the loss, and one factor serves all outputs. */
#include "solver/shared.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/shared_point.h"

static const double ARMIJO = 1e-4;    /* share of the predicted decrease a step must bring */
static const double ROUNDING = 1e-13; /* relative change that is never told from rounding */
/* c that is moved by no more than this share into the domain was there but for rounding. */
static const double SAME_C = 1e-12;
enum { MAX_BACKTRACKS = 30, WEIGHT_BACKTRACKS = 12, PATIENCE = 12 };
/* Widths of envelopes, in units of the spread of y: as in proximal.c. */
static const double WIDTH = 0.1, LEAST_WIDTH = 0.01, NARROWER = 0.5, WIDER = 3.0, SOLVED = 0.3;
enum { CUT_SHORT = 3 };
/* Weights that were found elsewhere are as good as one's own within this share of the gap. */
static const double BORROWED = 0.01;

static void shared_free(void *state)
{
    rls2__shared *s = state;
    if (!s) return;
    rls2__joint_loss_free(&s->loss);
    rls2__joint_system_free(&s->system);
    rls2__pricer_free(&s->pricer);
    rls2__working_set_free(&s->set);
    rls2__free(s->block);
    rls2__free(s);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__shared *s = owner;
    int64_t room = s->set.room;
    double **of_size[] = {&s->c,     &s->f,    &s->next_c, &s->next_f,
                          &s->slope, &s->root, &s->step,   &s->best.c};
    double **of_outputs[] = {&s->b, &s->next_b, &s->balance, &s->best.b, &s->df};
    s->V =
        rls2__layout_take(layout, rls2__mul(s->size, rls2__add(s->set.learned, 1)), sizeof(double));
    s->e = rls2__layout_take(layout, s->n, sizeof(double));
    s->work = rls2__layout_take(layout, s->n, sizeof(double));
    s->best.ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->best.each = rls2__layout_take(layout, s->outputs, sizeof *s->best.each);
    s->best.d = rls2__layout_take(layout, room, sizeof(double));
    for (size_t i = 0; i < sizeof of_size / sizeof *of_size; i++)
        *of_size[i] = rls2__layout_take(layout, s->size, sizeof(double));
    for (size_t i = 0; i < sizeof of_outputs / sizeof *of_outputs; i++)
        *of_outputs[i] = rls2__layout_take(layout, s->outputs, sizeof(double));
}

static rls2_status make_room(rls2__shared *s)
{
    const rls2__problem *problem = s->problem;
    const rls2_basis *basis = problem->basis;
    rls2_status status = s->is_given
                             ? rls2__working_set_create_given(basis, problem->given_count, &s->set)
                             : rls2__working_set_create(basis, &s->set);
    if (status != RLS2_OK) return status;
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->block) return RLS2_ERR_MEMORY;
    for (int64_t i = 0; i < s->n; i++) s->e[i] = basis->roots ? basis->roots[i] : 1.0;
    status = rls2__joint_loss_create(problem->options.loss, s->outputs, s->n, problem->response,
                                     basis->roots, s->is_free, &s->loss);
    if (status == RLS2_OK)
        status = rls2__pricer_create_joint(problem->effort, basis, s->outputs, &s->pricer);
    if (status != RLS2_OK) return status;
    const rls2__joint_kind kind = {.coupled = s->loss.coupled,
                                   .alike = problem->options.loss.kind == RLS2_LOSS_SQUARE,
                                   .is_free = s->is_free};
    return rls2__joint_system_create(problem->effort, basis, problem->options.memory, s->outputs,
                                     kind, s->set.learned, s->e, &s->system);
}

/* ---- the step in c and b ---- */

/* The quadratic model of the loss at (f, b), factorised. */
static rls2_status bend(rls2__shared *s, double lambda)
{
    rls2__joint_loss_bend(&s->loss, s->f, s->b, s->slope, s->root);
    return rls2__joint_system_factorize(&s->system, lambda, s->root);
}

/* Where the model's minimum is for these d: next_c, next_f and next_b. */
static rls2_status minimise_in_c(rls2__shared *s, double lambda)
{
    int64_t n = s->n;
    for (int64_t i = 0; i < s->size; i++) s->next_c[i] = -s->slope[i] / lambda;
    for (int64_t o = 0; o < s->outputs; o++)
        s->balance[o] = rls2__la_dot(n, s->e, s->next_c + o * n);
    rls2_status status = rls2__joint_system_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < s->outputs; o++) {
        double b = rls2__joint_system_moves(&s->system, o) ? s->b[o] : 0.0;
        for (int64_t i = 0; i < n; i++)
            s->step[o * n + i] = s->f[o * n + i] - s->next_f[o * n + i] + b * s->e[i];
    }
    status = rls2__joint_system_solve(&s->system, s->balance, s->step, s->next_b);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < s->outputs; o++)
        if (!rls2__joint_system_moves(&s->system, o)) s->next_b[o] = s->b[o];
    rls2__la_axpy(s->size, 1.0, s->step, s->next_c);
    return rls2__joint_system_apply(&s->system, s->next_c, s->next_f);
}

/* The derivative of the merit towards the next point, d being the same. */
static double slope_in_c(const rls2__shared *s, double lambda)
{
    double total = 0.0;
    for (int64_t i = 0; i < s->size; i++)
        total += (s->slope[i] + lambda * s->c[i]) * (s->next_f[i] - s->f[i]);
    for (int64_t o = 0; o < s->outputs; o++)
        total += rls2__la_dot(s->n, s->slope + o * s->n, s->e) * (s->next_b[o] - s->b[o]);
    return total;
}

/* to = the middle of the two */
static void halve(int64_t count, const double *from, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = from[i] + 0.5 * (to[i] - from[i]);
}

static void take_next(rls2__shared *s, double merit)
{
    memcpy(s->c, s->next_c, (size_t)s->size * sizeof(double));
    memcpy(s->f, s->next_f, (size_t)s->size * sizeof(double));
    memcpy(s->b, s->next_b, (size_t)s->outputs * sizeof(double));
    s->merit = merit;
}

/* Towards the model's minimum as far as the merit falls. Returned is how far: 1 is all the way. */
static double step_in_c(rls2__shared *s, double lambda)
{
    double decrease = fmin(slope_in_c(s, lambda), 0.0), noise = ROUNDING * fabs(s->merit);
    double share = 1.0;
    for (int round = 0; round < MAX_BACKTRACKS; round++, share *= 0.5) {
        double merit = rls2__shared_merit(s, lambda, s->next_c, s->next_f, s->next_b);
        if (merit <= s->merit + ARMIJO * share * decrease + noise) {
            take_next(s, merit);
            return share;
        }
        halve(s->size, s->c, s->next_c);
        halve(s->size, s->f, s->next_f);
        halve(s->outputs, s->b, s->next_b);
    }
    return 0.0;
}

/* c in the domain of the conjugate, where that does no harm to the merit; otherwise the point is
 * only one on the way. */
static rls2_status enter_domain(rls2__shared *s, double lambda, double before)
{
    memcpy(s->next_c, s->c, (size_t)s->size * sizeof(double));
    double moved = rls2__joint_loss_project(&s->loss, lambda, s->is_free, s->next_c);
    s->feasible = moved <= SAME_C;
    if (moved == 0.0) return RLS2_OK;
    rls2_status status = rls2__joint_system_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    memcpy(s->next_b, s->b, (size_t)s->outputs * sizeof(double));
    if (s->is_free) rls2__joint_loss_constant(&s->loss, s->next_f, 0, s->next_b);
    double merit = rls2__shared_merit(s, lambda, s->next_c, s->next_f, s->next_b);
    if (s->feasible || merit <= before + ROUNDING * fabs(before)) {
        take_next(s, merit);
        s->feasible = 1;
    }
    return RLS2_OK;
}

/* ---- the step in d ---- */

/* step = -M^-1 sum_k (target - d)_k v_k: what c does when d goes to the target, to first order. */
static rls2_status follow_in_c(rls2__shared *s)
{
    const rls2__working_set *set = &s->set;
    memset(s->step, 0, (size_t)s->size * sizeof(double));
    for (int64_t o = 0; o < s->outputs; o++) {
        const double *V = s->V + o * s->n * (set->room + 1);
        s->balance[o] = 0.0;
        for (int64_t i = 0; i < set->count; i++)
            rls2__la_axpy(s->n, set->d[i] - set->target[i], V + i * s->n, s->step + o * s->n);
    }
    return rls2__joint_system_solve(&s->system, s->balance, s->step, s->next_b);
}

/* The weights `share` of the way to the target, and c with them. */
static rls2_status try_weights(rls2__shared *s, double lambda, double share, double *merit)
{
    rls2__working_set *set = &s->set;
    rls2__working_set_try(set, share);
    s->formed = 0;
    rls2_status status = rls2__curved_combine(&s->system.curved, set->count, set->ks, set->trial);
    if (status != RLS2_OK) return status;
    memcpy(s->next_c, s->c, (size_t)s->size * sizeof(double));
    rls2__la_axpy(s->size, share, s->step, s->next_c);
    status = rls2__joint_system_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    memcpy(s->next_b, s->b, (size_t)s->outputs * sizeof(double));
    if (s->is_free) rls2__joint_loss_constant(&s->loss, s->next_f, 0, s->next_b);
    *merit = rls2__shared_merit(s, lambda, s->next_c, s->next_f, s->next_b);
    return RLS2_OK;
}

/* Where d is to go, and c with it. */
static rls2_status aim(rls2__shared *s, double mean)
{
    rls2__working_set *set = &s->set;
    rls2__working_set_offer(set, &s->pricer, mean);
    rls2_status status = rls2__shared_apply(s, set->active, set->count);
    if (status == RLS2_OK)
        status = rls2__joint_system_hessian(&s->system, set->count, s->V, set->H, set->room);
    if (status != RLS2_OK) return status;
    rls2__working_set_minimise(set);
    return follow_in_c(s);
}

static rls2_status step_in_d(rls2__shared *s, double lambda, double mean)
{
    double share = 1.0, merit, noise = ROUNDING * fabs(s->merit);
    rls2_status status = aim(s, mean);
    for (int round = 0; round < WEIGHT_BACKTRACKS && status == RLS2_OK; round++, share *= 0.5) {
        status = try_weights(s, lambda, share, &merit);
        if (status != RLS2_OK || !(merit <= s->merit + noise)) continue;
        rls2__working_set_take(&s->set);
        s->formed = 1;
        take_next(s, merit);
        return RLS2_OK;
    }
    s->set.count = s->set.active;
    return status == RLS2_OK ? rls2__shared_form(s) : status;
}

/* ---- one lambda ---- */

static void keep_best(rls2__shared *s, const rls2__evaluation *at, double lambda)
{
    rls2__shared_best *best = &s->best;
    if (!s->feasible || !(at->gap < best->gap)) return;
    best->gap = at->gap;
    best->count = s->set.active;
    memcpy(best->ks, s->set.ks, (size_t)best->count * sizeof(int64_t));
    memcpy(best->d, s->set.d, (size_t)best->count * sizeof(double));
    memcpy(best->c, s->c, (size_t)s->size * sizeof(double));
    memcpy(best->b, s->next_b, (size_t)s->outputs * sizeof(double));
    best->point.lambda = lambda;
    best->point.objective = at->objective;
    best->point.gap = at->gap;
    best->point.residual = at->residual;
    best->point.selected = best->count;
}

static void set_width(rls2__shared *s, double lambda, double width)
{
    s->width = width;
    rls2__joint_loss_widen(&s->loss, width);
    s->merit = rls2__shared_merit(s, lambda, s->c, s->f, s->b);
}

/* Envelopes follow their problem where that is solved, and are widened where steps are short. */
static void follow_envelope(rls2__shared *s, double lambda, const rls2__shared_gap *found,
                            double share, int *cut)
{
    *cut = share < 1.0 ? *cut + 1 : 0;
    if (found->envelope <= SOLVED * found->at.gap) {
        rls2__joint_loss_recentre(&s->loss, lambda, s->c);
        set_width(s, lambda, fmax(s->width * NARROWER, LEAST_WIDTH));
    } else if (*cut >= CUT_SHORT) {
        *cut = 0;
        set_width(s, lambda, fmin(s->width * WIDER, 1.0));
    }
}

/* The best c and b of the model, and the gap there. */
static rls2_status improve_in_c(rls2__shared *s, double lambda, double tol, double *share,
                                rls2__shared_gap *found)
{
    double merit = s->merit;
    rls2_status status = bend(s, lambda);
    if (status == RLS2_OK) status = minimise_in_c(s, lambda);
    if (status != RLS2_OK) return status;
    *share = step_in_c(s, lambda);
    status = enter_domain(s, lambda, merit);
    if (status == RLS2_OK) status = rls2__shared_evaluate(s, lambda, tol, found);
    if (status == RLS2_OK) keep_best(s, &found->at, lambda);
    return status;
}

/* Whether the iterations are over, and how. */
static int is_over(const rls2__shared *s, const rls2__evaluation *at, double tol, int64_t iteration,
                   int64_t idle, rls2_outcome *outcome)
{
    double gap = s->best.gap, wanted = s->borrowed && iteration == 1 ? BORROWED * tol : tol;
    *outcome = RLS2_OUTCOME_CONVERGED;
    if (gap <= wanted) return 1;
    *outcome = RLS2_OUTCOME_STALLED;
    if ((gap <= 2.0 * at->floor && at->floor > 0.5 * tol) || idle > PATIENCE) return 1;
    *outcome = RLS2_OUTCOME_MAX_ITER;
    return iteration >= s->problem->options.max_iter;
}

/* The iterations; the best point is left in s->best. */
static rls2_status iterate(rls2__shared *s, double lambda, double tol, rls2_outcome *outcome)
{
    const rls2__problem *problem = s->problem;
    int64_t idle = 0;
    int cut = 0;
    for (int64_t iteration = 1;; iteration++) {
        double before = s->best.gap, merit = s->merit, share;
        rls2__shared_gap found;
        rls2_status status = improve_in_c(s, lambda, tol, &share, &found);
        if (status != RLS2_OK) return status;
        s->best.point.iterations = iteration;
        status = problem->tick(problem, lambda, s->best.gap);
        if (status != RLS2_OK) return status;
        int better = s->best.gap < 0.9 * before || s->merit < merit * (1.0 - 10.0 * ROUNDING);
        idle = better ? 0 : idle + 1;
        if (is_over(s, &found.at, tol, iteration, idle, outcome)) return RLS2_OK;
        if (s->width > 0.0) follow_envelope(s, lambda, &found, share, &cut);
        if (share == 1.0 && !s->is_given) status = step_in_d(s, lambda, found.at.mean_q);
        if (status != RLS2_OK) return status;
    }
}

/* Goes back to the best point where the last one is another. */
static void restore_best(rls2__shared *s)
{
    const rls2__shared_best *best = &s->best;
    if (!s->is_given) s->formed = 0;
    rls2__working_set_put(&s->set, best->count, best->ks, best->d);
    memcpy(s->c, best->c, (size_t)s->size * sizeof(double));
    memcpy(s->b, best->b, (size_t)s->outputs * sizeof(double));
}

static rls2_status degrees_of_freedom(rls2__shared *s, double lambda)
{
    for (int64_t o = 0; o < s->outputs; o++) s->df[o] = (double)NAN;
    if (s->problem->options.degrees_of_freedom == RLS2_DF_NONE || s->loss.centre || s->loss.coupled)
        return RLS2_OK;
    rls2_status status = rls2__shared_form(s);
    if (status == RLS2_OK) status = rls2__joint_system_apply(&s->system, s->c, s->f);
    if (status != RLS2_OK) return status;
    rls2__joint_loss_bend(&s->loss, s->f, s->b, s->slope, s->root);
    return rls2__joint_system_df(&s->system, lambda, s->root, s->df);
}

/* The point that the last lambda, or nothing, left, at this one. */
static rls2_status begin(rls2__shared *s, double lambda)
{
    s->best.gap = INFINITY;
    memset(&s->best.point, 0, sizeof s->best.point);
    rls2_status status = rls2__shared_form(s);
    if (status == RLS2_OK) status = rls2__joint_system_apply(&s->system, s->c, s->f);
    if (s->loss.centre)
        set_width(s, lambda, WIDTH);
    else
        s->merit = rls2__shared_merit(s, lambda, s->c, s->f, s->b);
    return status;
}

static rls2_status shared_solve(void *state, double lambda, double tol, rls2__answer *answer)
{
    rls2__shared *s = state;
    rls2__shared_best *best = &s->best;
    int64_t factorizations = s->system.curved.factorizations;
    int64_t priced = s->pricer.priced, offered = s->pricer.offered;
    s->system.curved.effort = s->pricer.effort = s->problem->effort; /* another when it goes on */
    rls2_status status = begin(s, lambda);
    if (status == RLS2_OK) status = iterate(s, lambda, tol, &best->point.outcome);
    s->borrowed = 0;
    if (status != RLS2_OK) return status;
    if (!isfinite(best->gap)) return RLS2_ERR_NUMERIC;
    best->point.factorizations = s->system.curved.factorizations - factorizations;
    best->point.priced = s->pricer.priced - priced;
    best->point.offered = s->pricer.offered - offered;
    rls2__sort_weights(best->count, best->ks, best->d);
    restore_best(s);
    status = degrees_of_freedom(s, lambda);
    if (status != RLS2_OK) return status;
    for (int64_t o = 0; o < s->outputs; o++)
        best->each[o] = (rls2__own_answer){best->b[o], s->df[o]};
    *answer = (rls2__answer){.point = best->point,
                             .count = best->count,
                             .ks = best->ks,
                             .d = best->d,
                             .c = best->c,
                             .each = best->each};
    return RLS2_OK;
}

static int shared_resume(void *state, int64_t count, const int64_t *ks, const double *d,
                         const double *c)
{
    rls2__shared *s = state;
    s->formed = 0;
    rls2__working_set_put(&s->set, count, ks, d);
    if (c) memcpy(s->c, c, (size_t)s->size * sizeof *c);
    s->borrowed = !c;
    return 1;
}

rls2_status rls2__shared_create(const rls2__problem *problem, rls2__method *method)
{
    const double one = 1.0;
    double alignment;
    int64_t first;
    rls2__shared *s = rls2__alloc_zero(1, sizeof *s);
    if (!s) return RLS2_ERR_MEMORY;
    s->problem = problem;
    s->n = problem->basis->n;
    s->outputs = problem->outputs;
    s->size = rls2__mul(s->n, s->outputs);
    s->is_free = problem->options.intercept == RLS2_INTERCEPT_FREE;
    s->is_given = problem->given_count > 0;
    rls2_status status = make_room(s);
    if (status == RLS2_OK && !s->is_given) status = rls2__first_kernel(problem, &first, &alignment);
    if (status != RLS2_OK) {
        shared_free(s);
        return status;
    }
    if (s->is_given)
        rls2__working_set_put(&s->set, problem->given_count, problem->given_ks, problem->given_d);
    else
        rls2__working_set_put(&s->set, 1, &first, &one);
    memcpy(s->b, problem->constants, (size_t)s->outputs * sizeof(double));
    memset(s->c, 0, (size_t)s->size * sizeof(double));
    *method = (rls2__method){s, shared_solve, shared_free, shared_resume};
    return RLS2_OK;
}
