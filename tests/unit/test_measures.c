/* Measures: by hand, by brute force, and where there is none. */
#include "support/arguments.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

static const char *const names[] = {
    "rmse", "mse",    "mae",      "r2",    "accuracy", "balanced-accuracy",
    "auc",  "errors", "log-loss", "brier", "pinball",  "deviance"};
enum { MEASURES = sizeof names / sizeof names[0], MOST = 200 };

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * (1.0 + fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static void assert_measure(rls2_measure measure, int64_t n, const double *f, const double *y,
                           double expected)
{
    assert_close(rls2_measure_value(measure, 1, n, f, y, NULL), expected);
}

static void assert_undefined(rls2_measure measure, int64_t n, const double *f, const double *y)
{
    double value = rls2_measure_value(measure, 1, n, f, y, NULL);
    if (!isnan(value)) fail_msg("%s of %d rows is %g", names[measure], (int)n, value);
}

/* ---- names ---- */

static void measure_name__each__is_found_again(void **state)
{
    (void)state;
    for (int i = 0; i < MEASURES; i++) {
        rls2_measure found = (rls2_measure)-1;
        assert_string_equal(rls2_measure_name((rls2_measure)i), names[i]);
        assert_int_equal(rls2_measure_find(names[i], &found, NULL), RLS2_OK);
        assert_int_equal(found, i);
    }
}

static void measure__kinds__are_as_documented(void **state)
{
    (void)state;
    static const int rises[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0},
                     classes[] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0};
    for (int i = 0; i < MEASURES; i++) {
        assert_int_equal(rls2_measure_rises((rls2_measure)i), rises[i]);
        assert_int_equal(rls2_measure_is_for_classes((rls2_measure)i), classes[i]);
    }
}

static void measure__none_of_them__has_neither_name_nor_value(void **state)
{
    (void)state;
    static const double one[] = {1.0, -1.0};
    static const int wrong[] = {-1, MEASURES, 1000, -1000};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        rls2_measure measure = (rls2_measure)wrong[i];
        assert_null(rls2_measure_name(measure));
        assert_int_equal(rls2_measure_rises(measure), 0);
        assert_int_equal(rls2_measure_is_for_classes(measure), 0);
        assert_true(isnan(rls2_measure_value(measure, 1, 2, one, one, NULL)));
    }
}

static void assert_name_refused(const char *name, rls2_status status, const char *part)
{
    rls2_measure measure = RLS2_MEASURE_AUC;
    ASSERT_REFUSED(status, part, rls2_measure_find(name, &measure, err));
    assert_int_equal(measure, RLS2_MEASURE_AUC);
}

static void measure_find__unknown_names__are_refused_with_a_suggestion(void **state)
{
    (void)state;
    char endless[5000];
    rls2_measure measure;
    memset(endless, 'r', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_name_refused("rsme", RLS2_ERR_NAME, "unknown measure 'rsme' (did you mean 'rmse'?)");
    assert_name_refused("RMSE", RLS2_ERR_NAME, "(did you mean 'rmse'?)");
    assert_name_refused("acuracy", RLS2_ERR_NAME, "(did you mean 'accuracy'?)");
    assert_name_refused("balanced_accuracy", RLS2_ERR_NAME, "(did you mean 'balanced-accuracy'?)");
    assert_name_refused("quality", RLS2_ERR_NAME,
                        "unknown measure 'quality'; there are rmse, mse, mae, r2, accuracy, "
                        "balanced-accuracy, auc, errors");
    assert_name_refused("", RLS2_ERR_NAME, "unknown measure ''; there are ");
    assert_name_refused(endless, RLS2_ERR_NAME, "; there are rmse");
    assert_name_refused(NULL, RLS2_ERR_ARGUMENT, "argument name is NULL");
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument measure is NULL",
                   rls2_measure_find("auc", NULL, err));
    assert_int_equal(rls2_measure_find("auc", &measure, NULL), RLS2_OK);
}

/* ---- numbers ---- */

static void measure_value__numbers_by_hand__agree(void **state)
{
    (void)state;
    /* errors 1, -2, 0, 3; the mean of y is 4, its squares about it 9 + 1 + 1 + 9 = 20 */
    static const double y[] = {1.0, 3.0, 5.0, 7.0}, f[] = {2.0, 1.0, 5.0, 10.0};
    assert_measure(RLS2_MEASURE_MSE, 4, f, y, 3.5);
    assert_measure(RLS2_MEASURE_RMSE, 4, f, y, sqrt(3.5));
    assert_measure(RLS2_MEASURE_MAE, 4, f, y, 1.5);
    assert_measure(RLS2_MEASURE_R2, 4, f, y, 1.0 - 14.0 / 20.0);
    assert_measure(RLS2_MEASURE_R2, 4, y, y, 1.0);
    assert_measure(RLS2_MEASURE_RMSE, 4, y, y, 0.0);
    assert_measure(RLS2_MEASURE_MSE, 1, f, y, 1.0);
}

