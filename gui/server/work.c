#include "gui/server/work.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gui/server/clock.h"
#include "gui/server/columns.h"
#include "gui/server/job.h"

/* ---- the queue ---- */

/* "lpsa from prostate.csv, linear": runs on one table should not all be called alike. */
static void name_run(const char *table, const json_t *settings, char *name, size_t size)
{
    const char *target = json_string_value(json_array_get(json_object_get(settings, "target"), 0));
    const char *kernels = json_string_value(json_object_get(settings, "kernels"));
    snprintf(name, size, "%.60s%s%.120s%s%.40s", target ? target : "", target ? " from " : "", table,
             kernels ? ", " : "", kernels ? kernels : "");
}

static json_t *new_about(state *s, const char *id, const json_t *settings)
{
    char name[256], title[300];
    const char *data = json_string_value(json_object_get(settings, "data"));
    state_data_name(s, data ? data : "", name, sizeof name);
    name_run(name, settings, title, sizeof title);
    return json_pack("{s:s, s:o, s:s, s:{s:s, s:o}, s:n}", "id", id, "name", json_words(title), "created",
                     clock_date().text, "data", "id", data ? data : "", "name", json_words(name), "summary");
}

static int make_run(state *s, json_t *settings, run **made, fault *f)
{
    char path[STORE_PATH];
    run *r = calloc(1, sizeof *r);
    if (!r || !store_new_id(r->id)) {
        free(r);
        json_decref(settings);
        return fault_memory(f);
    }
    r->users = 2; /* the list's, and that of the caller */
    r->settings = settings;
    r->about = new_about(s, r->id, settings);
    *made = r;
    if (!r->about) return fault_memory(f);
    state_path(s, path, "runs/%s", r->id);
    if (!store_make_folder(path)) return fault_say(f, HTTP_FAILED, NULL, "%s: %s", path, strerror(errno));
    return run_save(s, r, f);
}

int work_add(state *s, json_t *settings, char id[ID_LENGTH + 1], fault *f)
{
    run *r = NULL;
    int code = make_run(s, settings, &r, f);
    if (!r) return code;
    if (code) {
        r->removed = 1;
        r->users = 1;
        run_release(s, r);
        return code;
    }
    memcpy(id, r->id, sizeof r->id);
    pthread_mutex_lock(&s->lock);
    r->next = s->runs;
    s->runs = r;
    run_changed(s, r);
    pthread_mutex_unlock(&s->lock);
    run_release(s, r);
    return 0;
}

/* The run that has waited longest, now running and in use; NULL if none waits. The lock is held. */
static run *next_run(state *s)
{
    run *oldest = NULL;
    for (run *r = s->runs; r; r = r->next)
        if (r->status == RUN_QUEUED) oldest = r;
    if (!oldest) return NULL;
    oldest->status = RUN_RUNNING;
    oldest->users++;
    run_changed(s, oldest);
    return oldest;
}

/* ---- progress ---- */

static void tell(job *j, const rls2_progress *at, double time)
{
    const char *stage = j->stage[0] ? j->stage : at->stage;
    run *r = j->run;
    pthread_mutex_lock(&j->state->lock);
    if (strcmp(r->progress.stage, stage) != 0) j->started = time;
    snprintf(r->progress.stage, sizeof r->progress.stage, "%s", stage);
    r->progress.done = at->done;
    r->progress.total = at->total;
    r->progress.lambda = at->lambda;
    r->progress.gap = at->gap;
    r->progress.eta =
        at->done > 0 ? (time - j->started) / (double)at->done * (double)(at->total - at->done) : -1.0;
    run_changed(j->state, r);
    pthread_mutex_unlock(&j->state->lock);
    j->told = time;
}

int job_is_stopped(const job *j)
{
    return atomic_load(&j->run->stop) || atomic_load(&j->state->closing);
}

/* Ten times a second is often enough for eyes. */
int job_progress(void *user, const rls2_progress *at)
{
    job *j = user;
    double time = clock_seconds();
    outcome_tick(&j->outcome, at, time);
    if (time - j->told >= 0.1 || at->done == at->total) tell(j, at, time);
    return job_is_stopped(j);
}

int job_failed(const job *j, const rls2_error *err, const char *field, fault *f)
{
    if (err->status == RLS2_ERR_CANCELLED || job_is_stopped(j))
        return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    return fault_of(f, field, err);
}

/* ---- steps ---- */

void job_stage(job *j, const char *stage)
{
    snprintf(j->stage, sizeof j->stage, "%s", stage);
}

