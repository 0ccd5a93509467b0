/* Every allocation of a fit with shared weights, its grid and its certificate fails once. */
#include "learning_problem.h"
#include "solver/fixed.h"

enum { OUTPUTS = 3 };

/* One class for each row, by the third column; and numbers. */
static struct {
    double labels[N * OUTPUTS], numbers[N * OUTPUTS];
    const rls2_basis *bases[OUTPUTS];
} shared;

static void fill_shared(void)
{
    for (int o = 0; o < OUTPUTS; o++) {
        shared.bases[o] = problem.basis;
        for (int i = 0; i < N; i++) {
            shared.labels[o * N + i] = (i + i / 7) % OUTPUTS == o ? 1.0 : -1.0;
            shared.numbers[o * N + i] = problem.y[i] + 0.5 * noise(i, 20 + o);
        }
    }
}

static rls2_path_options options_of(const char *loss)
{
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    assert_int_equal(rls2_loss_parse(loss, &options.loss, NULL), RLS2_OK);
    options.shared_weights = 1;
    options.intercept = RLS2_INTERCEPT_FREE;
    options.degrees_of_freedom = RLS2_DF_EACH;
    options.memory = 0;
    return options;
}

static rls2_status fit_loss(const char *loss, result *r, rls2_error *err)
{
    rls2_path_options options = options_of(loss);
    const double *y = rls2_loss_takes_labels(options.loss) ? shared.labels : shared.numbers;
    rls2_path *paths[OUTPUTS] = {UNTOUCHED, UNTOUCHED, UNTOUCHED};
    rls2_status status;
    fill_shared();
    ARMED(status = rls2_path_fit(OUTPUTS, shared.bases, y, LAMBDAS, lambdas, &options,
                                 ON_THREADS(1), paths, err));
    for (int o = 0; o < OUTPUTS; o++) {
        if (status != RLS2_OK) {
            assert_ptr_equal(paths[o], UNTOUCHED);
            continue;
        }
        for (int64_t i = 0; i < LAMBDAS; i++) {
            add_value(r, rls2_path_at(paths[o], i)->objective);
            add_values(r, N, rls2_path_c(paths[o], i));
        }
        rls2_path_free(paths[o]);
    }
    return status;
}

static rls2_status square(result *r, rls2_error *err)
{
    return fit_loss("square", r, err);
}

static rls2_status logistic(result *r, rls2_error *err)
{
    return fit_loss("logistic", r, err);
}

static rls2_status hinge(result *r, rls2_error *err)
{
    return fit_loss("hinge", r, err);
}

static rls2_status multinomial(result *r, rls2_error *err)
{
    return fit_loss("multinomial", r, err);
}

/* All kernels with the same weight. */
static rls2_status fixed(result *r, rls2_error *err)
{
    rls2_path_options options = options_of("multinomial");
    rls2_path *paths[OUTPUTS];
    rls2_status status;
    int64_t ks[KERNEL_ROOM], m = rls2_basis_count(problem.basis);
    double d[KERNEL_ROOM];
    fill_shared();
    for (int64_t k = 0; k < m; k++) {
        ks[k] = k;
        d[k] = 1.0 / (double)m;
    }
    ARMED(status = rls2__paths_fixed(problem.basis, OUTPUTS, shared.labels, m, ks, d, LAMBDAS,
                                     lambdas, &options, ON_THREADS(1), paths, err));
    for (int o = 0; o < OUTPUTS; o++) {
        if (status != RLS2_OK) {
            assert_null(paths[o]);
            continue;
        }
        for (int64_t i = 0; i < LAMBDAS; i++) add_values(r, N, rls2_path_c(paths[o], i));
        rls2_path_free(paths[o]);
    }
    return status;
}

static rls2_status grid(result *r, rls2_error *err)
{
    double values[5];
    rls2_status status;
    rls2_path_options options = options_of("multinomial");
    fill_shared();
    fill_unwritten(5, values);
    ARMED(status = rls2_lambda_default_for(OUTPUTS, shared.bases, shared.labels, &options, 1e-4, 5,
                                           values, err));
    return finish_values(status, 5, values, r);
}

static rls2_status certify(result *r, rls2_error *err)
{
    rls2_path_options options = options_of("multinomial");
    rls2_path *paths[OUTPUTS];
    rls2_certificate got, blank;
    rls2_status status;
    fill_shared();
    assert_int_equal(rls2_path_fit(OUTPUTS, shared.bases, shared.labels, LAMBDAS, lambdas, &options,
                                   ON_THREADS(1), paths, NULL),
                     RLS2_OK);
    memset(&got, 0x5a, sizeof got);
    memset(&blank, 0x5a, sizeof blank);
    ARMED(status = rls2_paths_certify(OUTPUTS, (const rls2_path *const *)paths, 1, NULL, &got,
                                      sizeof got, err));
    for (int o = 0; o < OUTPUTS; o++) rls2_path_free(paths[o]);
    if (status != RLS2_OK)
        assert_memory_equal(&got, &blank, sizeof blank);
    else
        add_value(r, got.primal);
    return status;
}

static const sweep sweeps[] = {
    {"path_fit__shared_square", square, STRICT}, {"path_fit__shared_logistic", logistic, STRICT},
    {"path_fit__shared_hinge", hinge, STRICT},   {"path_fit__multinomial", multinomial, STRICT},
    {"paths_fixed__multinomial", fixed, STRICT}, {"lambda_default_for__multinomial", grid, STRICT},
    {"paths_certify", certify, STRICT},
};
enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

int main(void)
{
    struct CMUnitTest tests[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) tests[i] = sweep_test(&sweeps[i]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
