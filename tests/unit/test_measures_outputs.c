/* Measures of several outputs and of weighted rows: by hand, by brute force, and against rows
 * repeated. */
#include "support/arguments.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

enum { MEASURES = 8, MOST = 60, OUTPUTS = 5, ROUNDS = 200 };

/* Predictions with ties, one class for each row, whole weights from 1 to 4. */
typedef struct sample {
    int64_t outputs, n;
    double f[MOST * OUTPUTS], y[MOST * OUTPUTS], w[MOST];
} sample;

static int is_class_of(const sample *s, int64_t k, int64_t i)
{
    if (s->outputs > 1) return s->y[k * s->n + i] > 0.0;
    return (s->y[i] > 0.0) == (k == 1);
}

static sample random_sample(rls2__random *random, int classes)
{
    sample s = {.n = 2 + rls2__random_below(random, MOST - 1)};
    int64_t levels = 2 + rls2__random_below(random, 40);
    s.outputs = 1 + rls2__random_below(random, OUTPUTS);
    if (classes && s.outputs == 2) s.outputs = 3;
    for (int64_t i = 0; i < s.n; i++) {
        int64_t label = rls2__random_below(random, s.outputs == 1 ? 2 : s.outputs);
        s.w[i] = (double)(1 + rls2__random_below(random, 4));
        for (int64_t o = 0; o < s.outputs; o++) {
            int yes = s.outputs == 1 ? label == 1 : label == o;
            s.f[o * s.n + i] =
                (double)(rls2__random_below(random, levels) - levels / 2) + 0.5 * yes;
            s.y[o * s.n + i] = classes ? (yes ? 1.0 : -1.0) : rls2__random_normal(random);
        }
    }
    return s;
}

/* Each row as often as its weight says. */
static void repeat(const sample *s, int64_t *n, double f[4 * MOST * OUTPUTS],
                   double y[4 * MOST * OUTPUTS])
{
    int64_t total = 0, at = 0;
    for (int64_t i = 0; i < s->n; i++) total += (int64_t)s->w[i];
    for (int64_t i = 0; i < s->n; i++)
        for (int copy = 0; copy < (int)s->w[i]; copy++, at++)
            for (int64_t o = 0; o < s->outputs; o++) {
                f[o * total + at] = s->f[o * s->n + i];
                y[o * total + at] = s->y[o * s->n + i];
            }
    *n = total;
}

static double value_of(const sample *s, int measure, int weighted)
{
    return rls2_measure_value((rls2_measure)measure, s->outputs, s->n, s->f, s->y,
                              weighted ? s->w : NULL);
}

static void assert_same(int measure, double value, double expected)
{
    if (isnan(value) && isnan(expected)) return;
    if (!(fabs(value - expected) <= 1e-13 * (1.0 + fabs(expected))))
        fail_msg("%s: %.17g instead of %.17g", rls2_measure_name((rls2_measure)measure), value,
                 expected);
}

/* ---- weights ---- */

static void measure_value__whole_weights__are_rows_repeated(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 11);
    for (int round = 0; round < ROUNDS; round++)
        for (int measure = 0; measure < MEASURES; measure++) {
            sample s = random_sample(&random, rls2_measure_is_for_classes((rls2_measure)measure));
            double f[4 * MOST * OUTPUTS], y[4 * MOST * OUTPUTS];
            int64_t n;
            repeat(&s, &n, f, y);
            assert_same(measure, value_of(&s, measure, 1),
                        rls2_measure_value((rls2_measure)measure, s.outputs, n, f, y, NULL));
        }
}

static void measure_value__weights_of_one__give_the_same_bits(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 12);
    for (int round = 0; round < ROUNDS; round++)
        for (int measure = 0; measure < MEASURES; measure++) {
            sample s = random_sample(&random, rls2_measure_is_for_classes((rls2_measure)measure));
            for (int64_t i = 0; i < s.n; i++) s.w[i] = 1.0;
            double with = value_of(&s, measure, 1), without = value_of(&s, measure, 0);
            assert_true(with == without || (isnan(with) && isnan(without)));
        }
}

