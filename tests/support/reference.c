/* Kernels, scalings, objectives and gaps in long double. */
#include "support/reference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- kernel functions ---- */

static long double at(const reference_data *data, int64_t i, int64_t column)
{
    return data->x[column * data->n + i];
}

static long double product(const reference_data *data, const reference_kernel *kernel, int64_t i,
                           int64_t j)
{
    long double sum = 0.0L;
    for (int64_t t = kernel->first; t <= kernel->last; t++) sum += at(data, i, t) * at(data, j, t);
    return sum;
}

static long double squared_distance(const reference_data *data, const reference_kernel *kernel,
                                    int64_t i, int64_t j)
{
    long double sum = 0.0L;
    for (int64_t t = kernel->first; t <= kernel->last; t++) {
        long double difference = at(data, i, t) - at(data, j, t);
        sum += difference * difference;
    }
    return sum;
}

static long double absolute_distance(const reference_data *data, const reference_kernel *kernel,
                                     int64_t i, int64_t j)
{
    long double sum = 0.0L;
    for (int64_t t = kernel->first; t <= kernel->last; t++)
        sum += fabsl(at(data, i, t) - at(data, j, t));
    return sum;
}

static long double power(long double base, int degree)
{
    long double result = 1.0L;
    for (int i = 0; i < degree; i++) result *= base;
    return result;
}

static long double matern_argument(const reference_data *data, const reference_kernel *kernel,
                                   int64_t i, int64_t j)
{
    return sqrtl(2.0L * kernel->a) * sqrtl(squared_distance(data, kernel, i, j)) / kernel->b;
}

static long double matern(double nu, long double t)
{
    if (nu < 1.0) return expl(-t);
    if (t > 11000.0L) return 0.0L; /* t times exp(-t) must not become infinity times 0 */
    return nu < 2.0 ? (1.0L + t) * expl(-t) : (1.0L + t + t * t / 3.0L) * expl(-t);
}

void reference_fit(int64_t n, const double *x, reference_kernel *kernel)
{
    const double *column = x + kernel->first * n;
    if (kernel->kind != REFERENCE_SPLINE) return;
    kernel->lo = kernel->hi = column[0];
    for (int64_t i = 1; i < n; i++) {
        kernel->lo = fmin(kernel->lo, column[i]);
        kernel->hi = fmax(kernel->hi, column[i]);
    }
}

/* Of row i between the least and the largest value of its column. */
static long double place(const reference_data *data, const reference_kernel *kernel, int64_t i)
{
    long double width = (long double)kernel->hi - kernel->lo;
    return width > 0.0L ? (at(data, i, kernel->first) - kernel->lo) / width : 0.0L;
}

static long double spline(long double u, long double v)
{
    long double a = fminl(u, v), rise = fmaxl(u, v) - a;
    /* int_0^a (a - t)(a - t + rise) dt */
    return 1.0L + u * v + a * a * a / 3.0L + rise * a * a / 2.0L;
}

/* A given matrix counts as the mean of itself and its transpose, as doubles hold it. */
static double mean_entry(const reference_data *data, const reference_kernel *kernel, int64_t i,
                         int64_t j)
{
    const double *K = data->given[kernel->first];
    return (double)(((long double)K[j * data->n + i] + K[i * data->n + j]) / 2.0L);
}

static long double value(const reference_data *data, const reference_kernel *kernel, int64_t i,
                         int64_t j)
{
    switch (kernel->kind) {
    case REFERENCE_LINEAR: return product(data, kernel, i, j);
    case REFERENCE_POLY:
        return power(kernel->b + kernel->scale * product(data, kernel, i, j), (int)kernel->a);
    case REFERENCE_RBF: return expl(-kernel->a * squared_distance(data, kernel, i, j));
    case REFERENCE_LAPLACE: return expl(-kernel->a * absolute_distance(data, kernel, i, j));
    case REFERENCE_MATERN: return matern(kernel->a, matern_argument(data, kernel, i, j));
    case REFERENCE_SPLINE: return spline(place(data, kernel, i), place(data, kernel, j));
    case REFERENCE_DELTA: return absolute_distance(data, kernel, i, j) == 0.0L ? 1.0L : 0.0L;
    case REFERENCE_GIVEN: break;
    }
    return mean_entry(data, kernel, i, j);
}

