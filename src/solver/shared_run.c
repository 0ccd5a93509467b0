/* Paths that share weights: the first is followed as any other (path_run.c), and every answer is
 * appended to all of them or to none. */
#include "solver/shared_run.h"

#include <string.h>

#include "base/invariant.h"
#include "base/memory.h"
#include "base/status.h"
#include "solver/path_run.h"

/* Progress counts the points of all outputs. */
typedef struct relay {
    const rls2__paths_job *job;
    int64_t before; /* points that there were */
} relay;

static int report(void *user, const rls2_progress *progress)
{
    const relay *it = user;
    const rls2_control *control = it->job->control;
    rls2_progress at = *progress;
    at.done = (progress->done - it->before) * it->job->outputs;
    at.total = it->job->count * it->job->outputs;
    at.point = NULL;
    return control->progress ? control->progress(control->user, &at) : 0;
}

static rls2_status create(const rls2__paths_job *job, int64_t o, rls2_path **path)
{
    const rls2_basis *basis = job->bases[0];
    *path = rls2__path_create(basis, job->y + o * basis->n, job->count, job->options);
    if (!*path) return RLS2_ERR_MEMORY;
    (*path)->sharing = job->outputs;
    return RLS2_OK;
}

/* A path for each output, with room for all points. */
static rls2_status prepare(const rls2__paths_job *job, rls2_path **paths)
{
    rls2_status status = RLS2_OK;
    for (int64_t o = 0; o < job->outputs && status == RLS2_OK; o++) {
        if (!paths[o])
            status = create(job, o, &paths[o]);
        else
            status = rls2__path_reserve(paths[o], rls2__add(paths[o]->count, job->count));
    }
    return status;
}

/* What the first path has come to holds for all. */
static rls2_status follow(const rls2__paths_job *job, rls2_path **paths, rls2_error *err)
{
    rls2_path *first = paths[0];
    relay it = {job, first->count};
    const rls2_control own = {
        .size = sizeof own, .threads = job->control->threads, .progress = report, .user = &it};
    first->all = paths;
    first->given_count = job->given_count;
    first->given_ks = job->given_ks;
    first->given_d = job->given_d;
    rls2_status status = rls2__path_extend(first, job->count, job->lambdas, job->options, &own,
                                           job->like ? job->like[0] : NULL, err);
    first->all = NULL;
    if (status == RLS2_OK && !job->keeps_open) rls2__path_close(first);
    first->given_count = 0;
    for (int64_t o = 0; o < job->outputs; o++) paths[o]->fixed = job->given_count > 0;
    for (int64_t o = 1; o < job->outputs; o++) {
        rls2__invariant(paths[o]->count == first->count);
        paths[o]->cancelled = first->cancelled;
    }
    return status;
}

rls2_status rls2__shared_run(const rls2__paths_job *job, rls2_path **paths, rls2_error *err)
{
    rls2_path **fitted = rls2__alloc(job->outputs, sizeof *fitted);
    if (!fitted) return rls2__fail_memory(err, "the paths");
    memcpy(fitted, paths, (size_t)job->outputs * sizeof *fitted);
    rls2_status status = prepare(job, fitted);
    status = status == RLS2_OK ? follow(job, fitted, err) : rls2__fail_memory(err, "the paths");
    for (int64_t o = 0; o < job->outputs; o++) {
        if (status == RLS2_OK)
            paths[o] = fitted[o];
        else if (!paths[o])
            rls2__path_destroy(fitted[o]);
    }
    rls2__free(fitted);
    return status;
}
