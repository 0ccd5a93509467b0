/* Versions of model files; several outputs, targets, classes, and weights of rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/edited_model.h"

/* ---- versions ---- */

static const char *version_of(const edited *e)
{
    return json_string_value(
        json_object_get(json_object_get(e->header, "__metadata__"), "format_version"));
}

/* Since version 3 a model that knows its table knows what to do with its missing cells. */
static void model_pack__any_model__is_of_the_oldest_version_that_holds_it(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_CASE_COUNT; i++) {
        const model_case *it = &MODEL_CASES[i];
        edited e = edit(it->name);
        size_t outputs = json_array_size(json_object_get(e.description, "outputs"));
        int newer = outputs > 1 || it->weighted;
        const char *square = !it->unattached ? "3" : newer ? "2" : "1";
        assert_string_equal(version_of(&e), it->loss || strstr(it->spec, "learn") ? "5" : square);
        const json_t *data = json_object_get(e.description, "data");
        assert_int_equal(json_is_object(data), !it->unattached);
        assert_int_equal(json_object_get(e.header, "features.fill") != NULL, !it->unattached);
        assert_int_equal(json_object_get(e.header, "weights") != NULL, it->weighted);
        edit_free(&e);
    }
}

/* What came with a later version, in a file that says it is of an earlier one. */
static void model_unpack__version_with_things_of_a_later_one__is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_CASE_COUNT; i++) {
        edited e = edit(MODEL_CASES[i].name);
        for (int said = atoi(version_of(&e)) - 1; said >= 1; said--) {
            json_object_set_new(json_object_get(e.header, "__metadata__"), "format_version",
                                json_sprintf("%d", said));
            assert_edit_refused(&e, MODEL_CASES[i].name, NULL);
            json_t *data = json_object_get(e.description, "data");
            if (json_is_object(data)) {
                json_object_set_new(data, "target", json_string("one of its own"));
                json_object_set_new(data, "drop_missing", json_true());
            }
            assert_edit_refused(&e, MODEL_CASES[i].name, NULL);
        }
        edit_free(&e);
    }
}

/* ---- files of earlier versions ----
 *
 * Written by rls2 0.5; their cases are still those of MODEL_CASES. */

static packed read_old(const char *name)
{
    char path[128];
    packed p = {.bytes = malloc(1 << 16)};
    snprintf(path, sizeof path, "tests/fuzz/corpus/fuzz_model/%s.rls2", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    p.length = (int64_t)fread(p.bytes, 1, 1 << 16, file);
    fclose(file);
    return p;
}

/* It has no fills: new rows are dropped as its training rows were, whatever is asked for; and it is
 * written again as it was. */
static void model_unpack__file_of_an_earlier_version__does_as_it_did(void **state)
{
    (void)state;
    static const struct {
        const char *name, *version;
    } files[] = {{"text", "1"}, {"three-classes", "2"}};
    static const char *const csv[] = {"colour,size,shape\nred,2,round\n,1,flat\n",
                                      "long,wide,soil,often\n1,,dry,1\n3,2,wet,1\n"};
    for (int i = 0; i < 2; i++) {
        packed p = read_old(files[i].name);
        rls2_model *model = NULL;
        rls2_table *table = NULL;
        rls2_dataset *data = NULL;
        rls2_error err;
        assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err), &err);
        assert_ok(rls2_table_parse_csv("t", csv[i], (int64_t)strlen(csv[i]), &table, &err), &err);
        assert_ok(rls2_model_encode(model, table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_IGNORED, &data,
                                    &err),
                  &err);
        assert_int_equal(rls2_dataset_rows(data), 1);
        assert_int_equal(rls2_dataset_imputed(data), 0);
        packed again = pack(model);
        char part[32];
        snprintf(part, sizeof part, "\"format_version\":\"%s\"", files[i].version);
        assert_non_null(memmem(again.bytes, (size_t)again.length, part, strlen(part)));
        assert_non_null(memmem(p.bytes, (size_t)p.length, part, strlen(part)));
        rls2_bytes_free(again.bytes);
        rls2_dataset_free(data);
        rls2_table_free(table);
        rls2_model_free(model);
        free(p.bytes);
    }
}

