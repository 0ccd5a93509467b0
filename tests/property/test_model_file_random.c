/* Random problems: a model that was packed and unpacked says the same bits as before. */
#include <stdlib.h>
#include <string.h>

#include "support/random_case.h"
#include "support/one_output.h"

static void assert_same_bits(int64_t count, const double *a, const double *b)
{
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Both refuse with the same words, or both answer with the same bits. */
static void check_answers(const rls2_model *a, const rls2_model *b, const rls2_rows *rows,
                          double *u, double *v)
{
    rls2_error first = {.message = ""}, second = {.message = ""};
    int64_t size = rls2_model_kernel_count(a);
    rls2_status status = rls2_model_predict(a, rows, NULL, u, &first);
    assert_int_equal(status, rls2_model_predict(b, rows, NULL, v, &second));
    if (status == RLS2_OK) assert_same_bits(rows->n, u, v);
    status = rls2_model_contributions(a, rows, NULL, u, &first);
    assert_int_equal(status, rls2_model_contributions(b, rows, NULL, v, &second));
    if (status == RLS2_OK) assert_same_bits(rows->n * size, u, v);
    status = rls2_model_variance(a, rows, u, &first);
    assert_int_equal(status, rls2_model_variance(b, rows, v, &second));
    if (status == RLS2_OK) assert_same_bits(rows->n, u, v);
    status = rls2_model_shares(a, NULL, u, NULL, &first);
    assert_int_equal(status, rls2_model_shares(b, NULL, v, NULL, &second));
    if (status == RLS2_OK) assert_same_bits(size, u, v);
    assert_string_equal(first.message, second.message);
}

static void check_certificate(const random_case *it, const rls2_path *path, int64_t i,
                              const rls2_model *model)
{
    rls2_rows train = problem_rows(&it->problem);
    rls2_certificate a = {0}, b = {0};
    rls2_error err;
    rls2_status status = rls2_path_certify(path, i, &a, sizeof a, &err);
    assert_int_equal(status, rls2_model_certify(model, &train, it->problem.y, &b, sizeof b, &err));
    if (status != RLS2_OK) return;
    assert_true(a.primal == b.primal && a.dual == b.dual && a.gap == b.gap && a.max_q == b.max_q);
    assert_int_equal(a.max_kernel, b.max_kernel);
}

static void check_point(const random_case *it, const rls2_path *path, int64_t i)
{
    rls2_model *model = NULL, *loaded = NULL;
    void *bytes = NULL;
    int64_t length = 0;
    rls2_error err;
    rls2_rows train = problem_rows(&it->problem);
    assert_ok(model_of_one(path, i, &model, &err), &err);
    assert_ok(rls2_model_pack(model, &bytes, &length, &err), &err);
    assert_ok(rls2_model_unpack("m", bytes, length, &loaded, &err), &err);
    int64_t rows = it->problem.n > TEST_ROWS ? it->problem.n : TEST_ROWS;
    double *u = numbers(rows * (rls2_model_kernel_count(model) + 1)),
           *v = numbers(rows * (rls2_model_kernel_count(model) + 1));
    check_answers(model, loaded, &train, u, v);
    if (it->problem.given_count == 0) check_answers(model, loaded, &it->test_rows, u, v);
    check_certificate(it, path, i, loaded);
    free(u);
    free(v);
    rls2_bytes_free(bytes);
    rls2_model_free(loaded);
    rls2_model_free(model);
}

static void check_case(const random_case *it, const fitted_path *fit)
{
    int64_t count = rls2_path_count(fit->path);
    check_point(it, fit->path, 0);
    check_point(it, fit->path, count - 1);
}

static void model_unpack__random_model__says_the_same_bits(void **state)
{
    (void)state;
    for_all_cases(check_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_unpack__random_model__says_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
