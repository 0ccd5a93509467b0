/* Newton's method in the multipliers of a loss with kinks. */
#include "solver/barrier_rows.h"

#include <float.h>
#include <math.h>

#include "base/invariant.h"

static int64_t size_of(const rls2__barrier *it)
{
    return it->loss->n * it->pieces;
}

static double root_of(const rls2__barrier *it, int64_t i)
{
    return it->loss->roots ? it->loss->roots[i] : 1.0;
}

static double sign_of(int piece)
{
    return piece == 0 ? 1.0 : -1.0;
}

/* ---- the point ---- */

static void take_point(rls2__layout *layout, int64_t size, rls2__barrier_point *point)
{
    point->a = rls2__layout_take(layout, size, sizeof(double));
    point->low = rls2__layout_take(layout, size, sizeof(double));
    point->high = rls2__layout_take(layout, size, sizeof(double));
}

void rls2__barrier_lay_out(rls2__barrier *it, const rls2__row_loss *loss, rls2__layout *layout)
{
    it->loss = loss;
    it->pieces = rls2__loss_kink(loss, 0).wide > 0.0 ? 2 : 1;
    int64_t n = loss->n, size = n * it->pieces;
    take_point(layout, size, &it->at);
    take_point(layout, size, &it->step);
    it->top = rls2__layout_take(layout, size, sizeof(double));
    it->fix_low = rls2__layout_take(layout, size, sizeof(double));
    it->fix_high = rls2__layout_take(layout, size, sizeof(double));
    it->t = rls2__layout_take(layout, n, sizeof(double));
    it->change = rls2__layout_take(layout, n, sizeof(double));
}

void rls2__barrier_init(rls2__barrier *it)
{
    int64_t n = it->loss->n;
    for (int64_t i = 0; i < n; i++) {
        rls2__kink at = rls2__loss_kink(it->loss, i);
        it->top[i] = it->pieces == 1 ? at.high - at.low : at.high;
        if (it->pieces == 2) it->top[n + i] = -at.low;
    }
    for (int64_t i = 0; i < size_of(it); i++) it->at.a[i] = 0.5 * it->top[i];
    it->entered = 0;
}

/* sign (t - y) - wide */
static double pull_of(const rls2__barrier *it, int64_t i, int piece)
{
    return sign_of(piece) * (it->t[i] - it->loss->y[i]) - rls2__loss_kink(it->loss, i).wide;
}

static double inside(double a, double top, double margin)
{
    double least = fmin(margin, 0.5 * top);
    return fmin(fmax(a, least), top - least);
}

void rls2__barrier_enter(rls2__barrier *it, double lambda, const double *c, double margin,
                         double share)
{
    int64_t n = it->loss->n;
    double size = 0.0;
    for (int64_t i = 0; i < n; i++) size += fabs(lambda * c[i] / root_of(it, i)) / (double)n;
    for (int64_t i = 0; i < n; i++) {
        double p = -lambda * c[i] / root_of(it, i);
        double least = fmax(margin * size, share * it->top[i]);
        if (it->pieces == 2) {
            it->at.a[i] = inside(least + fmax(p, 0.0), it->top[i], least);
            it->at.a[n + i] = inside(least + fmax(-p, 0.0), it->top[n + i], least);
        } else {
            it->at.a[i] = inside(p - rls2__loss_kink(it->loss, i).low, it->top[i], least);
        }
    }
}

void rls2__barrier_centre(rls2__barrier *it)
{
    int64_t n = it->loss->n;
    double mu = 0.0;
    for (int piece = 0; piece < it->pieces; piece++)
        for (int64_t i = 0; i < n; i++) {
            double pull = pull_of(it, i, piece), a = it->at.a[piece * n + i];
            mu += fabs(pull) * (pull > 0.0 ? it->top[piece * n + i] - a : a);
        }
    mu = fmax(mu / (double)size_of(it), DBL_MIN);
    for (int piece = 0; piece < it->pieces; piece++)
        for (int64_t i = 0; i < n; i++) {
            int64_t k = piece * n + i;
            double pull = pull_of(it, i, piece), a = it->at.a[k];
            double less = mu / (pull > 0.0 ? a : it->top[k] - a), more = fabs(pull) + less;
            it->at.high[k] = pull > 0.0 ? more : less;
            it->at.low[k] = pull > 0.0 ? less : more;
        }
}

void rls2__barrier_c(const rls2__barrier *it, double lambda, double *c)
{
    const double *a = it->at.a;
    int64_t n = it->loss->n;
    for (int64_t i = 0; i < n; i++) {
        double p = it->pieces == 2 ? a[i] - a[n + i] : rls2__loss_kink(it->loss, i).low + a[i];
        c[i] = -root_of(it, i) * p / lambda;
    }
}

