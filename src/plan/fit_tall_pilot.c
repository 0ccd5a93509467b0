/* The pilot of a plan. */
#include "plan/fit_tall.h"
#include "plan/plan_source.h"
#include "select/tall_pilot.h"

rls2_status rls2__tall_pilot(const rls2_plan *plan, rls2__effort *effort, const rls2__axes *axes,
                             rls2__features **features, rls2_error *err)
{
    const rls2__recipe *recipe = plan->ingredients.recipe;
    const rls2__pilot_job job = {.data = plan->train.data,
                                 .axes = axes,
                                 .dictionary = plan->ingredients.dictionary,
                                 .basis = &recipe->basis,
                                 .path = &recipe->path,
                                 .rows =
                                     plan->source ? plan->source->count : plan->train.data->rows,
                                 .wanted = plan->wanted_kernels,
                                 .seed = plan->asked.seed,
                                 .control = effort->control};
    return rls2__pilot_features(effort, &job, features, err);
}
