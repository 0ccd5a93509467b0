/* The scalings s_k under every rule. */
#include "support/unit_support.h"
#include "support/control.h"

#include <math.h>

#include "basis/scaling.h"

enum { TRAIN = 31, EXTRA = 12, COLUMNS = 3 };

static const char SPEC[] =
    "linear@all,each; poly(3)@all,each; rbf(0.5)@all,each; laplace(1)@all; matern(1.5)@all;"
    "spline@each; delta@x1";

typedef struct data {
    double *x;       /* training rows, then extra rows */
    double *train_x; /* the two alone, padded */
    double *extra_x;
    rls2_rows train, extra, stacked;
    double labels[TRAIN];
    rls2_dictionary *dictionary;
    double *s;
} data;

static data data_create(const char *spec)
{
    enum { N = TRAIN + EXTRA };
    data d;
    d.x = unit_normal(21, N * COLUMNS);
    d.train_x = unit_normal_padded(0, TRAIN, TRAIN + 2, COLUMNS);
    d.extra_x = unit_normal_padded(0, EXTRA, EXTRA + 5, COLUMNS);
    for (int64_t j = 0; j < COLUMNS; j++) {
        for (int64_t i = 0; i < N; i++) d.x[j * N + i] += 0.7 * (double)j;
        /* the ends of every column's range are training rows, so that a spline has the
         * same range with and without the extra rows */
        d.x[j * N] = -6.0;
        d.x[j * N + 1] = 8.0;
        memcpy(d.train_x + j * (TRAIN + 2), d.x + j * N, TRAIN * sizeof(double));
        memcpy(d.extra_x + j * (EXTRA + 5), d.x + j * N + TRAIN, EXTRA * sizeof(double));
    }
    d.stacked = (rls2_rows){.n = N, .p = COLUMNS, .x = d.x};
    d.train = (rls2_rows){.n = TRAIN, .p = COLUMNS, .x = d.train_x, .ldx = TRAIN + 2};
    d.extra = (rls2_rows){.n = EXTRA, .p = COLUMNS, .x = d.extra_x, .ldx = EXTRA + 5};
    for (int i = 0; i < TRAIN; i++) d.labels[i] = i % 3 ? 2.5 : -0.5;
    d.dictionary = unit_dictionary(spec, COLUMNS);
    d.s = unit_room(rls2_dictionary_count(d.dictionary));
    return d;
}

static void data_free(data *d)
{
    free(d->x);
    free(d->train_x);
    free(d->extra_x);
    free(d->s);
    rls2_dictionary_free(d->dictionary);
}

static void compute(const data *d, const rls2_rows *rows, const rls2_basis_options *options,
                    double *s)
{
    rls2_error err = {.message = ""};
    if (rls2_scaling_compute(d->dictionary, rows, options, NULL, s, &err) != RLS2_OK)
        fail_msg("%s", err.message);
}

/* The whole matrix of kernel k on the rows, fitted on them. */
static double *matrix_on(const data *d, int64_t k, const rls2_rows *rows)
{
    rls2__kernel kernel = d->dictionary->kernels[k];
    rls2__kernel_fit(&kernel, rows);
    return unit_kernel_matrix(&kernel, rows, 1.0);
}

/* tr HKH, H = I - 11'/n, with HKH written out. */
static double centred_trace(int64_t n, const double *K)
{
    long double trace = 0.0L, total = 0.0L;
    for (int64_t i = 0; i < n * n; i++) total += K[i];
    for (int64_t i = 0; i < n; i++) {
        long double row = 0.0L, column = 0.0L;
        for (int64_t j = 0; j < n; j++) {
            row += K[j * n + i];
            column += K[i * n + j];
        }
        trace += K[i * n + i] - (row + column) / (long double)n + total / (long double)(n * n);
    }
    return (double)trace;
}

/* ---- trace ---- */

static void scaling__none__one(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_NONE;
    compute(&d, &d.train, &options, d.s);
    for (int64_t k = 0; k < d.dictionary->m; k++) assert_true(d.s[k] == 1.0);
    data_free(&d);
}

static void scaling__trace__one_over_the_trace(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    compute(&d, &d.train, NULL, d.s); /* the default rule */
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        double *K = matrix_on(&d, k, &d.train);
        assert_near(d.s[k] * unit_trace(TRAIN, K), 1.0, 1e-13);
        free(K);
    }
    data_free(&d);
}

