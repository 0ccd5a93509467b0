/* What a plan does about missing cells and rare categories, and what it says. */
#include <stdio.h>
#include <stdlib.h>

#include "rls2/plan.h"
#include "support/unit_support.h"

enum { ROWS = 100 };

/* `holes` rows without b, the first ones; `untold` rows without y, the last ones; c is empty in the
 * first row too. */
static rls2_table *with_holes(int holes, int untold)
{
    char text[ROWS * 40], *at = text;
    rls2_table *table = NULL;
    at += sprintf(at, "a,b,c,y\n");
    for (int i = 0; i < ROWS; i++) {
        at += sprintf(at, "%d,", i * 7 % 31);
        at += i < holes ? sprintf(at, ",") : sprintf(at, "%d,", i * 5 % 17);
        at += sprintf(at, i == 0 && holes > 0 ? "," : i % 3 ? "u," : "v,");
        at += i >= ROWS - untold ? sprintf(at, "\n") : sprintf(at, "%d\n", i * 3 % 23);
    }
    assert_int_equal(rls2_table_parse("t.csv", text, at - text, NULL, &table, NULL), RLS2_OK);
    return table;
}

static rls2_plan *planned(const rls2_table *table, const char *missing)
{
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "kernels", "linear", NULL), RLS2_OK);
    if (missing) assert_int_equal(rls2_plan_set(plan, "missing", missing, NULL), RLS2_OK);
    if (rls2_plan_complete(plan, table, &err) != RLS2_OK) fail_msg("%s", err.message);
    return plan;
}

static void assert_note(const rls2_plan *plan, const char *note)
{
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        if (strcmp(rls2_plan_note(plan, i), note) == 0) return;
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        print_error("note: %s\n", rls2_plan_note(plan, i));
    fail_msg("not said: %s", note);
}

static int64_t rows_of(const rls2_plan *plan)
{
    return rls2_dataset_rows(rls2_plan_data(plan, RLS2_PART_TRAINING));
}

