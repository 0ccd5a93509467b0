/* Draws rows, kernels, responses, weights and given matrices of a hard problem. */
#include "support/hard_problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double uniform(rls2__random *random, double lo, double hi)
{
    return lo + (hi - lo) * rls2__random_uniform(random);
}

/* 1 in `of` times. */
static int chance(rls2__random *random, int64_t of)
{
    return rls2__random_below(random, of) == 0;
}

static double power_of_ten(rls2__random *random, double lo, double hi)
{
    return pow(10.0, uniform(random, lo, hi));
}

static void *room(int64_t count, size_t size)
{
    void *memory = calloc((size_t)(count > 0 ? count : 1), size);
    if (!memory) abort();
    return memory;
}

/* ---- rows ---- */

static int64_t draw_rows(rls2__random *random)
{
    if (chance(random, 60)) return 100 + rls2__random_below(random, 100);
    return chance(random, 3) ? 1 + rls2__random_below(random, 8)
                             : 2 + rls2__random_below(random, 40);
}

static double column_scale(rls2__random *random, int64_t mode, double common)
{
    switch (mode) {
    case 0: return common;
    case 1: return power_of_ten(random, -12.0, 12.0);
    case 2: return power_of_ten(random, -160.0, 160.0);
    default: return 1.0;
    }
}

static void fill_column(rls2__random *random, int64_t n, double scale, double *x)
{
    int64_t kind = rls2__random_below(random, 14);
    double constant = rls2__random_normal(random);
    for (int64_t i = 0; i < n; i++) {
        double z = rls2__random_normal(random);
        switch (kind) {
        case 0: x[i] = 0.0; break;
        case 1: x[i] = constant; break;
        case 2: x[i] = 1.0 + 1e-9 * z; break;
        case 3: x[i] = 1.0 + pow(10.0, -3.0 - 12.0 * fabs(constant) / 3.0) * z; break;
        case 4: x[i] = z > 0.0 ? 1.0 : 0.0; break;
        case 5: x[i] = floor(2.0 * z); break;
        case 6: x[i] = fabs(z) > 1.5 ? z : 0.0; break;
        default: x[i] = z; break;
        }
        x[i] *= scale;
    }
}

/* `off` is how far apart, relatively, the two rows are then. */
static void copy_row(hard_problem *it, int64_t from, int64_t to, double off)
{
    for (int64_t j = 0; j < it->data.p; j++)
        it->x[j * it->data.n + to] = it->x[j * it->data.n + from] * (1.0 + off);
}

/* A column that says the same as an earlier one, but for a factor. */
static void copy_column(rls2__random *random, hard_problem *it, int64_t to)
{
    const double *from = it->x + rls2__random_below(random, to) * it->data.n;
    double factor = chance(random, 2) ? 1.0 : uniform(random, -3.0, 3.0);
    for (int64_t i = 0; i < it->data.n; i++) it->x[to * it->data.n + i] = factor * from[i];
}

static void make_rows(rls2__random *random, hard_problem *it)
{
    int64_t n = it->data.n = draw_rows(random);
    int64_t p = it->data.p = 1 + rls2__random_below(random, chance(random, 4) ? 20 : 5);
    int64_t mode = rls2__random_below(random, 6);
    if (mode == 0 || mode == 2) it->traits |= TRAIT_X_SCALE;
    double common = power_of_ten(random, -300.0, 300.0);
    it->x = room(n * p, sizeof(double));
    it->data.x = it->x;
    for (int64_t j = 0; j < p; j++) {
        fill_column(random, n, column_scale(random, mode, common), it->x + j * n);
        if (j > 0 && chance(random, 8)) copy_column(random, it, j);
    }
    double off = chance(random, 2) ? 0.0 : power_of_ten(random, -16.0, -6.0);
    if (chance(random, 4))
        for (int64_t i = n / 2; i < n; i++) copy_row(it, rls2__random_below(random, n), i, off);
}

