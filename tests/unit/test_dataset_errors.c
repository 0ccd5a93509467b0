/* Data sets: what is refused, and in which words. */
#include "table_fixture.h"

static void assert_refused(const char *text, const rls2_dataset_options *options,
                           rls2_status status, const char *message)
{
    rls2_table *table = parsed(text);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_int_equal(rls2_dataset_create(table, options, &dataset, &err), status);
    assert_string_equal(err.message, message);
    assert_int_equal(err.status, status);
    assert_null(dataset);
    rls2_table_free(table);
}

static void dataset_create__one_class_or_too_many__says_how_many(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,y\n1,x\n2,x\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y': 2 classes are needed, not 1: 'x'");
    assert_refused("a,y\n1,x\n2,q\n3,z\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y' has 3 different values in 3 rows: too many to be classes");
    options.classify = 1;
    assert_refused("a,y\n1,5\n2,4\n3,3\n4,2\n5,5.0\n", &options, RLS2_ERR_VALUE,
                   "t.csv: column 'y' has 4 different values in 5 rows: too many to be classes");
}

static void dataset_create__one_word_among_numbers__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("rm,y\n1,1\n\n2,2\n,3\nabc,4\n5,5\n", &options, RLS2_ERR_VALUE,
                   "t.csv:6: column 'rm': 'abc' is not a number");
    assert_refused("rm,y\n1,1\n1e999,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'rm': '1e999' is not a number");
}

static void dataset_create__word_in_numeric_target__names_the_cell(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,y\n1,1\n2,2\n3,x\n", &options, RLS2_ERR_VALUE,
                   "t.csv:4: column 'y': 'x' is not a number");
    options.classify = 0;
    assert_refused("a,y\n1,u\n2,v\n", &options, RLS2_ERR_VALUE,
                   "t.csv:2: column 'y': 'u' is not a number");
}

static void dataset_create__missing_cell_not_allowed__names_it(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    options.missing = RLS2_MISSING_ERROR;
    assert_refused("a,b,y\n1,1,1\n2,,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv:3: column 'b': the cell is empty");
}

static void dataset_create__no_complete_row__is_an_error(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,b,y\n1,,1\n,2,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv: every row has an empty cell, the first in column 'b' on line 2");
}

static void dataset_create__unknown_column__suggests_a_name(void **state)
{
    (void)state;
    const char *text = "crim,rm,MEDV\n1,2,3\n";
    const char *list[] = {"rm", "crime"};
    rls2_dataset_options options = options_for("MEDW");
    assert_refused(text, &options, RLS2_ERR_NAME,
                   "t.csv: target: no column 'MEDW' (did you mean 'MEDV'?)");
    options.target = "price";
    assert_refused(text, &options, RLS2_ERR_NAME, "t.csv: target: no column 'price'");
    options.target = "MEDV";
    options.drop = list;
    options.drop_count = 2;
    assert_refused(text, &options, RLS2_ERR_NAME,
                   "t.csv: drop: no column 'crime' (did you mean 'crim'?)");
    options.drop_count = 0;
    options.categorical = list;
    options.categorical_count = 2;
    assert_refused(text, &options, RLS2_ERR_NAME,
                   "t.csv: categorical: no column 'crime' (did you mean 'crim'?)");
}

static void dataset_create__cells_separated_otherwise__says_so(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused(
        "a;b;y\n1;2;3\n", &options, RLS2_ERR_NAME,
        "t.csv: no column 'y': the only column is 'a;b;y'; cells are separated by commas");
}

static void dataset_create__target_listed_elsewhere__is_an_error(void **state)
{
    (void)state;
    const char *list[] = {"y"};
    rls2_dataset_options options = options_for("y");
    options.drop = list;
    options.drop_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT,
                   "t.csv: drop: column 'y' is the target");
    options.drop_count = 0;
    options.categorical = list;
    options.categorical_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT,
                   "t.csv: categorical: column 'y' is the target");
}

