/* A plan carried out: kernels, path, cross-validation, choice, model.
 *
 * What is scored on left-out rows are points of paths, so the model is the point that the path over
 * the same values of lambda has at the one chosen. A path is, to the bit, the beginning of one that
 * goes further: where only a model is wanted it ends there. */
#include "plan/fit.h"
#include "plan/fit_grid.h"
#include "plan/fit_steps.h"
#include "plan/fit_work.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/many_rows.h"
#include "base/seconds.h"
#include "plan/fit_notes.h"
#include "plan/plan_df.h"
#include "plan/plan_forecast.h"
#include "plan/fit_stack.h"
#include "plan/plan_interval.h"
#include "plan/plan_stability.h"
#include "plan/fit_tall.h"
#include "select/cv.h"
#include "solver/outputs.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

typedef rls2__fit_work work;

rls2_status rls2__fit_end_stage(work *w, const char *stage, rls2_error *err)
{
    if (!w->control.stage_done || !w->control.stage_done(w->control.user, stage, w->fit))
        return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_CANCELLED, "stopped after the stage '%s'", stage);
}

/* ---- kernels ---- */

static void note_degenerate(rls2_plan *plan, const rls2_basis *basis)
{
    const double *scales = rls2_basis_scales(basis);
    int64_t zero = 0, first = -1;
    for (int64_t k = 0; k < rls2_basis_count(basis); k++)
        if (scales[k] == 0.0 && zero++ == 0) first = k;
    if (zero > 0)
        rls2__plan_say(plan,
                       "%s cannot be scaled (a constant input?) and will not be selected: "
                       "%.200s%s",
                       rls2__count_of(zero, "kernel").text,
                       rls2_dictionary_name(plan->ingredients.dictionary, first),
                       zero > 1 ? ", ..." : "");
}

static void note_recomputed(rls2_plan *plan, const rls2_basis *basis)
{
    int64_t m = rls2_basis_count(basis), recomputed = 0;
    for (int64_t k = 0; k < m; k++)
        recomputed += strcmp(rls2_basis_shape(basis, k), "recomputed") == 0;
    if (recomputed > 0)
        rls2__plan_say(plan,
                       "%" PRId64
                       " of %s do not fit in memory (%s%s) with the others and are recomputed "
                       "whenever they are needed, which takes longer",
                       recomputed, rls2__count_of(m, "kernel").text, NAME("memory"),
                       plan->asked.memory ? "" : ", half of the machine's");
}

static int has_bases(const rls2_fit *fit)
{
    return fit->made.basis != NULL;
}

static rls2_status make_bases(work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    if (has_bases(w->fit)) return RLS2_OK;
    double started = rls2__seconds();
    plan->ingredients.transductive = plan->asked.transductive;
    rls2_status status = rls2__fit_bases_of(&plan->ingredients, plan->train.data, plan->test.data,
                                            &plan->test_rows, &w->control, &w->fit->made, err);
    w->fit->seconds += rls2__seconds() - started;
    if (status != RLS2_OK) return status;
    note_degenerate(plan, w->fit->made.basis);
    note_recomputed(plan, w->fit->made.basis);
    return rls2__fit_end_stage(w, "kernels", err);
}

/* ---- degrees of freedom ---- */

static rls2_df df_of_model(const work *w)
{
    return rls2__plan_df_of_model(w->plan);
}

/* Of the point that is chosen, where its path went without. */
static rls2_status find_df(work *w, int64_t i, rls2_error *err)
{
    int wanted = df_of_model(w) != RLS2_DF_NONE && isnan(w->fit->points[i].df);
    return wanted ? rls2__fit_find_df(w, i, err) : RLS2_OK;
}

static int chooses_by_criterion(const rls2_plan *plan)
{
    return !plan->splits && isnan(plan->asked.lambda) && plan->asked.select != RLS2__SELECT_NONE;
}

