/* Sums without rounding, against integers of 128 bits, numbers whose sums are known, and long
 * double where that has digits to spare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "stats/exact_sum.h"

static rls2__exact_sum sum_of(int count, const double *x)
{
    rls2__exact_sum sum = {0};
    for (int i = 0; i < count; i++) rls2__exact_add(&sum, x[i], 1);
    return sum;
}

static double total_of(int count, const double *x)
{
    rls2__exact_sum sum = sum_of(count, x);
    return rls2__exact_ratio(&sum, 1, 0);
}

#define TOTAL(...)                                                                                 \
    total_of((int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

static void same(double a, double b)
{
    if (a != b) print_error("%a is not %a\n", a, b);
    assert_true(a == b);
}

static void exact_sum__known_sums__are_rounded_correctly(void **state)
{
    (void)state;
    same(TOTAL(0.0), 0.0);
    same(TOTAL(1.0, 2.0, -3.0), 0.0);
    same(TOTAL(1e308, 1.0, -1e308), 1.0);
    same(TOTAL(DBL_MAX, DBL_MAX, -DBL_MAX), DBL_MAX);
    same(TOTAL(DBL_MAX, DBL_MAX), INFINITY);
    same(TOTAL(-DBL_MAX, DBL_TRUE_MIN, DBL_MAX), DBL_TRUE_MIN);
    same(TOTAL(DBL_TRUE_MIN, DBL_TRUE_MIN), 2 * DBL_TRUE_MIN);
    same(TOTAL(1.0, ldexp(1.0, -53)), 1.0); /* half to even, */
    same(TOTAL(1.0 + DBL_EPSILON, ldexp(1.0, -53)), 1.0 + 2 * DBL_EPSILON);
    same(TOTAL(1.0, ldexp(1.0, -53), DBL_TRUE_MIN), 1.0 + DBL_EPSILON); /* and more than half */
    same(TOTAL(-1.0, -ldexp(1.0, -53), -DBL_TRUE_MIN), -1.0 - DBL_EPSILON);
    same(TOTAL(1.0, ldexp(1.0, -53), -DBL_TRUE_MIN), 1.0);
}

static void exact_ratio__counts_and_powers__are_rounded_once(void **state)
{
    (void)state;
    rls2__exact_sum one = sum_of(1, (double[]){1.0}), tiny = sum_of(1, (double[]){DBL_TRUE_MIN});
    same(rls2__exact_ratio(&one, 3, 0), 1.0 / 3.0);
    same(rls2__exact_ratio(&one, 10, 0), 0.1);
    same(rls2__exact_ratio(&one, INT64_MAX, 0), 1.0 / 9223372036854775807.0);
    same(rls2__exact_ratio(&one, 3, -1100), 0.0);
    same(rls2__exact_ratio(&one, 3, 1000), ldexp(1.0 / 3.0, 1000));
    same(rls2__exact_ratio(&tiny, 2, 0), 0.0); /* half of the smallest, to even */
    same(rls2__exact_ratio(&tiny, 3, 1074), 1.0 / 3.0);
    rls2__exact_sum three = sum_of(1, (double[]){3.0 * DBL_TRUE_MIN});
    same(rls2__exact_ratio(&three, 2, 0), 2.0 * DBL_TRUE_MIN);
}

/* Integers below 2^40, so that 128 bits hold everything. */
static void exact_spread__integers__are_those_of_128_bits(void **state)
{
    (void)state;
    __extension__ typedef __int128 wide;
    rls2__random random;
    rls2__random_seed(&random, 7);
    for (int round = 0; round < 50; round++) {
        rls2__exact_sum sum = {0}, squares = {0};
        wide s = 0, q = 0;
        int64_t n = 2 + rls2__random_below(&random, 40);
        for (int64_t i = 0; i < n; i++) {
            int64_t x = rls2__random_below(&random, 1LL << 40) - (1LL << 39);
            rls2__exact_add(&sum, (double)x, 1);
            rls2__exact_add_square(&squares, (double)x, 1);
            s += x;
            q += (wide)x * x;
        }
        same(rls2__exact_ratio(&sum, 1, 0), (double)s);
        same(rls2__exact_ratio(&squares, 1, 0), (double)q);
        wide rest = n * q - s * s; /* below 2^96; the quotient has some hundred bits to round */
        long double variance = (long double)rest / (long double)(n * (n - 1));
        double got = rls2__exact_spread(&sum, &squares, n, n - 1, 0);
        assert_true(fabsl((long double)got - variance) <= variance * 0x1p-52L);
    }
}

