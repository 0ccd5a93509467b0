/* What a model says, held against its definition: contributions, layers, the learned
 * kernel, predictive variance, coefficients. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 18, COLUMNS = 4, KERNELS = 10, NEW = 7 };
static const double LAMBDA = 0.02;

typedef struct model_case {
    plain_problem problem;
    fitted_path fitted;
    rls2_model *model;
    double x[NEW * COLUMNS];
    rls2_rows rows;
    int64_t size;
} model_case;

static int setup(void **state)
{
    rls2_error err;
    rls2__random random;
    model_case *it = calloc(1, sizeof *it);
    assert_non_null(it);
    rls2__random_seed(&random, 7);
    it->problem = problem_create(&random, ROWS, COLUMNS);
    problem_add_linear(&it->problem);
    problem_add(&it->problem, RBF, 0.5, 0.0, 0);
    problem_add(&it->problem, LAPLACE, 0.5, 0.0, 0);
    problem_add(&it->problem, MATERN, 1.5, 2.0, -1);
    problem_add(&it->problem, SPLINE, 0.0, 0.0, 0);
    problem_add(&it->problem, POLY, 2.0, 1.0, 1);
    problem_add(&it->problem, RBF, 0.03125, 0.0, -1);
    assert_int_equal(it->problem.m, KERNELS);
    it->fitted = fit(&it->problem, NULL, 1, &LAMBDA, NULL);
    assert_ok(model_of_one(it->fitted.path, 0, &it->model, &err), &err);
    for (int i = 0; i < NEW * COLUMNS; i++) it->x[i] = 3.0 * rls2__random_normal(&random);
    it->rows = (rls2_rows){.n = NEW, .p = COLUMNS, .x = it->x};
    it->size = rls2_model_kernel_count(it->model);
    assert_true(it->size > 1);
    *state = it;
    return 0;
}

static int teardown(void **state)
{
    model_case *it = *state;
    rls2_model_free(it->model);
    fitted_free(&it->fitted);
    problem_free(&it->problem);
    free(it);
    return 0;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* The t-th selected kernel, and s_k d_k K_k(x_i, z_j). */
static const plain_kernel *selected(const model_case *it, int64_t t)
{
    const int64_t *kernels;
    rls2_path_kernel_weights(it->fitted.path, 0, &kernels, NULL);
    return &it->problem.kernels[kernels[t]];
}

static long double term(const model_case *it, int64_t t, int64_t n, const double *x, int64_t i,
                        int64_t nz, const double *z, int64_t j)
{
    long double weight =
        (long double)rls2_model_kernel_weight(it->model, t) * rls2_model_scale(it->model, t);
    return weight * plain_value(&it->problem, selected(it, t), n, x, i, nz, z, j);
}

static long double learned(const model_case *it, int64_t n, const double *x, int64_t i, int64_t nz,
                           const double *z, int64_t j)
{
    long double sum = 0.0L;
    for (int64_t t = 0; t < it->size; t++) sum += term(it, t, n, x, i, nz, z, j);
    return sum;
}

/* ---- predictions ---- */

static void model_contributions__new_rows__equal_their_definition(void **state)
{
    model_case *it = *state;
    rls2_error err;
    double *parts = numbers(NEW * it->size);
    const double *c = rls2_model_c(it->model);
    assert_ok(rls2_model_contributions(it->model, &it->rows, NULL, parts, &err), &err);
    for (int64_t t = 0; t < it->size; t++)
        for (int64_t i = 0; i < NEW; i++) {
            long double expected = 0.0L;
            for (int64_t j = 0; j < ROWS; j++)
                expected += c[j] * term(it, t, NEW, it->x, i, ROWS, it->problem.x, j);
            assert_near(parts[t * NEW + i], (double)expected, 1e-10);
        }
    free(parts);
}

static void model_predict__new_rows__is_contributions_and_intercept(void **state)
{
    model_case *it = *state;
    rls2_error err;
    double *parts = numbers(NEW * it->size), f[NEW];
    assert_ok(rls2_model_contributions(it->model, &it->rows, NULL, parts, &err), &err);
    assert_ok(rls2_model_predict(it->model, &it->rows, NULL, f, &err), &err);
    for (int64_t i = 0; i < NEW; i++) {
        double sum = rls2_model_intercept(it->model);
        for (int64_t t = 0; t < it->size; t++) sum += parts[t * NEW + i];
        assert_near(f[i], sum, 1e-12);
    }
    free(parts);
}

