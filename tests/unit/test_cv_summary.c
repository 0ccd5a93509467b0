/* The curve of a cross-validation and the two choices of it, from scores whose means, variances and
 * roots are exact in binary: equality is equality. */
#include <math.h>
#include <string.h>

#include "select/cv.h"
#include "select/cv_summary.h"
#include "support/unit_support.h"

enum { MOST = 10 };

typedef struct summary {
    rls2_cv cv;
    double lambdas[MOST], weights[MOST], scores[MOST * MOST], nzero[MOST * MOST];
    rls2_cv_point points[MOST];
} summary;

/* scores: splits x count. Every split weighs 1, all are one repeat. */
static void start(summary *it, rls2_measure measure, int64_t splits, int64_t count,
                  const double *scores)
{
    memset(it, 0, sizeof *it);
    it->cv = (rls2_cv){.measure = measure,
                       .count = count,
                       .splits = splits,
                       .repeat = splits,
                       .lambdas = it->lambdas,
                       .weights = it->weights,
                       .scores = it->scores,
                       .nzero = it->nzero,
                       .points = it->points};
    for (int64_t i = 0; i < count; i++) it->lambdas[i] = ldexp(1.0, -(int)i);
    for (int64_t s = 0; s < splits; s++) it->weights[s] = 1.0;
    for (int64_t s = 0; s < splits; s++)
        for (int64_t i = 0; i < count; i++) it->scores[i * splits + s] = scores[s * count + i];
}

/* Means 3.25, 3, 2, 2.5: the best is 2, of 1 and 3, whose standard error is 1. */
static const double LOSSES[] = {3.25, 3.0, 1.0, 2.5, 3.25, 3.0, 3.0, 2.5};

static void summarize__mean_one_standard_error_above_the_best__is_chosen(void **state)
{
    (void)state;
    summary it;
    start(&it, RLS2_MEASURE_MSE, 2, 4, LOSSES);
    rls2__cv_summarize(&it.cv);
    assert_int_equal(it.cv.best, 2);
    assert_true(it.points[2].cvm == 2.0 && it.points[2].cvsd == 1.0);
    /* exactly as much as is allowed */
    assert_true(it.points[1].cvm - it.points[2].cvm == it.points[2].cvsd);
    assert_int_equal(it.cv.one_se, 1);
}

static void summarize__mean_a_little_above_that__is_not(void **state)
{
    (void)state;
    summary it;
    start(&it, RLS2_MEASURE_MSE, 2, 4, LOSSES);
    it.scores[2] = it.scores[3] = nextafter(3.0, 4.0);
    rls2__cv_summarize(&it.cv);
    assert_int_equal(it.cv.one_se, 2);
}

static void summarize__measure_that_rises__is_the_same_upside_down(void **state)
{
    (void)state;
    summary it;
    start(&it, RLS2_MEASURE_R2, 2, 4, LOSSES);
    for (int i = 0; i < 8; i++) it.scores[i] = -it.scores[i];
    rls2__cv_summarize(&it.cv);
    assert_int_equal(it.cv.best, 2);
    assert_int_equal(it.cv.one_se, 1);
}

static void summarize__equal_means__take_the_larger_lambda(void **state)
{
    (void)state;
    static const double scores[] = {4.0, 2.0, 2.0, 2.0};
    summary it;
    start(&it, RLS2_MEASURE_MAE, 1, 4, scores);
    rls2__cv_summarize(&it.cv);
    assert_int_equal(it.cv.best, 1);
    assert_true(isnan(it.points[1].cvsd)); /* of a single split: nothing is allowed */
    assert_int_equal(it.cv.one_se, 1);
}

static void summarize__splits_of_different_size__count_by_their_rows(void **state)
{
    (void)state;
    static const double scores[] = {8.0, 4.0, 0.0, 2.0};
    summary it;
    start(&it, RLS2_MEASURE_MSE, 2, 2, scores);
    it.weights[0] = 1.0;
    it.weights[1] = 3.0;
    rls2__cv_summarize(&it.cv);
    assert_true(it.points[0].cvm == 2.0 && it.points[1].cvm == 2.5);
    assert_int_equal(it.cv.best, 0);
    /* (1 * 36 + 3 * 4) / 4 = 12 is the variance, over splits less one */
    assert_near(it.points[0].cvsd, sqrt(12.0), 1e-15);
}

