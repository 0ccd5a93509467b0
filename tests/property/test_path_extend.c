/* Paths that are fitted a few lambdas at a time, or start from those of other rows. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "la/threads.h"
#include "solver/path_outputs.h"
#include "solver/path_run.h"

enum { ROWS = 80, COLUMNS = 6, COUNT = 24 };

typedef struct setting {
    plain_problem problem;
    fitted_path whole; /* all lambdas at once */
    rls2_path_options options;
    rls2_control control;
    double lambdas[COUNT];
} setting;

static setting setting_create(int linear, rls2_solver solver, uint64_t seed)
{
    rls2__random random;
    rls2_error err;
    setting it = {.control = {.size = sizeof it.control, .threads = 1}};
    rls2__random_seed(&random, seed);
    it.problem = problem_create(&random, ROWS, COLUMNS);
    problem_add_linear(&it.problem);
    for (int64_t j = 0; !linear && j < COLUMNS; j++) problem_add(&it.problem, RBF, 0.3, 0.0, j);
    if (!linear) problem_add(&it.problem, RBF, 0.1, 0.0, -1);
    rls2_path_options_init(&it.options, sizeof it.options);
    it.options.solver = solver;
    it.options.degrees_of_freedom = RLS2_DF_EACH;
    assert_ok(rls2_lambda_grid(1e-5, 10.0, COUNT, it.lambdas, &err), &err);
    it.whole = fit(&it.problem, NULL, COUNT, it.lambdas, &it.options);
    assert_ok(rls2__la_enter(&err), &err);
    return it;
}

static void setting_free(setting *it)
{
    rls2__la_leave();
    fitted_free(&it->whole);
    problem_free(&it->problem);
}

/* The first lambdas, and then seven at a time. */
static rls2_path *fit_in_parts(setting *it, int closed)
{
    enum { FIRST = 5, MORE = 7 };
    rls2_path *path = NULL;
    rls2_error err;
    assert_ok(rls2__path_run(it->whole.basis, it->problem.y, FIRST, it->lambdas, &it->options,
                             &it->control, NULL, &path, &err),
              &err);
    for (int64_t at = FIRST; at < COUNT; at += MORE) {
        int64_t more = COUNT - at < MORE ? COUNT - at : MORE;
        if (closed) rls2__path_close(path);
        assert_ok(
            rls2__path_extend(path, more, it->lambdas + at, &it->options, &it->control, NULL, &err),
            &err);
        assert_int_equal(rls2_path_count(path), at + more);
    }
    assert_false(rls2_path_cancelled(path));
    return path;
}

static void assert_same_bits(const setting *it, const rls2_path *path)
{
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *u = rls2_path_at(path, i), *v = rls2_path_at(it->whole.path, i);
        assert_true(u->lambda == v->lambda && u->objective == v->objective && u->gap == v->gap);
        assert_true(u->df == v->df);
        assert_int_equal(u->iterations, v->iterations);
        assert_memory_equal(rls2_path_c(path, i), rls2_path_c(it->whole.path, i),
                            ROWS * sizeof(double));
    }
}

static void path_extend__an_open_path__is_that_of_all_lambdas_to_the_bit(void **state)
{
    (void)state;
    const rls2_solver solvers[] = {RLS2_SOLVER_NEWTON, RLS2_SOLVER_NEWTON, RLS2_SOLVER_ALTERNATE};
    for (int which = 0; which < 3; which++) {
        setting it = setting_create(which == 1, solvers[which], 5);
        rls2_path *path = fit_in_parts(&it, 0);
        assert_same_bits(&it, path);
        rls2_path_free(path);
        setting_free(&it);
    }
}

/* Both are within their gaps of the minimum, from above. */
static void assert_same_objectives(const setting *it, const rls2_path *path)
{
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *u = rls2_path_at(path, i), *v = rls2_path_at(it->whole.path, i);
        assert_int_equal(u->outcome, RLS2_OUTCOME_CONVERGED);
        assert_true(u->objective <= v->objective * (1.0 + 2.0 * u->gap));
        assert_true(v->objective <= u->objective * (1.0 + 2.0 * v->gap));
    }
}

