/* The stages of a run, and what is written down between them.
 *
 * The path comes first: it has a result of its own, which is there as soon as it is. Rows are then
 * left out on the very values of lambda of the path, and the result is written anew. Only where
 * lambda is chosen on validation rows and the grid comes from the data it is the other way round:
 * the grid is then that of training and validation rows together, as it is for `rls2 train`. */
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/job.h"

/* ---- rows left out ---- */

/* The grid of the path, or of whatever the recipe says. */
static int take_path_lambdas(const job *j, rls2_recipe *recipe, double **lambdas, fault *f)
{
    const rls2_fit *fit = j->outcome.fit;
    if (!fit) return 0;
    int64_t count = rls2_fit_count(fit);
    *lambdas = calloc((size_t)count + 1, sizeof **lambdas);
    if (!*lambdas) return fault_memory(f);
    for (int64_t i = 0; i < count; i++)
        (*lambdas)[i] = rls2_path_at(rls2_fit_path(fit, 0), i)->lambda;
    recipe->lambdas = *lambdas;
    recipe->lambda_count = count;
    return 0;
}

static int cross_validate(job *j, fault *f)
{
    rls2_error err;
    const problem *p = &j->problem;
    double *lambdas = NULL;
    rls2_cv_options options = rls2_cv_options_default();
    rls2_recipe recipe = p->recipe;
    recipe.path.degrees_of_freedom = 0;
    options.measure = p->measure;
    options.baselines = p->asked.baselines;
    options.threads = j->state->threads;
    options.progress = job_progress;
    options.progress_user = j;
    job_stage(j, STAGE_SPLITS);
    int code = take_path_lambdas(j, &recipe, &lambdas, f);
    if (!code && rls2_cv_run(p->choosing ? p->choosing : p->train, &recipe, j->splits, &options,
                             &j->outcome.cv, &err) != RLS2_OK)
        code = job_failed(j, &err, NULL, f);
    free(lambdas);
    j->outcome.splits = !code ? SPLITS_DONE : job_is_stopped(j) ? SPLITS_STOPPED : SPLITS_FAILED;
    return code;
}

/* ---- the path ---- */

/* The grid of the cross-validation, where that came first. */
static int take_curve_lambdas(const job *j, rls2_recipe *recipe, double **lambdas, fault *f)
{
    const rls2_cv *cv = j->outcome.cv;
    if (!cv) return 0;
    *lambdas = calloc((size_t)rls2_cv_count(cv) + 1, sizeof **lambdas);
    if (!*lambdas) return fault_memory(f);
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) (*lambdas)[i] = rls2_cv_at(cv, i)->lambda;
    recipe->lambdas = *lambdas;
    recipe->lambda_count = rls2_cv_count(cv);
    return 0;
}

/* What is finished of it when it is stopped is a result too, if anything is. */
static int fit_path(job *j, fault *f)
{
    rls2_error err;
    double *lambdas = NULL;
    rls2_recipe recipe = j->problem.recipe;
    rls2_fit_options options = rls2_fit_options_default();
    options.test = j->problem.test;
    options.transductive = j->problem.asked.transductive;
    /* what is measured over the test rows by --transductive are columns too */
    options.transductive_features = j->problem.asked.transductive_features || options.transductive;
    options.threads = j->state->threads;
    options.progress = job_progress;
    options.progress_user = j;
    job_stage(j, STAGE_KERNELS);
    int code = take_curve_lambdas(j, &recipe, &lambdas, f);
    if (!code &&
        rls2_fit_table(j->problem.train, &recipe, &options, &j->outcome.fit, &err) != RLS2_OK)
        code = job_failed(j, &err, NULL, f);
    free(lambdas);
    if (!code && rls2_fit_count(j->outcome.fit) == 0)
        code = fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    return code;
}

/* ---- results ---- */

static int save_part(const job *j, const char *name, const json_t *json, fault *f)
{
    char path[STORE_PATH];
    store_path(path, "runs/%s/%s", j->run->id, name);
    return store_write_json(&j->state->store, path, (json_t *)(uintptr_t)json, f);
}