long double *reference_matrices(const reference_data *data)
{
    int64_t n = data->n;
    long double *all = calloc((size_t)(data->m * n * n), sizeof *all);
    for (int64_t k = 0; all && k < data->m; k++) {
        long double *K = all + k * n * n;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j; i < n; i++)
                K[j * n + i] = K[i * n + j] = value(data, &data->kernels[k], i, j);
    }
    return all;
}

/* ---- squared distances in feature space: K_ii + K_jj - 2 K_ij, without cancelling ---- */

/* 1 - (1 + t) exp(-t), or 1 - (1 + t + t^2/3) exp(-t), by its series where that is short. */
static long double matern_drop(double nu, long double t)
{
    if (nu < 1.0) return -expm1l(-t);
    if (t > 0.1L) return 1.0L - matern(nu, t);
    long double term = 1.0L, drop = 0.0L; /* term: (-t)^k / k! */
    for (int k = 1; k < 30; k++) {
        term *= -t / k;
        /* t^k in (1 + t + share t^2) exp(-t) */
        long double share = nu < 2.0 ? 0.0L : 1.0L / 3.0L;
        drop -= term * (1.0L - k + share * k * (k - 1));
    }
    return drop;
}

static long double spline_distance(long double u, long double v)
{
    long double a = fminl(u, v), rise = fmaxl(u, v) - a;
    return rise * rise * (1.0L + a + rise / 3.0L);
}

/* A^d + B^d - 2 C^d about the mean of A and B, which is C + e. */
static long double poly_distance(const reference_data *data, const reference_kernel *kernel,
                                 int64_t i, int64_t j)
{
    int degree = (int)kernel->a;
    long double C = kernel->b + kernel->scale * product(data, kernel, i, j), h = 0.0L, sum = 0.0L,
                choose = 1.0L;
    long double e = kernel->scale * squared_distance(data, kernel, i, j) / 2.0L, mean = C + e;
    for (int64_t t = kernel->first; t <= kernel->last; t++)
        h += kernel->scale * (at(data, i, t) - at(data, j, t)) * (at(data, i, t) + at(data, j, t)) /
             2.0L;
    for (int t = 0; t < degree; t++) sum += e * power(mean, degree - 1 - t) * power(C, t);
    for (int t = 1; t <= degree; t++) {
        choose = choose * (degree - t + 1) / t;
        if (t % 2 == 0) sum += choose * power(mean, degree - t) * power(h, t);
    }
    return 2.0L * sum;
}

static long double distance(const reference_data *data, const reference_kernel *kernel, int64_t i,
                            int64_t j)
{
    switch (kernel->kind) {
    case REFERENCE_LINEAR: return squared_distance(data, kernel, i, j);
    case REFERENCE_POLY: return poly_distance(data, kernel, i, j);
    case REFERENCE_RBF: return -2.0L * expm1l(-kernel->a * squared_distance(data, kernel, i, j));
    case REFERENCE_LAPLACE:
        return -2.0L * expm1l(-kernel->a * absolute_distance(data, kernel, i, j));
    case REFERENCE_MATERN:
        return 2.0L * matern_drop(kernel->a, matern_argument(data, kernel, i, j));
    case REFERENCE_SPLINE: return spline_distance(place(data, kernel, i), place(data, kernel, j));
    case REFERENCE_DELTA: return 2.0L - 2.0L * value(data, kernel, i, j);
    case REFERENCE_GIVEN: break;
    }
    /* numbers of 53 bits and nearly one size: their differences are exact, or nearly */
    long double between = mean_entry(data, kernel, i, j);
    return (mean_entry(data, kernel, i, i) - between) + (mean_entry(data, kernel, j, j) - between);
}

/* ---- scalings ---- */

static long double weight(const reference_data *data, int64_t i)
{
    return data->weights ? data->weights[i] : 1.0L;
}

/* sum_i w_i K_ii - (1/W) sum_ij w_i w_j K_ij over the rows with that sign of label (0: all), and
 * W and sum_i w_i K_ii. */