/* A model that was trained on whole rows imputes new ones, if it is asked to. */
static void model_encode__trained_without_gaps__imputes(void **state)
{
    (void)state;
    edited e = edit("text");
    rls2_model *model = NULL;
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_error err;
    static const char csv[] = "colour,size,shape\nred,2,round\n,,flat\n";
    packed p = edit_pack(&e);
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err), &err);
    assert_ok(rls2_table_parse_csv("t", csv, sizeof csv - 1, &table, &err), &err);
    assert_ok(
        rls2_model_encode(model, table, RLS2_MISSING_IMPUTE, RLS2_RESPONSE_IGNORED, &data, &err),
        &err);
    assert_int_equal(rls2_dataset_rows(data), 2);
    assert_int_equal(rls2_dataset_imputed(data), 2);
    rls2_dataset_free(data);
    assert_ok(rls2_model_encode(model, table, RLS2_MISSING_AS_TRAINED, RLS2_RESPONSE_IGNORED, &data,
                                &err),
              &err);
    assert_int_equal(rls2_dataset_rows(data), 1);
    rls2_dataset_free(data);
    rls2_table_free(table);
    rls2_model_free(model);
    free(p.bytes);
    edit_free(&e);
}

/* ---- outputs, targets, classes and weights that do not fit together ---- */

static json_t *data_of(edited *e)
{
    return json_object_get(e->description, "data");
}

static void set_labels(edited *e, json_t *labels)
{
    json_object_set_new(json_object_get(data_of(e), "classes"), "labels", labels);
}

static void model_unpack__outputs_and_classes_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    edited e = edit("number classes");
    set_labels(&e, json_pack("[s,s]", "0", "1.0"));
    assert_edit_refused(&e, "two classes", "3 outputs where 1 targets and 2 classes make 1");
    set_labels(&e, json_pack("[s,s,s,s]", "0", "1.0", "10", "11"));
    assert_edit_refused(&e, "four classes", "3 outputs where 1 targets and 4 classes make 4");
    set_labels(&e, json_pack("[s,s,s]", "0", "10", "1.0"));
    assert_edit_refused(&e, "not sorted", "stands before");
    set_labels(&e, json_pack("[s,s,s]", "0", "1.0", "1"));
    assert_edit_refused(&e, "equal labels", "two classes");
    set_labels(&e, json_pack("[s,s,s]", "0", "1.0", "ten"));
    assert_edit_refused(&e, "a label in words", "not a number");
    set_labels(&e, json_array());
    assert_edit_refused(&e, "no labels", NULL);
    set_labels(&e, json_pack("[s,s,s]", "0", "1.0", "10"));
    json_object_set_new(data_of(&e), "targets", json_pack("[s,s,s]", "w", "w1", "w2"));
    assert_edit_refused(&e, "classes of several targets", "3 targets with classes");
    json_object_set_new(data_of(&e), "targets", json_array());
    assert_edit_refused(&e, "no target", "0 targets");
    edit_free(&e);
    e = edit("three classes");
    set_labels(&e, json_pack("[s,s,s]", "setosa", "virginica", "setosa"));
    assert_edit_refused(&e, "equal texts", "two classes");
    edit_free(&e);
}

static void model_unpack__targets_and_weight_that_do_not_fit__are_refused(void **state)
{
    (void)state;
    edited e = edit("two targets");
    json_object_set_new(data_of(&e), "targets", json_pack("[s]", "wide"));
    assert_edit_refused(&e, "one target", "2 outputs where 1 targets and 0 classes make 1");
    json_object_set_new(data_of(&e), "targets", json_pack("[s,s,s]", "wide", "long", "third"));
    assert_edit_refused(&e, "three targets", "make 3");
    json_object_set_new(data_of(&e), "targets", json_pack("[s,s]", "wide", "wide"));
    assert_edit_refused(&e, "one target twice", "used twice");
    json_object_set_new(data_of(&e), "targets", json_pack("[s,s]", "wide", "soil"));
    assert_edit_refused(&e, "an input as target", "used twice");
    json_object_set_new(data_of(&e), "targets", json_pack("[s,s]", "wide", "long"));
    json_object_set_new(data_of(&e), "weight", json_string("wide"));
    assert_edit_refused(&e, "a target as weight", "used twice");
    edit_free(&e);
}

static json_t *output_of(edited *e, size_t o)
{
    return json_array_get(json_object_get(e->description, "outputs"), o);
}