static int save_left_out(const job *j, fault *f)
{
    char path[STORE_PATH];
    const rls2_cv *cv = j->outcome.cv;
    if (!cv) return 0;
    int64_t each = rls2_cv_rows(cv) * rls2_cv_outputs(cv), count = rls2_cv_count(cv);
    double *all = calloc((size_t)(each * count) + 1, sizeof *all);
    if (!all) return fault_memory(f);
    for (int64_t i = 0; i < count; i++)
        memcpy(all + i * each, rls2_cv_predictions(cv, i), (size_t)each * sizeof *all);
    store_path(path, "runs/%s/left-out.f64", j->run->id);
    int code = store_write(&j->state->store, path, all, (size_t)(each * count) * sizeof *all, f);
    free(all);
    return code;
}

/* Takes the summary over; from now on the run has a result, also if the server is killed. */
static int announce(job *j, json_t *summary, fault *f)
{
    pthread_mutex_lock(&j->state->lock);
    json_object_set_new(j->run->about, "summary", summary);
    j->run->has_result = 1;
    j->run->seconds = clock_seconds() - j->begun;
    run_changed(j->state, j->run);
    pthread_mutex_unlock(&j->state->lock);
    return run_save(j->state, j->run, f);
}

/* All that is known so far; what was written before is replaced. */
static int save_result(job *j, fault *f)
{
    json_t *result = NULL, *profile = NULL, *summary = NULL;
    int code = result_make(&j->problem, &j->outcome, &result, &profile, &summary, f);
    if (!code) code = save_left_out(j, f);
    if (!code) code = save_part(j, "profile.json", profile, f);
    if (!code) code = save_part(j, "result.json", result, f);
    json_decref(profile);
    json_decref(result);
    if (!code) return announce(j, summary, f);
    json_decref(summary);
    return code;
}

static void next_part(void *user)
{
    job *j = user;
    j->before += rls2_fit_count(j->outcome.fit);
}

/* Of a path that is there, or as much of it as is: numbers, models, the result. */
static int save_path(job *j, fault *f)
{
    const rls2_fit *fit = j->outcome.fit;
    watcher w = {.progress = job_progress_patient,
                 .next = next_part,
                 .user = j,
                 .live = j->run->points,
                 .live_count = j->run->point_count};
    j->whole = rls2_fit_count(fit) * (rls2_fit_outputs(fit) + 1);
    job_stage(j, STAGE_MODELS);
    if (job_is_removed(j)) return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    int code = result_points(&j->problem, &j->outcome, &w, f);
    if (!code) job_show_points(j, j->outcome.points);
    if (!code) code = job_models(j, f);
    return code ? code : save_result(j, f);
}

/* ---- all of them ---- */

static int do_path(job *j, fault *f)
{
    int code = fit_path(j, f);
    return code ? code : save_path(j, f);
}

/* What the path has is kept, whatever becomes of the splits; if it cannot be said anew the old word
 * stands. */
static int add_splits(job *j, fault *f)
{
    fault unsaved;
    int code = cross_validate(j, f);
    if (code && !job_is_removed(j)) save_result(j, &unsaved);
    return code ? code : save_result(j, f);
}

static int do_stages(job *j, fault *f)
{
    const problem *p = &j->problem;
    int code = problem_splits(p, &j->splits, f), first = p->choosing && !p->asked.lambdas;
    job_plan(j, first);
    if (!code && j->splits && first) code = cross_validate(j, f);
    if (!code) code = do_path(j, f);
    if (!code && j->splits && !first) {
        if (job_is_stopped(j)) { /* while the path was fitted, or written down */
            j->outcome.splits = SPLITS_STOPPED;
            return save_result(j, f);
        }
        code = add_splits(j, f);
    }
    return code;
}

int job_work(job *j, fault *f)
{
    json_t *settings = json_deep_copy(j->run->settings);
    if (!settings) return fault_memory(f);
    int code = problem_make(j->state, settings, &j->problem, f);
    if (!code) code = do_stages(j, f);
    j->complete = !code && rls2_fit_count(j->outcome.fit) == rls2_fit_asked(j->outcome.fit) &&
                  (!j->splits || j->outcome.cv);
    rls2_splits_free(j->splits);
    outcome_free(&j->outcome);
    problem_release(&j->problem);
    return code;
}
