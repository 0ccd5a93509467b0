/* A table of few different values, counted: the path on virtual rows is that of the rows, with
 * weights or without, of all parts or of all but one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "basis/virtual_rows.h"
#include "la/threads.h"
#include "rls2/path.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 400, LAMBDAS = 8, OUTPUTS = 2, PARTS = 2 };

typedef struct tall {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2__axes *axes;
    rls2__counts *counts;
    rls2__moments moments;
    rls2__virtual *rows;
    rls2_basis *exact, *basis;
    /* the rows that are fitted */
    int64_t n;
    double *x, *y, *weights;
} tall;

typedef struct setting {
    const char *kernels;
    int center;
    int is_weighted;
    int64_t left_out; /* part; -1: none */
    int64_t output;
} setting;

static void tall_free(tall *t)
{
    free(t->x);
    free(t->y);
    free(t->weights);
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
    at += (size_t)snprintf(text, room, "a,b,t,w,y,z\n");
    for (int i = 0; i < ROWS; i++) {
        int a = (int)rls2__random_below(&random, 9), b = (int)rls2__random_below(&random, 7);
        double y = sin(a) + 0.2 * b * b + (i % 3) + 0.3 * rls2__random_normal(&random);
        char cell[32] = "";
        if (i % 19 != 5) snprintf(cell, sizeof cell, "%d", b);
        at += (size_t)snprintf(text + at, room - at, "%d,%s,%c,%d,%.6f,%.2f\n", a, cell,
                               "uvw"[i % 3], 1 + i % 3, y, 1e4 * (y - a));
    }
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    free(text);
    return table;
}

static void make_data(tall *t, const char *kernels)
{
    static const char *const targets[] = {"y", "z"};
    rls2_error err;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.targets = targets;
    options.target_count = OUTPUTS;
    options.row_weights = "w";
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

static int32_t part_of(int64_t row)
{
    return row % 5 == 2;
}

static void take_rows(tall *t, int64_t left_out)
{
    int64_t p = t->data->columns;
    t->x = unit_room(ROWS * p);
    t->y = unit_room(ROWS * OUTPUTS);
    t->weights = unit_room(ROWS);
    for (int64_t i = 0; i < ROWS; i++) t->n += part_of(i) != left_out;
    for (int64_t i = 0, at = 0; i < ROWS; i++) {
        if (part_of(i) == left_out) continue;
        for (int64_t v = 0; v < p; v++) t->x[v * t->n + at] = t->data->x[v * ROWS + i];
        for (int64_t o = 0; o < OUTPUTS; o++) t->y[o * t->n + at] = t->data->y[o * ROWS + i];
        t->weights[at++] = t->data->weights[i];
    }
}

static void count_rows(tall *t, const setting *is)
{
    rls2__units units[OUTPUTS];
    int32_t part[ROWS];
    for (int o = 0; o < OUTPUTS; o++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < ROWS; i++) {
            least = fmin(least, t->data->y[o * ROWS + i]);
            most = fmax(most, t->data->y[o * ROWS + i]);
        }
        units[o] = rls2__units_of(least, most, is->is_weighted ? 3.0 : 0.0);
    }
    for (int i = 0; i < ROWS; i++) part[i] = part_of(i);
    assert_int_equal(
        rls2__counts_create(t->axes, PARTS, OUTPUTS, is->is_weighted, units, &t->counts), 0);
    const rls2__counted_rows counted = {.rows = ROWS,
                                        .x = t->data->x,
                                        .y = t->data->y,
                                        .weights = is->is_weighted ? t->data->weights : NULL,
                                        .part = part};
    assert_int_equal(rls2__counts_add(unit_alone(), &counted, t->counts), 0);
}

static void make_bases(tall *t, const setting *is)
{
    rls2_error err;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = is->center;
    take_rows(t, is->left_out);
    assert_int_equal(rls2__axes_create(unit_alone(), &(rls2__axes_from){.rows = t->data},
                                       rls2__fineness_default(), &t->axes),
                     0);
    count_rows(t, is);
    assert_int_equal(
        rls2__moments_create(t->counts, (rls2__which_parts){is->left_out, 1, NULL}, &t->moments),
        0);
    assert_int_equal(rls2__virtual_create(t->axes, &t->moments, &t->rows), 0);
    assert_ok(rls2__virtual_basis(unit_alone(), t->rows, t->dictionary, &options, &t->basis, &err),
              &err);
    const rls2_rows rows = {.n = t->n, .p = t->data->columns, .x = t->x};
    options.row_weights = is->is_weighted ? t->weights : NULL;
    assert_ok(rls2_basis_create(t->dictionary, &rows, &options, NULL, &t->exact, &err), &err);
}

