/* Paths with shared weights: what must hold of every loss and every intercept. */
#include "support/control.h"
#include "support/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/threads.h"
#include "solver/outputs.h"
#include "solver/path_run.h"

enum { ROWS = 50, OUTPUTS = 3, COUNT = 9 };

static const char *const LOSSES[] = {
    "square",      "logistic", "squared-hinge", "huber(0.5)",   "poisson",
    "multinomial", "hinge",    "quantile(0.3)", "epsilon(0.1)", "absolute"};
enum { LOSS_COUNT = sizeof LOSSES / sizeof *LOSSES, SMOOTH = 6 /* the others have kinks */ };
static const double TOLERANCE = 1e-6, LOOSE = 1e-4; /* where envelopes may stall */

static void grid(const shared_problem *it, const rls2_path_options *options, double *lambdas)
{
    rls2_error err;
    assert_ok(rls2_lambda_default_for(it->outputs, it->bases, shared_responses(it, options->loss),
                                      options, 1e-4, COUNT, lambdas, &err),
              &err);
}

static void assert_same_weights(const rls2_path *a, const rls2_path *b, int64_t i)
{
    const int64_t *ka, *kb;
    const double *da, *db;
    int64_t count = rls2_path_kernel_weights(a, i, &ka, &da);
    assert_int_equal(rls2_path_kernel_weights(b, i, &kb, &db), count);
    assert_memory_equal(ka, kb, (size_t)count * sizeof *ka);
    assert_memory_equal(da, db, (size_t)count * sizeof *da);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.12g, not %.12g", value, expected);
}

/* The certificate is recomputed from the rows; what it says of the gap is that of the point. */
static void check_point(rls2_path *const *paths, int64_t i, double tolerance)
{
    rls2_error err;
    rls2_certificate found;
    const rls2_path_point *point = rls2_path_at(paths[0], i);
    if (!(point->gap >= 0.0 && point->gap <= tolerance))
        fail_msg("%s, lambda %g: gap %g after %lld iterations, outcome %d",
                 rls2_loss_text(rls2_path_loss(paths[0]), (char[40]){0}, 40), point->lambda,
                 point->gap, (long long)point->iterations, (int)point->outcome);
    if (tolerance <= TOLERANCE) assert_int_equal(point->outcome, RLS2_OUTCOME_CONVERGED);
    for (int o = 1; o < OUTPUTS; o++) {
        assert_same_weights(paths[0], paths[o], i);
        assert_true(rls2_path_at(paths[o], i)->objective == point->objective);
        assert_true(rls2_path_at(paths[o], i)->gap == point->gap);
    }
    assert_ok(rls2_paths_certify(OUTPUTS, (const rls2_path *const *)paths, i, NULL, &found,
                                 sizeof found, &err),
              &err);
    assert_true(found.gap >= 0.0 && found.relative_gap <= 1.01 * point->gap + 1e-8);
    assert_near(found.primal, point->objective, 1e-10);
    assert_true(found.dual <= found.primal);
}

static void path_fit__shared_weights__are_the_same_and_proven(void **state)
{
    shared_problem it = shared_create(11, ROWS, OUTPUTS, NULL);
    (void)state;
    for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++)
        for (int l = 0; l < LOSS_COUNT; l++) {
            rls2_path_options options = shared_options(LOSSES[l], (rls2_intercept)rule);
            double lambdas[COUNT];
            rls2_path *paths[OUTPUTS];
            grid(&it, &options, lambdas);
            shared_fit(&it, &options, COUNT, lambdas, NULL, paths);
            for (int64_t i = 0; i < COUNT; i++)
                check_point(paths, i, l < SMOOTH ? TOLERANCE : LOOSE);
            assert_int_equal(rls2_path_sharing(paths[1]), OUTPUTS);
            shared_free_paths(OUTPUTS, paths);
        }
    shared_free(&it);
}

/* No d of its own, found by any other means, is better than the joint one by more than the gap:
 * here the weights that single outputs would choose. */
