/* Paths of linear kernels of one column, held against numbers computed from the columns in long
 * double: what a point says of itself, that its gap bounds how far it is from any other point, and
 * what is left to Newton's method. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/la.h"
#include "solver/linear.h"
#include "solver/newton.h"
#include "solver/path.h"
#include "solver/solver.h"

enum { CASES = 400, POINTS = 9, SWEEPS = 400 };
static const double GRID[POINTS] = {1e9, 1e2, 10.0, 1.0, 0.1, 1e-2, 1e-4, 1e-7, 1e-10};

/* The problem in its own numbers: z_k = sqrt(w s_k) x_k, and y likewise. */
typedef struct exact_problem {
    int64_t n, m;
    long double *z; /* n x m */
    long double *y;
    long double y_norm, largest_norm; /* |y|; max |z_k|^2 */
} exact_problem;

typedef struct exact_point {
    long double objective, gap, residual; /* gap absolute */
} exact_point;

static long double *long_numbers(int64_t count)
{
    long double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static long double inner(int64_t n, const long double *a, const long double *b)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static exact_problem exact_create(const plain_problem *problem, const fitted_path *fitted)
{
    exact_problem it = {.n = problem->n, .m = problem->m};
    const double *s = rls2_basis_scales(fitted->basis), *w = rls2_basis_row_weights(fitted->basis);
    double *y = centred(fitted->path, it.n, problem->y);
    it.z = long_numbers(it.n * it.m);
    it.y = long_numbers(it.n);
    for (int64_t i = 0; i < it.n; i++) {
        long double root = w ? sqrtl(w[i]) : 1.0L;
        it.y[i] = root * y[i];
        for (int64_t k = 0; k < it.m; k++)
            it.z[k * it.n + i] = root * sqrtl(s[k]) * problem->x[k * it.n + i];
    }
    for (int64_t k = 0; k < it.m; k++)
        it.largest_norm = fmaxl(it.largest_norm, inner(it.n, it.z + k * it.n, it.z + k * it.n));
    it.y_norm = sqrtl(inner(it.n, it.y, it.y));
    free(y);
    return it;
}

static void exact_free(exact_problem *it)
{
    free(it->z);
    free(it->y);
}

static exact_point exact_at(const exact_problem *it, const fitted_path *fitted, int64_t i)
{
    int64_t n = it->n;
    const double *c = rls2_path_c(fitted->path, i), *w = rls2_basis_row_weights(fitted->basis);
    double *d = dense_weights(fitted->path, i, it->m);
    long double *own = long_numbers(n), *f = long_numbers(n), most = 0.0L, cf = 0.0L;
    long double lambda = rls2_path_at(fitted->path, i)->lambda, fit = 0.0L, rest = 0.0L;
    for (int64_t t = 0; t < n; t++) own[t] = c[t] / (w ? sqrtl(w[t]) : 1.0L);
    for (int64_t k = 0; k < it->m; k++) {
        const long double *z = it->z + k * n;
        long double g = inner(n, z, own);
        most = fmaxl(most, g * g);
        cf += d[k] * g * g;
        for (int64_t t = 0; t < n; t++) f[t] += d[k] * g * z[t];
    }
    for (int64_t t = 0; t < n; t++) {
        long double e = it->y[t] - f[t], r = e - lambda * own[t];
        fit += e * e;
        rest += r * r;
    }
    free(own), free(f), free(d);
    return (exact_point){0.5L * fit + 0.5L * lambda * cf, 0.5L * rest + 0.5L * lambda * (most - cf),
                         it->y_norm > 0.0L ? sqrtl(rest) / it->y_norm : 0.0L};
}

/* 1/2 |y - Zb|^2 + lambda/2 (sum |b|)^2 by coordinate descent from b, which it leaves at a point
 * not above it. */
static long double descend(const exact_problem *it, long double lambda, long double *b)
{
    int64_t n = it->n;
    long double *r = long_numbers(n), total = 0.0L;
    for (int64_t i = 0; i < n; i++) r[i] = it->y[i];
    for (int64_t k = 0; k < it->m; k++) {
        total += fabsl(b[k]);
        for (int64_t i = 0; i < n; i++) r[i] -= it->z[k * n + i] * b[k];
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int64_t k = 0; k < it->m; k++) {
            const long double *z = it->z + k * n;
            long double size = inner(n, z, z), before = b[k];
            if (!(size > 0.0L)) continue;
            total -= fabsl(before);
            long double pull = inner(n, z, r) + size * before;
            long double left = fmaxl(fabsl(pull) - lambda * total, 0.0L) / (size + lambda);
            b[k] = pull < 0.0L ? -left : left;
            total += left;
            for (int64_t i = 0; i < n && b[k] != before; i++) r[i] -= z[i] * (b[k] - before);
        }
    long double objective = 0.5L * inner(n, r, r) + 0.5L * lambda * total * total;
    free(r);
    return objective;
}

/* ---- problems ---- */

/* Equal, opposite, nearly equal, nearly and exactly dependent, constant and sparse columns, and
 * tiny and large ones. */
static void spoil(plain_problem *problem, rls2__random *random)
{
    int64_t n = problem->n;
    for (int64_t k = 1; k < problem->p; k++) {
        double *x = problem->x + k * n, *other = problem->x + rls2__random_below(random, k) * n;
        double *third = problem->x + rls2__random_below(random, k) * n;
        int64_t kind = rls2__random_below(random, 12);
        double near = pow(10.0, -1.0 - (double)rls2__random_below(random, 13));
        double size = pow(10.0, (double)rls2__random_below(random, 7) - 3.0);
        for (int64_t i = 0; i < n; i++) {
            if (kind == 0) x[i] = other[i];
            if (kind == 1) x[i] = -2.0 * other[i];
            if (kind == 2 || kind == 3) x[i] = other[i] + near * x[i];
            if (kind == 4) x[i] = other[i] - 0.5 * third[i];
            if (kind == 5) x[i] = other[i] + third[i] + near * x[i];
            if (kind == 6) x[i] = 1.5;
            if (kind == 7 && (i + k) % 6) x[i] = 0.0;
            if (kind == 8) x[i] *= size;
        }
    }
}

typedef struct exact_case {
    uint64_t seed;
    plain_problem problem;
    fitted_path fitted;
    exact_problem exact;
} exact_case;

static exact_case case_create(uint64_t seed, double gap_tol)
{
    rls2__random random;
    exact_case it = {.seed = seed};
    rls2_basis_options basis;
    rls2_basis_options_init(&basis, sizeof basis);
    rls2_path_options path;
    rls2_path_options_init(&path, sizeof path);
    rls2__random_seed(&random, 1000 + seed);
    int64_t n = 2 + rls2__random_below(&random, 14), p = 1 + rls2__random_below(&random, 20);
    it.problem = problem_create(&random, n, p);
    spoil(&it.problem, &random);
    problem_add_linear(&it.problem);
    double *weights = numbers(n);
    for (int64_t i = 0; i < n; i++) weights[i] = 0.1 + 3.0 * rls2__random_uniform(&random);
    basis.skip_degenerate = 1;
    basis.scaling = seed % 2 ? RLS2_SCALING_TRACE : RLS2_SCALING_NONE;
    if (seed % 3 == 0) basis.row_weights = weights;
    path.degrees_of_freedom = seed % 2 == 0 ? RLS2_DF_EACH : RLS2_DF_NONE;
    path.gap_tol = gap_tol;
    path.intercept = seed % 5 ? RLS2_INTERCEPT_MEAN : RLS2_INTERCEPT_NONE;
    it.fitted = fit(&it.problem, &basis, POINTS, GRID, &path);
    assert_true(rls2__is_linear(it.fitted.basis));
    it.exact = exact_create(&it.problem, &it.fitted);
    free(weights);
    return it;
}

static void case_free(exact_case *it)
{
    exact_free(&it->exact);
    fitted_free(&it->fitted);
    problem_free(&it->problem);
}

/* ---- what a point says of itself ---- */

static void check_point(const exact_case *it, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(it->fitted.path, i);
    exact_point exact = exact_at(&it->exact, &it->fitted, i);
    long double y2 = it->exact.y_norm * it->exact.y_norm, objective = point->objective;
    long double condition = 1.0L + it->exact.largest_norm / point->lambda;
    if (!(it->exact.y_norm > 1e-100L)) return;
    if (!(fabsl(objective - exact.objective) <= 1e-14L * condition * objective + 1e-15L * y2))
        fail_msg("seed %d, lambda %g: objective %.17g, by the data %.17Lg", (int)it->seed,
                 point->lambda, point->objective, exact.objective);
    if (!(exact.gap <= point->gap * objective * (1.0L + 1e-9L) + 1e-15L * objective))
        fail_msg("seed %d, lambda %g: gap %g, by the data %Lg", (int)it->seed, point->lambda,
                 point->gap, exact.gap / objective);
    /* the right-hand side is solved for as well as rounding lets it be, not just as well as the gap
     * needs */
    if (!(fmaxl(exact.residual, point->residual) <= 1e-11L + 1e-15L * condition))
        fail_msg("seed %d, lambda %g: residual %g, by the data %Lg", (int)it->seed, point->lambda,
                 point->residual, exact.residual);
}

static void linear_path__hard_columns__points_are_what_they_say(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        exact_case it = case_create(seed, seed % 4 == 0 ? 1e-12 : 1e-6);
        for (int64_t i = 0; i < POINTS; i++) check_point(&it, i);
        case_free(&it);
    }
}

