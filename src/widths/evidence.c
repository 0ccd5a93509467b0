/* Minus the log evidence of a Gaussian process on the rows,
 *
 *   E = 1/2 sum_o y_o' C^-1 y_o + q/2 log det C,   C = s K + v N,   K_ab = exp(-sum_j w_j d_j^2),
 *
 * d_j = x_aj - x_bj, N the diagonal matrix of 1 / weights, and beforehand the log w_j around their
 * mean, that mean, log s and log v normal. With V = 1/2 (sum_o a_o a_o' - q C^-1), a_o = C^-1 y_o,
 * -dE is the sum of V_ab dC_ab, and for all columns one product MX, M_ab = V_ab s K_ab, has what is
 * needed:
 *
 *   sum_ab M_ab d_j^2 = 2 (sum_a x_aj^2 (M1)_a - x_j' M x_j).   [MATH.md, H1] */
#include "widths/evidence.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/maps.h"
#include "la/la.h"

/* Beforehand: how far widths are from each other, and their mean from where the search begins, as
 * deviations of logarithms. Between columns that is what keeps sixty columns of a hundred rows from
 * being believed one by one. */
static const double WIDTHS_APART = 1.0, WIDTHS_MEAN = 3.0;
static const double SIGNAL = 0.0, NOISE = -2.0, OTHERS_APART = 3.0;
static const double FIRST_NOISE = -2.302585092994046; /* log 0.1 */

static void lay_out(rls2__layout *layout, void *owner)
{
    rls2__evidence *e = owner;
    int64_t square = rls2__mul(e->n, e->n), data = rls2__mul(e->n, e->p),
            responses = rls2__mul(e->n, e->outputs);
    e->x = rls2__layout_take(layout, data, sizeof(double));
    e->y = rls2__layout_take(layout, responses, sizeof(double));
    e->noise = rls2__layout_take(layout, e->n, sizeof(double));
    e->scaled = rls2__layout_take(layout, data, sizeof(double));
    e->K = rls2__layout_take(layout, square, sizeof(double));
    e->C = rls2__layout_take(layout, square, sizeof(double));
    e->a = rls2__layout_take(layout, responses, sizeof(double));
    e->sums = rls2__layout_take(layout, rls2__mul(e->n, 2), sizeof(double));
    e->products = rls2__layout_take(layout, data, sizeof(double));
}

rls2_status rls2__evidence_create(int64_t n, int64_t p, int64_t outputs, rls2__evidence *evidence)
{
    *evidence = (rls2__evidence){.n = n, .p = p, .outputs = outputs};
    evidence->block = rls2__layout_alloc(lay_out, evidence);
    return evidence->block ? RLS2_OK : RLS2_ERR_MEMORY;
}

void rls2__evidence_release(rls2__evidence *evidence)
{
    rls2__free(evidence->block);
    *evidence = (rls2__evidence){0};
}

static double log_start(const rls2__evidence *e)
{
    return log(0.5 / (double)e->p);
}

void rls2__evidence_start(const rls2__evidence *evidence, double *parameters)
{
    for (int64_t j = 0; j < evidence->p; j++) parameters[j] = log_start(evidence);
    parameters[evidence->p] = SIGNAL;
    parameters[evidence->p + 1] = FIRST_NOISE;
}

/* ---- beforehand ---- */

/* log^2 of a normal density, without what does not depend on it; adds its slope. */
static double stray(double from, double deviation, double *slope)
{
    *slope += from / (deviation * deviation);
    return 0.5 * from * from / (deviation * deviation);
}

static double beforehand(const rls2__evidence *e, const double *parameters, double *gradient)
{
    int64_t p = e->p;
    double mean = 0.0, slope = 0.0, value = 0.0;
    for (int64_t j = 0; j < p; j++) mean += parameters[j] / (double)p;
    value += stray(mean - log_start(e), WIDTHS_MEAN, &slope);
    for (int64_t j = 0; j < p; j++) {
        gradient[j] += slope / (double)p;
        value += stray(parameters[j] - mean, WIDTHS_APART, &gradient[j]);
    }
    value += stray(parameters[p] - SIGNAL, OTHERS_APART, &gradient[p]);
    return value + stray(parameters[p + 1] - NOISE, OTHERS_APART, &gradient[p + 1]);
}

/* ---- matrices, by their lower triangles ---- */

