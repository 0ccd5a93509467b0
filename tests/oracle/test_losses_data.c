/* Paths of losses with kinks on real data: every lambda of the default grid is certified, from the
 * data anew, and takes few factorisations. cpu has outliers, and is interpolated where lambda is
 * small; heart has labels. */
#include "support/problem.h"

#include <math.h>
#include <stdlib.h>

enum { LAMBDAS = 30, MOST_TIMES = 4 };

typedef struct table {
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    double *y;
} table;

static table table_create(const char *name)
{
    table it;
    rls2_error err;
    assert_ok(paper_set_load(paper_set_find(name), "data", &it.data, &err), &err);
    int64_t n = rls2_dataset_rows(it.data), p = rls2_dataset_columns(it.data);
    rls2_columns columns = {.count = p};
    rls2_rows rows = {.n = n, .p = p, .x = rls2_dataset_x(it.data)};
    double mean = 0.0, square = 0.0;
    assert_ok(rls2_dictionary_create("paper", &columns, &it.dictionary, &err), &err);
    assert_ok(rls2_basis_create(it.dictionary, &rows, NULL, NULL, &it.basis, &err), &err);
    it.y = numbers(n);
    for (int64_t i = 0; i < n; i++) mean += rls2_dataset_y(it.data)[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += pow(rls2_dataset_y(it.data)[i] - mean, 2.0) / (double)n;
    for (int64_t i = 0; i < n; i++) it.y[i] = (rls2_dataset_y(it.data)[i] - mean) / sqrt(square);
    return it;
}

static void table_free(table *it)
{
    free(it->y);
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    rls2_dataset_free(it->data);
}

/* Factorisations of the path, every point of which is certified. */
static int64_t follow(const table *it, const double *y, const char *word, rls2_intercept intercept)
{
    rls2_error err;
    rls2_path *path;
    rls2_path_options options;
    rls2_certificate got;
    double lambdas[LAMBDAS];
    int64_t factorizations = 0;
    const rls2_basis *basis = it->basis;
    rls2_path_options_init(&options, sizeof options);
    options.intercept = intercept;
    assert_ok(rls2_loss_parse(word, &options.loss, &err), &err);
    assert_ok(rls2_lambda_default_for(1, &basis, y, &options, 1e-6, LAMBDAS, lambdas, &err), &err);
    assert_ok(rls2_path_fit(1, &basis, y, LAMBDAS, lambdas, &options, NULL, &path, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        if (!(point->gap <= options.gap_tol))
            fail_msg("%s, lambda %g: gap %g", word, point->lambda, point->gap);
        factorizations += point->factorizations;
        if (i != 19) continue; /* one of them: each takes all kernels */
        assert_ok(rls2_path_certify(path, i, &got, sizeof got, &err), &err);
        assert_true(got.relative_gap <= options.gap_tol);
    }
    rls2_path_free(path);
    return factorizations;
}

static void check(const char *name, int labels, const char *const *words)
{
    table it = table_create(name);
    const double *y = labels ? rls2_dataset_y(it.data) : it.y;
    for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++) {
        int64_t square = follow(&it, y, "square", (rls2_intercept)rule);
        for (const char *const *word = words; *word; word++)
            assert_true(follow(&it, y, *word, (rls2_intercept)rule) <= MOST_TIMES * square);
    }
    table_free(&it);
}

static void path_fit__cpu__every_lambda_is_certified(void **state)
{
    (void)state;
    static const char *const words[] = {"quantile(0.1)", "absolute", "epsilon(0.1)", NULL};
    check("cpu", 0, words);
}

static void path_fit__heart__every_lambda_is_certified(void **state)
{
    (void)state;
    static const char *const words[] = {"hinge", NULL};
    check("heart", 1, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__cpu__every_lambda_is_certified),
        cmocka_unit_test(path_fit__heart__every_lambda_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
