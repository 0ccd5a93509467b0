/* A plan held against tables: which rows go where, what is inferred and said, what is refused and
 * which setting is blamed. */
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "rls2/plan.h"
#include "support/unit_support.h"

static const char TABLE[] =
    "a,b,part,fold,class,y,w\n"
    "1,u,train,1,no,1.5,1\n2,v,train,1,yes,2.5,2\n3,u,train,2,no,3.5,1\n4,v,train,2,yes,3,1\n"
    "5,u,train,,no,5.5,0\n6,v,train,3,yes,6,1\n7,u,test,3,no,7.5,1\n8,v,test,1,yes,8,1\n"
    "9,u,check,1,no,8.5,1\n10,v,check,2,yes,,1\n11,u,train,2,no,9.5,1\n12,v,train,1,yes,11,1\n";

static rls2_table *parsed(const char *text)
{
    rls2_table *table = NULL;
    assert_int_equal(rls2_table_parse("t.csv", text, (int64_t)strlen(text), NULL, &table, NULL),
                     RLS2_OK);
    return table;
}

static rls2_plan *created(rls2_goal goal)
{
    rls2_plan *plan = NULL;
    assert_int_equal(rls2_plan_create(goal, RLS2_VOICE_COMMAND, &plan, NULL), RLS2_OK);
    return plan;
}

/* Pairs of names and values, until NULL. */
static void set_all(rls2_plan *plan, va_list pairs)
{
    for (const char *name = va_arg(pairs, const char *); name; name = va_arg(pairs, const char *)) {
        rls2_error err;
        if (rls2_plan_set(plan, name, va_arg(pairs, const char *), &err) != RLS2_OK)
            fail_msg("%s", err.message);
    }
}

#define LEARNED "; rbf(learn)@all; matern(2.5,learn)@all"

typedef struct fixture {
    rls2_table *table;
    rls2_plan *plan;
} fixture;

static void done(fixture *f)
{
    rls2_plan_free(f->plan);
    rls2_table_free(f->table);
}

static fixture complete(const char *text, rls2_goal goal, va_list pairs)
{
    fixture f = {parsed(text), created(goal)};
    rls2_error err;
    set_all(f.plan, pairs);
    if (rls2_plan_complete(f.plan, f.table, &err) != RLS2_OK) fail_msg("%s", err.message);
    return f;
}

static fixture completed_on(const char *text, rls2_goal goal, ...)
{
    va_list pairs;
    va_start(pairs, goal);
    fixture f = complete(text, goal, pairs);
    va_end(pairs);
    return f;
}

static fixture completed(rls2_goal goal, ...)
{
    va_list pairs;
    va_start(pairs, goal);
    fixture f = complete(TABLE, goal, pairs);
    va_end(pairs);
    return f;
}

static void refused(rls2_goal goal, const char *fault, const char *message, ...)
{
    fixture f = {parsed(TABLE), created(goal)};
    rls2_error err = {0};
    va_list pairs;
    va_start(pairs, message);
    set_all(f.plan, pairs);
    va_end(pairs);
    assert_int_not_equal(rls2_plan_complete(f.plan, f.table, &err), RLS2_OK);
    assert_contains(err.message, message);
    if (fault)
        assert_string_equal(rls2_plan_fault(f.plan), fault);
    else
        assert_null(rls2_plan_fault(f.plan));
    done(&f);
}

static int has_note(const rls2_plan *plan, const char *part)
{
    for (int64_t i = 0; i < rls2_plan_note_count(plan); i++)
        if (strstr(rls2_plan_note(plan, i), part)) return 1;
    return 0;
}

static void assert_rows(const rls2_plan *plan, rls2_part part, int64_t count, const int64_t *rows)
{
    const int64_t *found;
    assert_int_equal(rls2_plan_rows(plan, part, &found), count);
    for (int64_t i = 0; i < count; i++) assert_int_equal(found[i], rows[i]);
}

/* ---- rows ---- */

static void rows__rules__divide_them(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_MODEL, "target", "y", "test-rows", "part=test",
                          "validation-rows", "part=check", "drop", "fold", NULL);
    assert_rows(f.plan, RLS2_PART_TEST, 2, (int64_t[]){6, 7});
    assert_rows(f.plan, RLS2_PART_VALIDATION, 2, (int64_t[]){8, 9});
    assert_rows(f.plan, RLS2_PART_TRAINING, 8, (int64_t[]){0, 1, 2, 3, 4, 5, 10, 11});
    /* a row without y is none to choose on */
    assert_int_equal(rls2_dataset_rows(rls2_plan_split_data(f.plan)), 9);
    const rls2_splits *splits = rls2_plan_splits(f.plan);
    const int64_t *rows;
    assert_int_equal(rls2_splits_count(splits), 1);
    assert_int_equal(rls2_splits_validation(splits, 0, &rows), 1);
    assert_int_equal(rows[0], 8);
    done(&f);
}

