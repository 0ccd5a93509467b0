/* Every allocation of the functions of paths, lambdas and certificates fails once: alone,
 * and with those that come after it. The call then reports it and writes nothing. That
 * nothing leaks either is for the sanitised build to see. */
#include "learning_problem.h"
#include "support/one_output.h"
#include "support/control.h"

static void add_point(result *r, const rls2_path *path, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(path, i);
    const int64_t *kernels;
    const double *weights;
    int64_t count = rls2_path_kernel_weights(path, i, &kernels, &weights);
    add_value(r, point->lambda);
    add_value(r, point->objective);
    add_value(r, point->df);
    add_value(r, (double)point->outcome);
    add_value(r, (double)count);
    for (int64_t k = 0; k < count; k++) add_value(r, (double)kernels[k]);
    add_values(r, count, weights);
    add_values(r, N, rls2_path_c(path, i));
}

static rls2_status fit_path(rls2_solver solver, int df, int64_t memory, result *r, rls2_error *err)
{
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = solver;
    options.degrees_of_freedom = df;
    options.gap_tol = 1e-9;
    options.delta = 1e-3;
    if (memory >= 0) options.memory = memory;
    ARMED(status = fit_one(problem.basis, problem.y, LAMBDAS, lambdas, &options, &path, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(path, UNTOUCHED);
        return status;
    }
    assert_int_equal(rls2_path_count(path), LAMBDAS);
    for (int64_t i = 0; i < LAMBDAS; i++) add_point(r, path, i);
    rls2_path_free(path);
    return status;
}

static rls2_status newton(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 0, -1, r, err);
}

static rls2_status newton_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 1, -1, r, err);
}

static rls2_status newton_lean(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 0, 0, r, err);
}

static rls2_status newton_lean_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_NEWTON, 1, 0, r, err);
}

static rls2_status alternate(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 0, -1, r, err);
}

static rls2_status alternate_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 1, -1, r, err);
}

static rls2_status alternate_lean(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 0, 0, r, err);
}

static rls2_status alternate_lean_df(result *r, rls2_error *err)
{
    return fit_path(RLS2_SOLVER_ALTERNATE, 1, 0, r, err);
}

/* Without room for triangles, so that nothing can be done without. */
static rls2_status outputs(result *r, rls2_error *err)
{
    double y[2 * N];
    rls2_path *paths[2] = {UNTOUCHED, UNTOUCHED};
    rls2_status status;
    const rls2_basis *bases[] = {problem.basis, problem.basis};
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.memory = 0;
    for (int i = 0; i < N; i++) y[i] = problem.y[i], y[N + i] = problem.labels[i];
    ARMED(status =
              rls2_path_fit(2, bases, y, LAMBDAS, lambdas, &options, ON_THREADS(1), paths, err));
    for (int o = 0; o < 2; o++) {
        if (status != RLS2_OK) {
            assert_ptr_equal(paths[o], UNTOUCHED);
            continue;
        }
        assert_int_equal(rls2_path_count(paths[o]), LAMBDAS);
        for (int64_t i = 0; i < LAMBDAS; i++) add_point(r, paths[o], i);
        rls2_path_free(paths[o]);
    }
    return status;
}

/* With weights of the rows, on a basis of that much memory. */
static rls2_status fit_weighted(int64_t basis_memory, int64_t memory, result *r, rls2_error *err)
{
    rls2_basis *basis = NULL;
    double weights[N];
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_path_options lean;
    rls2_path_options_init(&lean, sizeof lean);
    lean.memory = memory;
    options.memory = basis_memory;
    options.row_weights = weights;
    for (int i = 0; i < N; i++) weights[i] = 1.0 + i % 3;
    assert_int_equal(rls2_basis_create(problem.dictionary, &problem.train, &options, ON_THREADS(1),
                                       &basis, NULL),
                     RLS2_OK);
    ARMED(status = fit_one(basis, problem.y, LAMBDAS, lambdas, &lean, &path, err));
    if (status != RLS2_OK) assert_ptr_equal(path, UNTOUCHED);
    for (int64_t i = 0; status == RLS2_OK && i < LAMBDAS; i++) add_point(r, path, i);
    if (status == RLS2_OK) rls2_path_free(path);
    rls2_basis_free(basis);
    return status;
}