static void measure_value__r2_of_the_mean__is_zero(void **state)
{
    (void)state;
    static const double y[] = {1.0, 3.0, 5.0, 7.0}, mean[] = {4.0, 4.0, 4.0, 4.0},
                        bad[] = {9, 9, 9, 9};
    assert_measure(RLS2_MEASURE_R2, 4, mean, y, 0.0);
    assert_measure(RLS2_MEASURE_R2, 4, bad, y, 1.0 - (64.0 + 36.0 + 16.0 + 4.0) / 20.0);
}

/* The mean of three times 0.1 is not 0.1. */
static void measure_value__r2_of_constant_y__is_undefined(void **state)
{
    (void)state;
    static const double y[] = {0.1, 0.1, 0.1}, f[] = {0.1, 0.2, 0.3},
                        tiny[] = {1e-200, 2e-200, 3e-200};
    static const double large[] = {1e308, 1e308, -1e308};
    assert_undefined(RLS2_MEASURE_R2, 3, f, y);
    assert_undefined(RLS2_MEASURE_R2, 3, y, y);
    assert_undefined(RLS2_MEASURE_R2, 1, f, y);
    assert_undefined(RLS2_MEASURE_R2, 3, f, tiny);
    assert_undefined(RLS2_MEASURE_R2, 3, f, large);
}

/* ---- classes ---- */

static void measure_value__classes_by_hand__agree(void **state)
{
    (void)state;
    /* 0 is +1: rows 1 and 3 are wrong, and of the ones with y = -1 rows 0 and 4 are right */
    static const double y[] = {-1, -1, 1, 1, -1, 1}, f[] = {-0.5, 0.0, 2.0, -0.1, -3.0, 0.0};
    int64_t counts[4];
    rls2_confusion(1, 6, f, y, counts);
    assert_int_equal(counts[0], 2);
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[2], 1);
    assert_int_equal(counts[3], 2);
    assert_measure(RLS2_MEASURE_ERRORS, 6, f, y, 2.0);
    assert_measure(RLS2_MEASURE_ACCURACY, 6, f, y, 4.0 / 6.0);
    assert_measure(RLS2_MEASURE_BALANCED_ACCURACY, 6, f, y, 2.0 / 3.0);
    /* +1: 2 beats three; -0.1 beats -0.5 and -3; 0 beats two and ties with one */
    assert_measure(RLS2_MEASURE_AUC, 6, f, y, 7.5 / 9.0);
}

static void measure_value__classes_of_unequal_size__are_weighed_alike_when_balanced(void **state)
{
    (void)state;
    static const double y[] = {1, 1, 1, 1, -1}, f[] = {1, 1, 1, -1, 1};
    int64_t counts[4];
    rls2_confusion(1, 5, f, y, counts);
    assert_true(counts[0] == 0 && counts[1] == 1 && counts[2] == 1 && counts[3] == 3);
    assert_measure(RLS2_MEASURE_ACCURACY, 5, f, y, 0.6);
    assert_measure(RLS2_MEASURE_BALANCED_ACCURACY, 5, f, y, 0.375);
}

static void measure_value__one_class__has_no_auc_but_the_rest(void **state)
{
    (void)state;
    static const double plus[] = {1, 1, 1, 1}, minus[] = {-1, -1, -1, -1}, f[] = {1, -1, 2, 3};
    assert_undefined(RLS2_MEASURE_AUC, 4, f, plus);
    assert_undefined(RLS2_MEASURE_AUC, 4, f, minus);
    assert_measure(RLS2_MEASURE_BALANCED_ACCURACY, 4, f, plus, 0.75);
    assert_measure(RLS2_MEASURE_BALANCED_ACCURACY, 4, f, minus, 0.25);
    assert_measure(RLS2_MEASURE_ACCURACY, 4, f, minus, 0.25);
    assert_measure(RLS2_MEASURE_ERRORS, 4, f, minus, 3.0);
}

static void measure_value__auc_of_extremes__is_zero_half_or_one(void **state)
{
    (void)state;
    static const double y[] = {-1, 1, -1, 1}, right[] = {-2, 5, -1, 0}, wrong[] = {2, -5, 1, 0};
    static const double same[] = {3, 3, 3, 3};
    double ends[4] = {-infinite, infinite, 0.0, infinite};
    assert_measure(RLS2_MEASURE_AUC, 4, right, y, 1.0);
    assert_measure(RLS2_MEASURE_AUC, 4, wrong, y, 0.0);
    assert_measure(RLS2_MEASURE_AUC, 4, same, y, 0.5);
    assert_measure(RLS2_MEASURE_AUC, 4, ends, y, 1.0);
}

