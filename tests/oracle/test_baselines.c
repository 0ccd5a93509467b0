/* Baselines of cross-validation: paths with given weights, alignments and scores against their
 * definitions in long double, and what they come to on data. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/baselines.h"
#include "solver/fixed.h"
#include "support/problem.h"
#include "support/control.h"
#include "support/cv_run.h"
#include "support/unit_support.h"

enum { N = 40, P = 3, LAMBDAS = 4, WIDE = 150 };
static const double LAMBDA[LAMBDAS] = {10.0, 0.1, 1e-2, 1e-4};

/* ---- problems with all shapes ---- */

static void add_given(plain_problem *problem, rls2__random *random)
{
    double *K = numbers(N * N), g[N];
    for (int64_t i = 0; i < N; i++) g[i] = rls2__random_normal(random);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) K[j * N + i] = exp(-(g[i] - g[j]) * (g[i] - g[j]));
    problem->given[problem->given_count++] = K;
    problem_add(problem, GIVEN, 0.0, 0.0, 0);
}

static plain_problem make_problem(uint64_t seed)
{
    rls2__random random;
    rls2__random_seed(&random, seed);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    problem_add(&problem, RBF, 3.0, 0.0, -1);
    problem_add(&problem, LAPLACE, 1.0, 0.0, -1);
    add_given(&problem, &random);
    problem_add(&problem, RBF, 0.1, 0.0, 1);
    for (int64_t i = 0; i < WIDE; i++) /* factors, of more columns than are taken at a time */
        problem_add(&problem, POLY, 3.0, 0.5 + 0.01 * (double)i, i % P);
    return problem;
}

static void assert_all_shapes(const rls2_basis *basis)
{
    static const char *const names[] = {"rank-one", "factor", "dense", "given"};
    int64_t ranks = 0;
    for (int i = 0; i < 4; i++) {
        int found = 0;
        for (int64_t k = 0; k < basis->m; k++)
            found += strcmp(rls2_basis_shape(basis, k), names[i]) == 0;
        if (!found) fail_msg("no operator is %s", names[i]);
    }
    for (int64_t k = 0; k < basis->m; k++) ranks += basis->ops[k].factor ? basis->ops[k].rank : 0;
    assert_true(ranks > 512);
}

static rls2_path *fit_fixed(const rls2_basis *basis, const double *y, const double *d)
{
    rls2_error err;
    rls2_path *path = NULL;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2__weighting weighting;
    assert_int_equal(rls2__weighting_create(basis, &weighting), RLS2_OK);
    for (int64_t k = 0; k < basis->m; k++) {
        if (d[k] == 0.0) continue;
        weighting.ks[weighting.count] = k;
        weighting.d[weighting.count++] = d[k];
    }
    assert_ok(rls2__path_fixed(basis, y, weighting.count, weighting.ks, weighting.d, LAMBDAS,
                               LAMBDA, &options, ON_THREADS(1), &path, &err),
              &err);
    rls2__weighting_free(&weighting);
    return path;
}

/* c and objective of every point by elimination. */
static void assert_solved(const plain_problem *problem, const rls2_path *path, const long double *R,
                          const double *d)
{
    double *y = centred(path, N, problem->y);
    for (int64_t l = 0; l < LAMBDAS; l++) {
        const rls2_path_point *point = rls2_path_at(path, l);
        const double *c = rls2_path_c(path, l);
        long double *M = plain_combination(problem, R, d), b[N], size = 0.0L, miss = 0.0L;
        for (int64_t i = 0; i < N; i++) {
            M[i * N + i] += LAMBDA[l];
            b[i] = y[i];
        }
        plain_solve(N, M, b);
        for (int64_t i = 0; i < N; i++) {
            size = fmaxl(size, fabsl(b[i]));
            miss = fmaxl(miss, fabsl(b[i] - c[i]));
        }
        if (!(miss <= 1e-10L * size))
            fail_msg("lambda %g: c is off by %Lg of %Lg", LAMBDA[l], miss, size);
        long double objective = plain_objective(problem, R, y, LAMBDA[l], d);
        assert_true(fabsl(objective - point->objective) <= 1e-11L * objective);
        assert_true(point->lambda == LAMBDA[l]);
        assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
        free(M);
    }
    free(y);
}

