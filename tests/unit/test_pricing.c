/* Lazy pricing: bounds that hold whatever c does. */
#include "support/unit_support.h"

#include <math.h>

#include "solver/pricing.h"

enum { ROWS = 40, COLUMNS = 4, STEPS = 160 }; /* far more steps than points are remembered */

static const char SPEC[] =
    "linear@each; rbf(0.01:100:5)@all,each; poly(1..3)@all,each; spline@each; laplace(1)@all;"
    "matern(0.5)@each; delta@x1";

typedef struct data {
    double *x;
    unit_fixture f;
    rls2__pricer pricer;
    unsigned char *skip;
    double *exact;
    double *work;
    int64_t *ks;
    int64_t m;
} data;

static data data_create(double rank_tol)
{
    data d;
    d.x = unit_normal(1, ROWS * COLUMNS);
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = d.x};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.rank_tol = rank_tol;
    d.f = unit_fixture_create(SPEC, &rows, &options);
    d.m = d.f.basis->m;
    assert_int_equal(rls2__pricer_create(unit_alone(), d.f.basis, &d.pricer), RLS2_OK);
    d.skip = calloc((size_t)d.m, 1);
    d.exact = unit_room(d.m);
    d.work = unit_room(ROWS);
    d.ks = calloc((size_t)d.m, sizeof *d.ks);
    for (int64_t k = 0; k < d.m; k++) d.ks[k] = k;
    return d;
}

static void data_free(data *d)
{
    rls2__pricer_free(&d->pricer);
    unit_fixture_free(&d->f);
    free(d->x), free(d->skip), free(d->exact), free(d->work), free(d->ks);
}

static double largest(const data *d)
{
    double top = 0.0;
    for (int64_t k = 0; k < d->m; k++) top = fmax(top, d->exact[k]);
    return top;
}

/* The maxima and the list of what was evaluated, from q and exact. */
static void check_summary(const data *d, double squares)
{
    double computed = 0.0, bounded = 0.0, found_computed, found_bounded;
    int64_t listed = 0;
    for (int64_t k = 0; k < d->m; k++) {
        if (d->skip[k]) continue;
        computed = fmax(computed, d->pricer.q[k]);
        bounded = fmax(bounded, d->pricer.q[k] + d->f.basis->ops[k].slack * squares);
        if (d->pricer.exact[k]) assert_int_equal(d->pricer.todo[listed++], k);
    }
    assert_int_equal(d->pricer.count, listed);
    rls2__pricer_largest(&d->pricer, squares, &found_computed, &found_bounded);
    assert_true(found_computed == computed && found_bounded == bounded);
}

/* Runs the pricer at c and compares with all q. Returns how many were spared. */
static int64_t run_and_check(data *d, const double *c, double share)
{
    const rls2_basis *basis = d->f.basis;
    rls2__basis_price(unit_alone(), basis, c, d->m, d->ks, d->exact, d->work);
    double threshold = share * largest(d), squares = unit_inner(ROWS, c, c);
    int64_t priced = d->pricer.priced, offered = d->pricer.offered, exact = 0, counted = 0;
    rls2__pricer_run(&d->pricer, c, threshold, d->skip);
    for (int64_t k = 0; k < d->m; k++) {
        if (d->skip[k]) continue;
        counted++;
        double q = d->pricer.q[k], rounding = 1e-13 * basis->ops[k].norm * squares;
        if (d->pricer.exact[k]) {
            exact++;
            assert_near(q, d->exact[k], rounding);
            assert_true(q >= 0.0);
        } else {
            assert_at_most(d->exact[k] - rounding, q * (1.0 + 1e-12)); /* a bound ... */
            assert_at_most(q, threshold);                              /* ... below the threshold */
        }
    }
    assert_int_equal(d->pricer.priced - priced, exact);
    assert_int_equal(d->pricer.offered - offered, counted);
    assert_true(d->pricer.priced <= d->pricer.offered);
    check_summary(d, squares);
    return counted - exact;
}

/* A walk of c with steps of the given relative size; the length drifts as well. */
static int64_t walk(data *d, uint64_t seed, double size, double share)
{
    double c[ROWS];
    int64_t spared = 0;
    rls2__random random;
    rls2__random_seed(&random, seed);
    for (int i = 0; i < ROWS; i++) c[i] = rls2__random_normal(&random);
    for (int step = 0; step < STEPS; step++) {
        spared += run_and_check(d, c, share);
        double stretch = 1.0 + size * rls2__random_normal(&random);
        for (int i = 0; i < ROWS; i++) c[i] = stretch * c[i] + size * rls2__random_normal(&random);
    }
    return spared;
}