static void rows__fold_column__empty_cells_are_always_learned_from(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_CURVE, "target", "class", "fold-column", "fold", "drop", "part",
                          "drop", "y", NULL);
    const int64_t *rows;
    assert_int_equal(rls2_splits_count(rls2_plan_splits(f.plan)), 3);
    assert_int_equal(rls2_splits_validation(rls2_plan_splits(f.plan), 0, &rows), 5);
    assert_int_equal(rls2_splits_validation(rls2_plan_splits(f.plan), 2, &rows), 2);
    assert_int_equal(rows[0], 5);
    assert_int_equal(rows[1], 6);
    const rls2_dataset_options *options = rls2_plan_dataset_options(f.plan);
    assert_int_equal(options->drop_count, 3);
    assert_string_equal(options->drop[2], "fold");
    done(&f);
}

static void rows__share__is_drawn_by_class_and_by_seed(void **state)
{
    (void)state;
    const int64_t *rows, *again, *other;
    fixture f = completed(RLS2_GOAL_PATH, "target", "class", "test-share", "0.34", NULL);
    fixture g = completed(RLS2_GOAL_PATH, "target", "class", "test-share", "0.34", NULL);
    fixture h =
        completed(RLS2_GOAL_PATH, "target", "class", "test-share", "0.34", "seed", "7", NULL);
    int64_t count = rls2_plan_rows(f.plan, RLS2_PART_TEST, &rows), no = 0, differ = 0;
    assert_int_equal(count, 4);
    assert_int_equal(rls2_plan_rows(g.plan, RLS2_PART_TEST, &again), count);
    assert_int_equal(rls2_plan_rows(h.plan, RLS2_PART_TEST, &other), count);
    for (int64_t i = 0; i < count; i++) {
        no += rows[i] % 2 == 0; /* 'no' stands in every second row */
        differ += rows[i] != other[i];
        assert_int_equal(rows[i], again[i]);
    }
    assert_int_equal(no, 2);
    assert_true(differ > 0);
    done(&f);
    done(&g);
    done(&h);
}

static void rows__table_of_its_own__is_the_test_part(void **state)
{
    (void)state;
    rls2_table *test = parsed("b,a,y\nu,1,2\nv,3,4\n");
    fixture f = {parsed(TABLE), created(RLS2_GOAL_PATH)};
    rls2_error err;
    assert_int_equal(rls2_plan_set(f.plan, "target", "y", &err), RLS2_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(
            rls2_plan_set(f.plan, "drop", (const char *[]){"part", "fold", "class", "w"}[i], &err),
            RLS2_OK);
    assert_int_equal(rls2_plan_set_test(f.plan, test, &err), RLS2_OK);
    assert_int_equal(rls2_plan_complete(f.plan, f.table, &err), RLS2_OK);
    assert_ptr_equal(rls2_plan_table(f.plan, RLS2_PART_TEST), test);
    assert_int_equal(rls2_dataset_rows(rls2_plan_data(f.plan, RLS2_PART_TEST)), 2);
    assert_int_equal(rls2_plan_rows(f.plan, RLS2_PART_TEST, NULL), 0);
    done(&f);
    rls2_table_free(test);
}

/* As they stand in the model: those asked for, then those that divide the rows. */
static void rows__columns_that_divide_them__are_left_out_in_order(void **state)
{
    (void)state;
    static const char *const EXPECTED[] = {"b", "part", "w", "fold"};
    fixture f = completed(RLS2_GOAL_PATH, "target", "y", "fold-column", "fold", "validation-rows",
                          "w=2", "test-rows", "part=test", "drop", "b", NULL);
    const rls2_dataset_options *options = rls2_plan_dataset_options(f.plan);
    assert_int_equal(options->drop_count, 4);
    for (int i = 0; i < 4; i++) assert_string_equal(options->drop[i], EXPECTED[i]);
    done(&f);
}

static void rows__divide_alone__needs_no_target(void **state)
{
    (void)state;
    fixture f = {parsed(TABLE), created(RLS2_GOAL_CURVE)};
    rls2_error err;
    assert_int_equal(rls2_plan_set(f.plan, "test-rows", "part=test", &err), RLS2_OK);
    assert_int_equal(rls2_plan_divide(f.plan, f.table, &err), RLS2_OK);
    assert_int_equal(rls2_plan_rows(f.plan, RLS2_PART_TRAINING, NULL), 10);
    assert_int_equal(rls2_table_rows(rls2_plan_table(f.plan, RLS2_PART_TRAINING)), 10);
    done(&f);
}

/* ---- what is inferred ---- */

static void infer__targets__are_classes_or_numbers(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_CURVE, "target", "class", NULL);
    assert_true(rls2_dataset_is_classification(rls2_plan_data(f.plan, RLS2_PART_TRAINING)));
    assert_int_equal(rls2_plan_measure(f.plan), RLS2_MEASURE_ACCURACY);
    done(&f);
    f = completed(RLS2_GOAL_CURVE, "target", "y", "drop", "b", "drop", "part", "drop", "class",
                  "drop", "w", "missing", "drop", NULL);
    assert_false(rls2_dataset_is_classification(rls2_plan_data(f.plan, RLS2_PART_TRAINING)));
    assert_int_equal(rls2_plan_measure(f.plan), RLS2_MEASURE_RMSE);
    assert_string_equal(rls2_plan_kernels(f.plan), "paper" LEARNED);
    assert_true(
        has_note(f.plan, "kernels: those of the paper, the default, two with learned widths"));
    assert_true(has_note(f.plan, "1 of 11 rows has an empty cell (fold 1): left out; 10 remain"));
    done(&f);
    f = completed(RLS2_GOAL_CURVE, "target", "y", "target", "a", NULL);
    assert_int_equal(rls2_plan_measure(f.plan), RLS2_MEASURE_R2);
    done(&f);
}