/* The size of the weights counts only in a sum of them. */
static void measure_value__weights_doubled__change_but_the_errors(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 13);
    for (int measure = 0; measure < MEASURES; measure++) {
        sample s = random_sample(&random, rls2_measure_is_for_classes((rls2_measure)measure));
        double before = value_of(&s, measure, 1);
        for (int64_t i = 0; i < s.n; i++) s.w[i] *= 2.0;
        assert_same(measure, value_of(&s, measure, 1),
                    measure == RLS2_MEASURE_ERRORS ? 2.0 * before : before);
    }
}

/* ---- several responses ---- */

static void measure_value__several_responses__is_the_mean_of_each_alone(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 14);
    for (int round = 0; round < ROUNDS; round++)
        for (int measure = 0; measure <= RLS2_MEASURE_R2; measure++) {
            sample s = random_sample(&random, 0);
            double mean = 0.0;
            for (int64_t o = 0; o < s.outputs; o++)
                mean += rls2_measure_value((rls2_measure)measure, 1, s.n, s.f + o * s.n,
                                           s.y + o * s.n, s.w) /
                        (double)s.outputs;
            assert_same(measure, value_of(&s, measure, 1), mean);
        }
}

/* ---- more than two classes ---- */

static void measure_value__three_classes_by_hand__agree(void **state)
{
    (void)state;
    /* classes 0 0 1 1 2; decided 0 1 1 (a tie of 1 and 2) 0 (of all three) 2 */
    static const double y[] = {1, 1, -1, -1, -1, -1, -1, 1, 1, -1, -1, -1, -1, -1, 1};
    static const double f[] = {0.9, 0.1, -3, 2, -1, 0.2, 0.4, 1, 2, -1, 0.1, 0.3, 1, 2, 0};
    static const double w[] = {1, 2, 1, 1, 5};
    static const int64_t expected[] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    int64_t counts[9];
    rls2_confusion(3, 5, f, y, counts);
    for (int i = 0; i < 9; i++) assert_int_equal(counts[i], expected[i]);
    assert_true(rls2_measure_value(RLS2_MEASURE_ERRORS, 3, 5, f, y, NULL) == 2.0);
    assert_true(rls2_measure_value(RLS2_MEASURE_ACCURACY, 3, 5, f, y, NULL) == 0.6);
    assert_same(RLS2_MEASURE_BALANCED_ACCURACY,
                rls2_measure_value(RLS2_MEASURE_BALANCED_ACCURACY, 3, 5, f, y, NULL), 2.0 / 3.0);
    assert_true(rls2_measure_value(RLS2_MEASURE_ERRORS, 3, 5, f, y, w) == 3.0);
    assert_true(rls2_measure_value(RLS2_MEASURE_ACCURACY, 3, 5, f, y, w) == 0.7);
    assert_same(RLS2_MEASURE_BALANCED_ACCURACY,
                rls2_measure_value(RLS2_MEASURE_BALANCED_ACCURACY, 3, 5, f, y, w),
                (1.0 / 3.0 + 1.0 / 2.0 + 1.0) / 3.0);
    /* class 0: {0.9, 0.1} against {-3, 2, -1}; class 1: {1, 2} against {0.2, 0.4, -1}; class 2: 0
     * against all */
    assert_same(RLS2_MEASURE_AUC, rls2_measure_value(RLS2_MEASURE_AUC, 3, 5, f, y, NULL),
                (4.0 / 6.0 + 1.0 + 0.0) / 3.0);
    /* 1 (1 + 5) + 2 (1 + 5) of 3 * 7 */
    assert_same(RLS2_MEASURE_AUC, rls2_measure_value(RLS2_MEASURE_AUC, 3, 5, f, y, w),
                (18.0 / 21.0 + 1.0 + 0.0) / 3.0);
}