static void path_fit__shared_objective__lies_above_the_separate_ones(void **state)
{
    static const char *const APART[] = {"square", "logistic", "huber(0.5)", "poisson", "hinge"};
    shared_problem it = shared_create(12, ROWS, OUTPUTS, NULL);
    (void)state;
    for (size_t l = 0; l < sizeof APART / sizeof *APART; l++) {
        rls2_path_options options = shared_options(APART[l], RLS2_INTERCEPT_MEAN);
        rls2_path *shared[OUTPUTS], *apart[OUTPUTS];
        double lambdas[COUNT];
        grid(&it, &options, lambdas);
        shared_fit(&it, &options, COUNT, lambdas, NULL, shared);
        options.shared_weights = 0;
        shared_fit(&it, &options, COUNT, lambdas, NULL, apart);
        for (int64_t i = 0; i < COUNT; i++) {
            double sum = 0.0;
            for (int o = 0; o < OUTPUTS; o++) sum += rls2_path_at(apart[o], i)->objective;
            assert_true(sum <= rls2_path_at(shared[0], i)->objective * (1.0 + 1e-6));
        }
        shared_free_paths(OUTPUTS, shared);
        shared_free_paths(OUTPUTS, apart);
    }
    shared_free(&it);
}

static void path_fit__one_output__is_the_path_that_it_was(void **state)
{
    shared_problem it = shared_create(13, ROWS, 1, NULL);
    static const char *const SOME[] = {"square", "logistic"};
    (void)state;
    for (int l = 0; l < 2; l++) {
        rls2_path_options options = shared_options(SOME[l], RLS2_INTERCEPT_FREE);
        double lambdas[COUNT], *y = it.numbers;
        rls2_path *shared, *plain;
        rls2_error err;
        if (l == 1)
            for (int64_t i = 0; i < ROWS; i++) y[i] = y[i] > 0.0 ? 1.0 : -1.0;
        assert_ok(rls2_lambda_grid(1e-4, 1.0, COUNT, lambdas, &err), &err);
        assert_ok(rls2_path_fit(1, it.bases, y, COUNT, lambdas, &options, NULL, &shared, &err),
                  &err);
        options.shared_weights = 0;
        assert_ok(rls2_path_fit(1, it.bases, y, COUNT, lambdas, &options, NULL, &plain, &err),
                  &err);
        for (int64_t i = 0; i < COUNT; i++) {
            assert_same_weights(shared, plain, i);
            assert_memory_equal(rls2_path_c(shared, i), rls2_path_c(plain, i),
                                ROWS * sizeof(double));
        }
        rls2_path_free(shared);
        rls2_path_free(plain);
    }
    shared_free(&it);
}

/* Equal responses share the weights that each would choose. */
static void path_fit__equal_outputs__have_the_weights_of_one(void **state)
{
    shared_problem it = shared_create(14, ROWS, OUTPUTS, NULL);
    rls2_path_options options = shared_options("square", RLS2_INTERCEPT_MEAN);
    double lambdas[COUNT];
    rls2_path *shared[OUTPUTS], *one;
    rls2_error err;
    (void)state;
    for (int o = 1; o < OUTPUTS; o++)
        memcpy(it.numbers + o * ROWS, it.numbers, ROWS * sizeof(double));
    options.gap_tol = 1e-10;
    assert_ok(rls2_lambda_grid(1e-4, 1.0, COUNT, lambdas, &err), &err);
    shared_fit(&it, &options, COUNT, lambdas, NULL, shared);
    assert_ok(rls2_path_fit(1, it.bases, it.numbers, COUNT, lambdas, &options, NULL, &one, &err),
              &err);
    for (int64_t i = 0; i < COUNT; i++) {
        double *d = dense_weights(one, i, it.problem.m),
               *e = dense_weights(shared[2], i, it.problem.m);
        for (int64_t k = 0; k < it.problem.m; k++) assert_true(fabs(d[k] - e[k]) <= 1e-4);
        assert_near(rls2_path_at(shared[0], i)->objective,
                    OUTPUTS * rls2_path_at(one, i)->objective, 1e-9);
        assert_near(rls2_path_at(shared[1], i)->df, rls2_path_at(one, i)->df, 1e-3);
        free(d);
        free(e);
    }
    rls2_path_free(one);
    shared_free_paths(OUTPUTS, shared);
    shared_free(&it);
}

