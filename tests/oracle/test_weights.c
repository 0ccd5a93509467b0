/* Weights of rows against rows repeated, which know nothing of weights, and against definitions in
 * long double. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/fixed.h"

enum { ROWS = 19, COLUMNS = 3, NEW_ROWS = 6, GRID = 6 };

/* ---- problems ---- */

/* Every kind of kernel, none twice. */
static plain_problem varied_problem(uint64_t seed, int with_given)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, ROWS, COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) problem.x[2 * ROWS + i] = (double)(i % 4);
    problem_add_linear(&problem);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    problem_add(&problem, POLY, 2.0, 1.0, 0);
    problem_add(&problem, POLY, 3.0, 0.5, -1);
    problem_add(&problem, RBF, 0.03125, 0.0, 1);
    problem_add(&problem, RBF, 0.5, 0.0, 0);
    problem_add(&problem, RBF, 0.5, 0.0, -1);
    problem_add(&problem, LAPLACE, 0.5, 0.0, -1);
    problem_add(&problem, MATERN, 1.5, 1.5, 1);
    problem_add(&problem, SPLINE, 0.0, 0.0, 0);
    problem_add(&problem, DELTA, 0.0, 0.0, 2);
    if (!with_given) return problem;
    double *G = numbers(ROWS * 2), *K = numbers(ROWS * ROWS);
    for (int64_t i = 0; i < ROWS * 2; i++) G[i] = rls2__random_normal(&random);
    for (int64_t j = 0; j < ROWS; j++)
        for (int64_t i = 0; i < ROWS; i++)
            K[j * ROWS + i] = G[i] * G[j] + G[ROWS + i] * G[ROWS + j];
    for (int64_t i = 0; i < ROWS; i++) problem.y[i] += 0.7 * G[i];
    free(G);
    problem.given[problem.given_count++] = K;
    problem_add(&problem, GIVEN, 0.0, 0.0, 0);
    return problem;
}

/* linear@each of more columns than rows */
static plain_problem wide_problem(uint64_t seed)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, ROWS, 60);
    problem_add_linear(&problem);
    return problem;
}

/* A problem, how often each row counts, and the problem with the rows that often. */
typedef struct pair {
    plain_problem few, many;
    double w[ROWS];
    int64_t of[4 * ROWS]; /* which row each copy is of */
    double few_labels[ROWS], many_labels[4 * ROWS];
} pair;

static pair make_pair(plain_problem few, uint64_t seed)
{
    rls2__random random;
    pair it = {.few = few, .many = few};
    rls2__random_seed(&random, seed);
    it.many.n = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t copies = 1 + rls2__random_below(&random, 4);
        it.w[i] = (double)copies;
        it.few_labels[i] = i % 3 == 1 ? -1.0 : 2.0;
        for (int64_t t = 0; t < copies; t++) {
            it.many_labels[it.many.n] = it.few_labels[i];
            it.of[it.many.n++] = i;
        }
    }
    int64_t n = it.many.n;
    it.many.x = numbers(n * few.p);
    it.many.y = numbers(n);
    for (int64_t a = 0; a < n; a++) {
        it.many.y[a] = few.y[it.of[a]];
        for (int64_t j = 0; j < few.p; j++) it.many.x[j * n + a] = few.x[j * ROWS + it.of[a]];
    }
    for (int64_t g = 0; g < few.given_count; g++) {
        it.many.given[g] = numbers(n * n);
        for (int64_t b = 0; b < n; b++)
            for (int64_t a = 0; a < n; a++)
                it.many.given[g][b * n + a] = few.given[g][it.of[b] * ROWS + it.of[a]];
    }
    return it;
}

static void pair_free(pair *it)
{
    problem_free(&it->few);
    problem_free(&it->many);
}

/* ---- what must agree ---- */

static void assert_close(double value, double expected, double tolerance, const char *what,
                         int64_t i)
{
    if (!(fabs(value - expected) <= tolerance * fmax(1.0, fabs(expected))))
        fail_msg("%s at %d: %.15g, of the rows repeated %.15g", what, (int)i, value, expected);
}