static void missing_auto__few_rows_lost__leaves_them_out(void **state)
{
    (void)state;
    rls2_table *table = with_holes(5, 0);
    rls2_plan *plan = planned(table, NULL);
    assert_int_equal(rows_of(plan), 95);
    assert_note(plan, "5 of 100 rows have an empty cell (b 5, c 1): left out; 95 remain; --missing "
                      "impute keeps them");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* b is empty in five rows, in one of which c is too. */
static void empty_input__two_columns__says_what_each_costs(void **state)
{
    (void)state;
    int64_t rows = -1, alone = -1;
    rls2_table *table = with_holes(5, 0);
    rls2_plan *plan = planned(table, NULL);
    assert_string_equal(rls2_plan_empty_input(plan, 0, &rows, &alone), "b");
    assert_int_equal(rows, 5);
    assert_int_equal(alone, 4);
    assert_string_equal(rls2_plan_empty_input(plan, 1, &rows, &alone), "c");
    assert_int_equal(rows, 1);
    assert_int_equal(alone, 0);
    assert_null(rls2_plan_empty_input(plan, 2, NULL, NULL));
    assert_null(rls2_plan_empty_input(NULL, 0, NULL, NULL));
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void missing_auto__more_rows_lost__imputes(void **state)
{
    (void)state;
    rls2_table *table = with_holes(6, 0);
    rls2_plan *plan = planned(table, NULL);
    assert_int_equal(rows_of(plan), 100);
    assert_int_equal(rls2_dataset_imputed(rls2_plan_data(plan, RLS2_PART_TRAINING)), 7);
    assert_note(plan, "6 of 100 rows have an empty cell (b 6, c 1): filled with the median or the "
                      "most frequent value; --missing drop leaves them out");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* Of the rows that have a target. */
static void missing_auto__rows_without_target__are_counted_apart(void **state)
{
    (void)state;
    rls2_table *table = with_holes(5, 40);
    rls2_plan *plan = planned(table, NULL);
    assert_int_equal(rows_of(plan), 60);
    assert_note(plan, "40 of 100 rows have no 'y', the target: left out; 60 remain");
    assert_note(plan, "5 of 60 rows have an empty cell (b 5, c 1): filled with the median or the "
                      "most frequent value; --missing drop leaves them out");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void missing__asked_for__is_done(void **state)
{
    (void)state;
    rls2_table *few = with_holes(1, 0), *many = with_holes(51, 0);
    rls2_plan *plan = planned(few, "impute");
    assert_int_equal(rows_of(plan), 100);
    rls2_plan_free(plan);
    plan = planned(many, "drop");
    assert_int_equal(rows_of(plan), 49);
    assert_note(plan, "warning: more than half of the rows are lost for empty cells: what is "
                      "learned holds for rows like the other 49");
    rls2_plan_free(plan);
    rls2_table_free(few);
    rls2_table_free(many);
}

static void missing_error__empty_cell__is_refused(void **state)
{
    (void)state;
    rls2_table *tables[] = {with_holes(1, 0), with_holes(0, 1)};
    static const char *const messages[] = {"t.csv:2: column 'b': the cell is empty",
                                           "t.csv:101: column 'y': the cell is empty"};
    for (int i = 0; i < 2; i++) {
        rls2_plan *plan = NULL;
        rls2_error err;
        assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_COMMAND, &plan, NULL),
                         RLS2_OK);
        assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
        assert_int_equal(rls2_plan_set(plan, "missing", "error", NULL), RLS2_OK);
        assert_int_equal(rls2_plan_complete(plan, tables[i], &err), RLS2_ERR_VALUE);
        assert_string_equal(err.message, messages[i]);
        rls2_plan_free(plan);
        rls2_table_free(tables[i]);
    }
}

/* Their values are far off: a median of all rows would be another. */
static void missing__test_rows__get_what_training_rows_say(void **state)
{
    (void)state;
    static const char text[] = "a,part,y\n1,in,1\n2,in,2\n,in,3\n6,in,4\n900,out,5\n,out,6\n"
                               "901,out,7\n902,out,8\n903,out,9\n";
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_int_equal(rls2_table_parse("t.csv", text, sizeof text - 1, NULL, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "test-rows", "part=out", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "columns", "all", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "features", "none", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "kernels", "rbf(1)", NULL), RLS2_OK);
    if (rls2_plan_complete(plan, table, &err) != RLS2_OK) fail_msg("%s", err.message);
    const rls2_dataset *test = rls2_plan_data(plan, RLS2_PART_TEST);
    assert_int_equal(rls2_dataset_rows(test), 5);
    assert_true(rls2_dataset_x(test)[0] == 900.0);
    assert_true(rls2_dataset_x(test)[1] == 2.0);
    assert_string_equal(rls2_dataset_names(test)[1], "a=missing");
    assert_true(rls2_dataset_x(test)[5 + 1] == 1.0);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

static void missing__other_rows_left_out__are_said(void **state)
{
    (void)state;
    static const char text[] = "a,part,y,w\n1,in,1,1\n2,in,2,1\n,in,3,1\n6,in,4,0\n9,in,7,1\n"
                               "7,out,5,1\n,out,6,1\n8,out,7,0\n,check,8,1\n,check,9,1\n"
                               "3,check,9,1\n";
    rls2_table *table = NULL;
    rls2_plan *plan = NULL;
    rls2_error err;
    assert_int_equal(rls2_table_parse("t.csv", text, sizeof text - 1, NULL, &table, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_MODEL, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    static const char *const asked[][2] = {
        {"target", "y"},       {"row-weights", "w"}, {"test-rows", "part=out"},
        {"missing", "drop"},   {"columns", "all"},   {"validation-rows", "part=check"},
        {"kernels", "rbf(1)"},
    };
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        assert_int_equal(rls2_plan_set(plan, asked[i][0], asked[i][1], NULL), RLS2_OK);
    if (rls2_plan_complete(plan, table, &err) != RLS2_OK) fail_msg("%s", err.message);
    assert_note(plan, "1 of 3 test rows has an empty cell: left out");
    assert_note(plan, "2 of 3 validation rows have an empty cell: left out");
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* 30 categories of one row each beside one of 70. */
static void rare__many_categories__are_pooled_and_said(void **state)
{
    (void)state;
    char text[ROWS * 40], *at = text;
    rls2_table *table = NULL;
    at += sprintf(at, "a,town,y\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "%d,town%d,%d\n", i * 7 % 31, i < 30 ? i : 30, i * 3 % 23);
    assert_int_equal(rls2_table_parse("t.csv", text, at - text, NULL, &table, NULL), RLS2_OK);
    rls2_plan *plan = planned(table, NULL);
    assert_int_equal(rls2_dataset_columns(rls2_plan_data(plan, RLS2_PART_TRAINING)), 3);
    assert_note(plan, "column 'town': 30 of 31 categories have few rows and are pooled as 'other'; "
                      "--rare 1 keeps them");
    rls2_plan_free(plan);
    assert_int_equal(rls2_plan_create(RLS2_GOAL_PATH, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "rare", "1", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_set(plan, "columns", "all", NULL), RLS2_OK);
    rls2_error err;
    if (rls2_plan_complete(plan, table, &err) != RLS2_OK) fail_msg("%s", err.message);
    assert_int_equal(rls2_dataset_columns(rls2_plan_data(plan, RLS2_PART_TRAINING)), 32);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_auto__few_rows_lost__leaves_them_out),
        cmocka_unit_test(empty_input__two_columns__says_what_each_costs),
        cmocka_unit_test(missing_auto__more_rows_lost__imputes),
        cmocka_unit_test(missing_auto__rows_without_target__are_counted_apart),
        cmocka_unit_test(missing__asked_for__is_done),
        cmocka_unit_test(missing_error__empty_cell__is_refused),
        cmocka_unit_test(missing__test_rows__get_what_training_rows_say),
        cmocka_unit_test(missing__other_rows_left_out__are_said),
        cmocka_unit_test(rare__many_categories__are_pooled_and_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
