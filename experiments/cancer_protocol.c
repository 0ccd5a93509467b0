/* Cross-validates lambda, fits all classes and counts errors and selected genes. */
#include "experiments/cancer_protocol.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the plan ---- */

static rls2_status make_plan(const cancer_set *set, uint64_t seed, rls2_plan **plan,
                             rls2_error *err)
{
    char count[16], folds[16], start[32];
    snprintf(count, sizeof count, "%d", CANCER_LAMBDAS);
    snprintf(folds, sizeof folds, "%d", CANCER_FOLDS);
    snprintf(start, sizeof start, "%" PRIu64, seed);
    /* The default grid of the classes together: at its top the best gene alone gives a tenth of the
     * labels, and six decades below every training row is right long since. */
    const experiment_setting settings[] = {{"target", set->target},
                                           {"task", "classification"},
                                           {"missing", "error"},
                                           {"examples", "standardize"},
                                           {"features", "none"},
                                           {"kernels", "linear"},
                                           {"scaling", "fisher-sqrt"},
                                           {"intercept", "none"},
                                           {"lambda-count", count},
                                           {"lambda-ratio", "1e-6"},
                                           {"folds", folds},
                                           {"seed", start},
                                           {"measure", "accuracy"},
                                           {"baselines", "false"},
                                           {set->drop[0] ? "drop" : NULL, set->drop},
                                           {NULL, NULL}};
    rls2_status status = experiment_plan(RLS2_GOAL_ALL, settings, plan, err);
    if (status == RLS2_OK) status = rls2_plan_set_test(*plan, set->test, err);
    if (status == RLS2_OK) status = rls2_plan_complete(*plan, set->train, err);
    if (status != RLS2_OK || !set->fold) return status;
    rls2_splits *known = NULL;
    int64_t n = rls2_dataset_rows(rls2_plan_split_data(*plan));
    status = rls2_splits_given(n, set->fold, &known, err);
    return status == RLS2_OK ? rls2_plan_take_splits(*plan, known, err) : status;
}

static rls2_status check_classes(const rls2_plan *plan, rls2_error *err)
{
    const rls2_dataset *data = rls2_plan_data(plan, RLS2_PART_TRAINING);
    if (rls2_dataset_outputs(data) <= CANCER_CLASSES) return RLS2_OK;
    return experiment_fail(err, RLS2_ERR_VALUE, "at most %d classes are expected", CANCER_CLASSES);
}

typedef struct watcher {
    rls2_progress_fn progress;
    void *user;
} watcher;

/* Whoever counts folds is told that none is done yet, and may ask to stop. */
static int tell_folds(void *user, const rls2_progress *at)
{
    const watcher *w = user;
    rls2_progress folds = *at;
    if (strcmp(at->stage, "splits") != 0)
        folds = (rls2_progress){.stage = at->stage, .total = CANCER_FOLDS};
    return w->progress && w->progress(w->user, &folds) != 0;
}

static rls2_status carry_out(rls2_plan *plan, int threads, watcher *w, rls2_fit **fit,
                             rls2_error *err)
{
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = threads;
    control.progress = tell_folds;
    control.user = w;
    rls2_status status = rls2_plan_fit(plan, &control, fit, err);
    if (status == RLS2_OK && rls2_fit_count(*fit) < CANCER_LAMBDAS)
        status = experiment_fail(err, RLS2_ERR_CANCELLED, "stopped");
    return status;
}

/* ---- what it led to ---- */

/* errors[i], of these rows at each lambda. */
static rls2_status count_errors(const rls2_fit *fit, const rls2_dataset *data, rls2_part part,
                                double *errors, rls2_error *err)
{
    int64_t n = rls2_dataset_rows(data), outputs = rls2_fit_outputs(fit), each = n * outputs;
    double *f = malloc((size_t)(each * CANCER_LAMBDAS + 1) * sizeof *f);
    rls2_status status = f ? rls2_fit_predict_path(fit, part, f, err)
                           : experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for predictions");
    for (int64_t i = 0; i < CANCER_LAMBDAS && status == RLS2_OK; i++)
        errors[i] = rls2_measure_value(RLS2_MEASURE_ERRORS, outputs, n, f + i * each,
                                       rls2_dataset_y(data), NULL);
    free(f);
    return status;
}

