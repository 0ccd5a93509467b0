/* What must hold on every problem, tried on a few hundred random ones: all kinds of
 * kernels and scalings, equal kernels, equal rows, constant columns, one row, one
 * kernel, responses of zeros or of one value, lambda from 1e-12 to 1e12. */
#include "support/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 400, LAMBDAS = 6, TEST_ROWS = 5 };

/* Below this share of the largest trace, c grows so large that rounding (and what
 * low-rank factors leave out) can be seen in the gap. */
static const double EXTREME = 1e-8;

/* ---- random cases ---- */

typedef struct random_case {
    uint64_t seed;
    plain_problem problem;
    double *labels;
    double *test;
    rls2_rows test_rows;
    rls2_basis_options basis;
    rls2_path_options path;
    double lambdas[LAMBDAS];
} random_case;

static void spoil_rows(random_case *it, rls2__random *random)
{
    static const double units[] = {1.0, 1.0, 1.0, 100.0, 0.01};
    plain_problem *problem = &it->problem;
    int64_t n = problem->n, p = problem->p;
    double unit = units[rls2__random_below(random, 5)];
    for (int64_t i = 0; i < n * p; i++) problem->x[i] *= unit;
    for (int64_t i = 0; i < TEST_ROWS * p; i++) it->test[i] = unit * rls2__random_normal(random);
    if (rls2__random_below(random, 5) == 0) /* every other row repeats the one before it */
        for (int64_t i = 1; i < n; i += 2)
            for (int64_t j = 0; j < p; j++) problem->x[j * n + i] = problem->x[j * n + i - 1];
    if (rls2__random_below(random, 5) == 0) {
        double constant = rls2__random_below(random, 2) ? 0.0 : 0.1;
        for (int64_t i = 0; i < n; i++) problem->x[i] = constant;
    }
}

static void draw_response(random_case *it, rls2__random *random)
{
    static const double units[] = {1.0, 1.0, 1e6, 1e-6};
    double *y = it->problem.y, unit = units[rls2__random_below(random, 4)];
    int64_t kind = rls2__random_below(random, 10);
    it->path.intercept = kind > 5 ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    for (int64_t i = 0; i < it->problem.n; i++) {
        if (kind == 0)
            y[i] = 0.0;
        else if (kind == 1)
            y[i] = 0.1 * unit;
        else if (kind > 5)
            y[i] = y[i] > 0.0 ? 1.0 : -1.0;
        else
            y[i] *= unit;
        it->labels[i] = i % 2 ? 1.0 : -1.0;
    }
}

static void draw_scaling(random_case *it, rls2__random *random)
{
    int64_t rule = rls2__random_below(random, 6);
    it->basis = rls2_basis_options_default();
    it->basis.skip_degenerate = 1;
    it->basis.threads = 1;
    it->basis.labels = it->labels;
    if (rule == 0) it->basis.scaling = RLS2_SCALING_NONE;
    if (rule == 1 && it->problem.given_count == 0) it->basis.transductive = &it->test_rows;
    if (rule == 2) it->basis.center = 1;
    if (rule == 3 && it->problem.n > 1) it->basis.scaling = RLS2_SCALING_FISHER;
    if (rule == 4 && it->problem.n > 1) it->basis.scaling = RLS2_SCALING_FISHER_SQRT;
}

static random_case *draw(uint64_t seed)
{
    rls2__random random;
    random_case *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->seed = seed;
    it->path = rls2_path_options_default();
    rls2__random_seed(&random, seed);
    int64_t n = rls2__random_below(&random, 15) == 0 ? 1 : 1 + rls2__random_below(&random, 40);
    int64_t p = 1 + rls2__random_below(&random, 6);
    it->problem = problem_create(&random, n, p);
    it->labels = numbers(n);
    it->test = numbers(TEST_ROWS * p);
    it->test_rows = (rls2_rows){.n = TEST_ROWS, .p = p, .x = it->test};
    problem_add_random(&it->problem, &random,
                       rls2__random_below(&random, 8) == 0 ? 1 : 1 + rls2__random_below(&random, 30));
    spoil_rows(it, &random);
    draw_response(it, &random);
    draw_scaling(it, &random);
    for (int i = 0; i < LAMBDAS; i++)
        it->lambdas[i] = pow(10.0, -12.0 + 24.0 * rls2__random_uniform(&random));
    return it;
}

