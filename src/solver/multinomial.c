/* Sums of the multinomial loss over rows. Where p is near 1, what it lacks is the sum of the
 * others, and a Fenchel-Young gap is sum_o s_o log(s_o / p_o) - s_o + p_o, of which no term is
 * negative. */
#include "solver/multinomial.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "la/la.h"

/* A class that no row has would have a constant of -Infinity; this share is as good as none. */
static const double LEAST_SHARE = 1e-13;
/* s below 0 by no more than this is 0 but for rounding. */
static const double SAME_S = 1e-12;
/* No eigenvalue of diag(p) - pp' is larger. */
static const double LARGEST_CURVATURE = 0.5;

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__multinomial *it = owner;
    int64_t outputs = it->outputs;
    double **of_outputs[] = {&it->shares, &it->t, &it->p, &it->slope, &it->step, &it->b};
    it->which = rls2__layout_take(layout, it->n, sizeof(int64_t));
    for (size_t i = 0; i < sizeof of_outputs / sizeof *of_outputs; i++)
        *of_outputs[i] = rls2__layout_take(layout, outputs, sizeof(double));
    it->bend = rls2__layout_take(layout, rls2__mul(outputs, outputs), sizeof(double));
}

static double root_of(const rls2__multinomial *it, int64_t i)
{
    return it->roots ? it->roots[i] : 1.0;
}

rls2_status rls2__multinomial_create(int64_t outputs, int64_t n, const double *y,
                                     const double *roots, rls2__multinomial *it)
{
    *it = (rls2__multinomial){.n = n, .outputs = outputs, .roots = roots};
    it->block = rls2__layout_alloc(lay_out, it);
    if (!it->block) return RLS2_ERR_MEMORY;
    for (int64_t o = 0; o < outputs; o++) it->shares[o] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double weight = root_of(it, i) * root_of(it, i);
        it->which[i] = 0;
        for (int64_t o = 0; o < outputs; o++)
            if (y[o * n + i] > 0.0) it->which[i] = o;
        it->shares[it->which[i]] += weight;
        it->total += weight;
    }
    for (int64_t o = 0; o < outputs; o++)
        it->shares[o] = fmax(it->shares[o] / it->total, LEAST_SHARE);
    return RLS2_OK;
}

void rls2__multinomial_free(rls2__multinomial *it)
{
    rls2__free(it->block);
    memset(it, 0, sizeof *it);
}

/* t and p of row i; returns log sum_o exp(t_o). */
static double look_at(rls2__multinomial *it, int64_t i, const double *f, const double *b)
{
    double e = root_of(it, i), largest = -HUGE_VAL, sum = 0.0;
    for (int64_t o = 0; o < it->outputs; o++) {
        it->t[o] = f[o * it->n + i] / e + b[o];
        largest = fmax(largest, it->t[o]);
    }
    for (int64_t o = 0; o < it->outputs; o++) sum += it->p[o] = exp(it->t[o] - largest);
    for (int64_t o = 0; o < it->outputs; o++) it->p[o] /= sum;
    return largest + log(sum);
}

/* p_o - onehot_o */
static double slope_of(const rls2__multinomial *it, int64_t i, int64_t o)
{
    if (o != it->which[i]) return it->p[o];
    double others = 0.0;
    for (int64_t k = 0; k < it->outputs; k++) others += k == o ? 0.0 : it->p[k];
    return -others;
}

/* The loss of the row that was looked at; where it is small it is not the difference of two sizes
 * that are not. */
static double row_value(const rls2__multinomial *it, int64_t i, double log_sum)
{
    double lacks = -slope_of(it, i, it->which[i]);
    return lacks < 0.5 ? -log1p(-lacks) : log_sum - it->t[it->which[i]];
}

double rls2__multinomial_sum(rls2__multinomial *it, const double *f, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), log_sum = look_at(it, i, f, b);
        sum += e * e * row_value(it, i, log_sum);
    }
    return sum;
}

void rls2__multinomial_bend(rls2__multinomial *it, const double *f, const double *b, double *slope,
                            double *root)
{
    for (int64_t i = 0; i < it->n; i++) {
        look_at(it, i, f, b);
        for (int64_t o = 0; o < it->outputs; o++) {
            slope[o * it->n + i] = root_of(it, i) * slope_of(it, i, o);
            root[o * it->n + i] = sqrt(it->p[o]);
        }
    }
}

void rls2__multinomial_null(const rls2__multinomial *it, double *b)
{
    double mean = 0.0;
    for (int64_t o = 0; o < it->outputs; o++) mean += log(it->shares[o]) / (double)it->outputs;
    for (int64_t o = 0; o < it->outputs; o++) b[o] = log(it->shares[o]) - mean;
}

/* Slope and curvature in b; what is added to the latter lies where b may be anything, along 1. */
static void bend_in_b(rls2__multinomial *it, const double *f, const double *b)
{
    int64_t k = it->outputs;
    memset(it->slope, 0, (size_t)k * sizeof(double));
    for (int64_t j = 0; j < k * k; j++) it->bend[j] = it->total / (double)k;
    for (int64_t i = 0; i < it->n; i++) {
        double weight = root_of(it, i) * root_of(it, i);
        look_at(it, i, f, b);
        for (int64_t o = 0; o < k; o++) {
            it->slope[o] += weight * slope_of(it, i, o);
            it->bend[o * k + o] += weight * it->p[o];
            for (int64_t j = o; j < k; j++) it->bend[o * k + j] -= weight * it->p[o] * it->p[j];
        }
    }
}

