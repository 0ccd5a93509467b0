/* Preprocessing: by hand, against long double, and of new rows bit by bit. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit_support.h"
#include "rls2/table.h"

static rls2_table *parse(const char *csv)
{
    rls2_table *table = NULL;
    rls2_error err;
    if (rls2_table_parse_csv("t.csv", csv, (int64_t)strlen(csv), &table, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    return table;
}

static rls2_dataset *read_data(const char *csv)
{
    rls2_table *table = parse(csv);
    rls2_dataset *data = NULL;
    rls2_error err;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    if (rls2_dataset_create(table, &options, &data, &err) != RLS2_OK) fail_msg("%s", err.message);
    rls2_table_free(table);
    return data;
}

static rls2_dataset *read_like(const char *csv, const rls2_dataset *training)
{
    rls2_table *table = parse(csv);
    rls2_dataset *data = NULL;
    rls2_error err;
    if (rls2_dataset_create_like(table, training, &data, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    rls2_table_free(table);
    return data;
}

static void preprocess(rls2_dataset *data, rls2_normalize examples, rls2_normalize features,
                       rls2_dataset *also)
{
    rls2_error err;
    if (rls2_dataset_preprocess(data, examples, features, also, &err) != RLS2_OK)
        fail_msg("%s", err.message);
}

static void assert_x(const rls2_dataset *data, const double *expected)
{
    int64_t values = rls2_dataset_rows(data) * rls2_dataset_columns(data);
    for (int64_t i = 0; i < values; i++) assert_near(rls2_dataset_x(data)[i], expected[i], 1e-15);
}

/* ---- by hand ---- */

static const char SMALL[] = "a,b,y\n3,4,0\n-1,4,1\n4,4,0\n";

static void preprocess__features_centred__have_their_mean_taken_off(void **state)
{
    (void)state;
    rls2_dataset *data = read_data(SMALL);
    preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL);
    assert_x(data, (const double[]){1, -3, 2, 0, 0, 0});
    assert_near(rls2_dataset_means(data)[0], 2.0, 0.0);
    assert_near(rls2_dataset_means(data)[1], 4.0, 0.0);
    assert_near(rls2_dataset_deviations(data)[0], 1.0, 0.0);
    assert_near(rls2_dataset_deviations(data)[1], 1.0, 0.0);
    assert_int_equal(rls2_dataset_feature_rule(data), RLS2_NORMALIZE_CENTER);
    rls2_dataset *fresh =
        read_like("b,a\n5,2\n4,1\n", data); /* a constant feature is centred too */
    assert_x(fresh, (const double[]){0, -1, 1, 0});
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void preprocess__features_of_length_one__are_divided_by_it(void **state)
{
    (void)state;
    rls2_dataset *data = read_data("a,b,y\n3,0,0\n-4,0,1\n0,0,0\n");
    preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT, NULL);
    assert_x(data, (const double[]){0.6, -0.8, 0, 0, 0, 0});
    assert_near(rls2_dataset_means(data)[0], 0.0, 0.0);
    assert_near(rls2_dataset_deviations(data)[0], 5.0, 0.0);
    assert_near(rls2_dataset_deviations(data)[1], 0.0, 0.0);
    rls2_dataset *fresh = read_like("a,b\n10,7\n", data); /* a zero feature stays zero */
    assert_x(fresh, (const double[]){2, 0});
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void preprocess__examples__are_taken_one_by_one(void **state)
{
    (void)state;
    static const char csv[] = "a,b,c,y\n1,2,6,0\n0,0,0,1\n5,5,5,2\n3,0,4,1\n";
    rls2_dataset *data = read_data(csv);
    preprocess(data, RLS2_NORMALIZE_CENTER, RLS2_NORMALIZE_NONE, NULL);
    assert_x(data, (const double[]){-2, 0, 0, 2.0 / 3, -1, 0, 0, -7.0 / 3, 3, 0, 0, 5.0 / 3});
    assert_null(rls2_dataset_means(data));
    assert_null(rls2_dataset_deviations(data));
    rls2_dataset_free(data);
    data = read_data(csv);
    preprocess(data, RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_NONE, NULL);
    double r = 1.0 / sqrt(41.0), t = 1.0 / sqrt(3.0);
    assert_x(data, (const double[]){r, 0, t, 0.6, 2 * r, 0, t, 0, 6 * r, 0, t, 0.8});
    rls2_dataset_free(data);
    data = read_data(csv);
    preprocess(data, RLS2_NORMALIZE_STANDARDIZE, RLS2_NORMALIZE_NONE, NULL);
    double s = sqrt(7.0), u = sqrt(13.0 / 3.0);
    assert_x(data, (const double[]){-2 / s, 0, 0, 2 / (3 * u), -1 / s, 0, 0, -7 / (3 * u), 3 / s, 0,
                                    0, 5 / (3 * u)});
    rls2_dataset_free(data);
}

