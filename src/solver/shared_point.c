/* One point of the method for shared weights, and how far it can be from the best. [MATH.md, N4] */
#include "solver/shared_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "basis/combine.h"
#include "la/la.h"

/* of the tolerance: kernels this close to the mean are not priced */
static const double SPARED_SHARE = 0.25;
/* Rounding of the terms of a Fenchel-Young gap, in units of eps. */
static const double TERM_ROUNDING = 8.0;

double rls2__shared_merit(rls2__shared *s, double lambda, const double *c, const double *f,
                          const double *b)
{
    return rls2__joint_loss_sum(&s->loss, f, b) + 0.5 * lambda * rls2__la_dot(s->size, c, f);
}

rls2_status rls2__shared_form(rls2__shared *s)
{
    const rls2__working_set *set = &s->set;
    rls2__invariant(rls2__is_on_simplex(set->active, set->d));
    if (s->formed) return RLS2_OK;
    rls2_status status = rls2__curved_combine(&s->system.curved, set->active, set->ks, set->d);
    s->formed = status == RLS2_OK;
    return status;
}

rls2_status rls2__shared_apply(rls2__shared *s, int64_t first, int64_t count)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < s->outputs && status == RLS2_OK; o++) {
        double *V = s->V + o * s->n * (s->set.room + 1);
        status =
            rls2__combiner_apply(s->system.curved.effort, s->system.curved.combiner, count - first,
                                 s->set.ks + first, s->c + o * s->n, V + first * s->n, s->work);
    }
    return status;
}

static rls2_status evaluate_active(rls2__shared *s)
{
    rls2__working_set *set = &s->set;
    rls2_status status = rls2__shared_apply(s, 0, set->active);
    for (int64_t i = 0; i < set->active; i++) {
        set->q[i] = 0.0;
        for (int64_t o = 0; o < s->outputs; o++)
            set->q[i] +=
                rls2__la_dot(s->n, s->c + o * s->n, s->V + (o * (set->room + 1) + i) * s->n);
    }
    return status;
}

/* Bounds all q_k from above; *slack is what the bound adds to the largest of the forms computed. */
static double largest_q(rls2__shared *s, double squares, double *slack)
{
    double largest, computed;
    rls2__pricer_largest(&s->pricer, squares, &computed, &largest);
    for (int64_t i = 0; i < s->set.active; i++) {
        double own = s->problem->basis->ops[s->set.ks[i]].slack;
        computed = fmax(computed, s->set.q[i]);
        largest = fmax(largest, s->set.q[i] + own * squares);
    }
    *slack = largest - computed;
    return largest;
}

/* What rounding and what factors leave out can add to a gap: f is off by no more than `off`, and
 * sum_o c_o'f_o by no more than mean_off. */
static double add_rounding(const rls2__shared *s, const rls2__young *young, double lambda,
                           double off, double mean_off)
{
    double added = TERM_ROUNDING * DBL_EPSILON * young->size + young->unbent * off +
                   0.5 * young->curvature * off * off + young->jump * sqrt((double)s->size) * off +
                   0.5 * lambda * mean_off;
    return s->is_free ? added + lambda * young->unbalanced : added;
}

/* The gap of the problem with envelopes: their values and conjugates. */
static double envelope_gap(rls2__shared *s, const rls2__young *young, double apart)
{
    double dual = young->gap - young->loss + young->envelope;
    return rls2__joint_loss_sum(&s->loss, s->f, s->b) + dual + apart;
}

static rls2__shared_gap gap_at(rls2__shared *s, double lambda)
{
    rls2__bounds bounds =
        rls2__combined_bounds(s->problem->basis, s->set.active, s->set.ks, s->set.d);
    double cf = rls2__la_dot(s->size, s->c, s->f), cc = rls2__la_dot(s->size, s->c, s->c), slack;
    double largest = s->is_given ? cf : largest_q(s, cc, &slack);
    if (s->is_given) slack = 0.0;
    double off = (DBL_EPSILON * sqrt((double)s->n) * bounds.norm + bounds.lost) * sqrt(cc);
    double mean_off = (DBL_EPSILON * bounds.norm + bounds.lost) * cc;
    memcpy(s->next_b, s->b, (size_t)s->outputs * sizeof(double));
    if (s->is_free) rls2__joint_loss_constant(&s->loss, s->f, 1, s->next_b);
    rls2__young young = rls2__joint_loss_young(&s->loss, lambda, s->c, s->f, s->next_b);
    double rounding = add_rounding(s, &young, lambda, off, mean_off);
    double apart = 0.5 * lambda * fmax(largest - cf, 0.0);
    double objective = young.loss + 0.5 * lambda * cf;
    double least = objective - rounding - (lambda * sqrt(cc) + young.unbent) * off;
    double gap = young.gap + apart + rounding;
    rls2__shared_gap found = {0};
    found.at = (rls2__evaluation){
        .objective = objective,
        .gap = least > 0.0 && isfinite(gap) ? gap / least : HUGE_VAL,
        .floor = least > 0.0 ? (rounding + 0.5 * lambda * slack) / least : 0.0,
        .residual = objective > 0.0 ? sqrt(young.gap / objective) : 0.0,
        .mean_q = cf,
    };
    if (objective == 0.0 && cc == 0.0) found.at.gap = 0.0;
    if (s->width > 0.0) found.envelope = envelope_gap(s, &young, apart) / objective;
    return found;
}

rls2_status rls2__shared_evaluate(rls2__shared *s, double lambda, double tol,
                                  rls2__shared_gap *found)
{
    if (s->is_given) { /* no other kernel is in question */
        *found = gap_at(s, lambda);
        return RLS2_OK;
    }
    rls2_status status = evaluate_active(s);
    if (status != RLS2_OK) return status;
    double mean = rls2__la_dot(s->size, s->c, s->f);
    double threshold = mean + SPARED_SHARE * tol * 2.0 * s->merit / lambda;
    status = rls2__pricer_run(&s->pricer, s->c, threshold, s->set.in_set);
    if (status != RLS2_OK) return status;
    s->pricer.offered += s->set.active;
    s->pricer.priced += s->set.active;
    *found = gap_at(s, lambda);
    return RLS2_OK;
}
