/* The rows as numbers: targets, classes, columns left out, preprocessing. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan/plan.h"
#include "plan/plan_interval.h"
#include "plan/plan_source.h"
#include "table/encoder.h"
#include "table/preprocess.h"
#include "table/table.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* ---- columns ---- */

/* Those asked for, or what the format has by convention. */
int64_t rls2__plan_targets(const rls2_plan *plan, const rls2_table *table,
                           const char *const **names)
{
    *names = plan->asked.target.items;
    return plan->asked.target.count > 0 ? plan->asked.target.count
                                        : rls2_table_targets(table, names);
}

static int64_t find_targets(const rls2_plan *plan, const char *const **names)
{
    return rls2__plan_targets(plan, plan->file, names);
}

int rls2__plan_is_target(const rls2_plan *plan, const char *name)
{
    const char *const *names;
    int64_t count = find_targets(plan, &names);
    return rls2__is_among(name, names, count);
}

static void set_targets(rls2_plan *plan)
{
    rls2_dataset_options *options = &plan->recipe.data;
    const char *const *names;
    int64_t count = find_targets(plan, &names);
    if (count == 1) options->target = names[0];
    if (count < 2) return;
    options->targets = names;
    options->target_count = count;
}

static rls2_status check_target(rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset_options *options = &plan->recipe.data;
    if (!options->target && !options->targets && plan->goal != RLS2_GOAL_KERNELS)
        return rls2__plan_refuse(
            plan, "target", err, RLS2_ERR_ARGUMENT,
            "%s is needed: which column is to be predicted? The columns are %s", NAME("target"),
            rls2__column_list(plan->file).text);
    if (options->targets && plan->asked.task == RLS2__TASK_CLASSIFICATION)
        return rls2__plan_refuse(plan, "task", err, RLS2_ERR_ARGUMENT,
                                 "%s classification takes one target, and there are %" PRId64,
                                 NAME("task"), options->target_count);
    if (options->targets && plan->loss_count > 1)
        return rls2__plan_refuse(plan, "loss", err, RLS2_ERR_ARGUMENT,
                                 "%s: several quantiles are those of one target, and there are "
                                 "%" PRId64,
                                 NAME("loss"), options->target_count);
    return RLS2_OK;
}

/* Every column that is named is there. */
static rls2_status check_names(rls2_plan *plan, const char *setting, int64_t count,
                               const char *const *names, rls2_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (names[i] && rls2_table_find(plan->file, names[i]) < 0)
            return rls2__plan_blame(plan, setting,
                                    rls2__fail_no_column(plan->file, NAME(setting), names[i], err));
    return RLS2_OK;
}

static rls2_status check_columns(rls2_plan *plan, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    rls2_status status = check_names(plan, "target", a->target.count, a->target.items, err);
    if (status == RLS2_OK)
        status = check_names(plan, "row-weights", a->row_weights != NULL, &a->row_weights, err);
    if (status == RLS2_OK) status = check_names(plan, "drop", a->drop.count, a->drop.items, err);
    if (status == RLS2_OK)
        status = check_names(plan, "categorical", a->categorical.count, a->categorical.items, err);
    return status;
}

rls2_status rls2__plan_check_columns(rls2_plan *plan, const rls2_table *first, rls2_error *err)
{
    plan->file = first;
    plan->recipe = rls2__recipe_default();
    set_targets(plan);
    rls2_status status = check_target(plan, err);
    if (status == RLS2_OK) status = check_columns(plan, err);
    plan->file = NULL;
    return status;
}

static void add_drop(rls2_plan *plan, const char *name)
{
    rls2_dataset_options *options = &plan->recipe.data;
    if (!name || rls2__is_among(name, plan->dropped, options->drop_count)) return;
    plan->dropped[options->drop_count++] = name;
}