static void fill_response(rls2__random *random, hard_problem *it, double *y, double *labels)
{
    int64_t n = it->data.n, kind = rls2__random_below(random, 12);
    double scale = chance(random, 3) ? power_of_ten(random, -300.0, 300.0) : 1.0;
    if (scale != 1.0) it->traits |= TRAIT_Y_SCALE;
    double noise = power_of_ten(random, -8.0, 0.0), constant = rls2__random_normal(random);
    double top = 0.0;
    const double *x = it->x + rls2__random_below(random, it->data.p) * n;
    for (int64_t i = 0; i < n; i++) top = fmax(top, fabs(x[i]));
    for (int64_t i = 0; i < n; i++) {
        double z = rls2__random_normal(random), feature = top > 0.0 ? x[i] / top : 0.0;
        switch (kind) {
        case 0: y[i] = 0.0; break;
        case 1: y[i] = constant; break;
        case 2: y[i] = constant + 1e-9 * z; break;
        case 3:
        case 4: y[i] = z + feature > 0.0 ? 1.0 : -1.0; break;
        case 5: y[i] = z; break;
        case 6: y[i] = i == 0 ? 1e8 : z; break;
        default: y[i] = feature + noise * z; break;
        }
        labels[i] = z + feature > 0.3 ? 1.0 : -1.0;
        y[i] *= scale;
    }
}

static void make_response(rls2__random *random, hard_problem *it)
{
    int64_t n = it->data.n;
    it->outputs = chance(random, 8) ? 2 + rls2__random_below(random, 2) : 1;
    it->y = room(n * it->outputs, sizeof(double));
    it->labels = room(n * it->outputs, sizeof(double));
    for (int64_t o = 0; o < it->outputs; o++)
        fill_response(random, it, it->y + o * n, it->labels + o * n);
}

static void make_weights(rls2__random *random, hard_problem *it)
{
    static const double spread[] = {1.0, 3.0, 8.0, 100.0};
    int64_t kind = rls2__random_below(random, 16);
    if (kind >= 5) return;
    it->weights = room(it->data.n, sizeof(double));
    double level = chance(random, 6) ? power_of_ten(random, -200.0, 200.0) : 1.0;
    if (kind == 3 || level != 1.0) it->traits |= TRAIT_W_SCALE;
    for (int64_t i = 0; i < it->data.n; i++)
        it->weights[i] = kind == 4 ? 1.0 + (double)rls2__random_below(random, 4)
                                   : level * power_of_ten(random, -spread[kind], spread[kind]);
    it->data.weights = it->weights;
}

/* ---- kernels ---- */

/* Typical size of a difference in the kernel's columns. */
static double width_of(const hard_problem *it, int64_t first, int64_t last)
{
    double width = 0.0;
    for (int64_t j = first; j <= last; j++) {
        const double *x = it->x + j * it->data.n;
        for (int64_t i = 1; i < it->data.n; i++) width = fmax(width, fabs(x[i] - x[0]));
    }
    return width > 0.0 && isfinite(width) ? width : 1.0;
}

static double bounded(double value)
{
    return fmin(fmax(value, 1e-300), 1e300);
}

static reference_kernel draw_kernel(rls2__random *random, const hard_problem *it, int linear)
{
    static const double nus[] = {0.5, 1.5, 2.5};
    int64_t p = it->data.p;
    reference_kernel kernel = {.kind = (reference_kind)rls2__random_below(random, 7), .scale = 1.0};
    if (linear) kernel.kind = REFERENCE_LINEAR;
    kernel.first = kernel.last = rls2__random_below(random, p);
    if (kernel.kind != REFERENCE_SPLINE && !linear && chance(random, 2))
        kernel.last = kernel.first + rls2__random_below(random, p - kernel.first);
    double width = width_of(it, kernel.first, kernel.last),
           factor = power_of_ten(random, -3.0, 3.0);
    int plain = chance(random, 3); /* a parameter that has nothing to do with the data */
    switch (kernel.kind) {
    case REFERENCE_POLY:
        kernel.a = 1.0 + (double)rls2__random_below(random, chance(random, 6) ? 20 : 4);
        kernel.b = (double)rls2__random_below(random, 3);
        kernel.scale = plain ? 1.0 : bounded(1.0 / width / width);
        break;
    case REFERENCE_RBF: kernel.a = plain ? factor : bounded(factor / width / width); break;
    case REFERENCE_LAPLACE: kernel.a = plain ? factor : bounded(factor / width); break;
    case REFERENCE_MATERN:
        kernel.a = nus[rls2__random_below(random, 3)];
        kernel.b = plain ? factor : bounded(factor * width);
        break;
    default: break;
    }
    return kernel;
}