static void discard(random_case *it)
{
    problem_free(&it->problem);
    free(it->labels);
    free(it->test);
    free(it);
}

/* Without one kernel that can be scaled there is nothing to learn from, and the basis
 * says so. */
static int has_kernel(const random_case *it)
{
    static const char *const given_names[MAX_GIVEN] = {"K0", "K1"};
    char spec[SPEC_ROOM];
    rls2_error err;
    rls2_dictionary *dictionary;
    rls2_rows rows = problem_rows(&it->problem);
    rls2_columns columns = {
        .count = it->problem.p, .given_count = it->problem.given_count, .given_names = given_names};
    double *s = numbers(it->problem.m);
    problem_spec(&it->problem, spec);
    assert_ok(rls2_dictionary_create(spec, &columns, &dictionary, &err), &err);
    rls2_status status = rls2_scaling_compute(dictionary, &rows, &it->basis, s, &err);
    if (status != RLS2_OK) assert_non_null(strstr(err.message, "kernels can be scaled"));
    rls2_dictionary_free(dictionary);
    free(s);
    return status == RLS2_OK;
}

static fitted_path fit_case(const random_case *it)
{
    return fit(&it->problem, &it->basis, LAMBDAS, it->lambdas, &it->path);
}

/* Calls check(case, fit) for every case that has a kernel to learn from. */
static void for_all_cases(void (*check)(const random_case *, const fitted_path *))
{
    int64_t checked = 0;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        random_case *it = draw(seed);
        if (has_kernel(it)) {
            fitted_path fitted = fit_case(it);
            assert_int_equal(rls2_path_count(fitted.path), LAMBDAS);
            check(it, &fitted);
            fitted_free(&fitted);
            checked++;
        }
        discard(it);
    }
    assert_true(checked > CASES * 9 / 10);
}

static double largest_trace(const plain_problem *problem, const long double *R)
{
    long double largest = 0.0L;
    int64_t n = problem->n;
    for (int64_t k = 0; k < problem->m; k++) {
        long double trace = 0.0L;
        for (int64_t i = 0; i < n; i++) trace += R[(k * n + i) * n + i];
        largest = fmaxl(largest, trace);
    }
    return (double)largest;
}

/* ---- each fit by itself ---- */

static void check_numbers(const random_case *it, const fitted_path *fitted)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        const double *c = rls2_path_c(fitted->path, i);
        if (!isfinite(point->objective) || !isfinite(point->gap) || !isfinite(point->residual) ||
            !(point->gap >= -1e-9) || !(point->objective >= 0.0))
            fail_msg("seed %d, lambda %g: objective %g, gap %g, residual %g", (int)it->seed, point->lambda,
                     point->objective, point->gap, point->residual);
        if (point->outcome == RLS2_CONVERGED)
            assert_true(point->gap <= it->path.gap_tol);
        else
            assert_int_equal(point->outcome, RLS2_STALLED);
        assert_true(point->iterations >= 1 && point->factorizations >= 1);
        assert_true(point->priced <= point->offered);
        for (int64_t j = 0; j < it->problem.n; j++) assert_true(isfinite(c[j]));
    }
}

static void path_fit__random_problems__report_finite_numbers(void **state)
{
    (void)state;
    for_all_cases(check_numbers);
}

static void check_weights(const random_case *it, const fitted_path *fitted)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const int64_t *kernels;
        const double *weights;
        int64_t count = rls2_path_weights(fitted->path, i, &kernels, &weights);
        double sum = 0.0;
        assert_int_equal(count, rls2_path_at(fitted->path, i)->selected);
        assert_in_range(count, 1, it->problem.m);
        for (int64_t t = 0; t < count; t++) {
            assert_true(weights[t] > 0.0);
            assert_true(rls2_basis_scales(fitted->basis)[kernels[t]] > 0.0); /* none that was skipped */
            assert_in_range(kernels[t], t == 0 ? 0 : kernels[t - 1] + 1, it->problem.m - 1);
            sum += weights[t];
        }
        if (!(fabs(sum - 1.0) <= 1e-12)) fail_msg("seed %d: the weights sum to %.17g", (int)it->seed, sum);
    }
}