/* K, by way of inner products: rows are standardised, so little cancels, and nothing depends on the
 * last bits. */
static void make_kernel(rls2__evidence *e, const double *widths)
{
    static const rls2__kernel gaussian = {.kind = RLS2__KERNEL_RBF, .param = {1.0}, .given = -1};
    int64_t n = e->n;
    double *squares = e->sums;
    for (int64_t j = 0; j < e->p; j++)
        for (int64_t i = 0; i < n; i++) e->scaled[j * n + i] = sqrt(widths[j]) * e->x[j * n + i];
    rls2__la_syrk(n, e->p, 1.0, e->scaled, n, 0.0, e->K, n);
    for (int64_t i = 0; i < n; i++) squares[i] = e->K[i * n + i];
    for (int64_t b = 0; b < n; b++) {
        double *column = e->K + b * n;
        for (int64_t a = b; a < n; a++)
            column[a] = fmax(squares[a] + squares[b] - 2.0 * column[a], 0.0);
        rls2__kernel_map(&gaussian, n - b, column + b, 1.0, column + b);
    }
}

/* C and its factor; 0 where it has none. */
static int factorise(rls2__evidence *e, double signal, double noise)
{
    int64_t n = e->n;
    for (int64_t b = 0; b < n; b++) {
        for (int64_t a = b; a < n; a++) e->C[b * n + a] = signal * e->K[b * n + a];
        e->C[b * n + b] += noise * e->noise[b];
    }
    return rls2__la_cholesky(n, e->C, n) == 0;
}

/* a and E, of the factor. */
static double explain(rls2__evidence *e)
{
    int64_t n = e->n, q = e->outputs;
    double value = 0.0;
    memcpy(e->a, e->y, (size_t)(n * q) * sizeof *e->a);
    rls2__la_cholesky_solve(n, q, e->C, n, e->a, n);
    value += 0.5 * rls2__la_dot(n * q, e->y, e->a);
    for (int64_t i = 0; i < n; i++) value += (double)q * log(e->C[i * n + i]);
    return value;
}

/* ---- the gradient ---- */

/* C becomes V, and then M; the parts of signal and noise on the way. */
static void weigh_pairs(rls2__evidence *e, double signal, double noise, double *gradient)
{
    int64_t n = e->n;
    double of_signal = 0.0, of_noise = 0.0;
    rls2__la_cholesky_inverse(n, e->C, n);
    rls2__la_syrk(n, e->outputs, 0.5, e->a, n, -0.5 * (double)e->outputs, e->C, n);
    for (int64_t b = 0; b < n; b++) {
        double *column = e->C + b * n, below = 0.0;
        of_noise += column[b] * noise * e->noise[b];
        for (int64_t a = b; a < n; a++) {
            column[a] *= signal * e->K[b * n + a];
            below += column[a];
        }
        of_signal += 2.0 * below - column[b];
    }
    gradient[0] = -of_signal;
    gradient[1] = -of_noise;
}

static void find_slopes(rls2__evidence *e, const double *widths, double *gradient)
{
    int64_t n = e->n;
    double *ones = e->sums, *sums = e->sums + n;
    for (int64_t i = 0; i < n; i++) ones[i] = 1.0;
    rls2__la_symv(n, 1.0, e->C, n, ones, sums);
    rls2__la_symm(n, e->p, e->C, n, e->x, n, e->products, n);
    for (int64_t j = 0; j < e->p; j++) {
        const double *x = e->x + j * n, *product = e->products + j * n;
        double total = 0.0;
        for (int64_t i = 0; i < n; i++) total += x[i] * (x[i] * sums[i] - product[i]);
        gradient[j] = 2.0 * widths[j] * total;
    }
}

double rls2__evidence_evaluate(rls2__evidence *evidence, const double *parameters, double *gradient)
{
    int64_t p = evidence->p;
    double signal = exp(parameters[p]), noise = exp(parameters[p + 1]);
    double *widths = gradient; /* until it is known */
    for (int64_t j = 0; j < p; j++) widths[j] = exp(parameters[j]);
    make_kernel(evidence, widths);
    if (!factorise(evidence, signal, noise)) return NAN;
    double value = explain(evidence);
    weigh_pairs(evidence, signal, noise, gradient + p);
    find_slopes(evidence, widths, gradient);
    return value + beforehand(evidence, parameters, gradient);
}
