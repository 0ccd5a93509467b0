/* Cross-validates lambda, fits all classes and counts errors and selected genes. */
#include "experiments/cancer_protocol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Everything learned from one set. The bases of the classes after the first are rescaled from it;
 * each comes before what it needs. */
typedef struct fitted {
    rls2_dataset *train, *test;
    rls2_dictionary *dictionary;
    int64_t outputs;
    rls2_basis *bases[CANCER_CLASSES];
    rls2_path *paths[CANCER_CLASSES];
    double lambdas[CANCER_LAMBDAS];
} fitted;

static void fitted_free(fitted *fit)
{
    for (int o = 0; o < CANCER_CLASSES; o++) rls2_path_free(fit->paths[o]);
    for (int o = CANCER_CLASSES - 1; o >= 0; o--) rls2_basis_free(fit->bases[o]);
    rls2_dictionary_free(fit->dictionary);
    rls2_dataset_free(fit->test);
    rls2_dataset_free(fit->train);
}

/* ---- settings, the same for the folds and the final fit ---- */

static const rls2_preprocessing EACH_PATIENT = {.examples = RLS2_NORMALIZE_STANDARDIZE};

static rls2_dataset_options data_options(const cancer_set *set, const char *const *drop)
{
    rls2_dataset_options options = rls2_dataset_options_default();
    options.target = set->target;
    options.drop = drop;
    options.drop_count = set->drop[0] ? 1 : 0;
    options.drop_missing = 0;
    options.classify = 1;
    return options;
}

static rls2_basis_options basis_options(int threads)
{
    rls2_basis_options options = rls2_basis_options_default();
    options.scaling = RLS2_SCALING_FISHER_SQRT;
    options.skip_degenerate = 1; /* a gene that is constant within both classes */
    options.threads = threads;
    return options;
}

static rls2_path_options path_options(void)
{
    rls2_path_options options = rls2_path_options_default();
    options.intercept = RLS2_INTERCEPT_NONE;
    return options;
}

/* ---- the final fit ---- */

static rls2_status make_data(const cancer_set *set, fitted *fit, rls2_error *err)
{
    const char *drop = set->drop;
    rls2_dataset_options options = data_options(set, &drop);
    rls2_status status = rls2_dataset_create(set->train, &options, &fit->train, err);
    if (status == RLS2_OK) status = rls2_dataset_preprocess(fit->train, EACH_PATIENT, NULL, err);
    if (status == RLS2_OK)
        status = rls2_dataset_create_like(set->test, fit->train, &fit->test, err);
    if (status != RLS2_OK) return status;
    fit->outputs = rls2_dataset_outputs(fit->train);
    if (fit->outputs > CANCER_CLASSES)
        return experiment_fail(err, RLS2_ERR_VALUE, "at most %d classes are expected",
                               CANCER_CLASSES);
    return RLS2_OK;
}

static rls2_rows rows_of(const rls2_dataset *data)
{
    return (rls2_rows){
        .n = rls2_dataset_rows(data), .p = rls2_dataset_columns(data), .x = rls2_dataset_x(data)};
}

static rls2_status make_bases(fitted *fit, int threads, rls2_error *err)
{
    rls2_columns columns = {.count = rls2_dataset_columns(fit->train),
                            .names = rls2_dataset_names(fit->train)};
    rls2_rows rows = rows_of(fit->train);
    rls2_basis_options options = basis_options(threads);
    const double *y = rls2_dataset_y(fit->train);
    options.labels = y;
    rls2_status status = rls2_dictionary_create("linear", &columns, &fit->dictionary, err);
    if (status == RLS2_OK)
        status = rls2_basis_create(fit->dictionary, &rows, &options, &fit->bases[0], err);
    for (int64_t o = 1; o < fit->outputs && status == RLS2_OK; o++)
        status = rls2_basis_rescale(fit->bases[0], y + o * rows.n, &fit->bases[o], err);
    return status;
}

/* The default grid of the classes together: at its top the best gene alone gives a tenth of the
 * labels, and six decades below every training row is right long since. */
static const double GRID_RATIO = 1e-6;

/* Whoever counts folds is told that none is done yet, and may ask to stop. */
static int before_the_folds(void *user, const rls2_progress *path)
{
    const rls2_cv_options *folds = user;
    const rls2_progress at = {.stage = path->stage, .total = CANCER_FOLDS};
    return folds->progress && folds->progress(folds->progress_user, &at) != 0;
}