static void path_fixed__all_shapes__solves_every_lambda(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        plain_problem problem = make_problem(seed);
        fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
        long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis));
        assert_all_shapes(fitted.basis);
        double *d = numbers(problem.m);
        for (int64_t k = 0; k < problem.m; k++)
            d[k] = (double)(k % 5) / 100.0; /* some without weight */
        rls2_path *path = fit_fixed(fitted.basis, problem.y, d);
        assert_solved(&problem, path, R, d);
        double *kept = dense_weights(path, LAMBDAS - 1, problem.m);
        assert_memory_equal(kept, d, (size_t)problem.m * sizeof *d);
        rls2_path_free(path);
        free(kept);
        free(d);
        free(R);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

static void path_fixed__training_rows_predicted__gives_the_fit(void **state)
{
    (void)state;
    rls2_error err;
    plain_problem problem = make_problem(4);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    rls2_rows rows = problem_rows(&problem);
    double *d = numbers(problem.m), *f = numbers(N * LAMBDAS);
    for (int64_t k = 0; k < problem.m; k++) d[k] = 1.0 / (double)problem.m;
    rls2_path *path = fit_fixed(fitted.basis, problem.y, d);
    assert_ok(rls2_path_predict(path, &rows, f, &err), &err);
    for (int64_t l = 0; l < LAMBDAS; l++) /* f = y - lambda c */
        for (int64_t i = 0; i < N; i++)
            assert_true(fabs(problem.y[i] - LAMBDA[l] * rls2_path_c(path, l)[i] - f[l * N + i]) <=
                        1e-10);
    rls2_path_free(path);
    free(d);
    free(f);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* ---- alignments ---- */

static long double plain_frobenius(int64_t n, const long double *R)
{
    long double squares = 0.0L;
    for (int64_t i = 0; i < n * n; i++) squares += R[i] * R[i];
    return sqrtl(squares);
}

static long double plain_alignment(int64_t n, const long double *R, const double *y)
{
    long double sum = 0.0L;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) sum += y[i] * R[j * n + i] * y[j];
    return sum / plain_frobenius(n, R);
}

