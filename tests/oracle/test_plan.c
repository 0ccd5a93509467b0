/* A plan against the same steps taken one by one through the rest of the public API: models to the
 * byte, curves and choices; and what becomes of a plan that is stopped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "select/cv.h"
#include "support/problem.h"
#include "support/one_output.h"

static rls2_table *read_data(const char *name)
{
    char path[256];
    rls2_table *table = NULL;
    rls2_error err;
    snprintf(path, sizeof path, "data/%s.csv", name);
    assert_ok(rls2_table_read(path, NULL, &table, &err), &err);
    return table;
}

static rls2_plan *planned(rls2_goal goal, const rls2_table *table, const char *const *settings)
{
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    return plan;
}

static rls2_fit *fitted(rls2_plan *plan)
{
    rls2_fit *fit = NULL;
    rls2_error err;
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    return fit;
}

static void assert_same_model(const rls2_model *a, const rls2_model *b)
{
    void *x, *y;
    int64_t length, other;
    rls2_error err;
    assert_ok(rls2_model_pack(a, &x, &length, &err), &err);
    assert_ok(rls2_model_pack(b, &y, &other, &err), &err);
    assert_int_equal(length, other);
    assert_memory_equal(x, y, (size_t)length);
    free(x);
    free(y);
}

/* Housing: numbers, standardised, the paper's kernels, given values of lambda. */
static void path__housing__is_the_steps_one_by_one(void **state)
{
    (void)state;
    rls2_error err;
    double lambdas[] = {1.0, 0.1, 0.01};
    rls2_table *table = read_data("housing");
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *data = NULL;
    rls2_dictionary *dictionary = NULL;
    rls2_basis *basis = NULL;
    rls2_path *path = NULL;
    rls2_model *model = NULL, *own = NULL;
    options.target = "MEDV";
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    assert_ok(
        rls2_dataset_preprocess(data, RLS2_NORMALIZE_NONE, RLS2_NORMALIZE_STANDARDIZE, NULL, &err),
        &err);
    rls2_columns columns = {.count = rls2_dataset_columns(data), .names = rls2_dataset_names(data)};
    rls2_rows rows = {.n = rls2_dataset_rows(data), .p = columns.count, .x = rls2_dataset_x(data)};
    rls2_basis_options how;
    rls2_basis_options_init(&how, sizeof how);
    how.skip_degenerate = 1;
    rls2_path_options solve;
    rls2_path_options_init(&solve, sizeof solve);
    solve.degrees_of_freedom = RLS2_DF_EACH;
    assert_ok(rls2_dictionary_create("paper", &columns, &dictionary, &err), &err);
    assert_ok(rls2_basis_create(dictionary, &rows, &how, NULL, &basis, &err), &err);
    assert_ok(fit_one(basis, rls2_dataset_y(data), 3, lambdas, &solve, &path, &err), &err);
    assert_ok(model_of_one(path, 2, &model, &err), &err);
    assert_ok(rls2_model_attach(model, data, &err), &err);

    rls2_plan *plan =
        planned(RLS2_GOAL_PATH, table,
                (const char *const[]){"target", "MEDV", "standardize", "true", "kernels", "paper",
                                      "lambdas", "0.01,1,0.1", NULL});
    rls2_fit *fit = fitted(plan);
    assert_int_equal(rls2_fit_count(fit), 3);
    assert_ok(rls2_fit_model(fit, 2, &own, &err), &err);
    assert_same_model(model, own);
    assert_memory_equal(rls2_fit_at(fit, 1), rls2_path_at(path, 1), sizeof(rls2_path_point));

    int64_t n = rows.n;
    double *all = calloc((size_t)(6 * n), sizeof *all), *by_path = all + 3 * n;
    assert_non_null(all);
    assert_ok(rls2_fit_predict_path(fit, RLS2_PART_TRAINING, all, &err), &err);
    assert_ok(rls2_path_predict(path, &rows, by_path, &err), &err);
    assert_memory_equal(all, by_path, (size_t)(3 * n) * sizeof *all);
    free(all);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_model_free(own);
    rls2_model_free(model);
    rls2_path_free(path);
    rls2_basis_free(basis);
    rls2_dictionary_free(dictionary);
    rls2_dataset_free(data);
    rls2_table_free(table);
}