static rls2_status fit_paths(fitted *fit, rls2_cv_options *folds, rls2_error *err)
{
    const rls2_basis *bases[CANCER_CLASSES];
    const double *y = rls2_dataset_y(fit->train);
    rls2_path_options options = path_options();
    options.progress = before_the_folds;
    options.progress_user = folds;
    for (int64_t o = 0; o < fit->outputs; o++) bases[o] = fit->bases[o];
    rls2_status status = rls2_lambda_default_outputs(fit->outputs, bases, y, RLS2_INTERCEPT_NONE,
                                                     GRID_RATIO, CANCER_LAMBDAS, fit->lambdas, err);
    if (status == RLS2_OK)
        status = rls2_path_fit_outputs(fit->outputs, bases, y, CANCER_LAMBDAS, fit->lambdas,
                                       &options, folds->threads, fit->paths, err);
    for (int64_t o = 0; o < fit->outputs && status == RLS2_OK; o++)
        if (rls2_path_count(fit->paths[o]) < CANCER_LAMBDAS)
            status = experiment_fail(err, RLS2_ERR_CANCELLED, "stopped");
    return status;
}

/* errors[i], of these rows at each lambda. */
static rls2_status count_errors(const fitted *fit, const rls2_dataset *data, double *errors,
                                rls2_error *err)
{
    rls2_rows rows = rows_of(data);
    int64_t n = rows.n, all = n * CANCER_LAMBDAS;
    double *f = malloc((size_t)(all * fit->outputs + 1) * sizeof *f);
    double *at = malloc((size_t)(n * fit->outputs + 1) * sizeof *at);
    rls2_status status =
        f && at ? RLS2_OK : experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for predictions");
    for (int64_t o = 0; o < fit->outputs && status == RLS2_OK; o++)
        status = rls2_path_predict(fit->paths[o], &rows, f + o * all, err);
    for (int64_t i = 0; i < CANCER_LAMBDAS && status == RLS2_OK; i++) {
        for (int64_t o = 0; o < fit->outputs; o++)
            memcpy(at + o * n, f + o * all + i * n, (size_t)n * sizeof *at);
        errors[i] = rls2_measure_value(RLS2_MEASURE_ERRORS, fit->outputs, n, at,
                                       rls2_dataset_y(data), NULL);
    }
    free(at);
    free(f);
    return status;
}

static int64_t genes_at(const fitted *fit, int64_t i, char *chosen)
{
    int64_t count = 0, genes = rls2_dataset_columns(fit->train);
    memset(chosen, 0, (size_t)genes);
    for (int64_t o = 0; o < fit->outputs; o++) {
        const int64_t *kernels;
        int64_t selected = rls2_path_weights(fit->paths[o], i, &kernels, NULL);
        for (int64_t k = 0; k < selected; k++) {
            count += !chosen[kernels[k]];
            chosen[kernels[k]] = 1;
        }
    }
    return count;
}

static rls2_status describe_path(const fitted *fit, cancer_result *result, rls2_error *err)
{
    char *chosen = malloc((size_t)rls2_dataset_columns(fit->train) + 1);
    if (!chosen) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the genes");
    for (int64_t i = 0; i < CANCER_LAMBDAS; i++) {
        cancer_point *point = &result->points[i];
        point->lambda = fit->lambdas[i];
        point->genes = (double)genes_at(fit, i, chosen);
        point->gap = 0.0;
        for (int64_t o = 0; o < fit->outputs; o++) {
            const rls2_path_point *p = rls2_path_at(fit->paths[o], i);
            point->gap = fmax(point->gap, p->gap);
            result->unconverged += p->outcome != RLS2_OUTCOME_CONVERGED;
        }
    }
    free(chosen);
    return RLS2_OK;
}

static rls2_status final_fit(fitted *fit, rls2_cv_options *folds, cancer_result *result,
                             rls2_error *err)
{
    double training[CANCER_LAMBDAS], test[CANCER_LAMBDAS];
    rls2_status status = make_bases(fit, folds->threads, err);
    if (status == RLS2_OK) status = fit_paths(fit, folds, err);
    if (status == RLS2_OK) status = count_errors(fit, fit->train, training, err);
    if (status == RLS2_OK) status = count_errors(fit, fit->test, test, err);
    if (status == RLS2_OK) status = describe_path(fit, result, err);
    for (int i = 0; i < CANCER_LAMBDAS && status == RLS2_OK; i++) {
        result->points[i].training = training[i];
        result->points[i].test = test[i];
    }
    return status;
}

/* ---- cross-validation ---- */

static rls2_status make_folds(const cancer_set *set, const rls2_dataset *train, uint64_t seed,
                              rls2_splits **folds, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(train);
    if (set->fold) return rls2_splits_given(n, set->fold, folds, err);
    double *strata = malloc((size_t)n * sizeof *strata);
    if (!strata) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the folds");
    for (int64_t i = 0; i < n; i++) strata[i] = (double)rls2_dataset_classes(train)[i];
    rls2_status status = rls2_splits_folds(n, strata, CANCER_FOLDS, 1, seed, folds, err);
    free(strata);
    return status;
}