static void mark_genes(const rls2_fit *fit, int64_t i, char *chosen)
{
    memset(chosen, 0, (size_t)rls2_dataset_columns(rls2_fit_data(fit)));
    for (int64_t o = 0; o < rls2_fit_outputs(fit); o++) {
        const int64_t *kernels;
        int64_t selected = rls2_path_kernel_weights(rls2_fit_path(fit, o), i, &kernels, NULL);
        for (int64_t k = 0; k < selected; k++) chosen[kernels[k]] = 1;
    }
}

static void describe_path(const rls2_fit *fit, cancer_result *result)
{
    for (int64_t i = 0; i < CANCER_LAMBDAS; i++) {
        const rls2_path_point *all = rls2_fit_at(fit, i);
        cancer_point *point = &result->points[i];
        point->lambda = all->lambda;
        point->genes = (double)all->selected;
        point->gap = all->gap;
        for (int64_t o = 0; o < rls2_fit_outputs(fit); o++)
            result->unconverged +=
                rls2_path_at(rls2_fit_path(fit, o), i)->outcome != RLS2_OUTCOME_CONVERGED;
    }
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

static rls2_status describe_fit(const rls2_fit *fit, cancer_result *result, rls2_error *err)
{
    double training[CANCER_LAMBDAS], test[CANCER_LAMBDAS];
    const rls2_dataset *train = rls2_fit_data(fit), *others = rls2_fit_test(fit);
    rls2_status status = count_errors(fit, train, RLS2_PART_TRAINING, training, err);
    if (status == RLS2_OK) status = count_errors(fit, others, RLS2_PART_TEST, test, err);
    if (status != RLS2_OK) return status;
    describe_path(fit, result);
    validation_errors(rls2_fit_cv(fit), train, result);
    for (int i = 0; i < CANCER_LAMBDAS; i++) {
        result->points[i].training = training[i];
        result->points[i].test = test[i];
    }
    result->rows = (double)rls2_dataset_rows(train);
    result->test_rows = (double)rls2_dataset_rows(others);
    result->genes = (double)rls2_dataset_columns(train);
    result->classes = (double)rls2_dataset_class_count(train);
    return RLS2_OK;
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

static rls2_status count_markers(const cancer_set *set, const rls2_fit *fit, int64_t choice,
                                 cancer_result *result, rls2_error *err)
{
    int64_t genes = rls2_dataset_columns(rls2_fit_data(fit));
    result->markers = result->found = -1.0;
    if (!set->marker) return RLS2_OK;
    char *chosen = malloc((size_t)genes + 1);
    if (!chosen) return experiment_fail(err, RLS2_ERR_MEMORY, "out of memory for the genes");
    mark_genes(fit, choice, chosen);
    result->markers = result->found = 0.0;
    for (int64_t g = 0; g < genes; g++) {
        result->markers += set->marker[g];
        result->found += set->marker[g] && chosen[g];
    }
    free(chosen);
    return RLS2_OK;
}

static rls2_status choose(const cancer_set *set, const rls2_fit *fit, cancer_result *result,
                          rls2_error *err)
{
    rls2_certificate certificate;
    int64_t choice = fewest_errors(result);
    rls2_status status = count_markers(set, fit, choice, result, err);
    result->choice = (double)choice;
    for (int64_t o = 0; o < rls2_fit_outputs(fit) && status == RLS2_OK; o++) {
        status =
            rls2_path_certify(rls2_fit_path(fit, o), choice, &certificate, sizeof certificate, err);
        if (status == RLS2_OK)
            result->certificate = fmax(result->certificate, certificate.relative_gap);
        result->class_genes[o] = (double)rls2_path_at(rls2_fit_path(fit, o), choice)->selected;
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
    rls2_plan *plan = NULL;
    rls2_fit *fit = NULL;
    cancer_result made = {0};
    watcher w = {progress, progress_user};
    double start = now();
    rls2_status status = make_plan(set, seed, &plan, err);
    if (status == RLS2_OK) status = check_classes(plan, err);
    if (status == RLS2_OK) status = carry_out(plan, threads, &w, &fit, err);
    if (status == RLS2_OK) status = describe_fit(fit, &made, err);
    if (status == RLS2_OK) status = choose(set, fit, &made, err);
    if (status == RLS2_OK) {
        made.seconds = now() - start;
        *result = made;
    }
    rls2_fit_free(fit);
    rls2_plan_free(plan);
    return status;
}