/* R c + b, and since (R + lambda I) c = y - b also y - lambda c. */
static void model_predict__training_rows__is_y_less_lambda_c(void **state)
{
    model_case *it = *state;
    rls2_error err;
    rls2_rows rows = problem_rows(&it->problem);
    double f[ROWS];
    assert_ok(rls2_model_predict(it->model, &rows, NULL, f, &err), &err);
    for (int64_t i = 0; i < ROWS; i++) {
        long double expected = rls2_model_intercept(it->model);
        for (int64_t j = 0; j < ROWS; j++)
            expected += rls2_model_c(it->model)[j] *
                        learned(it, ROWS, it->problem.x, i, ROWS, it->problem.x, j);
        assert_near(f[i], (double)expected, 1e-10);
        assert_near(f[i], it->problem.y[i] - LAMBDA * rls2_model_c(it->model)[i], 1e-9);
    }
}

static void model_predict__padded_rows__reads_with_the_leading_dimension(void **state)
{
    model_case *it = *state;
    enum { PADDED = NEW + 3 };
    rls2_error err;
    double x[PADDED * COLUMNS], f[NEW], g[NEW];
    for (int i = 0; i < PADDED * COLUMNS; i++) x[i] = NAN;
    for (int j = 0; j < COLUMNS; j++) memcpy(x + j * PADDED, it->x + j * NEW, NEW * sizeof(double));
    rls2_rows padded = {.n = NEW, .p = COLUMNS, .x = x, .ldx = PADDED};
    assert_ok(rls2_model_predict(it->model, &it->rows, NULL, f, &err), &err);
    assert_ok(rls2_model_predict(it->model, &padded, NULL, g, &err), &err);
    assert_memory_equal(f, g, sizeof f);
}

/* ---- two layers ---- */

static void model_w__each_kernel__is_the_root_of_d_over_s(void **state)
{
    model_case *it = *state;
    const double *weights;
    const int64_t *kernels;
    rls2_path_kernel_weights(it->fitted.path, 0, &kernels, &weights);
    for (int64_t t = 0; t < it->size; t++) {
        double d = rls2_model_kernel_weight(it->model, t), s = rls2_model_scale(it->model, t);
        assert_true(d == weights[t]);
        assert_true(s == rls2_basis_scales(it->fitted.basis)[kernels[t]]);
        assert_near(rls2_model_w(it->model, t), sqrt(d / s), 1e-14);
        assert_string_equal(rls2_model_kernel_name(it->model, t),
                            rls2_dictionary_name(it->fitted.dictionary, kernels[t]));
    }
}

static void model_layer2__of_layer1__is_the_prediction(void **state)
{
    model_case *it = *state;
    rls2_error err;
    double *z = numbers(NEW * it->size), f[NEW], g[NEW];
    assert_ok(rls2_model_layer1(it->model, &it->rows, NULL, z, &err), &err);
    assert_ok(rls2_model_layer2(it->model, NEW, z, g, &err), &err);
    assert_ok(rls2_model_predict(it->model, &it->rows, NULL, f, &err), &err);
    for (int64_t i = 0; i < NEW; i++)
        assert_near(g[i] + rls2_model_intercept(it->model), f[i], 1e-12);
    for (int64_t t = 0; t < it->size; t++) { /* z_k = s_k w_k sum_j c_j K_k(x_j, x) */
        long double expected = 0.0L, d = rls2_model_kernel_weight(it->model, t);
        for (int64_t j = 0; j < ROWS; j++)
            expected +=
                rls2_model_c(it->model)[j] * term(it, t, NEW, it->x, 0, ROWS, it->problem.x, j);
        assert_near(z[t * NEW], (double)(expected * rls2_model_w(it->model, t) / d), 1e-10);
    }
    free(z);
}

static void
model_learned_kernel__new_and_training_rows__is_the_product_of_first_layers(void **state)
{
    model_case *it = *state;
    rls2_error err;
    rls2_rows train = problem_rows(&it->problem);
    double *za = numbers(NEW * it->size), *zb = numbers(ROWS * it->size), k[NEW * ROWS];
    assert_ok(rls2_model_layer1(it->model, &it->rows, NULL, za, &err), &err);
    assert_ok(rls2_model_layer1(it->model, &train, NULL, zb, &err), &err);
    assert_ok(rls2_model_learned_kernel(it->model, &it->rows, &train, NULL, k, &err), &err);
    for (int64_t i = 0; i < NEW; i++)
        for (int64_t j = 0; j < ROWS; j++) {
            double sum = 0.0;
            for (int64_t t = 0; t < it->size; t++)
                sum += rls2_model_scale(it->model, t) * za[t * NEW + i] * zb[t * ROWS + j];
            assert_near(k[j * NEW + i], sum, 1e-12);
        }
    free(za);
    free(zb);
}

