/* Losses of rows: values, slopes, curvatures, conjugates, and their words. */
#include "solver/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/plain_loss.h"

enum { POINTS = 41 };

/* Responses of every kind: labels, counts, numbers. */
static int64_t responses_of(rls2_loss loss, double y[4])
{
    static const double labels[] = {-1.0, 1.0}, counts[] = {0.0, 1.0, 2.5, 7.0};
    static const double values[] = {-1.3, 0.0, 0.4, 5.0};
    int64_t count = rls2_loss_takes_labels(loss) ? 2 : 4;
    const double *from = rls2_loss_takes_labels(loss)   ? labels
                         : rls2_loss_takes_counts(loss) ? counts
                                                        : values;
    memcpy(y, from, (size_t)count * sizeof *y);
    return count;
}

static double point(int i)
{
    return -3.0 + 6.0 * i / (POINTS - 1) + 0.0123;
}

static void for_each_loss(void (*check)(rls2_loss loss, double y))
{
    for (int k = 0; k < LOSSES; k++) {
        double y[4];
        int64_t count = responses_of(EVERY_LOSS[k], y);
        for (int64_t i = 0; i < count; i++) check(EVERY_LOSS[k], y[i]);
    }
}

static void check_values(rls2_loss loss, double y)
{
    for (int i = 0; i < POINTS; i++) {
        double t = point(i), expected = (double)plain_loss(loss, y, t);
        assert_true(fabs(rls2_loss_value(loss, y, t) - expected) <= 1e-14 * (1.0 + expected));
    }
}

static void loss_value__every_loss__is_its_definition(void **state)
{
    (void)state;
    for_each_loss(check_values);
}

static void loss_value__what_is_no_response__is_nan(void **state)
{
    (void)state;
    assert_true(isnan(rls2_loss_value((rls2_loss){RLS2_LOSS_LOGISTIC, 0.0}, 0.5, 1.0)));
    assert_true(isnan(rls2_loss_value((rls2_loss){RLS2_LOSS_POISSON, 0.0}, -1.0, 1.0)));
    assert_true(isnan(rls2_loss_value((rls2_loss){RLS2_LOSS_SQUARE, 0.0}, NAN, 1.0)));
    assert_true(isnan(rls2_loss_value((rls2_loss){RLS2_LOSS_SQUARE, 0.0}, 1.0, NAN)));
    assert_true(isnan(rls2_loss_value((rls2_loss){(rls2_loss_kind)77, 0.0}, 1.0, 1.0)));
}

/* Far out the logarithm of the odds and its value are the same number; nothing overflows. */
static void loss_value__logistic_far_out__does_not_overflow(void **state)
{
    (void)state;
    const rls2_loss logistic = {RLS2_LOSS_LOGISTIC, 0.0};
    assert_true(rls2_loss_value(logistic, 1.0, -1e6) == 1e6);
    assert_true(rls2_loss_value(logistic, 1.0, 1e6) == 0.0);
    assert_true(rls2_loss_mean(logistic, 1e6) == 1.0 && rls2_loss_mean(logistic, -1e6) == 0.0);
    assert_true(fabs(rls2_loss_mean(logistic, 0.0) - 0.5) < 1e-15);
}

static double central(rls2_loss loss, double y, double t, double h)
{
    return (double)((plain_loss(loss, y, t + h) - plain_loss(loss, y, t - h)) / (2.0L * h));
}

/* Where a difference steps over a kink it says nothing. */
static int near_kink(rls2_loss loss, double y, double t, double h)
{
    double r = fabs(y - t), at = loss.kind == RLS2_LOSS_HUBER || loss.kind == RLS2_LOSS_EPSILON
                                     ? loss.parameter
                                     : 0.0;
    if (rls2_loss_takes_labels(loss)) return fabs(1.0 - y * t) <= 2.0 * h;
    return fabs(r - at) <= 2.0 * h;
}

static void check_slopes(rls2_loss loss, double y)
{
    const rls2__row_loss row = rls2__row_loss_of(loss, 1, &y, NULL);
    for (int i = 0; i < POINTS; i++) {
        double t = point(i), h = 1e-5, slope, root, above, below, unused;
        if (near_kink(loss, y, t, h)) continue;
        rls2__loss_bend(&row, &t, 0.0, &slope, &root);
        assert_true(fabs(slope - central(loss, y, t, h)) <= 1e-7 * (1.0 + fabs(slope)));
        double up = t + h, down = t - h;
        rls2__loss_bend(&row, &up, 0.0, &above, &unused);
        rls2__loss_bend(&row, &down, 0.0, &below, &unused);
        double curvature = (above - below) / (2.0 * h);
        assert_true(fabs(root * root - curvature) <= 1e-6 * (1.0 + curvature));
    }
}

