/* Wrong arguments to the functions of tables and data sets: the status, the words, and that
 * nothing is written. Texts that do not parse have their own tests (csv, dictionary). */
#include "support/arguments.h"

#include <string.h>

/* ---- status ---- */

static void status_text__any_number__is_a_text(void **state)
{
    (void)state;
    for (int status = RLS2_OK; status <= RLS2_ERR_NUMERIC; status++)
        assert_true(strlen(rls2_status_text((rls2_status)status)) > 0);
    assert_string_equal(rls2_status_text((rls2_status)99), "unknown status");
    assert_true(strlen(rls2_version()) > 0);
}

/* ---- tables ---- */

static void table_read_csv__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = UNTOUCHED;
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument path is NULL",
                   rls2_table_read_csv(NULL, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument table is NULL",
                   rls2_table_read_csv("data/servo.csv", NULL, err));
    ASSERT_REFUSED(RLS2_ERR_IO, "no/such.csv: no such file",
                   rls2_table_read_csv("no/such.csv", &table, err));
    ASSERT_REFUSED(RLS2_ERR_IO, ": no such file", rls2_table_read_csv("", &table, err));
    ASSERT_REFUSED(RLS2_ERR_IO, "/: is a directory", rls2_table_read_csv("/", &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

static void table_parse_csv__wrong_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = UNTOUCHED;
    const char *text = "a\n1\n";
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument name is NULL",
                   rls2_table_parse_csv(NULL, text, 4, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument text is NULL",
                   rls2_table_parse_csv("t", NULL, 4, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument text is NULL",
                   rls2_table_parse_csv("t", NULL, 0, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "length is -1",
                   rls2_table_parse_csv("t", text, -1, &table, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument table is NULL",
                   rls2_table_parse_csv("t", text, 4, NULL, err));
    ASSERT_REFUSED(RLS2_ERR_SYNTAX, "t: the file is empty",
                   rls2_table_parse_csv("t", text, 0, &table, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory",
                   rls2_table_parse_csv("t", text, INT64_MAX, &table, err));
    ASSERT_REFUSED(RLS2_ERR_MEMORY, "out of memory",
                   rls2_table_parse_csv("t", text, HUGE_SIZE, &table, err));
    assert_ptr_equal(table, UNTOUCHED);
}

static void table_accessors__no_table__say_so(void **state)
{
    (void)state;
    rls2_table_free(NULL);
    assert_int_equal(rls2_table_rows(NULL), 0);
    assert_int_equal(rls2_table_columns(NULL), 0);
    assert_null(rls2_table_column_name(NULL, 0));
    assert_int_equal(rls2_table_find(NULL, "a"), -1);
    assert_int_equal(rls2_table_is_numeric(NULL, 0), 0);
    assert_string_equal(rls2_table_cell(NULL, 0, 0), "");
}

static void table_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, 1, INT64_MAX, INT64_MIN};
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse_csv("t", "a\n1\n", 4, &table, NULL), RLS2_OK);
    for (size_t i = 0; i < COUNT(outside); i++) {
        assert_null(rls2_table_column_name(table, outside[i]));
        assert_int_equal(rls2_table_is_numeric(table, outside[i]), 0);
        assert_string_equal(rls2_table_cell(table, outside[i], 0), "");
        assert_string_equal(rls2_table_cell(table, 0, outside[i]), "");
    }
    assert_int_equal(rls2_table_find(table, NULL), -1);
    assert_int_equal(rls2_table_find(table, ""), -1);
    rls2_table_free(table);
}

/* ---- data sets ---- */

static rls2_dataset_options dataset_options(const char *target)
{
    rls2_dataset_options options;
    rls2_dataset_options_init(&options, sizeof options);
    options.target = target;
    return options;
}

static void dataset_create__null_arguments__are_refused(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    const rls2_dataset_options fine = dataset_options("a");
    assert_int_equal(rls2_table_parse_csv("t", "a,b\n1,2\n", 8, &table, NULL), RLS2_OK);
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument table is NULL",
                   rls2_dataset_create(NULL, &fine, &dataset, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument options is NULL",
                   rls2_dataset_create(table, NULL, &dataset, err));
    ASSERT_REFUSED(RLS2_ERR_ARGUMENT, "argument dataset is NULL",
                   rls2_dataset_create(table, &fine, NULL, err));
    assert_ptr_equal(dataset, UNTOUCHED);
    rls2_table_free(table);
}

static void dataset_create__wrong_options__are_refused(void **state)
{
    (void)state;
    const char *const hole[] = {NULL}, *const unknown[] = {"weihgt"}, *const target[] = {"a"};
    const struct {
        rls2_dataset_options options;
        rls2_status status;
        const char *part;
    } cases[] = {
        {{.size = sizeof(rls2_dataset_options), .target = "z"},
         RLS2_ERR_NAME,
         "t: target: no column 'z'"},
        {{.size = sizeof(rls2_dataset_options), .target = ""},
         RLS2_ERR_NAME,
         "t: target: no column ''"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .classify = 2},
         RLS2_ERR_ARGUMENT,
         "classify is 2"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .classify = -2},
         RLS2_ERR_ARGUMENT,
         "classify is -2"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .drop_count = -1},
         RLS2_ERR_ARGUMENT,
         "drop_count is -1"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .drop_count = 1},
         RLS2_ERR_ARGUMENT,
         "drop is NULL"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .drop_count = 1, .drop = hole},
         RLS2_ERR_ARGUMENT,
         "drop[0] is NULL"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .drop_count = 1, .drop = unknown},
         RLS2_ERR_NAME,
         "drop: no column 'weihgt' (did you mean 'weight'?)"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .drop_count = 1, .drop = target},
         RLS2_ERR_ARGUMENT,
         "drop: column 'a' is the target"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .categorical_count = -1},
         RLS2_ERR_ARGUMENT,
         "categorical_count is -1"},
        {{.size = sizeof(rls2_dataset_options), .target = "a", .categorical_count = 1},
         RLS2_ERR_ARGUMENT,
         "categorical is NULL"},
        {{.size = sizeof(rls2_dataset_options),
          .target = "a",
          .categorical_count = 1,
          .categorical = hole},
         RLS2_ERR_ARGUMENT,
         "categorical[0] is NULL"},
        {{.size = sizeof(rls2_dataset_options),
          .target = "a",
          .categorical_count = 1,
          .categorical = unknown},
         RLS2_ERR_NAME,
         "categorical: no column 'weihgt'"},
        {{.size = sizeof(rls2_dataset_options),
          .target = "a",
          .classify = 1,
          .missing = RLS2_MISSING_DROP},
         RLS2_ERR_VALUE,
         "column 'a': 2 classes are needed, not 1"},
        {{.size = sizeof(rls2_dataset_options), .target = "weight"},
         RLS2_ERR_VALUE,
         "t:3: column 'weight': the cell is empty"},
    };
    rls2_table *table = NULL;
    rls2_dataset *dataset = UNTOUCHED;
    assert_int_equal(rls2_table_parse_csv("t", "a,weight\n1,2\n1,\n", 16, &table, NULL), RLS2_OK);
    for (size_t i = 0; i < COUNT(cases); i++)
        ASSERT_REFUSED(cases[i].status, cases[i].part,
                       rls2_dataset_create(table, &cases[i].options, &dataset, err));
    assert_ptr_equal(dataset, UNTOUCHED);
    rls2_table_free(table);
}