static int are_classes(const char *text)
{
    fixture f = completed_on(text, RLS2_GOAL_PATH, "target", "y", "kernels", "linear", NULL);
    int found = rls2_dataset_is_classification(rls2_plan_data(f.plan, RLS2_PART_TRAINING));
    done(&f);
    return found;
}

static void infer__two_numbers_are_classes__three_are_not(void **state)
{
    (void)state;
    assert_true(are_classes("a,y\n1,0\n2,1\n3,0\n4,1\n"));
    assert_false(are_classes("a,y\n1,0\n2,1\n3,2\n4,1\n"));
}

/* Four rows of so many inputs and y. */
static const char *kernels_for(int inputs, char *kernels, size_t size)
{
    char text[8192];
    size_t used = 0;
    for (int row = -1; row < 4; row++) {
        for (int j = 0; j < inputs; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, row < 0 ? "x%d," : "%d,",
                                     row < 0 ? j : (row + 1) * (j % 6 + 1) % 7);
        used += (size_t)snprintf(text + used, sizeof text - used, row < 0 ? "y\n" : "%d\n", row);
    }
    assert_true(used + 1 < sizeof text);
    fixture f = completed_on(text, RLS2_GOAL_PATH, "target", "y", "columns", "all", NULL);
    snprintf(kernels, size, "%s", rls2_plan_kernels(f.plan));
    done(&f);
    return kernels;
}

static void infer__kernels__are_linear_above_200_inputs(void **state)
{
    (void)state;
    char kernels[64];
    assert_string_equal(kernels_for(200, kernels, sizeof kernels), "paper" LEARNED);
    assert_string_equal(kernels_for(201, kernels, sizeof kernels), "linear");
}

