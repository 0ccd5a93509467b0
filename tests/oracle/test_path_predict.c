/* rls2_path_predict against the definition, and against models made of the points. */
#include <math.h>
#include <stdlib.h>

#include "support/control.h"
#include "support/problem.h"
#include "support/one_output.h"

enum { N = 23, N_NEW = 7, P = 3, LAMBDAS = 6 };
static const double LAMBDA[LAMBDAS] = {1e3, 1.0, 1e-1, 1e-2, 1e-3, 1e-4};

typedef struct made {
    plain_problem problem;
    plain_problem fresh; /* its rows only */
    fitted_path fitted;
} made;

static made make(uint64_t seed, int with_given)
{
    rls2__random random;
    made m;
    rls2__random_seed(&random, seed);
    m.problem = problem_create(&random, N, P);
    m.fresh = problem_create(&random, N_NEW, P);
    problem_add_random(&m.problem, &random, with_given ? 0 : 12);
    problem_add_linear(&m.problem);
    for (int64_t j = 0; j < P; j++) problem_add(&m.problem, RBF, 0.7, 0.0, j);
    m.fitted = fit(&m.problem, NULL, LAMBDAS, LAMBDA, NULL);
    return m;
}

static void drop(made *m)
{
    fitted_free(&m->fitted);
    problem_free(&m->problem);
    problem_free(&m->fresh);
}

static int uses_given(const plain_problem *problem)
{
    for (int64_t k = 0; k < problem->m; k++)
        if (problem->kernels[k].kind == GIVEN) return 1;
    return 0;
}

static void rls2_path_predict__new_rows__equals_the_definition(void **state)
{
    (void)state;
    rls2_error err;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made m = make(seed, 1);
        rls2_rows rows = problem_rows(&m.fresh);
        double *f = numbers(N_NEW * LAMBDAS);
        const double *s = rls2_basis_scales(m.fitted.basis);
        assert_false(uses_given(&m.problem));
        assert_ok(rls2_path_predict(m.fitted.path, &rows, f, &err), &err);
        for (int64_t i = 0; i < LAMBDAS; i++) {
            double *d = dense_weights(m.fitted.path, i, m.problem.m);
            const double *c = rls2_path_c(m.fitted.path, i);
            for (int64_t t = 0; t < N_NEW; t++) {
                long double sum = rls2_path_intercept(m.fitted.path), size = fabsl(sum);
                for (int64_t k = 0; k < m.problem.m; k++)
                    for (int64_t j = 0; j < N && d[k] > 0.0; j++) {
                        long double term = (long double)d[k] * s[k] * c[j] *
                                           plain_value(&m.problem, &m.problem.kernels[k], N_NEW,
                                                       m.fresh.x, t, N, m.problem.x, j);
                        sum += term;
                        size += fabsl(term);
                    }
                assert_true(fabsl(sum - f[i * N_NEW + t]) <= 1e-12L * size);
            }
            free(d);
        }
        free(f);
        drop(&m);
    }
}

static void rls2_path_predict__training_rows__equals_the_models(void **state)
{
    (void)state;
    rls2_error err;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made m = make(seed, 0);
        rls2_rows rows = problem_rows(&m.problem);
        double *f = numbers(N * LAMBDAS), *alone = numbers(N);
        assert_ok(rls2_path_predict(m.fitted.path, &rows, f, &err), &err);
        for (int64_t i = 0; i < LAMBDAS; i++) {
            rls2_model *model;
            assert_ok(model_of_one(m.fitted.path, i, &model, &err), &err);
            assert_ok(rls2_model_predict(model, &rows, NULL, alone, &err), &err);
            for (int64_t t = 0; t < N; t++)
                assert_true(fabs(alone[t] - f[i * N + t]) <= 1e-10 * (1.0 + fabs(alone[t])));
            rls2_model_free(model);
        }
        free(f);
        free(alone);
        drop(&m);
    }
}

static void rls2_path_predict__wrong_arguments__are_refused_and_nothing_is_written(void **state)
{
    (void)state;
    rls2_error err;
    made m = make(3, 0);
    rls2_rows rows = problem_rows(&m.problem), narrow = rows;
    double f = 7.0;
    narrow.p--;
    assert_int_equal(rls2_path_predict(NULL, &rows, &f, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_path_predict(m.fitted.path, &rows, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_path_predict(m.fitted.path, NULL, &f, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_path_predict(m.fitted.path, &narrow, &f, &err), RLS2_ERR_ARGUMENT);
    assert_true(f == 7.0);
    drop(&m);
}

/* Rows that are tasks of several threads: each is predicted as if it were alone. */
static void rls2_path_predict_watched__many_rows__are_those_of_one_thread_and_of_each(void **state)
{
    (void)state;
    enum { MANY = 50000 };
    rls2_error err;
    rls2__random random;
    made m = make(5, 1);
    rls2__random_seed(&random, 9);
    plain_problem many = problem_create(&random, MANY, P);
    rls2_rows rows = problem_rows(&many), last = rows;
    double *f[3], one[LAMBDAS];
    for (int t = 0; t < 3; t++) {
        f[t] = numbers(MANY * LAMBDAS);
        assert_ok(rls2_path_predict_watched(m.fitted.path, &rows, ON_THREADS(t + 1), f[t], &err),
                  &err);
        assert_memory_equal(f[0], f[t], (size_t)(MANY * LAMBDAS) * sizeof(double));
    }
    last.n = 1;
    last.x = rows.x + MANY - 1;
    last.ldx = MANY;
    assert_ok(rls2_path_predict(m.fitted.path, &last, one, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++)
        assert_true(fabs(one[i] - f[0][i * MANY + MANY - 1]) <= 1e-12 * (1.0 + fabs(one[i])));
    for (int t = 0; t < 3; t++) free(f[t]);
    problem_free(&many);
    drop(&m);
}

static int stop_at_once(void *user, const rls2_progress *at)
{
    int64_t *calls = user;
    assert_string_equal(at->stage, "rows");
    (*calls)++;
    return 1;
}

static void rls2_path_predict_watched__stopped__is_cancelled_and_writes_nothing(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    rls2_error err;
    made m = make(5, 1);
    double *x = numbers((int64_t)MANY * P), *f = numbers((int64_t)MANY * LAMBDAS);
    rls2_rows rows = {.n = MANY, .p = P, .x = x};
    for (int64_t i = 0; i < (int64_t)MANY * P; i++) x[i] = 0.5;
    for (int threads = 1; threads <= 2; threads++) {
        int64_t calls = 0;
        f[0] = -7.0;
        assert_int_equal(rls2_path_predict_watched(m.fitted.path, &rows,
                                                   WATCHED_BY(stop_at_once, &calls, threads), f,
                                                   &err),
                         RLS2_ERR_CANCELLED);
        assert_int_equal(calls, 1);
        assert_true(f[0] == -7.0);
    }
    free(x);
    free(f);
    drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rls2_path_predict__new_rows__equals_the_definition),
        cmocka_unit_test(rls2_path_predict__training_rows__equals_the_models),
        cmocka_unit_test(rls2_path_predict__wrong_arguments__are_refused_and_nothing_is_written),
        cmocka_unit_test(rls2_path_predict_watched__many_rows__are_those_of_one_thread_and_of_each),
        cmocka_unit_test(rls2_path_predict_watched__stopped__is_cancelled_and_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
