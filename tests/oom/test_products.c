/* Products that are cut into ranges need room for the sums of each: without it they say so. */
#include "failing_allocator.h"

#include "la/tiles.h"

enum { N = 1001 };

static double A[N * N], x[N], y[2 * N];

static rls2_status full(rls2__effort *effort)
{
    return rls2__tiled_symv(effort, N, 1.0, A, N, x, y);
}

static rls2_status packed(rls2__effort *effort)
{
    return rls2__tiled_spmv(effort, N, 1.0, A, x, y);
}

static rls2_status outer(rls2__effort *effort)
{
    return rls2__tiled_syrk_packed(effort, 60, 1, x, 60, y);
}

static void tiled_product__no_room_for_sums__is_an_error(void **state)
{
    (void)state;
    rls2_status (*const products[])(rls2__effort *) = {full, packed, outer};
    rls2__effort alone;
    rls2__effort_begin_alone(&alone);
    for (int i = 0; i < N * N; i++) A[i] = 1.0;
    for (int i = 0; i < N; i++) x[i] = 1.0;
    for (int p = 0; p < 3; p++) {
        rls2_status status;
        reset_allocator(1, INT64_MAX);
        fill_unwritten(N, y);
        ARMED(status = products[p](&alone));
        assert_int_equal(status, RLS2_ERR_MEMORY);
        assert_unwritten(N, y);
        reset_allocator(0, 0);
        ARMED(status = products[p](&alone));
        assert_int_equal(status, RLS2_OK);
        for (int i = 0; i < N && p < 2; i++) assert_true(y[i] == (double)N);
        for (int i = 0; i < 60 * 61 / 2 && p == 2; i++) assert_true(y[i] == 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiled_product__no_room_for_sums__is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