static void loss_bend__every_loss__slopes_and_curvatures_are_differences(void **state)
{
    (void)state;
    for_each_loss(check_slopes);
}

/* The weights of rows: with e the root of one, f~ = e f, and the slope in f~ is e L'. */
static void loss_bend__weighted_rows__slopes_in_the_units_of_the_solver(void **state)
{
    (void)state;
    const double y = 0.4, e = 3.0, f = 1.7, plain_f = f / e;
    const rls2_loss loss = {RLS2_LOSS_HUBER, 0.5};
    const rls2__row_loss weighted = rls2__row_loss_of(loss, 1, &y, &e);
    const rls2__row_loss plain = rls2__row_loss_of(loss, 1, &y, NULL);
    double slope, root, plain_slope, plain_root;
    rls2__loss_bend(&weighted, &f, 0.1, &slope, &root);
    rls2__loss_bend(&plain, &plain_f, 0.1, &plain_slope, &plain_root);
    assert_true(fabs(slope - e * plain_slope) <= 1e-15 && root == plain_root);
    assert_true(fabs(rls2__loss_sum(&weighted, &f, 0.1) -
                     e * e * rls2__loss_sum(&plain, &plain_f, 0.1)) <= 1e-14);
}

/* max over t of p t - L(t), by ternary search on a function that is concave. */
static long double brute_conjugate(rls2_loss loss, double y, double p)
{
    long double low = -60.0L, high = 60.0L;
    for (int step = 0; step < 400; step++) {
        long double a = low + (high - low) / 3.0L, b = high - (high - low) / 3.0L;
        if (p * a - plain_loss(loss, y, a) < p * b - plain_loss(loss, y, b))
            low = a;
        else
            high = b;
    }
    return p * low - plain_loss(loss, y, low);
}

/* Multipliers that are slopes somewhere in reach, so that the maximum is there too. */
static void check_conjugates(rls2_loss loss, double y)
{
    const rls2__row_loss row = rls2__row_loss_of(loss, 1, &y, NULL);
    const double lambda = 0.7;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j += 5) {
            double at = point(i), t = point(j), slope, root;
            rls2__loss_bend(&row, &at, 0.0, &slope, &root);
            double p = 0.99 * slope, c = -p / lambda;
            rls2__young young = rls2__loss_young(&row, lambda, &c, &t, 0.0);
            long double dual = brute_conjugate(loss, y, p), value = plain_loss(loss, y, t);
            long double gap = value + dual - p * t;
            assert_true(fabsl(plain_conjugate(loss, y, p) - dual) <= 1e-9L * (1.0L + fabsl(dual)));
            assert_true(fabsl(young.gap - gap) <= 1e-9L * (1.0L + fabsl(gap)));
            assert_true(fabsl(young.loss - value) <= 1e-13L * (1.0L + value));
        }
}

static void loss_young__every_loss__is_the_gap_by_brute_force(void **state)
{
    (void)state;
    for_each_loss(check_conjugates);
}

/* Fenchel and Young's inequality holds with equality at the slope of a smooth loss. */
static void loss_young__at_the_slope__is_zero(void **state)
{
    (void)state;
    for (int k = 0; k < LOSSES; k++) {
        double y[4];
        int64_t count = responses_of(EVERY_LOSS[k], y);
        for (int64_t i = 0; i < count; i++) {
            const rls2__row_loss row = rls2__row_loss_of(EVERY_LOSS[k], 1, &y[i], NULL);
            double t = 0.37, slope, root, c;
            rls2__loss_bend(&row, &t, 0.0, &slope, &root);
            c = -slope / 2.0;
            rls2__young young = rls2__loss_young(&row, 2.0, &c, &t, 0.0);
            assert_true(young.gap <= 1e-14 * young.size && young.unbent <= 1e-15);
        }
    }
}

/* ---- sums over rows ---- */

/* The constant is no worse than any other. */
static void loss_constant__every_loss__is_the_best_by_itself(void **state)
{
    (void)state;
    const double y[] = {-0.4, 1.3, 0.2, 2.9, -1.1, 0.6, 0.7}, zeros[7] = {0.0};
    const double e[] = {1.0, 2.0, 0.5, 1.0, 1.5, 1.0, 3.0};
    for (int k = 0; k < LOSSES; k++) {
        double *own = plain_responses(EVERY_LOSS[k], 7, y);
        const rls2__row_loss rows = rls2__row_loss_of(EVERY_LOSS[k], 7, own, e);
        double b = rls2__loss_constant(&rows, zeros, 0.0), least = rls2__loss_sum(&rows, zeros, b);
        for (double other = -4.0; other <= 4.0; other += 0.01)
            assert_true(least <= rls2__loss_sum(&rows, zeros, other) * (1.0 + 1e-13));
        free(own);
    }
}

