/* Non-negative least squares on left-out predictions. Predictors are few, so that every set of
 * them can be solved for by itself: no iteration, no tolerance. Weights for classes are found by
 * logistic loss (stacking_classes.c). */
#include "select/stacking.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

enum { MOST = RLS2__MOST_STACKED };

/* ---- least squares with weights that are not negative ---- */

/* Cholesky in place of the rows and columns `in`; 0 where a pivot is not positive. */
static int solve_set(int count, const double *G, const double *b, int size, const int *in,
                     double *w)
{
    double L[MOST * MOST], z[MOST];
    for (int i = 0; i < size; i++) {
        double rest = b[in[i]];
        for (int j = 0; j <= i; j++) {
            double sum = G[in[i] * count + in[j]];
            for (int t = 0; t < j; t++) sum -= L[i * MOST + t] * L[j * MOST + t];
            if (j == i && !(sum > 1e-12 * G[in[i] * count + in[i]])) return 0;
            L[i * MOST + j] = j == i ? sqrt(sum) : sum / L[j * MOST + j];
        }
        for (int t = 0; t < i; t++) rest -= L[i * MOST + t] * z[t];
        z[i] = rest / L[i * MOST + i];
    }
    for (int i = size - 1; i >= 0; i--) {
        double rest = z[i];
        for (int t = i + 1; t < size; t++) rest -= L[t * MOST + i] * w[t];
        w[i] = rest / L[i * MOST + i];
    }
    return 1;
}

void rls2__least_nonnegative(int count, const double *G, const double *b, double *w)
{
    double least = 0.0;
    rls2__invariant(count >= 1 && count <= MOST);
    memset(w, 0, (size_t)count * sizeof *w);
    for (unsigned set = 1; set < 1u << count; set++) {
        int in[MOST], size = 0, positive = 1;
        double some[MOST], value = 0.0;
        for (int k = 0; k < count; k++)
            if (set >> k & 1) in[size++] = k;
        if (!solve_set(count, G, b, size, in, some)) continue;
        for (int i = 0; i < size; i++) {
            positive &= some[i] >= 0.0;
            value -= b[in[i]] * some[i];
        }
        if (!positive || !(value < least)) continue;
        least = value;
        memset(w, 0, (size_t)count * sizeof *w);
        for (int i = 0; i < size; i++) w[in[i]] = some[i];
    }
}

/* ---- sums over rows ---- */

typedef struct sums {
    double total, mean; /* of the weights, and of y */
    double G[MOST * MOST], b[MOST];
} sums;

double rls2__stacking_weight(const rls2__stacking *rows, int64_t i, int64_t but)
{
    if (rows->owner[i] < 0 || rows->owner[i] == but) return 0.0;
    return rows->weights ? rows->weights[i] : 1.0;
}

static double mean_of(const rls2__stacking *rows, int64_t but, double *total)
{
    double sum = 0.0;
    *total = 0.0;
    for (int64_t i = 0; i < rows->n; i++) {
        double weight = rls2__stacking_weight(rows, i, but);
        if (weight > 0.0) sum += weight * rows->y[i];
        *total += weight;
    }
    return *total > 0.0 ? sum / *total : 0.0;
}

/* Over all rows but those that the split `but` left out; -1: over all. */
static sums sum_up(const rls2__stacking *rows, int64_t but)
{
    sums s = {0};
    s.mean = mean_of(rows, but, &s.total);
    for (int64_t i = 0; i < rows->n; i++) {
        double weight = rls2__stacking_weight(rows, i, but), y = rows->y[i] - s.mean;
        if (!(weight > 0.0)) continue;
        for (int k = 0; k < rows->count; k++) {
            double f = weight * (rows->f[k][i] - s.mean);
            s.b[k] += f * y;
            for (int l = 0; l <= k; l++) s.G[k * rows->count + l] += f * (rows->f[l][i] - s.mean);
        }
    }
    for (int k = 0; k < rows->count; k++)
        for (int l = 0; l < k; l++) s.G[l * rows->count + k] = s.G[k * rows->count + l];
    return s;
}

/* ---- weights ---- */

/* Predictors that say nearly the same would share their weight by chance: a little of the mean
 * square of all is added to the diagonal, which pulls weights to 1/count. */
static void pull_to_the_mean(int count, sums *s)
{
    static const double PULL = 0.02;
    double mean = 0.0;
    for (int k = 0; k < count; k++) mean += s->G[k * count + k] / count;
    for (int k = 0; k < count; k++) {
        s->G[k * count + k] += PULL * mean;
        s->b[k] += PULL * mean / count;
    }
}

static rls2__stacked stack_but(const rls2__stacking *rows, int64_t but)
{
    rls2__stacked found = {{0}, 0.0};
    if (rows->classes && rls2__stack_classes(rows, but, &found)) return found;
    sums s = sum_up(rows, but);
    double sum = 0.0;
    pull_to_the_mean(rows->count, &s);
    rls2__least_nonnegative(rows->count, s.G, s.b, found.weights);
    for (int k = 0; k < rows->count; k++) sum += found.weights[k];
    found.constant = s.mean * (1.0 - sum);
    return found;
}

rls2__stacked rls2__stack_rows(const rls2__stacking *rows)
{
    return stack_but(rows, -1);
}

void rls2__stack_left_out(const rls2__stacking *rows, double *left_out)
{
    for (int64_t i = 0; i < rows->n; i++) left_out[i] = (double)NAN;
    for (int64_t s = 0; s < rows->splits; s++) {
        rls2__stacked of = stack_but(rows, rows->splits > 1 ? s : -1);
        for (int64_t i = 0; i < rows->n; i++) {
            if (rows->owner[i] != s) continue;
            left_out[i] = of.constant;
            for (int k = 0; k < rows->count; k++) left_out[i] += of.weights[k] * rows->f[k][i];
        }
    }
}
