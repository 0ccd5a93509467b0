/* Draws problems, fits them, and computes matrices, certificates and objectives plainly. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory and status ---- */

static void *room(int64_t count, size_t size)
{
    assert_true(count >= 0);
    void *pointer = calloc((size_t)(count > 0 ? count : 1), size);
    assert_non_null(pointer);
    return pointer;
}

double *numbers(int64_t count)
{
    return room(count, sizeof(double));
}

void assert_ok(rls2_status status, const rls2_error *err)
{
    if (status != RLS2_OK) fail_msg("%s: %s", rls2_status_text(status), err->message);
}

/* ---- problems ---- */

plain_problem problem_create(rls2__random *random, int64_t n, int64_t p)
{
    plain_problem result = {.n = n, .p = p, .x = numbers(n * p), .y = numbers(n)};
    for (int64_t i = 0; i < n * p; i++) result.x[i] = rls2__random_normal(random);
    for (int64_t i = 0; i < n; i++) {
        result.y[i] = 0.5 * rls2__random_normal(random);
        if (p > 0) result.y[i] += sin(2.0 * result.x[i]);
        if (p > 1) result.y[i] += result.x[n + i];
    }
    return result;
}

void problem_free(plain_problem *problem)
{
    free(problem->x);
    free(problem->y);
    for (int64_t g = 0; g < problem->given_count; g++) free(problem->given[g]);
    memset(problem, 0, sizeof *problem);
}

void problem_add(plain_problem *problem, kernel_kind kind, double a, double b, int64_t column)
{
    assert_true(problem->m < MAX_KERNELS);
    problem->kernels[problem->m++] = (plain_kernel){kind, a, b, column};
}

void problem_add_linear(plain_problem *problem)
{
    for (int64_t j = 0; j < problem->p; j++) problem_add(problem, LINEAR, 0.0, 0.0, j);
}

/* GG' for a random G of few columns: rank-deficient. */
static void add_given(plain_problem *problem, rls2__random *random)
{
    int64_t n = problem->n, rank = 1 + rls2__random_below(random, 3);
    if (problem->given_count == MAX_GIVEN) return;
    double *G = numbers(n * rank), *K = numbers(n * n);
    for (int64_t i = 0; i < n * rank; i++) G[i] = rls2__random_normal(random);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t t = 0; t < rank; t++) K[j * n + i] += G[t * n + i] * G[t * n + j];
    free(G);
    problem->given[problem->given_count++] = K;
    problem_add(problem, GIVEN, 0.0, 0.0, problem->given_count - 1);
}

void problem_add_random(plain_problem *problem, rls2__random *random, int64_t count)
{
    static const double gammas[] = {0.001, 0.03125, 0.5, 2.0, 100.0};
    int64_t end = problem->m + count;
    while (problem->m < end) {
        int64_t column = rls2__random_below(random, problem->p + 1) - 1;
        int64_t single = rls2__random_below(random, problem->p);
        double gamma = gammas[rls2__random_below(random, 5)];
        double nu = 0.5 + (double)rls2__random_below(random, 3);
        switch (rls2__random_below(random, 10)) {
        case 0: problem_add(problem, LINEAR, 0.0, 0.0, column); break;
        case 1: problem_add(problem, LINEAR, 0.0, 0.0, single); break;
        case 2:
        case 3:
            problem_add(problem, POLY, 1.0 + (double)rls2__random_below(random, 3),
                        0.5 * (double)rls2__random_below(random, 3), column);
            break;
        case 4: problem_add(problem, RBF, gamma, 0.0, column); break;
        case 5: problem_add(problem, LAPLACE, gamma, 0.0, column); break;
        case 6:
            problem_add(problem, MATERN, nu, 0.5 + (double)rls2__random_below(random, 3), column);
            break;
        case 7: problem_add(problem, SPLINE, 0.0, 0.0, single); break;
        case 8:
            if (rls2__random_below(random, 2))
                problem_add(problem, DELTA, 0.0, 0.0, single);
            else
                add_given(problem, random);
            break;
        default:
            if (problem->m > 0) {
                plain_kernel again = problem->kernels[rls2__random_below(random, problem->m)];
                problem_add(problem, again.kind, again.a, again.b, again.column);
            }
        }
    }
}

static void append(char *spec, const char *format, ...)
{
    size_t length = strlen(spec);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(spec + length, SPEC_ROOM - length, format, arguments);
    va_end(arguments);
    assert_in_range(more, 0, SPEC_ROOM - length - 1);
}

