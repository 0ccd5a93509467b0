/* Every allocation of a path with given weights, and of a cross-validation with its baselines,
 * fails once: alone, and with those that come after it. The call then reports it and writes
 * nothing. */
#include <stdio.h>

#include "learning_problem.h"
#include "solver/fixed.h"
#include "support/control.h"
#include "support/cv_run.h"

static const double descending[LAMBDAS] = {1.0, 3e-2, 1e-3};
static rls2_table *table;
static rls2_splits *splits;

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
    for (int b = 0; b < RLS2_BASELINE_COUNT; b++) {
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
    return set_up(state);
}

static int tear_down_both(void **state)
{
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
