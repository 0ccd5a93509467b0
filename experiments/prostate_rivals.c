/* Least squares, best subset, ridge, lasso, PCR and PLS on the Prostate data. */
#include "experiments/prostate_rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { P = PROSTATE_INPUTS };

const char *const prostate_method_names[PROSTATE_METHODS] = {"RLS2",  "Best subset", "LS", "Ridge",
                                                             "Lasso", "PCR",         "PLS"};

const char *const prostate_printed[PROSTATE_LINES][PROSTATE_METHODS] = {
    {"2.452", "2.477", "2.465", "2.452", "2.468", "2.497", "2.452"},  /* intercept */
    {"0.544", "0.740", "0.680", "0.420", "0.533", "0.543", "0.419"},  /* lcavol */
    {"0.207", "0.316", "0.263", "0.238", "0.169", "0.289", "0.344"},  /* lweight */
    {"", "", "-0.141", "-0.046", "", "-0.152", "-0.026"},             /* age */
    {"0.104", "", "0.210", "0.162", "0.002", "0.214", "0.220"},       /* lbph */
    {"0.170", "", "0.305", "0.227", "0.094", "0.315", "0.243"},       /* svi */
    {"", "", "-0.288", "0.000", "", "-0.051", "0.079"},               /* lcp */
    {"", "", "-0.021", "0.040", "", "0.232", "0.011"},                /* gleason */
    {"0.064", "", "0.267", "0.133", "", "-0.056", "0.084"},           /* pgg45 */
    {"0.454", "0.492", "0.521", "0.492", "0.479", "0.449", "0.528"},  /* test error */
    {"0.152", "0.143", "0.179", "0.165", "0.164", "0.105", "0.152"}}; /* standard error */

prostate_column prostate_printed_column(prostate_method method)
{
    double lines[PROSTATE_LINES];
    prostate_column column;
    for (int line = 0; line < PROSTATE_LINES; line++)
        lines[line] = strtod(prostate_printed[line][method], NULL); /* "" is 0 */
    column.intercept = lines[0];
    memcpy(column.coefficients, lines + 1, sizeof column.coefficients);
    column.test_error = lines[PROSTATE_LINES - 2];
    column.std_error = lines[PROSTATE_LINES - 1];
    return column;
}

/* ---- eight by eight ---- */

/* What all methods need of the training rows. Matrices by columns. */
typedef struct moments {
    double means[P], y_mean;
    double gram[P * P];       /* X'X */
    double products[P];       /* X'(y - mean) */
    double covariance[P * P]; /* that of the centred inputs, times n; X'(y - mean) is the same */
} moments;

static moments moments_of(const prostate_data *data)
{
    moments m = {0};
    int64_t n = data->n_train;
    for (int64_t i = 0; i < n; i++) m.y_mean += data->y_train[i] / (double)n;
    for (int j = 0; j < P; j++) {
        const double *x = data->x_train + j * n;
        for (int64_t i = 0; i < n; i++) m.means[j] += x[i] / (double)n;
        for (int64_t i = 0; i < n; i++) m.products[j] += x[i] * (data->y_train[i] - m.y_mean);
        for (int k = 0; k < P; k++)
            for (int64_t i = 0; i < n; i++) m.gram[j + k * P] += x[i] * data->x_train[k * n + i];
    }
    for (int j = 0; j < P; j++)
        for (int k = 0; k < P; k++)
            m.covariance[j + k * P] = m.gram[j + k * P] - (double)n * m.means[j] * m.means[k];
    return m;
}

/* Solves A x = b, A positive definite p x p with leading dimension P, by Cholesky. */
static void solve(int p, const double *a, const double *b, double *x)
{
    double l[P * P] = {0};
    for (int j = 0; j < p; j++)
        for (int i = j; i < p; i++) {
            double sum = a[i + j * P];
            for (int k = 0; k < j; k++) sum -= l[i + k * P] * l[j + k * P];
            l[i + j * P] = i == j ? sqrt(sum) : sum / l[j + j * P];
        }
    for (int i = 0; i < p; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= l[i + k * P] * x[k];
        x[i] /= l[i + i * P];
    }
    for (int i = p - 1; i >= 0; i--) {
        for (int k = i + 1; k < p; k++) x[i] -= l[k + i * P] * x[k];
        x[i] /= l[i + i * P];
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int j = 0; j < P; j++) sum += a[j] * b[j];
    return sum;
}