static void path_fit__row_weights__are_rows_repeated(void **state)
{
    static const char *const SOME[] = {"square", "logistic", "multinomial", "hinge"};
    double times[ROWS];
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) times[i] = (double)(1 + i % 3);
    shared_problem weighted = shared_create(15, ROWS, OUTPUTS, times);
    shared_problem repeated = shared_repeat(&weighted, times);
    for (int l = 0; l < 4; l++)
        for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++) {
            rls2_path_options options = shared_options(SOME[l], (rls2_intercept)rule);
            double lambdas[COUNT];
            rls2_path *a[OUTPUTS], *b[OUTPUTS];
            grid(&weighted, &options, lambdas);
            shared_fit(&weighted, &options, COUNT, lambdas, NULL, a);
            shared_fit(&repeated, &options, COUNT, lambdas, NULL, b);
            for (int64_t i = 0; i < COUNT; i++) {
                check_point(a, i, l < 3 ? TOLERANCE : LOOSE);
                assert_near(rls2_path_at(a[0], i)->objective, rls2_path_at(b[0], i)->objective,
                            l < 3 ? 2e-6 : 2e-4);
            }
            shared_free_paths(OUTPUTS, a);
            shared_free_paths(OUTPUTS, b);
        }
    shared_free(&weighted);
    shared_free(&repeated);
}

static void assert_same_bits(rls2_path *const *a, rls2_path *const *b, int64_t count, int64_t n)
{
    for (int o = 0; o < OUTPUTS; o++)
        for (int64_t i = 0; i < count; i++) {
            assert_same_weights(a[o], b[o], i);
            assert_memory_equal(rls2_path_c(a[o], i), rls2_path_c(b[o], i),
                                (size_t)n * sizeof(double));
            assert_true(rls2_path_intercept_at(a[o], i) == rls2_path_intercept_at(b[o], i));
            assert_true(rls2_path_at(a[o], i)->gap == rls2_path_at(b[o], i)->gap);
        }
}

static void path_fit__any_number_of_threads__has_the_same_bits(void **state)
{
    enum { MANY = 1010, FEW = 2 }; /* beyond 1,000 rows matrices are cut into tiles */
    static const char *const SOME[] = {"square", "multinomial"};
    shared_problem it = shared_create(16, MANY, OUTPUTS, NULL);
    double lambdas[COUNT];
    (void)state;
    for (int l = 0; l < 2; l++) {
        rls2_path_options options = shared_options(SOME[l], RLS2_INTERCEPT_FREE);
        rls2_path *a[OUTPUTS], *b[OUTPUTS];
        options.gap_tol = 1e-3;
        options.degrees_of_freedom = RLS2_DF_NONE;
        grid(&it, &options, lambdas);
        shared_fit(&it, &options, FEW, lambdas, ON_THREADS(1), a);
        shared_fit(&it, &options, FEW, lambdas, ON_THREADS(4), b);
        assert_same_bits(a, b, FEW, MANY);
        shared_free_paths(OUTPUTS, a);
        shared_free_paths(OUTPUTS, b);
    }
    shared_free(&it);
}

/* ---- stopping and going on ---- */

typedef struct watcher {
    int64_t stop_at; /* points */
    int64_t last, total;
} watcher;

static int watch(void *user, const rls2_progress *progress)
{
    watcher *w = user;
    assert_true(progress->done >= w->last && progress->done % OUTPUTS == 0);
    w->last = progress->done;
    w->total = progress->total;
    return progress->done >= w->stop_at;
}

static void path_fit__stopped__keeps_the_same_lambdas_of_all_outputs(void **state)
{
    enum { STOP = 4 };
    static const char *const SOME[] = {"square", "multinomial"};
    shared_problem it = shared_create(17, ROWS, OUTPUTS, NULL);
    double lambdas[COUNT];
    (void)state;
    for (int l = 0; l < 2; l++) {
        rls2_path_options options = shared_options(SOME[l], RLS2_INTERCEPT_MEAN);
        rls2_path *whole[OUTPUTS], *part[OUTPUTS];
        watcher w = {.stop_at = STOP * OUTPUTS};
        grid(&it, &options, lambdas);
        shared_fit(&it, &options, COUNT, lambdas, NULL, whole);
        shared_fit(&it, &options, COUNT, lambdas, WATCHED_BY(watch, &w, 1), part);
        assert_int_equal(w.total, COUNT * OUTPUTS);
        for (int o = 0; o < OUTPUTS; o++) {
            assert_int_equal(rls2_path_count(part[o]), STOP);
            assert_true(rls2_path_cancelled(part[o]));
            assert_false(rls2_path_cancelled(whole[o]));
        }
        assert_same_bits(whole, part, STOP, ROWS);
        shared_free_paths(OUTPUTS, whole);
        shared_free_paths(OUTPUTS, part);
    }
    shared_free(&it);
}