/* Of y1, y2, ... those that are not asked for are no inputs for the one that is. */
static void drop_other_targets(rls2_plan *plan)
{
    const char *const *names;
    int64_t count = rls2_table_targets(plan->file, &names), asked = 0;
    for (int64_t t = 0; t < count; t++) asked += rls2__plan_is_target(plan, names[t]);
    for (int64_t t = 0; t < count && asked > 0; t++)
        if (!rls2__plan_is_target(plan, names[t])) add_drop(plan, names[t]);
}

/* The columns of a precomputed kernel are no inputs. */
static void drop_matrix(rls2_plan *plan)
{
    const char *weights = plan->asked.row_weights;
    if (!rls2_table_is_precomputed(plan->file)) return;
    for (int64_t j = 0; j < rls2_table_columns(plan->file); j++) {
        const char *name = rls2_table_column_name(plan->file, j);
        if (!rls2__plan_is_target(plan, name) && !(weights && strcmp(name, weights) == 0))
            add_drop(plan, name);
    }
}

/* In this order, as what is left out stands in the model. */
static rls2_status set_columns(rls2_plan *plan, rls2_error *err)
{
    enum { FURTHER = 4 };
    const rls2__texts *asked = &plan->asked.drop;
    rls2_dataset_options *options = &plan->recipe.data;
    int64_t room = rls2__add(rls2__add(asked->count, rls2_table_columns(plan->file)), FURTHER);
    plan->dropped = rls2__alloc(room, sizeof *plan->dropped);
    if (!plan->dropped) return rls2__plan_memory_out(plan, err);
    for (int64_t i = 0; i < asked->count; i++) add_drop(plan, asked->items[i]);
    add_drop(plan, plan->test_column);
    add_drop(plan, plan->validation_column);
    add_drop(plan, plan->fold_column);
    add_drop(plan, rls2_table_marker(plan->file));
    drop_other_targets(plan);
    drop_matrix(plan);
    options->drop = plan->dropped;
    options->categorical = plan->asked.categorical.items;
    options->categorical_count = plan->asked.categorical.count;
    return RLS2_OK;
}

/* ---- training rows ---- */

/* A text target, or two different numbers, are classes. */
int rls2__plan_infer_classes(const rls2_plan *plan)
{
    const rls2_dataset_options *options = &plan->recipe.data;
    const rls2_table *table = plan->train.table;
    int64_t column = options->target ? rls2_table_find(table, options->target) : -1;
    if (options->targets || plan->asked.task == RLS2__TASK_REGRESSION) return 0;
    if (plan->asked.task == RLS2__TASK_CLASSIFICATION) return 1;
    if (column < 0 || !rls2_table_is_numeric(table, column))
        return -1; /* the data set tells texts from slips */
    if (plan->source) return rls2__source_has_two(plan, column);
    return rls2_table_distinct(table, column, 3) == 2;
}

/* Which of the settings a complaint about the data is about. */
static const char *setting_at_fault(const rls2_plan *plan, const rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    if (a->row_weights && strstr(err->message, "weight")) return "row-weights";
    if (strstr(err->message, "class") || strstr(err->message, "target")) return "target";
    return err->status == RLS2_ERR_VALUE ? NULL : "target";
}

/* What the target is and is taken for, where nobody said so. */
static void note_target(rls2_plan *plan)
{
    const rls2_dataset_options *options = &plan->recipe.data;
    int classes = rls2_dataset_is_classification(plan->train.data);
    if (plan->asked.target.count == 0 && options->target)
        rls2__plan_say(plan, "target: '%.100s', by the convention of the format", options->target);
    if (plan->asked.target.count == 0 && options->targets)
        rls2__plan_say(plan, "targets: %" PRId64 ", by the convention of the format",
                       options->target_count);
    if (plan->asked.task == RLS2__TASK_AUTO && (options->target || options->targets))
        rls2__plan_say(plan, "task: %s, inferred from the target",
                       classes ? "classification" : "regression");
    int64_t column = options->target ? rls2_table_find(plan->train.table, options->target) : -1;
    if (!classes && rls2_table_kind(plan->train.table, column) == RLS2_COLUMN_DATES)
        rls2__plan_say(plan, "the target is a date: it is predicted in days since 1970-01-01");
}

