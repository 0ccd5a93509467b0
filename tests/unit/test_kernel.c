/* Every kernel function against a plain formula in long double. */
#include "support/unit_support.h"

#include <math.h>

#include "dictionary/dictionary.h"

enum { TRAIN = 23, TRAIN_LD = 30, FRESH = 9, FRESH_LD = 11, COLUMNS = 5 };

/* All kinds, on one column and on several; x4 and x5 hold a few whole numbers. */
static const char ALL_KINDS[] =
    "linear@x2; linear@all; poly(1)@x1; poly(2,offset=0.5,scale=2)@x1+x3;"
    "poly(3)@all; poly(7,offset=0.1,scale=0.3)@x2; poly(20,scale=0.1)@x1+x2;"
    "rbf(0.7)@x1; rbf(0.3)@all; rbf(1e5)@x2; laplace(0.4)@x3; laplace(2)@all;"
    "matern(0.5,length=2)@x1; matern(0.5)@all; matern(1.5,length=0.3)@x1;"
    "matern(1.5)@all; matern(2.5,length=0.7)@x2; matern(2.5,length=3)@all;"
    "spline@x1; spline@x4; delta@x4; delta@x4+x5; delta@x1";

typedef struct data {
    double *train_x;
    double *fresh_x;
    rls2_rows train;
    rls2_rows fresh; /* some of it outside the range of the training rows */
    rls2_dictionary *dictionary;
    rls2__kernel *kernels; /* fitted */
} data;

static void round_columns(int64_t n, int64_t ld, double *x)
{
    for (int64_t j = 3; j < COLUMNS; j++)
        for (int64_t i = 0; i < n; i++) x[j * ld + i] = round(x[j * ld + i]);
}

static data data_create(const char *spec)
{
    data d;
    d.train_x = unit_normal_padded(1, TRAIN, TRAIN_LD, COLUMNS);
    d.fresh_x = unit_normal_padded(2, FRESH, FRESH_LD, COLUMNS);
    for (int64_t j = 0; j < COLUMNS; j++) {
        d.fresh_x[j * FRESH_LD] *= 10.0;
        d.fresh_x[j * FRESH_LD + 1] -= 7.0;
        d.fresh_x[j * FRESH_LD + 2] = d.train_x[j * TRAIN_LD + 4]; /* a row seen in training */
    }
    round_columns(TRAIN, TRAIN_LD, d.train_x);
    round_columns(FRESH, FRESH_LD, d.fresh_x);
    d.train = (rls2_rows){.n = TRAIN, .p = COLUMNS, .x = d.train_x, .ldx = TRAIN_LD};
    d.fresh = (rls2_rows){.n = FRESH, .p = COLUMNS, .x = d.fresh_x, .ldx = FRESH_LD};
    d.dictionary = unit_dictionary(spec, COLUMNS);
    d.kernels = calloc((size_t)d.dictionary->m, sizeof *d.kernels);
    assert_non_null(d.kernels);
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        d.kernels[k] = d.dictionary->kernels[k];
        rls2__kernel_fit(&d.kernels[k], &d.train);
    }
    return d;
}

static void data_free(data *d)
{
    free(d->train_x);
    free(d->fresh_x);
    free(d->kernels);
    rls2_dictionary_free(d->dictionary);
}

/* ---- the reference ---- */

static long double value_at(const rls2_rows *rows, int64_t column, int64_t i)
{
    return rows->x[column * (rows->ldx ? rows->ldx : rows->n) + i];
}

/* 1 + uv + the integral of (u-t)(v-t) over 0 <= t <= min(u, v, 1): Simpson's rule is
 * exact for it. */
static long double reference_spline(long double x, long double z, const rls2_rows *train,
                                    int64_t column)
{
    long double lo = INFINITY, hi = -INFINITY;
    for (int64_t i = 0; i < train->n; i++) {
        lo = fminl(lo, value_at(train, column, i));
        hi = fmaxl(hi, value_at(train, column, i));
    }
    long double u = (x - lo) / (hi - lo), v = (z - lo) / (hi - lo);
    long double end = fminl(fminl(u, v), 1.0L), half = end / 2.0L;
    if (end <= 0.0L) return 1.0L + u * v;
    return 1.0L + u * v +
           end / 6.0L * (u * v + 4.0L * (u - half) * (v - half) + (u - end) * (v - end));
}

