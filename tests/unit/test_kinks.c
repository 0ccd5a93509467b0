/* One kernel and a loss with kinks: both bounds computed from the rows, and that no matrix of all
 * rows was factorised for them. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 12, KINKED = 5, RULES = 3 };
static const rls2_loss LOSS[KINKED] = {{RLS2_LOSS_HINGE, 0.0},
                                       {RLS2_LOSS_QUANTILE, 0.3},
                                       {RLS2_LOSS_QUANTILE, 0.9},
                                       {RLS2_LOSS_EPSILON, 0.2},
                                       {RLS2_LOSS_ABSOLUTE, 0.0}};
static const rls2_intercept EVERY_RULE[RULES] = {RLS2_INTERCEPT_NONE, RLS2_INTERCEPT_MEAN,
                                                 RLS2_INTERCEPT_FREE};

typedef struct setting {
    plain_problem problem;
    double *w; /* n, or NULL */
    rls2_path_options options;
    rls2_basis_options basis;
    double lambdas[COUNT];
} setting;

static setting setting_create(int64_t n, rls2_loss loss, rls2_intercept rule, int weighted)
{
    setting it = {0};
    rls2_error err;
    rls2__random random;
    rls2__random_seed(&random, 3 + (uint64_t)n);
    it.problem = problem_create(&random, n, 3);
    problem_add(&it.problem, RBF, 0.5, 0.0, -1);
    double *y = plain_responses(loss, n, it.problem.y);
    free(it.problem.y);
    it.problem.y = y;
    rls2_basis_options_init(&it.basis, sizeof it.basis);
    if (weighted) {
        it.w = numbers(n);
        for (int64_t i = 0; i < n; i++) it.w[i] = 0.5 + 2.0 * rls2__random_uniform(&random);
    }
    rls2_path_options_init(&it.options, sizeof it.options);
    it.options.loss = loss;
    it.options.intercept = rule;
    it.options.gap_tol = 1e-9;
    assert_ok(rls2_lambda_grid(1e-3, 3.0, COUNT, it.lambdas, &err), &err);
    return it;
}

static fitted_path fit_setting(setting *it)
{
    it->basis.row_weights = it->w;
    return fit(&it->problem, &it->basis, COUNT, it->lambdas, &it->options);
}

static void setting_free(setting *it)
{
    problem_free(&it->problem);
    free(it->w);
}

/* Returns how many factorisations there were. */
static int64_t check_bounds(const setting *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    long double *R = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    int64_t factorizations = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        double *d = dense_weights(fitted->path, i, problem->m);
        plain_bounds at = plain_loss_bounds(problem, R, it->options.loss, problem->y, it->w,
                                            point->lambda, d, rls2_path_c(fitted->path, i),
                                            rls2_path_intercept_at(fitted->path, i));
        long double gap = (at.primal - at.dual) / at.primal;
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
        assert_true(point->gap >= 0.0 && point->gap <= it->options.gap_tol);
        assert_true(fabsl(at.primal - point->objective) <= 1e-11L * at.primal);
        assert_true(gap <= point->gap * (1.0L + 1e-6L) + 1e-13L);
        factorizations += point->factorizations;
        free(d);
    }
    free(R);
    return factorizations;
}

static void path_fit__one_kernel_and_kinks__bounds_without_a_factorisation(void **state)
{
    (void)state;
    for (int64_t n = 30; n <= 90; n += 60)
        for (int k = 0; k < KINKED; k++)
            for (int rule = 0; rule < RULES; rule++)
                for (int weighted = 0; weighted < 2; weighted++) {
                    setting it = setting_create(n, LOSS[k], EVERY_RULE[rule], weighted);
                    fitted_path fitted = fit_setting(&it);
                    assert_int_equal(check_bounds(&it, &fitted), 0);
                    fitted_free(&fitted);
                    setting_free(&it);
                }
}

/* Rows that are repeated cannot all be at kinks that their factor is made of. */
static void path_fit__repeated_rows__bounds_hold(void **state)
{
    (void)state;
    for (int k = 0; k < KINKED; k++) {
        setting it = setting_create(60, LOSS[k], RLS2_INTERCEPT_FREE, 0);
        plain_problem *problem = &it.problem;
        for (int64_t i = 1; i < problem->n; i += 2) {
            for (int64_t j = 0; j < problem->p; j++)
                problem->x[j * problem->n + i] = problem->x[j * problem->n + i - 1];
            if (i % 4 == 1) problem->y[i] = problem->y[i - 1];
        }
        fitted_path fitted = fit_setting(&it);
        check_bounds(&it, &fitted);
        fitted_free(&fitted);
        setting_free(&it);
    }
}

static void path_fit__one_class_is_rare__bounds_hold(void **state)
{
    (void)state;
    setting it = setting_create(80, LOSS[0], RLS2_INTERCEPT_FREE, 0);
    for (int64_t i = 0; i < it.problem.n; i++) it.problem.y[i] = i % 20 == 0 ? 1.0 : -1.0;
    fitted_path fitted = fit_setting(&it);
    check_bounds(&it, &fitted);
    fitted_free(&fitted);
    setting_free(&it);
}

static void path_fit__twice__same_bits(void **state)
{
    (void)state;
    setting it = setting_create(60, LOSS[3], RLS2_INTERCEPT_FREE, 0);
    fitted_path whole = fit_setting(&it), same = fit_setting(&it);
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *a = rls2_path_at(whole.path, i), *b = rls2_path_at(same.path, i);
        assert_true(a->objective == b->objective && a->gap == b->gap);
    }
    fitted_free(&whole);
    fitted_free(&same);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__one_kernel_and_kinks__bounds_without_a_factorisation),
        cmocka_unit_test(path_fit__repeated_rows__bounds_hold),
        cmocka_unit_test(path_fit__one_class_is_rare__bounds_hold),
        cmocka_unit_test(path_fit__twice__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
