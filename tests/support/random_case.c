/* Draws the random cases and fits each. */
#include "support/random_case.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double EXTREME = 1e-8;

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
    rls2_basis_options_init(&it->basis, sizeof it->basis);
    it->basis.skip_degenerate = 1;
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
    rls2_path_options_init(&it->path, sizeof it->path);
    rls2__random_seed(&random, seed);
    int64_t n = rls2__random_below(&random, 15) == 0 ? 1 : 1 + rls2__random_below(&random, 40);
    int64_t p = 1 + rls2__random_below(&random, 6);
    it->problem = problem_create(&random, n, p);
    it->labels = numbers(n);
    it->test = numbers(TEST_ROWS * p);
    it->test_rows = (rls2_rows){.n = TEST_ROWS, .p = p, .x = it->test};
    problem_add_random(&it->problem, &random,
                       rls2__random_below(&random, 8) == 0 ? 1
                                                           : 1 + rls2__random_below(&random, 30));
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
    rls2_status status = rls2_scaling_compute(dictionary, &rows, &it->basis, NULL, s, &err);
    if (status != RLS2_OK) assert_non_null(strstr(err.message, "kernels can be scaled"));
    rls2_dictionary_free(dictionary);
    free(s);
    return status == RLS2_OK;
}

fitted_path fit_case(const random_case *it)
{
    return fit_under(&it->problem, &it->basis, ON_THREADS(1), LAMBDAS, it->lambdas, &it->path);
}

void for_all_cases(void (*check)(const random_case *, const fitted_path *))
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

double largest_trace(const plain_problem *problem, const long double *R)
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
