/* An active set method for losses with kinks, where kernel weights stay.       [MATH.md, N6]
 *
 * With R fixed the multipliers p solve a quadratic program in a box. Rows are at an end of their
 * range or at a kink; of the latter, E, the conditions are linear,
 *
 *   (Rc)_i + b e_i = e_i (y_i + kink),  i in E,     e'c = 0,      c = -e p / lambda,
 *
 * and R_EE depends neither on lambda nor on the ends: its factor is kept along the path, as that of
 * active columns is (columns.h). A move towards the solution ends where a multiplier meets an end;
 * that row leaves. Where all are at their kinks, rows that are on the wrong side of theirs enter.
 * Most rows change places seldom, so that a lambda costs little more than the products with the
 * columns of E. Where this does not reach the gap the interior point method begins (barrier.c). */
#include "solver/kinks.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "la/la.h"
#include "solver/columns.h"
#include "solver/proximal_steps.h"

/* A multiplier this close to an end, of the range, is there where another method left it. */
static const double AT_END = 1e-3;
/* The same of a row and its kink, in units of t, where a path begins. */
static const double AT_KINK = 1e-9;
/* Of the tolerance: what rows on the wrong side may add to the gap. */
static const double ENOUGH = 0.5;
enum { MAX_ENTER = 32, PATIENCE = 6, MAX_ROUNDS = 200 };

void rls2__kinks_lay_out(rls2__kinks *it, int64_t n, rls2__layout *layout)
{
    it->place = rls2__layout_take(layout, n, 1);
    int64_t **lists[] = {&it->rows, &it->old_rows, &it->worst};
    double **of_rows[] = {&it->rest, &it->step, &it->ones, &it->old_c};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = rls2__layout_take(layout, rls2__add(n, 1), sizeof(int64_t));
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        *of_rows[i] = rls2__layout_take(layout, n, sizeof(double));
}

/* ---- places ---- */

typedef struct range {
    double low, high;
} range;

static int is_free(int place)
{
    return place == RLS2__AT_LOWER_KINK || place == RLS2__AT_UPPER_KINK;
}

/* What p may be at this place. Without a strip the lower kink is all there is. */
static range range_at(rls2__kink at, int place)
{
    switch (place) {
    case RLS2__AT_LOW: return (range){at.low, at.low};
    case RLS2__AT_LOWER_KINK: return (range){at.low, at.wide > 0.0 ? 0.0 : at.high};
    case RLS2__AT_ZERO: return (range){0.0, 0.0};
    case RLS2__AT_UPPER_KINK: return (range){0.0, at.high};
    default: return (range){at.high, at.high};
    }
}

static double kink_at(rls2__kink at, int place)
{
    return place == RLS2__AT_UPPER_KINK ? at.wide : -at.wide;
}

/* Within `near` of an end, of the range, p is at the end. */
static int place_of(rls2__kink at, double p, double near)
{
    near *= at.high - at.low;
    if (p <= at.low + near) return RLS2__AT_LOW;
    if (p >= at.high - near) return RLS2__AT_HIGH;
    if (at.wide > 0.0 && fabs(p) <= near) return RLS2__AT_ZERO;
    return at.wide > 0.0 && p > 0.0 ? RLS2__AT_UPPER_KINK : RLS2__AT_LOWER_KINK;
}

/* ---- the factor of R_EE, in the system's L ---- */

static int append(rls2__proximal *s, int64_t row)
{
    rls2__kinks *it = &s->kinks;
    int64_t n = s->loss.n;
    const double *column = s->system.R + row * n;
    for (int64_t t = 0; t < it->count; t++) it->step[t] = column[it->rows[t]];
    if (!rls2__factor_append(n, it->count, s->system.L, column[row], it->step)) return 0;
    it->rows[it->count++] = row;
    return 1;
}

static void leave(rls2__proximal *s, int64_t at, int place)
{
    rls2__kinks *it = &s->kinks;
    size_t behind = (size_t)(it->count - at - 1);
    it->place[it->rows[at]] = (unsigned char)place;
    rls2__factor_drop(s->loss.n, it->count, at, s->system.L);
    memmove(it->rows + at, it->rows + at + 1, behind * sizeof *it->rows);
    memmove(it->rest + at, it->rest + at + 1, behind * sizeof *it->rest);
    memmove(it->step + at, it->step + at + 1, behind * sizeof *it->step);
    it->count--;
}

static void solve(const rls2__proximal *s, double *x)
{
    rls2__la_lower_solve_vector(s->kinks.count, s->system.L, s->loss.n, x);
    rls2__la_lower_solve_t(s->kinks.count, s->system.L, s->loss.n, x);
}

/* ---- a move ---- */