static void make_kernels(rls2__random *random, hard_problem *it)
{
    int linear = chance(random, 5);
    int64_t m = 1 + rls2__random_below(random, chance(random, 8) ? 100 : 12);
    if (it->data.n > 60 && m > 30) m = 30;
    for (int64_t k = 0; k < m; k++) {
        if (k > 0 && chance(random, 10))
            it->kernels[k] = it->kernels[rls2__random_below(random, k)];
        else if (it->given_count > 0 && chance(random, 3))
            it->kernels[k] = (reference_kernel){
                .kind = REFERENCE_GIVEN, .first = rls2__random_below(random, it->given_count)};
        else
            it->kernels[k] = draw_kernel(random, it, linear);
        reference_fit(it->data.n, it->x, &it->kernels[k]);
    }
    for (int64_t k = 0; k < m; k++)
        if (!(fabs(log10(bounded(it->kernels[k].a))) < 100.0 || it->kernels[k].a == 0.0) ||
            !(fabs(log10(bounded(it->kernels[k].b))) < 100.0 || it->kernels[k].b == 0.0))
            it->traits |= TRAIT_PARAMETER;
    it->data.m = m;
    it->data.kernels = it->kernels;
}

/* Z Z' of few or many columns, scaled, then disturbed. */
static unsigned fill_given(rls2__random *random, int64_t n, double *K)
{
    int64_t rank = 1 + rls2__random_below(random, n + 3),
            disturbance = rls2__random_below(random, 5);
    double scale = chance(random, 3) ? power_of_ten(random, -140.0, 140.0) : 1.0;
    double level = power_of_ten(random, -17.0, -8.0),
           mean = chance(random, 4) ? power_of_ten(random, 0.0, 7.0) : 0.0,
           spread = chance(random, 12) ? 0.0 : 1.0;
    double *z = room(n * rank, sizeof(double));
    for (int64_t i = 0; i < n * rank; i++)
        z[i] = scale * (mean + spread * rls2__random_normal(random));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = 0.0;
            for (int64_t t = 0; t < rank; t++) sum += z[t * n + i] * z[t * n + j];
            K[j * n + i] = K[i * n + j] = sum;
        }
    double top = 0.0;
    for (int64_t i = 0; i < n; i++) top = fmax(top, K[i * n + i]);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double change = level * top * uniform(random, -1.0, 1.0);
            if (disturbance == 1) K[j * n + i] += i > j ? change : 0.0; /* not quite symmetric */
            if (disturbance == 2)
                K[i * n + j] = K[j * n + i] = K[j * n + i] + change; /* nor definite */
        }
    free(z);
    return disturbance == 1 ? TRAIT_ASYMMETRIC : disturbance == 2 ? TRAIT_INDEFINITE : 0;
}

static void make_given(rls2__random *random, hard_problem *it)
{
    if (chance(random, 4)) it->given_count = 1 + rls2__random_below(random, HARD_GIVEN);
    for (int64_t g = 0; g < it->given_count; g++) {
        it->given[g] = room(it->data.n * it->data.n, sizeof(double));
        it->given_list[g] = it->given[g];
        it->traits |= fill_given(random, it->data.n, it->given[g]);
    }
    it->data.given = it->given_list;
}