static void model_learned_kernel__training_rows__is_symmetric_and_semidefinite(void **state)
{
    model_case *it = *state;
    rls2_error err;
    rls2__random random;
    rls2_rows train = problem_rows(&it->problem);
    double k[ROWS * ROWS];
    rls2__random_seed(&random, 3);
    assert_ok(rls2_model_learned_kernel(it->model, &train, &train, NULL, k, &err), &err);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++) assert_near(k[j * ROWS + i], k[i * ROWS + j], 1e-14);
    for (int trial = 0; trial < 100; trial++) {
        double v[ROWS], form = 0.0, size = 0.0;
        for (int i = 0; i < ROWS; i++) v[i] = rls2__random_normal(&random);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++) {
                form += v[i] * k[j * ROWS + i] * v[j];
                size += fabs(v[i] * k[j * ROWS + i] * v[j]);
            }
        assert_true(form >= -1e-13 * size);
    }
}

/* ---- variance ---- */

static double plain_variance(const model_case *it, int64_t n, const double *x, int64_t i,
                             double *prior)
{
    long double M[ROWS * ROWS], k[ROWS], b[ROWS], reduction = 0.0L;
    for (int64_t a = 0; a < ROWS; a++) {
        k[a] = b[a] = learned(it, n, x, i, ROWS, it->problem.x, a);
        for (int64_t c = 0; c < ROWS; c++)
            M[c * ROWS + a] = learned(it, ROWS, it->problem.x, a, ROWS, it->problem.x, c) +
                              (a == c ? (long double)LAMBDA : 0.0L);
    }
    plain_solve(ROWS, M, b);
    for (int64_t a = 0; a < ROWS; a++) reduction += k[a] * b[a];
    *prior = (double)learned(it, n, x, i, n, x, i);
    return (double)(*prior - reduction);
}

static void model_variance__new_and_training_rows__is_the_gaussian_process_formula(void **state)
{
    model_case *it = *state;
    rls2_error err;
    rls2_rows train = problem_rows(&it->problem);
    for (int seen = 0; seen <= 1; seen++) {
        const rls2_rows *rows = seen ? &train : &it->rows;
        double variance[ROWS], prior;
        assert_ok(rls2_model_variance(it->model, rows, variance, &err), &err);
        for (int64_t i = 0; i < rows->n; i++) {
            double expected = plain_variance(it, rows->n, rows->x, i, &prior);
            assert_near(variance[i], expected, 1e-9);
            assert_true(variance[i] >= 0.0);
            assert_true(variance[i] <= prior * (1.0 + 1e-12));
            if (seen)
                assert_true(variance[i] <= LAMBDA); /* an observed value is known to its noise */
        }
    }
}

/* ---- coefficients ---- */

static void model_coefficients__nonlinear_model__is_refused_by_name(void **state)
{
    model_case *it = *state;
    rls2_error err;
    double a[COLUMNS];
    int64_t t = 0;
    while (t < it->size && selected(it, t)->kind == LINEAR) t++;
    assert_true(t < it->size);
    assert_int_equal(rls2_model_coefficients(it->model, a, &err), RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, rls2_model_kernel_name(it->model, t)));
}

static void model_coefficients__linear_kernels_of_one_and_all_columns__predict(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    rls2_model *model = NULL;
    double a[COLUMNS], x[NEW * COLUMNS], f[NEW];
    rls2__random_seed(&random, 11);
    plain_problem problem = problem_create(&random, ROWS, COLUMNS);
    problem_add_linear(&problem);
    problem_add(&problem, LINEAR, 0.0, 0.0, -1);
    fitted_path fitted = fit(&problem, NULL, 1, &LAMBDA, NULL);
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    assert_ok(rls2_model_coefficients(model, a, &err), &err);
    for (int i = 0; i < NEW * COLUMNS; i++) x[i] = rls2__random_normal(&random);
    rls2_rows rows = {.n = NEW, .p = COLUMNS, .x = x};
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < NEW; i++) {
        double sum = rls2_model_intercept(model);
        for (int j = 0; j < COLUMNS; j++) sum += a[j] * x[j * NEW + i];
        assert_near(f[i], sum, 1e-11);
    }
    rls2_model_free(model);
    fitted_free(&fitted);
    problem_free(&problem);
}