static void alignments__all_shapes__equal_the_definition(void **state)
{
    (void)state;
    plain_problem problem = make_problem(5);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    long double *R = plain_matrices(&problem, rls2_basis_scales(fitted.basis)), sum = 0.0L;
    double *y = centred(fitted.path, N, problem.y), *made = numbers(problem.m), work[N];
    rls2__weighting weighting;
    assert_int_equal(rls2__weighting_create(fitted.basis, &weighting), RLS2_OK);
    assert_int_equal(rls2__alignments(unit_alone(), fitted.basis, y, made), RLS2_OK);
    int64_t best = 0;
    for (int64_t k = 0; k < problem.m; k++) {
        long double norm = plain_frobenius(N, R + k * N * N),
                    a = plain_alignment(N, R + k * N * N, y);
        assert_true(fabsl(rls2__basis_frobenius(fitted.basis, k, work) - norm) <= 1e-12L * norm);
        assert_true(fabsl(made[k] - a) <= 1e-11L * a);
        sum += a;
        if (made[k] > made[best]) best = k;
    }
    rls2__weigh(RLS2_BASELINE_ALIGNMENT, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, problem.m);
    for (int64_t k = 0; k < problem.m; k++)
        assert_true(fabsl(weighting.d[k] - made[k] / sum) <= 1e-11L * weighting.d[k]);
    rls2__weigh(RLS2_BASELINE_SINGLE, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, 1);
    assert_int_equal(weighting.ks[0], best);
    assert_true(weighting.d[0] == 1.0);
    rls2__weighting_free(&weighting);
    free(R);
    free(y);
    free(made);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* A column of zeros has no scaling, and a response of zeros aligns with nothing. */
static void weigh__skipped_kernel_and_no_alignment__leaves_them_out(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 6);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    memset(problem.x + N, 0, N * sizeof(double));
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    fitted_path fitted = fit(&problem, &options, LAMBDAS, LAMBDA, NULL);
    double made[P], zeros[N] = {0.0};
    rls2__weighting weighting;
    assert_int_equal(rls2__weighting_create(fitted.basis, &weighting), RLS2_OK);
    assert_int_equal(rls2__alignments(unit_alone(), fitted.basis, problem.y, made), RLS2_OK);
    assert_true(made[0] > 0.0 && made[1] == 0.0 && made[2] > 0.0);
    rls2__weigh(RLS2_BASELINE_UNIFORM, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, 2);
    assert_true(weighting.ks[0] == 0 && weighting.ks[1] == 2);
    assert_true(weighting.d[0] == 0.5 && weighting.d[1] == 0.5);
    rls2__weigh(RLS2_BASELINE_ALIGNMENT, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, 2);
    assert_int_equal(rls2__alignments(unit_alone(), fitted.basis, zeros, made), RLS2_OK);
    rls2__weigh(RLS2_BASELINE_ALIGNMENT, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, 0);
    rls2__weigh(RLS2_BASELINE_SINGLE, fitted.basis, made, &weighting);
    assert_int_equal(weighting.count, 0);
    rls2__weighting_free(&weighting);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* ---- scores by definition ---- */

static rls2_table *make_table(const plain_problem *problem)
{
    rls2_error err;
    rls2_table *table;
    size_t room = (size_t)(problem->n + 1) * (size_t)(problem->p + 1) * 32, at = 0;
    char *text = calloc(room, 1);
    assert_non_null(text);
    for (int64_t j = 0; j < problem->p; j++)
        at += (size_t)snprintf(text + at, room - at, "x%d,", (int)j + 1);
    at += (size_t)snprintf(text + at, room - at, "y\n");
    for (int64_t i = 0; i < problem->n; i++) {
        for (int64_t j = 0; j < problem->p; j++)
            at += (size_t)snprintf(text + at, room - at, "%.17g,", problem->x[j * problem->n + i]);
        at += (size_t)snprintf(text + at, room - at, "%.17g\n", problem->y[i]);
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

/* The rows of the problem with those numbers, and no kernels. */
static plain_problem take_rows(const plain_problem *problem, int64_t count, const int64_t *rows)
{
    plain_problem taken = {
        .n = count, .p = problem->p, .x = numbers(count * P), .y = numbers(count)};
    for (int64_t i = 0; i < count; i++) {
        taken.y[i] = problem->y[rows[i]];
        for (int64_t j = 0; j < P; j++)
            taken.x[j * count + i] = problem->x[j * problem->n + rows[i]];
    }
    return taken;
}

static void plain_weights(rls2_baseline which, const plain_problem *train, const long double *R,
                          const double *y, double *d)
{
    long double a[MAX_KERNELS], sum = 0.0L;
    int64_t best = 0;
    for (int64_t k = 0; k < train->m; k++) {
        a[k] = plain_alignment(train->n, R + k * train->n * train->n, y);
        sum += a[k];
        if (a[k] > a[best]) best = k;
    }
    for (int64_t k = 0; k < train->m; k++)
        d[k] = which == RLS2_BASELINE_ALIGNMENT ? (double)(a[k] / sum)
               : which == RLS2_BASELINE_SINGLE  ? (double)(k == best)
                                                : 1.0 / (double)train->m;
}

/* Root mean squared error of the baseline on the rows of `test`. */
static long double plain_score(rls2_baseline which, double lambda, const plain_problem *train,
                               const plain_problem *test)
{
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    int64_t n = train->n;
    long double mean = 0.0L, squares = 0.0L, b[N];
    double s[MAX_KERNELS], d[MAX_KERNELS], y[N];
    for (int64_t k = 0; k < train->m; k++)
        s[k] = (double)(1.0L / plain_denominator(train, &train->kernels[k], &options, 0, NULL));
    for (int64_t i = 0; i < n; i++) mean += (long double)train->y[i] / (long double)n;
    for (int64_t i = 0; i < n; i++) b[i] = y[i] = (double)(train->y[i] - mean);
    long double *R = plain_matrices(train, s);
    plain_weights(which, train, R, y, d);
    long double *M = plain_combination(train, R, d);
    for (int64_t i = 0; i < n; i++) M[i * n + i] += lambda;
    plain_solve(n, M, b);
    for (int64_t t = 0; t < test->n; t++) {
        long double rest = test->y[t] - mean;
        for (int64_t k = 0; k < train->m; k++)
            for (int64_t j = 0; j < n; j++)
                rest -= d[k] * s[k] * b[j] *
                        plain_value(train, &train->kernels[k], test->n, test->x, t, n, train->x, j);
        squares += rest * rest;
    }
    free(R);
    free(M);
    return sqrtl(squares / (long double)test->n);
}

static long double plain_cvm(rls2_baseline which, double lambda, const plain_problem *problem,
                             const rls2_splits *splits)
{
    long double sum = 0.0L;
    for (int64_t s = 0; s < rls2_splits_count(splits); s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_training(splits, s, &rows);
        plain_problem train = take_rows(problem, n, rows);
        n = rls2_splits_validation(splits, s, &rows);
        plain_problem test = take_rows(problem, n, rows);
        if (which == RLS2_BASELINE_RIDGE)
            problem_add(&train, LINEAR, 0.0, 0.0, -1);
        else
            for (int64_t k = 0; k < problem->m; k++)
                problem_add(&train, problem->kernels[k].kind, problem->kernels[k].a,
                            problem->kernels[k].b, problem->kernels[k].column);
        sum += (long double)n * plain_score(which, lambda, &train, &test);
        problem_free(&train);
        problem_free(&test);
    }
    return sum / (long double)problem->n;
}

static rls2_cv *run_cv(const rls2_table *table, const rls2__recipe *recipe,
                       const rls2_splits *splits, rls2_measure measure, int threads)
{
    rls2_error err;
    rls2_cv *cv;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    options.measure = measure;
    options.threads = threads;
    options.baselines = 1;
    assert_ok(cv_run(table, recipe, splits, &options, &cv, &err), &err);
    return cv;
}

static void cv_baseline__small_table__equals_the_definition(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    rls2_splits *splits;
    char spec[SPEC_ROOM];
    rls2__random_seed(&random, 7);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    problem_add(&problem, RBF, 0.5, 0.0, -1);
    problem_add(&problem, RBF, 0.3, 0.0, 0);
    problem_spec(&problem, spec);
    rls2_table *table = make_table(&problem);
    assert_ok(rls2_splits_folds(N, NULL, 3, 1, 1, &splits, &err), &err);
    for (int64_t l = 0; l < LAMBDAS; l++) {
        rls2__recipe recipe = rls2__recipe_default();
        recipe.data.target = "y";
        recipe.kernels = spec;
        recipe.lambda_count = 1;
        recipe.lambdas = &LAMBDA[l];
        rls2_cv *cv = run_cv(table, &recipe, splits, RLS2_MEASURE_RMSE, 2);
        for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
            const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
            long double expected = plain_cvm((rls2_baseline)b, LAMBDA[l], &problem, splits);
            assert_non_null(point);
            if (!(fabsl(point->cvm - expected) <= 1e-9L * expected))
                fail_msg("%s, lambda %g: %.12g instead of %.12Lg",
                         rls2_baseline_name((rls2_baseline)b), LAMBDA[l], point->cvm, expected);
            assert_true(point->nzero == (b < 2 ? (double)problem.m : 1.0));
            assert_true(point->lambda == LAMBDA[l]);
        }
        rls2_cv_free(cv);
    }
    rls2_splits_free(splits);
    rls2_table_free(table);
    problem_free(&problem);
}

/* ---- data sets ---- */

typedef struct data_case {
    rls2_table *table;
    rls2_splits *splits;
    rls2__recipe recipe;
} data_case;

/* Five folds of one of the paper's sets, standardised. */
static data_case open_case(const char *file, const char *target, const char *kernels, int classes)
{
    rls2_error err;
    rls2_dataset *data;
    data_case it = {.recipe = rls2__recipe_default()};
    it.recipe.data.target = target;
    it.recipe.data.classify = classes;
    it.recipe.preprocessing.features = RLS2_NORMALIZE_STANDARDIZE;
    it.recipe.kernels = kernels;
    it.recipe.lambda_count = UNDER_SANITIZERS ? 8 : 15;
    it.recipe.path.intercept = classes ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    assert_ok(rls2_table_read_csv(file, &it.table, &err), &err);
    assert_ok(rls2_dataset_create(it.table, &it.recipe.data, &data, &err), &err);
    assert_ok(rls2_splits_folds(rls2_dataset_rows(data), classes ? rls2_dataset_y(data) : NULL, 5,
                                1, 1, &it.splits, &err),
              &err);
    rls2_dataset_free(data);
    return it;
}

static void close_case(data_case *it)
{
    rls2_splits_free(it->splits);
    rls2_table_free(it->table);
}

static const rls2_cv_point *learned(const rls2_cv *cv)
{
    assert_true(rls2_cv_min(cv) >= 0);
    return rls2_cv_at(cv, rls2_cv_min(cv));
}

static void cv_baseline__housing__is_finite_and_not_the_learned_one(void **state)
{
    (void)state;
    data_case it = open_case("data/housing.csv", "MEDV", "paper", 0);
    rls2_cv *cv = run_cv(it.table, &it.recipe, it.splits, RLS2_MEASURE_RMSE, 2);
    for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
        assert_non_null(point);
        assert_true(point->cvm > 0.0 && point->cvm < 20.0);
        assert_true(point->cvsd > 0.0 && isfinite(point->cvsd));
    }
    assert_true(fabs(rls2_cv_baseline(cv, RLS2_BASELINE_UNIFORM)->cvm - learned(cv)->cvm) > 1e-3);
    assert_true(rls2_cv_baseline(cv, RLS2_BASELINE_UNIFORM)->nzero == 13.0 * 14.0);
    rls2_cv_free(cv);
    close_case(&it);
}

static void cv_baseline__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    data_case it = open_case("data/heart.csv", "class", "paper", 1);
    rls2_cv *one = run_cv(it.table, &it.recipe, it.splits, RLS2_MEASURE_AUC, 1);
    rls2_cv *two = run_cv(it.table, &it.recipe, it.splits, RLS2_MEASURE_AUC, 2);
    for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
        const rls2_cv_point *u = rls2_cv_baseline(one, (rls2_baseline)b);
        const rls2_cv_point *v = rls2_cv_baseline(two, (rls2_baseline)b);
        assert_true(u && v && u->cvm > 0.8 && u->cvm < 1.0);
        assert_memory_equal(u, v, sizeof *u);
    }
    rls2_cv_free(one);
    rls2_cv_free(two);
    close_case(&it);
}

