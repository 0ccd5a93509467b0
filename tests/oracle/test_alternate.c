/* The paper's Algorithm 1: its iteration counts (Table TAB4) and its stopping rule. */
#include "support/problem.h"
#include "support/one_output.h"

#include <math.h>
#include <stdlib.h>

enum { LAMBDAS = 30, SPLITS = 3 };
static const double RESIDUAL_TOL = 1e-2;

typedef struct alternate_fit {
    rls2_dataset *data;
    data_split rows;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
} alternate_fit;

static alternate_fit fit_split(const paper_set *set, uint64_t seed)
{
    rls2_error err;
    alternate_fit s = {0};
    double lambdas[LAMBDAS];
    assert_ok(rls2_lambda_grid(1e-6, 1e6, LAMBDAS, lambdas, &err), &err);
    assert_ok(paper_set_load(set, "data", &s.data, &err), &err);
    s.rows = split_rows(s.data, 0.7, seed);
    rls2_columns columns = {.count = s.rows.p, .names = rls2_dataset_names(s.data)};
    assert_ok(rls2_dictionary_create("paper", &columns, &s.dictionary, &err), &err);
    rls2_basis_options basis_options;
    rls2_basis_options_init(&basis_options, sizeof basis_options);
    basis_options.transductive = &s.rows.test;
    assert_ok(rls2_basis_create(s.dictionary, &s.rows.train, &basis_options, NULL, &s.basis, &err),
              &err);
    rls2_path_options options;
    rls2_path_options_init(&options, sizeof options);
    options.solver = RLS2_SOLVER_ALTERNATE;
    options.delta = RESIDUAL_TOL;
    options.intercept = set->classify ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_MEAN;
    assert_ok(fit_one(s.basis, s.rows.y, LAMBDAS, lambdas, &options, &s.path, &err), &err);
    assert_int_equal(rls2_path_count(s.path), LAMBDAS);
    return s;
}

static void alternate_fit_free(alternate_fit *s)
{
    rls2_path_free(s->path);
    rls2_basis_free(s->basis);
    rls2_dictionary_free(s->dictionary);
    split_free(&s->rows);
    rls2_dataset_free(s->data);
}

static int64_t iterations(const rls2_path *path)
{
    int64_t total = 0;
    for (int64_t i = 0; i < rls2_path_count(path); i++) total += rls2_path_at(path, i)->iterations;
    return total;
}

/* The rule of the paper at every lambda, and again from the rows at a few of them. */
static void assert_stopped_by_the_rule(const alternate_fit *s, const char *name)
{
    for (int64_t i = 0; i < LAMBDAS; i++) {
        const rls2_path_point *point = rls2_path_at(s->path, i);
        if (point->outcome != RLS2_OUTCOME_CONVERGED || !(point->residual <= RESIDUAL_TOL))
            fail_msg("%s: lambda %g: outcome %d, residual %g", name, point->lambda, point->outcome,
                     point->residual);
        if (i % 10 != 9) continue;
        rls2_error err;
        rls2_certificate certificate;
        assert_ok(rls2_path_certify(s->path, i, &certificate, sizeof certificate, &err), &err);
        if (!(certificate.residual <= RESIDUAL_TOL * (1.0 + 1e-6)) ||
            !(fabs(certificate.primal - point->objective) <= 1e-6 * point->objective) ||
            !(fabs(certificate.relative_gap - point->gap) <= 1e-6))
            fail_msg("%s: lambda %g: residual %g, objective %g and %g, gap %g and %g", name,
                     point->lambda, certificate.residual, certificate.primal, point->objective,
                     certificate.relative_gap, point->gap);
    }
}

/* Iterations over the path, the mean of a few splits, against the paper's mean of 100.
 * They are near, not equal: but for Pima ours lie outside the paper's deviation (about
 * 2), mostly below, and on Wpbc a fifth above, with or without the identity number
 * among the inputs. The paper solved its inner problems to a tolerance it does not
 * state, ours are exact; whether that is the reason is not known. `share` is thus what
 * was found, with room, not what theory asks: it guards against change. */
static void assert_iterations(const char *name, double paper, double share)
{
    double mean = 0.0;
    for (uint64_t seed = 1; seed <= SPLITS; seed++) {
        alternate_fit s = fit_split(paper_set_find(name), seed);
        assert_stopped_by_the_rule(&s, name);
        assert_int_equal(rls2_path_at(s.path, 0)->iterations,
                         1); /* lambda = 1e6: the start is the answer */
        mean += (double)iterations(s.path) / SPLITS;
        alternate_fit_free(&s);
    }
    print_message("%s: %.1f iterations, in the paper %.1f\n", name, mean, paper);
    assert_true(fabs(mean - paper) <= share * paper);
}

typedef struct tab4_row {
    const char *name;
    double paper;
    double share;
} tab4_row;

static void
path_fit__alternate_on_the_benchmark_sets__takes_about_the_paper_s_iterations(void **state)
{
    (void)state;
    static const tab4_row rows[] = {
        {"auto-mpg", 80.6, 0.15}, {"cpu", 47.0, 0.15},        {"servo", 73.6, 0.15},
        {"housing", 92.4, 0.15},  {"heart", 77.8, 0.15},      {"liver", 55.1, 0.20},
        {"pima", 86.6, 0.15},     {"ionosphere", 73.1, 0.18}, {"wpbc", 60.6, 0.25},
        {"sonar", 61.6, 0.15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_iterations(rows[i].name, rows[i].paper, rows[i].share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            path_fit__alternate_on_the_benchmark_sets__takes_about_the_paper_s_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