/* ---- far away, and long after ---- */

static void model_predict__far_outside_the_training_range__is_finite(void **state)
{
    (void)state;
    static const double far[] = {-1e6, -50.0, -1.0, 0.0, 1.0, 50.0, 1e6};
    static const plain_kernel kernels[] = {
        {SPLINE, 0.0, 0.0, 0}, {DELTA, 0.0, 0.0, 0},   {MATERN, 0.5, 1.0, 0}, {MATERN, 1.5, 1.0, 0},
        {MATERN, 2.5, 1.0, 0}, {LAPLACE, 0.5, 0.0, 0}, {RBF, 100.0, 0.0, 0}};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        rls2_error err;
        rls2__random random;
        rls2_model *model = NULL;
        double f[NEW], variance[NEW];
        rls2__random_seed(&random, 13);
        plain_problem problem = problem_create(&random, ROWS, 1);
        problem_add(&problem, kernels[k].kind, kernels[k].a, kernels[k].b, 0);
        fitted_path fitted = fit(&problem, NULL, 1, &LAMBDA, NULL);
        rls2_rows rows = {.n = NEW, .p = 1, .x = far};
        assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
        assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
        assert_ok(rls2_model_variance(model, &rows, variance, &err), &err);
        for (int i = 0; i < NEW; i++) {
            long double expected = rls2_model_intercept(model);
            for (int64_t j = 0; j < ROWS; j++)
                expected +=
                    rls2_model_scale(model, 0) * rls2_model_c(model)[j] *
                    plain_value(&problem, &problem.kernels[0], NEW, far, i, ROWS, problem.x, j);
            assert_true(isfinite(f[i]) && isfinite(variance[i]) && variance[i] >= 0.0);
            assert_near(f[i], (double)expected, 1e-9);
        }
        rls2_model_free(model);
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

/* Beyond the data a cubic spline goes on as a straight line. */
static void model_predict__spline_beyond_the_data__is_a_line(void **state)
{
    (void)state;
    static const double beyond[] = {10.0, 20.0, 30.0, -10.0, -20.0, -30.0};
    rls2_error err;
    rls2__random random;
    rls2_model *model = NULL;
    double f[6];
    rls2__random_seed(&random, 17);
    plain_problem problem = problem_create(&random, ROWS, 1);
    problem_add(&problem, SPLINE, 0.0, 0.0, 0);
    fitted_path fitted = fit(&problem, NULL, 1, &LAMBDA, NULL);
    rls2_rows rows = {.n = 6, .p = 1, .x = beyond};
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    assert_near(f[2] - f[1], f[1] - f[0], 1e-9);
    assert_near(f[5] - f[4], f[4] - f[3], 1e-9);
    rls2_model_free(model);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void model_predict__all_else_freed__is_the_same(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    rls2_model *model = NULL;
    double x[NEW * COLUMNS], f[NEW], g[NEW], before, after, variance[NEW];
    char name[64];
    rls2__random_seed(&random, 19);
    for (int i = 0; i < NEW * COLUMNS; i++) x[i] = rls2__random_normal(&random);
    rls2_rows rows = {.n = NEW, .p = COLUMNS, .x = x};
    plain_problem problem = problem_create(&random, ROWS, COLUMNS);
    problem_add_linear(&problem);
    problem_add(&problem, SPLINE, 0.0, 0.0, 0);
    problem_add(&problem, RBF, 0.5, 0.0, -1);
    fitted_path fitted = fit(&problem, NULL, 1, &LAMBDA, NULL);
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    assert_ok(rls2_model_degrees_of_freedom(model, &before, &err), &err);
    strncpy(name, rls2_model_kernel_name(model, 0), sizeof name - 1);
    name[sizeof name - 1] = '\0';
    fitted_free(&fitted);
    problem_free(&problem);
    assert_ok(rls2_model_predict(model, &rows, NULL, g, &err), &err);
    assert_ok(rls2_model_degrees_of_freedom(model, &after, &err), &err);
    assert_ok(rls2_model_variance(model, &rows, variance, &err), &err);
    assert_memory_equal(f, g, sizeof f);
    assert_true(before == after);
    assert_string_equal(rls2_model_kernel_name(model, 0), name);
    rls2_model_free(model);
}

/* Precomputed matrices: new rows come with their products with the training rows. */
static void model_predict__given_matrix__uses_that_of_the_new_rows(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    rls2_model *model = NULL;
    double cross[NEW * ROWS], diagonal[NEW], f[NEW], variance[NEW];
    rls2__random_seed(&random, 23);
    plain_problem problem = problem_create(&random, ROWS, 1);
    problem.given[0] = numbers(ROWS * ROWS);
    problem.given_count = 1;
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < ROWS; i++) problem.given[0][j * ROWS + i] = (i == j ? 1.0 : 0.0) + 0.5;
    problem_add(&problem, GIVEN, 0.0, 0.0, 0);
    fitted_path fitted = fit(&problem, NULL, 1, &LAMBDA, NULL);
    for (int i = 0; i < NEW * ROWS; i++) cross[i] = 0.1 * rls2__random_normal(&random);
    for (int i = 0; i < NEW; i++) diagonal[i] = 2.0;
    const double *given[] = {cross}, *diagonals[] = {diagonal};
    double x[NEW] = {0};
    rls2_rows rows = {.n = NEW, .p = 1, .x = x, .given_count = 1, .given = given};
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    fitted_free(&fitted);
    problem_free(&problem);
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    for (int i = 0; i < NEW; i++) {
        double sum = rls2_model_intercept(model);
        for (int j = 0; j < ROWS; j++)
            sum += rls2_model_scale(model, 0) * rls2_model_c(model)[j] * cross[j * NEW + i];
        assert_near(f[i], sum, 1e-12);
    }
    assert_int_equal(rls2_model_variance(model, &rows, variance, &err), RLS2_ERR_ARGUMENT);
    rows.given_diagonal = diagonals;
    assert_ok(rls2_model_variance(model, &rows, variance, &err), &err);
    for (int i = 0; i < NEW; i++)
        assert_true(variance[i] > 0.0 && variance[i] <= 2.0 * rls2_model_scale(model, 0));
    rls2_model_free(model);
}

/* A kernel left out for want of a scaling has no place in the second layer. */
static void model_layer1__skipped_kernels_and_response_of_zeros__is_finite(void **state)
{
    (void)state;
    rls2_error err;
    rls2__random random;
    rls2_model *model = NULL;
    double z[ROWS * 2];
    rls2__random_seed(&random, 29);
    plain_problem problem = problem_create(&random, ROWS, 2);
    for (int i = 0; i < ROWS; i++) problem.x[i] = problem.y[i] = 0.0;
    problem_add_linear(&problem);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.skip_degenerate = 1;
    fitted_path fitted = fit(&problem, &options, 1, &LAMBDA, NULL);
    rls2_rows rows = problem_rows(&problem);
    assert_ok(model_of_one(fitted.path, 0, &model, &err), &err);
    assert_int_equal(rls2_model_kernel_count(model), 1);
    assert_true(isfinite(rls2_model_w(model, 0)));
    assert_ok(rls2_model_layer1(model, &rows, NULL, z, &err), &err);
    for (int i = 0; i < ROWS; i++) assert_true(z[i] == 0.0);
    rls2_model_free(model);
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_contributions__new_rows__equal_their_definition),
        cmocka_unit_test(model_predict__new_rows__is_contributions_and_intercept),
        cmocka_unit_test(model_predict__training_rows__is_y_less_lambda_c),
        cmocka_unit_test(model_predict__padded_rows__reads_with_the_leading_dimension),
        cmocka_unit_test(model_w__each_kernel__is_the_root_of_d_over_s),
        cmocka_unit_test(model_layer2__of_layer1__is_the_prediction),
        cmocka_unit_test(
            model_learned_kernel__new_and_training_rows__is_the_product_of_first_layers),
        cmocka_unit_test(model_learned_kernel__training_rows__is_symmetric_and_semidefinite),
        cmocka_unit_test(model_variance__new_and_training_rows__is_the_gaussian_process_formula),
        cmocka_unit_test(model_coefficients__nonlinear_model__is_refused_by_name),
        cmocka_unit_test(model_coefficients__linear_kernels_of_one_and_all_columns__predict),
        cmocka_unit_test(model_predict__far_outside_the_training_range__is_finite),
        cmocka_unit_test(model_predict__spline_beyond_the_data__is_a_line),
        cmocka_unit_test(model_predict__all_else_freed__is_the_same),
        cmocka_unit_test(model_predict__given_matrix__uses_that_of_the_new_rows),
        cmocka_unit_test(model_layer1__skipped_kernels_and_response_of_zeros__is_finite),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
