/* Certificates by blocks of columns: those of the definition, the same for any number of threads,
 * and stopped wherever the callback says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/control.h"
#include "support/problem.h"

enum { N = 1100, P = 3, LAMBDAS = 1 }; /* five blocks, and enough to be worth threads */
static const double LAMBDA[LAMBDAS] = {1e-2};

typedef struct made {
    plain_problem problem;
    fitted_path fitted;
} made;

static made make(void)
{
    made it;
    rls2__random random;
    rls2__random_seed(&random, 5);
    it.problem = problem_create(&random, N, P);
    problem_add_linear(&it.problem);
    problem_add(&it.problem, RBF, 0.5, 0.0, -1);
    problem_add(&it.problem, LAPLACE, 1.0, 0.0, 0);
    it.fitted = fit(&it.problem, NULL, LAMBDAS, LAMBDA, NULL);
    return it;
}

static void release(made *it)
{
    fitted_free(&it->fitted);
    problem_free(&it->problem);
}

static void path_certify__many_rows__equals_the_definition(void **state)
{
    (void)state;
    rls2_error err;
    rls2_certificate got;
    made it = make();
    const rls2_path *path = it.fitted.path;
    long double *R = plain_matrices(&it.problem, rls2_basis_scales(it.fitted.basis));
    double *y = centred(path, N, it.problem.y), *d = dense_weights(path, 0, it.problem.m);
    plain_certificate want = plain_certify(&it.problem, R, y, LAMBDA[0], d, rls2_path_c(path, 0));
    assert_ok(rls2_path_certify(path, 0, &got, sizeof got, &err), &err);
    assert_true(fabsl(got.primal - want.primal) <= 1e-12L * want.primal);
    assert_true(got.gap >= want.gap * (1.0L - 1e-9L));
    assert_true(got.gap <= want.gap + 1e-9L * want.primal);
    free(R);
    free(y);
    free(d);
    release(&it);
}

static void path_certify_watched__any_number_of_threads__same_bits(void **state)
{
    static const int counts[] = {1, 2, 3, 16};
    (void)state;
    rls2_error err;
    rls2_certificate one, more;
    made it = make();
    memset(&one, 0, sizeof one);
    assert_ok(rls2_path_certify(it.fitted.path, 0, &one, sizeof one, &err), &err);
    for (size_t t = 0; t < sizeof counts / sizeof counts[0]; t++) {
        memset(&more, 0, sizeof more);
        assert_ok(rls2_path_certify_watched(it.fitted.path, 0, ON_THREADS(counts[t]), &more,
                                            sizeof more, &err),
                  &err);
        assert_memory_equal(&more, &one, sizeof one);
    }
    release(&it);
}

typedef struct watcher {
    int64_t left, calls, done;
} watcher;

static int watch(void *user, const rls2_progress *progress)
{
    watcher *who = user;
    assert_string_equal(progress->stage, "certificate");
    assert_true(progress->done >= who->done && progress->done <= progress->total);
    who->done = progress->done;
    who->calls++;
    return who->left-- <= 0;
}

static void path_certify_watched__stopped__writes_nothing(void **state)
{
    (void)state;
    rls2_error err;
    rls2_certificate got;
    made it = make();
    watcher all = {INT64_MAX, 0, 0};
    assert_ok(rls2_path_certify_watched(it.fitted.path, 0, WATCHED_BY(watch, &all, 2), &got,
                                        sizeof got, &err),
              &err);
    assert_true(all.calls >= it.problem.m && all.done == it.problem.m);
    for (int64_t left = 0; left < it.problem.m; left++) {
        watcher who = {left, 0, 0};
        memset(&got, 42, sizeof got);
        assert_int_equal(rls2_path_certify_watched(it.fitted.path, 0, WATCHED_BY(watch, &who, 2),
                                                   &got, sizeof got, &err),
                         RLS2_ERR_CANCELLED);
        assert_int_equal(who.calls, left + 1);
        for (size_t i = 0; i < sizeof got; i++)
            assert_int_equal(((const unsigned char *)&got)[i], 42);
    }
    release(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_certify__many_rows__equals_the_definition),
        cmocka_unit_test(path_certify_watched__any_number_of_threads__same_bits),
        cmocka_unit_test(path_certify_watched__stopped__writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
