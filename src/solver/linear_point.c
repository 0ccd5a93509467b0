/* What methods for kernels of one column do at a point, whatever the loss. */
#include "solver/linear_point.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"
#include "solver/system.h"

void rls2__linear_release(rls2__linear *s)
{
    if (s->other.free) s->other.free(s->other.state);
    rls2__columns_free(&s->columns);
    rls2__pricer_free(&s->pricer);
    rls2__free(s->block);
}

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__linear *s = owner;
    int64_t n = s->problem->basis->n, room = s->columns.room;
    int64_t gram_order = s->problem->options.degrees_of_freedom != RLS2_DF_NONE ? room : 0;
    s->in_set = rls2__layout_take(layout, s->problem->basis->m, 1);
    s->b = rls2__layout_take(layout, room, sizeof(double));
    s->sign = rls2__layout_take(layout, room, sizeof(double));
    s->g = rls2__layout_take(layout, room, sizeof(double));
    s->step = rls2__layout_take(layout, room, sizeof(double));
    s->solved = rls2__layout_take(layout, room, sizeof(double));
    s->d = rls2__layout_take(layout, room, sizeof(double));
    s->r = rls2__layout_take(layout, n, sizeof(double));
    s->c = rls2__layout_take(layout, n, sizeof(double));
    s->f = rls2__layout_take(layout, n, sizeof(double));
    s->gram = rls2__layout_take(layout, rls2__mul(gram_order, gram_order), sizeof(double));
    s->gram_factor = rls2__layout_take(layout, rls2__mul(gram_order, gram_order), sizeof(double));
    s->best_ks = rls2__layout_take(layout, room, sizeof(int64_t));
    s->best_d = rls2__layout_take(layout, room, sizeof(double));
    s->best_c = rls2__layout_take(layout, n, sizeof(double));
}

rls2_status rls2__linear_make_room(rls2__linear *s)
{
    const rls2_basis *basis = s->problem->basis;
    s->block = rls2__layout_alloc(lay_out, s);
    if (!s->block) return RLS2_ERR_MEMORY;
    memset(s->in_set, 0, (size_t)basis->m);
    return rls2__pricer_create(s->problem->effort, basis, &s->pricer);
}

double rls2__linear_largest_q(rls2__linear *s, double threshold, double *slack)
{
    const rls2_basis *basis = s->problem->basis;
    int64_t count = s->columns.count;
    double squares = rls2__la_dot(basis->n, s->c, s->c), largest, computed;
    rls2__pricer_run(&s->pricer, s->c, threshold, s->in_set);
    rls2__pricer_largest(&s->pricer, squares, &computed, &largest);
    s->pricer.offered += count;
    s->pricer.priced += count;
    for (int64_t i = 0; i < count; i++) {
        double q = s->g[i] * s->g[i];
        computed = fmax(computed, q);
        largest = fmax(largest, q + basis->ops[s->columns.ks[i]].slack * squares);
    }
    *slack = largest - computed;
    rls2__invariant(!(*slack < 0.0));
    return largest;
}

void rls2__linear_choose_entering(rls2__linear *s, double mean, int64_t limit)
{
    const double *q = s->pricer.q;
    int64_t count = 0;
    for (int64_t i = 0; i < s->pricer.count; i++) {
        int64_t k = s->pricer.todo[i], at = count;
        if (!(q[k] > mean && s->problem->basis->s[k] > 0.0) ||
            (count == limit && q[s->entering[limit - 1]] >= q[k]))
            continue;
        if (count == limit)
            at = limit - 1;
        else
            count++;
        for (; at > 0 && q[s->entering[at - 1]] < q[k]; at--) s->entering[at] = s->entering[at - 1];
        s->entering[at] = k;
        rls2__invariant(at == 0 || q[s->entering[at - 1]] >= q[k]);
        rls2__invariant(!s->in_set[k]);
    }
    rls2__invariant(count <= limit);
    s->entering_count = count;
}

