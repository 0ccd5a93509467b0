/* Path and curve together, a few lambdas at a time, where there are many rows.
 *
 * The path of all rows goes first, and splits start from its weights. The first splits go along
 * with it, decade by decade, until their curve has turned: the lambdas that follow fit noise, and
 * are the most expensive ones. The other splits are then fitted at once. Where all of them together
 * have not turned, everybody goes on. Which splits go first does not depend on threads.
 *
 * Where only a curve is wanted, of few splits, the path would cost more than it saves them: splits
 * then find their own way. */
#include "plan/fit_steps.h"

#include "plan/fit_stack.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/many_rows.h"
#include "base/seconds.h"
#include "plan/fit_grid.h"
#include "select/cv.h"
#include "select/taken.h"
#include "solver/path_outputs.h"
#include "solver/path_run.h"

enum {
    PILOT_ROWS = 100, /* that the pilots leave out together, at least: fewer know nothing */
    LED_SPLITS = 5    /* splits for which a path pays that nobody wants: with fewer, and smaller
                          ones, what they save is less than it costs */
};

typedef struct steps {
    rls2__fit_work *w;
    rls2__cv_job *job;
    rls2_path_options options; /* of the path of all rows */
    int finds;                 /* may the grid end earlier, or become longer? */
    int leads;                 /* is there a path, for splits to start from? */
    int64_t pilots;
    int64_t before; /* lambdas of the path when this step began */
    enum { ON_PATH, ON_PILOTS, ON_SPLITS } at;
} steps;

int rls2__fit_takes_rows(const rls2_plan *plan)
{
    return rls2_dataset_rows(rls2_plan_split_data(plan)) >= RLS2__MANY_ROWS &&
           !plan->choosing_data && rls2__rows_can_be_taken(plan->ingredients.recipe);
}

/* ---- progress ---- */

/* Points of the path of all steps; splits that go first are part of it. */
static int tell(void *user, const rls2_progress *progress)
{
    const steps *st = user;
    const rls2_control *control = &st->w->control;
    const rls2_fit *fit = st->w->fit;
    rls2_progress at = *progress;
    if (st->leads && st->at != ON_SPLITS) {
        at.stage = "path";
        at.done = fit->made.outputs * st->before + (st->at == ON_PATH ? progress->done : 0);
        at.total = fit->made.outputs * fit->asked;
    }
    return control->progress(control->user, &at);
}

static rls2_control control_of(steps *st)
{
    rls2_control control = st->w->control;
    if (!control.progress) return control;
    control.progress = tell;
    control.user = st;
    return control;
}

/* ---- the path ---- */

static int is_complete(const rls2_fit *fit, int64_t count)
{
    for (int64_t o = 0; o < fit->made.outputs; o++)
        if (rls2_path_count(fit->made.paths[o]) < count) return 0;
    return 1;
}

/* To `count` lambdas, or as far as it came; *complete says which. */
static rls2_status extend_path(steps *st, int64_t count, int *complete, rls2_error *err)
{
    rls2_fit *fit = st->w->fit;
    const rls2_control control = control_of(st);
    const rls2__paths_job further = {.count = count - fit->count,
                                     .lambdas = fit->lambdas + fit->count,
                                     .options = &st->options,
                                     .losses = st->w->plan->ingredients.recipe->losses,
                                     .control = &control,
                                     .keeps_open = 1};
    double started = rls2__seconds();
    if (!st->leads) {
        fit->count = count;
        *complete = 1;
        return RLS2_OK;
    }
    st->at = ON_PATH;
    st->before = fit->count;
    rls2_status status = rls2__fit_extend(&further, &fit->made, err);
    fit->seconds += rls2__seconds() - started;
    if (status == RLS2_OK) status = rls2__fit_sum_up(fit, err);
    if (status == RLS2_OK && fit->count == 0) status = rls2__fit_refuse_stopped(fit, err);
    *complete = status == RLS2_OK && is_complete(fit, count);
    st->before = fit->count;
    return status;
}

static void close_paths(rls2_fit *fit)
{
    for (int64_t o = 0; fit->made.paths && o < fit->made.outputs; o++)
        if (fit->made.paths[o]) rls2__path_close(fit->made.paths[o]);
}

/* ---- the splits ---- */

/* What is left of the memory beside the kernels of all rows holds those of so many splits, whose
 * kernels are about as many. */
