/* Stability selection against a recount by the public path, and bounds against other numbers. */
#include "rls2/stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "select/stability_bound.h"
#include "support/problem.h"

/* ---- bounds ---- */

/* Printed by the authors' program r_concave_tail.R, which stops its search at four digits or so
 * and does not look at the ends of intervals: it is a little below the largest. */
static void stability_bounds__cases_of_the_authors_program__agree(void **state)
{
    (void)state;
    static const struct {
        int64_t pairs, limit, inputs;
        double threshold, likely;
    } CASES[] = {{50, 50, 1000, 0.6, 2.605329076},   {50, 50, 1000, 0.75, 0.6465257923},
                 {50, 50, 1000, 0.9, 0.1688116233},  {50, 4, 13, 0.75, 0.5478232283},
                 {50, 4, 13, 0.9, 0.149412041},      {50, 2, 13, 0.6, 0.3890960859},
                 {50, 59, 7129, 0.75, 0.1154354696}, {50, 10, 100, 0.75, 0.2858199965},
                 {50, 8, 20, 0.9, 0.5001794792},     {100, 30, 200, 0.6, 4.988337775},
                 {100, 30, 200, 0.75, 1.263695035},  {100, 30, 200, 0.9, 0.3261813962}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double worst, likely, q = (double)CASES[i].limit;
        assert_ok(rls2_stability_bounds(CASES[i].pairs, CASES[i].limit, CASES[i].inputs,
                                        CASES[i].threshold, &worst, &likely, NULL),
                  NULL);
        assert_true(
            fabs(worst - q * q / ((2.0 * CASES[i].threshold - 1.0) * (double)CASES[i].inputs)) <=
            1e-12 * worst);
        assert_true(likely >= CASES[i].likely * (1.0 - 1e-9));
        assert_true(likely <= CASES[i].likely * 1.03);
    }
}

/* f = g^(1/r) for a convex positive g, with a mean of m at most; its tail P(X >= t). */
static double random_tail(rls2__random *random, double mean, int64_t t, int64_t count, int fourth)
{
    double g[64], f[64], slope = 0.0, sum = 0.0, moment = 0.0, tail = 0.0, scale;
    g[0] = 1.0;
    scale = exp(3.0 * rls2__random_normal(random));
    int64_t end = 1 + rls2__random_below(random, count);
    int64_t bend = rls2__random_below(random, end + 1);
    for (int64_t i = 1; i <= count; i++) {
        if (i == 1 || i == bend || rls2__random_below(random, 8) == 0)
            slope += scale * fabs(rls2__random_normal(random));
        g[i] = g[i - 1] + slope;
    }
    for (int64_t i = 0; i <= count; i++) {
        f[i] = i > end ? 0.0 : pow(g[i], fourth ? -4.0 : -2.0);
        sum += f[i];
        moment += (double)i * f[i];
    }
    if (moment / sum > mean) return -1.0;
    for (int64_t i = t; i <= count; i++) tail += f[i] / sum;
    return tail;
}

static void concave_tail__random_distributions__never_exceed_it(void **state)
{
    (void)state;
    rls2__random random;
    rls2__random_seed(&random, 7);
    for (int c = 0; c < 24; c++) {
        int fourth = c % 2;
        int64_t count = 10 + 2 * c, t = count * (3 + c % 5) / 8, tried = 0;
        double mean = (double)count * (0.02 + 0.01 * (c % 7)), best = 0.0;
        double bound = rls2__concave_tail(mean, t, count, fourth);
        for (int i = 0; i < 20000; i++) {
            double tail = random_tail(&random, mean, t, count, fourth);
            tried += tail >= 0.0;
            assert_true(tail <= bound * (1.0 + 1e-9) + 1e-12);
            best = fmax(best, tail);
        }
        assert_true(tried > 100);
        assert_true(best >
                    0.1 * bound); /* they come near, so that the comparison means something */
    }
}

