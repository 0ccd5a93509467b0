/* Data sets with more than two classes, and with several targets. */
#include "table_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_refused(const char *text, const rls2_dataset_options *options,
                           rls2_status status, const char *message)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create(table, options, &dataset, &err), status);
    assert_string_equal(err.message, message);
    assert_null(dataset);
    rls2_table_free(table);
}

static rls2_dataset *made_like(const char *text, const rls2_dataset *training)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    rls2_status status = rls2_dataset_create_like(table, training, &dataset, &err);
    rls2_table_free(table);
    if (status != RLS2_OK) print_error("%s\n", err.message);
    assert_int_equal(status, RLS2_OK);
    return dataset;
}

static void assert_labels(const rls2_dataset *dataset, int64_t count, const char *const *labels)
{
    assert_int_equal(rls2_dataset_class_count(dataset), count);
    for (int64_t k = 0; k < count; k++)
        assert_string_equal(rls2_dataset_class_label(dataset, k), labels[k]);
    assert_null(rls2_dataset_class_label(dataset, count));
    assert_null(rls2_dataset_class_label(dataset, -1));
}

static void assert_classes(const rls2_dataset *dataset, const int64_t *classes)
{
    for (int64_t i = 0; i < rls2_dataset_rows(dataset); i++)
        assert_int_equal(rls2_dataset_classes(dataset)[i], classes[i]);
}

/* ---- classes ---- */

static void dataset_create__three_classes__have_a_response_each(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,red\n2,blue\n3,red\n4,green\n5,blue\n6,red\n", &options);
    assert_labels(data, 3, (const char *[]){"blue", "green", "red"});
    assert_int_equal(rls2_dataset_is_classification(data), 1);
    assert_int_equal(rls2_dataset_outputs(data), 3);
    assert_string_equal(rls2_dataset_output_name(data, 1), "green");
    assert_null(rls2_dataset_output_name(data, 3));
    assert_null(rls2_dataset_output_name(data, -1));
    assert_classes(data, (int64_t[]){2, 0, 2, 1, 0, 2});
    static const double y[] = {-1, 1, -1, -1, 1, -1, -1, -1, -1, 1, -1, -1, 1, -1, 1, -1, -1, 1};
    for (int i = 0; i < 18; i++) assert_true(rls2_dataset_y(data)[i] == y[i]);
    rls2_dataset_free(data);
}

static void dataset_create__two_classes__are_one_response(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,q\n2,p\n3,q\n", &options);
    assert_int_equal(rls2_dataset_outputs(data), 1);
    assert_string_equal(rls2_dataset_output_name(data, 0), "y");
    assert_classes(data, (int64_t[]){1, 0, 1});
    assert_y(data, (double[]){1, -1, 1});
    rls2_dataset_free(data);
}

static void dataset_create__numeric_labels__are_sorted_and_equal_by_value(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.classify = 1;
    rls2_dataset *data = made("a,y\n1,10\n2,9.0\n3,-0\n4,1e1\n5,9\n6,0\n7,+10.0\n", &options);
    assert_labels(data, 3, (const char *[]){"-0", "9.0", "10"});
    assert_classes(data, (int64_t[]){2, 1, 0, 2, 1, 0, 2});
    rls2_dataset_free(data);
    /* one label that is no number: all are texts, in the order of texts */
    data = made("a,y\n1,10\n2,9\n3,x\n4,10\n5,9\n6,x\n", &options);
    assert_labels(data, 3, (const char *[]){"10", "9", "x"});
    assert_classes(data, (int64_t[]){0, 1, 2, 0, 1, 2});
    rls2_dataset_free(data);
    /* which is in a row left out: the others are texts, but in the order of numbers */
    data = made("a,y\n1,10\n2,9\n,x\n4,10\n5,9\n6,9.0\n7,10\n", &options);
    assert_labels(data, 3, (const char *[]){"9", "9.0", "10"});
    assert_classes(data, (int64_t[]){2, 0, 2, 0, 1, 2});
    rls2_dataset_free(data);
}

static void dataset_create__classes_of_rows_left_out__do_not_count(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,p\n,q\n3,r\n4,p\n5,s\n6,r\n7,s\n,t\n", &options);
    assert_labels(data, 3, (const char *[]){"p", "r", "s"});
    rls2_dataset_free(data);
}