static double auc_over_pairs(int64_t n, const double *f, const double *y)
{
    double wins = 0.0, pairs = 0.0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (!(y[i] > 0.0 && y[j] < 0.0)) continue;
            pairs += 1.0;
            wins += f[i] > f[j] ? 1.0 : f[i] == f[j] ? 0.5 : 0.0;
        }
    return wins / pairs;
}

static void measure_value__auc_of_random_data_with_ties__is_that_over_all_pairs(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 17);
    for (int round = 0; round < 300; round++) {
        double f[MOST], y[MOST];
        int64_t n = 2 + rls2__random_below(&random, MOST - 1),
                levels = 1 + rls2__random_below(&random, 300);
        for (int64_t i = 0; i < n; i++) {
            y[i] = i == 0 || (i > 1 && rls2__random_below(&random, 3) == 0) ? 1.0 : -1.0;
            f[i] = (double)rls2__random_below(&random, levels) - (double)levels / 2.0 + 0.2 * y[i];
            if (round % 2) f[i] -= 0.2 * y[i];
        }
        assert_true(rls2_measure_value(RLS2_MEASURE_AUC, 1, n, f, y, NULL) ==
                    auc_over_pairs(n, f, y));
    }
}

/* ---- on the scale of a loss ---- */

static void measure_value_of__probabilities_by_hand__agree(void **state)
{
    (void)state;
    /* odds 3, 1/3 and 1: probabilities 3/4, 1/4, 1/2 of class 1 */
    const double f[] = {log(3.0), -log(3.0), 0.0}, y[] = {1.0, 1.0, -1.0}, w[] = {1.0, 2.0, 1.0};
    const rls2_loss logistic = {RLS2_LOSS_LOGISTIC, 0.0}, hinge = {RLS2_LOSS_HINGE, 0.0};
    assert_close(rls2_measure_value_of(RLS2_MEASURE_LOG_LOSS, &logistic, 1, 3, f, y, NULL),
                 -(log(0.75) + log(0.25) + log(0.5)) / 3.0);
    assert_close(rls2_measure_value_of(RLS2_MEASURE_LOG_LOSS, &logistic, 1, 3, f, y, w),
                 -(log(0.75) + 2.0 * log(0.25) + log(0.5)) / 4.0);
    assert_close(rls2_measure_value_of(RLS2_MEASURE_BRIER, &logistic, 1, 3, f, y, NULL),
                 (0.0625 + 0.5625 + 0.25) / 3.0);
    assert_close(rls2_measure_value_of(RLS2_MEASURE_ACCURACY, &logistic, 1, 2, f, y, NULL), 0.5);
    assert_true(isnan(rls2_measure_value_of(RLS2_MEASURE_LOG_LOSS, &hinge, 1, 3, f, y, NULL)));
    assert_undefined(RLS2_MEASURE_LOG_LOSS, 3, f, y);
    assert_undefined(RLS2_MEASURE_BRIER, 3, f, y);
}

static void measure_value_of__three_classes__sums_over_them(void **state)
{
    (void)state;
    const double f[] = {0.0, log(2.0), log(3.0), 0.0, log(5.0), 0.0}, /* two rows, three classes */
        y[] = {1.0, -1.0, -1.0, 1.0, -1.0, -1.0};
    const rls2_loss kind = {RLS2_LOSS_MULTINOMIAL, 0.0}, losses[] = {kind, kind, kind};
    /* row 0: 1, 3, 5 of 9 and class 0; row 1: 2, 1, 1 of 4 and class 1 */
    assert_close(rls2_measure_value_of(RLS2_MEASURE_LOG_LOSS, losses, 3, 2, f, y, NULL),
                 0.5 * (log(9.0) + log(4.0)));
    assert_close(rls2_measure_value_of(RLS2_MEASURE_BRIER, losses, 3, 2, f, y, NULL),
                 0.5 * ((64.0 + 9.0 + 25.0) / 81.0 + (4.0 + 9.0 + 1.0) / 16.0));
}

