/* rls2 verify of models of several outputs and of weighted rows: intact, on other data, and with
 * numbers that were changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/forge.h"

/* Three classes of points in two columns, two more columns that are targets, and weights. */
static const char MAKE_FILES[] =
    "awk 'BEGIN { print \"class,a,b,u,v,w\"; for (i = 0; i < 36; i++) { k = i % 3; a = k + sin(7 * "
    "i); "
    "b = (k == 1) + cos(5 * i); printf \"%s,%.4f,%.4f,%.4f,%.4f,%d\\n\", substr(\"xyz\", k + 1, "
    "1), a, b, "
    "a * a + 0.1 * sin(i), 2 - b + 0.2 * cos(3 * i), 1 + i % 4 } }' >$T/data.csv\n"
    /* one class, one number of the second target, one weight are others */
    "sed '9s/^[xyz]/x/' $T/data.csv >$T/class.csv\n"
    "awk -F, -v OFS=, 'NR == 8 { $5 = $5 + 1 } 1' $T/data.csv >$T/number.csv\n"
    "awk -F, -v OFS=, 'NR == 8 { $6 = $6 + 1 } 1' $T/data.csv >$T/weight.csv\n"
    "awk -F, -v OFS=, 'NR > 1 { $6 = $6 * 2 } 1' $T/data.csv >$T/twice.csv\n"
    "cut -d, -f1-5 $T/data.csv >$T/unweighted.csv\n"
    "cut -d, -f1-4,6 $T/data.csv >$T/narrow.csv\n";

typedef struct kind {
    const char *name;
    const char *train;
    int64_t outputs;
    int weighted;
} kind;

static const kind KINDS[] = {
    {"classes", "-t class --drop u --drop v --drop w -k 'linear; rbf(1)@each' --lambda 0.1", 3, 0},
    {"fisher",
     "-t class --drop u --drop v --weights w --standardize -k linear --scaling fisher --lambda 0.1",
     3, 1},
    {"balanced",
     "-t class --drop u --drop v --weights w --class-weights balanced -k 'rbf(1)@each' --lambda "
     "0.1",
     3, 1},
    {"by class",
     "-t class --drop u --drop v --drop w --class-weights x=2,y=3 -k 'rbf(1)@each' --lambda 0.1", 3,
     1},
    {"targets",
     "-t u -t v --drop class --drop w --standardize -k 'linear; rbf(1)@each' --lambda 0.1", 2, 0},
    {"weighted targets",
     "-t u -t v --drop class --weights w --features unit -k 'linear; rbf(1)@each' --lambda 0.01", 2,
     1},
    {"weighted",
     "-t u --drop class --drop v --weights w --standardize -k 'rbf(1)@each' --lambda 0.1", 1, 1},
    {"transductive",
     "-t class --drop u --drop v --drop w --test $T/data.csv --transductive --no-standardize "
     "-k 'rbf(1)@each' --lambda 0.1",
     3, 0},
};
enum {
    CLASSES,
    FISHER,
    BALANCED,
    BY_CLASS,
    TARGETS,
    WEIGHTED_TARGETS,
    WEIGHTED,
    TRANSDUCTIVE,
    KIND_COUNT
};

static int set_up(void **state)
{
    if (folder_make(state) != 0) return 1;
    printed made = shell("set -e\n%s", MAKE_FILES);
    if (made.code != 0) print_error("%s\n", made.err);
    int code = made.code;
    printed_free(&made);
    for (int k = 0; k < KIND_COUNT && code == 0; k++)
        free(rls2_out("train $T/data.csv %s -q -o $T/%d.model", KINDS[k].train, k));
    return code;
}

/* ---- intact ---- */

