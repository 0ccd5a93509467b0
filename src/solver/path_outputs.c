/* Fitting paths: rls2_path_fit of rls2/path.h. */
#include "solver/path_outputs.h"

#include <inttypes.h>
#include <string.h>

#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "basis/basis_build.h"
#include "la/la.h"
#include "la/threads.h"
#include "solver/loss.h"
#include "solver/path_public.h"
#include "solver/shared_check.h"

/* A single response needs no number. */
static rls2_status fail_response(int64_t o, int64_t outputs, const rls2_error *found,
                                 rls2_error *err)
{
    if (outputs == 1) return rls2__fail(err, found->status, "%s", found->message);
    return rls2__fail(err, found->status, "response %" PRId64 " of %" PRId64 ": %s", o + 1, outputs,
                      found->message);
}

rls2_status rls2__check_outputs(int64_t outputs, const rls2_basis *const *bases, const double *y,
                                rls2_error *err)
{
    if (outputs < 1)
        return rls2__fail(err, RLS2_ERR_ARGUMENT,
                          "there are %" PRId64 " responses, at least 1 is needed", outputs);
    if (!bases) return rls2__fail_null(err, "bases");
    if (!bases[0]) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the basis is NULL");
    if (!y) return rls2__fail_null(err, "y");
    int64_t n = bases[0]->n;
    if (rls2__mul(rls2__mul(outputs, n), (int64_t)sizeof(double)) < 0)
        return rls2__fail(err, RLS2_ERR_MEMORY,
                          "%" PRId64 " responses are more than can be handled", outputs);
    for (int64_t o = 0; o < outputs; o++) {
        if (bases[o] && bases[o]->n != n)
            return rls2__fail(err, RLS2_ERR_ARGUMENT,
                              "the basis of response %" PRId64 " has %" PRId64
                              " rows, that of the first %" PRId64,
                              o + 1, bases[o]->n, n);
        rls2_error own = {0};
        rls2_status status = rls2__check_response(bases[o], y + o * n, &own);
        if (status != RLS2_OK) return fail_response(o, outputs, &own, err);
    }
    return RLS2_OK;
}

rls2_status rls2__paths_fit(const rls2__paths_job *job, rls2_path **paths, rls2_error *err)
{
    rls2_control control = *job->control;
    rls2__paths_job own = *job;
    own.control = &control;
    control.threads = rls2__thread_count(control.threads);
    rls2_status status = rls2__la_enter_team(&control.threads, err);
    if (status != RLS2_OK) return status;
    status = rls2__outputs_run(&own, paths, err);
    rls2__la_leave();
    return status;
}

rls2_status rls2_path_fit(int64_t outputs, const rls2_basis *const *bases, const double *y,
                          int64_t count, const double *lambdas, const rls2_path_options *options,
                          const rls2_control *control, rls2_path **paths, rls2_error *err)
{
    rls2_path_options used;
    rls2_path_options_init(&used, sizeof used);
    if (!paths) return rls2__fail_null(err, "paths");
    rls2_status status =
        rls2__options_read("options", "path_options", options, sizeof used, &used, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status == RLS2_OK) status = rls2__check_lambdas(count, lambdas, &used, err);
    if (status == RLS2_OK) status = rls2__check_outputs(outputs, bases, y, err);
    for (int64_t o = 0; o < outputs && status == RLS2_OK; o++) {
        rls2_error own = {0};
        status = rls2__loss_check(used.loss, bases[0]->n, y + o * bases[0]->n, &own);
        if (status != RLS2_OK) return fail_response(o, outputs, &own, err);
    }
    if (status == RLS2_OK) status = rls2__check_shared(outputs, bases, y, &used, err);
    if (status != RLS2_OK) return status;
    rls2_path **made = rls2__alloc_zero(outputs, sizeof *made); /* all paths appear or none does */
    if (!made) return rls2__fail_memory(err, "the paths");
    const rls2_control own = rls2__control_of(control);
    const rls2__paths_job job = {.outputs = outputs,
                                 .bases = bases,
                                 .y = y,
                                 .count = count,
                                 .lambdas = lambdas,
                                 .options = &used,
                                 .control = &own};
    status = rls2__paths_fit(&job, made, err);
    if (status == RLS2_OK) memcpy(paths, made, (size_t)outputs * sizeof *made);
    rls2__free(made);
    return status;
}