static void scaling__trace_with_center__trace_of_the_centred_matrix(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = 1;
    compute(&d, &d.train, &options, d.s);
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        double *K = matrix_on(&d, k, &d.train);
        assert_near(d.s[k] * centred_trace(TRAIN, K), 1.0, 1e-12);
        free(K);
    }
    data_free(&d);
}

static void assert_transductive(int center)
{
    data d = data_create(SPEC);
    rls2_basis_options options, plain;
    rls2_basis_options_init(&options, sizeof options);
    double *expected = unit_room(d.dictionary->m), *without = unit_room(d.dictionary->m);
    options.center = center;
    plain = options;
    options.transductive = &d.extra;
    compute(&d, &d.train, &options, d.s);
    compute(&d, &d.stacked, &plain, expected);
    compute(&d, &d.train, &plain, without);
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        assert_near(d.s[k] / expected[k], 1.0, 1e-12);
        assert_true(d.s[k] < without[k]);
    }
    free(expected);
    free(without);
    data_free(&d);
}

static void scaling__transductive__as_on_the_stacked_rows(void **state)
{
    (void)state;
    assert_transductive(0);
}

static void scaling__transductive_with_center__as_on_the_stacked_rows(void **state)
{
    (void)state;
    assert_transductive(1);
}

/* Far from the origin the centred trace is a small difference of large numbers. */
static void scaling__center_far_from_the_origin__linear_does_not_cancel(void **state)
{
    (void)state;
    data d = data_create("linear@x1");
    double near_s, far_s;
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = 1;
    compute(&d, &d.train, &options, &near_s);
    for (int i = 0; i < TRAIN; i++) d.train_x[i] += 1e8;
    compute(&d, &d.train, &options, &far_s);
    assert_near(far_s / near_s, 1.0, 1e-6);
    data_free(&d);
}

/* ---- Fisher ---- */

/* sum of both classes' variances of the feature map, from the matrix */
static double within_class_variance(int64_t n, const double *K, const double *labels)
{
    long double total = 0.0L;
    for (int positive = 0; positive < 2; positive++) {
        long double count = 0.0L, diagonal = 0.0L, entries = 0.0L;
        for (int64_t j = 0; j < n; j++) {
            if ((labels[j] > 0.0) != positive) continue;
            count += 1.0L;
            diagonal += K[j * n + j];
            for (int64_t i = 0; i < n; i++)
                if ((labels[i] > 0.0) == positive) entries += K[j * n + i];
        }
        total += diagonal / count - entries / (count * count);
    }
    return (double)total;
}

static void scaling__fisher__one_over_the_within_class_variance(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = d.labels;
    compute(&d, &d.train, &options, d.s);
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        double *K = matrix_on(&d, k, &d.train);
        assert_near(d.s[k] * within_class_variance(TRAIN, K, d.labels), 1.0, 1e-11);
        free(K);
    }
    data_free(&d);
}

static void scaling__fisher_sqrt__root_of_fisher(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    double *fisher = unit_room(d.dictionary->m);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = d.labels;
    compute(&d, &d.train, &options, fisher);
    options.scaling = RLS2_SCALING_FISHER_SQRT;
    compute(&d, &d.train, &options, d.s);
    for (int64_t k = 0; k < d.dictionary->m; k++)
        assert_near(d.s[k] * d.s[k] / fisher[k], 1.0, 1e-13);
    free(fisher);
    data_free(&d);
}

/* Step by step as the rule is written, a class after the other; the order of the sums is part of
 * the result. */
static double variance_by_steps(int64_t n, const double *x, const double *labels,
                                const double *weights)
{
    double total = 0.0;
    for (int positive = 0; positive < 2; positive++) {
        double count = 0.0, mean = 0.0, squares = 0.0, lowest = INFINITY, highest = -INFINITY;
        for (int64_t i = 0; i < n; i++) {
            if ((labels[i] > 0.0) != positive) continue;
            double w = weights ? weights[i] : 1.0;
            count += w;
            mean += w * x[i];
            lowest = fmin(lowest, x[i]);
            highest = fmax(highest, x[i]);
        }
        if (count == 0.0 || lowest == highest) continue;
        for (int64_t i = 0; i < n; i++)
            if ((labels[i] > 0.0) == positive)
                squares +=
                    (weights ? weights[i] : 1.0) * (x[i] - mean / count) * (x[i] - mean / count);
        total += squares / count;
    }
    return total;
}