/* Linear kernels alone have a method of their own, which leaves a response of zeros to Newton's. */
static rls2_status fit_linear(const double *y, result *r, rls2_error *err)
{
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    const rls2_columns columns = {.count = P};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_path_options lean;
    rls2_path_options_init(&lean, sizeof lean);
    lean.memory = 0;
    lean.degrees_of_freedom = RLS2_DF_EACH;
    assert_int_equal(rls2_dictionary_create("linear", &columns, &dictionary, NULL), RLS2_OK);
    assert_int_equal(
        rls2_basis_create(dictionary, &problem.train, &options, ON_THREADS(1), &basis, NULL),
        RLS2_OK);
    ARMED(status = fit_one(basis, y, LAMBDAS, lambdas, &lean, &path, err));
    if (status != RLS2_OK) assert_ptr_equal(path, UNTOUCHED);
    for (int64_t i = 0; status == RLS2_OK && i < LAMBDAS; i++) add_point(r, path, i);
    if (status == RLS2_OK) rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return status;
}

static rls2_status linear(result *r, rls2_error *err)
{
    return fit_linear(problem.y, r, err);
}

static rls2_status linear_zeros(result *r, rls2_error *err)
{
    static const double zeros[N];
    return fit_linear(zeros, r, err);
}

/* Enough rows for kernels of low rank to be solved with by their factors, until one that has none
 * gets a weight. */