static int64_t largest(const sample *s, int64_t i)
{
    int64_t best = 0;
    if (s->outputs == 1) return s->f[i] >= 0.0;
    for (int64_t o = 1; o < s->outputs; o++)
        if (s->f[o * s->n + i] > s->f[best * s->n + i]) best = o;
    return best;
}

static double brute_balanced(const sample *s)
{
    double sum = 0.0, found = 0.0;
    for (int64_t k = 0; k < (s->outputs == 1 ? 2 : s->outputs); k++) {
        double right = 0.0, all = 0.0;
        for (int64_t i = 0; i < s->n; i++)
            if (is_class_of(s, k, i)) all += s->w[i], right += largest(s, i) == k ? s->w[i] : 0.0;
        if (all > 0.0) sum += right / all, found++;
    }
    return sum / found;
}

static double brute_area(const sample *s)
{
    double sum = 0.0, found = 0.0;
    for (int64_t o = 0; o < s->outputs; o++) {
        const double *f = s->f + o * s->n, *y = s->y + o * s->n;
        double wins = 0.0, pairs = 0.0;
        for (int64_t i = 0; i < s->n; i++)
            for (int64_t j = 0; j < s->n; j++) {
                double product = y[i] > 0.0 && y[j] < 0.0 ? s->w[i] * s->w[j] : 0.0;
                pairs += product;
                wins += product * (f[i] > f[j] ? 1.0 : f[i] == f[j] ? 0.5 : 0.0);
            }
        if (pairs > 0.0) sum += wins / pairs, found++;
    }
    return sum / found;
}

static void measure_value__random_classes_with_ties__is_that_by_brute_force(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 15);
    for (int round = 0; round < ROUNDS; round++) {
        sample s = random_sample(&random, 1);
        int64_t decided[MOST], counts[OUTPUTS * OUTPUTS], classes = s.outputs == 1 ? 2 : s.outputs,
                                                          found = 0;
        double wrong = 0.0, all = 0.0;
        rls2_decide(s.outputs, s.n, s.f, decided);
        rls2_confusion(s.outputs, s.n, s.f, s.y, counts);
        for (int64_t i = 0; i < s.n; i++) {
            assert_int_equal(decided[i], largest(&s, i));
            all += s.w[i];
            wrong += is_class_of(&s, decided[i], i) ? 0.0 : s.w[i];
        }
        for (int64_t a = 0; a < classes; a++)
            for (int64_t b = 0; b < classes; b++) {
                int64_t count = 0;
                for (int64_t i = 0; i < s.n; i++) count += is_class_of(&s, a, i) && decided[i] == b;
                assert_int_equal(counts[a * classes + b], count);
                found += count;
            }
        assert_int_equal(found, s.n);
        assert_true(value_of(&s, RLS2_MEASURE_ERRORS, 1) == wrong);
        assert_same(RLS2_MEASURE_ACCURACY, value_of(&s, RLS2_MEASURE_ACCURACY, 1),
                    (all - wrong) / all);
        assert_same(RLS2_MEASURE_BALANCED_ACCURACY, value_of(&s, RLS2_MEASURE_BALANCED_ACCURACY, 1),
                    brute_balanced(&s));
        assert_same(RLS2_MEASURE_AUC, value_of(&s, RLS2_MEASURE_AUC, 1), brute_area(&s));
    }
}

/* ---- what is not defined ---- */

static void measure_value__classes_that_do_not_occur__are_left_out_of_means(void **state)
{
    (void)state;
    static const double y[] = {1, 1, -1, -1, -1, -1, 1, 1, -1, -1, -1, -1};
    static const double f[] = {3, 1, 2, 0, 9, 9, 9, 9, 0, 0, 0, 0}, one[] = {1, 1, -1, -1, -1, -1};
    /* 3 against 0 and 2 wins both, 1 wins one; of class 1 all tie; class 2 has no area */
    assert_true(rls2_measure_value(RLS2_MEASURE_AUC, 3, 4, f, y, NULL) == (0.75 + 0.5) / 2.0);
    assert_true(rls2_measure_value(RLS2_MEASURE_BALANCED_ACCURACY, 3, 4, f, y, NULL) == 0.5);
    assert_true(isnan(rls2_measure_value(RLS2_MEASURE_AUC, 3, 2, one, one, NULL)));
    assert_true(rls2_measure_value(RLS2_MEASURE_BALANCED_ACCURACY, 3, 2, one, one, NULL) == 1.0);
}