/* A path for its own sake; down to a lambda that is given it is the way to a model. */
static rls2_df df_of_path(work *w)
{
    if (w->df != RLS2_DF_NONE) return w->df;
    if (!isnan(w->plan->asked.lambda) || w->plan->lambda_count == 1) return df_of_model(w);
    rls2__plan_note_df(w->plan);
    return RLS2_DF_NONE;
}

/* ---- the path ---- */

static rls2_status set_lambdas(work *w, int64_t count, const double *lambdas, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    double *own = rls2__alloc(count, sizeof *own);
    if (!own) return rls2__fail_memory(err, "the lambdas");
    memcpy(own, lambdas, (size_t)count * sizeof *own);
    rls2__free(fit->lambdas);
    fit->lambdas = own;
    fit->asked = count;
    return RLS2_OK;
}

static rls2_status find_grid(work *w, rls2_error *err)
{
    const rls2__fit *made = &w->fit->made;
    rls2_status status = rls2__lambda_range(
        made->outputs, made->bases, rls2_dataset_y(made->data), &w->plan->ingredients.recipe->path,
        w->plan->ingredients.recipe->losses, &w->fit->grid, err);
    return status == RLS2_OK ? rls2__grid_spread(w->fit, err) : status;
}

/* Those asked for, or those that suit the kernels. */
static rls2_status choose_lambdas(work *w, rls2_error *err)
{
    const rls2__recipe *recipe = w->plan->ingredients.recipe;
    rls2_fit *fit = w->fit;
    if (fit->lambdas) return RLS2_OK;
    if (recipe->lambdas) return set_lambdas(w, recipe->lambda_count, recipe->lambdas, err);
    if (rls2__plan_finds_lambdas(w->plan)) return find_grid(w, err);
    fit->lambdas = rls2__alloc(recipe->lambda_count, sizeof *fit->lambdas);
    fit->asked = recipe->lambda_count;
    if (!fit->lambdas) return rls2__fail_memory(err, "the lambdas");
    return rls2__fit_lambdas(recipe, &fit->made, fit->lambdas, err);
}

static void count_finished(rls2_fit *fit)
{
    fit->count = fit->asked;
    for (int64_t o = 0; o < fit->made.outputs; o++)
        if (rls2_path_count(fit->made.paths[o]) < fit->count)
            fit->count = rls2_path_count(fit->made.paths[o]);
}

/* Kernels that any output selects at point i. `seen` is room for all kernels, zero before and
 * after. */
static int64_t count_selected(const rls2__fit *made, int64_t i, unsigned char *seen)
{
    const int64_t *kernels;
    int64_t distinct = 0;
    for (int64_t o = 0; o < made->outputs; o++) {
        int64_t count = rls2_path_kernel_weights(made->paths[o], i, &kernels, NULL);
        for (int64_t t = 0; t < count; t++) {
            distinct += !seen[kernels[t]];
            seen[kernels[t]] = 1;
        }
    }
    for (int64_t o = 0; o < made->outputs; o++) {
        int64_t count = rls2_path_kernel_weights(made->paths[o], i, &kernels, NULL);
        for (int64_t t = 0; t < count; t++) seen[kernels[t]] = 0;
    }
    return distinct;
}

rls2_status rls2__fit_sum_up(rls2_fit *fit, rls2_error *err)
{
    count_finished(fit);
    rls2__free(fit->points);
    const rls2__fit *made = &fit->made;
    unsigned char *seen = rls2__alloc_zero(rls2_basis_count(made->basis), 1);
    fit->points = rls2__alloc_zero(fit->count, sizeof *fit->points);
    rls2_status status = seen && fit->points ? RLS2_OK : rls2__fail_memory(err, "the path");
    for (int64_t i = 0; i < fit->count && status == RLS2_OK; i++) {
        fit->points[i] = *rls2_path_at(made->paths[0], i);
        for (int64_t o = 1; o < made->outputs && made->paths[0]->sharing < 2; o++)
            rls2__point_add(&fit->points[i], rls2_path_at(made->paths[o], i));
        fit->points[i].selected = count_selected(made, i, seen);
    }
    rls2__free(seen);
    return status;
}

