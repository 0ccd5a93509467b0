/* Counts rows, follows the path on virtual rows, leaves parts out, and chooses. */
#include "plan/fit_tall.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/crew.h"
#include "base/seconds.h"
#include "la/threads.h"
#include "plan/fit_grid.h"
#include "plan/plan_df.h"
#include "plan/plan_source.h"
#include "select/splits.h"
#include "table/table.h"

typedef rls2__fit_work work;

void rls2__tall_free(rls2__tall *tall)
{
    if (!tall) return;
    rls2__tall_fit_release(&tall->whole);
    if (tall->stats) {
        rls2__stats_free(tall->stats);
    } else if (!tall->borrows) {
        rls2__counts_free(tall->counts);
        rls2__features_free(tall->features);
        rls2__axes_free(tall->axes);
    }
    rls2__free(tall->part);
    rls2__free(tall);
}

/* ---- counting ---- */

static rls2_status find_parts(const rls2_plan *plan, rls2__tall *tall, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(plan->train.data), count = rls2_splits_count(plan->splits);
    if (!plan->splits) return RLS2_OK;
    tall->part = rls2__alloc(n, sizeof *tall->part);
    if (!tall->part) return rls2__fail_memory(err, "the parts of the rows");
    for (int64_t i = 0; i < n; i++) tall->part[i] = (int32_t)count;
    for (int64_t s = 0; s < count; s++) {
        const int64_t *rows;
        int64_t left_out = rls2_splits_validation(plan->splits, s, &rows);
        for (int64_t t = 0; t < left_out; t++) tall->part[rows[t]] = (int32_t)s;
    }
    return RLS2_OK;
}

/* Of each output; NULL when out of memory. */
static rls2__units *find_units(const rls2_dataset *data, const double *weights)
{
    int64_t outputs = rls2_dataset_outputs(data);
    rls2__units *units = rls2__alloc(outputs, sizeof *units);
    double heaviest = 0.0;
    for (int64_t i = 0; weights && i < data->rows; i++) heaviest = fmax(heaviest, weights[i]);
    for (int64_t o = 0; units && o < outputs; o++) {
        const double *y = data->y + o * data->rows;
        double least = INFINITY, most = -INFINITY;
        for (int64_t i = 0; i < data->rows; i++) {
            least = fmin(least, y[i]);
            most = fmax(most, y[i]);
        }
        units[o] = rls2__units_of(least, most, heaviest);
    }
    return units;
}

static rls2_status count_rows(work *w, rls2__effort *effort, const double *weights, rls2_error *err)
{
    const rls2_dataset *data = w->plan->train.data;
    rls2__tall *tall = w->fit->tall;
    int64_t parts = rls2__plan_split_count(w->plan) + 1;
    const rls2__counted_rows rows = {
        .rows = data->rows, .x = data->x, .y = data->y, .weights = weights, .part = tall->part};
    rls2__units *units = find_units(data, weights);
    rls2_status status = units ? RLS2_OK : RLS2_ERR_MEMORY;
    if (status == RLS2_OK)
        status = rls2__counts_create(tall->axes, parts, rls2_dataset_outputs(data), weights != NULL,
                                     units, &tall->counts);
    rls2__free(units);
    if (status == RLS2_OK) status = rls2__counts_take_features(tall->features, tall->counts);
    rls2__effort_expect(effort, data->rows);
    if (status == RLS2_OK) status = rls2__counts_add(effort, &rows, tall->counts);
    return rls2__explain(status, "the counts of the rows", err);
}

static rls2_status find_axes(work *w, rls2__effort *effort, rls2_error *err)
{
    rls2__tall *tall = w->fit->tall;
    const rls2__axes_from from = {.rows = w->plan->train.data};
    rls2_status status = rls2__axes_create(effort, &from, rls2__fineness_default(), &tall->axes);
    return rls2__explain(status, "the points of the columns", err);
}

void rls2__tall_note_features(rls2_plan *plan, const rls2__axes *axes,
                              const rls2__features *features)
{
    const rls2_dictionary *dictionary = plan->ingredients.dictionary;
    int64_t left_out = 0, kept = 0, first = -1;
    for (int64_t k = 0; k < dictionary->m; k++) {
        if (rls2__kernel_has_axes(axes, &dictionary->kernels[k])) continue;
        if (rls2__features_of(features, k)) {
            if (kept++ == 0) first = k;
        } else {
            left_out++;
        }
    }
    if (kept > 0)
        rls2__plan_say(plan,
                       "%s of several columns (%.100s%s) on %" PRId64 " Nystroem points; %" PRId64
                       " left out, for which a sample of the rows has no use",
                       rls2__count_of(kept, "kernel").text, dictionary->kernels[first].name,
                       kept > 1 ? ", ..." : "", features->total, left_out);
    else if (left_out > 0)
        rls2__plan_say(plan,
                       "%s of several columns left out: a sample of the rows has no use for them",
                       rls2__count_of(left_out, "kernel").text);
}

