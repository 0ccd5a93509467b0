/* Linear kernels have an intercept: predictions against ridge regression with an intercept that is
 * not penalised, by weighted normal equations, on all rows and within every split. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "rls2/plan.h"
#include "support/problem.h"

enum { ROWS = 48, INPUTS = 2, FOLDS = 4, SIZE = INPUTS + 1 };
static const double LAMBDA = 0.5;

typedef struct made {
    double x[INPUTS][ROWS], y[ROWS], w[ROWS];
    int yes[ROWS];
} made;

/* Columns far from zero, classes of different sizes. */
static made draw(void)
{
    made it;
    rls2__random random;
    rls2__random_seed(&random, 17);
    for (int i = 0; i < ROWS; i++) {
        it.x[0][i] = 50.0 + 10.0 * rls2__random_normal(&random);
        it.x[1][i] = -3.0 + rls2__random_normal(&random);
        it.y[i] =
            1000.0 + 20.0 * (it.x[0][i] - 50.0) + 5.0 * it.x[1][i] + rls2__random_normal(&random);
        it.yes[i] = it.y[i] + 100.0 * rls2__random_normal(&random) > 1100.0 || i % 12 == 0;
        it.w[i] = 1.0 + i % 3;
    }
    return it;
}

static rls2_table *table_of(const made *it)
{
    rls2_error err;
    rls2_table *table = NULL;
    char text[ROWS * 120];
    size_t room = sizeof text, at = (size_t)snprintf(text, room, "a,b,y,class,w,fold\n");
    for (int i = 0; i < ROWS; i++)
        at +=
            (size_t)snprintf(text + at, room - at, "%.17g,%.17g,%.17g,%s,%g,f%d\n", it->x[0][i],
                             it->x[1][i], it->y[i], it->yes[i] ? "yes" : "no", it->w[i], i % FOLDS);
    assert_true(at < room);
    assert_ok(rls2_table_parse_csv("made.csv", text, (int64_t)at, &table, &err), &err);
    return table;
}

/* ---- the oracle ---- */

typedef struct scenario {
    const char *target;
    int weighted;        /* by the column w */
    const char *classes; /* class weights, or NULL */
    int standardized;
} scenario;

/* Of row i among those of training, where the classes weigh `of_class` in all. */
static double weight_of(const made *it, const scenario *s, int i, const double *of_class)
{
    double w = s->weighted ? it->w[i] : 1.0;
    if (!s->classes) return w;
    if (strcmp(s->classes, "balanced") != 0) return it->yes[i] ? 3.0 * w : w;
    return w * (of_class[0] + of_class[1]) / (2.0 * of_class[it->yes[i]]);
}

static void eliminate(double a[SIZE][SIZE + 1])
{
    for (int k = 0; k < SIZE; k++)
        for (int i = 0; i < SIZE; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= SIZE && i != k; j++) a[i][j] -= factor * a[k][j];
        }
}

/* Squares of what standardising divides by; rows count by their own weights. */
static double variance_of(const made *it, const scenario *s, int j, const int *is_training)
{
    double rows = 0.0, mean = 0.0, squares = 0.0;
    if (!s->standardized) return 1.0;
    for (int i = 0; i < ROWS; i++) {
        double w = is_training[i] ? (s->weighted ? it->w[i] : 1.0) : 0.0;
        rows += w;
        mean += w * it->x[j][i];
    }
    mean /= rows;
    for (int i = 0; i < ROWS; i++) {
        double w = is_training[i] ? (s->weighted ? it->w[i] : 1.0) : 0.0;
        squares += w * (it->x[j][i] - mean) * (it->x[j][i] - mean);
    }
    return squares / (rows - 1.0);
}

/* min 1/2 sum w (y - b0 - x'b)^2 + lambda/2 sum_j variance_j b_j^2; f of all rows. */
static void ridge(const made *it, const scenario *s, const int *is_training, double *f)
{
    double a[SIZE][SIZE + 1] = {{0}}, of_class[2] = {0};
    for (int i = 0; i < ROWS; i++)
        if (is_training[i]) of_class[it->yes[i]] += s->weighted ? it->w[i] : 1.0;
    for (int i = 0; i < ROWS; i++) {
        double y = s->target[0] == 'y' ? it->y[i] : it->yes[i] ? 1.0 : -1.0;
        double row[SIZE + 1] = {1.0, it->x[0][i], it->x[1][i], y};
        for (int u = 0; u < SIZE && is_training[i]; u++)
            for (int v = 0; v <= SIZE; v++)
                a[u][v] += weight_of(it, s, i, of_class) * row[u] * row[v];
    }
    for (int j = 0; j < INPUTS; j++) a[j + 1][j + 1] += LAMBDA * variance_of(it, s, j, is_training);
    eliminate(a);
    for (int i = 0; i < ROWS; i++) {
        f[i] = a[0][SIZE] / a[0][0];
        for (int j = 0; j < INPUTS; j++) f[i] += it->x[j][i] * a[j + 1][SIZE] / a[j + 1][j + 1];
    }
}

