/* The table of losses, and their sums over rows. */
#include "solver/loss.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/invariant.h"
#include "base/status.h"

/* The domain of a conjugate. */
typedef struct box {
    double low, high;
} box;

/* The nearest in the box; what is no number goes to its low end. */
static inline double clip(double p, box at)
{
    double above = p > at.low ? p : at.low;
    return above < at.high ? above : at.high;
}

typedef enum takes { TAKES_NUMBERS, TAKES_LABELS, TAKES_COUNTS } takes;

/* Functions of a row: y, t (or its dual p), and the parameter a. Losses with kinks need none but
 * their box: L*(p) = p y + e |p| there, with e = a of epsilon. Of poisson y log y - y, a constant,
 * is missing in the value, and in the conjugate, where it is subtracted: sums add it. */
struct rls2__loss_table {
    rls2_loss_kind kind;
    takes takes;
    int kinks;
    double (*value)(double y, double t, double a);
    double (*slope)(double y, double t, double a, double *curvature); /* both: they share an exp */
    double (*expand)(double y, double t, double a, double *slope,
                     double *curvature); /* all three; NULL: not at once */
    double (*conjugate)(double y, double p, double a);
    box (*domain)(double y, double a);
    double (*mean)(double t);
};

static const box ANYWHERE = {-HUGE_VAL, HUGE_VAL};

/* ---- square, huber ---- */

static double square_value(double y, double t, double a)
{
    (void)a;
    return 0.5 * (y - t) * (y - t);
}

static double square_slope(double y, double t, double a, double *curvature)
{
    (void)a;
    *curvature = 1.0;
    return t - y;
}

static double square_conjugate(double y, double p, double a)
{
    (void)a;
    return p * y + 0.5 * p * p;
}

static box square_domain(double y, double a)
{
    (void)y, (void)a;
    return ANYWHERE;
}

static double huber_value(double y, double t, double a)
{
    double r = fabs(y - t);
    return r <= a ? 0.5 * r * r : a * (r - 0.5 * a);
}

static double huber_slope(double y, double t, double a, double *curvature)
{
    *curvature = fabs(y - t) <= a ? 1.0 : 0.0;
    return fmin(fmax(t - y, -a), a);
}

static box huber_domain(double y, double a)
{
    (void)y;
    return (box){-a, a};
}

/* ---- logistic, squared hinge ---- */

