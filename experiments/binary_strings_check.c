/* The Lasso by plain coordinate descent, held against the one that is linear RLS2 without scaling.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/binary_strings.h"

const int64_t string_check_sizes[STRING_CHECK_SIZES] = {5, 8, 10, 12, 15, 20, 50};

enum { ROUNDS = 2000, INNER = 50, OWN_VALUES = 60, EVERY = 8 };
static const double SMALLEST_SHARE = 1e-5; /* of the t above which nothing is selected */
static const double DESCENT_TOL = 1e-11;

/* ---- coordinate descent ---- */

typedef struct descent {
    int64_t n, p, ldx;
    const double *x, *y, *w;
    double t;
    double *a, *r;
} descent;

static double product(int64_t n, const double *x, const double *z)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * z[i];
    return sum;
}

static void sweep(const descent *it, int only_active)
{
    for (int64_t j = 0; j < it->p; j++) {
        const double *x = it->x + j * it->ldx;
        if (only_active && it->a[j] == 0.0) continue;
        double size = product(it->n, x, x);
        if (size == 0.0) continue;
        double rho = product(it->n, x, it->r) + size * it->a[j];
        double next = copysign(fmax(fabs(rho) - it->t * it->w[j], 0.0), rho) / size;
        double change = next - it->a[j];
        if (change == 0.0) continue;
        for (int64_t i = 0; i < it->n; i++) it->r[i] -= change * x[i];
        it->a[j] = next;
    }
}

/* Primal less dual at theta = s r, s <= 1 such that |x_j'theta| <= t w_j, over |y|^2 / 2. */
static double relative_gap(const descent *it)
{
    double s = 1.0, penalty = 0.0, yy = product(it->n, it->y, it->y), apart = 0.0;
    for (int64_t j = 0; j < it->p; j++) {
        double slope = fabs(product(it->n, it->x + j * it->ldx, it->r));
        if (slope > 0.0) s = fmin(s, it->t * it->w[j] / slope);
        penalty += it->w[j] * fabs(it->a[j]);
    }
    for (int64_t i = 0; i < it->n; i++)
        apart += (it->y[i] - s * it->r[i]) * (it->y[i] - s * it->r[i]);
    double gap = 0.5 * product(it->n, it->r, it->r) + it->t * penalty - 0.5 * (yy - apart);
    return yy > 0.0 ? gap / (0.5 * yy) : 0.0;
}

double lasso_descend(int64_t n, int64_t p, const double *x, int64_t ldx, const double *y,
                     const double *w, double t, double tol, double *a, double *residual)
{
    const descent it = {
        .n = n, .p = p, .ldx = ldx, .x = x, .y = y, .w = w, .t = t, .a = a, .r = residual};
    double gap = HUGE_VAL;
    memcpy(residual, y, (size_t)n * sizeof *y);
    for (int64_t j = 0; j < p; j++)
        for (int64_t i = 0; i < n; i++) residual[i] -= a[j] * x[j * ldx + i];
    for (int round = 0; round < ROUNDS && gap > tol; round++) {
        sweep(&it, 0);
        for (int inner = 0; inner < INNER; inner++) sweep(&it, 1);
        gap = relative_gap(&it);
    }
    return gap;
}

/* ---- the same t ---- */

static double largest_t(const string_data *data, int64_t size, const double *w)
{
    double largest = 0.0;
    for (int64_t j = 0; j < STRING_BITS; j++)
        if (w[j] > 0.0)
            largest = fmax(largest, fabs(product(size, data->x + j * STRING_ROWS, data->y)) / w[j]);
    return largest;
}

/* a_j = d_j s_j x_j'c, with s = 1. */
static void coefficients(const string_data *data, int64_t size, const rls2_path *path, int64_t i,
                         double *a)
{
    const int64_t *kernels;
    const double *d, *c = rls2_path_c(path, i);
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &d);
    memset(a, 0, STRING_BITS * sizeof *a);
    for (int64_t k = 0; k < count; k++)
        a[kernels[k]] = d[k] * product(size, data->x + kernels[k] * STRING_ROWS, c);
}

