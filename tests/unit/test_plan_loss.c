/* Plans with other losses: what is inferred, refused and fitted, from a table to a model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "support/problem.h"
#include "support/unit_support.h"

enum { ROWS = 60 };

/* Two numbers, a class that depends on them, a third one, a number and a count. */
static rls2_table *made_table(void)
{
    char *text = malloc(ROWS * 100 + 100);
    assert_non_null(text);
    int used = sprintf(text, "a,b,class,kind,y,count\n");
    for (int i = 0; i < ROWS; i++) {
        double a = sin(1.7 * i), b = cos(2.3 * i + 1.0), noise = 0.4 * sin(37.0 * i);
        double y = a + b * b + noise;
        used +=
            sprintf(text + used, "%.6f,%.6f,%s,%s,%.6f,%d\n", a, b, a + noise > 0.0 ? "yes" : "no",
                    y > 1.0   ? "high"
                    : a > 0.0 ? "middle"
                              : "low",
                    y, (int)floor(exp(a + 0.5) + fabs(noise)));
    }
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse("t.csv", text, used, NULL, &table, NULL), RLS2_OK);
    free(text);
    return table;
}

typedef struct fitted {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} fitted;

static void done(fitted *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

/* Up to four settings beside target and columns; names that are NULL end them. */
typedef struct wishes {
    const char *target, *drop[4], *words[8];
} wishes;

static fitted asked(rls2_goal goal, const wishes *w)
{
    fitted it = {made_table(), NULL, NULL};
    rls2_error err;
    assert_int_equal(rls2_plan_create(goal, RLS2_VOICE_COMMAND, &it.plan, NULL), RLS2_OK);
    assert_ok(rls2_plan_set(it.plan, "target", w->target, &err), &err);
    for (int i = 0; i < 4 && w->drop[i]; i++)
        assert_ok(rls2_plan_set(it.plan, "drop", w->drop[i], &err), &err);
    for (int i = 0; i < 8 && w->words[i]; i += 2)
        assert_ok(rls2_plan_set(it.plan, w->words[i], w->words[i + 1], &err), &err);
    return it;
}

static fitted fitted_to(rls2_goal goal, const wishes *w)
{
    fitted it = asked(goal, w);
    rls2_error err;
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static void assert_refused(const wishes *w, const char *fault, const char *message)
{
    fitted it = asked(RLS2_GOAL_MODEL, w);
    rls2_error err = {0};
    assert_int_not_equal(rls2_plan_complete(it.plan, it.table, &err), RLS2_OK);
    assert_contains(err.message, message);
    assert_string_equal(rls2_plan_fault(it.plan), fault);
    done(&it);
}

#define CLASS .target = "class", .drop = {"kind", "y", "count"}
#define KINDS .target = "kind", .drop = {"class", "y", "count"}
#define NUMBER .target = "y", .drop = {"class", "kind", "count"}
#define COUNTS .target = "count", .drop = {"class", "kind", "y"}

/* ---- refused ---- */

static void plan_complete__loss_that_does_not_fit__is_refused(void **state)
{
    (void)state;
    assert_refused(&(wishes){CLASS, .words = {"loss", "logitic"}}, "loss",
                   "--loss: no loss is called 'logitic' (did you mean 'logistic'?)");
    assert_refused(&(wishes){NUMBER, .words = {"loss", "quantile"}}, "loss",
                   "--loss: the loss quantile needs a number between 0 and 1");
    assert_refused(&(wishes){NUMBER, .words = {"loss", "quantile(1)"}}, "loss", "not 1");
    assert_refused(&(wishes){NUMBER, .words = {"loss", "logistic"}}, "loss",
                   "--loss logistic is for classes, and the target is a number");
    assert_refused(&(wishes){CLASS, .words = {"loss", "poisson"}}, "loss",
                   "--loss poisson is for numbers, and the target is a class");
    assert_refused(&(wishes){NUMBER, .words = {"loss", "poisson"}}, "loss", "are not negative");
    assert_refused(&(wishes){CLASS, .words = {"loss", "hinge", "probability", "true"}},
                   "probability", "--probability needs --loss logistic, and it is hinge");
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* ROWS is even. */
static double median_distance(const double *y, double from)
{
    double distances[ROWS];
    for (int i = 0; i < ROWS; i++) distances[i] = fabs(y[i] - from);
    qsort(distances, ROWS, sizeof *distances, ascending);
    return 0.5 * (distances[ROWS / 2 - 1] + distances[ROWS / 2]);
}

static void assert_noted(const rls2_plan *plan, const char *word)
{
    int found = 0;
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        found += strstr(rls2_plan_note(plan, i), word) != NULL;
    assert_int_equal(found, 1);
}

/* What the notes say of it is what is learned with. */
static void plan_complete__distance_left_open__is_a_share_of_the_spread(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        double share;
    } cases[] = {{"huber", 0.5}, {"epsilon", 0.1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fitted it = fitted_to(RLS2_GOAL_MODEL, &(wishes){NUMBER, .words = {"loss", cases[k].word}});
        const double *y = rls2_dataset_y(rls2_plan_data(it.plan, RLS2_PART_TRAINING));
        double spread = 1.4826 * median_distance(y, median_distance(y, -100.0) - 100.0);
        double got = rls2_plan_loss(it.plan).parameter;
        char text[40];
        assert_true(fabs(got - cases[k].share * spread) <= 0.005 * got);
        assert_true(rls2_model_loss(rls2_fit_chosen_model(it.fit)).parameter == got);
        assert_noted(it.plan, rls2_loss_text(rls2_plan_loss(it.plan), text, sizeof text));
        done(&it);
    }
}

static void plan_complete__what_needs_the_square_loss__is_refused(void **state)
{
    (void)state;
    assert_refused(&(wishes){CLASS, .words = {"loss", "logistic", "solver", "alternate"}}, "solver",
                   "--solver alternate is for the square loss");
    assert_refused(&(wishes){CLASS, .words = {"loss", "logistic", "select", "gcv"}}, "select",
                   "--select gcv is not defined for --loss logistic");
    assert_refused(&(wishes){NUMBER, .words = {"intercept", "free", "select", "loo"}}, "select",
                   "--select loo is not defined for --loss square with a free intercept");
    assert_refused(&(wishes){CLASS, .words = {"loss", "hinge", "measure", "log-loss"}}, "measure",
                   "--measure log-loss needs --loss logistic, and it is hinge");
    assert_refused(&(wishes){NUMBER, .words = {"measure", "pinball"}}, "measure",
                   "--measure pinball needs --loss quantile(A), and it is square");
    assert_refused(&(wishes){CLASS, .words = {"loss", "logistic", "method", "tall"}}, "method",
                   "does not go together with another loss than the square one");
    assert_refused(&(wishes){KINDS, .words = {"outputs", "shared", "scaling", "fisher"}}, "outputs",
                   "--outputs shared does not go together with --scaling fisher");
}

/* ---- fitted ---- */

/* Recomputed from the data, of each output. */
static void assert_certified(const fitted *it, const rls2_model *model)
{
    const rls2_dataset *data = rls2_fit_data(it->fit);
    const rls2_rows rows = {
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        const rls2_model *one = rls2_model_output(model, o);
        rls2_certificate found;
        rls2_error err;
        assert_ok(rls2_model_certify(one, &rows, rls2_dataset_y(data) + o * rows.n, &found,
                                     sizeof found, &err),
                  &err);
        if (!(found.relative_gap <= 1.001e-6)) fail_msg("the gap is %g", found.relative_gap);
        assert_true(fabs(found.primal - rls2_model_point(one)->objective) <= 1e-9 * found.primal);
    }
}

static void assert_loss(const fitted *it, rls2_loss_kind kind, rls2_measure measure)
{
    const rls2_model *model = rls2_fit_chosen_model(it->fit);
    const rls2_cv *cv = rls2_fit_cv(it->fit);
    assert_non_null(model);
    assert_int_equal(rls2_model_loss(model).kind, kind);
    assert_true(rls2_model_intercept_is_free(model));
    assert_int_equal(rls2_cv_measure(cv), measure);
    assert_true(isfinite(rls2_cv_at(cv, rls2_cv_min(cv))->cvm));
    int count = kind == RLS2_LOSS_SQUARE ? RLS2_BASELINE_CONSTANT : RLS2_BASELINE_COUNT;
    for (int b = 0; b < count; b++) {
        const rls2_cv_point *baseline = rls2_cv_baseline(cv, (rls2_baseline)b);
        assert_true(baseline && isfinite(baseline->cvm));
    }
    assert_certified(it, model);
}

static void plan_fit__each_loss__has_curve_baselines_and_certificate(void **state)
{
    (void)state;
    static const struct {
        wishes w;
        rls2_loss_kind kind;
        rls2_measure measure;
    } cases[] = {
        {{CLASS, .words = {"probability", "true"}}, RLS2_LOSS_LOGISTIC, RLS2_MEASURE_LOG_LOSS},
        {{KINDS, .words = {"loss", "logistic"}}, RLS2_LOSS_LOGISTIC, RLS2_MEASURE_LOG_LOSS},
        {{CLASS, .words = {"loss", "hinge"}}, RLS2_LOSS_HINGE, RLS2_MEASURE_ACCURACY},
        {{CLASS, .words = {"loss", "squared-hinge", "measure", "auc"}},
         RLS2_LOSS_SQUARED_HINGE,
         RLS2_MEASURE_AUC},
        {{NUMBER, .words = {"loss", "quantile(0.8)"}}, RLS2_LOSS_QUANTILE, RLS2_MEASURE_PINBALL},
        {{NUMBER, .words = {"loss", "huber(0.2)"}}, RLS2_LOSS_HUBER, RLS2_MEASURE_MAE},
        {{NUMBER, .words = {"loss", "epsilon(0.1)"}}, RLS2_LOSS_EPSILON, RLS2_MEASURE_MAE},
        {{NUMBER, .words = {"loss", "absolute"}}, RLS2_LOSS_ABSOLUTE, RLS2_MEASURE_MAE},
        {{COUNTS, .words = {"loss", "poisson"}}, RLS2_LOSS_POISSON, RLS2_MEASURE_DEVIANCE},
        {{NUMBER, .words = {"intercept", "free"}}, RLS2_LOSS_SQUARE, RLS2_MEASURE_RMSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wishes w = cases[i].w;
        w.words[4] = "kernels";
        w.words[5] = "linear; rbf(1)@all,each";
        w.words[6] = "folds";
        w.words[7] = "3";
        for (int k = 2; k < 4; k++) /* places that are not used */
            if (!w.words[k]) w.words[k] = k == 2 ? "seed" : "1";
        fitted it = fitted_to(RLS2_GOAL_MODEL, &w);
        assert_loss(&it, cases[i].kind, cases[i].measure);
        done(&it);
    }
}

/* A free intercept makes the mean of the probabilities the share of the class. */
static void plan_fit__logistic__mean_probability_is_the_share_of_the_class(void **state)
{
    (void)state;
    fitted it =
        fitted_to(RLS2_GOAL_MODEL, &(wishes){CLASS, .words = {"probability", "true", "lambda",
                                                              "0.1", "kernels", "rbf(1)@each"}});
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    double f[ROWS], p[2 * ROWS], sum = 0.0, share = 0.0;
    rls2_error err;
    assert_ok(rls2_fit_predict(it.fit, rls2_fit_chosen(it.fit), RLS2_PART_TRAINING, f, &err), &err);
    assert_ok(rls2_model_probabilities(model, ROWS, f, p, &err), &err);
    for (int i = 0; i < ROWS; i++) {
        assert_true(p[i] > 0.0 && p[i] < 1.0 && fabs(p[i] + p[ROWS + i] - 1.0) < 1e-12);
        sum += p[ROWS + i] / ROWS;
        share += (rls2_dataset_y(rls2_fit_data(it.fit))[i] > 0.0) / (double)ROWS;
    }
    assert_true(fabs(sum - share) < 1e-3);
    done(&it);
}

/* Shares are of the variance of the predictions, and sum to 1. */
static void plan_fit__other_losses__shares_sum_to_one(void **state)
{
    (void)state;
    fitted it = fitted_to(RLS2_GOAL_MODEL, &(wishes){COUNTS, .words = {"loss", "poisson"}});
    const double *shares;
    const rls2_cv *cv = rls2_fit_cv(it.fit);
    int64_t count = rls2_cv_shares(cv, rls2_cv_min(cv), 0, NULL, &shares);
    double sum = 0.0;
    assert_true(count > 0);
    for (int64_t k = 0; k < count; k++) sum += shares[k];
    assert_true(fabs(sum - 1.0) < 1e-9);
    done(&it);
}

static void model_respond__counts__are_rates(void **state)
{
    (void)state;
    fitted it = fitted_to(RLS2_GOAL_MODEL,
                          &(wishes){COUNTS, .words = {"loss", "poisson", "lambda", "0.1"}});
    double f[ROWS], rates[ROWS];
    rls2_error err;
    assert_ok(rls2_fit_predict(it.fit, rls2_fit_chosen(it.fit), RLS2_PART_TRAINING, f, &err), &err);
    memcpy(rates, f, sizeof f);
    rls2_model_respond(rls2_fit_chosen_model(it.fit), ROWS, rates);
    for (int i = 0; i < ROWS; i++) assert_true(fabs(rates[i] - exp(f[i])) <= 1e-12 * rates[i]);
    double p[2 * ROWS];
    assert_int_equal(rls2_model_probabilities(rls2_fit_chosen_model(it.fit), ROWS, f, p, &err),
                     RLS2_ERR_ARGUMENT);
    done(&it);
}

/* 2 sum of the loss + 2 df, from predictions and the path's df. */
static void fit_criteria__likelihoods__have_aic_and_bic_alone(void **state)
{
    (void)state;
    fitted it = fitted_to(RLS2_GOAL_MODEL,
                          &(wishes){CLASS, .words = {"loss", "logistic", "select", "bic"}});
    int64_t chosen = rls2_fit_chosen(it.fit);
    const rls2_criteria *at = rls2_fit_criteria_at(it.fit, chosen);
    double f[ROWS], deviance = 0.0;
    rls2_error err;
    assert_non_null(at);
    assert_ok(rls2_fit_predict(it.fit, chosen, RLS2_PART_TRAINING, f, &err), &err);
    for (int i = 0; i < ROWS; i++)
        deviance += 2.0 * log1p(exp(-rls2_dataset_y(rls2_fit_data(it.fit))[i] * f[i]));
    assert_true(at->df > 0.0 && isnan(at->gcv) && isnan(at->cp) && isnan(at->loo));
    assert_true(fabs(at->aic - deviance - 2.0 * at->df) < 1e-6 * deviance);
    assert_true(fabs(at->bic - deviance - log((double)ROWS) * at->df) < 1e-6 * deviance);
    done(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_complete__distance_left_open__is_a_share_of_the_spread),
        cmocka_unit_test(plan_complete__loss_that_does_not_fit__is_refused),
        cmocka_unit_test(plan_complete__what_needs_the_square_loss__is_refused),
        cmocka_unit_test(plan_fit__each_loss__has_curve_baselines_and_certificate),
        cmocka_unit_test(plan_fit__logistic__mean_probability_is_the_share_of_the_class),
        cmocka_unit_test(plan_fit__other_losses__shares_sum_to_one),
        cmocka_unit_test(model_respond__counts__are_rates),
        cmocka_unit_test(fit_criteria__likelihoods__have_aic_and_bic_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
