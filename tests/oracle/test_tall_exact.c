/* A table of few different values, counted: the path on virtual rows is that of the rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis/virtual_rows.h"
#include "la/threads.h"
#include "rls2/path.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 400, LAMBDAS = 8 };

typedef struct tall {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2__axes *axes;
    rls2__counts *counts;
    rls2__moments moments;
    rls2__virtual *rows;
    rls2_basis *exact, *basis;
} tall;

static void tall_free(tall *t)
{
    rls2_basis_free(t->basis);
    rls2_basis_free(t->exact);
    rls2__virtual_free(t->rows);
    rls2__moments_release(&t->moments);
    rls2__counts_free(t->counts);
    rls2__axes_free(t->axes);
    rls2_dictionary_free(t->dictionary);
    rls2_dataset_free(t->data);
    rls2_table_free(t->table);
}

/* Numbers with few values, some of them missing, and categories. */
static rls2_table *table_made(void)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2__random random;
    size_t room = (size_t)ROWS * 80, at = 0;
    char *text = malloc(room);
    rls2__random_seed(&random, 5);
    at += (size_t)snprintf(text, room, "a,b,t,y\n");
    for (int i = 0; i < ROWS; i++) {
        int a = (int)rls2__random_below(&random, 9), b = (int)rls2__random_below(&random, 7);
        double y = sin(a) + 0.2 * b * b + (i % 3) + 0.3 * rls2__random_normal(&random);
        char cell[32] = "";
        if (i % 19 != 5) snprintf(cell, sizeof cell, "%d", b);
        at += (size_t)snprintf(text + at, room - at, "%d,%s,%c,%.6f\n", a, cell, "uvw"[i % 3], y);
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

static void make_data(tall *t, const char *kernels)
{
    rls2_error err;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.missing = RLS2_MISSING_IMPUTE;
    t->table = table_made();
    assert_ok(rls2_dataset_create(t->table, &options, &t->data, &err), &err);
    assert_ok(rls2_dataset_preprocess(t->data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE,
                                      NULL, &err),
              &err);
    rls2_columns columns = {.count = rls2_dataset_columns(t->data),
                            .names = rls2_dataset_names(t->data)};
    assert_ok(rls2_dictionary_create(kernels, &columns, &t->dictionary, &err), &err);
}

static void make_bases(tall *t, int center)
{
    rls2_error err;
    rls2_basis_options options;
    rls2__effort effort;
    rls2__effort_begin_alone(&effort);
    rls2_basis_options_init(&options, sizeof options);
    options.center = center;
    const rls2_rows rows = {.n = ROWS, .p = t->data->columns, .x = t->data->x};
    assert_ok(rls2_basis_create(t->dictionary, &rows, &options, NULL, &t->exact, &err), &err);
    assert_int_equal(rls2__axes_create(&effort, t->data, rls2__fineness_default(), &t->axes), 0);
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < ROWS; i++) {
        least = fmin(least, t->data->y[i]);
        most = fmax(most, t->data->y[i]);
    }
    const rls2__units units = rls2__units_of(least, most, 0.0);
    assert_int_equal(rls2__counts_create(t->axes, 1, 1, 0, &units, &t->counts), 0);
    const rls2__counted_rows counted = {.rows = ROWS, .x = t->data->x, .y = t->data->y};
    assert_int_equal(rls2__counts_add(&effort, &counted, t->counts), 0);
    assert_int_equal(rls2__moments_create(t->counts, (rls2__which_parts){-1, 1, NULL}, &t->moments),
                     0);
    assert_int_equal(rls2__virtual_create(t->axes, &t->moments, &t->rows), 0);
    assert_ok(rls2__virtual_basis(&effort, t->rows, t->dictionary, &options, &t->basis, &err),
              &err);
}

/* Predictions at the rows, from what stands for c at the points. */
static double prediction(const tall *t, const rls2_path *path, int64_t i, int64_t row)
{
    const int64_t *ks;
    const double *d;
    double f = 0.0, *alpha = malloc((size_t)t->moments.points * sizeof *alpha), *K;
    int64_t count = rls2_path_kernel_weights(path, i, &ks, &d);
    const rls2_rows one = {.n = 1, .p = t->data->columns, .x = t->data->x + row, .ldx = ROWS};
    rls2__virtual_coefficients(t->rows, rls2_path_c(path, i), alpha);
    for (int64_t s = 0; s < count; s++) {
        const rls2__kernel *kernel = &t->basis->kernels[ks[s]];
        int64_t a = rls2__kernel_axis(t->axes, kernel), u = t->axes->all[a].count;
        const rls2_rows points = {
            .n = u, .p = t->data->columns, .x = t->rows->x, .ldx = t->rows->height};
        K = malloc((size_t)u * sizeof *K);
        rls2__kernel_column(kernel, &points, &one, 0, K);
        for (int64_t g = 0; g < u; g++)
            f += d[s] * t->basis->s[ks[s]] * K[g] * alpha[t->axes->first[a] + g];
        free(K);
    }
    free(alpha);
    return f;
}

static void compare(const char *kernels, int center)
{
    rls2_error err;
    tall t = {0};
    rls2_path *whole = NULL, *few = NULL;
    rls2_path_options options;
    double lambdas[LAMBDAS], *y;
    make_data(&t, kernels);
    make_bases(&t, center);
    for (int64_t k = 0; k < t.basis->m; k++)
        assert_near(t.basis->s[k], t.exact->s[k], 1e-11 * t.exact->s[k]);
    for (int i = 0; i < LAMBDAS; i++) lambdas[i] = pow(10.0, 1.0 - i);
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-11;
    options.intercept = RLS2_INTERCEPT_MEAN;
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){t.exact}, t.data->y, LAMBDAS, lambdas,
                            &options, NULL, &whole, &err),
              &err);
    y = malloc((size_t)t.basis->n * sizeof *y);
    rls2__virtual_response(t.rows, 0, y);
    options.intercept = RLS2_INTERCEPT_NONE;
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){t.basis}, y, LAMBDAS, lambdas, &options,
                            NULL, &few, &err),
              &err);
    double *f = malloc(ROWS * LAMBDAS * sizeof *f);
    const rls2_rows rows = {.n = ROWS, .p = t.data->columns, .x = t.data->x};
    assert_ok(rls2_path_predict(whole, &rows, f, &err), &err);
    for (int i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *one = rls2_path_at(whole, i), *other = rls2_path_at(few, i);
        assert_near(other->objective, one->objective, 1e-9 * one->objective);
        for (int row = 0; row < ROWS; row += 37)
            assert_near(prediction(&t, few, i, row) + t.moments.mean[0], f[i * ROWS + row], 1e-5);
    }
    assert_true(t.basis->n < ROWS / 4);
    free(f);
    free(y);
    rls2_path_free(whole);
    rls2_path_free(few);
    tall_free(&t);
}

static void test_gaussians_and_polynomials(void **state)
{
    (void)state;
    compare("rbf(0.1|1|10)@a,b,\"b=missing\"; poly(1..2)@a,b; delta@\"t=u\"+\"t=v\"+\"t=w\"", 0);
    compare("rbf(0.1|1|10)@a,b; poly(1..2)@a,b; delta@\"t=u\"+\"t=v\"+\"t=w\"", 1);
}

static void test_linear(void **state)
{
    (void)state;
    compare("linear", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussians_and_polynomials),
        cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