static long double centred_trace(const reference_data *data, const reference_kernel *kernel,
                                 int sign, const double *labels, long double *total,
                                 long double *trace)
{
    long double sum = 0.0L;
    *total = *trace = 0.0L;
    for (int64_t j = 0; j < data->n; j++) {
        if (sign && !(labels[j] * sign > 0.0)) continue;
        *total += weight(data, j);
        *trace += weight(data, j) * value(data, kernel, j, j);
        for (int64_t i = j + 1; i < data->n; i++)
            if (!sign || labels[i] * sign > 0.0)
                sum += weight(data, i) * weight(data, j) * distance(data, kernel, i, j);
    }
    return *total > 0.0L ? sum / *total : 0.0L;
}

long double reference_denominator(const reference_data *data, int64_t k, rls2_scaling rule,
                                  int center, const double *labels, long double *size)
{
    const reference_kernel *kernel = &data->kernels[k];
    long double total, trace, result = 0.0L;
    *size = 1.0L;
    if (rule == RLS2_SCALING_NONE) return 1.0L;
    if (rule == RLS2_SCALING_TRACE) {
        result = centred_trace(data, kernel, 0, NULL, &total, size);
        return center ? result : *size;
    }
    *size = 0.0L;
    for (int sign = -1; sign <= 1; sign += 2) {
        long double within = centred_trace(data, kernel, sign, labels, &total, &trace);
        if (total == 0.0L) continue;
        result += within / total;
        *size += trace / total;
    }
    return result;
}

/* ---- the certificate ---- */

/* Of one kernel: v = s K c, |v| if nothing cancelled, and c'v. */
static long double apply(int64_t n, const long double *K, double s, const long double *c,
                         long double *v, long double *bulk)
{
    long double q = 0.0L, root = 0.0L;
    for (int64_t j = 0; j < n; j++) root += sqrtl(fabsl(K[j * n + j])) * fabsl(c[j]);
    for (int64_t i = 0; i < n; i++) {
        v[i] = 0.0L;
        for (int64_t j = 0; j < n; j++) v[i] += K[i * n + j] * c[j];
        v[i] *= s;
        bulk[i] = s * sqrtl(fabsl(K[i * n + i])) * root; /* |K_ij| <= sqrt(K_ii K_jj) */
        q += c[i] * v[i];
    }
    return q;
}

typedef struct combined {
    long double *v, *bulk, *f, *f_bulk; /* of one kernel, and of R(d) */
    long double max_q, q_bulk;
} combined;

static void combine(const reference_data *data, const long double *K, const double *s,
                    const long double *d, const long double *c, combined *all,
                    reference_truth *truth)
{
    int64_t n = data->n;
    for (int64_t k = 0; k < data->m; k++) {
        if (s[k] == 0.0) continue; /* left out: it is none of the problem's, whatever K holds */
        long double q = apply(n, K + k * n * n, s[k], c, all->v, all->bulk), bulk = 0.0L;
        if (truth->largest < 0 || q > all->max_q) {
            all->max_q = q;
            truth->largest = k;
        }
        for (int64_t i = 0; i < n; i++) {
            bulk += fabsl(c[i] * all->bulk[i]);
            all->f[i] += d[k] * all->v[i];
            all->f_bulk[i] += d[k] * all->bulk[i];
        }
        all->q_bulk = fmaxl(all->q_bulk, bulk);
    }
}

static void conclude(const reference_data *data, const double *y, double b, double lambda,
                     const long double *c, const combined *all, reference_truth *truth)
{
    long double fit = 0.0L, rest = 0.0L, cf = 0.0L, yc = 0.0L, cc = 0.0L, fuzz = 0.0L;
    long double unit = LDBL_EPSILON * (64.0L + (long double)data->n);
    for (int64_t i = 0; i < data->n; i++) {
        long double w = weight(data, i), u = (long double)y[i] - b, e = u - all->f[i];
        long double step = lambda * c[i] / w, r = e - step;
        long double off = unit * all->f_bulk[i] + LDBL_EPSILON * (fabsl(u) + fabsl(step));
        fit += w * e * e;
        rest += w * r * r;
        cf += c[i] * all->f[i];
        yc += u * c[i];
        cc += c[i] * (c[i] / w);
        fuzz += w * off * (fabsl(e) + fabsl(r) + off);
    }
    truth->primal = (fit + lambda * cf) / 2.0L;
    truth->dual = lambda * yc - lambda * (lambda * cc) / 2.0L - lambda * all->max_q / 2.0L;
    truth->gap = (rest + lambda * (all->max_q - cf)) / 2.0L;
    truth->error = fuzz + lambda * unit * all->q_bulk + unit * (fit + rest);
}

