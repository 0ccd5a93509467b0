/* Shared weights against brute force over d, and the multinomial loss against an optimiser that
 * shares nothing with the library but the responses. */
#include "support/shared.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 24, OUTPUTS = 3 };

/* P(d) of all outputs together, each by elimination in long double. */
static long double joint_objective(const plain_problem *problem, const long double *R,
                                   const double *y, double lambda, const double *d)
{
    long double sum = 0.0L;
    for (int o = 0; o < OUTPUTS; o++) sum += plain_objective(problem, R, y + o * ROWS, lambda, d);
    return sum;
}

/* Kernels of the first columns alone, so that the simplex can be searched. */
static shared_problem few_kernels(uint64_t seed, int64_t kernels)
{
    rls2_error err;
    char spec[SPEC_ROOM];
    shared_problem it = shared_create(seed, ROWS, OUTPUTS, NULL);
    rls2_basis_free(it.basis);
    rls2_dictionary_free(it.dictionary);
    it.problem.m = 0;
    for (int64_t j = 0; j < kernels; j++) problem_add(&it.problem, RBF, 0.5, 0.0, j);
    problem_spec(&it.problem, spec);
    rls2_columns columns = {.count = it.problem.p};
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    shared_make_basis(&it, NULL);
    return it;
}

/* The least of a grid on the simplex; no two of its points are further apart than 1 / steps. */
static long double search(const shared_problem *it, const long double *R, double lambda, int steps)
{
    long double least = HUGE_VALL;
    int third = it->problem.m == 3;
    for (int a = 0; a <= steps; a++)
        for (int b = third ? 0 : steps - a; b <= steps - a; b++) {
            double d[3] = {(double)a / steps, (double)b / steps, (double)(steps - a - b) / steps};
            long double value = joint_objective(&it->problem, R, it->numbers, lambda, d);
            if (value < least) least = value;
        }
    return least;
}

static void path_fit__shared_square_loss__is_least_over_the_simplex(void **state)
{
    static const double LAMBDAS[] = {1.0, 0.1, 0.01};
    (void)state;
    for (int64_t m = 2; m <= 3; m++) {
        shared_problem it = few_kernels(20 + (uint64_t)m, m);
        rls2_path_options options = shared_options("square", RLS2_INTERCEPT_NONE);
        rls2_path *paths[OUTPUTS];
        options.gap_tol = 1e-9;
        shared_fit(&it, &options, 3, LAMBDAS, NULL, paths);
        long double *R = plain_matrices(&it.problem, rls2_basis_scales(it.basis));
        for (int64_t i = 0; i < 3; i++) {
            double *d = dense_weights(paths[0], i, m), found = rls2_path_at(paths[0], i)->objective;
            double own = (double)joint_objective(&it.problem, R, it.numbers, LAMBDAS[i], d);
            double least = (double)search(&it, R, LAMBDAS[i], m == 2 ? 200 : 40);
            assert_true(fabs(own - found) <= 1e-9 * found);
            assert_true(found <= least * (1.0 + 1e-9));
            assert_true(least <= found * (1.0 + 1e-2)); /* the grid is that fine */
            free(d);
        }
        free(R);
        shared_free_paths(OUTPUTS, paths);
        shared_free(&it);
    }
}

/* ---- the multinomial loss of one kernel, by accelerated gradients ---- */

typedef struct softmax_problem {
    const double *labels;
    const long double *R; /* ROWS x ROWS */
    double lambda;
    int is_free;
} softmax_problem;

/* f = Rc + b; p, and the objective. */
static double softmax(const softmax_problem *it, const double *c, const double *b, double *p)
{
    double objective = 0.0;
    for (int o = 0; o < OUTPUTS; o++)
        for (int i = 0; i < ROWS; i++) {
            long double f = 0.0L;
            for (int j = 0; j < ROWS; j++) f += it->R[j * ROWS + i] * c[o * ROWS + j];
            p[o * ROWS + i] = (double)f + b[o];
            objective += 0.5 * it->lambda * c[o * ROWS + i] * (double)f;
        }
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0, own = 0.0;
        for (int o = 0; o < OUTPUTS; o++) {
            if (it->labels[o * ROWS + i] > 0.0) own = p[o * ROWS + i];
            sum += p[o * ROWS + i] = exp(p[o * ROWS + i]);
        }
        for (int o = 0; o < OUTPUTS; o++) p[o * ROWS + i] /= sum;
        objective += log(sum) - own;
    }
    return objective;
}

/* One step of size `step` down the gradient in the metric of R, (p - onehot) + lambda c, from
 * (c, b), which is where p was made. */
