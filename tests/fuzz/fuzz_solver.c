/* Any bytes as a small problem, solved by both methods and judged in long double.
 *
 * At most 12 rows, 4 columns and 8 kernels, numbers and scales of all sizes. Whatever the
 * library claims, about gaps, objectives, scalings and what verification will say, holds by
 * definitions evaluated anew (support/verdict.h), and a solver of the reference's own finds
 * nothing better than the claims allow; or the problem is refused. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/verdict.h"

enum { MOST_ROWS = 12, MOST_COLUMNS = 4, MOST_KERNELS = 8 };

typedef struct source {
    const uint8_t *bytes;
    size_t left;
} source;

/* 0 where there is none left. */
static int take(source *from)
{
    if (from->left == 0) return 0;
    from->left--;
    return *from->bytes++;
}

static int below(source *from, int bound)
{
    return take(from) % bound;
}

/* Most often 1; else a power of ten up to 1e300 in either direction. */
static double scale(source *from)
{
    int way = below(from, 4);
    double exponent = take(from) * 300.0 / 255.0;
    return way < 2 ? 1.0 : pow(10.0, way == 2 ? exponent : -exponent);
}

/* Small numbers with many ties; after the byte 255, one that is nearly 1. */
static double number(source *from)
{
    int byte = take(from);
    if (byte == 255) return 1.0 + take(from) * 0x1p-36;
    return (byte - 127) / 32.0;
}

static void fill(source *from, int64_t count, double factor, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = factor * number(from);
}

/* ---- a problem ---- */

static void read_rows(source *from, hard_problem *it)
{
    int64_t n = it->data.n;
    for (int64_t j = 0; j < it->data.p; j++) fill(from, n, scale(from), it->x + j * n);
    fill(from, n, scale(from), it->y);
    for (int64_t i = 0; i < n; i++) it->labels[i] = take(from) % 2 ? 1.0 : -1.0;
    if (below(from, 3) > 0) return;
    double level = scale(from), spread = below(from, 20);
    it->weights = calloc((size_t)n, sizeof(double));
    if (!it->weights) abort();
    for (int64_t i = 0; i < n; i++) it->weights[i] = level * pow(10.0, spread * number(from));
}

static reference_kernel read_kernel(source *from, int64_t p)
{
    static const double nus[] = {0.5, 1.5, 2.5};
    reference_kernel kernel = {.kind = (reference_kind)below(from, REFERENCE_GIVEN), .scale = 1.0};
    kernel.first = kernel.last = below(from, (int)p);
    if (kernel.kind != REFERENCE_SPLINE) kernel.last += below(from, (int)(p - kernel.first));
    double parameter = scale(from);
    parameter *= 1.0 + take(from) / 16.0;
    switch (kernel.kind) {
    case REFERENCE_POLY:
        kernel.a = 1 + below(from, 20);
        kernel.b = below(from, 3);
        kernel.scale = parameter;
        break;
    case REFERENCE_MATERN:
        kernel.a = nus[below(from, 3)];
        kernel.b = parameter;
        break;
    case REFERENCE_RBF:
    case REFERENCE_LAPLACE: kernel.a = parameter; break;
    default: break;
    }
    return kernel;
}

/* One matrix now and then, and a change of one entry of it. */
static void read_given(source *from, hard_problem *it)
{
    if (below(from, 4) > 0) return;
    int64_t n = it->data.n, rank = 1 + below(from, (int)n);
    double *K = hard_problem_add_given(it, rank, scale(from));
    int64_t row = below(from, (int)n), column = below(from, (int)n);
    if (below(from, 4) > 0) return;
    K[column * n + row] *= 1.0 + pow(10.0, -9.0 - below(from, 8));
    it->traits |= TRAIT_ASYMMETRIC;
}

static void read_options(source *from, hard_problem *it)
{
    static const double tols[] = {1e-6, 1e-3, 1e-9, 1e-12};
    static const double rank_tols[] = {1e-14, 0.0, 1e-6, 1e-2};
    static const int64_t iterations[] = {200, 20, 3, 1};
    it->basis.scaling = (rls2_scaling)below(from, 4);
    it->basis.center = it->basis.scaling == RLS2_SCALING_TRACE && below(from, 2);
    it->basis.skip_degenerate = below(from, 4) > 0;
    it->basis.rank_tol = rank_tols[below(from, 4)];
    it->basis.memory = below(from, 3) ? 0 : 1 + 16 * take(from);
    it->path.memory = below(from, 3) ? it->path.memory : 16 * take(from);
    it->path.intercept = below(from, 2) ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
    it->path.gap_tol = tols[below(from, 4)];
    it->path.delta = tols[below(from, 4)];
    it->path.max_iter = iterations[below(from, 4)];
}

static void read_lambdas(source *from, hard_problem *it)
{
    it->lambda_count = 1 + below(from, HARD_LAMBDAS);
    for (int64_t i = 0; i < it->lambda_count; i++) {
        it->lambdas[i] = scale(from);
        it->lambdas[i] *= pow(10.0, (take(from) - 191) / 16.0);
    }
}

static hard_problem *read_problem(source *from)
{
    int64_t n = 1 + below(from, MOST_ROWS), p = 1 + below(from, MOST_COLUMNS),
            m = 1 + below(from, MOST_KERNELS);
    hard_problem *it = hard_problem_plain(1, n, p);
    read_options(from, it);
    read_lambdas(from, it);
    for (int64_t k = 0; k < m; k++) hard_problem_add(it, read_kernel(from, p));
    read_given(from, it);
    read_rows(from, it);
    hard_problem_finish(it);
    return it;
}

/* Numbers out of range are refused before they are solved, and there is nothing to judge. */
static int is_finite(const hard_problem *it)
{
    for (int64_t i = 0; i < it->data.n * it->data.p; i++)
        if (!isfinite(it->x[i])) return 0;
    for (int64_t i = 0; i < it->data.n; i++)
        if (!isfinite(it->y[i]) ||
            (it->weights && !(it->weights[i] > 0.0 && isfinite(it->weights[i]))))
            return 0;
    for (int64_t i = 0; i < it->lambda_count; i++)
        if (!(it->lambdas[i] > 0.0 && isfinite(it->lambdas[i]))) return 0;
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source from = {data, size};
    hard_problem *problem = read_problem(&from);
    if (getenv("RLS2_JUDGE_VERBOSE")) describe_problem(problem, stderr);
    for (int solver = 0; solver < 2 && is_finite(problem); solver++) {
        tally all = {.report = stderr};
        problem->path.solver = (rls2_solver)solver;
        if (judge_problem(problem, &all) == 0) continue;
        describe_problem(problem, stderr);
        abort();
    }
    hard_problem_free(problem);
    return 0;
}
