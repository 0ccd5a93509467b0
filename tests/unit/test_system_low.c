/* The system solved by factors against the same system formed: c, H, degrees of freedom. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/system.h"

enum { ROWS = 240, COLUMNS = 3, KERNELS = 6, ACTIVE = 4, ENTERING = 2 };

typedef struct data {
    double *x, *y;
    unit_fixture f;
    rls2__system full, lean;
} data;

/* Linear columns, polynomials and smooth functions of one column; two dense kernels to enter. */
static const char SPEC[] = "linear@x1; poly(3)@x2; rbf(0.05)@x3; linear@x2; rbf(2); laplace(1)";
static const int64_t KS[KERNELS] = {2, 0, 3, 1, 4, 5};
static const double D[KERNELS] = {0.4, 0.3, 0.2, 0.1, 0.0, 0.0};

static void combine(data *it, const double *d)
{
    assert_int_equal(rls2__system_combine(&it->full, KERNELS, KS, d), RLS2_OK);
    assert_int_equal(rls2__system_combine(&it->lean, KERNELS, KS, d), RLS2_OK);
}

static data data_create(void)
{
    data it = {.x = unit_normal(1, ROWS * COLUMNS), .y = unit_normal(2, ROWS)};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = it.x};
    it.f = unit_fixture_create(SPEC, &rows, NULL);
    assert_int_equal(rls2__system_create(unit_alone(), it.f.basis, 1 << 20, &it.full), RLS2_OK);
    assert_int_equal(rls2__system_create_lean(unit_alone(), it.f.basis, 1 << 20, &it.lean),
                     RLS2_OK);
    combine(&it, D);
    return it;
}

static void data_free(data *it)
{
    rls2__system_free(&it->full);
    rls2__system_free(&it->lean);
    unit_fixture_free(&it->f);
    free(it->x), free(it->y);
}

static void factorize(data *it, double lambda)
{
    assert_int_equal(rls2__system_factorize(&it->full, lambda), RLS2_OK);
    assert_int_equal(rls2__system_factorize(&it->lean, lambda), RLS2_OK);
}

static double df_of(rls2__system *system)
{
    double df = NAN;
    assert_int_equal(rls2__system_degrees_of_freedom(system, &df), RLS2_OK);
    return df;
}

static double distance(int64_t n, const double *x, const double *y)
{
    double squares = 0.0;
    for (int64_t i = 0; i < n; i++) squares += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(squares / unit_inner(n, y, y));
}

static const double LAMBDAS[] = {1e4, 10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 2e-7};
enum { GRID = sizeof LAMBDAS / sizeof *LAMBDAS };

static void solve__factors_of_few_columns__as_by_the_matrix(void **state)
{
    (void)state;
    data it = data_create();
    double c[ROWS], expected[ROWS];
    for (int l = 0; l < GRID; l++) {
        factorize(&it, LAMBDAS[l]);
        assert_true(it.lean.is_low);
        rls2__system_solve(&it.full, it.y, expected);
        rls2__system_solve(&it.lean, it.y, c);
        assert_at_most(distance(ROWS, c, expected), 1e-15 * (1.0 + 10.0 / LAMBDAS[l]));
    }
    assert_null(it.lean.R);
    data_free(&it);
}

/* v_k of kernels with weight, which lie in the span of the factors, and of dense ones. */
static void hessian__kernels_in_and_outside_the_span__as_by_the_matrix(void **state)
{
    (void)state;
    data it = data_create();
    double *V = unit_room(ROWS * KERNELS), c[ROWS], work[ROWS];
    double H[KERNELS * KERNELS], expected[KERNELS * KERNELS];
    for (int l = 0; l < GRID; l++) {
        factorize(&it, LAMBDAS[l]);
        rls2__system_solve(&it.full, it.y, c);
        rls2__system_apply(&it.full, KERNELS, KS, c, V, work);
        assert_int_equal(rls2__system_hessian(&it.full, KERNELS, V, expected, KERNELS), RLS2_OK);
        assert_int_equal(rls2__system_hessian(&it.lean, KERNELS, V, H, KERNELS), RLS2_OK);
        for (int j = 0; j < KERNELS; j++)
            for (int i = j; i < KERNELS; i++) {
                double size = sqrt(expected[i * KERNELS + i]) * sqrt(expected[j * KERNELS + j]);
                assert_near(H[j * KERNELS + i], expected[j * KERNELS + i],
                            1e-14 * (1.0 + 10.0 / LAMBDAS[l]) * size);
            }
    }
    free(V);
    data_free(&it);
}

static void degrees_of_freedom__factors_of_few_columns__as_by_the_matrix(void **state)
{
    (void)state;
    data it = data_create();
    for (int l = 0; l < GRID; l++) {
        factorize(&it, LAMBDAS[l]);
        double expected = df_of(&it.full);
        assert_near(df_of(&it.lean), expected, 1e-8 * expected);
    }
    data_free(&it);
}

/* Blocks of inner products are forgotten where others need their room. */
static void factorize__other_weights_in_turn__as_by_the_matrix(void **state)
{
    (void)state;
    static const double weights[][KERNELS] = {{0.9, 0.0, 0.0, 0.1, 0.0, 0.0},
                                              {0.0, 0.5, 0.5, 0.0, 0.0, 0.0},
                                              {0.3, 0.0, 0.3, 0.4, 0.0, 0.0}};
    data it = data_create();
    double c[ROWS], expected[ROWS];
    int64_t rank = it.f.basis->ops[2].rank;
    it.lean.low.limit = it.lean.low.blocks.limit = rank + 5; /* never all four of them */
    for (int t = 0; t < 9; t++) {
        combine(&it, weights[t % 3]);
        factorize(&it, 0.01);
        assert_true(it.lean.is_low && it.lean.low.blocks.columns <= rank + 5);
        rls2__system_solve(&it.full, it.y, expected);
        rls2__system_solve(&it.lean, it.y, c);
        assert_at_most(distance(ROWS, c, expected), 1e-13);
    }
    data_free(&it);
}

static void factorize__tiny_lambda_or_dense_kernel__forms_the_matrix(void **state)
{
    (void)state;
    static const double dense[KERNELS] = {0.4, 0.3, 0.1, 0.1, 0.1, 0.0};
    data it = data_create();
    double c[ROWS], expected[ROWS];
    factorize(&it, 1e-9);
    assert_false(it.lean.is_low);
    assert_non_null(it.lean.R);
    combine(&it, dense);
    factorize(&it, 0.1);
    assert_false(it.lean.is_low);
    rls2__system_solve(&it.full, it.y, expected);
    rls2__system_solve(&it.lean, it.y, c);
    assert_memory_equal(c, expected, sizeof c);
    combine(&it, D);
    factorize(&it, 0.1);
    assert_true(it.lean.is_low);
    data_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve__factors_of_few_columns__as_by_the_matrix),
        cmocka_unit_test(hessian__kernels_in_and_outside_the_span__as_by_the_matrix),
        cmocka_unit_test(degrees_of_freedom__factors_of_few_columns__as_by_the_matrix),
        cmocka_unit_test(factorize__other_weights_in_turn__as_by_the_matrix),
        cmocka_unit_test(factorize__tiny_lambda_or_dense_kernel__forms_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
