/* D R(d) D + lambda I by factors against the same system formed, whatever the curvatures; and paths
 * of losses with kinks, which go both ways. */
#include "support/unit_support.h"

#include <math.h>
#include <string.h>

#include "rls2/loss.h"
#include "rls2/path.h"
#include "solver/curved.h"

enum { ROWS = 240, COLUMNS = 3, KERNELS = 4 };
static const char SPEC[] = "linear@x1; poly(3)@x2; rbf(0.05)@x3; linear@x2";
static const int64_t KS[KERNELS] = {2, 0, 3, 1};
static const double D[KERNELS] = {0.4, 0.3, 0.2, 0.1};
static const double LAMBDAS[] = {10.0, 0.1, 1e-3};
enum { GRID = sizeof LAMBDAS / sizeof *LAMBDAS };

typedef struct data {
    double *x, *y, root[ROWS];
    unit_fixture f;
    rls2__curved low, plain;
} data;

static void create_system(const rls2_basis *basis, int is_plain, rls2__curved *curved)
{
    assert_int_equal(rls2__curved_create(unit_alone(), basis, 1 << 20, curved), RLS2_OK);
    curved->is_plain = is_plain;
    assert_int_equal(rls2__curved_combine(curved, KERNELS, KS, D), RLS2_OK);
    assert_int_equal(curved->is_low, !is_plain);
}

/* Curvatures over six orders of magnitude, some of them 0. */
static void data_create(data *it)
{
    *it = (data){.x = unit_normal(1, ROWS * COLUMNS), .y = unit_normal(2, ROWS)};
    const rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = it->x};
    it->f = unit_fixture_create(SPEC, &rows, NULL);
    create_system(it->f.basis, 0, &it->low);
    create_system(it->f.basis, 1, &it->plain);
    for (int i = 0; i < ROWS; i++)
        it->root[i] = i % 7 == 0 ? 0.0 : pow(10.0, 3.0 * sin((double)i) / 2.0);
}

static void data_free(data *it)
{
    rls2__curved_free(&it->low);
    rls2__curved_free(&it->plain);
    unit_fixture_free(&it->f);
    free(it->x), free(it->y);
}

static void factorize(data *it, double lambda)
{
    assert_int_equal(rls2__curved_factorize(&it->low, lambda, it->root), RLS2_OK);
    assert_int_equal(rls2__curved_factorize(&it->plain, lambda, it->root), RLS2_OK);
}

static double distance(int64_t n, const double *x, const double *y)
{
    double squares = 0.0;
    for (int64_t i = 0; i < n; i++) squares += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(squares / unit_inner(n, y, y));
}

static void curved_solve__factors_of_few_columns__as_by_the_matrix(void **state)
{
    (void)state;
    data it;
    data_create(&it);
    for (int l = 0; l < GRID; l++) {
        double x[ROWS], expected[ROWS];
        factorize(&it, LAMBDAS[l]);
        memcpy(x, it.y, sizeof x);
        memcpy(expected, it.y, sizeof expected);
        assert_int_equal(rls2__curved_solve(&it.low, x), RLS2_OK);
        assert_int_equal(rls2__curved_solve(&it.plain, expected), RLS2_OK);
        assert_at_most(distance(ROWS, x, expected), 1e-12 / fmin(LAMBDAS[l], 1.0));
    }
    data_free(&it);
}

static void curved_apply__factors_of_few_columns__as_by_the_matrix(void **state)
{
    (void)state;
    data it;
    double f[ROWS], expected[ROWS];
    data_create(&it);
    assert_int_equal(rls2__curved_apply(&it.low, it.y, f), RLS2_OK);
    assert_int_equal(rls2__curved_apply(&it.plain, it.y, expected), RLS2_OK);
    assert_at_most(distance(ROWS, f, expected), 1e-13);
    data_free(&it);
}