static void path_weights__random_problems__lie_on_the_simplex(void **state)
{
    (void)state;
    for_all_cases(check_weights);
}

static void check_scales(const random_case *it, const fitted_path *fitted)
{
    const plain_problem *problem = &it->problem;
    const double *s = rls2_basis_scales(fitted->basis);
    int extra = it->basis.transductive != NULL, root = it->basis.scaling == RLS2_SCALING_FISHER_SQRT;
    rls2_basis_options uncentred = it->basis;
    uncentred.scaling = RLS2_SCALING_TRACE;
    uncentred.center = 0;
    for (int64_t k = 0; k < problem->m; k++) {
        const plain_kernel *kernel = &problem->kernels[k];
        long double expected =
            plain_denominator(problem, kernel, &it->basis, extra ? TEST_ROWS : 0, extra ? it->test : NULL);
        /* a difference of sums of the size of the trace: rounding is a share of that */
        long double trace = plain_denominator(problem, kernel, &uncentred, 0, NULL);
        double got = root ? 1.0 / (s[k] * s[k]) : 1.0 / s[k];
        if (s[k] == 0.0 && expected > 1e-12L * trace)
            fail_msg("seed %d: kernel %d is skipped", (int)it->seed, (int)k);
        if (s[k] != 0.0 &&
            (!(fabsl(got - expected) <= 1e-12L * (expected + trace)) || !(got > 1e-20L * trace)))
            fail_msg("seed %d, kernel %d: 1/s is %g, not %Lg", (int)it->seed, (int)k, got, expected);
    }
}

static void basis_scales__random_problems__equal_their_definition(void **state)
{
    (void)state;
    for_all_cases(check_scales);
}

/* The bound from kernels and rows, in long double. */
static void check_gap(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double *y = centred(fitted->path, n, it->problem.y), size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        double *d = dense_weights(fitted->path, i, it->problem.m);
        plain_certificate bound =
            plain_certify(&it->problem, R, y, point->lambda, d, rls2_path_c(fitted->path, i));
        double gap = bound.primal > 0.0L ? (double)(bound.gap / bound.primal) : 0.0;
        int fair = point->lambda > EXTREME * size;
        assert_true(gap >= -1e-12);
        assert_true(bound.dual <= bound.primal * (1.0L + 1e-12L));
        if (fair && !(gap <= 1.1 * point->gap + 1e-6 && point->gap <= 1.1 * gap + 1e-6))
            fail_msg("seed %d, lambda %g: gap %g, reported %g", (int)it->seed, point->lambda, gap,
                     point->gap);
        if (fair && !(fabsl(bound.primal - point->objective) <= 1e-7L * bound.primal))
            fail_msg("seed %d, lambda %g: objective %.12Lg, reported %.12g", (int)it->seed, point->lambda,
                     bound.primal, point->objective);
        /* however small lambda is, nothing is claimed that does not hold */
        if (!(gap <= 1.1 * point->gap + (fair ? 1e-6 : 1e-4)))
            fail_msg("seed %d, lambda %g: gap %g, claimed %g", (int)it->seed, point->lambda, gap, point->gap);
        free(d);
    }
    free(R);
    free(y);
}

static void path_fit__random_problems__report_the_gap_there_is(void **state)
{
    (void)state;
    for_all_cases(check_gap);
}

static void check_convergence(const random_case *it, const fitted_path *fitted)
{
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(fitted->path, i);
        if (point->lambda > EXTREME * size && point->outcome != RLS2_CONVERGED)
            fail_msg("seed %d, lambda %g, %.1e of the trace: outcome %d, gap %g", (int)it->seed,
                     point->lambda, point->lambda / size, point->outcome, point->gap);
    }
    free(R);
}

static void path_fit__lambda_above_1e_8_of_the_trace__converges(void **state)
{
    (void)state;
    for_all_cases(check_convergence);
}