/* Whatever the goal is, curve and choice are the same, and the model is a point of the whole path.
 */
static void model__cross_validated__is_a_point_of_the_whole_path(void **state)
{
    (void)state;
    static const char *const SETTINGS[] = {"target", "PRP",   "drop",    "model",       "drop",
                                           "ERP",    "folds", "4",       "standardize", "true",
                                           "rule",   "1se",   "kernels", "paper",       NULL};
    rls2_error err;
    rls2_table *table = read_data("cpu");
    rls2_plan *plan = planned(RLS2_GOAL_MODEL, table, SETTINGS),
              *whole = planned(RLS2_GOAL_ALL, table, SETTINGS),
              *curve = planned(RLS2_GOAL_CURVE, table, SETTINGS);
    rls2_fit *fit = fitted(plan), *all = fitted(whole), *scored = fitted(curve);
    rls2_model *point = NULL;
    int64_t chosen = rls2_fit_chosen(all);
    assert_int_equal(chosen, rls2_cv_1se(rls2_fit_cv(all)));
    assert_true(chosen < rls2_cv_min(rls2_fit_cv(all)));
    assert_int_equal(rls2_fit_count(all), rls2_cv_count(rls2_fit_cv(all)));
    assert_int_equal(rls2_cv_count(rls2_fit_cv(scored)), rls2_cv_count(rls2_fit_cv(all)));
    assert_int_equal(rls2_fit_chosen(fit), chosen);
    assert_int_equal(rls2_fit_count(fit), chosen + 1);
    assert_int_equal(rls2_fit_chosen(scored), chosen);
    assert_null(rls2_fit_chosen_model(all));
    assert_ok(rls2_fit_model(all, chosen, &point, &err), &err);
    assert_same_model(point, rls2_fit_chosen_model(fit));
    for (int64_t i = 0; i < rls2_fit_count(all); i++) {
        assert_memory_equal(rls2_cv_at(rls2_fit_cv(fit), i), rls2_cv_at(rls2_fit_cv(all), i),
                            sizeof(rls2_cv_point));
        assert_memory_equal(rls2_cv_at(rls2_fit_cv(fit), i), rls2_cv_at(rls2_fit_cv(scored), i),
                            sizeof(rls2_cv_point));
        assert_true(rls2_cv_at(rls2_fit_cv(all), i)->lambda == rls2_fit_at(all, i)->lambda);
    }
    rls2_model_free(point);
    rls2_fit_free(fit);
    rls2_fit_free(all);
    rls2_fit_free(scored);
    rls2_plan_free(plan);
    rls2_plan_free(whole);
    rls2_plan_free(curve);
    rls2_table_free(table);
}