rls2_status rls2__fit_refuse_stopped(const rls2_fit *fit, rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_CANCELLED,
                      "stopped after %" PRId64 " of %" PRId64 " values of lambda", fit->count,
                      fit->asked);
}

static rls2_status make_path(work *w, rls2_df degrees_of_freedom, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    rls2__recipe recipe = *w->plan->ingredients.recipe;
    recipe.path.degrees_of_freedom = degrees_of_freedom;
    rls2_status status = make_bases(w, err);
    if (status == RLS2_OK) status = choose_lambdas(w, err);
    if (status != RLS2_OK) return status;
    double started = rls2__seconds();
    status = rls2__fit_paths(&recipe, fit->asked, fit->lambdas, &w->control, &fit->made, err);
    fit->seconds += rls2__seconds() - started;
    if (status != RLS2_OK) return status;
    status = rls2__fit_sum_up(fit, err);
    if (status == RLS2_OK && fit->count == 0) status = rls2__fit_refuse_stopped(fit, err);
    return status == RLS2_OK ? rls2__fit_end_stage(w, "path", err) : status;
}

/* On the grid as it is now. */
static rls2_status make_path_again(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    rls2__fit_drop_paths(&fit->made);
    rls2__free(fit->points);
    rls2__free(fit->criteria);
    fit->points = NULL;
    fit->criteria = NULL;
    fit->count = 0;
    rls2_status status = make_path(w, w->df, err);
    return status == RLS2_OK && fit->count < fit->asked ? rls2__fit_refuse_stopped(fit, err)
                                                        : status;
}

/* ---- cross-validation ---- */

/* With many rows a curve is as good at a loose gap. [MATH.md, V5] */
rls2__recipe rls2__fit_split_recipe(const rls2_plan *plan)
{
    rls2__recipe recipe = plan->choosing_recipe;
    rls2__recipe_resolve_like(&recipe, plan->ingredients.recipe);
    if (rls2_dataset_rows(rls2_plan_split_data(plan)) >= RLS2__MANY_ROWS)
        recipe.path.gap_tol = fmax(recipe.path.gap_tol, RLS2__SPLIT_GAP);
    return recipe;
}

/* Of the training rows, or of these and validation rows, which are other data. */
rls2_status rls2__fit_run_splits(work *w, const rls2__recipe *recipe, const rls2_splits *splits,
                                 int baselines, rls2_cv **cv, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    rls2__ingredients own = {0};
    const rls2__ingredients *from = &plan->ingredients;
    rls2__cv_options options = {.measure = plan->measure,
                                .baselines = baselines,
                                .stack = rls2__plan_stacks(plan),
                                .threads = w->control.threads,
                                .progress = w->control.progress,
                                .progress_user = w->control.user};
    rls2_status status = RLS2_OK;
    if (plan->choosing_data) {
        status = rls2__ingredients_create(recipe, plan->choosing_data, &own, err);
        from = &own;
    }
    if (status == RLS2_OK)
        status = rls2__cv_run(plan->choosing_data ? plan->choosing_table : plan->train.table, from,
                              recipe, splits, &options, RLS2__SHARING_WHERE_IT_PAYS, cv, err);
    rls2__ingredients_release(&own);
    return status;
}

rls2_status rls2__fit_check_curve(rls2_plan *plan, const rls2_cv *cv, rls2_error *err)
{
    if (rls2_cv_min(cv) < 0)
        return rls2__plan_refuse(
            plan, "measure", err, RLS2_ERR_VALUE,
            "the measure '%s' is not defined on any of the splits; %s %s is defined on single rows",
            rls2_measure_name(plan->measure), NAME("measure"),
            rls2_measure_is_for_classes(plan->measure) ? "accuracy" : "rmse");
    return RLS2_OK;
}

