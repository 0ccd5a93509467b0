#include "support/cv_run.h"

rls2_status cv_run_sharing(const rls2_table *table, const rls2__recipe *recipe,
                           const rls2_splits *splits, const rls2__cv_options *options,
                           rls2__sharing sharing, rls2_cv **cv, rls2_error *err)
{
    rls2_dataset *whole = NULL;
    rls2__ingredients ingredients = {0};
    rls2_status status = rls2_dataset_create(table, &recipe->data, &whole, err);
    if (status == RLS2_OK) status = rls2__ingredients_create(recipe, whole, &ingredients, err);
    if (status == RLS2_OK)
        status = rls2__cv_run(table, &ingredients, recipe, splits, options, sharing, cv, err);
    rls2__ingredients_release(&ingredients);
    rls2_dataset_free(whole);
    return status;
}

rls2_status cv_run(const rls2_table *table, const rls2__recipe *recipe, const rls2_splits *splits,
                   const rls2__cv_options *options, rls2_cv **cv, rls2_error *err)
{
    rls2__cv_options standard = {.measure = RLS2_MEASURE_AUTO};
    return cv_run_sharing(table, recipe, splits, options ? options : &standard,
                          RLS2__SHARING_WHERE_IT_PAYS, cv, err);
}

rls2_status cv_run_taken(const rls2_table *table, const rls2__recipe *recipe,
                         const rls2_splits *splits, const rls2__cv_options *options, rls2_cv **cv,
                         rls2_error *err)
{
    rls2__cv_options own = *options;
    const rls2_control control = {.size = sizeof control, .threads = 1};
    rls2_dataset *whole = NULL;
    rls2__ingredients ingredients = {0};
    rls2__fit all = {0};
    rls2_status status = rls2_dataset_create(table, &recipe->data, &whole, err);
    if (status == RLS2_OK) status = rls2__ingredients_create(recipe, whole, &ingredients, err);
    if (status == RLS2_OK) status = rls2__fit_preprocess(ingredients.recipe, whole, NULL, err);
    if (status == RLS2_OK)
        status = rls2__fit_bases_of(&ingredients, whole, NULL, NULL, &control, &all, err);
    own.prepared = &all;
    if (status == RLS2_OK)
        status = rls2__cv_run(table, &ingredients, recipe, splits, &own,
                              RLS2__SHARING_WHERE_IT_PAYS, cv, err);
    rls2__fit_release(&all);
    rls2__ingredients_release(&ingredients);
    rls2_dataset_free(whole);
    return status;
}
