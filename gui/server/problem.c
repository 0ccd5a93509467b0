#include "gui/server/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/rows.h"

enum { MANY_COLUMNS = 200 }; /* above which the default dictionary is linear, as in the command */

static int is(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

void problem_release(problem *p)
{
    if (p->own_train) rls2_table_free(p->train);
    if (p->own_test) rls2_table_free(p->test);
    rls2_table_free(p->choosing);
    rls2_dataset_free(p->data);
    rls2_dataset_free(p->choosing_data);
    rls2_dictionary_free(p->dictionary);
    if (p->state) {
        cache_return(p->state->tables, p->file);
        cache_return(p->state->tables, p->test_file);
        cache_return(p->state->tables, p->validation_file);
    }
    free(p->kept);
    free(p->marked);
    free(p->validating);
    free(p->drop);
    asked_free(&p->asked);
    *p = (problem){0};
}

/* ---- the data set ---- */

static const rls2_table *file_of(const problem *p)
{
    return p->file->value;
}

static int has_name(const char *const *names, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 1;
    return 0;
}

static int is_target(const rls2_dataset_options *options, const char *name)
{
    return (options->target && strcmp(options->target, name) == 0) ||
           has_name(options->targets, options->target_count, name);
}

static void add_drop(problem *p, const char *name)
{
    rls2_dataset_options *options = &p->recipe.data;
    if (!name || has_name(p->drop, options->drop_count, name)) return;
    p->drop[options->drop_count++] = name;
}

static void set_targets(problem *p)
{
    const char *const *names = p->asked.target.items;
    rls2_dataset_options *options = &p->recipe.data;
    int64_t count = p->asked.target.count;
    if (count == 0) count = rls2_table_targets(file_of(p), &names);
    if (count == 1) options->target = names[0];
    if (count > 1) {
        options->targets = names;
        options->target_count = count;
    }
}

/* Of y1, y2, ... those that are not asked for are no inputs for the one that is. */
static void drop_other_targets(problem *p)
{
    const char *const *names;
    int64_t count = rls2_table_targets(file_of(p), &names), wanted = 0;
    for (int64_t t = 0; t < count; t++) wanted += is_target(&p->recipe.data, names[t]);
    for (int64_t t = 0; t < count && wanted > 0; t++)
        if (!is_target(&p->recipe.data, names[t])) add_drop(p, names[t]);
}

static const char *missing_name(const problem *p, const texts *names)
{
    for (int64_t i = 0; i < names->count; i++)
        if (rls2_table_find(file_of(p), names->items[i]) < 0) return names->items[i];
    return NULL;
}

/* In the order of the command: what is dropped stands in the model. */
static int set_drop(problem *p, fault *f)
{
    const asked *a = &p->asked;
    const char *const *names;
    int64_t targets = rls2_table_targets(file_of(p), &names);
    p->drop = calloc((size_t)(a->drop.count + targets + 4), sizeof *p->drop);
    if (!p->drop) return fault_memory(f);
    int known = missing_name(p, &a->drop) ==
                NULL; /* else the library says so, and one by one is too slow for many */
    for (int64_t i = 0; i < a->drop.count; i++) {
        if (known)
            add_drop(p, a->drop.items[i]);
        else
            p->drop[p->recipe.data.drop_count++] = a->drop.items[i];
    }
    if (is(a->test.kind, "column")) add_drop(p, a->test.column);
    if (is(a->splits.kind, "validation")) add_drop(p, a->splits.column);
    if (is(a->splits.kind, "column")) add_drop(p, a->splits.column);
    add_drop(p, rls2_table_marker(file_of(p)));
    drop_other_targets(p);
    p->recipe.data.drop = p->drop;
    return 0;
}

/* A text target, or two different numbers, are classes. */
static int infer_classes(const problem *p)
{
    const rls2_dataset_options *options = &p->recipe.data;
    int64_t column = options->target ? rls2_table_find(p->train, options->target) : -1;
    if (options->targets || strcmp(p->asked.task, "regression") == 0) return 0;
    if (strcmp(p->asked.task, "classification") == 0) return 1;
    if (column < 0 || !rls2_table_is_numeric(p->train, column))
        return -1; /* the library tells texts from slips */
    return rls2_table_distinct(p->train, column, 3) == 2;
}

/* Which of the settings the library's complaint is about. */
static const char *field_of(const problem *p, const rls2_error *err)
{
    if (err->status == RLS2_ERR_MEMORY) return NULL;
    if (missing_name(p, &p->asked.target)) return "target";
    if (missing_name(p, &p->asked.drop)) return "drop";
    if (missing_name(p, &p->asked.categorical)) return "categorical";
    if (p->asked.weights &&
        (rls2_table_find(file_of(p), p->asked.weights) < 0 || strstr(err->message, "weight")))
        return "weights";
    if (strstr(err->message, "class") || strstr(err->message, "target")) return "target";
    return err->status == RLS2_ERR_VALUE ? "data" : "target";
}

static int make_data(problem *p, fault *f)
{
    rls2_error err;
    rls2_dataset_options *options = &p->recipe.data;
    options->weight = p->asked.weights;
    options->categorical = p->asked.categorical.items;
    options->categorical_count = p->asked.categorical.count;
    options->reference = p->asked.reference;
    options->drop_missing = strcmp(p->asked.missing, "error") != 0;
    options->classify = infer_classes(p);
    if (rls2_dataset_create(p->train, options, &p->data, &err) != RLS2_OK)
        return fault_of(f, field_of(p, &err), &err);
    if (rls2_dataset_columns(p->data) == 0)
        return fault_say(f, HTTP_BAD, "drop", "there are no inputs beside the target");
    return 0;
}

static int set_columns(problem *p, fault *f)
{
    set_targets(p);
    if (!p->recipe.data.target && !p->recipe.data.targets)
        return fault_say(f, HTTP_BAD, "target", "target: which column is to be predicted?");
    if (p->recipe.data.targets && strcmp(p->asked.task, "classification") == 0)
        return fault_say(f, HTTP_BAD, "task",
                         "classification takes one target, and there are %" PRId64,
                         p->recipe.data.target_count);
    int code = set_drop(p, f);
    return code ? code : make_data(p, f);
}

/* ---- test and validation rows ---- */

static int check_test(problem *p, fault *f)
{
    rls2_error err;
    rls2_dataset *made = NULL;
    const char *field = is(p->asked.test.kind, "data") ? "test.data" : "test";
    if (!p->test) {
        if (!p->asked.transductive && !p->asked.transductive_features) return 0;
        return fault_say(f, HTTP_BAD,
                         p->asked.transductive ? "transductive" : "transductive_features",
                         "transductive uses the inputs of the test rows, and there are none");
    }
    if (rls2_dataset_create_like(p->test, p->data, &made, &err) != RLS2_OK)
        return fault_of(f, field, &err);
    int has_target = rls2_dataset_y(made) != NULL;
    rls2_dataset_free(made);
    if (has_target) return 0;
    return fault_say(f, HTTP_BAD, field,
                     "the test rows have no column '%s', so they cannot be scored",
                     p->recipe.data.target ? p->recipe.data.target : p->recipe.data.targets[0]);
}

/* A class that only validation rows have cannot be learned. */
static int check_choosing(problem *p, fault *f)
{
    rls2_error err;
    if (!p->choosing) return 0;
    const char *field = p->asked.splits.data ? "splits.data" : "splits";
    if (rls2_dataset_create(p->choosing, &p->recipe.data, &p->choosing_data, &err) != RLS2_OK)
        return fault_of(f, field, &err);
    if (rls2_dataset_class_count(p->choosing_data) > rls2_dataset_class_count(p->data))
        return fault_say(f, HTTP_BAD, field,
                         "a class of the validation rows is not among the training rows");
    return 0;
}

/* ---- the recipe ---- */

static rls2_normalize normalize_of(const char *name)
{
    if (strcmp(name, "center") == 0) return RLS2_NORMALIZE_CENTER;
    if (strcmp(name, "standardize") == 0) return RLS2_NORMALIZE_STANDARDIZE;
    if (strcmp(name, "unit") == 0) return RLS2_NORMALIZE_UNIT;
    return RLS2_NORMALIZE_NONE;
}

static rls2_scaling scaling_of(const char *name)
{
    if (strcmp(name, "none") == 0) return RLS2_SCALING_NONE;
    if (strcmp(name, "fisher") == 0) return RLS2_SCALING_FISHER;
    if (strcmp(name, "fisher-sqrt") == 0) return RLS2_SCALING_FISHER_SQRT;
    return RLS2_SCALING_TRACE;
}

static rls2_intercept intercept_of(const char *name)
{
    if (strcmp(name, "mean") == 0) return RLS2_INTERCEPT_MEAN;
    return strcmp(name, "none") == 0 ? RLS2_INTERCEPT_NONE : RLS2_INTERCEPT_AUTO;
}

static void set_recipe(problem *p)
{
    const asked *a = &p->asked;
    rls2_recipe *recipe = &p->recipe;
    recipe->preprocessing.features = normalize_of(a->features);
    recipe->preprocessing.examples = normalize_of(a->examples);
    recipe->kernels = a->kernels                                     ? a->kernels
                      : rls2_dataset_columns(p->data) > MANY_COLUMNS ? "linear"
                                                                     : "paper";
    recipe->class_weights = a->class_weights;
    recipe->group_count = a->group_names.count;
    recipe->group_names = a->group_names.items;
    recipe->group_columns = a->group_columns.items;
    recipe->basis.scaling = scaling_of(a->scaling);
    recipe->basis.center = a->center;
    recipe->basis.skip_degenerate = 1;
    recipe->path.solver = is(a->solver, "alternate") ? RLS2_SOLVER_ALTERNATE : RLS2_SOLVER_NEWTON;
    recipe->path.intercept = intercept_of(a->intercept);
    recipe->path.gap_tol = a->gap_tol;
    recipe->path.delta = a->delta;
    recipe->path.max_iter = a->max_iter;
    recipe->path.degrees_of_freedom = 1;
    if (a->lambdas) {
        recipe->lambdas = a->lambdas;
        recipe->lambda_count = a->lambda_count;
    }
}

static int fill_group(const problem *p, int64_t g, rls2_group *group, int64_t *columns, fault *f)
{
    const char *const *names = rls2_dataset_names(p->data);
    *group = (rls2_group){.name = p->asked.group_names.items[g], .columns = columns};
    for (int64_t j = 0; j < rls2_dataset_columns(p->data); j++)
        if (rls2_group_has(p->asked.group_columns.items[g], names[j])) columns[group->count++] = j;
    if (group->count > 0) return 0;
    return fault_say(f, HTTP_BAD, "groups", "groups: no input is called '%.60s'",
                     p->asked.group_columns.items[g]);
}

/* What is wrong with the dictionary is said of the whole data, with the place in the text. */
static int make_dictionary(problem *p, fault *f)
{
    rls2_error err;
    int code = 0;
    int64_t columns = rls2_dataset_columns(p->data), count = p->asked.group_names.count;
    rls2_group *groups = calloc((size_t)count + 1, sizeof *groups);
    int64_t *members = calloc((size_t)(count * columns) + 1, sizeof *members);
    if (!groups || !members) code = fault_memory(f);
    for (int64_t g = 0; !code && g < count; g++)
        code = fill_group(p, g, &groups[g], members + g * columns, f);
    rls2_columns all = {.count = columns,
                        .names = rls2_dataset_names(p->data),
                        .group_count = count,
                        .groups = groups};
    if (!code && rls2_dictionary_create(p->recipe.kernels, &all, &p->dictionary, &err) != RLS2_OK)
        code = fault_of(f, "kernels", &err);
    free(groups);
    free(members);
    return code;
}

static int check_weights(const problem *p, fault *f)
{
    rls2_error err;
    if (!p->asked.class_weights) return 0;
    double *w = calloc((size_t)rls2_dataset_rows(p->data) + 1, sizeof *w);
    if (!w) return fault_memory(f);
    rls2_status status = rls2_dataset_fit_weights(p->data, p->asked.class_weights, w, &err);
    free(w);
    return status == RLS2_OK ? 0 : fault_of(f, "class_weights", &err);
}

static rls2_measure measure_for(const problem *p)
{
    if (problem_is_classification(p)) return RLS2_MEASURE_ACCURACY;
    return problem_outputs(p) > 1 ? RLS2_MEASURE_R2 : RLS2_MEASURE_RMSE;
}

static int set_measure(problem *p, fault *f)
{
    rls2_error err;
    int classes = problem_is_classification(p);
    p->measure = measure_for(p);
    if (!p->asked.measure) return 0;
    if (rls2_measure_find(p->asked.measure, &p->measure, &err) != RLS2_OK)
        return fault_of(f, "measure", &err);
    if (rls2_measure_is_for_classes(p->measure) == classes) return 0;
    return fault_say(f, HTTP_BAD, "measure", "measure %s is for %s", p->asked.measure,
                     classes ? "regression" : "classification");
}

static int check_scaling(const problem *p, fault *f)
{
    rls2_scaling rule = p->recipe.basis.scaling;
    if (problem_is_classification(p) ||
        (rule != RLS2_SCALING_FISHER && rule != RLS2_SCALING_FISHER_SQRT))
        return 0;
    return fault_say(f, HTTP_BAD, "scaling", "scaling %s needs classes, and the task is regression",
                     p->asked.scaling);
}

/* ---- all of it ---- */

int problem_make(state *s, json_t *settings, problem *p, fault *f)
{
    *p = (problem){.state = s, .recipe = rls2_recipe_default()};
    int code = asked_read(settings, &p->asked, f);
    if (!code) code = state_table(s, "data", p->asked.data, &p->file, f);
    if (!code && rls2_table_is_precomputed(file_of(p)))
        code = fault_say(
            f, HTTP_BAD, "data",
            "this file holds a kernel matrix: 'rls2 train' learns from it, the page does not");
    if (!code) code = rows_divide(p, f);
    if (!code) code = set_columns(p, f);
    if (!code) set_recipe(p);
    if (!code) code = check_scaling(p, f);
    if (!code) code = check_weights(p, f);
    if (!code) code = check_test(p, f);
    if (!code) code = check_choosing(p, f);
    if (!code) code = make_dictionary(p, f);
    if (!code) code = set_measure(p, f);
    return code;
}

int64_t problem_outputs(const problem *p)
{
    return rls2_dataset_outputs(p->data);
}

int problem_is_classification(const problem *p)
{
    return rls2_dataset_is_classification(p->data);
}

json_t *problem_notes(const problem *p)
{
    json_t *notes = json_array();
    int64_t dropped = rls2_dataset_dropped(p->data), folds = p->asked.splits.folds,
            rows = rls2_dataset_rows(p->data);
    if (dropped > 0)
        json_array_append_new(notes,
                              json_sprintf("%lld row%s not used: a cell is empty%s",
                                           (long long)dropped, dropped == 1 ? " is" : "s are",
                                           p->asked.weights ? ", or the weight is 0" : ""));
    if (!p->asked.kernels)
        json_array_append_new(notes, json_sprintf("kernels: %s, the default for %lld inputs",
                                                  p->recipe.kernels,
                                                  (long long)rls2_dataset_columns(p->data)));
    if (is(p->asked.splits.kind, "folds") && folds > rows)
        json_array_append_new(notes, json_sprintf("%lld folds, as there are no more rows than that",
                                                  (long long)rows));
    return notes;
}

const char *problem_part_column(const problem *p, char *name, size_t size)
{
    snprintf(name, size, "part");
    for (int i = 2; rls2_table_find(file_of(p), name) >= 0; i++) snprintf(name, size, "part_%d", i);
    return name;
}