/* New rows, without given matrices: what the paths say about them. */
static void assert_same_predictions(const pair *it, const rls2_path *few, const rls2_path *many)
{
    int64_t p = it->few.p, count = rls2_path_count(few);
    rls2__random random;
    rls2_error err;
    rls2__random_seed(&random, 77);
    double *x = numbers(NEW_ROWS * p), *f = numbers(NEW_ROWS * count),
           *g = numbers(NEW_ROWS * count);
    for (int64_t i = 0; i < NEW_ROWS * p; i++) x[i] = rls2__random_normal(&random);
    rls2_rows rows = {.n = NEW_ROWS, .p = p, .x = x};
    assert_ok(rls2_path_predict(few, &rows, f, &err), &err);
    assert_ok(rls2_path_predict(many, &rows, g, &err), &err);
    for (int64_t i = 0; i < NEW_ROWS * count; i++)
        assert_close(f[i], g[i], 2e-6, "prediction", i / NEW_ROWS);
    free(x);
    free(f);
    free(g);
}

static void assert_same_point(const pair *it, const rls2_path *few, const rls2_path *many,
                              int64_t i)
{
    const rls2_path_point *a = rls2_path_at(few, i), *b = rls2_path_at(many, i);
    double *da = dense_weights(few, i, it->few.m), *db = dense_weights(many, i, it->few.m),
           sums[ROWS] = {0};
    double largest = 0.0;
    const double *c = rls2_path_c(few, i), *copies = rls2_path_c(many, i);
    assert_close(a->objective, b->objective, 1e-8, "objective", i);
    assert_close(a->residual, b->residual, 1e-6, "residual", i);
    assert_close(a->df, b->df, 1e-5, "df", i);
    for (int64_t k = 0; k < it->few.m; k++) assert_close(da[k], db[k], 1e-5, "d", i);
    for (int64_t t = 0; t < it->many.n; t++) sums[it->of[t]] += copies[t];
    for (int64_t t = 0; t < ROWS; t++) largest = fmax(largest, fabs(sums[t]));
    for (int64_t t = 0; t < ROWS; t++)
        assert_close(c[t] / largest, sums[t] / largest, 1e-5, "c", i);
    free(da);
    free(db);
}

static void assert_same_criteria(const rls2_path *few, const rls2_path *many)
{
    rls2_criteria a[GRID], b[GRID];
    rls2_error err;
    assert_ok(rls2_path_criteria(few, NULL, a, sizeof *a, &err), &err);
    assert_ok(rls2_path_criteria(many, NULL, b, sizeof *b, &err), &err);
    for (int64_t i = 0; i < GRID; i++) {
        assert_close(a[i].df, b[i].df, 1e-5, "df", i);
        assert_close(a[i].rss, b[i].rss, 1e-5, "rss", i);
        assert_true(isnan(a[i].cp) == isnan(b[i].cp) && isnan(a[i].bic) == isnan(b[i].bic));
        assert_close(a[i].gcv, b[i].gcv, 1e-5, "gcv", i);
        assert_close(a[i].aic, b[i].aic, 1e-5, "aic", i);
        if (!isnan(a[i].cp)) assert_close(a[i].cp, b[i].cp, 1e-5, "cp", i);
        if (!isnan(a[i].bic)) assert_close(a[i].bic, b[i].bic, 1e-5, "bic", i);
    }
}

static void assert_certified(const rls2_path *path, double gap)
{
    rls2_error err;
    for (int64_t i = 0; i < rls2_path_count(path); i++) {
        rls2_certificate proof;
        const rls2_path_point *point = rls2_path_at(path, i);
        assert_ok(rls2_path_certify(path, i, &proof, sizeof proof, &err), &err);
        assert_close(point->objective, proof.primal, 1e-9, "certified objective", i);
        assert_true(proof.dual <= proof.primal * (1.0 + 1e-12));
        assert_true(proof.relative_gap <= point->gap + 1e-12);
        if (!(point->gap <= gap)) fail_msg("gap %g at point %d", point->gap, (int)i);
    }
}

typedef struct settings {
    rls2_basis_options basis;
    rls2_path_options path;
    double gap; /* to be reached */
} settings;

static settings usual(rls2_scaling scaling)
{
    settings s = {.gap = 1e-10};
    rls2_basis_options_init(&s.basis, sizeof s.basis);
    rls2_path_options_init(&s.path, sizeof s.path);
    s.basis.scaling = scaling;
    s.path.gap_tol = s.gap;
    s.path.degrees_of_freedom = RLS2_DF_EACH;
    return s;
}