static void check_certificate(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double *y = centred(fitted->path, n, it->problem.y), size = largest_trace(&it->problem, R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        rls2_error err;
        rls2_certificate got;
        double lambda = rls2_path_at(fitted->path, i)->lambda;
        double *d = dense_weights(fitted->path, i, it->problem.m);
        assert_ok(rls2_path_certify(fitted->path, i, &got, &err), &err);
        plain_certificate bound = plain_certify(&it->problem, R, y, lambda, d, rls2_path_c(fitted->path, i));
        long double primal = bound.primal;
        assert_true(isfinite(got.primal) && isfinite(got.dual) && isfinite(got.gap) &&
                    isfinite(got.relative_gap));
        assert_true(got.max_kernel >= 0 && got.max_kernel < it->problem.m);
        if (lambda > EXTREME * size && (!(fabsl(got.primal - primal) <= 1e-7L * primal) ||
                                        !(fabsl(got.dual - bound.dual) <= 1e-7L * primal) ||
                                        !(fabsl(got.gap - bound.gap) <= 1e-7L * primal) ||
                                        !(got.dual <= got.primal + 1e-9 * fabs(got.primal))))
            fail_msg("seed %d, lambda %g: primal %g, dual %g, gap %g, not %Lg, %Lg, %Lg", (int)it->seed,
                     lambda, got.primal, got.dual, got.gap, primal, bound.dual, bound.gap);
        free(d);
    }
    free(R);
    free(y);
}

static void path_certify__random_problems__equals_the_definition(void **state)
{
    (void)state;
    for_all_cases(check_certificate);
}

/* ---- two fits of one problem ---- */

static void assert_same_bits(const random_case *it, const rls2_path *a, const rls2_path *b)
{
    assert_int_equal(rls2_path_count(a), rls2_path_count(b));
    for (int64_t i = 0; i < rls2_path_count(a); i++) {
        const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, i);
        const int64_t *ku, *kv;
        const double *du, *dv;
        int64_t count = rls2_path_weights(a, i, &ku, &du);
        assert_int_equal(count, rls2_path_weights(b, i, &kv, &dv));
        assert_memory_equal(ku, kv, (size_t)count * sizeof *ku);
        assert_memory_equal(du, dv, (size_t)count * sizeof *du);
        assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), (size_t)it->problem.n * sizeof(double));
        assert_memory_equal(&u->objective, &v->objective, sizeof u->objective);
        assert_memory_equal(&u->gap, &v->gap, sizeof u->gap);
        assert_int_equal(u->iterations, v->iterations);
        assert_int_equal(u->outcome, v->outcome);
    }
}

static void check_repetition(const random_case *it, const fitted_path *fitted)
{
    random_case again = *it;
    again.basis.threads = 2;
    fitted_path second = fit_case(&again);
    assert_same_bits(it, fitted->path, second.path);
    fitted_free(&second);
}

static void path_fit__again_with_two_threads__gives_the_same_bits(void **state)
{
    (void)state;
    for_all_cases(check_repetition);
}

static void check_order(const random_case *it, const fitted_path *fitted)
{
    random_case turned = *it;
    for (int i = 0; i < LAMBDAS; i++) turned.lambdas[i] = it->lambdas[(i + 2) % LAMBDAS];
    for (int64_t i = 1; i < LAMBDAS; i++)
        assert_true(rls2_path_at(fitted->path, i)->lambda <= rls2_path_at(fitted->path, i - 1)->lambda);
    fitted_path second = fit_case(&turned);
    assert_same_bits(it, fitted->path, second.path);
    fitted_free(&second);
}

static void path_fit__lambdas_in_any_order__are_taken_descending(void **state)
{
    (void)state;
    for_all_cases(check_order);
}