static void note_curve(rls2_plan *plan, const rls2_cv *cv)
{
    if (rls2_cv_is_pooled(cv))
        rls2__plan_say(plan,
                       "%s is that of all left-out rows together: the splits are too small for it",
                       rls2_measure_name(plan->measure));
    if (rls2_cv_unconverged(cv) > 0)
        rls2__plan_say(plan, "%s of the splits' paths did not reach the precision asked for",
                       rls2__count_of(rls2_cv_unconverged(cv), "point").text);
    rls2__grid_note(plan, cv, rls2_cv_min(cv), rls2_cv_count(cv));
}

rls2_status rls2__fit_end_curve(work *w, rls2_error *err)
{
    rls2_status status = rls2__fit_cover(w, err);
    if (status != RLS2_OK) return status;
    note_curve(w->plan, w->fit->cv);
    return rls2__fit_end_stage(w, "splits", err);
}

/* On values of lambda that are there already, or on the recipe's own. */
static rls2_status run_curve_once(work *w, rls2_error *err)
{
    rls2__recipe recipe = rls2__fit_split_recipe(w->plan);
    if (w->fit->lambdas) {
        recipe.lambdas = w->fit->lambdas;
        recipe.lambda_count = w->fit->asked;
    }
    rls2_cv_free(w->fit->cv);
    w->fit->cv = NULL;
    rls2_status status =
        rls2__fit_run_splits(w, &recipe, w->plan->splits, w->plan->baselines, &w->fit->cv, err);
    return status == RLS2_OK ? rls2__fit_check_curve(w->plan, w->fit->cv, err) : status;
}

/* While rows are left out the kernels of all rows are kept, unless they take more than a quarter of
 * the memory: then they are made again. */
static void spare_memory(work *w)
{
    if (rls2_basis_bytes(w->fit->made.basis) > rls2_plan_memory(w->plan) / 4)
        rls2__fit_release(&w->fit->made);
}

/* A grid that nobody asked for is that of the training rows, and is extended. */
static rls2_status run_curve(work *w, rls2_error *err)
{
    int finds = rls2__plan_finds_lambdas(w->plan), longer = 0;
    rls2_status status = RLS2_OK;
    if (finds && !w->fit->lambdas) {
        status = make_bases(w, err);
        if (status == RLS2_OK) status = choose_lambdas(w, err);
        if (status == RLS2_OK) spare_memory(w);
    }
    do {
        if (status == RLS2_OK) status = run_curve_once(w, err);
        longer = status == RLS2_OK && finds && rls2__curve_goes_on(w->fit->cv);
        if (longer) status = rls2__grid_extend(w->fit, &longer, err);
    } while (status == RLS2_OK && longer);
    if (status != RLS2_OK) return status;
    return rls2__fit_end_curve(w, err);
}

/* ---- the choice ---- */

static int64_t choice_on_curve(work *w)
{
    const rls2_cv *cv = w->fit->cv;
    if (w->plan->asked.rule != RLS2__RULE_1SE) return rls2_cv_min(cv);
    if (rls2_cv_splits(cv) == 1)
        rls2__plan_say(w->plan, "one split has no standard error: the best lambda is taken");
    return rls2_cv_1se(cv);
}

rls2_status rls2__fit_find_least(work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    const char *word = rls2_plan_get(plan, "select", 0);
    rls2_status status = rls2_fit_criteria(w->fit, &w->control, err);
    if (status != RLS2_OK) return status;
    w->fit->chosen = rls2_fit_least(w->fit, word);
    if (w->fit->chosen < 0)
        return rls2__plan_refuse(plan, "select", err, RLS2_ERR_VALUE,
                                 "%s %s: not defined for any lambda", NAME("select"), word);
    return RLS2_OK;
}

/* Of a path that is complete, and becomes longer where its grid may. */
static rls2_status choose_by_criterion(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    const char *word = rls2_plan_get(w->plan, "select", 0);
    int longer = rls2__plan_finds_lambdas(w->plan);
    rls2_status status = rls2__fit_find_least(w, err);
    while (status == RLS2_OK && longer && rls2__criterion_goes_on(fit, word, fit->chosen)) {
        status = rls2__grid_extend(fit, &longer, err);
        if (status == RLS2_OK && longer) status = make_path_again(w, err);
        if (status == RLS2_OK && longer) status = rls2__fit_find_least(w, err);
    }
    if (status == RLS2_OK) rls2__grid_note(w->plan, NULL, fit->chosen, fit->count);
    return status;
}