reference_truth reference_judge(const reference_data *data, const long double *K, const double *s,
                                const double *y, double b, double lambda, const long double *d,
                                const long double *c)
{
    int64_t n = data->n;
    reference_truth truth = {NAN, NAN, NAN, NAN, -1};
    long double *room = calloc((size_t)(4 * n), sizeof *room);
    if (!room) return truth;
    combined all = {room, room + n, room + 2 * n, room + 3 * n, 0.0L, 0.0L};
    combine(data, K, s, d, c, &all, &truth);
    conclude(data, y, b, lambda, c, &all, &truth);
    free(room);
    return truth;
}

/* ---- a slow solver ---- */

/* Solves the n equations A x = b by Gaussian elimination with the largest pivots; both are
 * destroyed, x is left in b. 0 where it fails. */
static int eliminate(int64_t n, long double *A, long double *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabsl(A[k * n + i]) > fabsl(A[k * n + pivot])) pivot = i;
        if (!(fabsl(A[k * n + pivot]) > 0.0L)) return 0;
        for (int64_t j = 0; j < n; j++) {
            long double kept = A[j * n + k];
            A[j * n + k] = A[j * n + pivot];
            A[j * n + pivot] = kept;
        }
        long double kept = b[k];
        b[k] = b[pivot];
        b[pivot] = kept;
        for (int64_t i = k + 1; i < n; i++) {
            long double factor = A[k * n + i] / A[k * n + k];
            for (int64_t j = k; j < n; j++) A[j * n + i] -= factor * A[j * n + k];
            b[i] -= factor * b[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) b[k] -= A[j * n + k] * b[j];
        b[k] /= A[k * n + k];
        if (!isfinite(b[k])) return 0;
    }
    return 1;
}

/* c = (R(d) + lambda W^-1)^-1 (y - b). With the roots of the weights on both sides: rows may
 * differ much in weight. */
static int solve(const reference_data *data, const long double *K, const double *s, const double *y,
                 double b, double lambda, const long double *d, long double *A, long double *c)
{
    int64_t n = data->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            long double sum = 0.0L;
            for (int64_t k = 0; k < data->m; k++)
                if (s[k] > 0.0) sum += d[k] * s[k] * K[k * n * n + j * n + i];
            A[j * n + i] =
                sum * sqrtl(weight(data, i)) * sqrtl(weight(data, j)) + (i == j ? lambda : 0.0L);
        }
    for (int64_t i = 0; i < n; i++) c[i] = sqrtl(weight(data, i)) * ((long double)y[i] - b);
    if (!eliminate(n, A, c)) return 0;
    for (int64_t i = 0; i < n; i++) c[i] *= sqrtl(weight(data, i));
    return 1;
}

/* d_k in proportion to d_k sqrt(q_k). */
static void reweigh(const reference_data *data, const long double *K, const double *s,
                    const long double *c, long double *v, long double *d)
{
    long double total = 0.0L;
    for (int64_t k = 0; k < data->m; k++) {
        long double q =
            s[k] > 0.0 ? apply(data->n, K + k * data->n * data->n, s[k], c, v, v + data->n) : 0.0L;
        total += d[k] * sqrtl(fmaxl(q, 0.0L));
    }
    for (int64_t k = 0; k < data->m && total > 0.0L; k++) {
        long double q =
            s[k] > 0.0 ? apply(data->n, K + k * data->n * data->n, s[k], c, v, v + data->n) : 0.0L;
        d[k] *= sqrtl(fmaxl(q, 0.0L)) / total;
    }
}

reference_truth reference_descend(const reference_data *data, const long double *K, const double *s,
                                  const double *y, double b, double lambda, int steps,
                                  long double *d)
{
    int64_t n = data->n;
    reference_truth truth = {NAN, NAN, NAN, NAN, -1};
    long double *room = calloc((size_t)(n * n + 3 * n), sizeof *room), *c = room + n * n,
                *v = c + n;
    if (!room) return truth;
    for (int step = 0; step < steps; step++) {
        if (!solve(data, K, s, y, b, lambda, d, room, c)) goto cleanup;
        if (step < steps - 1) reweigh(data, K, s, c, v, d);
    }
    truth = reference_judge(data, K, s, y, b, lambda, d, c);
cleanup:
    free(room);
    return truth;
}