static void assert_repeated(pair it, settings s)
{
    double lambdas[GRID], others[GRID];
    rls2_error err;
    rls2_basis_options weighted = s.basis, plain = s.basis;
    weighted.row_weights = it.w;
    weighted.labels = it.few_labels;
    plain.labels = it.many_labels;
    for (int64_t i = 0; i < GRID; i++) lambdas[i] = 1.0;
    fitted_path few = fit(&it.few, &weighted, 1, lambdas, NULL),
                many = fit(&it.many, &plain, 1, lambdas, NULL);
    for (int64_t k = 0; k < it.few.m; k++) {
        double ratio = rls2_basis_scales(few.basis)[k] / rls2_basis_scales(many.basis)[k];
        assert_close(ratio, 1.0, 1e-10, "scaling", k);
    }
    assert_ok(grid_of_one(few.basis, it.few.y, s.path.intercept, 1e-4, GRID, lambdas, &err), &err);
    assert_ok(grid_of_one(many.basis, it.many.y, s.path.intercept, 1e-4, GRID, others, &err), &err);
    for (int64_t i = 0; i < GRID; i++) assert_close(lambdas[i] / others[i], 1.0, 1e-9, "lambda", i);
    rls2_path *a = NULL, *b = NULL;
    assert_ok(fit_one(few.basis, it.few.y, GRID, lambdas, &s.path, &a, &err), &err);
    assert_ok(fit_one(many.basis, it.many.y, GRID, lambdas, &s.path, &b, &err), &err);
    assert_close(rls2_path_intercept(a), rls2_path_intercept(b), 1e-13, "intercept", 0);
    for (int64_t i = 0; i < GRID; i++) assert_same_point(&it, a, b, i);
    assert_same_criteria(a, b);
    assert_certified(a, s.gap);
    if (it.few.given_count == 0) assert_same_predictions(&it, a, b);
    rls2_path_free(a);
    rls2_path_free(b);
    fitted_free(&few);
    fitted_free(&many);
    pair_free(&it);
}

/* ---- tests ---- */

static void weights__every_scaling_rule__is_rows_repeated(void **state)
{
    (void)state;
    for (int rule = RLS2_SCALING_NONE; rule <= RLS2_SCALING_FISHER_SQRT; rule++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            settings s = usual((rls2_scaling)rule);
            assert_repeated(make_pair(varied_problem(seed, seed == 1), seed), s);
            s.path.intercept = RLS2_INTERCEPT_NONE;
            assert_repeated(make_pair(varied_problem(seed + 10, 1), seed), s);
        }
}

static void weights__centred_and_transductive_traces__are_rows_repeated(void **state)
{
    (void)state;
    rls2__random random;
    double extra[NEW_ROWS * COLUMNS];
    rls2__random_seed(&random, 5);
    for (int i = 0; i < NEW_ROWS * COLUMNS; i++) extra[i] = rls2__random_normal(&random);
    rls2_rows rows = {.n = NEW_ROWS, .p = COLUMNS, .x = extra};
    for (int center = 0; center < 2; center++)
        for (int transductive = 0; transductive < 2; transductive++) {
            settings s = usual(RLS2_SCALING_TRACE);
            s.basis.center = center;
            if (transductive) s.basis.transductive = &rows;
            assert_repeated(make_pair(varied_problem(20, !transductive), 4), s);
        }
}

static void weights__dense_storage_and_little_memory__are_rows_repeated(void **state)
{
    (void)state;
    settings s = usual(RLS2_SCALING_TRACE);
    s.basis.rank_tol = 0.0;
    assert_repeated(make_pair(varied_problem(30, 1), 6), s);
    s = usual(RLS2_SCALING_TRACE);
    s.path.memory = 0;
    assert_repeated(make_pair(varied_problem(31, 1), 7), s);
}

/* Both follow the same steps, so that they agree although they stop early. */
static void weights__alternate_solver__is_rows_repeated(void **state)
{
    (void)state;
    settings s = usual(RLS2_SCALING_TRACE);
    s.path.solver = RLS2_SOLVER_ALTERNATE;
    s.path.delta = 1e-3;
    s.gap = INFINITY;
    assert_repeated(make_pair(varied_problem(40, 1), 8), s);
    assert_repeated(make_pair(varied_problem(41, 0), 9), s);
}