static void stability_bounds__arguments__are_checked(void **state)
{
    (void)state;
    rls2_error err;
    double worst;
    assert_int_equal(rls2_stability_bounds(0, 1, 5, 0.75, &worst, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_stability_bounds(5, 6, 5, 0.75, &worst, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_stability_bounds(5, 1, 5, 0.5, &worst, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_stability_bounds(INT64_MAX, 1, 5, 0.75, &worst, NULL, &err),
                     RLS2_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "pairs are too many to bound"));
    assert_int_equal(rls2__stability_limit(8, 0.75, 1.0), 2);
    assert_int_equal(rls2__stability_limit(7129, 0.75, 1.0), 59);
    assert_int_equal(rls2__stability_limit(1, 0.75, 1.0), 1);
    assert_int_equal(rls2__stability_limit(9, 0.75, 1e9), 9);
    assert_int_equal(rls2__stable_from(0.75, 100), 75);
    assert_int_equal(rls2__stable_from(0.75, 50), 38);
}

/* ---- counts ---- */

enum { GRID = 60, INPUTS = 8, MOST_KERNELS = 64 };

typedef struct recount {
    int64_t kernels[MOST_KERNELS], inputs[INPUTS];
} recount;

/* A path of some rows, made by the public functions one by one. */
typedef struct own_path {
    rls2_table *table;
    rls2_dataset *data;
    rls2_dictionary *dictionary;
    rls2_basis *basis;
    rls2_path *path;
} own_path;

/* On these lambdas, or where they are NULL on a grid of its own. */
static own_path follow(const rls2_table *table, const char *spec, int64_t rows,
                       const int64_t *numbers, int64_t count, const double *lambdas)
{
    rls2_error err;
    own_path it = {0};
    rls2_dataset_options wanted;
    rls2_basis_options how;
    rls2_path_options options;
    static const char *const drop[] = {"train"};
    double grid[GRID];
    rls2_dataset_options_init(&wanted, sizeof wanted);
    wanted.target = "lpsa";
    wanted.drop = drop;
    wanted.drop_count = 1;
    assert_ok(rls2_table_take(table, rows, numbers, &it.table, &err), &err);
    assert_ok(rls2_dataset_create(it.table, &wanted, &it.data, &err), &err);
    assert_ok(rls2_dataset_preprocess(it.data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE,
                                      NULL, &err),
              &err);
    const rls2_columns columns = {.count = rls2_dataset_columns(it.data),
                                  .names = rls2_dataset_names(it.data)};
    assert_ok(rls2_dictionary_create(spec, &columns, &it.dictionary, &err), &err);
    rls2_basis_options_init(&how, sizeof how);
    const rls2_rows x = {
        .n = rows, .p = rls2_dataset_columns(it.data), .x = rls2_dataset_x(it.data)};
    assert_ok(rls2_basis_create(it.dictionary, &x, &how, NULL, &it.basis, &err), &err);
    rls2_path_options_init(&options, sizeof options);
    options.intercept = RLS2_INTERCEPT_MEAN;
    const rls2_basis *bases[] = {it.basis};
    const double *y = rls2_dataset_y(it.data);
    if (!lambdas)
        assert_ok(rls2_lambda_default(1, bases, y, RLS2_INTERCEPT_MEAN, 1e-6, GRID, grid, &err),
                  &err);
    assert_ok(
        rls2_path_fit(1, bases, y, count, lambdas ? lambdas : grid, &options, NULL, &it.path, &err),
        &err);
    return it;
}

static void own_path_free(own_path *it)
{
    rls2_path_free(it->path);
    rls2_basis_free(it->basis);
    rls2_dictionary_free(it->dictionary);
    rls2_dataset_free(it->data);
    rls2_table_free(it->table);
}

/* The kernels of point i, and their inputs where they are few, beside those there are. */
static void add_point(const own_path *it, int64_t i, int *kernels, int *inputs)
{
    const int64_t *ks, *columns;
    int64_t count = rls2_path_kernel_weights(it->path, i, &ks, NULL);
    for (int64_t t = 0; t < count; t++) {
        int64_t few = rls2_dictionary_kernel_columns(it->dictionary, ks[t], &columns);
        kernels[ks[t]] = 1;
        for (int64_t j = 0; few <= 3 && j < few; j++) inputs[columns[j]] = 1;
    }
}

static void add_up(const int *kernels, const int *inputs, recount *all)
{
    for (int j = 0; j < INPUTS; j++) all->inputs[j] += inputs[j];
    for (int k = 0; k < MOST_KERNELS; k++) all->kernels[k] += kernels[k];
}

/* Until more than `limit` inputs have been selected. */
static void count_half(const rls2_table *table, const char *spec, int64_t rows,
                       const int64_t *numbers, int64_t limit, recount *all)
{
    int kernels[MOST_KERNELS] = {0}, inputs[INPUTS] = {0};
    own_path it = follow(table, spec, rows, numbers, GRID, NULL);
    for (int64_t i = 0; i < GRID; i++) {
        int then[MOST_KERNELS], now[INPUTS];
        int64_t selected = 0;
        memcpy(then, kernels, sizeof then);
        memcpy(now, inputs, sizeof now);
        add_point(&it, i, then, now);
        for (int j = 0; j < INPUTS; j++) selected += now[j];
        if (selected > limit) break;
        memcpy(kernels, then, sizeof then);
        memcpy(inputs, now, sizeof now);
    }
    add_up(kernels, inputs, all);
    own_path_free(&it);
}

/* At the last of the lambdas. */
static void count_split(const rls2_table *table, const char *spec, int64_t rows,
                        const int64_t *numbers, int64_t count, const double *lambdas, recount *all)
{
    int kernels[MOST_KERNELS] = {0}, inputs[INPUTS] = {0};
    own_path it = follow(table, spec, rows, numbers, count, lambdas);
    add_point(&it, count - 1, kernels, inputs);
    add_up(kernels, inputs, all);
    own_path_free(&it);
}

static void assert_counts(const rls2_model *model, rls2_trials which, const recount *all)
{
    rls2_error err;
    int64_t kernels[MOST_KERNELS], inputs[INPUTS];
    int64_t m = rls2_dictionary_count(rls2_model_dictionary(model));
    assert_ok(rls2_model_kernel_selections(model, which, kernels, &err), &err);
    assert_ok(rls2_model_input_selections(model, which, inputs, &err), &err);
    assert_memory_equal(kernels, all->kernels, (size_t)m * sizeof *kernels);
    assert_memory_equal(inputs, all->inputs, sizeof inputs);
}

static void assert_splits_recounted(const rls2_table *table, const char *spec,
                                    const rls2_plan *plan, const rls2_fit *fit)
{
    const rls2_splits *splits = rls2_plan_splits(plan);
    int64_t count = rls2_fit_chosen(fit) + 1;
    double *lambdas = numbers(count);
    recount all = {0};
    for (int64_t i = 0; i < count; i++) lambdas[i] = rls2_cv_at(rls2_fit_cv(fit), i)->lambda;
    for (int64_t s = 0; s < rls2_splits_count(splits); s++) {
        const int64_t *rows;
        int64_t n = rls2_splits_training(splits, s, &rows);
        count_split(table, spec, n, rows, count, lambdas, &all);
    }
    assert_counts(rls2_fit_chosen_model(fit), RLS2_TRIALS_SPLITS, &all);
    free(lambdas);
}

static void assert_recounted(const char *spec, const char *errors)
{
    enum { PAIRS = 8 };
    rls2_error err;
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    rls2_splits *halves = NULL;
    const char *settings[] = {"target", "lpsa",  "drop",      "train", "kernels",          spec,
                              "folds",  "3",     "seed",      "5",     "stability-errors", errors,
                              "center", "false", "stability", "8"};
    assert_ok(rls2_table_read("data/prostate.csv", NULL, &table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i += 2)
        assert_ok(rls2_plan_set(plan, settings[i], settings[i + 1], &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    const rls2_stability *about = rls2_fit_stability(fit);
    assert_non_null(about);
    int64_t n = rls2_table_rows(table), m = rls2_dictionary_count(rls2_fit_dictionary(fit));
    assert_true(m <= MOST_KERNELS && about->rows == n / 2 && about->inputs == INPUTS);
    assert_ok(rls2_splits_halves(n, NULL, PAIRS, 5, &halves, &err), &err);
    recount all = {0};
    for (int64_t h = 0; h < 2 * PAIRS; h++) {
        const int64_t *rows;
        int64_t count = rls2_splits_training(halves, h, &rows);
        count_half(table, spec, count, rows, about->limit, &all);
    }
    int64_t inputs[INPUTS], sum = 0;
    assert_counts(rls2_fit_chosen_model(fit), RLS2_TRIALS_HALVES, &all);
    assert_splits_recounted(table, spec, plan, fit);
    assert_ok(rls2_fit_input_selections(fit, inputs, &err), &err);
    assert_memory_equal(inputs, all.inputs, sizeof inputs);
    for (int j = 0; j < INPUTS; j++) sum += inputs[j];
    assert_true(sum > 2 * PAIRS && sum <= 2 * PAIRS * about->limit);
    assert_true(fabs(about->mean * 2.0 * PAIRS - (double)sum) < 1e-9);
    rls2_splits_free(halves);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void plan_fit__selections__are_what_paths_of_splits_and_halves_select(void **state)
{
    (void)state;
    assert_recounted("linear", "2");
    assert_recounted("linear; rbf(0.5)@each; rbf(0.1)@all", "1");
    assert_recounted("linear@each; rbf(0.3)@lcavol,lweight", "3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stability_bounds__cases_of_the_authors_program__agree),
        cmocka_unit_test(concave_tail__random_distributions__never_exceed_it),
        cmocka_unit_test(stability_bounds__arguments__are_checked),
        cmocka_unit_test(plan_fit__selections__are_what_paths_of_splits_and_halves_select),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