/* Predictions at the rows, from what stands for c at the points. */
static double prediction(const tall *t, const rls2_path *path, int64_t i, int64_t row)
{
    const int64_t *ks;
    const double *d;
    double f = 0.0, *alpha = malloc((size_t)t->moments.points * sizeof *alpha), *K;
    int64_t count = rls2_path_kernel_weights(path, i, &ks, &d);
    const rls2_rows one = {.n = 1, .p = t->data->columns, .x = t->x + row, .ldx = t->n};
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

static void compare(setting is)
{
    rls2_error err;
    tall t = {0};
    rls2_path *whole = NULL, *few = NULL;
    rls2_path_options options;
    double lambdas[LAMBDAS], *y;
    make_data(&t, is.kernels);
    make_bases(&t, &is);
    for (int64_t k = 0; k < t.basis->m; k++)
        assert_near(t.basis->s[k], t.exact->s[k], 1e-11 * t.exact->s[k]);
    for (int i = 0; i < LAMBDAS; i++) lambdas[i] = pow(10.0, 1.0 - i);
    rls2_path_options_init(&options, sizeof options);
    options.gap_tol = 1e-11;
    options.intercept = RLS2_INTERCEPT_MEAN;
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){t.exact}, t.y + is.output * t.n, LAMBDAS,
                            lambdas, &options, NULL, &whole, &err),
              &err);
    y = malloc((size_t)t.basis->n * sizeof *y);
    rls2__virtual_response(t.rows, is.output, y);
    options.intercept = RLS2_INTERCEPT_NONE;
    assert_ok(rls2_path_fit(1, (const rls2_basis *const[]){t.basis}, y, LAMBDAS, lambdas, &options,
                            NULL, &few, &err),
              &err);
    double *f = malloc(ROWS * LAMBDAS * sizeof *f);
    double spread = sqrt(t.moments.square[is.output] / t.moments.weight);
    const rls2_rows rows = {.n = t.n, .p = t.data->columns, .x = t.x};
    assert_ok(rls2_path_predict(whole, &rows, f, &err), &err);
    for (int i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *one = rls2_path_at(whole, i), *other = rls2_path_at(few, i);
        assert_near(other->objective, one->objective, 1e-9 * one->objective);
        for (int row = 0; row < t.n; row += 37)
            assert_near(prediction(&t, few, i, row) + t.moments.mean[is.output], f[i * t.n + row],
                        1e-5 * spread);
    }
    assert_true(t.basis->n < ROWS / 4);
    free(f);
    free(y);
    rls2_path_free(whole);
    rls2_path_free(few);
    tall_free(&t);
}

#define CATEGORIES "delta@\"t=u\"+\"t=v\"+\"t=w\""
static const char GAUSSIANS[] = "rbf(0.1|1|10)@a,b; poly(1..2)@a,b; " CATEGORIES;

static void test_gaussians_and_polynomials(void **state)
{
    (void)state;
    compare((setting){"rbf(0.1|1|10)@a,b,\"b=missing\"; poly(1..2)@a,b; " CATEGORIES, 0, 0, -1, 0});
    compare((setting){GAUSSIANS, 1, 0, -1, 0});
}

static void test_weights_and_outputs(void **state)
{
    (void)state;
    compare((setting){GAUSSIANS, 0, 1, -1, 0});
    compare((setting){GAUSSIANS, 1, 1, -1, 1});
}

static void test_parts(void **state)
{
    (void)state;
    compare((setting){GAUSSIANS, 0, 0, 1, 1});
    compare((setting){GAUSSIANS, 0, 1, 0, 0});
}

static void test_linear(void **state)
{
    (void)state;
    compare((setting){"linear", 0, 0, -1, 0});
    compare((setting){"linear", 0, 1, 1, 1});
}

/* Of the smallest numbers there are, too, a unit is no zero. */
static void units__responses_that_are_subnormal__stay_integers(void **state)
{
    (void)state;
    rls2__units units = rls2__units_of(-1e-318, 1e-318, 1e-318);
    assert_true(units.response > 0.0 && units.weight > 0.0);
    assert_true(fabs(1e-318 - units.center) / units.response < 68719476736.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units__responses_that_are_subnormal__stay_integers),
        cmocka_unit_test(test_gaussians_and_polynomials),
        cmocka_unit_test(test_weights_and_outputs),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_linear),
    };
    if (rls2__la_enter(NULL) != RLS2_OK) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rls2__la_leave();
    return failed;
}