double rls2__barrier_mean(const rls2__barrier *it, double share)
{
    const rls2__barrier_point *at = &it->at, *step = &it->step;
    double sum = 0.0;
    for (int64_t k = 0; k < size_of(it); k++) {
        double a = at->a[k], low = at->low[k], high = at->high[k];
        if (share > 0.0) {
            a += share * step->a[k];
            low += share * step->low[k];
            high += share * step->high[k];
        }
        sum += a * low + (it->top[k] - a) * high;
    }
    return sum / (2.0 * (double)size_of(it));
}

/* ---- Newton's model ---- */

static double theta_of(const rls2__barrier *it, int64_t k)
{
    return it->at.low[k] / it->at.a[k] + it->at.high[k] / (it->top[k] - it->at.a[k]);
}

/* What is missing of the conditions where t stays as it is. */
static double missing_of(const rls2__barrier *it, int64_t i, int piece, double mu)
{
    int64_t k = piece * it->loss->n + i;
    double above = (mu - it->fix_high[k]) / (it->top[k] - it->at.a[k]);
    double below = (mu - it->fix_low[k]) / it->at.a[k];
    return pull_of(it, i, piece) - above + below;
}

void rls2__barrier_bend(const rls2__barrier *it, double mu, double *apart, double *root)
{
    int64_t n = it->loss->n;
    for (int64_t i = 0; i < n; i++) {
        double p = 0.0, curvature = 0.0;
        for (int piece = 0; piece < it->pieces; piece++) {
            double theta = theta_of(it, piece * n + i);
            p += sign_of(piece) * missing_of(it, i, piece, mu) / theta;
            curvature += 1.0 / theta;
        }
        apart[i] = root_of(it, i) * (p / curvature);
        root[i] = sqrt(curvature);
    }
}

/* What a piece does of the change of its row. */
static double own_change(const rls2__barrier *it, int64_t i, int piece, double mu)
{
    int64_t n = it->loss->n;
    if (it->pieces == 1) return it->change[i];
    double first = 1.0 / theta_of(it, i), second = 1.0 / theta_of(it, n + i);
    double pull = missing_of(it, i, 0, mu) * first, push = missing_of(it, i, 1, mu) * second;
    double shared = (it->change[i] - pull + push) / (first + second);
    return piece == 0 ? shared * first + pull : push - shared * second;
}

void rls2__barrier_follow(rls2__barrier *it, double mu)
{
    int64_t n = it->loss->n;
    const rls2__barrier_point *at = &it->at;
    for (int piece = 0; piece < it->pieces; piece++)
        for (int64_t i = 0; i < n; i++) {
            int64_t k = piece * n + i;
            double a = own_change(it, i, piece, mu), left = it->top[k] - at->a[k];
            it->step.a[k] = a;
            it->step.low[k] = (mu - it->fix_low[k] - at->low[k] * a) / at->a[k] - at->low[k];
            it->step.high[k] = (mu - it->fix_high[k] + at->high[k] * a) / left - at->high[k];
        }
}

void rls2__barrier_fix(rls2__barrier *it, int second_order)
{
    for (int64_t k = 0; k < size_of(it); k++) {
        double a = second_order ? it->step.a[k] : 0.0;
        it->fix_low[k] = a * it->step.low[k];
        it->fix_high[k] = -a * it->step.high[k];
        if (!second_order) it->fix_low[k] = it->fix_high[k] = 0.0;
    }
}

static double reach_of(double at, double step, double reach)
{
    return step < 0.0 && at + reach * step < 0.0 ? -at / step : reach;
}

double rls2__barrier_reach(const rls2__barrier *it)
{
    double reach = 1.0;
    for (int64_t k = 0; k < size_of(it); k++) {
        reach = reach_of(it->at.a[k], it->step.a[k], reach);
        reach = reach_of(it->top[k] - it->at.a[k], -it->step.a[k], reach);
        reach = reach_of(it->at.low[k], it->step.low[k], reach);
        reach = reach_of(it->at.high[k], it->step.high[k], reach);
    }
    return reach;
}

void rls2__barrier_take(rls2__barrier *it, double share)
{
    for (int64_t k = 0; k < size_of(it); k++) {
        it->at.a[k] += share * it->step.a[k];
        it->at.low[k] += share * it->step.low[k];
        it->at.high[k] += share * it->step.high[k];
        rls2__invariant(it->at.a[k] > 0.0 && it->at.a[k] < it->top[k]);
        rls2__invariant(it->at.low[k] > 0.0 && it->at.high[k] > 0.0);
    }
}