static double logistic_value(double y, double t, double a)
{
    (void)a;
    double margin = y * t;
    return margin > 0.0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

static double probability(double t)
{
    if (t >= 0.0) return 1.0 / (1.0 + exp(-t));
    double odds = exp(t);
    return odds / (1.0 + odds);
}

static double logistic_slope(double y, double t, double a, double *curvature)
{
    (void)a;
    double odds = exp(-fabs(t)), likely = 1.0 / (1.0 + odds), unlikely = odds / (1.0 + odds);
    *curvature = likely * unlikely;
    return -y * (y * t > 0.0 ? unlikely : likely);
}

static double logistic_expand(double y, double t, double a, double *slope, double *curvature)
{
    (void)a;
    double odds = exp(-fabs(t)), likely = 1.0 / (1.0 + odds), unlikely = odds / (1.0 + odds);
    *curvature = likely * unlikely;
    *slope = -y * (y * t > 0.0 ? unlikely : likely);
    return y * t > 0.0 ? log1p(odds) : log1p(odds) + fabs(t);
}

/* x log x */
static double entropy(double x)
{
    return x > 0.0 ? x * log(x) : 0.0;
}

static double logistic_conjugate(double y, double p, double a)
{
    (void)a;
    double share = -p * y; /* in [0, 1] */
    return entropy(share) + (share < 1.0 ? (1.0 - share) * log1p(-share) : 0.0);
}

static box unit_domain(double y, double a)
{
    (void)a;
    return y > 0.0 ? (box){-1.0, 0.0} : (box){0.0, 1.0};
}

static double squared_hinge_value(double y, double t, double a)
{
    (void)a;
    double short_of = fmax(1.0 - y * t, 0.0);
    return 0.5 * short_of * short_of;
}

static double squared_hinge_slope(double y, double t, double a, double *curvature)
{
    (void)a;
    *curvature = y * t < 1.0 ? 1.0 : 0.0;
    return -y * fmax(1.0 - y * t, 0.0);
}

static box half_domain(double y, double a)
{
    (void)a;
    return y > 0.0 ? (box){-HUGE_VAL, 0.0} : (box){0.0, HUGE_VAL};
}

/* ---- poisson ---- */

static double poisson_value(double y, double t, double a)
{
    (void)a;
    return exp(t) - y * t;
}

static double missing_constant(const rls2__loss_table *of, double y)
{
    return of->kind == RLS2_LOSS_POISSON ? entropy(y) - y : 0.0;
}

static double poisson_slope(double y, double t, double a, double *curvature)
{
    (void)a;
    *curvature = exp(t);
    return *curvature - y;
}

static double poisson_expand(double y, double t, double a, double *slope, double *curvature)
{
    (void)a;
    *curvature = exp(t);
    *slope = *curvature - y;
    return *curvature - y * t;
}

static double poisson_conjugate(double y, double p, double a)
{
    (void)a;
    double rate = fmax(p + y, 0.0);
    return entropy(rate) - rate;
}

static box poisson_domain(double y, double a)
{
    (void)a;
    return (box){-y, HUGE_VAL};
}

static double same(double t)
{
    return t;
}

/* ---- with kinks ---- */

static box quantile_domain(double y, double a)
{
    (void)y;
    return (box){-a, 1.0 - a};
}

static box symmetric_domain(double y, double a)
{
    (void)y, (void)a;
    return (box){-1.0, 1.0};
}

/* ---- of several outputs together (shared_loss.c): no function of one t ---- */

static double undefined(double y, double t, double a)
{
    (void)y, (void)t, (void)a;
    return (double)NAN;
}

static double undefined_slope(double y, double t, double a, double *curvature)
{
    *curvature = (double)NAN;
    return undefined(y, t, a);
}

static double undefined_mean(double t)
{
    (void)t;
    return (double)NAN;
}

static const rls2__loss_table TABLE[] = {
    {RLS2_LOSS_SQUARE, TAKES_NUMBERS, 0, square_value, square_slope, NULL, square_conjugate,
     square_domain, same},
    {RLS2_LOSS_LOGISTIC, TAKES_LABELS, 0, logistic_value, logistic_slope, logistic_expand,
     logistic_conjugate, unit_domain, probability},
    {RLS2_LOSS_HINGE, TAKES_LABELS, 1, NULL, NULL, NULL, NULL, unit_domain, same},
    {RLS2_LOSS_SQUARED_HINGE, TAKES_LABELS, 0, squared_hinge_value, squared_hinge_slope, NULL,
     square_conjugate, half_domain, same},
    {RLS2_LOSS_HUBER, TAKES_NUMBERS, 0, huber_value, huber_slope, NULL, square_conjugate,
     huber_domain, same},
    {RLS2_LOSS_QUANTILE, TAKES_NUMBERS, 1, NULL, NULL, NULL, NULL, quantile_domain, same},
    {RLS2_LOSS_EPSILON, TAKES_NUMBERS, 1, NULL, NULL, NULL, NULL, symmetric_domain, same},
    {RLS2_LOSS_ABSOLUTE, TAKES_NUMBERS, 1, NULL, NULL, NULL, NULL, symmetric_domain, same},
    {RLS2_LOSS_POISSON, TAKES_COUNTS, 0, poisson_value, poisson_slope, poisson_expand,
     poisson_conjugate, poisson_domain, exp},
    {RLS2_LOSS_MULTINOMIAL, TAKES_LABELS, 0, undefined, undefined_slope, NULL, undefined,
     unit_domain, undefined_mean},
};

const rls2__loss_table *rls2__loss_find(rls2_loss loss)
{
    for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (TABLE[k].kind == loss.kind) return &TABLE[k];
    return NULL;
}

/* ---- one row ---- */

static double insensitive(const rls2__row_loss *it)
{
    return it->of->kind == RLS2_LOSS_EPSILON ? it->a : 0.0;
}

static double kinked_value(double r, box at, double e)
{
    double above = r > e ? at.high * (r - e) : 0.0;
    return r < -e ? at.low * (r + e) : above;
}

/* The p that the envelope is at, and whether it moves with t. */
static double envelope_slope(const rls2__row_loss *it, int64_t i, double t, int *moves)
{
    box at = it->of->domain(it->y[i], it->a);
    double x = it->centre[i] + (t - it->y[i]) / it->delta, e = insensitive(it) / it->delta;
    if (e > 0.0) x = x > e ? x - e : x < -e ? x + e : 0.0;
    double p = clip(x, at);
    *moves = p == x && !(e > 0.0 && x == 0.0);
    return p;
}

/* Without the constant that is missing, as the next two. */
static double row_value(const rls2__row_loss *it, int64_t i, double t)
{
    double y = it->y[i];
    if (!it->of->kinks) return it->of->value(y, t, it->a);
    if (!(it->delta > 0.0)) return kinked_value(t - y, it->of->domain(y, it->a), insensitive(it));
    int moves;
    double p = envelope_slope(it, i, t, &moves), apart = p - it->centre[i];
    return p * (t - y) - insensitive(it) * fabs(p) - 0.5 * it->delta * apart * apart;
}

/* Of a loss with kinks and without envelope: one of the slopes at t. */
static double kinked_slope(double r, box at, double e)
{
    return r > e ? at.high : r < -e ? at.low : 0.0;
}

static double row_slope(const rls2__row_loss *it, int64_t i, double t, double *curvature)
{
    double y = it->y[i];
    int moves = 0;
    *curvature = 0.0;
    if (!it->of->kinks) return it->of->slope(y, t, it->a, curvature);
    if (!(it->delta > 0.0)) return kinked_slope(t - y, it->of->domain(y, it->a), insensitive(it));
    double p = envelope_slope(it, i, t, &moves);
    if (moves) *curvature = 1.0 / it->delta;
    return p;
}

static double row_expand(const rls2__row_loss *it, int64_t i, double t, double *slope,
                         double *curvature)
{
    if (it->of->expand) return it->of->expand(it->y[i], t, it->a, slope, curvature);
    *slope = row_slope(it, i, t, curvature);
    return row_value(it, i, t);
}

static double row_conjugate(const rls2__row_loss *it, int64_t i, double p)
{
    double y = it->y[i];
    if (!it->of->kinks) return it->of->conjugate(y, p, it->a);
    return p * y + insensitive(it) * fabs(p);
}

static double root_of(const rls2__row_loss *it, int64_t i)
{
    return it->roots ? it->roots[i] : 1.0;
}

/* ---- all rows ---- */

rls2__row_loss rls2__row_loss_of(rls2_loss loss, int64_t n, const double *y, const double *roots)
{
    rls2__row_loss it = {
        .of = rls2__loss_find(loss), .a = loss.parameter, .n = n, .y = y, .roots = roots};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t i = 0; i < n; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
        it.missing += (roots ? roots[i] * roots[i] : 1.0) * missing_constant(it.of, y[i]);
    }
    int as_they_are = it.of->takes == TAKES_NUMBERS && high > low;
    it.spread = as_they_are ? 0.5 * (high - low) : 1.0;
    return it;
}

