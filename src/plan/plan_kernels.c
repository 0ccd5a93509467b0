/* Kernels: groups, the dictionary asked for or the default, and what is decided by it. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "dictionary/dictionary.h"
#include "plan/plan.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* ---- groups ---- */

static int has_column(const rls2_dataset *data, const char *piece)
{
    const char *const *names = rls2_dataset_names(data);
    for (int64_t j = 0; j < rls2_dataset_columns(data); j++)
        if (rls2_group_has(piece, names[j])) return 1;
    return 0;
}

static rls2_status check_pieces(rls2_plan *plan, const char *columns, rls2_error *err)
{
    char *rest = rls2__arena_text(plan->arena, columns, (int64_t)strlen(columns));
    if (!rest) return rls2__plan_memory_out(plan, err);
    for (char *piece = strsep(&rest, ","); piece; piece = strsep(&rest, ","))
        if (!has_column(plan->train.data, piece))
            return rls2__plan_refuse(plan, "group", err, RLS2_ERR_NAME,
                                     "%s: no input is called '%.100s'", NAME("group"), piece);
    return RLS2_OK;
}

/* NAME=COLUMN,COLUMN,... */
static rls2_status read_group(rls2_plan *plan, const char *item, int64_t g, rls2_error *err)
{
    const char *equals = strchr(item, '=');
    if (!equals || equals == item || equals[1] == '\0')
        return rls2__plan_refuse(plan, "group", err, RLS2_ERR_ARGUMENT,
                                 "%s '%.100s' should be NAME=COLUMN,COLUMN,...", NAME("group"),
                                 item);
    plan->group_names[g] = rls2__arena_text(plan->arena, item, equals - item);
    plan->group_columns[g] = equals + 1;
    if (!plan->group_names[g]) return rls2__plan_memory_out(plan, err);
    return check_pieces(plan, equals + 1, err);
}

static rls2_status read_groups(rls2_plan *plan, rls2_error *err)
{
    const rls2__texts *asked = &plan->asked.group;
    plan->group_names = rls2__alloc_zero(asked->count, sizeof(char *));
    plan->group_columns = rls2__alloc_zero(asked->count, sizeof(char *));
    rls2_status status =
        plan->group_names && plan->group_columns ? RLS2_OK : rls2__plan_memory_out(plan, err);
    for (int64_t g = 0; g < asked->count && status == RLS2_OK; g++)
        status = read_group(plan, asked->items[g], g, err);
    return status;
}

/* ---- the text ---- */

/* Several texts are terms of one dictionary; then a term for each matrix where `given` is 1. */
static char *join_terms(rls2_plan *plan, const rls2__texts *terms, int given)
{
    int64_t size = 1, used = 0;
    for (int64_t i = 0; i < terms->count; i++) size += (int64_t)strlen(terms->items[i]) + 2;
    for (int64_t g = 0; given && g < plan->matrix_count; g++)
        size += (int64_t)strlen(plan->matrices[g].name) + 16;
    char *text = rls2__arena_alloc(plan->arena, size);
    for (int64_t i = 0; text && i < terms->count; i++)
        used += snprintf(text + used, (size_t)(size - used), "%s%s", used > 0 ? "; " : "",
                         terms->items[i]);
    for (int64_t g = 0; text && given && g < plan->matrix_count; g++)
        used += snprintf(text + used, (size_t)(size - used), "%sgiven(\"%s\")",
                         used > 0 ? "; " : "", plan->matrices[g].name);
    return text;
}

static char *default_text(rls2_plan *plan)
{
    const char *text = rls2__plan_default_dictionary(plan);
    return text ? join_terms(plan, &(rls2__texts){&text, *text != '\0'}, 1) : NULL;
}

/* ---- the recipe ---- */