static void summarize__random_splits__share_rows(void **state)
{
    (void)state;
    static const double scores[] = {1.0, 3.0};
    summary it;
    start(&it, RLS2_MEASURE_MSE, 2, 1, scores);
    it.cv.overlap = 0.5;
    rls2__cv_summarize(&it.cv);
    assert_near(it.points[0].cvsd, sqrt(2.0 * (0.5 + 0.5)), 1e-15);
}

/* Two repeats of two folds: 0 and 2, 1 and 5. */
static void summarize__repeated_folds__have_the_mean_of_their_errors(void **state)
{
    (void)state;
    static const double scores[] = {0.0, 2.0, 1.0, 5.0};
    summary it;
    start(&it, RLS2_MEASURE_MSE, 4, 1, scores);
    it.cv.repeat = 2;
    rls2__cv_summarize(&it.cv);
    assert_true(it.points[0].cvm == 2.0);
    assert_true(it.points[0].cvsd == 1.5); /* of 1 and 2 */
}

static void summarize__score_that_is_not_defined__does_not_count(void **state)
{
    (void)state;
    const double nan = (double)NAN, scores[] = {1.0, nan, nan, nan, 3.0, nan};
    summary it;
    start(&it, RLS2_MEASURE_AUC, 3, 2, scores);
    rls2__cv_summarize(&it.cv);
    assert_true(it.points[0].cvm == 2.0 && it.points[0].cvsd == 1.0);
    assert_true(isnan(it.points[1].cvm));
    assert_int_equal(it.cv.best, 0);
    assert_int_equal(it.cv.one_se, 0);
}

/* ---- whether it has turned ---- */

/* Two splits and ten lambdas; at the third both are best. */
static void turned(const double rest[2][7], int64_t count, int64_t margin, int expected)
{
    double scores[2 * 10];
    summary it;
    for (int64_t s = 0; s < 2; s++)
        for (int64_t i = 0; i < count; i++)
            scores[s * count + i] = i < 3 ? 3.0 - (double)i : rest[s][i - 3];
    start(&it, RLS2_MEASURE_RMSE, 2, count, scores);
    assert_int_equal(rls2__curve_has_turned(&it.cv, 2, margin), expected);
}

static void has_turned__best_far_above_the_end__says_so(void **state)
{
    (void)state;
    static const double flat[2][7] = {{1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1}};
    turned(flat, 8, 5, 1);
    turned(flat, 7, 5, 0);
}

static void has_turned__end_is_worse_in_both_splits__says_so_earlier(void **state)
{
    (void)state;
    static const double worse[2][7] = {{1, 1, 2}, {1, 1, 1.5}},
                        one[2][7] = {{1, 1, 2}, {1, 1, 0.9}};
    turned(worse, 6, 5, 1);
    turned(one, 6, 5, 0);
    turned(worse, 5, 5, 0);
}

static void has_turned__end_is_the_best__does_not(void **state)
{
    (void)state;
    static const double better[2][7] = {{2, 2, 2, 2, 2, 2, 0.5}, {2, 2, 2, 2, 2, 2, 0.5}};
    turned(better, 10, 5, 0);
}

static void has_turned__score_that_is_not_defined__nobody_knows(void **state)
{
    (void)state;
    const double undefined[2][7] = {{1, 1, (double)NAN, 2, 2, 2, 2}, {1, 1, 2, 2, 2, 2, 2}};
    turned(undefined, 10, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summarize__mean_one_standard_error_above_the_best__is_chosen),
        cmocka_unit_test(summarize__mean_a_little_above_that__is_not),
        cmocka_unit_test(summarize__measure_that_rises__is_the_same_upside_down),
        cmocka_unit_test(summarize__equal_means__take_the_larger_lambda),
        cmocka_unit_test(summarize__splits_of_different_size__count_by_their_rows),
        cmocka_unit_test(summarize__random_splits__share_rows),
        cmocka_unit_test(summarize__repeated_folds__have_the_mean_of_their_errors),
        cmocka_unit_test(summarize__score_that_is_not_defined__does_not_count),
        cmocka_unit_test(has_turned__best_far_above_the_end__says_so),
        cmocka_unit_test(has_turned__end_is_worse_in_both_splits__says_so_earlier),
        cmocka_unit_test(has_turned__end_is_the_best__does_not),
        cmocka_unit_test(has_turned__score_that_is_not_defined__nobody_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