int rls2__loss_has_kinks(const rls2__row_loss *it)
{
    return it->of->kinks;
}

rls2__kink rls2__loss_kink(const rls2__row_loss *it, int64_t i)
{
    box at = it->of->domain(it->y[i], it->a);
    return (rls2__kink){at.low, at.high, insensitive(it)};
}

double rls2__loss_sum(const rls2__row_loss *it, const double *f, double b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i);
        sum += e * e * row_value(it, i, f[i] / e + b);
    }
    return sum + it->missing;
}

void rls2__loss_bend(const rls2__row_loss *it, const double *f, double b, double *slope,
                     double *root)
{
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), curvature;
        slope[i] = e * row_slope(it, i, f[i] / e + b, &curvature);
        root[i] = sqrt(curvature);
    }
}

double rls2__loss_expand(const rls2__row_loss *it, const double *f, double b, double *slope,
                         double *curvature)
{
    double sum = 0.0;
    rls2__invariant(!it->of->kinks);
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i);
        sum += e * e * row_expand(it, i, f[i] / e + b, &slope[i], &curvature[i]);
        slope[i] *= e;
    }
    return sum + it->missing;
}

/* e'slope at b, and its derivative. */
static double total_slope(const rls2__row_loss *it, const double *f, double b, double *change)
{
    double sum = 0.0;
    *change = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), curvature;
        sum += e * e * row_slope(it, i, f[i] / e + b, &curvature);
        *change += e * e * curvature;
    }
    return sum;
}