static void set_recipe(rls2_plan *plan)
{
    const rls2__wishes *a = &plan->asked;
    rls2__recipe *recipe = &plan->recipe;
    recipe->class_weights = a->class_weights;
    recipe->group_count = a->group.count;
    recipe->group_names = plan->group_names;
    recipe->group_columns = plan->group_columns;
    recipe->given_count = plan->matrix_count;
    recipe->given_names = plan->given_names;
    recipe->given = plan->given;
    recipe->basis.scaling = (rls2_scaling)a->scaling;
    recipe->basis.center = a->center;
    recipe->basis.skip_degenerate = 1;
    recipe->basis.rank_tol = a->rank_tol;
    recipe->basis.memory = rls2_plan_memory(plan);
    recipe->path.solver = (rls2_solver)a->solver;
    recipe->path.intercept = (rls2_intercept)(a->intercept - 1); /* auto|none|mean|free from -1 */
    recipe->path.loss = plan->loss;
    recipe->losses = plan->loss_count > 1 ? plan->losses : NULL;
    recipe->path.shared_weights = a->outputs == RLS2__OUTPUTS_SHARED;
    recipe->path.gap_tol = a->gap_tol;
    recipe->path.delta = a->delta;
    recipe->path.max_iter = a->max_iter;
    if (a->memory && recipe->basis.memory < recipe->path.memory)
        recipe->path.memory = recipe->basis.memory;
    if (plan->lambda_count > 0 || a->lambda_count > 0)
        recipe->lambda_count = plan->lambda_count > 0 ? plan->lambda_count : a->lambda_count;
    recipe->lambdas = plan->lambda_count > 0 ? plan->lambdas : NULL;
    if (!isnan(a->lambda_ratio)) recipe->ratio = a->lambda_ratio;
}

static void set_choosing_recipe(rls2_plan *plan)
{
    plan->choosing_recipe = plan->recipe;
    plan->choosing_recipe.given = plan->choosing_given;
    plan->choosing_recipe.basis.memory = rls2__plan_split_memory(plan);
}

/* ---- checks ---- */

static rls2_status check_inputs(rls2_plan *plan, rls2_error *err)
{
    if (rls2_dataset_columns(plan->train.data) > 0 || plan->matrix_count > 0) return RLS2_OK;
    return rls2__plan_refuse(plan, "drop", err, RLS2_ERR_VALUE,
                             "there are no inputs beside the target");
}

static rls2_status check_scaling(rls2_plan *plan, rls2_error *err)
{
    rls2_scaling rule = plan->recipe.basis.scaling;
    if (rls2_dataset_is_classification(plan->train.data) || plan->goal == RLS2_GOAL_KERNELS ||
        (rule != RLS2_SCALING_FISHER && rule != RLS2_SCALING_FISHER_SQRT))
        return RLS2_OK;
    return rls2__plan_refuse(plan, "scaling", err, RLS2_ERR_ARGUMENT,
                             "%s %s needs classes, and the task is regression", NAME("scaling"),
                             rls2_plan_get(plan, "scaling", 0));
}

/* "Balanced", "balance": a slip, and no list of labels. */
static int is_nearly_balanced(const char *text)
{
    char word[16] = "";
    for (size_t i = 0; text[i] && i + 1 < sizeof word; i++)
        word[i] = (char)tolower((unsigned char)text[i]);
    rls2__suggestion near = rls2__suggestion_start(word, (int64_t)strlen(word));
    rls2__suggestion_try(&near, "balanced");
    return strcmp(text, "balanced") != 0 && !strchr(text, '=') && near.best;
}

static rls2_status check_class_weights(rls2_plan *plan, rls2_error *err)
{
    static const char PREFIX[] = "class weights: "; /* the setting says the same */
    rls2_error own = {0};
    const char *asked = plan->asked.class_weights;
    if (!asked) return RLS2_OK;
    double *w = rls2__alloc(rls2_dataset_rows(plan->train.data), sizeof *w);
    if (!w) return rls2__plan_memory_out(plan, err);
    rls2_status status = rls2_dataset_fit_weights(plan->train.data, asked, w, &own);
    rls2__free(w);
    if (status == RLS2_OK) return RLS2_OK;
    const char *message = own.message;
    if (strncmp(message, PREFIX, sizeof PREFIX - 1) == 0) message += sizeof PREFIX - 1;
    return rls2__plan_refuse(plan, "class-weights", err, status, "%s: %s%s", NAME("class-weights"),
                             message,
                             is_nearly_balanced(asked) ? "; did you mean 'balanced'?" : "");
}

