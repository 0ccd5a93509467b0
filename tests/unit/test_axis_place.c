/* The places of rows on axes, against a search through all points. */
#include <math.h>

#include "stats/axis.h"
#include "support/unit_support.h"

enum { ROWS = 5000 };

static int64_t order[ROWS];

static void number_rows(void)
{
    for (int64_t i = 0; i < ROWS; i++) order[i] = i;
}

static void check_number(const double *knots, int64_t count, double x, uint16_t at, uint8_t share)
{
    int64_t low = 0;
    if (x <= knots[0]) {
        assert_int_equal(at, 0);
        assert_int_equal(share, 0);
        return;
    }
    if (x >= knots[count - 1]) {
        assert_int_equal(at, count - 1);
        assert_int_equal(share, 0);
        return;
    }
    while (knots[low + 1] <= x) low++;
    double wanted = 64.0 * (x - knots[low]) / (knots[low + 1] - knots[low]);
    double found = 64.0 * (double)(at - low) + share; /* from the left one */
    assert_true(at == low || (at == low + 1 && share == 0));
    assert_near(found, wanted, 0.5 + 1e-9);
}

static void check_knots(int64_t count, const double *knots, const double *x)
{
    uint16_t at[ROWS];
    uint8_t share[ROWS];
    int64_t column = 0;
    const rls2__axis axis = {.width = 1,
                             .columns = &column,
                             .count = count,
                             .knots = count,
                             .points = (double *)knots,
                             .missing_above = INFINITY};
    rls2__axis_place(&axis, x, ROWS, ROWS, order, at, share);
    for (int64_t i = 0; i < ROWS; i++) check_number(knots, count, x[i], at[i], share[i]);
}

static void axis_place__numbers__lie_between_neighbouring_knots(void **state)
{
    (void)state;
    static const double one[] = {0.5}, two[] = {-1.0, 1.0};
    /* far ends: nearly all knots are in one bucket */
    static const double far[] = {-1e9, -1.0, -0.5, -0.25, 0.0, 0.1, 0.2, 0.3, 2.0, 1e12};
    static const double near[] = {0.0, 0x1p-1074, 0.5, 0x1.0000000000001p-1, 1.0};
    double *x = unit_normal(3, ROWS), *knots = unit_normal(4, 512);
    number_rows();
    for (int64_t g = 1; g < 512; g++) knots[g] = knots[g - 1] + fabs(knots[g]) + 1e-3;
    for (int64_t g = 0; g < 512; g++) knots[g] = knots[g] / 100.0 - 2.0;
    for (int64_t g = 0; g < 10; g++) x[g] = far[g];
    for (int64_t g = 0; g < 5; g++) x[10 + g] = near[g];
    for (int64_t g = 0; g < 512; g++) x[20 + g] = knots[g];
    check_knots(1, one, x);
    check_knots(2, two, x);
    check_knots(10, far, x);
    check_knots(5, near, x);
    check_knots(512, knots, x);
    check_knots(77, knots + 100, x);
    free(x);
    free(knots);
}

static void axis_place__missing_cells__lie_at_the_last_point(void **state)
{
    (void)state;
    uint16_t at[ROWS];
    uint8_t share[ROWS];
    int64_t columns[] = {0, 1};
    double points[] = {-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.3, 1.0};
    double *x = unit_room(2 * ROWS);
    const rls2__axis axis = {.width = 2,
                             .columns = columns,
                             .count = 4,
                             .knots = 3,
                             .points = points,
                             .missing_above = 0.5};
    number_rows();
    for (int64_t i = 0; i < ROWS; i++) {
        x[i] = i % 7 == 3 ? 0.3 : 0.5;
        x[ROWS + i] = i % 7 == 3 ? 1.0 : 0.0;
    }
    rls2__axis_place(&axis, x, ROWS, ROWS, order, at, share);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(at[i], i % 7 == 3 ? 3 : 1);
        assert_int_equal(share[i], i % 7 == 3 ? 0 : 32);
    }
    free(x);
}

/* Rows of patterns, each a row of `width` values. */
static void check_patterns(int64_t width, int64_t count, double *points)
{
    uint16_t at[ROWS];
    uint8_t share[ROWS];
    int64_t columns[8];
    double *x = unit_room(ROWS * width);
    number_rows();
    for (int64_t v = 0; v < width; v++) columns[v] = v;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t v = 0; v < width; v++)
            x[v * ROWS + i] = points[(i * i + i / 3) % count * width + v];
    const rls2__axis axis = {.width = width, .columns = columns, .count = count, .points = points};
    rls2__axis_place(&axis, x, ROWS, ROWS, order, at, share);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_int_equal(at[i], (i * i + i / 3) % count);
        assert_int_equal(share[i], 0);
    }
    free(x);
}

static void axis_place__categories__lie_at_their_pattern(void **state)
{
    (void)state;
    /* standardised indicators, without and with a row that has none; and one that has two */
    double each[] = {2.0, -0.1, -0.7, -0.5, 3.0, -0.7, -0.5, -0.1, 0.4};
    double none[] = {2.0, -0.1, -0.7, -0.5, -0.1, -0.7, -0.5, -0.1, 0.4, -0.5, 3.0, -0.7};
    double both[] = {1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    double same[] = {0.25, 0.25};
    check_patterns(3, 3, each);
    check_patterns(3, 4, none);
    check_patterns(2, 4, both);
    check_patterns(2, 1, same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_place__numbers__lie_between_neighbouring_knots),
        cmocka_unit_test(axis_place__missing_cells__lie_at_the_last_point),
        cmocka_unit_test(axis_place__categories__lie_at_their_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