static long double reference_matern(long double nu, long double t)
{
    long double factor = nu < 1.0L ? 1.0L : nu < 2.0L ? 1.0L + t : 1.0L + t + t * t / 3.0L;
    return factor * expl(-t);
}

/* K(a_i, b_j); *size is what rounding is measured by. */
static long double reference(const rls2__kernel *kernel, const rls2_rows *train, const rls2_rows *a,
                             int64_t i, const rls2_rows *b, int64_t j, long double *size)
{
    long double inner = 0.0L, inner_size = 0.0L, squares = 0.0L, absolutes = 0.0L, equal = 1.0L;
    const double *param = kernel->param;
    for (int64_t t = 0; t < kernel->column_count; t++) {
        long double x = value_at(a, kernel->columns[t], i), z = value_at(b, kernel->columns[t], j);
        inner += x * z;
        inner_size += fabsl(x * z);
        squares += (x - z) * (x - z);
        absolutes += fabsl(x - z);
        if (x != z) equal = 0.0L;
    }
    *size = 1.0L;
    switch (kernel->kind) {
    case RLS2__KERNEL_LINEAR: *size = inner_size; return inner;
    case RLS2__KERNEL_POLY:
        *size = param[0] * powl(fabsl((long double)param[1]) + param[2] * inner_size, param[0]);
        return powl(param[1] + param[2] * inner, param[0]);
    case RLS2__KERNEL_RBF: return expl(-param[0] * squares);
    case RLS2__KERNEL_LAPLACE: return expl(-param[0] * absolutes);
    case RLS2__KERNEL_MATERN:
        return reference_matern(param[0], sqrtl(2.0L * param[0] * squares) / param[1]);
    case RLS2__KERNEL_SPLINE: {
        long double x = value_at(a, kernel->columns[0], i), z = value_at(b, kernel->columns[0], j);
        long double value = reference_spline(x, z, train, kernel->columns[0]);
        *size = 10.0L * (1.0L + fabsl(value));
        return value;
    }
    case RLS2__KERNEL_DELTA: *size = 0.0L; return equal;
    case RLS2__KERNEL_GIVEN: break;
    }
    fail_msg("no reference for %s", kernel->name);
    return 0.0L;
}

static void assert_columns_match(const data *d, const rls2_rows *a, const rls2_rows *b)
{
    double column[TRAIN + 1];
    for (int64_t k = 0; k < d->dictionary->m; k++)
        for (int64_t j = 0; j < b->n; j++) {
            column[a->n] = 99.0;
            rls2__kernel_column(&d->kernels[k], a, b, j, column);
            for (int64_t i = 0; i < a->n; i++) {
                long double size,
                    expected = reference(&d->kernels[k], &d->train, a, i, b, j, &size);
                if (!(fabsl(column[i] - expected) <= 4e-15L * size))
                    fail_msg("%s (%d, %d): %.17g, not %.17Lg", d->kernels[k].name, (int)i, (int)j,
                             column[i], expected);
            }
            assert_true(column[a->n] == 99.0);
        }
}

/* ---- columns ---- */

static void kernel_column__training_rows__as_the_formula(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    assert_columns_match(&d, &d.train, &d.train);
    data_free(&d);
}

static void kernel_column__new_rows_against_training_rows__as_the_formula(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    assert_columns_match(&d, &d.fresh, &d.train);
    assert_columns_match(&d, &d.train, &d.fresh);
    assert_columns_match(&d, &d.fresh, &d.fresh);
    data_free(&d);
}

/* Bit for bit, but for splines, whose products of three are rounded in another order. */
static void assert_symmetric(const rls2__kernel *kernel, double there, double back)
{
    double tolerance = kernel->kind == RLS2__KERNEL_SPLINE ? 4e-15 * (1.0 + fabs(there)) : 0.0;
    if (!(fabs(there - back) <= tolerance))
        fail_msg("%s: %.17g and %.17g", kernel->name, there, back);
}