static int64_t sum_factorizations(const rls2_path *path)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < rls2_path_count(path); i++)
        sum += rls2_path_at(path, i)->factorizations;
    return sum;
}

/* What was learned before is not lost: no more work than a few factorisations for each part. */
static void path_extend__a_closed_path__goes_on_from_its_last_point(void **state)
{
    (void)state;
    for (int linear = 0; linear < 2; linear++) {
        setting it = setting_create(linear, RLS2_SOLVER_NEWTON, 6);
        rls2_path *path = fit_in_parts(&it, 1);
        assert_same_objectives(&it, path);
        assert_true(sum_factorizations(path) <= sum_factorizations(it.whole.path) + 6);
        rls2_path_free(path);
        setting_free(&it);
    }
}

/* Started from its own points a path has little left to do. */
static void path_run__like_itself__takes_fewer_factorizations(void **state)
{
    (void)state;
    setting it = setting_create(0, RLS2_SOLVER_NEWTON, 7);
    rls2_path *path = NULL;
    rls2_error err;
    assert_ok(rls2__path_run(it.whole.basis, it.problem.y, COUNT, it.lambdas, &it.options,
                             &it.control, it.whole.path, &path, &err),
              &err);
    assert_same_objectives(&it, path);
    assert_true(sum_factorizations(path) <= 2 * COUNT);
    assert_true(sum_factorizations(path) < sum_factorizations(it.whole.path));
    rls2_path_free(path);
    setting_free(&it);
}

/* Weights that know other responses are not taken over, however good they are for these rows: else
 * a split would know the rows it leaves out. */
static void path_run__like_a_path_of_another_response__takes_a_step_of_its_own(void **state)
{
    (void)state;
    setting it = setting_create(0, RLS2_SOLVER_NEWTON, 10);
    double y[ROWS];
    rls2_path *path = NULL;
    rls2_error err;
    int64_t stepped = 0;
    it.options.gap_tol = 0.05;
    for (int64_t i = 0; i < ROWS; i++) y[i] = it.problem.y[i] * (i % 8 == 0 ? 0.9 : 1.0);
    assert_ok(rls2__path_run(it.whole.basis, y, COUNT, it.lambdas, &it.options, &it.control,
                             it.whole.path, &path, &err),
              &err);
    for (int64_t i = 0; i < COUNT; i++) {
        const rls2_path_point *point = rls2_path_at(path, i);
        assert_true(point->gap <= 0.05);
        /* from one kernel, where no other should enter, no step is possible */
        int can_step = point->selected > 1;
        assert_true(point->iterations > 1 || point->gap <= 0.01 * 0.05 || !can_step);
        stepped += point->iterations == 2;
    }
    assert_true(stepped > 0); /* where one look would have been enough */
    rls2_path_free(path);
    setting_free(&it);
}

/* Without the last eighth of the rows, and like a path that ends early: both are certified. */
static void path_run__like_a_path_of_other_rows__is_certified(void **state)
{
    (void)state;
    enum { TAKEN = ROWS - ROWS / 8, SHORT = COUNT / 2 };
    setting it = setting_create(0, RLS2_SOLVER_NEWTON, 8);
    int64_t rows[TAKEN];
    double y[TAKEN];
    rls2_basis *part = NULL;
    rls2_path *begun = NULL, *like[2] = {it.whole.path, NULL};
    rls2_error err;
    for (int64_t i = 0; i < TAKEN; i++) {
        rows[i] = i;
        y[i] = it.problem.y[i];
    }
    assert_ok(fit_one(it.whole.basis, it.problem.y, SHORT, it.lambdas, &it.options, &begun, &err),
              &err);
    assert_ok(rls2_basis_take(it.whole.basis, TAKEN, rows, NULL, NULL, &part, &err), &err);
    like[1] = begun;
    for (int which = 0; which < 2; which++) {
        rls2_path *path = NULL;
        assert_ok(rls2__path_run(part, y, COUNT, it.lambdas, &it.options, &it.control, like[which],
                                 &path, &err),
                  &err);
        for (int64_t i = 0; i < COUNT; i++) {
            rls2_certificate certificate;
            assert_ok(rls2_path_certify(path, i, &certificate, sizeof certificate, &err), &err);
            assert_true(certificate.relative_gap <= 1.1e-6);
        }
        rls2_path_free(path);
    }
    rls2_path_free(begun);
    rls2_basis_free(part);
    setting_free(&it);
}