static void criteria__several_outputs__are_summed_and_the_least_is_chosen(void **state)
{
    (void)state;
    rls2_error err;
    rls2_table *table = read_data("servo");
    rls2_plan *plan =
        planned(RLS2_GOAL_MODEL, table,
                (const char *const[]){"target", "rise_time", "target", "vgain", "select", "bic",
                                      "kernels", "linear", "lambdas", "1e-3:10:12", NULL});
    rls2_fit *fit = fitted(plan);
    rls2_criteria one[2][12];
    for (int64_t o = 0; o < 2; o++)
        assert_ok(rls2_path_criteria(rls2_fit_path(fit, o), NULL, one[o], sizeof *one[o], &err),
                  &err);
    int64_t best = -1;
    for (int64_t i = 0; i < 12; i++) {
        double sum = one[0][i].bic + one[1][i].bic;
        const rls2_criteria *found = rls2_fit_criteria_at(fit, i);
        assert_true(found->bic == sum || (isnan(sum) && isnan(found->bic)));
        if (isfinite(sum) && (best < 0 || sum < one[0][best].bic + one[1][best].bic)) best = i;
    }
    assert_int_equal(rls2_fit_chosen(fit), best);
    assert_true(rls2_model_point(rls2_fit_chosen_model(fit))->lambda ==
                rls2_fit_at(fit, best)->lambda);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* ---- given matrices ---- */

/* XX' of the inputs of all rows of prostate. */
static double *linear_matrix(const rls2_table *table, int64_t *n)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *data = NULL;
    rls2_error err;
    options.target = "lpsa";
    options.drop = (const char *const[]){"train"};
    options.drop_count = 1;
    assert_ok(rls2_dataset_create(table, &options, &data, &err), &err);
    *n = rls2_dataset_rows(data);
    const double *x = rls2_dataset_x(data);
    double *K = calloc((size_t)(*n * *n), sizeof *K);
    assert_non_null(K);
    for (int64_t k = 0; k < rls2_dataset_columns(data); k++)
        for (int64_t j = 0; j < *n; j++)
            for (int64_t i = 0; i < *n; i++) K[j * *n + i] += x[k * *n + i] * x[k * *n + j];
    rls2_dataset_free(data);
    return K;
}

/* By the kernel linear@all, or by a matrix that has the same entries, of all rows. */
static rls2_fit *fitted_by(const rls2_table *table, rls2_goal goal, const char *rows, int64_t n,
                           const double *K, rls2_plan **plan)
{
    rls2_error err;
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_PLAIN, plan, &err), &err);
    const char *const settings[] = {
        "target",    "lpsa",    "lambdas",  "10,1,0.1",
        "baselines", "false",   "kernels",  K ? "given(K)" : "linear@all",
        rows,        "train=F", "features", "none",
        "intercept", "mean"};
    for (int i = 0; i < 14; i += 2)
        assert_ok(rls2_plan_set(*plan, settings[i], settings[i + 1], &err), &err);
    if (K) assert_ok(rls2_plan_add_given(*plan, "K", n, K, &err), &err);
    assert_ok(rls2_plan_complete(*plan, table, &err), &err);
    return fitted(*plan);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_same_scores(const rls2_fit *a, const rls2_fit *b)
{
    double f[2][3 * 128];
    rls2_error err;
    for (int64_t i = 0; i < rls2_cv_count(rls2_fit_cv(b)); i++)
        assert_near(rls2_cv_at(rls2_fit_cv(a), i)->cvm, rls2_cv_at(rls2_fit_cv(b), i)->cvm);
    if (!rls2_fit_test(b)) return;
    int64_t n = rls2_dataset_rows(rls2_fit_test(b));
    assert_int_equal(n, 30);
    assert_ok(rls2_fit_predict_path(a, RLS2_PART_TEST, f[0], &err), &err);
    assert_ok(rls2_fit_predict_path(b, RLS2_PART_TEST, f[1], &err), &err);
    for (int64_t i = 0; i < 3 * n; i++) assert_near(f[0][i], f[1][i]);
}

static void given__matrix_of_all_rows__is_taken_by_parts(void **state)
{
    (void)state;
    rls2_table *table = read_data("prostate");
    int64_t n;
    double *K = linear_matrix(table, &n);
    for (int i = 0; i < 2; i++) {
        rls2_goal goal = i == 0 ? RLS2_GOAL_PATH : RLS2_GOAL_CURVE;
        const char *rows = i == 0 ? "test-rows" : "validation-rows";
        rls2_plan *plans[2];
        rls2_fit *given = fitted_by(table, goal, rows, n, K, &plans[0]),
                 *linear = fitted_by(table, goal, rows, n, NULL, &plans[1]);
        assert_int_equal(rls2_cv_count(rls2_fit_cv(linear)), i == 0 ? 0 : 3);
        assert_same_scores(given, linear);
        rls2_fit_free(given);
        rls2_fit_free(linear);
        rls2_plan_free(plans[0]);
        rls2_plan_free(plans[1]);
    }
    free(K);
    rls2_table_free(table);
}