/* Of 0, 1, 2 and 7 every number from 1 to 2 is a median; the middle does not depend on the order,
 * nor on whether a row is repeated or has a weight. */
static void loss_constant__a_median_that_is_none__is_the_middle(void **state)
{
    (void)state;
    const double y[] = {7.0, 1.0, 0.0, 2.0}, other[] = {0.0, 2.0, 7.0, 1.0}, zeros[4] = {0.0};
    const double twice[] = {sqrt(2.0), sqrt(2.0), sqrt(2.0), sqrt(2.0)};
    const rls2_loss losses[] = {
        {RLS2_LOSS_ABSOLUTE, 0.0}, {RLS2_LOSS_QUANTILE, 0.5}, {RLS2_LOSS_EPSILON, 0.25}};
    for (int k = 0; k < 3; k++) {
        const rls2__row_loss plain = rls2__row_loss_of(losses[k], 4, y, NULL);
        const rls2__row_loss sorted = rls2__row_loss_of(losses[k], 4, other, NULL);
        const rls2__row_loss weighted = rls2__row_loss_of(losses[k], 4, y, twice);
        assert_true(rls2__loss_constant(&plain, zeros, 0.0) == 1.5);
        assert_true(rls2__loss_constant(&sorted, zeros, 9.0) == 1.5);
        assert_true(rls2__loss_constant(&weighted, zeros, -9.0) == 1.5);
    }
}

/* Labels that are all alike pull as far as the last of them asks for. */
static void loss_constant__hinge_of_one_label__ends_where_nothing_is_left(void **state)
{
    (void)state;
    const double y[] = {1.0, 1.0}, f[] = {0.25, -0.5};
    const rls2__row_loss rows = rls2__row_loss_of((rls2_loss){RLS2_LOSS_HINGE, 0.0}, 2, y, NULL);
    assert_true(rls2__loss_constant(&rows, f, 0.0) == 1.5);
}

/* Inside the domain, and balanced where the intercept is free. */
static void loss_project__multipliers_outside__are_moved_into_the_domain(void **state)
{
    (void)state;
    enum { N = 9 };
    const double lambda = 0.3;
    const double e[N] = {1.0, 2.0, 0.5, 1.0, 1.5, 1.0, 3.0, 1.0, 0.7};
    double y[N], c[N];
    for (int k = 0; k < LOSSES; k++)
        for (int is_free = 0; is_free < 2; is_free++) {
            for (int i = 0; i < N; i++) {
                y[i] = sin(3.0 * i);
                c[i] = 8.0 * cos(5.0 * i);
            }
            double *own = plain_responses(EVERY_LOSS[k], N, y), sum = 0.0;
            const rls2__row_loss rows = rls2__row_loss_of(EVERY_LOSS[k], N, own, e);
            rls2__loss_project(&rows, lambda, is_free, c);
            for (int i = 0; i < N; i++) {
                double p = -lambda * c[i] / e[i];
                p *= 1.0 - 1e-15; /* rounding of the product */
                assert_true(isfinite(plain_conjugate(EVERY_LOSS[k], own[i], p)));
                sum += e[i] * c[i];
            }
            if (is_free) assert_true(fabs(sum) <= 1e-12);
            double before[N];
            memcpy(before, c, sizeof c);
            assert_true(rls2__loss_project(&rows, lambda, is_free, c) <= 1e-13);
            free(own);
        }
}

/* ---- words ---- */

static void loss_parse__its_own_text__is_the_same_loss(void **state)
{
    (void)state;
    char text[40];
    for (int k = 0; k < LOSSES; k++) {
        rls2_loss loss = {(rls2_loss_kind)77, -1.0};
        rls2_error err;
        rls2_loss_text(EVERY_LOSS[k], text, sizeof text);
        assert_ok(rls2_loss_parse(text, &loss, &err), &err);
        assert_int_equal(loss.kind, EVERY_LOSS[k].kind);
        assert_true(loss.parameter == EVERY_LOSS[k].parameter);
    }
    assert_string_equal(rls2_loss_text((rls2_loss){RLS2_LOSS_QUANTILE, 0.1}, text, sizeof text),
                        "quantile(0.1)");
    assert_string_equal(rls2_loss_text((rls2_loss){(rls2_loss_kind)77, 0.0}, text, 40), "?");
    assert_string_equal(rls2_loss_text(EVERY_LOSS[0], text, 4), "squ");
}