static void rotate(double *a, double *v, int p, int q)
{
    double theta = (a[q + q * P] - a[p + p * P]) / (2.0 * a[p + q * P]);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < P; k++) {
        double x = a[k + p * P], y = a[k + q * P];
        a[k + p * P] = c * x - s * y;
        a[k + q * P] = s * x + c * y;
    }
    for (int k = 0; k < P; k++) {
        double x = a[p + k * P], y = a[q + k * P], u = v[k + p * P], w = v[k + q * P];
        a[p + k * P] = c * x - s * y;
        a[q + k * P] = s * x + c * y;
        v[k + p * P] = c * u - s * w;
        v[k + q * P] = s * u + c * w;
    }
}

/* Jacobi's method: a becomes the diagonal of eigenvalues, the columns of v the eigenvectors. */
static void eigenvectors(double *a, double *v)
{
    enum { SWEEPS = 50 }; /* it takes about six */
    for (int j = 0; j < P * P; j++) v[j] = j % (P + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < P; p++)
            for (int q = p + 1; q < P; q++)
                if (fabs(a[p + q * P]) > 1e-300) rotate(a, v, p, q);
}

/* ---- the methods ---- */

static void centred_intercept(const moments *m, prostate_column *column)
{
    column->intercept = m->y_mean - dot(column->coefficients, m->means);
}

static void least_squares(const moments *m, prostate_column *column)
{
    solve(P, m->covariance, m->products, column->coefficients);
    centred_intercept(m, column);
}

/* The share of the variation of y that two inputs explain, times a constant. */
static double pair_gain(const moments *m, int j, int k, double a[2])
{
    double square[P * P] = {m->covariance[j + j * P], m->covariance[k + j * P]};
    double right[2] = {m->products[j], m->products[k]};
    square[P] = m->covariance[j + k * P];
    square[P + 1] = m->covariance[k + k * P];
    solve(2, square, right, a);
    return a[0] * right[0] + a[1] * right[1];
}

static void best_pair(const moments *m, prostate_column *column)
{
    double best = -1.0, a[2];
    for (int j = 0; j < P; j++)
        for (int k = j + 1; k < P; k++) {
            double gain = pair_gain(m, j, k, a);
            if (gain <= best) continue;
            best = gain;
            memset(column->coefficients, 0, sizeof column->coefficients);
            column->coefficients[j] = a[0];
            column->coefficients[k] = a[1];
        }
    centred_intercept(m, column);
}

static double ridge_df(const double *eigenvalues, double lambda)
{
    double df = 0.0;
    for (int j = 0; j < P; j++) df += eigenvalues[j + j * P] / (eigenvalues[j + j * P] + lambda);
    return df;
}

static void ridge(const moments *m, double df, prostate_column *column)
{
    double values[P * P], vectors[P * P], shifted[P * P], low = 1e-6, high = 1e6;
    memcpy(values, m->gram, sizeof values);
    eigenvectors(values, vectors);
    for (int step = 0; step < 200; step++) {
        double lambda = sqrt(low * high);
        *(ridge_df(values, lambda) > df ? &low : &high) = lambda;
    }
    memcpy(shifted, m->gram, sizeof shifted);
    for (int j = 0; j < P; j++) shifted[j + j * P] += low;
    solve(P, shifted, m->products, column->coefficients);
    column->intercept = m->y_mean;
}

/* Coordinate descent for 1/2 a'G a - b'a + penalty |a|_1, G with ones on its diagonal. */
static void coordinate_descent(const double *g, const double *b, double penalty, double *a)
{
    double moved = 1.0;
    memset(a, 0, P * sizeof *a);
    for (int pass = 0; pass < 100000 && moved > 1e-15; pass++) {
        moved = 0.0;
        for (int j = 0; j < P; j++) {
            double rest = b[j] - dot(g + j * P, a) + a[j];
            double next = fabs(rest) > penalty ? rest - copysign(penalty, rest) : 0.0;
            moved = fmax(moved, fabs(next - a[j]));
            a[j] = next;
        }
    }
}

static double length_1(const double *a)
{
    double sum = 0.0;
    for (int j = 0; j < P; j++) sum += fabs(a[j]);
    return sum;
}

