/* The stages of a run, and what is written down when they end.
 *
 * The library says when a stage has ended. The path has a result of its own, which is written as
 * soon as it is there, and again at the end. */
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/job.h"
#include "gui/server/stable_inputs.h"
#include "gui/server/table_columns.h"

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
    const rls2_cv *cv = rls2_fit_cv(j->outcome.fit);
    if (!cv || !rls2_cv_predictions(cv, 0)) return 0;
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

/* {"kernels", "shares", "selected"} of one output at one lambda. */
static json_t *shares_of(const rls2_cv *cv, int64_t i, int64_t o)
{
    const int64_t *kernels;
    const double *shares;
    int64_t count = rls2_cv_shares(cv, i, o, &kernels, &shares);
    json_t *numbers = json_array(), *values = json_array(), *selected = json_array();
    for (int64_t k = 0; k < count; k++) {
        json_array_append_new(numbers, json_integer(kernels[k]));
        json_array_append_new(values, json_finite(shares[k]));
        json_array_append_new(selected, split_signs(cv, i, o, k));
    }
    return json_pack("{s:o, s:o, s:o}", "kernels", numbers, "shares", values, "selected", selected);
}

/* For each lambda a list, of what each kernel explains of the rows that were left out. */
static int save_shares(const job *j, fault *f)
{
    const rls2_cv *cv = rls2_fit_cv(j->outcome.fit);
    if (!cv) return 0;
    json_t *all = json_array();
    for (int64_t i = 0; i < rls2_cv_count(cv); i++) {
        json_t *outputs = json_array();
        for (int64_t o = 0; o < rls2_cv_outputs(cv); o++)
            json_array_append_new(outputs, shares_of(cv, i, o));
        json_array_append_new(all, outputs);
    }
    int code = save_part(j, "shares.json", all, f);
    json_decref(all);
    return code;
}

/* Takes the summary over; from now on the run has a result, also if the server is killed. */
static int announce(job *j, json_t *summary, fault *f)
{
    pthread_mutex_lock(&j->state->lock);
    json_object_set_new(j->run->about, "summary", summary);
    j->run->has_result = 1;
    j->run->seconds = clock_seconds() - j->begun;
    state_changed(j->state);
    run_changed(j->state, j->run);
    pthread_mutex_unlock(&j->state->lock);
    return run_save(j->state, j->run, f);
}

/* All that is known so far; what was written before is replaced. */
static int save_result(job *j, fault *f)
{
    json_t *result = NULL, *profile = NULL, *summary = NULL;
    int code = result_make(&j->plan, &j->outcome, &result, &profile, &summary, f);
    if (!code) code = save_left_out(j, f);
    if (!code) code = save_shares(j, f);
    if (!code) code = save_part(j, "profile.json", profile, f);
    if (!code) code = save_part(j, "result.json", result, f);
    json_decref(profile);
    json_decref(result);
    if (!code) return announce(j, summary, f);
    json_decref(summary);
    return code;
}

/* Of a path that is there, or as much of it as is: numbers, models, the result. */
static int save_path(job *j, fault *f)
{
    const rls2_fit *fit = j->outcome.fit;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = j->state->threads;
    control.progress = job_progress_patient;
    control.user = j;
    watcher w = {.control = &control, .live = j->run->points, .live_count = j->run->point_count};
    j->whole = rls2_fit_count(fit) * (rls2_fit_outputs(fit) + 1);
    job_stage(j, STAGE_MODELS);
    if (job_is_removed(j)) return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    int code = result_points(&j->outcome, &w, f);
    j->before = rls2_fit_count(fit) * rls2_fit_outputs(fit);
    if (!code) job_show_points(j, j->outcome.points);
    if (!code) code = job_models(j, f);
    return code ? code : save_result(j, f);
}

/* ---- the fit ---- */

static int stage_done(void *user, const char *ended, rls2_fit *so_far)
{
    job *j = user;
    j->outcome.fit = so_far;
    if (strcmp(ended, "path") == 0 && rls2_fit_count(so_far) > 0) j->code = save_path(j, &j->fault);
    return j->code != 0 || job_is_stopped(j);
}

/* What the path has is kept, whatever becomes of the splits; if it cannot be said anew the old word
 * stands. */
static void save_end(job *j, int code)
{
    fault unsaved;
    outcome *o = &j->outcome;
    int splits = run_plan_leaves_rows_out(&j->plan), halves = rls2_fit_stability(o->fit) != NULL;
    if (!o->points || j->code || (!splits && !halves)) return;
    if (splits)
        o->splits = rls2_fit_cv(o->fit) ? SPLITS_DONE
                    : job_is_stopped(j) ? SPLITS_STOPPED
                                        : SPLITS_FAILED;
    if (job_is_removed(j)) return;
    if ((o->splits == SPLITS_DONE || halves) && !code) j->code = job_chosen_model(j, &j->fault);
    if (!j->code && save_result(j, code ? &unsaved : &j->fault) && !code) j->code = j->fault.code;
}

static int fit(job *j, fault *f)
{
    rls2_error err;
    rls2_control control;
    rls2_control_init(&control, sizeof control);
    control.threads = j->state->threads;
    control.progress = job_progress;
    control.stage_done = stage_done;
    control.user = j;
    rls2_fit *made = NULL;
    int code = 0;
    if (rls2_plan_fit(j->plan.plan, &control, &made, &err) != RLS2_OK)
        code = job_failed(j, &err, f);
    j->outcome.fit = made; /* what stages were shown may be gone */
    save_end(j, code);
    if (j->code) {
        *f = j->fault;
        return j->code;
    }
    if (!code && !j->outcome.points) code = fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    return code;
}

/* Was everything done that was asked for? */
static int is_complete(const job *j)
{
    const rls2_fit *made = j->outcome.fit;
    return rls2_fit_count(made) == rls2_fit_asked(made) &&
           (!run_plan_leaves_rows_out(&j->plan) || rls2_fit_cv(made)) &&
           (run_plan_is(&j->plan, "stability", "0") || rls2_fit_stability(made));
}

static double forecast_of(const job *j)
{
    rls2_cost cost;
    rls2_error err;
    rls2_status status =
        rls2_plan_forecast(j->plan.plan, j->state->threads, &cost, sizeof cost, &err);
    return status == RLS2_OK ? cost.seconds : 0.0;
}

int job_work(job *j, fault *f)
{
    int code = run_plan_complete(j->state, j->run->asked, &j->plan, f);
    if (!code) j->forecast = forecast_of(j);
    if (!code) code = fit(j, f);
    j->complete = !code && is_complete(j);
    outcome_free(&j->outcome);
    run_plan_release(&j->plan);
    return code;
}
