/* Criteria of the points of a path, against their definitions: rows left out one by one, traces of
 * inverses, all in long double and from kernel functions. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/prostate.h"

enum { LAMBDAS = 4, POINTS = 40 };
static const double lambdas[LAMBDAS] = {10.0, 0.3, 1e-2, 1e-4};

static void assert_close(double value, long double expected, double tolerance, const char *what)
{
    if (!(fabsl(value - expected) <= tolerance * fabsl(expected)))
        fail_msg("%s is %.17g, expected %.17Lg", what, value, expected);
}

static long double *long_numbers(int64_t count)
{
    long double *x = calloc((size_t)(count > 0 ? count : 1), sizeof *x);
    assert_non_null(x);
    return x;
}

/* ---- the definitions ---- */

/* A point of a path, as the definitions see it. */
typedef struct plain_point {
    int64_t n;
    double lambda;
    double *y; /* less the intercept */
    const double *c;
    long double *R;
} plain_point;

static plain_point point_create(const plain_problem *problem, const fitted_path *fitted, int64_t i)
{
    double *d = dense_weights(fitted->path, i, problem->m);
    long double *all = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    plain_point point = {problem->n, rls2_path_at(fitted->path, i)->lambda,
                         centred(fitted->path, problem->n, problem->y),
                         rls2_path_c(fitted->path, i), plain_combination(problem, all, d)};
    free(all);
    free(d);
    return point;
}

static void point_free(plain_point *point)
{
    free(point->y);
    free(point->R);
}

/* y_i less what the other rows say about row i. */
static long double miss_of(const plain_point *point, int64_t out)
{
    int64_t n = point->n, less = n - 1;
    long double *A = long_numbers(less * less), *b = long_numbers(less), miss = point->y[out];
    for (int64_t j = 0; j < less; j++) {
        int64_t from = j + (j >= out);
        b[j] = point->y[from];
        for (int64_t i = 0; i < less; i++) A[j * less + i] = point->R[from * n + i + (i >= out)];
        A[j * less + j] += point->lambda;
    }
    plain_solve(less, A, b);
    for (int64_t j = 0; j < less; j++) miss -= point->R[(j + (j >= out)) * n + out] * b[j];
    free(A);
    free(b);
    return miss;
}

static long double plain_loo(const plain_point *point)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < point->n; i++) {
        long double miss = miss_of(point, i);
        sum += miss * miss;
    }
    return sum / (long double)point->n;
}

static long double plain_rss(const plain_point *point)
{
    int64_t n = point->n;
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) {
        long double error = point->y[i];
        for (int64_t j = 0; j < n; j++) error -= point->R[j * n + i] * point->c[j];
        sum += error * error;
    }
    return sum;
}

/* [R (R + lambda I)^-1]_ii: column i of R, solved for, at i. */
static long double plain_leverage(const plain_point *point, int64_t i)
{
    int64_t n = point->n;
    long double *A = long_numbers(n * n), *b = long_numbers(n);
    memcpy(A, point->R, (size_t)(n * n) * sizeof *A);
    memcpy(b, point->R + i * n, (size_t)n * sizeof *b);
    for (int64_t j = 0; j < n; j++) A[j * n + j] += point->lambda;
    plain_solve(n, A, b);
    long double leverage = b[i];
    free(A);
    free(b);
    return leverage;
}

static long double plain_df(const plain_point *point)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < point->n; i++) sum += plain_leverage(point, i);
    return sum;
}

/* ---- problems ---- */

/* The first column in coarse steps, so that delta finds equal values. */
static plain_problem coarse_problem(uint64_t seed, int64_t n)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, n, 3);
    for (int64_t i = 0; i < n; i++) problem.x[i] = floor(2.0 * problem.x[i]) / 2.0;
    return problem;
}