static void dataset_accessors__no_data_set__say_so(void **state)
{
    (void)state;
    rls2_dataset_free(NULL);
    assert_int_equal(rls2_dataset_rows(NULL), 0);
    assert_int_equal(rls2_dataset_columns(NULL), 0);
    assert_int_equal(rls2_dataset_dropped(NULL), 0);
    assert_int_equal(rls2_dataset_source_row(NULL, 0), -1);
    assert_null(rls2_dataset_names(NULL));
    assert_null(rls2_dataset_x(NULL));
    assert_null(rls2_dataset_y(NULL));
    assert_null(rls2_dataset_class_label(NULL, 1));
    assert_int_equal(rls2_dataset_is_classification(NULL), 0);
}

static void dataset_accessors__out_of_range__say_so(void **state)
{
    (void)state;
    rls2_table *table = NULL;
    rls2_dataset *dataset = NULL;
    rls2_dataset_options options = dataset_options("b");
    assert_int_equal(rls2_table_parse_csv("t", "a,b\n1,x\n2,y\n", 12, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, NULL), RLS2_OK);
    assert_int_equal(rls2_dataset_source_row(dataset, 1), 1);
    assert_int_equal(rls2_dataset_source_row(dataset, 2), -1);
    assert_int_equal(rls2_dataset_source_row(dataset, -1), -1);
    assert_string_equal(rls2_dataset_class_label(dataset, 0), "x");
    assert_null(rls2_dataset_class_label(dataset, 2));
    rls2_dataset_free(dataset);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_text__any_number__is_a_text),
        cmocka_unit_test(table_read_csv__wrong_arguments__are_refused),
        cmocka_unit_test(table_parse_csv__wrong_arguments__are_refused),
        cmocka_unit_test(table_accessors__no_table__say_so),
        cmocka_unit_test(table_accessors__out_of_range__say_so),
        cmocka_unit_test(dataset_create__null_arguments__are_refused),
        cmocka_unit_test(dataset_create__wrong_options__are_refused),
        cmocka_unit_test(dataset_accessors__no_data_set__say_so),
        cmocka_unit_test(dataset_accessors__out_of_range__say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