/* No point is lower than the gap admits, wherever it comes from; and descent from the answer finds
 * none that is. */
static void check_bound(const exact_case *it, int64_t i, long double *b)
{
    const rls2_path_point *point = rls2_path_at(it->fitted.path, i);
    long double least = point->objective * (1.0L - point->gap) - 1e-14L * point->objective;
    long double found = descend(&it->exact, point->lambda, b);
    if (!(found >= least))
        fail_msg("seed %d, lambda %g: objective %.17g, gap %g, but %.17Lg is possible",
                 (int)it->seed, point->lambda, point->objective, point->gap, found);
}

static void set_to_answer(const exact_case *it, int64_t i, long double *b)
{
    const int64_t *ks;
    const double *d, *c = rls2_path_c(it->fitted.path, i),
                     *w = rls2_basis_row_weights(it->fitted.basis);
    int64_t n = it->exact.n, count = rls2_path_kernel_weights(it->fitted.path, i, &ks, &d);
    memset(b, 0, (size_t)it->exact.m * sizeof *b);
    for (int64_t t = 0; t < count; t++)
        for (int64_t j = 0; j < n; j++)
            b[ks[t]] += d[t] * it->exact.z[ks[t] * n + j] * c[j] / (w ? sqrtl(w[j]) : 1.0L);
}

