/* Between lambdas that are far apart the path goes through others: whoever watches sees each of
 * them. */
#include <math.h>

#include "rls2/path.h"
#include "support/unit_support.h"
#include "support/control.h"

enum { N = 40, MOST_STEPS = 64 };
static const double DECADE =
    10.0 * (1.0 + 1e-12); /* the longest step a path makes, and the rounding of logarithms */

/* The lambdas that were solved, in their order. */
typedef struct steps {
    int count;
    double lambda[MOST_STEPS];
} steps;

static int note(void *user, const rls2_progress *at)
{
    steps *seen = user;
    if (seen->count > 0 && seen->lambda[seen->count - 1] == at->lambda) return 0;
    assert_true(seen->count < MOST_STEPS);
    seen->lambda[seen->count++] = at->lambda;
    return 0;
}

/* The path of Gaussian kernels with scalings of 1, whose largest norm is at most N; free both. */
static rls2_path *watched_path(unit_fixture *fixture, int64_t count, const double *lambdas,
                               steps *seen)
{
    rls2_error err;
    rls2_path *path = NULL;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    double *x = unit_normal(5, 2 * N), *y = unit_normal(6, N);
    rls2_rows rows = {.n = N, .p = 2, .x = x};
    options.scaling = RLS2_SCALING_NONE;
    *fixture = unit_fixture_create("rbf(0.1); rbf(1); rbf(10); rbf(1)@each", &rows, &options);
    *seen = (steps){0};
    if (rls2_path_fit(1, (const rls2_basis *const *)&fixture->basis, y, count, lambdas, NULL,
                      WATCHED_BY(note, seen, 1), &path, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    free(x);
    free(y);
    return path;
}

static double largest_norm(const rls2_basis *basis)
{
    double largest = 0.0;
    for (int64_t k = 0; k < basis->m; k++) largest = fmax(largest, basis->ops[k].norm);
    return largest;
}

static void assert_no_step_beyond_a_decade(const steps *seen, double from)
{
    for (int i = 0; i < seen->count; i++) {
        assert_at_most(from / seen->lambda[i], DECADE);
        from = seen->lambda[i];
    }
}

static void path_fit__first_lambda_far_below_the_norms__is_come_to_by_decades(void **state)
{
    (void)state;
    static const double lambda = 1e-5;
    unit_fixture fixture;
    steps seen;
    rls2_path *path = watched_path(&fixture, 1, &lambda, &seen);
    double decades = log10(largest_norm(fixture.basis) / lambda);
    assert_int_equal(seen.count, (int)ceil(decades));
    assert_no_step_beyond_a_decade(&seen, largest_norm(fixture.basis));
    assert_true(seen.lambda[seen.count - 1] == lambda);
    assert_int_equal(rls2_path_count(path), 1); /* those on the way are not kept */
    rls2_path_free(path);
    unit_fixture_free(&fixture);
}

static void path_fit__lambdas_far_apart__are_joined_by_decades(void **state)
{
    (void)state;
    static const double lambdas[] = {1e3, 1.0, 0.5, 1e-4};
    unit_fixture fixture;
    steps seen;
    rls2_path *path = watched_path(&fixture, 4, lambdas, &seen);
    assert_int_equal(rls2_path_count(path), 4);
    assert_true(seen.lambda[0] == 1e3); /* nothing is followed above the norms */
    seen.lambda[0] = largest_norm(fixture.basis);
    assert_no_step_beyond_a_decade(&seen, largest_norm(fixture.basis));
    rls2_path_free(path);
    unit_fixture_free(&fixture);
}

/* What leads to a point is part of its cost: each lambda on the way takes an iteration, and a
 * factorisation at least. */
static void path_fit__bridged_point__counts_the_work_on_the_way(void **state)
{
    (void)state;
    static const double lambda = 1e-5;
    unit_fixture fixture;
    steps seen;
    rls2_path *path = watched_path(&fixture, 1, &lambda, &seen);
    const rls2_path_point *point = rls2_path_at(path, 0);
    assert_true(seen.count > 5);
    assert_true(point->iterations >= seen.count);
    assert_true(point->factorizations >= seen.count);
    assert_true(point->offered >= seen.count * fixture.basis->m);
    rls2_path_free(path);
    unit_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__first_lambda_far_below_the_norms__is_come_to_by_decades),
        cmocka_unit_test(path_fit__lambdas_far_apart__are_joined_by_decades),
        cmocka_unit_test(path_fit__bridged_point__counts_the_work_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