/* A power of two scales without rounding, so every bit is known. */
static void check_response_scale(const random_case *it, const fitted_path *fitted)
{
    int64_t n = it->problem.n;
    double *y = numbers(n);
    rls2_error err;
    rls2_path *scaled = NULL;
    for (int64_t i = 0; i < n; i++) y[i] = 0.25 * it->problem.y[i];
    assert_ok(rls2_path_fit(fitted->basis, y, LAMBDAS, it->lambdas, &it->path, &scaled, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const double *c = rls2_path_c(fitted->path, i), *cs = rls2_path_c(scaled, i);
        const double *d, *ds;
        int64_t count = rls2_path_weights(fitted->path, i, NULL, &d);
        assert_int_equal(rls2_path_weights(scaled, i, NULL, &ds), count);
        assert_memory_equal(d, ds, (size_t)count * sizeof *d);
        for (int64_t j = 0; j < n; j++) assert_true(cs[j] == 0.25 * c[j]);
        assert_true(rls2_path_at(scaled, i)->objective == 0.0625 * rls2_path_at(fitted->path, i)->objective);
    }
    rls2_path_free(scaled);
    free(y);
}

static void path_fit__response_times_a_quarter__scales_c_and_keeps_d(void **state)
{
    (void)state;
    for_all_cases(check_response_scale);
}

static void check_kernel_order(const random_case *it, const fitted_path *fitted)
{
    random_case turned = *it;
    int64_t m = it->problem.m;
    for (int64_t k = 0; k < m; k++) turned.problem.kernels[k] = it->problem.kernels[m - 1 - k];
    fitted_path second = fit_case(&turned);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *u = rls2_path_at(fitted->path, i), *v = rls2_path_at(second.path, i);
        if (u->outcome != RLS2_CONVERGED || v->outcome != RLS2_CONVERGED) continue;
        if (!(fabs(u->objective - v->objective) <= 1.1e-6 * u->objective))
            fail_msg("seed %d, lambda %g: %.12g in one order, %.12g in the other", (int)it->seed, u->lambda,
                     u->objective, v->objective);
    }
    fitted_free(&second);
}

static void path_fit__kernels_in_reverse_order__reach_the_same_objective(void **state)
{
    (void)state;
    for_all_cases(check_kernel_order);
}

/* ---- the two solvers ---- */

static void check_solvers(const random_case *it, const fitted_path *fitted)
{
    random_case other = *it;
    other.path.solver = RLS2_SOLVER_ALTERNATE;
    other.path.delta = 1e-10;
    other.path.max_iter = 100;
    fitted_path second = fit_case(&other);
    long double *R = plain_matrices(&it->problem, rls2_basis_scales(fitted->basis));
    double size = largest_trace(&it->problem, R);
    free(R);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *u = rls2_path_at(fitted->path, i), *v = rls2_path_at(second.path, i);
        /* as seen in the objective */
        double rounding = (u->lambda > EXTREME * size ? 1e-7 : 1e-4) * v->objective + 1e-300;
        assert_true(isfinite(v->objective) && isfinite(v->gap) && v->gap >= -1e-9);
        if (u->gap > 1.0 || v->gap > 1.0) continue; /* a bound below zero says nothing */
        if (!(v->objective >= u->objective * (1.0 - u->gap) - rounding) ||
            !(u->objective >= v->objective * (1.0 - v->gap) - rounding))
            fail_msg("seed %d, lambda %g: newton %.12g (gap %g), alternate %.12g (gap %g)", (int)it->seed,
                     u->lambda, u->objective, u->gap, v->objective, v->gap);
    }
    fitted_free(&second);
}

static void path_fit__newton_and_alternate__respect_each_others_bounds(void **state)
{
    (void)state;
    for_all_cases(check_solvers);
}

/* On problems without equal kernels, both run to the end: the solvers share little
 * but the linear algebra. */
