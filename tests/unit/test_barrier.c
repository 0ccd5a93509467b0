/* The multipliers of a loss with kinks: what a step of Newton's method makes of them. */
#include "solver/barrier_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/plain_loss.h"

enum { N = 7 };
static const double RESPONSES[N] = {-0.4, 1.3, 0.2, 2.9, -1.1, 0.6, 0.7};
static const double ROOTS[N] = {1.0, 2.0, 0.5, 1.0, 1.5, 1.0, 3.0};

typedef struct setting {
    double *y;
    rls2__row_loss loss;
    rls2__barrier rows;
    void *block;
} setting;

static void lay_out(rls2__layout *layout, void *owner)
{
    setting *it = owner;
    rls2__barrier_lay_out(&it->rows, &it->loss, layout);
}

static void setting_create(rls2_loss loss, setting *it)
{
    it->y = plain_responses(loss, N, RESPONSES);
    it->loss = rls2__row_loss_of(loss, N, it->y, ROOTS);
    it->block = rls2__layout_alloc(lay_out, it);
    assert_non_null(it->block);
    rls2__barrier_init(&it->rows);
    for (int i = 0; i < N; i++) it->rows.t[i] = 0.3 * sin(2.0 * i);
    rls2__barrier_centre(&it->rows);
    rls2__barrier_fix(&it->rows, 0);
}

static void setting_free(setting *it)
{
    rls2__free(it->block);
    free(it->y);
}

static void for_each_kink(void (*check)(setting *it))
{
    for (int k = 0; k < LOSSES; k++) {
        setting it;
        const rls2__row_loss probe = rls2__row_loss_of(EVERY_LOSS[k], 1, &(double){1.0}, NULL);
        if (!rls2__loss_has_kinks(&probe)) continue;
        setting_create(EVERY_LOSS[k], &it);
        check(&it);
        setting_free(&it);
    }
}

static double pull(const setting *it, int i, int piece)
{
    double sign = piece == 0 ? 1.0 : -1.0;
    return sign * (it->rows.t[i] - it->y[i]) - rls2__loss_kink(&it->loss, i).wide;
}

static void check_centre(setting *it)
{
    const rls2__barrier_point *at = &it->rows.at;
    for (int piece = 0; piece < it->rows.pieces; piece++)
        for (int i = 0; i < N; i++) {
            int k = piece * N + i;
            assert_true(at->a[k] > 0.0 && at->a[k] < it->rows.top[k]);
            assert_true(at->low[k] > 0.0 && at->high[k] > 0.0);
            assert_true(fabs(at->high[k] - at->low[k] - pull(it, i, piece)) <= 1e-14);
        }
}

static void barrier_centre__any_loss_with_kinks__meets_the_first_condition(void **state)
{
    (void)state;
    for_each_kink(check_centre);
}

/* Where t changes as the model says for the change of p, the linearised conditions hold. */
static void check_step(setting *it)
{
    double apart[N], root[N], mu = 0.3 * rls2__barrier_mean(&it->rows, 0.0);
    rls2__barrier_bend(&it->rows, mu, apart, root);
    for (int i = 0; i < N; i++) it->rows.change[i] = 0.01 * cos(3.0 * i);
    rls2__barrier_follow(&it->rows, mu);
    const rls2__barrier_point *at = &it->rows.at, *step = &it->rows.step;
    for (int i = 0; i < N; i++) {
        /* p changes by D^2 (dt + apart), apart being that of f~ */
        double dt = it->rows.change[i] / (root[i] * root[i]) - apart[i] / ROOTS[i], sum = 0.0;
        for (int piece = 0; piece < it->rows.pieces; piece++) {
            int k = piece * N + i;
            double sign = piece == 0 ? 1.0 : -1.0, left = it->rows.top[k] - at->a[k];
            double first = pull(it, i, piece) + sign * dt - (at->high[k] + step->high[k]) +
                           (at->low[k] + step->low[k]);
            assert_true(fabs(first) <= 1e-12);
            assert_true(fabs((at->a[k] + step->a[k]) * at->low[k] + at->a[k] * step->low[k] - mu) <=
                        1e-13);
            assert_true(fabs((left - step->a[k]) * at->high[k] + left * step->high[k] - mu) <=
                        1e-13);
            sum += sign * step->a[k];
        }
        assert_true(fabs(sum - it->rows.change[i]) <= 1e-14);
    }
}

static void barrier_follow__any_loss_with_kinks__is_newtons_step(void **state)
{
    (void)state;
    for_each_kink(check_step);
}

static void check_reach(setting *it)
{
    for (int i = 0; i < N; i++) it->rows.change[i] = i % 2 ? 0.9 : -0.9;
    rls2__barrier_follow(&it->rows, 0.0);
    double reach = rls2__barrier_reach(&it->rows),
           mean = rls2__barrier_mean(&it->rows, 0.9 * reach);
    assert_true(reach > 0.0 && reach < 1.0);
    rls2__barrier_take(&it->rows, 0.9 * reach);
    for (int k = 0; k < N * it->rows.pieces; k++) {
        assert_true(it->rows.at.a[k] > 0.0 && it->rows.at.a[k] < it->rows.top[k]);
        assert_true(it->rows.at.low[k] > 0.0 && it->rows.at.high[k] > 0.0);
    }
    assert_true(fabs(rls2__barrier_mean(&it->rows, 0.0) - mean) <= 1e-14);
}

static void barrier_reach__a_step_too_far__ends_inside(void **state)
{
    (void)state;
    for_each_kink(check_reach);
}

/* Inside, c comes back as it was; what is at a bound is moved by the margin. */
static void check_enter(setting *it)
{
    double c[N], again[N], lambda = 0.7;
    for (int i = 0; i < N; i++) {
        rls2__kink at = rls2__loss_kink(&it->loss, i);
        double p = i == 0 ? at.high : at.low + (at.high - at.low) * (0.2 + 0.1 * i);
        c[i] = -ROOTS[i] * p / lambda;
    }
    rls2__barrier_enter(&it->rows, lambda, c, 1e-3, 0.0);
    rls2__barrier_c(&it->rows, lambda, again);
    for (int i = 1; i < N; i++) assert_true(fabs(again[i] - c[i]) <= 1e-14 * fabs(c[i]) + 1e-15);
    double moved = fabs(again[0] - c[0]) * lambda;
    assert_true(moved > 1e-5 && moved < 2e-3);
}

static void barrier_enter__c_at_a_bound__is_moved_by_the_margin(void **state)
{
    (void)state;
    for_each_kink(check_enter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier_centre__any_loss_with_kinks__meets_the_first_condition),
        cmocka_unit_test(barrier_follow__any_loss_with_kinks__is_newtons_step),
        cmocka_unit_test(barrier_reach__a_step_too_far__ends_inside),
        cmocka_unit_test(barrier_enter__c_at_a_bound__is_moved_by_the_margin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
