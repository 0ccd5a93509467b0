/* What must hold of the path of any loss: bounds on either side of the minimum, computed a second
 * time by definition; rows that are repeated; free intercepts; threads; paths in parts. */
#include "support/plain_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/threads.h"
#include "solver/path_run.h"
#include "support/control.h"
#include "support/one_output.h"

enum { ROWS = 40, COLUMNS = 4, COUNT = 8, RULES = 3 };
static const rls2_intercept EVERY_RULE[RULES] = {RLS2_INTERCEPT_NONE, RLS2_INTERCEPT_MEAN,
                                                 RLS2_INTERCEPT_FREE};

typedef struct setting {
    plain_problem problem; /* its y as the loss takes it */
    rls2_path_options options;
    rls2__random random;
    double lambdas[COUNT];
} setting;

static setting setting_create(rls2_loss loss, rls2_intercept intercept, int64_t n, uint64_t seed)
{
    setting it;
    rls2_error err;
    rls2__random_seed(&it.random, seed);
    it.problem = problem_create(&it.random, n, COLUMNS);
    problem_add_linear(&it.problem);
    for (int64_t j = 0; j < COLUMNS; j++) problem_add(&it.problem, RBF, 0.3, 0.0, j);
    problem_add(&it.problem, POLY, 2.0, 1.0, -1);
    problem_add(&it.problem, RBF, 0.1, 0.0, -1);
    double *y = plain_responses(loss, n, it.problem.y);
    free(it.problem.y);
    it.problem.y = y;
    rls2_path_options_init(&it.options, sizeof it.options);
    it.options.loss = loss;
    it.options.intercept = intercept;
    assert_ok(rls2_lambda_grid(1e-3, 3.0, COUNT, it.lambdas, &err), &err);
    return it;
}

static fitted_path fit_setting(const setting *it)
{
    return fit(&it->problem, NULL, COUNT, it->lambdas, &it->options);
}

static void for_all_settings(void (*check)(setting *it, const fitted_path *fitted))
{
    for (int k = 0; k < LOSSES; k++)
        for (int rule = 0; rule < RULES; rule++) {
            setting it = setting_create(EVERY_LOSS[k], EVERY_RULE[rule], ROWS, 31 + (uint64_t)k);
            fitted_path fitted = fit_setting(&it);
            check(&it, &fitted);
            fitted_free(&fitted);
            problem_free(&it.problem);
        }
}

/* ---- bounds ---- */

static void check_bounds(setting *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    long double *R = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        double *d = dense_weights(fitted->path, i, problem->m);
        plain_bounds at = plain_loss_bounds(problem, R, it->options.loss, problem->y, NULL,
                                            point->lambda, d, rls2_path_c(fitted->path, i),
                                            rls2_path_intercept_at(fitted->path, i));
        long double gap = (at.primal - at.dual) / at.primal;
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
        assert_true(point->gap >= 0.0 && point->gap <= it->options.gap_tol);
        assert_true(fabsl(at.primal - point->objective) <= 1e-11L * at.primal);
        /* the point's own gap covers rounding, and is not far above */
        assert_true(gap <= point->gap * (1.0L + 1e-6L) + 1e-13L);
        assert_true(point->gap <= 1.1L * gap + 1e-10L);
        free(d);
    }
    free(R);
}

static void path_fit__every_loss__gap_is_that_of_its_definition(void **state)
{
    (void)state;
    for_all_settings(check_bounds);
}

/* ---- certificates ---- */

static rls2_certificate certify(const setting *it, const fitted_path *fitted, int64_t i,
                                const double *c, double b)
{
    rls2_certificate got;
    rls2_error err;
    const rls2_rows rows = problem_rows(&it->problem);
    double *d = dense_weights(fitted->path, i, it->problem.m);
    assert_ok(rls2_certify_loss(fitted->dictionary, &rows, rls2_basis_scales(fitted->basis), NULL,
                                it->problem.y, it->options.loss, b,
                                it->options.intercept == RLS2_INTERCEPT_FREE, it->lambdas[i], d, c,
                                NULL, &got, sizeof got, &err),
              &err);
    free(d);
    return got;
}

