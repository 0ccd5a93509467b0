/* The factor of the inner products of active columns, as columns come and go. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/columns.h"

enum { ROWS = 12, COLUMNS = 30 };

typedef struct data {
    double *x;
    unit_fixture f;
    rls2__columns_factor columns;
} data;

static data data_create(double *x)
{
    data d = {.x = x};
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    d.f = unit_fixture_create("linear", &rows, NULL);
    assert_int_equal(rls2__columns_create(d.f.basis, &d.columns), RLS2_OK);
    return d;
}

static void data_free(data *d)
{
    rls2__columns_free(&d->columns);
    unit_fixture_free(&d->f);
    free(d->x);
}

/* Z has the scaled columns in order, and LL' their inner products. */
static void assert_factor(const data *d)
{
    const rls2__columns_factor *columns = &d->columns;
    for (int64_t j = 0; j < columns->count; j++) {
        int64_t k = columns->ks[j];
        for (int64_t i = 0; i < ROWS; i++)
            assert_near(columns->Z[j * ROWS + i], sqrt(d->f.basis->s[k]) * d->x[k * ROWS + i],
                        1e-15);
        for (int64_t i = j; i < columns->count; i++) {
            double product = 0.0;
            for (int64_t t = 0; t <= j; t++)
                product += columns->L[t * columns->room + i] * columns->L[t * columns->room + j];
            assert_near(product, unit_inner(ROWS, columns->Z + i * ROWS, columns->Z + j * ROWS),
                        1e-12);
        }
    }
}

static void columns__enter_and_leave__keep_the_factor(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 3);
    data d = data_create(unit_normal(1, ROWS * COLUMNS));
    for (int step = 0; step < 200; step++) {
        int64_t count = d.columns.count, k = rls2__random_below(&random, COLUMNS);
        int known = 0;
        for (int64_t i = 0; i < count; i++) known |= d.columns.ks[i] == k;
        if (count > 0 && (known || count == ROWS - 2 || rls2__random_uniform(&random) < 0.4))
            rls2__columns_leave(&d.columns, rls2__random_below(&random, count));
        else
            assert_true(rls2__columns_enter(&d.columns, k));
        assert_factor(&d);
    }
    assert_int_equal(d.columns.factorizations, 0);
    assert_true(rls2__columns_refactor(&d.columns));
    assert_factor(&d);
    data_free(&d);
}

static void columns_solve__any_vector__inverts_the_products(void **state)
{
    (void)state;
    data d = data_create(unit_normal(2, ROWS * COLUMNS));
    double x[5] = {1.0, -2.0, 3.0, 0.5, -0.25}, expected[5];
    for (int64_t k = 0; k < 5; k++) assert_true(rls2__columns_enter(&d.columns, 3 * k));
    memcpy(expected, x, sizeof x);
    rls2__columns_solve(&d.columns, x);
    for (int64_t i = 0; i < 5; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < 5; j++)
            sum += unit_inner(ROWS, d.columns.Z + i * ROWS, d.columns.Z + j * ROWS) * x[j];
        assert_near(sum, expected[i], 1e-12);
    }
    data_free(&d);
}

/* z = Zu, and nothing else is changed. */
static void assert_refused(data *d, int64_t k)
{
    int64_t count = d->columns.count;
    assert_false(rls2__columns_enter(&d->columns, k));
    assert_int_equal(d->columns.count, count);
    for (int64_t i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < count; j++) sum += d->columns.Z[j * ROWS + i] * d->columns.row[j];
        assert_near(sum, sqrt(d->f.basis->s[k]) * d->x[k * ROWS + i], 1e-9);
    }
    assert_factor(d);
}

