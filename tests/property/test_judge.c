/* No certificate is below the truth: a few hundred random problems, and those that were once.
 *
 * What is claimed is held against long double by support/verdict.h. `make judge` judges
 * thousands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/verdict.h"

enum { PROBLEMS = 400, SEED = 20 };

/* ---- random problems, judged once for all tests ---- */

static tally judged;

static int judge_all(void **state)
{
    (void)state;
    judged.report = stdout;
    for (uint64_t i = 0; i < PROBLEMS; i++) {
        hard_problem *problem = hard_problem_make(SEED, i);
        if (judge_problem(problem, &judged) > 0) describe_problem(problem, stdout);
        hard_problem_free(problem);
    }
    return 0;
}

/* Most are fitted, and most answers are certified: else nothing would be said by there being no
 * lies. */
static void judge__random_problems__are_mostly_certified(void **state)
{
    (void)state;
    assert_int_equal(judged.problems, PROBLEMS);
    assert_true(judged.refused < PROBLEMS / 2);
    assert_true(judged.certified > judged.points / 2);
    assert_true(judged.unknown < judged.points / 4);
}

static void path_fit__random_problems__gap_is_never_below_the_truth(void **state)
{
    (void)state;
    assert_int_equal(judged.lies[CLAIM_GAP], 0);
    assert_int_equal(judged.lies[CLAIM_OUTCOME], 0);
}

static void certify__random_problems__gap_is_never_below_the_truth(void **state)
{
    (void)state;
    assert_int_equal(judged.lies[CLAIM_CERTIFY], 0);
    assert_int_equal(judged.lies[CLAIM_MODEL], 0);
}

static void certificates__random_problems__leave_no_room_for_a_better_solution(void **state)
{
    (void)state;
    assert_int_equal(judged.lies[CLAIM_OPTIMUM], 0);
    assert_int_equal(judged.lies[CLAIM_OBJECTIVE], 0);
}

static void scalings__random_problems__have_eleven_digits(void **state)
{
    (void)state;
    assert_int_equal(judged.lies[CLAIM_SCALING], 0);
    assert_int_equal(judged.lies[CLAIM_INTERCEPT], 0);
}

static void verify__random_problems__holds_for_what_was_certified(void **state)
{
    (void)state;
    assert_int_equal(judged.lies[CLAIM_VERIFY], 0);
}

/* ---- the judge itself ---- */

/* A claim that is false is seen to be, and one that is true is not blamed: the gap of an answer
 * moved away from it. */
static void reference_judge__answer_made_worse__has_a_larger_gap(void **state)
{
    (void)state;
    hard_problem *it = hard_problem_plain(1, 8, 2);
    long double d[] = {0.5L, 0.5L};
    const double s[] = {1.0, 1.0}, lambda = 0.5;
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_RBF, .a = 1.0, .last = 1});
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR});
    hard_problem_finish(it);
    reference_truth early = reference_descend(&it->data, it->K, s, it->y, 0.0, lambda, 2, d);
    reference_truth late = reference_descend(&it->data, it->K, s, it->y, 0.0, lambda, 3000, d);
    assert_true(late.primal < early.primal && late.gap < early.gap);
    assert_true(late.gap < 1e-9L * late.primal && late.error < 1e-14L * late.primal);
    assert_true(early.dual <= late.primal && early.primal - early.dual > 0.99L * early.gap);
    hard_problem_free(it);
}

static void reference_denominator__kernel_nearly_constant__is_its_second_order_term(void **state)
{
    (void)state;
    hard_problem *it = hard_problem_plain(1, 2, 1);
    long double size;
    it->x[0] = 1.0;
    it->x[1] = 1.0 + 0x1p-30;
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_RBF, .a = 3.0});
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_POLY, .a = 2.0});
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_MATERN, .a = 2.5, .b = 1.0});
    hard_problem_finish(it);
    /* half of K_11 + K_22 - 2 K_12: gamma h^2; ((1 + h)^2 - 1)^2 / 2; 5/6 h^2 */
    long double h = 0x1p-30L, poly = h * h * (2.0L + h) * (2.0L + h) / 2.0L;
    const long double wanted[] = {3.0L * h * h, poly, 5.0L / 6.0L * h * h};
    for (int64_t k = 0; k < 3; k++) {
        long double by = reference_denominator(&it->data, k, RLS2_SCALING_TRACE, 1, NULL, &size);
        assert_true(fabsl(by - wanted[k]) < 1e-15L * wanted[k]);
    }
    hard_problem_free(it);
}

