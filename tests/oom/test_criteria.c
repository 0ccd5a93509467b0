/* Every allocation of rls2_path_criteria fails once: alone, and with those that come after it. The
 * call then reports it and writes nothing. */
#include "learning_problem.h"
#include "support/one_output.h"

enum { VALUES = LAMBDAS * sizeof(rls2_criteria) / sizeof(double) };

static rls2_status criteria_of(const rls2_path *path, result *r, rls2_error *err)
{
    rls2_criteria criteria[LAMBDAS];
    double values[VALUES];
    rls2_status status;
    fill_unwritten(VALUES, values);
    memcpy(criteria, values, sizeof criteria);
    ARMED(status = rls2_path_criteria(path, NULL, criteria, sizeof *criteria, err));
    memcpy(values, criteria, sizeof criteria);
    return finish_values(status, VALUES, values, r);
}

static rls2_status criteria(result *r, rls2_error *err)
{
    return criteria_of(problem.path, r, err);
}

static rls2_status criteria_lean(result *r, rls2_error *err)
{
    rls2_path *path = UNTOUCHED;
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.memory = 0;
    assert_int_equal(fit_one(problem.basis, problem.y, LAMBDAS, lambdas, &options, &path, err),
                     RLS2_OK);
    rls2_status status = criteria_of(path, r, err);
    rls2_path_free(path);
    return status;
}

/* It may do without the triangles it would like to keep. */
static const sweep sweeps[] = {
    {"path_criteria", criteria, TOLERANT},
    {"path_criteria__memory_0", criteria_lean, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
