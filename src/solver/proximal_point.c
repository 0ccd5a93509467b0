/* One point of the proximal Newton method, and how far it can be from the best.  [MATH.md, N1] */
#include "solver/proximal_point.h"

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

double rls2__proximal_merit(const rls2__proximal *s, double lambda, const double *c,
                            const double *f, double b)
{
    return rls2__loss_sum(&s->loss, f, b) + 0.5 * lambda * rls2__la_dot(s->problem->basis->n, c, f);
}

rls2_status rls2__proximal_form(rls2__proximal *s)
{
    rls2__invariant(rls2__is_on_simplex(s->active, s->d));
    if (s->formed) return RLS2_OK;
    rls2_status status = rls2__curved_combine(&s->system, s->active, s->ks, s->d);
    s->formed = status == RLS2_OK;
    return status;
}

static rls2_status evaluate_active(rls2__proximal *s)
{
    int64_t n = s->problem->basis->n;
    rls2_status status = rls2__combiner_apply(s->system.effort, s->system.combiner, s->active,
                                              s->ks, s->c, s->V, s->work);
    for (int64_t i = 0; i < s->active; i++) s->q[i] = rls2__la_dot(n, s->c, s->V + i * n);
    return status;
}

/* Bounds all q_k from above; *slack is what the bound adds to the largest of the forms computed. */
static double largest_q(rls2__proximal *s, double squares, double *slack)
{
    double largest, computed;
    rls2__pricer_largest(&s->pricer, squares, &computed, &largest);
    for (int64_t i = 0; i < s->active; i++) {
        computed = fmax(computed, s->q[i]);
        largest = fmax(largest, s->q[i] + s->problem->basis->ops[s->ks[i]].slack * squares);
    }
    *slack = largest - computed;
    return largest;
}

static double largest_size(int64_t n, const double *x)
{
    double size = 0.0;
    for (int64_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* What rounding and what factors leave out can add to a gap: f is off by no more than `off`, and
 * c'f by no more than mean_off. */
static double add_rounding(const rls2__loss_point *at, const rls2__young *young, double off,
                           double mean_off)
{
    int64_t n = at->basis->n;
    double added = TERM_ROUNDING * DBL_EPSILON * young->size + young->unbent * off +
                   0.5 * young->curvature * off * off + young->jump * sqrt((double)n) * off +
                   0.5 * at->lambda * mean_off;
    if (at->is_free)
        added += at->lambda * young->unbalanced * (fabs(at->b) + largest_size(n, at->f));
    return added;
}

rls2__evaluation rls2__loss_evaluate(const rls2__loss_point *at, double largest, double slack)
{
    int64_t n = at->basis->n;
    double lambda = at->lambda;
    rls2__bounds bounds = rls2__combined_bounds(at->basis, at->count, at->ks, at->d);
    double cf = rls2__la_dot(n, at->c, at->f), cc = rls2__la_dot(n, at->c, at->c);
    double off = (DBL_EPSILON * sqrt((double)n) * bounds.norm + bounds.lost) * sqrt(cc);
    double mean_off = (DBL_EPSILON * bounds.norm + bounds.lost) * cc;
    rls2__young young = rls2__loss_young(at->loss, lambda, at->c, at->f, at->b);
    double rounding = add_rounding(at, &young, off, mean_off);
    double apart = 0.5 * lambda * fmax(largest - cf, 0.0);
    double objective = young.loss + 0.5 * lambda * cf;
    double least = objective - rounding - (lambda * sqrt(cc) + young.unbent) * off;
    double gap = young.gap + apart + rounding;
    rls2__evaluation found = {
        .objective = objective,
        .gap = least > 0.0 && isfinite(gap) ? gap / least : HUGE_VAL,
        .floor = least > 0.0 ? (rounding + 0.5 * lambda * slack) / least : 0.0,
        .residual = objective > 0.0 ? sqrt(young.gap / objective) : 0.0,
        .mean_q = cf,
    };
    if (objective == 0.0 && cc == 0.0) found.gap = 0.0;
    return found;
}

static rls2__proximal_gap gap_at(rls2__proximal *s, double lambda)
{
    int64_t n = s->problem->basis->n;
    double slack = 0.0, largest = s->is_given ? rls2__la_dot(n, s->c, s->f)
                                              : largest_q(s, rls2__la_dot(n, s->c, s->c), &slack);
    double b = s->is_free ? rls2__loss_constant(&s->loss, s->f, s->b) : s->b;
    const rls2__loss_point at = {.basis = s->problem->basis,
                                 .loss = &s->loss,
                                 .is_free = s->is_free,
                                 .lambda = lambda,
                                 .c = s->c,
                                 .f = s->f,
                                 .b = b,
                                 .count = s->active,
                                 .ks = s->ks,
                                 .d = s->d};
    return (rls2__proximal_gap){.at = rls2__loss_evaluate(&at, largest, slack), .b = b};
}

rls2_status rls2__proximal_evaluate(rls2__proximal *s, double lambda, double tol,
                                    rls2__proximal_gap *found)
{
    int64_t n = s->problem->basis->n;
    if (s->is_given) {
        *found = gap_at(s, lambda);
        return RLS2_OK;
    }
    rls2_status status = evaluate_active(s);
    if (status != RLS2_OK) return status;
    double mean = rls2__la_dot(n, s->c, s->f);
    double threshold = mean + SPARED_SHARE * tol * 2.0 * s->merit / lambda;
    status = rls2__pricer_run(&s->pricer, s->c, threshold, s->in_set);
    if (status != RLS2_OK) return status;
    s->pricer.offered += s->active;
    s->pricer.priced += s->active;
    *found = gap_at(s, lambda);
    return RLS2_OK;
}
