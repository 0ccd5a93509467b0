/* Intervals: lists of quantiles, the quantile of scores by its definition, what a plan refuses,
 * what a model says, and how its file keeps that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/interval.h"
#include "rls2/plan.h"
#include "support/edited_model.h"
#include "support/problem.h"
#include "support/unit_support.h"

/* ---- lists of quantiles ---- */

static void losses_parse__levels_that_ascend__are_read(void **state)
{
    (void)state;
    rls2_loss losses[RLS2_LOSS_LEVELS];
    int64_t count = 0;
    rls2_error err;
    assert_ok(rls2_losses_parse("quantile(0.05, 0.5,0.95)", losses, &count, &err), &err);
    assert_int_equal(count, 3);
    const double levels[] = {0.05, 0.5, 0.95};
    for (int o = 0; o < 3; o++) {
        assert_int_equal(losses[o].kind, RLS2_LOSS_QUANTILE);
        assert_memory_equal(&losses[o].parameter, &levels[o], sizeof levels[o]);
    }
    assert_ok(rls2_losses_parse("huber(2)", losses, &count, &err), &err);
    assert_int_equal(count, 1);
    assert_int_equal(losses[0].kind, RLS2_LOSS_HUBER);
}

static void losses_parse__other_lists__are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"quantile(0.5,0.1)", "do not ascend: 0.1"},
                                           {"quantile(0.5,0.5)", "do not ascend"},
                                           {"quantile(0.1,1.5)", "not 1.5"},
                                           {"quantile(0.1,,0.9)", "needs a number"},
                                           {"quantile(0.1,0.9", "needs a number"},
                                           {"quantile(0.1,x)", "needs a number"},
                                           {"quantile(0.1)0.9,)", "stands behind"},
                                           {"huber(1,2)", "needs a distance"},
                                           {"", "no loss"}};
    rls2_loss losses[RLS2_LOSS_LEVELS] = {{RLS2_LOSS_SQUARE, 7.0}};
    int64_t count = -3;
    rls2_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_not_equal(rls2_losses_parse(wrong[i][0], losses, &count, &err), RLS2_OK);
        assert_contains(err.message, wrong[i][1]);
    }
    assert_int_equal(count, -3);
    assert_int_not_equal(rls2_losses_parse(NULL, losses, &count, &err), RLS2_OK);
    assert_int_not_equal(rls2_losses_parse("square", NULL, &count, &err), RLS2_OK);
    assert_int_not_equal(rls2_losses_parse("square", losses, NULL, &err), RLS2_OK);
}

static void losses_parse__a_hundred_levels__are_too_many(void **state)
{
    (void)state;
    rls2_loss losses[RLS2_LOSS_LEVELS];
    int64_t count = 0;
    char text[1024] = "quantile(";
    size_t used = strlen(text);
    for (int i = 1; i <= 100; i++)
        used += (size_t)sprintf(text + used, "%s%.4f", i > 1 ? "," : "", i / 101.0);
    strcpy(text + used, ")");
    rls2_error err;
    assert_int_equal(rls2_losses_parse(text, losses, &count, &err), RLS2_ERR_VALUE);
    assert_contains(err.message, "more than 99");
    *strrchr(text, ',') = ')';
    text[strlen(text) - 7] = '\0';
    assert_ok(rls2_losses_parse(text, losses, &count, &err), &err);
    assert_int_equal(count, 99);
}

/* ---- the quantile, by its definition ---- */

static double weight_up_to(int64_t n, const rls2__scored_row *rows, double q)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++)
        if (rows[i].score <= q) sum += rows[i].weight;
    return sum;
}

/* The least of the scores that enough of the weight does not exceed; Infinity: none. */
static double plain_quantile(double level, int64_t n, const rls2__scored_row *rows)
{
    double total = weight_up_to(n, rows, HUGE_VAL), best = HUGE_VAL;
    double needed = level * total * (double)(n + 1) / (double)n - 1e-9 * total;
    for (int64_t i = 0; i < n; i++)
        if (weight_up_to(n, rows, rows[i].score) >= needed) best = fmin(best, rows[i].score);
    return best;
}

