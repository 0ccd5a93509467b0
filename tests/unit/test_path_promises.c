/* What a path promises whatever it is asked for, in small cases in which breaking it could be
 * overlooked. */
#include <math.h>

#include "rls2/path.h"
#include "solver/pricing.h"
#include "solver/system.h"
#include "support/unit_support.h"
#include "support/one_output.h"

enum { N = 30 };

typedef struct problem {
    double *x, *y;
    unit_fixture f;
} problem;

static problem problem_of(const char *spec, const rls2_basis_options *options)
{
    problem it = {.x = unit_normal(1, 2 * N), .y = unit_normal(2, N)};
    rls2_rows rows = {.n = N, .p = 2, .x = it.x};
    it.f = unit_fixture_create(spec, &rows, options);
    return it;
}

static void problem_free(problem *it)
{
    unit_fixture_free(&it->f);
    free(it->x);
    free(it->y);
}

static rls2_path *fit(const problem *it, int64_t count, const double *lambdas,
                      const rls2_path_options *options)
{
    rls2_error err;
    rls2_path *path = NULL;
    if (fit_one(it->f.basis, it->y, count, lambdas, options, &path, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return path;
}

static void path_fit__lambdas_in_any_order__is_the_descending_path(void **state)
{
    (void)state;
    static const double down[] = {1.0, 0.1, 0.01}, mixed[] = {0.01, 1.0, 0.1};
    problem it = problem_of("rbf(0.1|1); rbf(1)@each", NULL);
    rls2_path *a = fit(&it, 3, down, NULL), *b = fit(&it, 3, mixed, NULL);
    for (int64_t i = 0; i < 3; i++) {
        assert_true(rls2_path_at(a, i)->lambda == down[i] && rls2_path_at(b, i)->lambda == down[i]);
        assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), N * sizeof(double));
    }
    rls2_path_free(a);
    rls2_path_free(b);
    problem_free(&it);
}

/* Of y = 1 with weight 3 and y = 5 with weight 1. */
static void path_fit__weights_of_rows__intercept_is_the_weighted_mean(void **state)
{
    (void)state;
    const double lambda = 1.0;
    double weights[N];
    for (int i = 0; i < N; i++) weights[i] = i % 2 ? 1.0 : 3.0;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = weights;
    problem it = problem_of("rbf(1)", &options);
    for (int i = 0; i < N; i++) it.y[i] = i % 2 ? 5.0 : 1.0;
    rls2_path *path = fit(&it, 1, &lambda, NULL);
    assert_near(rls2_path_intercept(path), 2.0, 1e-15);
    rls2_path_free(path);
    problem_free(&it);
}

/* At a lambda that needs no others on the way. */
static void path_fit__max_iter__is_the_most_iterations(void **state)
{
    (void)state;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    problem it = problem_of("rbf(0.1:10:6)@each; rbf(0.1:10:6)", NULL);
    const double lambda = 0.2 * it.f.basis->ops[0].norm;
    options.gap_tol = 1e-14;
    for (options.max_iter = 1; options.max_iter <= 2; options.max_iter++) {
        rls2_path *path = fit(&it, 1, &lambda, &options);
        assert_int_equal(rls2_path_at(path, 0)->outcome, RLS2_OUTCOME_MAX_ITER);
        assert_int_equal(rls2_path_at(path, 0)->iterations, options.max_iter);
        rls2_path_free(path);
    }
    problem_free(&it);
}

/* Without anything to learn every kernel is as good, but for those that were left out. */
static void path_fit__response_of_zeros__selects_a_kernel_that_is_there(void **state)
{
    (void)state;
    static const rls2_solver solvers[] = {RLS2_SOLVER_NEWTON, RLS2_SOLVER_ALTERNATE};
    const double lambda = 1.0;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    rls2_path_options how;
    rls2_path_options_init(&how, sizeof how);
    double *x = unit_normal(3, 2 * N), y[N] = {0.0};
    for (int i = 0; i < N; i++) x[N + i] = 1.0; /* a constant column has no scaling */
    options.center = 1;
    options.skip_degenerate = 1;
    rls2_rows rows = {.n = N, .p = 2, .x = x};
    unit_fixture f = unit_fixture_create("rbf(1)@x1; linear@x2", &rows, &options);
    for (int i = 0; i < 2; i++) {
        rls2_error err;
        rls2_path *path = NULL;
        const int64_t *ks;
        how.solver = solvers[i];
        assert_int_equal(fit_one(f.basis, y, 1, &lambda, &how, &path, &err), RLS2_OK);
        assert_int_equal(rls2_path_kernel_weights(path, 0, &ks, NULL), 1);
        assert_int_equal(ks[0], 0);
        rls2_path_free(path);
    }
    unit_fixture_free(&f);
    free(x);
}

