/* Categories in cross-validation: a split is what a fit of its training rows, encoded by hand with
 * the categories that occur among them, says about the rows left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/cv.h"
#include "support/problem.h"
#include "rls2/plan.h"
#include "support/cv_run.h"

enum { ROWS = 36, LEFT_OUT = 9, LAMBDAS = 4, COLOURS = 5, ROOM = ROWS * 80 };

static const char *const COLOUR[COLOURS] = {"red", "green", "rare", "blue", "scarce"};
static const double GRID[LAMBDAS] = {3.0, 0.3, 0.03, 0.003};

typedef struct rows {
    double a[ROWS], b[ROWS], y[ROWS];
    int colour[ROWS];
    int64_t fold[ROWS]; /* 0: left out by the first split, which is the one looked at */
} rows;

/* Every fourth row is left out by the first split. 'rare' occurs in such rows alone, and so does
 * 'scarce' unless `scarce_known`; it is the last to appear. */
static rows make_rows(int scarce_known)
{
    rows r;
    rls2__random random;
    rls2__random_seed(&random, 11);
    for (int i = 0; i < ROWS; i++) {
        static const int COMMON[] = {0, 1, 3};
        r.fold[i] = i % 4 != 2;
        r.a[i] = rls2__random_normal(&random);
        r.b[i] = rls2__random_normal(&random);
        r.colour[i] = i == 2 || i == 14 ? 2 : i == 6 || i == 18 ? 4 : COMMON[i % 3];
        if (scarce_known && (i == 7 || i == 15)) r.colour[i] = 4;
        r.y[i] =
            r.a[i] + 0.5 * r.b[i] * r.b[i] + 0.7 * r.colour[i] + 0.1 * rls2__random_normal(&random);
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

static int write_targets(const rows *r, int i, char *at)
{
    return sprintf(at, ",%.17g,%s\n", r->y[i], r->y[i] > 1.5 ? "high" : "low");
}

static rls2_table *whole_table(const rows *r)
{
    char text[ROOM], *at = text;
    at += sprintf(at, "a,colour,b,y,level\n");
    for (int i = 0; i < ROWS; i++) {
        at += sprintf(at, "%.17g,%s,%.17g", r->a[i], COLOUR[r->colour[i]], r->b[i]);
        at += write_targets(r, i, at);
    }
    return parsed(text);
}

/* Numbers alone: the rows of a fold, or all others, with an indicator for each of the colours that
 * are known. */
static rls2_table *encoded_by_hand(const rows *r, int left_out, const int known[COLOURS])
{
    char text[ROOM], *at = text;
    at += sprintf(at, "a");
    for (int c = 0; c < COLOURS; c++)
        if (known[c]) at += sprintf(at, ",colour=%s", COLOUR[c]);
    at += sprintf(at, ",b,y,level\n");
    for (int i = 0; i < ROWS; i++) {
        if ((r->fold[i] == 0) != left_out) continue;
        at += sprintf(at, "%.17g", r->a[i]);
        for (int c = 0; c < COLOURS; c++)
            if (known[c]) at += sprintf(at, ",%d", r->colour[i] == c);
        at += sprintf(at, ",%.17g", r->b[i]);
        at += write_targets(r, i, at);
    }
    return parsed(text);
}

typedef struct setting {
    const char *kernels;
    const char *by_hand; /* the same where there are fewer columns; NULL: the text is the same */
    int classes;
    int reference;
    rls2_normalize examples, features;
    rls2_scaling scaling;
} setting;

static rls2__recipe recipe_of(const setting *set, const char *const *drop)
{
    rls2__recipe recipe = rls2__recipe_default();
    recipe.data.target = set->classes ? "level" : "y";
    recipe.data.drop = drop;
    recipe.data.drop_count = 1;
    recipe.kernels = set->kernels;
    recipe.preprocessing.examples = set->examples;
    recipe.preprocessing.features = set->features;
    recipe.basis.scaling = set->scaling;
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
        rls2_model *model = NULL;
        assert_ok(rls2_fit_predict(fit, l, RLS2_PART_TEST, f, &err), &err);
        assert_ok(rls2_fit_model(fit, l, &model, &err), &err);
        int t = 0;
        for (int i = 0; i < ROWS; i++) {
            if (r->fold[i] != 0) continue;
            double said = rls2_cv_predictions(cv, l)[i];
            if (!(fabs(said - f[t]) <= 1e-6))
                fail_msg("%s, lambda %g, row %d (%s): %.9g is not %.9g", kernels, GRID[l], i,
                         COLOUR[r->colour[i]], said, f[t]);
            t++;
        }
        if (cv->nzero[l * cv->splits] != (double)rls2_model_kernel_count(model))
            fail_msg("%s, lambda %g: %g kernels, not %d", kernels, GRID[l],
                     cv->nzero[l * cv->splits], (int)rls2_model_kernel_count(model));
        rls2_model_free(model);
    }
}

static void ask(rls2_plan *plan, const char *name, const char *value)
{
    rls2_error err;
    assert_ok(rls2_plan_set(plan, name, value, &err), &err);
}

static rls2_plan *plan_by_hand(const setting *set, const rls2_table *training,
                               const rls2_table *left_out)
{
    static const char *const NORMALIZE[] = {"none", "center", "standardize", "unit"};
    static const char *const SCALING[] = {"none", "trace", "fisher", "fisher-sqrt"};
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_ok(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_PLAIN, &plan, &err), &err);
    ask(plan, "target", set->classes ? "level" : "y");
    ask(plan, "drop", set->classes ? "y" : "level");
    ask(plan, "kernels", set->by_hand ? set->by_hand : set->kernels);
    ask(plan, "examples", NORMALIZE[set->examples]);
    ask(plan, "features", NORMALIZE[set->features]);
    ask(plan, "scaling", SCALING[set->scaling]);
    ask(plan, "intercept", "mean");
    ask(plan, "gap-tol", "1e-13");
    ask(plan, "max-iter", "1000");
    assert_ok(rls2_plan_set_lambdas(plan, LAMBDAS, GRID, &err), &err);
    assert_ok(rls2_plan_set_test(plan, left_out, &err), &err);
    assert_ok(rls2_plan_complete(plan, training, &err), &err);
    return plan;
}