static void weights__more_linear_kernels_than_rows__are_rows_repeated_by_one_product(void **state)
{
    (void)state;
    assert_repeated(make_pair(wide_problem(50), 10), usual(RLS2_SCALING_TRACE));
    pair it = make_pair(wide_problem(51), 11);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    const double one = 1.0;
    options.row_weights = it.w;
    fitted_path f = fit(&it.few, &options, 1, &one, NULL);
    assert_memory_equal(rls2_basis_row_weights(f.basis), it.w, sizeof it.w);
    for (int64_t k = 0; k < it.few.m; k++)
        assert_string_equal(rls2_basis_shape(f.basis, k), "rank-one");
    for (int64_t k = 1; k < it.few.m; k++)
        assert_ptr_equal(f.basis->ops[k].factor, f.basis->ops[0].factor + k * ROWS);
    assert_int_equal(rls2_basis_bytes(f.basis), 0);
    fitted_free(&f);
    pair_free(&it);
}

static void weights__fixed_kernel_weights__are_rows_repeated(void **state)
{
    (void)state;
    pair it = make_pair(varied_problem(60, 0), 12);
    double lambdas[GRID], d[MAX_KERNELS];
    int64_t ks[MAX_KERNELS];
    rls2_error err;
    rls2_basis_options weighted;
    rls2_basis_options_init(&weighted, sizeof weighted);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    weighted.row_weights = it.w;
    assert_ok(rls2_lambda_grid(1e-4, 1.0, GRID, lambdas, &err), &err);
    fitted_path few = fit(&it.few, &weighted, 1, lambdas, NULL),
                many = fit(&it.many, NULL, 1, lambdas, NULL);
    for (int64_t k = 0; k < it.few.m; k++) ks[k] = k, d[k] = 1.0 / (double)it.few.m;
    rls2_path *a = NULL, *b = NULL;
    assert_ok(rls2__path_fixed(few.basis, it.few.y, it.few.m, ks, d, GRID, lambdas, &options,
                               ON_THREADS(1), &a, &err),
              &err);
    assert_ok(rls2__path_fixed(many.basis, it.many.y, it.few.m, ks, d, GRID, lambdas, &options,
                               ON_THREADS(1), &b, &err),
              &err);
    for (int64_t i = 0; i < GRID; i++) {
        double sums[ROWS] = {0};
        assert_close(rls2_path_at(a, i)->objective, rls2_path_at(b, i)->objective, 1e-10,
                     "objective", i);
        for (int64_t t = 0; t < it.many.n; t++) sums[it.of[t]] += rls2_path_c(b, i)[t];
        for (int64_t t = 0; t < ROWS; t++)
            assert_close(rls2_path_c(a, i)[t], sums[t], 1e-8, "c", i);
    }
    assert_same_criteria(a, b);
    assert_same_predictions(&it, a, b);
    rls2_path_free(a);
    rls2_path_free(b);
    fitted_free(&few);
    fitted_free(&many);
    pair_free(&it);
}

/* With weights a w and lambda a lambda the objective is a times as large and its minimiser the
 * same. Under the trace rule the scalings absorb a, and lambda stays. */