static void pricer_run__small_steps__bounds_hold_and_most_are_spared(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    assert_true(walk(&d, 1, 0.003, 0.9) > STEPS * d.m / 3);
    data_free(&d);
}

static void pricer_run__walks_of_any_step__bounds_hold(void **state)
{
    (void)state;
    static const double sizes[] = {1e-9, 0.01, 0.1, 1.0}, shares[] = {0.0, 0.3, 0.99, 2.0};
    for (int s = 0; s < 4; s++)
        for (int t = 0; t < 4; t++) {
            data d = data_create(s % 2 ? 1e-14 : 0.0);
            int64_t spared = walk(&d, 10 + (uint64_t)(4 * s + t), sizes[s], shares[t]);
            if (t == 0) assert_int_equal(spared, 0); /* every bound exceeds a threshold of zero */
            data_free(&d);
        }
}

/* One pricer all along, as on a path: lengths over many orders of magnitude. */
static void pricer_run__c_growing_and_shrinking__bounds_hold(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double *direction = unit_normal(5, 3 * ROWS), c[ROWS];
    for (int step = 0; step < STEPS; step++) {
        double length = pow(10.0, 12.0 * sin(0.21 * step)), a = cos(0.05 * step),
               b = sin(0.05 * step);
        for (int i = 0; i < ROWS; i++)
            c[i] = length * (a * direction[i] + b * direction[ROWS + i] +
                             1e-3 * direction[2 * ROWS + i] * (step % 3));
        run_and_check(&d, c, 0.7);
    }
    free(direction);
    data_free(&d);
}

/* Multiples of one c need no second look: the bound is exact for them. */
static void pricer_run__multiples_of_c__spared_altogether(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double *c = unit_normal(6, ROWS), scaled[ROWS];
    run_and_check(&d, c, 0.0);
    int64_t priced = d.pricer.priced;
    assert_int_equal(priced, d.m);
    for (int step = 1; step < 100; step++) {
        for (int i = 0; i < ROWS; i++) scaled[i] = c[i] * (step % 2 ? -0.37 : 3.1) * step;
        run_and_check(&d, scaled, 1.0 + 1e-9);
    }
    assert_int_equal(d.pricer.priced, priced);
    free(c);
    data_free(&d);
}

static void pricer_run__zero_c__no_nan(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double zero[ROWS] = {0.0}, *c = unit_normal(7, ROWS);
    run_and_check(&d, zero, 0.5);
    run_and_check(&d, c, 0.5);
    run_and_check(&d, zero, 0.5);
    run_and_check(&d, c, 0.5);
    free(c);
    data_free(&d);
}

static void pricer_run__kernels_to_skip__below_everything_and_not_counted(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double *c = unit_normal(8, 3 * ROWS);
    for (int64_t k = 0; k < d.m; k++) d.skip[k] = k % 3 == 0;
    run_and_check(&d, c, 0.0);
    for (int64_t k = 0; k < d.m; k++) {
        if (d.skip[k])
            assert_true(d.pricer.q[k] == -HUGE_VAL && !d.pricer.exact[k]);
        else
            assert_true(d.pricer.q[k] >= 0.0 && d.pricer.exact[k]);
    }
    /* what was skipped is unknown when it comes back, and so is evaluated whatever the threshold */
    for (int64_t k = 0; k < d.m; k++) d.skip[k] = k % 3 == 1;
    run_and_check(&d, c + ROWS, 1e6);
    for (int64_t k = 0; k < d.m; k++)
        if (!d.skip[k]) assert_int_equal(d.pricer.exact[k], k % 3 == 0);
    memset(d.skip, 1, (size_t)d.m);
    int64_t priced = d.pricer.priced, offered = d.pricer.offered;
    rls2__pricer_run(&d.pricer, c, 0.0, d.skip);
    assert_true(d.pricer.priced == priced && d.pricer.offered == offered);
    check_summary(&d, 1.0); /* of none */
    free(c);
    data_free(&d);
}

/* In two parts: after the first every q is exact or a bound, after both all that exceed the
 * threshold are exact. */
static void check_parts(data *d, const double *c, double share)
{
    const rls2_basis *basis = d->f.basis;
    rls2__basis_price(unit_alone(), basis, c, d->m, d->ks, d->exact, d->work);
    double threshold = share * largest(d), squares = unit_inner(ROWS, c, c);
    int64_t priced = d->pricer.priced, offered = d->pricer.offered;
    rls2__pricer_likely(&d->pricer, c, threshold, d->skip);
    for (int part = 0; part < 2; part++) {
        int64_t exact = 0;
        for (int64_t k = 0; k < d->m; k++) {
            double q = d->pricer.q[k], rounding = 1e-13 * basis->ops[k].norm * squares;
            exact += d->pricer.exact[k];
            if (d->pricer.exact[k]) assert_near(q, d->exact[k], rounding);
            assert_at_most(d->exact[k] - rounding, q * (1.0 + 1e-12));
            if (part == 1 && !d->pricer.exact[k]) assert_at_most(q, threshold);
        }
        assert_int_equal(d->pricer.count, exact);
        for (int64_t i = 0; i < exact; i++) assert_true(d->pricer.exact[d->pricer.todo[i]]);
        if (part == 0) rls2__pricer_rest(&d->pricer, c, threshold);
    }
    assert_int_equal(d->pricer.priced - priced, d->pricer.count);
    assert_int_equal(d->pricer.offered - offered, d->m);
}

