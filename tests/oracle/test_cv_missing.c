/* Missing cells in cross-validation: a split is what a fit of its training rows says about the rows
 * left out, where medians and modes are computed here, from the training rows of that split alone.
 * The rows left out lie far off, so that fills learned from them too would show. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "support/cv_run.h"
#include "support/problem.h"

enum { ROWS = 40, LEFT_OUT = 10, LAMBDAS = 4, ROOM = ROWS * 120, COLOURS = 4 };

static const char *const COLOUR[COLOURS] = {"red", "green", "grey", "blue"};
static const double GRID[LAMBDAS] = {3.0, 0.3, 0.03, 0.003};

/* c is missing in rows left out alone: for the split there is no indicator of it. e has values in
 * rows left out alone: for the split it does not exist. */
typedef struct rows {
    double a[ROWS], c[ROWS], e[ROWS], y[ROWS]; /* NaN: missing */
    int colour[ROWS];                          /* -1: missing */
    int64_t fold[ROWS]; /* 0: left out by the first split, which is the one looked at */
} rows;

static rows make_rows(void)
{
    rows r;
    rls2__random random;
    rls2__random_seed(&random, 5);
    for (int i = 0; i < ROWS; i++) {
        int out = i % 4 == 1;
        r.fold[i] = !out;
        r.a[i] = rls2__random_normal(&random) + (out ? 8.0 : 0.0);
        r.c[i] = rls2__random_normal(&random);
        r.e[i] = out ? rls2__random_normal(&random) : (double)NAN;
        r.colour[i] = out ? 3 : i % 3 == 0 ? 1 : i % 4 == 0 ? 2 : 0;
        r.y[i] = r.a[i] + sin(r.c[i]) + 0.7 * r.colour[i] + 0.1 * rls2__random_normal(&random);
        if (i % 5 == 2 || i == 9) r.a[i] = (double)NAN;
        if (i % 7 == 3 || i == 13) r.colour[i] = -1;
        if (i == 5 || i == 21) r.c[i] = (double)NAN;
    }
    return r;
}

static rls2_table *parsed(const char *text)
{
    rls2_table *table = NULL;
    rls2_error err;
    assert_ok(rls2_table_parse_csv("t.csv", text, (int64_t)strlen(text), &table, &err), &err);
    return table;
}

static int write_number(char *at, double value)
{
    return isnan(value) ? sprintf(at, ",") : sprintf(at, "%.17g,", value);
}

static rls2_table *whole_table(const rows *r)
{
    char text[ROOM], *at = text;
    at += sprintf(at, "a,colour,c,e,y\n");
    for (int i = 0; i < ROWS; i++) {
        at += write_number(at, r->a[i]);
        at += sprintf(at, "%s,", r->colour[i] < 0 ? "" : COLOUR[r->colour[i]]);
        at += write_number(at, r->c[i]);
        at += write_number(at, r->e[i]);
        at += sprintf(at, "%.17g\n", r->y[i]);
    }
    return parsed(text);
}

static int ascending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

/* Of the training rows of the split. */
static double median(const rows *r, const double *x)
{
    double there[ROWS];
    size_t n = 0;
    for (int i = 0; i < ROWS; i++)
        if (r->fold[i] != 0 && !isnan(x[i])) there[n++] = x[i];
    qsort(there, n, sizeof *there, ascending);
    return n % 2 ? there[n / 2] : 0.5 * (there[n / 2 - 1] + there[n / 2]);
}

/* Numbers alone, as the split sees them: 'blue' is unknown to it, 'red' its most frequent. */
static rls2_table *imputed_by_hand(const rows *r, int left_out)
{
    char text[ROOM], *at = text;
    double a = median(r, r->a), c = median(r, r->c);
    at += sprintf(at, "a,a=missing,colour=red,colour=green,colour=grey,colour=missing,c,y\n");
    for (int i = 0; i < ROWS; i++) {
        if ((r->fold[i] == 0) != left_out) continue;
        int gone = isnan(r->a[i]), colour = r->colour[i] < 0 ? 0 : r->colour[i];
        at += sprintf(at, "%.17g,%d,", gone ? a : r->a[i], gone);
        at += sprintf(at, "%d,%d,%d,%d,", colour == 0, colour == 1, colour == 2, r->colour[i] < 0);
        at += sprintf(at, "%.17g,%.17g\n", isnan(r->c[i]) ? c : r->c[i], r->y[i]);
    }
    return parsed(text);
}