/* ---- problems whose certificates once lied ---- */

static void add_lambdas(hard_problem *it, double lambda)
{
    it->lambda_count = 3;
    for (int64_t i = 0; i < 3; i++) it->lambdas[i] = lambda * pow(10.0, (double)-i);
}

/* Frees the problem. */
static void assert_honest(hard_problem *it)
{
    tally all = {.report = stdout};
    hard_problem_finish(it);
    if (judge_problem(it, &all) > 0) describe_problem(it, stdout);
    hard_problem_free(it);
    assert_int_equal(lies_of(&all), 0);
}

static hard_problem *ordinary(uint64_t seed, int64_t n)
{
    hard_problem *it = hard_problem_plain(seed, n, 3);
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_RBF, .a = 0.5, .last = 2});
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR});
    hard_problem_add(it, (reference_kernel){.kind = REFERENCE_SPLINE, .first = 1, .last = 1});
    add_lambdas(it, 1e-2);
    return it;
}

static void gap__responses_that_vanish_when_squared__is_not_zero(void **state)
{
    (void)state;
    static const double scales[] = {1e-150, 1e-160, 1e-170, 1e-200, 1e-300};
    for (int i = 0; i < 5; i++) {
        hard_problem *it = ordinary(1, 20);
        for (int64_t j = 0; j < 20; j++) it->y[j] *= scales[i];
        assert_honest(it);
    }
}

static void gap__row_weights_that_make_the_objective_vanish__is_not_zero(void **state)
{
    (void)state;
    for (int e = -160; e >= -200; e -= 20) {
        hard_problem *it = ordinary(2, 20);
        it->basis.scaling = RLS2_SCALING_NONE;
        it->weights = calloc(20, sizeof(double));
        assert_non_null(it->weights);
        for (int64_t j = 0; j < 20; j++) it->weights[j] = pow(10.0, e - (double)j / 4.0);
        add_lambdas(it, pow(10.0, e));
        assert_honest(it);
    }
}

/* Rows can be fitted exactly, and lambda y'c is 1e-343. */
static void gap__inputs_of_1e47_and_lambda_of_1e_249__is_not_zero(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; solver++) {
        hard_problem *it = hard_problem_plain(3, 4, 6);
        for (int64_t j = 0; j < 24; j++) it->x[j] *= 1e47;
        hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR, .last = 5});
        hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR, .first = 1, .last = 5});
        it->basis.scaling = RLS2_SCALING_NONE;
        it->path.solver = (rls2_solver)solver;
        add_lambdas(it, 5.6e-249);
        assert_honest(it);
    }
}

/* A kernel that is not stored is evaluated from sums over columns, in which distances must not
 * be squared away. */
static void gap__far_inputs_and_kernels_not_stored__is_that_of_the_stored(void **state)
{
    (void)state;
    static const double scales[] = {1e200, 1e-200};
    for (int solver = 0; solver < 2; solver++)
        for (int i = 0; i < 2; i++) {
            hard_problem *it = hard_problem_plain(4, 15, 1);
            for (int64_t j = 0; j < 15; j++) it->x[j] *= scales[i];
            hard_problem_add(
                it, (reference_kernel){.kind = REFERENCE_MATERN, .a = 1.5, .b = scales[i]});
            hard_problem_add(it, (reference_kernel){.kind = REFERENCE_SPLINE});
            it->basis.memory = 1;
            it->path.solver = (rls2_solver)solver;
            add_lambdas(it, 1e-2);
            assert_honest(it);
        }
}