/* ZZ' of the first two columns and 1 on the diagonal. */
static void add_given_matrix(plain_problem *problem)
{
    int64_t n = problem->n;
    double *K = numbers(n * n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            K[j * n + i] = problem->x[i] * problem->x[j] + problem->x[n + i] * problem->x[n + j] +
                           (i == j ? 1.0 : 0.0);
    problem_add(problem, GIVEN, 0.0, 0.0, problem->given_count);
    problem->given[problem->given_count++] = K;
}

/* Nothing but kernels of this kind, so that some of it is selected. */
static void add_kind(plain_problem *problem, kernel_kind kind)
{
    if (kind == GIVEN) {
        add_given_matrix(problem);
        return;
    }
    double a = kind == POLY ? 2.0 : kind == MATERN ? 1.5 : 0.5;
    for (int64_t column = kind == SPLINE ? 0 : -1; column < problem->p; column++)
        problem_add(problem, kind, a, 1.0, column);
}

typedef void check_points(const plain_problem *problem, const fitted_path *fitted,
                          const rls2_criteria *criteria);

static void check_path(const plain_problem *problem, const rls2_path_options *options,
                       check_points *check)
{
    rls2_error err;
    rls2_criteria criteria[LAMBDAS];
    fitted_path fitted = fit(problem, NULL, LAMBDAS, lambdas, options);
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    check(problem, &fitted, criteria);
    fitted_free(&fitted);
}

/* Both solvers, the second loosely; and with no triangle remembered. */
static void check_solvers(const plain_problem *problem, check_points *check)
{
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    check_path(problem, &options, check);
    options.memory = 0;
    check_path(problem, &options, check);
    options.solver = RLS2_SOLVER_ALTERNATE;
    options.delta = 0.3;
    check_path(problem, &options, check);
}

static void check_problems(check_points *check)
{
    for (int kind = LINEAR; kind <= GIVEN; kind++) {
        plain_problem problem = coarse_problem(100 + (uint64_t)kind, 14);
        add_kind(&problem, (kernel_kind)kind);
        check_solvers(&problem, check);
        problem_free(&problem);
    }
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rls2__random random;
        plain_problem problem = coarse_problem(seed, 12 + (int64_t)(seed % 9));
        rls2__random_seed(&random, seed);
        problem_add_random(&problem, &random, 10);
        check_solvers(&problem, check);
        problem_free(&problem);
    }
}

/* ---- against the definitions ---- */

static void check_loo(const plain_problem *problem, const fitted_path *fitted,
                      const rls2_criteria *criteria)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        plain_point point = point_create(problem, fitted, i);
        assert_close(criteria[i].loo, plain_loo(&point), 1e-8, "loo");
        point_free(&point);
    }
}

static void path_criteria__loo__is_that_of_rows_left_out_one_by_one(void **state)
{
    (void)state;
    check_problems(check_loo);
}

static void check_definitions(const plain_problem *problem, const fitted_path *fitted,
                              const rls2_criteria *criteria)
{
    long double n = (long double)problem->n, variance = -1.0L;
    for (int64_t i = LAMBDAS - 1; i >= 0 && variance < 0.0L;
         i--) { /* the smallest lambda that is modest */
        plain_point point = point_create(problem, fitted, i);
        long double df = plain_df(&point);
        if (df <= n / 2.0L) variance = plain_rss(&point) / (n - df);
        point_free(&point);
    }
    for (int64_t i = LAMBDAS - 1; i >= 0; i--) {
        plain_point point = point_create(problem, fitted, i);
        long double df = plain_df(&point), rss = plain_rss(&point), fitting = n * logl(rss / n);
        assert_close(criteria[i].df, df, 1e-8, "df");
        assert_true(criteria[i].df >= 0.0 && criteria[i].df <= (double)n);
        assert_close(criteria[i].rss, rss, 1e-8, "rss");
        assert_close(criteria[i].gcv, rss / n / powl(1.0L - df / n, 2.0L), 1e-8, "gcv");
        if (variance < 0.0L)
            assert_true(isnan(criteria[i].cp));
        else
            assert_close(criteria[i].cp, rss / n + 2.0L * variance * df / n, 1e-8, "cp");
        if (n - df - 1.0L > 1e-3L)
            assert_close(criteria[i].aic - (double)fitting, 2.0L * df * n / (n - df - 1.0L), 1e-6,
                         "aic");
        else
            assert_true(n - df - 1.0L > 0.0L || isnan(criteria[i].aic));
        if (df <= n / 2.0L)
            assert_true(fabsl(criteria[i].bic - (fitting + logl(n) * df)) <= 1e-7L);
        else
            assert_true(isnan(criteria[i].bic));
        point_free(&point);
    }
}

static void path_criteria__every_kind_of_kernel__is_as_defined(void **state)
{
    (void)state;
    check_problems(check_definitions);
}

static void path_criteria__path_with_degrees_of_freedom__has_the_same(void **state)
{
    (void)state;
    rls2_error err;
    rls2_criteria criteria[LAMBDAS];
    plain_problem problem = coarse_problem(7, 20);
    add_kind(&problem, RBF);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.degrees_of_freedom = RLS2_DF_EACH;
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, lambdas, &options);
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++)
        assert_close(criteria[i].df, rls2_path_at(fitted.path, i)->df, 1e-10, "df");
    fitted_free(&fitted);
    problem_free(&problem);
}