/* ---- the best constant ---- */

/* The two b at which a row's slope changes, and those that its slope has before and after. */
typedef struct stairs {
    double first, second, low, high;
} stairs;

static stairs stairs_of(const rls2__row_loss *it, const double *f, int64_t i)
{
    double e = root_of(it, i), wide = insensitive(it), kink = it->y[i] - f[i] / e;
    box at = it->of->domain(it->y[i], it->a);
    return (stairs){kink - wide, kink + wide, e * e * at.low, e * e * at.high};
}

/* The slope of the sum just after b. */
static double slope_after(const rls2__row_loss *it, const double *f, double b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        stairs row = stairs_of(it, f, i);
        sum += row.second <= b ? row.high : row.first <= b ? 0.0 : row.low;
    }
    return sum;
}

/* The first kink after which the slope is above the level: of those that are left, above low and
 * not above high, a half by distance is left out each time. */
static double find_step(const rls2__row_loss *it, const double *f, double low, double high,
                        double level)
{
    enum { STEPS = 2000 }; /* more than there are exponents */
    for (int step = 0; step < STEPS; step++) {
        double least = high, most = low;
        for (int64_t i = 0; i < it->n; i++) {
            stairs row = stairs_of(it, f, i);
            if (row.first > low && row.first < least) least = row.first;
            if (row.second > low && row.second < least) least = row.second;
            if (row.first <= high && row.first > most) most = row.first;
            if (row.second <= high && row.second > most) most = row.second;
        }
        if (!(least < most)) return least;
        double middle = least + 0.5 * (most - least);
        if (!(middle < most)) middle = least;
        if (slope_after(it, f, middle) > level)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The slope of a sum with kinks is a staircase. Where a tread is at 0 every b of it is best, and
 * the middle is taken: neither the order of rows nor their repetition changes that. */
static double middle_constant(const rls2__row_loss *it, const double *f, double from)
{
    double first = HUGE_VAL, last = -HUGE_VAL, size = 0.0, lowest = 0.0, highest = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        stairs row = stairs_of(it, f, i);
        first = fmin(first, row.first);
        last = fmax(last, row.second);
        lowest += row.low;
        highest += row.high;
        size += root_of(it, i) * root_of(it, i);
    }
    if (!isfinite(first) || !isfinite(last)) return from;
    double level = DBL_EPSILON * (double)it->n * size;
    int falls = lowest <= -level, rises = highest > level;
    double left = falls ? find_step(it, f, -HUGE_VAL, last, -level) : from;
    double right = rises ? find_step(it, f, -HUGE_VAL, last, level) : from;
    if (falls && rises) return left + 0.5 * (right - left);
    return falls ? left : right;
}

/* A step of Newton's method this short leaves no more than rounding: half its square, where no
 * third derivative is larger than the second, as of logistic and poisson loss. */
static int is_last_step(const rls2__row_loss *it, double step)
{
    static const double SHORT = 1e-8;
    rls2_loss_kind kind = it->of->kind;
    return (kind == RLS2_LOSS_LOGISTIC || kind == RLS2_LOSS_POISSON) && fabs(step) <= SHORT;
}

/* Newton's method between ends that close in. Where all responses are on one side there is no least
 * sum: b ends far out. */
static double smooth_constant(const rls2__row_loss *it, const double *f, double from)
{
    enum { DOUBLINGS = 60, STEPS = 200 };
    double b = from, change, low = -HUGE_VAL, high = HUGE_VAL, reach = it->spread;
    for (int step = 0; step < STEPS; step++) {
        double sum = total_slope(it, f, b, &change), next;
        if (sum == 0.0) return b;
        if (sum > 0.0)
            high = b;
        else
            low = b;
        next = b - sum / change; /* change may be 0 */
        if (is_last_step(it, sum / change)) return next;
        if (isinf(low) || isinf(high)) {
            if (step > DOUBLINGS) return b;
            next = sum > 0.0 ? fmax(next, b - reach) : fmin(next, b + reach);
            if (!(change > 0.0)) next = sum > 0.0 ? b - reach : b + reach;
            reach *= 2.0;
        } else if (!(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        if (next == b || fabs(next - b) <= DBL_EPSILON * (fabs(b) + DBL_EPSILON * it->spread))
            return next;
        b = next;
    }
    return b;
}

double rls2__loss_constant(const rls2__row_loss *it, const double *f, double from)
{
    int climbs = it->of->kinks && !(it->delta > 0.0);
    return climbs ? middle_constant(it, f, from) : smooth_constant(it, f, from);
}

/* ---- multipliers ---- */

/* sum_i e_i clip(c_i - shift e_i): falls with the shift */
static double balance(const rls2__row_loss *it, double lambda, double shift, const double *c)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i);
        box at = it->of->domain(it->y[i], it->a);
        double p = -lambda * (c[i] - shift * e) / e;
        sum += e * e * (-clip(p, at) / lambda);
    }
    return sum;
}