static void check_certificates(setting *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    long double *R = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    for (int64_t i = 0; i < COUNT; i++) {
        rls2_certificate of_path;
        rls2_error err;
        const double *c = rls2_path_c(fitted->path, i);
        double *d = dense_weights(fitted->path, i, problem->m);
        double b = rls2_path_intercept_at(fitted->path, i);
        assert_ok(rls2_path_certify(fitted->path, i, &of_path, sizeof of_path, &err), &err);
        rls2_certificate got = certify(it, fitted, i, c, b);
        plain_bounds at = plain_loss_bounds(problem, R, it->options.loss, problem->y, NULL,
                                            it->lambdas[i], d, c, b);
        assert_true(fabsl(got.primal - at.primal) <= 1e-12L * at.primal);
        assert_true(fabsl(got.dual - at.dual) <= 1e-11L * at.primal);
        assert_true(got.relative_gap >= 0.0 && got.relative_gap <= it->options.gap_tol);
        assert_true(fabs(got.gap - (got.primal - got.dual)) <= 1e-10 * got.primal);
        /* the square loss of y less a fixed intercept is the old certificate: another sum */
        assert_true(fabs(of_path.gap - got.gap) <= 1e-12 * got.primal);
        assert_int_equal(of_path.max_kernel, got.max_kernel);
        free(d);
    }
    free(R);
}

static void path_certify__every_loss__is_the_bound_by_definition(void **state)
{
    (void)state;
    for_all_settings(check_certificates);
}

/* Twice the multipliers are outside the domain of a loss whose slopes are bounded, and a c that is
 * not balanced bounds nothing where the intercept is free. */
static void check_refusals(setting *it, const fitted_path *fitted)
{
    rls2_loss_kind kind = it->options.loss.kind;
    int unbounded = kind == RLS2_LOSS_SQUARE || kind == RLS2_LOSS_SQUARED_HINGE;
    int is_free = it->options.intercept == RLS2_INTERCEPT_FREE;
    double *c = numbers(ROWS), b = rls2_path_intercept_at(fitted->path, 0);
    for (int64_t j = 0; j < ROWS; j++) c[j] = 50.0 * rls2_path_c(fitted->path, 0)[j];
    rls2_certificate got = certify(it, fitted, 0, c, b);
    assert_true(isfinite(got.primal) && isinf(got.relative_gap) == !unbounded);
    if (!unbounded) assert_true(got.dual == -HUGE_VAL && got.gap == HUGE_VAL);
    memcpy(c, rls2_path_c(fitted->path, 0), ROWS * sizeof *c);
    for (int64_t j = 0; j < ROWS; j++) c[j] *= j % 2 ? 0.9 : 0.7;
    got = certify(it, fitted, 0, c, b);
    assert_true(isinf(got.relative_gap) == is_free);
    if (!is_free)
        assert_true(got.relative_gap > it->options.gap_tol); /* a bound, but a worse one */
    free(c);
}

static void certify_loss__c_that_bounds_nothing__is_infinite(void **state)
{
    (void)state;
    for_all_settings(check_refusals);
}

static void certify_loss__what_is_no_response__is_refused(void **state)
{
    (void)state;
    setting it = setting_create(EVERY_LOSS[0], RLS2_INTERCEPT_FREE, ROWS, 3);
    fitted_path fitted = fit_setting(&it);
    const rls2_rows rows = problem_rows(&it.problem);
    double *d = dense_weights(fitted.path, 0, it.problem.m);
    rls2_certificate got = {.gap = -1.0};
    const struct {
        rls2_loss loss;
        double b;
        rls2_status status;
    } cases[] = {{EVERY_LOSS[1], 0.0, RLS2_ERR_VALUE},
                 {{RLS2_LOSS_QUANTILE, 2.0}, 0.0, RLS2_ERR_VALUE},
                 {EVERY_LOSS[0], NAN, RLS2_ERR_VALUE},
                 {{(rls2_loss_kind)77, 0.0}, 0.0, RLS2_ERR_ARGUMENT}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(
            rls2_certify_loss(fitted.dictionary, &rows, rls2_basis_scales(fitted.basis), NULL,
                              it.problem.y, cases[k].loss, cases[k].b, 1, 1.0, d,
                              rls2_path_c(fitted.path, 0), NULL, &got, sizeof got, NULL),
            cases[k].status);
        assert_true(got.gap == -1.0);
    }
    free(d);
    fitted_free(&fitted);
    problem_free(&it.problem);
}

/* ---- other points ---- */