void problem_spec(const plain_problem *problem, char spec[SPEC_ROOM])
{
    spec[0] = '\0';
    for (int64_t k = 0; k < problem->m; k++) {
        const plain_kernel *kernel = &problem->kernels[k];
        if (k > 0) append(spec, "; ");
        switch (kernel->kind) {
        case LINEAR: append(spec, "linear"); break;
        case POLY: append(spec, "poly(%.17g,%.17g)", kernel->a, kernel->b); break;
        case RBF: append(spec, "rbf(%.17g)", kernel->a); break;
        case LAPLACE: append(spec, "laplace(%.17g)", kernel->a); break;
        case MATERN: append(spec, "matern(%.17g,%.17g)", kernel->a, kernel->b); break;
        case SPLINE: append(spec, "spline"); break;
        case DELTA: append(spec, "delta"); break;
        case GIVEN: append(spec, "given(K%d)", (int)kernel->column); break;
        }
        if (kernel->kind == GIVEN) continue;
        if (kernel->column < 0)
            append(spec, "@all");
        else
            append(spec, "@x%d", (int)kernel->column + 1);
    }
}

rls2_rows problem_rows(const plain_problem *problem)
{
    return (rls2_rows){.n = problem->n,
                       .p = problem->p,
                       .x = problem->x,
                       .given_count = problem->given_count,
                       .given = (const double *const *)problem->given};
}

/* ---- a fit by the library ---- */

fitted_path fit_under(const plain_problem *problem, const rls2_basis_options *basis_options,
                      const rls2_control *control, int64_t count, const double *lambdas,
                      const rls2_path_options *path_options)
{
    static const char *const given_names[MAX_GIVEN] = {"K0", "K1"};
    char spec[SPEC_ROOM];
    rls2_error err;
    fitted_path result = {0};
    rls2_rows rows = problem_rows(problem);
    rls2_columns columns = {
        .count = problem->p, .given_count = problem->given_count, .given_names = given_names};
    problem_spec(problem, spec);
    assert_ok(rls2_dictionary_create(spec, &columns, &result.dictionary, &err), &err);
    assert_int_equal(rls2_dictionary_count(result.dictionary), problem->m);
    assert_ok(
        rls2_basis_create(result.dictionary, &rows, basis_options, control, &result.basis, &err),
        &err);
    assert_ok(fit_one(result.basis, problem->y, count, lambdas, path_options, &result.path, &err),
              &err);
    return result;
}

fitted_path fit(const plain_problem *problem, const rls2_basis_options *basis_options,
                int64_t count, const double *lambdas, const rls2_path_options *path_options)
{
    return fit_under(problem, basis_options, NULL, count, lambdas, path_options);
}

void fitted_free(fitted_path *fitted)
{
    rls2_path_free(fitted->path);
    rls2_basis_free(fitted->basis);
    rls2_dictionary_free(fitted->dictionary);
    memset(fitted, 0, sizeof *fitted);
}

double *dense_weights(const rls2_path *path, int64_t i, int64_t m)
{
    const int64_t *kernels;
    const double *weights;
    double *d = numbers(m);
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &weights);
    for (int64_t t = 0; t < count; t++) {
        assert_in_range(kernels[t], 0, m - 1);
        d[kernels[t]] = weights[t];
    }
    return d;
}

double *centred(const rls2_path *path, int64_t n, const double *y)
{
    double *result = numbers(n), mean = rls2_path_intercept(path);
    for (int64_t i = 0; i < n; i++) result[i] = y[i] - mean;
    return result;
}

/* ---- the same by definition ---- */

typedef struct differences {
    long double inner, squares, absolutes;
    int equal;
} differences;

static differences compare(int64_t first, int64_t last, int64_t n, const double *x, int64_t i,
                           int64_t nz, const double *z, int64_t j)
{
    differences d = {.equal = 1};
    for (int64_t t = first; t <= last; t++) {
        long double u = x[t * n + i], v = z[t * nz + j];
        d.inner += u * v;
        d.squares += (u - v) * (u - v);
        d.absolutes += fabsl(u - v);
        if (u != v) d.equal = 0;
    }
    return d;
}

/* 1 + uv + the integral of (u-t)_+ (v-t)_+ over 0..1, by Simpson's rule, which is exact
 * for the square polynomial up to where the smaller factor vanishes. */
