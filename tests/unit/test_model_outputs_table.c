/* Models of several outputs and the tables they were made from: names, classes, new rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/saved_model.h"

static void assert_message(const rls2_error *err, const char *part)
{
    if (!strstr(err->message, part)) fail_msg("'%s' is not in '%s'", part, err->message);
}

/* ---- names ---- */

static void model_output_name__of_classes__is_the_label(void **state)
{
    (void)state;
    static const char *const labels[] = {"setosa", "versicolor", "virginica"};
    made_model made = make_model(find_model_case("three classes"));
    assert_int_equal(rls2_model_outputs(made.model), 3);
    assert_int_equal(rls2_model_class_count(made.model), 3);
    assert_string_equal(rls2_model_target(made.model), "kind");
    for (int64_t o = 0; o < 3; o++) {
        const rls2_model *output = rls2_model_output(made.model, o);
        assert_string_equal(rls2_model_output_name(made.model, o), labels[o]);
        assert_string_equal(rls2_model_class_label(made.model, o), labels[o]);
        assert_string_equal(rls2_model_output_name(output, 0), labels[o]);
        assert_null(rls2_model_output_name(output, 1));
        assert_string_equal(rls2_model_target(output), "kind");
        assert_int_equal(rls2_model_class_count(output), 3);
        assert_true(rls2_model_is_classification(output));
        assert_true(rls2_model_fingerprint(output) == rls2_model_fingerprint(made.model));
        assert_int_equal(rls2_model_input_count(output), 3 + 1); /* long, wide, soil, often */
        assert_string_equal(rls2_model_input_name(output, 2), "soil");
        assert_int_equal(rls2_model_feature_rule(output), RLS2_NORMALIZE_STANDARDIZE);
    }
    assert_null(rls2_model_output_name(made.model, -1));
    assert_null(rls2_model_output_name(made.model, 3));
    assert_null(rls2_model_class_label(made.model, 3));
    free_model(&made);
}

static void model_output_name__of_targets__is_the_column(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("two targets"));
    assert_int_equal(rls2_model_outputs(made.model), 2);
    assert_int_equal(rls2_model_class_count(made.model), 0);
    assert_false(rls2_model_is_classification(made.model));
    assert_null(rls2_model_target(made.model)); /* there are two */
    assert_string_equal(rls2_model_output_name(made.model, 0), "wide");
    assert_string_equal(rls2_model_output_name(made.model, 1), "long");
    assert_string_equal(rls2_model_target(rls2_model_output(made.model, 1)), "long");
    assert_string_equal(rls2_model_output_name(rls2_model_output(made.model, 1), 0), "long");
    free_model(&made);
}

static void model_output_name__of_one_output__is_the_column(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("text")); /* two classes are one output */
    assert_int_equal(rls2_model_outputs(made.model), 1);
    assert_int_equal(rls2_model_class_count(made.model), 2);
    assert_string_equal(rls2_model_output_name(made.model, 0), "kind");
    assert_null(rls2_model_output_name(made.model, 1));
    free_model(&made);
}

static void model_row_weights__of_head_and_outputs__are_those_of_the_data(void **state)
{
    (void)state;
    made_model made = make_model(find_model_case("number classes"));
    const double *w = rls2_model_row_weights(made.model);
    assert_memory_equal(w, rls2_dataset_row_weights(made.data),
                        (size_t)rls2_model_rows(made.model) * sizeof *w);
    for (int64_t o = 0; o < 3; o++)
        assert_ptr_equal(rls2_model_row_weights(rls2_model_output(made.model, o)), w);
    free_model(&made);
    made = make_model(find_model_case("weight column not used"));
    assert_null(rls2_model_row_weights(made.model));
    free_model(&made);
}

static void model_weight_column__is_told_whether_or_not_it_was_used(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"number classes", "weight column not used",
                                        "weights without a column"};
    for (int i = 0; i < 3; i++) {
        made_model made = make_model(find_model_case(NAMES[i]));
        for (int64_t o = -1; o < rls2_model_outputs(made.model); o++) {
            const char *name = rls2_model_row_weights_column(
                o < 0 ? made.model : rls2_model_output(made.model, o));
            if (i < 2)
                assert_string_equal(name, "often");
            else
                assert_null(name);
        }
        free_model(&made);
    }
    assert_null(rls2_model_row_weights_column(NULL));
}

/* ---- attaching ---- */

