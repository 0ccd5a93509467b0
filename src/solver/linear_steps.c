/* The columns come and go, and b is where it should be for those that are there. */
#include "solver/linear_steps.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "la/la.h"

static const double STEP_TOL =
    1e-11; /* |Z'r - lambda tau sigma| relative to lambda tau: the minimiser is reached */

/* Signs are 1 or -1, no coefficient is on the other side of zero, and the flags are those of the
 * active columns. */
RLS2__CHECK int is_consistent(const rls2__linear *s)
{
    int64_t flags = 0;
    for (int64_t k = 0; k < s->problem->basis->m; k++) flags += s->in_set[k];
    for (int64_t i = 0; i < s->columns.count; i++)
        if (fabs(s->sign[i]) != 1.0 || s->sign[i] * s->b[i] < 0.0 || !s->in_set[s->columns.ks[i]])
            return 0;
    return flags == s->columns.count;
}

int rls2__linear_append(rls2__linear *s, int64_t k, double b, double sign)
{
    if (!rls2__columns_enter(&s->columns, k)) return 0;
    s->b[s->columns.count - 1] = b;
    s->sign[s->columns.count - 1] = sign;
    s->in_set[k] = 1;
    rls2__invariant(is_consistent(s));
    return 1;
}

static void drop(double *values, int64_t at, int64_t count)
{
    memmove(values + at, values + at + 1, (size_t)(count - at - 1) * sizeof *values);
}

static void expel(rls2__linear *s, int64_t at)
{
    int64_t count = s->columns.count;
    s->in_set[s->columns.ks[at]] = 0;
    drop(s->b, at, count);
    drop(s->sign, at, count);
    drop(s->step, at, count);
    drop(s->g, at, count);
    rls2__columns_leave(&s->columns, at);
}

/* How far b can go along `step` until coefficient i is zero. */
static double way_to_zero(const rls2__linear *s, int64_t i)
{
    double towards = -s->sign[i] * s->step[i];
    return towards > 0.0 ? s->sign[i] * s->b[i] / towards : HUGE_VAL;
}

/* What rounding carries a little beyond zero stays at zero: no weight d is ever negative. */
double rls2__linear_advance(rls2__linear *s, double limit)
{
    double share = limit;
    for (int64_t i = 0; i < s->columns.count; i++) share = fmin(share, way_to_zero(s, i));
    rls2__invariant(share >= 0.0 && share <= limit);
    if (!isfinite(share)) return share;
    for (int64_t i = s->columns.count - 1; i >= 0; i--) {
        int gone = share < limit && way_to_zero(s, i) <= share;
        s->b[i] += share * s->step[i];
        if (s->sign[i] * s->b[i] < 0.0) s->b[i] = 0.0;
        if (gone) expel(s, i);
    }
    rls2__invariant(is_consistent(s));
    return share;
}

/* A column that depends on the active ones, z = Zu (u in columns.row), takes over from them without
 * changing the fit, which makes sum |b_k| smaller, until one of them leaves; it can then enter
 * itself. */
static void slide_in(rls2__linear *s, int64_t k, double sign)
{
    double own = 0.0;
    for (int64_t left = s->columns.count; left > 0; left--) {
        for (int64_t i = 0; i < s->columns.count; i++) s->step[i] = -sign * s->columns.row[i];
        double share = rls2__linear_advance(s, INFINITY);
        if (!isfinite(share)) return;
        own += share;
        rls2__invariant(own >= 0.0);
        if (rls2__linear_append(s, k, sign * own, sign)) return;
    }
}

void rls2__linear_enter(rls2__linear *s, int64_t k)
{
    const rls2__operator *op = &s->problem->basis->ops[k];
    double sign = rls2__la_dot(s->problem->basis->n, op->factor, s->r) < 0.0 ? -1.0 : 1.0;
    if (!rls2__linear_append(s, k, 0.0, sign)) slide_in(s, k, sign);
}

/* ---- the minimiser over them ---- */

static void compute_residual(rls2__linear *s)
{
    int64_t n = s->problem->basis->n, count = s->columns.count;
    memcpy(s->r, s->problem->y, (size_t)n * sizeof(double));
    s->tau = 0.0;
    if (count == 0) return;
    rls2__la_gemv_n(n, count, -1.0, s->columns.Z, n, s->b, 1.0, s->r);
    rls2__la_gemv_t(n, count, s->columns.Z, n, s->r, s->g);
    for (int64_t i = 0; i < count; i++) s->tau += s->sign[i] * s->b[i];
    rls2__invariant(!(s->tau < 0.0));
}

double rls2__linear_misfit(const rls2__linear *s, double lambda)
{
    double most = 0.0, size = lambda * s->tau;
    for (int64_t i = 0; i < s->columns.count; i++)
        most = fmax(most, fabs(s->g[i] - size * s->sign[i]));
    return most;
}

/* By the inverse of Z'Z and that of a matrix changed by one of rank one. */
void rls2__linear_find_step(rls2__linear *s, double lambda)
{
    int64_t count = s->columns.count;
    rls2__invariant(lambda > 0.0);
    for (int64_t i = 0; i < count; i++) {
        s->step[i] = s->g[i] - lambda * s->tau * s->sign[i];
        s->solved[i] = s->sign[i];
    }
    rls2__columns_solve(&s->columns, s->step);
    rls2__columns_solve(&s->columns, s->solved);
    double along = rls2__la_dot(count, s->sign, s->step) /
                   (1.0 / lambda + rls2__la_dot(count, s->sign, s->solved));
    rls2__la_axpy(count, -along, s->solved, s->step);
}

/* Returns 0 where rounding makes the factor useless. */
static int minimise(rls2__linear *s, double lambda)
{
    double before = HUGE_VAL;
    int whole = 0, renewed = 0;
    for (;;) {
        compute_residual(s);
        double now = rls2__linear_misfit(s, lambda);
        if (now <= STEP_TOL * lambda * s->tau + s->noise) return 1;
        if (whole && !(now < 0.5 * before)) { /* a whole step did not help */
            if (renewed) return isfinite(now);
            if (!rls2__columns_refactor(&s->columns)) return 0;
            renewed = 1;
        }
        rls2__linear_find_step(s, lambda);
        whole = rls2__linear_advance(s, 1.0) == 1.0;
        before = now;
    }
}

/* The same also where no column is active: at the beginning, or where all that were taken over were
 * wrong. */
int rls2__linear_minimise(rls2__linear *s, double lambda)
{
    if (!minimise(s, lambda)) return 0;
    if (s->columns.count > 0 || s->problem->basis->ops[s->first].rank == 0) return 1;
    rls2__linear_enter(s, s->first);
    return minimise(s, lambda);
}