/* |a|_1 falls with the penalty: bisection finds the one that meets the bound. */
void prostate_lasso(const prostate_data *data, double share, prostate_column *column)
{
    moments m = moments_of(data);
    double g[P * P], b[P], a[P], length[P], high = 0.0, low = 0.0;
    for (int j = 0; j < P; j++) length[j] = sqrt(m.covariance[j + j * P]);
    for (int j = 0; j < P; j++) {
        for (int k = 0; k < P; k++)
            g[j + k * P] = m.covariance[j + k * P] / (length[j] * length[k]);
        b[j] = m.products[j] / length[j];
        high = fmax(high, fabs(b[j]));
    }
    solve(P, g, b, a);
    double bound = share * length_1(a);
    for (int step = 0; step < 60; step++) {
        double penalty = 0.5 * (low + high);
        coordinate_descent(g, b, penalty, a);
        *(length_1(a) > bound ? &low : &high) = penalty;
    }
    for (int j = 0; j < P; j++) column->coefficients[j] = a[j] / length[j];
    centred_intercept(&m, column);
    prostate_test_errors(data, column);
}

/* Least squares on all directions but the one in which the inputs vary least. */
static void principal_components(const moments *m, prostate_column *column)
{
    double values[P * P], v[P * P], square[P * P] = {0}, right[P], b[P];
    int least = 0;
    memcpy(values, m->gram, sizeof values);
    eigenvectors(values, v);
    for (int j = 1; j < P; j++)
        if (values[j + j * P] < values[least + least * P]) least = j;
    for (int i = 0; i < P; i++) /* the one left out goes to the end */
        if (least != P - 1) {
            double swap = v[i + least * P];
            v[i + least * P] = v[i + (P - 1) * P];
            v[i + (P - 1) * P] = swap;
        }
    for (int j = 0; j < P - 1; j++) {
        right[j] = dot(v + j * P, m->products);
        for (int k = 0; k < P - 1; k++)
            for (int i = 0; i < P; i++)
                square[j + k * P] += v[i + j * P] * dot(m->covariance + i * P, v + k * P);
    }
    solve(P - 1, square, right, b);
    memset(column->coefficients, 0, sizeof column->coefficients);
    for (int j = 0; j < P - 1; j++)
        for (int i = 0; i < P; i++) column->coefficients[i] += b[j] * v[i + j * P];
    centred_intercept(m, column);
}

/* Two directions of partial least squares span the same space as X'y and (X'X)X'y. */
static void partial_least_squares(const moments *m, prostate_column *column)
{
    double next[P], moved[P], square[P * P] = {0}, right[2], b[2];
    const double *first = m->products;
    for (int j = 0; j < P; j++) next[j] = dot(m->gram + j * P, first);
    for (int j = 0; j < P; j++) moved[j] = dot(m->gram + j * P, next);
    square[0] = dot(first, next);
    square[1] = square[P] = dot(first, moved);
    square[P + 1] = dot(next, moved);
    right[0] = dot(first, first);
    right[1] = dot(first, next);
    solve(2, square, right, b);
    for (int j = 0; j < P; j++) column->coefficients[j] = b[0] * first[j] + b[1] * next[j];
    column->intercept = m->y_mean;
}

void prostate_rival(const prostate_data *data, prostate_method method, prostate_column *column)
{
    moments m = moments_of(data);
    switch (method) {
    case PROSTATE_SUBSET: best_pair(&m, column); break;
    case PROSTATE_LS: least_squares(&m, column); break;
    case PROSTATE_RIDGE: ridge(&m, 5.0, column); break;
    case PROSTATE_LASSO: prostate_lasso(data, 0.375, column); break;
    case PROSTATE_PCR: principal_components(&m, column); break;
    case PROSTATE_PLS: partial_least_squares(&m, column); break;
    case PROSTATE_RLS2:
    case PROSTATE_METHODS: return;
    }
    prostate_test_errors(data, column);
}

/* ---- as printed ---- */

void prostate_print(const prostate_column *column, int line, char text[16])
{
    int input = line - 1;
    double value = line == 0                    ? column->intercept
                   : line == PROSTATE_LINES - 2 ? column->test_error
                   : line == PROSTATE_LINES - 1 ? column->std_error
                                                : column->coefficients[input];
    text[0] = '\0';
    if (value == 0.0) return;
    snprintf(text, 16, "%.3f", value);
    if (strcmp(text, "-0.000") == 0) snprintf(text, 16, "0.000");
}

int prostate_agreeing(const prostate_column *column, prostate_method method)
{
    int count = 0;
    char text[16];
    for (int line = 0; line < PROSTATE_LINES; line++) {
        prostate_print(column, line, text);
        count += strcmp(text, prostate_printed[line][method]) == 0;
    }
    return count;
}
