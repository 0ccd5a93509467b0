/* Cross-validation of rls2/select.h. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/status.h"
#include "select/cv.h"
#include "select/cv_public.h"

rls2_recipe rls2_recipe_default(void)
{
    rls2_recipe recipe = {.kernels = "paper", .lambda_count = 30, .ratio = 1e-6};
    rls2_dataset_options_init(&recipe.data, sizeof recipe.data);
    rls2_basis_options_init(&recipe.basis, sizeof recipe.basis);
    rls2_path_options_init(&recipe.path, sizeof recipe.path);
    recipe.basis.skip_degenerate = 1; /* a feature may be constant in the rows of one split */
    return recipe;
}

rls2_cv_options rls2_cv_options_default(void)
{
    return (rls2_cv_options){.measure = RLS2_MEASURE_AUTO};
}

static rls2_status check_given(const rls2_recipe *recipe, rls2_error *err)
{
    if (recipe->given_count < 0 ||
        (recipe->given_count > 0 && (!recipe->given_names || !recipe->given)))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe's given matrices are incomplete");
    for (int64_t g = 0; g < recipe->given_count; g++)
        if (!recipe->given_names[g] || !recipe->given[g])
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "given matrix %" PRId64 " of the recipe is NULL", g);
    return RLS2_OK;
}

static rls2_status check_groups(const rls2_recipe *recipe, rls2_error *err)
{
    if (recipe->group_count < 0 ||
        (recipe->group_count > 0 && (!recipe->group_names || !recipe->group_columns)))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe's groups are incomplete");
    for (int64_t g = 0; g < recipe->group_count; g++)
        if (!recipe->group_names[g] || !recipe->group_columns[g])
            return rls2__fail(err, RLS2_ERR_ARGUMENT, "group %" PRId64 " of the recipe is NULL", g);
    return RLS2_OK;
}

rls2_status rls2__check_recipe(const rls2_recipe *recipe, rls2_error *err)
{
    if (!recipe) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe is NULL");
    if (!recipe->data.target && recipe->data.target_count == 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe has no target");
    if (!recipe->kernels) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe has no kernels");
    rls2_status status = check_given(recipe, err);
    if (status == RLS2_OK) status = check_groups(recipe, err);
    if (status != RLS2_OK) return status;
    if (recipe->lambda_count < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "the recipe has %" PRId64 " values of lambda",
                          recipe->lambda_count);
    for (int64_t i = 0; recipe->lambdas && i < recipe->lambda_count; i++)
        if (!(recipe->lambdas[i] > 0.0 && isfinite(recipe->lambdas[i])))
            return rls2__fail(err, RLS2_ERR_VALUE,
                              "lambdas[%" PRId64 "] is %g; it must be a positive finite number", i,
                              recipe->lambdas[i]);
    return RLS2_OK;
}

rls2_status rls2_cv_run(const rls2_table *table, const rls2_recipe *recipe,
                        const rls2_splits *splits, const rls2_cv_options *options, rls2_cv **cv,
                        rls2_error *err)
{
    rls2_cv_options standard = rls2_cv_options_default();
    const rls2_cv_options *used = options ? options : &standard;
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    if (!splits) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the splits are NULL");
    if (!cv) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the result is NULL");
    if (used->measure != RLS2_MEASURE_AUTO && !rls2_measure_name(used->measure))
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "unknown measure %d", (int)used->measure);
    if (used->threads < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "threads is %d", used->threads);
    rls2_status status = rls2__check_recipe(recipe, err);
    return status == RLS2_OK ? rls2__cv_run_table(table, recipe, splits, used,
                                                  RLS2__SHARING_WHERE_IT_PAYS, cv, err)
                             : status;
}

const char *rls2_baseline_name(rls2_baseline which)
{
    switch (which) {
    case RLS2_BASELINE_UNIFORM: return "uniform average";
    case RLS2_BASELINE_ALIGNMENT: return "alignment average";
    case RLS2_BASELINE_SINGLE: return "best aligned kernel";
    case RLS2_BASELINE_RIDGE: return "ridge on the inputs";
    case RLS2_BASELINE_COUNT: break;
    }
    return NULL;
}

void rls2_cv_free(rls2_cv *cv)
{
    rls2__cv_destroy(cv);
}

int64_t rls2_cv_count(const rls2_cv *cv)
{
    return cv ? cv->count : 0;
}

int64_t rls2_cv_splits(const rls2_cv *cv)
{
    return cv ? cv->splits : 0;
}

int64_t rls2_cv_unconverged(const rls2_cv *cv)
{
    return cv ? cv->unconverged : 0;
}

int64_t rls2_cv_rows(const rls2_cv *cv)
{
    return cv ? cv->rows : 0;
}

int64_t rls2_cv_outputs(const rls2_cv *cv)
{
    return cv ? cv->outputs : 0;
}

rls2_measure rls2_cv_measure(const rls2_cv *cv)
{
    return cv ? cv->measure : RLS2_MEASURE_RMSE;
}

static int has_lambda(const rls2_cv *cv, int64_t i)
{
    return cv && i >= 0 && i < cv->count;
}

const rls2_cv_point *rls2_cv_at(const rls2_cv *cv, int64_t i)
{
    return has_lambda(cv, i) ? &cv->points[i] : NULL;
}

double rls2_cv_score(const rls2_cv *cv, int64_t i, int64_t s)
{
    return has_lambda(cv, i) && s >= 0 && s < cv->splits ? cv->scores[s * cv->count + i]
                                                         : (double)NAN;
}

const rls2_cv_point *rls2_cv_baseline(const rls2_cv *cv, rls2_baseline which)
{
    if (!cv || !rls2_baseline_name(which)) return NULL;
    return isnan(cv->baselines[which].point.cvm) ? NULL : &cv->baselines[which].point;
}

int64_t rls2_cv_min(const rls2_cv *cv)
{
    return cv ? cv->best : -1;
}

int64_t rls2_cv_1se(const rls2_cv *cv)
{
    return cv ? cv->one_se : -1;
}

const double *rls2_cv_predictions(const rls2_cv *cv, int64_t i)
{
    return has_lambda(cv, i) ? cv->predictions + i * cv->outputs * cv->rows : NULL;
}