static void assert_refused(const char *text, rls2_status status, const char *says)
{
    rls2_loss loss;
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_loss_parse(text, &loss, &err), status);
    if (!strstr(err.message, says)) fail_msg("'%s' does not say '%s'", err.message, says);
    assert_int_equal(rls2_loss_parse(text, &loss, NULL), status);
}

static void loss_parse__distance_left_open__is_nan_and_no_path_takes_it(void **state)
{
    (void)state;
    static const char *const words[] = {"huber", "epsilon"};
    for (int k = 0; k < 2; k++) {
        rls2_loss loss;
        rls2_error err;
        char text[40];
        const double y = 1.0;
        assert_ok(rls2_loss_parse(words[k], &loss, &err), &err);
        assert_true(isnan(loss.parameter));
        assert_string_equal(rls2_loss_text(loss, text, sizeof text), words[k]);
        assert_int_equal(rls2__loss_check(loss, 1, &y, &err), RLS2_ERR_VALUE);
        assert_non_null(strstr(err.message, "is missing"));
    }
}

static void loss_parse__what_is_none__says_why(void **state)
{
    (void)state;
    assert_refused("", RLS2_ERR_SYNTAX, "no loss is called ''");
    assert_refused("logistics", RLS2_ERR_SYNTAX, "did you mean 'logistic'");
    assert_refused("logistic(1)", RLS2_ERR_SYNTAX, "has no parameter");
    assert_refused("quantile", RLS2_ERR_SYNTAX, "as in quantile(0.9)");
    assert_refused("quantile()", RLS2_ERR_SYNTAX, "as in quantile(0.9)");
    assert_refused("quantile(0.5", RLS2_ERR_SYNTAX, "as in quantile(0.9)");
    assert_refused("quantile(half)", RLS2_ERR_SYNTAX, "as in quantile(0.9)");
    assert_refused("quantile(1)", RLS2_ERR_VALUE, "between 0 and 1, not 1");
    assert_refused("quantile(0)", RLS2_ERR_VALUE, "between 0 and 1, not 0");
    assert_refused("huber(0)", RLS2_ERR_VALUE, "above 0");
    assert_refused("epsilon(-1)", RLS2_ERR_VALUE, "0 or more");
    assert_refused("huber(0.00000000000000000000000000000000000000001)", RLS2_ERR_SYNTAX, "huber");
    assert_int_equal(rls2_loss_parse(NULL, NULL, NULL), RLS2_ERR_ARGUMENT);
}

static void loss_check__responses_that_are_none__are_named(void **state)
{
    (void)state;
    const double y[] = {1.0, -1.0, 0.5}, counts[] = {2.0, -3.0};
    rls2_error err = {.message = ""};
    const rls2_loss hinge = {RLS2_LOSS_HINGE, 0.0}, poisson = {RLS2_LOSS_POISSON, 0.0};
    assert_int_equal(rls2__loss_check(hinge, 2, y, &err), RLS2_OK);
    assert_int_equal(rls2__loss_check(hinge, 3, y, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "y[2] is 0.5; the hinge loss takes labels"));
    assert_int_equal(rls2__loss_check(poisson, 2, counts, &err), RLS2_ERR_VALUE);
    assert_non_null(strstr(err.message, "y[1] is -3; the poisson loss takes counts"));
    assert_int_equal(rls2__loss_check((rls2_loss){(rls2_loss_kind)77, 0.0}, 0, NULL, &err),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2__loss_check((rls2_loss){RLS2_LOSS_QUANTILE, NAN}, 0, NULL, &err),
                     RLS2_ERR_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_value__every_loss__is_its_definition),
        cmocka_unit_test(loss_value__what_is_no_response__is_nan),
        cmocka_unit_test(loss_value__logistic_far_out__does_not_overflow),
        cmocka_unit_test(loss_bend__every_loss__slopes_and_curvatures_are_differences),
        cmocka_unit_test(loss_bend__weighted_rows__slopes_in_the_units_of_the_solver),
        cmocka_unit_test(loss_young__every_loss__is_the_gap_by_brute_force),
        cmocka_unit_test(loss_young__at_the_slope__is_zero),
        cmocka_unit_test(loss_constant__every_loss__is_the_best_by_itself),
        cmocka_unit_test(loss_constant__a_median_that_is_none__is_the_middle),
        cmocka_unit_test(loss_constant__hinge_of_one_label__ends_where_nothing_is_left),
        cmocka_unit_test(loss_project__multipliers_outside__are_moved_into_the_domain),
        cmocka_unit_test(loss_parse__its_own_text__is_the_same_loss),
        cmocka_unit_test(loss_parse__distance_left_open__is_nan_and_no_path_takes_it),
        cmocka_unit_test(loss_parse__what_is_none__says_why),
        cmocka_unit_test(loss_check__responses_that_are_none__are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
