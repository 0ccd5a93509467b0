/* Several outputs on the same rows. */
#include "support/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void draw_outputs(shared_problem *it, rls2__random *random)
{
    int64_t n = it->problem.n, p = it->problem.p;
    const double *x = it->problem.x;
    for (int64_t i = 0; i < n; i++) {
        int64_t best = 0;
        for (int64_t o = 0; o < it->outputs; o++) {
            double own = x[(o % p) * n + i], same = x[(p - 1) * n + i];
            double f = 1.5 * own + sin((double)(o + 1) * same) + 0.5 * rls2__random_normal(random);
            it->numbers[o * n + i] = f;
            it->counts[o * n + i] = floor(exp(0.4 * f));
            if (f > it->numbers[best * n + i]) best = o;
        }
        for (int64_t o = 0; o < it->outputs; o++) it->labels[o * n + i] = o == best ? 1.0 : -1.0;
    }
}

void shared_make_basis(shared_problem *it, const double *row_weights)
{
    rls2_error err;
    rls2_rows rows = problem_rows(&it->problem);
    rls2_basis_options options;
    rls2_basis_options_init(&options, sizeof options);
    options.row_weights = row_weights;
    assert_ok(rls2_basis_create(it->dictionary, &rows, &options, NULL, &it->basis, &err), &err);
    for (int64_t o = 0; o < MOST_OUTPUTS; o++) it->bases[o] = it->basis;
}

/* Row i is there `times[i]` times. */
static double *repeat(int64_t n, int64_t columns, const double *x, int64_t total,
                      const double *times)
{
    double *out = numbers(total * columns);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0, at = 0; i < n; i++)
            for (int64_t t = 0; t < (int64_t)times[i]; t++) out[j * total + at++] = x[j * n + i];
    return out;
}

shared_problem shared_repeat(const shared_problem *from, const double *times)
{
    rls2_error err;
    char spec[SPEC_ROOM];
    int64_t n = from->problem.n, total = 0;
    for (int64_t i = 0; i < n; i++) total += (int64_t)times[i];
    shared_problem it = {.problem = from->problem, .outputs = from->outputs};
    it.problem.n = total;
    it.problem.x = repeat(n, it.problem.p, from->problem.x, total, times);
    it.problem.y = repeat(n, 1, from->problem.y, total, times);
    it.numbers = repeat(n, it.outputs, from->numbers, total, times);
    it.labels = repeat(n, it.outputs, from->labels, total, times);
    it.counts = repeat(n, it.outputs, from->counts, total, times);
    problem_spec(&it.problem, spec);
    rls2_columns columns = {.count = it.problem.p};
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    shared_make_basis(&it, NULL);
    return it;
}

shared_problem shared_create(uint64_t seed, int64_t n, int64_t outputs, const double *row_weights)
{
    enum { COLUMNS = 4 };
    rls2__random random;
    rls2_error err;
    char spec[SPEC_ROOM];
    shared_problem it = {.outputs = outputs};
    rls2__random_seed(&random, seed);
    it.problem = problem_create(&random, n, COLUMNS);
    problem_add_linear(&it.problem);
    for (int64_t j = 0; j < COLUMNS; j++) problem_add(&it.problem, RBF, 0.5, 0.0, j);
    problem_add(&it.problem, RBF, 0.1, 0.0, -1);
    it.numbers = numbers(n * outputs);
    it.labels = numbers(n * outputs);
    it.counts = numbers(n * outputs);
    draw_outputs(&it, &random);
    problem_spec(&it.problem, spec);
    rls2_columns columns = {.count = COLUMNS};
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    shared_make_basis(&it, row_weights);
    return it;
}

void shared_free(shared_problem *it)
{
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    free(it->numbers);
    free(it->labels);
    free(it->counts);
    problem_free(&it->problem);
}

const double *shared_responses(const shared_problem *it, rls2_loss loss)
{
    if (rls2_loss_takes_labels(loss)) return it->labels;
    return rls2_loss_takes_counts(loss) ? it->counts : it->numbers;
}

rls2_path_options shared_options(const char *loss, rls2_intercept intercept)
{
    rls2_path_options options;
    rls2_error err;
    rls2_path_options_init(&options, sizeof options);
    assert_ok(rls2_loss_parse(loss, &options.loss, &err), &err);
    options.intercept = intercept;
    options.shared_weights = 1;
    options.degrees_of_freedom = RLS2_DF_EACH;
    return options;
}

void shared_fit(const shared_problem *it, const rls2_path_options *options, int64_t count,
                const double *lambdas, const rls2_control *control, rls2_path **paths)
{
    rls2_error err;
    assert_ok(rls2_path_fit(it->outputs, it->bases, shared_responses(it, options->loss), count,
                            lambdas, options, control, paths, &err),
              &err);
}

void shared_free_paths(int64_t outputs, rls2_path **paths)
{
    for (int64_t o = 0; o < outputs; o++) rls2_path_free(paths[o]);
}
