/* A model for each lambda of the path. */
#include <stdio.h>

#include "gui/server/job.h"

/* The point of the path as it is: what `rls2 train` writes where it follows the same values of
 * lambda down to that one. */
static int save_model(const job *j, int64_t i, fault *f)
{
    rls2_error err;
    char path[STORE_PATH];
    rls2_model *model = NULL;
    void *bytes = NULL;
    int64_t length = 0;
    store_path(path, "runs/%s/model-%lld.rls2", j->run->id, (long long)i);
    rls2_status status = rls2_fit_model(j->outcome.fit, i, &model, &err);
    if (status == RLS2_OK) status = rls2_model_pack(model, &bytes, &length, &err);
    rls2_model_free(model);
    int code = status == RLS2_OK ? store_write(&j->state->store, path, bytes, (size_t)length, f)
                                 : fault_of(f, NULL, &err);
    rls2_bytes_free(bytes);
    return code;
}

/* One that was looked at before is loaded anew. */
int job_chosen_model(const job *j, fault *f)
{
    char name[64];
    int64_t chosen = rls2_fit_chosen(j->outcome.fit);
    if (chosen < 0) return 0;
    int code = save_model(j, chosen, f);
    snprintf(name, sizeof name, "%s/%lld", j->run->id, (long long)chosen);
    cache_forget(j->state->models, name);
    return code;
}

/* Also of a run that was stopped, unless nobody will look at them. */
int job_models(job *j, fault *f)
{
    int code = 0;
    rls2_progress at = {.total = rls2_fit_count(j->outcome.fit)};
    for (; !code && at.done < at.total; at.done++) {
        job_progress_patient(j, &at);
        if (job_is_removed(j)) return fault_say(f, HTTP_CONFLICT, NULL, "stopped");
        code = save_model(j, at.done, f);
    }
    return code;
}
