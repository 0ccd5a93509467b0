/* Kernels of one column with losses that bend: the conditions of the minimum and both bounds,
 * computed from rows and coefficients. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 12, LOSS_COUNT = 5, RULES = 3, SHAPES = 3 };
static const rls2_loss BENT[LOSS_COUNT] = {{RLS2_LOSS_SQUARE, 0.0},
                                           {RLS2_LOSS_LOGISTIC, 0.0},
                                           {RLS2_LOSS_SQUARED_HINGE, 0.0},
                                           {RLS2_LOSS_HUBER, 0.5},
                                           {RLS2_LOSS_POISSON, 0.0}};
static const rls2_intercept EVERY_RULE[RULES] = {RLS2_INTERCEPT_NONE, RLS2_INTERCEPT_MEAN,
                                                 RLS2_INTERCEPT_FREE};
/* Few columns, more than rows, and some that are sums of others. */
typedef struct shape {
    int64_t n, p;
    int dependent;
} shape;
static const shape EVERY_SHAPE[SHAPES] = {{60, 8, 0}, {25, 70, 0}, {40, 12, 1}};

typedef struct setting {
    plain_problem problem;
    double *w; /* n, or NULL */
    rls2_path_options options;
    double lambdas[COUNT];
    fitted_path fitted;
} setting;

static void make_dependent(plain_problem *problem)
{
    double *x = problem->x;
    int64_t n = problem->n;
    for (int64_t i = 0; i < n; i++) {
        x[3 * n + i] = 2.0 * x[n + i];
        x[5 * n + i] = x[i] - x[4 * n + i];
        x[7 * n + i] = x[2 * n + i] + 1.5;
    }
}

static setting setting_create(const shape *of, rls2_loss loss, rls2_intercept rule, int weighted)
{
    setting it = {0};
    rls2_error err;
    rls2__random random;
    rls2_basis_options basis;
    rls2__random_seed(&random, 5 + (uint64_t)of->p);
    it.problem = problem_create(&random, of->n, of->p);
    if (of->dependent) make_dependent(&it.problem);
    problem_add_linear(&it.problem);
    double *y = plain_responses(loss, of->n, it.problem.y);
    free(it.problem.y);
    it.problem.y = y;
    rls2_basis_options_init(&basis, sizeof basis);
    if (weighted) {
        it.w = numbers(of->n);
        for (int64_t i = 0; i < of->n; i++) it.w[i] = 0.5 + 2.0 * rls2__random_uniform(&random);
        basis.row_weights = it.w;
    }
    rls2_path_options_init(&it.options, sizeof it.options);
    it.options.loss = loss;
    it.options.intercept = rule;
    it.options.gap_tol = 1e-10;
    assert_ok(rls2_lambda_grid(1e-3, 10.0, COUNT, it.lambdas, &err), &err);
    it.fitted = fit(&it.problem, &basis, COUNT, it.lambdas, &it.options);
    return it;
}

static void setting_free(setting *it)
{
    fitted_free(&it->fitted);
    problem_free(&it->problem);
    free(it->w);
}

static void for_all_settings(void (*check)(const setting *it))
{
    for (int s = 0; s < SHAPES; s++)
        for (int k = 0; k < LOSS_COUNT; k++)
            for (int rule = 0; rule < RULES; rule++)
                for (int weighted = 0; weighted < 2; weighted++) {
                    setting it =
                        setting_create(&EVERY_SHAPE[s], BENT[k], EVERY_RULE[rule], weighted);
                    check(&it);
                    setting_free(&it);
                }
}

/* ---- bounds ---- */

static void check_bounds(const setting *it)
{
    const plain_problem *problem = &it->problem;
    const rls2_path *path = it->fitted.path;
    long double *R = plain_matrices(problem, rls2_basis_scales(it->fitted.basis));
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        double *d = dense_weights(path, i, problem->m);
        plain_bounds at =
            plain_loss_bounds(problem, R, it->options.loss, problem->y, it->w, point->lambda, d,
                              rls2_path_c(path, i), rls2_path_intercept_at(path, i));
        long double gap = (at.primal - at.dual) / at.primal;
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
        assert_true(point->gap >= 0.0 && point->gap <= it->options.gap_tol);
        assert_true(fabsl(at.primal - point->objective) <= 1e-11L * at.primal);
        assert_true(gap <= point->gap * (1.0L + 1e-6L) + 1e-13L);
        free(d);
    }
    free(R);
}

