/* A recipe followed on all rows of a table. */
#include "plan/fit_table.h"

#include "base/memory.h"
#include "base/status.h"

void rls2__fit_destroy(rls2_fit *fit)
{
    if (!fit) return;
    rls2__fit_release(&fit->made);
    rls2__ingredients_release(&fit->ingredients);
    rls2_dataset_free(fit->whole);
    rls2__free(fit);
}

static rls2_status make_ingredients(const rls2_table *table, const rls2_recipe *recipe,
                                    const rls2_fit_options *options, rls2_fit *fit, rls2_error *err)
{
    rls2_status status = rls2_dataset_create(table, &recipe->data, &fit->whole, err);
    if (status == RLS2_OK)
        status = rls2__ingredients_create(recipe, fit->whole, &fit->ingredients, err);
    fit->ingredients.test = options->test;
    fit->ingredients.transductive = options->transductive;
    fit->ingredients.transductive_features = options->transductive_features;
    return status;
}

static rls2_status make_bases(const rls2_table *table, const rls2_fit_options *options,
                              rls2_fit *fit, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(fit->whole);
    int64_t *all = rls2__alloc(n, sizeof *all);
    if (!all) return rls2__fail_memory(err, "the rows");
    for (int64_t i = 0; i < n; i++) all[i] = i;
    rls2_status status =
        rls2__fit_bases(&fit->ingredients, table, all, options->threads, options->progress,
                        options->progress_user, &fit->made, err);
    rls2__free(all);
    return status;
}

static rls2_status make_paths(const rls2_fit_options *options, rls2_fit *fit, rls2_error *err)
{
    const rls2_recipe *recipe = fit->ingredients.recipe;
    double *lambdas = rls2__alloc(recipe->lambda_count, sizeof *lambdas);
    if (!lambdas) return rls2__fail_memory(err, "the lambdas");
    rls2_status status = rls2__fit_lambdas(recipe, &fit->made, lambdas, err);
    if (status == RLS2_OK)
        status = rls2__fit_paths(recipe, recipe->lambda_count, lambdas, options->threads,
                                 options->progress, options->progress_user, &fit->made, err);
    rls2__free(lambdas);
    return status;
}

static void count_finished(rls2_fit *fit)
{
    fit->asked = fit->count = fit->ingredients.recipe->lambda_count;
    for (int64_t o = 0; o < fit->made.outputs; o++)
        if (rls2_path_count(fit->made.paths[o]) < fit->count)
            fit->count = rls2_path_count(fit->made.paths[o]);
}

/* What was borrowed for the call is not to be looked at later. */
static void forget_borrowed(rls2_fit *fit)
{
    fit->ingredients.test = NULL;
    fit->ingredients.resolved = (rls2_recipe){.lambda_count = fit->asked};
}

rls2_status rls2__fit_table(const rls2_table *table, const rls2_recipe *recipe,
                            const rls2_fit_options *options, rls2_fit **fit, rls2_error *err)
{
    rls2_fit *made = rls2__alloc_zero(1, sizeof *made);
    if (!made) return rls2__fail_memory(err, "the fit");
    rls2_status status = make_ingredients(table, recipe, options, made, err);
    if (status == RLS2_OK) status = make_bases(table, options, made, err);
    if (status == RLS2_OK) status = make_paths(options, made, err);
    if (status != RLS2_OK) {
        rls2__fit_destroy(made);
        return status;
    }
    count_finished(made);
    forget_borrowed(made);
    *fit = made;
    return RLS2_OK;
}