/* U'U of two columns. */
static void products_of(rls2__curved *curved, const double *V, double products[3])
{
    int64_t rows;
    assert_int_equal(rls2__curved_halves(curved, 2, V, &rows), RLS2_OK);
    const double *U = curved->halves;
    products[0] = unit_inner(rows, U, U);
    products[1] = unit_inner(rows, U, U + rows);
    products[2] = unit_inner(rows, U + rows, U + rows);
}

static void curved_halves__factors_of_few_columns__have_the_products_of_the_matrix(void **state)
{
    (void)state;
    data it;
    data_create(&it);
    double *V = unit_normal(3, 2 * ROWS);
    for (int l = 0; l < GRID; l++) {
        double found[3], expected[3];
        factorize(&it, LAMBDAS[l]);
        products_of(&it.low, V, found);
        products_of(&it.plain, V, expected);
        double size = sqrt(expected[0] * expected[2]);
        for (int i = 0; i < 3; i++)
            assert_near(found[i], expected[i], 1e-11 * size / fmin(LAMBDAS[l], 1.0));
    }
    free(V);
    data_free(&it);
}

static void curved_degrees_of_freedom__factors_of_few_columns__as_by_the_matrix(void **state)
{
    (void)state;
    data it;
    data_create(&it);
    for (int l = 0; l < GRID; l++) {
        double found, expected;
        factorize(&it, LAMBDAS[l]);
        assert_int_equal(rls2__curved_degrees_of_freedom(&it.low, &found), RLS2_OK);
        assert_int_equal(rls2__curved_degrees_of_freedom(&it.plain, &expected), RLS2_OK);
        assert_near(found, expected, 1e-8 * (1.0 + expected));
    }
    data_free(&it);
}

static double worst_gap(rls2_loss loss, const data *it, double tol, double *objectives)
{
    enum { POINTS = 4 };
    static const double lambdas[POINTS] = {30.0, 3.0, 0.3, 0.03};
    rls2_error err;
    rls2_path *path;
    rls2_path_options options;
    double worst = 0.0;
    rls2_path_options_init(&options, sizeof options);
    options.loss = loss;
    options.intercept = RLS2_INTERCEPT_FREE;
    options.gap_tol = tol;
    const rls2_basis *one = it->f.basis;
    assert_int_equal(rls2_path_fit(1, &one, it->y, POINTS, lambdas, &options, NULL, &path, &err),
                     RLS2_OK);
    for (int64_t i = 0; i < POINTS; i++) {
        const rls2_path_point *at = rls2_path_at(path, i);
        worst = fmax(worst, at->gap);
        objectives[i] = at->objective;
    }
    rls2_path_free(path);
    return worst;
}

static void path_fit__kinks_and_few_columns__certified_at_both_tolerances(void **state)
{
    (void)state;
    static const rls2_loss losses[] = {{.kind = RLS2_LOSS_ABSOLUTE},
                                       {.kind = RLS2_LOSS_QUANTILE, .parameter = 0.9},
                                       {.kind = RLS2_LOSS_EPSILON, .parameter = 0.1}};
    data it;
    data_create(&it);
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++) {
        double objectives[4], tight[4];
        assert_at_most(worst_gap(losses[k], &it, 1e-6, objectives), 1e-6);
        assert_at_most(worst_gap(losses[k], &it, 1e-9, tight), 1e-9);
        for (int i = 0; i < 4; i++) assert_near(objectives[i], tight[i], 1.1e-6 * tight[i]);
    }
    data_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curved_solve__factors_of_few_columns__as_by_the_matrix),
        cmocka_unit_test(curved_apply__factors_of_few_columns__as_by_the_matrix),
        cmocka_unit_test(curved_halves__factors_of_few_columns__have_the_products_of_the_matrix),
        cmocka_unit_test(curved_degrees_of_freedom__factors_of_few_columns__as_by_the_matrix),
        cmocka_unit_test(path_fit__kinks_and_few_columns__certified_at_both_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