static void linear_path__hard_columns__nothing_is_below_the_bound(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CASES; seed += UNDER_SANITIZERS ? 10 : 2) {
        exact_case it = case_create(seed, seed % 4 == 1 ? 1e-10 : 1e-6);
        long double *b = long_numbers(it.exact.m);
        for (int64_t i = 0; i < POINTS; i++)
            check_bound(&it, i, b); /* its own path from lambda to lambda */
        for (int64_t i = 0; i < POINTS; i++) {
            set_to_answer(&it, i, b);
            check_bound(&it, i, b);
        }
        free(b);
        case_free(&it);
    }
}

/* ---- Newton's method, to which points are left ---- */

static rls2_status no_tick(const rls2__problem *problem, double lambda, double gap)
{
    (void)problem, (void)lambda, (void)gap;
    return RLS2_OK;
}

/* Weights of some kernels, all the same. */
static int64_t spread_weights(rls2__random *random, int64_t m, int64_t *ks, double *d)
{
    int64_t count = 0;
    for (int64_t k = 0; k < m && count < 5; k++)
        if (k == 0 || rls2__random_uniform(random) < 0.5) ks[count++] = k;
    for (int64_t t = 0; t < count; t++) d[t] = 1.0 / (double)count;
    return count;
}

/* Made once, resumed at other weights for each lambda: one iteration later c is that of these
 * weights. */