static rls2_status make_train(rls2_plan *plan, rls2_error *err)
{
    rls2_error own = {0};
    rls2_dataset_options *options = &plan->recipe.data;
    options->row_weights = plan->asked.row_weights;
    options->reference = plan->asked.reference;
    options->copies = plan->loss_count;
    options->copy_names = plan->level_names;
    options->rare = plan->asked.rare > 0 ? plan->asked.rare : -1;
    options->classify = rls2__plan_infer_classes(plan);
    rls2_status status = rls2__plan_settle_missing(plan, &own);
    if (status == RLS2_OK)
        status = plan->source
                     ? rls2__source_encode(plan, RLS2_NORMALIZE_NONE, &plan->train.data, &own)
                     : rls2_dataset_create(plan->train.table, options, &plan->train.data, &own);
    if (status == RLS2_OK) {
        note_target(plan);
        rls2__plan_note_pooled(plan);
        return RLS2_OK;
    }
    if (err) *err = own;
    return rls2__plan_blame(plan, setting_at_fault(plan, &own), status);
}

/* ---- the other rows ---- */

static int measures_test_columns(const rls2_plan *plan)
{
    return plan->asked.transductive || plan->asked.transductive_features;
}

static rls2_status make_test(rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset_options *options = &plan->recipe.data;
    rls2_status status =
        rls2_dataset_create_like(plan->test.table, plan->train.data, &plan->test.data, err);
    if (status != RLS2_OK) return rls2__plan_blame(plan, "test-rows", status);
    rls2__plan_note_lost_test(plan);
    if (rls2_dataset_y(plan->test.data) || plan->goal == RLS2_GOAL_KERNELS) return RLS2_OK;
    const char *wanted = options->target ? options->target : options->targets[0];
    for (int64_t t = 0; t < options->target_count; t++)
        if (rls2_table_find(plan->test.table, options->targets[t]) < 0)
            wanted = options->targets[t];
    return rls2__plan_refuse(plan, "test-rows", err, RLS2_ERR_NAME,
                             "the test rows have no column '%.100s', so they cannot be scored",
                             wanted);
}

static int has_class(const rls2_dataset *data, const char *label)
{
    for (int64_t k = 0; k < rls2_dataset_class_count(data); k++)
        if (strcmp(rls2_dataset_class_label(data, k), label) == 0) return 1;
    return 0;
}

/* A class that only validation rows have cannot be learned, no more than one that only test rows
 * have. */
static rls2_status check_choosing_classes(rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset *data = plan->choosing_data;
    if (rls2_dataset_class_count(data) <= rls2_dataset_class_count(plan->train.data))
        return RLS2_OK;
    for (int64_t i = 0; i < rls2_dataset_rows(data); i++) {
        const char *label = rls2_dataset_class_label(data, rls2_dataset_classes(data)[i]);
        if (has_class(plan->train.data, label)) continue;
        return rls2__plan_refuse(
            plan, "validation-rows", err, RLS2_ERR_VALUE,
            "%s: column '%.80s': the class '%.80s' of a validation row is not among the training "
            "rows",
            rls2__table_place(plan->choosing_table, rls2_dataset_source_row(data, i)).text,
            plan->recipe.data.target, label);
    }
    return RLS2_OK;
}

static rls2_status make_choosing(rls2_plan *plan, rls2_error *err)
{
    if (!plan->choosing_table) return RLS2_OK;
    rls2_status status =
        rls2_dataset_create(plan->choosing_table, &plan->recipe.data, &plan->choosing_data, err);
    if (status != RLS2_OK) return rls2__plan_blame(plan, "validation-rows", status);
    rls2__plan_note_lost_validation(plan);
    if (!rls2__plan_leaves_rows_out(plan) && !rls2__plan_calibrates_apart(plan))
        rls2__plan_say(plan, "validation rows are left out: lambda is given");
    return check_choosing_classes(plan, err);
}

