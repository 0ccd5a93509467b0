/* What a model remembers of the rows that were left out when its lambda was chosen, and how its
 * file keeps that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rls2/plan.h"
#include "support/edited_model.h"

typedef struct chosen {
    rls2_table *table;
    rls2_plan *plan;
    rls2_fit *fit;
} chosen;

static chosen choose(const char *file, const char *const *settings)
{
    rls2_error err;
    chosen it = {0};
    assert_ok(rls2_table_read(file, NULL, &it.table, &err), &err);
    assert_ok(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_PLAIN, &it.plan, &err), &err);
    for (; *settings; settings += 2)
        assert_ok(rls2_plan_set(it.plan, settings[0], settings[1], &err), &err);
    assert_ok(rls2_plan_complete(it.plan, it.table, &err), &err);
    assert_ok(rls2_plan_fit(it.plan, NULL, &it.fit, &err), &err);
    return it;
}

static void chosen_free(chosen *it)
{
    rls2_fit_free(it->fit);
    rls2_plan_free(it->plan);
    rls2_table_free(it->table);
}

/* To the bit what the curve says at the lambda of the model. */
static void assert_as_on_curve(const rls2_model *model, const rls2_cv *cv, int64_t i)
{
    const rls2_left_out *about = rls2_model_left_out(model);
    assert_non_null(about);
    assert_string_equal(about->measure, rls2_measure_name(rls2_cv_measure(cv)));
    assert_memory_equal(&about->score, &rls2_cv_at(cv, i)->cvm, sizeof about->score);
    assert_memory_equal(&about->error, &rls2_cv_at(cv, i)->cvsd, sizeof about->error);
    assert_int_equal(about->splits, rls2_cv_splits(cv));
    for (int64_t o = 0; o < rls2_model_outputs(model); o++) {
        const int64_t *kernels[2];
        const double *shares[2];
        const rls2_model *output = rls2_model_output(model, o);
        int64_t count = rls2_cv_shares(cv, i, o, &kernels[0], &shares[0]);
        assert_true(count > 0);
        assert_int_equal(rls2_model_left_out_shares(output, &kernels[1], &shares[1]), count);
        assert_memory_equal(kernels[0], kernels[1], (size_t)count * sizeof(int64_t));
        assert_memory_equal(shares[0], shares[1], (size_t)count * sizeof(double));
        assert_ptr_equal(rls2_model_left_out(output), about);
    }
}

static void assert_kept(const char *file, const char *const *settings)
{
    rls2_error err;
    rls2_model *again = NULL;
    chosen it = choose(file, settings);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    assert_as_on_curve(model, rls2_fit_cv(it.fit), rls2_fit_chosen(it.fit));
    packed p = pack(model);
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &again, &err), &err);
    assert_as_on_curve(again, rls2_fit_cv(it.fit), rls2_fit_chosen(it.fit));
    rls2_bytes_free(p.bytes);
    rls2_model_free(again);
    chosen_free(&it);
}

static void model_left_out__chosen_by_cross_validation__is_kept_and_saved(void **state)
{
    (void)state;
    assert_kept("data/prostate.csv",
                (const char *const[]){"target", "lpsa", "kernels", "linear; rbf(0.1)@each", "drop",
                                      "train", "folds", "4", "lambda-count", "6", NULL});
    assert_kept("data/auto-mpg.csv",
                (const char *const[]){"target", "origin", "task", "classification", "drop",
                                      "car_name", "kernels", "linear", "folds", "3", "lambda-count",
                                      "4", NULL});
}

static void model_left_out__lambda_was_given__is_not_known(void **state)
{
    (void)state;
    const char *const settings[] = {"target", "lpsa",   "kernels", "linear", "drop",
                                    "train",  "lambda", "0.1",     NULL};
    chosen it = choose("data/prostate.csv", settings);
    const rls2_model *model = rls2_fit_chosen_model(it.fit);
    const int64_t *kernels;
    assert_null(rls2_model_left_out(model));
    assert_int_equal(rls2_model_left_out_shares(model, &kernels, NULL), 0);
    assert_null(rls2_model_left_out(NULL));
    assert_int_equal(rls2_model_left_out_shares(NULL, NULL, NULL), 0);
    chosen_free(&it);
}

/* ---- files ---- */

static json_t *output_of(edited *e)
{
    return json_array_get(json_object_get(e->description, "outputs"), 0);
}

static void model_unpack__left_out_rows_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    static const char *const shares[] = {
        "{\"kernels\": [0, 1], \"shares\": [0.5]}",      "{\"kernels\": [0.5], \"shares\": [0.5]}",
        "{\"kernels\": [1, 0], \"shares\": [0.5, 0.5]}", "{\"kernels\": [-1], \"shares\": [0.5]}",
        "{\"kernels\": [100000], \"shares\": [0.5]}",    "{\"kernels\": [0], \"shares\": [null]}"};
    edited e = edit("text");
    for (int i = 0; i < (int)(sizeof shares / sizeof shares[0]); i++) {
        json_object_set_new(output_of(&e), "left_out", json_loads(shares[i], 0, NULL));
        assert_edit_refused(&e, shares[i], "do not fit the dictionary");
    }
    json_object_set_new(output_of(&e), "left_out", json_pack("{s:[]}", "kernels"));
    assert_edit_refused(&e, "no shares", "'shares' is not there");
    json_object_del(output_of(&e), "left_out");
    json_object_set_new(
        e.description, "left_out",
        json_pack("{s:s, s:f, s:n, s:i}", "measure", "rmse", "score", 1.0, "error", "splits", 0));
    assert_edit_refused(&e, "no splits", "on 0 splits");
    json_object_set_new(e.description, "left_out",
                        json_pack("{s:s, s:f, s:n, s:i}", "measure", "a measure of many letters",
                                  "score", 1.0, "error", "splits", 3));
    assert_edit_refused(&e, "a long word", "many letters");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_left_out__chosen_by_cross_validation__is_kept_and_saved),
        cmocka_unit_test(model_left_out__lambda_was_given__is_not_known),
        cmocka_unit_test(model_unpack__left_out_rows_that_do_not_fit__are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
