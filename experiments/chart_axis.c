/* Axes: ranges that can be drawn, ticks that are read with ease. */
#include <math.h>

#include "experiments/chart_parts.h"

/* Beyond this a range could overflow. */
static const double LARGEST = 1e300, SMALLEST = 1e-290;

int axis_shows(int logarithmic, double value)
{
    if (!isfinite(value) || fabs(value) > LARGEST) return 0;
    return !logarithmic || value > SMALLEST;
}

double axis_tick_at(const axis *a, double tick)
{
    return a->from + (tick - a->lo) / (a->hi - a->lo) * (a->to - a->from);
}

double axis_at(const axis *a, double value)
{
    return axis_tick_at(a, a->logarithmic ? log10(value) : value);
}

void axis_span(axis *a, double lo, double hi, double margin)
{
    if (lo > hi) {
        a->lo = 0.0;
        a->hi = 1.0;
        return;
    }
    if (a->logarithmic) {
        lo = log10(lo);
        hi = log10(hi);
    }
    double least = fmax(1e-9 * fmax(fabs(lo), fabs(hi)), SMALLEST);
    if (hi - lo <= least) { /* one value: it stands in the middle */
        double around = a->logarithmic ? 0.5 : lo != 0.0 ? fmax(0.1 * fabs(lo), SMALLEST) : 1.0;
        lo -= around;
        hi += around;
        margin = 0.0;
    }
    a->lo = lo - margin * (hi - lo);
    a->hi = hi + margin * (hi - lo);
}

/* 1, 2 or 5 times a power of ten, so that there are about `most` ticks at most. */
static double tick_step(double range, int most)
{
    double raw = range / most, power = pow(10.0, floor(log10(raw))), share = raw / power;
    return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

static void add_steps(ticks *t, const axis *a, double step)
{
    double first = ceil(a->lo / step - 1e-9), last = floor(a->hi / step + 1e-9);
    for (double k = first; k <= last && t->count < MOST_TICKS; k++) t->value[t->count++] = k * step;
}

static ticks linear_ticks(const axis *a)
{
    ticks t = {0};
    double step = tick_step(a->hi - a->lo, a->most_ticks);
    double largest = fmax(fabs(a->lo), fabs(a->hi));
    add_steps(&t, a, step);
    t.decimals = step >= 1.0 ? 0 : (int)ceil(-log10(step) - 1e-9);
    if (largest >= 1e6 || t.decimals > 6) t.decimals = -1;
    return t;
}

/* Less than two decades: 1, 2 and 5 times the powers of ten. */
static ticks fine_ticks(const axis *a)
{
    static const double STEPS[] = {1.0, 2.0, 5.0};
    ticks t = {.decimals = -1};
    for (double power = floor(a->lo); power <= a->hi; power++)
        for (int i = 0; i < 3; i++) {
            double value = power + log10(STEPS[i]);
            if (value >= a->lo - 1e-9 && value <= a->hi + 1e-9 && t.count < MOST_TICKS)
                t.value[t.count++] = value;
        }
    return t;
}

ticks axis_ticks(const axis *a)
{
    ticks t = {.powers = 1};
    if (!a->logarithmic) return linear_ticks(a);
    if (a->hi - a->lo < 2.0) {
        t = fine_ticks(a);
        if (t.count > 1) return t;
        t = (ticks){.decimals = -1};
        add_steps(&t, a, tick_step(a->hi - a->lo, a->most_ticks));
        return t;
    }
    add_steps(&t, a, ceil((a->hi - a->lo) / a->most_ticks - 1e-9));
    return t;
}