static void descend(const softmax_problem *it, double step, const double *p, double *c, double *b)
{
    for (int o = 0; o < OUTPUTS; o++) {
        double slope = 0.0;
        for (int i = 0; i < ROWS; i++) {
            double g = p[o * ROWS + i] - (it->labels[o * ROWS + i] > 0.0 ? 1.0 : 0.0);
            slope += g;
            c[o * ROWS + i] -= step * (g + it->lambda * c[o * ROWS + i]);
        }
        if (it->is_free) b[o] -= slope / ROWS; /* curvature in b is at most ROWS / 2 */
    }
}

/* Nesterov's method; R of trace 1 and curvature 1/2 make 1 / (1/2 + lambda) a safe step. */
static double least_softmax(const softmax_problem *it)
{
    enum { STEPS = 40000, SIZE = ROWS * OUTPUTS };
    double c[SIZE] = {0.0}, at[SIZE] = {0.0}, before[SIZE] = {0.0}, p[SIZE];
    double b[OUTPUTS] = {0.0}, at_b[OUTPUTS] = {0.0}, before_b[OUTPUTS] = {0.0};
    for (int step = 0; step < STEPS; step++) {
        double momentum = (double)step / (step + 3.0);
        for (int t = 0; t < SIZE; t++) at[t] = c[t] + momentum * (c[t] - before[t]);
        for (int o = 0; o < OUTPUTS; o++) at_b[o] = b[o] + momentum * (b[o] - before_b[o]);
        for (int t = 0; t < SIZE; t++) before[t] = c[t];
        for (int o = 0; o < OUTPUTS; o++) before_b[o] = b[o];
        softmax(it, at, at_b, p);
        descend(it, 0.5 / (0.5 + it->lambda), p, at, at_b);
        for (int t = 0; t < SIZE; t++) c[t] = at[t];
        for (int o = 0; o < OUTPUTS; o++) b[o] = at_b[o];
    }
    return softmax(it, c, b, p);
}

static void path_fit__multinomial_of_one_kernel__is_kernel_logistic_regression(void **state)
{
    static const double LAMBDA = 0.02;
    (void)state;
    for (int is_free = 0; is_free < 2; is_free++) {
        shared_problem it = few_kernels(31, 1);
        rls2_path_options options =
            shared_options("multinomial", is_free ? RLS2_INTERCEPT_FREE : RLS2_INTERCEPT_NONE);
        rls2_path *paths[OUTPUTS];
        double c[ROWS * OUTPUTS], b[OUTPUTS], p[ROWS * OUTPUTS];
        options.gap_tol = 1e-9;
        shared_fit(&it, &options, 1, &LAMBDA, NULL, paths);
        long double *R = plain_matrices(&it.problem, rls2_basis_scales(it.basis));
        const softmax_problem plain = {it.labels, R, LAMBDA, is_free};
        for (int o = 0; o < OUTPUTS; o++) {
            b[o] = rls2_path_intercept_at(paths[o], 0);
            for (int i = 0; i < ROWS; i++) c[o * ROWS + i] = rls2_path_c(paths[o], 0)[i];
        }
        double found = rls2_path_at(paths[0], 0)->objective, least = least_softmax(&plain);
        assert_true(fabs(softmax(&plain, c, b, p) - found) <= 1e-9 * found);
        assert_true(fabs(found - least) <= 1e-6 * least);
        free(R);
        shared_free_paths(OUTPUTS, paths);
        shared_free(&it);
    }
}

/* Of two classes t_1 - t_2 = g alone counts. c_2 = -c_1, so that g = 2 R c_1, and the penalties of
 * both are those of g at half of lambda. */
static void path_fit__multinomial_of_two_classes__is_logistic_at_half_lambda(void **state)
{
    static const double LAMBDA = 0.05, HALF = 0.025;
    shared_problem it = shared_create(32, ROWS, 2, NULL);
    rls2_path_options options = shared_options("multinomial", RLS2_INTERCEPT_FREE);
    rls2_path *both[2], *one;
    rls2_error err;
    (void)state;
    options.gap_tol = 1e-9;
    shared_fit(&it, &options, 1, &LAMBDA, NULL, both);
    options.loss.kind = RLS2_LOSS_LOGISTIC;
    assert_ok(rls2_path_fit(1, it.bases, it.labels, 1, &HALF, &options, NULL, &one, &err), &err);
    double found = rls2_path_at(both[0], 0)->objective, known = rls2_path_at(one, 0)->objective;
    assert_true(fabs(found - known) <= 1e-8 * known);
    double apart = rls2_path_intercept_at(both[0], 0) - rls2_path_intercept_at(both[1], 0);
    assert_true(fabs(apart - rls2_path_intercept_at(one, 0)) <= 1e-3);
    rls2_path_free(one);
    shared_free_paths(2, both);
    shared_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__shared_square_loss__is_least_over_the_simplex),
        cmocka_unit_test(path_fit__multinomial_of_one_kernel__is_kernel_logistic_regression),
        cmocka_unit_test(path_fit__multinomial_of_two_classes__is_logistic_at_half_lambda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