static int cross_validate(job *j, fault *f)
{
    rls2_error err;
    rls2_splits *splits = NULL;
    const problem *p = &j->problem;
    rls2_cv_options options = rls2_cv_options_default();
    rls2_recipe recipe = p->recipe;
    int code = problem_splits(p, &splits, f);
    if (code || !splits) return code;
    job_stage(j, "cross-validation");
    recipe.path.degrees_of_freedom = 0;
    options.measure = p->measure;
    options.baselines = p->asked.baselines;
    options.threads = j->state->threads;
    options.progress = job_progress;
    options.progress_user = j;
    if (rls2_cv_run(p->choosing ? p->choosing : p->train, &recipe, splits, &options, &j->outcome.cv, &err) !=
        RLS2_OK)
        code = job_failed(j, &err, NULL, f);
    rls2_splits_free(splits);
    return code;
}

/* The grid of the cross-validation, so that curve and path are of the same lambdas. */
static int take_lambdas(job *j, rls2_recipe *recipe, double **lambdas, fault *f)
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
    job_stage(j, "");
    int code = take_lambdas(j, &recipe, &lambdas, f);
    if (!code && rls2_fit_table(j->problem.train, &recipe, &options, &j->outcome.fit, &err) != RLS2_OK)
        code = job_failed(j, &err, NULL, f);
    free(lambdas);
    if (!code && rls2_fit_count(j->outcome.fit) < rls2_fit_asked(j->outcome.fit))
        code = fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    return code;
}

/* ---- results ---- */

static int save_part(job *j, const char *name, json_t *json, fault *f)
{
    char path[STORE_PATH];
    state_path(j->state, path, "runs/%s/%s", j->run->id, name);
    int code = store_write_json(path, json, f);
    json_decref(json);
    return code;
}

static int save_left_out(job *j, fault *f)
{
    char path[STORE_PATH];
    const rls2_cv *cv = j->outcome.cv;
    if (!cv) return 0;
    int64_t each = rls2_cv_rows(cv) * rls2_cv_outputs(cv), count = rls2_cv_count(cv);
    double *all = calloc((size_t)(each * count) + 1, sizeof *all);
    if (!all) return fault_memory(f);
    for (int64_t i = 0; i < count; i++)
        memcpy(all + i * each, rls2_cv_predictions(cv, i), (size_t)each * sizeof *all);
    state_path(j->state, path, "runs/%s/left-out.f64", j->run->id);
    int code = store_write(path, all, (size_t)(each * count) * sizeof *all, f);
    free(all);
    return code;
}

static int save_results(job *j, fault *f)
{
    json_t *result = NULL, *profile = NULL, *summary = NULL;
    int code = result_make(&j->problem, &j->outcome, &result, &profile, &summary, f);
    if (code) return code;
    code = save_left_out(j, f);
    if (!code) code = save_part(j, "profile.json", json_incref(profile), f);
    if (!code) code = save_part(j, "result.json", json_incref(result), f);
    json_decref(profile);
    json_decref(result);
    if (code) {
        json_decref(summary);
        return code;
    }
    pthread_mutex_lock(&j->state->lock);
    json_object_set_new(j->run->about, "summary", summary);
    pthread_mutex_unlock(&j->state->lock);
    return 0;
}

static int do_work(job *j, fault *f)
{
    json_t *settings = json_deep_copy(j->run->settings);
    if (!settings) return fault_memory(f);
    int code = problem_make(j->state, settings, &j->problem, f);
    if (!code) code = cross_validate(j, f);
    if (!code) code = fit_path(j, f);
    if (!code) code = job_models(j, f);
    if (!code) code = save_results(j, f);
    outcome_free(&j->outcome);
    problem_release(&j->problem);
    return code;
}

static void finish(job *j, int code, const fault *f, double started)
{
    fault unsaved;
    run *r = j->run;
    pthread_mutex_lock(&j->state->lock);
    int stopped = r->status == RUN_STOPPED || (code && job_is_stopped(j));
    r->seconds = clock_seconds() - started;
    r->status = stopped ? RUN_STOPPED : !code ? RUN_DONE : RUN_FAILED;
    if (code && !stopped) json_object_set_new(r->about, "error", json_words(f->message));
    if (code && !stopped && f->field[0]) json_object_set_new(r->about, "field", json_words(f->field));
    pthread_mutex_unlock(&j->state->lock);
    run_save(j->state, r, &unsaved); /* before it is told: who asks next finds it on the disk */
    pthread_mutex_lock(&j->state->lock);
    run_changed(j->state, r);
    pthread_mutex_unlock(&j->state->lock);
}

static void do_run(state *s, run *r)
{
    fault f = {0}, unsaved;
    double started = clock_seconds();
    job *j = calloc(1, sizeof *j);
    if (!j) {
        pthread_mutex_lock(&s->lock);
        r->status = RUN_FAILED;
        run_changed(s, r);
        pthread_mutex_unlock(&s->lock);
        return;
    }
    j->state = s;
    j->run = r;
    run_save(s, r, &unsaved);
    finish(j, do_work(j, &f), &f, started);
    free(j);
}

void *work_forever(void *user)
{
    state *s = user;
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->closing)) {
        run *r = next_run(s);
        if (!r) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        do_run(s, r);
        run_release(s, r);
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}