static void newton_resume__other_weights_each_time__solves_for_them(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        exact_case it = case_create(2 * seed + 1, 1e-6);
        const double *y = rls2__path_response(it.fitted.path);
        rls2__method method;
        rls2__answer answer;
        rls2__effort effort;
        rls2__effort_begin_alone(&effort);
        rls2__problem problem = {.basis = it.fitted.basis,
                                 .y = y,
                                 .y_norm = rls2__la_norm(it.problem.n, y),
                                 .exact_norm = HUGE_VAL, /* claims the least of the objective */
                                 .effort = &effort,
                                 .path = it.fitted.path,
                                 .tick = no_tick};
        rls2_path_options_init(&problem.options, sizeof problem.options);
        problem.options.max_iter = 1;
        assert_int_equal(rls2__newton_create(&problem, &method), RLS2_OK);
        for (int64_t i = 1; i < 6; i++) {
            int64_t ks[5];
            double d[5];
            int64_t count = spread_weights(&random, it.problem.m, ks, d);
            rls2__newton_resume(method.state, count, ks, d, NULL);
            assert_int_equal(method.solve(method.state, GRID[i], 1e-6, &answer), RLS2_OK);
            assert_int_equal(answer.count, count);
            assert_memory_equal(answer.ks, ks, (size_t)count * sizeof *ks);
            assert_memory_equal(answer.d, d, (size_t)count * sizeof *d);
            if (!(answer.point.residual <= 1e-11))
                fail_msg("seed %d, lambda %g: residual %g", (int)it.seed, GRID[i],
                         answer.point.residual);
        }
        method.free(method.state);
        case_free(&it);
    }
}

/* Two columns that differ by less than rounding lets the factor tell, and a response that needs
 * their difference: small lambdas are left to Newton's method, one after the other, and larger
 * problems of the path are none the worse. */
static void linear_path__left_to_newton__converges_and_goes_on(void **state)
{
    (void)state;
    enum { ROWS = 12, COLUMNS = 5, COUNT = 8 };
    static const double lambdas[COUNT] = {1.0, 1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    int64_t factored = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        exact_case it = {.seed = seed};
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.gap_tol = 1e-4;
        it.problem = problem_create(&random, ROWS, COLUMNS);
        double *x = it.problem.x;
        for (int64_t i = 0; i < ROWS; i++) {
            double apart = x[ROWS + i];
            x[ROWS + i] = -x[i] + 1e-6 * apart;
            it.problem.y[i] = 1e3 * apart + x[i];
        }
        problem_add_linear(&it.problem);
        it.fitted = fit(&it.problem, NULL, COUNT, lambdas, &options);
        it.exact = exact_create(&it.problem, &it.fitted);
        for (int64_t i = 0; i < COUNT; i++) {
            const rls2_path_point *point = rls2_path_at(it.fitted.path, i);
            check_point(&it, i);
            assert_true(point->outcome != RLS2_OUTCOME_MAX_ITER);
            if (point->lambda >= 1e-8) assert_true(point->gap <= 1e-4);
            factored += point->factorizations;
        }
        case_free(&it);
    }
    assert_true(factored > 0);
}

/* As many active columns as rows: each other column that enters depends on them and takes over from
 * one. That is done in the coefficients; no matrix is factorised, which Newton's method would. */
static void linear_path__more_columns_than_rows__needs_no_newton(void **state)
{
    (void)state;
    enum { ROWS = 8, COLUMNS = 40, COUNT = 6 };
    static const double lambdas[COUNT] = {1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5};
    int64_t factored = 0, most = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rls2__random random;
        rls2__random_seed(&random, seed);
        exact_case it = {.seed = seed};
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.intercept = RLS2_INTERCEPT_NONE;
        it.problem = problem_create(&random, ROWS, COLUMNS);
        problem_add_linear(&it.problem);
        it.fitted = fit(&it.problem, NULL, COUNT, lambdas, &options);
        it.exact = exact_create(&it.problem, &it.fitted);
        for (int64_t i = 0; i < COUNT; i++) {
            const rls2_path_point *point = rls2_path_at(it.fitted.path, i);
            check_point(&it, i);
            assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
            factored += point->factorizations;
            most = point->selected > most ? point->selected : most;
        }
        case_free(&it);
    }
    assert_int_equal(most, ROWS);
    assert_int_equal(factored, 0);
}

/* ---- the same bits ---- */