static rls2_status newton_low(result *r, rls2_error *err)
{
    enum { ROWS = 4 * N };
    static double x[ROWS * P], y[ROWS];
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    const rls2_columns columns = {.count = P};
    const rls2_rows rows = {.n = ROWS, .p = P, .x = x};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    rls2_path_options lean;
    rls2_path_options_init(&lean, sizeof lean);
    lean.memory = 0;
    lean.degrees_of_freedom = RLS2_DF_EACH;
    fill_rows(ROWS, x, 0.0);
    for (int i = 0; i < ROWS; i++) y[i] = x[i] + x[ROWS + i] * x[2 * ROWS + i];
    assert_int_equal(rls2_dictionary_create("linear@each; poly(2)@each; laplace(1)", &columns,
                                            &dictionary, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_basis_create(dictionary, &rows, &options, ON_THREADS(1), &basis, NULL),
                     RLS2_OK);
    ARMED(status = fit_one(basis, y, LAMBDAS, lambdas, &lean, &path, err));
    if (status != RLS2_OK) assert_ptr_equal(path, UNTOUCHED);
    for (int64_t i = 0; status == RLS2_OK && i < LAMBDAS; i++) add_point(r, path, i);
    if (status == RLS2_OK) rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return status;
}

/* Rows enough to be replaced by virtual ones: equal in groups, or rotated. */
typedef struct thin_setting {
    double x[2 * 1100], y[1100];
    rls2_rows rows;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
} thin_setting;

static void thin_create(int64_t n, int64_t levels, const char *kernels, thin_setting *it)
{
    const rls2_columns columns = {.count = 2};
    it->rows = (rls2_rows){.n = n, .p = 2, .x = it->x};
    for (int64_t i = 0; i < n; i++) {
        it->x[i] = levels ? (double)(i % levels) : noise((int)i, 1);
        it->x[n + i] = levels ? (double)(i % (levels - 1)) : noise((int)i, 2);
        it->y[i] = it->x[i] - 0.4 * it->x[n + i] * it->x[i] + noise((int)i, 3);
    }
    assert_int_equal(rls2_dictionary_create(kernels, &columns, &it->dictionary, NULL), RLS2_OK);
    assert_int_equal(
        rls2_basis_create(it->dictionary, &it->rows, NULL, ON_THREADS(1), &it->basis, NULL),
        RLS2_OK);
}

static void thin_free(thin_setting *it)
{
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
}

static rls2_status fit_thin(int64_t n, int64_t levels, const char *kernels, result *r,
                            rls2_error *err)
{
    static thin_setting it;
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    rls2_path_options lean;
    rls2_path_options_init(&lean, sizeof lean);
    lean.memory = 0;
    thin_create(n, levels, kernels, &it);
    ARMED(status = fit_one(it.basis, it.y, LAMBDAS, lambdas, &lean, &path, err));
    if (status != RLS2_OK) assert_ptr_equal(path, UNTOUCHED);
    for (int64_t i = 0; status == RLS2_OK && i < LAMBDAS; i++) add_point(r, path, i);
    if (status == RLS2_OK) rls2_path_free(path);
    thin_free(&it);
    return status;
}

static rls2_status predict_by_sums(result *r, rls2_error *err)
{
    enum { NEW = 4 };
    static thin_setting it;
    double f[NEW * LAMBDAS], x[2 * NEW] = {0.1, 0.2, -0.3, 0.5, 0.7, -0.2, 0.9, 0.0};
    const rls2_rows rows = {.n = NEW, .p = 2, .x = x};
    rls2_path *path = NULL;
    rls2_status status;
    thin_create(1050, 0, "linear", &it);
    assert_int_equal(fit_one(it.basis, it.y, LAMBDAS, lambdas, NULL, &path, NULL), RLS2_OK);
    fill_unwritten(NEW * LAMBDAS, f);
    ARMED(status = rls2_path_predict(path, &rows, f, err));
    if (status == RLS2_OK) add_values(r, NEW * LAMBDAS, f);
    rls2_path_free(path);
    thin_free(&it);
    return status;
}

static rls2_status equal_rows(result *r, rls2_error *err)
{
    return fit_thin(220, 5, "rbf(0.3)@all; linear", r, err);
}

static rls2_status rotated_rows(result *r, rls2_error *err)
{
    return fit_thin(1050, 0, "linear", r, err);
}

static rls2_status weighted(result *r, rls2_error *err)
{
    return fit_weighted(0, 0, r, err);
}

static rls2_status unstored(result *r, rls2_error *err)
{
    return fit_weighted(1, 0, r, err);
}

static rls2_status unstored_remembered(result *r, rls2_error *err)
{
    return fit_weighted(1, 2 * N * (N + 1) / 2 * 8, r, err);
}

static rls2_status default_lambdas_of_outputs(result *r, rls2_error *err)
{
    double grid[5], y[2 * N];
    const rls2_basis *bases[] = {problem.basis, problem.basis};
    rls2_status status;
    fill_unwritten(5, grid);
    for (int i = 0; i < N; i++) y[i] = problem.y[i], y[N + i] = problem.labels[i];
    ARMED(status = rls2_lambda_default(2, bases, y, RLS2_INTERCEPT_MEAN, 1e-4, 5, grid, err));
    return finish_values(status, 5, grid, r);
}

static rls2_status default_lambdas(result *r, rls2_error *err)
{
    double grid[5];
    rls2_status status;
    fill_unwritten(5, grid);
    ARMED(status = grid_of_one(problem.basis, problem.y, RLS2_INTERCEPT_MEAN, 1e-4, 5, grid, err));
    return finish_values(status, 5, grid, r);
}

static rls2_status finish_certificate(rls2_status status, const rls2_certificate *got, result *r)
{
    rls2_certificate blank;
    memset(&blank, 0x5a, sizeof blank);
    if (status != RLS2_OK) {
        assert_memory_equal(got, &blank, sizeof blank);
        return status;
    }
    add_value(r, got->primal);
    add_value(r, got->dual);
    add_value(r, got->gap);
    add_value(r, (double)got->max_kernel);
    return status;
}

static rls2_status certify(result *r, rls2_error *err)
{
    rls2_certificate got;
    rls2_status status;
    const double *c = rls2_path_c(problem.path, 0);
    memset(&got, 0x5a, sizeof got);
    ARMED(status = rls2_certify(problem.dictionary, &problem.train, problem.s, NULL, problem.y, 0.1,
                                problem.d, c, &got, sizeof got, err));
    return finish_certificate(status, &got, r);
}

static rls2_status certify_path(result *r, rls2_error *err)
{
    rls2_certificate got;
    rls2_status status;
    memset(&got, 0x5a, sizeof got);
    ARMED(status = rls2_path_certify(problem.path, 1, &got, sizeof got, err));
    return finish_certificate(status, &got, r);
}

/* ---- all ---- */

/* A solver may do without the triangles it would like to keep; no other call does
 * without anything. */
static const sweep sweeps[] = {
    {"path_fit__newton", newton, TOLERANT},
    {"path_fit__newton_df", newton_df, TOLERANT},
    {"path_fit__newton_memory_0", newton_lean, STRICT},
    {"path_fit__newton_memory_0_df", newton_lean_df, STRICT},
    {"path_fit__newton_low", newton_low, STRICT},
    {"path_fit__alternate", alternate, TOLERANT},
    {"path_fit__alternate_df", alternate_df, TOLERANT},
    {"path_fit__alternate_memory_0", alternate_lean, STRICT},
    {"path_fit__alternate_memory_0_df", alternate_lean_df, STRICT},
    {"path_fit__weights", weighted, STRICT},
    {"path_fit__linear", linear, STRICT},
    {"path_fit__linear_zeros", linear_zeros, STRICT},
    {"path_fit__equal_rows", equal_rows, STRICT},
    {"path_fit__rotated_rows", rotated_rows, STRICT},
    {"path_predict__sums_of_linear_kernels", predict_by_sums, STRICT},
    {"path_fit__nothing_stored", unstored, STRICT},
    {"path_fit__nothing_stored_some_remembered", unstored_remembered, TOLERANT},
    {"path_fit_outputs", outputs, STRICT},
    {"lambda_default_outputs", default_lambdas_of_outputs, STRICT},
    {"lambda_default", default_lambdas, STRICT},
    {"certify", certify, STRICT},
    {"path_certify", certify_path, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