/* With nothing to choose from, all of them are the same. */
static void assert_all_agree(const char *file, const char *target, const char *kernel, int classes,
                             rls2_measure measure, int64_t count)
{
    data_case it = open_case(file, target, kernel, classes);
    rls2_cv *cv = run_cv(it.table, &it.recipe, it.splits, measure, 2);
    for (int b = 0; b < count; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
        assert_non_null(point);
        assert_true(fabs(point->cvm - learned(cv)->cvm) <= 1e-8);
        assert_true(fabs(point->cvsd - learned(cv)->cvsd) <= 1e-8);
        assert_true(point->lambda == learned(cv)->lambda);
        assert_true(point->nzero == 1.0);
    }
    rls2_cv_free(cv);
    close_case(&it);
}

static void cv_baseline__one_kernel__equals_the_learned_path(void **state)
{
    (void)state;
    assert_all_agree("data/prostate.csv", "lpsa", "rbf(0.1)@all", 0, RLS2_MEASURE_RMSE,
                     RLS2_BASELINE_RIDGE);
    assert_all_agree("data/heart.csv", "class", "rbf(0.05)@all", 1, RLS2_MEASURE_AUC,
                     RLS2_BASELINE_RIDGE);
    /* and if the one is ridge's own, so is ridge */
    assert_all_agree("data/auto-mpg.csv", "mpg", "linear@all", 0, RLS2_MEASURE_RMSE,
                     RLS2_BASELINE_CONSTANT);
}

