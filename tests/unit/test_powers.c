/* Polynomials of one column by powers, against sums over pairs of rows in long double. */
#include "support/unit_support.h"

#include <math.h>

#include "base/random.h"
#include "kernel/powers.h"

enum { TRAINING = 1003, PREDICTED = 37, COLUMNS = 2 };

static const int64_t SECOND = 1;

static rls2__kernel polynomial(double degree, double offset, double scale)
{
    return (rls2__kernel){.kind = RLS2__KERNEL_POLY,
                          .param = {degree, offset, scale},
                          .column_count = 1,
                          .columns = &SECOND};
}

static void powers_expand__any_degree__is_the_sum_over_pairs(void **state)
{
    (void)state;
    static double z[TRAINING * COLUMNS], x[PREDICTED * COLUMNS], c[TRAINING], sum[PREDICTED];
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (int64_t i = 0; i < TRAINING * COLUMNS; i++) z[i] = rls2__random_normal(&random);
    for (int64_t i = 0; i < PREDICTED * COLUMNS; i++) x[i] = 2.0 * rls2__random_normal(&random);
    for (int64_t i = 0; i < TRAINING; i++) c[i] = rls2__random_normal(&random);
    const rls2_rows training = {.n = TRAINING, .p = COLUMNS, .x = z};
    const rls2_rows predicted = {.n = PREDICTED, .p = COLUMNS, .x = x};
    for (int degree = 1; degree <= RLS2__POWERS_DEGREE; degree++) {
        rls2__kernel kernel = polynomial(degree, 1.5, 0.7);
        assert_true(rls2__powers_pay(&kernel, TRAINING));
        rls2__powers_expand(&kernel, &predicted, 5, PREDICTED - 5, &training, c, sum);
        for (int64_t i = 0; i < PREDICTED - 5; i++) {
            long double wanted = 0.0L, size = 0.0L;
            for (int64_t j = 0; j < TRAINING; j++) {
                long double term =
                    c[j] *
                    powl(1.5L + (long double)0.7 * x[PREDICTED + 5 + i] * z[TRAINING + j], degree);
                wanted += term;
                size += fabsl(term);
            }
            assert_true(fabsl(sum[i] - wanted) <= 1e-14L * size);
        }
    }
}

static void powers_pay__others__do_not(void **state)
{
    (void)state;
    rls2__kernel few = polynomial(2.0, 1.0, 1.0), high = polynomial(5.0, 1.0, 1.0),
                 wide = polynomial(2.0, 1.0, 1.0), gauss = polynomial(2.0, 1.0, 1.0);
    wide.column_count = 2;
    gauss.kind = RLS2__KERNEL_RBF;
    assert_false(rls2__powers_pay(&few, 999));
    assert_true(rls2__powers_pay(&few, 1000));
    assert_false(rls2__powers_pay(&high, TRAINING));
    assert_false(rls2__powers_pay(&wide, TRAINING));
    assert_false(rls2__powers_pay(&gauss, TRAINING));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_expand__any_degree__is_the_sum_over_pairs),
        cmocka_unit_test(powers_pay__others__do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