static void measure_value__one_value_that_is_no_number__makes_all_undefined(void **state)
{
    (void)state;
    static const double fine[] = {1, -1, -1, -1, 1, -1, -1, -1, 1};
    for (int place = 0; place < 9; place++) {
        double spoilt[9];
        int64_t counts[9], classes[3], sum = 0;
        memcpy(spoilt, fine, sizeof spoilt);
        spoilt[place] = nan_value;
        for (int i = 0; i < MEASURES; i++) {
            assert_true(isnan(rls2_measure_value((rls2_measure)i, 3, 3, spoilt, fine, NULL)));
            assert_true(isnan(rls2_measure_value((rls2_measure)i, 3, 3, fine, spoilt, NULL)));
        }
        rls2_decide(3, 3, spoilt, classes);
        for (int i = 0; i < 3; i++) assert_int_equal(classes[i], i == place % 3 ? -1 : i);
        rls2_confusion(3, 3, spoilt, fine, counts);
        for (int i = 0; i < 9; i++) sum += counts[i];
        assert_int_equal(sum, 2);
    }
}

static void measure_value__no_outputs_or_no_rows__is_undefined(void **state)
{
    (void)state;
    static const double y[] = {1, -1, -1, 1}, w[] = {1, 1};
    for (int i = 0; i < MEASURES; i++) {
        assert_true(isnan(rls2_measure_value((rls2_measure)i, 0, 2, y, y, w)));
        assert_true(isnan(rls2_measure_value((rls2_measure)i, -1, 2, y, y, w)));
        assert_true(isnan(rls2_measure_value((rls2_measure)i, 2, 0, y, y, w)));
        assert_true(isnan(rls2_measure_value((rls2_measure)i, 2, 2, NULL, y, w)));
    }
}

static void measure_value__r2_of_a_constant_response__is_that_of_the_others(void **state)
{
    (void)state;
    const double y[] = {1.0, 2.0, 3.0, 5.0, 5.0, 5.0}, f[] = {1.0, 2.0, 2.0, 5.0, 4.0, 5.0};
    assert_true(rls2_measure_value(RLS2_MEASURE_R2, 2, 3, f, y, NULL) ==
                rls2_measure_value(RLS2_MEASURE_R2, 1, 3, f, y, NULL));
    assert_true(isnan(rls2_measure_value(RLS2_MEASURE_R2, 1, 3, f + 3, y + 3, NULL)));
    const double constant[] = {1.0, 1.0, 1.0, 5.0, 5.0, 5.0};
    assert_true(isnan(rls2_measure_value(RLS2_MEASURE_R2, 2, 3, f, constant, NULL)));
    const double broken[] = {1.0, (double)NAN, 2.0, 5.0, 4.0, 5.0};
    assert_true(isnan(rls2_measure_value(RLS2_MEASURE_R2, 2, 3, broken, y, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measure_value__r2_of_a_constant_response__is_that_of_the_others),
        cmocka_unit_test(measure_value__whole_weights__are_rows_repeated),
        cmocka_unit_test(measure_value__weights_of_one__give_the_same_bits),
        cmocka_unit_test(measure_value__weights_doubled__change_but_the_errors),
        cmocka_unit_test(measure_value__several_responses__is_the_mean_of_each_alone),
        cmocka_unit_test(measure_value__three_classes_by_hand__agree),
        cmocka_unit_test(measure_value__random_classes_with_ties__is_that_by_brute_force),
        cmocka_unit_test(measure_value__classes_that_do_not_occur__are_left_out_of_means),
        cmocka_unit_test(measure_value__one_value_that_is_no_number__makes_all_undefined),
        cmocka_unit_test(measure_value__no_outputs_or_no_rows__is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
