/* The memory a process may have: limits of control groups, read from folders made here, and those
 * of the process itself. */
#include "base/machine.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/unit_support.h"

static char root[64], groups[96];

static int make_root(void **state)
{
    (void)state;
    strcpy(root, "/tmp/rls2-machine-XXXXXX");
    if (!mkdtemp(root)) return -1;
    snprintf(groups, sizeof groups, "%s/cgroup", root);
    return 0;
}

static int remove_root(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", root);
    return system(line);
}

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static double limit(void)
{
    return rls2__cgroup_limit(groups, root);
}

static void cgroup_limit__no_groups__is_none(void **state)
{
    (void)state;
    assert_true(isinf(limit())); /* no such file: not Linux */
    put("cgroup", "");
    assert_true(isinf(limit()));
    put("cgroup", "nonsense\n7:cpu:/x\n");
    assert_true(isinf(limit()));
}

static void cgroup_limit__version_2__is_the_least_of_a_group_and_its_parents(void **state)
{
    (void)state;
    put("cgroup", "0::/a/b\n");
    put("memory.max", "max\n");
    put("a/memory.max", "5000000\n");
    put("a/b/memory.max", "max\n");
    assert_true(limit() == 5e6);
    put("a/b/memory.max", "2000000\n");
    assert_true(limit() == 2e6);
    put("a/b/memory.max", "0\n"); /* nothing at all is a limit, too */
    assert_true(limit() == 0.0);
}

/* What docker shows within: the path of the host, which does not exist here. */
static void cgroup_limit__path_of_the_host__is_that_of_the_mount(void **state)
{
    (void)state;
    put("cgroup", "0::/system.slice/docker-1.scope\n");
    put("memory.max", "3000000\n");
    assert_true(limit() == 3e6);
}

static void cgroup_limit__version_1__is_found_among_the_controllers(void **state)
{
    (void)state;
    put("cgroup", "5:cpuset:/\n4:hugetlb,memory:/job\n1:memory2:/other\n");
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(isinf(limit()));
    put("memory/job/memory.limit_in_bytes", "4000000\n");
    put("memory/other/memory.limit_in_bytes", "1\n");
    assert_true(limit() == 4e6);
}

static void cgroup_limit__both_versions__is_the_least(void **state)
{
    (void)state;
    put("cgroup", "4:memory:/job\n0::/job\n");
    put("memory/job/memory.limit_in_bytes", "4000000\n");
    put("unified/job/memory.max", "6000000\n");
    assert_true(limit() == 4e6);
    put("unified/job/memory.max", "1000000\n");
    assert_true(limit() == 1e6);
}

static void memory_limit__limit_of_the_process__is_counted(void **state)
{
    (void)state;
    struct rlimit before, less;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    double whole = rls2__memory_limit();
    assert_true(whole > 1e6);
    less = before;
    less.rlim_cur = (rlim_t)(whole / 2.0);
    assert_int_equal(setrlimit(RLIMIT_DATA, &less), 0);
    double half = rls2__memory_limit();
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    assert_true(half == floor(whole / 2.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cgroup_limit__no_groups__is_none, make_root, remove_root),
        cmocka_unit_test_setup_teardown(
            cgroup_limit__version_2__is_the_least_of_a_group_and_its_parents, make_root,
            remove_root),
        cmocka_unit_test_setup_teardown(cgroup_limit__path_of_the_host__is_that_of_the_mount,
                                        make_root, remove_root),
        cmocka_unit_test_setup_teardown(cgroup_limit__version_1__is_found_among_the_controllers,
                                        make_root, remove_root),
        cmocka_unit_test_setup_teardown(cgroup_limit__both_versions__is_the_least, make_root,
                                        remove_root),
        cmocka_unit_test(memory_limit__limit_of_the_process__is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