/* Newton's method, steps halved until the sum falls. */
void rls2__multinomial_constant(rls2__multinomial *it, const double *f, double *b)
{
    enum { STEPS = 50, HALVINGS = 30 };
    int64_t k = it->outputs;
    double sum = rls2__multinomial_sum(it, f, b);
    for (int step = 0; step < STEPS; step++) {
        bend_in_b(it, f, b);
        memcpy(it->step, it->slope, (size_t)k * sizeof(double));
        if (rls2__la_cholesky(k, it->bend, k) != 0) return;
        rls2__la_cholesky_solve(k, 1, it->bend, k, it->step, k);
        double gain = rls2__la_dot(k, it->slope, it->step), share = 1.0, next = sum;
        if (!(gain > DBL_EPSILON * sum)) return;
        for (int halving = 0; halving < HALVINGS; halving++, share *= 0.5) {
            for (int64_t o = 0; o < k; o++) it->b[o] = b[o] - share * it->step[o];
            next = rls2__multinomial_sum(it, f, it->b);
            if (next <= sum - 0.25 * share * gain) break;
        }
        if (!(next < sum)) return;
        memcpy(b, it->b, (size_t)k * sizeof(double));
        sum = next;
    }
}

/* s of row i and output o */
static double dual_of(const rls2__multinomial *it, double lambda, const double *c, int64_t i,
                      int64_t o)
{
    return (o == it->which[i] ? 1.0 : 0.0) - lambda * c[o * it->n + i] / root_of(it, i);
}

/* A share of the class at which all constraints hold, in every row. */
static double middle_of(const rls2__multinomial *it, int free_intercept, int64_t o)
{
    return free_intercept ? it->shares[o] : 1.0 / (double)it->outputs;
}

/* How far to go to the middle for no s to be below 0 by more than rounding. */
static double distance_to(const rls2__multinomial *it, double lambda, int free_intercept,
                          const double *c)
{
    double distance = 0.0;
    for (int64_t i = 0; i < it->n; i++)
        for (int64_t o = 0; o < it->outputs; o++) {
            double s = dual_of(it, lambda, c, i, o);
            if (s < -SAME_S) distance = fmax(distance, -s / (middle_of(it, free_intercept, o) - s));
        }
    return distance;
}

/* Rows of c sum to 0 but for rounding, which is taken out. */
static void centre_rows(const rls2__multinomial *it, double *c)
{
    for (int64_t i = 0; i < it->n; i++) {
        double sum = 0.0, size = 0.0;
        for (int64_t o = 0; o < it->outputs; o++) {
            sum += c[o * it->n + i];
            size += fabs(c[o * it->n + i]);
        }
        if (fabs(sum) <= (double)it->outputs * DBL_EPSILON * size) continue;
        for (int64_t o = 0; o < it->outputs; o++) c[o * it->n + i] -= sum / (double)it->outputs;
    }
}

double rls2__multinomial_project(rls2__multinomial *it, double lambda, int free_intercept,
                                 double *c)
{
    centre_rows(it, c);
    double distance = distance_to(it, lambda, free_intercept, c), moved = 0.0, size = 0.0;
    for (int64_t i = 0; i < it->n; i++)
        for (int64_t o = 0; o < it->outputs; o++) {
            double before = c[o * it->n + i], onehot = o == it->which[i] ? 1.0 : 0.0;
            double middle = root_of(it, i) * (onehot - middle_of(it, free_intercept, o)) / lambda;
            if (distance > 0.0) c[o * it->n + i] += distance * (middle - before);
            if (dual_of(it, lambda, c, i, o) < 0.0)
                c[o * it->n + i] = root_of(it, i) * onehot / lambda;
            moved = fmax(moved, fabs(c[o * it->n + i] - before));
            size = fmax(size, fabs(before));
        }
    return size > 0.0 ? moved / size : moved;
}

/* s log(s / p) - s + p, which is not negative */
static double divergence(double s, double p, double log_p)
{
    if (!(s > 0.0)) return p;
    double apart = (s - p) / p;
    if (fabs(apart) < 0.5) return fmax(p * ((1.0 + apart) * log1p(apart) - apart), 0.0);
    return fmax(s * (log(s) - log_p) - s + p, 0.0);
}

rls2__young rls2__multinomial_young(rls2__multinomial *it, double lambda, const double *c,
                                    const double *f, const double *b)
{
    rls2__young young = {.curvature = LARGEST_CURVATURE};
    double unbent = 0.0;
    for (int64_t i = 0; i < it->n; i++) {
        double e = root_of(it, i), log_sum = look_at(it, i, f, b), sum = 0.0, largest = 0.0;
        young.loss += e * e * row_value(it, i, log_sum);
        for (int64_t o = 0; o < it->outputs; o++) {
            double s = fmax(dual_of(it, lambda, c, i, o), 0.0), log_p = it->t[o] - log_sum;
            young.gap += e * e * divergence(s, it->p[o], log_p);
            young.size += e * e * (s * fabs(log_p) + fabs(s - it->p[o]));
            unbent += e * e * (it->p[o] - s) * (it->p[o] - s);
            largest = fmax(largest, fabs(log_p));
            sum += s;
        }
        young.gap +=
            e * e * fabs(sum - 1.0) * (1.0 + largest); /* c is in the domain but for this */
    }
    young.unbent = sqrt(unbent);
    rls2__invariant(!(young.gap < 0.0));
    return young;
}