static void preprocess__examples_and_features__examples_come_first(void **state)
{
    (void)state;
    rls2_dataset *data = read_data("a,b,y\n3,4,0\n0,5,1\n");
    preprocess(data, RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_CENTER, NULL);
    assert_x(data, (const double[]){0.3, -0.3, -0.1, 0.1});
    rls2_dataset *fresh = read_like("a,b\n-6,8\n", data);
    assert_x(fresh, (const double[]){-0.6 - 0.3, 0.8 - 0.9});
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void preprocess__transductive__measures_both_and_changes_both(void **state)
{
    (void)state;
    rls2_dataset *data = read_data("a,y\n1,0\n3,1\n");
    rls2_dataset *also = read_like("a\n8\n", data);
    preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, also);
    double s = sqrt(13.0);
    assert_x(data, (const double[]){-3 / s, -1 / s});
    assert_x(also, (const double[]){4 / s});
    assert_near(rls2_dataset_means(also)[0], 4.0, 0.0);
    assert_int_equal(rls2_dataset_feature_rule(also), RLS2_NORMALIZE_STANDARDIZE);
    rls2_dataset *fresh = read_like("a\n8\n", data);
    assert_true(rls2_dataset_x(fresh)[0] == rls2_dataset_x(also)[0]);
    rls2_dataset_free(fresh);
    rls2_dataset_free(also);
    rls2_dataset_free(data);
}

/* ---- against long double, with new rows ---- */

/* Rows of numbers of all sizes as a table; those of the first column are small against their mean.
 */
static void write_csv(rls2__random *random, int rows, int columns, double size, char *out,
                      size_t room)
{
    size_t used = 0;
    for (int j = 0; j < columns; j++) used += (size_t)snprintf(out + used, room - used, "x%d,", j);
    used += (size_t)snprintf(out + used, room - used, "y\n");
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double value = rls2__random_normal(random) * (j == 0 ? 1.0 : size);
            if (j == 0) value += 1e6;
            used += (size_t)snprintf(out + used, room - used, "%.17g,", value);
        }
        used += (size_t)snprintf(out + used, room - used, "%d\n", i % 2);
    }
}

/* Returns what was divided by. */
static long double plain_normalize(int64_t n, int64_t step, long double *x, rls2_normalize rule)
{
    long double mean = 0.0L, squares = 0.0L;
    for (int64_t i = 0; i < n; i++) mean += x[i * step] / (long double)n;
    if (rule == RLS2_NORMALIZE_UNIT || rule == RLS2_NORMALIZE_NONE) mean = 0.0L;
    for (int64_t i = 0; i < n; i++) x[i * step] -= mean;
    for (int64_t i = 0; i < n; i++) squares += x[i * step] * x[i * step];
    long double divisor =
        rule == RLS2_NORMALIZE_STANDARDIZE ? sqrtl(squares / (long double)(n - 1)) : sqrtl(squares);
    if (rule == RLS2_NORMALIZE_CENTER || rule == RLS2_NORMALIZE_NONE) divisor = 1.0L;
    for (int64_t i = 0; i < n; i++) x[i * step] = divisor > 0.0L ? x[i * step] / divisor : 0.0L;
    return divisor;
}