/* ---- goals, with many rows ---- */

static rls2_status run_steps(work *w, rls2_df degrees_of_freedom, rls2_error *err)
{
    rls2_status status = make_bases(w, err);
    if (status == RLS2_OK) status = choose_lambdas(w, err);
    return status == RLS2_OK ? rls2__fit_by_steps(w, degrees_of_freedom, err) : status;
}

/* What is below the point chosen is of no more use. */
static rls2_status fit_chosen_by_steps(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    rls2_status status = run_steps(w, RLS2_DF_NONE, err);
    if (status != RLS2_OK || !fit->cv) return status;
    int64_t chosen = choice_on_curve(w);
    status = find_df(w, chosen, err);
    fit->count = fit->asked = chosen + 1;
    return status;
}

/* ---- goals ---- */

static rls2_status fit_path(work *w, rls2_error *err)
{
    return make_path(w, df_of_path(w), err);
}

/* The path down to the lambda chosen on the curve. A grid of a given size is that of all rows that
 * are split: with validation rows the curve makes it. */
static rls2_status fit_chosen_on_curve(work *w, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    rls2_status status = RLS2_OK;
    if (rls2__fit_takes_rows(plan)) return fit_chosen_by_steps(w, err);
    if (!plan->choosing_data && !plan->ingredients.recipe->lambdas) {
        status = make_bases(w, err);
        if (status == RLS2_OK) status = choose_lambdas(w, err);
        if (status == RLS2_OK) spare_memory(w);
    }
    if (status == RLS2_OK) status = run_curve(w, err);
    if (status != RLS2_OK) return status;
    int64_t count = choice_on_curve(w) + 1;
    status = set_lambdas(w, count, w->fit->cv->lambdas, err);
    return status == RLS2_OK ? make_path(w, df_of_model(w), err) : status;
}

static rls2_status fit_model(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    int by_criterion = chooses_by_criterion(w->plan);
    rls2_status status = w->plan->splits ? fit_chosen_on_curve(w, err)
                                         : make_path(w, by_criterion ? w->df : df_of_model(w), err);
    if (status == RLS2_OK && fit->count < fit->asked) status = rls2__fit_refuse_stopped(fit, err);
    if (status != RLS2_OK) return status;
    if (by_criterion)
        status = choose_by_criterion(w, err);
    else
        fit->chosen = fit->count - 1;
    if (status == RLS2_OK) status = rls2__fit_make_stack(w, err);
    if (status == RLS2_OK) status = rls2__fit_calibrate(w, err);
    if (status == RLS2_OK) status = rls2__fit_find_stable(w, err);
    return status == RLS2_OK ? rls2_fit_model(fit, fit->chosen, &fit->model, err) : status;
}

/* The path on a grid that was extended for the curve, which is dropped with a path that is stopped.
 */
static rls2_status follow_curve(work *w, rls2_error *err)
{
    rls2_status status = make_path_again(w, err);
    if (status == RLS2_OK) return RLS2_OK;
    rls2_cv_free(w->fit->cv);
    w->fit->cv = NULL;
    return status;
}

/* The curve is on the lambdas of the path, where the grid is not that of more rows. A path that was
 * stopped has what is finished, and no curve. */
