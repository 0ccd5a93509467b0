/* What BLAS and threads can have under a limit of address space, asked before they are called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/unit_support.h"

#include "base/crew.h"
#include "la/la.h"
#include "la/threads.h"

static const long MEGABYTE = 1l << 20;

static long address_space(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return -1;
    int read = fscanf(file, "%ld", &pages);
    fclose(file);
    return read == 1 ? pages * sysconf(_SC_PAGESIZE) : -1;
}

/* Leaves room for so many bytes more than there are in use. */
static void limit_to(long more)
{
    struct rlimit limit;
    long now = address_space();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    now = -1; /* what sanitizers do beside takes memory too, or ends the process */
#endif
    if (now < 0) skip();
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = (rlim_t)(now + more);
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static void lift_limit(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* The first test: no thread of ours has left its stack behind yet. */
static void crew_room__no_room_for_a_stack__is_the_caller_alone(void **state)
{
    (void)state;
    limit_to(0);
    int had = rls2__crew_room(4);
    lift_limit();
    assert_int_equal(had, 1);
    assert_int_equal(rls2__crew_room(4), 4);
    assert_int_equal(rls2__crew_room(1), 1);
}

/* And before BLAS has taken any buffer. */
static void la_enter__no_room_for_a_buffer__is_an_error(void **state)
{
    (void)state;
    rls2_error err = {.status = RLS2_OK};
    int threads = 2;
    limit_to(16 * MEGABYTE);
    rls2_status status = rls2__la_enter(&err), team = rls2__la_enter_team(&threads, NULL);
    int room = rls2__la_room(2);
    lift_limit();
    assert_int_equal(status, RLS2_ERR_MEMORY);
    assert_int_equal(team, RLS2_ERR_MEMORY);
    assert_int_equal(room, 0);
    assert_non_null(strstr(err.message, "out of memory for the work of BLAS"));
}

static void la_enter_team__room_for_one__is_lowered_and_kept(void **state)
{
    (void)state;
    int threads = 3, nested = 3;
    limit_to(200 * MEGABYTE);
    rls2_status status = rls2__la_enter_team(&threads, NULL),
                again = rls2__la_enter_team(&nested, NULL);
    limit_to(0);
    double a = 4.0, b[400];
    for (int i = 0; i < 400; i++) b[i] = 1.0;
    int64_t failed = rls2__la_cholesky(1, &a, 1); /* by the buffer that is there */
    rls2__la_leave();
    rls2__la_leave();
    lift_limit();
    assert_int_equal(status, RLS2_OK);
    assert_int_equal(again, RLS2_OK);
    assert_int_equal(threads, 1);
    assert_int_equal(nested, 1);
    assert_int_equal(failed, 0);
    assert_true(a == 2.0);
    assert_true(rls2__la_dot(400, b, b) == 400.0);
}

static void la_room__buffers_are_there__needs_no_more(void **state)
{
    (void)state;
    assert_int_equal(rls2__la_room(2), 2);
    limit_to(0);
    int room = rls2__la_room(3);
    lift_limit();
    assert_int_equal(room, 2);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *threads = getenv("OPENBLAS_NUM_THREADS");
    if (!threads ||
        strcmp(threads, "1") != 0) { /* OpenBLAS's own threads would take what is counted here */
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crew_room__no_room_for_a_stack__is_the_caller_alone),
        cmocka_unit_test(la_enter__no_room_for_a_buffer__is_an_error),
        cmocka_unit_test(la_enter_team__room_for_one__is_lowered_and_kept),
        cmocka_unit_test(la_room__buffers_are_there__needs_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