/* ---- the text of the kernels ---- */

static void write_columns(const reference_kernel *kernel, char *text, size_t size)
{
    if (kernel->first == kernel->last)
        snprintf(text, size, "@x%lld", (long long)kernel->first + 1);
    else
        snprintf(text, size, "@x%lld..x%lld", (long long)kernel->first + 1,
                 (long long)kernel->last + 1);
}

static void write_kernel(const reference_kernel *kernel, char *text, size_t size)
{
    char columns[64];
    write_columns(kernel, columns, sizeof columns);
    switch (kernel->kind) {
    case REFERENCE_LINEAR: snprintf(text, size, "linear%s", columns); break;
    case REFERENCE_POLY:
        snprintf(text, size, "poly(%g,offset=%.17g,scale=%.17g)%s", kernel->a, kernel->b,
                 kernel->scale, columns);
        break;
    case REFERENCE_RBF: snprintf(text, size, "rbf(%.17g)%s", kernel->a, columns); break;
    case REFERENCE_LAPLACE: snprintf(text, size, "laplace(%.17g)%s", kernel->a, columns); break;
    case REFERENCE_MATERN:
        snprintf(text, size, "matern(%g,length=%.17g)%s", kernel->a, kernel->b, columns);
        break;
    case REFERENCE_SPLINE: snprintf(text, size, "spline%s", columns); break;
    case REFERENCE_DELTA: snprintf(text, size, "delta%s", columns); break;
    case REFERENCE_GIVEN: snprintf(text, size, "given(g%lld)", (long long)kernel->first); break;
    }
}

static void write_spec(hard_problem *it)
{
    size_t used = 0;
    for (int64_t k = 0; k < it->data.m; k++) {
        if (k > 0) used += (size_t)snprintf(it->spec + used, sizeof it->spec - used, "; ");
        write_kernel(&it->kernels[k], it->spec + used, sizeof it->spec - used);
        used += strlen(it->spec + used);
    }
}

/* ---- some rows of many ---- */

static double *take_rows(int64_t n, int64_t columns, const double *from, int64_t count,
                         const int64_t *taken)
{
    double *to = from ? room(count * columns, sizeof(double)) : NULL;
    for (int64_t j = 0; from && j < columns; j++)
        for (int64_t i = 0; i < count; i++) to[j * count + i] = from[j * n + taken[i]];
    return to;
}

static double *take_given(int64_t n, const double *from, int64_t count, const int64_t *taken)
{
    double *to = room(count * count, sizeof(double));
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < count; i++) to[j * count + i] = from[taken[j] * n + taken[i]];
    return to;
}

static void keep_whole(hard_problem *it, hard_whole *whole)
{
    whole->rows = hard_problem_rows(it);
    whole->basis = it->basis;
    whole->x = it->x;
    whole->y = it->y;
    whole->labels = it->labels;
    whole->weights = it->weights;
    for (int64_t g = 0; g < it->given_count; g++)
        whole->given_list[g] = whole->given[g] = it->given[g];
    whole->rows.given = whole->given_list;
}

/* Splines keep the range of all rows. */
static void make_part(rls2__random *random, hard_problem *it)
{
    int64_t n = it->data.n, count = 1 + rls2__random_below(random, n);
    if (!chance(random, 10)) return;
    hard_whole *whole = it->whole = room(1, sizeof *whole);
    whole->taken = room(n, sizeof(int64_t));
    whole->inherits = chance(random, 2);
    rls2__random_permutation(random, n, whole->taken);
    keep_whole(it, whole);
    it->data.n = count;
    it->data.x = it->x = take_rows(n, it->data.p, whole->x, count, whole->taken);
    it->y = take_rows(n, it->outputs, whole->y, count, whole->taken);
    it->basis.labels = it->labels = take_rows(n, it->outputs, whole->labels, count, whole->taken);
    it->weights = take_rows(n, 1, whole->weights, count, whole->taken);
    it->basis.row_weights = it->data.weights = it->weights;
    for (int64_t g = 0; g < it->given_count; g++)
        it->given_list[g] = it->given[g] = take_given(n, whole->given[g], count, whole->taken);
}