/* ---- stopping ---- */

typedef struct watcher {
    const char *stage; /* stops here ... */
    int64_t steps;     /* ... after so many steps */
    int stages;
    int kernels; /* how often they were made */
    int saw_path;
} watcher;

static int watch(void *user, const rls2_progress *at)
{
    watcher *w = user;
    return strcmp(at->stage, w->stage) == 0 && at->done >= w->steps;
}

static int count_stage(void *user, const char *stage, rls2_fit *so_far)
{
    watcher *w = user;
    w->stages++;
    w->kernels += strcmp(stage, "kernels") == 0;
    if (strcmp(stage, "path") == 0) w->saw_path = rls2_fit_count(so_far) > 0;
    return 0;
}

static rls2_status stopped(rls2_goal goal, watcher *w, int64_t *count, int64_t *asked)
{
    rls2_table *table = read_data("prostate");
    rls2_plan *plan = planned(
        goal, table,
        (const char *const[]){"target", "lpsa", "folds", "3", "lambdas", "1e-3:1:20", NULL});
    rls2_fit *fit = NULL;
    rls2_error err;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = 1;
    control.progress = watch;
    control.stage_done = count_stage;
    control.user = w;
    rls2_status status = rls2_plan_fit(plan, &control, &fit, &err);
    *count = rls2_fit_count(fit);
    *asked = rls2_fit_asked(fit);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return status;
}

static void stop__along_the_path__keeps_what_is_finished(void **state)
{
    (void)state;
    int64_t count, asked;
    watcher w = {.stage = "path", .steps = 5};
    assert_int_equal(stopped(RLS2_GOAL_PATH, &w, &count, &asked), RLS2_OK);
    assert_true(count >= 5 && count < asked && w.saw_path);
    w = (watcher){.stage = "path", .steps = 5};
    assert_int_equal(stopped(RLS2_GOAL_ALL, &w, &count, &asked), RLS2_OK);
    assert_true(count >= 5 && count < asked);
    assert_int_equal(w.stages, 2); /* no curve */
    w = (watcher){.stage = "path", .steps = 2};
    assert_int_equal(stopped(RLS2_GOAL_MODEL, &w, &count, &asked), RLS2_ERR_CANCELLED);
}

static void stop__before_or_after__is_said(void **state)
{
    (void)state;
    int64_t count, asked;
    watcher w = {.stage = "kernels"};
    assert_int_equal(stopped(RLS2_GOAL_PATH, &w, &count, &asked), RLS2_ERR_CANCELLED);
    assert_int_equal(count, 0);
    w = (watcher){.stage = "splits", .steps = 1};
    assert_int_equal(stopped(RLS2_GOAL_ALL, &w, &count, &asked), RLS2_ERR_CANCELLED);
    assert_int_equal(count, 20); /* the path is kept */
    w = (watcher){.stage = "never"};
    assert_int_equal(stopped(RLS2_GOAL_ALL, &w, &count, &asked), RLS2_OK);
    assert_int_equal(w.stages, 3);
}

/* ---- memory ---- */

static rls2_fit *watched(rls2_plan *plan, watcher *w)
{
    rls2_fit *fit = NULL;
    rls2_error err;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.stage_done = count_stage;
    control.user = w;
    assert_ok(rls2_plan_fit(plan, &control, &fit, &err), &err);
    return fit;
}

