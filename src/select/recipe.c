#include "select/recipe.h"

#include "base/memory.h"
#include "base/status.h"
#include "table/dataset.h"

void rls2__fit_release(rls2__fit *fit)
{
    rls2_path_free(fit->path);
    rls2_basis_free(fit->basis);
    rls2_dictionary_free(fit->dictionary);
    rls2_dataset_free(fit->data);
    rls2__free(fit->groups);
    *fit = (rls2__fit){0};
}

/* ---- groups ---- */

static rls2_status make_groups(const rls2_recipe *recipe, rls2__fit *fit, rls2_error *err)
{
    int64_t count = recipe->group_count, p = rls2_dataset_columns(fit->data);
    int64_t each = rls2__add((int64_t)sizeof(rls2_group), rls2__mul(p, (int64_t)sizeof(int64_t)));
    fit->groups = rls2__alloc_zero(rls2__mul(count, each), 1);
    if (!fit->groups) return rls2__fail_memory(err, "the groups of columns");
    int64_t *columns = (int64_t *)(void *)(fit->groups + count);
    const char *const *names = rls2_dataset_names(fit->data);
    for (int64_t g = 0; g < count; g++, columns += p) {
        rls2_group *group = &fit->groups[g];
        *group = (rls2_group){.name = recipe->group_names[g], .columns = columns};
        for (int64_t j = 0; j < p; j++)
            if (rls2_group_has(recipe->group_columns[g], names[j])) columns[group->count++] = j;
    }
    return RLS2_OK;
}

/* ---- the steps ---- */

static rls2_status make_data(const rls2_table *table, const rls2_recipe *recipe, const rls2_dataset *whole,
                             rls2__fit *fit, rls2_error *err)
{
    rls2_preprocessing how = recipe->preprocessing;
    rls2__view_rules rules = rls2__view_rules_of(whole->encoder);
    rls2_status status =
        rls2__dataset_like(table, whole->encoder, &whole->preparation, rules, &fit->data, err);
    if (status != RLS2_OK) return status;
    if (how.examples != RLS2_NORMALIZE_NONE || how.features != RLS2_NORMALIZE_NONE)
        status = rls2_dataset_preprocess(fit->data, how, NULL, err);
    fit->rows = (rls2_rows){.n = rls2_dataset_rows(fit->data),
                            .p = rls2_dataset_columns(fit->data),
                            .x = rls2_dataset_x(fit->data)};
    return status;
}

static rls2_status make_dictionary(const rls2_recipe *recipe, rls2__fit *fit, rls2_error *err)
{
    rls2_status status = make_groups(recipe, fit, err);
    if (status != RLS2_OK) return status;
    rls2_columns columns = {.count = fit->rows.p,
                            .names = rls2_dataset_names(fit->data),
                            .group_count = recipe->group_count,
                            .groups = fit->groups};
    return rls2_dictionary_create(recipe->kernels, &columns, &fit->dictionary, err);
}

rls2_status rls2__fit_basis(const rls2_table *table, const rls2_recipe *recipe, const rls2_dataset *whole,
                            int threads, rls2_progress_fn progress, void *user, rls2__fit *fit,
                            rls2_error *err)
{
    *fit = (rls2__fit){0};
    rls2_status status = make_data(table, recipe, whole, fit, err);
    if (status == RLS2_OK) status = make_dictionary(recipe, fit, err);
    if (status != RLS2_OK) return status;
    rls2_basis_options options = recipe->basis;
    options.transductive = NULL;
    options.labels = rls2_dataset_is_classification(fit->data) ? rls2_dataset_y(fit->data) : NULL;
    options.threads = threads;
    options.progress = progress;
    options.progress_user = user;
    return rls2_basis_create(fit->dictionary, &fit->rows, &options, &fit->basis, err);
}

rls2_status rls2__fit_path(const rls2_recipe *recipe, int64_t count, const double *lambdas,
                           rls2_progress_fn progress, void *user, rls2__fit *fit, rls2_error *err)
{
    rls2_path_options options = recipe->path;
    options.degrees_of_freedom = 0;
    options.progress = progress;
    options.progress_user = user;
    return rls2_path_fit(fit->basis, rls2_dataset_y(fit->data), count, lambdas, &options, &fit->path, err);
}