/* ---- options and lambda ---- */

static void make_options(rls2__random *random, hard_problem *it)
{
    static const double gap_tols[] = {1e-6, 1e-6, 1e-3, 1e-9, 1e-12, 1e-15};
    static const double deltas[] = {1e-2, 1e-4, 1e-8, 1e-12};
    static const double rank_tols[] = {1e-14, 1e-14, 0.0, 1e-6, 1e-2};
    static const int64_t iterations[] = {200, 200, 200, 20, 3, 1};
    rls2_basis_options_init(&it->basis, sizeof it->basis);
    it->basis.scaling =
        chance(random, 2) ? RLS2_SCALING_TRACE : (rls2_scaling)rls2__random_below(random, 4);
    it->basis.center = it->basis.scaling == RLS2_SCALING_TRACE && chance(random, 3);
    it->basis.labels = it->labels;
    it->basis.row_weights = it->weights;
    it->basis.skip_degenerate = !chance(random, 8);
    it->basis.rank_tol = rank_tols[rls2__random_below(random, 5)];
    it->basis.memory =
        chance(random, 3) ? 1 + rls2__random_below(random, chance(random, 2) ? 1 : 20000) : 0;
    rls2_path_options_init(&it->path, sizeof it->path);
    it->path.solver = chance(random, 3) ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
    it->path.intercept = chance(random, 2) ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
    it->path.gap_tol = gap_tols[rls2__random_below(random, 6)];
    it->path.delta = deltas[rls2__random_below(random, 4)];
    it->path.max_iter = iterations[rls2__random_below(random, 6)];
    if (chance(random, 3))
        it->path.memory = chance(random, 2) ? 0 : 1 + rls2__random_below(random, 20000);
}

/* The largest trace of an R^k, of those that can be scaled. */
static long double largest_trace(const hard_problem *it)
{
    int64_t n = it->data.n;
    long double largest = 0.0L;
    for (int64_t k = 0; k < it->data.m; k++) {
        long double trace = 0.0L, size;
        for (int64_t i = 0; i < n; i++)
            trace += it->K[k * n * n + i * (n + 1)] * (it->weights ? it->weights[i] : 1.0L);
        long double by = reference_denominator(&it->data, k, it->basis.scaling, it->basis.center,
                                               it->labels, &size);
        if (it->basis.scaling == RLS2_SCALING_FISHER_SQRT) by = sqrtl(by);
        if (by > 1e-12L * size && isfinite(trace / by)) largest = fmaxl(largest, trace / by);
    }
    return largest > 0.0L ? largest : 1.0L;
}

static void make_lambdas(rls2__random *random, hard_problem *it)
{
    long double trace = largest_trace(it);
    int wild = chance(random, 5);
    double lowest = chance(random, 3) ? -18.0 : -8.0;
    if (wild) it->traits |= TRAIT_WILD_LAMBDA;
    if (!wild && lowest < -8.0) it->traits |= TRAIT_TINY_LAMBDA;
    it->lambda_count = 1 + rls2__random_below(random, HARD_LAMBDAS);
    for (int64_t i = 0; i < it->lambda_count; i++) {
        double lambda = power_of_ten(random, -300.0, 300.0);
        long double fitting = trace * power_of_ten(random, lowest, 2.0);
        it->lambdas[i] = wild ? lambda : (double)fminl(fmaxl(fitting, 1e-305L), 1e305L);
    }
}

/* ---- all of it ---- */

hard_problem *hard_problem_make(uint64_t seed, uint64_t index)
{
    rls2__random random;
    hard_problem *it = room(1, sizeof *it);
    it->seed = seed;
    it->index = index;
    rls2__random_seed(&random, seed * UINT64_C(0x9E3779B97F4A7C15) + index);
    make_rows(&random, it);
    make_response(&random, it);
    make_weights(&random, it);
    make_given(&random, it);
    make_kernels(&random, it);
    make_options(&random, it);
    make_part(&random, it);
    write_spec(it);
    it->K = reference_matrices(&it->data);
    if (!it->K) abort();
    make_lambdas(&random, it);
    return it;
}

