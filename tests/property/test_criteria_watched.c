/* Criteria of paths of many rows: the same for any number of threads, and stopped where the
 * callback says so. */
#include <stdlib.h>
#include <string.h>

#include "support/control.h"
#include "support/problem.h"

enum { N = 700, P = 3, LAMBDAS = 3 }; /* more than one tile */
static const double LAMBDA[LAMBDAS] = {1.0, 1e-1, 1e-3};

/* With a kernel of full rank, or of factors alone. */
static plain_problem make_problem(int low)
{
    rls2__random random;
    rls2__random_seed(&random, 6);
    plain_problem problem = problem_create(&random, N, P);
    problem_add_linear(&problem);
    problem_add(&problem, POLY, 2.0, 1.0, -1);
    if (!low) problem_add(&problem, LAPLACE, 1.0, 0.0, -1);
    return problem;
}

static void path_criteria__any_number_of_threads__same_bits(void **state)
{
    static const int counts[] = {2, 3, 16};
    (void)state;
    for (int low = 0; low < 2; low++) {
        rls2_error err;
        rls2_criteria one[LAMBDAS], more[LAMBDAS];
        plain_problem problem = make_problem(low);
        fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
        assert_ok(rls2_path_criteria(fitted.path, ON_THREADS(1), one, sizeof *one, &err), &err);
        for (size_t t = 0; t < sizeof counts / sizeof counts[0]; t++) {
            assert_ok(
                rls2_path_criteria(fitted.path, ON_THREADS(counts[t]), more, sizeof *more, &err),
                &err);
            for (int64_t l = 0; l < LAMBDAS; l++) {
                assert_true(one[l].df > 0.0 && one[l].loo > 0.0); /* not NaN */
                assert_true(more[l].df == one[l].df && more[l].rss == one[l].rss &&
                            more[l].loo == one[l].loo && more[l].gcv == one[l].gcv);
            }
        }
        fitted_free(&fitted);
        problem_free(&problem);
    }
}

static int stop_after(void *user, const rls2_progress *progress)
{
    int64_t *left = user;
    assert_string_equal(progress->stage, "criteria");
    return (*left)-- <= 0;
}

static void path_criteria__stopped__writes_nothing(void **state)
{
    (void)state;
    rls2_error err;
    rls2_criteria criteria[LAMBDAS];
    plain_problem problem = make_problem(0);
    fitted_path fitted = fit(&problem, NULL, LAMBDAS, LAMBDA, NULL);
    memset(criteria, 42, sizeof criteria);
    for (int64_t calls = 0; calls < LAMBDAS; calls++) {
        int64_t left = calls;
        assert_int_equal(rls2_path_criteria(fitted.path, WATCHED_BY(stop_after, &left, 2), criteria,
                                            sizeof *criteria, &err),
                         RLS2_ERR_CANCELLED);
        assert_true(left == -1); /* and it was not asked again */
        for (size_t i = 0; i < sizeof criteria; i++)
            assert_int_equal(((const unsigned char *)criteria)[i], 42);
    }
    fitted_free(&fitted);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_criteria__any_number_of_threads__same_bits),
        cmocka_unit_test(path_criteria__stopped__writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
