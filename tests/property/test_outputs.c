/* Paths of several responses: each as if it were alone, to the bit, for any number of threads, and
 * stopped anywhere. */
#include "support/problem.h"
#include "support/one_output.h"
#include "support/control.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 27, OUTPUTS = 5, LAMBDAS = 4 };
static const double grid[LAMBDAS] = {10.0, 1.0, 0.05, 1e-3};

typedef struct setting {
    plain_problem problem;
    fitted_path fitted;
    double y[ROWS * OUTPUTS];
    rls2_basis *rescaled[OUTPUTS];
    const rls2_basis *bases[OUTPUTS];
} setting;

/* Classes against the rest, each with a basis scaled for it. */
static setting setting_create(void)
{
    rls2__random random;
    rls2_error err;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    setting it = {0};
    rls2__random_seed(&random, 17);
    it.problem = problem_create(&random, ROWS, 4);
    problem_add_linear(&it.problem);
    problem_add_random(&it.problem, &random, 14);
    for (int o = 0; o < OUTPUTS; o++)
        for (int i = 0; i < ROWS; i++) it.y[o * ROWS + i] = i % (OUTPUTS + 1) == o ? 1.0 : -1.0;
    options.scaling = RLS2_SCALING_FISHER;
    options.skip_degenerate = 1;
    options.labels = it.y;
    it.fitted = fit(&it.problem, &options, 1, grid, NULL);
    for (int o = 0; o < OUTPUTS; o++) {
        assert_ok(rls2_basis_rescale(it.fitted.basis, it.y + o * ROWS, NULL, &it.rescaled[o], &err),
                  &err);
        it.bases[o] = it.rescaled[o];
    }
    return it;
}

static void setting_free(setting *it)
{
    for (int o = 0; o < OUTPUTS; o++) rls2_basis_free(it->rescaled[o]);
    fitted_free(&it->fitted);
    problem_free(&it->problem);
}

static void assert_same_point(const rls2_path *a, const rls2_path *b, int64_t i)
{
    const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, i);
    const int64_t *ku, *kv;
    const double *du, *dv;
    int64_t count = rls2_path_kernel_weights(a, i, &ku, &du);
    assert_int_equal(count, rls2_path_kernel_weights(b, i, &kv, &dv));
    assert_memory_equal(ku, kv, (size_t)count * sizeof *ku);
    assert_memory_equal(du, dv, (size_t)count * sizeof *du);
    assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), ROWS * sizeof(double));
    assert_true(u->lambda == v->lambda && u->objective == v->objective && u->gap == v->gap);
    assert_true(u->df == v->df || (isnan(u->df) && isnan(v->df)));
}

static void free_paths(rls2_path **paths)
{
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(paths[o]);
}

static void path_fit_outputs__any_number_of_threads__is_path_fit_to_the_bit(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_error err;
    for (int threads = 0; threads < 5; threads++)
        for (int solver = 0; solver < 2; solver++) {
            rls2_path *paths[OUTPUTS];
            rls2_path_options options;
            rls2_path_options_init(&options, sizeof options);
            options.solver = (rls2_solver)solver;
            options.degrees_of_freedom = RLS2_DF_EACH;
            assert_ok(rls2_path_fit(OUTPUTS, it.bases, it.y, LAMBDAS, grid, &options,
                                    ON_THREADS(threads), paths, &err),
                      &err);
            for (int o = 0; o < OUTPUTS; o++) {
                rls2_path *alone = NULL;
                assert_ok(
                    fit_one(it.bases[o], it.y + o * ROWS, LAMBDAS, grid, &options, &alone, &err),
                    &err);
                assert_int_equal(rls2_path_count(paths[o]), LAMBDAS);
                assert_int_equal(rls2_path_cancelled(paths[o]), 0);
                assert_true(rls2_path_intercept(alone) == rls2_path_intercept(paths[o]));
                for (int64_t i = 0; i < LAMBDAS; i++) assert_same_point(alone, paths[o], i);
                rls2_path_free(alone);
            }
            free_paths(paths);
        }
    setting_free(&it);
}