/* A matrix that no kernel uses may have been meant to be used. */
static void note_unused_matrices(rls2_plan *plan)
{
    const rls2_dictionary *dictionary = plan->ingredients.dictionary;
    for (int64_t g = 0; g < plan->matrix_count; g++) {
        int used = 0;
        for (int64_t k = 0; k < dictionary->m && !used; k++)
            used = dictionary->kernels[k].kind == RLS2__KERNEL_GIVEN &&
                   dictionary->kernels[k].given == g;
        if (!used)
            rls2__plan_say(plan, "the matrix '%.80s' is not used: add given(%.80s) to %s",
                           plan->matrices[g].name, plan->matrices[g].name, NAME("kernels"));
    }
}

/* ---- the measure ---- */

static rls2_status refuse_measure(rls2_plan *plan, rls2_error *err)
{
    char loss[40];
    const char *needed = plan->measure == RLS2_MEASURE_PINBALL    ? "quantile(A)"
                         : plan->measure == RLS2_MEASURE_DEVIANCE ? "poisson"
                                                                  : "logistic";
    return rls2__plan_refuse(plan, "measure", err, RLS2_ERR_ARGUMENT,
                             "%s %s needs %s %s, and it is %s", NAME("measure"),
                             rls2_measure_name(plan->measure), NAME("loss"), needed,
                             rls2_loss_text(plan->loss, loss, sizeof loss));
}

static rls2_status find_measure(rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    int classes = rls2_dataset_is_classification(data);
    plan->measure = (rls2_measure)(plan->asked.measure - 1); /* auto is -1 */
    if (plan->measure == RLS2_MEASURE_AUTO)
        plan->measure = rls2_measure_default_for(plan->loss, classes, rls2_dataset_outputs(data));
    if (rls2_measure_is_for_classes(plan->measure) == classes)
        return rls2_measure_fits(plan->measure, plan->loss) ? RLS2_OK : refuse_measure(plan, err);
    return rls2__plan_refuse(plan, "measure", err, RLS2_ERR_ARGUMENT, "%s %s is for %s",
                             NAME("measure"), rls2_plan_get(plan, "measure", 0),
                             classes ? "regression" : "classification");
}

/* What was decided where nobody said so. */
static void note_defaults(rls2_plan *plan)
{
    static const char *const RULES[] = {"none", "mean", "free"};
    const rls2__recipe *resolved = plan->ingredients.recipe;
    if (plan->recipe.path.intercept == RLS2_INTERCEPT_AUTO)
        rls2__plan_say(plan, "intercept: %s, the default%s", RULES[resolved->path.intercept],
                       resolved->preprocessing.features != plan->recipe.preprocessing.features
                           ? "; columns are centred for it"
                           : "");
    if (plan->asked.measure == 0 && rls2__plan_leaves_rows_out(plan))
        rls2__plan_say(plan, "measure: %s, the default", rls2_measure_name(plan->measure));
}

/* ---- all of it ---- */

rls2_status rls2__plan_make_kernels(rls2_plan *plan, rls2_error *err)
{
    rls2_status status = rls2__plan_settle_loss(plan, err);
    if (status == RLS2_OK) status = check_class_weights(plan, err);
    if (status == RLS2_OK) status = check_inputs(plan, err);
    if (status == RLS2_OK) status = read_groups(plan, err);
    if (status != RLS2_OK) return status;
    plan->recipe.kernels = plan->asked.kernels.count > 0 ? join_terms(plan, &plan->asked.kernels, 0)
                                                         : default_text(plan);
    if (!plan->recipe.kernels) return rls2__plan_memory_out(plan, err);
    set_recipe(plan);
    set_choosing_recipe(plan);
    status = check_scaling(plan, err);
    if (status == RLS2_OK)
        status = rls2__plan_blame(
            plan, "kernels",
            rls2__ingredients_create(&plan->recipe, plan->train.data, &plan->ingredients, err));
    if (status == RLS2_OK) note_unused_matrices(plan);
    if (status != RLS2_OK || plan->goal == RLS2_GOAL_KERNELS) return status;
    status = find_measure(plan, err);
    if (status == RLS2_OK) note_defaults(plan);
    return status;
}