/* The default dictionary for that many rows of one input. */
static const char *kernels_for_rows(int rows, const char *method, int *is_tall, char *kernels,
                                    size_t size)
{
    static char text[65536];
    size_t used = (size_t)snprintf(text, sizeof text, "a,y\n");
    for (int i = 0; i < rows; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d\n", i % 7, i % 11);
    assert_true(used + 1 < sizeof text);
    fixture f = completed_on(text, RLS2_GOAL_KERNELS, "target", "y", "method", method, NULL);
    snprintf(kernels, size, "%s", rls2_plan_kernels(f.plan));
    *is_tall = rls2_plan_is_tall(f.plan);
    done(&f);
    return kernels;
}

static void infer__method__is_tall_above_3000_rows(void **state)
{
    (void)state;
    char kernels[32];
    int is_tall;
    assert_string_equal(kernels_for_rows(3000, "auto", &is_tall, kernels, sizeof kernels), "paper");
    assert_false(is_tall);
    assert_string_equal(kernels_for_rows(3001, "auto", &is_tall, kernels, sizeof kernels), "paper");
    assert_true(is_tall);
}

static void infer__kernels__are_linear_above_3000_rows_where_these_are_computed_with(void **state)
{
    (void)state;
    char kernels[32];
    int is_tall;
    assert_string_equal(kernels_for_rows(3000, "exact", &is_tall, kernels, sizeof kernels),
                        "paper");
    assert_string_equal(kernels_for_rows(3001, "exact", &is_tall, kernels, sizeof kernels),
                        "linear");
    assert_false(is_tall);
}

/* The preset wants more than two numbers of every column; explicit kernels are left alone. */
static void infer__kernels__are_one_on_two_values_and_on_categories(void **state)
{
    (void)state;
    static const char MIXED[] = "a,sex,b c,town,all,old,y\n"
                                "1,0,2,x,5,1,1\n2,1,7,y,5,1,2\n3,0,1,z,6,1,4\n4,1,0,x,6,1,3\n";
    fixture f = completed_on(MIXED, RLS2_GOAL_KERNELS, "target", "y", "columns", "all", NULL);
    assert_string_equal(rls2_plan_kernels(f.plan),
                        "poly(1..3)@all,each:a+\"b c\"; rbf(1e-3:1e3:10)@all,each:a+\"b c\"; "
                        "linear@sex; linear@town; linear@\"all\"; linear@old" LEARNED);
    assert_int_equal(rls2_dictionary_count(rls2_plan_dictionary(f.plan)), 13 * 3 + 4 + 2);
    assert_true(has_note(f.plan,
                         "kernels: the default, 13 on all columns together, 13 on each of 2 "
                         "numeric columns, one on each of 3 two-valued columns, one on "
                         "the categorical column, two with learned widths"));
    done(&f);
    f = completed_on("sex,town,y\n0,x,1\n1,y,2\n1,z,4\n", RLS2_GOAL_KERNELS, "target", "y", NULL);
    assert_string_equal(rls2_plan_kernels(f.plan),
                        "poly(1..3)@all; rbf(1e-3:1e3:10)@all; linear@sex; linear@town" LEARNED);
    done(&f);
    f = completed_on(MIXED, RLS2_GOAL_KERNELS, "target", "y", "kernels", "paper", NULL);
    assert_string_equal(rls2_plan_kernels(f.plan), "paper");
    done(&f);
}

static double intercept_of(const char *target, const char *kernels, const char *setting,
                           const char *value)
{
    fixture f = completed_on("a,b,class\n1,2,u\n2,1,v\n3,5,v\n4,4,v\n", RLS2_GOAL_PATH, "target",
                             target, "kernels", kernels, "lambda", "1", setting, value, NULL);
    rls2_fit *fit = NULL;
    rls2_error err;
    assert_int_equal(rls2_plan_fit(f.plan, NULL, &fit, &err), RLS2_OK);
    double intercept = rls2_path_intercept(rls2_fit_path(fit, 0));
    rls2_fit_free(fit);
    done(&f);
    return intercept;
}

/* For classes the mean of -1 and +1, unless kernels have a constant part or classes count alike. */
static void infer__intercept__is_a_mean_where_kernels_have_none(void **state)
{
    (void)state;
    assert_true(intercept_of("b", "rbf(1)@a", "intercept", "auto") == 3.0);
    assert_true(intercept_of("b", "rbf(1)@a", "intercept", "none") == 0.0);
    assert_true(intercept_of("class", "rbf(1)", "intercept", "auto") == 0.0);
    assert_true(fabs(intercept_of("class", "rbf(1)", "intercept", "mean")) == 0.5);
    assert_true(fabs(intercept_of("class", "linear", "intercept", "auto")) == 0.5);
    assert_true(intercept_of("class", "linear", "class-weights", "balanced") == 0.0);
}

static void infer__memory__has_binary_units(void **state)
{
    (void)state;
    static const char *const SIZES[] = {"64", "1k", "500MB", "2G", "0.5T"};
    const int64_t expected[] = {64, 1024, INT64_C(500) << 20, INT64_C(2) << 30, INT64_C(1) << 39};
    rls2_plan *plan = created(RLS2_GOAL_PATH);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(rls2_plan_set(plan, "memory", SIZES[i], NULL), RLS2_OK);
        assert_int_equal(rls2_plan_memory(plan), expected[i]);
    }
    rls2_plan_free(plan);
}

/* Fitted again the plan has the same to say, which it has said. */
static void note__of_kernels_made_again__is_there_once(void **state)
{
    (void)state;
    fixture f = completed_on("a,k,y\n1,1,2\n2,1,3\n3,1,5\n4,1,4\n", RLS2_GOAL_PATH, "target", "y",
                             "kernels", "linear@each", "center", "true", "lambda", "1", "columns",
                             "all", NULL);
    int64_t found = 0;
    for (int i = 0; i < 2; i++) {
        rls2_fit *fit = NULL;
        assert_int_equal(rls2_plan_fit(f.plan, NULL, &fit, NULL), RLS2_OK);
        rls2_fit_free(fit);
    }
    for (int64_t i = 0; i < rls2_plan_note_count(f.plan); i++)
        found += strstr(rls2_plan_note(f.plan, i), "1 kernel cannot be scaled") != NULL;
    assert_int_equal(found, 1);
    done(&f);
}