static void check_rule(const char *csv, rls2_normalize examples, rls2_normalize features)
{
    rls2_dataset *data = read_data(csv);
    int64_t n = rls2_dataset_rows(data), p = rls2_dataset_columns(data);
    long double *plain = malloc((size_t)(n * p) * sizeof *plain);
    for (int64_t i = 0; i < n * p; i++) plain[i] = rls2_dataset_x(data)[i];
    for (int64_t i = 0; i < n; i++) plain_normalize(p, n, plain + i, examples);
    preprocess(data, examples, features, NULL);
    for (int64_t j = 0; j < p; j++) {
        long double *x = plain + j * n, largest = 0.0L;
        for (int64_t i = 0; i < n; i++) largest = fmaxl(largest, fabsl(x[i]));
        /* rounding of the examples, or of the numbers alone, as the feature shows it */
        long double tolerance = (examples == RLS2_NORMALIZE_NONE ? 1e-17L : 2e-15L) * largest;
        tolerance = 1e-14L + tolerance / plain_normalize(n, 1, x, features);
        for (int64_t i = 0; i < n; i++)
            assert_true(fabsl(rls2_dataset_x(data)[j * n + i] - x[i]) <=
                        tolerance * fmaxl(1.0L, fabsl(x[i])));
    }
    rls2_dataset *fresh = read_like(csv, data);
    assert_memory_equal(rls2_dataset_x(fresh), rls2_dataset_x(data),
                        (size_t)(n * p) * sizeof(double));
    if (features != RLS2_NORMALIZE_NONE)
        assert_memory_equal(rls2_dataset_means(fresh), rls2_dataset_means(data),
                            (size_t)p * sizeof(double));
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
    free(plain);
}

static void preprocess__any_two_rules__agree_with_long_double_and_new_rows_with_both(void **state)
{
    (void)state;
    enum { ROOM = 1 << 16 };
    static const double sizes[] = {1.0, 1e-3, 1e5};
    char *csv = malloc(ROOM);
    rls2__random random;
    rls2__random_seed(&random, 7);
    for (int s = 0; s < 3; s++) {
        write_csv(&random, 23, 4, sizes[s], csv, ROOM);
        for (int examples = 0; examples < 4; examples++)
            for (int features = 0; features < 4; features++)
                check_rule(csv, (rls2_normalize)examples, (rls2_normalize)features);
    }
    free(csv);
}

/* ---- extremes ---- */

static void preprocess__lengths_beyond_doubles__are_of_length_one(void **state)
{
    (void)state;
    static const char *const tables[] = {"a,b,y\n3e307,4e307,0\n4e307,-3e307,1\n",
                                         "a,b,y\n3e-320,4e-320,0\n4e-320,-3e-320,1\n"};
    for (int t = 0; t < 2; t++) {
        double tolerance = t == 0 ? 1e-15 : 1e-3; /* subnormal numbers have few digits */
        rls2_dataset *data = read_data(tables[t]);
        preprocess(data, RLS2_NORMALIZE_UNIT, RLS2_NORMALIZE_NONE, NULL);
        assert_near(rls2_dataset_x(data)[0], 0.6, tolerance);
        assert_near(rls2_dataset_x(data)[3], -0.6, tolerance);
        rls2_dataset_free(data);
        data = read_data(tables[t]);
        preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT, NULL);
        assert_near(rls2_dataset_x(data)[0], 0.6, tolerance);
        rls2_dataset_free(data);
    }
}

static void preprocess__number_that_overflows__is_refused_and_nothing_changed(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dataset *data = read_data("a,b,y\n1.7e308,1,0\n-1.7e308,1,1\n-1.7e308,1,1\n");
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL, &err),
        RLS2_ERR_VALUE);
    assert_contains(err.message, "column 'a', row 1");
    assert_near(rls2_dataset_x(data)[0], 1.7e308, 0.0);
    assert_null(rls2_dataset_means(data));
    assert_int_equal(rls2_dataset_feature_rule(data), RLS2_NORMALIZE_NONE);
    preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL); /* not done before */
    rls2_dataset_free(data);
}

static void create_like__row_too_far_out__is_refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dataset *data = read_data("a,b,y\n1e-300,red,0\n2e-300,blue,1\n3e-300,red,0\n"),
                 *fresh = NULL;
    preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_UNIT, NULL);
    rls2_table *table = parse("a,b\n1,red\n1e200,blue\n");
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, &err), RLS2_ERR_VALUE);
    assert_contains(err.message,
                    "t.csv:3: column 'a': '1e200' is too far from the training values");
    assert_null(fresh);
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* ---- arguments ---- */