static void path_fit__newton_and_alternate__agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1000; seed < 1040; seed++) {
        rls2__random random;
        const double lambdas[] = {10.0, 0.1, 1e-3};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 25, 4);
        problem_add_linear(&problem);
        for (int64_t j = 0; j < 4; j++) problem_add(&problem, RBF, 0.5, 0.0, j);
        problem_add(&problem, POLY, 2.0, 1.0, -1);
        rls2_path_options options = rls2_path_options_default();
        fitted_path newton = fit(&problem, NULL, 3, lambdas, &options);
        options.solver = RLS2_SOLVER_ALTERNATE;
        options.delta = 1e-10;
        options.max_iter = 5000;
        fitted_path alternate = fit(&problem, NULL, 3, lambdas, &options);
        for (int64_t i = 0; i < 3; i++) {
            const rls2_path_point *u = rls2_path_at(newton.path, i), *v = rls2_path_at(alternate.path, i);
            if (!(v->residual <= 1e-8) || !(fabs(u->objective - v->objective) <= 1e-4 * u->objective))
                fail_msg("seed %d, lambda %g: newton %.12g, alternate %.12g after %d iterations, residual %g",
                         (int)seed, u->lambda, u->objective, v->objective, (int)v->iterations, v->residual);
        }
        fitted_free(&newton);
        fitted_free(&alternate);
        problem_free(&problem);
    }
}

/* With fewer linear kernels than rows d is unique. */
static void path_fit__columns_in_reverse_order__permute_the_weights(void **state)
{
    (void)state;
    for (uint64_t seed = 2000; seed < 2020; seed++) {
        rls2__random random;
        const double lambdas[] = {1.0, 0.03};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 30, 8);
        problem_add_linear(&problem);
        rls2_path_options options = rls2_path_options_default();
        options.gap_tol = 1e-12;
        fitted_path forward = fit(&problem, NULL, 2, lambdas, &options);
        for (int64_t j = 0; j < 8; j++) problem.kernels[j].column = 7 - j;
        fitted_path backward = fit(&problem, NULL, 2, lambdas, &options);
        for (int64_t i = 0; i < 2; i++) {
            double *d = dense_weights(forward.path, i, 8), *e = dense_weights(backward.path, i, 8);
            for (int64_t j = 0; j < 8; j++) assert_true(fabs(d[j] - e[7 - j]) < 1e-5);
            free(d);
            free(e);
        }
        fitted_free(&forward);
        fitted_free(&backward);
        problem_free(&problem);
    }
}

/* ---- corners ---- */

/* Small inputs make the linear kernel and the rbf differ in scale: the gap then goes up
 * and down on the way to the optimum, while the objective falls all the time. */
static void path_fit__gap_that_rises_on_the_way__goes_on_to_the_optimum(void **state)
{
    (void)state;
    int64_t stalled = 0;
    for (uint64_t seed = 3000; seed < 3400; seed++) {
        rls2__random random;
        const double lambda = 2.5e-6;
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 3, 1);
        for (int64_t i = 0; i < 3; i++) problem.x[i] *= 0.01;
        problem_add(&problem, LINEAR, 0.0, 0.0, 0);
        problem_add(&problem, RBF, 2.0, 0.0, 0);
        fitted_path fitted = fit(&problem, NULL, 1, &lambda, NULL);
        stalled += rls2_path_at(fitted.path, 0)->outcome != RLS2_CONVERGED;
        fitted_free(&fitted);
        problem_free(&problem);
    }
    assert_int_equal(stalled, 0);
}