static void weights__all_times_a_number__give_the_same_function(void **state)
{
    (void)state;
    const double a = 2.7, lambda = 0.3;
    rls2__random random;
    rls2__random_seed(&random, 3);
    plain_problem problem = varied_problem(70, 1);
    double w[ROWS], aw[ROWS];
    for (int i = 0; i < ROWS; i++) {
        w[i] = 0.2 + 3.0 * rls2__random_uniform(&random);
        aw[i] = a * w[i];
    }
    for (int rule = RLS2_SCALING_NONE; rule <= RLS2_SCALING_TRACE; rule++) {
        settings s = usual((rls2_scaling)rule);
        double other = rule == RLS2_SCALING_NONE ? a * lambda : lambda;
        double grow =
            rule == RLS2_SCALING_NONE ? 1.0 : a; /* of c, whose kernels are 1/a as large */
        s.basis.row_weights = w;
        fitted_path one = fit(&problem, &s.basis, 1, &lambda, &s.path);
        s.basis.row_weights = aw;
        fitted_path two = fit(&problem, &s.basis, 1, &other, &s.path);
        double *d = dense_weights(one.path, 0, problem.m),
               *e = dense_weights(two.path, 0, problem.m);
        for (int64_t k = 0; k < problem.m; k++) assert_close(d[k], e[k], 1e-5, "d", k);
        for (int64_t i = 0; i < ROWS; i++)
            assert_close(rls2_path_c(two.path, 0)[i], grow * rls2_path_c(one.path, 0)[i], 1e-5, "c",
                         i);
        assert_close(rls2_path_at(two.path, 0)->objective, a * rls2_path_at(one.path, 0)->objective,
                     1e-8, "objective", 0);
        assert_close(rls2_path_at(two.path, 0)->df, rls2_path_at(one.path, 0)->df, 1e-6, "df", 0);
        free(d);
        free(e);
        fitted_free(&one);
        fitted_free(&two);
    }
    problem_free(&problem);
}

/* primal, dual and residual as the header states them, from matrices by definition. */
static void certify__weights_that_are_no_integers__is_as_defined(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 8);
    plain_problem problem = varied_problem(80, 1);
    double w[ROWS], lambdas[GRID];
    rls2_error err;
    settings s = usual(RLS2_SCALING_TRACE);
    for (int i = 0; i < ROWS; i++) w[i] = 0.05 + 5.0 * rls2__random_uniform(&random);
    s.basis.row_weights = w;
    assert_ok(rls2_lambda_grid(1e-4, 1.0, GRID, lambdas, &err), &err);
    fitted_path fitted = fit(&problem, &s.basis, GRID, lambdas, &s.path);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    double *y = centred(fitted.path, ROWS, problem.y);
    long double mean = 0.0L;
    for (int i = 0; i < ROWS; i++) mean += w[i] * y[i];
    assert_true(fabsl(mean) < 1e-12L); /* the intercept is the weighted mean */
    for (int64_t i = 0; i < GRID; i++) {
        double *d = dense_weights(fitted.path, i, problem.m), lambda = lambdas[i];
        const double *c = rls2_path_c(fitted.path, i);
        long double *Rd = plain_combination(&problem, R, d), fit2 = 0, rest = 0, cRc = 0, yy = 0,
                    yc = 0, cc = 0;
        long double largest = 0.0L;
        for (int t = 0; t < ROWS; t++) {
            long double f = 0.0L;
            for (int u = 0; u < ROWS; u++) f += Rd[u * ROWS + t] * c[u];
            fit2 += w[t] * (y[t] - f) * (y[t] - f);
            /* of the weighted system: row t of (W^1/2 R W^1/2 + lambda) W^-1/2 c - W^1/2 y */
            long double r = sqrtl(w[t]) * f + lambda * c[t] / sqrtl(w[t]) - sqrtl(w[t]) * y[t];
            rest += r * r;
            cRc += c[t] * f;
            yy += (long double)w[t] * y[t] * y[t];
            yc += (long double)y[t] * c[t];
            cc += (long double)c[t] * c[t] / w[t];
        }
        for (int64_t k = 0; k < problem.m; k++) {
            long double q = 0.0L;
            for (int t = 0; t < ROWS; t++)
                for (int u = 0; u < ROWS; u++) q += c[t] * R[(k * ROWS + u) * ROWS + t] * c[u];
            largest = fmaxl(largest, q);
        }
        long double primal = 0.5L * fit2 + 0.5L * lambda * cRc;
        long double dual = lambda * yc - 0.5L * lambda * lambda * cc - 0.5L * lambda * largest;
        rls2_certificate proof;
        assert_ok(rls2_path_certify(fitted.path, i, &proof, sizeof proof, &err), &err);
        assert_close(proof.primal, (double)primal, 1e-12, "primal", i);
        assert_close(proof.dual, (double)dual, 1e-12, "dual", i);
        assert_close(proof.residual, (double)sqrtl(rest / yy), 1e-9, "residual", i);
        assert_close(rls2_path_at(fitted.path, i)->objective, (double)primal, 1e-10, "objective",
                     i);
        assert_true(proof.gap >= 0.0 && proof.relative_gap <= 1e-9);
        free(d);
        free(Rd);
    }
    free(R);
    free(y);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* The prediction of row i from all others, with d and scalings kept: (R_-- + lambda W_--^-1) c =
 * y_-. */