/* ---- by hand ---- */

hard_problem *hard_problem_plain(uint64_t seed, int64_t n, int64_t p)
{
    rls2__random random;
    hard_problem *it = room(1, sizeof *it);
    rls2__random_seed(&random, seed);
    it->seed = seed;
    it->outputs = 1;
    it->data = (reference_data){.n = n, .p = p, .given = it->given_list, .kernels = it->kernels};
    it->data.x = it->x = room(n * p, sizeof(double));
    it->y = room(n, sizeof(double));
    it->labels = room(n, sizeof(double));
    for (int64_t i = 0; i < n * p; i++) it->x[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < n; i++) {
        it->y[i] = it->x[i] + 0.3 * rls2__random_normal(&random);
        it->labels[i] = it->y[i] > 0.0 ? 1.0 : -1.0;
    }
    rls2_basis_options_init(&it->basis, sizeof it->basis);
    it->basis.labels = it->labels;
    rls2_path_options_init(&it->path, sizeof it->path);
    return it;
}

void hard_problem_add(hard_problem *it, reference_kernel kernel)
{
    if (kernel.scale == 0.0) kernel.scale = 1.0;
    it->kernels[it->data.m++] = kernel;
}

double *hard_problem_add_given(hard_problem *it, int64_t rank, double scale)
{
    rls2__random random;
    int64_t n = it->data.n, g = it->given_count++;
    double *K = room(n * n, sizeof(double)), *z = room(n * rank, sizeof(double));
    rls2__random_seed(&random, it->seed + 1000 + (uint64_t)g);
    for (int64_t i = 0; i < n * rank; i++) z[i] = rls2__random_normal(&random);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            double sum = 0.0;
            for (int64_t t = 0; t < rank; t++) sum += z[t * n + i] * z[t * n + j];
            K[j * n + i] = K[i * n + j] = sum * scale;
        }
    free(z);
    it->given_list[g] = it->given[g] = K;
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_GIVEN, .first = g});
    return K;
}

void hard_problem_finish(hard_problem *it)
{
    for (int64_t k = 0; k < it->data.m; k++) reference_fit(it->data.n, it->x, &it->kernels[k]);
    it->data.weights = it->weights;
    it->basis.row_weights = it->weights;
    write_spec(it);
    it->K = reference_matrices(&it->data);
    if (!it->K) abort();
}

static void free_whole(hard_whole *whole)
{
    if (!whole) return;
    for (int64_t g = 0; g < HARD_GIVEN; g++) free(whole->given[g]);
    free(whole->x);
    free(whole->y);
    free(whole->labels);
    free(whole->weights);
    free(whole->taken);
    free(whole);
}

void hard_problem_free(hard_problem *it)
{
    if (!it) return;
    for (int64_t g = 0; g < it->given_count; g++) free(it->given[g]);
    free_whole(it->whole);
    free(it->x);
    free(it->y);
    free(it->labels);
    free(it->weights);
    free(it->K);
    free(it);
}

rls2_rows hard_problem_rows(const hard_problem *it)
{
    return (rls2_rows){.n = it->data.n,
                       .p = it->data.p,
                       .x = it->x,
                       .given_count = it->given_count,
                       .given = it->given_list};
}

rls2_dictionary *hard_problem_dictionary(const hard_problem *it, rls2_error *err)
{
    static const char *const names[HARD_GIVEN] = {"g0", "g1", "g2"};
    rls2_columns columns = {
        .count = it->data.p, .given_count = it->given_count, .given_names = names};
    rls2_dictionary *dictionary = NULL;
    rls2_dictionary_create(it->spec, &columns, &dictionary, err);
    return dictionary;
}
