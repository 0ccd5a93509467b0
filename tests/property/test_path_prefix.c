/* A point of a path depends on the lambdas above it alone: the path of the largest few is the
 * beginning of the path of all, to the bit, wherever degrees of freedom are asked for. A model is
 * then the same whether the path goes on below it or not. */
#include "support/random_case.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_same_point(int64_t n, const rls2_path *a, int64_t i, const rls2_path *b,
                              int64_t j)
{
    const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, j);
    const int64_t *ku, *kv;
    const double *du, *dv;
    int64_t count = rls2_path_kernel_weights(a, i, &ku, &du);
    assert_int_equal(count, rls2_path_kernel_weights(b, j, &kv, &dv));
    assert_memory_equal(ku, kv, (size_t)count * sizeof *ku);
    assert_memory_equal(du, dv, (size_t)count * sizeof *du);
    assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, j), (size_t)n * sizeof(double));
    assert_true(u->lambda == v->lambda && u->objective == v->objective && u->gap == v->gap);
    assert_int_equal(u->iterations, v->iterations);
    assert_int_equal(u->outcome, v->outcome);
}

/* The path over the largest `count` lambdas, df at the last of them. */
static void check_prefix(const random_case *it, const fitted_path *whole, int64_t count)
{
    rls2_error err;
    rls2_path *path = NULL;
    double above[LAMBDAS] = {0};
    rls2_path_options options = it->path;
    for (int64_t i = 0; i < count; i++) above[i] = rls2_path_at(whole->path, i)->lambda;
    options.degrees_of_freedom = RLS2_DF_LAST;
    assert_ok(fit_one(whole->basis, it->problem.y, count, above, &options, &path, &err), &err);
    assert_int_equal(rls2_path_count(path), count);
    for (int64_t i = 0; i < count; i++) {
        assert_same_point(it->problem.n, path, i, whole->path, i);
        if (i < count - 1) assert_true(isnan(rls2_path_at(path, i)->df));
    }
    double df = rls2_path_at(path, count - 1)->df,
           before = rls2_path_at(whole->path, count - 1)->df;
    if (it->path.degrees_of_freedom) assert_true(df == before || (isnan(df) && isnan(before)));
    rls2_path_free(path);
}

static void check_case(const random_case *it, const fitted_path *whole)
{
    for (int64_t count = 1; count <= LAMBDAS; count += it->seed % 4 ? LAMBDAS - 3 : 1)
        check_prefix(it, whole, count);
}

static void path_fit__the_largest_lambdas_alone__same_points_to_the_bit(void **state)
{
    (void)state;
    for_all_cases(check_case);
}

/* Paths of thirty lambdas, where steps are warm and few. */
static void check_grid(const char *what, plain_problem *problem, rls2_solver solver)
{
    enum { COUNT = 30 };
    double lambdas[COUNT];
    rls2_error err;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = solver;
    options.degrees_of_freedom = RLS2_DF_EACH;
    assert_ok(rls2_lambda_grid(1e-5, 10.0, COUNT, lambdas, &err), &err);
    fitted_path whole = fit(problem, NULL, COUNT, lambdas, &options);
    for (int64_t count = 1; count <= COUNT; count += 7) {
        rls2_path *path = NULL;
        options.degrees_of_freedom = RLS2_DF_LAST;
        assert_ok(fit_one(whole.basis, problem->y, count, lambdas, &options, &path, &err), &err);
        for (int64_t i = 0; i < count; i++) assert_same_point(problem->n, path, i, whole.path, i);
        if (rls2_path_at(path, count - 1)->df != rls2_path_at(whole.path, count - 1)->df)
            fail_msg("%s: df of point %d differs", what, (int)count);
        rls2_path_free(path);
    }
    fitted_free(&whole);
}

static void path_fit__both_solvers_and_linear_kernels__prefix_is_the_same(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 5);
    plain_problem mixed = problem_create(&random, 60, 5), linear = problem_create(&random, 60, 20);
    problem_add_linear(&mixed);
    for (int64_t j = 0; j < 5; j++) problem_add(&mixed, RBF, 0.3, 0.0, j);
    problem_add(&mixed, RBF, 0.1, 0.0, -1);
    problem_add_linear(&linear);
    check_grid("mixed", &mixed, RLS2_SOLVER_NEWTON);
    check_grid("alternate", &mixed, RLS2_SOLVER_ALTERNATE);
    check_grid("linear", &linear, RLS2_SOLVER_NEWTON);
    problem_free(&mixed);
    problem_free(&linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__the_largest_lambdas_alone__same_points_to_the_bit),
        cmocka_unit_test(path_fit__both_solvers_and_linear_kernels__prefix_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
