/* Quasi-Newton steps with a short memory (L-BFGS: Nocedal 1980).
 *
 * A direction is -H g, where H is made of the last MEMORY steps and the changes of the gradient
 * along them (two loops over them), and of the first step a multiple of the identity. No coordinate
 * moves by more than MOST_MOVED at once: they are logarithms, of which the evidence knows little
 * far from where it was looked at. A step that does not lower the function by its share is cut
 * short, to where a parabola has its minimum. Pairs that do not curve upwards are forgotten. */
#include "widths/descent.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

enum { MEMORY = 10, MOST_CUTS = 10 };

static const double MOST_MOVED = 2.0;
static const double FIRST_MOVED = 1.0;
static const double ENOUGH = 1e-4;  /* of what the slope promises */
static const double CURVED = 1e-10; /* s'y of |s||y| */

typedef struct search {
    const rls2__descent *it;
    int64_t n, left; /* evaluations */
    double *x, value;
    double *gradient, *direction, *trial, *trial_gradient;
    double *steps, *changes; /* n x MEMORY, in a circle */
    double products[MEMORY]; /* s'y */
    int64_t kept, next;
} search;

int64_t rls2__descent_work(int64_t count)
{
    return rls2__mul(count, 4 + 2 * MEMORY);
}

static double largest(int64_t n, const double *x)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Pair number t before the newest. */
static int64_t place(const search *s, int64_t t)
{
    return (s->next - 1 - t + 2 * MEMORY) % MEMORY;
}

/* direction = -H gradient */
static void find_direction(search *s)
{
    int64_t n = s->n;
    double share[MEMORY], *d = s->direction;
    memcpy(d, s->gradient, (size_t)n * sizeof *d);
    for (int64_t t = 0; t < s->kept; t++) {
        int64_t at = place(s, t);
        share[at] = rls2__la_dot(n, s->steps + at * n, d) / s->products[at];
        rls2__la_axpy(n, -share[at], s->changes + at * n, d);
    }
    double scale = FIRST_MOVED / fmax(largest(n, d), 1e-300);
    if (s->kept > 0) {
        const double *change = s->changes + place(s, 0) * n;
        scale = s->products[place(s, 0)] / rls2__la_dot(n, change, change);
    }
    for (int64_t i = 0; i < n; i++) d[i] *= scale;
    for (int64_t t = s->kept - 1; t >= 0; t--) {
        int64_t at = place(s, t);
        double along = rls2__la_dot(n, s->changes + at * n, d) / s->products[at];
        rls2__la_axpy(n, share[at] - along, s->steps + at * n, d);
    }
    double most = largest(n, d), cut = most > MOST_MOVED ? MOST_MOVED / most : 1.0;
    for (int64_t i = 0; i < n; i++) d[i] *= -cut;
}

/* The slope along the direction, which is downhill: else everything is forgotten. */
static double find_slope(search *s)
{
    find_direction(s);
    double slope = rls2__la_dot(s->n, s->gradient, s->direction);
    if (slope < 0.0 || s->kept == 0) return slope;
    s->kept = 0;
    find_direction(s);
    return rls2__la_dot(s->n, s->gradient, s->direction);
}

static double evaluate(search *s, double t)
{
    for (int64_t i = 0; i < s->n; i++) s->trial[i] = s->x[i] + t * s->direction[i];
    s->left--;
    return s->it->function(s->it->user, s->trial, s->trial_gradient);
}

/* Where the parabola through value, slope and the new value has its minimum, within limits. */
static double shorter(double t, double slope, double rise)
{
    double least = isfinite(rise) ? -slope * t * t / (2.0 * (rise - slope * t)) : 0.0;
    return fmin(fmax(least, 0.1 * t), 0.5 * t);
}

static void remember(search *s)
{
    int64_t n = s->n;
    double *step = s->steps + s->next * n, *change = s->changes + s->next * n;
    for (int64_t i = 0; i < n; i++) {
        step[i] = s->trial[i] - s->x[i];
        change[i] = s->trial_gradient[i] - s->gradient[i];
    }
    double product = rls2__la_dot(n, step, change);
    if (!(product > CURVED * rls2__la_norm(n, step) * rls2__la_norm(n, change))) return;
    s->products[s->next] = product;
    s->next = (s->next + 1) % MEMORY;
    if (s->kept < MEMORY) s->kept++;
}

/* What was gained; 0 where nothing was. */
static double make_step(search *s)
{
    double slope = find_slope(s), t = 1.0;
    if (!(slope < 0.0)) return 0.0;
    for (int cut = 0; cut < MOST_CUTS && s->left > 0; cut++) {
        double rise = evaluate(s, t) - s->value;
        if (rise <= ENOUGH * t * slope) {
            remember(s);
            memcpy(s->x, s->trial, (size_t)s->n * sizeof *s->x);
            memcpy(s->gradient, s->trial_gradient, (size_t)s->n * sizeof *s->gradient);
            s->value += rise;
            return -rise;
        }
        t = shorter(t, slope, rise);
    }
    return 0.0;
}

double rls2__descend(const rls2__descent *it, double *x, double *work)
{
    int64_t n = it->count;
    search s = {.it = it, .n = n, .left = it->evaluations - 1, .x = x, .gradient = work};
    s.direction = s.gradient + n;
    s.trial = s.direction + n;
    s.trial_gradient = s.trial + n;
    s.steps = s.trial_gradient + n;
    s.changes = s.steps + MEMORY * n;
    s.value = it->function(it->user, x, s.gradient);
    double gain = INFINITY;
    while (isfinite(s.value) && s.left > 0 && gain > it->tol) gain = make_step(&s);
    return s.value;
}