/* Options may be NULL, and one basis may serve for all. */
static void path_fit_outputs__one_basis_for_all__is_path_fit(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_error err;
    rls2_path *paths[OUTPUTS], *alone = NULL;
    const rls2_basis *same[OUTPUTS];
    for (int o = 0; o < OUTPUTS; o++) same[o] = it.fitted.basis;
    assert_ok(rls2_path_fit(OUTPUTS, same, it.y, LAMBDAS, grid, NULL, ON_THREADS(2), paths, &err),
              &err);
    assert_ok(fit_one(same[0], it.y + 3 * ROWS, LAMBDAS, grid, NULL, &alone, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) assert_same_point(alone, paths[3], i);
    rls2_path_free(alone);
    free_paths(paths);
    setting_free(&it);
}

typedef struct watcher {
    pthread_t caller;
    int64_t stop_at, calls, done;
    int sound;
} watcher;

static int watch(void *user, const rls2_progress *progress)
{
    watcher *it = user;
    it->sound &= pthread_equal(pthread_self(), it->caller) &&
                 strcmp(progress->stage, "path") == 0 && progress->total == OUTPUTS * LAMBDAS &&
                 progress->done >= it->done && progress->done <= progress->total &&
                 (it->stop_at < 0 || it->calls <= it->stop_at) &&
                 !progress->point; /* whose it would be is not told */
    it->done = progress->done;
    return it->calls++ == it->stop_at;
}

static void path_fit_outputs__stopped_at_any_call__keeps_what_was_finished(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_error err;
    rls2_path *whole[OUTPUTS];
    watcher all = {.caller = pthread_self(), .stop_at = -1, .sound = 1};
    for (int threads = 1; threads < 3; threads++) {
        all.calls = all.done = 0;
        assert_ok(rls2_path_fit(OUTPUTS, it.bases, it.y, LAMBDAS, grid, NULL,
                                WATCHED_BY(watch, &all, threads), whole, &err),
                  &err);
        assert_true(all.sound);
        assert_int_equal(all.done,
                         OUTPUTS * LAMBDAS); /* the last word, whoever did the last point */
        for (int64_t stop = 0; stop < all.calls; stop += threads == 1 ? 1 : 3) {
            rls2_path *paths[OUTPUTS];
            int64_t points = 0;
            watcher some = {.caller = pthread_self(), .stop_at = stop, .sound = 1};
            assert_ok(rls2_path_fit(OUTPUTS, it.bases, it.y, LAMBDAS, grid, NULL,
                                    WATCHED_BY(watch, &some, threads), paths, &err),
                      &err);
            assert_true(some.sound);
            for (int o = 0; o < OUTPUTS; o++) {
                int64_t count = rls2_path_count(paths[o]);
                points += count;
                assert_int_equal(rls2_path_cancelled(paths[o]), count < LAMBDAS);
                for (int64_t i = 0; i < count; i++) assert_same_point(whole[o], paths[o], i);
            }
            assert_true(points >= some.done);
            if (threads == 1) assert_int_equal(points, some.done);
            free_paths(paths);
        }
        free_paths(whole);
    }
    setting_free(&it);
}

static void lambda_default_outputs__starts_at_the_largest_top(void **state)
{
    (void)state;
    setting it = setting_create();
    rls2_error err;
    double of_all[LAMBDAS], alone[LAMBDAS], largest = 0.0, constant[2 * ROWS];
    assert_ok(rls2_lambda_default(OUTPUTS, it.bases, it.y, RLS2_INTERCEPT_MEAN, 1e-3, LAMBDAS,
                                  of_all, &err),
              &err);
    for (int o = 0; o < OUTPUTS; o++) {
        assert_ok(grid_of_one(it.bases[o], it.y + o * ROWS, RLS2_INTERCEPT_MEAN, 1e-3, LAMBDAS,
                              alone, &err),
                  &err);
        largest = fmax(largest, alone[0]);
    }
    assert_true(of_all[0] == largest && fabs(of_all[LAMBDAS - 1] / (1e-3 * largest) - 1.0) < 1e-14);
    /* a response that is constant has no say, unless all are */
    for (int i = 0; i < ROWS; i++) constant[i] = 3.0, constant[ROWS + i] = it.y[i];
    assert_ok(grid_of_one(it.bases[0], it.y, RLS2_INTERCEPT_MEAN, 1e-3, LAMBDAS, alone, &err),
              &err);
    const rls2_basis *two[] = {it.bases[0], it.bases[0]};
    assert_ok(
        rls2_lambda_default(2, two, constant, RLS2_INTERCEPT_MEAN, 1e-3, LAMBDAS, of_all, &err),
        &err);
    assert_memory_equal(of_all, alone, sizeof of_all);
    assert_ok(
        rls2_lambda_default(1, two, constant, RLS2_INTERCEPT_MEAN, 1e-3, LAMBDAS, of_all, &err),
        &err);
    assert_true(of_all[0] == 1.0);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit_outputs__any_number_of_threads__is_path_fit_to_the_bit),
        cmocka_unit_test(path_fit_outputs__one_basis_for_all__is_path_fit),
        cmocka_unit_test(path_fit_outputs__stopped_at_any_call__keeps_what_was_finished),
        cmocka_unit_test(lambda_default_outputs__starts_at_the_largest_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