static void verify__several_outputs__hold_on_their_training_file(void **state)
{
    (void)state;
    for (int k = 0; k < KIND_COUNT; k++) {
        const kind *it = &KINDS[k];
        json_t *root = rls2_json("verify $T/%d.model $T/data.csv -q --json", k);
        char keys[256];
        snprintf(keys, sizeof keys,
                 "holds verdict same_rows%s scale_error features_measured_here objective "
                 "lower_bound gap "
                 "claimed_objective claimed_gap loss intercept_rule lambda m%s",
                 it->weighted ? " same_weights" : "", it->outputs > 1 ? " outputs" : "");
        assert_keys(root, keys);
        assert_true(json_is_true(at(root, "holds")));
        assert_string_equal(text_at(root, "verdict"), "the certificate holds");
        assert_true(json_is_true(at(root, "features_measured_here")));
        double objective = 0.0, gap = 0.0;
        for (int64_t o = 0; it->outputs > 1 && o < it->outputs; o++) {
            const json_t *one = json_array_get(at(root, "outputs"), (size_t)o);
            assert_keys(
                one, "name holds verdict scale_error objective lower_bound gap claimed_objective "
                     "claimed_gap");
            assert_true(json_is_true(at(one, "holds")));
            assert_int_equal(json_is_null(at(one, "scale_error")), k == TRANSDUCTIVE);
            objective += number_at(one, "objective");
            gap = fmax(gap, number_at(one, "gap"));
        }
        if (it->outputs > 1) {
            assert_int_equal(json_array_size(at(root, "outputs")), it->outputs);
            assert_true(fabs(objective - number_at(root, "objective")) <= 1e-12 * objective);
            assert_true(gap == number_at(root, "gap"));
        }
        json_decref(root);
    }
}

static void assert_printed(int model, const char *text)
{
    char *out = rls2_out("verify $T/%d.model $T/data.csv -q", model);
    if (!strstr(out, text)) fail_msg("not '%s' in: %s", text, out);
    assert_null(strstr(out, " \n"));
    free(out);
}

static void verify__text__has_a_line_for_each_output(void **state)
{
    (void)state;
    assert_printed(
        CLASSES,
        "\noutput  objective           lower bound           relative gap  the model says\nx  ");
    assert_printed(CLASSES, "\nz       ");
    assert_printed(TARGETS, "\nv       ");
    assert_printed(TARGETS, "\nfeatures              measured over these rows\n");
    assert_printed(WEIGHTED, "\nrow weights           agree with the file\n");
    assert_printed(WEIGHTED, "\nobjective             ");
    assert_printed(TRANSDUCTIVE, "taken from the model");
}

/* ---- other data ---- */

static void assert_fails(const char *model, const char *data, const char *verdict)
{
    printed it = rls2_run("verify $T/%s $T/%s -q", model, data);
    assert_int_equal(it.code, 1);
    if (!strstr(it.out, verdict) && !strstr(it.err, verdict))
        fail_msg("%s on %s, not '%s' but: %s%s", model, data, verdict, it.out, it.err);
    printed_free(&it);
    it = rls2_run("verify $T/%s $T/%s -q --json", model, data);
    assert_int_equal(it.code, 1);
    assert_null(strstr(it.out, "\n  \"holds\": true"));
    printed_free(&it);
}

static void verify__other_targets__do_not_hold(void **state)
{
    (void)state;
    static const char OTHERS[] = "these are not the rows the model was trained on";
    assert_fails("0.model", "class.csv", OTHERS);
    assert_fails("1.model", "class.csv", OTHERS);
    assert_fails("3.model", "class.csv", OTHERS);
    assert_fails("4.model", "number.csv", OTHERS);
    assert_fails("5.model", "number.csv", OTHERS);
    assert_fails("4.model", "narrow.csv", "no column 'v', without which nothing can be verified");
    free(rls2_out("verify $T/6.model $T/number.csv -q")); /* v is none of its targets */
}