static void random_simplex(rls2__random *random, int64_t m, double *d)
{
    double sum = 0.0;
    for (int64_t k = 0; k < m; k++) sum += d[k] = -log(1.0 - rls2__random_uniform(random));
    for (int64_t k = 0; k < m; k++) d[k] /= sum;
}

/* A point near the solution, or far from it: its value is above the bound that the path proves. */
static void check_other_points(setting *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    int64_t n = problem->n, m = problem->m;
    long double *R = plain_matrices(problem, rls2_basis_scales(fitted->basis));
    double *c = numbers(n), *d = numbers(m);
    for (int64_t i = 0; i < COUNT; i++)
        for (int round = 0; round < 6; round++) {
            const rls2_path_point *point = rls2_path_at(fitted->path, i);
            double *own = dense_weights(fitted->path, i, m), far = pow(10.0, -round);
            double b = rls2_path_intercept_at(fitted->path, i), value = 0.0, fc = 0.0;
            random_simplex(&it->random, m, d);
            for (int64_t k = 0; k < m; k++) d[k] = (1.0 - far) * own[k] + far * d[k];
            for (int64_t j = 0; j < n; j++)
                c[j] = rls2_path_c(fitted->path, i)[j] *
                       (1.0 + far * rls2__random_normal(&it->random));
            if (it->options.intercept == RLS2_INTERCEPT_FREE)
                b += far * rls2__random_normal(&it->random);
            long double *combined = plain_combination(problem, R, d);
            for (int64_t j = 0; j < n; j++) {
                long double f = 0.0L;
                for (int64_t t = 0; t < n; t++) f += combined[t * n + j] * c[t];
                value += (double)plain_loss(it->options.loss, problem->y[j], f + b);
                fc += (double)f * c[j];
            }
            value += 0.5 * point->lambda * fc;
            assert_true(value >= point->objective * (1.0 - point->gap) * (1.0 - 1e-12));
            free(combined);
            free(own);
        }
    free(c);
    free(d);
    free(R);
}

static void path_fit__every_loss__no_other_point_is_below_its_bound(void **state)
{
    (void)state;
    for_all_settings(check_other_points);
}

/* ---- intercepts ---- */

static void check_balance(setting *it, const fitted_path *fitted)
{
    for (int64_t i = 0; i < COUNT; i++) {
        const double *c = rls2_path_c(fitted->path, i);
        double sum = 0.0, size = 0.0;
        for (int64_t j = 0; j < ROWS; j++) {
            sum += c[j];
            size += fabs(c[j]);
        }
        if (it->options.intercept == RLS2_INTERCEPT_FREE)
            assert_true(fabs(sum) <= 1e-11 * size);
        else
            assert_true(rls2_path_intercept_at(fitted->path, i) ==
                        rls2_path_intercept(fitted->path));
        if (it->options.intercept == RLS2_INTERCEPT_NONE)
            assert_true(rls2_path_intercept_at(fitted->path, i) == 0.0);
    }
}

static void path_fit__free_intercept__c_is_balanced(void **state)
{
    (void)state;
    for_all_settings(check_balance);
}

/* What is free is never worse than what is fixed. */
static void path_fit__free_intercept__is_no_worse_than_a_fixed_one(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++) {
        fitted_path fitted[RULES];
        setting it;
        for (int rule = 0; rule < RULES; rule++) {
            it = setting_create(EVERY_LOSS[k], EVERY_RULE[rule], ROWS, 7);
            fitted[rule] = fit_setting(&it);
            problem_free(&it.problem);
        }
        for (int64_t i = 0; i < COUNT; i++)
            for (int rule = 0; rule < RULES - 1; rule++) {
                double fixed = rls2_path_at(fitted[rule].path, i)->objective;
                const rls2_path_point *best = rls2_path_at(fitted[RULES - 1].path, i);
                assert_true(best->objective * (1.0 - best->gap) <= fixed * (1.0 + 1e-12));
            }
        for (int rule = 0; rule < RULES; rule++) fitted_free(&fitted[rule]);
    }
}

/* ---- weights of rows ---- */

/* Row i once more for each unit of its weight above 1. */
static plain_problem repeat_rows(const plain_problem *problem, const double *w, int64_t total)
{
    plain_problem result = *problem;
    result.n = total;
    result.x = numbers(total * problem->p);
    result.y = numbers(total);
    int64_t at = 0;
    for (int64_t i = 0; i < problem->n; i++)
        for (int copy = 0; copy < (int)w[i]; copy++, at++) {
            result.y[at] = problem->y[i];
            for (int64_t j = 0; j < problem->p; j++)
                result.x[j * total + at] = problem->x[j * problem->n + i];
        }
    assert_int_equal(at, total);
    return result;
}

