/* The linear system (R(d) + lambda I) c = y and its degrees of freedom. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/system.h"

enum { ROWS = 50, COLUMNS = 3, KERNELS = 4 };

typedef struct data {
    double *x, *y, *c;
    unit_fixture f;
    rls2__system system;
    double *R; /* R(d), written out */
} data;

static const int64_t KS[KERNELS] = {2, 0, 3, 1};
static const double D[KERNELS] = {0.4, 0.3, 0.2, 0.1};

static data data_create_on(const char *spec, double *x, int64_t rows, int64_t columns,
                           int64_t count)
{
    data d = {.x = x, .y = unit_normal(2, rows), .c = unit_room(rows), .R = unit_room(rows * rows)};
    rls2_rows known = {.n = rows, .p = columns, .x = x};
    d.f = unit_fixture_create(spec, &known, NULL);
    assert_int_equal(rls2__system_create(unit_alone(), d.f.basis, 1 << 20, &d.system), RLS2_OK);
    assert_int_equal(
        rls2__system_combine(&d.system, count, KS + KERNELS - count, D + KERNELS - count), RLS2_OK);
    for (int64_t t = KERNELS - count; t < KERNELS; t++) {
        double *matrix = unit_basis_matrix(d.f.basis, KS[t]);
        for (int64_t i = 0; i < rows * rows; i++) d.R[i] += D[t] * matrix[i];
        free(matrix);
    }
    return d;
}

static data data_create(const char *spec)
{
    return data_create_on(spec, unit_normal(1, ROWS * COLUMNS), ROWS, COLUMNS, KERNELS);
}

static void data_free(data *d)
{
    rls2__system_free(&d->system);
    unit_fixture_free(&d->f);
    free(d->x), free(d->y), free(d->c), free(d->R);
}

/* |(R + lambda I) c - y| / |y|, from the matrix written out. */
static double relative_residual(const data *d, double lambda)
{
    double fitted[ROWS], rest = 0.0;
    unit_multiply(ROWS, d->R, d->c, fitted);
    for (int i = 0; i < ROWS; i++) rest += pow(fitted[i] + lambda * d->c[i] - d->y[i], 2.0);
    return sqrt(rest / unit_inner(ROWS, d->y, d->y));
}

static void assert_solution_finite(const data *d, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++) assert_true(isfinite(d->c[i]));
}

static const char REGULAR[] = "rbf(1)@all; poly(2)@x1; rbf(30)@all; linear@all";
static const char SINGULAR[] = "linear@x1; linear@x2; poly(2)@x3; poly(1)@x1"; /* rank 5 of 50 */

static double df_of(rls2__system *system)
{
    double df = NAN;
    assert_int_equal(rls2__system_degrees_of_freedom(system, &df), RLS2_OK);
    return df;
}

static int iterates(data *d, double lambda)
{
    int done;
    assert_int_equal(rls2__system_iterate(&d->system, lambda, d->y, d->c, &done), RLS2_OK);
    return done;
}

/* ---- solving ---- */

static void solve__wide_range_of_lambda__residual_small(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    for (double lambda = 1e9; lambda > 1e-9; lambda *= 0.1) {
        assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
        assert_true(d.system.jitter == 0.0 && d.system.lambda == lambda);
        rls2__system_solve(&d.system, d.y, d.c);
        assert_at_most(relative_residual(&d, lambda), 1e-12);
    }
    data_free(&d);
}

static void solve__singular_matrix_small_lambda__residual_small(void **state)
{
    (void)state;
    data d = data_create(SINGULAR);
    for (double lambda = 1.0; lambda > 1e-13; lambda *= 0.1) {
        assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
        rls2__system_solve(&d.system, d.y, d.c);
        /* |c| grows as 1/lambda, and the rounding of R c with it */
        assert_at_most(relative_residual(&d, lambda), 1e-13 + 1e-14 / lambda);
    }
    data_free(&d);
}

/* lambda below the rounding of R: some shift is needed, and c stays finite. */
static void solve__lambda_below_rounding__finite(void **state)
{
    (void)state;
    data d = data_create(SINGULAR);
    int shifted = 0;
    for (double lambda = 1e-14; lambda > 1e-300; lambda *= 1e-3) {
        assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
        shifted += d.system.jitter > 0.0;
        assert_at_most(d.system.jitter, 1e-9 * unit_trace(ROWS, d.R));
        rls2__system_solve(&d.system, d.y, d.c);
        assert_solution_finite(&d, ROWS);
    }
    assert_true(shifted > 10);
    data_free(&d);
}

/* An eigenvalue of -1e-10: the shift grows until it is outweighed, and not much further. */
static void factorize__slightly_indefinite__least_shift_that_works(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    memset(d.system.R, 0, sizeof(double) * ROWS * ROWS);
    for (int i = 0; i < ROWS; i++) d.system.R[i * ROWS + i] = i == 30 ? -1e-10 : 1.0;
    assert_int_equal(rls2__system_factorize(&d.system, 1e-15), RLS2_OK);
    assert_true(d.system.jitter > 0.99e-10 && d.system.jitter < 40e-10);
    rls2__system_solve(&d.system, d.y, d.c);
    assert_solution_finite(&d, ROWS);
    data_free(&d);
}

