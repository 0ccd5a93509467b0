/* Rows with integer weights against the same rows repeated: measured alike, to rounding. */
#include "support/unit_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/table.h"

enum { COLUMNS = 3, CASES = 60 };

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* Two texts of one random problem: with a column of weights, and with rows repeated. Weights may be
 * 0. */
static void write_case(uint64_t *state, int rows, char *weighted, char *repeated)
{
    weighted += sprintf(weighted, "w,a,b,c,y\n");
    repeated += sprintf(repeated, "a,b,c,y\n");
    double shift = ldexp(1.0, (int)(uniform(state) * 40.0));
    for (int i = 0; i < rows; i++) {
        char row[160];
        int weight = i < 2 ? 1 + i : (int)(uniform(state) * 6.0);
        snprintf(row, sizeof row, "%.17g,%.17g,%d,%.17g\n", uniform(state), shift + uniform(state),
                 weight % 2, uniform(state) - 0.5);
        weighted += sprintf(weighted, "%d,%s", weight, row);
        for (int k = 0; k < weight; k++) repeated += sprintf(repeated, "%s", row);
    }
}

static rls2_dataset *read_data(const char *csv, const char *weight)
{
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_error err;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.row_weights = weight;
    if (rls2_table_parse_csv("t.csv", csv, (int64_t)strlen(csv), &table, &err) != RLS2_OK ||
        rls2_dataset_create(table, &options, &data, &err) != RLS2_OK)
        fail_msg("%s", err.message);
    rls2_table_free(table);
    return data;
}

static double mean_of_y(const rls2_dataset *data)
{
    double sum = 0.0, total = 0.0;
    const double *w = rls2_dataset_row_weights(data);
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) {
        sum += (w ? w[i] : 1.0) * rls2_dataset_y(data)[i];
        total += w ? w[i] : 1.0;
    }
    return sum / total;
}

/* The rows of the one stand in the other as often as they weigh. */
static void assert_rows(const rls2_dataset *weighted, const rls2_dataset *repeated,
                        double tolerance)
{
    int64_t n = rls2_dataset_rows(weighted), m = rls2_dataset_rows(repeated);
    for (int64_t j = 0; j < COLUMNS; j++) {
        int64_t at = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = 0; k < (int64_t)rls2_dataset_row_weights(weighted)[i]; k++, at++)
                assert_near(rls2_dataset_x(weighted)[j * n + i],
                            rls2_dataset_x(repeated)[j * m + at], tolerance);
        assert_int_equal(at, m);
    }
}

static void preprocess__integer_weights__are_repeated_rows(void **state)
{
    (void)state;
    static char weighted_text[20000], repeated_text[80000];
    uint64_t seed = 20240229;
    for (int c = 0; c < CASES; c++) {
        rls2_normalize rule = (rls2_normalize)(1 + c % 3);
        write_case(&seed, 2 + c, weighted_text, repeated_text);
        rls2_dataset *weighted = read_data(weighted_text, "w"),
                     *repeated = read_data(repeated_text, NULL);
        assert_near(mean_of_y(weighted), mean_of_y(repeated), 1e-14);
        assert_int_equal(rls2_dataset_preprocess(weighted, RLS2_NORMALIZE_NONE, rule, NULL, NULL),
                         RLS2_OK);
        assert_int_equal(rls2_dataset_preprocess(repeated, RLS2_NORMALIZE_NONE, rule, NULL, NULL),
                         RLS2_OK);
        for (int j = 0; j < COLUMNS; j++) {
            double mean = rls2_dataset_means(repeated)[j],
                   deviation = rls2_dataset_deviations(repeated)[j];
            assert_near(rls2_dataset_means(weighted)[j], mean, 1e-14 * fmax(1.0, fabs(mean)));
            assert_near(rls2_dataset_deviations(weighted)[j], deviation, 1e-13 * fabs(deviation));
        }
        assert_rows(weighted, repeated, 1e-13);
        rls2_dataset_free(weighted);
        rls2_dataset_free(repeated);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preprocess__integer_weights__are_repeated_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
