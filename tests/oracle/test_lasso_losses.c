/* With linear kernels of one column, logistic and Poisson paths are those of the l1-penalised
 * regression: at lambda the coefficients minimise  sum_i L(y_i, x_i'a + b) + t sum_k |a_k| / sqrt
 * s_k  for t = lambda sum_k |a_k| / sqrt s_k, b being free. The regression below knows nothing of
 * kernels: coordinate descent, one of Newton's steps at a time. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 60, COLUMNS = 5, COUNT = 5 };

typedef struct regression {
    const plain_problem *problem;
    rls2_loss loss;
    double weight[COLUMNS], t; /* of |a_k| */
    double a[COLUMNS], b;
} regression;

static double at_row(const regression *it, int i)
{
    double sum = it->b;
    for (int k = 0; k < COLUMNS; k++) sum += it->a[k] * it->problem->x[k * ROWS + i];
    return sum;
}

/* Slope and curvature of the sum of losses along column k, or along b where it is -1. */
static void look_along(const regression *it, int k, double *slope, double *curvature)
{
    *slope = *curvature = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double x = k < 0 ? 1.0 : it->problem->x[k * ROWS + i], t = at_row(it, i);
        double y = it->problem->y[i], odds = 1.0 / (1.0 + exp(-t));
        int counts = it->loss.kind == RLS2_LOSS_POISSON;
        *slope += x * (counts ? exp(t) - y : odds - 0.5 * (1.0 + y));
        *curvature += x * x * (counts ? exp(t) : odds * (1.0 - odds));
    }
}

static double value_of(const regression *it)
{
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++)
        sum += (double)plain_loss(it->loss, it->problem->y[i], at_row(it, i));
    for (int k = 0; k < COLUMNS; k++) sum += it->t * it->weight[k] * fabs(it->a[k]);
    return sum;
}

/* Newton's step along one coordinate with its threshold, halved until the value falls. */
static double update(regression *it, int k)
{
    double slope, curvature, *at = k < 0 ? &it->b : &it->a[k], before = *at;
    double bar = k < 0 ? 0.0 : it->t * it->weight[k], value = value_of(it);
    look_along(it, k, &slope, &curvature);
    double pull = curvature * before - slope;
    double next = pull > bar    ? (pull - bar) / curvature
                  : pull < -bar ? (pull + bar) / curvature
                                : 0;
    for (int round = 0; round < 40; round++, next = 0.5 * (next + before)) {
        *at = next;
        if (value_of(it) <= value) return fabs(next - before);
    }
    *at = before;
    return 0.0;
}

static void solve(regression *it)
{
    enum { SWEEPS = 5000 };
    for (int k = 0; k < COLUMNS; k++) it->a[k] = 0.0;
    it->b = 0.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = update(it, -1);
        for (int k = 0; k < COLUMNS; k++) moved = fmax(moved, update(it, k));
        if (moved <= 1e-12) return;
    }
}

static void check(rls2_loss loss)
{
    rls2__random random;
    rls2_error err;
    rls2_path_options options;
    double lambdas[COUNT];
    rls2__random_seed(&random, 17);
    plain_problem problem = problem_create(&random, ROWS, COLUMNS);
    problem_add_linear(&problem);
    double *y = plain_responses(loss, ROWS, problem.y);
    free(problem.y);
    problem.y = y;
    rls2_path_options_init(&options, sizeof options);
    options.loss = loss;
    options.intercept = RLS2_INTERCEPT_FREE;
    options.gap_tol = 1e-10;
    assert_ok(rls2_lambda_grid(1e-2, 10.0, COUNT, lambdas, &err), &err);
    fitted_path fitted = fit(&problem, NULL, COUNT, lambdas, &options);
    const double *s = rls2_basis_scales(fitted.basis);
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *point = rls2_path_at(fitted.path, i);
        double *d = dense_weights(fitted.path, i, COLUMNS), norm = 0.0, own[COLUMNS];
        const double *c = rls2_path_c(fitted.path, i);
        regression it = {.problem = &problem, .loss = loss};
        for (int k = 0; k < COLUMNS; k++) {
            own[k] = 0.0;
            it.weight[k] = 1.0 / sqrt(s[k]);
            for (int j = 0; j < ROWS; j++) own[k] += d[k] * s[k] * problem.x[k * ROWS + j] * c[j];
            norm += it.weight[k] * fabs(own[k]);
        }
        it.t = lambdas[i] * norm;
        solve(&it);
        double theirs = value_of(&it), reached = 0.0;
        for (int k = 0; k < COLUMNS; k++) reached += it.weight[k] * fabs(it.a[k]);
        theirs += 0.5 * lambdas[i] * reached * reached - it.t * reached;
        assert_true(point->gap <= 1e-10);
        assert_true(fabs(point->objective - theirs) <= 1e-9 * theirs);
        assert_true(fabs(rls2_path_intercept_at(fitted.path, i) - it.b) <= 1e-4);
        for (int k = 0; k < COLUMNS; k++) assert_true(fabs(own[k] - it.a[k]) <= 1e-4);
        free(d);
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_fit__logistic_linear_kernels__is_the_penalised_regression(void **state)
{
    (void)state;
    check((rls2_loss){RLS2_LOSS_LOGISTIC, 0.0});
}

static void path_fit__poisson_linear_kernels__is_the_penalised_regression(void **state)
{
    (void)state;
    check((rls2_loss){RLS2_LOSS_POISSON, 0.0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__logistic_linear_kernels__is_the_penalised_regression),
        cmocka_unit_test(path_fit__poisson_linear_kernels__is_the_penalised_regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