static void ask(rls2_plan *plan, const char *name, const char *value)
{
    rls2_error err;
    assert_ok(rls2_plan_set(plan, name, value, &err), &err);
}

static rls2_plan *plan_by_hand(const char *kernels, const char *features,
                               const rls2_table *training, const rls2_table *left_out)
{
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_ok(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, &err), &err);
    ask(plan, "target", "y");
    ask(plan, "kernels", kernels);
    ask(plan, "features", features);
    ask(plan, "intercept", "mean");
    ask(plan, "gap-tol", "1e-13");
    ask(plan, "max-iter", "1000");
    assert_ok(rls2_plan_set_lambdas(plan, LAMBDAS, GRID, &err), &err);
    assert_ok(rls2_plan_set_test(plan, left_out, &err), &err);
    assert_ok(rls2_plan_complete(plan, training, &err), &err);
    return plan;
}

static rls2__recipe recipe_of(const char *kernels, rls2_normalize features)
{
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = "y";
    recipe.data.missing = RLS2_MISSING_IMPUTE;
    recipe.kernels = kernels;
    recipe.preprocessing.features = features;
    recipe.lambda_count = LAMBDAS;
    recipe.lambdas = GRID;
    recipe.path.gap_tol = 1e-13;
    recipe.path.max_iter = 1000;
    return recipe;
}

static void assert_split_is(const rls2_cv *cv, const rows *r, const rls2_fit *fit,
                            const char *kernels)
{
    rls2_error err;
    double f[LEFT_OUT];
    for (int64_t l = 0; l < LAMBDAS; l++) {
        int t = 0;
        assert_ok(rls2_fit_predict(fit, l, RLS2_PART_TEST, f, &err), &err);
        for (int i = 0; i < ROWS; i++) {
            if (r->fold[i] != 0) continue;
            double said = rls2_cv_predictions(cv, l)[i];
            if (!(fabs(said - f[t]) <= 1e-6))
                fail_msg("%s, lambda %g, row %d: %.9g is not %.9g", kernels, GRID[l], i, said,
                         f[t]);
            t++;
        }
    }
}

/* With and without kernels that are evaluated once for all splits. */
static void assert_learned_inside(const char *kernels, rls2_normalize features)
{
    static const char *const NORMALIZE[] = {"none", "center", "standardize", "unit"};
    rows r = make_rows();
    rls2_error err;
    rls2__recipe recipe = recipe_of(kernels, features);
    rls2__cv_options options = {.measure = RLS2_MEASURE_AUTO};
    rls2_table *whole = whole_table(&r), *training = imputed_by_hand(&r, 0);
    rls2_table *left_out = imputed_by_hand(&r, 1);
    rls2_splits *splits = NULL;
    rls2_fit *fit = NULL;
    assert_ok(rls2_splits_given(ROWS, r.fold, &splits, &err), &err);
    rls2_plan *plan = plan_by_hand(kernels, NORMALIZE[features], training, left_out);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    for (int sharing = RLS2__SHARING_NEVER; sharing <= RLS2__SHARING_WHERE_IT_PAYS; sharing++) {
        rls2_cv *cv = NULL;
        assert_ok(
            cv_run_sharing(whole, &recipe, splits, &options, (rls2__sharing)sharing, &cv, &err),
            &err);
        assert_split_is(cv, &r, fit, kernels);
        rls2_cv_free(cv);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_splits_free(splits);
    rls2_table_free(whole);
    rls2_table_free(training);
    rls2_table_free(left_out);
}

static void cv_run__missing_cells__are_filled_from_the_split_alone(void **state)
{
    (void)state;
    for (int features = RLS2_NORMALIZE_NONE; features <= RLS2_NORMALIZE_UNIT; features++) {
        assert_learned_inside("rbf(0.5)@all", (rls2_normalize)features);
        assert_learned_inside("linear; rbf(0.1|1)@each", (rls2_normalize)features);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__missing_cells__are_filled_from_the_split_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