static int64_t splits_at_a_time(const steps *st, int64_t *memory_of_each)
{
    int64_t all = rls2_plan_memory(st->w->plan), own = rls2_basis_bytes(st->w->fit->made.basis);
    int64_t left = all - own > all / 4 ? all - own : all / 4;
    int64_t most = own > 0 && left / own < INT32_MAX ? left / own : INT32_MAX;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (most < 1) most = 1;
    *memory_of_each = left / (most < processors ? most : processors < 1 ? 1 : processors);
    return most;
}

/* However much memory there is: where the grid ends does not depend on it. */
static int64_t count_pilots(const steps *st)
{
    const rls2_splits *splits = st->w->plan->splits;
    int64_t pilots = RLS2__PILOTS, rows = 0;
    if (pilots > rls2_splits_count(splits)) pilots = rls2_splits_count(splits);
    for (int64_t s = 0; s < pilots; s++) {
        const int64_t *numbers;
        rows += rls2_splits_validation(splits, s, &numbers);
    }
    return st->finds && rows >= PILOT_ROWS ? pilots : 0;
}

static rls2_status begin(steps *st, rls2_error *err)
{
    const rls2__fit_work *w = st->w;
    const rls2_plan *plan = w->plan;
    rls2__recipe recipe = rls2__fit_split_recipe(plan);
    rls2__cv_options options = {.measure = plan->measure,
                                .baselines = plan->baselines,
                                .stack = rls2__plan_stacks(plan),
                                .threads = w->control.threads,
                                .progress = w->control.progress ? tell : NULL,
                                .progress_user = st,
                                .prepared = &w->fit->made};
    options.at_a_time = splits_at_a_time(st, &recipe.basis.memory);
    st->pilots = count_pilots(st);
    return rls2__cv_begin(plan->train.table, &plan->ingredients, &recipe, plan->splits, &options,
                          &st->job, err);
}

static rls2_status advance(steps *st, int64_t splits, rls2_error *err)
{
    const rls2_fit *fit = st->w->fit;
    const rls2__cv_step step = {.splits = splits,
                                .count = fit->count,
                                .lambdas = fit->lambdas,
                                .like =
                                    st->leads ? (const rls2_path *const *)fit->made.paths : NULL,
                                .keeps_open = st->at == ON_PILOTS};
    return rls2__cv_advance(st->job, &step, err);
}

/* ---- down the grid ---- */

/* Where the path is looked at next. */
static int64_t next_stop(const steps *st)
{
    return st->pilots == 0 ? st->w->fit->asked : rls2__grid_next_stop(st->w->fit);
}

/* Who is told takes it for complete, though it may go on if the curve does. */
static rls2_status end_path(steps *st, rls2_error *err)
{
    rls2_fit *fit = st->w->fit;
    int64_t whole = fit->asked, points = fit->made.outputs * fit->count;
    const rls2_progress all = {.stage = "path", .done = points, .total = points};
    if (!st->leads) return RLS2_OK;
    fit->asked = fit->count;
    /* who says stop now says so again when splits begin */
    if (st->w->control.progress) st->w->control.progress(st->w->control.user, &all);
    rls2_status status = rls2__fit_end_stage(st->w, "path", err);
    fit->asked = whole;
    return status;
}

/* Pilots, as far as the path has come. Where they are stopped the path is, with what it has. */
static rls2_status advance_pilots(steps *st, int *complete, rls2_error *err)
{
    st->at = ON_PILOTS;
    rls2_status status = advance(st, st->pilots, err);
    if (status != RLS2_ERR_CANCELLED) return status;
    *complete = 0;
    return RLS2_OK;
}

/* Path and pilots, until these have turned or the grid ends. */
static rls2_status go_down(steps *st, int *complete, rls2_error *err)
{
    const rls2_fit *fit = st->w->fit;
    rls2_status status = RLS2_OK;
    int turned = 0;
    *complete = 1;
    while (status == RLS2_OK && *complete && !turned && fit->count < fit->asked) {
        status = extend_path(st, next_stop(st), complete, err);
        if (status != RLS2_OK || !*complete || fit->count == fit->asked) continue;
        status = advance_pilots(st, complete, err);
        turned = status == RLS2_OK && *complete &&
                 rls2__cv_has_turned(st->job, st->pilots, RLS2__PILOT_MARGIN);
    }
    return status == RLS2_OK && *complete ? end_path(st, err) : status;
}

static rls2_status fit_splits(steps *st, rls2_error *err)
{
    st->at = ON_SPLITS;
    return advance(st, rls2_splits_count(st->w->plan->splits), err);
}