static void columns_enter__dependent_column__is_refused_and_expressed(void **state)
{
    (void)state;
    double *x = unit_normal(4, ROWS * COLUMNS);
    for (int64_t i = 0; i < ROWS; i++) x[7 * ROWS + i] = x[i] - 2.0 * x[ROWS + i];
    data d = data_create(x);
    assert_true(rls2__columns_enter(&d.columns, 0));
    assert_true(rls2__columns_enter(&d.columns, 2));
    assert_true(rls2__columns_enter(&d.columns, 1));
    assert_refused(&d, 7);
    assert_refused(&d, 2); /* itself */
    data_free(&d);
}

static void columns_enter__as_many_as_rows__refuses_every_other(void **state)
{
    (void)state;
    data d = data_create(unit_normal(5, ROWS * COLUMNS));
    for (int64_t k = 0; k < ROWS; k++) assert_true(rls2__columns_enter(&d.columns, k));
    for (int64_t k = ROWS; k < COLUMNS; k++) assert_refused(&d, k);
    data_free(&d);
}

/* ---- with weights ---- */

/* Of a column less what the level takes of it. */
static void centre(const double *weights, const double *level, const double *z, double *out)
{
    double sum = 0.0, square = 0.0;
    for (int64_t i = 0; i < ROWS; i++) {
        sum += weights[i] * level[i] * z[i];
        square += weights[i] * level[i] * level[i];
    }
    for (int64_t i = 0; i < ROWS; i++) out[i] = z[i] - sum / square * level[i];
}

/* LL' are the weighted inner products of centred columns. */
static void assert_weighed(const rls2__columns_factor *columns, const double *weights,
                           const double *level)
{
    double a[ROWS], b[ROWS];
    for (int64_t j = 0; j < columns->count; j++)
        for (int64_t i = j; i < columns->count; i++) {
            double product = 0.0, expected = 0.0;
            for (int64_t t = 0; t <= j; t++)
                product += columns->L[t * columns->room + i] * columns->L[t * columns->room + j];
            centre(weights, level, columns->Z + i * ROWS, a);
            centre(weights, level, columns->Z + j * ROWS, b);
            for (int64_t t = 0; t < ROWS; t++) expected += weights[t] * a[t] * b[t];
            assert_near(product, expected, 1e-12);
        }
}

static void columns_weigh__columns_come_and_go__factor_is_that_of_the_weights(void **state)
{
    (void)state;
    double *x = unit_normal(6, ROWS * COLUMNS), weights[ROWS], level[ROWS];
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    unit_fixture f = unit_fixture_create("linear", &rows, NULL);
    rls2__columns_factor columns;
    for (int64_t i = 0; i < ROWS; i++) {
        level[i] = 1.0 + 0.1 * (double)i;
        weights[i] = 1.0;
    }
    assert_int_equal(rls2__columns_create_weighed(f.basis, level, &columns), RLS2_OK);
    for (int round = 0; round < 4; round++) {
        for (int64_t k = 0; k < 6; k++) assert_true(rls2__columns_enter(&columns, 7 * round + k));
        assert_weighed(&columns, weights, level);
        while (columns.count > 2) rls2__columns_leave(&columns, 1);
        assert_weighed(&columns, weights, level);
        for (int64_t i = 0; i < ROWS; i++) weights[i] = 0.1 + (double)((i * (round + 3)) % 7);
        assert_int_equal(rls2__columns_weigh(unit_alone(), weights, &columns), RLS2_OK);
        assert_weighed(&columns, weights, level);
    }
    memset(weights, 0, sizeof weights);
    assert_int_equal(rls2__columns_weigh(unit_alone(), weights, &columns), RLS2_ERR_NUMERIC);
    rls2__columns_free(&columns);
    unit_fixture_free(&f);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns__enter_and_leave__keep_the_factor),
        cmocka_unit_test(columns_solve__any_vector__inverts_the_products),
        cmocka_unit_test(columns_enter__dependent_column__is_refused_and_expressed),
        cmocka_unit_test(columns_enter__as_many_as_rows__refuses_every_other),
        cmocka_unit_test(columns_weigh__columns_come_and_go__factor_is_that_of_the_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