/* A deviation of 1 at a distance of 10^12 from zero, of which two passes in double keep little. */
static void exact_spread__far_from_zero__keeps_all_digits(void **state)
{
    (void)state;
    rls2__exact_sum sum = {0}, squares = {0};
    for (int i = 0; i < 1001; i++) {
        double x = 1e12 + (i - 500) * 0x1p-8;
        rls2__exact_add(&sum, x, 1);
        rls2__exact_add_square(&squares, x, 1);
    }
    same(rls2__exact_ratio(&sum, 1001, 0), 1e12);
    same(rls2__exact_spread(&sum, &squares, 1001, 1000, 0),
         (1001.0 * (1001.0 * 1001.0 - 1.0) / 12.0) / 1000.0 * 0x1p-16);
}

static void exact_sum__times__is_so_many_additions(void **state)
{
    (void)state;
    const double x[] = {0.1, -3e200, 5e-320, 1e-3, -7.0};
    rls2__exact_sum often = {0}, once = {0}, squares = {0}, square = {0};
    for (int i = 0; i < 5; i++) {
        rls2__exact_add(&often, x[i], 1000);
        rls2__exact_add_square(&squares, x[i], 1000);
        for (int k = 0; k < 1000; k++) rls2__exact_add(&once, x[i], 1);
        for (int k = 0; k < 1000; k++) rls2__exact_add_square(&square, x[i], 1);
    }
    rls2__exact_merge(&often, &(rls2__exact_sum){0}); /* one number, one form */
    rls2__exact_merge(&once, &(rls2__exact_sum){0});
    rls2__exact_merge(&squares, &(rls2__exact_sum){0});
    rls2__exact_merge(&square, &(rls2__exact_sum){0});
    assert_memory_equal(&often, &once, sizeof often);
    assert_memory_equal(&squares, &square, sizeof squares);
    for (int i = 0; i < 5; i++) rls2__exact_add(&often, x[i], -1000);
    same(rls2__exact_ratio(&often, 1, 0), 0.0);
    rls2__exact_sum large = {0};
    rls2__exact_add(&large, DBL_MAX, INT64_MAX);
    rls2__exact_add_square(&large, DBL_MAX, INT64_MAX);
    rls2__exact_add_square(&large, DBL_MAX, -INT64_MAX);
    same(rls2__exact_ratio(&large, INT64_MAX, 0), DBL_MAX);
}

/* Numbers of all sizes in any order, in two parts. */
static void exact_merge__any_order__same_bits(void **state)
{
    (void)state;
    enum { N = 2000 };
    double x[N];
    rls2__random random;
    rls2__random_seed(&random, 3);
    for (int i = 0; i < N; i++)
        x[i] = ldexp(rls2__random_uniform(&random) - 0.5,
                     (int)rls2__random_below(&random, 2000) - 1000);
    rls2__exact_sum forth = sum_of(N, x);
    for (int round = 0; round < 20; round++) {
        rls2__exact_sum part[2] = {{{0}, 0}, {{0}, 0}};
        for (int i = N - 1; i >= 0; i--)
            rls2__exact_add(&part[rls2__random_below(&random, 2)], x[i], 1);
        rls2__exact_merge(&part[1], &part[0]);
        rls2__exact_sum whole = forth;
        rls2__exact_merge(&whole, &(rls2__exact_sum){0});
        assert_memory_equal(&whole, &part[1], sizeof whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sum__known_sums__are_rounded_correctly),
        cmocka_unit_test(exact_ratio__counts_and_powers__are_rounded_once),
        cmocka_unit_test(exact_spread__integers__are_those_of_128_bits),
        cmocka_unit_test(exact_spread__far_from_zero__keeps_all_digits),
        cmocka_unit_test(exact_sum__times__is_so_many_additions),
        cmocka_unit_test(exact_merge__any_order__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