/* How c of the rows at kinks, and b (returned), are to change for rest = 0 and e'c = 0. */
static double find_step(rls2__proximal *s, double balance)
{
    rls2__kinks *it = &s->kinks;
    double b = 0.0, along = 0.0, square = 0.0;
    memcpy(it->step, it->rest, (size_t)it->count * sizeof(double));
    solve(s, it->step);
    if (!s->is_free) return 0.0;
    for (int64_t t = 0; t < it->count; t++) it->ones[t] = s->e[it->rows[t]];
    solve(s, it->ones);
    for (int64_t t = 0; t < it->count; t++) {
        along += s->e[it->rows[t]] * it->step[t];
        square += s->e[it->rows[t]] * it->ones[t];
    }
    b = (along + balance) / square;
    rls2__la_axpy(it->count, -b, it->ones, it->step);
    return b;
}

/* The c at the end that the step of row t goes to. */
static double end_of(const rls2__proximal *s, int64_t t, double lambda)
{
    const rls2__kinks *it = &s->kinks;
    int64_t i = it->rows[t];
    range at = range_at(rls2__loss_kink(&s->loss, i), it->place[i]);
    return -s->e[i] * (it->step[t] > 0.0 ? at.low : at.high) / lambda;
}

static double way_to_end(const rls2__proximal *s, int64_t t, double lambda)
{
    double step = s->kinks.step[t];
    return step == 0.0 ? HUGE_VAL
                       : fmax((end_of(s, t, lambda) - s->c[s->kinks.rows[t]]) / step, 0.0);
}

/* Where the row is that has met the end it went to. */
static int place_beyond(const rls2__proximal *s, int64_t t)
{
    int64_t i = s->kinks.rows[t];
    int strip = rls2__loss_kink(&s->loss, i).wide > 0.0, down = s->kinks.step[t] > 0.0;
    if (s->kinks.place[i] == RLS2__AT_UPPER_KINK) return down ? RLS2__AT_ZERO : RLS2__AT_HIGH;
    if (down) return RLS2__AT_LOW;
    return strip ? RLS2__AT_ZERO : RLS2__AT_HIGH;
}

/* Along the step to the first end, at most all the way; rows that are there leave. Returns how
 * far. */
static double advance(rls2__proximal *s, double lambda, double b)
{
    rls2__kinks *it = &s->kinks;
    double share = 1.0;
    for (int64_t t = 0; t < it->count; t++) share = fmin(share, way_to_end(s, t, lambda));
    for (int64_t t = it->count - 1; t >= 0; t--) {
        int met = share < 1.0 && way_to_end(s, t, lambda) <= share;
        double *c = &s->c[it->rows[t]];
        *c = met ? end_of(s, t, lambda) : *c + share * it->step[t];
        it->rest[t] *= 1.0 - share;
        if (met) leave(s, t, place_beyond(s, t));
    }
    s->b += share * b;
    return share;
}

/* f follows c of the rows that were at kinks. */
static void follow(rls2__proximal *s)
{
    const rls2__kinks *it = &s->kinks;
    int64_t n = s->loss.n;
    for (int64_t t = 0; t < it->old_count; t++) {
        int64_t i = it->old_rows[t];
        double change = s->c[i] - it->old_c[t];
        if (change != 0.0) rls2__la_axpy(n, change, s->system.R + i * n, s->f);
    }
}

/* All rows of E at their kinks, but for those that meet an end on the way. Where none is left b is
 * the best constant. RLS2_ERR_CANCELLED. */
static rls2_status move(rls2__proximal *s, double lambda)
{
    rls2__kinks *it = &s->kinks;
    double balance = s->is_free ? rls2__la_dot(s->loss.n, s->e, s->c) : 0.0, share = 0.0;
    it->old_count = it->count;
    memcpy(it->old_rows, it->rows, (size_t)it->count * sizeof *it->rows);
    for (int64_t t = 0; t < it->count; t++) {
        int64_t i = it->rows[t];
        rls2__kink at = rls2__loss_kink(&s->loss, i);
        it->old_c[t] = s->c[i];
        it->rest[t] =
            s->e[i] * (s->loss.y[i] + kink_at(at, it->place[i])) - s->f[i] - s->b * s->e[i];
    }
    rls2_status status = RLS2_OK;
    while (share < 1.0 && it->count > 0 && status == RLS2_OK) {
        share = advance(s, lambda, find_step(s, balance));
        balance *= 1.0 - share;
        status = rls2__effort_status(s->system.effort);
    }
    follow(s);
    if (s->is_free && it->count == 0) s->b = rls2__loss_constant(&s->loss, s->f, s->b);
    return status;
}

/* ---- rows on the wrong side ---- */