/* ---- preprocessing ---- */

/* Most of a LIBSVM file that is worth the format are zeros, which mean something. */
static int is_sparse(const rls2_plan *plan)
{
    const rls2_dataset *data = plan->train.data;
    const double *x = rls2_dataset_x(data);
    int64_t cells = rls2_dataset_rows(data) * rls2_dataset_columns(data), zeros = 0;
    if (plan->file->format != RLS2_FORMAT_LIBSVM) return 0;
    for (int64_t i = 0; i < cells; i++) zeros += x[i] == 0.0;
    return 2 * zeros > cells;
}

static rls2_normalize find_feature_rule(rls2_plan *plan)
{
    const rls2__wishes *a = &plan->asked;
    if (a->standardize == 1) return RLS2_NORMALIZE_STANDARDIZE;
    if (a->features != RLS2__FEATURES_AUTO) return (rls2_normalize)(a->features - 1);
    if (a->standardize == 0 || a->examples != RLS2_NORMALIZE_NONE || is_sparse(plan) ||
        rls2_dataset_columns(plan->train.data) == 0 ||
        !rls2__dataset_has_spread(plan->train.data, NULL))
        return RLS2_NORMALIZE_NONE;
    rls2__plan_say(plan, "columns: standardised, the default");
    return RLS2_NORMALIZE_STANDARDIZE;
}

static void find_preprocessing(rls2_plan *plan)
{
    plan->recipe.preprocessing.examples = (rls2_normalize)plan->asked.examples;
    plan->recipe.preprocessing.features = find_feature_rule(plan);
}

static rls2_status check_transductive(rls2_plan *plan, rls2_error *err)
{
    if (!measures_test_columns(plan) || plan->test.table) return RLS2_OK;
    const char *setting = plan->asked.transductive ? "transductive" : "transductive-features";
    return rls2__plan_refuse(plan, setting, err, RLS2_ERR_ARGUMENT,
                             "%s uses the inputs of the test rows, and there are none: see %s",
                             NAME(setting), NAME("test-rows"));
}

/* Only goals that score test rows make them; others leave them out. */
static int wants_test(const rls2_plan *plan)
{
    return plan->test.table && plan->goal != RLS2_GOAL_CURVE && plan->goal != RLS2_GOAL_KERNELS;
}

rls2_status rls2__plan_make_data(rls2_plan *plan, rls2_error *err)
{
    plan->recipe = rls2__recipe_default();
    set_targets(plan);
    rls2_status status = check_target(plan, err);
    if (status == RLS2_OK) status = check_transductive(plan, err);
    if (status == RLS2_OK) status = check_columns(plan, err);
    if (status == RLS2_OK) status = set_columns(plan, err);
    if (status == RLS2_OK) status = rls2__plan_choose_columns(plan, err);
    if (status == RLS2_OK) status = make_train(plan, err);
    if (status == RLS2_OK) find_preprocessing(plan);
    if (status == RLS2_OK) status = make_choosing(plan, err);
    return status;
}

rls2_status rls2__source_make_test(rls2_plan *plan, rls2_error *err)
{
    return wants_test(plan) ? make_test(plan, err) : RLS2_OK;
}

/* Test rows are made from the preprocessed training rows, unless they are to count themselves. */
rls2_status rls2__plan_prepare_rows(rls2_plan *plan, rls2_error *err)
{
    int first = measures_test_columns(plan);
    rls2_status status = RLS2_OK;
    if (wants_test(plan) && first) status = make_test(plan, err);
    if (status == RLS2_OK && plan->source)
        status = rls2__plan_blame(plan, "features", rls2__source_prepare(plan, err));
    else if (status == RLS2_OK)
        status = rls2__plan_blame(plan, "features",
                                  rls2__fit_preprocess(plan->ingredients.recipe, plan->train.data,
                                                       first ? plan->test.data : NULL, err));
    if (status == RLS2_OK && wants_test(plan) && !first) status = make_test(plan, err);
    return status;
}
