/* Variances and degrees of freedom of models: the same for any number of threads, and stopped where
 * the callback says so. */
#include <stdlib.h>
#include <string.h>

#include "support/control.h"
#include "support/one_output.h"
#include "support/problem.h"

enum { N = 600, P = 3, ROWS = 150, LAMBDAS = 1 }; /* more than one tile */
static const double LAMBDA[LAMBDAS] = {1e-2};

typedef struct made {
    plain_problem problem;
    fitted_path fitted;
    rls2_model *model;
    rls2_rows rows; /* the first ones */
} made;

static made make(void)
{
    made it;
    rls2_error err;
    rls2__random random;
    rls2__random_seed(&random, 8);
    it.problem = problem_create(&random, N, P);
    problem_add_linear(&it.problem);
    problem_add(&it.problem, LAPLACE, 1.0, 0.0, -1);
    it.fitted = fit(&it.problem, NULL, LAMBDAS, LAMBDA, NULL);
    assert_ok(model_of_one(it.fitted.path, 0, &it.model, &err), &err);
    it.rows = problem_rows(&it.problem);
    it.rows.ldx = N;
    it.rows.n = ROWS;
    return it;
}

static void release(made *it)
{
    rls2_model_free(it->model);
    fitted_free(&it->fitted);
    problem_free(&it->problem);
}

static void model_variance_watched__any_number_of_threads__same_bits(void **state)
{
    static const int counts[] = {2, 3, 16};
    (void)state;
    rls2_error err;
    made it = make();
    double one[ROWS], more[ROWS], df, again;
    assert_ok(rls2_model_variance(it.model, &it.rows, one, &err), &err);
    assert_ok(rls2_model_degrees_of_freedom(it.model, &df, &err), &err);
    assert_true(df > 1.0 && df < N);
    for (size_t t = 0; t < sizeof counts / sizeof counts[0]; t++) {
        const rls2_control *control = ON_THREADS(counts[t]);
        memset(more, 0, sizeof more);
        assert_ok(rls2_model_variance_watched(it.model, &it.rows, control, more, &err), &err);
        assert_memory_equal(more, one, sizeof one);
        assert_ok(rls2_model_degrees_of_freedom_watched(it.model, control, &again, &err), &err);
        assert_true(again == df);
    }
    assert_ok(rls2_model_factorize_watched(it.model, ON_THREADS(3), &err), &err);
    assert_ok(rls2_model_variance(it.model, &it.rows, more, &err), &err);
    assert_memory_equal(more, one, sizeof one);
    release(&it);
}

static int stop(void *user, const rls2_progress *progress)
{
    assert_string_equal(progress->stage, "variances");
    ++*(int *)user;
    return 1;
}

static void model_variance_watched__stopped__writes_nothing(void **state)
{
    (void)state;
    rls2_error err;
    made it = make();
    int calls = 0;
    const rls2_control *control = WATCHED_BY(stop, &calls, 2);
    double variance[ROWS], df = 42.0;
    for (int64_t i = 0; i < ROWS; i++) variance[i] = 42.0;
    assert_int_equal(rls2_model_variance_watched(it.model, &it.rows, control, variance, &err),
                     RLS2_ERR_CANCELLED);
    assert_int_equal(rls2_model_degrees_of_freedom_watched(it.model, control, &df, &err),
                     RLS2_ERR_CANCELLED);
    assert_int_equal(rls2_model_factorize_watched(it.model, control, &err), RLS2_ERR_CANCELLED);
    assert_int_equal(calls, 3); /* who said stop is not asked again */
    assert_true(df == 42.0);
    for (int64_t i = 0; i < ROWS; i++) assert_true(variance[i] == 42.0);
    release(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_variance_watched__any_number_of_threads__same_bits),
        cmocka_unit_test(model_variance_watched__stopped__writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