static void pricer_likely__then_the_rest__bounds_hold(void **state)
{
    (void)state;
    static const double sizes[] = {1e-9, 0.01, 0.1, 1.0}, shares[] = {0.0, 0.3, 0.99, 2.0};
    for (int s = 0; s < 4; s++)
        for (int t = 0; t < 4; t++) {
            data d = data_create(s % 2 ? 1e-14 : 0.0);
            double *c = unit_normal(30, ROWS), *step = unit_normal(31, ROWS * STEPS);
            for (int at = 0; at < STEPS; at++) {
                check_parts(&d, c, shares[t]);
                for (int i = 0; i < ROWS; i++) c[i] += sizes[s] * step[at * ROWS + i];
            }
            free(c), free(step);
            data_free(&d);
        }
}

/* The first part must leave something to the second, or it spares nothing. */
static void pricer_likely__c_turned__fewer_than_all(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double *c = unit_normal(32, 2 * ROWS);
    run_and_check(&d, c, 0.0);
    for (int i = 0; i < ROWS; i++) c[i] += 0.3 * c[ROWS + i];
    rls2__basis_price(unit_alone(), d.f.basis, c, d.m, d.ks, d.exact, d.work);
    double threshold = 0.9 * largest(&d);
    rls2__pricer_likely(&d.pricer, c, threshold, d.skip);
    int64_t likely = d.pricer.count;
    rls2__pricer_rest(&d.pricer, c, threshold);
    assert_true(likely < d.pricer.count);
    free(c);
    data_free(&d);
}

/* What was seen at a c that overflowed says nothing about the next one. */
static void pricer_run__after_a_c_that_is_no_number__evaluated_again(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, 1e200};
    for (int i = 0; i < 3; i++) {
        data d = data_create(1e-14);
        double *c = unit_normal(40 + (uint64_t)i, ROWS), good = c[3];
        for (int part = 0; part < 2; part++) {
            c[3] = bad[i];
            if (part == 0)
                rls2__pricer_run(&d.pricer, c, 0.0, d.skip);
            else
                rls2__pricer_likely(&d.pricer, c, 0.0, d.skip);
            c[3] = good;
            run_and_check(&d, c, 0.5);
            check_parts(&d, c, 0.5);
        }
        free(c);
        data_free(&d);
    }
}

/* Kernels last seen at a point that was overwritten must be looked at again. */
static void pricer_run__point_forgotten__evaluated_again(void **state)
{
    (void)state;
    data d = data_create(1e-14);
    double *first = unit_normal(9, ROWS), c[ROWS];
    run_and_check(&d, first, 0.0); /* all are seen at the first point */
    for (int64_t k = 0; k < d.m; k++) d.skip[k] = k > 0;
    for (int step = 0; step < 60; step++) { /* kernel 0 alone pushes that point out */
        for (int i = 0; i < ROWS; i++) c[i] = first[i] + 0.1 * step * first[(i * 7 + step) % ROWS];
        run_and_check(&d, c, 0.0);
    }
    memset(d.skip, 0, (size_t)d.m);
    run_and_check(&d, first, 1e6);
    for (int64_t k = 1; k < d.m; k++) assert_true(d.pricer.exact[k]);
    free(first);
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pricer_run__small_steps__bounds_hold_and_most_are_spared),
        cmocka_unit_test(pricer_run__walks_of_any_step__bounds_hold),
        cmocka_unit_test(pricer_run__c_growing_and_shrinking__bounds_hold),
        cmocka_unit_test(pricer_run__multiples_of_c__spared_altogether),
        cmocka_unit_test(pricer_run__zero_c__no_nan),
        cmocka_unit_test(pricer_run__kernels_to_skip__below_everything_and_not_counted),
        cmocka_unit_test(pricer_run__point_forgotten__evaluated_again),
        cmocka_unit_test(pricer_run__after_a_c_that_is_no_number__evaluated_again),
        cmocka_unit_test(pricer_likely__then_the_rest__bounds_hold),
        cmocka_unit_test(pricer_likely__c_turned__fewer_than_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