static void infer__weightless_rows__are_counted_apart(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_CURVE, "target", "y", "weights", "w", "drop", "fold", NULL);
    assert_true(has_note(f.plan, "1 row of weight 0 left out"));
    done(&f);
}

static void infer__folds__are_no_more_than_rows(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_CURVE, "target", "class", "folds", "50", "drop", "fold", "drop",
                          "y", NULL);
    assert_true(has_note(f.plan, "12 folds: there are no more rows"));
    done(&f);
    f = completed(RLS2_GOAL_CURVE, "target", "class", "folds", "8", "drop", "fold", "drop", "y",
                  NULL);
    assert_true(has_note(f.plan, "2 classes have fewer rows than there are folds"));
    done(&f);
}

static void infer__baselines__follow_the_rows_unless_asked_for(void **state)
{
    (void)state;
    const char *const asked[] = {"auto", "true", "false"};
    const int expected[] = {1, 1, 0};
    for (int i = 0; i < 3; i++) {
        fixture f = completed(RLS2_GOAL_CURVE, "target", "y", "baselines", asked[i], "kernels",
                              "linear", "folds", "3", "drop", "fold", "lambdas", "1,0.1", NULL);
        rls2_fit *fit = NULL;
        rls2_error err;
        assert_int_equal(rls2_plan_fit(f.plan, NULL, &fit, &err), RLS2_OK);
        const rls2_cv_point *ridge = rls2_cv_baseline(rls2_fit_cv(fit), RLS2_BASELINE_RIDGE);
        assert_int_equal(ridge != NULL, expected[i]);
        rls2_fit_free(fit);
        done(&f);
    }
}

static void infer__what_nobody_said__is_said(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_MODEL, "target", "class", "lambdas", "1,2", "lambda-count", "5",
                          "share", "0.5", "drop", "y", "drop", "fold", NULL);
    assert_true(has_note(f.plan, "task: classification, inferred from the target"));
    assert_true(has_note(f.plan, "intercept: none, the default"));
    assert_true(has_note(f.plan, "measure: accuracy, the default"));
    assert_true(has_note(f.plan, "--lambda-count is not used"));
    assert_true(has_note(f.plan, "--share is not used"));
    assert_false(has_note(f.plan, "--folds is not used"));
    done(&f);
    f = completed(RLS2_GOAL_MODEL, "target", "y", "task", "regression", "intercept", "mean",
                  "select", "gcv", "folds", "3", NULL);
    assert_false(has_note(f.plan, "task:"));
    assert_false(has_note(f.plan, "intercept:"));
    assert_false(has_note(f.plan, "measure:"));
    assert_true(has_note(f.plan, "--folds is not used"));
    done(&f);
}

/* ---- what is refused ---- */

static void refuse__rows__with_the_setting_at_fault(void **state)
{
    (void)state;
    refused(RLS2_GOAL_MODEL, "test-rows", "--test-rows 'part' should be COLUMN=VALUE", "target",
            "y", "test-rows", "part", NULL);
    refused(RLS2_GOAL_MODEL, "test-rows", "--test-rows: there is no column 'pat'", "target", "y",
            "test-rows", "pat=1", NULL);
    refused(RLS2_GOAL_MODEL, "test-rows", "--test-rows: none of the 12 rows has 'x'", "target", "y",
            "test-rows", "part=x", NULL);
    refused(RLS2_GOAL_MODEL, "test-rows", "--test-rows: column 'y' is the target", "target", "y",
            "test-rows", "y=3", NULL);
    refused(RLS2_GOAL_MODEL, "fold-column", "--fold-column: there is no column 'f'", "target", "y",
            "fold-column", "f", NULL);
    refused(RLS2_GOAL_MODEL, "fold-column", "--fold-column: column 'y' is the target", "target",
            "y", "fold-column", "y", NULL);
}

