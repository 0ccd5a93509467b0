/* A model for each lambda of the path. */
#include <stdlib.h>
#include <string.h>

#include "gui/server/job.h"

/* Where several threads are at work, one tells. */
static int stop_quietly(void *user, const rls2_progress *at)
{
    (void)at;
    return job_is_stopped(user);
}

/* Fitted for that lambda alone, as `rls2 train --lambda` does it: the same bytes. (A point of the path was reached
 * from its neighbour and differs in the last digits.) */
static int fit_model(const job *j, double lambda, int threads, rls2_path **paths, rls2_model **model,
                     fault *f)
{
    rls2_error err;
    const rls2_fit *fit = j->outcome.fit;
    const rls2_dataset *data = rls2_fit_data(fit);
    int64_t outputs = rls2_fit_outputs(fit);
    const rls2_basis **bases = calloc((size_t)outputs + 1, sizeof *bases);
    rls2_path_options options = j->problem.recipe.path;
    if (!bases) return fault_memory(f);
    for (int64_t o = 0; o < outputs; o++) bases[o] = rls2_fit_basis(fit, o);
    options.intercept = problem_intercept(&j->problem);
    options.degrees_of_freedom = 1;
    options.progress = stop_quietly;
    options.progress_user = (void *)(uintptr_t)j;
    rls2_status status = rls2_path_fit_outputs(outputs, bases, rls2_dataset_y(data), 1, &lambda, &options,
                                               threads, paths, &err);
    free(bases);
    int complete = status == RLS2_OK;
    for (int64_t o = 0; status == RLS2_OK && o < outputs; o++) complete &= rls2_path_count(paths[o]) == 1;
    if (status == RLS2_OK && !complete) return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
    if (status == RLS2_OK)
        status = rls2_model_create_outputs(outputs, (const rls2_path *const *)paths, 0, model, &err);
    if (status == RLS2_OK) status = rls2_model_attach(*model, data, &err);
    return status == RLS2_OK ? 0 : job_failed(j, &err, NULL, f);
}

static int save_model(const job *j, int64_t i, int threads, fault *f)
{
    rls2_error err;
    char path[STORE_PATH];
    rls2_model *model = NULL;
    int64_t outputs = rls2_fit_outputs(j->outcome.fit);
    double lambda = rls2_path_at(rls2_fit_path(j->outcome.fit, 0), i)->lambda;
    rls2_path **paths = calloc((size_t)outputs + 1, sizeof *paths);
    if (!paths) return fault_memory(f);
    int code = fit_model(j, lambda, threads, paths, &model, f);
    state_path(j->state, path, "runs/%s/model-%lld.rls2", j->run->id, (long long)i);
    if (!code && rls2_model_save(model, path, &err) != RLS2_OK) code = fault_of(f, NULL, &err);
    rls2_model_free(model);
    for (int64_t o = 0; o < outputs; o++) rls2_path_free(paths[o]);
    free(paths);
    return code;
}

/* Threads that take one lambda after another. */
typedef struct crew {
    const job *job;
    int threads; /* of the library, for each */
    int64_t count;
    atomic_llong next, done;
    atomic_int code; /* of the first that job_failed, with its fault */
    fault fault;
} crew;

/* The next lambda, done; 0 when there is none or one job_failed. */
static int take_turn(crew *c)
{
    fault f = {0};
    int none = 0;
    int64_t i = atomic_fetch_add(&c->next, 1);
    if (i >= c->count || atomic_load(&c->code)) return 0;
    int code = save_model(c->job, i, c->threads, &f);
    atomic_fetch_add(&c->done, 1);
    if (code && atomic_compare_exchange_strong(&c->code, &none, code)) c->fault = f;
    return !code;
}

static void *take_turns(void *user)
{
    while (take_turn(user)) {
    }
    return NULL;
}

static void report_models(job *j, const crew *c)
{
    rls2_progress at = {.stage = "models", .done = atomic_load(&c->done), .total = c->count};
    job_progress(j, &at);
}

/* Several outputs share the threads inside the library, several lambdas of one output here. */
int job_models(job *j, fault *f)
{
    enum { MOST_HELPERS = 15 };
    pthread_t helpers[MOST_HELPERS];
    int several = rls2_fit_outputs(j->outcome.fit) > 1, started = 0;
    int wanted = several ? 0 : j->state->threads - 1;
    crew c = {.job = j, .count = rls2_fit_count(j->outcome.fit), .threads = several ? j->state->threads : 1};
    job_stage(j, "models");
    while (started < wanted && started < MOST_HELPERS &&
           pthread_create(&helpers[started], NULL, take_turns, &c) == 0)
        started++;
    report_models(j, &c);
    while (take_turn(&c)) report_models(j, &c);
    for (int i = 0; i < started; i++) pthread_join(helpers[i], NULL);
    *f = c.fault;
    return atomic_load(&c.code);
}
