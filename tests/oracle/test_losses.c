/* Small problems of every loss by brute force: weights by golden section, one inside the other, and
 * for each of them the multipliers by exact maximisation of one, or of a pair, at a time. Nothing
 * of it is the library's. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, KERNELS = 3 };

/* The dual of fixed weights: maximise  -sum_i L*(-lambda c_i) + b p - lambda/2 c'Rc. */
typedef struct dual {
    const long double *R; /* of all kernels */
    long double combined[ROWS * ROWS];
    rls2_loss loss;
    const double *y;
    long double lambda, b; /* the intercept where it is fixed */
    int is_free;
    long double c[ROWS], f[ROWS];
} dual;

static long double row_term(const dual *it, int i, long double c)
{
    long double p = -it->lambda * c;
    return plain_conjugate(it->loss, it->y[i], p) - (it->is_free ? 0.0L : p * it->b);
}

/* What the negative dual changes by when c_i grows by step and, where j >= 0, c_j falls by it. */
static long double change(const dual *it, int i, int j, long double step)
{
    const long double *R = it->combined;
    long double total = row_term(it, i, it->c[i] + step) - row_term(it, i, it->c[i]) +
                        it->lambda * (it->f[i] * step + 0.5L * R[i * ROWS + i] * step * step);
    if (j < 0) return total;
    return total + row_term(it, j, it->c[j] - step) - row_term(it, j, it->c[j]) +
           it->lambda * (-it->f[j] * step + 0.5L * R[j * ROWS + j] * step * step -
                         R[j * ROWS + i] * step * step);
}

/* The middle of two is better than both, or an end is infinite: golden section. */
static long double best_step(const dual *it, int i, int j, long double reach)
{
    static const long double RATIO = 0.6180339887498948482L;
    long double low = -reach, high = reach;
    for (int round = 0; round < 46; round++) {
        long double a = high - RATIO * (high - low), b = low + RATIO * (high - low);
        long double at_a = change(it, i, j, a), at_b = change(it, i, j, b);
        /* outside the domain both are infinite: towards 0, which is inside */
        int left = isinf(at_a) && isinf(at_b) ? a > 0.0L : at_a < at_b;
        if (left)
            high = b;
        else
            low = a;
    }
    /* of what is left the middle may be outside the domain, and one end is */
    long double best = 0.0L, least = 0.0L;
    for (int third = 0; third < 3; third++) {
        long double step = low + 0.5L * third * (high - low), there = change(it, i, j, step);
        if (there < least) least = there, best = step;
    }
    return best;
}

static void take_step(dual *it, int i, int j, long double step)
{
    it->c[i] += step;
    if (j >= 0) it->c[j] -= step;
    for (int t = 0; t < ROWS; t++) {
        it->f[t] += step * it->combined[i * ROWS + t];
        if (j >= 0) it->f[t] -= step * it->combined[j * ROWS + t];
    }
}

/* What is left to gain shrinks by a constant factor from sweep to sweep. */
static void climb(dual *it)
{
    enum { SWEEPS = 400 };
    long double reach = 8.0L / it->lambda;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        long double farthest = 0.0L, size = 1e-30L;
        for (int i = 0; i < ROWS; i++)
            for (int j = it->is_free ? i + 1 : -1; j < (it->is_free ? ROWS : 0); j++) {
                long double step = best_step(it, i, j, reach);
                take_step(it, i, j, step);
                farthest = fmaxl(farthest, fabsl(step));
                size = fmaxl(size, fabsl(it->c[i]));
            }
        if (farthest <= 1e-7L * size) return;
        reach = fmaxl(4.0L * farthest, 1e-6L * size);
    }
}