static void measure_value_of__quantiles_and_counts__agree(void **state)
{
    (void)state;
    static const double y[] = {0.0, 2.0, 5.0}, f[] = {1.0, 1.0, 1.0};
    const rls2_loss upper = {RLS2_LOSS_QUANTILE, 0.9}, counts = {RLS2_LOSS_POISSON, 0.0};
    const double logs[] = {0.0, log(2.0), log(4.0)};
    assert_close(rls2_measure_value_of(RLS2_MEASURE_PINBALL, &upper, 1, 3, f, y, NULL),
                 (0.1 + 0.9 + 0.9 * 4.0) / 3.0);
    assert_close(rls2_measure_value_of(RLS2_MEASURE_DEVIANCE, &counts, 1, 3, logs, y, NULL),
                 2.0 * (1.0 + 0.0 + 5.0 * log(1.25) - 1.0) / 3.0);
    assert_close(rls2_measure_value_of(RLS2_MEASURE_MAE, &counts, 1, 3, logs, y, NULL), 2.0 / 3.0);
    assert_undefined(RLS2_MEASURE_PINBALL, 3, f, y);
    assert_undefined(RLS2_MEASURE_DEVIANCE, 3, f, y);
    assert_int_equal(rls2_measure_default_for(upper, 0, 1), RLS2_MEASURE_PINBALL);
    assert_int_equal(rls2_measure_default_for(counts, 0, 1), RLS2_MEASURE_DEVIANCE);
}

/* ---- nothing to measure ---- */

static void measure_value__no_rows_or_no_place__is_undefined(void **state)
{
    (void)state;
    static const double y[] = {1.0, -1.0};
    for (int i = 0; i < MEASURES; i++) {
        assert_undefined((rls2_measure)i, 0, y, y);
        assert_undefined((rls2_measure)i, -1, y, y);
        assert_undefined((rls2_measure)i, INT64_MIN, y, y);
        assert_undefined((rls2_measure)i, 2, NULL, y);
        assert_undefined((rls2_measure)i, 2, y, NULL);
        assert_undefined((rls2_measure)i, 0, NULL, NULL);
    }
}

static void measure_value__a_value_that_is_no_number__makes_all_undefined(void **state)
{
    (void)state;
    static const double fine[] = {1.0, -1.0, 1.0, -1.0};
    for (int place = 0; place < 4; place++) {
        double spoilt[4];
        memcpy(spoilt, fine, sizeof spoilt);
        spoilt[place] = nan_value;
        for (int i = 0; i < MEASURES; i++) {
            assert_undefined((rls2_measure)i, 4, spoilt, fine);
            assert_undefined((rls2_measure)i, 4, fine, spoilt);
        }
    }
}

static void confusion__nothing_to_count__is_zero(void **state)
{
    (void)state;
    const double f[] = {1.0, nan_value, -1.0}, y[] = {nan_value, 1.0, -1.0};
    int64_t counts[4] = {9, 9, 9, 9};
    rls2_confusion(1, 3, f, y, counts);
    assert_true(counts[0] == 1 && counts[1] == 0 && counts[2] == 0 && counts[3] == 0);
    rls2_confusion(1, 0, f, y, counts);
    assert_int_equal(counts[0], 0);
    counts[0] = 9;
    rls2_confusion(1, -3, f, y, counts);
    assert_int_equal(counts[0], 0);
    counts[0] = 9;
    rls2_confusion(1, 3, NULL, y, counts);
    assert_int_equal(counts[0], 0);
    counts[0] = 9;
    rls2_confusion(1, 3, f, NULL, counts);
    assert_int_equal(counts[0], 0);
    rls2_confusion(1, 3, f, y, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measure_name__each__is_found_again),
        cmocka_unit_test(measure__kinds__are_as_documented),
        cmocka_unit_test(measure__none_of_them__has_neither_name_nor_value),
        cmocka_unit_test(measure_find__unknown_names__are_refused_with_a_suggestion),
        cmocka_unit_test(measure_value__numbers_by_hand__agree),
        cmocka_unit_test(measure_value__r2_of_the_mean__is_zero),
        cmocka_unit_test(measure_value__r2_of_constant_y__is_undefined),
        cmocka_unit_test(measure_value__classes_by_hand__agree),
        cmocka_unit_test(measure_value__classes_of_unequal_size__are_weighed_alike_when_balanced),
        cmocka_unit_test(measure_value__one_class__has_no_auc_but_the_rest),
        cmocka_unit_test(measure_value__auc_of_extremes__is_zero_half_or_one),
        cmocka_unit_test(measure_value__auc_of_random_data_with_ties__is_that_over_all_pairs),
        cmocka_unit_test(measure_value_of__probabilities_by_hand__agree),
        cmocka_unit_test(measure_value_of__three_classes__sums_over_them),
        cmocka_unit_test(measure_value_of__quantiles_and_counts__agree),
        cmocka_unit_test(measure_value__no_rows_or_no_place__is_undefined),
        cmocka_unit_test(measure_value__a_value_that_is_no_number__makes_all_undefined),
        cmocka_unit_test(confusion__nothing_to_count__is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