/* Counted from the predictions: shares of folds of unequal size would tie or not by rounding. */
static void validation_errors(const rls2_cv *cv, const rls2_dataset *train, cancer_result *result)
{
    int64_t n = rls2_dataset_rows(train), outputs = rls2_dataset_outputs(train);
    for (int64_t i = 0; i < CANCER_LAMBDAS; i++) {
        result->points[i].validation =
            rls2_measure_value(RLS2_MEASURE_ERRORS, outputs, n, rls2_cv_predictions(cv, i),
                               rls2_dataset_y(train), NULL);
        result->points[i].band = rls2_cv_at(cv, i)->cvsd;
    }
    result->unconverged += (double)rls2_cv_unconverged(cv);
}

static rls2_status cross_validate(const cancer_set *set, const fitted *fit, uint64_t seed,
                                  const rls2_cv_options *options, cancer_result *result,
                                  rls2_error *err)
{
    rls2_recipe recipe = rls2_recipe_default();
    rls2_splits *folds = NULL;
    rls2_cv *cv = NULL;
    const char *drop = set->drop;
    recipe.data = data_options(set, &drop);
    recipe.preprocessing = EACH_PATIENT;
    recipe.kernels = "linear";
    recipe.basis = basis_options(options->threads);
    recipe.path = path_options();
    recipe.lambda_count = CANCER_LAMBDAS;
    recipe.lambdas = fit->lambdas;
    rls2_status status = make_folds(set, fit->train, seed, &folds, err);
    if (status == RLS2_OK) status = rls2_cv_run(set->train, &recipe, folds, options, &cv, err);
    if (status == RLS2_OK) validation_errors(cv, fit->train, result);
    rls2_cv_free(cv);
    rls2_splits_free(folds);
    return status;
}

/* ---- the choice ---- */

static int64_t fewest_errors(const cancer_result *result)
{
    int64_t best = 0;
    for (int64_t i = 1; i < CANCER_LAMBDAS; i++)
        if (result->points[i].validation < result->points[best].validation) best = i;
    return best;
}

double cancer_mean_errors(const cancer_result *result, int64_t *count)
{
    double fewest = result->points[fewest_errors(result)].validation, sum = 0.0;
    *count = 0;
    for (int64_t i = 0; i < CANCER_LAMBDAS; i++) {
        if (result->points[i].validation > fewest) continue;
        sum += result->points[i].test;
        (*count)++;
    }
    return sum / (double)*count;
}

static rls2_status count_markers(const cancer_set *set, const fitted *fit, int64_t choice,
                                 cancer_result *result, rls2_error *err)
{
    int64_t genes = rls2_dataset_columns(fit->train);
    result->markers = result->found = -1.0;
    if (!set->marker) return RLS2_OK;
    char *chosen = malloc((size_t)genes + 1);
    if (!chosen) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the genes");
    genes_at(fit, choice, chosen);
    result->markers = result->found = 0.0;
    for (int64_t g = 0; g < genes; g++) {
        result->markers += set->marker[g];
        result->found += set->marker[g] && chosen[g];
    }
    free(chosen);
    return RLS2_OK;
}

static rls2_status choose(const cancer_set *set, const fitted *fit, cancer_result *result,
                          rls2_error *err)
{
    rls2_certificate certificate;
    int64_t choice = fewest_errors(result);
    rls2_status status = count_markers(set, fit, choice, result, err);
    result->choice = (double)choice;
    for (int64_t o = 0; o < fit->outputs && status == RLS2_OK; o++) {
        status = rls2_path_certify(fit->paths[o], choice, &certificate, err);
        if (status == RLS2_OK)
            result->certificate = fmax(result->certificate, certificate.relative_gap);
        result->class_genes[o] = (double)rls2_path_at(fit->paths[o], choice)->selected;
    }
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

rls2_status cancer_protocol(const cancer_set *set, uint64_t seed, int threads,
                            rls2_progress_fn progress, void *progress_user, cancer_result *result,
                            rls2_error *err)
{
    fitted fit = {0};
    cancer_result made = {0};
    rls2_cv_options options = rls2_cv_options_default();
    double start = now();
    options.measure = RLS2_MEASURE_ACCURACY;
    options.threads = threads;
    options.progress = progress;
    options.progress_user = progress_user;
    rls2_status status = make_data(set, &fit, err);
    if (status == RLS2_OK) status = final_fit(&fit, &options, &made, err);
    if (status == RLS2_OK) status = cross_validate(set, &fit, seed, &options, &made, err);
    if (status == RLS2_OK) status = choose(set, &fit, &made, err);
    if (status == RLS2_OK) {
        made.rows = (double)rls2_dataset_rows(fit.train);
        made.test_rows = (double)rls2_dataset_rows(fit.test);
        made.genes = (double)rls2_dataset_columns(fit.train);
        made.classes = (double)rls2_dataset_class_count(fit.train);
        made.seconds = now() - start;
        *result = made;
    }
    fitted_free(&fit);
    return status;
}