/* How far beyond the end of where row i may be, and the place it belongs to then. */
static double violation(const rls2__proximal *s, int64_t i, int *place)
{
    rls2__kink at = rls2__loss_kink(&s->loss, i);
    double r = s->f[i] / s->e[i] + s->b - s->loss.y[i];
    int strip = at.wide > 0.0;
    *place = strip ? RLS2__AT_UPPER_KINK : RLS2__AT_LOWER_KINK;
    switch (s->kinks.place[i]) {
    case RLS2__AT_LOW: *place = RLS2__AT_LOWER_KINK; return r + at.wide;
    case RLS2__AT_HIGH: return at.wide - r;
    case RLS2__AT_ZERO: *place = r < 0.0 ? RLS2__AT_LOWER_KINK : *place; return fabs(r) - at.wide;
    default: return 0.0;
    }
}

/* What rows on the wrong side add to the gap, the objective, and how many of them are listed. */
typedef struct look {
    double gap, objective;
    int64_t count;
} look;

/* Keeps the `limit` rows that are farthest off, in descending order; *count of them are known. */
static void list_row(rls2__kinks *it, int64_t i, double over, int64_t limit, int64_t *count)
{
    double *amount = it->step;
    if (*count == limit && amount[limit - 1] >= over) return;
    int64_t t = *count < limit ? (*count)++ : limit - 1;
    for (; t > 0 && amount[t - 1] < over; t--) {
        amount[t] = amount[t - 1];
        it->worst[t] = it->worst[t - 1];
    }
    amount[t] = over;
    it->worst[t] = i;
}

static look look_at_rows(rls2__proximal *s, double lambda, int64_t limit)
{
    rls2__kinks *it = &s->kinks;
    look seen = {.objective = rls2__proximal_merit(s, lambda, s->c, s->f, s->b)};
    for (int64_t i = 0; i < s->loss.n; i++) {
        int place;
        double over = violation(s, i, &place), e = s->e[i];
        if (!(over > 0.0)) continue;
        rls2__kink at = rls2__loss_kink(&s->loss, i);
        double width = it->place[i] == RLS2__AT_ZERO ? fmax(-at.low, at.high) : at.high - at.low;
        seen.gap += e * e * over * width;
        list_row(it, i, over, limit, &seen.count);
    }
    return seen;
}

static void enter(rls2__proximal *s, int64_t count)
{
    rls2__kinks *it = &s->kinks;
    for (int64_t t = 0; t < count; t++) {
        int64_t i = it->worst[t];
        int place;
        violation(s, i, &place);
        if (append(s, i)) it->place[i] = (unsigned char)place;
    }
}

/* ---- one lambda ---- */

static void mirror(rls2__proximal *s)
{
    int64_t n = s->loss.n;
    double *R = s->system.R;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++) R[i * n + j] = R[j * n + i];
    s->kinks.mirrored = 1;
}

/* The multipliers that row i may have where nothing but the intercept is there. */
static range range_alone(const rls2__proximal *s, int64_t i)
{
    rls2__kink at = rls2__loss_kink(&s->loss, i);
    double r = s->b - s->loss.y[i], near = AT_KINK * (s->loss.spread + fabs(s->b));
    int below = r<-at.wide + near, above = r> at.wide - near;
    double low = below ? at.low : above && at.wide == 0.0 ? at.high : 0.0;
    double high = above ? at.high : below && at.wide == 0.0 ? at.low : 0.0;
    if (below && r < -at.wide - near) high = at.low;
    if (above && r > at.wide + near) low = at.high;
    return (range){low, high};
}

/* Raises multipliers of rows that R c takes above `from` while the balance is below zero; returns
 * it. */
static double raise_above(rls2__proximal *s, double from, double balance)
{
    for (int64_t i = 0; i < s->loss.n; i++) {
        range may = range_alone(s, i);
        double e = s->e[i], p = -s->c[i] / e, left = may.high - p;
        if (!(s->f[i] > from * e) || !(left > 0.0) || !(balance < 0.0)) continue;
        if (e * e * left > -balance) left = -balance / (e * e);
        s->c[i] -= e * left;
        balance += e * e * left;
    }
    return balance;
}

/* All multipliers as low as they may be; returns their balance. */
static double lower_all(rls2__proximal *s)
{
    double balance = 0.0;
    for (int64_t i = 0; i < s->loss.n; i++) {
        double low = range_alone(s, i).low, e = s->e[i];
        s->c[i] = -e * low;
        balance += e * e * low;
    }
    return balance;
}