static long double plain_spline(const plain_problem *problem, int64_t column, long double x,
                                long double z)
{
    const double *values = problem->x + column * problem->n;
    long double lo = values[0], hi = values[0];
    for (int64_t i = 1; i < problem->n; i++) {
        lo = fminl(lo, values[i]);
        hi = fmaxl(hi, values[i]);
    }
    long double u = hi > lo ? (x - lo) / (hi - lo) : 0.0L,
                v = hi > lo ? (z - lo) / (hi - lo) : 0.0L;
    long double end = fminl(fmaxl(fminl(u, v), 0.0L), 1.0L), middle = end / 2.0L;
    long double integral =
        end / 6.0L * (u * v + 4.0L * (u - middle) * (v - middle) + (u - end) * (v - end));
    return 1.0L + u * v + integral;
}

static long double plain_matern(double nu, long double t)
{
    long double factor = nu < 1.0 ? 1.0L : nu < 2.0 ? 1.0L + t : 1.0L + t + t * t / 3.0L;
    return factor * expl(-t);
}

long double plain_value(const plain_problem *problem, const plain_kernel *kernel, int64_t n,
                        const double *x, int64_t i, int64_t nz, const double *z, int64_t j)
{
    int64_t column = kernel->column;
    int64_t first = column < 0 ? 0 : column, last = column < 0 ? problem->p - 1 : column;
    if (kernel->kind == GIVEN) return problem->given[column][j * n + i];
    differences d = compare(first, last, n, x, i, nz, z, j);
    switch (kernel->kind) {
    case LINEAR: return d.inner;
    case POLY: return powl((long double)kernel->b + d.inner, (long double)kernel->a);
    case RBF: return expl(-kernel->a * d.squares);
    case LAPLACE: return expl(-kernel->a * d.absolutes);
    case MATERN: return plain_matern(kernel->a, sqrtl(2.0L * kernel->a * d.squares) / kernel->b);
    case SPLINE: return plain_spline(problem, column, x[column * n + i], z[column * nz + j]);
    case DELTA: return d.equal ? 1.0L : 0.0L;
    case GIVEN: break;
    }
    return NAN;
}

static long double within_class(const plain_problem *problem, const plain_kernel *kernel,
                                const double *labels, int sign)
{
    long double diagonal = 0.0L, entries = 0.0L, count = 0.0L;
    int64_t n = problem->n;
    for (int64_t i = 0; i < n; i++) {
        if (!(labels[i] * sign > 0.0)) continue;
        count += 1.0L;
        diagonal += plain_value(problem, kernel, n, problem->x, i, n, problem->x, i);
        for (int64_t j = 0; j < n; j++)
            if (labels[j] * sign > 0.0)
                entries += plain_value(problem, kernel, n, problem->x, i, n, problem->x, j);
    }
    return diagonal / count - entries / (count * count);
}

static long double trace_of(const plain_problem *problem, const plain_kernel *kernel, int center,
                            int64_t count, const double *test)
{
    int64_t n = problem->n, all = n + (test ? count : 0);
    long double trace = 0.0L, entries = 0.0L;
    for (int64_t i = 0; i < all; i++)
        for (int64_t j = 0; j < all; j++) {
            if (i != j && !center) continue;
            long double value = plain_value(
                problem, kernel, i < n ? n : count, i < n ? problem->x : test, i < n ? i : i - n,
                j < n ? n : count, j < n ? problem->x : test, j < n ? j : j - n);
            if (i == j) trace += value;
            entries += value;
        }
    return center ? trace - entries / (long double)all : trace;
}

long double plain_denominator(const plain_problem *problem, const plain_kernel *kernel,
                              const rls2_basis_options *options, int64_t count, const double *test)
{
    if (options->scaling == RLS2_SCALING_NONE) return 1.0L;
    if (options->scaling == RLS2_SCALING_TRACE)
        return trace_of(problem, kernel, options->center, count, test);
    return within_class(problem, kernel, options->labels, 1) +
           within_class(problem, kernel, options->labels, -1);
}

long double *plain_matrices(const plain_problem *problem, const double *s)
{
    int64_t n = problem->n;
    long double *R = room(problem->m * n * n, sizeof *R), *entry = R;
    for (int64_t k = 0; k < problem->m; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                *entry++ = s[k] * plain_value(problem, &problem->kernels[k], n, problem->x, i, n,
                                              problem->x, j);
    return R;
}

long double *plain_combination(const plain_problem *problem, const long double *R, const double *d)
{
    int64_t square = problem->n * problem->n;
    long double *sum = room(square, sizeof *sum);
    for (int64_t k = 0; k < problem->m; k++)
        for (int64_t i = 0; i < square && d[k] != 0.0; i++) sum[i] += d[k] * R[k * square + i];
    return sum;
}

/* v = R c, returns c'R c */
static long double apply(int64_t n, const long double *R, const double *c, long double *v)
{
    long double q = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        v[i] = 0.0L;
        for (int64_t j = 0; j < n; j++) v[i] += R[j * n + i] * c[j];
        q += c[i] * v[i];
    }
    return q;
}

