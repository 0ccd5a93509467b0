/* QR of tall matrices: what an orthogonal map has to do, whatever the sizes and the rank. */
#include "support/unit_support.h"

#include <math.h>

#include "base/memory.h"
#include "la/la.h"
#include "la/qr.h"
#include "la/threads.h"

typedef struct tall {
    int64_t n, k;
    double *A;
    const double **columns;
} tall;

static tall tall_create(uint64_t seed, int64_t n, int64_t k)
{
    tall it = {n, k, unit_normal(seed, n * k), calloc((size_t)k + 1, sizeof(double *))};
    for (int64_t j = 0; j < k; j++) it.columns[j] = it.A + j * n;
    return it;
}

static void tall_free(tall *it)
{
    free(it->A);
    free(it->columns);
}

/* Every column, rotated, is a column of S and nothing else; and back. */
static void check_columns(const tall *it, const rls2__qr *qr)
{
    int64_t n = it->n, k = it->k, length = rls2__qr_length(qr), lift = length - n;
    const double *S = rls2__qr_triangle(qr);
    double *x = unit_room(length);
    for (int64_t j = 0; j < k; j++) {
        double size = rls2__la_norm(n, it->columns[j]), tolerance = 1e-13 * (size + 1e-300);
        memset(x, 0, (size_t)length * sizeof *x);
        memcpy(x + lift, it->columns[j], (size_t)n * sizeof *x);
        assert_int_equal(rls2__qr_apply_t(unit_alone(), qr, x), RLS2_OK);
        for (int64_t i = 0; i < k; i++) {
            assert_near(x[i], S[j * k + i], tolerance);
            if (i > j) assert_true(S[j * k + i] == 0.0);
        }
        assert_at_most(rls2__la_norm(length - k, x + k), tolerance);
        memset(x, 0, (size_t)length * sizeof *x);
        memcpy(x, S + j * k, (size_t)k * sizeof *x);
        assert_int_equal(rls2__qr_apply(unit_alone(), qr, x), RLS2_OK);
        for (int64_t i = 0; i < n; i++) assert_near(x[lift + i], it->columns[j][i], tolerance);
    }
    free(x);
}

/* No vector changes its length, and Q undoes Q'. */
static void check_orthogonal(const tall *it, const rls2__qr *qr)
{
    int64_t n = it->n, length = rls2__qr_length(qr), lift = length - n;
    double *y = unit_normal(77, n), *x = unit_room(length), size = rls2__la_norm(n, y);
    memcpy(x + lift, y, (size_t)n * sizeof *x);
    assert_int_equal(rls2__qr_apply_t(unit_alone(), qr, x), RLS2_OK);
    assert_near(rls2__la_norm(length, x), size, 1e-13 * size);
    assert_int_equal(rls2__qr_apply(unit_alone(), qr, x), RLS2_OK);
    for (int64_t i = 0; i < n; i++) assert_near(x[lift + i], y[i], 1e-13 * size);
    assert_at_most(rls2__la_norm(lift, x), 1e-13 * size);
    free(x);
    free(y);
}

static void check(const tall *it)
{
    rls2__qr *qr = NULL;
    assert_int_equal(rls2__qr_create(unit_alone(), it->n, it->k, it->columns, &qr), RLS2_OK);
    check_columns(it, qr);
    check_orthogonal(it, qr);
    rls2__qr_free(qr);
}

static void qr_create__sizes_of_all_kinds__is_orthogonal_and_gives_the_columns(void **state)
{
    (void)state;
    const int64_t sizes[][2] = {{1, 1},    {7, 7},     {5, 9},     {60, 0},
                                {1000, 3}, {30000, 7}, {3000, 400}};
    for (int i = 0; i < 7; i++) {
        tall it = tall_create((uint64_t)i + 1, sizes[i][0], sizes[i][1]);
        check(&it);
        tall_free(&it);
    }
}

/* Columns that are zero, that come twice, and that are sums of others but for rounding. */
static void qr_create__columns_that_depend_on_others__is_orthogonal_all_the_same(void **state)
{
    (void)state;
    tall it = tall_create(3, 20000, 12);
    memset(it.A, 0, (size_t)it.n * sizeof(double));
    it.columns[5] = it.columns[2];
    for (int64_t i = 0; i < it.n; i++)
        it.A[8 * it.n + i] = it.A[3 * it.n + i] / 3.0 + it.A[it.n + i];
    for (int64_t i = 0; i < it.n; i++) it.A[9 * it.n + i] *= 1e-60;
    check(&it);
    tall_free(&it);
}

static void qr_create__any_number_of_threads__same_bits(void **state)
{
    (void)state;
    tall it = tall_create(5, 40000, 9);
    rls2__qr *one = NULL;
    assert_int_equal(rls2__qr_create(unit_alone(), it.n, it.k, it.columns, &one), RLS2_OK);
    double *x = unit_normal(6, rls2__qr_length(one)), *y = unit_normal(6, rls2__qr_length(one));
    assert_int_equal(rls2__qr_apply_t(unit_alone(), one, x), RLS2_OK);
    for (int threads = 2; threads <= 5; threads++) {
        const rls2_control control = {.size = sizeof control, .threads = threads};
        rls2__effort effort;
        rls2__qr *many = NULL;
        rls2__effort_begin(&control, "path", 1, &effort);
        assert_int_equal(rls2__qr_create(&effort, it.n, it.k, it.columns, &many), RLS2_OK);
        assert_memory_equal(rls2__qr_triangle(many), rls2__qr_triangle(one),
                            (size_t)(it.k * it.k) * sizeof(double));
        double *z = unit_room(rls2__qr_length(one));
        memcpy(z, y, (size_t)rls2__qr_length(one) * sizeof *z);
        assert_int_equal(rls2__qr_apply_t(&effort, many, z), RLS2_OK);
        assert_memory_equal(z, x, (size_t)rls2__qr_length(one) * sizeof *z);
        free(z);
        rls2__qr_free(many);
    }
    free(x);
    free(y);
    rls2__qr_free(one);
    tall_free(&it);
}

static int stop(void *user, const rls2_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

static void qr_create__stopped__makes_nothing(void **state)
{
    (void)state;
    tall it = tall_create(5, 40000, 9);
    const rls2_control control = {.size = sizeof control, .threads = 2, .progress = stop};
    const rls2_progress begun = {.stage = "path"};
    rls2__effort effort;
    rls2__qr *qr = NULL;
    rls2__effort_begin(&control, "path", 1, &effort);
    rls2__effort_tell(&effort, &begun);
    assert_int_equal(rls2__qr_create(&effort, it.n, it.k, it.columns, &qr), RLS2_ERR_CANCELLED);
    assert_null(qr);
    tall_free(&it);
}

static int enter(void **state)
{
    int threads = 5;
    (void)state;
    return rls2__la_enter_team(&threads, NULL) != RLS2_OK;
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
        cmocka_unit_test(qr_create__sizes_of_all_kinds__is_orthogonal_and_gives_the_columns),
        cmocka_unit_test(qr_create__columns_that_depend_on_others__is_orthogonal_all_the_same),
        cmocka_unit_test(qr_create__any_number_of_threads__same_bits),
        cmocka_unit_test(qr_create__stopped__makes_nothing),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