static rls2_status fit_all(work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    rls2_fit *fit = w->fit;
    rls2_status status = RLS2_OK;
    int steps = plan->splits && rls2__fit_takes_rows(plan);
    rls2_df df = chooses_by_criterion(plan) ? w->df : df_of_path(w);
    if (plan->splits && plan->choosing_data && !plan->ingredients.recipe->lambdas) {
        status = run_curve(w, err);
        if (status == RLS2_OK) status = set_lambdas(w, fit->cv->count, fit->cv->lambdas, err);
    }
    if (status == RLS2_OK) status = steps ? run_steps(w, df, err) : make_path(w, df, err);
    if (status != RLS2_OK || fit->count < fit->asked) return status;
    if (plan->splits && !fit->cv) status = run_curve(w, err);
    if (status == RLS2_OK && fit->count < fit->asked) status = follow_curve(w, err);
    if (status != RLS2_OK) return status;
    if (!isnan(plan->asked.lambda))
        fit->chosen = fit->count - 1;
    else if (fit->cv)
        fit->chosen = choice_on_curve(w);
    else if (plan->asked.select != RLS2__SELECT_NONE)
        status = choose_by_criterion(w, err);
    if (status == RLS2_OK && fit->chosen >= 0) status = find_df(w, fit->chosen, err);
    if (status == RLS2_OK) status = rls2__fit_make_stack(w, err);
    if (status == RLS2_OK) status = rls2__fit_calibrate(w, err);
    return status == RLS2_OK ? rls2__fit_find_stable(w, err) : status;
}

/* The curve was run along a path, which is not kept. */
static rls2_status run_curve_by_steps(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    rls2_status status = run_steps(w, RLS2_DF_NONE, err);
    if (status == RLS2_OK && !fit->cv) status = rls2__fit_refuse_stopped(fit, err);
    if (fit->made.paths) rls2__fit_drop_paths(&fit->made);
    rls2__free(fit->points);
    fit->points = NULL;
    fit->count = 0;
    return status;
}

static rls2_status fit_curve(work *w, rls2_error *err)
{
    rls2_status status =
        rls2__fit_takes_rows(w->plan) ? run_curve_by_steps(w, err) : run_curve(w, err);
    w->fit->asked = 0; /* of a path */
    if (status == RLS2_OK) w->fit->chosen = choice_on_curve(w);
    return status == RLS2_OK ? rls2__fit_find_stable(w, err) : status;
}

static rls2_status check_plan(const rls2_plan *plan, rls2_fit **fit, rls2_error *err)
{
    if (!plan) return rls2__fail_null(err, "plan");
    if (!fit) return rls2__fail_null(err, "fit");
    *fit = NULL;
    if (plan->state != RLS2__PLAN_COMPLETE)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the plan is not complete");
    if (plan->goal == RLS2_GOAL_KERNELS)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "a plan with the goal KERNELS has nothing to fit");
    return RLS2_OK;
}

rls2_status rls2_plan_fit(rls2_plan *plan, const rls2_control *control, rls2_fit **fit,
                          rls2_error *err)
{
    rls2__workload load;
    rls2_status status = check_plan(plan, fit, err);
    if (status != RLS2_OK) return status;
    plan->fault = NULL;
    status = rls2__plan_draw_splits(plan, err);
    if (status != RLS2_OK) return status;
    status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    status = rls2__plan_check_room(plan, &load, err);
    if (status != RLS2_OK) return status;
    work w = {.plan = plan,
              .control = rls2__control_of(control),
              .df = rls2__plan_df_of_path(plan, &load.outline)};
    w.fit = rls2__alloc_zero(1, sizeof *w.fit);
    if (!w.fit) return rls2__fail_memory(err, "the fit");
    w.fit->plan = plan;
    w.fit->chosen = -1;
    status = plan->is_tall                   ? rls2__fit_tall(&w, err)
             : plan->goal == RLS2_GOAL_CURVE ? fit_curve(&w, err)
             : plan->goal == RLS2_GOAL_PATH  ? fit_path(&w, err)
             : plan->goal == RLS2_GOAL_MODEL ? fit_model(&w, err)
                                             : fit_all(&w, err);
    if (status == RLS2_OK) rls2__fit_note(w.fit);
    if (status != RLS2_OK && w.fit->count == 0 && !w.fit->cv) {
        rls2_fit_free(w.fit);
        w.fit = NULL;
    }
    *fit = w.fit; /* also NULL: stage_done may have put what is now freed there */
    return status;
}
