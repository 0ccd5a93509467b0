/* rls2_loss_probabilities: values by definition, ends, and refusals. */
#include <float.h>
#include <math.h>

#include "support/arguments.h"

static const rls2_loss LOGISTIC = {RLS2_LOSS_LOGISTIC, 0.0},
                       MULTINOMIAL = {RLS2_LOSS_MULTINOMIAL, 0.0}, HINGE = {RLS2_LOSS_HINGE, 0.0};

static void probabilities(rls2_loss loss, int64_t outputs, int64_t n, const double *f, double *p)
{
    rls2_error err;
    assert_int_equal(rls2_loss_probabilities(loss, outputs, n, f, p, &err), RLS2_OK);
}

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 4.0 * DBL_EPSILON * expected))
        fail_msg("%.17g, not %.17g", value, expected);
}

/* Column 1 is the class that rls2_decide names where f > 0. */
static void loss_probabilities__logistic_of_one_output__has_a_column_for_each_class(void **state)
{
    const double f[] = {2.0, -0.5};
    double p[4];
    int64_t classes[2];
    (void)state;
    probabilities(LOGISTIC, 1, 2, f, p);
    near(p[2], 1.0 / (1.0 + exp(-2.0)));
    near(p[3], 1.0 / (1.0 + exp(0.5)));
    near(p[0], 1.0 / (1.0 + exp(2.0)));
    near(p[1], 1.0 / (1.0 + exp(-0.5)));
    rls2_decide(1, 2, f, classes);
    for (int i = 0; i < 2; i++) assert_int_equal(classes[i], p[2 + i] > p[i]);
}

static void loss_probabilities__logistic_of_several_outputs__is_divided_by_the_sum(void **state)
{
    const double f[] = {1.0, -2.0, 0.25};
    double p[3], sum = 0.0;
    (void)state;
    probabilities(LOGISTIC, 3, 1, f, p);
    for (int o = 0; o < 3; o++) sum += 1.0 / (1.0 + exp(-f[o]));
    for (int o = 0; o < 3; o++) near(p[o], 1.0 / (1.0 + exp(-f[o])) / sum);
}

static void loss_probabilities__all_against_the_rest_tiny__are_alike(void **state)
{
    const double f[] = {-1000.0, -1000.0, -1000.0, -1000.0};
    double p[4];
    (void)state;
    probabilities(LOGISTIC, 4, 1, f, p);
    for (int o = 0; o < 4; o++) near(p[o], 0.25);
}

static void loss_probabilities__multinomial__is_softmax_whatever_is_added(void **state)
{
    const double f[] = {1.0, 701.0, -2.0, 698.0, 0.0, 700.0}; /* the second row is 700 higher */
    double p[6], sum = exp(1.0) + exp(-2.0) + 1.0;
    (void)state;
    probabilities(MULTINOMIAL, 3, 2, f, p);
    for (int i = 0; i < 2; i++) {
        near(p[i], exp(1.0) / sum);
        near(p[2 + i], exp(-2.0) / sum);
        near(p[4 + i], 1.0 / sum);
    }
}

static void loss_probabilities__extreme_f__stay_inside(void **state)
{
    const double f[] = {1e300, -1e300, 0.0, -1e300, 1e300, 0.0};
    double p[6];
    (void)state;
    probabilities(LOGISTIC, 1, 3, f, p);
    for (int k = 0; k < 6; k++) assert_true(p[k] > 0.0 && p[k] < 1.0);
    probabilities(LOGISTIC, 2, 3, f, p);
    for (int k = 0; k < 6; k++) assert_true(p[k] > 0.0 && p[k] < 1.0);
    probabilities(MULTINOMIAL, 2, 3, f, p);
    for (int k = 0; k < 6; k++) assert_true(p[k] > 0.0 && p[k] < 1.0);
}

static void loss_probabilities__wrong_arguments__are_refused(void **state)
{
    const double f[] = {0.0, NAN};
    double p[4] = {UNWRITTEN, UNWRITTEN, UNWRITTEN, UNWRITTEN};
    (void)state;
    ASSERT_REFUSED(RLS2_ERR_VALUE, "hinge", rls2_loss_probabilities(HINGE, 1, 1, f, p, err));
    ASSERT_REFUSED(RLS2_ERR_VALUE, "f[1]", rls2_loss_probabilities(LOGISTIC, 1, 2, f, p, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "at least 2",
                   rls2_loss_probabilities(MULTINOMIAL, 1, 1, f, p, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "at least 1",
                   rls2_loss_probabilities(LOGISTIC, 0, 1, f, p, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "f", rls2_loss_probabilities(LOGISTIC, 1, 1, NULL, p, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "p", rls2_loss_probabilities(LOGISTIC, 1, 1, f, NULL, err));
    assert_unwritten(4, p);
}

static void loss_parse__multinomial__is_a_word(void **state)
{
    rls2_loss loss;
    char text[40];
    (void)state;
    assert_int_equal(rls2_loss_parse("multinomial", &loss, NULL), RLS2_OK);
    assert_int_equal(loss.kind, RLS2_LOSS_MULTINOMIAL);
    assert_string_equal(rls2_loss_text(loss, text, sizeof text), "multinomial");
    assert_true(rls2_loss_takes_labels(loss));
    assert_true(isnan(rls2_loss_value(loss, 1.0, 0.5)));
    assert_true(isnan(rls2_loss_mean(loss, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_probabilities__logistic_of_one_output__has_a_column_for_each_class),
        cmocka_unit_test(loss_probabilities__logistic_of_several_outputs__is_divided_by_the_sum),
        cmocka_unit_test(loss_probabilities__all_against_the_rest_tiny__are_alike),
        cmocka_unit_test(loss_probabilities__multinomial__is_softmax_whatever_is_added),
        cmocka_unit_test(loss_probabilities__extreme_f__stay_inside),
        cmocka_unit_test(loss_probabilities__wrong_arguments__are_refused),
        cmocka_unit_test(loss_parse__multinomial__is_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