static void refuse__columns__with_the_setting_at_fault(void **state)
{
    (void)state;
    refused(RLS2_GOAL_MODEL, "target", "--target is needed", NULL);
    refused(RLS2_GOAL_MODEL, "target", "z", "target", "z", NULL);
    refused(RLS2_GOAL_MODEL, "drop", "nix", "target", "y", "drop", "nix", NULL);
    refused(RLS2_GOAL_MODEL, "row-weights", "t.csv: --row-weights: no column 'nix'", "target", "y",
            "row-weights", "nix", NULL);
    refused(RLS2_GOAL_MODEL, "task", "--task classification takes one target", "target", "y",
            "target", "a", "task", "classification", NULL);
    refused(RLS2_GOAL_MODEL, "group", "--group: no input is called 'q'", "target", "y", "group",
            "g=a,q", NULL);
    refused(RLS2_GOAL_MODEL, "kernels", "rfb", "target", "y", "kernels", "rfb(1)", NULL);
    refused(RLS2_GOAL_MODEL, "class-weights", "did you mean 'balanced'?", "target", "class",
            "class-weights", "balance", "drop", "y", NULL);
}

static void refuse__settings__that_exclude_each_other(void **state)
{
    (void)state;
    refused(RLS2_GOAL_MODEL, "features", "--standardize and --features unit exclude each other",
            "target", "y", "standardize", "true", "features", "unit", NULL);
    refused(RLS2_GOAL_MODEL, "center", "--center goes with --scaling trace", "target", "y",
            "center", "true", "scaling", "none", NULL);
    refused(RLS2_GOAL_MODEL, "memory", "--memory 'lots' should be a size", "target", "y", "memory",
            "lots", NULL);
    refused(RLS2_GOAL_MODEL, "fold-column", "--splits and --fold-column exclude each other",
            "target", "y", "fold-column", "fold", "splits", "3", NULL);
    refused(RLS2_GOAL_MODEL, "select", "two ways to choose lambda", "target", "y",
            "validation-rows", "part=check", "select", "gcv", NULL);
    refused(RLS2_GOAL_MODEL, "select", "--select none needs --lambda", "target", "y", "select",
            "none", NULL);
    refused(RLS2_GOAL_MODEL, "scaling", "--scaling fisher needs classes", "target", "y", "scaling",
            "fisher", NULL);
    refused(RLS2_GOAL_MODEL, "measure", "--measure auc is for classification", "target", "y",
            "measure", "auc", NULL);
    refused(RLS2_GOAL_PATH, "transductive", "there are none", "target", "y", "transductive", "true",
            NULL);
    refused(RLS2_GOAL_PATH, "lambdas", "should be LO:HI:N", "target", "y", "lambdas", "1:2", NULL);
}

static void set__after_completion__is_refused(void **state)
{
    (void)state;
    rls2_error err;
    fixture f = completed(RLS2_GOAL_PATH, "target", "y", NULL);
    assert_int_equal(rls2_plan_set(f.plan, "folds", "3", &err), RLS2_ERR_ARGUMENT);
    assert_int_equal(rls2_plan_complete(f.plan, f.table, &err), RLS2_ERR_ARGUMENT);
    done(&f);
    rls2_plan *plan = created(RLS2_GOAL_PATH);
    rls2_fit *fit = NULL;
    assert_int_equal(rls2_plan_fit(plan, NULL, &fit, &err), RLS2_ERR_ARGUMENT);
    assert_null(fit);
    rls2_plan_free(plan);
}