/* ---- gcv beside loo ---- */

/* loo divides each error by its own 1 - h_i, gcv all of them by the mean of these. */
static void check_spread(const plain_problem *problem, const fitted_path *fitted,
                         const rls2_criteria *criteria)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        plain_point point = point_create(problem, fitted, i);
        double least = 1.0, most = 0.0, mean = 0.0;
        for (int64_t j = 0; j < problem->n; j++) {
            double left = (double)(1.0L - plain_leverage(&point, j));
            least = fmin(least, left);
            most = fmax(most, left);
            mean += left / (double)problem->n;
        }
        assert_true(criteria[i].loo <= criteria[i].gcv * pow(mean / least, 2.0) * (1.0 + 1e-8));
        assert_true(criteria[i].loo >= criteria[i].gcv * pow(mean / most, 2.0) * (1.0 - 1e-8));
        point_free(&point);
    }
}

static void path_criteria__gcv__is_loo_up_to_the_spread_of_leverages(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 15, 3);
        problem_add_random(&problem, &random, 8);
        check_path(&problem, NULL, check_spread);
        problem_free(&problem);
    }
}

/* delta of distinct values: R is a multiple of I, and all leverages are equal. */
static plain_problem distinct_values(void)
{
    rls2__random random;
    rls2__random_seed(&random, 11);
    plain_problem problem = problem_create(&random, 16, 1);
    problem_add(&problem, DELTA, 0.0, 0.0, 0);
    return problem;
}

static void check_equal(const plain_problem *problem, const fitted_path *fitted,
                        const rls2_criteria *criteria)
{
    (void)fitted;
    double n = (double)problem->n;
    for (int64_t i = 0; i < LAMBDAS; i++) { /* R = I / n, since its trace is one */
        assert_close(criteria[i].df, n / (1.0 + n * lambdas[i]), 1e-12, "df");
        assert_close(criteria[i].gcv, criteria[i].loo, 1e-10, "gcv");
    }
}

static void path_criteria__equal_leverages__has_gcv_equal_to_loo(void **state)
{
    (void)state;
    plain_problem problem = distinct_values();
    check_path(&problem, NULL, check_equal);
    problem_free(&problem);
}

/* ---- the paper's data ---- */

static void path_criteria__prostate__gcv_selects_between_3_and_8_variables(void **state)
{
    (void)state;
    rls2_error err;
    rls2_criteria criteria[POINTS];
    double grid[POINTS];
    prostate_data data = {0};
    fitted_path fitted = {0};
    assert_ok(prostate_load("data", &data, &err), &err);
    rls2_columns columns = {.count = PROSTATE_INPUTS};
    rls2_rows rows = {.n = data.n_train, .p = PROSTATE_INPUTS, .x = data.x_train};
    assert_ok(rls2_lambda_grid(1e-4, 1e4, POINTS, grid, &err), &err);
    assert_ok(rls2_dictionary_create("linear", &columns, &fitted.dictionary, &err), &err);
    assert_ok(rls2_basis_create(fitted.dictionary, &rows, NULL, NULL, &fitted.basis, &err), &err);
    assert_ok(fit_one(fitted.basis, data.y_train, POINTS, grid, NULL, &fitted.path, &err), &err);
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    int64_t best = 0;
    for (int64_t i = 1; i < POINTS; i++) {
        if (criteria[i].gcv < criteria[best].gcv) best = i;
        assert_true(criteria[i].df >=
                    criteria[i - 1].df * (1.0 - 1e-6)); /* smaller lambda, more freedom */
        assert_true(criteria[i].df <= PROSTATE_INPUTS);
    }
    assert_in_range(rls2_path_at(fitted.path, best)->selected, 3, 8);
    assert_true(best > 0);
    fitted_free(&fitted);
    prostate_free(&data);
}

/* ---- corners ---- */

static int is_nan_or_finite(const rls2_criteria *at)
{
    return !isinf(at->df) && !isinf(at->rss) && !isinf(at->gcv) && !isinf(at->cp) &&
           !isinf(at->aic) && !isinf(at->bic) && !isinf(at->loo);
}

static void criteria_of(const plain_problem *problem, int64_t count, const double *at,
                        rls2_criteria *criteria)
{
    rls2_error err;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_NONE;
    fitted_path fitted = fit(problem, NULL, count, at, &options);
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    fitted_free(&fitted);
}

