/* One BLAS thread inside the library, and the host's own number outside, whoever uses it at the
 * same time. */
#include "la/la.h"
#include "la/threads.h"
#include "support/unit_support.h"

extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

static void la_enter__twice__puts_the_host_back_at_the_end(void **state)
{
    (void)state;
    const double x = 2.0;
    /* a program that calls no BLAS is linked without one */
    assert_true(rls2__la_dot(1, &x, &x) == 4.0);
    if (!openblas_set_num_threads || !openblas_get_num_threads) skip(); /* another BLAS */
    int before = openblas_get_num_threads();
    openblas_set_num_threads(2);
    if (openblas_get_num_threads() != 2) skip(); /* it was built for one thread */
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    assert_int_equal(openblas_get_num_threads(), 1);
    assert_int_equal(rls2__la_enter(NULL), RLS2_OK);
    rls2__la_leave();
    assert_int_equal(openblas_get_num_threads(), 1); /* the first is still inside */
    rls2__la_leave();
    assert_int_equal(openblas_get_num_threads(), 2);
    openblas_set_num_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(la_enter__twice__puts_the_host_back_at_the_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