static void interval_quantile__weights_and_ties__is_that_of_the_definition(void **state)
{
    (void)state;
    rls2__random random;
    rls2__scored_row rows[40] = {0};
    int refused = 0;
    rls2__random_seed(&random, 5);
    for (int problem = 0; problem < 3000; problem++) {
        int64_t n = 1 + problem % 40;
        double level = 0.02 + 0.96 * rls2__random_uniform(&random), q = -1.0;
        for (int64_t i = 0; i < n; i++) {
            double score = rls2__random_uniform(&random);
            rows[i].score = problem % 2 ? floor(8.0 * score) - 4.0 : score;
            rows[i].weight = problem % 3 ? 1.0 : 0.5 + floor(4.0 * rls2__random_uniform(&random));
        }
        double plain = plain_quantile(level, n, rows);
        int found = rls2__interval_quantile(level, n, rows, &q);
        assert_int_equal(found, isfinite(plain));
        if (found) assert_memory_equal(&q, &plain, sizeof q);
        refused += !found;
    }
    assert_true(refused > 100);
}

static void interval_quantile__rows_without_weights__is_an_order_statistic(void **state)
{
    (void)state;
    static const struct {
        double level;
        int64_t n, place; /* 0: too few rows */
    } cases[] = {{0.9, 8, 0},    {0.9, 9, 9}, {0.9, 19, 18},
                 {0.95, 19, 19}, {0.5, 1, 1}, {0.8, 99, 80}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rls2__scored_row rows[100];
        double q = 0.0;
        for (int64_t i = 0; i < cases[c].n; i++)
            rows[i] = (rls2__scored_row){.score = (double)(cases[c].n - i), .weight = 1.0};
        assert_int_equal(rls2__interval_quantile(cases[c].level, cases[c].n, rows, &q),
                         cases[c].place > 0);
        if (cases[c].place > 0) assert_int_equal((int64_t)q, cases[c].place);
        assert_int_equal(cases[c].n >= rls2__interval_least_rows(cases[c].level),
                         cases[c].place > 0);
    }
}

/* ---- plans ---- */

typedef struct chosen {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} chosen;

static chosen asked(const char *file, const char *const *settings)
{
    rls2_error err;
    chosen it = {0};
    assert_ok(rls2_table_read(file, NULL, &it.table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &it.plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(it.plan, settings[0], settings[1], &err), &err);
    return it;
}

static chosen fitted(const char *file, const char *const *settings, int threads)
{
    rls2_error err;
    rls2_control control;
    chosen it = asked(file, settings);
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, &control, &it.fit, &err), &err);
    return it;
}

static void chosen_free(chosen *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

static void plan_complete__intervals_that_cannot_be__are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *settings[12];
        const char *fault, *message;
    } cases[] = {
        {"data/heart.csv", {"target", "class", "interval", "0.9"}, "interval", "is for numbers"},
        {"data/prostate.csv",
         {"target", "lpsa", "interval", "0.9999"},
         "interval",
         "needs 9999 left-out rows, and there are 97"},
        {"data/prostate.csv",
         {"target", "lpsa", "interval", "0.9", "method", "tall", "lambda", "1"},
         "interval",
         "leave lambda to cross-validation"},
        {"data/prostate.csv",
         {"target", "lpsa", "target", "age", "loss", "quantile(0.1,0.9)"},
         "loss",
         "several quantiles are those of one target"},
        {"data/prostate.csv",
         {"target", "lpsa", "outputs", "shared", "loss", "quantile(0.1,0.9)"},
         "outputs",
         "several quantiles"},
        {"data/heart.csv", {"target", "class", "loss", "quantile(0.1,0.9)"}, "loss", "is for"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        rls2_error err = {0};
        chosen it = asked(cases[c].file, cases[c].settings);
        assert_int_not_equal(rls2_plan_complete(it.plan, it.table, &err), RLS2_OK);
        assert_contains(err.message, cases[c].message);
        assert_string_equal(rls2_plan_fault(it.plan), cases[c].fault);
        chosen_free(&it);
    }
}