static void path_criteria__no_freedom_left__is_nan_but_for_cp_and_loo(void **state)
{
    (void)state;
    const double at[] = {1.0, 1e-3, 1e-13};
    rls2_criteria criteria[3];
    plain_problem problem = distinct_values();
    criteria_of(&problem, 3, at, criteria);
    double n = (double)problem.n, squares = 0.0;
    for (int64_t i = 0; i < problem.n; i++) squares += problem.y[i] * problem.y[i];
    assert_true(criteria[2].df > n - 1e-9 * n && criteria[2].df <= n);
    assert_true(isnan(criteria[2].gcv) && isnan(criteria[2].aic) && isnan(criteria[2].bic));
    assert_true(criteria[0].df <= n / 2.0 && criteria[1].df > n / 2.0 && isnan(criteria[1].bic));
    double variance = criteria[0].rss / (n - criteria[0].df);
    assert_close(criteria[2].cp, criteria[2].rss / n + 2.0 * variance * criteria[2].df / n, 1e-12,
                 "cp");
    assert_close(criteria[0].cp, criteria[0].rss / n + 2.0 * variance * criteria[0].df / n, 1e-12,
                 "cp");
    assert_close(criteria[2].loo, squares / n, 1e-10,
                 "loo"); /* the other rows say nothing about one */
    criteria_of(&problem, 1, at + 2, criteria);
    assert_true(isnan(criteria[0].cp));
    problem_free(&problem);
}

static void path_criteria__response_of_zeros__loses_nothing(void **state)
{
    (void)state;
    rls2_criteria criteria[LAMBDAS];
    plain_problem problem = coarse_problem(3, 12);
    memset(problem.y, 0, 12 * sizeof(double));
    add_kind(&problem, LINEAR);
    criteria_of(&problem, LAMBDAS, lambdas, criteria);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        assert_true(criteria[i].df > 0.0);
        assert_true(criteria[i].rss == 0.0 && criteria[i].gcv == 0.0 && criteria[i].cp == 0.0);
        assert_true(criteria[i].loo == 0.0);
        assert_true(isnan(criteria[i].aic) && isnan(criteria[i].bic)); /* the logarithm of 0 */
    }
    problem_free(&problem);
}

/* Without its only row nothing is known: the miss is y. */
static void path_criteria__one_row__is_in_closed_form(void **state)
{
    (void)state;
    const double at[] = {1e12, 2.0, 1e-6};
    double x[] = {2.0}, y[] = {3.0};
    rls2_criteria criteria[3];
    plain_problem problem = {.n = 1, .p = 1, .x = x, .y = y};
    problem_add(&problem, LINEAR, 0.0, 0.0, 0);
    criteria_of(&problem, 3, at, criteria);
    for (int64_t i = 0; i < 3; i++) {
        assert_close(criteria[i].df, 1.0 / (1.0 + at[i]), 1e-9, "df");
        assert_close(criteria[i].loo, 9.0, 1e-9, "loo");
        assert_close(criteria[i].gcv, 9.0, 1e-9, "gcv");
    }
}

/* A linear kernel of three columns has rank 3: lambda hardly matters any more. Below rounding c is
 * of the size of 1 / eps, and R c is known to one digit. */
static void path_criteria__lambda_below_rounding__tends_to_least_squares(void **state)
{
    (void)state;
    const double at[] = {1e-9, 1e-14, 1e-17, 1e-25, 1e-100};
    rls2_criteria criteria[5];
    plain_problem problem = coarse_problem(5, 16);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    criteria_of(&problem, 5, at, criteria);
    for (int64_t i = 0; i < 5; i++) {
        assert_close(criteria[i].df, 3.0L, i == 0 ? 1e-6 : 0.1, "df");
        assert_close(criteria[i].loo, criteria[0].loo, 0.25, "loo");
        assert_close(criteria[i].gcv, criteria[0].gcv, 0.25, "gcv");
    }
    problem_free(&problem);
}

static void path_criteria__lambda_at_which_c_overflows__is_nan_but_for_rss(void **state)
{
    (void)state;
    const double at[] = {1e300, 1.0, 1e-300};
    rls2_error err;
    plain_problem problem = coarse_problem(6, 20);
    for (int64_t i = 0; i < 20; i++) problem.y[i] *= 1e150;
    problem_add(&problem, LINEAR, 0.0, 0.0, 0);
    problem_add(&problem, RBF, 1.0, 0.0, 0);
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
        rls2_criteria criteria[3];
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.solver = (rls2_solver)solver;
        fitted_path fitted = fit(&problem, NULL, 3, at, &options);
        double *y = centred(fitted.path, 20, problem.y), squares = 0.0;
        for (int64_t i = 0; i < 20; i++) squares += y[i] * y[i];
        assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
        for (int64_t i = 0; i < 3; i++) {
            const double *c = rls2_path_c(fitted.path, i);
            int nothing = 1;
            for (int64_t j = 0; j < 20; j++) nothing &= c[j] == 0.0;
            assert_true(is_nan_or_finite(&criteria[i]));
            assert_int_equal(nothing, i == 2);
            assert_int_equal(isnan(criteria[i].df) != 0, nothing);
            assert_int_equal(isnan(criteria[i].gcv) != 0, nothing);
            assert_int_equal(isnan(criteria[i].cp) != 0, nothing);
            assert_int_equal(isnan(criteria[i].loo) != 0, nothing);
        }
        assert_close(criteria[2].rss, squares, 1e-12, "rss");
        assert_close(criteria[0].loo, squares / 20.0, 1e-9, "loo"); /* nothing is learned there */
        free(y);
        fitted_free(&fitted);
    }
    problem_free(&problem);
}

