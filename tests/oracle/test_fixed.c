/* Paths with given weights of as many rows as are solved for all lambdas together, against
 * elimination in long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/threads.h"
#include "solver/fixed.h"
#include "solver/shifts.h"
#include "support/control.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { N = 270, P = 3, LAMBDAS = 9, MOST_THREADS = 3 };
/* The last ones are below what is left to a factor that is refined, and then to rounding. */
static const double LAMBDA[LAMBDAS] = {10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11};
static const double ROUNDING = 1e-15; /* times trace / lambda: what c can be off */

static plain_problem make_problem(uint64_t seed, int low)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    problem_add(&problem, POLY, 3.0, 0.5, 0);
    problem_add(&problem, POLY, 2.0, 1.0, -1);
    if (low) return problem;
    problem_add(&problem, RBF, 3.0, 0.0, -1);
    problem_add(&problem, LAPLACE, 1.0, 0.0, -1);
    return problem;
}

static rls2_path *fit_fixed(const rls2_basis *basis, const double *y, const double *d,
                            const rls2_control *control)
{
    rls2_error err;
    rls2_path *path = NULL;
    rls2_path_options options;
    int64_t ks[MAX_KERNELS];
    for (int64_t k = 0; k < basis->m; k++) ks[k] = k;
    rls2_path_options_init(&options, sizeof options);
    assert_ok(rls2__path_fixed(basis, y, basis->m, ks, d, LAMBDAS, LAMBDA, &options, control, &path,
                               &err),
              &err);
    return path;
}

static long double largest(int64_t n, const long double *x)
{
    long double most = 0.0L;
    for (int64_t i = 0; i < n; i++) most = fmaxl(most, fabsl(x[i]));
    return most;
}

/* c of every point by elimination. */
static void assert_solved(const plain_problem *problem, const rls2_path *path, const long double *R,
                          const double *d)
{
    double *y = centred(path, N, problem->y);
    for (int64_t l = 0; l < LAMBDAS; l++) {
        const rls2_path_point *point = rls2_path_at(path, l);
        const double *c = rls2_path_c(path, l);
        long double *M = plain_combination(problem, R, d), b[N], miss[N], trace = 0.0L;
        for (int64_t i = 0; i < N; i++) {
            trace += M[i * N + i];
            M[i * N + i] += LAMBDA[l];
            b[i] = y[i];
        }
        plain_solve(N, M, b);
        for (int64_t i = 0; i < N; i++) miss[i] = b[i] - c[i];
        long double share = largest(N, miss) / largest(N, b);
        if (!(share <= 1e-12L + ROUNDING * trace / LAMBDA[l]))
            fail_msg("lambda %g: c is off by %Lg", LAMBDA[l], share);
        assert_true(point->lambda == LAMBDA[l]);
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
        free(M);
    }
    free(y);
}

static void assert_exact(int low)
{
    plain_problem problem = make_problem(11, low);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    double d[MAX_KERNELS];
    for (int64_t k = 0; k < problem.m; k++) d[k] = (double)(k + 1) / 30.0;
    rls2_path *path = fit_fixed(fitted.basis, problem.y, d, ON_THREADS(1));
    /* together: no factorisation; of the matrix itself those below 1e-9 of the trace have one */
    for (int64_t l = 0; l < LAMBDAS; l++)
        assert_int_equal(rls2_path_at(path, l)->factorizations > 0, !low && LAMBDA[l] < 1e-8);
    assert_solved(&problem, path, R, d);
    rls2_path_free(path);
    free(R);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* Five rows, of whom each comes 54 times with other responses: solved on rows that stand for
 * them. */
static void path_fixed__equal_rows__equals_elimination(void **state)
{
    (void)state;
    plain_problem problem = make_problem(14, 0);
    for (int64_t j = 0; j < P; j++)
        for (int64_t i = 0; i < N; i++) problem.x[j * N + i] = problem.x[j * N + i % 5];
    for (int64_t k = 0; k < 20; k++) problem_add(&problem, RBF, 0.1 * (double)(k + 1), 0.0, -1);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    double d[MAX_KERNELS];
    int64_t ks[MAX_KERNELS];
    for (int64_t k = 0; k < problem.m; k++) {
        d[k] = (double)(k + 1) / 400.0;
        ks[k] = k;
    }
    /* not so by their factors */
    assert_false(rls2__basis_is_low(fitted.basis, problem.m, ks));
    rls2_path *path = fit_fixed(fitted.basis, problem.y, d, ON_THREADS(1));
    assert_solved(&problem, path, R, d);
    rls2_path_free(path);
    free(R);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_fixed__many_rows__equals_elimination(void **state)
{
    (void)state;
    assert_exact(0);
}

static void path_fixed__factors_of_few_columns__equals_elimination(void **state)
{
    (void)state;
    assert_exact(1);
}

static void path_fixed__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    for (int low = 0; low < 2; low++) {
        plain_problem problem = make_problem(12, low);
        fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
        double d[MAX_KERNELS];
        for (int64_t k = 0; k < problem.m; k++) d[k] = 1.0 / (double)problem.m;
        rls2_path *one = fit_fixed(fitted.basis, problem.y, d, ON_THREADS(1));
        rls2_path *more = fit_fixed(fitted.basis, problem.y, d, ON_THREADS(MOST_THREADS));
        for (int64_t l = 0; l < LAMBDAS; l++)
            assert_memory_equal(rls2_path_c(one, l), rls2_path_c(more, l), N * sizeof(double));
        rls2_path_free(one);
        rls2_path_free(more);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

static int stop_after(void *user, const rls2_progress *progress)
{
    int64_t *left = user;
    (void)progress;
    return (*left)-- <= 0;
}

/* Wherever it is stopped there is no path, and it is not asked again. */
static void path_fixed__stopped_at_any_call__is_cancelled(void **state)
{
    (void)state;
    plain_problem problem = make_problem(13, 0);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    double d[MAX_KERNELS];
    int64_t ks[MAX_KERNELS], left;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    for (int64_t k = 0; k < problem.m; k++) {
        d[k] = 1.0 / (double)problem.m;
        ks[k] = k;
    }
    for (int64_t calls = 0; calls <= LAMBDAS; calls++) {
        rls2_error err;
        rls2_path *path = NULL;
        left = calls;
        assert_int_equal(rls2__path_fixed(fitted.basis, problem.y, problem.m, ks, d, LAMBDAS,
                                          LAMBDA, &options, WATCHED_BY(stop_after, &left, 1), &path,
                                          &err),
                         RLS2_ERR_CANCELLED);
        assert_null(path);
        assert_true(left == -1);
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

/* Each call of BLAS on one thread, as wherever the library calls it. */
static int set_up(void **state)
{
    int threads = MOST_THREADS;
    (void)state;
    if (rls2__la_enter_team(&threads, NULL) != RLS2_OK) return -1;
    return threads == MOST_THREADS ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rls2__la_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fixed__many_rows__equals_elimination),
        cmocka_unit_test(path_fixed__factors_of_few_columns__equals_elimination),
        cmocka_unit_test(path_fixed__equal_rows__equals_elimination),
        cmocka_unit_test(path_fixed__any_number_of_threads__same_bits),
        cmocka_unit_test(path_fixed__stopped_at_any_call__is_cancelled),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