/* What can be fitted is fitted all the same: y in the range of R. */
static void solve__shifted_system_with_y_in_range__residual_small(void **state)
{
    (void)state;
    data d = data_create(SINGULAR);
    double *combination = unit_normal(7, ROWS);
    unit_multiply(ROWS, d.R, combination, d.y);
    for (double lambda = 1e-15; lambda > 1e-30; lambda *= 1e-3) {
        assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
        rls2__system_solve(&d.system, d.y, d.c);
        assert_at_most(relative_residual(&d, lambda), 1e-6);
    }
    free(combination);
    data_free(&d);
}

static void solve__no_kernels__y_over_lambda(void **state)
{
    (void)state;
    data d = data_create_on(REGULAR, unit_normal(1, ROWS * COLUMNS), ROWS, COLUMNS, 0);
    assert_int_equal(rls2__system_factorize(&d.system, 0.25), RLS2_OK);
    rls2__system_solve(&d.system, d.y, d.c);
    for (int i = 0; i < ROWS; i++) assert_near(d.c[i], 4.0 * d.y[i], 1e-14 * fabs(d.y[i]));
    assert_near(df_of(&d.system), 0.0, 1e-13);
    data_free(&d);
}

static void solve__one_row__by_hand(void **state)
{
    (void)state;
    double *x = unit_room(1);
    x[0] = 3.0;
    data d = data_create_on("linear; poly(1)", x, 1, 1, 1); /* kernel 1, weight 0.1, scaled to 1 */
    assert_int_equal(rls2__system_factorize(&d.system, 0.4), RLS2_OK);
    rls2__system_solve(&d.system, d.y, d.c);
    assert_near(d.c[0], d.y[0] / 0.5, 1e-14 * fabs(d.y[0]));
    assert_near(df_of(&d.system), 0.2, 1e-14);
    data_free(&d);
}

/* By conjugate gradients, whatever the start; without a factorisation. */
static void iterate__lambda_above_the_norm__residual_small(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    double trace = 0.0;
    for (int i = 0; i < ROWS; i++) trace += d.R[i * ROWS + i];
    for (double ratio = 10.0; ratio < 1e12; ratio *= 7.0)
        for (int start = 0; start < 4; start++) {
            for (int i = 0; i < ROWS; i++)
                d.c[i] = start == 0   ? 0.0
                         : start == 1 ? d.y[i]
                         : start == 2 ? 1e300 * d.y[i]
                                      : (double)i - 7.0;
            assert_true(iterates(&d, ratio * trace));
            assert_at_most(relative_residual(&d, ratio * trace), 4e-15);
        }
    assert_int_equal(d.system.factorizations, 0);
    data_free(&d);
}

/* Where lambda is small it says so and gives up. */
static void iterate__small_lambda__gives_up(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    for (int i = 0; i < ROWS; i++) d.c[i] = d.y[i];
    assert_false(iterates(&d, 1e-6));
    data_free(&d);
}

static void factorize__count__every_attempt(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    assert_int_equal(d.system.factorizations, 0);
    rls2__system_factorize(&d.system, 1.0);
    rls2__system_factorize(&d.system, 0.5);
    assert_int_equal(d.system.factorizations, 2);
    data_free(&d);
}

/* Factorising for one lambda leaves R as it was for the next. */
static void factorize__again_for_the_first_lambda__same_bits(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    double before[ROWS];
    rls2__system_factorize(&d.system, 0.01);
    rls2__system_solve(&d.system, d.y, d.c);
    memcpy(before, d.c, sizeof before);
    rls2__system_factorize(&d.system, 1e-12);
    rls2__system_solve(&d.system, d.y, d.c);
    df_of(&d.system);
    rls2__system_factorize(&d.system, 0.01);
    rls2__system_solve(&d.system, d.y, d.c);
    assert_memory_equal(before, d.c, sizeof before);
    data_free(&d);
}

static void factorize__matrix_with_nan__numeric_failure(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    d.system.R[3 * ROWS + 3] = (double)NAN;
    assert_int_equal(rls2__system_factorize(&d.system, 1.0), RLS2_ERR_NUMERIC);
    data_free(&d);
}

/* ---- degrees of freedom ---- */

static double df_by_eigenvalues(const data *d, double lambda)
{
    double *values = unit_eigenvalues(ROWS, d->R), total = 0.0;
    for (int i = 0; i < ROWS; i++) {
        double value = fmax(values[i], 0.0);
        total += value / (value + lambda);
    }
    free(values);
    return total;
}

static void degrees_of_freedom__wide_range_of_lambda__as_by_eigenvalues(void **state)
{
    (void)state;
    static const char *const specs[] = {REGULAR, SINGULAR};
    for (int s = 0; s < 2; s++) {
        data d = data_create(specs[s]);
        double before = 0.0;
        for (double lambda = 1e12; lambda > 1e-6; lambda *= 0.2) {
            double expected = df_by_eigenvalues(&d, lambda);
            assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
            double df = df_of(&d.system);
            assert_near(df, expected,
                        1e-8 * expected);          /* relative: df itself is 1e-12 at one end */
            assert_true(df > before && df < ROWS); /* and it grows as lambda falls */
            before = df;
        }
        data_free(&d);
    }
}