/* Of two active kernels one is exact and the other a factor: both have the largest q, and that of
 * the factor may be larger by all it leaves out, however little it weighs. */
static void path_fit__factor_that_leaves_something_out__counts_it_into_the_gap(void **state)
{
    (void)state;
    static const double lambdas[] = {0.1, 0.03};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.rank_tol = 1e-3;
    problem it = problem_of("linear@x1; rbf(0.05)@x2", &options);
    for (int i = 0; i < N; i++) it.y[i] = it.x[i] + it.x[N + i];
    rls2_path *path = fit(&it, 2, lambdas, NULL);
    const rls2__operator *op = &it.f.basis->ops[1];
    assert_true(op->factor && op->slack > 1e-6 * op->trace);
    for (int64_t i = 0; i < 2; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        const double *d;
        double squares = unit_inner(N, rls2_path_c(path, i), rls2_path_c(path, i));
        assert_int_equal(rls2_path_kernel_weights(path, i, NULL, &d), 2);
        assert_true(d[1] < 0.8);
        assert_at_most(0.5 * point->lambda * op->slack * squares / point->objective,
                       point->gap * (1.0 + 1e-9));
    }
    rls2_path_free(path);
    problem_free(&it);
}

/* c so large that q is a difference of infinities. */
static void pricer_run__value_that_is_no_number__is_never_small(void **state)
{
    (void)state;
    problem it = problem_of("rbf(0.01|1); rbf(1)@each", NULL);
    int64_t m = it.f.basis->m;
    unsigned char *skip = calloc((size_t)m, 1);
    rls2__pricer pricer;
    double c[N], computed, bounded;
    for (int i = 0; i < N; i++) c[i] = i % 2 ? 1e200 : -1e200;
    assert_non_null(skip);
    assert_int_equal(rls2__pricer_create(unit_alone(), it.f.basis, &pricer), RLS2_OK);
    rls2__pricer_run(&pricer, c, -1.0, skip);
    for (int64_t k = 0; k < m; k++) assert_true(isinf(pricer.q[k]));
    rls2__pricer_largest(&pricer, 1.0, &computed, &bounded);
    assert_true(isinf(computed) && isinf(bounded));
    rls2__pricer_free(&pricer);
    free(skip);
    problem_free(&it);
}

/* A matrix that rounding has made a little indefinite: its factor is that of a shifted one, and c
 * is corrected from its residual. y is nothing along the direction that was lost. */
static void system_solve__factor_of_a_shifted_matrix__is_corrected(void **state)
{
    (void)state;
    problem it = problem_of("rbf(1)", NULL);
    rls2__system system;
    double y[N] = {1.0, 1.0}, c[N];
    assert_int_equal(rls2__system_create(unit_alone(), it.f.basis, 0, &system), RLS2_OK);
    memset(system.R, 0, (size_t)(N * N) * sizeof *system.R);
    for (int i = 0; i < N; i++) system.R[i * N + i] = i == 0 ? 1.0 : 1e-8;
    system.R[N * N - 1] = -1e-18;
    assert_int_equal(rls2__system_factorize(&system, 1e-25), RLS2_OK);
    assert_true(system.jitter > 0.0);
    rls2__system_solve(&system, y, c);
    assert_near(c[0], 1.0, 1e-15);
    assert_near(c[1], 1e8, 1e-6);
    rls2__system_free(&system);
    problem_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__lambdas_in_any_order__is_the_descending_path),
        cmocka_unit_test(path_fit__weights_of_rows__intercept_is_the_weighted_mean),
        cmocka_unit_test(path_fit__max_iter__is_the_most_iterations),
        cmocka_unit_test(path_fit__response_of_zeros__selects_a_kernel_that_is_there),
        cmocka_unit_test(path_fit__factor_that_leaves_something_out__counts_it_into_the_gap),
        cmocka_unit_test(pricer_run__value_that_is_no_number__is_never_small),
        cmocka_unit_test(system_solve__factor_of_a_shifted_matrix__is_corrected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