/* The balance where all rows that R c takes above `from` are raised. */
static double balance_above(const rls2__proximal *s, double from)
{
    double balance = 0.0;
    for (int64_t i = 0; i < s->loss.n; i++) {
        range may = range_alone(s, i);
        balance += s->e[i] * s->e[i] * (s->f[i] > from * s->e[i] ? may.high : may.low);
    }
    return balance;
}

/* Multipliers of the best constant, in c as for a lambda of 1. Where rows at kinks share what their
 * balance takes, R c tells which of them will be above their kinks: those are raised, the others
 * not, one between. */
static rls2_status begin_path(rls2__proximal *s)
{
    enum { HALVINGS = 60 };
    double balance = lower_all(s), room = balance_above(s, -HUGE_VAL) - balance;
    s->kinks.lambda = 1.0;
    if (!s->is_free || !(room > 0.0)) return RLS2_OK;
    for (int64_t i = 0; i < s->loss.n; i++) {
        range may = range_alone(s, i);
        s->c[i] = -s->e[i] * (may.low + fmin(-balance / room, 1.0) * (may.high - may.low));
    }
    rls2_status status = rls2__curved_apply(&s->system, s->c, s->f);
    double size = 0.0;
    for (int64_t i = 0; i < s->loss.n; i++) size = fmax(size, fabs(s->f[i] / s->e[i]));
    double low = -2.0 * size, high = size;
    for (int step = 0; step < HALVINGS; step++) {
        double middle = low + 0.5 * (high - low);
        if (balance_above(s, middle) > 0.0)
            low = middle;
        else
            high = middle;
    }
    balance = raise_above(s, high, lower_all(s));
    raise_above(s, low, balance);
    return status;
}

/* Multipliers, and with them places, are those of the last lambda. */
static rls2_status begin(rls2__proximal *s, double lambda)
{
    rls2__kinks *it = &s->kinks;
    int64_t n = s->loss.n;
    rls2_status status = RLS2_OK;
    if (!it->mirrored) mirror(s);
    if (!it->known) it->count = 0;
    double near = it->lambda > 0.0 ? AT_END : 0.0;
    if (!(it->lambda > 0.0)) status = begin_path(s);
    if (status != RLS2_OK) return status;
    for (int64_t i = 0; i < n; i++) {
        rls2__kink at = rls2__loss_kink(&s->loss, i);
        double p = -it->lambda * s->c[i] / s->e[i];
        if (!it->known) {
            int place = place_of(at, p, near);
            it->place[i] = (unsigned char)place;
            if (is_free(place) && !append(s, i))
                it->place[i] = RLS2__AT_LOW; /* which depends on others; some end will do */
        }
        range may = range_at(at, it->place[i]);
        s->c[i] = -s->e[i] * fmin(fmax(p, may.low), may.high) / lambda;
    }
    it->known = 1;
    return rls2__curved_apply(&s->system, s->c, s->f);
}

/* The certificate of the point, whose f is computed from c once more. */
static rls2_status conclude(rls2__proximal *s, double lambda, double tol, int *found)
{
    rls2__proximal_gap gap;
    rls2__loss_project(&s->loss, lambda, s->is_free, s->c);
    rls2_status status = rls2__curved_apply(&s->system, s->c, s->f);
    s->feasible = 1;
    s->merit = rls2__proximal_merit(s, lambda, s->c, s->f, s->b);
    if (status == RLS2_OK) status = rls2__proximal_evaluate(s, lambda, tol, &gap);
    if (status != RLS2_OK) return status;
    rls2__proximal_keep_best(s, &gap, lambda);
    *found = s->best_gap <= tol;
    return s->problem->tick(s->problem, lambda, s->best_gap);
}

rls2_status rls2__kinks_iterate(rls2__proximal *s, double lambda, double tol, int *found)
{
    double lowest = HUGE_VAL;
    int64_t since_better = 0, limit = MAX_ENTER;
    *found = 0;
    rls2_status status = begin(s, lambda);
    for (int64_t round = 1; round <= MAX_ROUNDS && status == RLS2_OK; round++) {
        status = move(s, lambda);
        if (status != RLS2_OK) return status;
        look seen = look_at_rows(s, lambda, limit);
        if (!isfinite(seen.objective)) return RLS2_OK;
        s->best.iterations = round;
        if (seen.gap <= ENOUGH * tol * seen.objective) return conclude(s, lambda, tol, found);
        since_better = seen.gap < 0.9 * lowest ? 0 : since_better + 1;
        lowest = fmin(lowest, seen.gap);
        if (since_better > PATIENCE * (limit == 1 ? 4 : 1)) {
            if (limit == 1) return RLS2_OK;
            since_better = 0;
            limit = 1;
        }
        enter(s, seen.count < limit ? seen.count : limit);
        status = s->problem->tick(s->problem, lambda, s->best_gap);
    }
    return status;
}