/* Kernels that fill more than a quarter of the memory are not kept while rows are left out. */
static void memory__little__kernels_are_made_again_and_the_model_is_the_same(void **state)
{
    (void)state;
    rls2_table *table = read_data("prostate");
    const char *settings[] = {"target",    "lpsa",  "kernels", "rbf(0.1|1)@each",
                              "baselines", "false", "folds",   "3",
                              "memory",    "1G",    NULL};
    char twice[32];
    watcher w = {0}, again = {0};
    rls2_plan *plan = planned(RLS2_GOAL_MODEL, table, settings);
    rls2_fit *fit = watched(plan, &w);
    snprintf(twice, sizeof twice, "%lld", 2LL * rls2_basis_bytes(rls2_fit_basis(fit, 0)));
    settings[9] = twice;
    rls2_plan *little = planned(RLS2_GOAL_MODEL, table, settings);
    rls2_fit *spared = watched(little, &again);
    assert_int_equal(w.kernels, 1);
    assert_int_equal(again.kernels, 2);
    assert_same_model(rls2_fit_chosen_model(fit), rls2_fit_chosen_model(spared));
    rls2_fit_free(fit);
    rls2_fit_free(spared);
    rls2_plan_free(plan);
    rls2_plan_free(little);
    rls2_table_free(table);
}

/* ---- fitted values ---- */

/* Three inputs, a weight of 1 to 3 and two targets. */
static rls2_table *table_of_many(int64_t rows)
{
    rls2_error err;
    rls2__random random;
    rls2_table *table = NULL;
    static const char *const NAMES[] = {"a", "b", "c", "w", "y", "z"};
    double *values = numbers(6 * rows);
    rls2_column columns[6];
    rls2__random_seed(&random, 3);
    for (int64_t i = 0; i < rows; i++) {
        double *row = values + 6 * i;
        for (int j = 0; j < 3; j++) row[j] = rls2__random_normal(&random);
        row[3] = (double)(1 + i % 3);
        row[4] = sin(2.0 * row[0]) + row[1] * row[1] + 0.1 * rls2__random_normal(&random);
        row[5] = row[0] * row[2] + 0.1 * rls2__random_normal(&random);
    }
    for (int j = 0; j < 6; j++)
        columns[j] = (rls2_column){.name = NAMES[j], .numbers = values + j, .stride = 6};
    assert_ok(rls2_table_create("many", rows, 6, columns, &table, &err), &err);
    free(values);
    return table;
}