static void gap__distances_of_several_columns_far_out__is_that_of_the_kernel(void **state)
{
    (void)state;
    static const double scales[] = {1e200, 1e-200};
    for (int i = 0; i < 2; i++) {
        hard_problem *it = hard_problem_plain(5, 15, 3);
        for (int64_t j = 0; j < 45; j++) it->x[j] *= scales[i];
        hard_problem_add(
            it, (reference_kernel){.kind = REFERENCE_MATERN, .a = 1.5, .b = scales[i], .last = 2});
        hard_problem_add(it, (reference_kernel){.kind = REFERENCE_SPLINE});
        add_lambdas(it, 1e-2);
        assert_honest(it);
    }
}

static void gap__given_matrix_not_quite_symmetric__is_that_of_its_symmetric_part(void **state)
{
    (void)state;
    static const double offs[] = {1e-16, 1e-13, 1e-10};
    for (int i = 0; i < 3; i++) {
        hard_problem *it = hard_problem_plain(6, 12, 1);
        double *K = hard_problem_add_given(it, 4, 1.0);
        for (int64_t j = 0; j < 12; j++)
            for (int64_t k = 0; k < j; k++) K[k * 12 + j] += offs[i] * (double)((j + k) % 3);
        it->traits = TRAIT_ASYMMETRIC;
        add_lambdas(it, 1e-4);
        assert_honest(it);
    }
}

/* Its squares vanish or overflow; scaled, it is as good as any. It is of use for the smaller
 * lambdas only, after bounds have been kept from the larger. */
static void gap__given_matrix_of_tiny_or_huge_numbers__prices_it(void **state)
{
    (void)state;
    static const double scales[] = {1e-200, 1e200};
    for (int i = 0; i < 2; i++)
        for (uint64_t seed = 10; seed < 18; seed++) {
            hard_problem *it = ordinary(seed, 8);
            hard_problem_add_given(it, 6, scales[i]);
            it->lambda_count = 4;
            for (int64_t j = 0; j < 4; j++) it->lambdas[j] = 0.1 * pow(30.0, (double)-j);
            assert_honest(it);
        }
}

/* The response is nearly in what all kernels share, so that little is left of the objective. */
static void gap__factors_that_leave_much_out__counts_it(void **state)
{
    (void)state;
    static const double rank_tols[] = {1e-2, 1e-4, 1e-8};
    for (int solver = 0; solver < 2; solver++)
        for (int i = 0; i < 3; i++) {
            hard_problem *it = hard_problem_plain(13, 12, 1);
            for (int64_t j = 0; j < 12; j++) it->y[j] = 1.0;
            hard_problem_add(it,
                             (reference_kernel){.kind = REFERENCE_MATERN, .a = 1.5, .b = 400.0});
            hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR});
            hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LAPLACE, .a = 1e-3});
            it->basis.rank_tol = rank_tols[i];
            it->path.solver = (rls2_solver)solver;
            it->path.intercept = RLS2_INTERCEPT_NONE;
            it->lambda_count = 4;
            for (int64_t j = 0; j < 4; j++) it->lambdas[j] = 1e-4 * pow(100.0, (double)-j);
            assert_honest(it);
        }
}

static void path_fit__linear_and_one_iteration__has_no_point_that_was_not_computed(void **state)
{
    (void)state;
    hard_problem *it = hard_problem_plain(9, 5, 3);
    for (int64_t k = 0; k < 3; k++)
        hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR, .first = k, .last = k});
    it->path.max_iter = 1;
    it->lambda_count = 3;
    it->lambdas[0] = 1e-2;
    it->lambdas[1] = 1e-184;
    it->lambdas[2] = 1e-222;
    assert_honest(it);
}

/* Nothing can be told between columns where all products vanish; one that was left out must not
 * be taken then: it has no values. */