static double fit_distance(const string_data *data, int64_t size, const double *a, const double *b)
{
    double squares = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double apart = 0.0;
        for (int64_t j = 0; j < STRING_BITS; j++)
            apart += (a[j] - b[j]) * data->x[j * STRING_ROWS + i];
        squares += apart * apart;
    }
    return sqrt(squares / product(size, data->y, data->y));
}

static void compare_paths(const string_data *data, int64_t size, const rls2_path *path,
                          string_check *check)
{
    double ones[STRING_BITS], a[STRING_BITS], own[STRING_BITS] = {0}, residual[STRING_TRAIN];
    for (int j = 0; j < STRING_BITS; j++) ones[j] = 1.0;
    double least = SMALLEST_SHARE * largest_t(data, size, ones);
    for (int64_t i = 0; i < STRING_LAMBDAS; i += EVERY) {
        double t = 0.0;
        coefficients(data, size, path, i, a);
        for (int j = 0; j < STRING_BITS; j++) t += fabs(a[j]);
        t *= rls2_path_at(path, i)->lambda;
        if (t < least) continue;
        lasso_descend(size, STRING_BITS, data->x, STRING_ROWS, data->y, ones, t, DESCENT_TOL, own,
                      residual);
        check->fit_difference = fmax(check->fit_difference, fit_distance(data, size, a, own));
        for (int j = 0; j < STRING_BITS && check->has_equal_columns == 0.0; j++)
            check->coefficient_difference =
                fmax(check->coefficient_difference, fabs(a[j] - own[j]));
    }
}

static int has_equal_columns(const string_data *data, int64_t size)
{
    for (int64_t a = 0; a < STRING_BITS; a++)
        for (int64_t b = 0; b < a; b++)
            if (memcmp(data->x + a * STRING_ROWS, data->x + b * STRING_ROWS,
                       (size_t)size * sizeof(double)) == 0)
                return 1;
    return 0;
}

/* ---- a grid of t of its own ---- */

static double test_rmse(const string_data *data, const double *a)
{
    double squares = 0.0;
    for (int64_t i = STRING_TRAIN; i < STRING_ROWS; i++) {
        double f = 0.0;
        for (int64_t j = 0; j < STRING_BITS; j++) f += a[j] * data->x[j * STRING_ROWS + i];
        squares += (f - data->y[i]) * (f - data->y[i]);
    }
    return sqrt(squares / STRING_TEST);
}

static double smallest_rmse(const string_data *data, int64_t size, const double *w)
{
    double a[STRING_BITS] = {0}, residual[STRING_TRAIN];
    double top = largest_t(data, size, w), best = test_rmse(data, a);
    for (int i = 0; i < OWN_VALUES && top > 0.0; i++) {
        double t = top * pow(SMALLEST_SHARE, (double)i / (OWN_VALUES - 1));
        lasso_descend(size, STRING_BITS, data->x, STRING_ROWS, data->y, w, t, DESCENT_TOL, a,
                      residual);
        best = fmin(best, test_rmse(data, a));
    }
    return best;
}

rls2_status string_check_compute(const string_data *data, int64_t size, string_check *check,
                                 rls2_error *err)
{
    double ones[STRING_BITS], norms[STRING_BITS];
    string_fit fit;
    for (int j = 0; j < STRING_BITS; j++) {
        const double *x = data->x + j * STRING_ROWS;
        ones[j] = 1.0;
        norms[j] = sqrt(product(size, x, x));
    }
    check->has_equal_columns = has_equal_columns(data, size);
    rls2_status status = string_fit_make(data, size, STRING_LASSO, 1e-10, NULL, &fit, err);
    if (status == RLS2_OK) {
        compare_paths(data, size, fit.path, check);
        check->lasso = smallest_rmse(data, size, ones);
        check->weighted = smallest_rmse(data, size, norms);
    }
    string_fit_free(&fit);
    return status;
}
