/* The macro itself, and the conditions that several modules share: each says no where it should. */
#include "support/unit_support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/invariant.h"

static int evaluated;

static int look(int answer)
{
    evaluated++;
    return answer;
}

#ifdef RLS2_INVARIANTS

/* What the process that fails says; *status is how it ends. */
static void fail_in_child(char *said, size_t room, int *status)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        rls2__invariant(look(1) == 2);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, room - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, status, 0), child);
}

static void invariant__condition_is_false__says_where_and_aborts(void **state)
{
    (void)state;
    char said[1024];
    int status;
    fail_in_child(said, sizeof said, &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(said, "test_invariant.c:"));
    assert_non_null(strstr(said, "look(1) == 2"));
}

static void invariant__condition_is_true__is_evaluated_once(void **state)
{
    (void)state;
    evaluated = 0;
    rls2__invariant(look(1));
    assert_int_equal(evaluated, 1);
}

static void is_on_simplex__weights__only_of_sum_one_and_not_negative(void **state)
{
    (void)state;
    assert_true(rls2__is_on_simplex(3, (double[]){0.5, 0.0, 0.5}));
    assert_true(rls2__is_on_simplex(3, (double[]){1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}));
    assert_false(rls2__is_on_simplex(2, (double[]){1.1, -0.1}));
    assert_false(rls2__is_on_simplex(2, (double[]){0.5, 0.4999}));
    assert_false(rls2__is_on_simplex(2, (double[]){1.0, NAN}));
    assert_false(rls2__is_on_simplex(0, NULL));
}

static void is_finite_positive_nonnegative__numbers__as_they_say(void **state)
{
    (void)state;
    const double infinite[] = {1.0, INFINITY}, nan[] = {NAN}, zero[] = {1.0, 0.0};
    const double negative[] = {1.0, -1.0}, fine[] = {1.0, 2.0};
    assert_true(rls2__is_finite(2, negative) && rls2__is_finite(0, NULL));
    assert_false(rls2__is_finite(2, infinite) || rls2__is_finite(1, nan));
    assert_true(rls2__is_positive(2, fine));
    assert_false(rls2__is_positive(2, zero) || rls2__is_positive(1, nan) ||
                 rls2__is_positive(2, infinite));
    assert_true(rls2__is_nonnegative(2, zero) && rls2__is_nonnegative(2, infinite));
    assert_false(rls2__is_nonnegative(2, negative) || rls2__is_nonnegative(1, nan));
}

static void is_ascending_within_unique__indices__as_they_say(void **state)
{
    (void)state;
    const int64_t rising[] = {0, 2, 5}, mixed[] = {2, 0, 5}, twice[] = {0, 2, 2};
    const int64_t negative[] = {-1, 2};
    assert_true(rls2__is_ascending(3, rising, 6) && rls2__is_ascending(0, NULL, 0));
    assert_false(rls2__is_ascending(3, rising, 5) || rls2__is_ascending(3, mixed, 6) ||
                 rls2__is_ascending(3, twice, 6) || rls2__is_ascending(2, negative, 6));
    assert_true(rls2__is_within(3, twice, 3));
    assert_false(rls2__is_within(3, rising, 5) || rls2__is_within(2, negative, 6));
    assert_true(rls2__is_unique(3, mixed, 6));
    assert_false(rls2__is_unique(3, twice, 6) || rls2__is_unique(3, mixed, 5));
}

static void is_descending__numbers__equal_ones_are_fine(void **state)
{
    (void)state;
    assert_true(rls2__is_descending(3, (double[]){2.0, 2.0, 1.0}));
    assert_false(rls2__is_descending(3, (double[]){2.0, 1.0, 1.5}));
    assert_false(rls2__is_descending(2, (double[]){2.0, NAN}));
}

static void is_factor__diagonal__only_above_zero(void **state)
{
    (void)state;
    assert_true(rls2__is_factor(2, (double[]){1.0, -3.0, NAN, 2.0}, 2));
    assert_false(rls2__is_factor(2, (double[]){1.0, -3.0, NAN, -2.0}, 2));
    assert_false(rls2__is_factor(2, (double[]){NAN, 0.0, 0.0, 1.0}, 2));
    assert_true(rls2__is_factor(2, (double[]){1.0, 0.0, 0.0, 0.0, 2.0, 0.0}, 3));
    assert_false(rls2__is_factor(2, (double[]){1.0, 0.0, 0.0, 2.0, 0.0, 0.0}, 3));
}

#else

static void invariant__not_compiled_in__is_not_evaluated(void **state)
{
    (void)state;
    int only_here = 0; /* no warning that it is unused */
    evaluated = 0;
    rls2__invariant(look(0) && only_here);
    assert_int_equal(evaluated, 0);
    look(0);
    assert_int_equal(evaluated, 1);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef RLS2_INVARIANTS
        cmocka_unit_test(invariant__condition_is_false__says_where_and_aborts),
        cmocka_unit_test(invariant__condition_is_true__is_evaluated_once),
        cmocka_unit_test(is_on_simplex__weights__only_of_sum_one_and_not_negative),
        cmocka_unit_test(is_finite_positive_nonnegative__numbers__as_they_say),
        cmocka_unit_test(is_ascending_within_unique__indices__as_they_say),
        cmocka_unit_test(is_descending__numbers__equal_ones_are_fine),
        cmocka_unit_test(is_factor__diagonal__only_above_zero),
#else
        cmocka_unit_test(invariant__not_compiled_in__is_not_evaluated),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