static void path_fit__linear_kernel_left_out_and_products_vanish__is_not_entered(void **state)
{
    (void)state;
    static const double lambdas[] = {3.9e278, 1e-2, 1.3e-198};
    for (int i = 0; i < 3; i++) {
        hard_problem *it = hard_problem_plain(12, 22, 4);
        for (int64_t j = 0; j < 22; j++) {
            it->x[j] = 0.0;
            it->y[j] *= 2.4e-215;
        }
        for (int64_t k = 0; k < 4; k++)
            hard_problem_add(it,
                             (reference_kernel){.kind = REFERENCE_LINEAR, .first = k, .last = k});
        it->basis.skip_degenerate = 1;
        add_lambdas(it, lambdas[i]);
        assert_honest(it);
    }
}

static void verify__kernel_that_cannot_be_scaled__is_looked_over(void **state)
{
    (void)state;
    hard_problem *it = ordinary(10, 15);
    for (int64_t j = 0; j < 15; j++) it->x[30 + j] *= 1e160;
    hard_problem_add(
        it, (reference_kernel){.kind = REFERENCE_POLY, .a = 3.0, .b = 1.0, .first = 2, .last = 2});
    it->kernels[0].last = 1;
    it->basis.skip_degenerate = 1;
    assert_honest(it);
}

static void scalings__kernels_nearly_constant__lose_no_digits(void **state)
{
    (void)state;
    static const double spreads[] = {1e-3, 1e-5, 1e-7, 1e-9};
    for (int rule = 1; rule < 4; rule++)
        for (int i = 0; i < 4; i++) {
            hard_problem *it = hard_problem_plain(11, 20, 2);
            for (int64_t j = 0; j < 20; j++) it->x[20 + j] = 1.0 + spreads[i] * it->x[20 + j];
            it->basis.scaling = (rls2_scaling)rule;
            it->basis.center = rule == RLS2_SCALING_TRACE;
            it->basis.skip_degenerate = 1;
            for (int kind = REFERENCE_LINEAR; kind <= REFERENCE_SPLINE; kind++)
                hard_problem_add(it, (reference_kernel){.kind = (reference_kind)kind,
                                                        .a = kind == REFERENCE_POLY ? 2.0 : 0.5,
                                                        .b = 1.0,
                                                        .first = 1,
                                                        .last = 1});
            hard_problem_add(it, (reference_kernel){.kind = REFERENCE_LINEAR});
            add_lambdas(it, 1e-2);
            assert_honest(it);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_judge__answer_made_worse__has_a_larger_gap),
        cmocka_unit_test(reference_denominator__kernel_nearly_constant__is_its_second_order_term),
        cmocka_unit_test(judge__random_problems__are_mostly_certified),
        cmocka_unit_test(path_fit__random_problems__gap_is_never_below_the_truth),
        cmocka_unit_test(certify__random_problems__gap_is_never_below_the_truth),
        cmocka_unit_test(certificates__random_problems__leave_no_room_for_a_better_solution),
        cmocka_unit_test(scalings__random_problems__have_eleven_digits),
        cmocka_unit_test(verify__random_problems__holds_for_what_was_certified),
        cmocka_unit_test(gap__responses_that_vanish_when_squared__is_not_zero),
        cmocka_unit_test(gap__row_weights_that_make_the_objective_vanish__is_not_zero),
        cmocka_unit_test(gap__inputs_of_1e47_and_lambda_of_1e_249__is_not_zero),
        cmocka_unit_test(gap__far_inputs_and_kernels_not_stored__is_that_of_the_stored),
        cmocka_unit_test(gap__distances_of_several_columns_far_out__is_that_of_the_kernel),
        cmocka_unit_test(gap__given_matrix_not_quite_symmetric__is_that_of_its_symmetric_part),
        cmocka_unit_test(gap__given_matrix_of_tiny_or_huge_numbers__prices_it),
        cmocka_unit_test(gap__factors_that_leave_much_out__counts_it),
        cmocka_unit_test(path_fit__linear_and_one_iteration__has_no_point_that_was_not_computed),
        cmocka_unit_test(path_fit__linear_kernel_left_out_and_products_vanish__is_not_entered),
        cmocka_unit_test(verify__kernel_that_cannot_be_scaled__is_looked_over),
        cmocka_unit_test(scalings__kernels_nearly_constant__lose_no_digits),
    };
    return cmocka_run_group_tests(tests, judge_all, NULL);
}
