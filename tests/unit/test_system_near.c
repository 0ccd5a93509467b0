/* Solutions with the factor of other weights at the same lambda, against those with their own. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/system.h"

enum { ROWS = 1300, COLUMNS = 3, KERNELS = 4 };

typedef struct data {
    double *x, *y, *c, *expected;
    unit_fixture f;
    rls2__system own, other;
} data;

static const char SPEC[] = "rbf(0.5); laplace(1); poly(2)@x1; rbf(3)";
static const int64_t KS[KERNELS] = {0, 1, 2, 3};
static const double FIRST[KERNELS] = {0.5, 0.3, 0.2, 0.0};
static const double LAMBDA = 1e-3, ACCURACY = 1e-8;

static data data_create(void)
{
    data it = {.x = unit_normal(1, ROWS * COLUMNS),
               .y = unit_normal(2, ROWS),
               .c = unit_room(ROWS),
               .expected = unit_room(ROWS)};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = it.x};
    it.f = unit_fixture_create(SPEC, &rows, NULL);
    assert_int_equal(rls2__system_create(unit_alone(), it.f.basis, 0, &it.own), RLS2_OK);
    assert_int_equal(rls2__system_create_lean(unit_alone(), it.f.basis, 0, &it.other), RLS2_OK);
    assert_int_equal(rls2__system_combine(&it.other, KERNELS, KS, FIRST), RLS2_OK);
    assert_int_equal(rls2__system_prepare(&it.other, LAMBDA, ACCURACY), RLS2_OK);
    assert_int_equal(rls2__system_solve(&it.other, it.y, it.c), RLS2_OK);
    assert_int_equal(it.other.factorizations, 1);
    return it;
}

static void data_free(data *it)
{
    rls2__system_free(&it->own);
    rls2__system_free(&it->other);
    unit_fixture_free(&it->f);
    free(it->x), free(it->y), free(it->c), free(it->expected);
}

static void solve_both(data *it, const double *d, double lambda)
{
    assert_int_equal(rls2__system_combine(&it->own, KERNELS, KS, d), RLS2_OK);
    assert_int_equal(rls2__system_factorize(&it->own, lambda), RLS2_OK);
    assert_int_equal(rls2__system_solve(&it->own, it->y, it->expected), RLS2_OK);
    assert_int_equal(rls2__system_combine(&it->other, KERNELS, KS, d), RLS2_OK);
    assert_int_equal(rls2__system_prepare(&it->other, lambda, ACCURACY), RLS2_OK);
    assert_int_equal(rls2__system_solve(&it->other, it->y, it->c), RLS2_OK);
}

static double distance(const data *it)
{
    double squares = 0.0;
    for (int i = 0; i < ROWS; i++) squares += pow(it->c[i] - it->expected[i], 2.0);
    return sqrt(squares / unit_inner(ROWS, it->expected, it->expected));
}

static void solve__weights_that_changed_a_little__as_with_their_own_factor(void **state)
{
    (void)state;
    static const double d[KERNELS] = {0.46, 0.32, 0.19, 0.03};
    data it = data_create();
    solve_both(&it, d, LAMBDA);
    assert_int_equal(it.other.factorizations, 1);
    assert_at_most(distance(&it), 1e-6);
    assert_true(distance(&it) > 0.0); /* it is not that factor */
    double exact = unit_inner(ROWS, it.y, it.expected);
    assert_near(unit_inner(ROWS, it.y, it.c) + it.other.missing, exact, 1e-13 * exact);
    data_free(&it);
}

static void hessian__weights_that_changed_a_little__to_second_order(void **state)
{
    (void)state;
    static const double d[KERNELS] = {0.46, 0.32, 0.19, 0.03};
    data it = data_create();
    double *V = unit_room(ROWS * KERNELS), *work = unit_room(ROWS);
    double H[KERNELS * KERNELS], expected[KERNELS * KERNELS];
    solve_both(&it, d, LAMBDA);
    assert_int_equal(rls2__system_apply(&it.own, KERNELS, KS, it.expected, V, work), RLS2_OK);
    assert_int_equal(rls2__system_hessian(&it.own, KERNELS, V, expected, KERNELS), RLS2_OK);
    assert_int_equal(rls2__system_hessian(&it.other, KERNELS, V, H, KERNELS), RLS2_OK);
    for (int j = 0; j < KERNELS; j++)
        for (int i = j; i < KERNELS; i++) {
            double size = sqrt(expected[i * KERNELS + i] * expected[j * KERNELS + j]);
            assert_near(H[j * KERNELS + i], expected[j * KERNELS + i], 0.02 * size);
        }
    free(V), free(work);
    data_free(&it);
}

static void solve__other_weights_or_lambda__with_a_factor_of_their_own(void **state)
{
    (void)state;
    static const double far[KERNELS] = {0.001, 0.001, 0.001, 0.997};
    data it = data_create();
    solve_both(&it, far, LAMBDA);
    assert_int_equal(it.other.factorizations, 2);
    assert_true(distance(&it) == 0.0);
    solve_both(&it, far, 0.5 * LAMBDA);
    assert_int_equal(it.other.factorizations, 3);
    assert_true(distance(&it) == 0.0);
    data_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve__weights_that_changed_a_little__as_with_their_own_factor),
        cmocka_unit_test(hessian__weights_that_changed_a_little__to_second_order),
        cmocka_unit_test(solve__other_weights_or_lambda__with_a_factor_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
