/* Criteria of rls2/select.h. */
#include "base/control.h"
#include "base/crew.h"
#include "base/memory.h"
#include "base/option_struct.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/criteria.h"
#include "solver/path.h"

rls2_status rls2_path_criteria(const rls2_path *path, const rls2_control *control,
                               rls2_criteria *criteria, size_t size, rls2_error *err)
{
    if (!path) return rls2__fail_null(err, "path");
    if (!criteria) return rls2__fail_null(err, "criteria");
    rls2_status status = rls2__result_check("criteria", size, sizeof *criteria, err);
    if (status == RLS2_OK) status = rls2__control_check(control, err);
    if (status != RLS2_OK) return status;
    rls2_control own = rls2__control_of(control);
    own.threads = rls2__thread_count(own.threads);
    status = rls2__la_enter_team(&own.threads, err);
    if (status != RLS2_OK) return status;
    rls2__effort effort;
    rls2__effort_begin(&own, "criteria", path->count, &effort);
    rls2_criteria *made =
        rls2__alloc(path->count, sizeof *made); /* the result appears whole or not at all */
    status = made ? rls2__path_criteria(&effort, path, made) : RLS2_ERR_MEMORY;
    rls2__la_leave();
    if (status == RLS2_OK)
        rls2__result_write(made, sizeof *made, path->count, criteria, size);
    else if (status == RLS2_ERR_CANCELLED)
        rls2__fail(err, status, "the criteria were stopped");
    else
        status = rls2__fail_memory(err, "the criteria");
    rls2__free(made);
    return status;
}