static void model_unpack__outputs_that_contradict_each_other__are_refused(void **state)
{
    (void)state;
    edited e = edit("three responses");
    json_object_set_new(output_of(&e, 2), "lambda", json_real(0.25));
    assert_edit_refused(&e, "two lambdas", "lambda is 0.25 for output 2");
    edit_free(&e);
    e = edit("three responses");
    json_array_remove(json_object_get(e.description, "outputs"), 2);
    assert_edit_refused(&e, "arrays of an output not described", "14 arrays where 10 are needed");
    json_array_clear(json_object_get(e.description, "outputs"));
    assert_edit_refused(&e, "no output", "0 outputs");
    edit_free(&e);
    e = edit("three responses");
    json_array_append_new(json_object_get(e.description, "outputs"),
                          json_deep_copy(output_of(&e, 0)));
    assert_edit_refused(&e, "an output without arrays", "the array 'outputs.3.c' is not there");
    edit_free(&e);
    e = edit("three responses");
    json_object_set_new(output_of(&e, 1), "iterations", json_integer(INT64_MAX));
    json_object_set_new(output_of(&e, 2), "iterations", json_integer(INT64_MAX));
    packed p = edit_pack(&e); /* a sum that would overflow */
    rls2_model *model = NULL;
    rls2_error err;
    assert_ok(rls2_model_unpack("m.rls2", p.bytes, p.length, &model, &err), &err);
    assert_true(rls2_model_point(model)->iterations == INT64_MAX);
    rls2_model_free(model);
    free(p.bytes);
    edit_free(&e);
}

/* Two arrays that lie side by side, the border between them moved by an element. */
static void move_border(edited *e, const char *first, const char *second)
{
    json_t *a = json_object_get(e->header, first), *b = json_object_get(e->header, second);
    json_t *at = json_object_get(a, "data_offsets"), *bt = json_object_get(b, "data_offsets");
    json_int_t border = json_integer_value(json_array_get(at, 1)) + 8;
    json_int_t begin = json_integer_value(json_array_get(at, 0)),
               end = json_integer_value(json_array_get(bt, 1));
    assert_int_equal(json_integer_value(json_array_get(bt, 0)), border - 8);
    json_object_set_new(a, "shape", json_pack("[I]", (border - begin) / 8));
    json_object_set_new(b, "shape", json_pack("[I]", (end - border) / 8));
    json_array_set_new(at, 1, json_integer(border));
    json_array_set_new(bt, 0, json_integer(border));
}

static void model_unpack__arrays_of_other_lengths__are_refused(void **state)
{
    (void)state;
    edited e = edit("number classes");
    move_border(&e, "weights", "outputs.0.c");
    assert_edit_refused(&e, "fewer c", NULL);
    edit_free(&e);
    e = edit("three responses");
    move_border(&e, "outputs.0.scales", "outputs.1.c");
    assert_edit_refused(&e, "another number of rows",
                        "output 1 has 9 training rows where output 0 has 10");
    edit_free(&e);
    e = edit("three responses");
    move_border(&e, "outputs.1.scales", "outputs.2.c");
    assert_edit_refused(&e, "another number of scalings", "output 1 has");
    edit_free(&e);
    e = edit("weights");
    move_border(&e, "columns", "weights");
    assert_edit_refused(&e, "fewer weights", NULL);
    edit_free(&e);
}

static void model_unpack__value_of_an_output_or_weight_out_of_range__is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *array;
        double value;
        const char *message;
    } wrong[] = {{"weights", 0.0, "weights: element 0 is 0"},
                 {"weights", -1.0, "not positive and finite"},
                 {"weights", (double)INFINITY, "not positive and finite"},
                 {"weights", (double)NAN, "not positive and finite"},
                 {"outputs.2.c", (double)NAN, "outputs.2.c: element 0"},
                 {"outputs.1.d", 0.5, "sum to"},
                 {"outputs.1.scales", -1.0, "scaling"},
                 {"outputs.2.scales", (double)NAN, "scaling"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        edited e = edit("number classes");
        set_element(&e, wrong[i].array, 0, &wrong[i].value);
        assert_edit_refused(&e, wrong[i].array, wrong[i].message);
        edit_free(&e);
    }
    edited e = edit("number classes");
    const int64_t index = 1000;
    set_element(&e, "outputs.2.kernels", 0, &index);
    assert_edit_refused(&e, "outputs.2.kernels", "number 1000");
    edit_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_pack__any_model__is_of_the_oldest_version_that_holds_it),
        cmocka_unit_test(model_unpack__version_with_things_of_a_later_one__is_refused),
        cmocka_unit_test(model_unpack__file_of_an_earlier_version__does_as_it_did),
        cmocka_unit_test(model_encode__trained_without_gaps__imputes),
        cmocka_unit_test(model_unpack__outputs_and_classes_that_do_not_fit__are_refused),
        cmocka_unit_test(model_unpack__targets_and_weight_that_do_not_fit__are_refused),
        cmocka_unit_test(model_unpack__outputs_that_contradict_each_other__are_refused),
        cmocka_unit_test(model_unpack__arrays_of_other_lengths__are_refused),
        cmocka_unit_test(model_unpack__value_of_an_output_or_weight_out_of_range__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