static long double left_out_error(const long double *Rd, const double *w, const double *y,
                                  double lambda, int i)
{
    long double A[(ROWS - 1) * (ROWS - 1)], b[ROWS - 1], f = 0.0L;
    for (int u = 0; u < ROWS - 1; u++) {
        int column = u + (u >= i);
        b[u] = y[column];
        for (int t = 0; t < ROWS - 1; t++) {
            int row = t + (t >= i);
            A[u * (ROWS - 1) + t] = Rd[column * ROWS + row] + (t == u ? lambda / w[row] : 0.0L);
        }
    }
    plain_solve(ROWS - 1, A, b);
    for (int t = 0; t < ROWS - 1; t++) f += Rd[i * ROWS + t + (t >= i)] * b[t];
    return y[i] - f;
}

static void criteria__leave_one_out_with_weights__is_by_brute_force(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 9);
    plain_problem problem = varied_problem(90, 1);
    double w[ROWS], lambdas[GRID], total = 0.0;
    rls2_error err;
    rls2_criteria criteria[GRID];
    settings s = usual(RLS2_SCALING_TRACE);
    for (int i = 0; i < ROWS; i++) total += w[i] = 0.1 + 3.0 * rls2__random_uniform(&random);
    s.basis.row_weights = w;
    assert_ok(rls2_lambda_grid(1e-4, 1.0, GRID, lambdas, &err), &err);
    fitted_path fitted = fit(&problem, &s.basis, GRID, lambdas, &s.path);
    assert_ok(rls2_path_criteria(fitted.path, NULL, criteria, sizeof *criteria, &err), &err);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
    double *y = centred(fitted.path, ROWS, problem.y);
    for (int64_t i = 0; i < GRID; i++) {
        double *d = dense_weights(fitted.path, i, problem.m);
        long double *Rd = plain_combination(&problem, R, d), sum = 0.0L;
        double lambda = rls2_path_at(fitted.path, i)->lambda;
        for (int t = 0; t < ROWS; t++) {
            long double e = left_out_error(Rd, w, y, lambda, t);
            sum += w[t] * e * e;
        }
        assert_close(criteria[i].loo, (double)(sum / total), 1e-8, "loo", i);
        free(d);
        free(Rd);
    }
    free(R);
    free(y);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* Weights of one change nothing but bits. */
static void weights__all_one__are_no_weights(void **state)
{
    (void)state;
    plain_problem problem = varied_problem(95, 1);
    const double lambda = 0.01;
    double w[ROWS];
    settings s = usual(RLS2_SCALING_TRACE);
    fitted_path without = fit(&problem, &s.basis, 1, &lambda, &s.path);
    for (int i = 0; i < ROWS; i++) w[i] = 1.0;
    s.basis.row_weights = w;
    fitted_path with = fit(&problem, &s.basis, 1, &lambda, &s.path);
    assert_null(rls2_basis_row_weights(without.basis));
    assert_non_null(rls2_basis_row_weights(with.basis));
    for (int i = 0; i < ROWS; i++)
        assert_close(rls2_path_c(with.path, 0)[i], rls2_path_c(without.path, 0)[i], 1e-7, "c", i);
    fitted_free(&without);
    fitted_free(&with);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights__every_scaling_rule__is_rows_repeated),
        cmocka_unit_test(weights__centred_and_transductive_traces__are_rows_repeated),
        cmocka_unit_test(weights__dense_storage_and_little_memory__are_rows_repeated),
        cmocka_unit_test(weights__alternate_solver__is_rows_repeated),
        cmocka_unit_test(weights__more_linear_kernels_than_rows__are_rows_repeated_by_one_product),
        cmocka_unit_test(weights__fixed_kernel_weights__are_rows_repeated),
        cmocka_unit_test(weights__all_times_a_number__give_the_same_function),
        cmocka_unit_test(certify__weights_that_are_no_integers__is_as_defined),
        cmocka_unit_test(criteria__leave_one_out_with_weights__is_by_brute_force),
        cmocka_unit_test(weights__all_one__are_no_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
