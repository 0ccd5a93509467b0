/* Which way a plan goes: with the rows themselves, or with counts of them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plan/plan_method.h"

#define NAME(setting) rls2__plan_name(plan, setting).text

/* The exact way takes time that grows with the cube of the rows, but for linear kernels. */
enum { MANY_ROWS = 3000, MANY_ROWS_ASKED = 20000 };

/* What the tall way does not have, of what is asked for; NULL: nothing is in its way. */
static const char *obstacle(const rls2_plan *plan)
{
    const rls2__wishes *a = &plan->asked;
    if (plan->matrix_count > 0) return "kernels that are given";
    if (a->examples != RLS2_NORMALIZE_NONE) return "examples that are scaled";
    if (a->scaling == RLS2_SCALING_FISHER || a->scaling == RLS2_SCALING_FISHER_SQRT)
        return "scalings by classes";
    if (a->solver != RLS2_SOLVER_NEWTON) return "the solver alternate";
    if (rls2_dictionary_learns(plan->ingredients.dictionary)) return "widths that are learned";
    if (plan->loss.kind != RLS2_LOSS_SQUARE) return "another loss than the square one";
    if (a->intercept == RLS2__INTERCEPT_FREE) return "an intercept that is free";
    if (a->outputs == RLS2__OUTPUTS_SHARED) return "kernel weights that are shared";
    if (a->transductive || a->transductive_features) return "transductive learning";
    if (plan->validation_table || a->validation_rows) return "validation rows";
    if (a->splits > 0 || a->repeats > 1) return "splits that share rows";
    if (a->baselines > 0) return "baselines";
    if (a->stack > 0) return "a stack";
    if (strcmp(rls2_plan_get(plan, "select", 0), "loo") == 0) return "leaving single rows out";
    return NULL;
}

int rls2__plan_may_be_tall(const rls2_plan *plan)
{
    if (plan->asked.method != RLS2__METHOD_AUTO) return plan->asked.method == RLS2__METHOD_TALL;
    return !obstacle(plan);
}

static int wants_tall(const rls2_plan *plan)
{
    int64_t n = rls2_dataset_rows(plan->train.data);
    if (plan->asked.method != RLS2__METHOD_AUTO) return plan->asked.method == RLS2__METHOD_TALL;
    if (rls2_dictionary_is_linear(plan->ingredients.dictionary)) return 0;
    return n > (plan->asked.kernels.count > 0 ? MANY_ROWS_ASKED : MANY_ROWS);
}

rls2_status rls2__plan_check_tall(rls2_plan *plan, const char *what, rls2_error *err)
{
    const char *why = obstacle(plan);
    if (plan->asked.method == RLS2__METHOD_EXACT)
        return rls2__plan_refuse(plan, "method", err, RLS2_ERR_ARGUMENT,
                                 "%s exact does not go together with %s", NAME("method"), what);
    if (!why) return RLS2_OK;
    return rls2__plan_refuse(plan, NULL, err, RLS2_ERR_ARGUMENT, "%s does not go together with %s",
                             what, why);
}

rls2_status rls2__plan_settle_method(rls2_plan *plan, rls2_error *err)
{
    const char *why = obstacle(plan);
    plan->is_tall = plan->source != NULL;
    if (plan->is_tall && rls2_dictionary_learns(plan->ingredients.dictionary))
        return rls2__plan_refuse(plan, "kernels", err, RLS2_ERR_ARGUMENT,
                                 "%s: widths are learned from rows, and these are counted",
                                 NAME("kernels"));
    if (plan->is_tall) return RLS2_OK;
    plan->is_tall = wants_tall(plan) && (!why || plan->asked.method == RLS2__METHOD_TALL);
    if (!plan->is_tall) return RLS2_OK;
    if (why)
        return rls2__plan_refuse(plan, "method", err, RLS2_ERR_ARGUMENT,
                                 "%s tall does not go together with %s", NAME("method"), why);
    return RLS2_OK;
}

/* 1: no row is left out twice, and each split learns from all rows that it does not leave out; -1:
 * out of memory. */
static int are_folds(const rls2_splits *splits)
{
    int64_t n = rls2_splits_rows(splits);
    const int64_t *rows;
    int fits = 1;
    unsigned char *seen = rls2__alloc_zero(n, 1);
    if (!seen) return -1;
    for (int64_t s = 0; s < rls2_splits_count(splits) && fits; s++) {
        int64_t count = rls2_splits_validation(splits, s, &rows);
        for (int64_t t = 0; t < count; t++) {
            fits &= !seen[rows[t]];
            seen[rows[t]] = 1;
        }
        fits &= count + rls2_splits_training(splits, s, NULL) == n;
    }
    rls2__free(seen);
    return fits;
}

rls2_status rls2__plan_settle_splits(rls2_plan *plan, const rls2_splits *splits, rls2_error *err)
{
    int folds = plan->is_tall ? are_folds(splits) : 1;
    if (folds < 0) return rls2__plan_memory_out(plan, err);
    if (folds) return RLS2_OK;
    if (plan->asked.method == RLS2__METHOD_TALL)
        return rls2__plan_refuse(plan, "method", err, RLS2_ERR_ARGUMENT,
                                 "%s tall does not go together with splits that share rows, or do "
                                 "without some",
                                 NAME("method"));
    plan->is_tall = 0;
    rls2__plan_say(plan, "the splits are no folds: rows are computed with, not counted");
    return RLS2_OK;
}
