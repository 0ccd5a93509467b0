/* Makes data, weights, bases and paths of all rows or of a split, as a recipe says. */
#include "select/recipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/control.h"
#include "base/memory.h"
#include "base/status.h"
#include "basis/basis_derive.h"
#include "basis/basis_operators.h"
#include "select/taken.h"
#include "solver/path_lambda.h"
#include "solver/path_outputs.h"
#include "table/fills.h"
#include "table/preprocess.h"
#include "table/view.h"
#include "widths/widths.h"

void rls2__fit_drop_paths(rls2__fit *fit)
{
    for (int64_t o = 0; fit->paths && o < fit->outputs; o++) rls2_path_free(fit->paths[o]);
    rls2__free(fit->paths);
    fit->paths = NULL;
}

void rls2__fit_release(rls2__fit *fit)
{
    rls2__fit_drop_paths(fit);
    for (int64_t o = 0; fit->bases && o < fit->outputs; o++)
        if (fit->bases[o] != fit->basis) rls2_basis_free((rls2_basis *)fit->bases[o]);
    rls2__free(fit->bases);
    rls2_basis_free(fit->basis);
    rls2_dictionary_free(fit->dictionary);
    rls2__given_release(&fit->given);
    rls2__free(fit->weights);
    rls2__free(fit->centers);
    rls2__free(fit->means);
    if (!fit->borrows_data) {
        rls2_dataset_free(fit->test);
        rls2_dataset_free(fit->data);
    }
    *fit = (rls2__fit){0};
}

/* ---- given matrices ---- */

void rls2__given_release(rls2__given *given)
{
    for (int64_t g = 0; given->matrices && g < given->count; g++) rls2__free(given->matrices[g]);
    rls2__free(given->matrices);
    *given = (rls2__given){0};
}

void rls2__given_lend(const rls2__given *given, rls2_rows *rows)
{
    rows->given_count = given->count;
    rows->given = (const double *const *)given->matrices;
}

/* Some rows and columns of an n x n matrix; NULL where there is no memory. */
static double *take_part(int64_t n, const double *matrix, int64_t rows, const int64_t *row_numbers,
                         int64_t columns, const int64_t *column_numbers)
{
    double *part = rls2__alloc(rls2__mul(rows, columns), sizeof(double));
    if (!part) return NULL;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            part[j * rows + i] = matrix[column_numbers[j] * n + row_numbers[i]];
    return part;
}

rls2_status rls2__given_take(const rls2__ingredients *from, int64_t rows,
                             const int64_t *row_numbers, int64_t columns,
                             const int64_t *column_numbers, rls2__given *given, rls2_error *err)
{
    const rls2__recipe *recipe = from->recipe;
    const rls2_dictionary *dictionary = from->dictionary;
    int64_t n = rls2_dataset_rows(from->whole);
    *given = (rls2__given){.count = recipe->given_count};
    if (recipe->given_count == 0) return RLS2_OK;
    given->matrices = rls2__alloc_zero(recipe->given_count, sizeof(double *));
    if (!given->matrices) return rls2__fail_memory(err, "the given matrices");
    for (int64_t k = 0; k < dictionary->m; k++) {
        int64_t g = dictionary->kernels[k].given;
        if (dictionary->kernels[k].kind != RLS2__KERNEL_GIVEN || given->matrices[g]) continue;
        given->matrices[g] =
            take_part(n, recipe->given[g], rows, row_numbers, columns, column_numbers);
        if (!given->matrices[g]) return rls2__fail_memory(err, "the given matrices");
    }
    return RLS2_OK;
}

rls2__recipe rls2__recipe_default(void)
{
    rls2__recipe recipe = {.kernels = "paper", .lambda_count = 30, .ratio = 1e-6};
    rls2_dataset_options_init(&recipe.data, sizeof recipe.data);
    rls2_basis_options_init(&recipe.basis, sizeof recipe.basis);
    rls2_path_options_init(&recipe.path, sizeof recipe.path);
    recipe.basis.skip_degenerate = 1; /* a feature may be constant in the rows of one split */
    return recipe;
}

