/* Criteria of rls2/select.h. */
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "la/la.h"
#include "la/threads.h"
#include "select/criteria.h"
#include "solver/path.h"

rls2_status rls2_path_criteria(const rls2_path *path, rls2_criteria *criteria, rls2_error *err)
{
    return rls2_path_criteria_watched(path, NULL, NULL, criteria, err);
}

rls2_status rls2_path_criteria_watched(const rls2_path *path, rls2_progress_fn progress,
                                       void *progress_user, rls2_criteria *criteria,
                                       rls2_error *err)
{
    if (!path) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the path is NULL");
    if (!criteria) return rls2__fail(err, RLS2_ERR_ARGUMENT, "the place for the criteria is NULL");
    rls2_status status = rls2__la_enter(err);
    if (status != RLS2_OK) return status;
    rls2_criteria *made =
        rls2__alloc(path->count, sizeof *made); /* the result appears whole or not at all */
    status = made ? rls2__path_criteria(path, progress, progress_user, made) : RLS2_ERR_MEMORY;
    rls2__la_leave();
    if (status == RLS2_OK)
        memcpy(criteria, made, (size_t)path->count * sizeof *made);
    else if (status == RLS2_ERR_CANCELLED)
        rls2__fail(err, status, "the criteria were stopped");
    else
        status = rls2__fail_memory(err, "the criteria");
    rls2__free(made);
    return status;
}
