/* Cancelling at every call of the progress callback: what was finished stays, to the
 * bit, and nothing leaks. */
#include "support/problem.h"
#include "support/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAMBDAS = 5 };
static const double grid[LAMBDAS] = {1e4, 10.0, 1.0, 0.02, 1e-4};

typedef struct watcher {
    int64_t stop_at; /* the call that says stop, from 0; -1 never */
    int64_t calls;
    int64_t done; /* of the last call */
    int64_t total;
    double lambda;
    int sound; /* every call made sense */
    const char *stage;
} watcher;

static int watch(void *user, const rls2_progress *progress)
{
    watcher *it = user;
    it->sound &= strcmp(progress->stage, it->stage) == 0 && progress->total == it->total &&
                 progress->done >= it->done && progress->done <= progress->total &&
                 isfinite(progress->gap) && progress->lambda >= 0.0 &&
                 (it->calls == 0 || progress->lambda <= it->lambda);
    int finished =
        strcmp(it->stage, "path") == 0 && progress->done > it->done; /* a lambda, with this call */
    it->sound &= (progress->point != NULL) == finished;
    if (progress->point)
        it->sound &= progress->point->lambda == progress->lambda &&
                     progress->point->gap == progress->gap && progress->point->selected > 0 &&
                     isfinite(progress->point->df);
    it->done = progress->done;
    it->lambda = progress->lambda;
    return it->calls++ == it->stop_at;
}

static plain_problem make_problem(void)
{
    rls2__random random;
    rls2__random_seed(&random, 31);
    plain_problem problem = problem_create(&random, 25, 4);
    problem_add_linear(&problem);
    problem_add_random(&problem, &random, 10);
    return problem;
}

/* Kernels of one column have a method of their own. */
static plain_problem make_linear_problem(void)
{
    rls2__random random;
    rls2__random_seed(&random, 32);
    plain_problem problem = problem_create(&random, 25, 40);
    problem_add_linear(&problem);
    return problem;
}

static rls2_path *fit_watched(const rls2_basis *basis, const double *y, rls2_solver solver,
                              watcher *it)
{
    rls2_error err;
    rls2_path *path = NULL;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = solver;
    options.degrees_of_freedom = RLS2_DF_EACH;
    assert_ok(
        rls2_path_fit(1, &basis, y, LAMBDAS, grid, &options, WATCHED_BY(watch, it, 1), &path, &err),
        &err);
    assert_non_null(path);
    return path;
}

static void assert_same_point(const rls2_path *a, const rls2_path *b, int64_t i, int64_t n)
{
    const rls2_path_point *u = rls2_path_at(a, i), *v = rls2_path_at(b, i);
    const int64_t *ku, *kv;
    const double *du, *dv;
    int64_t count = rls2_path_kernel_weights(a, i, &ku, &du);
    assert_int_equal(count, rls2_path_kernel_weights(b, i, &kv, &dv));
    assert_memory_equal(ku, kv, (size_t)count * sizeof *ku);
    assert_memory_equal(du, dv, (size_t)count * sizeof *du);
    assert_memory_equal(rls2_path_c(a, i), rls2_path_c(b, i), (size_t)n * sizeof(double));
    assert_true(u->lambda == v->lambda && u->objective == v->objective && u->gap == v->gap &&
                u->df == v->df);
    assert_int_equal(u->iterations, v->iterations);
    assert_int_equal(u->factorizations, v->factorizations);
}

static void assert_cancels_anywhere(plain_problem problem, rls2_solver solver)
{
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, grid, NULL);
    watcher whole = {.stop_at = -1, .total = LAMBDAS, .sound = 1, .stage = "path"};
    rls2_path *full = fit_watched(fitted.basis, problem.y, solver, &whole);
    assert_true(whole.sound);
    assert_true(whole.calls >= LAMBDAS);
    assert_int_equal(whole.done, LAMBDAS);
    assert_int_equal(rls2_path_cancelled(full), 0);
    assert_int_equal(rls2_path_count(full), LAMBDAS);
    for (int64_t k = 0; k < whole.calls; k++) {
        watcher it = {.stop_at = k, .total = LAMBDAS, .sound = 1, .stage = "path"};
        rls2_path *path = fit_watched(fitted.basis, problem.y, solver, &it);
        assert_int_equal(it.calls, k + 1); /* not asked again after it said stop */
        assert_int_equal(rls2_path_cancelled(path), rls2_path_count(path) < LAMBDAS);
        assert_int_equal(rls2_path_count(path), it.done);
        for (int64_t i = 0; i < rls2_path_count(path); i++)
            assert_same_point(path, full, i, problem.n);
        assert_null(rls2_path_at(path, rls2_path_count(path)));
        assert_null(rls2_path_c(path, rls2_path_count(path)));
        rls2_path_free(path);
    }
    rls2_path_free(full);
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_fit__newton_cancelled_at_any_call__keeps_what_was_finished(void **state)
{
    (void)state;
    assert_cancels_anywhere(make_problem(), RLS2_SOLVER_NEWTON);
}

