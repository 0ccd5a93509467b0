/* Prediction intervals of the model that is chosen.  [MATH.md, I1]
 *
 * They are calibrated on rows that were left out at its lambda. Where lambda is chosen on left-out
 * rows these are there already; else folds are made, or the validation rows are taken, and fitted
 * at that lambda alone. */
#include "plan/plan_interval.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/interval.h"
#include "plan/fit_stack.h"
#include "select/coverage.h"
#include "select/cv.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

int rls2__plan_wants_intervals(const rls2_plan *plan)
{
    return !isnan(plan->asked.interval) &&
           (plan->goal == RLS2_GOAL_MODEL || plan->goal == RLS2_GOAL_ALL);
}

int rls2__plan_scores_intervals(const rls2_plan *plan)
{
    return rls2__plan_wants_intervals(plan) ||
           (!isnan(plan->asked.interval) && plan->goal == RLS2_GOAL_CURVE);
}

int rls2__plan_calibrates_apart(const rls2_plan *plan)
{
    return rls2__plan_wants_intervals(plan) && !rls2__plan_leaves_rows_out(plan);
}

/* ---- can they be had? ---- */

/* Of the training rows, or of the validation rows below them. */
static int64_t count_left_out(const rls2_plan *plan)
{
    int64_t n = rls2_dataset_rows(plan->train.data);
    return plan->choosing_data ? rls2_dataset_rows(plan->choosing_data) - n : n;
}

static rls2_status refuse(rls2_plan *plan, const char *why, rls2_error *err)
{
    return rls2__plan_refuse(plan, "interval", err, RLS2_ERR_ARGUMENT, "%s %s", NAME("interval"),
                             why);
}

rls2_status rls2__plan_settle_intervals(rls2_plan *plan, rls2_error *err)
{
    double level = plan->asked.interval;
    if (!rls2__plan_scores_intervals(plan)) return RLS2_OK;
    if (rls2_dataset_is_classification(plan->train.data))
        return refuse(plan, "is for numbers, and the target is a class: classes have probabilities",
                      err);
    if (plan->source)
        return refuse(plan,
                      "needs predictions of the left-out rows themselves, and rows that are read "
                      "in pieces, or counted, are not kept",
                      err);
    if (rls2__plan_calibrates_apart(plan) && plan->is_tall)
        return refuse(plan,
                      "needs left-out rows: leave lambda to cross-validation, or use method exact",
                      err);
    if (rls2__plan_calibrates_apart(plan) &&
        (plan->asked.transductive || plan->asked.transductive_features))
        return refuse(plan, "does not go together with transductive learning", err);
    int64_t least = rls2__interval_least_rows(level), rows = count_left_out(plan);
    if (rows >= least) return RLS2_OK;
    return rls2__plan_refuse(plan, "interval", err, RLS2_ERR_VALUE,
                             "%s %g needs %" PRId64 " left-out rows, and there are %" PRId64,
                             NAME("interval"), level, least, rows);
}

/* ---- rows that are left out for them alone ---- */

static rls2_status make_splits(rls2_plan *plan, rls2_splits **splits, rls2_error *err)
{
    const rls2__wishes *a = &plan->asked;
    int64_t n = rls2_dataset_rows(plan->train.data);
    int64_t folds = a->folds < n ? a->folds : n;
    if (plan->choosing_data) return rls2__plan_split_validation(plan, splits, err);
    if (plan->fold_column) return rls2__plan_split_by_column(plan, splits, err);
    return rls2_splits_folds(n, NULL, folds, 1, (uint64_t)a->seed, splits, err);
}

static rls2_status keep_predictions(rls2_fit *fit, const rls2_cv *cv, rls2_error *err)
{
    int64_t values = rls2__mul(cv->rows, cv->outputs);
    fit->left_out_f = rls2__alloc(values, sizeof *fit->left_out_f);
    if (!fit->left_out_f) return rls2__fail_memory(err, "the predictions of left-out rows");
    memcpy(fit->left_out_f, rls2_cv_predictions(cv, 0), (size_t)values * sizeof *fit->left_out_f);
    return RLS2_OK;
}

rls2_status rls2__fit_calibrate(rls2__fit_work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    rls2_splits *splits = NULL;
    rls2_cv *cv = NULL;
    if (!rls2__plan_calibrates_apart(plan) || w->fit->chosen < 0) return RLS2_OK;
    rls2__recipe recipe = rls2__fit_split_recipe(plan);
    recipe.lambdas = w->fit->lambdas + w->fit->chosen;
    recipe.lambda_count = 1;
    rls2_status status = rls2__plan_blame(plan, "interval", make_splits(plan, &splits, err));
    if (status == RLS2_OK) status = rls2__fit_run_splits(w, &recipe, splits, 0, &cv, err);
    if (status == RLS2_OK) status = keep_predictions(w->fit, cv, err);
    rls2_cv_free(cv);
    rls2_splits_free(splits);
    return status;
}

/* ---- as a score ---- */

rls2_status rls2__fit_cover(rls2__fit_work *w, rls2_error *err)
{
    rls2_plan *plan = w->plan;
    rls2_cv *cv = w->fit->cv;
    if (!rls2__plan_scores_intervals(plan)) return RLS2_OK;
    rls2_status status = rls2__cv_cover(cv, plan->asked.interval, rls2_plan_split_data(plan), err);
    if (status == RLS2_OK && rls2_cv_interval_count(cv) == 0)
        rls2__plan_say(plan, "the coverage of intervals is not known: the predictions of left-out "
                             "rows were too many to keep");
    return status;
}

/* ---- the model ---- */

static const double *left_out_predictions(const rls2_fit *fit)
{
    if (fit->stack) return rls2__fit_stack_left_out(fit->stack);
    return fit->left_out_f ? fit->left_out_f : rls2_cv_predictions(fit->cv, fit->chosen);
}

rls2_status rls2__fit_tell_intervals(const rls2_fit *fit, rls2_model *model, rls2_error *err)
{
    rls2_plan *plan = fit->plan;
    const rls2_dataset *data = plan->choosing_data ? plan->choosing_data : plan->train.data;
    if (!rls2__plan_wants_intervals(plan)) return RLS2_OK;
    const rls2__left_out_rows rows = {.n = rls2_dataset_rows(data),
                                      .f = left_out_predictions(fit),
                                      .y = rls2_dataset_y(data),
                                      .weights = rls2_dataset_row_weights(data)};
    if (!rows.f)
        return rls2__plan_refuse(plan, "interval", err, RLS2_ERR_VALUE,
                                 "%s needs the predictions of left-out rows, which were too many "
                                 "to keep: ask for fewer values of lambda by %s",
                                 NAME("interval"), NAME("lambdas"));
    return rls2__plan_blame(plan, "interval",
                            rls2__model_calibrate(model, plan->asked.interval, &rows, err));
}
