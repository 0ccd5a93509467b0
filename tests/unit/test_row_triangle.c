/* Triangles of rows: inner products against sums in long double, and what merging must not change.
 */
#include "support/unit_support.h"

#include <math.h>

#include "base/crew.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/row_triangle.h"
#include "table/dataset.h"

/* Rows as far as moments look at them. */
typedef struct sample {
    rls2_dataset data;
    int64_t outputs, *all; /* 0, 1, ... */
    double offsets[2];
} sample;

static sample sample_create(int64_t n, int64_t p, int weighted)
{
    sample it = {.data = {.rows = n, .columns = p}, .outputs = 2, .offsets = {0.25, 1e3}};
    it.data.x = unit_normal(5, n * p);
    it.data.y = unit_normal(6, n * 2);
    it.data.weights = weighted ? unit_room(n) : NULL;
    it.all = calloc((size_t)n, sizeof *it.all);
    for (int64_t i = 0; i < n; i++) {
        it.all[i] = i;
        it.data.y[n + i] += 1e3;
        if (weighted) it.data.weights[i] = 0.5 + (double)(i % 7);
        if (p > 1) it.data.x[n + i] = 3.0 + 1e-9 * it.data.x[n + i]; /* nearly constant */
    }
    return it;
}

static void sample_free(sample *it)
{
    free(it->data.x);
    free(it->data.y);
    free(it->data.weights);
    free(it->all);
}

/* Column j of [1 X Y], less its offset. */
static long double value(const sample *it, int64_t j, int64_t i)
{
    const rls2_dataset *data = &it->data;
    if (j == 0) return 1.0L;
    if (j <= data->columns) return data->x[(j - 1) * data->rows + i];
    int64_t o = j - 1 - data->columns;
    return (long double)data->y[o * data->rows + i] - it->offsets[o];
}

static long double product(const sample *it, int64_t j, int64_t k, int64_t first, int64_t end)
{
    long double sum = 0.0L;
    for (int64_t i = first; i < end; i++)
        sum += (it->data.weights ? it->data.weights[i] : 1.0L) * value(it, j, i) * value(it, k, i);
    return sum;
}

static void check_products(const sample *it, const rls2__row_triangle *moments, int64_t first,
                           int64_t end)
{
    int64_t order = moments->order;
    for (int64_t j = 0; j < order; j++)
        for (int64_t k = 0; k < order; k++) {
            double size =
                sqrt((double)(product(it, j, j, first, end) * product(it, k, k, first, end)));
            double found = rls2__la_dot(order, moments->T + j * order, moments->T + k * order);
            assert_near(found, (double)product(it, j, k, first, end), 1e-13 * size);
            if (k > j) assert_true(moments->T[j * order + k] == 0.0);
        }
}

/* About the means the nearly constant column keeps the digits it has: its squares would be lost in
 * a difference of sums. */
static void check_spread(const sample *it, const rls2__row_triangle *moments, int64_t first,
                         int64_t end)
{
    int64_t order = moments->order;
    const double *column = moments->T + 2 * order;
    long double mean = product(it, 0, 2, first, end) / product(it, 0, 0, first, end), sum = 0.0L;
    for (int64_t i = first; i < end; i++) {
        long double step = value(it, 2, i) - mean;
        sum += (it->data.weights ? it->data.weights[i] : 1.0L) * step * step;
    }
    assert_near(rls2__la_norm(order - 1, column + 1) / sqrt((double)sum), 1.0, 1e-5);
    assert_near(column[0] / moments->T[0], (double)mean, 1e-14 * fabs((double)mean));
}

static rls2__row_triangle moments_of(const sample *it, int64_t first, int64_t end, int threads)
{
    rls2__row_triangle moments;
    rls2_control control = {.size = sizeof control, .threads = threads};
    rls2__effort effort;
    rls2__effort_begin(&control, "rows", 0, &effort);
    assert_int_equal(rls2__row_triangle_create(it->data.columns, it->outputs, &moments), RLS2_OK);
    assert_int_equal(rls2__row_triangle_add(&effort, &it->data, it->offsets, end - first,
                                            it->all + first, &moments),
                     RLS2_OK);
    return moments;
}

static void row_triangle_add__rows__has_their_inner_products(void **state)
{
    (void)state;
    static const int64_t SIZES[][2] = {{1, 2}, {5, 3}, {300, 2}, {4097, 3}, {9000, 9}};
    for (int c = 0; c < 10; c++) {
        int64_t n = SIZES[c / 2][0];
        sample it = sample_create(n, SIZES[c / 2][1], c % 2);
        rls2__row_triangle moments = moments_of(&it, 0, n, 1);
        check_products(&it, &moments, 0, n);
        if (n > 1) check_spread(&it, &moments, 0, n);
        assert_true(rls2__row_triangle_are_finite(&moments));
        rls2__row_triangle_release(&moments);
        sample_free(&it);
    }
}

static void row_triangle_merge__two_parts__is_all(void **state)
{
    (void)state;
    sample it = sample_create(500, 4, 1);
    rls2__row_triangle a = moments_of(&it, 0, 123, 1), b = moments_of(&it, 123, 500, 1);
    double *kept = unit_room(b.order * b.order);
    memcpy(kept, b.T, (size_t)(b.order * b.order) * sizeof *kept);
    assert_int_equal(rls2__row_triangle_merge(&b, &a), RLS2_OK);
    check_products(&it, &a, 0, 500);
    check_spread(&it, &a, 0, 500);
    assert_memory_equal(kept, b.T, (size_t)(b.order * b.order) * sizeof *kept);
    for (int64_t j = 0; j < 4; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < 500; i++) {
            low = fmin(low, it.data.x[j * 500 + i]);
            high = fmax(high, it.data.x[j * 500 + i]);
        }
        assert_true(a.low[j] == low && a.high[j] == high);
    }
    free(kept);
    rls2__row_triangle_release(&a);
    rls2__row_triangle_release(&b);
    sample_free(&it);
}

static void row_triangle_add__threads__do_not_change_a_bit(void **state)
{
    (void)state;
    sample it = sample_create(20000, 6, 1);
    rls2__row_triangle one = moments_of(&it, 0, 20000, 1), three = moments_of(&it, 0, 20000, 3);
    assert_memory_equal(one.T, three.T, (size_t)(one.order * one.order) * sizeof(double));
    rls2__row_triangle_release(&one);
    rls2__row_triangle_release(&three);
    sample_free(&it);
}

static void row_triangle_are_finite__overflow__is_seen(void **state)
{
    (void)state;
    sample it = sample_create(50, 2, 0);
    for (int64_t i = 0; i < 50; i++) it.data.x[i] = 1e308;
    rls2__row_triangle moments = moments_of(&it, 0, 50, 1);
    assert_false(rls2__row_triangle_are_finite(&moments));
    rls2__row_triangle_release(&moments);
    sample_free(&it);
}

static int enter(void **state)
{
    (void)state;
    int threads = 3;
    return rls2__la_enter_team(&threads, NULL) == RLS2_OK ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    rls2__la_leave();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_triangle_add__rows__has_their_inner_products),
        cmocka_unit_test(row_triangle_merge__two_parts__is_all),
        cmocka_unit_test(row_triangle_add__threads__do_not_change_a_bit),
        cmocka_unit_test(row_triangle_are_finite__overflow__is_seen),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