static void path_fit__columns_and_bent_losses__gap_is_that_of_its_definition(void **state)
{
    (void)state;
    for_all_settings(check_bounds);
}

/* ---- the conditions of the minimum ---- */

static double slope_of(rls2_loss loss, double y, double t)
{
    switch (loss.kind) {
    case RLS2_LOSS_LOGISTIC: return -y / (1.0 + exp(y * t));
    case RLS2_LOSS_SQUARED_HINGE: return -y * fmax(1.0 - y * t, 0.0);
    case RLS2_LOSS_HUBER: return fmin(fmax(t - y, -loss.parameter), loss.parameter);
    case RLS2_LOSS_POISSON: return exp(t) - y;
    default: return t - y;
    }
}

/* Coefficients of sqrt(s_k) x_k: d_k sqrt(s_k) x_k'c; returns the sum of their sizes. */
static double find_coefficients(const setting *it, int64_t i, double *a)
{
    const plain_problem *problem = &it->problem;
    const double *s = rls2_basis_scales(it->fitted.basis), *c = rls2_path_c(it->fitted.path, i);
    double *d = dense_weights(it->fitted.path, i, problem->m), sum = 0.0;
    for (int64_t k = 0; k < problem->p; k++) {
        a[k] = 0.0;
        for (int64_t j = 0; j < problem->n; j++)
            a[k] += d[k] * sqrt(s[k]) * problem->x[k * problem->n + j] * c[j];
        sum += fabs(a[k]);
    }
    free(d);
    return sum;
}

static void check_conditions(const setting *it)
{
    enum { ROOM = 80 };
    const plain_problem *problem = &it->problem;
    const double *s = rls2_basis_scales(it->fitted.basis);
    for (int64_t i = 0; i < COUNT; i++) {
        double a[ROOM], slopes[ROOM], sum = 0.0, size = 0.0;
        double bar = it->lambdas[i] * find_coefficients(it, i, a);
        for (int64_t j = 0; j < problem->n; j++) {
            double t = rls2_path_intercept_at(it->fitted.path, i);
            for (int64_t k = 0; k < problem->p; k++)
                t += a[k] * sqrt(s[k]) * problem->x[k * problem->n + j];
            slopes[j] = (it->w ? it->w[j] : 1.0) * slope_of(it->options.loss, problem->y[j], t);
            sum += slopes[j];
            size += fabs(slopes[j]);
        }
        if (it->options.intercept == RLS2_INTERCEPT_FREE) assert_true(fabs(sum) <= 1e-4 * size);
        for (int64_t k = 0; k < problem->p; k++) {
            double along = 0.0;
            for (int64_t j = 0; j < problem->n; j++)
                along += sqrt(s[k]) * problem->x[k * problem->n + j] * slopes[j];
            double off = 1e-3 * bar + 1e-5 * size;
            if (fabs(a[k]) > 1e-3 * bar / it->lambdas[i])
                assert_true(fabs(along + copysign(bar, a[k])) <= off);
            assert_true(fabs(along) <= bar + off);
        }
    }
}

static void path_fit__columns_and_bent_losses__conditions_hold(void **state)
{
    (void)state;
    for_all_settings(check_conditions);
}

/* ---- what it is for ---- */

/* Few steps, most of them with the factor that is there. */
static void path_fit__logistic_columns__fewer_factors_than_lambdas(void **state)
{
    (void)state;
    enum { MANY = 60 };
    int64_t total = 0, steps = 0;
    rls2_error err;
    double lambdas[MANY];
    setting it = setting_create(&EVERY_SHAPE[0], BENT[1], RLS2_INTERCEPT_FREE, 0);
    fitted_free(&it.fitted);
    it.options.degrees_of_freedom = RLS2_DF_NONE;
    assert_ok(rls2_lambda_grid(1e-2, 10.0, MANY, lambdas, &err), &err);
    it.fitted = fit(&it.problem, NULL, MANY, lambdas, &it.options);
    for (int64_t i = 0; i < MANY; i++) {
        total += rls2_path_at(it.fitted.path, i)->factorizations;
        steps += rls2_path_at(it.fitted.path, i)->iterations;
    }
    assert_true(total > 0 && total < MANY);
    assert_true(steps < 4 * MANY);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__columns_and_bent_losses__gap_is_that_of_its_definition),
        cmocka_unit_test(path_fit__columns_and_bent_losses__conditions_hold),
        cmocka_unit_test(path_fit__logistic_columns__fewer_factors_than_lambdas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