static void path_fit__row_weights__are_repeated_rows(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++)
        for (int rule = 0; rule < RULES; rule++) {
            setting it = setting_create(EVERY_LOSS[k], EVERY_RULE[rule], ROWS, 11);
            double w[ROWS];
            int64_t total = 0;
            for (int i = 0; i < ROWS; i++) total += (int64_t)(w[i] = 1.0 + i % 3);
            rls2_basis_options options;
            rls2_basis_options_init(&options, sizeof options);
            options.scaling = RLS2_SCALING_NONE;
            options.row_weights = w;
            fitted_path weighted = fit(&it.problem, &options, COUNT, it.lambdas, &it.options);
            options.row_weights = NULL;
            plain_problem longer = repeat_rows(&it.problem, w, total);
            fitted_path repeated = fit(&longer, &options, COUNT, it.lambdas, &it.options);
            for (int64_t i = 0; i < COUNT; i++) {
                const rls2_path_point *a = rls2_path_at(weighted.path, i);
                const rls2_path_point *b = rls2_path_at(repeated.path, i);
                assert_true(a->gap <= 1e-6 && b->gap <= 1e-6);
                assert_true(fabs(a->objective - b->objective) <= 1.1e-6 * a->objective);
                rls2_certificate got;
                rls2_error err;
                assert_ok(rls2_path_certify(weighted.path, i, &got, sizeof got, &err), &err);
                assert_true(got.relative_gap <= 1e-6);
                assert_true(fabs(got.primal - a->objective) <= 1e-11 * a->objective);
            }
            fitted_free(&weighted);
            fitted_free(&repeated);
            problem_free(&longer);
            problem_free(&it.problem);
        }
}

/* ---- bits ---- */

static void assert_same_bits(int64_t n, int64_t count, const rls2_path *a, const rls2_path *b)
{
    for (int64_t i = 0; i < count; i++) {
        const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, i);
        assert_true(u->lambda == v->lambda && u->objective == v->objective && u->gap == v->gap);
        assert_int_equal(u->iterations, v->iterations);
        assert_int_equal(u->factorizations, v->factorizations);
        assert_true(rls2_path_intercept_at(a, i) == rls2_path_intercept_at(b, i));
        assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), (size_t)n * sizeof(double));
    }
}

/* Rows enough for their matrices to be cut into tiles. */
static void path_fit__four_threads__same_bits_as_one(void **state)
{
    (void)state;
    enum { MANY = 1030, FEW = 2 };
    const int which[] = {1, 5}; /* logistic, quantile */
    for (int k = 0; k < 2; k++) {
        setting it = setting_create(EVERY_LOSS[which[k]], RLS2_INTERCEPT_FREE, MANY, 13);
        const double lambdas[FEW] = {10.0, 1.0};
        rls2_path *paths[2];
        rls2_error err;
        it.options.gap_tol = 1e-3;
        it.problem.m = COLUMNS + 1; /* those that are cheap, and one that has no factor */
        it.problem.kernels[COLUMNS] = (plain_kernel){LAPLACE, 0.5, 0.0, -1};
        fitted_path fitted = fit(&it.problem, NULL, FEW, lambdas, &it.options);
        for (int threads = 0; threads < 2; threads++)
            assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){fitted.basis}, it.problem.y, FEW,
                                    lambdas, &it.options, ON_THREADS(threads ? 4 : 1),
                                    &paths[threads], &err),
                      &err);
        assert_same_bits(MANY, FEW, paths[0], paths[1]);
        for (int threads = 0; threads < 2; threads++) rls2_path_free(paths[threads]);
        fitted_free(&fitted);
        problem_free(&it.problem);
    }
}

/* ---- in parts ---- */

static rls2_path *begin(const setting *it, const rls2_basis *basis, int64_t count)
{
    rls2_path *path = NULL;
    rls2_error err;
    assert_ok(rls2__path_run(basis, it->problem.y, count, it->lambdas, &it->options, ON_THREADS(1),
                             NULL, &path, &err),
              &err);
    return path;
}

