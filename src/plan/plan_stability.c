/* Stability selection of a plan.  [MATH.md, S2] */
#include "plan/plan_stability.h"

#include <inttypes.h>
#include <math.h>

#include "base/many_rows.h"
#include "model/model.h"
#include "plan/fit_steps.h"
#include "select/cv.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

int rls2__plan_wants_stability(const rls2_plan *plan)
{
    return plan->asked.stability > 0 && plan->goal != RLS2_GOAL_PATH &&
           plan->goal != RLS2_GOAL_KERNELS;
}

static rls2_status refuse(rls2_plan *plan, const char *why, rls2_error *err)
{
    return rls2__plan_refuse(plan, "stability", err, RLS2_ERR_ARGUMENT, "%s %s", NAME("stability"),
                             why);
}

rls2_status rls2__plan_settle_stability(rls2_plan *plan, rls2_error *err)
{
    enum { LEAST_ROWS = 4 };
    int64_t rows = rls2_dataset_rows(plan->train.data);
    if (!rls2__plan_wants_stability(plan)) return RLS2_OK;
    if (plan->source || plan->is_tall)
        return refuse(plan, "needs the rows themselves, and these are counted: use method exact",
                      err);
    if (plan->asked.transductive || plan->asked.transductive_features)
        return refuse(plan, "does not go together with transductive learning", err);
    if (rows < LEAST_ROWS)
        return rls2__plan_refuse(plan, "stability", err, RLS2_ERR_VALUE,
                                 "%s needs at least %d rows, and there are %" PRId64,
                                 NAME("stability"), LEAST_ROWS, rows);
    int64_t inputs = rls2__stable_inputs(plan->ingredients.dictionary, plan->train.data);
    if (inputs < 0) return rls2__plan_memory_out(plan, err);
    if (inputs == 0)
        return refuse(
            plan,
            "counts how often inputs are selected, and no kernel looks at one to three of "
            "them: ask for kernels such as linear or rbf(1)@each",
            err);
    return RLS2_OK;
}

/* As of splits, but of the training rows alone. */
static rls2__recipe recipe_of_halves(const rls2_plan *plan)
{
    rls2__recipe recipe = *plan->ingredients.recipe;
    if (rls2_dataset_rows(plan->train.data) >= RLS2__MANY_ROWS)
        recipe.path.gap_tol = fmax(recipe.path.gap_tol, RLS2__SPLIT_GAP);
    return recipe;
}

static rls2_status find(rls2__fit_work *w, const double *strata, rls2_error *err)
{
    const rls2_plan *plan = w->plan;
    const rls2__recipe recipe = recipe_of_halves(plan);
    int takes = rls2__fit_takes_rows(plan) && w->fit->made.basis;
    const rls2__stable_options options = {.pairs = plan->asked.stability,
                                          .errors = plan->asked.stability_errors,
                                          .seed = (uint64_t)plan->asked.seed,
                                          .strata = strata,
                                          .threads = w->control.threads,
                                          .progress = w->control.progress,
                                          .progress_user = w->control.user,
                                          .prepared = takes ? &w->fit->made : NULL};
    return rls2__stable_find(plan->train.table, &plan->ingredients, &recipe, &options,
                             &w->fit->stable, err);
}

rls2_status rls2__fit_find_stable(rls2__fit_work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    double *strata = NULL;
    if (!rls2__plan_wants_stability(plan)) return RLS2_OK;
    rls2_status status = rls2__plan_strata(plan, &strata, err);
    if (status == RLS2_OK) status = rls2__plan_blame(plan, "stability", find(w, strata, err));
    rls2__free(strata);
    return status == RLS2_OK ? rls2__fit_end_stage(w, "halves", err) : status;
}

/* ---- asked from outside ---- */

const rls2_stability *rls2_fit_stability(const rls2_fit *fit)
{
    return fit && fit->stable ? &fit->stable->about : NULL;
}

static rls2_status check(const rls2_fit *fit, const int64_t *counts, rls2_error *err)
{
    if (!fit) return rls2__fail_null(err, "fit");
    if (!counts) return rls2__fail_null(err, "counts");
    if (fit->stable) return RLS2_OK;
    return rls2__fail(err, RLS2_ERR_ARGUMENT, "stability selection was not asked for");
}

rls2_status rls2_fit_kernel_selections(const rls2_fit *fit, int64_t *counts, rls2_error *err)
{
    rls2_status status = check(fit, counts, err);
    if (status != RLS2_OK) return status;
    if (rls2__stable_kernel_counts(fit->stable, fit->plan->ingredients.dictionary, counts) ==
        RLS2_OK)
        return RLS2_OK;
    return rls2__fail_memory(err, "the selections of the kernels");
}

rls2_status rls2_fit_input_selections(const rls2_fit *fit, int64_t *counts, rls2_error *err)
{
    rls2_status status = check(fit, counts, err);
    if (status != RLS2_OK) return status;
    if (rls2__stable_input_counts(fit->stable, fit->plan->ingredients.dictionary,
                                  fit->plan->train.data, counts) == RLS2_OK)
        return RLS2_OK;
    return rls2__fail_memory(err, "the selections of the inputs");
}