rls2_status rls2__tall_fail_weight(const rls2_table *table, int64_t row, double weight,
                                   rls2_error *err)
{
    return rls2__fail(err, RLS2_ERR_VALUE, "%s: the weight %g is not between %g and %g",
                      rls2__table_place(table, row).text, weight, RLS2__LEAST_WEIGHT,
                      RLS2__MOST_WEIGHT);
}

static rls2_status check_weights(const rls2_plan *plan, const double *weights, rls2_error *err)
{
    const rls2_dataset *data = plan->train.data;
    for (int64_t i = 0; weights && i < data->rows; i++)
        if (weights[i] < RLS2__LEAST_WEIGHT || weights[i] > RLS2__MOST_WEIGHT)
            return rls2__tall_fail_weight(plan->train.table, data->source[i], weights[i], err);
    return RLS2_OK;
}

static rls2_status count_memory(work *w, rls2__effort *effort, rls2_error *err)
{
    rls2__tall *tall = w->fit->tall;
    double *weights = NULL;
    rls2_status status = find_parts(w->plan, tall, err);
    if (status == RLS2_OK)
        status = rls2__fit_weights(w->plan->ingredients.recipe, w->plan->train.data, &weights, err);
    if (status == RLS2_OK) status = check_weights(w->plan, weights, err);
    if (status == RLS2_OK) status = find_axes(w, effort, err);
    if (status == RLS2_OK)
        status = rls2__tall_pilot(w->plan, effort, tall->axes, &tall->features, err);
    if (status == RLS2_OK) rls2__tall_note_features(w->plan, tall->axes, tall->features);
    if (status == RLS2_OK) status = count_rows(w, effort, weights, err);
    rls2__free(weights);
    return status;
}

/* Rows that are not in memory. */
static rls2_status count_source(work *w, rls2__effort *effort, rls2_error *err)
{
    rls2__tall *tall = w->fit->tall;
    const rls2_stats *stats = w->plan->source->stats;
    rls2_status status = RLS2_OK;
    if (!stats) status = rls2__source_count(w->plan, effort, 0, &tall->stats, err);
    if (status != RLS2_OK) return status;
    tall->borrows = stats != NULL;
    if (!stats) stats = tall->stats;
    tall->axes = stats->axes;
    tall->features = stats->features;
    tall->counts = stats->counts;
    if (tall->borrows) rls2__tall_note_features(w->plan, tall->axes, tall->features);
    return RLS2_OK;
}

