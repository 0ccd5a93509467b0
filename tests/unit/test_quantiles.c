/* Quantiles against sorting; the points of axes do not depend on the order of rows, and a row of
 * weight k counts as k rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/table.h"
#include "stats/axis.h"
#include "stats/quantiles.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { MOST = 90000, MOST_RANKS = 200, ROWS = 150000 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int ascending_whole(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of different kinds: few values, sorted, reversed, any. */
static double made_number(rls2__random *random, int kind, int64_t i, int64_t count)
{
    switch (kind) {
    case 0: return (double)rls2__random_below(random, 3);
    case 1: return (double)i;
    case 2: return (double)(count - i);
    case 3: return 7.0;
    case 4: return (double)rls2__random_below(random, 1 << 20) - 5e5;
    case 5: return exp((double)rls2__random_below(random, 1200) - 600.0); /* most in one bin */
    default: return (i % 2 ? 1.7e308 : -1.7e308) + 1e300 * (double)i;
    }
}

static void check_case(rls2__random *random, int kind, int is_weighted, int is_large)
{
    static double x[MOST], repeated[9 * MOST], found[MOST_RANKS];
    static int64_t w[MOST], rank[MOST_RANKS];
    int64_t count = 1 + rls2__random_below(random, is_large ? MOST : 3000), total = 0;
    int64_t ranks = rls2__random_below(random, MOST_RANKS);
    for (int64_t i = 0; i < count; i++) {
        x[i] = made_number(random, kind, i, count);
        w[i] = is_weighted ? 1 + rls2__random_below(random, 9) : 1;
        for (int64_t k = 0; k < w[i]; k++) repeated[total++] = x[i];
    }
    qsort(repeated, (size_t)total, sizeof *repeated, ascending);
    for (int64_t g = 0; g < ranks; g++) rank[g] = rls2__random_below(random, total);
    qsort(rank, (size_t)ranks, sizeof *rank, ascending_whole);
    rls2__quantiles(count, x, is_weighted ? w : NULL, ranks, rank, found);
    for (int64_t g = 0; g < ranks; g++) assert_true(found[g] == repeated[rank[g]]);
}

static void quantiles__numbers_of_all_kinds__as_by_sorting(void **state)
{
    rls2__random random;
    (void)state;
    rls2__random_seed(&random, 3);
    for (int i = 0; i < 280; i++) check_case(&random, i % 7, i / 7 % 2, i >= 210);
}

/* ---- axes ---- */

/* Rows order[0 .. rows - 1] of a made table: a skewed number, one of which some are missing, and
 * weights, or NULL. */
static rls2_dataset *made_data(int64_t rows, const int64_t *order, const double *weights)
{
    rls2_error err;
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_dataset_options options;
    double *x = malloc(4 * (size_t)rows * sizeof *x);
    double *z = x + rows, *y = z + rows, *w = y + rows;
    for (int64_t i = 0; i < rows; i++) {
        double at = (double)(order[i] * 7919 % 100003) / 1000.0;
        x[i] = at * at * at;
        z[i] = order[i] % 5 == 0 ? (double)NAN : at + (double)(order[i] % 11);
        y[i] = (double)(order[i] % 13);
        w[i] = weights ? weights[order[i]] : 1.0;
    }
    const rls2_column columns[] = {{.name = "x", .numbers = x, .stride = 1},
                                   {.name = "z", .numbers = z, .stride = 1},
                                   {.name = "y", .numbers = y, .stride = 1},
                                   {.name = "w", .numbers = w, .stride = 1}};
    assert_ok(rls2_table_create("made", rows, weights ? 4 : 3, columns, &table, &err), &err);
    rls2_dataset_options_init(&options, sizeof options);
    options.target = "y";
    options.missing = RLS2_MISSING_IMPUTE;
    if (weights) options.row_weights = "w";
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    rls2_table_free(table);
    free(x);
    return data;
}

static rls2__axes *axes_of(const rls2_dataset *data)
{
    rls2__axes *axes = NULL;
    assert_int_equal(rls2__axes_create(unit_alone(), &(rls2__axes_from){.rows = data},
                                       (rls2__fineness){.most = 48}, &axes),
                     0);
    return axes;
}

static void assert_same_axes(const rls2_dataset *one, const rls2_dataset *other)
{
    rls2__axes *a = axes_of(one), *b = axes_of(other);
    assert_int_equal(a->count, b->count);
    for (int64_t k = 0; k < a->count; k++) {
        const rls2__axis *left = &a->all[k], *right = &b->all[k];
        assert_int_equal(left->is_exact, 0);
        assert_int_equal(left->count, right->count);
        assert_true(left->count > 40);
        assert_memory_equal(left->points, right->points,
                            (size_t)(left->count * left->width) * sizeof(double));
    }
    rls2__axes_free(a);
    rls2__axes_free(b);
}

static void axes__rows_in_another_order__same_points(void **state)
{
    static int64_t order[ROWS];
    rls2__random random;
    (void)state;
    rls2__random_seed(&random, 4);
    for (int64_t i = 0; i < ROWS; i++) order[i] = i;
    rls2_dataset *one = made_data(ROWS, order, NULL);
    for (int64_t i = ROWS - 1; i > 0; i--) {
        int64_t j = rls2__random_below(&random, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    rls2_dataset *other = made_data(ROWS, order, NULL);
    assert_same_axes(one, other);
    rls2_dataset_free(one);
    rls2_dataset_free(other);
}

static void axes__whole_weights__as_rows_repeated(void **state)
{
    enum { DIFFERENT = 20000 };
    static int64_t order[DIFFERENT], repeated[4 * DIFFERENT];
    static double weights[DIFFERENT];
    int64_t rows = 0;
    (void)state;
    for (int64_t i = 0; i < DIFFERENT; i++) {
        order[i] = i;
        weights[i] = 1.0 + (double)(i * 31 % 97 % 4);
        for (int k = 0; k < (int)weights[i]; k++) repeated[rows++] = i;
    }
    rls2_dataset *one = made_data(DIFFERENT, order, weights);
    rls2_dataset *other = made_data(rows, repeated, NULL);
    assert_same_axes(one, other);
    rls2_dataset_free(one);
    rls2_dataset_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles__numbers_of_all_kinds__as_by_sorting),
        cmocka_unit_test(axes__rows_in_another_order__same_points),
        cmocka_unit_test(axes__whole_weights__as_rows_repeated),
    };
    return cmocka_run_group_tests_name("quantiles", tests, NULL, NULL);
}
