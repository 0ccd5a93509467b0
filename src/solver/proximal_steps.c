/* One factorisation and the two steps it serves, for a loss of any curvature.  [MATH.md, N2] */
#include "solver/proximal_steps.h"

#include <string.h>

#include "base/invariant.h"
#include "basis/combine.h"
#include "la/la.h"
#include "la/tiles.h"

enum { MAX_ENTER = 16 };

/* ---- the step in c and b ---- */

rls2_status rls2__proximal_factorize(rls2__proximal *s, double lambda)
{
    int64_t n = s->problem->basis->n;
    rls2_status status = rls2__curved_factorize(&s->system, lambda, s->root);
    s->ones_square = 0.0;
    if (status != RLS2_OK || !s->is_free) return status;
    for (int64_t i = 0; i < n; i++) s->ones[i] = s->root[i] * s->e[i];
    status = rls2__curved_solve(&s->system, s->ones);
    for (int64_t i = 0; i < n; i++) s->ones_square += s->root[i] * s->e[i] * s->ones[i];
    return status;
}

/* x = B^-1 D x, less what of it the free intercept takes: returned is how much b changes for
 * D'x + balance = 0. */
static rls2_status solve_balanced(rls2__proximal *s, double balance, double *x, double *b)
{
    int64_t n = s->problem->basis->n;
    *b = 0.0;
    for (int64_t i = 0; i < n; i++) x[i] *= s->root[i];
    rls2_status status = rls2__curved_solve(&s->system, x);
    if (status != RLS2_OK || !(s->ones_square > 0.0)) return status;
    double sum = balance;
    for (int64_t i = 0; i < n; i++) sum += s->e[i] * s->root[i] * x[i];
    *b = sum / s->ones_square;
    rls2__la_axpy(n, -*b, s->ones, x);
    return status;
}

rls2_status rls2__proximal_minimise_in_c(rls2__proximal *s, double lambda)
{
    int64_t n = s->problem->basis->n;
    double balance = 0.0, b;
    for (int64_t i = 0; i < n; i++) {
        s->next_c[i] = -s->slope[i] / lambda;
        balance += s->e[i] * s->next_c[i];
    }
    rls2_status status = rls2__curved_apply(&s->system, s->next_c, s->next_f);
    if (status != RLS2_OK) return status;
    int moves = s->is_free && s->ones_square > 0.0;
    for (int64_t i = 0; i < n; i++)
        s->step[i] = s->f[i] - s->next_f[i] + (moves ? s->b * s->e[i] : 0.0);
    status = solve_balanced(s, balance, s->step, &b);
    if (status != RLS2_OK) return status;
    s->next_b = moves ? b : s->b;
    for (int64_t i = 0; i < n; i++) s->next_c[i] += s->root[i] * s->step[i];
    return rls2__curved_apply(&s->system, s->next_c, s->next_f);
}

rls2_status rls2__proximal_newton_in_c(rls2__proximal *s)
{
    int64_t n = s->problem->basis->n;
    double b, balance = 0.0;
    for (int64_t i = 0; i < n; i++) {
        s->next_c[i] = -s->slope[i];
        balance += s->e[i] * s->c[i];
    }
    rls2_status status = solve_balanced(s, balance, s->next_c, &b);
    for (int64_t i = 0; i < n; i++) s->next_c[i] = s->c[i] + s->root[i] * s->next_c[i];
    s->next_b = s->b + b;
    return status;
}

/* ---- the step in d ---- */

/* Inserts kernel k into the entering list, kept in descending order of q. */
static void offer_entry(rls2__proximal *s, int64_t k, int64_t limit)
{
    double value = s->pricer.q[k];
    int64_t at = s->count;
    if (s->count == limit) {
        if (s->q[limit - 1] >= value) return;
        at = limit - 1;
    } else {
        s->count++;
    }
    for (; at > s->active && s->q[at - 1] < value; at--) {
        s->ks[at] = s->ks[at - 1];
        s->q[at] = s->q[at - 1];
    }
    s->ks[at] = k;
    s->q[at] = value;
}

rls2_status rls2__proximal_choose_entering(rls2__proximal *s, double mean)
{
    const rls2_basis *basis = s->problem->basis;
    int64_t limit = s->active + MAX_ENTER < s->room ? s->active + MAX_ENTER : s->room;
    s->count = s->active;
    for (int64_t i = 0; i < s->pricer.count && limit > s->active; i++) {
        int64_t k = s->pricer.todo[i];
        if (s->pricer.q[k] > mean && basis->s[k] > 0.0) offer_entry(s, k, limit);
    }
    for (int64_t i = s->active; i < s->count; i++) s->d[i] = 0.0;
    return rls2__combiner_apply(s->system.effort, s->system.combiner, s->count - s->active,
                                s->ks + s->active, s->c, s->V + s->active * basis->n, s->work);
}