/* ---- what all fits have in common ---- */

/* Their columns lie behind them; NULL where there is no memory. */
static rls2_group *make_groups(const rls2__recipe *recipe, const rls2_dataset *whole)
{
    int64_t count = recipe->group_count, p = rls2_dataset_columns(whole);
    int64_t each = rls2__add((int64_t)sizeof(rls2_group), rls2__mul(p, (int64_t)sizeof(int64_t)));
    rls2_group *groups = rls2__alloc_zero(rls2__mul(count, each), 1);
    if (!groups) return NULL;
    int64_t *columns = (int64_t *)(void *)(groups + count);
    const char *const *names = rls2_dataset_names(whole);
    for (int64_t g = 0; g < count; g++, columns += p) {
        groups[g] = (rls2_group){.name = recipe->group_names[g], .columns = columns};
        for (int64_t j = 0; j < p; j++)
            if (rls2_group_has(recipe->group_columns[g], names[j])) columns[groups[g].count++] = j;
    }
    return groups;
}

/* Two classes that are made to count alike: the mean of -1 and +1 is 0, but for rounding. */
static int is_balanced(const rls2__ingredients *from)
{
    const char *weights = from->recipe->class_weights;
    return rls2_dataset_outputs(from->whole) == 1 && weights && strcmp(weights, "balanced") == 0;
}

/* Of another loss than the square one the best constant depends on the rest. */
static rls2_intercept find_intercept(const rls2__ingredients *from)
{
    if (from->recipe->path.loss.kind != RLS2_LOSS_SQUARE) return RLS2_INTERCEPT_FREE;
    if (!rls2_dataset_is_classification(from->whole)) return RLS2_INTERCEPT_MEAN;
    return rls2_dictionary_is_linear(from->dictionary) && !is_balanced(from) ? RLS2_INTERCEPT_MEAN
                                                                             : RLS2_INTERCEPT_NONE;
}

/* With columns centred by the weights of the fit the mean of the response is the intercept of
 * weighted ridge regression; where balanced classes have mean 0, none is. */
static void resolve_intercept(rls2__ingredients *ingredients)
{
    rls2__recipe *recipe = &ingredients->resolved;
    if (recipe->path.intercept != RLS2_INTERCEPT_AUTO) return;
    recipe->path.intercept = find_intercept(ingredients);
    if (!rls2_dictionary_is_linear(ingredients->dictionary) ||
        recipe->path.intercept == RLS2_INTERCEPT_FREE)
        return;
    recipe->centers_as_fitted = 1;
    if (recipe->preprocessing.features == RLS2_NORMALIZE_NONE)
        recipe->preprocessing.features = RLS2_NORMALIZE_CENTER;
}

void rls2__recipe_resolve_like(rls2__recipe *recipe, const rls2__recipe *resolved)
{
    recipe->path.intercept = resolved->path.intercept;
    recipe->preprocessing = resolved->preprocessing;
    recipe->centers_as_fitted = resolved->centers_as_fitted;
}

rls2_status rls2__ingredients_create(const rls2__recipe *recipe, const rls2_dataset *whole,
                                     rls2__ingredients *ingredients, rls2_error *err)
{
    *ingredients = (rls2__ingredients){.resolved = *recipe, .whole = whole};
    ingredients->recipe = &ingredients->resolved;
    rls2_group *groups = make_groups(recipe, whole);
    if (!groups) return rls2__fail_memory(err, "the groups of columns");
    rls2_columns columns = {.count = rls2_dataset_columns(whole),
                            .names = rls2_dataset_names(whole),
                            .group_count = recipe->group_count,
                            .groups = groups,
                            .given_count = recipe->given_count,
                            .given_names = recipe->given_names};
    rls2_status status =
        rls2_dictionary_create(recipe->kernels, &columns, &ingredients->dictionary, err);
    rls2__free(groups);
    if (status == RLS2_OK) resolve_intercept(ingredients);
    return status;
}