static void preprocess__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_error err;
    rls2_dataset *data = read_data(SMALL), *other = read_data(SMALL);
    assert_int_equal(
        rls2_dataset_preprocess(NULL, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL, &err),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_dataset_preprocess(data, (rls2_normalize)9, RLS2_NORMALIZE_NONE, NULL, &err),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, (rls2_normalize)-1, NULL, &err),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, data, &err),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, other, &err),
        RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "made like this one");
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_NONE, NULL, &err),
        RLS2_OK);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL, &err),
        RLS2_OK);
    assert_int_equal(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL, &err),
        RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "preprocessed before");
    rls2_dataset *like = read_like("a,b\n1,1\n", data);
    assert_int_equal(
        rls2_dataset_preprocess(like, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_CENTER, NULL, &err),
        RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_dataset_feature_rule(NULL), RLS2_NORMALIZE_NONE);
    rls2_dataset_free(like);
    rls2_dataset_free(other);
    rls2_dataset_free(data);
}

/* ---- fingerprints ---- */

static uint64_t fingerprint(const char *csv)
{
    rls2_dataset *data = read_data(csv);
    uint64_t print = rls2_dataset_fingerprint(data);
    rls2_dataset_free(data);
    return print;
}

static void fingerprint__equal_rows__have_equal_ones(void **state)
{
    (void)state;
    assert_true(fingerprint("a,b,y\n1,2,3\n4,5,6\n") ==
                fingerprint("a,b,y\n1.0,2e0,3\n4,5,6.00\n"));
    assert_true(fingerprint("a,y\n0,1\n1,2\n") == fingerprint("a,y\n-0,1\n1,2\n"));
    assert_true(rls2_dataset_fingerprint(NULL) == 0);
    /* the same on every machine and in every version: model files carry it */
    assert_true(fingerprint("a,b,y\n1,2,3\n4,5,6\n") == UINT64_C(0x718ab4d996817961));
}

static void fingerprint__any_difference__is_seen(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "a,b,y\n1,2,3\n4,5,6\n", "a,c,y\n1,2,3\n4,5,6\n", "a,b,y\n1,2,3\n4,5,7\n",
        "a,b,y\n4,5,6\n1,2,3\n", "b,a,y\n2,1,3\n5,4,6\n", "a,b,y\n1,2,3\n4,5.000000000000001,6\n",
        "a,b,y\n1,2,3\n",        "a,y\n1,3\n4,6\n",       "ab,y\n1,3\n4,6\n",
        "a,b,y\n1,4,3\n2,5,6\n"};
    enum { COUNT = sizeof tables / sizeof tables[0] };
    uint64_t prints[COUNT + 1];
    for (int i = 0; i < COUNT; i++) prints[i] = fingerprint(tables[i]);
    rls2_dataset *data = read_data(tables[0]), *fresh = read_like("a,b\n1,2\n4,5\n", data);
    prints[COUNT] = rls2_dataset_fingerprint(fresh); /* without y */
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
    for (int i = 0; i <= COUNT; i++)
        for (int j = 0; j < i; j++) assert_true(prints[i] != prints[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preprocess__features_centred__have_their_mean_taken_off),
        cmocka_unit_test(preprocess__features_of_length_one__are_divided_by_it),
        cmocka_unit_test(preprocess__examples__are_taken_one_by_one),
        cmocka_unit_test(preprocess__examples_and_features__examples_come_first),
        cmocka_unit_test(preprocess__transductive__measures_both_and_changes_both),
        cmocka_unit_test(preprocess__any_two_rules__agree_with_long_double_and_new_rows_with_both),
        cmocka_unit_test(preprocess__lengths_beyond_doubles__are_of_length_one),
        cmocka_unit_test(preprocess__number_that_overflows__is_refused_and_nothing_changed),
        cmocka_unit_test(create_like__row_too_far_out__is_refused),
        cmocka_unit_test(preprocess__wrong_arguments__are_refused),
        cmocka_unit_test(fingerprint__equal_rows__have_equal_ones),
        cmocka_unit_test(fingerprint__any_difference__is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
