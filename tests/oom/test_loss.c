/* Every allocation of paths of other losses and of free intercepts fails once. */
#include "learning_problem.h"

static void add_point(result *r, const rls2_path *path, int64_t n, int64_t i)
{
    const rls2_path_point *point = rls2_path_at(path, i);
    add_value(r, point->objective);
    add_value(r, point->df);
    add_value(r, (double)point->selected);
    add_value(r, rls2_path_intercept_at(path, i));
    add_values(r, n, rls2_path_c(path, i));
}

static rls2_status fit_on(const rls2_basis *basis, int64_t n, const double *y, rls2_loss loss,
                          rls2_intercept intercept, int64_t memory, result *r, rls2_error *err)
{
    rls2_path *path = UNTOUCHED;
    rls2_status status;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.loss = loss;
    options.intercept = intercept;
    options.memory = memory;
    options.degrees_of_freedom = RLS2_DF_EACH;
    ARMED(status = fit_one(basis, y, LAMBDAS, lambdas, &options, &path, err));
    if (status != RLS2_OK) {
        assert_ptr_equal(path, UNTOUCHED);
        return status;
    }
    for (int64_t i = 0; i < LAMBDAS; i++) add_point(r, path, n, i);
    rls2_path_free(path);
    return status;
}

static rls2_status logistic(result *r, rls2_error *err)
{
    return fit_on(problem.basis, N, problem.labels, (rls2_loss){RLS2_LOSS_LOGISTIC, 0.0},
                  RLS2_INTERCEPT_FREE, 0, r, err);
}

static rls2_status quantile(result *r, rls2_error *err)
{
    return fit_on(problem.basis, N, problem.y, (rls2_loss){RLS2_LOSS_QUANTILE, 0.3},
                  RLS2_INTERCEPT_MEAN, 0, r, err);
}

static rls2_status hinge_with_triangles(result *r, rls2_error *err)
{
    return fit_on(problem.basis, N, problem.labels, (rls2_loss){RLS2_LOSS_HINGE, 0.0},
                  RLS2_INTERCEPT_FREE, INT64_C(1) << 30, r, err);
}

static rls2_status free_square(result *r, rls2_error *err)
{
    return fit_on(problem.basis, N, problem.y, (rls2_loss){RLS2_LOSS_SQUARE, 0.0},
                  RLS2_INTERCEPT_FREE, 0, r, err);
}

/* Enough rows for kernels of low rank to be solved with by their factors, until one that has none
 * gets a weight. */
static rls2_status huber_low(result *r, rls2_error *err)
{
    enum { ROWS = 4 * N };
    static double x[ROWS * P], y[ROWS];
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    const rls2_columns columns = {.count = P};
    const rls2_rows rows = {.n = ROWS, .p = P, .x = x};
    rls2_basis_options options = basis_options(RLS2_SCALING_TRACE);
    fill_rows(ROWS, x, 0.0);
    for (int i = 0; i < ROWS; i++) y[i] = x[i] + x[ROWS + i] * x[2 * ROWS + i];
    assert_int_equal(rls2_dictionary_create("linear@each; poly(2)@each; laplace(1)", &columns,
                                            &dictionary, NULL),
                     RLS2_OK);
    assert_int_equal(rls2_basis_create(dictionary, &rows, &options, ON_THREADS(1), &basis, NULL),
                     RLS2_OK);
    rls2_status status =
        fit_on(basis, ROWS, y, (rls2_loss){RLS2_LOSS_HUBER, 0.3}, RLS2_INTERCEPT_FREE, 0, r, err);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    return status;
}

static rls2_status default_lambdas(result *r, rls2_error *err)
{
    double grid[5];
    rls2_status status;
    rls2_path_options options;
    const rls2_basis *basis = problem.basis;
    rls2_path_options_init(&options, sizeof options);
    options.loss.kind = RLS2_LOSS_LOGISTIC;
    options.intercept = RLS2_INTERCEPT_FREE;
    fill_unwritten(5, grid);
    ARMED(status =
              rls2_lambda_default_for(1, &basis, problem.labels, &options, 1e-4, 5, grid, err));
    return finish_values(status, 5, grid, r);
}

/* Labels less than half way to their bounds, and as many of each sign. */
static rls2_status certify(result *r, rls2_error *err)
{
    rls2_certificate got, blank;
    rls2_status status;
    double c[N];
    memset(&blank, 0x5a, sizeof blank);
    got = blank;
    for (int i = 0; i < N; i++)
        c[i] = 0.25 * problem.labels[i] / (problem.labels[i] > 0.0 ? 2.0 : 1.0);
    ARMED(status = rls2_certify_loss(problem.dictionary, &problem.train, problem.s, NULL,
                                     problem.labels, (rls2_loss){RLS2_LOSS_LOGISTIC, 0.0}, 0.1, 1,
                                     1.0, problem.d, c, ON_THREADS(1), &got, sizeof got, err));
    if (status != RLS2_OK) {
        assert_memory_equal(&got, &blank, sizeof blank);
        return status;
    }
    assert_true(isfinite(got.gap));
    add_value(r, got.primal);
    add_value(r, got.gap);
    return status;
}

static const sweep sweeps[] = {
    {"path_fit__logistic_free", logistic, STRICT},
    {"path_fit__quantile", quantile, STRICT},
    {"path_fit__hinge_with_triangles", hinge_with_triangles, TOLERANT},
    {"path_fit__square_free", free_square, STRICT},
    {"path_fit__huber_low", huber_low, STRICT},
    {"certify_loss", certify, STRICT},
    {"lambda_default_for", default_lambdas, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