void rls2__ingredients_copy(const rls2__ingredients *from, const rls2__recipe *recipe,
                            rls2__ingredients *copy)
{
    *copy = (rls2__ingredients){.resolved = *recipe, .whole = from->whole};
    copy->recipe = &copy->resolved;
    rls2__recipe_resolve_like(&copy->resolved, &from->resolved);
    copy->dictionary = rls2__dictionary_share(from->dictionary);
}

void rls2__ingredients_release(rls2__ingredients *ingredients)
{
    rls2__fit_release(&ingredients->shared);
    rls2_dictionary_free(ingredients->dictionary);
    *ingredients = (rls2__ingredients){0};
}

/* ---- the steps ---- */

static rls2_rows rows_of(const rls2_dataset *data)
{
    return (rls2_rows){
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
}

rls2_status rls2__fit_weights(const rls2__recipe *recipe, const rls2_dataset *data,
                              double **weights, rls2_error *err)
{
    if (!recipe->class_weights && !rls2_dataset_row_weights(data)) return RLS2_OK;
    *weights = rls2__alloc(rls2_dataset_rows(data), sizeof(double));
    if (!*weights) return rls2__fail_memory(err, "the weights of the rows");
    return rls2_dataset_fit_weights(data, recipe->class_weights, *weights, err);
}

/* Rows whose class is not to be known count by their own weights only. */
rls2_status rls2__fit_preprocess(const rls2__recipe *recipe, rls2_dataset *data, rls2_dataset *also,
                                 rls2_error *err)
{
    rls2_preprocessing how = recipe->preprocessing;
    double *weights = NULL;
    rls2_status status = RLS2_OK;
    if (how.examples == RLS2_NORMALIZE_NONE && how.features == RLS2_NORMALIZE_NONE) return RLS2_OK;
    if (recipe->centers_as_fitted && recipe->class_weights && !also)
        status = rls2__fit_weights(recipe, data, &weights, err);
    if (status == RLS2_OK)
        status = rls2__dataset_preprocess(data, how.examples, how.features, also, weights, err);
    rls2__free(weights);
    return status;
}

/* What takes the place of missing cells, and then which categories exist. */
static rls2_status learn_rows(const rls2__ingredients *from, rls2_dataset *data, rls2_error *err)
{
    rls2_status status = RLS2_OK;
    if (from->whole->encoder->missing == RLS2_MISSING_IMPUTE)
        status = rls2__dataset_learn_fills(data, err);
    if (status == RLS2_OK) rls2__dataset_find_absent(data);
    return status;
}

/* The columns are those of the whole table; fills and categories are learned from these rows. Test
 * rows that features are measured over are made before that, others after. */
static rls2_status make_data(const rls2__ingredients *from, const rls2_table *table, rls2__fit *fit,
                             rls2_error *err)
{
    rls2__view_rules rules = rls2__view_rules_of(from->whole->encoder);
    rls2_status status =
        rls2__dataset_like(table, from->whole->encoder, NULL, rules, &fit->data, err);
    if (status == RLS2_OK) status = learn_rows(from, fit->data, err);
    if (status == RLS2_OK && from->test && from->transductive_features)
        status = rls2_dataset_create_like(from->test, fit->data, &fit->test, err);
    if (status == RLS2_OK)
        status = rls2__fit_preprocess(from->recipe, fit->data,
                                      from->transductive_features ? fit->test : NULL, err);
    if (status == RLS2_OK && from->test && !fit->test)
        status = rls2_dataset_create_like(from->test, fit->data, &fit->test, err);
    if (status != RLS2_OK) return status;
    fit->outputs = rls2_dataset_outputs(fit->data);
    fit->rows = rows_of(fit->data);
    if (fit->test) fit->test_rows = rows_of(fit->test);
    return RLS2_OK;
}

/* An example that is normalised over fewer columns has other values. */
static int has_shared_values(const rls2__ingredients *from, const rls2__fit *fit)
{
    return fit->data->preparation.absent_count == 0 ||
           from->recipe->preprocessing.examples == RLS2_NORMALIZE_NONE;
}

/* The basis that rows may be taken from; NULL: there is none, or their values are not its. */
static const rls2_basis *basis_to_take_from(const rls2__ingredients *from, const rls2__fit *fit)
{
    if (from->prepared) return fit->centers ? NULL : from->prepared->basis;
    return has_shared_values(from, fit) ? from->shared.basis : NULL;
}

static rls2_status make_basis(const rls2__ingredients *from, const int64_t *numbers,
                              const rls2_basis_options *options, double coarse,
                              const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    int64_t n = fit->rows.n;
    const rls2_basis *whole = numbers ? basis_to_take_from(from, fit) : NULL;
    if (whole)
        return rls2__basis_take_coarsely(whole, fit->dictionary, n, numbers, options, coarse,
                                         control, &fit->basis, err);
    rls2_status status = RLS2_OK;
    if (numbers) {
        status = rls2__given_take(from, n, numbers, n, numbers, &fit->given, err);
        rls2__given_lend(&fit->given, &fit->rows);
    } else {
        fit->rows.given_count = from->recipe->given_count;
        fit->rows.given = from->recipe->given;
    }
    if (status != RLS2_OK) return status;
    return rls2_basis_create(fit->dictionary, &fit->rows, options, control, &fit->basis, err);
}

/* ---- one basis for each output ---- */

static const double *response(const rls2__fit *fit, int64_t o)
{
    return rls2_dataset_y(fit->data) + o * fit->rows.n;
}

static rls2_status rescale_others(const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    for (int64_t o = 1; o < fit->outputs; o++) {
        rls2_basis *rescaled = NULL;
        rls2_status status =
            rls2_basis_rescale(fit->basis, response(fit, o), control, &rescaled, err);
        if (status != RLS2_OK) return status;
        fit->bases[o] = rescaled;
    }
    return RLS2_OK;
}

/* Before it is rescaled: by labels no kernel comes back that is the same for all rows. */
static rls2_status leave_out_absent(rls2__fit *fit, rls2_error *err)
{
    const rls2__preparation *learned = &fit->data->preparation;
    if (learned->absent_count == 0) return RLS2_OK;
    return rls2__basis_leave_out(fit->basis, learned->absent, err);
}

/* From the rows of this fit alone. */
static rls2_status learn_widths(const rls2__ingredients *from, const rls2_control *control,
                                rls2__fit *fit, rls2_error *err)
{
    const rls2_control own = rls2__control_of(control);
    const rls2__width_lesson lesson = {.rows = &fit->rows,
                                       .outputs = fit->outputs,
                                       .y = rls2_dataset_y(fit->data),
                                       .weights = fit->weights};
    return rls2__widths_learn(from->dictionary, &lesson, &own, &fit->dictionary, err);
}

static rls2_status make_bases(const rls2__ingredients *from, const int64_t *numbers,
                              rls2_basis_options *options, double coarse,
                              const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    int by_labels =
        options->scaling == RLS2_SCALING_FISHER || options->scaling == RLS2_SCALING_FISHER_SQRT;
    fit->bases = rls2__alloc_zero(fit->outputs, sizeof(rls2_basis *));
    if (!fit->bases) return rls2__fail_memory(err, "the bases");
    int has_labels = rls2_dataset_is_classification(fit->data) && !fit->means;
    options->labels = has_labels ? response(fit, 0) : NULL;
    if (by_labels) coarse = 0.0; /* scalings of the other outputs are made of the values */
    rls2_status status = learn_widths(from, control, fit, err);
    if (status == RLS2_OK) status = make_basis(from, numbers, options, coarse, control, fit, err);
    if (status == RLS2_OK) status = leave_out_absent(fit, err);
    for (int64_t o = 0; o < fit->outputs; o++) fit->bases[o] = fit->basis;
    return status == RLS2_OK && by_labels ? rescale_others(control, fit, err) : status;
}

static rls2_basis_options basis_options(const rls2__recipe *recipe)
{
    rls2_basis_options options = recipe->basis;
    options.transductive = NULL;
    return options;
}

rls2_status rls2__fit_bases(const rls2__ingredients *from, const rls2_table *table,
                            const int64_t *numbers, const rls2_control *control, rls2__fit *fit,
                            rls2_error *err)
{
    rls2_basis_options options = basis_options(from->recipe);
    *fit = (rls2__fit){0};
    rls2_status status = make_data(from, table, fit, err);
    if (status == RLS2_OK) status = rls2__fit_weights(from->recipe, fit->data, &fit->weights, err);
    options.row_weights = fit->weights;
    if (from->transductive && fit->test) options.transductive = &fit->test_rows;
    if (status != RLS2_OK) return status;
    return make_bases(from, numbers, &options, 0.0, control, fit, err);
}

rls2_status rls2__fit_bases_taken(const rls2__ingredients *from, int64_t count,
                                  const int64_t *numbers, double coarse,
                                  const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    rls2_basis_options options = basis_options(from->recipe);
    *fit = (rls2__fit){0};
    rls2_status status = rls2__take_training(from, count, numbers, fit, err);
    if (status != RLS2_OK) return status;
    fit->outputs = rls2_dataset_outputs(fit->data);
    status = rls2__fit_weights(from->recipe, fit->data, &fit->weights, err);
    if (status == RLS2_OK) status = rls2__take_centers(from, fit, err);
    fit->rows = rows_of(fit->data);
    options.row_weights = fit->weights;
    if (status != RLS2_OK) return status;
    return make_bases(from, numbers, &options, coarse, control, fit, err);
}

/* Their columns are centred: a scaling need not do so, nor could it. */
rls2_status rls2__fit_bases_virtual(const rls2__ingredients *from, const rls2_control *control,
                                    rls2__fit *fit, rls2_error *err)
{
    rls2_basis_options options = basis_options(from->recipe);
    options.center = 0;
    fit->outputs = rls2_dataset_outputs(fit->data);
    fit->rows = rows_of(fit->data);
    return make_bases(from, NULL, &options, 0.0, control, fit, err);
}

rls2_status rls2__fit_bases_of(const rls2__ingredients *from, rls2_dataset *data,
                               rls2_dataset *test, const rls2_rows *test_rows,
                               const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    rls2_basis_options options = basis_options(from->recipe);
    *fit = (rls2__fit){.data = data, .test = test, .borrows_data = 1};
    fit->outputs = rls2_dataset_outputs(data);
    fit->rows = rows_of(data);
    if (test) fit->test_rows = *test_rows;
    rls2_status status = rls2__fit_weights(from->recipe, fit->data, &fit->weights, err);
    options.row_weights = fit->weights;
    if (from->transductive && test) options.transductive = &fit->test_rows;
    return status == RLS2_OK ? make_bases(from, NULL, &options, 0.0, control, fit, err) : status;
}

rls2_path_options rls2__fit_path_options(const rls2__recipe *recipe, const rls2__fit *fit)
{
    rls2_path_options options = recipe->path;
    if (fit->means) options.intercept = RLS2_INTERCEPT_NONE;
    return options;
}

void rls2__fit_set_intercept(const rls2__recipe *recipe, const rls2__fit *fit, int64_t o,
                             rls2_path *path)
{
    if (fit->means && recipe->path.intercept == RLS2_INTERCEPT_MEAN)
        path->intercept = fit->means[o];
}

static int descending(const void *a, const void *b)
{
    double u = *(const double *)a, v = *(const double *)b;
    return u < v ? 1 : u > v ? -1 : 0;
}

rls2_status rls2__fit_lambdas(const rls2__recipe *recipe, const rls2__fit *fit, double *lambdas,
                              rls2_error *err)
{
    int64_t count = recipe->lambda_count;
    if (!recipe->lambdas)
        return rls2__lambda_default(fit->outputs, fit->bases, rls2_dataset_y(fit->data),
                                    &recipe->path, recipe->losses, recipe->ratio, count, lambdas,
                                    err);
    memcpy(lambdas, recipe->lambdas, (size_t)count * sizeof(double));
    qsort(lambdas, (size_t)count, sizeof(double), descending);
    return RLS2_OK;
}

rls2_status rls2__fit_paths(const rls2__recipe *recipe, int64_t count, const double *lambdas,
                            const rls2_control *control, rls2__fit *fit, rls2_error *err)
{
    fit->paths = rls2__alloc_zero(fit->outputs, sizeof(rls2_path *));
    if (!fit->paths) return rls2__fail_memory(err, "the paths");
    if (recipe->losses) {
        const rls2_control own = rls2__control_of(control);
        const rls2__paths_job job = {.count = count,
                                     .lambdas = lambdas,
                                     .options = &recipe->path,
                                     .losses = recipe->losses,
                                     .control = &own};
        return rls2__fit_extend(&job, fit, err);
    }
    return rls2_path_fit(fit->outputs, fit->bases, rls2_dataset_y(fit->data), count, lambdas,
                         &recipe->path, control, fit->paths, err);
}

rls2_status rls2__fit_extend(const rls2__paths_job *further, rls2__fit *fit, rls2_error *err)
{
    rls2__paths_job job = *further;
    job.outputs = fit->outputs;
    job.bases = fit->bases;
    job.y = rls2_dataset_y(fit->data);
    if (!fit->paths) fit->paths = rls2__alloc_zero(fit->outputs, sizeof(rls2_path *));
    if (!fit->paths) return rls2__fail_memory(err, "the paths");
    rls2_status status = rls2__check_lambdas(job.count, job.lambdas, job.options, err);
    if (status == RLS2_OK) status = rls2__check_outputs(job.outputs, job.bases, job.y, err);
    return status == RLS2_OK ? rls2__paths_fit(&job, fit->paths, err) : status;
}

/* ---- kernels evaluated once ----
 *
 * That is possible where a kernel's value for two rows does not depend on the others: no cell is
 * imputed, no feature is measured over rows, and no kernel is fitted to their range. It pays for
 * kernels that cost more than to copy their columns: a linear one of a single column is that
 * column. */

static int is_a_column(const rls2__kernel *kernel)
{
    return kernel->kind == RLS2__KERNEL_LINEAR && kernel->column_count == 1;
}

static int can_be_shared(const rls2__ingredients *from)
{
    const rls2_dictionary *dictionary = from->dictionary;
    int64_t columns = 0;
    if (from->recipe->preprocessing.features != RLS2_NORMALIZE_NONE) return 0;
    if (from->whole->imputed > 0) return 0;
    for (int64_t k = 0; k < dictionary->m; k++) columns += is_a_column(&dictionary->kernels[k]);
    return columns < dictionary->m && !rls2__basis_depends_on_rows(dictionary);
}

rls2_status rls2__ingredients_share(rls2__ingredients *ingredients, const rls2_table *table,
                                    const rls2_control *control, rls2_error *err)
{
    rls2_basis_options options = basis_options(ingredients->recipe);
    rls2__fit *fit = &ingredients->shared;
    rls2_error own = {0};
    if (!can_be_shared(ingredients)) return RLS2_OK;
    rls2_status status = make_data(ingredients, table, fit, err);
    if (status != RLS2_OK) return status;
    fit->rows.given_count = ingredients->recipe->given_count;
    fit->rows.given = ingredients->recipe->given;
    if (options.memory > 1)
        options.memory /= 2; /* the other half is for what a split takes, which is no more */
    options.scaling = RLS2_SCALING_NONE;
    options.center = 0;
    options.labels = NULL;
    options.row_weights = NULL;
    status = rls2_basis_create(ingredients->dictionary, &fit->rows, &options, control, &fit->basis,
                               &own);
    /* what is not stored for all rows may be for those of a split */
    if (status == RLS2_OK && fit->basis->recomputed == 0) return status;
    if (status == RLS2_OK) status = RLS2_ERR_MEMORY;
    rls2__fit_release(fit);
    /* each split evaluates its own then: they are smaller, and scaled, which may save a kernel or
     * leave it out */
    if (status == RLS2_ERR_MEMORY || status == RLS2_ERR_VALUE) return RLS2_OK;
    return rls2__fail(err, status, "%s", own.message);
}