static double find_shift(const rls2__row_loss *it, double lambda, const double *c)
{
    enum { STEPS = 200 };
    double size = 0.0, total = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        size += root_of(it, i) * fabs(c[i]);
        total += root_of(it, i) * root_of(it, i);
    }
    double sum = balance(it, lambda, 0.0, c), rounding = (double)it->n * DBL_EPSILON * size;
    if (fabs(sum) <= rounding) return 0.0;
    double low = 0.0, high = 0.0, reach = fabs(sum) / total;
    for (int step = 0; step < STEPS; step++, reach *= 2.0) {
        double end = sum > 0.0 ? reach : -reach;
        double there = balance(it, lambda, end, c);
        if (fabs(there) <= rounding) return end; /* at once, where no row comes to a bound */
        if (sum > 0.0)
            high = end;
        else
            low = end;
        if ((there > 0.0) != (sum > 0.0)) break;
    }
    for (int step = 0; step < STEPS; step++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (balance(it, lambda, middle, c) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double rls2__loss_project(const rls2__row_loss *it, double lambda, int free_intercept, double *c)
{
    double shift = free_intercept ? find_shift(it, lambda, c) : 0.0, moved = 0.0, size = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), before = c[i];
        box at = it->of->domain(it->y[i], it->a);
        double p = -lambda * (c[i] - shift * e) / e;
        /* what is inside stays as it is, to the bit */
        if (p < at.low || p > at.high)
            c[i] = -e * clip(p, at) / lambda;
        else if (shift != 0.0)
            c[i] -= shift * e;
        if (fabs(c[i] - before) > moved) moved = fabs(c[i] - before);
        if (fabs(before) > size) size = fabs(before);
    }
    return size > 0.0 ? moved / size : 0.0;
}