/* H = V'M^-1 V; where the intercept is free, of what is left when e is projected out. */
static rls2_status make_hessian(rls2__proximal *s)
{
    int64_t n = s->problem->basis->n, w = s->count, rows;
    memcpy(s->V + w * n, s->e, (size_t)n * sizeof(double));
    int64_t columns = s->is_free ? w + 1 : w;
    rls2_status status = rls2__curved_halves(&s->system, columns, s->V, &rows);
    if (status != RLS2_OK) return status;
    double *U = s->system.halves, *one = U + w * rows;
    double square = s->is_free ? rls2__la_dot(rows, one, one) : 0.0;
    for (int64_t j = 0; j < w && square > 0.0; j++)
        rls2__la_axpy(rows, -rls2__la_dot(rows, one, U + j * rows) / square, one, U + j * rows);
    return rls2__tiled_gram(s->system.effort, rows, w, U, rows, s->H, s->room);
}

/* Minimises, over the simplex of the working set, the model of F / lambda
 *   1/2 (x-d)'H(x-d) - 1/2 q'(x-d)  =  1/2 x'Hx - (Hd + q/2)'x + const. */
rls2_status rls2__proximal_minimise_in_d(rls2__proximal *s)
{
    int64_t w = s->count, ld = s->room;
    rls2_status status = make_hessian(s);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < w; i++) s->g[i] = 0.5 * s->q[i];
    for (int64_t j = 0; j < s->active; j++)
        for (int64_t i = 0; i < w; i++)
            s->g[i] += s->d[j] * (i >= j ? s->H[j * ld + i] : s->H[i * ld + j]);
    memcpy(s->target, s->d, (size_t)w * sizeof(double));
    rls2__simplex_qp_solve(s->qp, w, s->H, ld, s->g, s->target);
    return RLS2_OK;
}

rls2_status rls2__proximal_follow_in_c(rls2__proximal *s, double *b)
{
    int64_t n = s->problem->basis->n;
    memset(s->step, 0, (size_t)n * sizeof(double));
    for (int64_t i = 0; i < s->count; i++)
        rls2__la_axpy(n, s->d[i] - s->target[i], s->V + i * n, s->step);
    rls2_status status = solve_balanced(s, 0.0, s->step, b);
    for (int64_t i = 0; i < n; i++) s->step[i] *= s->root[i];
    return status;
}

void rls2__proximal_take_weights(rls2__proximal *s)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < s->count; i++) s->in_set[s->ks[i]] = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (!(s->trial[i] > 0.0)) continue;
        s->ks[kept] = s->ks[i];
        s->d[kept] = s->trial[i];
        s->in_set[s->ks[kept]] = 1;
        kept++;
    }
    s->active = s->count = kept;
    s->formed = 1;
    rls2__invariant(rls2__is_on_simplex(s->active, s->d));
}

void rls2__proximal_keep_best(rls2__proximal *s, const rls2__proximal_gap *found, double lambda)
{
    const rls2__evaluation *at = &found->at;
    if (!s->feasible || !(at->gap < s->best_gap)) return;
    s->best_gap = at->gap;
    s->best_count = s->active;
    memcpy(s->best_ks, s->ks, (size_t)s->active * sizeof(int64_t));
    memcpy(s->best_d, s->d, (size_t)s->active * sizeof(double));
    memcpy(s->best_c, s->c, (size_t)s->problem->basis->n * sizeof(double));
    s->best_b = found->b;
    s->best.lambda = lambda;
    s->best.objective = at->objective;
    s->best.gap = at->gap;
    s->best.residual = at->residual;
    s->best.selected = s->active;
}

void rls2__proximal_restore_best(rls2__proximal *s)
{
    for (int64_t i = 0; i < s->active; i++) s->in_set[s->ks[i]] = 0;
    if (!s->is_fixed) s->formed = 0;
    s->active = s->count = s->best_count;
    memcpy(s->ks, s->best_ks, (size_t)s->active * sizeof(int64_t));
    memcpy(s->d, s->best_d, (size_t)s->active * sizeof(double));
    memcpy(s->c, s->best_c, (size_t)s->problem->basis->n * sizeof(double));
    s->b = s->best_b;
    for (int64_t i = 0; i < s->active; i++) s->in_set[s->ks[i]] = 1;
}
