/* Every allocation of a path with given weights, and of a cross-validation with its baselines,
 * fails once: alone, and with those that come after it. The call then reports it and writes
 * nothing. */
#include <stdio.h>

#include "la/threads.h"
#include "learning_problem.h"
#include "solver/fixed.h"
#include "support/control.h"
#include "support/cv_run.h"

static const double descending[LAMBDAS] = {1.0, 3e-2, 1e-3};
static rls2_table *table;
static rls2_splits *splits;

/* As many rows as are solved for all lambdas together. */
enum { MANY = 256, MANY_LAMBDAS = 6 };
static struct {
    double x[MANY * P], y[MANY];
    rls2_dictionary *dictionary;
    rls2_basis *basis;
} large;

/* The first `kernels` of them, evenly weighted. */
static rls2_status large_path(int64_t kernels, result *r, rls2_error *err)
{
    static const double grid[MANY_LAMBDAS] = {10.0, 1.0, 0.1, 1e-2, 1e-4, 1e-11};
    int64_t ks[P + 1];
    double d[P + 1];
    rls2_path *path = UNTOUCHED;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2_status status;
    for (int64_t k = 0; k < kernels; k++) {
        ks[k] = k;
        d[k] = 1.0 / (double)kernels;
    }
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    ARMED(status = rls2__path_fixed(large.basis, large.y, kernels, ks, d, MANY_LAMBDAS, grid,
                                    &options, ON_THREADS(1), &path, err));
    rls2__la_leave();
    if (status != RLS2_OK) {
        assert_ptr_equal(path, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < MANY_LAMBDAS; i++) add_value(r, rls2_path_at(path, i)->objective);
    rls2_path_free(path);
    return status;
}

static rls2_status large_path_low(result *r, rls2_error *err)
{
    return large_path(P, r, err);
}

static rls2_status large_path_full(result *r, rls2_error *err)
{
    return large_path(P + 1, r, err);
}

static int set_up_large(void)
{
    static const char *const names[P] = {"x1", "x2", "x3", "x4"};
    rls2_error err;
    rls2_columns columns = {.count = P, .names = names};
    rls2_rows rows = {.n = MANY, .p = P, .x = large.x};
    fill_rows(MANY, large.x, 0.0);
    for (int i = 0; i < MANY; i++) large.y[i] = sin(3.0 * noise(i, 1)) + noise(i, 9);
    if (rls2_dictionary_create("linear@each; rbf(1)@all", &columns, &large.dictionary, &err) ||
        rls2_basis_create(large.dictionary, &rows, NULL, NULL, &large.basis, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    return 0;
}

static rls2_status fixed_path(result *r, rls2_error *err)
{
    int64_t ks[KERNEL_ROOM], m = rls2_basis_count(problem.basis);
    rls2_path *path = UNTOUCHED;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    rls2_status status;
    for (int64_t k = 0; k < m; k++) ks[k] = k;
    ARMED(status = rls2__path_fixed(problem.basis, problem.y, m, ks, problem.d, LAMBDAS, descending,
                                    &options, ON_THREADS(1), &path, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(path, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < LAMBDAS; i++) add_values(r, N, rls2_path_c(path, i));
    rls2_path_free(path);
    return status;
}

static rls2_status cross_validation(result *r, rls2_error *err)
{
    rls2_cv *cv = UNTOUCHED;
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    rls2__recipe recipe = rls2__recipe_default();
    rls2_status status;
    recipe.data.target = "y";
    recipe.kernels = "linear@each; rbf(1)@all; spline@x1";
    recipe.lambda_count = LAMBDAS;
    options.threads = 1;
    options.baselines = 1;
    ARMED(status = cv_run(table, &recipe, splits, &options, &cv, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(cv, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < LAMBDAS; i++) add_value(r, rls2_cv_at(cv, i)->cvm);
    for (int b = 0; b < RLS2_BASELINE_CONSTANT; b++) {
        const rls2_cv_point *point = rls2_cv_baseline(cv, (rls2_baseline)b);
        assert_non_null(point);
        add_value(r, point->cvm);
        add_value(r, point->lambda);
    }
    rls2_cv_free(cv);
    return status;
}

/* A combiner does without triangles it has no room for: tolerant where a path is learned. */
static const sweep sweeps[] = {{"path_fixed__all_shapes", fixed_path, STRICT},
                               {"path_fixed__many_rows", large_path_full, STRICT},
                               {"path_fixed__many_rows_of_few_columns", large_path_low, STRICT},
                               {"cv_run__baselines", cross_validation, TOLERANT}};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0], ROWS = 24 };

static int set_up_both(void **state)
{
    char text[ROWS * 96];
    rls2_error err;
    size_t at = (size_t)snprintf(text, sizeof text, "x1,x2,y\n");
    for (int i = 0; i < ROWS; i++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "%.6f,%.6f,%.6f\n", noise(i, 1),
                             noise(i, 2), noise(i, 1) + sin(2.0 * noise(i, 2)) + 0.3 * noise(i, 3));
    if (rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err) ||
        rls2_splits_folds(ROWS, NULL, 2, 1, 1, &splits, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    return set_up_large() == 0 ? set_up(state) : -1;
}

static int tear_down_both(void **state)
{
    rls2_basis_free(large.basis);
    rls2_dictionary_free(large.dictionary);
    rls2_splits_free(splits);
    rls2_table_free(table);
    return tear_down(state);
}

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up_both, tear_down_both);
}