static void verify__other_weights__do_not_hold(void **state)
{
    (void)state;
    static const char OTHERS[] = "does NOT hold: the weights are not those of the file";
    static const int WITH_COLUMN[] = {FISHER, BALANCED, WEIGHTED_TARGETS, WEIGHTED};
    for (int i = 0; i < 4; i++) {
        char model[32];
        snprintf(model, sizeof model, "%d.model", WITH_COLUMN[i]);
        assert_fails(model, "weight.csv", OTHERS);
        assert_fails(model, "unweighted.csv",
                     "no column 'w', without which nothing can be verified");
    }
    /* of regression the weights are those of the file; of classes they may be so many times as
     * large */
    assert_fails("6.model", "twice.csv", OTHERS);
    assert_fails("1.model", "twice.csv", "does NOT hold");
    free(rls2_out("verify $T/0.model $T/weight.csv -q"));
    free(rls2_out("verify $T/3.model $T/weight.csv -q"));
}

/* ---- changed models ---- */

/* Adds to the number of an array, and takes as much from the next where `balance`. */
static void change(int model, const char *array, double by, int balance)
{
    char name[32];
    snprintf(name, sizeof name, "%d.model", model);
    forgery file = forge_start(name);
    double *numbers = forge_numbers(&file, array);
    numbers[0] += by;
    if (balance) numbers[1] -= by;
    forge_finish(&file, "forged");
}

static void verify__nothing_changed__holds(void **state)
{
    (void)state;
    change(CLASSES, "outputs.0.d", 0.0, 1);
    free(rls2_out("verify $T/forged $T/data.csv -q"));
}

static void assert_first_failing(int which)
{
    printed it = rls2_run("verify $T/forged $T/data.csv -q --gap-tol 1 --json");
    assert_int_equal(it.code, 1);
    json_t *root = json_loads(it.out, 0, NULL);
    assert_non_null(root);
    assert_false(json_is_true(at(root, "holds")));
    for (int o = 0; o < (int)json_array_size(at(root, "outputs")); o++)
        assert_int_equal(json_is_true(at(json_array_get(at(root, "outputs"), (size_t)o), "holds")),
                         o != which);
    json_decref(root);
    printed_free(&it);
}

static void verify__other_d_of_one_output__names_that_output(void **state)
{
    (void)state;
    change(CLASSES, "outputs.1.d", -0.01, 1);
    assert_fails("forged", "data.csv", "does NOT hold: of 'y' the objective differs");
    assert_first_failing(1);
    change(TARGETS, "outputs.0.d", -0.01, 1);
    assert_fails("forged", "data.csv", "does NOT hold: of 'u' ");
    assert_first_failing(0);
}

static void verify__other_c_or_scaling_of_one_output__names_that_output(void **state)
{
    (void)state;
    change(CLASSES, "outputs.2.c", 0.1, 0);
    assert_fails("forged", "data.csv", "does NOT hold: of 'z' ");
    assert_first_failing(2);
    change(FISHER, "outputs.2.scales", 0.5, 0);
    assert_fails("forged", "data.csv",
                 "does NOT hold: of 'z' the scalings are not those of the rule");
    assert_first_failing(2);
}

static void verify__other_weight_in_the_model__does_not_hold(void **state)
{
    (void)state;
    static const int MODELS[] = {FISHER, BALANCED, BY_CLASS, WEIGHTED_TARGETS, WEIGHTED};
    for (int i = 0; i < 5; i++) {
        change(MODELS[i], "weights", 0.25, 0);
        assert_fails("forged", "data.csv", "does NOT hold: the weights are not those of the file");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify__several_outputs__hold_on_their_training_file),
        cmocka_unit_test(verify__text__has_a_line_for_each_output),
        cmocka_unit_test(verify__other_targets__do_not_hold),
        cmocka_unit_test(verify__other_weights__do_not_hold),
        cmocka_unit_test(verify__nothing_changed__holds),
        cmocka_unit_test(verify__other_d_of_one_output__names_that_output),
        cmocka_unit_test(verify__other_c_or_scaling_of_one_output__names_that_output),
        cmocka_unit_test(verify__other_weight_in_the_model__does_not_hold),
    };
    return cmocka_run_group_tests_name("cli.verify_outputs", tests, set_up, folder_remove);
}
