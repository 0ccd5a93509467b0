/* Means, deviations and lengths of a sample, and what they do to it. */
#include "table/normalize.h"

#include <math.h>
#include <stdlib.h>

#include "base/invariant.h"

enum { SAFE_EXPONENT = 400 }; /* squares of numbers within 2^+-400, and sums of them, are normal */
static const double ONE_ROW =
    1e-12; /* weights that sum to one, but for rounding, are one row: no spread */

/* ---- measuring ---- */

static double weight_of(const rls2__sample *s, int part, int64_t i)
{
    return s->weights[part] ? s->weights[part][i] * s->unit : s->unit;
}

static double mean(const rls2__sample *s)
{
    double sum = 0.0;
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) sum += weight_of(s, part, i) * s->x[part][i];
    return sum / s->total;
}

/* What is taken off a feature. */
static double centre(const rls2__sample *s)
{
    if (!s->means) return mean(s);
    rls2__sample other = *s;
    other.weights[0] = s->means;
    rls2__sample_weigh(&other);
    return mean(&other);
}

static double squares_about(const rls2__sample *s, double middle)
{
    double sum = 0.0;
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) {
            double rest = s->x[part][i] - middle;
            sum += weight_of(s, part, i) * rest * rest;
        }
    return sum;
}

static double largest_weight(const rls2__sample *s)
{
    double largest = 0.0;
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++)
            largest = fmax(largest, s->weights[part] ? s->weights[part][i] : 1.0);
    return largest;
}

/* An even power of two, whose root is one as well. */
static double unit_weight(const rls2__sample *s)
{
    int exponent;
    if (!s->weights[0] && !s->weights[1]) return 1.0;
    frexp(largest_weight(s), &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -2 * (exponent / 2));
}

void rls2__sample_weigh(rls2__sample *s)
{
    s->unit = unit_weight(s);
    s->total = 0.0;
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) s->total += weight_of(s, part, i);
    rls2__invariant(s->unit > 0.0 && s->total >= 0.0 && isfinite(s->total));
}

rls2__range rls2__range_of(const rls2__sample *s)
{
    rls2__range r = {s->x[0][0], s->x[0][0]};
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) {
            r.low = fmin(r.low, s->x[part][i]);
            r.high = fmax(r.high, s->x[part][i]);
        }
    rls2__invariant(r.low <= r.high);
    return r;
}

/* ---- the steps ---- */

static void times_power(const rls2__sample *s, int exponent)
{
    if (exponent == 0) return;
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) s->x[part][i] = ldexp(s->x[part][i], exponent);
}

static void subtract(const rls2__sample *s, double shift)
{
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) s->x[part][i] -= shift;
}

static void divide(const rls2__sample *s, double deviation)
{
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) s->x[part][i] /= deviation;
}

static void make_zero(const rls2__sample *s)
{
    for (int part = 0; part < 2; part++)
        for (int64_t i = 0; i < s->n[part]; i++) s->x[part][i] = 0.0;
}

/* Where all that differs weighs next to nothing, squares underflow and there is nothing to divide
 * by. */
static void divide_or_clear(const rls2__sample *s, double deviation)
{
    if (deviation > 0.0)
        divide(s, deviation);
    else
        make_zero(s);
}

static int safe_exponent(double largest)
{
    int exponent;
    frexp(largest, &exponent);
    return abs(exponent) <= SAFE_EXPONENT ? 0 : exponent;
}

/* ---- the three rules: measured on a sample, which is transformed at once ---- */

static rls2__scale center(const rls2__sample *s, rls2__range r)
{
    rls2__scale scale = {.deviation = 1.0, .shift = r.low};
    if (r.low == r.high) {
        subtract(s, scale.shift);
        return scale;
    }
    scale.exponent = safe_exponent(fmax(-r.low, r.high));
    times_power(s, -scale.exponent);
    scale.shift = centre(s);
    subtract(s, scale.shift);
    scale.rest = centre(s);
    subtract(s, scale.rest);
    times_power(s, scale.exponent);
    return scale;
}

static rls2__scale standardize(const rls2__sample *s, rls2__range r)
{
    rls2__scale scale = {.shift = r.low};
    if (r.low == r.high) {
        make_zero(s);
        return scale;
    }
    scale.exponent = safe_exponent(fmax(-r.low, r.high));
    times_power(s, -scale.exponent);
    scale.shift = centre(s);
    subtract(s, scale.shift);
    scale.rest = centre(s);
    subtract(s, scale.rest);
    if (s->total - s->unit > ONE_ROW * s->total)
        scale.deviation = sqrt(squares_about(s, s->means ? mean(s) : 0.0) / (s->total - s->unit));
    rls2__invariant(scale.deviation >= 0.0 && isfinite(scale.deviation));
    divide_or_clear(s, scale.deviation);
    return scale;
}

static rls2__scale unit(const rls2__sample *s, rls2__range r)
{
    rls2__scale scale = {0};
    if (r.low == 0.0 && r.high == 0.0) {
        make_zero(s);
        return scale;
    }
    scale.exponent = safe_exponent(fmax(-r.low, r.high));
    times_power(s, -scale.exponent);
    scale.deviation = sqrt(squares_about(s, 0.0)) / sqrt(s->unit);
    rls2__invariant(scale.deviation >= 0.0);
    divide_or_clear(s, scale.deviation);
    return scale;
}

rls2__scale rls2__normalize(const rls2__sample *s, rls2__range r, rls2_normalize rule)
{
    switch (rule) {
    case RLS2_NORMALIZE_CENTER: return center(s, r);
    case RLS2_NORMALIZE_STANDARDIZE: return standardize(s, r);
    case RLS2_NORMALIZE_UNIT: return unit(s, r);
    case RLS2_NORMALIZE_NONE: break;
    }
    return (rls2__scale){.deviation = 1.0};
}

void rls2__normalize_like(const rls2__sample *s, rls2_normalize rule, const rls2__scale *scale)
{
    rls2__invariant(scale->deviation >= 0.0);
    if (scale->deviation == 0.0) {
        make_zero(s);
        return;
    }
    times_power(s, -scale->exponent);
    if (rule != RLS2_NORMALIZE_UNIT) {
        subtract(s, scale->shift);
        subtract(s, scale->rest);
    }
    if (rule == RLS2_NORMALIZE_CENTER)
        times_power(s, scale->exponent);
    else
        divide(s, scale->deviation);
}