/* ---- corners ---- */

static void cv_baseline__not_asked_for__is_null(void **state)
{
    (void)state;
    rls2_error err;
    rls2_cv *cv;
    data_case it = open_case("data/prostate.csv", "lpsa", "linear@each", 0);
    assert_ok(cv_run(it.table, &it.recipe, it.splits, NULL, &cv, &err), &err);
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++)
        assert_null(rls2_cv_baseline(cv, (rls2_baseline)b));
    assert_null(rls2_cv_baseline(NULL, RLS2_BASELINE_UNIFORM));
    assert_null(rls2_cv_baseline(cv, RLS2_BASELINE_COUNT));
    assert_null(rls2_baseline_name(RLS2_BASELINE_COUNT));
    rls2_cv_free(cv);
    close_case(&it);
}

/* A target that is constant aligns with nothing; a plain average is defined all the same. */
static void cv_baseline__constant_target__has_no_alignment(void **state)
{
    (void)state;
    rls2_error err;
    rls2_splits *splits;
    rls2__random random;
    rls2__random_seed(&random, 8);
    plain_problem problem = problem_create(&random, N, P);
    for (int64_t i = 0; i < N; i++) problem.y[i] = 2.0;
    rls2_table *table = make_table(&problem);
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "y";
    recipe.kernels = "linear@each";
    recipe.lambda_count = 3;
    assert_ok(rls2_splits_folds(N, NULL, 3, 1, 1, &splits, &err), &err);
    rls2_cv *cv = run_cv(table, &recipe, splits, RLS2_MEASURE_RMSE, 1);
    assert_non_null(rls2_cv_baseline(cv, RLS2_BASELINE_UNIFORM));
    assert_non_null(rls2_cv_baseline(cv, RLS2_BASELINE_RIDGE));
    assert_null(rls2_cv_baseline(cv, RLS2_BASELINE_ALIGNMENT));
    assert_null(rls2_cv_baseline(cv, RLS2_BASELINE_SINGLE));
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    rls2_table_free(table);
    problem_free(&problem);
}

