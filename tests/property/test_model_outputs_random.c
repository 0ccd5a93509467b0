/* Random problems: what a model of several outputs says of all of them has the bits of what each
 * says alone, which are those of the model of its path, with any number of threads and after a stay
 * in a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_case.h"
#include "support/one_output.h"
#include "support/control.h"

enum { MOST_OUTPUTS = 5 };

/* Refused for one means refused for all: then there is nothing to compare. */
static void compare_predictions(const rls2_model *model, rls2_model *const *alone,
                                const rls2_rows *rows, const rls2_control *control)
{
    int64_t outputs = rls2_model_outputs(model);
    double *all = numbers(rows->n * outputs), *one = numbers(rows->n);
    rls2_error err;
    rls2_status status = rls2_model_predict(model, rows, control, all, &err), worst = RLS2_OK;
    for (int64_t o = 0; o < outputs; o++) {
        rls2_status single = rls2_model_predict(rls2_model_output(model, o), rows, NULL, one, &err);
        if (single != RLS2_OK) worst = single;
        if (status == RLS2_OK)
            assert_memory_equal(all + o * rows->n, one, (size_t)rows->n * sizeof *one);
        assert_int_equal(rls2_model_predict(alone[o], rows, NULL, one, &err), single);
        if (status == RLS2_OK)
            assert_memory_equal(all + o * rows->n, one, (size_t)rows->n * sizeof *one);
    }
    assert_int_equal(status, worst);
    free(all);
    free(one);
}

static void compare_variances(const rls2_model *model, rls2_model *const *alone,
                              const rls2_rows *rows)
{
    double *a = numbers(rows->n), *b = numbers(rows->n);
    rls2_error err;
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        rls2_status status = rls2_model_variance(rls2_model_output(model, o), rows, a, &err);
        assert_int_equal(rls2_model_variance(alone[o], rows, b, &err), status);
        if (status == RLS2_OK) assert_memory_equal(a, b, (size_t)rows->n * sizeof *a);
    }
    free(a);
    free(b);
}

static void compare(const random_case *it, const rls2_model *model, rls2_model *const *alone)
{
    rls2_rows train = problem_rows(&it->problem);
    compare_predictions(model, alone, &train, NULL);
    compare_predictions(model, alone, &train, ON_THREADS(1 + (int)(it->seed % 4)));
    compare_variances(model, alone, &train);
    if (it->problem.given_count == 0) compare_predictions(model, alone, &it->test_rows, NULL);
}

static rls2_model *through_a_file(const rls2_model *model)
{
    void *bytes[2];
    int64_t length[2];
    rls2_model *loaded = NULL;
    rls2_error err;
    assert_ok(rls2_model_pack(model, &bytes[0], &length[0], &err), &err);
    assert_ok(rls2_model_unpack("m", bytes[0], length[0], &loaded, &err), &err);
    assert_ok(rls2_model_pack(loaded, &bytes[1], &length[1], &err), &err);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)length[0]);
    for (int i = 0; i < 2; i++) rls2_bytes_free(bytes[i]);
    return loaded;
}

static void check_models(const random_case *it, int64_t outputs, const rls2_path *const *paths)
{
    rls2_model *model = NULL, *alone[MOST_OUTPUTS] = {NULL};
    rls2_error err;
    int64_t point = (int64_t)(it->seed % LAMBDAS);
    assert_ok(rls2_model_create(outputs, paths, point, &model, &err), &err);
    for (int64_t o = 0; o < outputs; o++)
        assert_ok(model_of_one(paths[o], point, &alone[o], &err), &err);
    compare(it, model, alone);
    rls2_model *loaded = through_a_file(model);
    compare(it, loaded, alone);
    rls2_model_free(loaded);
    rls2_model_free(model);
    for (int64_t o = 0; o < outputs; o++) rls2_model_free(alone[o]);
}

/* Further responses are the first with its rows in another order, or noise. */
static void check_case(const random_case *it, const fitted_path *fit)
{
    rls2_path *paths[MOST_OUTPUTS] = {NULL};
    int64_t n = it->problem.n, outputs = 2 + (int64_t)(it->seed % (MOST_OUTPUTS - 1));
    double *y = numbers(n);
    rls2_error err;
    if (rls2_path_count(fit->path) < LAMBDAS) fail_msg("a path of fewer points");
    for (int64_t o = 0; o < outputs; o++) {
        for (int64_t i = 0; i < n; i++)
            y[i] = o == 3 ? sin(7.0 * (double)i) : it->problem.y[(i + 5 * o) % n];
        assert_ok(fit_one(fit->basis, y, LAMBDAS, it->lambdas, &it->path, &paths[o], &err), &err);
    }
    check_models(it, outputs, (const rls2_path *const *)paths);
    for (int64_t o = 0; o < outputs; o++) rls2_path_free(paths[o]);
    free(y);
}

static void model_predict__several_outputs__has_the_bits_of_each_alone(void **state)
{
    (void)state;
    for_all_cases(check_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_predict__several_outputs__has_the_bits_of_each_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