/* ---- the library ---- */

static rls2_plan *planned(rls2_goal goal, const rls2_table *table, const scenario *s)
{
    rls2_plan *plan = NULL;
    rls2_error err;
    const char *other = s->target[0] == 'y' ? "class" : "y";
    const char *const settings[][2] = {{"target", s->target},
                                       {"drop", other},
                                       {s->weighted ? "row-weights" : "drop", "w"},
                                       {"class-weights", s->classes},
                                       {"standardize", s->standardized ? "true" : "false"},
                                       {"kernels", "linear@all"},
                                       {"scaling", "none"},
                                       {"lambdas", "0.5"},
                                       {goal == RLS2_GOAL_CURVE ? "fold-column" : "drop", "fold"},
                                       {"baselines", "false"},
                                       {"gap-tol", "1e-12"}};
    assert_ok(rls2_plan_create(goal, RLS2_VOICE_PLAIN, &plan, &err), &err);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i][1])
            assert_ok(rls2_plan_set(plan, settings[i][0], settings[i][1], &err), &err);
    assert_ok(rls2_plan_complete(plan, table, &err), &err);
    return plan;
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-8 * (1.0 + fabs(expected))))
        fail_msg("%.15g is not %.15g", found, expected);
}

static void assert_scenario(const made *it, const rls2_table *table, const scenario *s)
{
    double f[ROWS], expected[ROWS];
    int is_training[ROWS];
    rls2_error err;
    rls2_fit *fit = NULL;
    rls2_plan *plan = planned(RLS2_GOAL_PATH, table, s);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    assert_ok(rls2_fit_predict(fit, 0, RLS2_PART_TRAINING, f, &err), &err);
    for (int i = 0; i < ROWS; i++) is_training[i] = 1;
    ridge(it, s, is_training, expected);
    for (int i = 0; i < ROWS; i++) assert_near(f[i], expected[i]);
    rls2_fit_free(fit);
    rls2_plan_free(plan);

    plan = planned(RLS2_GOAL_CURVE, table, s);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    for (int k = 0; k < FOLDS; k++) {
        for (int i = 0; i < ROWS; i++) is_training[i] = i % FOLDS != k;
        ridge(it, s, is_training, expected);
        for (int i = k; i < ROWS; i += FOLDS)
            assert_near(rls2_cv_predictions(rls2_fit_cv(fit), 0)[i], expected[i]);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
}

static void plan__linear_kernel__is_ridge_with_an_intercept(void **state)
{
    (void)state;
    static const scenario SCENARIOS[] = {
        {"y", 0, NULL, 0},        {"y", 1, NULL, 0},           {"y", 1, NULL, 1},
        {"class", 0, NULL, 0},    {"class", 0, "balanced", 0}, {"class", 1, "balanced", 1},
        {"class", 1, "yes=3", 0}, {"class", 0, "yes=3", 1},
    };
    made it = draw();
    rls2_table *table = table_of(&it);
    for (size_t i = 0; i < sizeof SCENARIOS / sizeof SCENARIOS[0]; i++)
        assert_scenario(&it, table, &SCENARIOS[i]);
    rls2_table_free(table);
}

/* The paper centres no columns. */
static void plan__intercept_asked_for__leaves_columns_as_they_are(void **state)
{
    (void)state;
    static const char *const INTERCEPTS[] = {"auto", "none", "mean"};
    made it = draw();
    rls2_table *table = table_of(&it);
    for (int k = 0; k < 3; k++) {
        rls2_error err;
        rls2_plan *plan = NULL;
        const char *const settings[][2] = {
            {"target", "y"},      {"drop", "class"},         {"drop", "w"},       {"drop", "fold"},
            {"features", "none"}, {"kernels", "linear@all"}, {"lambdas", "1e-3"},
        };
        assert_ok(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, &err), &err);
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            assert_ok(rls2_plan_set(plan, settings[i][0], settings[i][1], &err), &err);
        assert_ok(rls2_plan_set(plan, "intercept", INTERCEPTS[k], &err), &err);
        assert_ok(rls2_plan_complete(plan, table, &err), &err);
        assert_int_equal(rls2_dataset_feature_rule(rls2_plan_data(plan, RLS2_PART_TRAINING)),
                         k == 0 ? RLS2_NORMALIZE_CENTER : RLS2_NORMALIZE_NONE);
        rls2_plan_free(plan);
    }
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan__linear_kernel__is_ridge_with_an_intercept),
        cmocka_unit_test(plan__intercept_asked_for__leaves_columns_as_they_are),
    };
    return cmocka_run_group_tests_name("intercept", tests, NULL, NULL);
}
