/* Weights of a stack for classes, y = -1 or +1.  [MATH.md, S1]
 *
 *   least  sum_i o_i log(1 + exp(-y_i g_i)) + rho/2 sum_k v_k^2,   g = b + sum_k v_k f_k,  v >= 0
 *
 * by Newton's method: each step minimises the quadratic model over all v >= 0 exactly, the free
 * constant being eliminated, and is halved until the sum falls enough. Where both classes occur the
 * sum is strictly convex and grows in every direction (rho bounds v where predictors tell the
 * classes apart without fault), so that the answer does not depend on where steps begin. */
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "select/stacking.h"

enum { MOST = RLS2__MOST_STACKED, WIDE = MOST + 1, MOST_STEPS = 100, MOST_HALVES = 40 };

/* rho, as a share of the mean sum of squares of the predictors. */
static const double RIDGE = 0.01;

typedef struct problem {
    const rls2__stacking *rows;
    int64_t but; /* the split whose rows do not count; -1: all do */
    double rho;
} problem;

/* Weights, and the constant after the last. */
typedef struct point {
    double v[WIDE];
} point;

typedef struct bend {
    double slope[WIDE], curvature[WIDE * WIDE];
} bend;

static double at_row(const rls2__stacking *rows, const point *x, int64_t i)
{
    double g = x->v[rows->count];
    for (int k = 0; k < rows->count; k++) g += x->v[k] * rows->f[k][i];
    return g;
}

static double value_of(const problem *p, const point *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p->rows->n; i++) {
        double weight = rls2__stacking_weight(p->rows, i, p->but);
        if (!(weight > 0.0)) continue;
        double margin = p->rows->y[i] * at_row(p->rows, x, i);
        sum += weight * (fmax(-margin, 0.0) + log1p(exp(-fabs(margin))));
    }
    for (int k = 0; k < p->rows->count; k++) sum += 0.5 * p->rho * x->v[k] * x->v[k];
    return sum;
}

static void add_row(const problem *p, const point *x, int64_t i, double weight, bend *at)
{
    int count = p->rows->count;
    double f[WIDE], y = p->rows->y[i], wrong = 1.0 / (1.0 + exp(y * at_row(p->rows, x, i)));
    for (int k = 0; k < count; k++) f[k] = p->rows->f[k][i];
    f[count] = 1.0;
    for (int k = 0; k <= count; k++) {
        at->slope[k] -= weight * wrong * y * f[k];
        for (int l = 0; l <= k; l++)
            at->curvature[k * WIDE + l] += weight * wrong * (1.0 - wrong) * f[k] * f[l];
    }
}

static bend bend_at(const problem *p, const point *x)
{
    bend at = {{0}, {0}};
    int count = p->rows->count;
    for (int64_t i = 0; i < p->rows->n; i++) {
        double weight = rls2__stacking_weight(p->rows, i, p->but);
        if (weight > 0.0) add_row(p, x, i, weight, &at);
    }
    for (int k = 0; k <= count; k++)
        for (int l = 0; l < k; l++) at.curvature[l * WIDE + k] = at.curvature[k * WIDE + l];
    for (int k = 0; k < count; k++) {
        at.slope[k] += p->rho * x->v[k];
        at.curvature[k * WIDE + k] += p->rho;
    }
    return at;
}

/* To where the quadratic model is least: the constant answers the weights, t = -(s_b + h't) / h_b,
 * which leaves a problem in the weights alone. */
static point newton_direction(int count, const point *x, const bend *at)
{
    point to = {{0}};
    double G[MOST * MOST], b[MOST], own = at->curvature[count * WIDE + count];
    const double *across = at->curvature + count * WIDE;
    for (int k = 0; k < count; k++) {
        b[k] = across[k] * at->slope[count] / own - at->slope[k];
        for (int l = 0; l < count; l++) {
            G[k * count + l] = at->curvature[k * WIDE + l] - across[k] * across[l] / own;
            b[k] += G[k * count + l] * x->v[l];
        }
    }
    rls2__least_nonnegative(count, G, b, to.v);
    double rest = at->slope[count];
    for (int k = 0; k < count; k++) {
        to.v[k] -= x->v[k];
        rest += across[k] * to.v[k];
    }
    to.v[count] = -rest / own;
    return to;
}

static point moved(int count, const point *x, const point *along, double step)
{
    point to = *x;
    for (int k = 0; k <= count; k++) to.v[k] += step * along->v[k];
    for (int k = 0; k < count; k++) to.v[k] = fmax(to.v[k], 0.0); /* rounding */
    return to;
}

static point least_point(const problem *p)
{
    static const double ENOUGH = 1e-12, FALL = 1e-4;
    int count = p->rows->count;
    point x = {{0}};
    double value = value_of(p, &x);
    for (int t = 0; t < MOST_STEPS; t++) {
        bend at = bend_at(p, &x);
        if (!(at.curvature[count * WIDE + count] > 0.0)) break;
        point along = newton_direction(count, &x, &at);
        double slope = 0.0, step = 1.0;
        for (int k = 0; k <= count; k++) slope += at.slope[k] * along.v[k];
        if (!(-slope > ENOUGH * value)) break;
        for (int h = 0; h < MOST_HALVES; h++, step *= 0.5) {
            point to = moved(count, &x, &along, step);
            double there = value_of(p, &to);
            if (!(there <= value + FALL * step * slope)) continue;
            x = to;
            value = there;
            break;
        }
    }
    return x;
}

/* ---- what a stack is given ---- */

static double squares_of(const problem *p, int k)
{
    double squares = 0.0;
    for (int64_t i = 0; i < p->rows->n; i++) {
        double weight = rls2__stacking_weight(p->rows, i, p->but);
        if (weight > 0.0) squares += weight * p->rows->f[k][i] * p->rows->f[k][i];
    }
    return squares;
}

static int has_both_classes(const problem *p)
{
    int classes = 0;
    for (int64_t i = 0; i < p->rows->n; i++)
        if (rls2__stacking_weight(p->rows, i, p->but) > 0.0) classes |= p->rows->y[i] > 0.0 ? 1 : 2;
    return classes == 3;
}

/* The factor that brings g nearest to y: predictions keep their scale, and every sign. */
static double scale_of(const problem *p, const point *x)
{
    double across = 0.0, square = 0.0;
    for (int64_t i = 0; i < p->rows->n; i++) {
        double weight = rls2__stacking_weight(p->rows, i, p->but);
        if (!(weight > 0.0)) continue;
        double g = at_row(p->rows, x, i);
        across += weight * g * p->rows->y[i];
        square += weight * g * g;
    }
    return across > 0.0 ? across / square : 1.0;
}

int rls2__stack_classes(const rls2__stacking *rows, int64_t but, rls2__stacked *found)
{
    problem p = {rows, but, 0.0};
    rls2__invariant(rows->count >= 1 && rows->count <= MOST);
    for (int k = 0; k < rows->count; k++) p.rho += RIDGE * squares_of(&p, k) / rows->count;
    if (!has_both_classes(&p) || !(p.rho > 0.0)) return 0;
    point x = least_point(&p);
    double scale = scale_of(&p, &x);
    memset(found, 0, sizeof *found);
    for (int k = 0; k < rows->count; k++) found->weights[k] = scale * x.v[k];
    found->constant = scale * x.v[rows->count];
    return 1;
}