plain_certificate plain_certify(const plain_problem *problem, const long double *R, const double *y,
                                double lambda, const double *d, const double *c)
{
    int64_t n = problem->n;
    plain_certificate result = {0};
    long double *v = room(n, sizeof *v), *f = room(n, sizeof *f);
    long double max_q = -INFINITY, cf = 0.0L, yc = 0.0L, cc = 0.0L, fit = 0.0L, rest = 0.0L,
                size = 0.0L;
    for (int64_t k = 0; k < problem->m; k++) {
        long double q = apply(n, R + k * n * n, c, v);
        if (q > max_q) max_q = q, result.largest = k;
        cf += d[k] * q;
        for (int64_t i = 0; i < n; i++) f[i] += d[k] * v[i];
    }
    for (int64_t i = 0; i < n; i++) {
        long double e = y[i] - f[i], r = e - (long double)lambda * c[i];
        fit += e * e;
        rest += r * r;
        size += (long double)y[i] * y[i];
        yc += (long double)y[i] * c[i];
        cc += (long double)c[i] * c[i];
    }
    result.primal = 0.5L * fit + 0.5L * lambda * cf;
    result.dual = lambda * yc - 0.5L * lambda * lambda * cc - 0.5L * lambda * max_q;
    result.gap = 0.5L * rest + 0.5L * lambda * (max_q - cf);
    result.residual = size > 0.0L ? sqrtl(rest / size) : 0.0L;
    free(v);
    free(f);
    return result;
}

void plain_solve(int64_t n, long double *A, long double *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabsl(A[k * n + i]) > fabsl(A[k * n + pivot])) pivot = i;
        for (int64_t j = 0; j < n; j++) {
            long double swap = A[j * n + k];
            A[j * n + k] = A[j * n + pivot];
            A[j * n + pivot] = swap;
        }
        long double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int64_t i = k + 1; i < n; i++) {
            long double factor = A[k * n + i] / A[k * n + k];
            for (int64_t j = k; j < n; j++) A[j * n + i] -= factor * A[j * n + k];
            b[i] -= factor * b[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) b[k] -= A[j * n + k] * b[j];
        b[k] /= A[k * n + k];
    }
}

long double plain_objective(const plain_problem *problem, const long double *R, const double *y,
                            double lambda, const double *d)
{
    int64_t n = problem->n;
    long double *M = plain_combination(problem, R, d), *c = room(n, sizeof *c), total = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        M[i * n + i] += lambda;
        c[i] = y[i];
    }
    plain_solve(n, M, c);
    for (int64_t i = 0; i < n; i++) total += y[i] * c[i];
    free(M);
    free(c);
    return 0.5L * lambda * total;
}

/* ---- data sets ---- */

static void copy_rows(const rls2_dataset *data, const int64_t *order, int64_t count, double *x,
                      double *y)
{
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    for (int64_t i = 0; i < count; i++) {
        y[i] = rls2_dataset_y(data)[order[i]];
        for (int64_t j = 0; j < p; j++) x[j * count + i] = rls2_dataset_x(data)[j * n + order[i]];
    }
}

data_split split_rows(const rls2_dataset *data, double share, uint64_t seed)
{
    rls2__random random;
    int64_t all = rls2_dataset_rows(data), *order = room(all, sizeof *order);
    data_split s = {.p = rls2_dataset_columns(data), .n = (int64_t)floor(share * (double)all)};
    s.n_test = all - s.n;
    s.x = numbers(s.n * s.p);
    s.y = numbers(s.n);
    s.x_test = numbers(s.n_test * s.p);
    s.y_test = numbers(s.n_test);
    rls2__random_seed(&random, seed);
    rls2__random_permutation(&random, all, order);
    copy_rows(data, order, s.n, s.x, s.y);
    copy_rows(data, order + s.n, s.n_test, s.x_test, s.y_test);
    s.train = (rls2_rows){.n = s.n, .p = s.p, .x = s.x};
    s.test = (rls2_rows){.n = s.n_test, .p = s.p, .x = s.x_test};
    free(order);
    return s;
}

void split_free(data_split *split)
{
    free(split->x);
    free(split->y);
    free(split->x_test);
    free(split->y_test);
    memset(split, 0, sizeof *split);
}