static void dataset_create__as_many_classes_as_half_the_rows__is_the_limit(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,p\n2,q\n3,r\n4,p\n5,q\n6,r\n", &options);
    assert_int_equal(rls2_dataset_class_count(data), 3);
    rls2_dataset_free(data);
    assert_refused("a,y\n1,p\n2,q\n3,r\n4,p\n5,q\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y' has 3 different values in 5 rows: too many to be classes");
    data = made("a,y\n1,p\n2,q\n", &options); /* two are no such thing */
    assert_int_equal(rls2_dataset_class_count(data), 2);
    rls2_dataset_free(data);
}

/* Against counting: class k holds the rows i with i * 7 mod 997 = k, texts and numbers. */
static void dataset_create__a_thousand_classes__are_all_told_apart(void **state)
{
    (void)state;
    enum { CLASSES = 997, ROWS = 5000 };
    for (int text = 0; text < 2; text++) {
        char *csv = malloc(ROWS * 24), *at = csv;
        at += sprintf(at, "a,y\n");
        for (int i = 0; i < ROWS; i++)
            at += sprintf(at, "%d,%s%03d\n", i, text ? "c" : "", i * 7 % CLASSES);
        rls2_dataset_options options = options_for("y");
        options.classify = 1;
        rls2_dataset *data = made(csv, &options);
        assert_int_equal(rls2_dataset_outputs(data), CLASSES);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(rls2_dataset_classes(data)[i], i * 7 % CLASSES);
        for (int k = 0; k < CLASSES; k++) {
            double sum = 0.0;
            for (int i = 0; i < ROWS; i++) sum += rls2_dataset_y(data)[(int64_t)k * ROWS + i] + 1.0;
            int members = 0;
            for (int i = 0; i < ROWS; i++) members += i * 7 % CLASSES == k;
            assert_true(sum == 2.0 * members);
        }
        rls2_dataset_free(data);
        free(csv);
    }
}

static void create_like__three_classes__keep_their_numbers(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_dataset *data = made("a,y\n1,r\n2,b\n3,r\n4,g\n5,b\n6,r\n", &options);
    rls2_dataset *fresh = made_like("y,a\ng,5\nr,1\n", data);
    assert_classes(fresh, (int64_t[]){1, 2});
    assert_int_equal(rls2_dataset_outputs(fresh), 3);
    static const double y[] = {-1, -1, 1, -1, -1, 1};
    for (int i = 0; i < 6; i++) assert_true(rls2_dataset_y(fresh)[i] == y[i]);
    rls2_dataset_free(fresh);
    fresh = made_like("a\n5\n", data);
    assert_null(rls2_dataset_y(fresh));
    assert_null(rls2_dataset_classes(fresh));
    assert_int_equal(rls2_dataset_outputs(fresh), 3);
    rls2_dataset_free(fresh);
    rls2_table *table = parsed("a,y\n1,g\n2,violet\n");
    rls2_error err;
    fresh = NULL;
    assert_int_equal(rls2_dataset_create_like(table, data, &fresh, &err), RLS2_ERR_VALUE);
    assert_string_equal(
        err.message, "t.csv:3: column 'y': 'violet' was not among the training values (b, g, r)");
    rls2_table_free(table);
    rls2_dataset_free(data);
}

/* ---- several targets ---- */

static const char *const TWO[] = {"z", "y"};

static rls2_dataset_options two_targets(void)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.targets = TWO;
    options.target_count = 2;
    return options;
}

static void dataset_create__several_targets__stand_in_the_order_asked_for(void **state)
{
    (void)state;
    rls2_dataset_options options = two_targets();
    rls2_dataset *data = made("y,a,z\n1,2,3\n4,5,\n7,8,9\n", &options);
    assert_int_equal(rls2_dataset_rows(data), 2);
    assert_int_equal(rls2_dataset_columns(data), 1);
    assert_int_equal(rls2_dataset_outputs(data), 2);
    assert_int_equal(rls2_dataset_class_count(data), 0);
    assert_null(rls2_dataset_classes(data));
    assert_string_equal(rls2_dataset_output_name(data, 0), "z");
    assert_string_equal(rls2_dataset_output_name(data, 1), "y");
    static const double y[] = {3, 9, 1, 7};
    for (int i = 0; i < 4; i++) assert_true(rls2_dataset_y(data)[i] == y[i]);
    rls2_dataset *fresh = made_like("z,y,a\n1,2,3\n", data);
    assert_true(rls2_dataset_y(fresh)[0] == 1.0 && rls2_dataset_y(fresh)[1] == 2.0);
    rls2_dataset_free(fresh);
    fresh = made_like("z,a\n,3\nq,4\n", data); /* without one of them none is looked at */
    assert_null(rls2_dataset_y(fresh));
    assert_int_equal(rls2_dataset_rows(fresh), 2);
    rls2_dataset_free(fresh);
    rls2_dataset_free(data);
}