/* How far the path is to go when all splits have come as far as it has; 0: no further. */
static rls2_status find_further(steps *st, int64_t *count, rls2_error *err)
{
    rls2_fit *fit = st->w->fit;
    const rls2_cv *cv = NULL;
    int longer = 0;
    *count = 0;
    if (!st->finds) return RLS2_OK;
    rls2_status status = rls2__cv_look(st->job, &cv, err);
    if (status != RLS2_OK) return status;
    if (fit->count < fit->asked) {
        if (!rls2__cv_has_turned(st->job, cv->splits, RLS2__CURVE_MARGIN))
            *count = fit->count + RLS2__PILOT_MARGIN < fit->asked ? fit->count + RLS2__PILOT_MARGIN
                                                                  : fit->asked;
        return RLS2_OK;
    }
    if (rls2__curve_goes_on(cv)) status = rls2__grid_lengthen(fit, &longer, err);
    if (longer) *count = fit->asked;
    return status;
}

static rls2_status go_further(steps *st, int *complete, rls2_error *err)
{
    int64_t count = 0;
    rls2_status status = find_further(st, &count, err);
    while (status == RLS2_OK && count > 0 && *complete) {
        status = extend_path(st, count, complete, err);
        if (status == RLS2_OK && *complete) status = end_path(st, err);
        if (status == RLS2_OK && *complete) status = fit_splits(st, err);
        if (status == RLS2_OK && *complete) status = find_further(st, &count, err);
    }
    return status;
}

static int leads_splits(const rls2_plan *plan)
{
    return plan->goal != RLS2_GOAL_CURVE || rls2_splits_count(plan->splits) >= LED_SPLITS;
}

rls2_status rls2__fit_by_steps(rls2__fit_work *w, rls2_df degrees_of_freedom, rls2_error *err)
{
    rls2_fit *fit = w->fit;
    steps st = {.w = w,
                .options = w->plan->ingredients.recipe->path,
                .finds = rls2__plan_finds_lambdas(w->plan),
                .leads = leads_splits(w->plan)};
    int complete = 0;
    st.options.degrees_of_freedom = degrees_of_freedom;
    rls2_status status = begin(&st, err);
    if (status == RLS2_OK) status = go_down(&st, &complete, err);
    if (status == RLS2_OK && complete) status = fit_splits(&st, err);
    if (status == RLS2_OK && complete) status = go_further(&st, &complete, err);
    if (status == RLS2_OK && complete) status = rls2__cv_finish(st.job, &fit->cv, err);
    rls2__cv_job_free(st.job);
    close_paths(fit);
    if (complete) fit->asked = fit->count;
    if (status != RLS2_OK || !complete) return status;
    status = rls2__fit_check_curve(w->plan, fit->cv, err);
    if (status != RLS2_OK) return status;
    return rls2__fit_end_curve(w, err);
}

/* ---- degrees of freedom ---- */

static rls2_status keep_df(rls2_fit *fit, int64_t i, rls2_path *const *alone, rls2_error *err)
{
    for (int64_t o = 0; o < fit->made.outputs; o++) {
        const rls2_path_point *point = rls2_path_at(alone[o], 0);
        if (!point) return rls2__fail(err, RLS2_ERR_CANCELLED, "stopped at the degrees of freedom");
        fit->made.paths[o]->entries[i].point.df = point->df;
    }
    return rls2__fit_sum_up(fit, err);
}

/* By a path of the one lambda that starts at its solution, and so has nothing else to do. */
rls2_status rls2__fit_find_df(rls2__fit_work *w, int64_t i, rls2_error *err)
{
    const rls2__fit *made = &w->fit->made;
    steps st = {.w = w, .leads = 1, .before = w->fit->count, .at = ON_PILOTS};
    rls2_path_options options = w->plan->ingredients.recipe->path;
    const rls2_control control = control_of(&st);
    options.degrees_of_freedom = RLS2_DF_EACH;
    const rls2__paths_job job = {.outputs = made->outputs,
                                 .bases = made->bases,
                                 .y = rls2_dataset_y(made->data),
                                 .count = 1,
                                 .lambdas = w->fit->lambdas + i,
                                 .options = &options,
                                 .losses = w->plan->ingredients.recipe->losses,
                                 .control = &control,
                                 .like = (const rls2_path *const *)made->paths};
    rls2_path **alone = rls2__alloc_zero(made->outputs, sizeof *alone);
    if (!alone) return rls2__fail_memory(err, "the degrees of freedom");
    rls2_status status = rls2__paths_fit(&job, alone, err);
    if (status == RLS2_OK) status = keep_df(w->fit, i, alone, err);
    for (int64_t o = 0; o < made->outputs; o++) rls2_path_free(alone[o]);
    rls2__free(alone);
    return status;
}