static int stop_after(void *user, const rls2_progress *progress)
{
    int64_t *left = user;
    (void)progress;
    return (*left)-- <= 0;
}

/* Wherever the callback says stop, baselines included, nothing comes of it. */
static void cv_run__stopped_at_any_call__is_cancelled(void **state)
{
    (void)state;
    rls2_error err;
    data_case it = open_case("data/prostate.csv", "lpsa", "linear@each; rbf(0.1)@all", 0);
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    rls2_cv *cv = NULL;
    int64_t calls = 0, left, plain = INT64_C(1) << 40, with;
    options.threads = 1;
    options.progress = stop_after;
    options.progress_user = &left;
    left = plain;
    assert_ok(cv_run(it.table, &it.recipe, it.splits, &options, &cv, &err), &err);
    plain -= left;
    rls2_cv_free(cv);
    options.baselines = 1;
    left = with = INT64_C(1) << 40;
    assert_ok(cv_run(it.table, &it.recipe, it.splits, &options, &cv, &err), &err);
    with -= left;
    rls2_cv_free(cv);
    /* a call for each split, baseline and lambda more, at least */
    assert_true(with >= plain + 5 * RLS2_BASELINE_CONSTANT * it.recipe.lambda_count);
    for (cv = NULL; calls < with; calls += 7) {
        left = calls;
        assert_int_equal(cv_run(it.table, &it.recipe, it.splits, &options, &cv, &err),
                         RLS2_ERR_CANCELLED);
        assert_null(cv);
        assert_true(left == -1); /* and it was not asked again */
    }
    close_case(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fixed__all_shapes__solves_every_lambda),
        cmocka_unit_test(path_fixed__training_rows_predicted__gives_the_fit),
        cmocka_unit_test(alignments__all_shapes__equal_the_definition),
        cmocka_unit_test(weigh__skipped_kernel_and_no_alignment__leaves_them_out),
        cmocka_unit_test(cv_baseline__small_table__equals_the_definition),
        cmocka_unit_test(cv_baseline__housing__is_finite_and_not_the_learned_one),
        cmocka_unit_test(cv_baseline__any_number_of_threads__same_bits),
        cmocka_unit_test(cv_baseline__one_kernel__equals_the_learned_path),
        cmocka_unit_test(cv_baseline__not_asked_for__is_null),
        cmocka_unit_test(cv_baseline__constant_target__has_no_alignment),
        cmocka_unit_test(cv_run__stopped_at_any_call__is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