static void go_on(const setting *it, rls2_path *path, const rls2_control *control)
{
    rls2_error err;
    int64_t had = rls2_path_count(path);
    assert_ok(
        rls2__path_extend(path, COUNT - had, it->lambdas + had, &it->options, control, NULL, &err),
        &err);
}

static void check_parts(setting *it, const fitted_path *whole)
{
    rls2_error err;
    assert_ok(rls2__la_enter(&err), &err);
    rls2_path *path = begin(it, whole->basis, 3);
    go_on(it, path, ON_THREADS(1));
    assert_same_bits(ROWS, COUNT, path, whole->path);
    rls2_path_free(path);
    /* closed in between, it goes on from its last point */
    path = begin(it, whole->basis, 3);
    rls2__path_close(path);
    go_on(it, path, ON_THREADS(1));
    assert_same_bits(ROWS, 3, path, whole->path);
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *u = rls2_path_at(path, i), *v = rls2_path_at(whole->path, i);
        assert_true(u->gap <= it->options.gap_tol);
        assert_true(fabs(u->objective - v->objective) <= 1.1e-6 * v->objective);
    }
    rls2_path_free(path);
    rls2__la_leave();
}

static void path_extend__every_loss__same_points_as_at_once(void **state)
{
    (void)state;
    for_all_settings(check_parts);
}

typedef struct patience {
    int asked, limit;
} patience;

static int stop_after(void *user, const rls2_progress *progress)
{
    patience *left = user;
    (void)progress;
    return ++left->asked > left->limit;
}

/* Stopped anywhere, what is finished is that of a path that was not stopped. */
static void check_stopped(setting *it, const fitted_path *whole)
{
    rls2_error err;
    for (int limit = 0; limit < 24; limit += 7) {
        patience left = {0, limit};
        rls2_path *path = NULL;
        assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){whole->basis}, it->problem.y, COUNT,
                                it->lambdas, &it->options, WATCHED_BY(stop_after, &left, 1), &path,
                                &err),
                  &err);
        int64_t had = rls2_path_count(path);
        assert_true(rls2_path_cancelled(path) == (had < COUNT));
        if (limit == 0) assert_true(had < COUNT);
        assert_same_bits(ROWS, had, path, whole->path);
        rls2_path_free(path);
    }
}

static void path_fit__stopped__keeps_what_is_finished(void **state)
{
    (void)state;
    for_all_settings(check_stopped);
}

/* ---- odd problems ---- */

/* One row, all labels alike, responses that are all the same: nothing is an error, no gap a lie. */
static void path_fit__odd_responses__gap_holds(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++)
        for (int rule = 0; rule < RULES; rule++)
            for (int64_t n = 1; n <= 3; n += 2) {
                setting it = setting_create(EVERY_LOSS[k], EVERY_RULE[rule], n, 5);
                for (int64_t i = 0; i < n; i++) it.problem.y[i] = 1.0;
                rls2_basis_options options;
                rls2_basis_options_init(&options, sizeof options);
                options.scaling = RLS2_SCALING_NONE;
                fitted_path fitted = fit(&it.problem, &options, COUNT, it.lambdas, &it.options);
                for (int64_t i = 0; i < COUNT; i++) {
                    const rls2_path_point *point = rls2_path_at(fitted.path, i);
                    assert_true(point->gap >= 0.0 && isfinite(point->objective));
                }
                fitted_free(&fitted);
                problem_free(&it.problem);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__every_loss__gap_is_that_of_its_definition),
        cmocka_unit_test(path_certify__every_loss__is_the_bound_by_definition),
        cmocka_unit_test(certify_loss__c_that_bounds_nothing__is_infinite),
        cmocka_unit_test(certify_loss__what_is_no_response__is_refused),
        cmocka_unit_test(path_fit__every_loss__no_other_point_is_below_its_bound),
        cmocka_unit_test(path_fit__free_intercept__c_is_balanced),
        cmocka_unit_test(path_fit__free_intercept__is_no_worse_than_a_fixed_one),
        cmocka_unit_test(path_fit__row_weights__are_repeated_rows),
        cmocka_unit_test(path_fit__four_threads__same_bits_as_one),
        cmocka_unit_test(path_extend__every_loss__same_points_as_at_once),
        cmocka_unit_test(path_fit__stopped__keeps_what_is_finished),
        cmocka_unit_test(path_fit__odd_responses__gap_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