static void kernel_column__rows_swapped__same_value(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    double there[FRESH], back[TRAIN];
    for (int64_t k = 0; k < d.dictionary->m; k++)
        for (int64_t j = 0; j < TRAIN; j++) {
            rls2__kernel_column(&d.kernels[k], &d.fresh, &d.train, j, there);
            for (int64_t i = 0; i < FRESH; i++) {
                rls2__kernel_column(&d.kernels[k], &d.train, &d.fresh, i, back);
                assert_symmetric(&d.kernels[k], there[i], back[j]);
            }
        }
    data_free(&d);
}

static void kernel_column__leading_dimension_zero__means_the_number_of_rows(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    double tight[TRAIN * COLUMNS], column[TRAIN], expected[TRAIN];
    for (int64_t j = 0; j < COLUMNS; j++)
        memcpy(tight + j * TRAIN, d.train_x + j * TRAIN_LD, TRAIN * sizeof(double));
    rls2_rows rows = {.n = TRAIN, .p = COLUMNS, .x = tight};
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        rls2__kernel fitted = d.dictionary->kernels[k];
        rls2__kernel_fit(&fitted, &rows);
        rls2__kernel_column(&fitted, &rows, &rows, 3, column);
        rls2__kernel_column(&d.kernels[k], &d.train, &d.train, 3, expected);
        assert_memory_equal(column, expected, sizeof column);
        rls2__kernel_diagonal(&fitted, &rows, column);
        rls2__kernel_diagonal(&d.kernels[k], &d.train, expected);
        assert_memory_equal(column, expected, sizeof column);
    }
    data_free(&d);
}

static void kernel_column_from__any_first_row__the_end_of_the_column(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    double whole[TRAIN], part[TRAIN + 1];
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        rls2__kernel_column(&d.kernels[k], &d.train, &d.fresh, 5, whole);
        for (int64_t first = 0; first <= TRAIN; first++) {
            part[TRAIN - first] = 99.0;
            rls2__kernel_column_from(&d.kernels[k], &d.train, first, &d.fresh, 5, part);
            assert_memory_equal(part, whole + first, (size_t)(TRAIN - first) * sizeof(double));
            assert_true(part[TRAIN - first] == 99.0);
        }
    }
    data_free(&d);
}

static void kernel_diagonal__training_and_new_rows__as_the_formula(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    const rls2_rows *both[] = {&d.train, &d.fresh};
    double diagonal[TRAIN];
    for (int64_t k = 0; k < d.dictionary->m; k++)
        for (int r = 0; r < 2; r++) {
            rls2__kernel_diagonal(&d.kernels[k], both[r], diagonal);
            for (int64_t i = 0; i < both[r]->n; i++) {
                long double size;
                long double expected =
                    reference(&d.kernels[k], &d.train, both[r], i, both[r], i, &size);
                assert_near(diagonal[i], (double)expected, (double)(4e-15L * size));
            }
        }
    data_free(&d);
}

/* The column of a training row holds the same value as the diagonal: equal rows are at
 * distance zero, in whichever way they are reached. */
static void kernel_column__equal_rows__exactly_one_for_distance_kernels(void **state)
{
    (void)state;
    data d = data_create(
        "rbf(1e-3:1e8:5)@all,each; laplace(1e-3:1e8:5)@all,each; matern(0.5|1.5|2.5)@all,each;"
        "matern(2.5,length=1e-6)@all; delta@all,each");
    double column[FRESH];
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        rls2__kernel_column(&d.kernels[k], &d.fresh, &d.train, 4, column);
        assert_true(column[2] == 1.0);
        for (int64_t i = 0; i < FRESH; i++) assert_true(column[i] >= 0.0 && column[i] <= 1.0);
    }
    data_free(&d);
}

/* Longer than the block Matern kernels are mapped in. */
static void kernel_column__thousand_rows__as_the_formula(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    double *x = unit_normal(4, ROWS), *column = unit_room(ROWS);
    rls2_rows rows = {.n = ROWS, .p = 1, .x = x};
    rls2_dictionary *dictionary =
        unit_dictionary("matern(0.5|1.5|2.5); rbf(1); laplace(1); poly(3); spline", 1);
    for (int64_t k = 0; k < dictionary->m; k++) {
        rls2__kernel kernel = dictionary->kernels[k];
        rls2__kernel_fit(&kernel, &rows);
        rls2__kernel_column(&kernel, &rows, &rows, 700, column);
        for (int64_t i = 0; i < ROWS; i++) {
            long double size, expected = reference(&kernel, &rows, &rows, i, &rows, 700, &size);
            assert_near(column[i], (double)expected, (double)(4e-15L * size));
        }
    }
    rls2_dictionary_free(dictionary);
    free(x);
    free(column);
}