static void path_criteria__extreme_lambdas__is_finite_or_nan(void **state)
{
    (void)state;
    double grid[POINTS];
    rls2_error err;
    rls2_criteria criteria[POINTS];
    assert_ok(rls2_lambda_grid(1e-300, 1e300, POINTS, grid, &err), &err);
    for (int kind = LINEAR; kind <= GIVEN; kind++) {
        plain_problem problem = coarse_problem(200 + (uint64_t)kind, 12);
        add_kind(&problem, (kernel_kind)kind);
        criteria_of(&problem, POINTS, grid, criteria);
        for (int64_t i = 0; i < POINTS; i++) {
            assert_true(is_nan_or_finite(&criteria[i]));
            assert_false(criteria[i].df < 0.0 || criteria[i].df > 12.0);
            assert_false(criteria[i].gcv < 0.0 || criteria[i].loo < 0.0);
        }
        problem_free(&problem);
    }
}

/* ---- arguments ---- */

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void path_criteria__cancelled_path__writes_what_is_finished(void **state)
{
    (void)state;
    rls2_error err;
    rls2_criteria criteria[LAMBDAS], before;
    plain_problem problem = coarse_problem(8, 12);
    add_kind(&problem, RBF);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, lambdas, NULL);
    rls2_path_free(fitted.path);
    assert_ok(rls2_path_fit(1, (const rls2_basis *const *)&fitted.basis, problem.y, LAMBDAS,
                            lambdas, NULL, WATCHED_BY(stop_at_once, NULL, 1), &fitted.path, &err),
              &err);
    int64_t count = rls2_path_count(fitted.path);
    assert_true(count < LAMBDAS);
    memset(criteria, 0x5a, sizeof criteria);
    before = criteria[LAMBDAS - 1];
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++)
        assert_int_equal(memcmp(&criteria[i], &before, sizeof before) != 0, i < count);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_criteria__null__is_refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_criteria criteria[LAMBDAS];
    plain_problem problem = coarse_problem(9, 12);
    add_kind(&problem, LINEAR);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, lambdas, NULL);
    assert_int_equal(rls2_path_criteria(NULL, NULL, criteria, sizeof *criteria, &err),
                     RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument path is NULL");
    assert_int_equal(rls2_path_criteria(fitted.path, NULL, NULL, 1, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument criteria is NULL");
    assert_int_equal(rls2_path_criteria(NULL, NULL, NULL, 1, NULL), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, NULL),
                     RLS2_OK);
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_criteria__loo__is_that_of_rows_left_out_one_by_one),
        cmocka_unit_test(path_criteria__every_kind_of_kernel__is_as_defined),
        cmocka_unit_test(path_criteria__path_with_degrees_of_freedom__has_the_same),
        cmocka_unit_test(path_criteria__gcv__is_loo_up_to_the_spread_of_leverages),
        cmocka_unit_test(path_criteria__equal_leverages__has_gcv_equal_to_loo),
        cmocka_unit_test(path_criteria__prostate__gcv_selects_between_3_and_8_variables),
        cmocka_unit_test(path_criteria__no_freedom_left__is_nan_but_for_cp_and_loo),
        cmocka_unit_test(path_criteria__response_of_zeros__loses_nothing),
        cmocka_unit_test(path_criteria__one_row__is_in_closed_form),
        cmocka_unit_test(path_criteria__lambda_below_rounding__tends_to_least_squares),
        cmocka_unit_test(path_criteria__lambda_at_which_c_overflows__is_nan_but_for_rss),
        cmocka_unit_test(path_criteria__extreme_lambdas__is_finite_or_nan),
        cmocka_unit_test(path_criteria__cancelled_path__writes_what_is_finished),
        cmocka_unit_test(path_criteria__null__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