static void run(const shared_problem *it, const rls2_path_options *options, int64_t from,
                int64_t count, const double *lambdas, rls2_path **paths)
{
    const rls2_control control = {.size = sizeof control, .threads = 1};
    rls2_error err;
    rls2__paths_job job = {.outputs = OUTPUTS,
                           .bases = it->bases,
                           .y = shared_responses(it, options->loss),
                           .count = count,
                           .lambdas = lambdas + from,
                           .options = options,
                           .control = &control,
                           .keeps_open = 1};
    assert_ok(rls2__outputs_run(&job, paths, &err), &err);
}

static void outputs_run__further_lambdas__are_those_of_one_run(void **state)
{
    enum { FIRST = 4 };
    static const char *const SOME[] = {"square", "logistic", "multinomial"};
    shared_problem it = shared_create(18, ROWS, OUTPUTS, NULL);
    double lambdas[COUNT];
    rls2_error err;
    (void)state;
    assert_ok(rls2__la_enter(&err), &err);
    for (int l = 0; l < 3; l++)
        for (int closed = 0; closed < 2; closed++) {
            rls2_path_options options = shared_options(SOME[l], RLS2_INTERCEPT_FREE);
            rls2_path *whole[OUTPUTS], *parts[OUTPUTS] = {NULL};
            grid(&it, &options, lambdas);
            shared_fit(&it, &options, COUNT, lambdas, NULL, whole);
            run(&it, &options, 0, FIRST, lambdas, parts);
            if (closed) rls2__path_close(parts[0]);
            run(&it, &options, FIRST, COUNT - FIRST, lambdas, parts);
            if (!closed) assert_same_bits(whole, parts, COUNT, ROWS);
            for (int64_t i = 0; i < COUNT; i++) check_point(parts, i, TOLERANCE);
            shared_free_paths(OUTPUTS, whole);
            shared_free_paths(OUTPUTS, parts);
        }
    rls2__la_leave();
    shared_free(&it);
}

/* A class that no row of a split has: its probability is next to nothing, and all is proven. */
static void path_fit__absent_class__is_next_to_impossible(void **state)
{
    shared_problem it = shared_create(19, ROWS, OUTPUTS, NULL);
    double lambdas[COUNT];
    (void)state;
    for (int64_t i = 0; i < ROWS; i++)
        if (it.labels[2 * ROWS + i] > 0.0) {
            it.labels[2 * ROWS + i] = -1.0;
            it.labels[i] = 1.0;
        }
    for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++) {
        rls2_path_options options = shared_options("multinomial", (rls2_intercept)rule);
        rls2_path *paths[OUTPUTS];
        grid(&it, &options, lambdas);
        shared_fit(&it, &options, COUNT, lambdas, NULL, paths);
        for (int64_t i = 0; i < COUNT; i++) {
            check_point(paths, i, TOLERANCE);
            if (rule == RLS2_INTERCEPT_NONE) continue;
            assert_true(rls2_path_intercept_at(paths[2], i) <
                        rls2_path_intercept_at(paths[0], i) - 10.0);
        }
        shared_free_paths(OUTPUTS, paths);
    }
    shared_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__shared_weights__are_the_same_and_proven),
        cmocka_unit_test(path_fit__shared_objective__lies_above_the_separate_ones),
        cmocka_unit_test(path_fit__one_output__is_the_path_that_it_was),
        cmocka_unit_test(path_fit__equal_outputs__have_the_weights_of_one),
        cmocka_unit_test(path_fit__row_weights__are_rows_repeated),
        cmocka_unit_test(path_fit__any_number_of_threads__has_the_same_bits),
        cmocka_unit_test(path_fit__stopped__keeps_the_same_lambdas_of_all_outputs),
        cmocka_unit_test(outputs_run__further_lambdas__are_those_of_one_run),
        cmocka_unit_test(path_fit__absent_class__is_next_to_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