static void model_attach__other_number_of_responses__is_refused(void **state)
{
    (void)state;
    model_case without = *find_model_case("three classes");
    without.unattached = 1;
    made_model three = make_model(&without);
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    rls2_dataset *two = NULL;
    rls2_table *table = NULL;
    rls2_error err;
    static const char csv[] =
        "long,wide,soil,often,kind\n1,2,dry,1,a\n2,3,wet,1,b\n3,3,wet,2,a\n1,1,dry,1,b\n";
    options.target = "kind";
    assert_ok(rls2_table_parse_csv("t", csv, (int64_t)sizeof csv - 1, &table, &err), &err);
    assert_ok(rls2_dataset_create(table, &options, &two, &err), &err);
    assert_int_equal(rls2_model_attach(three.model, two, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "1 responses and the model 3 outputs");
    assert_null(rls2_model_target(three.model));
    assert_ok(rls2_model_attach(three.model, three.data, &err), &err);
    assert_string_equal(rls2_model_output_name(rls2_model_output(three.model, 2), 0), "virginica");
    rls2_model *output = (rls2_model *)(uintptr_t)rls2_model_output(three.model, 0);
    assert_int_equal(rls2_model_attach(output, two, &err), RLS2_ERR_ARGUMENT);
    assert_message(&err, "attached with the model");
    rls2_dataset_free(two);
    rls2_table_free(table);
    free_model(&three);
}

/* ---- new rows ---- */

/* The first response depends on a alone, the second on b; nothing depends on c. */
static const char *const PAIR[] = {"y", "z"};
static const model_case apart = {
    .name = "apart",
    .csv = "a,b,c,y,z\n2,0,7,2,0\n-2,0,8,-2,0\n0,3,9,0,3\n0,-3,5,0,-3\n0,0,2,0,0\n",
    .targets = PAIR,
    .target_count = 2,
    .spec = "linear@a,b",
    .lambda = 1e-3,
    .classify = -1};

static rls2_status encode(const rls2_model *model, const char *csv, int target, rls2_error *err)
{
    rls2_table *table = NULL;
    rls2_dataset *data = NULL;
    rls2_error parse;
    assert_ok(rls2_table_parse_csv("new", csv, (int64_t)strlen(csv), &table, &parse), &parse);
    rls2_status status = rls2_model_encode(model, table, RLS2_MISSING_ERROR, target, &data, err);
    if (status == RLS2_OK) {
        assert_int_equal(rls2_dataset_rows(data), 1);
        assert_int_equal(rls2_dataset_columns(data), 3);
        assert_true(rls2_dataset_x(data)[0] == 5.0 && rls2_dataset_x(data)[1] == 6.0);
        if (target) assert_int_equal(rls2_dataset_outputs(data), 2);
    }
    rls2_dataset_free(data);
    rls2_table_free(table);
    return status;
}

static void model_encode__without_target__needs_what_any_output_looks_at(void **state)
{
    (void)state;
    made_model made = make_model(&apart);
    rls2_error err;
    assert_string_equal(rls2_model_kernel_name(rls2_model_output(made.model, 0), 0), "linear@a");
    assert_int_equal(rls2_model_kernel_count(rls2_model_output(made.model, 0)), 1);
    assert_int_equal(rls2_model_kernel_count(rls2_model_output(made.model, 1)), 1);
    assert_int_equal(rls2_model_kernel_count(made.model), 2);
    for (int64_t o = -1; o < 2; o++) {
        const rls2_model *model = o < 0 ? made.model : rls2_model_output(made.model, o);
        assert_ok(encode(model, "a,b\n5,6\n", 0, &err), &err);
        assert_int_equal(encode(model, "a,c\n5,6\n", 0, &err), RLS2_ERR_NAME);
        assert_int_equal(encode(model, "b,c\n5,6\n", 0, &err), RLS2_ERR_NAME);
        assert_int_equal(encode(model, "a,b,y,z\n5,6,1,1\n", 1, &err), RLS2_ERR_NAME);
        assert_ok(encode(model, "a,b,c,y,z\n5,6,0,1,1\n", 1, &err), &err);
    }
    assert_null(rls2_model_training_column(made.model, 2));
    free_model(&made);
}

static void decide__predictions_of_training_rows__are_their_classes(void **state)
{
    (void)state;
    model_case tight = *find_model_case("three classes");
    tight.lambda = 1e-4;
    made_model made = make_model(&tight);
    int64_t n = rls2_dataset_rows(made.data), *classes = malloc((size_t)n * sizeof *classes);
    double *f = numbers(3 * n);
    rls2_rows rows = {.n = n, .p = rls2_dataset_columns(made.data), .x = rls2_dataset_x(made.data)};
    rls2_error err;
    assert_non_null(classes);
    assert_ok(rls2_model_predict(made.model, &rows, NULL, f, &err), &err);
    rls2_decide(3, n, f, classes);
    assert_memory_equal(classes, rls2_dataset_classes(made.data), (size_t)n * sizeof *classes);
    free(classes);
    free(f);
    free_model(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_output_name__of_classes__is_the_label),
        cmocka_unit_test(model_output_name__of_targets__is_the_column),
        cmocka_unit_test(model_output_name__of_one_output__is_the_column),
        cmocka_unit_test(model_row_weights__of_head_and_outputs__are_those_of_the_data),
        cmocka_unit_test(model_weight_column__is_told_whether_or_not_it_was_used),
        cmocka_unit_test(model_attach__other_number_of_responses__is_refused),
        cmocka_unit_test(model_encode__without_target__needs_what_any_output_looks_at),
        cmocka_unit_test(decide__predictions_of_training_rows__are_their_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