static void path_fit__response_of_zeros__has_objective_and_gap_zero(void **state)
{
    (void)state;
    rls2__random random;
    const double lambdas[] = {1e12, 1.0, 1e-12};
    rls2__random_seed(&random, 1);
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
        plain_problem problem = problem_create(&random, 10, 3);
        memset(problem.y, 0, 10 * sizeof(double));
        problem_add_linear(&problem);
        problem_add(&problem, RBF, 1.0, 0.0, -1);
        rls2_path_options options = rls2_path_options_default();
        options.solver = (rls2_solver)solver;
        fitted_path fitted = fit(&problem, NULL, 3, lambdas, &options);
        for (int64_t i = 0; i < 3; i++) {
            assert_true(rls2_path_at(fitted.path, i)->objective == 0.0);
            assert_true(rls2_path_at(fitted.path, i)->gap == 0.0);
            assert_int_equal(rls2_path_at(fitted.path, i)->outcome, RLS2_CONVERGED);
            for (int64_t j = 0; j < 10; j++) assert_true(rls2_path_c(fitted.path, i)[j] == 0.0);
        }
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* One row: R^k is a number, the largest is best, and c = y / (R + lambda). */
static void path_fit__one_row__is_solved_in_closed_form(void **state)
{
    (void)state;
    const double lambdas[] = {1e12, 2.0, 1e-12};
    double x[] = {2.0}, y[] = {3.0};
    plain_problem problem = {.n = 1, .p = 1, .x = x, .y = y};
    problem_add(&problem, RBF, 1.0, 0.0, 0);    /* 1 */
    problem_add(&problem, LINEAR, 0.0, 0.0, 0); /* 4 */
    problem_add(&problem, POLY, 2.0, 1.0, 0);   /* 25 */
    rls2_basis_options basis = rls2_basis_options_default();
    basis.scaling = RLS2_SCALING_NONE;
    rls2_path_options options = rls2_path_options_default();
    options.intercept = RLS2_INTERCEPT_NONE;
    fitted_path fitted = fit(&problem, &basis, 3, lambdas, &options);
    for (int64_t i = 0; i < 3; i++) {
        double *d = dense_weights(fitted.path, i, 3);
        double expected = 3.0 / (25.0 + lambdas[i]);
        assert_int_equal(rls2_path_at(fitted.path, i)->outcome, RLS2_CONVERGED);
        assert_true(fabs(d[2] - 1.0) < 1e-6);
        assert_true(fabs(rls2_path_c(fitted.path, i)[0] - expected) <= 1e-6 * expected);
        free(d);
    }
    fitted_free(&fitted);
}

/* Equal kernels share one weight, however it is divided. */
static void path_fit__every_kernel_twice__reaches_the_objective_of_once(void **state)
{
    (void)state;
    for (uint64_t seed = 4000; seed < 4030; seed++) {
        rls2__random random;
        const double lambdas[] = {1.0, 1e-2, 1e-5};
        rls2__random_seed(&random, seed);
        plain_problem problem = problem_create(&random, 20, 3);
        problem_add_random(&problem, &random, 6);
        fitted_path once = fit(&problem, NULL, 3, lambdas, NULL);
        for (int64_t k = 0; k < 6; k++) {
            plain_kernel kernel = problem.kernels[k];
            problem_add(&problem, kernel.kind, kernel.a, kernel.b, kernel.column);
        }
        fitted_path twice = fit(&problem, NULL, 3, lambdas, NULL);
        for (int64_t i = 0; i < 3; i++) {
            double a = rls2_path_at(once.path, i)->objective, b = rls2_path_at(twice.path, i)->objective;
            assert_int_equal(rls2_path_at(twice.path, i)->outcome, RLS2_CONVERGED);
            assert_true(fabs(a - b) <= 1.1e-6 * a);
        }
        fitted_free(&once);
        fitted_free(&twice);
        problem_free(&problem);
    }
}

/* 0.1 has no exact mean in binary: what rounding leaves of its variance is no scale. */
static void basis_create__constant_column_without_variance__is_refused(void **state)
{
    (void)state;
    double x[7], labels[] = {1, 1, 1, -1, -1, -1, -1};
    for (int i = 0; i < 7; i++) x[i] = 0.1;
    rls2_error err;
    rls2_dictionary *dictionary = NULL;
    rls2_columns columns = {.count = 1};
    rls2_rows rows = {.n = 7, .p = 1, .x = x};
    assert_ok(rls2_dictionary_create("linear", &columns, &dictionary, &err), &err);
    rls2_basis_options options = rls2_basis_options_default();
    options.labels = labels;
    for (int rule = 0; rule < 3; rule++) {
        rls2_basis *basis = NULL;
        options.center = rule == 0;
        options.scaling = rule == 0   ? RLS2_SCALING_TRACE
                          : rule == 1 ? RLS2_SCALING_FISHER
                                      : RLS2_SCALING_FISHER_SQRT;
        rls2_status status = rls2_basis_create(dictionary, &rows, &options, &basis, &err);
        if (status == RLS2_OK) print_error("rule %d: s is %g\n", rule, rls2_basis_scales(basis)[0]);
        rls2_basis_free(basis);
        assert_int_equal(status, RLS2_ERR_VALUE);
    }
    rls2_dictionary_free(dictionary);
}

/* Squares that overflow must not end as a gap of zero. */
static void path_fit__response_too_large_to_square__claims_nothing_false(void **state)
{
    (void)state;
    for (int solver = RLS2_SOLVER_NEWTON; solver <= RLS2_SOLVER_ALTERNATE; solver++) {
        rls2__random random;
        const double lambda = 1.0;
        rls2_error err;
        rls2_path *path = NULL;
        rls2__random_seed(&random, 5);
        plain_problem problem = problem_create(&random, 6, 2);
        problem_add_linear(&problem);
        rls2_path_options options = rls2_path_options_default();
        options.solver = (rls2_solver)solver;
        fitted_path fitted = fit(&problem, NULL, 1, &lambda, &options);
        for (int64_t i = 0; i < 6; i++) problem.y[i] *= 1e200;
        rls2_status status = rls2_path_fit(fitted.basis, problem.y, 1, &lambda, &options, &path, &err);
        if (status == RLS2_OK) {
            assert_true(isfinite(rls2_path_at(path, 0)->objective));
            assert_true(isfinite(rls2_path_at(path, 0)->gap));
        } else {
            assert_int_equal(status, RLS2_ERR_VALUE);
        }
        rls2_path_free(path);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* In every shape a kernel may be stored in: one column has a low rank, two have not. */
static void basis_create__kernel_that_overflows__is_refused(void **state)
{
    (void)state;
    double x[24];
    rls2_error err;
    rls2_basis_options options = rls2_basis_options_default();
    for (int i = 0; i < 24; i++) x[i] = 1e120 * (double)(i - 12);
    for (int64_t p = 1; p <= 2; p++) {
        rls2_dictionary *dictionary = NULL;
        rls2_columns columns = {.count = p};
        rls2_rows rows = {.n = 12, .p = p, .x = x};
        assert_ok(rls2_dictionary_create("rbf(1); poly(3)", &columns, &dictionary, &err), &err);
        for (int scaling = RLS2_SCALING_NONE; scaling <= RLS2_SCALING_TRACE; scaling++) {
            rls2_basis *basis = NULL;
            options.scaling = (rls2_scaling)scaling;
            rls2_status status = rls2_basis_create(dictionary, &rows, &options, &basis, &err);
            rls2_basis_free(basis);
            assert_int_equal(status, RLS2_ERR_VALUE);
            assert_non_null(strstr(err.message, "poly(3)@all"));
        }
        rls2_dictionary_free(dictionary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__random_problems__report_finite_numbers),
        cmocka_unit_test(path_weights__random_problems__lie_on_the_simplex),
        cmocka_unit_test(basis_scales__random_problems__equal_their_definition),
        cmocka_unit_test(path_fit__random_problems__report_the_gap_there_is),
        cmocka_unit_test(path_fit__lambda_above_1e_8_of_the_trace__converges),
        cmocka_unit_test(path_certify__random_problems__equals_the_definition),
        cmocka_unit_test(path_fit__again_with_two_threads__gives_the_same_bits),
        cmocka_unit_test(path_fit__lambdas_in_any_order__are_taken_descending),
        cmocka_unit_test(path_fit__response_times_a_quarter__scales_c_and_keeps_d),
        cmocka_unit_test(path_fit__kernels_in_reverse_order__reach_the_same_objective),
        cmocka_unit_test(path_fit__newton_and_alternate__respect_each_others_bounds),
        cmocka_unit_test(path_fit__newton_and_alternate__agree),
        cmocka_unit_test(path_fit__columns_in_reverse_order__permute_the_weights),
        cmocka_unit_test(path_fit__gap_that_rises_on_the_way__goes_on_to_the_optimum),
        cmocka_unit_test(path_fit__response_of_zeros__has_objective_and_gap_zero),
        cmocka_unit_test(path_fit__one_row__is_solved_in_closed_form),
        cmocka_unit_test(path_fit__every_kernel_twice__reaches_the_objective_of_once),
        cmocka_unit_test(basis_create__constant_column_without_variance__is_refused),
        cmocka_unit_test(path_fit__response_too_large_to_square__claims_nothing_false),
        cmocka_unit_test(basis_create__kernel_that_overflows__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