/* With and without kernels that are evaluated once for all splits. */
static void assert_learned_inside(const setting *set)
{
    const char *const drop[] = {set->classes ? "y" : "level"};
    const int known[COLOURS] = {1, 1, 0, 1, 0}; /* the reference has no indicator */
    rows r = make_rows(set->reference);
    rls2_error err;
    rls2__recipe recipe = recipe_of(set, drop);
    rls2__cv_options options = (rls2__cv_options){.measure = RLS2_MEASURE_AUTO};
    rls2_table *whole = whole_table(&r), *training = encoded_by_hand(&r, 0, known);
    rls2_table *left_out = encoded_by_hand(&r, 1, known);
    rls2_splits *splits = NULL;
    rls2_fit *fit = NULL;
    assert_ok(rls2_splits_given(ROWS, r.fold, &splits, &err), &err);
    rls2_plan *plan = plan_by_hand(set, training, left_out);
    assert_ok(rls2_plan_fit(plan, NULL, &fit, &err), &err);
    recipe.data.reference = set->reference;
    for (int sharing = RLS2__SHARING_NEVER; sharing <= RLS2__SHARING_WHERE_IT_PAYS; sharing++) {
        rls2_cv *cv = NULL;
        assert_ok(
            cv_run_sharing(whole, &recipe, splits, &options, (rls2__sharing)sharing, &cv, &err),
            &err);
        assert_split_is(cv, &r, fit, set->kernels);
        rls2_cv_free(cv);
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_splits_free(splits);
    rls2_table_free(whole);
    rls2_table_free(training);
    rls2_table_free(left_out);
}

static void cv_run__category_in_left_out_rows_alone__differs_from_no_training_row(void **state)
{
    (void)state;
    const setting sets[] = {
        {.kernels = "rbf(0.5)@all", .scaling = RLS2_SCALING_TRACE},
        {.kernels = "laplace(0.5)@colour+a; delta@colour", .scaling = RLS2_SCALING_NONE},
    };
    for (int i = 0; i < 2; i++) assert_learned_inside(&sets[i]);
}

/* Evaluated on training rows such a kernel is the same for all of them: an intercept that can be
 * selected where there is no other. */
static void cv_run__kernel_of_an_absent_category__is_left_out(void **state)
{
    (void)state;
    const setting sets[] = {
        {.kernels = "paper", .classes = 1, .scaling = RLS2_SCALING_TRACE},
        {.kernels = "rbf(1)@each; poly(2)@b", .classes = 1, .scaling = RLS2_SCALING_FISHER},
        {.kernels = "spline; rbf(0.1|1)@\"colour=rare\"..b",
         .by_hand = "spline; rbf(0.1|1)@\"colour=blue\"..b",
         .scaling = RLS2_SCALING_TRACE},
    };
    for (int i = 0; i < 3; i++) assert_learned_inside(&sets[i]);
}

static void cv_run__normalised_examples__are_so_over_known_categories(void **state)
{
    (void)state;
    for (int examples = RLS2_NORMALIZE_CENTER; examples <= RLS2_NORMALIZE_UNIT; examples++)
        for (int features = RLS2_NORMALIZE_NONE; features <= RLS2_NORMALIZE_UNIT; features++) {
            const setting set = {.kernels = "rbf(0.5|5)@all,each; linear",
                                 .examples = (rls2_normalize)examples,
                                 .features = (rls2_normalize)features,
                                 .scaling = RLS2_SCALING_TRACE};
            assert_learned_inside(&set);
        }
}

/* 'scarce', the last to appear; an unknown category then looks like it. */
static void cv_run__reference_level__is_that_of_the_whole_table(void **state)
{
    (void)state;
    const setting set = {
        .kernels = "rbf(0.5)@all; linear", .reference = 1, .scaling = RLS2_SCALING_TRACE};
    assert_learned_inside(&set);
}

static void cv_run__no_kernel_but_of_an_absent_category__says_which_split(void **state)
{
    (void)state;
    const char *const drop[] = {"level"};
    const setting set = {.kernels = "rbf(1)@\"colour=rare\"", .scaling = RLS2_SCALING_TRACE};
    rows r = make_rows(0);
    rls2_error err;
    rls2__recipe recipe = recipe_of(&set, drop);
    rls2_table *whole = whole_table(&r);
    rls2_splits *splits = NULL;
    rls2_cv *cv = NULL;
    assert_ok(rls2_splits_given(ROWS, r.fold, &splits, &err), &err);
    assert_int_equal(cv_run(whole, &recipe, splits, NULL, &cv, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message,
                        "split 1 of 2: none of the 1 kernels looks at a category that these rows "
                        "have");
    rls2_splits_free(splits);
    rls2_table_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cv_run__category_in_left_out_rows_alone__differs_from_no_training_row),
        cmocka_unit_test(cv_run__kernel_of_an_absent_category__is_left_out),
        cmocka_unit_test(cv_run__normalised_examples__are_so_over_known_categories),
        cmocka_unit_test(cv_run__reference_level__is_that_of_the_whole_table),
        cmocka_unit_test(cv_run__no_kernel_but_of_an_absent_category__says_which_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
