/* Linear RLS2 is a weighted Lasso.
 *
 * At lambda it minimises 1/2 |y - Xa|^2 + lambda/2 (sum_k |a_k| / sqrt s_k)^2, so its
 * coefficients also minimise 1/2 |y - Xa|^2 + t sum_k |a_k| / sqrt s_k for
 * t = lambda sum_k |a_k| / sqrt s_k. The Lasso below knows nothing of kernels:
 * coordinate descent, run until its own duality gap is 1e-14. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>

typedef struct lasso {
    int64_t n, p;
    const double *x, *y;
    double t;
    const double *weight; /* of |a_k| */
    double *a, *rest;     /* solution and y - Xa */
} lasso;

static double column_product(const lasso *it, int64_t k, const double *v)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < it->n; i++) sum += (long double)it->x[k * it->n + i] * v[i];
    return (double)sum;
}

static void update_coordinate(lasso *it, int64_t k)
{
    const double *x = it->x + k * it->n;
    double square = column_product(it, k, x);
    double pull = column_product(it, k, it->rest) + square * it->a[k], bar = it->t * it->weight[k];
    double next = pull > bar ? (pull - bar) / square : pull < -bar ? (pull + bar) / square : 0.0;
    for (int64_t i = 0; i < it->n && next != it->a[k]; i++) it->rest[i] -= (next - it->a[k]) * x[i];
    it->a[k] = next;
}

/* The gap between the Lasso's objective and its dual at the scaled residual, relative. */
static double duality_gap(const lasso *it)
{
    long double primal = 0.0L, norm = 0.0L, dual = 0.0L;
    double steepest = 0.0;
    for (int64_t k = 0; k < it->p; k++) {
        steepest = fmax(steepest, fabs(column_product(it, k, it->rest)) / (it->t * it->weight[k]));
        norm += it->weight[k] * fabs(it->a[k]);
    }
    double scale = steepest > 1.0 ? 1.0 / steepest : 1.0;
    for (int64_t i = 0; i < it->n; i++) {
        long double theta = (long double)scale * it->rest[i];
        primal += 0.5L * it->rest[i] * it->rest[i];
        dual += theta * it->y[i] - 0.5L * theta * theta;
    }
    primal += it->t * norm;
    return (double)((primal - dual) / primal);
}

static void solve_lasso(lasso *it)
{
    enum { SWEEPS = 200000 };
    for (int64_t i = 0; i < it->n; i++) it->rest[i] = it->y[i];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int64_t k = 0; k < it->p; k++) update_coordinate(it, k);
        if (sweep % 10 == 9 && duality_gap(it) <= 1e-14) return;
    }
    if (!(duality_gap(it) <= 1e-12))
        fail_msg("the Lasso did not converge: gap %g", duality_gap(it));
}

/* Coefficients of RLS2 at each lambda against the Lasso at the t they imply. */
static void assert_is_lasso(const plain_problem *problem, int64_t count, const double *lambdas,
                            const rls2_basis_options *basis_options)
{
    int64_t n = problem->n, p = problem->p;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-13;
    fitted_path fitted = fit(problem, basis_options, count, lambdas, &options);
    double *y = centred(fitted.path, n, problem->y), *a = numbers(p), *weight = numbers(p);
    lasso it = {n, p, problem->x, y, 0.0, weight, numbers(p), numbers(n)};
    for (int64_t k = 0; k < p; k++) weight[k] = 1.0 / sqrt(rls2_basis_scales(fitted.basis)[k]);
    for (int64_t i = 0; i < count; i++) {
        rls2_error err;
        rls2_model *model = NULL;
        double norm = 0.0, size = 0.0, apart = 0.0;
        assert_true(rls2_path_at(fitted.path, i)->gap <= 1e-10); /* where rounding counts most */
        assert_ok(model_of_one(fitted.path, i, &model, &err), &err);
        assert_ok(rls2_model_coefficients(model, a, &err), &err);
        for (int64_t k = 0; k < p; k++) {
            norm += weight[k] * fabs(a[k]);
            it.a[k] = 0.0;
        }
        it.t = rls2_path_at(fitted.path, i)->lambda * norm;
        solve_lasso(&it);
        for (int64_t k = 0; k < p; k++) {
            size = fmax(size, weight[k] * fabs(it.a[k]));
            apart = fmax(apart, weight[k] * fabs(it.a[k] - a[k]));
        }
        assert_true(size > 0.0);
        if (!(apart <= 1e-6 * size))
            fail_msg("%d x %d, lambda %g: coefficients %g apart, of %g", (int)n, (int)p,
                     rls2_path_at(fitted.path, i)->lambda, apart, size);
        rls2_model_free(model);
    }
    free(y);
    free(a);
    free(weight);
    free(it.a);
    free(it.rest);
    fitted_free(&fitted);
}

static void model_coefficients__prostate__equal_the_weighted_lasso(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dataset *data = NULL;
    const double lambdas[] = {100.0, 10.0, 1.0, 0.3, 0.08859, 0.01, 1e-3};
    assert_ok(paper_set_load(paper_set_find("prostate"), "data", &data, &err), &err);
    data_split rows = split_rows(data, 0.7, 3);
    plain_problem problem = {.n = rows.n, .p = rows.p, .x = rows.x, .y = rows.y};
    problem_add_linear(&problem);
    assert_is_lasso(&problem, 7, lambdas, NULL);
    split_free(&rows);
    rls2_dataset_free(data);
}

static void assert_random_is_lasso(int64_t n, int64_t p, uint64_t seeds,
                                   const rls2_basis_options *options)
{
    const double lambdas[] = {10.0, 1.0, 0.1, 0.01};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, n, p);
        for (int64_t j = 0; j < p; j++) /* columns of different size */
            for (int64_t i = 0; i < n; i++) problem.x[j * n + i] *= 1.0 + (double)(j % 5);
        problem_add_linear(&problem);
        assert_is_lasso(&problem, 4, lambdas, options);
        problem_free(&problem);
    }
}

static void model_coefficients__more_rows_than_columns__equal_the_weighted_lasso(void **state)
{
    (void)state;
    assert_random_is_lasso(50, 12, 5, NULL);
}

static void model_coefficients__more_columns_than_rows__equal_the_weighted_lasso(void **state)
{
    (void)state;
    assert_random_is_lasso(30, 200, 3, NULL);
}

/* Scalings of 1: the plain Lasso. */
static void model_coefficients__without_scaling__equal_the_lasso(void **state)
{
    (void)state;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_NONE;
    assert_random_is_lasso(40, 15, 3, &options);
    assert_random_is_lasso(20, 60, 3, &options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_coefficients__prostate__equal_the_weighted_lasso),
        cmocka_unit_test(model_coefficients__more_rows_than_columns__equal_the_weighted_lasso),
        cmocka_unit_test(model_coefficients__more_columns_than_rows__equal_the_weighted_lasso),
        cmocka_unit_test(model_coefficients__without_scaling__equal_the_lasso),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