/* Counts, and the kernels of all rows. */
static rls2_status prepare(work *w, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    rls2_fit *fit = w->fit;
    rls2__effort effort;
    double started = rls2__seconds();
    rls2_control control = w->control;
    fit->tall = rls2__alloc_zero(1, sizeof *fit->tall);
    if (!fit->tall) return rls2__fail_memory(err, "the counts of the rows");
    control.threads = rls2__thread_count(control.threads);
    rls2_status status = rls2__la_enter_team(&control.threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort_begin(&control, "kernels", 1, &effort);
    status = plan->source ? count_source(w, &effort, err) : count_memory(w, &effort, err);
    fit->tall->from = (rls2__tall_from){.counts = fit->tall->counts,
                                        .dictionary = plan->ingredients.dictionary,
                                        .basis = &plan->ingredients.recipe->basis,
                                        .intercept = plan->ingredients.recipe->path.intercept};
    if (status == RLS2_OK)
        status = rls2__tall_fit_create(&effort, &fit->tall->from, -1, &fit->tall->whole, err);
    rls2__la_leave();
    fit->seconds += rls2__seconds() - started;
    return status == RLS2_OK ? rls2__fit_end_stage(w, "kernels", err) : status;
}

/* ---- the path ---- */

/* The paths are the tall fit's; others look at them by way of `made`. */
static void lend(rls2_fit *fit)
{
    rls2__tall_fit *whole = &fit->tall->whole;
    fit->made.data = fit->plan->train.data;
    fit->made.test = fit->plan->test.data;
    fit->made.test_rows = fit->plan->test_rows;
    fit->made.borrows_data = 1;
    fit->made.rows = (rls2_rows){
        .n = fit->made.data->rows, .p = fit->made.data->columns, .x = fit->made.data->x};
    fit->made.outputs = whole->outputs;
    fit->made.basis = whole->basis;
    fit->made.bases = whole->bases;
    fit->made.paths = whole->paths;
}

static rls2_status find_lambdas(work *w, rls2_error *err)
{
    const rls2__recipe *recipe = w->plan->ingredients.recipe;
    rls2_fit *fit = w->fit;
    const rls2__tall_fit *whole = &fit->tall->whole;
    int64_t count = recipe->lambda_count;
    if (rls2__plan_finds_lambdas(w->plan) && !recipe->lambdas) {
        rls2_path_options options;
        rls2_path_options_init(&options, sizeof options);
        options.intercept = RLS2_INTERCEPT_NONE;
        rls2_status status = rls2__lambda_range(whole->outputs, whole->bases, whole->y, &options,
                                                NULL, &fit->grid, err);
        return status == RLS2_OK ? rls2__grid_spread(fit, err) : status;
    }
    fit->lambdas = rls2__alloc(count, sizeof *fit->lambdas);
    fit->asked = count;
    if (!fit->lambdas) return rls2__fail_memory(err, "the lambdas");
    if (!recipe->lambdas)
        return rls2_lambda_default(whole->outputs, whole->bases, whole->y, RLS2_INTERCEPT_NONE,
                                   recipe->ratio, count, fit->lambdas, err);
    memcpy(fit->lambdas, recipe->lambdas, (size_t)count * sizeof(double));
    return RLS2_OK;
}

/* To `count` lambdas of the grid, from where the path ended. */
static rls2_status follow(work *w, int64_t count, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    rls2_path_options options = w->plan->ingredients.recipe->path;
    double started = rls2__seconds();
    options.degrees_of_freedom = w->plan->asked.df == RLS2__DF_NONE ? RLS2_DF_NONE : RLS2_DF_EACH;
    const rls2__paths_job job = {.count = count - fit->count,
                                 .lambdas = fit->lambdas + fit->count,
                                 .options = &options,
                                 .control = &w->control,
                                 .keeps_open = 1};
    rls2_status status = rls2__tall_fit_extend(&job, &fit->tall->whole, err);
    fit->seconds += rls2__seconds() - started;
    if (status != RLS2_OK) return status;
    lend(fit);
    status = rls2__fit_sum_up(fit, err);
    return status == RLS2_OK && fit->count == 0 ? rls2__fit_refuse_stopped(fit, err) : status;
}

static rls2_status make_path(work *w, rls2_error *err)
{
    rls2_status status = follow(w, w->fit->asked, err);
    return status == RLS2_OK ? rls2__fit_end_stage(w, "path", err) : status;
}

/* ---- path and curve ----
 *
 * The path goes first; two splits go along with it, and where their curve has turned the grid ends.
 * (As in fit_steps.c, but lambda by lambda: below the best one nearly every kernel is selected, and
 * a value more costs as much as all those above.) */

/* How many values the path is to have next. */
static int64_t next_stop(const rls2_fit *fit)
{
    int64_t sure = rls2__grid_next_stop(fit);
    return fit->count == 0 || fit->count == fit->asked ? sure : fit->count + 1;
}

static rls2_status advance(work *w, rls2__tall_curve *curve, int64_t splits, int keeps_open,
                           rls2_error *err)
{
    const rls2_fit *fit = w->fit;
    const rls2__tall_step step = {.splits = splits,
                                  .count = fit->count,
                                  .lambdas = fit->lambdas,
                                  .like = &fit->tall->whole,
                                  .keeps_open = keeps_open};
    return rls2__tall_curve_advance(curve, &step, err);
}

static rls2_status refuse_incomplete(const rls2_fit *fit, int64_t count, rls2_error *err)
{
    return fit->count < count ? rls2__fit_refuse_stopped(fit, err) : RLS2_OK;
}

/* Until the pilots have turned, or the grid ends. */
static rls2_status go_down(work *w, rls2__tall_curve *curve, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    int finds = rls2__plan_finds_lambdas(w->plan), turned = 0;
    int64_t splits = rls2__plan_split_count(w->plan),
            pilots = splits < RLS2__PILOTS ? splits : RLS2__PILOTS;
    rls2_status status = RLS2_OK;
    while (status == RLS2_OK && !turned && fit->count < fit->asked) {
        int64_t count = finds ? next_stop(fit) : fit->asked;
        status = follow(w, count, err);
        if (status == RLS2_OK) status = refuse_incomplete(fit, count, err);
        if (status != RLS2_OK || !finds || fit->count == fit->asked) continue;
        status = advance(w, curve, pilots, 1, err);
        turned =
            status == RLS2_OK && rls2__tall_curve_has_turned(curve, pilots, RLS2__PILOT_MARGIN);
    }
    return status == RLS2_OK ? rls2__fit_end_stage(w, "path", err) : status;
}

/* All splits; where they have not turned everybody goes on. */
static rls2_status run_splits(work *w, rls2__tall_curve *curve, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    int64_t splits = rls2__plan_split_count(w->plan);
    int finds = rls2__plan_finds_lambdas(w->plan), further = 0;
    rls2_status status = RLS2_OK;
    do {
        status = advance(w, curve, splits, 0, err);
        if (status != RLS2_OK) return status;
        further = finds && fit->count < fit->asked &&
                  !rls2__tall_curve_has_turned(curve, splits, RLS2__CURVE_MARGIN);
        int64_t count = fit->count + RLS2__CURVE_MARGIN < fit->asked
                            ? fit->count + RLS2__CURVE_MARGIN
                            : fit->asked;
        if (finds && fit->count == fit->asked &&
            rls2__curve_goes_on(rls2__tall_curve_look(curve))) {
            status = rls2__grid_lengthen(fit, &further, err);
            count = fit->asked;
        }
        if (status == RLS2_OK && further) status = follow(w, count, err);
        if (status == RLS2_OK && further) status = refuse_incomplete(fit, count, err);
    } while (status == RLS2_OK && further);
    return status;
}

static rls2_status run_curve(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    const rls2__recipe recipe = rls2__fit_split_recipe(w->plan);
    const rls2__tall_rows rows = {.data = w->plan->train.data, .part = fit->tall->part};
    const rls2__tall_curve_job job = {.from = &fit->tall->from,
                                      .splits = rls2__plan_split_count(w->plan),
                                      .path = &recipe.path,
                                      .measure = w->plan->measure,
                                      .rows = w->plan->source ? NULL : &rows,
                                      .control = &w->control};
    rls2__tall_curve *curve = NULL;
    rls2_status status = rls2__tall_curve_begin(&job, &curve, err);
    if (status == RLS2_OK) status = go_down(w, curve, err);
    if (status == RLS2_OK) status = run_splits(w, curve, err);
    if (status == RLS2_OK) status = rls2__tall_curve_finish(curve, &fit->cv, err);
    rls2__tall_curve_free(curve);
    if (status == RLS2_OK) status = rls2__fit_check_curve(w->plan, fit->cv, err);
    if (status != RLS2_OK) return status;
    fit->asked = fit->count;
    return rls2__fit_end_curve(w, err);
}

/* ---- goals ---- */

static rls2_status choose_by_criterion(work *w, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    const char *word = rls2_plan_get(w->plan, "select", 0);
    int longer = rls2__plan_finds_lambdas(w->plan);
    rls2_status status = rls2__fit_find_least(w, err);
    while (status == RLS2_OK && longer && rls2__criterion_goes_on(fit, word, fit->chosen)) {
        status = rls2__grid_lengthen(fit, &longer, err);
        if (status == RLS2_OK && longer) status = follow(w, fit->asked, err);
        rls2__free(fit->criteria);
        fit->criteria = NULL;
        if (status == RLS2_OK && longer) status = rls2__fit_find_least(w, err);
    }
    if (status == RLS2_OK) rls2__grid_note(w->plan, NULL, fit->chosen, fit->count);
    return status;
}

static rls2_status choose(work *w, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    rls2_fit *fit = w->fit;
    rls2_status status = RLS2_OK;
    if (!isnan(plan->asked.lambda)) {
        fit->chosen = fit->count - 1;
    } else if (fit->cv) {
        fit->chosen =
            plan->asked.rule == RLS2__RULE_1SE ? rls2_cv_1se(fit->cv) : rls2_cv_min(fit->cv);
    } else if (plan->asked.select != RLS2__SELECT_NONE) {
        status = choose_by_criterion(w, err);
    } else if (plan->goal == RLS2_GOAL_MODEL) {
        fit->chosen = fit->count - 1;
    }
    return status;
}

rls2_status rls2__fit_tall(work *w, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    rls2_fit *fit = w->fit;
    rls2_status status = prepare(w, err);
    if (status == RLS2_OK) status = find_lambdas(w, err);
    if (status != RLS2_OK) return status;
    if (plan->goal == RLS2_GOAL_PATH) return make_path(w, err);
    status = rls2__plan_split_count(plan) > 0 ? run_curve(w, err) : make_path(w, err);
    if (status == RLS2_OK && plan->goal == RLS2_GOAL_MODEL)
        status = refuse_incomplete(fit, fit->asked, err);
    if (status == RLS2_OK && fit->count == fit->asked) status = choose(w, err);
    if (status != RLS2_OK || plan->goal != RLS2_GOAL_MODEL) return status;
    fit->count = fit->asked = fit->chosen + 1;
    return rls2_fit_model(fit, fit->chosen, &fit->model, err);
}