/* F(d): the best dual of these weights. */
static long double best_of(dual *it, const double *d)
{
    memset(it->combined, 0, sizeof it->combined);
    for (int k = 0; k < KERNELS; k++)
        for (int t = 0; t < ROWS * ROWS; t++) it->combined[t] += d[k] * it->R[k * ROWS * ROWS + t];
    for (int i = 0; i < ROWS; i++) {
        it->f[i] = 0.0L;
        for (int j = 0; j < ROWS; j++) it->f[i] += it->combined[j * ROWS + i] * it->c[j];
    }
    climb(it);
    long double value = 0.0L;
    for (int i = 0; i < ROWS; i++)
        value -= row_term(it, i, it->c[i]) + 0.5L * it->lambda * it->c[i] * it->f[i];
    return value;
}

static long double along(dual *it, double first, double share)
{
    const double d[KERNELS] = {first, (1.0 - first) * share, (1.0 - first) * (1.0 - share)};
    return best_of(it, d);
}

/* The least over the share of the second in what the first leaves. */
static long double least_over_share(dual *it, double first)
{
    static const double RATIO = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    double a = high - RATIO, b = RATIO;
    long double at_a = along(it, first, a), at_b = along(it, first, b);
    long double least = fminl(along(it, first, 0.0), along(it, first, 1.0));
    for (int round = 0; round < 10; round++) {
        least = fminl(least, fminl(at_a, at_b));
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a, a = high - RATIO * (high - low);
            at_a = along(it, first, a);
        } else {
            low = a, a = b, at_a = at_b, b = low + RATIO * (high - low);
            at_b = along(it, first, b);
        }
    }
    return fminl(least, fminl(at_a, at_b));
}

static long double least_of_all(dual *it)
{
    static const double RATIO = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    double a = high - RATIO, b = RATIO;
    long double at_a = least_over_share(it, a), at_b = least_over_share(it, b);
    long double least = fminl(least_over_share(it, 0.0), along(it, 1.0, 0.5));
    for (int round = 0; round < 10; round++) {
        least = fminl(least, fminl(at_a, at_b));
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a, a = high - RATIO * (high - low);
            at_a = least_over_share(it, a);
        } else {
            low = a, a = b, at_a = at_b, b = low + RATIO * (high - low);
            at_b = least_over_share(it, b);
        }
    }
    return fminl(least, fminl(at_a, at_b));
}

/* Golden sections and sweeps that end leave this share of the minimum. */
static const double BRUTE = 2e-5;

static void check(rls2_loss loss, rls2_intercept intercept)
{
    rls2__random random;
    const double lambda = 0.3;
    rls2_path_options options;
    rls2__random_seed(&random, 4);
    plain_problem problem = problem_create(&random, ROWS, KERNELS - 1);
    for (int k = 0; k < KERNELS; k++) problem_add(&problem, RBF, 0.7, 0.0, k - 1);
    double *y = plain_responses(loss, ROWS, problem.y);
    free(problem.y);
    problem.y = y;
    rls2_path_options_init(&options, sizeof options);
    options.loss = loss;
    options.intercept = intercept;
    fitted_path fitted = fit(&problem, NULL, 1, &lambda, &options);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    dual it = {.R = R,
               .loss = loss,
               .y = y,
               .lambda = lambda,
               .b = rls2_path_intercept(fitted.path),
               .is_free = intercept == RLS2_INTERCEPT_FREE};
    const rls2_path_point *point = rls2_path_at(fitted.path, 0);
    double least = (double)least_of_all(&it);
    assert_true(point->gap <= 1e-6);
    if (!(fabs(point->objective - least) <= BRUTE * least))
        fail_msg("loss %d, intercept %d: %.10g instead of %.10g", (int)loss.kind, (int)intercept,
                 point->objective, least);
    free(R);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_fit__fixed_intercept__objective_of_brute_force(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++) check(EVERY_LOSS[k], RLS2_INTERCEPT_MEAN);
}

static void path_fit__free_intercept__objective_of_brute_force(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++) check(EVERY_LOSS[k], RLS2_INTERCEPT_FREE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__fixed_intercept__objective_of_brute_force),
        cmocka_unit_test(path_fit__free_intercept__objective_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