/* ---- extremes ---- */

static void kernel_column__distances_that_overflow__zero_not_nan(void **state)
{
    (void)state;
    double x[] = {-1e200, 0.0, 1e200, 1e-3}, column[4];
    rls2_rows rows = {.n = 4, .p = 1, .x = x};
    rls2_dictionary *dictionary =
        unit_dictionary("rbf(1); laplace(1); matern(0.5|1.5|2.5); delta", 1);
    for (int64_t k = 0; k < dictionary->m; k++) {
        rls2__kernel_column(&dictionary->kernels[k], &rows, &rows, 0, column);
        for (int i = 0; i < 4; i++)
            if (!(column[i] == (i == 0 ? 1.0 : 0.0)))
                fail_msg("%s: entry %d is %g", dictionary->kernels[k].name, i, column[i]);
    }
    rls2_dictionary_free(dictionary);
}

static void kernel_fit__spline_whose_ends_are_any_two_rows__has_their_range(void **state)
{
    (void)state;
    enum { ROWS = 4 };
    rls2_dictionary *dictionary = unit_dictionary("spline", 1);
    for (int low = 0; low < ROWS; low++)
        for (int high = 0; high < ROWS; high++) {
            double x[ROWS] = {0.25, 0.5, 0.375, 0.5};
            if (low == high) continue;
            x[low] = -2.0;
            x[high] = 3.0;
            rls2_rows rows = {.n = ROWS, .p = 1, .x = x};
            rls2__kernel kernel = dictionary->kernels[0];
            rls2__kernel_fit(&kernel, &rows);
            assert_true(kernel.param[0] == -2.0 && kernel.param[1] == 3.0);
        }
    rls2_dictionary_free(dictionary);
}

static void kernel_column__spline_on_a_constant_column__constant(void **state)
{
    (void)state;
    double x[] = {3.0, 3.0, 3.0}, column[3];
    rls2_rows rows = {.n = 3, .p = 1, .x = x};
    rls2_dictionary *dictionary = unit_dictionary("spline", 1);
    rls2__kernel kernel = dictionary->kernels[0];
    rls2__kernel_fit(&kernel, &rows);
    rls2__kernel_column(&kernel, &rows, &rows, 0, column);
    for (int i = 0; i < 3; i++) assert_true(column[i] == 1.0);
    rls2_dictionary_free(dictionary);
}

static void kernel_column__signed_zeros__equal_for_delta(void **state)
{
    (void)state;
    double x[] = {0.0, -0.0, 1.0}, column[3];
    rls2_rows rows = {.n = 3, .p = 1, .x = x};
    rls2_dictionary *dictionary = unit_dictionary("delta", 1);
    rls2__kernel_column(&dictionary->kernels[0], &rows, &rows, 0, column);
    assert_true(column[0] == 1.0 && column[1] == 1.0 && column[2] == 0.0);
    rls2_dictionary_free(dictionary);
}

/* ---- positive semi-definite ---- */

static void assert_positive(const rls2__kernel *kernel, const rls2_rows *rows)
{
    double *K = unit_kernel_matrix(kernel, rows, 1.0), *values = unit_eigenvalues(rows->n, K);
    double trace = unit_trace(rows->n, K);
    assert_true(trace > 0.0);
    for (int64_t j = 0; j < rows->n; j++)
        for (int64_t i = 0; i < j; i++)
            assert_symmetric(kernel, K[j * rows->n + i], K[i * rows->n + j]);
    if (!(values[0] >= -1e-10 * trace))
        fail_msg("%s: smallest eigenvalue %g, trace %g", kernel->name, values[0], trace);
    free(K);
    free(values);
}

static void kernel_matrix__every_kind_on_training_rows__symmetric_and_positive(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    for (int64_t k = 0; k < d.dictionary->m; k++) assert_positive(&d.kernels[k], &d.train);
    data_free(&d);
}