/* Of many rows they come from the stored kernels, and are what the models say. */
static void fit_predict__many_training_rows__is_what_the_models_say(void **state)
{
    (void)state;
    enum { ROWS = 1100, POINTS = 3, OUTPUTS = 2, EACH = ROWS * OUTPUTS };
    rls2_error err;
    rls2_table *table = table_of_many(ROWS);
    static const char *const WEIGHTS[] = {NULL, "w"};
    double *all = numbers(POINTS * EACH), *one = numbers(EACH), *said = numbers(EACH);
    for (int k = 0; k < 2; k++) {
        rls2_plan *plan =
            planned(RLS2_GOAL_PATH, table,
                    (const char *const[]){"target", "y", "target", "z", "kernels",
                                          "linear; poly(2)@each; rbf(3)@all", "lambdas", "0.1,1,10",
                                          WEIGHTS[k] ? "row-weights" : "drop", "w", NULL});
        rls2_fit *fit = fitted(plan);
        const rls2_dataset *data = rls2_fit_data(fit);
        rls2_rows rows = {.n = ROWS, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
        assert_int_equal(rls2_fit_count(fit), POINTS);
        assert_ok(rls2_fit_predict_path(fit, RLS2_PART_TRAINING, all, &err), &err);
        for (int64_t i = 0; i < POINTS; i++) {
            rls2_model *model = NULL;
            assert_ok(rls2_fit_model(fit, i, &model, &err), &err);
            assert_ok(rls2_model_predict(model, &rows, NULL, said, &err), &err);
            assert_ok(rls2_fit_predict(fit, i, RLS2_PART_TRAINING, one, &err), &err);
            for (int64_t t = 0; t < EACH; t++) {
                assert_true(fabs(said[t] - all[i * EACH + t]) <= 1e-7 * (1.0 + fabs(said[t])));
                assert_true(fabs(said[t] - one[t]) <= 1e-7 * (1.0 + fabs(said[t])));
            }
            rls2_model_free(model);
        }
        rls2_fit_free(fit);
        rls2_plan_free(plan);
    }
    free(all);
    free(one);
    free(said);
    rls2_table_free(table);
}

/* Kernels that are narrower than points lie apart, and missing cells: the model says what was
 * learned, but for the rounding of shares. */
static void fit_predict__counted_rows__is_what_the_models_say(void **state)
{
    (void)state;
    enum { ROWS = 1500, OUTPUTS = 2, EACH = ROWS * OUTPUTS };
    static const char *const NAMES[] = {"a", "b", "y", "z"};
    rls2__random random;
    rls2_error err;
    rls2_table *table = NULL;
    rls2_column columns[4];
    double *values = numbers(4 * ROWS), *said = numbers(EACH), *fit_says = numbers(EACH);
    rls2__random_seed(&random, 77);
    for (int i = 0; i < ROWS; i++) {
        double a = rls2__random_normal(&random), b = rls2__random_normal(&random);
        values[i] = i % 17 == 3 ? (double)NAN : a;
        values[ROWS + i] = b;
        values[2 * ROWS + i] = (i % 17 == 3) + sin(3.0 * a) + rls2__random_normal(&random);
        values[3 * ROWS + i] = b * b + rls2__random_normal(&random);
    }
    for (int j = 0; j < 4; j++)
        columns[j] = (rls2_column){.name = NAMES[j], .numbers = values + j * ROWS, .stride = 1};
    assert_ok(rls2_table_create("counted", ROWS, 4, columns, &table, &err), &err);
    rls2_plan *plan = planned(RLS2_GOAL_PATH, table,
                              (const char *const[]){"target", "y", "target", "z", "kernels",
                                                    "linear; rbf(1)@each; rbf(1e5)@each", "lambdas",
                                                    "0.001,1", "method", "tall", NULL});
    rls2_fit *fit = fitted(plan);
    const rls2_dataset *data = rls2_fit_data(fit);
    rls2_rows rows = {.n = ROWS, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    for (int64_t i = 0; i < rls2_fit_count(fit); i++) {
        rls2_model *model = NULL;
        double most = 0.0, apart = 0.0;
        assert_ok(rls2_fit_model(fit, i, &model, &err), &err);
        assert_true(rls2_model_block_at(model, 0)->knots > 0);
        assert_ok(rls2_model_predict(model, &rows, NULL, said, &err), &err);
        assert_ok(rls2_fit_predict(fit, i, RLS2_PART_TRAINING, fit_says, &err), &err);
        for (int64_t t = 0; t < EACH; t++) {
            most = fmax(most, fabs(fit_says[t]));
            apart = fmax(apart, fabs(said[t] - fit_says[t]));
        }
        assert_true(apart <= 0.02 * most); /* 1/128 of the way between two points */
        double square = 0.0, of = 0.0;
        for (int64_t t = 0; t < EACH; t++) {
            square += (said[t] - fit_says[t]) * (said[t] - fit_says[t]);
            of += fit_says[t] * fit_says[t];
        }
        assert_true(square <= 1e-5 * of);
        rls2_model_free(model);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    free(values);
    free(said);
    free(fit_says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(path__housing__is_the_steps_one_by_one),
        cmocka_unit_test(model__cross_validated__is_a_point_of_the_whole_path),
        cmocka_unit_test(criteria__several_outputs__are_summed_and_the_least_is_chosen),
        cmocka_unit_test(given__matrix_of_all_rows__is_taken_by_parts),
        cmocka_unit_test(stop__along_the_path__keeps_what_is_finished),
        cmocka_unit_test(stop__before_or_after__is_said),
        cmocka_unit_test(memory__little__kernels_are_made_again_and_the_model_is_the_same),
        cmocka_unit_test(fit_predict__many_training_rows__is_what_the_models_say),
        cmocka_unit_test(fit_predict__counted_rows__is_what_the_models_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