static void dataset_create__one_in_targets__is_as_target(void **state)
{
    (void)state;
    static const char *const one[] = {"y"};
    rls2_dataset_options options = options_for("y"), listed;
    rls2_dataset_options_init(&listed, sizeof listed);
    listed.targets = one;
    listed.target_count = 1;
    const char *text = "a,y\n1,r\n2,b\n3,r\n4,g\n5,b\n6,r\n";
    rls2_dataset *a = made(text, &options), *b = made(text, &listed);
    assert_int_equal(rls2_dataset_class_count(b), 3);
    assert_true(rls2_dataset_fingerprint(a) == rls2_dataset_fingerprint(b));
    rls2_dataset_free(a);
    rls2_dataset_free(b);
}

static void dataset_create__targets_that_contradict__are_refused(void **state)
{
    (void)state;
    static const char *const twice[] = {"y", "y"}, *const hole[] = {"y", NULL}, *const y[] = {"y"};
    const char *text = "y,a,z,t\n1,2,3,p\n4,5,6,q\n7,8,9,p\n";
    rls2_dataset_options options = two_targets();
    options.target = "y";
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "target and targets are both given");
    options = two_targets();
    options.classify = 1;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT,
                   "classify is 1, but 2 targets are no classes");
    options = two_targets();
    options.target_count = -1;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "target_count is -1");
    options = two_targets();
    options.targets = hole;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "targets[1] is NULL");
    options.targets = NULL;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "targets is NULL");
    options.targets = twice;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "t.csv: targets: column 'y' is listed twice");
    options.targets = (const char *const[]){"y", "zz"};
    assert_refused(text, &options, RLS2_ERR_NAME, "t.csv: targets: no column 'zz'");
    options.targets = (const char *const[]){"y", "t"};
    assert_refused(text, &options, RLS2_ERR_VALUE,
                   "t.csv: targets: column 't' is text; several targets must be numbers");
    assert_refused("y,t,a\n1,1,1\n2,2,1\n3,x,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:4: column 't': 'x' is not a number");
    options = two_targets();
    options.drop = y;
    options.drop_count = 1;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT, "t.csv: drop: column 'y' is the target");
    options = two_targets();
    options.categorical = y;
    options.categorical_count = 1;
    assert_refused(text, &options, RLS2_ERR_ARGUMENT,
                   "t.csv: categorical: column 'y' is the target");
    options = two_targets();
    options.row_weights = "y";
    assert_refused(text, &options, RLS2_ERR_ARGUMENT,
                   "t.csv: row_weights: column 'y' is the target");
}

static void dataset_of_null__has_no_outputs(void **state)
{
    (void)state;
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    assert_int_equal(rls2_dataset_outputs(NULL), 0);
    assert_null(rls2_dataset_output_name(NULL, 0));
    assert_null(rls2_dataset_classes(NULL));
    assert_null(rls2_dataset_row_weights(NULL));
    rls2_dataset *data = made("a\n1\n", &options);
    assert_int_equal(rls2_dataset_outputs(data), 0);
    assert_null(rls2_dataset_output_name(data, 0));
    rls2_dataset_free(data);
}

static void fingerprint__of_several_outputs__sees_each(void **state)
{
    (void)state;
    rls2_dataset_options options = two_targets();
    rls2_dataset *a = made("y,a,z\n1,2,3\n4,5,6\n", &options),
                 *b = made("y,a,z\n1,2,3\n4.5,5,6\n", &options);
    assert_true(rls2_dataset_fingerprint(a) != rls2_dataset_fingerprint(b));
    rls2_dataset_free(a);
    rls2_dataset_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__three_classes__have_a_response_each),
        cmocka_unit_test(dataset_create__two_classes__are_one_response),
        cmocka_unit_test(dataset_create__numeric_labels__are_sorted_and_equal_by_value),
        cmocka_unit_test(dataset_create__classes_of_rows_left_out__do_not_count),
        cmocka_unit_test(dataset_create__as_many_classes_as_half_the_rows__is_the_limit),
        cmocka_unit_test(dataset_create__a_thousand_classes__are_all_told_apart),
        cmocka_unit_test(create_like__three_classes__keep_their_numbers),
        cmocka_unit_test(dataset_create__several_targets__stand_in_the_order_asked_for),
        cmocka_unit_test(dataset_create__one_in_targets__is_as_target),
        cmocka_unit_test(dataset_create__targets_that_contradict__are_refused),
        cmocka_unit_test(dataset_of_null__has_no_outputs),
        cmocka_unit_test(fingerprint__of_several_outputs__sees_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
