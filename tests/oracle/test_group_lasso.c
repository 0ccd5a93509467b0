/* RLS2 is a squared group lasso, and its minimum is the minimum.
 *
 * Minimising over d turns the objective into 1/2 |y - sum f_k|^2 + lambda/2 (sum |f_k|_k)^2,
 * with f_k the contribution of kernel k and |f_k|_k = d_k sqrt q_k its norm in the
 * space of s_k K_k. And with two or three kernels the minimum can be found by looking
 * everywhere. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>

/* ---- the identity ---- */

/* From predictions of the model and plain kernel matrices. */
static void assert_identity(const plain_problem *problem, const fitted_path *fitted, int64_t i,
                            const long double *R, const double *y)
{
    rls2_error err;
    rls2_model *model = NULL;
    const int64_t *kernels;
    int64_t n = problem->n, count = rls2_path_kernel_weights(fitted->path, i, &kernels, NULL);
    const rls2_path_point *point = rls2_path_at(fitted->path, i);
    const double *c = rls2_path_c(fitted->path, i);
    rls2_rows rows = problem_rows(problem);
    double *parts = numbers(n * count);
    long double fit = 0.0L, norms = 0.0L;
    assert_ok(model_of_one(fitted->path, i, &model, &err), &err);
    assert_int_equal(rls2_model_kernel_count(model), count);
    assert_ok(rls2_model_contributions(model, &rows, NULL, parts, &err), &err);
    for (int64_t j = 0; j < n; j++) {
        long double rest = y[j];
        for (int64_t t = 0; t < count; t++) rest -= parts[t * n + j];
        fit += rest * rest;
    }
    for (int64_t t = 0; t < count; t++) {
        const long double *matrix = R + kernels[t] * n * n;
        long double q = 0.0L;
        for (int64_t a = 0; a < n; a++)
            for (int64_t b = 0; b < n; b++) q += c[a] * matrix[b * n + a] * c[b];
        norms += rls2_model_kernel_weight(model, t) * sqrtl(fmaxl(q, 0.0L));
    }
    double value = (double)(0.5L * fit + 0.5L * point->lambda * norms * norms);
    /* (sum d_k sqrt q_k)^2 <= sum d_k q_k, equal where all q_k are, that is at the optimum */
    if (!(value <= point->objective * (1.0 + 1e-9)) || !(value >= point->objective * (1.0 - 1e-6)))
        fail_msg("lambda %g: %.12g, reported %.12g", point->lambda, value, point->objective);
    free(parts);
    rls2_model_free(model);
}

static void path_fit__random_problems__objective_is_the_squared_group_lasso(void **state)
{
    (void)state;
    const double lambdas[] = {100.0, 1.0, 0.05, 1e-3, 1e-5};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 20 + (int64_t)seed, 4);
        problem_add_random(&problem, &random, 12);
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.gap_tol = 1e-9;
        fitted_path fitted = fit(&problem, NULL, 5, lambdas, &options);
        long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
        double *y = centred(fitted.path, problem.n, problem.y);
        for (int64_t i = 0; i < 5; i++)
            if (problem.given_count == 0) assert_identity(&problem, &fitted, i, R, y);
        free(R);
        free(y);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* ---- brute force ---- */

typedef struct search {
    const plain_problem *problem;
    const long double *R;
    const double *y;
    double lambda;
    long double best;
    double at[3];
} search;

static void look_at(search *it, double first, double second)
{
    double d[3] = {first, second, 1.0 - first - second};
    if (it->problem->m == 2) d[1] = 1.0 - first;
    for (int64_t k = 0; k < it->problem->m; k++)
        if (d[k] < 0.0) return;
    long double value = plain_objective(it->problem, it->R, it->y, it->lambda, d);
    if (value >= it->best) return;
    it->best = value;
    for (int64_t k = 0; k < it->problem->m; k++) it->at[k] = d[k];
}

/* The whole simplex on a grid, then ever smaller grids around the best point so far. */
static void search_everywhere(search *it)
{
    enum { STEPS = 20, ROUNDS = 25 };
    int planar = it->problem->m == 3;
    it->best = INFINITY;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= (planar ? STEPS - i : 0); j++)
            look_at(it, (double)i / STEPS, (double)j / STEPS);
    double width = 1.0 / STEPS;
    for (int round = 0; round < ROUNDS; round++, width *= 0.5) {
        double first = it->at[0], second = it->at[1];
        for (int i = -2; i <= 2; i++)
            for (int j = planar ? -2 : 0; j <= (planar ? 2 : 0); j++) {
                double u = fmin(fmax(first + 0.5 * width * i, 0.0), 1.0);
                double v = fmin(fmax(second + 0.5 * width * j, 0.0), 1.0 - u);
                look_at(it, u, v);
            }
    }
}

static void assert_minimal(int64_t m, uint64_t seed)
{
    const double lambdas[] = {10.0, 0.3, 0.01};
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, 8 + (int64_t)(seed % 5), 3);
    problem_add_random(&problem, &random, m);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-9;
    fitted_path fitted = fit(&problem, NULL, 3, lambdas, &options);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    double *y = centred(fitted.path, problem.n, problem.y);
    for (int64_t i = 0; i < 3; i++) {
        search it = {.problem = &problem, .R = R, .y = y, .lambda = lambdas[i]};
        double objective = rls2_path_at(fitted.path, i)->objective;
        search_everywhere(&it);
        if (!(it.best >= objective * (1.0 - 1e-8)) || !(it.best <= objective * (1.0 + 1e-6)))
            fail_msg("seed %d, lambda %g: found %.12Lg, reported %.12g", (int)seed, lambdas[i],
                     it.best, objective);
    }
    free(R);
    free(y);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_fit__two_kernels__finds_the_minimum_on_the_segment(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) assert_minimal(2, seed);
}

static void path_fit__three_kernels__finds_the_minimum_on_the_triangle(void **state)
{
    (void)state;
    for (uint64_t seed = 101; seed <= 112; seed++) assert_minimal(3, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__random_problems__objective_is_the_squared_group_lasso),
        cmocka_unit_test(path_fit__two_kernels__finds_the_minimum_on_the_segment),
        cmocka_unit_test(path_fit__three_kernels__finds_the_minimum_on_the_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