/* Fitted on the training rows, evaluated on rows that reach far outside their range. */
static void kernel_matrix__every_kind_outside_the_range__symmetric_and_positive(void **state)
{
    (void)state;
    data d = data_create(ALL_KINDS);
    double *wide = unit_normal(9, 40 * COLUMNS);
    for (int64_t i = 0; i < 40 * COLUMNS; i++) wide[i] *= i % 3 ? 1.0 : 8.0;
    round_columns(40, 40, wide);
    rls2_rows rows = {.n = 40, .p = COLUMNS, .x = wide};
    for (int64_t k = 0; k < d.dictionary->m; k++) assert_positive(&d.kernels[k], &rows);
    free(wide);
    data_free(&d);
}

/* ---- given kernels, rank bounds ---- */

static void kernel_column__given__column_of_the_matrix(void **state)
{
    (void)state;
    const char *names[] = {"A", "B"};
    double a[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30, 40, 50, 60}, column[3],
           diagonal[2] = {7, 8};
    const double *given[] = {a, b}, *stated[] = {NULL, diagonal};
    rls2_rows tall = {.n = 3, .given_count = 2, .given = given}; /* 3 x 2 */
    rls2_rows wide = {.n = 2, .given_count = 2, .given = given, .given_diagonal = stated};
    rls2_dictionary *dictionary = unit_dictionary_given("given(B); given(A)", 0, 2, names);
    rls2__kernel_column(&dictionary->kernels[0], &tall, &wide, 1, column);
    assert_true(column[0] == 40 && column[1] == 50 && column[2] == 60);
    rls2__kernel_column_from(&dictionary->kernels[1], &tall, 2, &wide, 1, column);
    assert_true(column[0] == 6);
    rls2__kernel_diagonal(&dictionary->kernels[0], &wide, column); /* stated */
    assert_true(column[0] == 7 && column[1] == 8);
    rls2__kernel_diagonal(&dictionary->kernels[1], &wide, column); /* that of the 2 x 2 matrix */
    assert_true(column[0] == 1 && column[1] == 4);
    rls2_dictionary_free(dictionary);
}

static void kernel_rank_bound__by_kind__columns_or_degree_plus_one(void **state)
{
    (void)state;
    rls2_dictionary *dictionary =
        unit_dictionary("linear@all; linear@x1; poly(4)@x1; poly(2)@all; rbf(1)@x1", 5);
    static const int64_t expected[] = {5, 1, 5, INT64_MAX, INT64_MAX};
    for (int64_t k = 0; k < 5; k++)
        assert_true(rls2__kernel_rank_bound(&dictionary->kernels[k]) == expected[k]);
    rls2_dictionary_free(dictionary);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_column__training_rows__as_the_formula),
        cmocka_unit_test(kernel_column__new_rows_against_training_rows__as_the_formula),
        cmocka_unit_test(kernel_column__rows_swapped__same_value),
        cmocka_unit_test(kernel_column__leading_dimension_zero__means_the_number_of_rows),
        cmocka_unit_test(kernel_column_from__any_first_row__the_end_of_the_column),
        cmocka_unit_test(kernel_diagonal__training_and_new_rows__as_the_formula),
        cmocka_unit_test(kernel_column__equal_rows__exactly_one_for_distance_kernels),
        cmocka_unit_test(kernel_column__thousand_rows__as_the_formula),
        cmocka_unit_test(kernel_column__distances_that_overflow__zero_not_nan),
        cmocka_unit_test(kernel_fit__spline_whose_ends_are_any_two_rows__has_their_range),
        cmocka_unit_test(kernel_column__spline_on_a_constant_column__constant),
        cmocka_unit_test(kernel_column__signed_zeros__equal_for_delta),
        cmocka_unit_test(kernel_matrix__every_kind_on_training_rows__symmetric_and_positive),
        cmocka_unit_test(kernel_matrix__every_kind_outside_the_range__symmetric_and_positive),
        cmocka_unit_test(kernel_column__given__column_of_the_matrix),
        cmocka_unit_test(kernel_rank_bound__by_kind__columns_or_degree_plus_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
