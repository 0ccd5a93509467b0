/* show, predict, plot and verify of compact models: what they say of a model whose f is that of an
 * ordinary one, and what they say that it does not know. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/compact.h"
#include "support/command.h"
#include "support/compact_model.h"

enum { LEARNED = 1234567 };

/* NAME.model, and NAME.compact, which has the same f. */
static void make_pair(const char *name, const char *data, const char *options)
{
    rls2_error err;
    rls2_model *model = NULL;
    rls2_table *table = NULL;
    rls2_dataset *training = NULL;
    char path[64];
    free(rls2_out("train %s %s --lambda 0.1 --seed 1 -o $T/%s.model -q", data, options, name));
    snprintf(path, sizeof path, "%s.model", name);
    assert_ok(rls2_model_load(in_folder(path), &model, &err), &err);
    assert_ok(rls2_table_read(data, NULL, &table, &err), &err);
    assert_ok(rls2_model_encode(model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_READ,
                                &training, &err),
              &err);
    rls2_model *compact = compact_copy(model, LEARNED);
    for (int64_t o = 0; o < rls2_model_outputs(compact); o++) {
        rls2_model *one = compact->outputs ? compact->outputs[o] : compact;
        int64_t size = rls2_model_kernel_count(one);
        assert_int_equal(rls2__model_reserve_trained_shares(one), RLS2_OK);
        assert_ok(
            rls2_model_shares(rls2_model_output(model, o), NULL, one->trained_shares, NULL, &err),
            &err);
        assert_true(size > 0);
        one->represented = (rls2_represented){0.0125, 4.0, 16.0, 1.0, 0.001};
    }
    if (compact->outputs) compact->represented.bound = 0.0125;
    assert_ok(rls2_model_attach(compact, training, &err), &err);
    snprintf(path, sizeof path, "%s.compact", name);
    assert_ok(rls2_model_save(compact, in_folder(path), &err), &err);
    rls2_model_free(compact);
    rls2_model_free(model);
    rls2_dataset_free(training);
    rls2_table_free(table);
}

static int setup(void **state)
{
    folder_make(state);
    make_pair("servo", "data/servo.csv", "-t rise_time");
    make_pair("heart", "data/heart.csv", "-t class");
    make_pair("linear", "data/prostate.csv", "-t lpsa -k linear");
    return 0;
}

static void predict__compact_model__prints_what_the_ordinary_one_does(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"servo", "heart"};
    for (int i = 0; i < 2; i++)
        for (int parts = 0; parts < 2; parts++) {
            const char *more = parts ? "--contributions" : "";
            char *a = rls2_out("predict $T/%s.model data/%s.csv %s", NAMES[i], NAMES[i], more),
                 *b = rls2_out("predict $T/%s.compact data/%s.csv %s", NAMES[i], NAMES[i], more);
            assert_string_equal(a, b);
            free(a);
            free(b);
        }
}

static void show__compact_model__tells_rows_and_what_represents_them(void **state)
{
    (void)state;
    char *text = rls2_out("show $T/servo.compact");
    assert_non_null(strstr(text, "trained on    1234567 rows"));
    assert_non_null(strstr(text, "represented   by 501 knots of 2 inputs (all their values); "));
    assert_non_null(strstr(text, "changes the objective by a share of 1.3e-02 at most"));
    assert_non_null(strstr(text, "fit           rmse 2 on the binned rows, R2 0.7500"));
    free(text);
    json_t *a = rls2_json("show $T/servo.model --json"),
           *b = rls2_json("show $T/servo.compact --json");
    assert_int_equal(json_integer_value(at(b, "n")), LEARNED);
    assert_true(number_at(b, "represented.bound") == 0.0125);
    assert_true(json_equal(at(a, "selected"), at(b, "selected")));
    assert_int_equal(json_array_size(at(a, "inputs")), json_array_size(at(b, "inputs")));
    json_decref(a);
    json_decref(b);
    text = rls2_out("show $T/heart.compact");
    assert_null(strstr(text, "on the binned rows,"));
    free(text);
    char *u = rls2_out("show $T/linear.model | sed -n '/^coefficients/,$p'"),
         *v = rls2_out("show $T/linear.compact | sed -n '/^coefficients/,$p'");
    assert_string_equal(u, v);
    assert_true(strlen(u) > 100);
    free(u);
    free(v);
}

static void plot__compact_model__has_effects_and_importances(void **state)
{
    (void)state;
    free(rls2_out("plot $T/servo.compact --kind features"));
    free(rls2_out("plot $T/servo.compact --kind effects"));
}

static void compact_model__asked_for_what_needs_its_rows__is_refused_with_a_sentence(void **state)
{
    (void)state;
    printed it = rls2_run("predict $T/servo.compact data/servo.csv --std");
    assert_int_equal(it.code, 2);
    assert_non_null(strstr(it.err, "--std is not available with a compact model"));
    printed_free(&it);
    it = rls2_run("verify $T/servo.compact data/servo.csv");
    assert_int_equal(it.code, 1);
    assert_non_null(strstr(it.err, "where the model was trained on 1234567"));
    printed_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict__compact_model__prints_what_the_ordinary_one_does),
        cmocka_unit_test(show__compact_model__tells_rows_and_what_represents_them),
        cmocka_unit_test(plot__compact_model__has_effects_and_importances),
        cmocka_unit_test(compact_model__asked_for_what_needs_its_rows__is_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