static void within_class_variance__any_rows_and_columns__the_bits_of_the_steps(void **state)
{
    (void)state;
    enum { MOST = 41, TYPES = 4 };
    double labels[MOST], weights[MOST], column[MOST];
    for (int64_t n = 1; n <= MOST; n++)
        for (int type = 0; type < TYPES; type++) {
            double *x = unit_normal((uint64_t)(100 * n + type), 2 * n);
            for (int64_t i = 0; i < n; i++) {
                labels[i] =
                    type == 3 || i % (type + 2) ? -1.0 : 1.0; /* type 3: a class without rows */
                weights[i] = 0.5 + x[n + i] * x[n + i];
                column[i] = 0.1;                                    /* within both classes, */
                if (labels[i] > 0.0 && type == 1) column[i] = x[i]; /* or within one */
            }
            const double *columns[] = {x, column}, *by[] = {NULL, weights};
            for (int t = 0; t < 4; t++)
                assert_true(rls2__within_class_variance(n, columns[t / 2], labels, by[t % 2]) ==
                            variance_by_steps(n, columns[t / 2], labels, by[t % 2]));
            free(x);
        }
}

static void scaling__fisher_of_linear_and_of_poly_1__agree(void **state)
{
    (void)state;
    data d = data_create("linear@each,all; poly(1,offset=0)@each,all; poly(1,offset=3)@each,all");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = d.labels;
    compute(&d, &d.train, &options, d.s);
    for (int k = 0; k < 4; k++) {
        assert_near(d.s[k + 4] / d.s[k], 1.0, 1e-10);
        assert_near(d.s[k + 8] / d.s[k], 1.0, 1e-10); /* an offset does not change variances */
    }
    data_free(&d);
}

/* Rare classes: none of its rows, or one, are among those at hand. */
static void scaling__fisher_with_a_class_of_no_row_or_one__the_other_s_variance(void **state)
{
    (void)state;
    data d = data_create(SPEC);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    double *alone = unit_room(d.dictionary->m);
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = d.labels;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < TRAIN; i++) d.labels[i] = sign;
        compute(&d, &d.train, &options, alone);
        for (int64_t k = 0; k < d.dictionary->m; k++) {
            double *K = matrix_on(&d, k, &d.train);
            long double diagonal = 0.0L, entries = 0.0L;
            for (int j = 0; j < TRAIN; j++) {
                diagonal += K[j * TRAIN + j];
                for (int i = 0; i < TRAIN; i++) entries += K[j * TRAIN + i];
            }
            assert_near(alone[k] * (double)(diagonal / TRAIN - entries / (TRAIN * TRAIN)), 1.0,
                        1e-11);
            free(K);
        }
        d.labels[7] = -sign;
        compute(&d, &d.train, &options, d.s);
        for (int64_t k = 0; k < d.dictionary->m; k++) {
            double *K = matrix_on(&d, k, &d.train);
            assert_near(d.s[k] * within_class_variance(TRAIN, K, d.labels), 1.0, 1e-11);
            free(K);
        }
    }
    free(alone);
    data_free(&d);
}

static void scaling_fisher_feature__a_column__as_the_rule_for_linear(void **state)
{
    (void)state;
    data d = data_create("linear@each");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.scaling = RLS2_SCALING_FISHER;
    options.labels = d.labels;
    compute(&d, &d.train, &options, d.s);
    for (int64_t j = 0; j < COLUMNS; j++) {
        double s = 0.0;
        assert_int_equal(
            rls2_scaling_fisher_feature(TRAIN, d.train_x + j * (TRAIN + 2), d.labels, &s, NULL),
            RLS2_OK);
        assert_near(s / d.s[j], 1.0, 1e-14);
    }
    data_free(&d);
}

static void scaling_fisher_feature__by_hand__divisors_are_the_class_sizes(void **state)
{
    (void)state;
    double x[] = {1.0, 3.0, 10.0, 10.0, 16.0}, labels[] = {1.0, 1.0, -1.0, -1.0, -1.0}, s = 0.0;
    assert_int_equal(rls2_scaling_fisher_feature(5, x, labels, &s, NULL), RLS2_OK);
    assert_near(s, 1.0 / (1.0 + 8.0), 1e-15); /* 2/2 and (4 + 4 + 16)/3 */
}

/* ---- degenerate kernels ---- */

static void assert_degenerate(const data *d, const rls2_basis_options *options, const char *name,
                              const char *cause)
{
    rls2_error err = {.message = ""};
    rls2_basis *basis = NULL;
    assert_int_equal(rls2_scaling_compute(d->dictionary, &d->train, options, NULL, d->s, &err),
                     RLS2_ERR_VALUE);
    assert_int_equal(err.status, RLS2_ERR_VALUE);
    assert_contains(err.message, name);
    assert_contains(err.message, cause);
    assert_int_equal(rls2_basis_create(d->dictionary, &d->train, options, NULL, &basis, &err),
                     RLS2_ERR_VALUE);
    assert_contains(err.message, name);
    assert_null(basis);
}