static void set__unknown_or_wrong__names_the_nearest(void **state)
{
    (void)state;
    rls2_error err;
    rls2_plan *plan = created(RLS2_GOAL_PATH);
    assert_int_equal(rls2_plan_set(plan, "kernls", "linear", &err), RLS2_ERR_NAME);
    assert_string_equal(err.message, "there is no setting 'kernls'; did you mean '--kernels'?");
    assert_int_equal(rls2_plan_set(plan, "solver", "newtn", &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "did you mean 'newton'?");
    assert_string_equal(rls2_plan_fault(plan), "solver");
    assert_string_equal(rls2_plan_get(plan, "solver", 0), "newton");
    assert_int_equal(rls2_plan_is_set(plan, "solver"), 0);
    rls2_plan_free(plan);
}

static int64_t count_lambdas(const char *const *lambdas, int64_t count)
{
    rls2_plan *plan = created(RLS2_GOAL_MODEL);
    rls2_table *table = parsed(TABLE);
    rls2_fit *fit = NULL;
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(rls2_plan_set(plan, "lambda", lambdas[i], NULL), RLS2_OK);
        assert_int_equal(rls2_plan_check(plan, NULL), RLS2_OK);
    }
    assert_int_equal(rls2_plan_complete(plan, table, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_fit(plan, NULL, &fit, NULL), RLS2_OK);
    int64_t found = rls2_fit_count(fit);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
    return found;
}

static void set__lambda_again_after_a_check__leaves_nothing_of_the_former(void **state)
{
    (void)state;
    assert_int_equal(count_lambdas((const char *const[]){"1", "0.5", "0.25", "0.125"}, 4), 1);
    assert_int_equal(count_lambdas((const char *const[]){"1", "0.5", NULL, "0.1"}, 4), 1);
    rls2_plan *plan = created(RLS2_GOAL_PATH);
    const double lambdas[] = {3, 1, 2};
    assert_int_equal(rls2_plan_set_lambdas(plan, 3, lambdas, NULL), RLS2_OK);
    for (const char *at = "9876"; *at; at++) {
        char lambda[] = {'0', '.', *at, '\0'};
        assert_int_equal(rls2_plan_set(plan, "lambda", lambda, NULL), RLS2_OK);
        assert_int_equal(rls2_plan_check(plan, NULL), RLS2_OK);
    }
    assert_int_equal(rls2_plan_set(plan, "lambda", NULL, NULL), RLS2_OK);
    rls2_table *table = parsed(TABLE);
    rls2_fit *fit = NULL;
    assert_int_equal(rls2_plan_set(plan, "target", "y", NULL), RLS2_OK);
    assert_int_equal(rls2_plan_complete(plan, table, NULL), RLS2_OK);
    assert_int_equal(rls2_plan_fit(plan, NULL, &fit, NULL), RLS2_OK);
    assert_int_equal(rls2_fit_count(fit), 3);
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    rls2_table_free(table);
}

/* Where such a locale is installed. */
static void set__comma_locale__changes_nothing(void **state)
{
    (void)state;
    const char *const candidates[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, candidates[i]); i++) continue;
    fixture f = completed(RLS2_GOAL_MODEL, "target", "y", "lambda", "0.5", "lambdas", "0.25,0.5",
                          "memory", "1.5M", "test-share", "0.123456789012345678901", NULL);
    assert_int_equal(rls2_plan_memory(f.plan), 1024 * 1536);
    done(&f);
    setlocale(LC_NUMERIC, "C");
}

static int stop_after_kernels(void *user, const char *stage, rls2_fit *so_far)
{
    *(rls2_fit **)user = so_far;
    return strcmp(stage, "kernels") == 0;
}

static void fit__stopped_after_the_kernels__is_null(void **state)
{
    (void)state;
    fixture f = completed(RLS2_GOAL_ALL, "target", "y", NULL);
    rls2_fit *fit = NULL;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.stage_done = stop_after_kernels;
    control.user = &fit; /* as one may who wants what there is so far */
    assert_int_equal(rls2_plan_fit(f.plan, &control, &fit, NULL), RLS2_ERR_CANCELLED);
    assert_null(fit);
    done(&f);
}

/* At such a lambda the equations of the baselines overflow. */
static void fit__baselines_that_overflow__leave_the_curve_as_it_is(void **state)
{
    (void)state;
    double least[2];
    for (int with = 0; with < 2; with++) {
        fixture f = completed(RLS2_GOAL_CURVE, "target", "y", "lambdas", "1e308", "baselines",
                              with ? "true" : "false", NULL);
        rls2_fit *fit = NULL;
        assert_int_equal(rls2_plan_fit(f.plan, NULL, &fit, NULL), RLS2_OK);
        least[with] = rls2_cv_at(rls2_fit_cv(fit), 0)->cvm;
        rls2_fit_free(fit);
        done(&f);
    }
    assert_true(least[0] == least[1]);
}

static void add_given__name_with_a_quote__is_refused(void **state)
{
    (void)state;
    const double one = 1.0;
    rls2_error err;
    rls2_plan *plan = created(RLS2_GOAL_MODEL);
    assert_int_equal(rls2_plan_add_given(plan, "a\"b", 1, &one, &err), RLS2_ERR_ARGUMENT);
    assert_contains(err.message, "cannot contain");
    rls2_plan_free(plan);
}

/* ---- retelling ---- */

static void assert_told(rls2_voice voice, const char *expected, ...)
{
    rls2_plan *plan = created(RLS2_GOAL_MODEL);
    char *text = NULL;
    va_list pairs;
    va_start(pairs, expected);
    set_all(plan, pairs);
    va_end(pairs);
    assert_int_equal(rls2_plan_retell(plan, voice, 1, (const char *const[]){"seed"}, &text, NULL),
                     RLS2_OK);
    assert_string_equal(text, expected);
    rls2_text_free(text);
    rls2_plan_free(plan);
}

