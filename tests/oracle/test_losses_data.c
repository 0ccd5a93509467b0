/* Paths of losses with kinks on real data: every lambda of the default grid is certified, from the
 * data anew, and takes few factorisations. cpu has outliers, and is interpolated where lambda is
 * small; heart has labels. A made table has many more columns than rows: as many are selected as
 * there are rows, and weights must not run ahead of what they serve. */
#include "support/problem.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

/* The square loss selects up to 28 kernels of cpu; weights that go to zero must leave. */
enum { LAMBDAS = 30, MOST_TIMES = 4, MOST_KERNELS = 45 };
static const double SMALL = 1e-6; /* the last lambda, of the first */

typedef struct table {
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    double *y, *x; /* x only where it is made */
} table;

static table table_create(const char *name)
{
    table it = {0};
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

/* 150 rows and 3,000 standard normal columns, 20 of which make y, with noise. */
static table wide_create(void)
{
    enum { ROWS = 150, COLUMNS = 3000, SIGNALS = 20 };
    table it = {0};
    rls2_error err;
    rls2__random random;
    rls2_columns columns = {.count = COLUMNS};
    double *x = it.x = numbers((int64_t)ROWS * COLUMNS);
    rls2__random_seed(&random, 1);
    for (int64_t i = 0; i < (int64_t)ROWS * COLUMNS; i++) x[i] = rls2__random_normal(&random);
    it.y = numbers(ROWS);
    for (int64_t i = 0; i < ROWS; i++) {
        it.y[i] = 2.0 * rls2__random_normal(&random);
        for (int64_t k = 0; k < SIGNALS; k++)
            it.y[i] += x[COLUMNS / SIGNALS * k * ROWS + i] * (k % 2 ? 1.0 : -1.0);
    }
    rls2_rows rows = {.n = ROWS, .p = COLUMNS, .x = x};
    assert_ok(rls2_dictionary_create("linear@each", &columns, &it.dictionary, &err), &err);
    assert_ok(rls2_basis_create(it.dictionary, &rows, NULL, NULL, &it.basis, &err), &err);
    return it;
}

static void table_free(table *it)
{
    free(it->x);
    free(it->y);
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    rls2_dataset_free(it->data);
}

/* Factorisations of the path, every point of which is certified. */
static int64_t follow(const table *it, const double *y, const char *word, rls2_intercept intercept,
                      double ratio, int64_t most_kernels)
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
    assert_ok(rls2_lambda_default_for(1, &basis, y, &options, ratio, LAMBDAS, lambdas, &err), &err);
    assert_ok(rls2_path_fit(1, &basis, y, LAMBDAS, lambdas, &options, NULL, &path, &err), &err);
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        if (!(point->gap <= options.gap_tol))
            fail_msg("%s, lambda %g: gap %g", word, point->lambda, point->gap);
        assert_true(point->selected <= most_kernels);
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
        rls2_intercept intercept = (rls2_intercept)rule;
        int64_t square = follow(&it, y, "square", intercept, SMALL, MOST_KERNELS);
        for (const char *const *word = words; *word; word++)
            assert_true(follow(&it, y, *word, intercept, SMALL, MOST_KERNELS) <=
                        MOST_TIMES * square);
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

/* With small steps in lambda the products of rows used to fall before the weights were found. */
static void path_fit__heart_in_small_steps__every_lambda_is_certified(void **state)
{
    (void)state;
    table it = table_create("heart");
    for (int rule = RLS2_INTERCEPT_NONE; rule <= RLS2_INTERCEPT_FREE; rule++)
        follow(&it, rls2_dataset_y(it.data), "hinge", (rls2_intercept)rule, 1e-3, MOST_KERNELS);
    table_free(&it);
}

static void path_fit__more_columns_than_rows__every_lambda_is_certified(void **state)
{
    (void)state;
    table it = wide_create();
    follow(&it, it.y, "quantile(0.5)", RLS2_INTERCEPT_FREE, 1e-3,
           rls2_dictionary_count(it.dictionary));
    table_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__cpu__every_lambda_is_certified),
        cmocka_unit_test(path_fit__heart__every_lambda_is_certified),
        cmocka_unit_test(path_fit__heart_in_small_steps__every_lambda_is_certified),
        cmocka_unit_test(path_fit__more_columns_than_rows__every_lambda_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