static void degrees_of_freedom__lambda_of_1e9__trace_over_lambda(void **state)
{
    (void)state;
    data d = data_create(REGULAR);
    assert_int_equal(rls2__system_factorize(&d.system, 1e9), RLS2_OK);
    assert_near(df_of(&d.system), 1e-9, 1e-17); /* d sums to 1, so does the trace */
    data_free(&d);
}

static void degrees_of_freedom__any_lambda__between_zero_and_n(void **state)
{
    (void)state;
    static const char *const specs[] = {REGULAR, SINGULAR};
    for (int s = 0; s < 2; s++) {
        data d = data_create(specs[s]);
        for (double lambda = 1e300; lambda > 1e-300; lambda *= 1e-7) {
            assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
            double df = df_of(&d.system);
            assert_true(df >= 0.0 && df <= ROWS);
        }
        data_free(&d);
    }
}

/* rls2/model.h promises no more than the rank of R, 5 here, which eigenvalues below the
 * rounding of R must not break. */
static void degrees_of_freedom__lambda_below_rounding__not_above_the_rank(void **state)
{
    (void)state;
    data d = data_create(SINGULAR);
    for (double lambda = 1e-9; lambda > 1e-25; lambda *= 0.01) {
        assert_int_equal(rls2__system_factorize(&d.system, lambda), RLS2_OK);
        double df = df_of(&d.system);
        if (!(df <= 5.01))
            fail_msg("lambda %g: df is %g, the rank 5 (jitter %g)", lambda, df, d.system.jitter);
    }
    data_free(&d);
}

/* ---- many rows ---- */

/* R = 3 I + 0.5 11', whose inverse and eigenvalues are known. Columns are copied, summed and
 * multiplied in tasks. lambda is small enough for c to be refined: the factor is one of another
 * lambda, so that it has to be. */
static void system__of_many_rows__as_by_hand(void **state)
{
    (void)state;
    enum { MANY = 1300 };
    static const double A = 3.0, B = 0.5, LAMBDA = 1e-6;
    data d = data_create_on("linear@x1; linear@x2; linear@x3; linear@all",
                            unit_normal(1, MANY * COLUMNS), MANY, COLUMNS, 1);
    double sum = 0.0, largest = A + B * MANY, df = NAN;
    for (int64_t j = 0; j < MANY; j++)
        for (int64_t i = j; i < MANY; i++) d.system.R[j * MANY + i] = B + (i == j ? A : 0.0);
    for (int64_t i = 0; i < MANY; i++) sum += d.y[i];
    assert_int_equal(rls2__system_factorize(&d.system, 2.0 * LAMBDA), RLS2_OK);
    d.system.lambda = LAMBDA;
    assert_int_equal(rls2__system_solve(&d.system, d.y, d.c), RLS2_OK);
    for (int64_t i = 0; i < MANY; i++) {
        double c = (d.y[i] - B * sum / (largest + LAMBDA)) / (A + LAMBDA);
        assert_true(fabs(d.c[i] - c) <= 1e-13 * (1.0 + fabs(c)));
    }
    assert_int_equal(rls2__system_factorize(&d.system, LAMBDA), RLS2_OK);
    df = df_of(&d.system);
    double known = (MANY - 1) * (A / (A + LAMBDA)) + largest / (largest + LAMBDA);
    assert_true(fabs(df - known) <= 1e-9);
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve__wide_range_of_lambda__residual_small),
        cmocka_unit_test(solve__singular_matrix_small_lambda__residual_small),
        cmocka_unit_test(solve__lambda_below_rounding__finite),
        cmocka_unit_test(factorize__slightly_indefinite__least_shift_that_works),
        cmocka_unit_test(solve__shifted_system_with_y_in_range__residual_small),
        cmocka_unit_test(solve__no_kernels__y_over_lambda),
        cmocka_unit_test(solve__one_row__by_hand),
        cmocka_unit_test(iterate__lambda_above_the_norm__residual_small),
        cmocka_unit_test(iterate__small_lambda__gives_up),
        cmocka_unit_test(factorize__count__every_attempt),
        cmocka_unit_test(factorize__again_for_the_first_lambda__same_bits),
        cmocka_unit_test(factorize__matrix_with_nan__numeric_failure),
        cmocka_unit_test(degrees_of_freedom__wide_range_of_lambda__as_by_eigenvalues),
        cmocka_unit_test(degrees_of_freedom__lambda_of_1e9__trace_over_lambda),
        cmocka_unit_test(degrees_of_freedom__any_lambda__between_zero_and_n),
        cmocka_unit_test(degrees_of_freedom__lambda_below_rounding__not_above_the_rank),
        cmocka_unit_test(system__of_many_rows__as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