static void fill_column(data *d, int64_t j, double value)
{
    for (int64_t i = 0; i < TRAIN; i++) d->train_x[j * (TRAIN + 2) + i] = value;
}

static void scaling__zero_column__error_names_kernel_and_trace(void **state)
{
    (void)state;
    data d = data_create("poly(1)@x1; linear@x2; linear@x3");
    fill_column(&d, 1, 0.0);
    assert_degenerate(&d, NULL, "'linear@x2'", "trace is zero");
    data_free(&d);
}

static void scaling__constant_column_centred__error_names_the_cause(void **state)
{
    (void)state;
    static const char *const specs[] = {"linear@x2", "poly(2)@x2", "rbf(1)@x2", "spline@x2",
                                        "delta@x2"};
    static const double values[] = {1.0, 0.1, 1.0 / 3.0, 1e10, 1e-7};
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.center = 1;
    for (int i = 0; i < 5; i++)
        for (int v = 0; v < 5; v++) {
            data d = data_create(specs[i]);
            fill_column(&d, 1, values[v]);
            assert_degenerate(&d, &options, "@x2'", "constant");
            data_free(&d);
        }
}

static void scaling__constant_column_under_fisher__error_names_the_cause(void **state)
{
    (void)state;
    static const char *const specs[] = {"linear@x2", "poly(2)@x2", "rbf(1)@x2"};
    static const double values[] = {1.0, 0.1, 1.0 / 3.0, 1e10, 1e-7};
    for (int i = 0; i < 3; i++)
        for (int v = 0; v < 5; v++) {
            data d = data_create(specs[i]);
            rls2_basis_options options;
            rls2_basis_options_init(&options, sizeof options);
            options.scaling = RLS2_SCALING_FISHER;
            options.labels = d.labels;
            fill_column(&d, 1, values[v]);
            assert_degenerate(&d, &options, "@x2'", "within-class variance");
            data_free(&d);
        }
}

static void scaling_fisher_feature__constant_within_classes__error(void **state)
{
    (void)state;
    rls2_error err = {.message = ""};
    double x[] = {0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.7}, labels[] = {1, 1, 1, -1, -1, -1, -1},
           s = -1.0;
    assert_int_equal(rls2_scaling_fisher_feature(7, x, labels, &s, &err), RLS2_ERR_VALUE);
    assert_contains(err.message, "constant");
    assert_true(s == -1.0);
}

static void scaling__trace_too_large_for_a_double__error_names_the_kernel(void **state)
{
    (void)state;
    data d = data_create("linear@x1; poly(20)@x2");
    fill_column(&d, 1, 1e12);
    d.train_x[TRAIN + 2] = 1e20;
    assert_degenerate(&d, NULL, "'poly(20)@x2'", "too large");
    data_free(&d);
}

static void scaling__degenerate_kernels_skipped__zero_and_the_rest_unchanged(void **state)
{
    (void)state;
    data d = data_create("linear@each; poly(2,offset=0)@each; rbf(1)@x1");
    double *expected = unit_room(d.dictionary->m);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    compute(&d, &d.train, &options, expected);
    fill_column(&d, 1, 0.0);
    options.skip_degenerate = 1;
    compute(&d, &d.train, &options, d.s);
    for (int64_t k = 0; k < d.dictionary->m; k++) {
        if (k == 1 || k == 4)
            assert_true(d.s[k] == 0.0);
        else
            assert_true(d.s[k] == expected[k]);
    }
    free(expected);
    data_free(&d);
}

/* Results are written only on success. */
static void scaling_compute__failing__leaves_the_place_alone(void **state)
{
    (void)state;
    data d = data_create("poly(2)@x1; linear@x2; linear@x3");
    fill_column(&d, 1, 0.0);
    for (int k = 0; k < 3; k++) d.s[k] = -5.0;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.train, NULL, NULL, d.s, NULL),
                     RLS2_ERR_VALUE);
    for (int k = 0; k < 3; k++) assert_true(d.s[k] == -5.0);
    data_free(&d);
}

/* ---- wrong arguments ---- */

static void assert_refused(const data *d, const rls2_basis_options *options, rls2_status status,
                           const char *part)
{
    rls2_error err = {.message = ""};
    assert_int_equal(rls2_scaling_compute(d->dictionary, &d->train, options, NULL, d->s, &err),
                     status);
    assert_contains(err.message, part);
}