/* The correction once more from the left-out predictions of the curve. */
static void fit__a_curve_is_there__intervals_are_calibrated_on_it(void **state)
{
    (void)state;
    const char *const settings[] = {"target", "lpsa", "drop",     "train", "kernels", "linear",
                                    "folds",  "5",    "interval", "0.8",   NULL};
    chosen it = fitted("data/prostate.csv", settings, 1);
    const rls2_interval *found = rls2_model_interval(rls2_fit_chosen_model(it.fit));
    const double *f = rls2_cv_predictions(rls2_fit_cv(it.fit), rls2_fit_chosen(it.fit)),
                 *y = rls2_dataset_y(rls2_fit_data(it.fit));
    int64_t within = 0;
    assert_non_null(found);
    for (int64_t i = 0; i < 97; i++) within += fabs(y[i] - f[i]) <= found->correction;
    assert_int_equal(found->rows, 97);
    assert_int_equal(found->within, within);
    assert_int_equal(within, 79); /* the least that is 0.8 of 98 */
    chosen_free(&it);
}

/* ---- predictions ---- */

enum { NEW = 3 };

static void predict_interval__one_output__is_as_wide_everywhere(void **state)
{
    (void)state;
    const char *const settings[] = {"target",   "lpsa",   "drop", "train", "kernels",
                                    "linear",   "lambda", "0.1",  "folds", "5",
                                    "interval", "0.9",    NULL};
    rls2_error err;
    chosen it = fitted("data/prostate.csv", settings, 1);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    double f[NEW] = {1.0, -2.0, 0.0}, lower[NEW], upper[NEW];
    assert_null(rls2_fit_cv(it.fit));
    assert_int_equal(rls2_model_interval_count(model), 1);
    assert_ok(rls2_model_predict_interval(model, NEW, f, lower, upper, &err), &err);
    double q = rls2_model_interval(model)->correction;
    for (int i = 0; i < NEW; i++) {
        assert_true(lower[i] == f[i] - q);
        assert_true(upper[i] == f[i] + q);
    }
    assert_int_not_equal(rls2_model_predict_interval(model, NEW, f, NULL, upper, &err), RLS2_OK);
    assert_int_not_equal(rls2_model_predict_interval(NULL, NEW, f, lower, upper, &err), RLS2_OK);
    assert_int_not_equal(rls2_model_predict_interval(model, -1, f, lower, upper, &err), RLS2_OK);
    chosen_free(&it);
}

static void predict_interval__not_calibrated__is_refused(void **state)
{
    (void)state;
    const char *const settings[] = {"target", "lpsa", "kernels", "linear", "lambda", "1", NULL};
    rls2_error err;
    double f = 0.0, lower, upper;
    chosen it = fitted("data/prostate.csv", settings, 1);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    assert_null(rls2_model_interval(model));
    assert_int_equal(rls2_model_interval_count(model), 0);
    assert_int_equal(rls2_model_predict_interval(model, 1, &f, &lower, &upper, &err),
                     RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "was not calibrated");
    chosen_free(&it);
}

/* ---- several quantiles, files and threads ---- */

static const char *const QUANTILES[] = {"target",   "lpsa",
                                        "drop",     "train",
                                        "kernels",  "linear; rbf(0.1)@each",
                                        "loss",     "quantile(0.05,0.5,0.95)",
                                        "lambda",   "0.1",
                                        "folds",    "4",
                                        "interval", "0.8",
                                        NULL};

static void assert_ordered(const rls2_model *model, const rls2_dataset *data)
{
    int64_t n = rls2_dataset_rows(data);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
    double *f = numbers(n * 3), *lower = numbers(n), *upper = numbers(n);
    rls2_error err;
    assert_ok(rls2_model_predict(model, &rows, NULL, f, &err), &err);
    assert_ok(rls2_model_predict_interval(model, n, f, lower, upper, &err), &err);
    rls2_model_respond(model, n, f);
    double q = rls2_model_interval(model)->correction;
    for (int64_t i = 0; i < n; i++) {
        assert_true(f[i] <= f[n + i] && f[n + i] <= f[2 * n + i]);
        assert_true(lower[i] <= upper[i]);
        if (f[i] - q <= f[2 * n + i] + q)
            assert_true(lower[i] == f[i] - q && upper[i] == f[2 * n + i] + q);
    }
    free(f);
    free(lower);
    free(upper);
}