void rls2__linear_keep_best(rls2__linear *s, const rls2__evaluation *at, double lambda)
{
    rls2__invariant(at->gap >= 0.0);
    s->best_is_last = at->gap < s->best_gap;
    if (!s->best_is_last) return;
    s->best_gap = at->gap;
    s->best_count = 0;
    for (int64_t i = 0; i < s->columns.count; i++) {
        if (!(s->d[i] > 0.0)) continue;
        s->best_ks[s->best_count] = s->columns.ks[i];
        s->best_d[s->best_count++] = s->d[i];
    }
    memcpy(s->best_c, s->c, (size_t)s->problem->basis->n * sizeof(double));
    s->best.lambda = lambda;
    s->best.objective = at->objective;
    s->best.gap = at->gap;
    s->best.residual = at->residual;
    s->best.selected = s->best_count;
}

void rls2__linear_adopt(rls2__linear *s, int64_t count, const int64_t *ks, const double *d,
                        const double *c)
{
    const rls2_basis *basis = s->problem->basis;
    rls2__invariant(rls2__is_on_simplex(count, d));
    for (int64_t i = 0; i < s->columns.count; i++) s->in_set[s->columns.ks[i]] = 0;
    s->columns.count = 0; /* all of them, whether their factor is one or not */
    for (int64_t i = 0; i < count; i++) {
        const rls2__operator *op = &basis->ops[ks[i]];
        double b = d[i] * sqrt(op->scale) * rls2__la_dot(basis->n, op->factor, c);
        rls2__linear_append(s, ks[i], b, b < 0.0 ? -1.0 : 1.0);
    }
    rls2__invariant(s->columns.count <= count);
}

void rls2__linear_begin(rls2__linear *s)
{
    s->pricer.effort = s->problem->effort; /* another where a path goes on */
    s->best_gap = INFINITY;
    s->best_count = 0;
    memset(&s->best, 0, sizeof s->best);
    s->best.factorizations = -s->columns.factorizations;
    s->best.priced = -s->pricer.priced;
    s->best.offered = -s->pricer.offered;
}

void rls2__linear_end(rls2__linear *s)
{
    s->best.factorizations += s->columns.factorizations;
    s->best.priced += s->pricer.priced;
    s->best.offered += s->pricer.offered;
}

rls2_status rls2__linear_hand_on(rls2__linear *s, double lambda, double tol, rls2__answer *answer)
{
    const rls2_path_point mine = s->best;
    rls2_status status = s->other.solve(s->other.state, lambda, tol, answer);
    if (status != RLS2_OK) return status;
    answer->point.iterations += mine.iterations;
    answer->point.factorizations += mine.factorizations;
    answer->point.priced += mine.priced;
    answer->point.offered += mine.offered;
    rls2__linear_adopt(s, answer->count, answer->ks, answer->d, answer->c);
    return RLS2_OK;
}

/* R(d) = (Z D^1/2)(Z D^1/2)' has the eigenvalues of D^1/2 Z'Z D^1/2, and zeros besides. */
rls2_status rls2__linear_degrees_of_freedom(rls2__linear *s, double lambda, const double *curvature)
{
    int64_t n = s->problem->basis->n, count = s->columns.count, tries = 0;
    const double *Z = s->columns.Z;
    double jitter, *R = s->gram;
    s->best.df = NAN;
    if (s->problem->options.degrees_of_freedom == RLS2_DF_NONE) return RLS2_OK;
    if (!curvature) rls2__la_gram(n, count, Z, n, R, count);
    for (int64_t j = 0; j < count && curvature; j++) {
        for (int64_t i = 0; i < n; i++) s->f[i] = curvature[i] * Z[j * n + i];
        rls2__la_gemv_t(n, count - j, Z + j * n, n, s->f, R + j * count + j);
    }
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = j; i < count; i++) R[j * count + i] *= sqrt(s->d[i]) * sqrt(s->d[j]);
    rls2_status status =
        rls2__factorize(s->problem->effort, count, R, lambda, s->gram_factor, &jitter, &tries);
    if (status == RLS2_OK)
        status = rls2__degrees_of_freedom(s->problem->effort, count, R, s->gram_factor,
                                          lambda + jitter, &s->best.df);
    return status;
}
