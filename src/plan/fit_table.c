/* A recipe followed on all rows of a table. */
#include "plan/fit.h"
#include "rls2/fit_table.h"
#include "select/cv_public.h"

#include "base/memory.h"
#include "base/status.h"

static rls2_status make_ingredients(const rls2_table *table, const rls2_recipe *recipe,
                                    const rls2_fit_options *options, rls2_fit *fit, rls2_error *err)
{
    rls2_status status = rls2_dataset_create(table, &recipe->data, &fit->own_whole, err);
    if (status == RLS2_OK)
        status = rls2__ingredients_create(recipe, fit->own_whole, &fit->own_ingredients, err);
    fit->own_ingredients.test = options->test;
    fit->own_ingredients.transductive = options->transductive;
    fit->own_ingredients.transductive_features = options->transductive_features;
    return status;
}

static rls2_control control_of(const rls2_fit_options *options)
{
    return (rls2_control){.size = sizeof(rls2_control),
                          .threads = options->threads,
                          .progress = options->progress,
                          .user = options->progress_user};
}

static rls2_status make_bases(const rls2_table *table, const rls2_fit_options *options,
                              rls2_fit *fit, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(fit->own_whole);
    int64_t *all = rls2__alloc(n, sizeof *all);
    if (!all) return rls2__fail_memory(err, "the rows");
    for (int64_t i = 0; i < n; i++) all[i] = i;
    const rls2_control control = control_of(options);
    rls2_status status =
        rls2__fit_bases(&fit->own_ingredients, table, all, &control, &fit->made, err);
    rls2__free(all);
    return status;
}

static rls2_status make_paths(const rls2_fit_options *options, rls2_fit *fit, rls2_error *err)
{
    const rls2_recipe *recipe = fit->own_ingredients.recipe;
    const rls2_control control = control_of(options);
    double *lambdas = rls2__alloc(recipe->lambda_count, sizeof *lambdas);
    if (!lambdas) return rls2__fail_memory(err, "the lambdas");
    rls2_status status = rls2__fit_lambdas(recipe, &fit->made, lambdas, err);
    if (status == RLS2_OK)
        status = rls2__fit_paths(recipe, recipe->lambda_count, lambdas, &control, &fit->made, err);
    rls2__free(lambdas);
    return status;
}

/* What was borrowed for the call is not to be looked at later. */
static void forget_borrowed(rls2_fit *fit)
{
    fit->own_ingredients.test = NULL;
    fit->own_ingredients.resolved = (rls2_recipe){.lambda_count = fit->asked};
}

static rls2_status fit_table(const rls2_table *table, const rls2_recipe *recipe,
                             const rls2_fit_options *options, rls2_fit **fit, rls2_error *err)
{
    rls2_fit *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the fit");
    made->ingredients = &made->own_ingredients;
    made->chosen = -1;
    rls2_status status = make_ingredients(table, recipe, options, made, err);
    if (status == RLS2_OK) status = make_bases(table, options, made, err);
    if (status == RLS2_OK) status = make_paths(options, made, err);
    if (status != RLS2_OK) {
        rls2_fit_free(made);
        return status;
    }
    made->asked = made->own_ingredients.recipe->lambda_count;
    rls2__fit_count_finished(made);
    status = rls2__fit_sum_up(made, err);
    if (status != RLS2_OK) {
        rls2_fit_free(made);
        return status;
    }
    forget_borrowed(made);
    *fit = made;
    return RLS2_OK;
}

rls2_fit_options rls2_fit_options_default(void)
{
    return (rls2_fit_options){0};
}

static rls2_status check_options(const rls2_recipe *recipe, const rls2_fit_options *options,
                                 rls2_error *err)
{
    if (options->threads < 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT, "threads is %d", options->threads);
    if (!options->transductive && !options->transductive_features) return RLS2_OK;
    if (!options->test)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "a transductive fit needs test rows, and there are none");
    if (options->transductive && recipe->given_count > 0)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "given matrices are not scaled by test rows: transductive must be 0");
    return RLS2_OK;
}

rls2_status rls2_fit_table(const rls2_table *table, const rls2_recipe *recipe,
                           const rls2_fit_options *options, rls2_fit **fit, rls2_error *err)
{
    rls2_fit_options standard = rls2_fit_options_default();
    const rls2_fit_options *used = options ? options : &standard;
    if (!table) return rls2__fail(err, RLS2_ERR_ARGUMENT, "table is NULL");
    if (!fit) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the fit is NULL");
    rls2_status status = rls2__check_recipe(recipe, err);
    if (status == RLS2_OK) status = check_options(recipe, used, err);
    return status == RLS2_OK ? fit_table(table, recipe, used, fit, err) : status;
}