static void paths_fit__two_outputs_in_parts__are_those_of_one_call(void **state)
{
    (void)state;
    enum { OUTPUTS = 2, FIRST = 4 };
    setting it = setting_create(0, RLS2_SOLVER_NEWTON, 9);
    double y[OUTPUTS * ROWS];
    rls2_path *at_once[OUTPUTS], *in_parts[OUTPUTS] = {NULL, NULL};
    const rls2_basis *bases[OUTPUTS] = {it.whole.basis, it.whole.basis};
    rls2_error err;
    for (int64_t i = 0; i < ROWS; i++) {
        y[i] = it.problem.y[i];
        y[ROWS + i] = it.problem.y[ROWS - 1 - i];
    }
    assert_ok(rls2_path_fit(OUTPUTS, bases, y, COUNT, it.lambdas, &it.options, NULL, at_once, &err),
              &err);
    it.control.threads = 0;
    rls2__paths_job job = {.outputs = OUTPUTS,
                           .bases = bases,
                           .y = y,
                           .count = FIRST,
                           .lambdas = it.lambdas,
                           .options = &it.options,
                           .control = &it.control,
                           .keeps_open = 1};
    assert_ok(rls2__paths_fit(&job, in_parts, &err), &err);
    job.count = COUNT - FIRST;
    job.lambdas = it.lambdas + FIRST;
    assert_ok(rls2__paths_fit(&job, in_parts, &err), &err);
    for (int o = 0; o < OUTPUTS; o++) {
        assert_int_equal(rls2_path_count(in_parts[o]), COUNT);
        for (int64_t i = 0; i < COUNT; i++)
            assert_memory_equal(rls2_path_c(in_parts[o], i), rls2_path_c(at_once[o], i),
                                ROWS * sizeof(double));
        rls2_path_free(at_once[o]);
        rls2_path_free(in_parts[o]);
    }
    setting_free(&it);
}

static int stop_at_once(void *user, const rls2_progress *progress)
{
    (void)progress;
    return ++*(int *)user > 3;
}

static void path_extend__stopped__keeps_its_points_and_can_go_on(void **state)
{
    (void)state;
    enum { FIRST = 5 };
    setting it = setting_create(0, RLS2_SOLVER_NEWTON, 10);
    rls2_path *path = NULL;
    rls2_error err;
    int asked = 0;
    const rls2_control stopping = {
        .size = sizeof stopping, .threads = 1, .progress = stop_at_once, .user = &asked};
    assert_ok(rls2__path_run(it.whole.basis, it.problem.y, FIRST, it.lambdas, &it.options,
                             &it.control, NULL, &path, &err),
              &err);
    assert_ok(rls2__path_extend(path, COUNT - FIRST, it.lambdas + FIRST, &it.options, &stopping,
                                NULL, &err),
              &err);
    int64_t had = rls2_path_count(path);
    assert_true(rls2_path_cancelled(path) && had >= FIRST && had < COUNT);
    assert_ok(rls2__path_extend(path, COUNT - had, it.lambdas + had, &it.options, &it.control, NULL,
                                &err),
              &err);
    assert_false(rls2_path_cancelled(path));
    assert_same_objectives(&it, path);
    rls2_path_free(path);
    setting_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path_extend__an_open_path__is_that_of_all_lambdas_to_the_bit),
        cmocka_unit_test(path_extend__a_closed_path__goes_on_from_its_last_point),
        cmocka_unit_test(path_run__like_itself__takes_fewer_factorizations),
        cmocka_unit_test(path_run__like_a_path_of_another_response__takes_a_step_of_its_own),
        cmocka_unit_test(path_run__like_a_path_of_other_rows__is_certified),
        cmocka_unit_test(paths_fit__two_outputs_in_parts__are_those_of_one_call),
        cmocka_unit_test(path_extend__stopped__keeps_its_points_and_can_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