static void scaling__fisher_with_unusable_labels__error_says_which(void **state)
{
    (void)state;
    data d = data_create("linear@x1");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    for (int rule = RLS2_SCALING_FISHER; rule <= RLS2_SCALING_FISHER_SQRT; rule++) {
        options.scaling = (rls2_scaling)rule;
        options.labels = NULL;
        assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "labels");
        options.labels = d.labels;
        d.labels[4] = 0.0;
        assert_refused(&d, &options, RLS2_ERR_VALUE, "labels[4] is 0");
        d.labels[4] = (double)NAN;
        assert_refused(&d, &options, RLS2_ERR_VALUE, "labels[4] is");
    }
    data_free(&d);
}

static void scaling__transductive_with_another_rule_or_wrong_rows__refused(void **state)
{
    (void)state;
    data d = data_create("linear@x1");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.transductive = &d.extra;
    options.labels = d.labels;
    options.scaling = RLS2_SCALING_FISHER;
    assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "transductive");
    options.scaling = RLS2_SCALING_TRACE;
    d.extra.p = 2;
    assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "transductive rows: 2 columns");
    d.extra.p = COLUMNS;
    d.extra_x[3] = INFINITY;
    assert_refused(&d, &options, RLS2_ERR_VALUE, "transductive rows: column 'x1', row 4");
    data_free(&d);
}

static void scaling_compute__null_or_unknown__refused(void **state)
{
    (void)state;
    data d = data_create("linear@x1");
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    assert_int_equal(rls2_scaling_compute(NULL, &d.train, NULL, NULL, d.s, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_scaling_compute(d.dictionary, NULL, NULL, NULL, d.s, NULL),
                     RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.train, NULL, NULL, NULL, NULL),
                     RLS2_ERR_ARGUMENT);
    options.scaling = (rls2_scaling)4;
    assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "scaling rule 4");
    options.scaling = RLS2_SCALING_TRACE;
    options.rank_tol = (double)NAN;
    assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "rank_tol");
    options.rank_tol = 1.0;
    assert_refused(&d, &options, RLS2_ERR_ARGUMENT, "rank_tol");
    options.rank_tol = 0.0;
    rls2_error err;
    assert_int_equal(rls2_scaling_compute(d.dictionary, &d.train, NULL, ON_THREADS(-1), d.s, &err),
                     RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "threads is -1; it must not be negative");
    data_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling__none__one),
        cmocka_unit_test(scaling__trace__one_over_the_trace),
        cmocka_unit_test(scaling__trace_with_center__trace_of_the_centred_matrix),
        cmocka_unit_test(scaling__transductive__as_on_the_stacked_rows),
        cmocka_unit_test(scaling__transductive_with_center__as_on_the_stacked_rows),
        cmocka_unit_test(scaling__center_far_from_the_origin__linear_does_not_cancel),
        cmocka_unit_test(scaling__fisher__one_over_the_within_class_variance),
        cmocka_unit_test(scaling__fisher_sqrt__root_of_fisher),
        cmocka_unit_test(within_class_variance__any_rows_and_columns__the_bits_of_the_steps),
        cmocka_unit_test(scaling__fisher_of_linear_and_of_poly_1__agree),
        cmocka_unit_test(scaling__fisher_with_a_class_of_no_row_or_one__the_other_s_variance),
        cmocka_unit_test(scaling_fisher_feature__a_column__as_the_rule_for_linear),
        cmocka_unit_test(scaling_fisher_feature__by_hand__divisors_are_the_class_sizes),
        cmocka_unit_test(scaling__zero_column__error_names_kernel_and_trace),
        cmocka_unit_test(scaling__constant_column_centred__error_names_the_cause),
        cmocka_unit_test(scaling__constant_column_under_fisher__error_names_the_cause),
        cmocka_unit_test(scaling_fisher_feature__constant_within_classes__error),
        cmocka_unit_test(scaling__trace_too_large_for_a_double__error_names_the_kernel),
        cmocka_unit_test(scaling__degenerate_kernels_skipped__zero_and_the_rest_unchanged),
        cmocka_unit_test(scaling_compute__failing__leaves_the_place_alone),
        cmocka_unit_test(scaling__fisher_with_unusable_labels__error_says_which),
        cmocka_unit_test(scaling__transductive_with_another_rule_or_wrong_rows__refused),
        cmocka_unit_test(scaling_compute__null_or_unknown__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