static void retell__settings__as_a_shell_and_as_python_read_them(void **state)
{
    (void)state;
    assert_told(RLS2_VOICE_COMMAND, "", "seed", "4", "folds", "10", NULL);
    assert_told(RLS2_VOICE_COMMAND,
                "--target='a b' --drop=x --drop='it'\\''s' --header=no --standardize --folds=5 "
                "--no-baselines",
                "target", "a b", "drop", "x", "drop", "it's", "header", "false", "standardize",
                "true", "folds", "5", "baselines", "false", NULL);
    assert_told(RLS2_VOICE_COMMAND, "--target=$'a\\012b\\033'", "target", "a\nb\033", NULL);
    assert_told(RLS2_VOICE_PYTHON,
                "class_weight=\"balanced\", standardize=True, kernels=\"linear\", "
                "groups={\"g\": \"a,b\"}, alphas=[1, 0.5], intercept=\"mean\", gap_tol=1e-8, cv=5",
                "class-weights", "balanced", "standardize", "true", "kernels", "linear", "group",
                "g=a,b", "lambdas", "1,0.5", "intercept", "mean", "gap-tol", "1e-8", "folds", "5",
                "target", "y", NULL);
    assert_told(RLS2_VOICE_PYTHON, "kernels=\"rbf(1)@\\\"a\\\\b\\\"\"", "kernels",
                "rbf(1)@\"a\\b\"", NULL);
}

static void retell__numbers_and_labels__are_what_python_reads_as_the_same(void **state)
{
    (void)state;
    char group[320] = {0};
    char told[400];
    memset(group, 'g', 300);
    snprintf(told, sizeof told, "groups={\"%s\": \"a\"}", group);
    memcpy(group + 300, "=a", 3);
    assert_told(RLS2_VOICE_PYTHON, told, "group", group, NULL);
    assert_told(RLS2_VOICE_PYTHON, "alpha=7, alphas=[1, 0.5, 0], cv=10", "lambda", "007", "lambdas",
                "01,00.5,0", "folds", "0010", NULL);
    assert_told(RLS2_VOICE_PYTHON, "class_weight={\"a, b\": 2, \"x=1\": 5, \"c\": 1e-1}",
                "class-weights", "a, b=02,x=1=5,c=1e-1", NULL);
    assert_told(RLS2_VOICE_PYTHON, "class_weight=\"a=b\"", "class-weights", "a=b", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows__rules__divide_them),
        cmocka_unit_test(rows__fold_column__empty_cells_are_always_learned_from),
        cmocka_unit_test(rows__share__is_drawn_by_class_and_by_seed),
        cmocka_unit_test(rows__table_of_its_own__is_the_test_part),
        cmocka_unit_test(rows__columns_that_divide_them__are_left_out_in_order),
        cmocka_unit_test(rows__divide_alone__needs_no_target),
        cmocka_unit_test(infer__targets__are_classes_or_numbers),
        cmocka_unit_test(infer__what_nobody_said__is_said),
        cmocka_unit_test(infer__two_numbers_are_classes__three_are_not),
        cmocka_unit_test(infer__kernels__are_linear_above_200_inputs),
        cmocka_unit_test(infer__method__is_tall_above_3000_rows),
        cmocka_unit_test(infer__kernels__are_linear_above_3000_rows_where_these_are_computed_with),
        cmocka_unit_test(infer__kernels__are_one_on_two_values_and_on_categories),
        cmocka_unit_test(infer__intercept__is_a_mean_where_kernels_have_none),
        cmocka_unit_test(infer__memory__has_binary_units),
        cmocka_unit_test(note__of_kernels_made_again__is_there_once),
        cmocka_unit_test(infer__weightless_rows__are_counted_apart),
        cmocka_unit_test(infer__folds__are_no_more_than_rows),
        cmocka_unit_test(infer__baselines__follow_the_rows_unless_asked_for),
        cmocka_unit_test(refuse__rows__with_the_setting_at_fault),
        cmocka_unit_test(refuse__columns__with_the_setting_at_fault),
        cmocka_unit_test(refuse__settings__that_exclude_each_other),
        cmocka_unit_test(set__after_completion__is_refused),
        cmocka_unit_test(set__unknown_or_wrong__names_the_nearest),
        cmocka_unit_test(set__lambda_again_after_a_check__leaves_nothing_of_the_former),
        cmocka_unit_test(set__comma_locale__changes_nothing),
        cmocka_unit_test(fit__stopped_after_the_kernels__is_null),
        cmocka_unit_test(fit__baselines_that_overflow__leave_the_curve_as_it_is),
        cmocka_unit_test(add_given__name_with_a_quote__is_refused),
        cmocka_unit_test(retell__settings__as_a_shell_and_as_python_read_them),
        cmocka_unit_test(retell__numbers_and_labels__are_what_python_reads_as_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