static void quantiles__several_of_one_target__are_named_and_ordered(void **state)
{
    (void)state;
    static const char *const names[] = {"q0.05", "q0.5", "q0.95"};
    chosen it = fitted("data/prostate.csv", QUANTILES, 1);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    const rls2_dataset *data = rls2_fit_data(it.fit);
    assert_int_equal(rls2_model_outputs(model), 3);
    assert_string_equal(rls2_model_target(model), "lpsa");
    for (int64_t o = 0; o < 3; o++) {
        assert_string_equal(rls2_model_output_name(model, o), names[o]);
        assert_string_equal(rls2_dataset_output_name(data, o), names[o]);
        assert_string_equal(rls2_model_target(rls2_model_output(model, o)), "lpsa");
        assert_ptr_equal(rls2_model_interval(rls2_model_output(model, o)),
                         rls2_model_interval(model));
    }
    assert_int_equal(rls2_model_interval_count(model), 1);
    assert_ordered(model, data);
    chosen_free(&it);
}

static void model_pack__intervals__are_kept_to_the_bit_on_any_threads(void **state)
{
    (void)state;
    rls2_error err;
    rls2_model *again = NULL;
    chosen one = fitted("data/prostate.csv", QUANTILES, 1);
    chosen four = fitted("data/prostate.csv", QUANTILES, 4);
    packed p = pack(rls2_fit_chosen_model(one.fit)), q = pack(rls2_fit_chosen_model(four.fit));
    assert_int_equal(p.length, q.length);
    assert_memory_equal(p.bytes, q.bytes, (size_t)p.length);
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &again, &err), &err);
    packed r = pack(again);
    assert_int_equal(p.length, r.length);
    assert_memory_equal(p.bytes, r.bytes, (size_t)p.length);
    assert_string_equal(rls2_model_output_name(again, 2), "q0.95");
    assert_ordered(again, rls2_fit_data(one.fit));
    rls2_bytes_free(p.bytes);
    rls2_bytes_free(q.bytes);
    rls2_bytes_free(r.bytes);
    rls2_model_free(again);
    chosen_free(&one);
    chosen_free(&four);
}

static void model_unpack__intervals_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{\"level\": 1.0, \"correction\": 1.0, \"rows\": 9, \"within\": 9}",
        "{\"level\": 0.0, \"correction\": 1.0, \"rows\": 9, \"within\": 9}",
        "{\"level\": 0.9, \"correction\": -1.0, \"rows\": 9, \"within\": 9}",
        "{\"level\": 0.9, \"correction\": 1.0, \"rows\": 0, \"within\": 0}",
        "{\"level\": 0.9, \"correction\": 1.0, \"rows\": 9, \"within\": 10}",
        "{\"level\": 0.9, \"correction\": 1.0, \"rows\": -9, \"within\": -9}",
        "{\"level\": 0.9, \"correction\": null, \"rows\": 9, \"within\": 9}",
        "{\"level\": 0.9, \"correction\": 1.0}"};
    edited e = edit("text");
    json_t *output = json_array_get(json_object_get(e.description, "outputs"), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        json_object_set_new(output, "interval", json_loads(wrong[i], 0, NULL));
        assert_edit_refused(&e, wrong[i], NULL);
    }
    json_object_del(output, "interval");
    json_object_set_new(
        e.description, "interval",
        json_pack("{s:f, s:f, s:i, s:i}", "level", 0.9, "correction", 1.0, "rows", 9, "within", 9));
    assert_edit_refused(&e, "of the whole, which has one output", "do not fit the outputs");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_parse__levels_that_ascend__are_read),
        cmocka_unit_test(losses_parse__other_lists__are_refused),
        cmocka_unit_test(losses_parse__a_hundred_levels__are_too_many),
        cmocka_unit_test(interval_quantile__weights_and_ties__is_that_of_the_definition),
        cmocka_unit_test(interval_quantile__rows_without_weights__is_an_order_statistic),
        cmocka_unit_test(plan_complete__intervals_that_cannot_be__are_refused),
        cmocka_unit_test(fit__a_curve_is_there__intervals_are_calibrated_on_it),
        cmocka_unit_test(predict_interval__one_output__is_as_wide_everywhere),
        cmocka_unit_test(predict_interval__not_calibrated__is_refused),
        cmocka_unit_test(quantiles__several_of_one_target__are_named_and_ordered),
        cmocka_unit_test(model_pack__intervals__are_kept_to_the_bit_on_any_threads),
        cmocka_unit_test(model_unpack__intervals_that_do_not_fit__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