static void path_fit__linear_cancelled_at_any_call__keeps_what_was_finished(void **state)
{
    (void)state;
    assert_cancels_anywhere(make_linear_problem(), RLS2_SOLVER_NEWTON);
}

static void path_fit__alternate_cancelled_at_any_call__keeps_what_was_finished(void **state)
{
    (void)state;
    assert_cancels_anywhere(make_problem(), RLS2_SOLVER_ALTERNATE);
}

static rls2_status build_watched(const rls2_dictionary *dictionary, const plain_problem *problem,
                                 int threads, watcher *it, rls2_basis **basis, rls2_error *err)
{
    rls2_rows rows = problem_rows(problem);
    return rls2_basis_create(dictionary, &rows, NULL, WATCHED_BY(watch, it, threads), basis, err);
}

static void basis_create__cancelled_at_any_call__returns_nothing(void **state)
{
    (void)state;
    rls2_error err;
    plain_problem problem = make_problem();
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, grid, NULL);
    for (int threads = 1; threads <= 2; threads++) {
        rls2_basis *basis = NULL, *untouched = fitted.basis;
        watcher whole = {.stop_at = -1, .total = problem.m, .sound = 1, .stage = "kernels"};
        assert_ok(build_watched(fitted.dictionary, &problem, threads, &whole, &basis, &err), &err);
        assert_true(whole.sound);
        if (threads == 1) assert_true(whole.calls >= problem.m);
        rls2_basis_free(basis);
        for (int64_t k = 0; k < problem.m; k++) {
            watcher it = {.stop_at = k, .total = problem.m, .sound = 1, .stage = "kernels"};
            basis = untouched;
            rls2_status status =
                build_watched(fitted.dictionary, &problem, threads, &it, &basis, &err);
            if (threads > 1 && status == RLS2_OK) { /* the calling thread made fewer than k calls */
                assert_true(it.calls <= k);
                rls2_basis_free(basis);
                continue;
            }
            assert_int_equal(status, RLS2_ERR_CANCELLED);
            assert_int_equal(err.status, RLS2_ERR_CANCELLED);
            assert_int_equal(it.calls, k + 1);
            assert_ptr_equal(basis, untouched);
        }
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

static void path_criteria__cancelled_at_any_call__returns_nothing(void **state)
{
    (void)state;
    plain_problem problem = make_problem();
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, grid, NULL);
    rls2_error err;
    rls2_criteria plain[LAMBDAS], watched[LAMBDAS];
    watcher whole = {.stop_at = -1, .total = LAMBDAS, .sound = 1, .stage = "criteria"};
    assert_ok(rls2_path_criteria(fitted.path, NULL, plain, sizeof *plain, &err), &err);
    assert_ok(rls2_path_criteria(fitted.path, WATCHED_BY(watch, &whole, 1), watched,
                                 sizeof *watched, &err),
              &err);
    assert_true(whole.sound);
    assert_int_equal(whole.calls, LAMBDAS);
    assert_memory_equal(plain, watched, sizeof plain);
    for (int64_t k = 0; k < LAMBDAS; k++) {
        watcher it = {.stop_at = k, .total = LAMBDAS, .sound = 1, .stage = "criteria"};
        memset(watched, 7, sizeof watched);
        memset(plain, 7, sizeof plain);
        assert_int_equal(rls2_path_criteria(fitted.path, WATCHED_BY(watch, &it, 1), watched,
                                            sizeof *watched, &err),
                         RLS2_ERR_CANCELLED);
        assert_string_equal(err.message, "the criteria were stopped");
        assert_int_equal(it.calls, k + 1);
        assert_memory_equal(plain, watched, sizeof plain);
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__newton_cancelled_at_any_call__keeps_what_was_finished),
        cmocka_unit_test(path_fit__linear_cancelled_at_any_call__keeps_what_was_finished),
        cmocka_unit_test(path_fit__alternate_cancelled_at_any_call__keeps_what_was_finished),
        cmocka_unit_test(basis_create__cancelled_at_any_call__returns_nothing),
        cmocka_unit_test(path_criteria__cancelled_at_any_call__returns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