static void dataset_create__indicator_named_like_a_column__is_an_error(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    assert_refused("a,a=b,y\nb,1,1\nc,2,2\n", &options, RLS2_ERR_VALUE,
                   "t.csv: two inputs would have the name 'a=b'");
}

static void dataset_create__wrong_arguments__are_named(void **state)
{
    (void)state;
    const char *with_null[] = {"a", NULL};
    rls2_dataset_options options = options_for(NULL);
    rls2_dataset *dataset = NULL;
    rls2_error err = {0};
    assert_refused("a,y\n1,2\n", NULL, RLS2_ERR_ARGUMENT, "argument options is NULL");
    options = options_for("y");
    options.classify = 2;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "classify is 2, not -1, 0 or 1");
    options = options_for("y");
    options.drop_count = 1;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "drop is NULL");
    options.drop = with_null;
    options.drop_count = 2;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "drop[1] is NULL");
    options.drop_count = 0;
    options.categorical_count = -3;
    assert_refused("a,y\n1,2\n", &options, RLS2_ERR_ARGUMENT, "categorical_count is -3");

    options = options_for("y");
    assert_int_equal(rls2_dataset_create(NULL, &options, &dataset, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument table is NULL");
    rls2_table *table = parsed("a,y\n1,2\n");
    assert_int_equal(rls2_dataset_create(table, &options, NULL, &err), RLS2_ERR_ARGUMENT);
    assert_string_equal(err.message, "argument dataset is NULL");
    assert_int_equal(rls2_dataset_create(table, NULL, &dataset, NULL), RLS2_ERR_ARGUMENT);
    rls2_table_free(table);
}

static void dataset_accessors__null__give_nothing(void **state)
{
    (void)state;
    assert_int_equal(rls2_dataset_rows(NULL), 0);
    assert_int_equal(rls2_dataset_columns(NULL), 0);
    assert_int_equal(rls2_dataset_dropped(NULL), 0);
    assert_int_equal(rls2_dataset_source_row(NULL, 0), -1);
    assert_null(rls2_dataset_names(NULL));
    assert_null(rls2_dataset_x(NULL));
    assert_null(rls2_dataset_y(NULL));
    assert_null(rls2_dataset_means(NULL));
    assert_null(rls2_dataset_deviations(NULL));
    assert_int_equal(rls2_dataset_is_classification(NULL), 0);
    assert_null(rls2_dataset_class_label(NULL, 1));
    rls2_dataset_free(NULL);
}

/* Words for infinity are no categories, however many there are. */
static void dataset_create__infinite_words__are_no_text(void **state)
{
    (void)state;
    rls2_dataset_options options = options_for("y");
    rls2_table *table = parsed("a,y\n-inf,1\nInf,2\n3,3\n");
    rls2_dataset *dataset = NULL;
    rls2_error err;
    assert_int_equal(rls2_dataset_create(table, &options, &dataset, &err), RLS2_ERR_VALUE);
    assert_string_equal(err.message, "t.csv:2: column 'a': '-inf' is not a finite number");
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dataset_create__infinite_words__are_no_text),
        cmocka_unit_test(dataset_create__one_class_or_too_many__says_how_many),
        cmocka_unit_test(dataset_create__one_word_among_numbers__names_the_cell),
        cmocka_unit_test(dataset_create__word_in_numeric_target__names_the_cell),
        cmocka_unit_test(dataset_create__missing_cell_not_allowed__names_it),
        cmocka_unit_test(dataset_create__no_complete_row__is_an_error),
        cmocka_unit_test(dataset_create__unknown_column__suggests_a_name),
        cmocka_unit_test(dataset_create__cells_separated_otherwise__says_so),
        cmocka_unit_test(dataset_create__target_listed_elsewhere__is_an_error),
        cmocka_unit_test(dataset_create__indicator_named_like_a_column__is_an_error),
        cmocka_unit_test(dataset_create__wrong_arguments__are_named),
        cmocka_unit_test(dataset_accessors__null__give_nothing),
    };
    return cmocka_run_group_tests_name("dataset_errors", tests, NULL, NULL);
}