rls2__young rls2__loss_young(const rls2__row_loss *it, double lambda, const double *c,
                             const double *f, double b)
{
    rls2__young young = {0};
    rls2__row_loss itself = *it;
    double unbent = 0.0, balanced = 0.0;
    itself.delta = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), p = -lambda * c[i] / e, t = f[i] / e + b, curvature;
        box at = it->of->domain(it->y[i], it->a);
        p = clip(p, at); /* where it is but for rounding */
        double slope, value = row_expand(&itself, i, t, &slope, &curvature);
        double dual = row_conjugate(&itself, i, p), rest = e * (slope - p);
        young.loss += e * e * value;
        young.gap += e * e * fmax(value + dual - p * t, 0.0);
        young.size += e * e * (fabs(value) + fabs(dual) + fabs(p * t));
        unbent += rest * rest;
        balanced += e * c[i];
        young.curvature = fmax(young.curvature, curvature);
        if (it->of->kinks) young.jump = fmax(young.jump, e * (at.high - at.low));
        if (it->centre) {
            double apart = p - it->centre[i];
            young.envelope += 0.5 * it->delta * e * e * apart * apart;
        }
    }
    young.loss += it->missing;
    young.unbent = sqrt(unbent);
    young.unbalanced = fabs(balanced);
    rls2__invariant(!(young.gap < 0.0));
    return young;
}

void rls2__loss_recentre(const rls2__row_loss *it, double lambda, const double *c)
{
    for (int64_t i = 0; i < it->n; i++) {
        box at = it->of->domain(it->y[i], it->a);
        it->centre[i] = clip(-lambda * c[i] / root_of(it, i), at);
    }
}

/* ---- for callers ---- */

int rls2_loss_takes_labels(rls2_loss loss)
{
    const rls2__loss_table *of = rls2__loss_find(loss);
    return of && of->takes == TAKES_LABELS;
}

int rls2_loss_takes_counts(rls2_loss loss)
{
    const rls2__loss_table *of = rls2__loss_find(loss);
    return of && of->takes == TAKES_COUNTS;
}

static int is_response(const rls2__loss_table *of, double y)
{
    if (of->takes == TAKES_LABELS) return y == 1.0 || y == -1.0;
    return of->takes == TAKES_COUNTS ? y >= 0.0 : !isnan(y);
}

double rls2_loss_value(rls2_loss loss, double y, double t)
{
    const rls2__loss_table *of = rls2__loss_find(loss);
    if (!of || isnan(t) || !is_response(of, y)) return (double)NAN;
    rls2__row_loss one = {.of = of, .a = loss.parameter, .n = 1, .y = &y};
    return row_value(&one, 0, t) + missing_constant(of, y);
}

double rls2_loss_mean(rls2_loss loss, double t)
{
    const rls2__loss_table *of = rls2__loss_find(loss);
    return of ? of->mean(t) : (double)NAN;
}

rls2_status rls2__loss_check(rls2_loss loss, int64_t n, const double *y, rls2_error *err)
{
    const rls2__loss_table *of = rls2__loss_find(loss);
    char text[40];
    if (!of) return rls2__fail(err, RLS2_ERR_ARGUMENT, "there is no loss %d", (int)loss.kind);
    int inside = loss.kind == RLS2_LOSS_QUANTILE ? loss.parameter > 0.0 && loss.parameter < 1.0
                 : loss.kind == RLS2_LOSS_HUBER  ? loss.parameter > 0.0 && isfinite(loss.parameter)
                 : loss.kind == RLS2_LOSS_EPSILON
                     ? loss.parameter >= 0.0 && isfinite(loss.parameter)
                     : 1;
    if (!inside)
        return rls2__fail(err, RLS2_ERR_VALUE, "the parameter of %s is %s",
                          rls2_loss_text(loss, text, sizeof text),
                          isnan(loss.parameter) ? "missing" : "out of range");
    for (int64_t i = 0; i < n; i++)
        if (!is_response(of, y[i]))
            return rls2__fail(err, RLS2_ERR_VALUE, "y[%lld] is %g; the %s loss takes %s",
                              (long long)i, y[i], rls2_loss_text(loss, text, sizeof text),
                              of->takes == TAKES_LABELS ? "labels, -1 and 1"
                                                        : "counts, which are not negative");
    return RLS2_OK;
}