static void linear_path__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    enum { OUTPUTS = 3 };
    exact_case it = case_create(12, 1e-6);
    int64_t n = it.problem.n;
    double *y = numbers(OUTPUTS * n);
    const rls2_basis *bases[OUTPUTS];
    rls2_path *one[OUTPUTS], *many[OUTPUTS];
    rls2_error err;
    for (int64_t o = 0; o < OUTPUTS; o++) {
        bases[o] = it.fitted.basis;
        for (int64_t i = 0; i < n; i++) y[o * n + i] = it.problem.y[(i + o) % n];
    }
    assert_ok(rls2_path_fit(OUTPUTS, bases, y, POINTS, GRID, NULL, ON_THREADS(1), one, &err), &err);
    assert_ok(rls2_path_fit(OUTPUTS, bases, y, POINTS, GRID, NULL, ON_THREADS(3), many, &err),
              &err);
    for (int64_t o = 0; o < OUTPUTS; o++) {
        for (int64_t i = 0; i < POINTS; i++) {
            assert_memory_equal(rls2_path_c(one[o], i), rls2_path_c(many[o], i),
                                (size_t)n * sizeof(double));
            assert_true(rls2_path_at(one[o], i)->gap == rls2_path_at(many[o], i)->gap);
        }
        rls2_path_free(one[o]);
        rls2_path_free(many[o]);
    }
    free(y);
    case_free(&it);
}

/* tr R(d) (R(d) + lambda I)^-1 by elimination, of the weights of point i. */
static long double exact_df(const exact_case *it, int64_t i)
{
    int64_t n = it->exact.n;
    double *d = dense_weights(it->fitted.path, i, it->exact.m);
    long double *R = long_numbers(n * n), *M = long_numbers(n * n), *b = long_numbers(n),
                trace = 0.0L;
    for (int64_t k = 0; k < it->exact.m; k++) {
        const long double *z = it->exact.z + k * n;
        for (int64_t t = 0; t < n * n && d[k] > 0.0; t++) R[t] += d[k] * z[t % n] * z[t / n];
    }
    for (int64_t j = 0; j < n; j++) {
        memcpy(M, R, (size_t)(n * n) * sizeof *M);
        memcpy(b, R + j * n, (size_t)n * sizeof *b);
        for (int64_t t = 0; t < n; t++) M[t * n + t] += rls2_path_at(it->fitted.path, i)->lambda;
        plain_solve(n, M, b);
        trace += b[j];
    }
    free(d), free(R), free(M), free(b);
    return trace;
}

/* Few iterations: what is given is the best so far, which may not be the last, with a gap that
 * holds. */
static void linear_path__max_iter__is_kept(void **state)
{
    (void)state;
    for (int64_t most = 1; most <= 3; most++)
        for (uint64_t seed = 1; seed <= 60; seed++) {
            exact_case it = case_create(seed, 1e-6);
            rls2_path_options options;
            rls2_path_options_init(&options, sizeof options);
            options.max_iter = most;
            options.degrees_of_freedom = RLS2_DF_EACH;
            rls2_path_free(it.fitted.path);
            rls2_error err;
            assert_ok(fit_one(it.fitted.basis, it.problem.y, POINTS, GRID, &options,
                              &it.fitted.path, &err),
                      &err);
            exact_free(&it.exact);
            it.exact = exact_create(&it.problem, &it.fitted);
            for (int64_t i = 0; i < POINTS; i++) {
                const rls2_path_point *point = rls2_path_at(it.fitted.path, i);
                check_point(&it, i);
                assert_true(isfinite(point->df));
                if (point->lambda >= 1e-3)
                    assert_true(fabsl(point->df - exact_df(&it, i)) <= 1e-6L);
                /* those of lambdas on the way are counted with a point */
                if (i == 0) assert_in_range(point->iterations, 1, most);
            }
            case_free(&it);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_path__hard_columns__points_are_what_they_say),
        cmocka_unit_test(linear_path__hard_columns__nothing_is_below_the_bound),
        cmocka_unit_test(newton_resume__other_weights_each_time__solves_for_them),
        cmocka_unit_test(linear_path__left_to_newton__converges_and_goes_on),
        cmocka_unit_test(linear_path__more_columns_than_rows__needs_no_newton),
        cmocka_unit_test(linear_path__any_number_of_threads__same_bits),
        cmocka_unit_test(linear_path__max_iter__is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
