/* Wrong arguments where weights are shared: the status, the words, and that nothing is written. */
#include "support/arguments.h"

#include <string.h>

enum { OUTPUTS = 2 };

static rls2_path_options options_of(rls2_loss_kind kind)
{
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.loss.kind = kind;
    options.shared_weights = 1;
    return options;
}

/* Labels of two classes, one 1 in each row. */
static void fill_labels(double *y)
{
    for (int i = 0; i < N; i++) {
        y[i] = i % 2 ? 1.0 : -1.0;
        y[N + i] = -y[i];
    }
}

static void refuse(int64_t outputs, const rls2_basis *second, const double *y,
                   const rls2_path_options *options, rls2_status status, const char *part)
{
    const rls2_basis *bases[OUTPUTS] = {good.basis, second};
    rls2_path *paths[OUTPUTS] = {UNTOUCHED, UNTOUCHED};
    double grid[2] = {UNWRITTEN, UNWRITTEN};
    ASSERT_REFUSED(status, part,
                   rls2_path_fit(outputs, bases, y, 1, one_lambda, options, NULL, paths, err));
    for (int o = 0; o < OUTPUTS; o++) assert_ptr_equal(paths[o], UNTOUCHED);
    ASSERT_REFUSED(status, part,
                   rls2_lambda_default_for(outputs, bases, y, options, 1e-3, 2, grid, err));
    assert_unwritten(2, grid);
}

static void path_fit__wrong_outputs_of_shared_weights__are_refused(void **state)
{
    double y[N * OUTPUTS];
    rls2_path_options options = options_of(RLS2_LOSS_SQUARE);
    (void)state;
    fill_labels(y);
    refuse(OUTPUTS, good.given_basis, y, &options, RLS2_ERR_ARGUMENT,
           "response 2 has a basis of its own");
    options.shared_weights = 2;
    refuse(OUTPUTS, good.basis, y, &options, RLS2_ERR_ARGUMENT, "shared_weights is 2");
    options.shared_weights = 1;
    options.solver = RLS2_SOLVER_ALTERNATE;
    refuse(OUTPUTS, good.basis, y, &options, RLS2_ERR_ARGUMENT, "Algorithm 1");
}

static void path_fit__wrong_classes__are_refused(void **state)
{
    double y[N * OUTPUTS];
    rls2_path_options options = options_of(RLS2_LOSS_MULTINOMIAL);
    (void)state;
    fill_labels(y);
    refuse(1, good.basis, y, &options, RLS2_ERR_ARGUMENT, "at least 2");
    y[3] = -1.0;
    y[N + 3] = -1.0;
    refuse(OUTPUTS, good.basis, y, &options, RLS2_ERR_VALUE, "row 3 has 0 classes");
    y[3] = y[N + 3] = 1.0;
    refuse(OUTPUTS, good.basis, y, &options, RLS2_ERR_VALUE, "row 3 has 2 classes");
    y[3] = 0.5;
    refuse(OUTPUTS, good.basis, y, &options, RLS2_ERR_VALUE, "y[3] is 0.5");
}

static void paths_certify__wrong_paths__are_refused(void **state)
{
    const rls2_basis *bases[OUTPUTS] = {good.basis, good.basis};
    double y[N * OUTPUTS];
    rls2_path *paths[OUTPUTS];
    rls2_error error;
    rls2_certificate found, before;
    rls2_path_options options = options_of(RLS2_LOSS_MULTINOMIAL);
    (void)state;
    fill_labels(y);
    assert_int_equal(rls2_path_fit(OUTPUTS, bases, y, 1, one_lambda, &options, NULL, paths, &error),
                     RLS2_OK);
    const rls2_path *both[OUTPUTS] = {paths[0], paths[1]}, *mixed[OUTPUTS] = {paths[0], good.path};
    memset(&found, 0x5a, sizeof found);
    before = found;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "there are 0 paths",
                   rls2_paths_certify(0, both, 0, NULL, &found, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "paths",
                   rls2_paths_certify(OUTPUTS, NULL, 0, NULL, &found, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "1 paths are given",
                   rls2_paths_certify(1, both, 0, NULL, &found, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "path 2 shares",
                   rls2_paths_certify(OUTPUTS, mixed, 0, NULL, &found, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "no point 1",
                   rls2_paths_certify(OUTPUTS, both, 1, NULL, &found, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "certificate",
                   rls2_paths_certify(OUTPUTS, both, 0, NULL, NULL, sizeof found, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "shared by 2 outputs",
                   rls2_path_certify(paths[1], 0, &found, sizeof found, err));
    assert_memory_equal(&found, &before, sizeof found);
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(paths[o]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_fit__wrong_outputs_of_shared_weights__are_refused),
        cmocka_unit_test(path_fit__wrong_classes__are_refused),
        cmocka_unit_test(paths_certify__wrong_paths__are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
