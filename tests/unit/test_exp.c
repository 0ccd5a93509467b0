/* exp as kernels compute it, over arrays, against the C library's long double. */
#include "support/unit_support.h"

#include <float.h>
#include <math.h>

#include "kernel/maps.h"

/* to[i] = exp(from[i]), numbers of at most 0: a Gaussian kernel is exp(-gamma times the sum). */
static void exp_of(int64_t n, const double *from, double *to)
{
    const rls2__kernel kernel = {.kind = RLS2__KERNEL_RBF, .param = {-1.0}};
    rls2__kernel_map(&kernel, n, from, 1.0, to);
}

/* |y - exp(x)| in units in the last place of y. */
static double ulps(double x, double y)
{
    double unit = nextafter(y, INFINITY) - y;
    return (double)fabsl(((long double)y - expl((long double)x)) / unit);
}

static double worst_error(int64_t n, const double *x)
{
    double worst = 0.0;
    double *y = unit_room(n);
    exp_of(n, x, y);
    for (int64_t i = 0; i < n; i++) {
        double error = ulps(x[i], y[i]);
        if (!(error <= worst)) worst = error; /* NaN stays */
    }
    free(y);
    return worst;
}

static void exp__whole_range__below_two_ulps(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    double *x = unit_room(COUNT);
    rls2__random random;
    rls2__random_seed(&random, 1);
    for (int i = 0; i < COUNT; i++) x[i] = -707.0 * rls2__random_uniform(&random);
    x[0] = -707.0;
    assert_at_most(worst_error(COUNT, x), 2.0);
    free(x);
}

static void exp__small_arguments__below_two_ulps(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    double *x = unit_room(COUNT);
    rls2__random random;
    rls2__random_seed(&random, 2);
    for (int i = 0; i < COUNT; i++) x[i] = -pow(10.0, -20.0 * rls2__random_uniform(&random));
    assert_at_most(worst_error(COUNT, x), 2.0);
    free(x);
}

/* Where the exponent changes: odd multiples of ln 2 / 2, and multiples of ln 2. */
static void exp__around_the_changes_of_exponent__below_two_ulps(void **state)
{
    (void)state;
    enum { SPOTS = 2039, NEAR = 7 };
    double *x = unit_room(SPOTS * NEAR);
    for (int i = 0; i < SPOTS; i++) {
        double at = -0.5 * i * log(2.0);
        for (int j = 0; j < NEAR; j++) {
            x[i * NEAR + j] = fmin(at, 0.0);
            at = nextafter(at, j % 2 ? -INFINITY : INFINITY) - (j - 3) * 1e-13;
        }
    }
    assert_at_most(worst_error(SPOTS * NEAR, x), 2.0);
    free(x);
}

static void exp__zero__is_one_exactly(void **state)
{
    (void)state;
    double x[] = {0.0, -0.0, -DBL_MIN, -DBL_TRUE_MIN, -1e-17};
    exp_of(5, x, x);
    for (int i = 0; i < 5; i++) assert_true(x[i] == 1.0);
}

static void exp__far_below__is_zero_exactly(void **state)
{
    (void)state;
    double x[] = {-709.0, -745.0, -746.0, -1e4, -1e18, -DBL_MAX, -INFINITY};
    exp_of(7, x, x);
    for (int i = 0; i < 7; i++) assert_true(x[i] == 0.0 && !signbit(x[i]));
}

static void exp__lowest_kept_argument__normal_and_not_zero(void **state)
{
    (void)state;
    double x[] = {-707.0, -706.99};
    exp_of(2, x, x);
    assert_true(x[0] >= DBL_MIN && x[1] > x[0]);
}

static void exp__descending_arguments__never_increases_much(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    double *x = unit_room(COUNT);
    for (int i = 0; i < COUNT; i++) x[i] = -0.17 * i;
    exp_of(COUNT, x, x);
    for (int i = 1; i < COUNT; i++) assert_true(x[i] < x[i - 1] || x[i] == 0.0);
    free(x);
}

/* Vector bodies and scalar tails must agree bit for bit. */
static void exp__any_length__as_element_by_element_and_in_place(void **state)
{
    (void)state;
    enum { LONGEST = 17 };
    double *from = unit_normal(3, LONGEST + 1);
    for (int64_t n = 0; n <= LONGEST; n++)
        for (int64_t offset = 0; offset < 3; offset++) { /* alignment must not matter either */
            double room[LONGEST + 4], apart[LONGEST + 4], alone[LONGEST];
            for (int64_t i = 0; i < n; i++)
                alone[i] = room[offset + i] = -fabs(from[i]) * (i % 5 == 4 ? 900.0 : 20.0);
            room[offset + n] = apart[offset + n] = 123.0;
            exp_of(n, room + offset, apart + offset);
            exp_of(n, room + offset, room + offset);
            for (int64_t i = 0; i < n; i++) exp_of(1, alone + i, alone + i);
            assert_memory_equal(room + offset, alone, (size_t)n * sizeof *alone);
            assert_memory_equal(apart + offset, alone, (size_t)n * sizeof *alone);
            assert_true(room[offset + n] == 123.0 && apart[offset + n] == 123.0);
        }
    free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp__whole_range__below_two_ulps),
        cmocka_unit_test(exp__small_arguments__below_two_ulps),
        cmocka_unit_test(exp__around_the_changes_of_exponent__below_two_ulps),
        cmocka_unit_test(exp__zero__is_one_exactly),
        cmocka_unit_test(exp__far_below__is_zero_exactly),
        cmocka_unit_test(exp__lowest_kept_argument__normal_and_not_zero),
        cmocka_unit_test(exp__descending_arguments__never_increases_much),
        cmocka_unit_test(exp__any_length__as_element_by_element_and_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
